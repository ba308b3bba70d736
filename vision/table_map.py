"""Boards among marker cards: where each lies on the table, whether it is the right one, and how that is kept.

The table has millimetres of its own, in which the cards were surveyed. A board is a thing with a place and a
turn in them; its own millimetres begin at its upper left corner.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import NamedTuple

import numpy as np

from companion.engine.errors import ConfigError, DeviceError
from companion.engine.layout import At, Board, Place
from companion.engine.marker_cards import CARDS, CardPlace, among
from vision.calibrate import read_lens, write_lens
from vision.card_survey import cards_at
from vision.images import Doubles
from vision.pose import Lens, Pose, fit_pose, rigid


def table_of(cards: Sequence[CardPlace]) -> Board:
    """The table itself as a board, in its own millimetres: what cards alone tell."""
    outline = np.array([corner for card in cards for corner in card.outline()])
    (left, top), (right, bottom) = outline.min(axis=0), outline.max(axis=0)
    whole = Place("table", (left + right) / 2, (top + bottom) / 2, right - left, bottom - top)
    return among(Board("table", float(right), float(bottom), (whole,), (), ()), cards)


def pose_by_cards(
    found: Mapping[int, Doubles], cards: Sequence[CardPlace], width: int, height: int, lens: Lens | None
) -> Pose:
    """The pose of the table by the cards in one picture; raises `DeviceError` where there are too few."""
    pose = fit_pose(table_of(cards), found, width, height, lens)
    if pose is None:
        raise DeviceError("Too few of the marker cards can be made out: take hands and pieces off them.")
    return pose


class BoardPlace(NamedTuple):
    """Where a board lies on the table: its upper left corner in mm, its turn clockwise, as measured."""

    x: float
    y: float
    turn: float
    width: float
    height: float
    """The size as it was measured."""
    skew: float
    """By how many degrees its corners are not square."""
    off_mm: float
    """How far its corners are from those of a board of the right size, at most."""


def place_board(corners_mm: Doubles, width: float, height: float) -> BoardPlace:
    """Lays a board of known size where its four corners are, clockwise from its upper left one."""
    rim = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    seen = np.asarray(corners_mm, np.float64).reshape(4, 2)
    x, y, angle = rigid(rim, seen)
    sides = np.roll(seen, -1, axis=0) - seen
    lengths = np.linalg.norm(sides, axis=1)
    headings = np.arctan2(sides[:, 1], sides[:, 0])
    turns = (np.degrees(np.roll(headings, -1) - headings) + 180) % 360 - 180
    c, s = np.cos(angle), np.sin(angle)
    off = np.linalg.norm(rim @ np.array([[c, s], [-s, c]]) + (x, y) - seen, axis=1)
    return BoardPlace(
        float(x),
        float(y),
        float(np.degrees(angle) % 360),
        float(lengths[[0, 2]].mean()),
        float(lengths[[1, 3]].mean()),
        float(np.abs(turns - 90).max()),
        float(off.max()),
    )


WRONG_SHARE, WRONG_SKEW = 0.03, 2.0
"""A board that is larger or smaller by this share, or askew by this many degrees, is another one."""


def wrong_board(laid: BoardPlace, width: float, height: float) -> str:
    """Why what was measured cannot be a board of this size, as a sentence; empty where it can."""
    measured = f"{laid.width:.0f} × {laid.height:.0f} mm"
    if laid.skew > WRONG_SKEW:
        return (
            f"these corners are not square, one is off by {laid.skew:.0f}°: set them on the corners of the "
            f"board, clockwise from its upper left one"
        )
    if max(abs(laid.width / width - 1), abs(laid.height / height - 1)) > WRONG_SHARE:
        return (
            f"this board measures {measured}, but the one of this game and this number of players has "
            f"{width:.0f} × {height:.0f} mm: is it another board, or are the corners not set on its own?"
        )
    return ""


def spots_of_zone(places: Sequence[Place], corners_mm: Doubles) -> dict[str, PlaceSpot]:
    """The places of a grid whose outer corners were measured; raises `ConfigError` for what is none."""
    left, top = min(p.x - p.width / 2 for p in places), min(p.y - p.height / 2 for p in places)
    right, bottom = max(p.x + p.width / 2 for p in places), max(p.y + p.height / 2 for p in places)
    laid = place_board(corners_mm, right - left, bottom - top)
    across, along = laid.width / (right - left), laid.height / (bottom - top)
    if laid.skew > WRONG_SKEW or not (0.75 < across < 1.33 and 0.75 < along < 1.33):
        raise ConfigError(
            f"a grid of {laid.width:.0f} × {laid.height:.0f} mm, off by {laid.skew:.0f}°, is not that of "
            f"this game, {right - left:.0f} × {bottom - top:.0f} mm: set its four outer corners"
        )
    x, y = np.asarray(corners_mm, np.float64).reshape(4, 2).mean(axis=0)
    x, y = x - laid.width / 2, y - laid.height / 2
    return {
        p.name: PlaceSpot(
            float(x + (p.x - left) * across),
            float(y + (p.y - top) * along),
            p.width * across,
            p.height * along,
        )
        for p in places
    }


class PlaceSpot(NamedTuple):
    """The middle and the size of a place in the millimetres of its board."""

    x: float
    y: float
    width: float
    height: float


def _at(place: Place, spot: PlaceSpot | None) -> Place:
    if spot is None:
        return place
    return place._replace(x=spot.x, y=spot.y, width=spot.width, height=spot.height)


class TableMap(NamedTuple):
    """What the workshop keeps of a table: its cards, the lens, and the boards measured among them."""

    cards: tuple[CardPlace, ...]
    lens: Lens
    boards: Mapping[str, At]
    """The upper left corner of each board in the table's mm and its turn, by the board's key."""
    spots: Mapping[str, Mapping[str, PlaceSpot]]
    """Places that are elsewhere on the owner's own board: middle and size in its mm, by key and name."""

    def lay(self, board: Board) -> Board:
        """The board as it was measured on this table; as it is where it was not measured."""
        spots = self.spots.get(board.key, {})
        if spots:
            board = replace(board, places=tuple(_at(place, spots.get(place.name)) for place in board.places))
        at = self.boards.get(board.key)
        return board if at is None else among(board, [card.seen_from(*at) for card in self.cards])

    def has(self, board: Board) -> bool:
        """Whether a board was measured among these cards."""
        return board.key in self.boards

    def moved(self, board: Board) -> TableMap:
        """The same with the cards where a finder has seen them around a board, in the board's mm."""
        if not self.has(board):
            return self
        x, y, turn = self.boards[board.key]
        away = CardPlace(0, 0.0, 0.0, 0.0).seen_from(x, y, turn)
        seen = {m.id: np.array(m.corners()) for m in board.markers}
        here = {card.number: card.seen_from(away.x, away.y, away.turn) for card in cards_at(seen)}
        return self._replace(cards=tuple(here.get(card.number, card) for card in self.cards))


