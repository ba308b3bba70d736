"""Phase III: the skeletons march; their owner is asked where the order or a direction can matter."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.state import Event, Refusal, no
from companion.games.bad_bones.arrivals import arm, carry
from companion.games.bad_bones.field import CONQUERED, Ask, Field
from companion.games.bad_bones.order import order_matters_for
from companion.games.bad_bones.paths import follow, is_barred, wakes
from companion.games.bad_bones.phases import finish, open_boards
from companion.games.bad_bones.pieces import (
    CATAPULT,
    CEMETERY,
    DIRECTIONS,
    FIELD,
    HEARSE,
    INSTRUCTOR,
    NEXT,
    PALISADE,
    PLACES,
    TRAP_OF,
)
from companion.games.bad_bones.position import Position
from companion.games.bad_bones.printed import ABILITY, KIND_NAMES
from companion.games.bad_bones.score import outcome_of_fall
from companion.games.bad_bones.squads import chiefs, company, is_led, squad
from companion.games.bad_bones.tokens import (
    DONE,
    FACING_OF,
    KIND_OF,
    PLACE_OF,
    READY,
    SKELETON_WORDS,
    STATUS_OF,
    meant_by,
    token,
    word_of,
)
from companion.games.bad_bones.verbs import AUTO, GIVE_UP, SCATTER, SEND
from companion.games.bad_bones.wear import break_off

_WALKED = tuple(
    tuple(tuple(token(cell, kind, facing, DONE) for kind in range(len(KIND_NAMES))) for facing in range(4))
    for cell in range(FIELD)
)
"""Those who have stepped onto a cell, by cell, facing and kind."""


def begin_march(state: Position, events: list[Event]) -> None:
    """All boards march as far as nothing has to be chosen (BB-MOVE-01)."""
    open_boards(state, range(state.mode.players))
    events.append(Event("marker-turned", {"colour": "black" if state.marching_to else "white"}))
    for seat in range(state.mode.players):
        field = state.own(seat)
        _advance(state, seat, field)
        if field.fallen == CONQUERED:
            events += _conquer(state, seat, is_march=True)
            return
        field.asked = field.ask is not None
        if not state.mode.sealed:
            events += state.telling(seat, 0)
    state.busy = tuple([seat for seat in state.busy if state.fields[seat].asked])
    if not state.busy:
        state.push(("marches-done", True))
        return
    state.push(("marches",), ("marches-done", False))
    if state.mode.sealed:
        for seat in range(state.mode.players):
            events += state.telling(seat, 0)


def go_on(state: Position, seat: Seat, field: Field, since: int) -> list[Event]:
    """Lets the seat's phase run until it needs a choice or is done; the last one ends the phase."""
    is_march = state.todo[-1][0] == "marches"
    if field.ask is None:
        if is_march:
            _advance(state, seat, field)
        elif field.queue or field.moving:
            _flee(state, seat, field)
    events = state.telling(seat, since)
    if field.fallen == CONQUERED:
        events += _conquer(state, seat, is_march)
    elif field.ask is None:
        finish(state, seat)
    return events


def _conquer(state: Position, seat: Seat, is_march: bool) -> list[Event]:
    """The emperor has reached a tower or the houses: the game ends at once (BB-CMD-14, BB-BOOK-09)."""
    events = break_off(state, seat, is_march)
    return [*events, state.end(outcome_of_fall(state))]


def _advance(state: Position, seat: Seat, field: Field) -> None:
    """Moves skeletons as long as nothing has to be chosen (BB-MOVE-02…04, -14, -17)."""
    if field.moving and not _move(state, seat, field, field.moving):
        return
    while True:
        ready = sorted([skeleton for skeleton in field.tokens if STATUS_OF[skeleton] == READY])
        if not ready:
            return
        if field.auto:
            if not _move(state, seat, field, company(field, ready[0])):
                return
            continue
        asked = order_matters_for(state.mode, field, seat, state.marching_to)
        if asked and sum(skeleton in asked for skeleton in ready) < 2:
            asked = set()
        free = [skeleton for skeleton in ready if skeleton not in asked] if asked else ready
        if not free:
            field.ask = Ask("march", seat)
            return
        for skeleton in _walk(state, seat, field, free, asked):
            if not _move(state, seat, field, (skeleton,)):
                return
        if not asked:
            return  # all have moved


def _walk(state: Position, seat: Seat, field: Field, free: list[int], asked: set[int]) -> list[int]:
    """Moves those who only step onto a plain cell; returns the others, for whom more happens."""
    plain, near, traps = state.mode.side.plain, wakes(state.mode, field), field.traps
    rest, walks, walked = [], [], []
    base = seat * PLACES
    for skeleton in free:
        place = PLACE_OF[skeleton]
        step = plain[place][FACING_OF[skeleton]]
        if step is None or near[step[0]] or (place < FIELD and traps[place]):
            rest.append(skeleton)
            continue
        kind = KIND_OF[skeleton]
        cell, facing = step
        walked.append(_WALKED[cell][facing][kind])
        walks.append([KIND_NAMES[kind], base + place, base + cell, facing])
    if walked:
        others = [skeleton for skeleton in field.tokens if STATUS_OF[skeleton] or skeleton in asked]
        field.tokens = others + rest + walked
        state.tell(seat, "marched", {"seat": seat, "n": len(walks), "walks": walks})
    return rest


