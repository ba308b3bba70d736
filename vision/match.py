"""Compares what the eyes read with what the rules allow next, and never guesses.

From the position on record, lines of legal actions are followed: players' choices, and draws or rolls that
happen at the table. A line explains the reading when every place agrees with the layout at its end. Only when
exactly one layout explains it, clearly better than any other, legal or not, is the line `Played`.
Nothing here knows the rules of any game.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import count
from math import exp, log
from typing import Any, NamedTuple

from companion.action import TABLE, Action, Cell, Seat
from companion.game import Game
from companion.layout import Board, Layout, Piece
from companion.options import Options
from companion.seeing import Ambiguous, Match, Mismatch, NoChange, Observation, Played, Reading, Unreadable
from companion.state import State

Pieces = tuple[Piece, ...]
Line = tuple[tuple[Seat, Action], ...]

STANDING = frozenset({"pawn", "figure", "die"})
"""Kinds of pieces that stand beside each other on what lies below; all others cover it."""
PLAUSIBLE = 0.01
"""A place whose reading gives the expected pieces less than this contradicts them."""
FLOOR = 1e-4
"""The probability of pieces that the reading does not even name."""
WRONG_OLD, WRONG_NEW = 0.001, 0.02
"""How often people disturb a place that nobody should touch, and put a wrong piece where one belongs."""
ODDS = 200.0
"""How much likelier than every other explanation one must be, all considered."""
BY_EYE = 4.0
"""How much likelier it must be by what was seen alone."""
DEPTH = 12
BUDGET = 6000
"""The longest line that is followed, and the number of positions that are looked at."""


def match(
    looks: Observation | Sequence[Observation],
    game: Game,
    state: State,
    options: Options,
    *,
    depth: int = DEPTH,
    budget: int = BUDGET,
) -> Match:
    """Says what was played since `state`, judged by one look or by several at an unchanged table."""
    board = game.board(options)
    evidence = Evidence(board, [looks] if isinstance(looks, Observation) else looks)
    if not evidence.places:
        return Unreadable((), "nothing-seen")
    search = _Search(game, options, state, evidence, depth, budget)
    search.run()
    if not search.found:
        return _mismatch(search, evidence)
    return _judge(search, evidence)


def could_go_on(game: Game, state: State, options: Options, line: Line) -> bool:
    """Whether the seat that acted last in a line must act again: then the table may still be changing."""
    after = state.copy()
    seat: Seat = TABLE
    for seat, action in line:
        after.apply(seat, action)
    at_table = game.at_table(options)
    return any(
        need.seat == seat or (need.seat == TABLE and at_table.intersection(need.verbs))
        for need in after.needs()
    )


# What was read -----------------------------------------------------------------------------------


class Evidence:
    """The readings of one or more looks, as a probability of pieces per place."""

    def __init__(self, board: Board, looks: Sequence[Observation]) -> None:
        self._faces = {face.name: face for face in board.faces}
        self.places: dict[Cell, dict[Pieces, float]] = {}
        self.certain: dict[Cell, Pieces] = {}
        self._heights: set[Cell] = set()
        self._visible: dict[tuple[bool, Pieces], Pieces] = {}
        for cell in sorted({cell for look in looks for cell in look.readings}):
            self._add(cell, [look.readings[cell] for look in looks if cell in look.readings])

    def _add(self, cell: Cell, readings: list[Reading]) -> None:
        """Looks at the same table are not independent: their average counts, a little stronger for more."""
        shares = [self._shares(cell, reading) for reading in readings]
        names = {pieces for share in shares for pieces in share}
        if not names:
            return
        weight = len(shares) ** -0.5
        scores = {name: weight * sum(log(share.get(name, FLOOR)) for share in shares) for name in names}
        best = max(scores.values())
        total = sum(exp(score - best) for score in scores.values())
        self.places[cell] = {name: max(FLOOR, exp(score - best) / total) for name, score in scores.items()}
        sure = [self.visible(cell, reading.pieces) for reading in readings if reading.pieces is not None]
        if len(sure) * 2 > len(readings) and len(set(sure)) == 1:
            self.certain[cell] = sure[0]

    def _shares(self, cell: Cell, reading: Reading) -> dict[Pieces, float]:
        """One reading as probabilities; what is missing from one is spread over everything else."""
        guesses = list(reading.guesses)
        if reading.pieces is not None and all(pieces != reading.pieces for pieces, _ in guesses):
            guesses.append((reading.pieces, reading.confidence))
        if any(piece.stack > 1 for pieces, _ in guesses for piece in pieces):
            self._heights.add(cell)
        shares: dict[Pieces, float] = {}
        for pieces, probability in guesses:
            seen = self.visible(cell, pieces)
            shares[seen] = shares.get(seen, 0.0) + probability
        return {pieces: min(max(p, FLOOR), 1.0) for pieces, p in shares.items()}

    def visible(self, cell: Cell, pieces: Pieces) -> Pieces:
        """Pieces as far as eyes can tell them apart: what is covered, what turn and height do not show."""
        key = (cell in self._heights, pieces)
        seen = self._visible.get(key)
        if seen is None:
            seen = self._visible[key] = self._as_seen(*key)
        return seen

    def _as_seen(self, with_height: bool, pieces: Pieces) -> Pieces:
        lying: list[Piece] = []
        standing: list[Piece] = []
        for piece in pieces:
            face = self._faces.get(piece.face)
            turn = piece.turn if face is None else face.turn_of(piece.turn)
            seen = Piece(piece.face, turn, piece.stack if with_height else 1)
            if self._stands(piece):
                standing.append(seen)
            else:
                lying = [other for other in lying if not self._covers(piece, other)]
                lying.append(seen)
        return (*lying, *sorted(standing))

    def _stands(self, piece: Piece) -> bool:
        face = self._faces.get(piece.face)
        return face is not None and face.kind in STANDING

    def _covers(self, piece: Piece, below: Piece) -> bool:
        top, under = self._faces.get(piece.face), self._faces.get(below.face)
        return (
            top is not None and under is not None and top.width >= under.width and top.height >= under.height
        )

    def probability(self, cell: Cell, pieces: Pieces) -> float:
        """How likely the place looks as it does if these pieces lie there; 1 for a place not seen."""
        shares = self.places.get(cell)
        return 1.0 if shares is None else shares.get(pieces, FLOOR)

    def other(self, cell: Cell, pieces: Pieces) -> float:
        """The probability of the likeliest other pieces, whatever the rules say."""
        return max((p for other, p in self.places[cell].items() if other != pieces), default=FLOOR)

    def likeliest(self, cell: Cell) -> Pieces:
        """The pieces that the place looks most like."""
        shares = self.places[cell]
        return max(shares, key=lambda pieces: shares[pieces])

    def contradicts(self, cell: Cell, pieces: Pieces) -> bool:
        return self.probability(cell, pieces) < PLAUSIBLE


# What the rules allow ------------------------------------------------------------------------------


class _Node(NamedTuple):
    state: State
    line: Line
    layout: dict[Cell, Pieces]
    wrong: frozenset[Cell]
    """The places that contradict the layout."""
    chance: float
    """The logarithm of how likely the draws and rolls on the way were."""
    view: str
    """What the camera's viewer may know: positions that differ here are different."""
    unseen: int = 0
    """Steps on the way that changed nothing that can be seen; unseen draws and rolls count twice."""


