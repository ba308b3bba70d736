"""Compares what the eyes read with what the rules allow next, and never guesses.

From the position on record, lines of legal actions are followed: players' choices, and draws or rolls that
happen at the table. A line explains the reading when every place agrees with the layout at its end. Only when
exactly one layout explains it, clearly better than any other, legal or not, is the line `Played`.
Nothing here knows the rules of any game.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from functools import cache
from itertools import count
from math import exp, log
from operator import attrgetter
from typing import Any, NamedTuple

from companion.action import TABLE, Action, Cell, Seat
from companion.game import Game
from companion.layout import Board, Layout, Piece, covers
from companion.options import Options
from companion.seeing import Ambiguous, Match, Mismatch, NoChange, Observation, Played, Reading, Unreadable
from companion.state import State

Pieces = tuple[Piece, ...]
Line = tuple[tuple[Seat, Action], ...]

STANDING = frozenset({"pawn", "figure", "die"})
"""Kinds of pieces that stand beside each other on what lies below; all others cover it."""
BESIDE = frozenset({"token"})
"""Kinds of pieces that lie beside what stands there, so that it does not hide them."""
PLAUSIBLE = 0.01
"""A place whose reading gives the expected pieces less than this contradicts them."""
UNDER = 0.1
"""The least probability of a face under a standing piece where others are seen: it hides their difference."""
CLEAR = 0.99
"""What every look is so sure to see under a standing piece is believed, whatever lay there before."""
VAGUE = 0.5
"""A reading that thinks nothing likelier than this says nothing against what should be there still."""
MOSTLY = 0.75
"""A vague reading that gives one face so much of all that it names sees one face, if not surely which."""
FLOOR, UNNAMED, UNNAMED_STANDING = 1e-4, 0.015, 0.05
"""The probability of pieces that a reading does not even name: at least, and as a share of what it leaves."""
WRONG_OLD, WRONG_NEW, WRONG_UNDER = 0.001, 0.02, 0.0001
"""How often people disturb a place that nobody should touch, put a wrong piece where one belongs, and
exchange what lies under a standing piece."""
ODDS = 200.0
"""How much likelier than every other explanation one must be, all considered."""
BY_EYE = 4.0
"""How much likelier it must be by what was seen alone."""
DEPTH, NEAR = 12, 2
"""The longest line that is followed, and the longest where the table looks as it should already."""
LONGER = 3
"""A line longer by so much than one that leaves a single place wrong is weighed against a slip there."""
BUDGET, FRUITLESS = 6000, 2500
"""The most positions that are looked at: in all, and before any of them explains what was read."""


def match(
    looks: Observation | Sequence[Observation],
    game: Game,
    state: State,
    options: Options,
    *,
    depth: int = DEPTH,
    budget: int = BUDGET,
    ahead: Ahead | None = None,
) -> Match:
    """Says what was played since `state`, judged by one look or by several at an unchanged table.

    `ahead` keeps what was worked out for the next look at the same position.
    """
    board = game.board(options)
    evidence = Evidence(board, [looks] if isinstance(looks, Observation) else looks)
    if not evidence.places:
        return Unreadable((), "nothing-seen")
    ahead = ahead or Ahead()
    search = _Search(ahead, ahead.at(game, options, state), evidence, depth, budget)
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
        self._alike = {face: other for look in looks for face, other in look.alike.items()}
        self._by_outline = {face: other for look in looks for face, other in look.by_outline.items()}
        self._count = len(board.places)
        self.places: dict[Cell, dict[Pieces, float]] = {}
        self._looks: dict[Cell, tuple[list[dict[Pieces, float]], float]] = {}
        self.certain: dict[Cell, Pieces] = {}
        self._heights: set[Cell] = set()
        self._visible: dict[tuple[bool, Pieces], Pieces] = {}
        self._parts: dict[Pieces, tuple[Pieces, Pieces]] = {}
        self._chances: dict[tuple[Cell, Pieces], float] = {}
        self._vague: set[Cell] = set()
        self._passing = [cell for cell, place in enumerate(board.places) if place.is_passing]
        self._taken_up: set[tuple[Cell, Pieces]] = set()
        self.remember({})
        for cell in sorted({cell for look in looks for cell in look.readings}):
            self._add(cell, [look.readings[cell] for look in looks if cell in look.readings])

    def _add(self, cell: Cell, readings: list[Reading]) -> None:
        """Looks at the same table are not independent: their average counts, a little stronger for more."""
        shares = [self._shares(cell, reading) for reading in readings]
        names = {pieces for share in shares for pieces in share}
        if not names:
            return
        if max(p for share in shares for p in share.values()) < VAGUE:
            self._vague.add(cell)
        weight = len(shares) ** -0.5
        scores = {name: weight * sum(log(self._share(share, name)) for share in shares) for name in names}
        best = max(scores.values())
        total = sum(exp(score - best) for score in scores.values())
        self.places[cell] = {name: max(FLOOR, exp(score - best) / total) for name, score in scores.items()}
        self._looks[cell] = shares, best + log(total)
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

    def _share(self, share: dict[Pieces, float], pieces: Pieces) -> float:
        """What one look gives some pieces; those it does not name, or hardly, get a part of what it leaves.

        Of other pieces that might stand there readings name fewer than of other faces.
        """
        likeliest = max(share, key=lambda name: share[name])
        is_other = self.parts(pieces)[1] != self.parts(likeliest)[1]
        left = max(0.0, 1 - sum(share.values()))
        unnamed = max(FLOOR, left * (UNNAMED_STANDING if is_other else UNNAMED))
        return max(share.get(pieces, 0.0), unnamed)

    def _unnamed(self, cell: Cell, pieces: Pieces) -> float:
        shares, total = self._looks[cell]
        score = len(shares) ** -0.5 * sum(log(self._share(share, pieces)) for share in shares)
        return max(FLOOR, exp(score - total))

    def visible(self, cell: Cell, pieces: Pieces) -> Pieces:
        """Pieces as far as eyes can tell them apart: what is covered, what turn and height do not show."""
        if self._taken_up and (cell, pieces) in self._taken_up:
            return ()
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
            name = self._alike.get(piece.face, piece.face)
            seen = Piece(name, turn, piece.stack if with_height else 1)
            if self._stands(piece):
                standing.append(seen)
            else:
                lying = [other for other in lying if not self._covers(piece, other)]
                lying.append(seen)
        if len(standing) > 1:
            standing = [one._replace(face=self._by_outline.get(one.face, one.face)) for one in standing]
        return (*lying, *sorted(standing))

    def _stands(self, piece: Piece) -> bool:
        face = self._faces.get(piece.face)
        return face is not None and face.kind in STANDING

    def _covers(self, piece: Piece, below: Piece) -> bool:
        top, under = self._faces.get(piece.face), self._faces.get(below.face)
        if top is None or under is None:
            return False
        return covers((top.width, top.height), (under.width, under.height))

    def parts(self, pieces: Pieces) -> tuple[Pieces, Pieces]:
        """What lies there and what stands on it."""
        found = self._parts.get(pieces)
        if found is None:
            lying = tuple(piece for piece in pieces if not self._stands(piece))
            found = self._parts[pieces] = lying, pieces[len(lying) :]
        return found

    def let_take_up(self, layout: Layout) -> None:
        """Notes what people may take up at any time and is gone: it counts as lying there no longer."""
        self._taken_up = {
            (cell, layout[cell])
            for cell in self._passing
            if cell in layout and cell in self.places and not self.likeliest(cell)
        }

    def remember(
        self, layout: Mapping[Cell, Pieces], next_step: Callable[[], Set[tuple[Cell, Pieces]]] = frozenset
    ) -> None:
        """Takes in what was there before: a piece that stands on it hides a part of it.

        `next_step` tells what one step of the rules would make of places, when that is asked for.
        """
        self._before, self._next_step = layout, cache(next_step)
        self._chances.clear()

    def probability(self, cell: Cell, pieces: Pieces) -> float:
        """How likely the place looks as it does if these pieces lie there; 1 for a place not seen."""
        found = self._chances.get((cell, pieces))
        if found is None:
            found = self._chances[cell, pieces] = self._probability(cell, pieces)
        return found

    def _probability(self, cell: Cell, pieces: Pieces) -> float:
        shares = self.places.get(cell)
        if shares is None:
            return 1.0
        found = shares[pieces] if pieces in shares else self._unnamed(cell, pieces)
        (lying, standing), before = self.parts(pieces), self._before.get(cell, ())
        hides = bool(standing or self._beside(lying))
        if found < UNDER and hides and (lying or not self.parts(before)[0]):
            others = [other for other in shares if self._hides_difference(pieces, other)]
            alike = [(lies, shares[other]) for other in others if (lies := self.parts(other)[0])]
            is_clear = all(
                sum(look.get(other, 0.0) for other in others) >= CLEAR for look in self._looks[cell][0]
            )
            if not is_clear and not any(
                lying and not self._is_other_face(lying, lies) and p > found for lies, p in alike
            ):
                found = max(found, UNDER * sum(p for _, p in alike))
            if standing and pieces == before and self._is_vague(cell, pieces):
                found = max(found, PLAUSIBLE)
        return found

    def _is_vague(self, cell: Cell, pieces: Pieces) -> bool:
        """Whether a reading says nothing against these pieces, not even that more or fewer stand there."""
        if cell not in self._vague:
            return False
        return all(
            max(self._more(look, pieces), self._fewer(look, pieces)) < VAGUE * sum(look.values())
            for look in self._looks[cell][0]
        )

    def _fewer(self, shares: Mapping[Pieces, float], pieces: Pieces) -> float:
        """How likely only some of these stand there, whatever they stand on, or none.

        That nothing stands there counts where the face is the same, or where mostly one face is named.
        """
        lying, standing = self.parts(pieces)
        mostly = MOSTLY * sum(shares.values())
        return sum(
            p
            for other, p in shares.items()
            if Counter(stand := self.parts(other)[1]) < Counter(standing)
            and (stand or other == lying or p > mostly)
        )

    def _is_named(self, cell: Cell, pieces: Pieces) -> bool:
        """Whether every look names these pieces, whatever of those below they hide."""
        return all(
            sum(p for other, p in look.items() if other == pieces or self._is_under(cell, pieces, other))
            >= VAGUE
            for look in self._looks[cell][0]
        )

    def _more(self, shares: Mapping[Pieces, float], pieces: Pieces) -> float:
        """How likely something stands there besides, whatever it stands on."""
        standing = Counter(self.parts(pieces)[1])
        return sum(p for other, p in shares.items() if standing < Counter(self.parts(other)[1]))

    def _laid_upon(self, cell: Cell, pieces: Pieces) -> float:
        """How likely a token lies there besides, on the same face and by the same standing pieces."""
        (lying, standing), n = self.parts(pieces), len(self.parts(pieces)[0])
        return sum(
            p
            for other, p in self.places[cell].items()
            if n and self.parts(other)[1] == standing and other[:n] == lying and self._beside(other[n:])
        )

    def _is_taken_off(self, cell: Cell, pieces: Pieces) -> bool:
        """Whether looks hardly name a token that should lie there, though little stands there to hide it."""
        lying, standing = self.parts(pieces)
        tokens = self._beside(lying)
        return (
            bool(tokens)
            and len(standing) < 2
            and all(
                sum(p for other, p in look.items() if self._beside(self.parts(other)[0]) == tokens)
                < VAGUE * sum(look.values())
                for look in self._looks[cell][0]
            )
        )

    def _is_exchanged(self, cell: Cell, pieces: Pieces) -> bool:
        """Whether the looks are sure of another face under what stands on one."""
        seen = self.certain.get(cell)
        return seen is not None and bool(self.parts(pieces)[0]) and self._hides_difference(pieces, seen)

    def is_doubtful(self, cell: Cell, pieces: Pieces, before: Pieces) -> bool:
        """Whether other pieces, allowed or not, would explain the reading about as well."""
        if self._is_vague(cell, pieces):
            is_still_there = pieces == before and bool(self.parts(pieces)[1] or pieces in self.places[cell])
            if not is_still_there and not self._is_named(cell, pieces):
                return True  # what looks hardly name is only believed to be there still
            if pieces == before:
                laid_upon = self._laid_upon(cell, pieces) * WRONG_OLD * ODDS
                return self.probability(cell, pieces) < laid_upon or self._is_taken_off(cell, pieces)
        if pieces == before and self._is_exchanged(cell, pieces):
            return True
        found = self.probability(cell, pieces)
        usual = WRONG_OLD if pieces == before else WRONG_NEW
        return found < self._more(self.places[cell], pieces) * usual * ODDS or any(
            found < p * self._wrong(cell, pieces, other, usual) * ODDS
            for other, p in self.places[cell].items()
            if other != pieces
        )

    def _wrong(self, cell: Cell, pieces: Pieces, other: Pieces, usual: float) -> float:
        """How often other pieces are there than should be."""
        if not self._hides_difference(pieces, other):
            return usual
        if self._may_be_exchanged(cell, pieces, other):
            return WRONG_NEW
        return WRONG_UNDER if self._is_under(cell, pieces, other) else usual

    def _may_be_exchanged(self, cell: Cell, pieces: Pieces, other: Pieces) -> bool:
        """Whether the rules now let people put other pieces in place of those that were there."""
        return pieces == self._before.get(cell, ()) and (cell, other) in self._next_step()

    def has_rival(self, cell: Cell, pieces: Pieces) -> bool:
        """Whether other pieces may lie there, judged by the reading alone."""
        found = self.probability(cell, pieces)
        return any(
            found < p * ODDS
            for other, p in self.places[cell].items()
            if other != pieces and not self._is_under(cell, pieces, other)
        )

    def _is_under(self, cell: Cell, pieces: Pieces, other: Pieces) -> bool:
        """Whether two readings differ only in what lies under a standing piece and cannot be exchanged.

        What lay there before does not change while something stands on it, unless the rules exchange it now;
        what was laid there may have been turned wrongly, but is no other piece.
        """
        if not self._hides_difference(pieces, other) or self._may_be_exchanged(cell, pieces, other):
            return False
        lying, lies = self.parts(pieces)[0], self.parts(other)[0]
        if lying == self.parts(self._before.get(cell, ()))[0]:
            return True
        return bool(lying and lies) and self._is_other_face(lying, lies)

    def _is_other_face(self, lying: Pieces, lies: Pieces) -> bool:
        """Whether what can be hidden of two places, below the same tokens, is no turn of the same face."""
        tokens = self._same_tokens(lying, lies)
        return lying[-1 - tokens].face != lies[-1 - tokens].face

    def _same_tokens(self, lying: Pieces, lies: Pieces) -> int:
        """How many tokens lie on something at one place, and at the other as well."""
        tokens = self._beside(lying)
        n = len(tokens)
        is_on_both = min(len(lying), len(lies)) > n and lying[-n:] == lies[-n:] == tokens
        return n if is_on_both and self._beside(lies) == tokens else 0

    def _hides_difference(self, pieces: Pieces, other: Pieces) -> bool:
        """Whether the same stands or the same tokens lie on what differs, and nothing beside it does.

        `other` was read.
        """
        (lying, standing), (lies, stands) = self.parts(pieces), self.parts(other)
        if stands != standing or lies == lying:
            return False
        if self._same_tokens(lying, lies):
            return True
        if not standing:
            return False
        tokens, seen = self._beside(lying), self._beside(lies)
        # Among several that stand close together a token may be hidden too; one that is seen is there.
        return seen == tokens or (len(standing) > 1 and set(seen) <= set(tokens))

    def _beside(self, lying: Pieces) -> Pieces:
        return tuple(piece for piece in lying if self._faces[piece.face].kind in BESIDE)

    def is_whole(self) -> bool:
        """Whether every place of the board was seen."""
        return len(self.places) == self._count

    def likeliest(self, cell: Cell) -> Pieces:
        """The pieces that the place looks most like."""
        shares = self.places[cell]
        return max(shares, key=lambda pieces: shares[pieces])

    def contradicts(self, cell: Cell, pieces: Pieces) -> bool:
        return self.probability(cell, pieces) < PLAUSIBLE


# What the rules allow ------------------------------------------------------------------------------


class _Position:
    """A position that legal actions lead to, and what lies on the table then."""

    __slots__ = ("chance", "changed", "layout", "line", "moved", "next", "number", "state")

    def __init__(
        self,
        state: State,
        layout: Layout,
        line: Line = (),
        chance: float = 0.0,
        before: _Position | None = None,
    ) -> None:
        self.state, self.line = state, line
        self.layout = (
            layout if all(layout.values()) else {c: pieces for c, pieces in layout.items() if pieces}
        )
        self.chance = chance
        """The logarithm of how likely the draws and rolls on the way were."""
        self.changed = frozenset() if before is None else frozenset(_difference(before.layout, self.layout))
        """The places that the last step changed."""
        self.moved = self.changed if before is None else before.moved | self.changed
        """The places that any step of the line changed."""
        self.next: list[_Position] | None = None
        self.number: Hashable = None
        """The same for equal positions, once it was asked for."""


class Ahead:
    """The positions ahead of the one on record; whoever keeps it does not work them out for every look."""

    def __init__(self) -> None:
        self._known: tuple[Game, Options] | None = None
        self._now: _Position | None = None
        self._numbers = Numbers()

    def at(self, game: Game, options: Options, state: State) -> _Position:
        """The position on record, with what was worked out before if it is still the same."""
        if self._known != (game, options):
            self._known, self._now = (game, options), None
            self._at_table = game.at_table(options)
        if self._now is None or not same(self._now.state, state):
            self._now = _Position(state, game.expected(state, options))
            self._numbers = Numbers()
        return self._now

    def after(self, position: _Position) -> list[_Position]:
        """The positions one legal step on."""
        if position.next is None:
            position.next = list(self._after(position))
        return position.next

    def number(self, position: _Position) -> Hashable:
        """The same number for equal positions, whichever lines led to them."""
        if position.number is None:
            position.number = self._numbers.of(position.state)
        return position.number

    def _after(self, position: _Position) -> Iterable[_Position]:
        assert self._known is not None
        state, (game, options) = position.state, self._known
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
                line = (*position.line, (need.seat, action))
                layout = game.expected(after, options)
                if action.verb in game.by_hand and layout == position.layout:
                    continue
                yield _Position(after, layout, line, position.chance + chance, position)


class _Node(NamedTuple):
    """A position compared with what was read."""

    position: _Position
    wrong: frozenset[Cell]
    """The places that contradict it."""
    unseen: int = 0
    """Steps on the way that changed nothing that can be seen; unseen draws and rolls count twice."""


class _Search:
    """Follows lines that get closer to what was read, the closest first.

    A line may pass through layouts that look a little worse than the start (a pawn on its way), not through
    much worse ones. Once an explanation is found, lines are followed that are one step longer, not more.
    """

    SLACK = 4

    def __init__(self, ahead: Ahead, start: _Position, evidence: Evidence, depth: int, budget: int) -> None:
        self._ahead = ahead
        self._evidence = evidence
        self._budget = budget
        self._depth = depth
        self._known: dict[frozenset[tuple[Cell, Pieces]], list[_Position]] = {}
        """The positions met so far, by what lies otherwise than at the start."""
        evidence.let_take_up(start.layout)
        self.seen = self.layout_of(start)
        """What should be seen before anything is played."""
        evidence.remember(self.seen, self._next_step)
        wrong = {cell for cell in evidence.places if evidence.contradicts(cell, self.seen.get(cell, ()))}
        self._start = _Node(start, frozenset(wrong))
        self.found: list[Explanation] = []
        self.nearest = self._start
        self.slips: list[_Node] = []
        """The positions that leave one place wrong."""
        self.is_complete = True

    def _next_step(self) -> Set[tuple[Cell, Pieces]]:
        """What one legal step would make of the places that it changes."""
        return {
            (cell, self._evidence.visible(cell, after.layout.get(cell, ())))
            for after in self._ahead.after(self._start.position)
            for cell in after.changed
        }

    def run(self) -> None:
        """Fills `found` with the explanations."""
        start = self._start
        if not start.wrong and self._is_plain():
            self.found.append(Explanation(start.position, self.seen))
            return
        order = count()
        limit = self._cost(start) + self.SLACK
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
                    self._depth = min(self._depth, NEAR)
                else:
                    self._depth = min(self._depth, length + 1)
                    continue
            if (len(node.wrong), length) < (len(self.nearest.wrong), len(self.nearest.position.line)):
                self.nearest = node
            if len(node.wrong) == 1:
                self.slips.append(node)
            if length >= self._depth or (length + 1 == self._depth and self._strays(node)):
                continue
            for after in self._ahead.after(position):
                spent += 1
                if spent > (self._budget if self.found else min(self._budget, FRUITLESS)):
                    self.is_complete = False
                    return
                further = self._node(after, node)
                if further.wrong and self.found and length + 1 >= self._depth:
                    continue
                cost = self._cost(further)
                if cost <= limit and self._is_new(after):
                    heapq.heappush(waiting, (cost, length + 1, next(order), further))

    def _strays(self, node: _Node) -> bool:
        """Whether a player's last step laid something on a place that looked right before it.

        No rule lets one more step take that back and lead to what a shorter line explains: it is not tried.
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
        """Whether the other explanation is this one and a player's step that may as well be taken after it.

        Then all of this one has happened in any case, and the step, which nobody can see, is entered by hand.
        """
        number = self._ahead.number
        return len(other.line) > len(one.line) and any(
            after.line[-1][0] != TABLE and number(after) == number(other.position)
            for after in self._ahead.after(one.position)
        )

    def expected(self, cell: Cell, node: _Node | None = None) -> Pieces:
        """What should be seen at a place, at the nearest legal layout unless another is given."""
        return self._evidence.visible(cell, (node or self.nearest).position.layout.get(cell, ()))

    def layout_of(self, position: _Position) -> dict[Cell, Pieces]:
        return {cell: self._evidence.visible(cell, pieces) for cell, pieces in position.layout.items()}

    def _is_plain(self) -> bool:
        """Whether every place was seen, and none could be taken for anything but what should lie there."""
        evidence = self._evidence
        return evidence.is_whole() and not any(
            evidence.has_rival(cell, self.seen.get(cell, ())) for cell in evidence.places
        )

    def _cost(self, node: _Node) -> int:
        """Pieces still to be explained; one that the line itself laid or took wrongly counts thrice.

        Steps that nobody can see count as well: a few may lie between two that can be seen.
        """
        cost = node.unseen
        for cell in node.wrong:
            start, now = set(self.seen.get(cell, ())), set(self.expected(cell, node))
            seen = set(self._evidence.likeliest(cell))
            cost += len(now ^ seen) + 2 * len(now - seen - start) + 2 * len(seen & start - now)
        return cost

    def _node(self, position: _Position, before: _Node) -> _Node:
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

    def _is_new(self, position: _Position) -> bool:
        """Drops a position that another way led to before, by a line that is no longer."""
        now, start = position.layout, self._start.position.layout
        otherwise = frozenset(
            (cell, now.get(cell, ())) for cell in position.moved if now.get(cell) != start.get(cell)
        )
        alike = self._known.setdefault(otherwise, [])
        known = [other for other in alike if len(other.line) <= len(position.line)]
        if known and self._ahead.number(position) in map(self._ahead.number, known):
            return False
        alike.append(position)
        return True


