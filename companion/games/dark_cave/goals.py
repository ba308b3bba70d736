"""Goal cards: turned up by the first dwarf that comes, and laid so that a tunnel goes on."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.grid import opposite
from companion.engine.state import Event, Refusal
from companion.games.dark_cave.cards import CLOSED, HALF, UP
from companion.games.dark_cave.cave import NOWHERE, place_at
from companion.games.dark_cave.gold import add_vein
from companion.games.dark_cave.position import HIDDEN, Position, replaced
from companion.games.dark_cave.spread import BESIDE, no, spot
from companion.games.dark_cave.verbs import FIT, REVEAL
from companion.games.dark_cave.walk import enter


def possible_goals(state: Position, i: int) -> list[int]:
    """The goals that a card which is turned or looked at can be."""
    known = state.goal_at[i]
    if known != HIDDEN:
        return [known]
    return [goal for goal in range(4) if goal not in state.goal_at]


def can_reveal(state: Position, seat: Seat, goal: int) -> Refusal | None:
    return None if goal in possible_goals(state, state.todo[-1][1]) else no("not-drawn", "DC-EXIT-01")


def do_reveal(state: Position, seat: Seat, goal: int) -> list[Event]:
    """A goal card is shown to all (DC-GOAL-01)."""
    _, i, side = state.take()
    state.goal_at = replaced(state.goal_at, i, goal)
    events = [Event("goal-shown", {"goal": state.cards.goal_names[goal], **spot(state.goal_cells[i])})]
    turns = goal_turns(state, i, side)
    if len(turns) == 1:
        _turn_up(state, i, side, turns[0], events)
    else:
        state.push(("fit", state.turn, i, side))
    return events


def reveals(state: Position, i: int, side: int) -> list[tuple[Action, int]]:
    return [(REVEAL[goal], 1) for goal in possible_goals(state, i)]


def goal_turns(state: Position, i: int, side: int) -> list[int]:
    """How a goal may lie: joined to where the dwarf came from, fitting all if it can (DC-GOAL-03)."""
    cell, shape = state.goal_cells[i], state.cards.goals[state.goal_at[i]]
    turns = [UP] if state.cards.symmetric[shape] else [UP, HALF]
    joined = [turn for turn in turns if side in state.cards.shapes[shape + turn].sides]
    agreeing = [turn for turn in joined if _agrees(state, cell, shape + turn)]
    return agreeing or joined


def _agrees(state: Position, cell: Cell, shape: int) -> bool:
    sides = state.cards.shapes[shape].sides
    return all(
        (d in sides) == (opposite(d) in state.cave.card(other).sides)
        for d, other in enumerate(BESIDE[cell])
        if other in state.cave.laid
    )


def can_fit(state: Position, seat: Seat, turn: int) -> Refusal | None:
    _, _, i, side = state.todo[-1]
    if turn % 2:
        return no("quarter-turn", "DC-GOAL-04", state.goal_cells[i])
    if turn // 2 in goal_turns(state, i, side):
        return None
    return no("goal-does-not-fit", "DC-GOAL-05", state.goal_cells[i])


def do_fit(state: Position, seat: Seat, turn: int) -> list[Event]:
    """The player turns a goal that fits both ways (DC-GOAL-05)."""
    _, _, i, side = state.take()
    events: list[Event] = []
    _turn_up(state, i, side, turn // 2, events)
    return events


def list_fit(state: Position, seat: Seat, player: Seat, i: int, side: int) -> list[Action]:
    return [FIT[2 * turn] for turn in goal_turns(state, i, side)]


def _turn_up(state: Position, i: int, side: int, turn: int, events: list[Event]) -> None:
    """Lays the goal open; dwarf and creatures stand on its first segment (DC-GOAL-07, DC-CRE-20)."""
    cell, shape = state.goal_cells[i], state.cards.goals[state.goal_at[i]] + turn
    state.cave = state.cave.reveal(cell, shape)
    add_vein(state, cell, events)
    place = place_at(cell, state.cards.shapes[shape].segment[side])
    for creature, at in enumerate(state.creatures):
        if at == place_at(cell, CLOSED):
            state.creatures = replaced(state.creatures, creature, place)
            state.behind = replaced(state.behind, creature, NOWHERE)
    events.append(Event("goal-laid", {"turn": 180 * turn, **spot(cell)}))
    enter(state, state.turn, place, events)