class _Search:
    """Follows lines that get closer to what was read, the closest first.

    A line may pass through layouts that look a little worse than the start (a pawn on its way), not through
    much worse ones. Once an explanation is found, lines are followed that are one step longer, not more.
    """

    SLACK = 4

    def __init__(
        self, game: Game, options: Options, state: State, evidence: Evidence, depth: int, budget: int
    ) -> None:
        self._game = game
        self._viewer = game.camera(options)
        self._at_table = game.at_table(options)
        self._evidence = evidence
        self._budget = budget
        self._depth = depth
        self._known: dict[str, list[_Node]] = {}
        self.start = self._node(state, (), 0.0)
        self.found: list[_Node] = []
        self.nearest = self.start
        self.is_complete = True

    def run(self) -> None:
        """Fills `found` with the explanations."""
        order = count()
        waiting = [(self._cost(self.start), 0, next(order), self.start)]
        self._is_new(self.start)
        limit = self._cost(self.start) + self.SLACK
        spent = 0
        while waiting:
            _, length, _, node = heapq.heappop(waiting)
            if not node.wrong:
                self.found.append(node)
                if not length:
                    # The table looks as it should: nothing was played that anybody could see.
                    # Doubtful places may still hide a move, so the neighbours are looked at as well.
                    self._depth = min(self._depth, 4)
                else:
                    self._depth = min(self._depth, length + 1)
                    continue
            if (len(node.wrong), length) < (len(self.nearest.wrong), len(self.nearest.line)):
                self.nearest = node
            if length >= self._depth:
                continue
            for after in self._next(node):
                spent += 1
                if spent > self._budget:
                    self.is_complete = False
                    return
                cost = self._cost(after)
                if cost <= limit and self._is_new(after):
                    heapq.heappush(waiting, (cost, length + 1, next(order), after))

    def _cost(self, node: _Node) -> int:
        """Pieces still to be explained; one that the line itself laid or took wrongly counts thrice.

        Steps that nobody can see count as well: a few may lie between two that can be seen.
        """
        cost = node.unseen
        for cell in node.wrong:
            start, now = set(self.start.layout.get(cell, ())), set(node.layout.get(cell, ()))
            seen = set(self._evidence.likeliest(cell))
            cost += len(now ^ seen) + 2 * len(now - seen - start) + 2 * len(seen & start - now)
        return cost

    def _node(self, state: State, line: Line, chance: float, before: _Node | None = None) -> _Node:
        view = self._game.view(state, self._viewer)
        layout: Layout = self._game.layout(view)
        visible, contradicts = self._evidence.visible, self._evidence.contradicts
        seen = {cell: visible(cell, pieces) for cell, pieces in layout.items() if pieces}
        if before is None:
            wrong = {cell for cell in self._evidence.places if contradicts(cell, seen.get(cell, ()))}
            return _Node(state, line, seen, frozenset(wrong), chance, repr(view))
        changed = _difference(before.layout, seen)
        if not changed:
            unseen = before.unseen + (2 if line[-1][0] == TABLE else 1)
            return _Node(state, line, before.layout, before.wrong, chance, repr(view), unseen)
        wrong = {cell for cell in changed if contradicts(cell, seen.get(cell, ()))}
        wrong |= before.wrong - changed
        return _Node(state, line, seen, frozenset(wrong), chance, repr(view), before.unseen)

    def _next(self, node: _Node) -> Iterable[_Node]:
        state = node.state
        for need in state.needs():
            if need.seat == TABLE:
                outcomes = [(a, ways) for a, ways in state.outcomes() if a.verb in self._at_table]
                total = sum(ways for _, ways in outcomes)
                choices = [(action, log(ways / total)) for action, ways in outcomes if ways]
            else:
                choices = [(action, 0.0) for action in state.actions(need.seat)]
            for action, chance in choices:
                after = state.copy()
                after.apply(need.seat, action)
                yield self._node(after, (*node.line, (need.seat, action)), node.chance + chance, node)

    def _is_new(self, node: _Node) -> bool:
        """Drops a node that another way led to before: same layout and same position, no longer line."""
        alike = self._known.setdefault(node.view, [])
        for other in alike:
            if len(other.line) <= len(node.line) and same(other.state, node.state):
                return False
        alike.append(node)
        return True


