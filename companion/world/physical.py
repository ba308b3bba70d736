"""The physical table, which knows no rules: pieces with a place and an angle in millimetres, and hands.

People move things in it, well or badly (`companion.world.hands`); a virtual camera looks at it; the truth
that the eyes are measured against is `World.layout`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from math import hypot
from random import Random
from typing import NamedTuple

from companion.engine.action import Cell
from companion.engine.layout import STANDING_KINDS, Board, Face, Layout, Piece, Place
from companion.engine.marker_cards import among
from companion.engine.parts import laid_cards, lay


class Thing(NamedTuple):
    """A piece on the table: its face, its middle in mm on the board, its angle clockwise, its stack."""

    id: int
    face: str
    x: float
    y: float
    angle: float
    stack: int = 1


class Slop(NamedTuple):
    """How carelessly things are put down: millimetres and degrees, one standard deviation."""

    mm: float = 0.8
    degrees: float = 1.5


NEAT = Slop(0.0, 0.0)
ELSEWHERE_MM, ASKEW = 14.0, 9.0
"""How far from where they are expected, and how askew, people lay boards before themselves, at most."""
BESIDE = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1))
"""Where the next standing piece on a place goes, in widths of it."""


def strewn(board: Board, rng: Random, slop: Slop = NEAT) -> Board:
    """Boards that lie by themselves as people lay them, with cards not quite at their edges."""
    if not board.parts:
        return board
    at = [
        part.seat._replace(
            x=part.seat.x + rng.uniform(-ELSEWHERE_MM, ELSEWHERE_MM),
            y=part.seat.y + rng.uniform(-ELSEWHERE_MM, ELSEWHERE_MM),
            turn=(part.seat.turn + rng.uniform(-ASKEW, ASKEW)) % 360,
        )
        for part in board.parts
    ]
    laid = lay(board, at)
    cards = [
        card._replace(
            x=card.x + rng.gauss(0, slop.mm),
            y=card.y + rng.gauss(0, slop.mm),
            turn=(card.turn + rng.gauss(0, slop.degrees)) % 360,
        )
        for card in laid_cards(laid)
    ]
    return among(laid, cards)


class World:
    """A table with a board and what lies on it; safe to use from several threads."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.faces = {face.name: face for face in board.faces}
        self.hands: tuple[tuple[float, float], ...] = ()
        """Hands over the board, each where its fingers are."""
        self._things: list[Thing] = []
        self._next = 1
        self._lock = threading.RLock()

    # Looking -----------------------------------------------------------------------------------

    def things(self) -> list[Thing]:
        """Everything on the table, the lowest first."""
        with self._lock:
            return list(self._things)

    def thing(self, number: int) -> Thing:
        """One thing by its number."""
        with self._lock:
            return next(thing for thing in self._things if thing.id == number)

    def cell_at(self, x: float, y: float) -> Cell | None:
        """The place whose outline holds a point; the nearest one where places overlap."""
        best: tuple[float, Cell] | None = None
        for cell, place in enumerate(self.board.places):
            dx, dy = x - place.x, y - place.y
            far = dx * dx + dy * dy
            if place.turn:
                dx, dy = place.across(x, y)
            is_inside = abs(dx) <= place.width / 2 and abs(dy) <= place.height / 2
            if is_inside and (best is None or far < best[0]):
                best = (far, cell)
        return None if best is None else best[1]

    def at(self, cell: Cell) -> list[Thing]:
        """The things on a place, the lowest first."""
        return [thing for thing in self.things() if self.cell_at(thing.x, thing.y) == cell]

    def layout(self) -> Layout:
        """What really lies where, with angles read as quarter turns."""
        found: dict[Cell, list[Piece]] = {}
        for thing in self.things():
            cell = self.cell_at(thing.x, thing.y)
            if cell is not None:
                found.setdefault(cell, []).append(self._piece(thing, cell))
        return {cell: self.sorted(pieces) for cell, pieces in found.items()}

    def sorted(self, pieces: Iterable[Piece]) -> tuple[Piece, ...]:
        """Pieces of a place as layouts hold them: lying ones from the bottom, then standing ones by name."""
        pieces = list(pieces)
        lying = [piece for piece in pieces if self.faces[piece.face].kind not in STANDING_KINDS]
        return (*lying, *sorted(piece for piece in pieces if self.faces[piece.face].kind in STANDING_KINDS))

    def _piece(self, thing: Thing, cell: Cell) -> Piece:
        place = self.board.places[cell]
        turn = 0 if place.any_turn else self.faces[thing.face].turn_of(thing.angle - place.turn)
        return Piece(thing.face, turn, thing.stack)

    # Moving ------------------------------------------------------------------------------------

    def put(self, face: str, x: float, y: float, angle: float = 0.0, stack: int = 1) -> Thing:
        """Puts a new piece on the table, above what is there."""
        with self._lock:
            thing = Thing(self._next, face, x, y, angle, stack)
            self._next += 1
            self._things.append(thing)
            return thing

    def move(self, number: int, x: float, y: float, angle: float | None = None) -> Thing:
        """Lifts a piece and puts it down elsewhere, above what is there."""
        with self._lock:
            thing = self.thing(number)
            self._things.remove(thing)
            moved = thing._replace(x=x, y=y, angle=thing.angle if angle is None else angle)
            self._things.append(moved)
            return moved

    def change(self, number: int, face: str | None = None, stack: int | None = None) -> Thing:
        """Turns a piece over or changes its stack where it lies."""
        with self._lock:
            i = next(i for i, thing in enumerate(self._things) if thing.id == number)
            thing = self._things[i]
            self._things[i] = thing._replace(face=face or thing.face, stack=stack or thing.stack)
            return self._things[i]

    def take(self, number: int) -> Thing:
        """Takes a piece off the table."""
        with self._lock:
            thing = self.thing(number)
            self._things.remove(thing)
            return thing

    def clear(self) -> None:
        """Takes everything off the table."""
        with self._lock:
            self._things.clear()
            self.hands = ()

    def lay(self, cell: Cell, piece: Piece, rng: Random, slop: Slop = NEAT) -> Thing:
        """Puts a piece on a place about where it belongs.

        A second standing piece goes beside the first, or on top of one that is much larger; where there is
        room, it goes beside a token too, and makes room for one.
        """
        place, face = self.board.places[cell], self.faces[piece.face]
        x, y = place.x + rng.gauss(0, slop.mm), place.y + rng.gauss(0, slop.mm)
        if face.kind in STANDING_KINDS:
            x, y = self._free(cell, face, x, y)
        angle = place.turn + piece.turn + rng.gauss(0, slop.degrees)
        thing = self.put(piece.face, x, y, angle, piece.stack)
        for other in self.at(cell):
            upright = self.faces[other.face]
            if upright.kind in STANDING_KINDS and thing.id != other.id and self._hides(other, thing, place):
                self.move(other.id, *self._free(cell, upright, place.x, place.y))
        return thing

    def _free(self, cell: Cell, face: Face, x: float, y: float) -> tuple[float, float]:
        """The first spot around (x, y) where a standing piece stands on nobody's toes and hides no token.

        It keeps off other places as well as it can.
        """
        place, there = self.board.places[cell], self.at(cell)
        spots = [
            Thing(0, face.name, x + dx * face.width, y + dy * face.width * 0.85, 0.0) for dx, dy in BESIDE
        ]
        free = [
            spot
            for spot in spots
            if (spot is spots[0] or self.cell_at(spot.x, spot.y) == cell)
            and not any(self._hides(spot, other, place) for other in there)
        ]
        reach = 0.4 * face.width
        apart = [
            spot
            for spot in free
            if all(
                self.cell_at(spot.x + dx, spot.y + dy) in (cell, None)
                for dx, dy in ((reach, 0), (-reach, 0), (0, reach), (0, -reach))
            )
        ]
        best = (*apart, *free, spots[0])[0]
        return best.x, best.y

    def _hides(self, upright: Thing, other: Thing, place: Place) -> bool:
        """Whether a standing piece leaves no room for another one, or hides a token though there is room."""
        wide, its = self.faces[upright.face].width, self.faces[other.face]
        far = hypot(upright.x - other.x, upright.y - other.y)
        if its.kind in STANDING_KINDS:
            return its.width < 2 * wide and far < 0.7 * wide
        return place.width > 2 * wide and its.width < 1.2 * wide and far < 0.5 * (wide + its.width) - 2

    def set_up(self, layout: Layout, rng: Random, slop: Slop = NEAT) -> None:
        """Clears the table and lays everything as a layout says."""
        with self._lock:
            self.clear()
            for cell, pieces in layout.items():
                for piece in pieces:
                    self.lay(cell, piece, rng, slop)
