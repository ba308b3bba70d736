"""What a board is worth, and who has won when somebody fell."""

from __future__ import annotations

from companion.engine.action import Seat
from companion.engine.state import Outcome
from companion.games.bad_bones.field import CONQUERED, STANDING, Field
from companion.games.bad_bones.pieces import IS_WORN, TRAP_OF
from companion.games.bad_bones.position import Position
from companion.games.bad_bones.printed import PRINTED

HOUSE_POINTS, FLOOR_POINTS = 3, 4


def points(field: Field) -> int:
    """What a board and its supply are worth (BB-SCORE-01…05)."""
    total = FLOOR_POINTS * field.floors + HOUSE_POINTS * field.houses
    for trap, number in enumerate(field.supply):
        total += number * PRINTED.stars[trap][0]
    for code in field.traps:
        if code:
            total += PRINTED.stars[TRAP_OF[code]][IS_WORN[code]]
    return total


def is_lost(state: Position) -> bool:
    """Says whether somebody fell: the game ends with this march (BB-END-02, BB-COOP-22, -25)."""
    return state.capital_lost or any(field.fallen != STANDING for field in state.fields)


def outcome_of_fall(state: Position) -> Outcome:
    """How the game ends when somebody fell."""
    if state.mode.coop:
        return _fall_together(state)
    scores = tuple(points(field) for field in state.fields)
    if not state.mode.solo:
        return _fall_of_rivals(state, scores)
    if state.heroic:
        return Outcome("held-not-heroic", (0,), "BB-SOLO-10", scores)
    return Outcome("fell", (), "BB-SOLO-06", scores)


def _fall_together(state: Position) -> Outcome:
    """BB-CMD-14, BB-COOP-22: who defends together loses together."""
    if any(field.fallen == CONQUERED for field in state.fields):
        return Outcome("emperor", (), "BB-CMD-14")
    return Outcome("capital-burnt" if state.capital_lost else "towers-lost", (), "BB-COOP-22")


def _fall_of_rivals(state: Position, scores: tuple[int, ...]) -> Outcome:
    """BB-END-06, BB-SCORE-06 to -08: the best of those who stand wins, by floors if points are equal."""
    fields = state.fields
    alive = [seat for seat, field in enumerate(fields) if field.fallen == STANDING]
    scores = tuple(score if seat in alive else 0 for seat, score in enumerate(scores))
    if not alive:
        return Outcome("all-fell", (), "BB-END-06", scores)

    def rank(seat: Seat) -> tuple[int, int]:
        return scores[seat], fields[seat].floors

    best = max(map(rank, alive))
    winners = tuple(seat for seat in alive if rank(seat) == best)
    if len(winners) > 1:
        return Outcome("shared", winners, "BB-SCORE-08", scores)
    tied = sum(scores[seat] == best[0] for seat in alive) > 1
    return Outcome("won", winners, "BB-SCORE-07" if tied else "BB-SCORE-06", scores)
