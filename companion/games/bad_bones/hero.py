"""Phase I: every hero moves and destroys whom he meets."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.state import Event, Refusal, no
from companion.games.bad_bones.arrivals import arm, strike
from companion.games.bad_bones.field import Field
from companion.games.bad_bones.march import go_on
from companion.games.bad_bones.pieces import AROUND, FIELD, PLACES
from companion.games.bad_bones.position import Position
from companion.games.bad_bones.tokens import KIND_OF, PLACE_OF
from companion.games.bad_bones.verbs import STEPS_FROM


def list_step(state: Position, seat: Seat) -> list[Action]:
    return [*STEPS_FROM[seat][state.fields[seat].hero]]


def can_step(state: Position, seat: Seat, cell: Cell) -> Refusal | None:
    """BB-HERO-01…05."""
    hero = state.fields[seat].hero
    if cell // PLACES != seat or cell % PLACES >= FIELD:
        return no("off-the-field", "BB-HERO-03", *state.on_table(cell))
    if cell % PLACES == hero:
        return no("must-move", "BB-HERO-02", cell)
    if cell % PLACES not in AROUND[hero]:
        return no("not-adjacent", "BB-HERO-01", seat * PLACES + hero, cell)
    return None


def do_step(state: Position, seat: Seat, cell: Cell) -> list[Event]:
    field = state.own(seat)
    move_hero(state, seat, field, cell, counts=True)
    arm(state, seat, field, 0)
    return go_on(state, seat, field, 0)


def move_hero(state: Position, seat: Seat, field: Field, cell: Cell, counts: bool) -> None:
    """Moves the hero and destroys what stands there; traps sleep (BB-HERO-06, -07)."""
    start, place = field.hero, cell % PLACES
    field.hero = place
    state.tell(seat, "stepped", {"seat": seat, "from_cell": seat * PLACES + start, "cell": cell})
    met = field.on(place)
    if met:
        field.tokens = [skeleton for skeleton in field.tokens if PLACE_OF[skeleton] != place]
        strike(state, seat, field, [KIND_OF[skeleton] for skeleton in met], counts)
