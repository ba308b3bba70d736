"""What the killer can work out: where each survivor can be, from public facts and rules alone.

The clues are one set of triples: where the three survivors may be together. Every public fact takes triples
away (an answer, a frightened area, a report), every chance to move unseen adds what can be reached. The set
is a bit mask of 15³ bits, so a fact about one survivor also tells about the others. It is computed from what
was announced, never from the truth, so showing it to the killer gives nothing away.

In the first round nobody holds an unknown card, so there the noise report is explained exactly; later a noise
must only have had somebody near enough to make it, and with skills or plans even that is left out. Cards that
survivors may hold are assumed to be held.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from companion.engine.action import Cell
from companion.engine.grid import cells_of
from companion.games.whisper.pieces import (
    BESIDE,
    IN_PLAY,
    SECRET,
    SECRET_ENDS,
    SURVIVORS,
    WAYS,
    N,
)

_STRIDE = (N * N, N, 1)
_EVERY = (1 << N**3) - 1
_SOPHIA, _WILLIAM = SURVIVORS.index("sophia"), SURVIVORS.index("william")
Relation = tuple[int, ...]
"""For each location the locations that can follow it, as masks."""


def _slab(axis: int, cell: int) -> int:
    stride = _STRIDE[axis]
    block = (1 << stride) - 1
    return sum(block << start for start in range(cell * stride, N**3, stride * N))


_SLAB = tuple(tuple(_slab(axis, cell) for cell in range(N)) for axis in range(IN_PLAY))


@lru_cache(maxsize=1 << 12)
def _only(axis: int, mask: int) -> int:
    """The triples with one survivor inside an area."""
    return sum(_SLAB[axis][cell] for cell in cells_of(mask))


class Walk(NamedTuple):
    """How far a survivor can have gone unseen in one turn."""

    barred: int
    steps: int
    """Steps of the main action and of extra actions together."""
    extra: int
    """Steps of extra actions alone, when the main action is another."""
    passages: int
    """Secret passages used as the main action: 0 or 1; 2 stands for any number as extra actions."""
    linked: bool = False


@lru_cache(maxsize=256)
def _walks(walk: Walk) -> Relation:
    """Where each location leads in one turn."""
    return tuple(_from(walk, start) for start in range(N))


def _from(walk: Walk, start: Cell) -> int:
    found = _spread(walk.barred, 1 << start, walk.steps)
    if walk.passages == 1:
        before = 1 << start
        for used in range(walk.extra + 1):
            through = _through(before, walk.linked)
            found |= _spread(walk.barred, through, walk.extra - used)
            before = _spread(walk.barred, before, 1)
    if walk.passages == 2:
        layer = 1 << start
        for _ in range(walk.steps):
            layer |= _through(layer, walk.linked)
            layer = _spread(walk.barred, layer, 1)
        found |= layer | _through(layer, walk.linked)
    return found


def _spread(barred: int, mask: int, steps: int) -> int:
    for _ in range(steps):
        for cell in cells_of(mask):
            for to, bar in WAYS[cell]:
                if not barred & bar:
                    mask |= 1 << to
    return mask


def _through(mask: int, linked: bool) -> int:
    found = 0
    for cell in cells_of(mask & SECRET_ENDS):
        found |= SECRET_ENDS & ~(1 << cell) if linked else SECRET[cell]
    return found


@lru_cache(maxsize=1 << 12)
def _shifts(axis: int, relation: Relation) -> tuple[tuple[int, int], ...]:
    """The moves of one survivor grouped by how far they shift a triple: which triples, how far."""
    masks: dict[int, int] = {}
    for cell in range(N):
        for to in cells_of(relation[cell]):
            shift = (to - cell) * _STRIDE[axis]
            masks[shift] = masks.get(shift, 0) | _SLAB[axis][cell]
    return tuple((mask, shift) for shift, mask in masks.items())


def _apply(triples: int, axis: int, relation: Relation) -> int:
    """Moves one survivor of every triple."""
    found = 0
    for mask, shift in _shifts(axis, relation):
        part = triples & mask
        if part:
            found |= part << shift if shift >= 0 else part >> -shift
    return found


class Clues(NamedTuple):
    """What the killer can know about the survivors' places."""

    cast: tuple[int, ...]
    skilled: bool
    """Variants 1 or 3 add ways to move and to make noise."""
    stride: int
    """How many steps one adrenaline gives."""
    before: int
    """The triples possible when the survivors' turn began."""
    now: int
    turn: int = 0
    gone: int = 0
    """The survivors who are dead or have escaped; they do not move."""

    @classmethod
    def start(cls, cast: tuple[int, ...], skilled: bool, stride: int, at: Cell) -> Clues:
        """Everybody begins at the main entrance (WW-SETUP-18)."""
        triples = _EVERY
        for axis in range(IN_PLAY):
            triples &= _SLAB[axis][at]
        return cls(cast, skilled, stride, triples, triples)

    def possible(self, i: int) -> int:
        """Where a survivor can be."""
        return sum(1 << cell for cell in range(N) if self.now & _SLAB[i][cell])

    def holds(self, places: list[int], gone: list[int]) -> bool:
        """Says whether the truth is among the triples; survivors out of the house do not count."""
        triples = self.now
        for i in range(IN_PLAY):
            if not gone[i]:
                triples &= _SLAB[i][places[i]]
        return triples != 0

    # What the killer learns --------------------------------------------------------------------

    def answered(self, area: int, named: int, immune: int = 0) -> Clues:
        """Those named are in the area, those not named are outside; the immune are never named."""
        triples = self.now
        for i in range(IN_PLAY):
            if named >> i & 1:
                triples &= _only(i, area)
            elif not (immune | self.gone) >> i & 1:
                triples &= ~_only(i, area)
        return self._replace(now=triples)

    def seen(self, i: int, at: Cell) -> Clues:
        """One survivor told the exact location."""
        return self._replace(now=self.now & _SLAB[i][at])

    def left(self, i: int) -> Clues:
        """A survivor died or escaped."""
        return self._replace(gone=self.gone | 1 << i)

    def fled(self, mask: int, barred: int, steps: int) -> Clues:
        """Those met may have fled (WW-FLEE-04)."""
        triples = self.now
        for i in cells_of(mask & ~self.gone):
            triples = _apply(triples, i, _walks(Walk(barred, steps, 0, 0)))
        return self._replace(now=triples)

    # The survivors' turn -----------------------------------------------------------------------

    def turn_began(self, turn: int, barred: int) -> Clues:
        """From now on everybody may have moved."""
        fresh = self._replace(before=self.now, turn=turn)
        return fresh.way_opened(barred)

    def way_opened(self, barred: int) -> Clues:
        """A barricade was removed during the turn: more can be reached, since it began."""
        triples = self.before
        for i in range(IN_PLAY):
            if not self.gone >> i & 1:
                triples = _apply(triples, i, _walks(self._walk(i, barred)))
        return self._replace(now=triples)

    def reported(self, noise: int, barred: int) -> Clues:
        """Somebody made each noise that was reported (WW-NOISE-08)."""
        if self.turn == 1 and not self.skilled:
            return self._replace(now=self._first_report(noise, barred))
        if self.skilled:
            return self
        triples = self.now
        for at in cells_of(noise):
            triples &= self._near(at, barred)
        return self._replace(now=triples)

    def _walk(self, i: int, barred: int) -> Walk:
        """The most a survivor can do in this turn with cards that may be held."""
        who = self.cast[i]
        extra = self.stride * min(3, self.turn - 1)
        main = 3 if who == _WILLIAM else 2
        passages = 1 if who == _SOPHIA or self.turn > 1 else 0
        if who == _SOPHIA and self.turn > 1:
            passages = 2
        if self.skilled:
            main, extra, passages = 4, extra + 5, 2 if who == _SOPHIA else 1
        return Walk(barred, main + extra, extra, passages, self.skilled)

    def _near(self, at: Cell, barred: int) -> int:
        """The triples in which somebody can have made noise at a location and gone on from there."""
        spots = BESIDE[at] | 1 << at
        found = 0
        for i in range(IN_PLAY):
            if self.gone >> i & 1:
                continue
            walk = self._walk(i, barred)
            triples = _apply(self.before, i, _passing(walk, spots))
            for other in range(IN_PLAY):
                if other != i and not self.gone >> other & 1:
                    triples = _apply(triples, other, _walks(self._walk(other, barred)))
            found |= triples
        return found

    def _first_report(self, noise: int, barred: int) -> int:
        """Explains the first report: one equipment draw, Sophia's camera, William's sprint, nothing else."""
        found = 0
        cells = list(cells_of(noise))
        for sprint in (-1, *cells):
            for camera in (-1, *cells):
                for equip in (-1, *cells):
                    told = {sprint, camera, equip} - {-1}
                    if len(told) == len(cells):
                        found |= self._explained(sprint, camera, equip, barred)
        return found

    def _explained(self, sprint: Cell, camera: Cell, equip: Cell, barred: int) -> int:
        """The triples after the first turn if these three sources made the noise (-1: made none)."""
        cast = self.cast
        if (sprint >= 0 and _WILLIAM not in cast) or (camera >= 0 and _SOPHIA not in cast):
            return 0
        triples = self.before
        for i, who in enumerate(cast):
            steps = 3 if who == _WILLIAM and sprint >= 0 else 2
            walk = Walk(barred, steps, 0, 1 if who == _SOPHIA else 0)
            moves = _walks(walk)
            if who == _WILLIAM and sprint >= 0:
                moves = tuple(mask & 1 << sprint for mask in moves)
            if who == _SOPHIA and camera >= 0:
                # The camera clicks where she stands before or after her main action.
                moves = tuple(
                    mask if cell == camera else mask & 1 << camera for cell, mask in enumerate(moves)
                )
            triples = _apply(triples, i, moves)
        if equip >= 0:
            triples &= _only(0, 1 << equip) | _only(1, 1 << equip) | _only(2, 1 << equip)
        return triples


@lru_cache(maxsize=1 << 12)
def _passing(walk: Walk, spots: int) -> Relation:
    """Where each location leads in a turn that comes by one of some spots."""
    ways = _walks(walk)
    found = []
    for start in range(N):
        ends = 0
        for spot in cells_of(ways[start] & spots):
            ends |= ways[spot]
        found.append(ends & ways[start])
    return tuple(found)
