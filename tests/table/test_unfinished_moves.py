"""Moves carried out by hand, piece by piece in any order with pauses: what the table says is true throughout.

Whole games are played on layouts, without pixels. The table is looked at after every piece. A reason is false
where doing what it says does not lead to a position that fits; the steps named must be those missing, and
with the last piece the move is on record.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random, SystemRandom

import pytest

from companion.engine.action import TABLE, Action, Cell, Seat
from companion.engine.chance import weighted
from companion.engine.game import Game, turn_for
from companion.engine.layout import Layout, Piece
from companion.engine.observation import (
    Ambiguous,
    Mismatch,
    NoChange,
    Observation,
    Played,
    Reading,
    Unreadable,
)
from companion.engine.options import Options
from companion.engine.state import State
from companion.games import REGISTRY, load
from companion.table.hand_steps import Step, carried_out, steps_between, taken_and_laid
from companion.world.loop import finish, why_not
from vision.evidence import Evidence, Pieces
from vision.match import match
from vision.successors import SuccessorCache, same

SEED = int(os.environ.get("GLOAM_SEED", "406383"))
"""Another one tries other games; long runs draw their own."""
PAWNS = ("red", "blue", "green", "yellow", "purple")
IN_THE_AIR = 0.3
"""How often a piece that moves is looked at while it is in the hand."""


class HandGame:
    """A game whose moves are carried out piece by piece; counts what the table said."""

    def __init__(self, key: str, sample: str, seed: int) -> None:
        self.game: Game = load(key)
        given = dict(self.game.samples[sample])
        if any(option.name == "deck" for option in self.game.options):
            given["deck"] = "physical"
        self.options: Options = self.game.resolve(given)
        self.board = self.game.board(self.options)
        self.rng = Random(seed)
        self.state: State = self.game.start(self.options)
        self.successors = SuccessorCache()
        self.counts: Counter[str] = Counter()
        self.false: list[str] = []

    def look(self, layout: Layout) -> Observation:
        return Observation(
            {cell: Reading(tuple(layout.get(cell, ())), 0.999) for cell in range(len(self.board.places))}
        )

    def play(self, moves: int) -> None:
        """Plays some moves, or to the end."""
        for _ in range(moves):
            if not self.state.needs():
                return
            seat, action = self._decide()
            after = self.state.copy()
            after.apply(seat, action)
            is_shown = seat != TABLE or action.verb in self.game.at_table(self.options)
            if is_shown and action.verb not in self.game.by_hand:
                self._carry_out(seat, action, after)
            self.state = after

    def _decide(self) -> tuple[Seat, Action]:
        needs = self.state.needs()
        if any(need.seat == TABLE for need in needs):
            return TABLE, weighted(self.state.outcomes(), self.rng)
        seat = self.rng.choice(needs).seat
        return seat, self.game.bots["random"](turn_for(self.game, self.state, seat, self.rng))

    def _carry_out(self, seat: Seat, action: Action, after: State) -> None:
        before, target = (self.game.expected(one, self.options) for one in (self.state, after))
        acts = list(self._acts(steps_between(before, target)))
        lies: dict[Cell, Pieces] = dict(before)
        evidence = Evidence(self.board, [self.look(target)])
        changed = {cell for cell in {*before, *target} if _differs(evidence, before, target, cell)}
        if all(self.board.places[cell].is_transient and not target.get(cell) for cell in changed):
            # A card that is laid upon its like looks as if it had been taken up: no eyes know, people tap.
            self.counts["laid upon its like"] += bool(changed)
            return
        self.counts["moves"] += 1
        for i, act in enumerate(acts):
            lies = carried_out(lies, [act])
            for cell in act.cells:
                lies[cell] = _stacked(lies[cell], before.get(cell, ()), target.get(cell, ()))
            told = match(self.look(lies), self.game, self.state, self.options, successors=self.successors)
            self.counts["looks"] += 1
            if isinstance(told, Mismatch) and i < len(acts) - 1:
                self._blur(lies, (seat, action), target, before)
            if i == len(acts) - 1:
                self._weigh_end(told, (seat, action), after)
            elif isinstance(told, Played):
                # What lies there is the end of another legal line; nobody could know better.
                self.counts["also legal"] += 1
                return
            elif isinstance(told, Mismatch):
                self._weigh(told, (seat, action), lies, target)
            else:
                kind = type(told).__name__ if not isinstance(told, NoChange) else "unseen so far"
                self.counts[kind] += 1

    def _blur(
        self, lies: dict[Cell, Pieces], meant: tuple[Seat, Action], target: Layout, at_rest: Layout
    ) -> None:
        """A place that is still as it was is not made out: what is said of the begun move stays true."""
        waiting = [cell for cell in target if lies.get(cell) == at_rest.get(cell) != target[cell]]
        if not waiting:
            return
        cell = self.rng.choice(waiting)
        seen = tuple(lies.get(cell, ()))
        other = (Piece(seen[0].face, seen[0].turn + 90),) if seen else (Piece(self.board.faces[0].name),)
        look = self.look(lies)
        blurred = Reading(None, 0.0, ((seen, 0.55), (other, 0.2)))
        look = Observation({**look.readings, cell: blurred})
        told = match(look, self.game, self.state, self.options, successors=self.successors)
        self.counts["blurred"] += 1
        if isinstance(told, Mismatch):
            self._weigh(told, meant, lies, target)

    def _acts(self, steps: Iterable[Step]) -> Iterator[Step]:
        """The steps in any order, pieces that move sometimes in the air between."""
        steps = list(steps)
        self.rng.shuffle(steps)
        for step in steps:
            if step.kind == "move" and self.rng.random() < IN_THE_AIR:
                yield Step("take", step.cell, step.piece)
                yield Step("lay", step.target, step.other or step.piece)
            else:
                yield step

    def _weigh_end(self, told: object, meant: tuple[Seat, Action], after: State) -> None:
        """With the last piece the move is on record, or asked about where two lines lead there."""
        if isinstance(told, Ambiguous):
            self.counts["asked which"] += 1
            is_offered = any(same(one, after) for line in told.lines for one in self._along(line))
            self._expect(is_offered, f"{meant} is not among {told.lines}")
            return
        if isinstance(told, Unreadable) and told.why == "too-much":
            self.counts["too much at once"] += 1
            return
        self.counts["committed"] += 1
        is_meant = isinstance(told, Played) and any(same(one, after) for one in self._along(told.line))
        self._expect(is_meant, f"after {meant} the table says {told}")

    def _along(self, line: Iterable[tuple[Seat, Action]]) -> Iterator[State]:
        state = self.state.copy()
        for seat, action in line:
            state.apply(seat, action)
            yield state.copy()

    def _weigh(
        self, told: Mismatch, meant: tuple[Seat, Action], lies: dict[Cell, Pieces], target: Layout
    ) -> None:
        """Compares the steps named with those that are missing, and does what the table says."""
        self.counts["unfinished"] += 1
        if not told.lines:
            self._expect(False, f"{meant}: a rule stands against {told}, though the move is legal")
            return
        evidence = Evidence(self.board, [self.look(lies)])
        prompt = finish(self.game, self.state, told.lines)
        cells = range(len(self.board.places))
        seen = {cell: evidence.visible(cell, lies.get(cell, ())) for cell in cells}
        wanted = {cell: evidence.visible(cell, target.get(cell, ())) for cell in cells}
        missing = Counter(steps_between(seen, wanted))
        text = (meant[0], self.state.notation.text(meant[1]))
        for begun in prompt.begun:
            if not begun.line:
                self.counts["in common"] += 1
                is_missing = taken_and_laid(begun.steps) <= taken_and_laid([*missing.elements()])
                self._expect(is_missing, f"{meant}: {begun} are not missing: {missing}")
                continue
            is_meant = begun.line == (text,)
            self.counts["named"] += is_meant
            self.counts["named besides"] += not is_meant
            if is_meant:
                self._expect(Counter(begun.steps) == missing, f"{meant}: {begun}, missing: {missing}")
            lines = [[(seat, self.state.notation.parse(one)) for seat, one in begun.line]]
            *_, end = self._along(lines[0])
            layout = self.game.expected(end, self.options)
            led_to = carried_out(seen, begun.steps)
            fits = all(
                sorted(led_to.get(cell, ())) == sorted(evidence.visible(cell, layout.get(cell, ())))
                for cell in cells
            )
            self._expect(fits, f"{meant}: {begun} leads to no position that fits")
        self.counts["nothing named"] += not prompt.begun

    def _expect(self, is_so: bool, otherwise: str) -> None:
        self.counts["false"] += not is_so
        if not is_so:
            self.false.append(otherwise)


def _differs(evidence: Evidence, one: Layout, other: Layout, cell: Cell) -> bool:
    return evidence.visible(cell, one.get(cell, ())) != evidence.visible(cell, other.get(cell, ()))


def _stacked(lies: Pieces, before: Pieces, target: Pieces) -> tuple[Piece, ...]:
    """The pieces of a place in their order from the bottom: what is to stay lies below what is to go."""
    order = [*target, *(piece for piece in before if piece not in target)]
    return tuple(sorted(lies, key=order.index))


def check(key: str, sample: str, seed: int, moves: int) -> Counter[str]:
    played = HandGame(key, sample, seed)
    played.play(moves)
    print(f"{key} {sample} seed {seed}: {dict(sorted(played.counts.items()))}")
    assert played.false[:3] == []
    assert played.counts["moves"] > 0
    return played.counts


@pytest.mark.parametrize("key", REGISTRY)
def test_what_is_missing_for_a_begun_move_is_said(key: str) -> None:
    seed = SEED
    sample = next(iter(load(key).samples))
    counts = check(key, sample, seed, moves=25)
    ended = counts["committed"] + counts["asked which"] + counts["also legal"] + counts["too much at once"]
    assert ended == counts["moves"]


def test_a_pawn_where_no_move_leads_is_told_the_rule_and_put_back() -> None:
    """Pawns are put on any tile: either a move was begun, or a rule is told about just these two places."""
    seed = SEED
    played, told = HandGame("night_cage", "solo", seed), Counter[str]()
    print("seed", seed)
    while played.state.needs() and told["a rule"] < 12:
        played.play(1)
        game, state = played.game, played.state
        if not any("move" in need.verbs for need in state.needs()):
            continue
        before = game.expected(state, played.options)
        pawns = [(cell, p) for cell, pieces in before.items() for p in pieces if p.face in PAWNS]
        field = [cell for cell, place in enumerate(played.board.places) if place.zone == "field"]
        (cell, pawn), to = played.rng.choice(pawns), played.rng.choice(field)
        if to == cell:
            continue
        lies = carried_out(before, [Step("move", cell, pawn, to)])
        result = match(played.look(lies), game, state, played.options)
        if isinstance(result, Mismatch) and not result.lines:
            reason = why_not(game, state, played.options, played.board, result.expected, result.seen)
            back = carried_out(lies, steps_between(result.seen, result.expected))
            assert match(played.look(back), game, state, played.options) == NoChange()
            assert reason is None or set(reason.cells) <= {cell, to}
            told["no rule" if reason is None else "a rule"] += 1
    assert told["a rule"] > 0, told


@pytest.mark.long
@pytest.mark.parametrize("key", REGISTRY)
def test_whole_games_are_carried_out_piece_by_piece(key: str) -> None:
    seed, total = SystemRandom().randrange(10**6), Counter[str]()
    for i, sample in enumerate(load(key).samples):
        total += check(key, sample, seed + i, moves=10_000)
    print(f"{key}: {dict(sorted(total.items()))}")
    assert total["too much at once"] < 0.02 * total["moves"]