def write_table(table: TableMap) -> str:
    """Writes what the workshop keeps as JSON."""
    content = {
        "cards": [list(card) for card in table.cards],
        "lens": json.loads(write_lens(table.lens)),
        "boards": {key: list(at) for key, at in table.boards.items()},
        "spots": {
            key: {name: list(spot) for name, spot in some.items()} for key, some in table.spots.items()
        },
    }
    return json.dumps(content, indent=1)


def read_table(text: str) -> TableMap:
    """Reads it back; raises `ConfigError` for anything else."""
    try:
        content = json.loads(text)
        cards = tuple(
            CardPlace(int(number), float(x), float(y), float(turn))
            for number, x, y, turn in content["cards"]
            if 1 <= int(number) <= CARDS
        )
        boards = {str(key): At(*_numbers(at, 3)) for key, at in content["boards"].items()}
        spots = {
            str(key): {str(name): PlaceSpot(*_numbers(spot, 4)) for name, spot in some.items()}
            for key, some in content["spots"].items()
        }
        lens = read_lens(json.dumps(content["lens"]))
        if not all(isfinite(value) for card in cards for value in card):
            raise ValueError("a card lies nowhere")
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise ConfigError(f"this is no file of measured cards: {error}") from None
    return TableMap(cards, lens, boards, spots)


def _numbers(some: Iterable[object], n: int) -> tuple[float, ...]:
    found = tuple(float(str(one)) for one in some)
    if len(found) != n or not all(map(isfinite, found)):
        raise ValueError(f"{found} are not {n} numbers")
    return found