class Explanation(NamedTuple):
    """A line of legal actions after which the table would look as it does."""

    position: _Position
    layout: dict[Cell, Pieces]

    @property
    def line(self) -> Line:
        return self.position.line

    @property
    def chance(self) -> float:
        return self.position.chance


@cache
def _slots(kind: type) -> tuple[str, ...]:
    """The slots of a class that defines no equality of its own, as states and pools of the rules do.

    A `memo` or a private slot only keeps what was worked out from the others.
    """
    kinds = kind.__mro__[:-1]
    if any("__eq__" in vars(one) for one in kinds):
        return ()
    return tuple(
        name for one in kinds for name in vars(one).get("__slots__", ()) if name[0] != "_" and name != "memo"
    )


@cache
def _held(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    """Gets what all slots of an object hold."""
    slots = _slots(kind)
    return attrgetter(*slots) if len(slots) > 1 else lambda value: (getattr(value, slots[0]),)


def same(a: Any, b: Any) -> bool:
    """Whether two values of the rules are equal, looking into objects that define no equality."""
    numbers = Numbers()
    return a is b or numbers.of(a) == numbers.of(b)


class Numbers:
    """Gives equal values of the rules the same number, looking into objects that define no equality."""

    PLAIN = frozenset({int, str, bool, bytes, float, type(None)})

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}
        self._unhashable: list[Any] = []
        self._kept: dict[int, tuple[Hashable, Any]] = {}
        """What was numbered before, by identity: states share what no step changes."""

    def of(self, value: Any) -> Hashable:
        """A number, or another value that is equal for equal values and cheap to compare."""
        kind = value.__class__
        if kind in self.PLAIN:
            return value  # type: ignore[no-any-return]
        if kind is list:
            return self._of_all(value)
        if kind is bytearray:
            return bytes(value)
        if kind is dict:
            if self.PLAIN.issuperset(map(type, value.values())):
                return frozenset(value.items())
            return frozenset(zip(value, map(self.of, value.values()), strict=True))
        kept = self._kept.get(id(value))
        if kept is None:
            number = self._of_all(value) if kind is tuple else self._of_object(value)
            kept = self._kept[id(value)] = number, value
        return kept[0]

    def _of_all(self, values: Sequence[Any]) -> Hashable:
        if self.PLAIN.issuperset(map(type, values)):
            return tuple(values)
        return tuple([self.of(one) for one in values])

    def _of_object(self, value: Any) -> Hashable:
        slots = _slots(value.__class__)
        if not slots:
            return self._of_equal(value)
        try:
            held = _held(value.__class__)(value)
        except AttributeError:  # a slot that was never filled
            held = tuple([getattr(value, name, None) for name in slots])
        parts = (value.__class__, *[one if one.__class__ in self.PLAIN else self.of(one) for one in held])
        return self._numbers.setdefault(parts, len(self._numbers))

    def _of_equal(self, value: Any) -> Hashable:
        try:
            hash(value)
        except TypeError:
            if value not in self._unhashable:
                self._unhashable.append(value)
            return value.__class__, self._unhashable.index(value)
        return value  # type: ignore[no-any-return]