def _move(state: Position, seat: Seat, field: Field, group: tuple[int, ...], scared: bool = False) -> bool:
    """Moves one skeleton or squad; False when the owner must choose something, or the game is over."""
    path = follow(state.mode, field, seat, group, field.answers, state.marching_to, scared)
    if path.ask is not None:
        field.moving, field.ask, field.asked = group, path.ask, True
        return False
    field.moving = field.answers = ()
    slain = len(field.slain)
    carry(state, field, path, is_march=not scared)
    if not scared and arm(state, seat, field, slain):
        field.asked = True
        return False
    return field.fallen != CONQUERED


def _flee(state: Position, seat: Seat, field: Field) -> None:
    """Those under a dragon that was just laid flee one by one, a squad together (BB-DRAGON-10, -11)."""
    while field.queue or field.moving:
        group = field.moving
        if not group:
            leaders = chiefs(field, field.queue)
            if leaders:
                group = (leaders[0], *(one for one in field.queue if one != leaders[0]))
                field.queue = ()
            else:
                group, field.queue = field.queue[:1], field.queue[1:]
        if not _move(state, seat, field, group, scared=True):
            return


# Whose turn it is to move ------------------------------------------------------------------------


def list_march(state: Position, seat: Seat, *asked: object) -> list[Action]:
    field = state.fields[seat]
    ready = {one for one in field.tokens if STATUS_OF[one] == READY and not is_led(field, one)}
    return [
        *(
            Action("march", (seat * PLACES + PLACE_OF[one], word_of(one, state.marching_to)))
            for one in sorted(ready)
        ),
        AUTO,
    ]


def can_march(state: Position, seat: Seat, cell: Cell, word: int) -> Refusal | None:
    """BB-MOVE-02, -04, -06, BB-CMD-29."""
    field = state.fields[seat]
    if cell // PLACES != seat:
        return no("not-own-board", "BB-MOVE-04", *state.on_table(cell))
    skeleton = meant_by(cell % PLACES, word, state.marching_to)
    if skeleton not in field.tokens:
        return no("no-such-skeleton", "BB-MOVE-02", cell, token=SKELETON_WORDS[word])
    if STATUS_OF[skeleton] == DONE:
        return no("has-moved", "BB-MOVE-06", cell, token=SKELETON_WORDS[word])
    if is_led(field, skeleton):
        rule = "BB-CMD-29" if ABILITY[KIND_OF[skeleton]] == INSTRUCTOR else "BB-BOOK-03"
        return no("follows-another", rule, cell)
    return None


def do_march(state: Position, seat: Seat, cell: Cell, word: int) -> list[Event]:
    field, since = state.own(seat), len(state.told[seat])
    field.ask = None
    field.asked = True
    field.moving = squad(field, meant_by(cell % PLACES, word, state.marching_to))
    return go_on(state, seat, field, since)


def can_auto(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_auto(state: Position, seat: Seat) -> list[Event]:
    field, since = state.own(seat), len(state.told[seat])
    field.ask = None
    field.auto = True
    return go_on(state, seat, field, since)


# Choices inside a move ---------------------------------------------------------------------------


def _asked(state: Position, seat: Seat) -> Ask:
    ask = state.fields[seat].ask
    assert ask is not None
    return ask


def _answer(state: Position, seat: Seat, value: int) -> list[Event]:
    field, since = state.own(seat), len(state.told[seat])
    field.answers = (*field.answers, value)
    field.ask = None
    return go_on(state, seat, field, since)


def can_scatter(state: Position, seat: Seat, direction: int) -> Refusal | None:
    """BB-DRAGON-05, -14."""
    ask = _asked(state, seat)
    if direction in ask.options:
        return None
    other = NEXT[ask.cell][direction]
    cell = seat * PLACES + ask.cell
    if other < 0:
        return no("scatter-goal", "BB-DRAGON-05", cell, direction=DIRECTIONS[direction])
    field = state.fields[seat]
    if TRAP_OF[field.traps[other]] == PALISADE or is_barred(state.mode, field, other, direction):
        return no("scatter-palisade", "BB-DRAGON-05", cell, seat * PLACES + other)
    return no("scatter-again", "BB-DRAGON-14", cell, direction=DIRECTIONS[direction])


def do_scatter(state: Position, seat: Seat, direction: int) -> list[Event]:
    return _answer(state, seat, direction)


def list_scatter(
    state: Position, seat: Seat, asked: Seat, options: tuple[int, ...], cell: int
) -> list[Action]:
    return [SCATTER[direction] for direction in options]


def can_send(state: Position, seat: Seat, target: Seat) -> Refusal | None:
    """BB-CATAPULT-04, BB-FOREST-04."""
    ask = _asked(state, seat)
    if target in ask.options:
        return None
    trap = TRAP_OF[state.fields[seat].traps[ask.cell]] if ask.cell < FIELD else -1
    rule = "BB-CATAPULT-04" if trap in (CATAPULT, HEARSE) else "BB-FOREST-04"
    if target == seat:
        return no("own-cemetery", rule, seat * PLACES + CEMETERY)
    return no("no-such-seat", rule)


def do_send(state: Position, seat: Seat, target: Seat) -> list[Event]:
    return _answer(state, seat, target)


def list_send(state: Position, seat: Seat, asked: Seat, options: tuple[int, ...], cell: int) -> list[Action]:
    return [SEND[target] for target in options]


def can_give_up(state: Position, seat: Seat, kind: int) -> Refusal | None:
    """BB-COOP-15."""
    ask = _asked(state, seat)
    return None if kind in ask.options else no("not-in-squad", "BB-COOP-15", seat * PLACES + ask.cell)


def do_give_up(state: Position, seat: Seat, kind: int) -> list[Event]:
    return _answer(state, seat, kind)


def list_give_up(
    state: Position, seat: Seat, asked: Seat, options: tuple[int, ...], cell: int
) -> list[Action]:
    return [GIVE_UP[kind] for kind in options]
