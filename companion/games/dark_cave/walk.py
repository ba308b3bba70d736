"""Phase 2: a dwarf walks through the tunnels, and places do to it what they do."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from companion.engine.action import Action, Cell, Seat
from companion.engine.state import Event, Refusal
from companion.games.dark_cave import pieces
from companion.games.dark_cave.attacks import meet
from companion.games.dark_cave.cards import CLOSED
from companion.games.dark_cave.cave import NOWHERE, Place, cell_at, place_at
from companion.games.dark_cave.creatures import why_no_step
from companion.games.dark_cave.gold import end_walk, lose_nugget
from companion.games.dark_cave.position import NO_WEBS, Position
from companion.games.dark_cave.reach import Way, reach
from companion.games.dark_cave.spread import BESIDE, no, spot
from companion.games.dark_cave.verbs import STAY, STEP
from companion.games.dark_cave.webs import cuts, list_cut

MOVE_RULES = {"web": "DC-MOVE-08", "wall": "DC-MOVE-05", "not-linked": "DC-MOVE-15", "far": "DC-MOVE-03"}


def set_out(state: Position, events: list[Event], seat: Seat) -> None:
    """Counts the steps of phase 2 (DC-MOVE-01, DC-MOVE-02, DC-MOVE-14, DC-TURN-10)."""
    if state.at[seat] == NOWHERE or state.barred or seat in state.lying:
        state.steps_left = 0
    else:
        state.steps_left = pieces.DWARF_STEPS + (1 if state.front[seat] and state.has_boots(seat) else 0)
    move(state, events, seat)


def move(state: Position, events: list[Event], seat: Seat) -> None:
    """The dwarf may go on, unless the last card was played (DC-END-01, DC-BOOK-01) or no way is open."""
    if not (state.hands[seat] or any(state.hands) or state.deck_level() >= 0 or state.settings.finish_turn):
        state.finish("DC-END-01", events)
        return
    place = state.at[seat]
    ways: Collection[Place] = ()
    if state.steps_left and place != NOWHERE:
        ways = state.cave.near(place) if state.webs == NO_WEBS else state.next_places(place)
    state.ways = ways
    if ways or cuts(state, seat):
        state.todo.append(_WALK[seat])
    else:
        end_walk(state, seat)


def can_step(state: Position, seat: Seat, cell: Cell, segment: int) -> Refusal | None:
    place = place_at(cell, segment)
    if place in state.ways:
        return None
    here = state.at[seat]
    if state.steps_left:
        return why_no_step(state, here, place, MOVE_RULES)
    if state.barred or seat in state.lying:
        return no("lying", "DC-MOVE-14", cell_at(here))
    return no("no-steps", "DC-MOVE-01", cell_at(here))


def do_step(state: Position, seat: Seat, cell: Cell, segment: int) -> list[Event]:
    """The dwarf moves one segment on (DC-MOVE-03); a face-down goal is turned first (DC-GOAL-01)."""
    state.todo[-1] = _MOVE[seat]
    state.steps_left -= 1
    state.moved = True
    events = [_stepped(seat, cell_at(state.at[seat]), cell)]
    if segment == CLOSED:
        state.steps_left = 0
        came_from = BESIDE[cell].index(cell_at(state.at[seat]))
        state.push(("reveal", state.goal_cells.index(cell), came_from))
    else:
        enter(state, seat, place_at(cell, segment), events)
    return events


def enter(state: Position, seat: Seat, place: Place, events: list[Event]) -> None:
    """What a place does to the dwarf that enters: cost, creatures, exit, in this order (DC-MOVE-12).

    By the other reading who is at the exit is out before a creature can attack (DC-BOOK-05).
    """
    state.at[seat] = place
    feature = state.cave.features.get(place)
    if feature == "exit":
        state.push(("leave", seat))
        if not state.settings.creature_first:
            return
    if place in state.creatures:
        state.steps_left = 0
        meet(state, seat, place)
    if feature == "bridge":
        state.push(("rob", seat))
    elif feature == "passage":
        lose_nugget(state, seat, "passage", events)


def can_stay(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_stay(state: Position, seat: Seat) -> list[Event]:
    """The player ends the movement."""
    state.todo.pop()
    end_walk(state, seat)
    return []


def list_walk(state: Position, seat: Seat, player: Seat) -> list[Action]:
    listed = [STAY]
    for place in state.ways:
        listed.append(STEP[place])
    if state.front[seat] and state.webs != NO_WEBS:
        listed += list_cut(state, seat)
    return listed


def dwarf_reach(state: Position, seat: Seat, steps: int) -> dict[Place, Way]:
    """Everywhere a dwarf can get to with that number of steps, with what it costs."""
    return reach(
        state.cave,
        state.at[seat],
        steps,
        webs=state.webs,
        stops=state.cave.exits.union(place for place in state.creatures if place != NOWHERE),
        cards=len(state.hands[seat]),
        gold=state.gold[seat],
    )


# The events and steps of every turn, made once each: nobody changes them ----------------------------


@cache
def _stepped(seat: Seat, start: Cell, cell: Cell) -> Event:
    return Event("stepped", {"seat": seat, "from_cell": spot(start)["cell"], **spot(cell)})


_MOVE = [("move", seat) for seat in range(pieces.MAX_PLAYERS)]
_WALK = [("walk", seat) for seat in range(pieces.MAX_PLAYERS)]