# What to say ---------------------------------------------------------------------------------------


def _judge(search: _Search, evidence: Evidence) -> Match:
    """Weighs the explanations against each other and against tables that no rule allows."""
    ranked = sorted(search.found, key=lambda one: (-_likelihood(one, evidence), len(one.line)))
    best = ranked[0]
    alike = [one for one in ranked if one.layout == best.layout and len(one.line) <= len(best.line) + 1]
    rivals = [one for one in ranked if one.layout != best.layout and _rivals(best, one, evidence)]
    doubtful = {cell for one in rivals for cell in _difference(best.layout, one.layout)}
    doubtful |= _doubtful(best, search, evidence) | _slipped(best, search, evidence)
    if doubtful:
        cells = tuple(sorted(doubtful))
        hidden = [cell for cell in cells if cell not in evidence.places]
        return Unreadable(cells, "hidden" if hidden else "unsure")
    if not best.line:
        return NoChange()
    changed = tuple(sorted(_difference(best.layout, search.seen)))
    if not search.is_complete:
        return Unreadable(changed, "too-much")
    others = [one for one in alike[1:] if not search.may_still_come(best, one)]
    if others:
        return Ambiguous((best.line, *(one.line for one in others)), changed)
    return Played(best.line)


def _likelihood(one: Explanation, evidence: Evidence) -> float:
    """The logarithm of how well a layout explains the reading."""
    return sum(log(evidence.probability(cell, one.layout.get(cell, ()))) for cell in evidence.places)