@cache
def _slots(kind: type) -> tuple[str, ...]:
    """The slots of a class that defines no equality of its own, as states and pools of the rules do."""
    kinds = kind.__mro__[:-1]
    if any("__eq__" in vars(one) for one in kinds):
        return ()
    return tuple(name for one in kinds for name in vars(one).get("__slots__", ()))


def same(a: Any, b: Any) -> bool:
    """Whether two values of the rules are equal, looking into objects that define no equality."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(value, b[key]) for key, value in a.items())
    slots = _slots(a.__class__)
    if slots:
        return all(same(getattr(a, name, None), getattr(b, name, None)) for name in slots)
    return bool(a == b)


# What to say ---------------------------------------------------------------------------------------


def _judge(search: _Search, evidence: Evidence) -> Match:
    """Weighs the explanations against each other and against tables that no rule allows."""
    ranked = sorted(search.found, key=lambda node: (-_likelihood(node, evidence), len(node.line)))
    best = ranked[0]
    alike = [node for node in ranked if node.layout == best.layout and len(node.line) <= len(best.line) + 1]
    rivals = [node for node in ranked if node.layout != best.layout and _rivals(best, node, evidence)]
    doubtful = {cell for node in rivals for cell in _difference(best.layout, node.layout)}
    doubtful |= _doubtful(best, search.start, evidence)
    if doubtful:
        cells = tuple(sorted(doubtful))
        hidden = [cell for cell in cells if cell not in evidence.places]
        return Unreadable(cells, "hidden" if hidden else "unsure")
    if not best.line:
        return NoChange()
    changed = tuple(sorted(_difference(best.layout, search.start.layout)))
    if not search.is_complete:
        return Unreadable(changed, "too-much")
    if len(alike) > 1:
        return Ambiguous(tuple(node.line for node in alike), changed)
    return Played(alike[0].line)


def _likelihood(node: _Node, evidence: Evidence) -> float:
    """The logarithm of how well a layout explains the reading."""
    return sum(log(evidence.probability(cell, node.layout.get(cell, ()))) for cell in evidence.places)


def _rivals(best: _Node, other: _Node, evidence: Evidence) -> bool:
    """Whether another layout cannot be ruled out; rare draws alone never rule one out."""
    by_eye = _likelihood(best, evidence) - _likelihood(other, evidence)
    return by_eye < log(BY_EYE) or by_eye + best.chance - other.chance < log(ODDS)


def _doubtful(best: _Node, start: _Node, evidence: Evidence) -> set[Cell]:
    """Places where something else, allowed or not, would explain the reading about as well."""
    doubtful = set()
    for cell in evidence.places:
        pieces = best.layout.get(cell, ())
        changed = pieces != start.layout.get(cell, ())
        if not changed and cell not in evidence.certain:
            continue
        wrong = WRONG_NEW if changed else WRONG_OLD
        if evidence.probability(cell, pieces) < evidence.other(cell, pieces) * wrong * ODDS:
            doubtful.add(cell)
    return doubtful


def _difference(a: Mapping[Cell, Pieces], b: Mapping[Cell, Pieces]) -> set[Cell]:
    return {cell for cell in a.keys() | b.keys() if a.get(cell, ()) != b.get(cell, ())}


def _mismatch(search: _Search, evidence: Evidence) -> Match:
    """Nothing legal fits: names what lies wrong beside the nearest legal layout, if the eyes are sure."""
    nearest = search.nearest
    sure = {cell for cell in nearest.wrong if cell in evidence.certain}
    if not sure:
        return Unreadable(tuple(sorted(nearest.wrong)), "unsure")
    expected = {cell: nearest.layout.get(cell, ()) for cell in sorted(sure)}
    return Mismatch(expected, {cell: evidence.certain[cell] for cell in expected})
