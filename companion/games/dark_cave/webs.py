"""Webs: spun across a border, cut with an axe, gone after two rounds."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.state import Event, Refusal
from companion.games.dark_cave import pieces
from companion.games.dark_cave.cave import NOWHERE, cell_at, segment_at
from companion.games.dark_cave.hand import play, why_not_deed
from companion.games.dark_cave.position import NO_WEB, NO_WEBS, Position, replaced
from companion.games.dark_cave.spread import BORDER, border_at, border_sides, no, web_spot
from companion.games.dark_cave.verbs import CUT, WEB

AGAIN = {"play": "play", "walk": "move", "crawl": "creep"}
"""The step that looks anew at what its player may do, by the step in which a web was cut."""


def can_web(state: Position, seat: Seat, kind: int, cell: Cell, side: int) -> Refusal | None:
    refusal = why_not_deed(state, seat, kind, "web")
    if refusal is not None:
        return refusal
    border = border_at(cell, side)
    _, _, other = border_sides(border)
    if border in state.webs:
        return no("web-there", "DC-WEB-04", cell, other)
    if border not in state.cave.web_places():
        return no("no-joint-or-end", "DC-WEB-02", cell, other)
    return None


def do_web(state: Position, seat: Seat, kind: int, cell: Cell, side: int) -> list[Event]:
    """A web is spun with its 2 up; its card lies before its player (DC-WEB-01)."""
    events = [play(state, seat, kind)]
    state.lay_front(seat, kind)
    symbol, border = state.cards.web_symbol[kind], border_at(cell, side)
    assert state.webs[symbol] == NO_WEB
    state.webs = replaced(state.webs, symbol, border)
    state.web_left = replaced(state.web_left, symbol, 2)
    events.append(Event("web-spun", {"web": pieces.SYMBOLS[symbol], **web_spot(border)}))
    return events


def list_web(state: Position, seat: Seat, kind: int) -> list[Action]:
    aims, webs = WEB[kind], state.webs
    return [aims[border] for border in state.cave.web_places() if border not in webs]


# Axes against webs -----------------------------------------------------------------------------


def can_cut(state: Position, seat: Seat, cell: Cell, side: int) -> Refusal | None:
    border = border_at(cell, side)
    if border not in state.webs:
        return no("no-web", "DC-AXE-03", cell)
    if not state.usable_axes(seat):
        return no("axe-fresh" if state.axes(seat) else "no-axe", "DC-AXE-10", cell)
    if border not in _beside(state, seat):
        return no("not-beside", "DC-AXE-05", cell)
    return None


def do_cut(state: Position, seat: Seat, cell: Cell, side: int) -> list[Event]:
    """An axe turns a web from 2 to 1 or removes it (DC-AXE-03)."""
    name, *facts = state.take()
    state.push((AGAIN[name], *facts))
    state.use_axe(seat)
    border = border_at(cell, side)
    events = [Event("cut", {"seat": seat, **web_spot(border)})]
    weaken_web(state, state.webs.index(border), events)
    return events


def list_cut(state: Position, seat: Seat) -> list[Action]:
    return [CUT[border] for border in cuts(state, seat)]


def cuts(state: Position, seat: Seat) -> list[int]:
    """The webs that a seat may cut now."""
    return _beside(state, seat) if state.webs != NO_WEBS and state.usable_axes(seat) else []


def _beside(state: Position, seat: Seat) -> list[int]:
    """The webs that a dwarf stands beside (DC-AXE-05)."""
    place = state.at[seat]
    if place == NOWHERE:
        return []
    cell = cell_at(place)
    borders = [BORDER[cell][d] for d in state.cave.card(cell).exits[segment_at(place)]]
    return [border for border in state.webs if border in borders]


# Wear ------------------------------------------------------------------------------------------


def weaken_web(state: Position, symbol: int, events: list[Event]) -> None:
    """Turns a web from 2 to 1, or removes it when it shows 1 (DC-WEB-06, DC-WEB-07, DC-AXE-03)."""
    if state.web_left[symbol] == 1:
        remove_web(state, symbol, events)
    else:
        state.web_left = replaced(state.web_left, symbol, 1)
        events.append(_told("web-turned", state, symbol))


def remove_web(state: Position, symbol: int, events: list[Event]) -> None:
    """Returns a web to the supply and discards its card (DC-WEB-09)."""
    kind = state.cards.kind_of[f"web-{pieces.SYMBOLS[symbol]}"]
    owner = next(seat for seat, cards in enumerate(state.front) if kind in cards)
    state.drop_front(owner, kind)
    events.append(_told("web-removed", state, symbol))
    state.webs = replaced(state.webs, symbol, NO_WEB)
    state.web_left = replaced(state.web_left, symbol, 0)


def _told(what: str, state: Position, symbol: int) -> Event:
    return Event(what, {"web": pieces.SYMBOLS[symbol], **web_spot(state.webs[symbol])})
