"""Compares what the eyes read with what the rules allow next, and never guesses.

From the position on record, lines of legal actions are followed: players' choices, and draws or rolls that
happen at the table. A line explains the looks when every place agrees with the layout at its end
(`vision.evidence`). Only when exactly one layout explains them, clearly better than any other, legal or not,
is the line `Played`. Nothing here knows the rules of any game.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence, Set
from itertools import count
from math import log
from typing import NamedTuple

from companion.engine.action import TABLE, Cell, Seat
from companion.engine.game import Game
from companion.engine.observation import (
    Ambiguous,
    Match,
    Mismatch,
    NoChange,
    Observation,
    Played,
    Unreadable,
)
from companion.engine.options import Options
from companion.engine.state import State
from vision.evidence import REQUIRED_ODDS, SLIP_PRIOR_UNTOUCHED, Evidence, Pieces
from vision.nearest import NearestLines
from vision.successors import LineOfPlay, ReachablePosition, SuccessorCache, difference

REQUIRED_ODDS_BY_EYE = 4.0
"""How many times likelier an explanation must be than another by the looks alone, without rare draws."""
DEPTH, DEPTH_UNCHANGED = 12, 2
"""How many steps the longest line has that is followed: usually, and where the table looks unchanged."""
SLIP_SHORTER_BY = 3
"""An explanation is weighed against a slip on one place after a line that is this many steps shorter."""
MAX_POSITIONS, MAX_POSITIONS_WITHOUT_MATCH = 6000, 2500
"""How many positions are compared: in all, and before the first explanation is found."""


def match(
    looks: Observation | Sequence[Observation],
    game: Game,
    state: State,
    options: Options,
    *,
    depth: int = DEPTH,
    budget: int = MAX_POSITIONS,
    successors: SuccessorCache | None = None,
) -> Match:
    """Says what was played since `state`, judged by one look or by several at an unchanged table.

    `successors` keeps the positions that legal steps lead to for the next look at the same position.
    """
    board = game.board(options)
    evidence = Evidence(board, [looks] if isinstance(looks, Observation) else looks)
    if not evidence.places:
        return Unreadable((), "nothing-seen")
    successors = successors or SuccessorCache()
    search = _Search(successors, successors.at(game, options, state), evidence, depth, budget)
    search.run()
    if not search.found:
        return _mismatch(search, evidence)
    return _judge(search, evidence)


def could_go_on(game: Game, state: State, options: Options, line: LineOfPlay) -> bool:
    """Whether the seat that acted last in a line, or the table, must act next: the move may not be over."""
    after = state.copy()
    seat: Seat = TABLE
    for seat, action in line:
        after.apply(seat, action)
    at_table = game.at_table(options)
    return any(
        need.seat == seat or (need.seat == TABLE and at_table.intersection(need.verbs))
        for need in after.needs()
    )


# The search ----------------------------------------------------------------------------------------


class _Node(NamedTuple):
    """A position compared with the looks."""

    position: ReachablePosition
    wrong: frozenset[Cell]
    """The places whose looks contradict its layout."""
    unseen: int = 0
    """How many steps on the way changed nothing visible; draws and rolls count twice."""


class _Search:
    """A best-first search through lines of legal steps: the lowest `_cost` first.

    A line may pass through layouts that cost a little more than the start (a pawn on its way), at most
    `MAX_DETOUR` more. Once an explanation is found, only lines up to one step longer are followed.
    """

    MAX_DETOUR = 4

    def __init__(
        self,
        successors: SuccessorCache,
        start: ReachablePosition,
        evidence: Evidence,
        depth: int,
        budget: int,
    ) -> None:
        self._successors = successors
        self._evidence = evidence
        self._budget = budget
        self._depth = depth
        self._known: dict[frozenset[tuple[Cell, Pieces]], list[ReachablePosition]] = {}
        """The positions met so far, by what lies otherwise than at the start."""
        evidence.allow_taken_up(start.layout)
        self.seen = self.layout_of(start)
        """The visible pieces of the position on record."""
        evidence.set_before(self.seen, self._next_step)
        wrong = {cell for cell in evidence.places if evidence.contradicts(cell, self.seen.get(cell, ()))}
        self._start = _Node(start, frozenset(wrong))
        self.found: list[Explanation] = []
        self.slips: list[_Node] = []
        """The positions that leave one place wrong: a slip there would explain them."""
        self.is_complete = True
        """Whether the search ended before its budget did."""

    def _next_step(self) -> Set[tuple[Cell, Pieces]]:
        """The places that one legal step changes, with their pieces after it."""
        return {
            (cell, self._evidence.visible(cell, after.layout.get(cell, ())))
            for after in self._successors.after(self._start.position)
            for cell in after.changed
        }

    def run(self) -> None:
        """Fills `found` with the explanations."""
        start = self._start
        if not start.wrong and self._is_unmistakable():
            self.found.append(Explanation(start.position, self.seen))
            return
        order = count()
        limit = self._cost(start) + self.MAX_DETOUR
        waiting = [(self._cost(start), 0, next(order), start)]
        self._is_new(start.position)
        spent = 0
        while waiting:
            _, length, _, node = heapq.heappop(waiting)
            position = node.position
            if not node.wrong:
                self.found.append(Explanation(position, self.layout_of(position)))
                if not length:
                    # The table looks as it should: nothing was played that anybody could see.
                    # Doubtful places may still hide a move, so the neighbours are looked at as well.
                    self._depth = min(self._depth, DEPTH_UNCHANGED)
                else:
                    self._depth = min(self._depth, length + 1)
                    continue
            if len(node.wrong) == 1:
                self.slips.append(node)
            if length >= self._depth or (length + 1 == self._depth and self._adds_a_wrong_face(node)):
                continue
            for after in self._successors.after(position):
                spent += 1
                if spent > (self._budget if self.found else min(self._budget, MAX_POSITIONS_WITHOUT_MATCH)):
                    self.is_complete = False
                    return
                further = self._node(after, node)
                if further.wrong and self.found and length + 1 >= self._depth:
                    continue
                cost = self._cost(further)
                if cost <= limit and self._is_new(after):
                    heapq.heappush(waiting, (cost, length + 1, next(order), further))

    def _adds_a_wrong_face(self, node: _Node) -> bool:
        """Whether a player's last step laid a face on a place that looked right before it.

        No rule of any game lets the next step take that back, so no explanation is one step further.
        """
        position = node.position
        if not self.found or position.line[-1][0] == TABLE:
            return False
        parts = self._evidence.parts
        return any(
            set(parts(self.expected(cell, node))[0]).difference(self.seen.get(cell, ()))
            for cell in node.wrong & position.changed - self._start.wrong
        )

    def may_still_come(self, one: Explanation, other: Explanation) -> bool:
        """Whether `other` is `one` followed by an invisible step of a player.

        Then all of `one` has happened in any case, and the player enters the invisible step by hand.
        """
        number = self._successors.number
        return len(other.line) > len(one.line) and any(
            after.line[-1][0] != TABLE and number(after) == number(other.position)
            for after in self._successors.after(one.position)
        )

    @property
    def wrong(self) -> Set[Cell]:
        """The places whose looks contradict the position on record."""
        return self._start.wrong

    def nearest_lines(self) -> NearestLines:
        """Compares what lies there with where lines lead, as far as steps explain some of it."""
        return NearestLines(self._successors, self._start.position, self._evidence, self.seen)

    def expected(self, cell: Cell, node: _Node) -> Pieces:
        """The visible pieces of a place in the layout of a node."""
        return self._evidence.visible(cell, node.position.layout.get(cell, ()))

    def layout_of(self, position: ReachablePosition) -> dict[Cell, Pieces]:
        return {cell: self._evidence.visible(cell, pieces) for cell, pieces in position.layout.items()}

    def _is_unmistakable(self) -> bool:
        """Whether every place was seen and none of them could be anything but what is on record."""
        evidence = self._evidence
        return evidence.is_whole() and not any(
            evidence.has_rival(cell, self.seen.get(cell, ())) for cell in evidence.places
        )

    def _cost(self, node: _Node) -> int:
        """How many pieces are still unexplained; one that the line itself laid or took wrongly counts thrice.

        Invisible steps count as well, so that lines full of them come last.
        """
        cost = node.unseen
        for cell in node.wrong:
            start, now = set(self.seen.get(cell, ())), set(self.expected(cell, node))
            seen = set(self._evidence.likeliest(cell))
            cost += len(now ^ seen) + 2 * len(now - seen - start) + 2 * len(seen & start - now)
        return cost

    def _node(self, position: ReachablePosition, before: _Node) -> _Node:
        visible, contradicts = self._evidence.visible, self._evidence.contradicts
        old, new = before.position.layout, position.layout
        wrong, is_seen = set(before.wrong - position.changed), False
        for cell in position.changed:
            now = visible(cell, new.get(cell, ()))
            is_seen = is_seen or now != visible(cell, old.get(cell, ()))
            if contradicts(cell, now):
                wrong.add(cell)
        unseen = 0 if is_seen else 2 if position.line[-1][0] == TABLE else 1
        return _Node(position, frozenset(wrong), before.unseen + unseen)

    def _is_new(self, position: ReachablePosition) -> bool:
        """Whether no line of the same length or shorter has led to an equal position before."""
        now, start = position.layout, self._start.position.layout
        otherwise = frozenset(
            (cell, now.get(cell, ())) for cell in position.moved if now.get(cell) != start.get(cell)
        )
        alike = self._known.setdefault(otherwise, [])
        known = [other for other in alike if len(other.line) <= len(position.line)]
        if known and self._successors.number(position) in map(self._successors.number, known):
            return False
        alike.append(position)
        return True


class Explanation(NamedTuple):
    """A position, reached by a line of legal actions, that no look contradicts, and its visible layout."""

    position: ReachablePosition
    layout: dict[Cell, Pieces]

    @property
    def line(self) -> LineOfPlay:
        return self.position.line

    @property
    def chance(self) -> float:
        return self.position.chance


# The verdict ---------------------------------------------------------------------------------------


def _judge(search: _Search, evidence: Evidence) -> Match:
    """Compares the best explanation with the others and with layouts that no rule allows."""
    ranked = sorted(search.found, key=lambda one: (-_likelihood(one, evidence), len(one.line)))
    best = ranked[0]
    alike = [one for one in ranked if one.layout == best.layout and len(one.line) <= len(best.line) + 1]
    rivals = [one for one in ranked if one.layout != best.layout and _cannot_rule_out(best, one, evidence)]
    doubtful = {cell for one in rivals for cell in difference(best.layout, one.layout)}
    doubtful |= _doubtful_places(best, search, evidence) | _places_of_slips(best, search, evidence)
    if doubtful:
        cells = tuple(sorted(doubtful))
        hidden = [cell for cell in cells if cell not in evidence.places]
        return Unreadable(cells, "hidden" if hidden else evidence.why_unsure(cells))
    if not best.line:
        return NoChange()
    changed = tuple(sorted(difference(best.layout, search.seen)))
    if not search.is_complete:
        return Unreadable(changed, "too-much")
    others = [one for one in alike[1:] if not search.may_still_come(best, one)]
    if others:
        return Ambiguous((best.line, *(one.line for one in others)), changed)
    return Played(best.line)


def _likelihood(one: Explanation, evidence: Evidence) -> float:
    """The logarithm of the likelihood of the looks, given the layout of an explanation."""
    return sum(log(evidence.probability(cell, one.layout.get(cell, ()))) for cell in evidence.places)


def _cannot_rule_out(best: Explanation, other: Explanation, evidence: Evidence) -> bool:
    """Whether another explanation is not unlikely enough: by the looks alone, and with its draws.

    How rare draws are counts only between lines with equally many draws.
    """
    by_eye = _likelihood(best, evidence) - _likelihood(other, evidence)
    draws = [sum(seat == TABLE for seat, _ in one.line) for one in (best, other)]
    rarity = best.chance - other.chance if draws[0] == draws[1] else 0.0
    return by_eye < log(REQUIRED_ODDS_BY_EYE) or by_eye + rarity < log(REQUIRED_ODDS)


def _doubtful_places(best: Explanation, search: _Search, evidence: Evidence) -> set[Cell]:
    """The places where other pieces, allowed or not, would explain the looks about as well."""
    doubtful = set()
    for cell in evidence.places:
        pieces, before = best.layout.get(cell, ()), search.seen.get(cell, ())
        if evidence.is_doubtful(cell, pieces, before):
            doubtful.add(cell)
    return doubtful


def _places_of_slips(best: Explanation, search: _Search, evidence: Evidence) -> set[Cell]:
    """The places where a slip after a much shorter line would explain the looks about as well."""
    found = _likelihood(best, evidence) + best.chance
    doubtful: set[Cell] = set()
    for node in search.slips:
        position = node.position
        if len(position.line) + SLIP_SHORTER_BY <= len(best.line):
            (cell,) = node.wrong
            other = Explanation(position, search.layout_of(position) | {cell: evidence.likeliest(cell)})
            if found < _likelihood(other, evidence) + position.chance + log(
                SLIP_PRIOR_UNTOUCHED * REQUIRED_ODDS
            ):
                doubtful.add(cell)
    return doubtful


def _mismatch(search: _Search, evidence: Evidence) -> Match:
    """The verdict when no line fits: what is missing for the lines that come near, if the looks are sure."""
    nearest = search.nearest_lines()
    near = nearest.find()
    lines = [line for one in near if (line := nearest.told(one)) is not None]
    if near and not lines:
        # Of a move that was begun nothing can be told while a place of it is not made out; no rule is either.
        return Unreadable(tuple(sorted(nearest.unsure(near[0]))), "unsure")
    if lines:
        wrong = [cell for cell, pieces in lines[0].expected.items() if lines[0].seen[cell] != pieces]
        expected, seen = lines[0].expected, lines[0].seen
        return Mismatch({c: expected[c] for c in wrong}, {c: seen[c] for c in wrong}, tuple(lines))
    sure = sorted(cell for cell in search.wrong if cell in evidence.certain)
    if not sure:
        cells = tuple(sorted(search.wrong))
        return Unreadable(cells, evidence.why_unsure(cells))
    return Mismatch({c: search.seen.get(c, ()) for c in sure}, {c: evidence.certain[c] for c in sure})
