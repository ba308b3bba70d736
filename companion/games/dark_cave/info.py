"""Secret information: a look at a face-down goal, or at another player's clan card."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.state import Event, Refusal
from companion.games.dark_cave import pieces
from companion.games.dark_cave.goals import possible_goals
from companion.games.dark_cave.hand import play, why_not_deed
from companion.games.dark_cave.position import ALONE, Position, replaced
from companion.games.dark_cave.spread import no, spot
from companion.games.dark_cave.verbs import LOOK, SPY_CLAN, SPY_GOAL

FIRST_CLAN = 4
"""The first number of the verb `look` that means a clan card: goals come before."""


def can_spy_goal(state: Position, seat: Seat, kind: int, cell: Cell) -> Refusal | None:
    refusal = why_not_deed(state, seat, kind, "info")
    if refusal is not None:
        return refusal
    return None if cell in state.cave.closed else no("no-closed-goal", "DC-INFO-04", cell)


def do_spy_goal(state: Position, seat: Seat, kind: int, cell: Cell) -> list[Event]:
    """The player looks at a face-down goal (DC-INFO-01)."""
    events = [play(state, seat, kind), Event("looked-at-goal", {"seat": seat, **spot(cell)})]
    state.discards[kind] += 1
    i = state.goal_cells.index(cell)
    state.goal_seen = replaced(state.goal_seen, i, state.goal_seen[i] | {seat})
    if state.settings.digital:
        state.push(("look-goal", i))
    return events


def can_spy_clan(state: Position, seat: Seat, kind: int, other: Seat) -> Refusal | None:
    refusal = why_not_deed(state, seat, kind, "info")
    if refusal is not None:
        return refusal
    if other == seat:
        return no("own-clan", "DC-INFO-04")
    if other >= state.settings.players:
        return no("no-player", "DC-INFO-01")
    return no("clan-open", "DC-INFO-04") if other in state.opened else None


def do_spy_clan(state: Position, seat: Seat, kind: int, other: Seat) -> list[Event]:
    """The player looks at another's face-down clan card (DC-INFO-01)."""
    events = [play(state, seat, kind), Event("looked-at-clan", {"seat": seat, "other_seat": other})]
    state.discards[kind] += 1
    state.clan_seen = replaced(state.clan_seen, other, state.clan_seen[other] | {seat})
    if state.settings.digital_clans:
        state.push(("look-clan", other))
    return events


def list_info(state: Position, seat: Seat, kind: int) -> list[Action]:
    closed, opened, aims = state.cave.closed, state.opened, SPY_GOAL[kind]
    goals = [aims[cell] for cell in state.goal_cells if cell in closed]
    clans = enumerate(SPY_CLAN[kind][: state.settings.players])
    return goals + [aim for other, aim in clans if other != seat and other not in opened]


def can_look(state: Position, seat: Seat, sight: int) -> Refusal | None:
    possible = [action.args for action, _ in state.outcomes()]
    return None if (sight,) in possible else no("not-drawn", "DC-INFO-02")


def do_look(state: Position, seat: Seat, sight: int) -> list[Event]:
    """What was looked at is shown to the active player alone; the card stays as it was (DC-INFO-03)."""
    name, what = state.take()
    viewer = ALONE[state.turn]
    if name == "look-clan":
        card = pieces.CLAN_CARDS[sight - FIRST_CLAN]
        return [Event("saw-clan", {"seat": what, "card": card}, viewer)]
    state.goal_at = replaced(state.goal_at, what, sight)
    cell = state.goal_cells[what]
    return [Event("saw-goal", {"goal": state.cards.goal_names[sight], **spot(cell)}, viewer)]


def goal_looks(state: Position, i: int) -> list[tuple[Action, int]]:
    return [(LOOK[goal], 1) for goal in possible_goals(state, i)]


def clan_looks(state: Position, seat: Seat) -> list[tuple[Action, int]]:
    card = pieces.clan_card(state.colours[seat], state.identity[seat])
    return [(LOOK[FIRST_CLAN + card], 1)]
