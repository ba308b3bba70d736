"""Before the first round: who plays whom, and where everything begins (ledger WW-SETUP)."""

from __future__ import annotations

from companion.engine.action import Action, Seat
from companion.engine.state import Event, Need, Refusal, no
from companion.games.whisper.clues import Clues
from companion.games.whisper.pieces import (
    ADRENALINE,
    CASTS,
    IN_PLAY,
    KILLERS,
    PLANS_DEALT,
    START_HAND,
    SURVIVORS,
)
from companion.games.whisper.position import KILLER_ONLY, KILLER_SEAT, Position
from companion.games.whisper.skills import skill_steps
from companion.games.whisper.verbs import ACTION, action


def can_hunt(state: Position, seat: Seat, killer: int) -> Refusal | None:
    return None


def do_hunt(state: Position, seat: Seat, killer: int) -> list[Event]:
    state.killer.kind = killer
    return _chosen(state, [Event("chose-killer", {"killer": KILLERS[killer]}, KILLER_ONLY)])


def can_cast(state: Position, seat: Seat, *who: int) -> Refusal | None:
    return None if len(set(who)) == IN_PLAY else no("same-survivor", "WW-SETUP-02")


def do_cast(state: Position, seat: Seat, *who: int) -> list[Event]:
    state.cast = who
    names = [SURVIVORS[i] for i in who]
    return _chosen(state, [Event("chose-survivors", {"survivors": names}, state.team_only())])


def _chosen(state: Position, events: list[Event]) -> list[Event]:
    """Both choices are told at the same time (WW-SETUP-03)."""
    if state.killer.kind >= 0 and state.cast:
        state.todo[-1] = ("set-up",)
    return events


def choosers(state: Position) -> tuple[Need, ...]:
    """Both sides choose at the same time, in secret (WW-SETUP-03)."""
    killer = (Need(KILLER_SEAT, ("hunt",)),) if state.killer.kind < 0 else ()
    team = tuple(Need(seat, ("cast",)) for seat in state.setup.team) if not state.cast else ()
    return killer + team


def list_choose(state: Position, seat: Seat) -> list[Action]:
    if seat == 0:
        return [ACTION["hunt", killer] for killer in range(len(KILLERS))]
    return [action("cast", *cast) for cast in CASTS]


def set_up(state: Position, events: list[Event]) -> None:
    """Puts everything where it begins (WW-SETUP-06 to 21)."""
    box, setup, killer = state.box, state.setup, state.killer
    names = [SURVIVORS[who] for who in state.cast]
    events.append(Event("announced", {"killer": KILLERS[killer.kind], "survivors": names}))
    killer.base = box.killers[killer.kind].strength
    killer.deck = [card.copies if card.killer == killer.kind and not card.locked else 0 for card in box.cards]
    killer.deck_size = sum(killer.deck)
    for i, who in enumerate(state.cast):
        state.change(i, bag=box.survivors[who].start)
    state.gather_mods()
    if setup.deduction:
        skilled = setup.skills is not None or setup.plans
        adrenaline = box.items[ADRENALINE].uses[0].effects[0][2]
        state.clues = Clues.start(state.cast, skilled, adrenaline, box.survivors_start)
    state.push(
        ("draw", START_HAND),
        *(skill_steps(*setup.skills) if setup.skills is not None else []),
        *([("dealing",)] * PLANS_DEALT if setup.plans else []),
        *([("token",)] if setup.solo else []),
        ("round",),
    )


def can_first(state: Position, seat: Seat, who: int) -> Refusal | None:
    return None if who in state.cast else no("not-in-play", "WW-VAR2-03")


def do_first(state: Position, seat: Seat, who: int) -> list[Event]:
    state.take()
    state.first = state.slot(who)
    return [Event("token-passed", {"survivor": SURVIVORS[who]})]


def tokens(state: Position) -> list[tuple[Action, int]]:
    """Who can get the first-player token."""
    return [(ACTION["first", who], 1) for who in state.cast]
