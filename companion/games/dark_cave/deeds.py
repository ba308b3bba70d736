"""Action cards that work at once or lie before a player: rockfall, exchange of hands, boots, axe."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.grid import opposite
from companion.engine.state import Event, Refusal
from companion.games.dark_cave.cave import cell_at
from companion.games.dark_cave.gold import bury_vein
from companion.games.dark_cave.hand import play, why_not_deed
from companion.games.dark_cave.position import ALONE, Position
from companion.games.dark_cave.spread import BESIDE, BORDER, no, spot
from companion.games.dark_cave.verbs import AXE, BOOTS, ROCKFALL, SWAP
from companion.games.dark_cave.webs import remove_web

# Rockfall --------------------------------------------------------------------------------------


def can_rockfall(state: Position, seat: Seat, kind: int, cell: Cell) -> Refusal | None:
    refusal = why_not_deed(state, seat, kind, "rockfall")
    if refusal is not None:
        return refusal
    shape = state.cave.laid.get(cell)
    if cell in state.cave.closed or (shape is not None and shape >= state.cards.tunnel_shapes):
        return no("no-rockfall-here", "DC-ROCK-02", cell)
    if shape is None:
        return no("no-card", "DC-ROCK-01", cell)
    if any(cell_at(place) == cell for place in (*state.at, *state.creatures)):
        return no("occupied", "DC-ROCK-01", cell)
    return None


def do_rockfall(state: Position, seat: Seat, kind: int, cell: Cell) -> list[Event]:
    """A tunnel card leaves the network with what lies on it (DC-ROCK-03 to DC-ROCK-06)."""
    events = [play(state, seat, kind)]
    state.discards[kind] += 1
    fallen = state.cards.kind_of_shape[state.cave.laid[cell]]
    state.cave = state.cave.remove(cell)
    state.discards[fallen] += 1
    events.append(Event("fell", {"card": state.cards.names[fallen], **spot(cell)}))
    bury_vein(state, cell, events)
    for d, border in enumerate(BORDER[cell]):
        if border in state.webs and not _is_open_end(state, BESIDE[cell][d], opposite(d)):
            remove_web(state, state.webs.index(border), events)
    return events


def _is_open_end(state: Position, cell: Cell, side: int) -> bool:
    """Says whether a card lies there whose tunnel leads out on that side."""
    return cell in state.cave.laid and side in state.cave.card(cell).sides


def list_rockfall(state: Position, seat: Seat, kind: int) -> list[Action]:
    held = {cell_at(place) for place in (*state.at, *state.creatures)}
    tunnels, aims = state.cards.tunnel_shapes, ROCKFALL[kind]
    laid = state.cave.laid.items()
    return [aims[cell] for cell, shape in laid if shape < tunnels and cell not in held]


# Exchange of hands -----------------------------------------------------------------------------


def can_swap(state: Position, seat: Seat, kind: int, other: Seat) -> Refusal | None:
    refusal = why_not_deed(state, seat, kind, "swap")
    if refusal is not None:
        return refusal
    if other == seat or other >= state.settings.players:
        return no("no-player", "DC-SWAP-01")
    return None


def do_swap(state: Position, seat: Seat, kind: int, other: Seat) -> list[Event]:
    """Two players exchange hands; the other one draws (DC-SWAP-01 to DC-SWAP-04)."""
    events = [play(state, seat, kind, drawer=other)]
    events.append(Event("swapped", {"seat": seat, "other_seat": other}))
    state.discards[kind] += 1
    state.hands[seat], state.hands[other] = state.hands[other], state.hands[seat]
    if state.settings.digital:
        for owner in (seat, other):
            cards = [state.cards.names[k] for k in state.hands[owner]]
            events.append(Event("new-hand", {"seat": owner, "cards": cards}, ALONE[owner]))
    return events


def list_swap(state: Position, seat: Seat, kind: int) -> list[Action]:
    aims = SWAP[kind][: state.settings.players]
    return aims[:seat] + aims[seat + 1 :]


# Items -----------------------------------------------------------------------------------------


def can_boots(state: Position, seat: Seat, kind: int, other: Seat) -> Refusal | None:
    refusal = why_not_deed(state, seat, kind, "boots")
    if refusal is not None:
        return refusal
    if other >= state.settings.players:
        return no("no-player", "DC-BOOT-01")
    return no("has-boots", "DC-BOOT-02") if state.has_boots(other) else None


def do_boots(state: Position, seat: Seat, kind: int, other: Seat) -> list[Event]:
    """Boots are laid before a player (DC-BOOT-01)."""
    events = [play(state, seat, kind), Event("boots-given", {"seat": seat, "other_seat": other})]
    state.lay_front(other, kind)
    return events


def list_boots(state: Position, seat: Seat, kind: int) -> list[Action]:
    boots = state.cards.boots
    return [aim for aim, front in zip(BOOTS[kind], state.front, strict=False) if boots.isdisjoint(front)]


def can_axe(state: Position, seat: Seat, kind: int, other: Seat) -> Refusal | None:
    refusal = why_not_deed(state, seat, kind, "axe")
    if refusal is not None:
        return refusal
    return no("no-player", "DC-AXE-01") if other >= state.settings.players else None


def do_axe(state: Position, seat: Seat, kind: int, other: Seat) -> list[Event]:
    """An axe is laid before a player; it cannot be used this turn (DC-AXE-01, DC-AXE-10)."""
    events = [play(state, seat, kind), Event("axe-given", {"seat": seat, "other_seat": other})]
    state.lay_front(other, kind)
    state.fresh_axe = other
    return events


def list_axe(state: Position, seat: Seat, kind: int) -> list[Action]:
    return AXE[kind][: state.settings.players]
