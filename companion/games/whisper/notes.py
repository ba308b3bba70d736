"""The killer's notes: tokens for guesses on his own board (ledger WW-DEDUCT)."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.state import Event, Refusal, no
from companion.games.whisper.position import KILLER_ONLY, Position
from companion.games.whisper.verbs import ACTION, GUESS, LOCATION, TOKEN, action


def can_note(state: Position, seat: Seat, token: int, at: Cell) -> Refusal | None:
    if state.notes[token] == at:
        return no("noted", "WW-DEDUCT-01", at)
    return None


def do_note(state: Position, seat: Seat, token: int, at: Cell) -> list[Event]:
    state.notes = (*state.notes[:token], at, *state.notes[token + 1 :])
    return [Event("noted", {"token": token, "cell": at}, KILLER_ONLY)]


def can_guess(state: Position, seat: Seat, n: int) -> Refusal | None:
    return no("noted", "WW-DEDUCT-02") if state.guess == n else None


def do_guess(state: Position, seat: Seat, n: int) -> list[Event]:
    state.guess = n
    return [Event("guessed", {"n": n}, KILLER_ONLY)]


def list_notes(state: Position) -> list[Action]:
    """Every token to every other place, every other guess; offered to the killer at any time."""
    put = [
        action("note", token, at)
        for token in range(len(TOKEN))
        for at in range(len(LOCATION))
        if state.notes[token] != at
    ]
    return put + [ACTION["guess", n] for n in range(len(GUESS)) if n != state.guess]
