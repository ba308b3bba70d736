"""The survivors' turn: it begins, one after another acts, whoever acted rests (ledger section 5.2)."""

from __future__ import annotations

from companion.engine.action import Action, Seat
from companion.engine.grid import cells_of
from companion.engine.state import Event, Need, Refusal, no
from companion.games.whisper.actions import can_rummage, main_steps, no_repair
from companion.games.whisper.items import uses
from companion.games.whisper.parts import DEAD, IN, House
from companion.games.whisper.pieces import IN_PLAY, RADIO, SEARCHABLE, TOUCHING, reach
from companion.games.whisper.position import Position
from companion.games.whisper.trade import loots, trades
from companion.games.whisper.verbs import ACTION, CALM, DONE, REPAIR, RUMMAGE, each
from companion.games.whisper.victory import has_won

PICK = ("wake", "give", "swap")
_GIVE = PICK[1:]
_TURN = (("killer-turn",), ("to-report",), ("plan-check",), ("equipping",), ("pick",))
"""What the survivors' turn consists of, the last first."""


def begin_round(state: Position, events: list[Event]) -> None:
    """Begins a round: what the last one left is cleared away, victory is checked (WW-TURN-01)."""
    state.killer_turn = False
    state.round += 1
    state.acted, state.active, state.skills_used_now = 0, -1, 0
    state.fight = state.fight._replace(dice=())
    killer = state.killer
    killer.turn_bonus = killer.attack_bonus = killer.asked = 0
    _clear_board(state.house)
    events.append(Event("round-began", {"round": state.round}))
    if state.house.rescue > 0:
        state.house.rescue -= 1
        events.append(Event("rescue-moved", {"n": state.house.rescue}))
    if has_won(state, events):
        return
    if state.clues is not None:
        state.clues = state.clues.turn_began(state.round, state.house.barred)
    state.todo += _TURN


def _clear_board(house: House) -> None:
    """WW-NOISE-01, WW-FIRE-06."""
    house.last_noise, house.noise, house.pending = house.noise, 0, 0
    house.cracker, house.cracker_set, house.repaired = -1, False, False
    house.barred = house.barricades


def can_wake(state: Position, seat: Seat, who: int) -> Refusal | None:
    i = state.slot(who)
    if i < 0 or state.team[i].fate != IN:
        return no("not-in-play", "WW-SETUP-02")
    if state.setup.solo and seat != 1 + i:
        return no("not-your-survivor", "WW-VAR2-01")
    if state.acted >> i & 1:
        return no("activation-closed", "WW-TURN-10")
    return None


def do_wake(state: Position, seat: Seat, who: int) -> list[Event]:
    state.active, state.main_done = state.slot(who), False
    state.todo.append(("active", state.active))
    return [Event("woke", {"survivor": state.name(state.active)}, state.team_only())]


def can_done(state: Position, seat: Seat) -> Refusal | None:
    return None if state.main_done else no("main-action-due", "WW-TURN-04")


def do_done(state: Position, seat: Seat) -> list[Event]:
    events = [Event("rested", {"survivor": state.name(state.active)}, state.team_only())]
    state.take()
    state.acted |= 1 << state.active
    state.active = -1
    if not state.living() & ~state.acted:
        state.take()
    return events


def pickers(state: Position) -> tuple[Need, ...]:
    """Variant 2: whoever is still to act, then those who have acted and can still give something."""
    here = [i for i in range(IN_PLAY) if state.team[i].fate == IN]
    fresh = [Need(1 + i, PICK) for i in here if not state.acted >> i & 1]
    givers = [Need(1 + i, _GIVE) for i in here if state.acted >> i & 1 and trades(state, 1 + i)]
    return (*fresh, *givers)


def list_pick(state: Position, seat: Seat) -> list[Action]:
    left = state.living() & ~state.acted
    if state.setup.solo:
        left &= 1 << (seat - 1)
    return [ACTION["wake", state.cast[i]] for i in cells_of(left)] + trades(state, seat)


def list_active(state: Position, seat: Seat, i: int) -> list[Action]:
    here = state.team[i].place
    found: list[Action] = []
    if state.main_done:
        found.append(DONE)
    else:
        found += each("move", reach(state.house.barricades, here, 1, main_steps(state, i)))
        found.append(CALM)
        barred = state.house.barricades & TOUCHING[here]
        if barred:
            found += each("clear", barred)
        if here == RADIO and no_repair(state, False) is None:
            found.append(REPAIR)
        if SEARCHABLE >> here & 1 and can_rummage(state, seat) is None:
            found.append(RUMMAGE)
    found += uses(state, i)
    if state.setup.exchange_anytime:  # else it was over before anybody acted (WW-BOOK-03)
        found += trades(state, seat)
    if state.setup.solo and DEAD in state.fates():
        found += loots(state, i)
    return found
