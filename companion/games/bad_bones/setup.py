"""Before the first round: in cooperative play everybody posts his hero on one of his towers."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.agenda import Step, need
from companion.engine.state import Event, Need, Refusal, no
from companion.games.bad_bones.pieces import PLACES
from companion.games.bad_bones.position import Position


def _without_hero(state: Position) -> list[Seat]:
    return [seat for seat, field in enumerate(state.fields) if field.hero < 0]


def who_posts(state: Position, step: Step) -> tuple[Need, ...]:
    return need(("post",), *_without_hero(state))


def list_post(state: Position, seat: Seat) -> list[Action]:
    return [Action("post", (seat * PLACES + cell,)) for cell in state.mode.side.towers]


def can_post(state: Position, seat: Seat, cell: Cell) -> Refusal | None:
    """BB-COOP-08."""
    if cell // PLACES != seat or cell % PLACES not in state.mode.side.towers:
        return no("no-own-tower", "BB-COOP-08", *state.on_table(cell))
    return None


def do_post(state: Position, seat: Seat, cell: Cell) -> list[Event]:
    state.own(seat).hero = cell % PLACES
    if not _without_hero(state):
        state.take()
    return [Event("posted", {"seat": seat, "cell": cell})]
