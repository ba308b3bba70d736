"""Rat, lindworm and goblin: called out of their holes, roused, and moved."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.grid import opposite
from companion.engine.state import Event, Refusal
from companion.games.dark_cave import pieces
from companion.games.dark_cave.attacks import drop_card, fall_upon
from companion.games.dark_cave.cards import CLOSED
from companion.games.dark_cave.cave import NOWHERE, Place, cell_at, is_closed, place_at
from companion.games.dark_cave.hand import after_play, show, why_not_held
from companion.games.dark_cave.position import Position, replaced
from companion.games.dark_cave.reach import Way, reach
from companion.games.dark_cave.spread import BESIDE, no, spot
from companion.games.dark_cave.verbs import CALL, CRAWL, HALT, ROUSE
from companion.games.dark_cave.webs import cuts, list_cut

CREEP_RULES = {"web": "DC-CRE-07", "wall": "DC-MOVE-05", "not-linked": "DC-MOVE-15", "far": "DC-MOVE-03"}


# Called and roused -----------------------------------------------------------------------------


def can_call(state: Position, seat: Seat, kind: int, cell: Cell, segment: int) -> Refusal | None:
    refusal = _why_not_creature(state, seat, kind)
    if refusal is not None:
        return refusal
    place = state.creatures[state.cards.creature[kind]]
    if place != NOWHERE:
        return no("creature-in-play", "DC-CRE-12", cell_at(place))
    if not state.cave.holes:
        return no("no-hole", "DC-CRE-03")
    if place_at(cell, segment) not in state.cave.holes:
        return no("not-a-hole", "DC-CRE-02", cell)
    return None


def do_call(state: Position, seat: Seat, kind: int, cell: Cell, segment: int) -> list[Event]:
    """A creature comes out of a dark hole (DC-CRE-01, DC-CRE-02, DC-CRE-10)."""
    creature, place = state.cards.creature[kind], place_at(cell, segment)
    _claim(state, seat, kind, creature)
    state.creatures = replaced(state.creatures, creature, place)
    if not (state.settings.attack_on_placement and fall_upon(state, creature, place)):
        state.push(("creep", seat, creature, pieces.CREATURE_STEPS[creature]))
    return [Event("called", {"seat": seat, "creature": pieces.CREATURES[creature], **spot(cell)})]


def can_rouse(state: Position, seat: Seat, kind: int) -> Refusal | None:
    refusal = _why_not_creature(state, seat, kind)
    if refusal is not None:
        return refusal
    if state.creatures[state.cards.creature[kind]] == NOWHERE:
        return no("creature-not-in-play", "DC-CRE-12")
    return None


def do_rouse(state: Position, seat: Seat, kind: int) -> list[Event]:
    """A creature in play gets a new master and moves on from where it stands (DC-CRE-12, DC-CRE-14)."""
    creature = state.cards.creature[kind]
    drop_card(state, creature)
    _claim(state, seat, kind, creature)
    state.push(("creep", seat, creature, pieces.CREATURE_STEPS[creature]))
    stands = spot(cell_at(state.creatures[creature]))
    return [Event("roused", {"seat": seat, "creature": pieces.CREATURES[creature], **stands})]


def list_beast(state: Position, seat: Seat, kind: int) -> list[Action]:
    if state.creatures[state.cards.creature[kind]] != NOWHERE:
        return [ROUSE[kind]]
    aims = CALL[kind]
    return [aims[place] for place in state.cave.holes]


def _why_not_creature(state: Position, seat: Seat, kind: int) -> Refusal | None:
    if kind < state.cards.unknown and state.cards.creature[kind] < 0:
        return no("other-card", "DC-ACT-05")
    return why_not_held(state, seat, kind)


def _claim(state: Position, seat: Seat, kind: int, creature: int) -> None:
    show(state, seat, kind)
    state.lay_front(seat, kind)
    state.holders = replaced(state.holders, creature, seat)
    after_play(state, seat, seat, 1)


# Moved -----------------------------------------------------------------------------------------


def creep(state: Position, events: list[Event], seat: Seat, creature: int, left: int) -> None:
    """The active player moves a creature as long as it has steps left and there is something to decide."""
    places = state.next_places(state.creatures[creature], state.behind[creature])
    if left and (places or cuts(state, seat)):
        state.push(("crawl", seat, creature, left))


def can_crawl(state: Position, seat: Seat, cell: Cell, segment: int) -> Refusal | None:
    creature = state.todo[-1][2]
    here, place = state.creatures[creature], place_at(cell, segment)
    if place in state.next_places(here, state.behind[creature]):
        return None
    if is_closed(here):
        return no("only-back", "DC-CRE-13", cell_at(here))
    return why_no_step(state, here, place, CREEP_RULES)


def do_crawl(state: Position, seat: Seat, cell: Cell, segment: int) -> list[Event]:
    """A creature makes one step (DC-CRE-04 to DC-CRE-08, DC-CRE-13)."""
    _, _, creature, left = state.take()
    here, place = state.creatures[creature], place_at(cell, segment)
    state.creatures = replaced(state.creatures, creature, place)
    state.behind = replaced(state.behind, creature, here if segment == CLOSED else NOWHERE)
    if not fall_upon(state, creature, place):
        state.push(("creep", seat, creature, left - 1))
    told = {"creature": pieces.CREATURES[creature], "from_cell": spot(cell_at(here))["cell"]}
    return [Event("crawled", {**told, **spot(cell)})]


def can_halt(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_halt(state: Position, seat: Seat) -> list[Event]:
    """A creature stays where it is."""
    state.take()
    return []


def list_crawl(state: Position, seat: Seat, player: Seat, creature: int, left: int) -> list[Action]:
    places = state.next_places(state.creatures[creature], state.behind[creature])
    return [HALT, *map(CRAWL.__getitem__, places), *list_cut(state, seat)]


def creature_reach(state: Position, creature: int, steps: int) -> dict[Place, Way]:
    """Everywhere a creature can get to with that number of steps."""
    return reach(
        state.cave,
        state.creatures[creature],
        steps,
        webs=state.webs,
        stops={place for place in state.at if place != NOWHERE},
        back=state.behind[creature],
    )


def why_no_step(state: Position, here: Place, place: Place, rules: dict[str, str]) -> Refusal:
    """Why no step leads from one place to another; the codes of `rules` name the ledger's rules."""
    cave, cell, other = state.cave, cell_at(here), cell_at(place)
    if not cave.is_place(place):
        return no("no-place", rules["far"], other)
    if place in cave.near(here):
        return no("web", rules["web"], cell, other)
    if cell == other:
        return no("not-linked", rules["not-linked"], cell)
    if other in BESIDE[cell]:
        d = BESIDE[cell].index(other)
        is_open = other in cave.closed or opposite(d) in cave.card(other).sides
        if not (is_open and d in cave.card(cell).sides):
            return no("wall", rules["wall"], cell, other)
    return no("not-adjacent", rules["far"], cell, other)