def _rivals(best: Explanation, other: Explanation, evidence: Evidence) -> bool:
    """Whether another layout cannot be ruled out; rare draws alone never rule one out.

    How rare draws are only counts between lines that draw equally often.
    """
    by_eye = _likelihood(best, evidence) - _likelihood(other, evidence)
    draws = [sum(seat == TABLE for seat, _ in one.line) for one in (best, other)]
    rarity = best.chance - other.chance if draws[0] == draws[1] else 0.0
    return by_eye < log(BY_EYE) or by_eye + rarity < log(ODDS)


def _doubtful(best: Explanation, search: _Search, evidence: Evidence) -> set[Cell]:
    """Places where something else, allowed or not, would explain the reading about as well."""
    doubtful = set()
    for cell in evidence.places:
        pieces, before = best.layout.get(cell, ()), search.seen.get(cell, ())
        if evidence.is_doubtful(cell, pieces, before):
            doubtful.add(cell)
    return doubtful


def _slipped(best: Explanation, search: _Search, evidence: Evidence) -> set[Cell]:
    """Places where a slip after far fewer steps would explain the reading about as well as a long line."""
    found = _likelihood(best, evidence) + best.chance
    doubtful: set[Cell] = set()
    for node in search.slips:
        position = node.position
        if len(position.line) + LONGER <= len(best.line):
            (cell,) = node.wrong
            other = Explanation(position, search.layout_of(position) | {cell: evidence.likeliest(cell)})
            if found < _likelihood(other, evidence) + position.chance + log(WRONG_OLD * ODDS):
                doubtful.add(cell)
    return doubtful


def _difference(a: Mapping[Cell, Pieces], b: Mapping[Cell, Pieces]) -> set[Cell]:
    """The places on which two layouts, without empty places, differ."""
    return {cell for cell, pieces in b.items() if a.get(cell) != pieces} | (a.keys() - b.keys())


def _mismatch(search: _Search, evidence: Evidence) -> Match:
    """Nothing legal fits: names what lies wrong beside the nearest legal layout, if the eyes are sure."""
    wrong = search.nearest.wrong
    sure = sorted(cell for cell in wrong if cell in evidence.certain)
    if not sure:
        return Unreadable(tuple(sorted(wrong)), "unsure")
    return Mismatch({cell: search.expected(cell) for cell in sure}, {c: evidence.certain[c] for c in sure})
