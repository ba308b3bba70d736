"""What each viewer of the Dark Cave may know.

Secret are hands that the companion deals, fronts of clan cards, face-down goals and what somebody has looked
at. The level on every back, nuggets, items and everything on the table are open (DC-HID-01 to DC-HID-05).
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from companion.engine.action import Seat, Viewer
from companion.engine.game import View, shared_view
from companion.games.dark_cave import pieces
from companion.games.dark_cave.agenda import DarkCave
from companion.games.dark_cave.cards import CARDS, CLOSED
from companion.games.dark_cave.cave import NOWHERE, Cave, Place, cell_at, is_closed, place_at, segment_at
from companion.games.dark_cave.creatures import creature_reach
from companion.games.dark_cave.ending import treasure
from companion.games.dark_cave.position import HIDDEN, NO_WEB
from companion.games.dark_cave.reach import Way
from companion.games.dark_cave.spread import NAMES, ON_TABLE, spot, web_spot
from companion.games.dark_cave.walk import dwarf_reach


def view(state: DarkCave, viewer: Viewer) -> View:
    """Builds what the viewer may know."""
    settings = state.settings
    steps, reach = _moving(state)
    seen = shared_view("dark_cave", state) | on_table(state, viewer)
    seen |= {
        "phase": state.phase(),
        "players": settings.players,
        "half_turn": settings.half_turn,
        "by_ladder": settings.by_ladder,
        "ladder_card": settings.ladder_card,
        "turn": state.turn,
        "steps": steps,
        "supply": state.supply,
        "off_table": sum(cell >= ON_TABLE for cell in state.cave.laid),
        "clan_seen": [sorted(seats) for seats in state.clan_seen],
        "fresh_axe": state.fresh_axe,
        "left": list(state.left),
        "set_aside": state.set_aside() if _knows_aside(state, viewer) else [],
        "reach": reach,
        "places": _card_places(state, viewer),
        "treasure": treasure(state) if state.result is not None else [],
    }
    return seen


def on_table(state: DarkCave, viewer: Viewer) -> View:
    """The part of the view that lies on the table.

    Many positions are tried, so parts that several have in common are made once: nobody may change them.
    """
    deck = [pool.size for pool in state.pools]
    return {
        "deck": {"n": sum(deck), "level": state.deck_level() + 1, "levels": deck},
        "laid": [_card(cell, shape) for cell, shape in state.cave.laid.items()],
        "goals": [_goal(state, viewer, i) for i in range(4)],
        "dwarves": [_dwarf(state, viewer, seat) for seat in range(state.settings.players)],
        "creatures": [_creature(i, state.holders[i], state.creatures[i]) for i in range(3)],
        "webs": _webs(state),
        "veins": [{"gold": gold, **spot(cell)} for cell, gold in state.veins.items()],
    }


@cache
def _card(cell: int, shape: int) -> dict[str, Any]:
    return {"card": CARDS.shapes[shape].name, "turn": 180 * CARDS.shapes[shape].turn, **spot(cell)}


def _goal(state: DarkCave, viewer: Viewer, i: int) -> dict[str, Any]:
    cell = state.goal_cells[i]
    kind = state.goal_at[i] if _knows_goal(state, viewer, i) else HIDDEN
    return _goal_card(cell, kind, cell in state.cave.laid, state.goal_seen[i])


@lru_cache(1024)
def _goal_card(cell: int, kind: int, is_open: bool, seen: frozenset[Seat]) -> dict[str, Any]:
    return {
        "card": "" if kind == HIDDEN else CARDS.goal_names[kind],
        "open": is_open,
        "seen_by": sorted(seen),
        **spot(cell),
    }


def _dwarf(state: DarkCave, viewer: Viewer, seat: Seat) -> dict[str, Any]:
    return _dwarf_card(
        state.colours[seat],
        state.identity[seat] if _knows_clan(state, viewer, seat) else HIDDEN,
        seat in state.opened,
        state.figures[seat],
        state.at[seat],
        seat in state.lying,
        state.gold[seat],
        state.front[seat],
        state.hands[seat],
        _knows_hand(state, viewer, seat),
    )


@lru_cache(4096)
def _dwarf_card(
    colour: int,
    identity: int,
    is_open: bool,
    figure: int,
    at: Place,
    is_lying: bool,
    gold: int,
    front: tuple[int, ...],
    hand: tuple[int, ...],
    is_known: bool,
) -> dict[str, Any]:
    return {
        "clan": pieces.CLANS[colour] if colour != HIDDEN else "",
        "card": pieces.CLAN_CARDS[pieces.clan_card(colour, identity)] if identity != HIDDEN else "",
        "open": is_open,
        "figure": pieces.DWARVES[figure] if figure >= 0 else "",
        "dwarf_card": f"{pieces.DWARVES[figure]}-face" if figure >= 0 else "",
        "at": place_name(at),
        "lying": is_lying,
        "gold": gold,
        "front": [CARDS.names[kind] for kind in front],
        "backs": [CARDS.level[kind] + 1 for kind in hand],
        "hand": [CARDS.names[kind] for kind in hand] if is_known else None,
    }


def drawn_from(state: DarkCave) -> tuple[str, int] | None:
    """Where chance draws from: the deck of a level, or the goal that is turned or looked at."""
    name, *facts = state.pending()
    if name in ("draw", "deal"):
        return "deck", facts[1]
    return ("goal", facts[0]) if name in ("reveal", "look-goal") else None


def place_name(place: Place) -> str:
    """How views name a place: `1,0.a`, or "" for nowhere."""
    if place == NOWHERE:
        return ""
    segment = "closed" if is_closed(place) else CARDS.segments[segment_at(place)]
    return f"{NAMES[cell_at(place)]}.{segment}"


def place_named(name: str) -> Place:
    """The place that a view names."""
    if not name:
        return NOWHERE
    spot_name, segment = name.split(".")
    number = CLOSED if segment == "closed" else CARDS.segments.index(segment)
    return place_at(CELL_NAMED[spot_name], number)


@cache
def cell_of(name: str) -> int:
    """The cell of the board where a named place is, or -1."""
    cell = CELL_NAMED[name.split(".")[0]] if name else -1
    return cell if cell < ON_TABLE else -1


CELL_NAMED = {name: cell for cell, name in enumerate(NAMES)}


@lru_cache(1024)
def _creature(i: int, holder: Seat, at: Place) -> dict[str, Any]:
    return {"creature": pieces.CREATURES[i], "holder": holder, "at": place_name(at)}


def _webs(state: DarkCave) -> list[dict[str, Any]]:
    return [
        {"web": symbol, "left": state.web_left[i], **web_spot(state.webs[i])}
        for i, symbol in enumerate(pieces.SYMBOLS)
        if state.webs[i] != NO_WEB
    ]


def _moving(state: DarkCave) -> tuple[int, list[dict[str, Any]]]:
    """The steps that the moving figure has left, and where it can get to: all of it is open knowledge."""
    name, *facts = state.pending()
    ways: dict[Place, Way] = {}
    steps = 0
    if name == "walk":
        steps = state.steps_left
        ways = dwarf_reach(state, state.turn, steps)
    elif name == "crawl":
        _, creature, steps = facts
        ways = creature_reach(state, creature, steps)
    return steps, [
        {
            "at": place_name(place),
            "steps": way.steps,
            "cards": way.cards,
            "gold": way.gold,
            "path": [place_name(p) for p in way.path],
        }
        for place, way in ways.items()
    ]


def _card_places(state: DarkCave, viewer: Viewer) -> dict[str, list[list[Any]]]:
    """Where the viewer may lay each card of the own hand, with the turn."""
    if state.phase() != "play" or viewer != state.turn or not state.settings.digital:
        return {}
    found: dict[str, list[list[Any]]] = {}
    for action in state.actions(viewer):
        if action.verb == "lay":
            kind, cell, turn = action.args
            found.setdefault(CARDS.names[kind], []).append([NAMES[cell], 90 * turn])
    return found


# Who knows what ------------------------------------------------------------------------------------


def _knows_hand(state: DarkCave, viewer: Viewer, seat: Seat) -> bool:
    return state.settings.digital and viewer == seat


def _knows_clan(state: DarkCave, viewer: Viewer, seat: Seat) -> bool:
    """Open, the own, or looked at (DC-SETUP-12, DC-CLAN-02, DC-HID-05)."""
    if state.identity[seat] == HIDDEN:
        return False
    return seat in state.opened or viewer == seat or viewer in state.clan_seen[seat]


def _knows_goal(state: DarkCave, viewer: Viewer, i: int) -> bool:
    if state.goal_at[i] == HIDDEN:
        return False
    if state.goal_cells[i] in state.cave.laid or _is_shown(state, i):
        return True
    return viewer in state.goal_seen[i]


def _is_shown(state: DarkCave, i: int) -> bool:
    """Says whether a goal is being turned right now, in the sight of all."""
    name, *facts = state.pending()
    return name == "fit" and i == int(facts[1])


def _knows_aside(state: DarkCave, viewer: Viewer) -> bool:
    """The first who left, and all after the end (DC-EXIT-06)."""
    if not state.settings.digital_clans:
        return False
    return state.result is not None or (bool(state.left) and viewer == state.left[0])


def cave_of(seen: View) -> Cave:
    """The network of tunnels that a view shows."""
    laid = {
        CELL_NAMED[card["spot"]]: CARDS.shape_named[card["card"]] + card["turn"] // 180
        for card in seen["laid"]
    }
    closed = [CELL_NAMED[goal["spot"]] for goal in seen["goals"] if not goal["open"]]
    return Cave(CARDS, laid, closed, seen["by_ladder"], seen["ladder_card"])
