"""How likely each place looks as it does if certain pieces lie there, judged by the looks at a resting table.

Readings alone are not enough. A standing piece hides a part of what lies below it, looks at one table are not
independent, a reading names only a few of all possible pieces, and people slip. `Evidence` takes all of that
into account; it knows no rule of any game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import cache
from math import exp, log

from companion.engine.action import Cell
from companion.engine.layout import STANDING_KINDS, Board, Layout, Piece, covers
from companion.engine.observation import Observation, Reading, Why

Pieces = tuple[Piece, ...]

BESIDE_KINDS = frozenset({"token"})
"""Kinds of pieces that lie beside a standing piece, so that it does not hide them."""
MIN_PLAUSIBLE = 0.01
"""A place contradicts pieces to which its readings give less than this probability."""
HIDDEN_FACE_FLOOR = 0.1
"""A face under a standing piece keeps this share of the probability of other faces read there: the standing
piece may hide the difference."""
CLEARLY_SEEN = 0.99
"""Unless every look is at least this sure of another face there."""
VAGUE_BELOW = 0.5
"""A place is vague if no look gives any pieces more than this. A vague place does not speak against pieces
that lay there before."""
DOMINANT_SHARE = 0.75
"""In a vague look, a face with nothing standing on it counts above this share of all that is named."""
MIN_PROBABILITY, UNNAMED_SHARE, UNNAMED_STANDING_SHARE = 1e-4, 0.015, 0.05
"""The probability of pieces that a look does not name: at least this, and this share of what the look leaves
over; the last if they differ in what stands there, for readings name fewer of those."""
SLIP_PRIOR_UNTOUCHED, SLIP_PRIOR_PLACED, SLIP_PRIOR_HIDDEN = 0.001, 0.02, 0.0001
"""How often people disturb a place that nobody should touch, put a wrong piece where one belongs, and
exchange the face under a standing piece."""
REQUIRED_ODDS = 200.0
"""How many times likelier than every other explanation one must be, slips and draws considered."""


class Evidence:
    """The readings of one or more looks, as a probability of pieces per place.

    `contradicts` says whether a place rules out some pieces, `is_doubtful` whether other pieces would explain
    it about as well, and `probability` what both are based on. Pieces are compared as they are `visible`.
    Throughout, `lying` are the faces and tokens at a place, `standing` the pawns, figures and dice on them.
    """

    def __init__(self, board: Board, looks: Sequence[Observation]) -> None:
        self._faces = {face.name: face for face in board.faces}
        self._alike = {face: other for look in looks for face, other in look.alike.items()}
        self._by_outline = {face: other for look in looks for face, other in look.by_outline.items()}
        self._count = len(board.places)
        self.places: dict[Cell, dict[Pieces, float]] = {}
        """The probability of the pieces that any look names, for each place that was seen."""
        self._looks: dict[Cell, tuple[list[dict[Pieces, float]], float]] = {}
        """The probabilities by each look, and the logarithm of what normalises their average."""
        self.certain: dict[Cell, Pieces] = {}
        """The pieces that most looks are sure of, and no look is sure of others."""
        self._heights: set[Cell] = set()
        """The places where looks tell how high pieces are stacked."""
        self._any_turn = {cell for cell, place in enumerate(board.places) if place.any_turn}
        self._visible: dict[tuple[bool, bool, Pieces], Pieces] = {}
        self._parts: dict[Pieces, tuple[Pieces, Pieces]] = {}
        self._probabilities: dict[tuple[Cell, Pieces], float] = {}
        self._vague_cells: set[Cell] = set()
        self._blurs = [look.blurs for look in looks]
        self._transient = [cell for cell, place in enumerate(board.places) if place.is_transient]
        self._taken_up: set[tuple[Cell, Pieces]] = set()
        self.set_before({})
        for cell in sorted({cell for look in looks for cell in look.readings}):
            self._add(cell, [look.readings[cell] for look in looks if cell in look.readings])

    def _add(self, cell: Cell, readings: list[Reading]) -> None:
        """Averages the looks at a place, since they are not independent: more looks count a little more."""
        shares = [self._shares(cell, reading) for reading in readings]
        names = {pieces for share in shares for pieces in share}
        if not names:
            return
        if max(p for share in shares for p in share.values()) < VAGUE_BELOW:
            self._vague_cells.add(cell)
        weight = len(shares) ** -0.5
        scores = {name: weight * sum(log(self._share(share, name)) for share in shares) for name in names}
        best = max(scores.values())
        total = sum(exp(score - best) for score in scores.values())
        self.places[cell] = {
            name: max(MIN_PROBABILITY, exp(score - best) / total) for name, score in scores.items()
        }
        self._looks[cell] = shares, best + log(total)
        sure = [self.visible(cell, reading.pieces) for reading in readings if reading.pieces is not None]
        if len(sure) * 2 > len(readings) and len(set(sure)) == 1:
            self.certain[cell] = sure[0]

    def why_unsure(self, cells: Iterable[Cell]) -> Why:
        """Why these places cannot be told, as most looks at them have it."""
        named = Counter(blurs[cell] for cell in cells for blurs in self._blurs if cell in blurs)
        return named.most_common(1)[0][0] if named else "unsure"

    def _shares(self, cell: Cell, reading: Reading) -> dict[Pieces, float]:
        """The probabilities of the pieces that one reading names, as they are visible."""
        guesses = list(reading.guesses)
        if reading.pieces is not None and all(pieces != reading.pieces for pieces, _ in guesses):
            guesses.append((reading.pieces, reading.confidence))
        if any(piece.stack > 1 for pieces, _ in guesses for piece in pieces):
            self._heights.add(cell)
        shares: dict[Pieces, float] = {}
        for pieces, probability in guesses:
            seen = self.visible(cell, pieces)
            shares[seen] = shares.get(seen, 0.0) + probability
        return {pieces: min(max(p, MIN_PROBABILITY), 1.0) for pieces, p in shares.items()}

    def _share(self, share: dict[Pieces, float], pieces: Pieces) -> float:
        """The probability of pieces by one look; a part of what it leaves over for those it does not name.

        That part is larger for other standing pieces, of which readings name fewer than of other faces.
        """
        likeliest = max(share, key=lambda name: share[name])
        is_other = self.parts(pieces)[1] != self.parts(likeliest)[1]
        left = max(0.0, 1 - sum(share.values()))
        unnamed = max(MIN_PROBABILITY, left * (UNNAMED_STANDING_SHARE if is_other else UNNAMED_SHARE))
        return max(share.get(pieces, 0.0), unnamed)

    def _unnamed(self, cell: Cell, pieces: Pieces) -> float:
        """The probability of pieces that no look at a place names."""
        shares, total = self._looks[cell]
        score = len(shares) ** -0.5 * sum(log(self._share(share, pieces)) for share in shares)
        return max(MIN_PROBABILITY, exp(score - total))

    def visible(self, cell: Cell, pieces: Pieces) -> Pieces:
        """The pieces as far as a camera shows them: without what is covered, or turns that do not show.

        Pieces of one colour and outline are named as the first of them; transient pieces may be gone.
        """
        if self._taken_up and (cell, pieces) in self._taken_up:
            return ()
        key = (cell in self._heights, cell in self._any_turn, pieces)
        seen = self._visible.get(key)
        if seen is None:
            seen = self._visible[key] = self._as_seen(*key)
        return seen

    def _as_seen(self, with_height: bool, any_turn: bool, pieces: Pieces) -> Pieces:
        lying: list[Piece] = []
        standing: list[Piece] = []
        for piece in pieces:
            face = self._faces.get(piece.face)
            turn = 0 if any_turn else piece.turn if face is None else face.turn_of(piece.turn)
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
        return face is not None and face.kind in STANDING_KINDS

    def _covers(self, piece: Piece, below: Piece) -> bool:
        top, under = self._faces.get(piece.face), self._faces.get(below.face)
        if top is None or under is None:
            return False
        return covers((top.width, top.height), (under.width, under.height))

    def parts(self, pieces: Pieces) -> tuple[Pieces, Pieces]:
        """Splits pieces into those that lie and those that stand."""
        found = self._parts.get(pieces)
        if found is None:
            lying = tuple(piece for piece in pieces if not self._stands(piece))
            found = self._parts[pieces] = lying, pieces[len(lying) :]
        return found

    def allow_taken_up(self, layout: Layout) -> None:
        """Lets transient pieces of a layout that are not seen any more count as taken up, not as missing."""
        self._taken_up = {
            (cell, layout[cell])
            for cell in self._transient
            if cell in layout and cell in self.places and not self.likeliest(cell)
        }

    def set_before(
        self, layout: Mapping[Cell, Pieces], next_step: Callable[[], Set[tuple[Cell, Pieces]]] = frozenset
    ) -> None:
        """Sets the layout before the move: what lay under a standing piece is presumed to lie there still.

        `next_step` returns the places and pieces that one legal step would change; it is called at most once.
        """
        self._before, self._next_step = layout, cache(next_step)
        self._probabilities.clear()

    def probability(self, cell: Cell, pieces: Pieces) -> float:
        """How likely the place looks as it does if these pieces lie there; 1 for a place not seen."""
        found = self._probabilities.get((cell, pieces))
        if found is None:
            found = self._probabilities[cell, pieces] = self._probability(cell, pieces)
        return found

    def _probability(self, cell: Cell, pieces: Pieces) -> float:
        """Raises what the looks say where a standing piece or a token may hide the difference.

        A face under it gets a share of what other faces there have, unless every look is clear about another
        face, or another turn of the same face is likelier. Pieces that were there before stay plausible where
        the looks are vague.
        """
        shares = self.places.get(cell)
        if shares is None:
            return 1.0
        found = shares[pieces] if pieces in shares else self._unnamed(cell, pieces)
        (lying, standing), before = self.parts(pieces), self._before.get(cell, ())
        hides = bool(standing or self._tokens(lying))
        if found < HIDDEN_FACE_FLOOR and hides and (lying or not self.parts(before)[0]):
            others = [other for other in shares if self._differs_where_hidden(pieces, other)]
            alike = [(lies, shares[other]) for other in others if (lies := self.parts(other)[0])]
            is_clear = all(
                sum(look.get(other, 0.0) for other in others) >= CLEARLY_SEEN for look in self._looks[cell][0]
            )
            if not is_clear and not any(
                lying and not self._is_other_face(lying, lies) and p > found for lies, p in alike
            ):
                found = max(found, HIDDEN_FACE_FLOOR * sum(p for _, p in alike))
            if standing and pieces == before and self._is_vague(cell, pieces):
                found = max(found, MIN_PLAUSIBLE)
        return found

    def _is_vague(self, cell: Cell, pieces: Pieces) -> bool:
        """Whether no look speaks against these pieces, not even by more or fewer standing there."""
        if cell not in self._vague_cells:
            return False
        return all(
            max(self._more_standing(look, pieces), self._fewer_standing(look, pieces))
            < VAGUE_BELOW * sum(look.values())
            for look in self._looks[cell][0]
        )

    def _fewer_standing(self, shares: Mapping[Pieces, float], pieces: Pieces) -> float:
        """How likely fewer of the standing pieces are there, whatever lies below.

        None of them counts only with the same face below, or with one that dominates the look.
        """
        lying, standing = self.parts(pieces)
        dominant = DOMINANT_SHARE * sum(shares.values())
        return sum(
            p
            for other, p in shares.items()
            if Counter(stand := self.parts(other)[1]) < Counter(standing)
            and (stand or other == lying or p > dominant)
        )

    def _is_named(self, cell: Cell, pieces: Pieces) -> bool:
        """Whether every look names these pieces, or ones that differ only where they are hidden."""
        return all(
            sum(
                p
                for other, p in look.items()
                if other == pieces or self._is_unchangeable_difference(cell, pieces, other)
            )
            >= VAGUE_BELOW
            for look in self._looks[cell][0]
        )

    def _more_standing(self, shares: Mapping[Pieces, float], pieces: Pieces) -> float:
        """How likely more standing pieces are there than these, whatever lies below."""
        standing = Counter(self.parts(pieces)[1])
        return sum(p for other, p in shares.items() if standing < Counter(self.parts(other)[1]))

    def _token_added(self, cell: Cell, pieces: Pieces) -> float:
        """How likely one more token lies there, on the same face and beside the same standing pieces."""
        (lying, standing), n = self.parts(pieces), len(self.parts(pieces)[0])
        return sum(
            p
            for other, p in self.places[cell].items()
            if n and self.parts(other)[1] == standing and other[:n] == lying and self._tokens(other[n:])
        )

    def _is_token_missing(self, cell: Cell, pieces: Pieces) -> bool:
        """Whether looks hardly name a token that should lie there, though at most one piece could hide it."""
        lying, standing = self.parts(pieces)
        tokens = self._tokens(lying)
        return (
            bool(tokens)
            and len(standing) < 2
            and all(
                sum(p for other, p in look.items() if self._tokens(self.parts(other)[0]) == tokens)
                < VAGUE_BELOW * sum(look.values())
                for look in self._looks[cell][0]
            )
        )

    def _is_exchanged(self, cell: Cell, pieces: Pieces) -> bool:
        """Whether the looks are sure of another face under the same standing pieces."""
        seen = self.certain.get(cell)
        return seen is not None and bool(self.parts(pieces)[0]) and self._differs_where_hidden(pieces, seen)

    def is_doubtful(self, cell: Cell, pieces: Pieces, before: Pieces) -> bool:
        """Whether other pieces, allowed or not, would explain the reading about as well."""
        if self._is_vague(cell, pieces):
            is_still_there = pieces == before and bool(self.parts(pieces)[1] or pieces in self.places[cell])
            if not is_still_there and not self._is_named(cell, pieces):
                return True  # pieces that looks hardly name are only believed where they were before
            if pieces == before:
                token_added = self._token_added(cell, pieces) * SLIP_PRIOR_UNTOUCHED * REQUIRED_ODDS
                return self.probability(cell, pieces) < token_added or self._is_token_missing(cell, pieces)
        if pieces == before and self._is_exchanged(cell, pieces):
            return True
        found = self.probability(cell, pieces)
        usual = SLIP_PRIOR_UNTOUCHED if pieces == before else SLIP_PRIOR_PLACED
        return found < self._more_standing(self.places[cell], pieces) * usual * REQUIRED_ODDS or any(
            found < p * self._slip_prior(cell, pieces, other, usual) * REQUIRED_ODDS
            for other, p in self.places[cell].items()
            if other != pieces
        )

    def _slip_prior(self, cell: Cell, pieces: Pieces, other: Pieces, usual: float) -> float:
        """The prior that `other` pieces are there although `pieces` should be."""
        if not self._differs_where_hidden(pieces, other):
            return usual
        if self._may_be_exchanged(cell, pieces, other):
            return SLIP_PRIOR_PLACED
        return SLIP_PRIOR_HIDDEN if self._is_unchangeable_difference(cell, pieces, other) else usual

    def _may_be_exchanged(self, cell: Cell, pieces: Pieces, other: Pieces) -> bool:
        """Whether the rules now let people put other pieces in place of those that were there."""
        return pieces == self._before.get(cell, ()) and (cell, other) in self._next_step()

    def has_rival(self, cell: Cell, pieces: Pieces) -> bool:
        """Whether other pieces may lie there, judged by the looks alone, without a prior for slips."""
        found = self.probability(cell, pieces)
        return any(
            found < p * REQUIRED_ODDS
            for other, p in self.places[cell].items()
            if other != pieces and not self._is_unchangeable_difference(cell, pieces, other)
        )

    def _is_unchangeable_difference(self, cell: Cell, pieces: Pieces, other: Pieces) -> bool:
        """Whether two sets of pieces differ only where they are hidden and nothing can have changed.

        A face that lay there before does not change while something stands on it, unless the next legal step
        exchanges it. A face that the move laid there may be turned wrongly, but is no other face.
        """
        if not self._differs_where_hidden(pieces, other) or self._may_be_exchanged(cell, pieces, other):
            return False
        lying, lies = self.parts(pieces)[0], self.parts(other)[0]
        if lying == self.parts(self._before.get(cell, ()))[0]:
            return True
        return bool(lying and lies) and self._is_other_face(lying, lies)

    def _is_other_face(self, lying: Pieces, lies: Pieces) -> bool:
        """Whether the topmost faces below the same tokens are different faces, not turns of one."""
        tokens = self._same_tokens(lying, lies)
        return lying[-1 - tokens].face != lies[-1 - tokens].face

    def _same_tokens(self, lying: Pieces, lies: Pieces) -> int:
        """How many tokens lie on top at both places, if they are the same and lie on something."""
        tokens = self._tokens(lying)
        n = len(tokens)
        is_on_both = min(len(lying), len(lies)) > n and lying[-n:] == lies[-n:] == tokens
        return n if is_on_both and self._tokens(lies) == tokens else 0

    def _differs_where_hidden(self, pieces: Pieces, other: Pieces) -> bool:
        """Whether two sets of pieces differ only below the same standing pieces or the same tokens.

        `other` was read, `pieces` are supposed.
        """
        (lying, standing), (lies, stands) = self.parts(pieces), self.parts(other)
        if stands != standing or lies == lying:
            return False
        if self._same_tokens(lying, lies):
            return True
        if not standing:
            return False
        tokens, seen = self._tokens(lying), self._tokens(lies)
        # Several standing pieces may hide a token as well; a token that was read is there.
        return seen == tokens or (len(standing) > 1 and set(seen) <= set(tokens))

    def _tokens(self, lying: Pieces) -> Pieces:
        """The pieces that lie beside standing ones, not under them."""
        return tuple(piece for piece in lying if self._faces[piece.face].kind in BESIDE_KINDS)

    def is_whole(self) -> bool:
        """Whether every place of the board was seen."""
        return len(self.places) == self._count

    def likeliest(self, cell: Cell) -> Pieces:
        """The pieces that the place looks most like."""
        shares = self.places[cell]
        return max(shares, key=lambda pieces: shares[pieces])

    def contradicts(self, cell: Cell, pieces: Pieces) -> bool:
        """Whether the looks rule these pieces out."""
        return self.probability(cell, pieces) < MIN_PLAUSIBLE
