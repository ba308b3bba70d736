"""What bare places look like, in colour and brightness, so that bare is an answer and not what is left over.

A place is compared with how it looked when nothing lay on it; where that was never seen, with the other
places that show no known face, for bare places mostly share their ground. Both are seen against the white of
the markers, so a sheet of another colour or shade is no ground.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import dist, log
from typing import NamedTuple

import cv2
import numpy as np

from companion.engine.action import Cell
from vision.images import Floats, Image, Mask
from vision.rectify import largest
from vision.standing import balanced

_GRID = 12
_MIN_SHOWN = 24
"""Where fewer of the 144 spots of a place can be seen, nothing is said about its ground."""
_PATTERN, _BRIGHTNESS = 0.11, 0.25
"""Differences that count as much as each other when the most similar places are looked for."""

_SAME_MM = 1.5
"""On a bare table places move with their cards: one that moved further has another ground."""
_USUAL_BRIGHTNESS = 0.1
"""By how much bare places usually differ in brightness."""


class GroundMatch(NamedTuple):
    """How far a place is from bare ground."""

    pattern: float
    """In colour and pattern, brightness aside, but for the quarter in which they differ most (glare)."""
    worst: float
    """The same at the tenth in which they differ most."""
    brightness: float
    """As the absolute logarithm of the ratio."""
    is_known: bool
    """Whether it was compared with the place itself as it was seen bare."""
    is_expected: bool = False
    """Whether the rules expect nothing to lie there."""

    def features(self) -> tuple[float, float, float]:
        """What being bare is judged by; beyond a limit it makes no difference how far away a place is."""
        pattern, worst, brightness = min(self.pattern, 0.6), min(self.worst, 1.2), min(self.brightness, 0.8)
        return log(pattern + 0.01), log(worst + 0.02), log(brightness + 0.05)


UNLIKE_GROUND = GroundMatch(9.0, 9.0, 9.0, False)


Spot = tuple[Cell, float, float]
"""The middle of a place: as much of it as a piece of this width and height covers."""


class SpotLook(NamedTuple):
    """What a spot looks like."""

    colours: Floats
    """As `ground_colours` has them."""
    picture: Image
    at: tuple[float, float]
    """Where its middle lies on the table, in mm."""


class _Grounds(NamedTuple):
    """Some places as others are compared with them."""

    patterns: Floats
    """Their colours, each place by its brightness; places × spots × colours."""
    lights: Floats
    """Their brightness."""

    @classmethod
    def of(cls, colours: Floats) -> _Grounds:
        """The places with these colours, all of whose spots are seen."""
        flat = colours.reshape(len(colours), -1, 3)
        lights = np.median(flat, axis=(1, 2)) + np.float32(0.02)
        return cls(flat / lights[:, None, None], lights)


class BareGround:
    """The ground of the places of a board."""

    def __init__(self, taught: Image | None = None) -> None:
        self._taught = (
            None
            if taught is None
            else _Grounds.of(_without_cast(np.stack([ground_colours(one, None) for one in taught])))
        )
        """The colours of bare places that were photographed; in which light is not known."""
        self._known: dict[Spot, SpotLook] = {}
        """How spots looked when they were bare."""
        self._here: dict[Spot, Floats] = {}
        """How the spots look now that show no known face."""
        self._by_size: dict[tuple[float, float], tuple[list[Cell], _Grounds]] = {}
        """The same by width and height, ready to be compared."""

    def remember(self, bare: Mapping[Spot, SpotLook]) -> None:
        """Notes what spots look like that are certainly bare."""
        self._known |= bare

    def known(self, spot: Spot, at: tuple[float, float] | None = None) -> SpotLook | None:
        """What a spot looked like when it was bare; only if it lay there, where that is asked."""
        found = self._known.get(spot)
        if found is None or at is None or dist(found.at, at) < _SAME_MM:
            return found
        return None

    def forget_looks(self) -> None:
        """Drops what spots look like now: they are seen from elsewhere."""
        self._here, self._by_size = {}, {}

    def look(self, cells: Collection[Cell], unlike_any_face: Mapping[Spot, SpotLook]) -> None:
        """Takes in a new look at some places; those that are unlike any face may be bare."""
        kept = {spot: colours for spot, colours in self._here.items() if spot[0] not in cells}
        self._here = {**kept, **{spot: one.colours for spot, one in unlike_any_face.items()}}
        self._by_size = {
            size: (
                [spot[0] for spot in self._here if spot[1:] == size],
                _Grounds.of(np.stack([one for spot, one in self._here.items() if spot[1:] == size])),
            )
            for size in {spot[1:] for spot in self._here}
        }

    def match(self, spot: Spot, colours: Floats, at: tuple[float, float] | None = None) -> GroundMatch:
        """How far a spot is from being bare; what is hidden has no colour. For `at` see `known`."""
        known = self.known(spot, at)
        if known is not None:
            return _match(_distances(colours, _Grounds.of(known.colours[None]))[0], True)
        cells, grounds = self._by_size.get(spot[1:], ([], None))
        others = [i for i, cell in enumerate(cells) if cell != spot[0]]
        if grounds is not None and len(others) >= 2:
            apart = _distances(colours, grounds)[others]
            # One other place may hold the same piece; that two do is rarer.
            second = int(np.argsort(apart[:, 0] / _PATTERN + apart[:, 2] / _BRIGHTNESS)[1])
            return _match(apart[second], False)
        if self._taught is None:
            return UNLIKE_GROUND
        apart = _distances(_without_cast(colours), self._taught)
        return _match(apart[apart[:, 0].argmin()], False)._replace(brightness=_USUAL_BRIGHTNESS)


def _match(apart: Floats, is_known: bool) -> GroundMatch:
    pattern, worst, brightness = (float(one) for one in apart)
    return GroundMatch(pattern, worst, brightness, is_known)


def ground_colours(middle: Image, white: Floats | None, hidden: Mask | None = None) -> Floats:
    """The colours of a place, coarse, against the white of the markers; hidden spots have none."""
    colours = np.asarray(balanced(middle, white, _GRID))
    if hidden is not None:
        share = cv2.resize(hidden.astype(np.float32), (_GRID, _GRID), interpolation=cv2.INTER_AREA)
        colours[share > 0.1] = np.nan
    return colours


def _without_cast(colours: Floats) -> Floats:
    """Colours as if the light were such that they are grey on average."""
    return np.asarray(colours / (np.nanmedian(colours, axis=(-3, -2), keepdims=True) + 0.02), np.float32)


def _distances(one: Floats, others: _Grounds) -> Floats:
    """How far other places are from one: pattern, worst, brightness; others × 3."""
    here = one.reshape(-1, 3)
    shown = np.isfinite(here[:, 0])
    count = int(shown.sum())
    if count < _MIN_SHOWN:
        return np.full((len(others.lights), 3), 9.0, np.float32)
    if count < len(here):
        here = here[shown]
        others = _Grounds.of(others.patterns[:, shown] * others.lights[:, None, None])
    patterns, lights = others
    light = np.median(here) + np.float32(0.02)
    most, worst = count * 3 // 4, count * 9 // 10
    apart = np.partition(largest(np.abs(here / light - patterns)), (most - 1, worst), axis=1)
    brightness = np.abs(np.log(light / lights))
    return np.stack([apart[:, :most].mean(1), apart[:, worst], brightness], 1).astype(np.float32)
