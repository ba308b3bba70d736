"""A camera above the virtual table: pixels of the physical world, with its lamps, LEDs and faults.

It draws each thing where it lies with our own art, lets the light of the room fall on it, and photographs it
through a lens. Pieces are opaque: the light of LEDs is seen where it leaves a bar, a rim or bare paper, and
where nothing lies on that; a projector alone lights the pieces. The eyes get nothing but these pixels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.engine.drawing import Area, Disc, Drawing, Stroke
from companion.engine.errors import DeviceError
from companion.engine.layout import UPRIGHT_KINDS, Face, Piece
from companion.world.physical import Slop, Thing, World
from vision.images import Canvas, Doubles, Floats, Image
from vision.optics import (
    LEVELS,
    PIXELS_PER_MM,
    TABLE_RIM_MM,
    PinholeCamera,
    develop,
    focus,
    grain_of,
    illuminate,
    paint_markers,
    reflect,
    rim_of,
    shake,
    shine,
    soften,
)
from vision.pose import place_corners
from vision.rectify import stack
from vision.teach import AROUND, PICTURES_PER_FACE, PIXELS, FaceLibrary


class LedGlow(NamedTuple):
    """The light of one LED: where it is in mm, its red, green and blue, 0 to 1, and how it gets out."""

    x: float
    y: float
    light: tuple[float, float, float]
    width: float = 16.0
    height: float = 16.0
    way: str = "under"
    """lane | walled | rim | under | glass (`OUTLETS`), or above: a projector lights whatever lies there."""
    corners: tuple[tuple[float, float], ...] = ()
    """The four corners in mm where the light is no upright rectangle."""


class Outlet(NamedTuple):
    """How the light of an LED leaves the table."""

    bright: float
    """How many times a white LED at full is as bright there as a white sheet in a well-lit room."""
    spread_mm: float
    """How far the light is scattered before it leaves."""
    spill: float
    """The share of it that falls on what lies beside."""
    along: tuple[float, ...] = (1.0,)
    """How bright equal parts of it are from one end to the other, against the whole of it."""


OUTLETS = {
    # 4 lm behind opal that lets 60 % through, from 17 × 12 mm: 57 times a sheet at 200 lx, as Mitsuba traced
    # it (`tests/hardware/traced/outlets.json`). A third of what is scattered falls on the walls.
    "lane": Outlet(84.0, 6.0, 0.003),
    # The same LED on edge in the middle of a rim of 63 × 4 mm, traced as well: the walls swallow most of it,
    # the more the further it goes.
    "walled": Outlet(13.4, 1.0, 0.004, (0.1, 0.23, 0.61, 1.84, 3.44, 1.84, 0.61, 0.23, 0.1)),
    "rim": Outlet(60.0, 6.0, 0.01),
    # A television of 300 cd/m² against the 64 cd/m² of a white sheet at 200 lx, behind a sheet of glass.
    "glass": Outlet(4.5, 1.0, 0.004),
    # The same LED behind paper of 120 g (12 %), its light spread over a whole place.
    "under": Outlet(0.6, 20.0, 0.0),
}
SPILL_MM = 15.0
PROJECTED = 1.5
"""A projector of 100 lm on half a square metre, against 200 lx of the room."""
PROJECTED_EDGE_MM = 1.5
"""How sharp a projector's picture is."""
NIGHT = np.float32(0.0004)
"""The share of the room's light that stays when the lamps go out: too little to find the board by."""
GLARE = 0.02
"""How much mirrored light people notice; a white sheet in good light sends back about 1."""
OPAL, GLASS = (176.0, 178.0, 180.0), (40.0, 38.0, 36.0)
"""The cover of a bar while it is dark, and a screen that is."""
TALL = 0.7
"""How tall a standing piece is, as a share of its width."""
PUSH = np.array([1.0, 0.4])
"""Which way a bumped camera moves."""
_SOFT_PX = 6
"""How far a lens out of focus spreads the light of a pixel, at most."""
BAND = 64
"""Rows of a large picture that are painted at once."""
FINE = 3
"""How many times larger pictures are drawn before they are made smaller, for smooth edges."""


@dataclass
class Faults:
    """The faults that the camera has at the moment; a panel sets them."""

    unplugged: bool = False
    frozen: bool = False
    dark: bool = False
    glare: bool = False
    hand: bool = False
    covered: bool = False
    """Something hangs before the lens."""
    small: bool = False
    """Delivers pictures of half the size."""
    bump_mm: float = 0.0
    """How far the camera was pushed sideways."""


class VirtualCamera:
    """Takes pictures of a world; call it for the next one."""

    def __init__(
        self,
        world: World,
        draw: Callable[[str], Drawing],
        *,
        level: int = 1,
        seed: int = 1,
        size: tuple[int, int] = (1280, 720),
        leds: Callable[[], list[LedGlow]] = list,
        exposure: float = 1.0,
    ) -> None:
        """`exposure` is how long the shutter is open, against what shows the room well."""
        self.world = world
        self.faults = Faults()
        self._damage = LEVELS[level]
        self._leds = leds
        self._exposure = np.float32(exposure)
        self._seed = seed
        self._shots = 0
        board = world.board
        rng = np.random.default_rng([seed, 1])
        self.eye = PinholeCamera.above(
            rng, size, (board.width, board.height), self._damage.tilt, rim=rim_of(board)
        )
        far = board.width, board.height
        corners = self.eye.pixels([(0.0, 0.0), (far[0], 0.0), far, (0.0, far[1])])
        # The lamps of the room, what they are mirrored in, and the focus stay for the whole evening.
        self._light = illuminate(rng, size, self._damage, corners)
        self._mirrored = shine(rng, size[::-1]) if rng.random() < self._damage.glare else None
        self._blur = rng.uniform(*self._damage.blur)
        self._table = Tabletop(world, draw, self.eye, seed)
        self._still: tuple[Image, Floats, Floats] | None = None
        self._last: Image | None = None
        self._openings: dict[str, Floats] = {}

    def __call__(self) -> Image:
        """The next picture; raises `DeviceError` while the camera is unplugged."""
        if self.faults.unplugged:
            raise DeviceError("the virtual camera is unplugged; plug it in on the virtual table's page")
        if self.faults.frozen and self._last is not None:
            return self._last.copy()
        self._shots += 1
        rng = np.random.default_rng([self._seed, 2, self._shots])
        linear, grain = self._sensor()
        if self.faults.covered:
            linear, grain = np.zeros_like(linear), np.zeros_like(grain)
        moved = shake(rng, linear, self._damage)
        picture = develop(rng, moved, grain, self._damage)
        if self.faults.small:
            half = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            picture = np.asarray(half, np.uint8)
        self._last = picture
        return picture

    def is_glaring(self, x: float, y: float) -> bool:
        """Whether a lamp of the room is mirrored at a spot of the table, so that people see it as well."""
        column, row = self.eye.pixels([[x, y]])[0].astype(int)
        height, width = self.eye.size[::-1]
        if self._mirrored is None or not (0 <= row < height and 0 <= column < width):
            return False
        return bool(self._mirrored[row, column].max() > GLARE)

    def turn_lamp(self) -> None:
        """Somebody turns the lamp so that it is mirrored no longer."""
        self._mirrored = self._still = None

    def _sensor(self) -> tuple[Floats, Floats]:
        """The light on the sensor and how noisy it is there; worked out again only where it has changed."""
        scene = self._table.picture(self.faults.bump_mm)
        lit = [LedGlow(*glow) for glow in self._leds()]
        hands = list(self.world.hands)
        if self.faults.hand:
            hands.append((self.world.board.width / 2, self.world.board.height / 2))
        if hands:
            scene = scene.copy()
            for x, y in hands:
                self._reach(scene, x, y)
        leds = [glow for glow in lit if max(glow.light) > 0 or glow.corners]
        if leds or self.faults.dark or self.faults.glare or self._exposure != 1:
            light = np.asarray(self._light * NIGHT, np.float32) if self.faults.dark else self._light
            shining = None
            if leds:
                falling, shining = self._led_light(leds, hands)
                light = light + falling
            if self.faults.glare:
                light = light + self._shine(scene.shape)
            self._still = None
            return self._receive(scene, light, Window.of(scene), shining)
        if self._still is None:
            self._still = (scene, *self._receive(scene, self._light, Window.of(scene)))
        elif self._still[0] is not scene:
            before, linear, grain = self._still
            apart = cv2.cvtColor(cv2.absdiff(scene, before), cv2.COLOR_BGR2GRAY)
            left, top, width, height = cv2.boundingRect(apart)
            part = Window(left, top, left + width, top + height).grown(_SOFT_PX).within(scene)
            if width:
                linear[part.rows, part.columns], grain[part.rows, part.columns] = self._receive(
                    scene, self._light, part
                )
            self._still = (scene, linear, grain)
        return self._still[1:]

    def _receive(
        self, scene: Image, light: Floats, part: Window, shining: Floats | None = None
    ) -> tuple[Floats, Floats]:
        """What a part of the sensor receives, in focus or not, and its noise; `shining` shines by itself."""
        wide = part.grown(_SOFT_PX).within(scene)
        linear = reflect(scene[wide.rows, wide.columns], light[wide.rows, wide.columns])
        if self._mirrored is not None:
            linear += self._mirrored[wide.rows, wide.columns]
        if shining is not None:
            linear += shining[wide.rows, wide.columns]
        if self._exposure != 1:
            linear *= self._exposure
        linear = focus(linear, self._blur)
        inner = part.moved(-wide.left, -wide.top)
        linear = np.ascontiguousarray(linear[inner.rows, inner.columns])
        return linear, grain_of(linear, self._damage)

    def _reach(self, scene: Image, x: float, y: float) -> None:
        """A hand from the lower edge, its fingers at (x, y)."""
        goal = self.eye.pixels([[x, y]])[0]
        h, w = scene.shape[:2]
        start = np.array([goal[0] * 0.6 + w * 0.2, h * 1.1])
        thick = int(0.085 * h)
        along = (goal - start) / max(1.0, float(np.linalg.norm(goal - start)))
        side = np.array([-along[1], along[0]])
        palm = goal - along * thick * 0.8
        skin = (128.0, 160.0, 214.0)
        cv2.line(scene, _whole(start), _whole(palm), skin, thick, cv2.LINE_AA)
        cv2.circle(scene, _whole(palm), int(thick * 0.62), skin, -1, cv2.LINE_AA)
        for k in (-1.4, -0.5, 0.5, 1.4):
            tip = goal + along * thick * 0.25 + side * k * thick * 0.3
            cv2.line(
                scene,
                _whole(palm + side * k * thick * 0.3),
                _whole(tip),
                skin,
                max(2, thick // 4),
                cv2.LINE_AA,
            )

    # The light ---------------------------------------------------------------------------------

    def _led_light(self, leds: list[LedGlow], hands: list[tuple[float, float]]) -> tuple[Floats, Floats]:
        """The light of LEDs and projector that falls on the table, and what shines from it by itself."""
        w, h = self.eye.size
        falling, shining = (np.zeros((h, w, 3), np.float32) for _ in range(2))
        bare: Floats | None = None
        for way in {glow.way for glow in leds}:
            here = [glow for glow in leds if glow.way == way]
            if way == "above":
                falling += self._blurred(self._areas(here), PROJECTED_EDGE_MM) * np.float32(PROJECTED)
                continue
            outlet = OUTLETS[way]
            light = self._blurred(self._areas(here, outlet.along), outlet.spread_mm) * np.float32(
                outlet.bright
            )
            opening = self._outlets(way)
            if opening is not None:
                light *= opening
            if outlet.spill:
                falling += self._blurred(light, SPILL_MM) * np.float32(outlet.spill)
            if bare is None:
                bare = self._bare(hands)
            shining += light * bare
        return falling, shining

    def _areas(self, leds: list[LedGlow], along: tuple[float, ...] = (1.0,)) -> Floats:
        """Where light leaves, each LED with its colour; `along`: how bright parts of its longer side are."""
        w, h = self.eye.size
        light = np.zeros((h, w, 3), np.float32)
        corners = np.array([led.corners or _corners(led) for led in leds], float)
        wide = np.array([led.width >= led.height for led in leds])
        # From one short side to the other: corners run around the area.
        near = np.where(wide[:, None, None], corners[:, [0, 3]], corners[:, [0, 1]])
        far = np.where(wide[:, None, None], corners[:, [1, 2]], corners[:, [3, 2]])
        for part, share in enumerate(along):
            start, end = (near + (far - near) * (k / len(along)) for k in (part, part + 1))
            quads = np.concatenate([start, end[:, ::-1]], 1).reshape(-1, 2)
            pixels = np.round(self.eye.pixels(quads) * 16).astype(np.int32).reshape(-1, 4, 2)
            for led, corner in zip(leds, pixels, strict=True):
                colour = tuple(share * level for level in led.light[::-1])
                cv2.fillConvexPoly(light, corner, colour, cv2.LINE_8, 4)
        return light

    def _blurred(self, light: Floats, mm: float) -> Floats:
        """Light that is scattered so far, worked out on a smaller picture where that is smooth."""
        a, b = self.eye.pixels([[0.0, 0.0], [mm, 0.0]])
        sigma = float(np.hypot(*(b - a)))
        step = max(1, int(sigma / 3))
        if step == 1:
            return np.asarray(cv2.GaussianBlur(light, (0, 0), max(0.3, sigma)), np.float32)
        size = (light.shape[1] // step, light.shape[0] // step)
        small = cv2.GaussianBlur(cv2.resize(light, size, interpolation=cv2.INTER_AREA), (0, 0), sigma / step)
        whole = cv2.resize(small, light.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        return np.asarray(whole, np.float32)

    def _bare(self, hands: list[tuple[float, float]]) -> Floats:
        """Where nothing lies on the table, 0 to 1 for every pixel."""
        cover = self._table.cover()
        if hands:
            reach = np.repeat(cover[..., None], 3, 2)
            for x, y in hands:
                self._reach(reach, x, y)
            cover = np.maximum(cover, np.where((reach != cover[..., None]).any(-1), 255, 0).astype(np.uint8))
        return np.asarray((255 - cover[..., None]) / np.float32(255), np.float32)

    def _outlets(self, way: str) -> Floats | None:
        """Where light can leave at all: bars and rims have walls, paper is everywhere on the board."""
        board = self.world.board
        if way in ("lane", "walled", "glass") and not board.lanes:
            return np.zeros((*self.eye.size[::-1], 1), np.float32)
        if way == "rim":
            return None
        if way not in self._openings:
            whole = (1.0, 1.0, 1.0)
            areas = [LedGlow(one.x, one.y, whole, one.width, one.height) for one in board.lanes]
            paper = [LedGlow(board.width / 2, board.height / 2, whole, board.width, board.height)]
            opening = self._areas(paper if way == "under" else areas)[..., :1]
            self._openings[way] = np.ascontiguousarray(opening)
        return self._openings[way]

    def _shine(self, shape: tuple[int, ...]) -> Floats:
        shine = np.zeros((shape[0] // 8, shape[1] // 8, 3), np.float32)
        cv2.ellipse(shine, (shape[1] // 16, shape[0] // 16), (12, 8), 20, 0, 360, (6.0, 6.0, 6.0), -1)
        return np.asarray(cv2.resize(cv2.GaussianBlur(shine, (0, 0), 3), shape[1::-1]), np.float32)


class Window(NamedTuple):
    """A rectangle of pixels."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def of(cls, picture: Image) -> Window:
        """A whole picture."""
        return cls(0, 0, picture.shape[1], picture.shape[0])

    @classmethod
    def around(cls, points: Doubles) -> Window:
        """The pixels around some points, with a little room."""
        (left, top), (right, bottom) = np.floor(points.min(0)).astype(int), np.ceil(points.max(0)).astype(int)
        return cls(int(left) - 2, int(top) - 2, int(right) + 2, int(bottom) + 2)

    @property
    def rows(self) -> slice:
        return slice(self.top, self.bottom)

    @property
    def columns(self) -> slice:
        return slice(self.left, self.right)

    def grown(self, by: int) -> Window:
        return Window(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def moved(self, x: int, y: int) -> Window:
        return Window(self.left + x, self.top + y, self.right + x, self.bottom + y)

    def common(self, other: Window) -> Window:
        return Window(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def within(self, picture: Image) -> Window:
        """The part of it that lies in a picture."""
        return self.common(Window.of(picture))


class Tabletop:
    """The table in front of the lens, drawn anew only where something has moved."""

    def __init__(self, world: World, draw: Callable[[str], Drawing], eye: PinholeCamera, seed: int) -> None:
        self._world = world
        self._draw = draw
        self._eye = eye
        self._seed = seed
        self._sprites: dict[str, tuple[Image, Image]] = {}
        self._softness = eye.softness(PIXELS_PER_MM)
        self._bare = self._paint_bare()
        self._flat = self._bare.copy()
        """The board as if printed, with everything that lies on it."""
        self._flat_cover: Image = np.zeros(self._flat.shape[:2], np.uint8)
        """Where something lies on it."""
        self._cover: Image | None = None
        self._things: list[Thing] = []
        self._push_mm = 0.0
        self._stood: dict[tuple[Thing, float], tuple[Window, Image, Image]] = {}
        self._lying: Image = np.zeros((*eye.size[::-1], 3), np.uint8)
        self._aim()
        self._look(Window.of(self._flat))
        self._picture = self._lying.copy()

    def picture(self, push_mm: float = 0.0) -> Image:
        """The picture from a camera pushed sideways by `push_mm`; the same array if nothing has moved."""
        things = self._world.things()
        if things == self._things and push_mm == self._push_mm:
            return self._picture
        moved = set(things) ^ set(self._things)
        self._things = things
        self._cover = None
        for window in {self._window(thing) for thing in moved if not self._is_upright(thing)}:
            self._redraw(window)
        if push_mm != self._push_mm:
            self._push_mm = push_mm
            self._aim()
            self._look(Window.of(self._flat))
        self._picture = self._lying.copy()
        upright = [(thing, self._base_of(thing)) for thing in things if self._is_upright(thing)]
        upright.sort(key=lambda one: (one[1] > 0, one[0].y))
        self._stood = {one: self._stood.get(one) or self._stand(*one) for one in upright}
        for window, art, cover in self._stood.values():
            here = self._picture[window.rows, window.columns]
            if here.size:
                blend(here, here, art, cover)
        return self._picture

    def cover(self) -> Image:
        """What of the picture that was taken last shows a piece: 255, and 0 where the bare table is seen."""
        if self._cover is None:
            soft = soften(self._flat_cover, self._softness)
            seen = cv2.remap(soft, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            self._cover = np.asarray(seen, np.uint8)
            for window, _, cover in self._stood.values():
                here = self._cover[window.rows, window.columns]
                if here.size:
                    np.maximum(here, cover, out=here)
        return self._cover

    def _is_upright(self, thing: Thing) -> bool:
        face = self._world.faces[thing.face]
        # Dice lie, and so does a figure that is longer than wide.
        return face.kind in UPRIGHT_KINDS and face.width == face.height

    # Looking -----------------------------------------------------------------------------------

    def _aim(self) -> None:
        """Works out where each pixel looks, after the camera was pushed."""
        x, y = -TABLE_RIM_MM - self._push_mm * PUSH
        maps = self._eye.maps(PIXELS_PER_MM, (x, y))
        self._stood = {}
        across, along = cv2.split(maps)
        self._maps = cv2.convertMaps(across, along, cv2.CV_16SC2)
        self._lying = np.zeros((*self._eye.size[::-1], 3), np.uint8)

    def _look(self, window: Window) -> None:
        """Photographs a part of the flat picture."""
        flat = self._flat
        grown = window.grown(4).within(flat)
        source = grown.grown(8).within(flat)
        soft = soften(flat[source.rows, source.columns], self._softness)
        # Corners and middles of the sides hold the part, however the lens bends them.
        across, along = np.linspace(grown.left, grown.right, 5), np.linspace(grown.top, grown.bottom, 5)
        mm = np.stack(np.meshgrid(across, along), -1).reshape(-1, 2) / PIXELS_PER_MM - TABLE_RIM_MM
        part = Window.around(self._eye.pixels(mm - self._push_mm * PUSH)).within(self._lying)
        if part.left >= part.right or part.top >= part.bottom:
            return
        whole = source == Window.of(flat)
        if whole:
            part = Window.of(self._lying)
        places, shares = (one[part.rows, part.columns] for one in self._maps)
        places = places - np.array([source.left, source.top], np.int16)
        seen = cv2.remap(soft, places, shares, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        here = self._lying[part.rows, part.columns]
        if whole:
            here[:] = seen
            return
        x, y = places[..., 0], places[..., 1]
        inside = (x >= 0) & (y >= 0) & (x < soft.shape[1] - 1) & (y < soft.shape[0] - 1)
        np.copyto(here, seen, where=inside[..., None])

    # Drawing -----------------------------------------------------------------------------------

    def _paint_bare(self) -> Image:
        board = self._world.board
        size = [int((side + 2 * TABLE_RIM_MM) * PIXELS_PER_MM) for side in (board.width, board.height)]
        coarse = np.random.default_rng([self._seed, 3]).normal(0, 5, (size[1] // 4, size[0] // 4))
        grain = np.asarray(cv2.resize(coarse.astype(np.float32), tuple(size)), np.float32)
        flat = _grained((48, 74, 104), grain)
        edge = int(TABLE_RIM_MM * PIXELS_PER_MM)
        rows = slice(edge, edge + int(board.height * PIXELS_PER_MM))
        columns = slice(edge, edge + int(board.width * PIXELS_PER_MM))
        if board.is_bare:
            paint_markers(flat, board)
            return flat
        ground = _grained((58, 56, 54), grain[rows, columns])
        if board.parts:
            mask = np.zeros(ground.shape[:2], np.uint8)
            for part in board.parts:
                outline = np.array(part.corners()) * PIXELS_PER_MM
                cv2.fillConvexPoly(mask, np.round(outline * 16).astype(np.int32), 255.0, cv2.LINE_AA, 4)
            blend(flat[rows, columns], flat[rows, columns].copy(), ground, mask)
        else:
            flat[rows, columns] = ground
        for place in board.places:
            if place.turn:
                outline = (place_corners(place) + TABLE_RIM_MM) * PIXELS_PER_MM
                points = np.round(outline * 16).astype(np.int32)
                cv2.polylines(flat, [points], True, (84, 82, 80), 1, cv2.LINE_AA, 4)
                continue
            x, y = (place.x + TABLE_RIM_MM) * PIXELS_PER_MM, (place.y + TABLE_RIM_MM) * PIXELS_PER_MM
            a, b = place.width * PIXELS_PER_MM / 2, place.height * PIXELS_PER_MM / 2
            cv2.rectangle(
                flat, (int(x - a), int(y - b)), (int(x + a), int(y + b)), (84, 82, 80), 1, cv2.LINE_AA
            )
        for lane in board.lanes:
            x, y = (lane.x + TABLE_RIM_MM) * PIXELS_PER_MM, (lane.y + TABLE_RIM_MM) * PIXELS_PER_MM
            a, b = lane.width * PIXELS_PER_MM / 2, lane.height * PIXELS_PER_MM / 2
            cover = GLASS if board.build == "glass" else OPAL
            cv2.rectangle(flat, (int(x - a), int(y - b)), (int(x + a), int(y + b)), cover, -1)
        paint_markers(flat, board)
        return flat

    def _sprite(self, face: Face) -> tuple[Image, Image]:
        found = self._sprites.get(face.name)
        if found is None:
            found = self._sprites[face.name] = raster(self._draw(face.name), PIXELS_PER_MM)
        return found

    def _window(self, thing: Thing) -> Window:
        """The part of the flat picture that a lying thing and its shade can cover."""
        face = self._world.faces[thing.face]
        c, s = abs(np.cos(np.radians(thing.angle))), abs(np.sin(np.radians(thing.angle)))
        across = int((face.width * c + face.height * s) / 2 * PIXELS_PER_MM) + 8
        along = int((face.width * s + face.height * c) / 2 * PIXELS_PER_MM) + 8
        x, y = int((thing.x + TABLE_RIM_MM) * PIXELS_PER_MM), int((thing.y + TABLE_RIM_MM) * PIXELS_PER_MM)
        return Window(x - across, y - along, x + across, y + along)

    def _redraw(self, window: Window) -> None:
        """Draws a part of the flat picture anew, with all that lies there, and photographs it."""
        window = window.within(self._flat)
        part = self._flat[window.rows, window.columns]
        part[:] = self._bare[window.rows, window.columns]
        self._flat_cover[window.rows, window.columns] = 0
        for thing in self._things:
            if not self._is_upright(thing):
                self._lay(part, window, thing)
        self._look(window)

    def _lay(self, part: Image, window: Window, thing: Thing) -> None:
        """Draws what a thing shows in a part of the flat picture."""
        common = self._window(thing).common(window)
        if common.left >= common.right or common.top >= common.bottom:
            return
        art, mask = self._sprite(self._world.faces[thing.face])
        angle = np.radians(thing.angle)
        c, s = np.cos(angle), np.sin(angle)
        turn = np.array([[c, -s], [s, c]])
        # A little more than the part is drawn, so that the shade at its edge is the same in any part.
        edge = common.grown(5)
        middle = np.array(
            [
                (thing.x + TABLE_RIM_MM) * PIXELS_PER_MM - edge.left,
                (thing.y + TABLE_RIM_MM) * PIXELS_PER_MM - edge.top,
            ]
        )
        matrix = np.column_stack([turn, middle - turn @ (np.array(art.shape[1::-1]) / 2)])
        size = (edge.right - edge.left, edge.bottom - edge.top)
        laid = cv2.warpAffine(art, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        alpha = cv2.warpAffine(mask, matrix, size)
        shade = cv2.blur(alpha, (9, 9))[5:-5, 5:-5]
        laid, alpha = laid[5:-5, 5:-5], alpha[5:-5, 5:-5]
        here = part[
            common.top - window.top : common.bottom - window.top,
            common.left - window.left : common.right - window.left,
        ]
        covered = self._flat_cover[common.rows, common.columns]
        np.maximum(covered, alpha, out=covered)
        below = cv2.multiply(here, cv2.merge([255 - shade // 3] * 3), scale=1 / 255)
        blend(here, below, laid, alpha)

    def _base_of(self, thing: Thing) -> float:
        """How high above the table a standing piece stands: on top of a much larger one, or not."""
        width = self._world.faces[thing.face].width
        for other in self._things:
            wide = self._world.faces[other.face].width
            far = np.hypot(other.x - thing.x, other.y - thing.y)
            if self._is_upright(other) and wide > 2 * width and far < wide / 2:
                return wide * TALL
        return 0.0

    def _stand(self, thing: Thing, base_mm: float) -> tuple[Window, Image, Image]:
        """A standing piece, a low cylinder with its art on top: where it is in the picture, and its cover."""
        face = self._world.faces[thing.face]
        radius, tall = face.width / 2, face.width * TALL
        art, mask = self._sprite(face)
        body = tuple(float(v) for v in art[mask > 200].reshape(-1, 3).mean(0) * 0.7)
        middle = np.array([thing.x, thing.y]) - self._push_mm * PUSH
        around = np.linspace(0, 2 * np.pi, 32, endpoint=False)
        ring = np.column_stack([np.cos(around), np.sin(around)]) * radius + middle
        rings = np.concatenate(
            [np.column_stack([ring, np.full(32, base_mm + tall * i / 7)]) for i in range(8)]
        )
        outlines = self._eye.project(rings)
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [face.width / 2, face.height / 2] + middle
        top = self._eye.project(np.column_stack([corners, np.full(4, base_mm + tall)]))
        window = Window.around(np.concatenate([outlines, top])).within(self._lying)
        corner = np.array([window.left, window.top])
        size = (max(1, window.right - window.left), max(1, window.bottom - window.top))
        picture, cover = np.zeros((size[1], size[0], 3), np.uint8), np.zeros(size[::-1], np.uint8)
        picture[:] = body
        for outline in np.round((outlines - corner) * 16).astype(np.int32).reshape(8, 32, 2):
            cv2.fillConvexPoly(cover, outline, 255.0, cv2.LINE_AA, 4)
        h, w = art.shape[:2]
        matrix = cv2.getPerspectiveTransform(
            np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32), (top - corner).astype(np.float32)
        )
        above = cv2.warpPerspective(mask, matrix, size)
        blend(picture, picture, cv2.warpPerspective(art, matrix, size), above)
        return window, picture, np.maximum(cover, above)


def _grained(colour: tuple[int, int, int], grain: NDArray[np.float32]) -> Image:
    """A surface of one colour with its grain, in bands: a large array at once would stop other threads."""
    surface = np.empty((*grain.shape, 3), np.uint8)
    for start in range(0, len(grain), BAND):
        band = slice(start, start + BAND)
        surface[band] = np.clip(np.array(colour, np.float32) + grain[band, :, None], 0, 255)
    return surface


def blend(into: Image, below: Canvas, above: Canvas, alpha: Canvas) -> None:
    """Lays one picture over another where `alpha` says so."""
    part = (alpha / np.float32(255))[..., None]
    into[:] = (above * part + below * (1 - part)).astype(np.uint8)


def learn_from_art(
    game: str,
    world: World,
    draw: Callable[[str], Drawing],
    level: int = 1,
    seed: int = 7,
    progress: Callable[[float], None] = lambda share: None,
) -> FaceLibrary:
    """What an owner would teach of our own art: a few photographs of every face on the virtual table.

    `progress` is called with the share that is done.
    """
    board = world.board
    table = World(board)
    camera = VirtualCamera(table, draw, level=level, seed=seed)
    pictures: dict[str, list[Image]] = {face.name: [] for face in board.faces}
    rng = Random(seed)
    names = [face.name for face in board.faces] * PICTURES_PER_FACE
    while names:
        table.clear()
        laid = []
        for cell, place in enumerate(board.places):
            if not names:
                break
            face = world.faces[names[0]]
            if face.width <= place.width + 1 and face.height <= place.height + 1:
                names.pop(0)
                table.lay(cell, Piece(face.name), rng, Slop(0.6, 1.0))
                laid.append((place, face))
        assert laid, f"no place of {board.name} is large enough for {names[0]}"
        image = camera()
        for place, face in laid:
            wide = AROUND if face.kind in UPRIGHT_KINDS else 1.0
            spot = place._replace(width=face.width * wide, height=face.height * wide)
            pictures[face.name].append(stack(image, camera.eye, [spot], PIXELS)[0])
        progress(1 - len(names) / (PICTURES_PER_FACE * len(board.faces)))
    return FaceLibrary(game, {name: np.stack(some) for name, some in pictures.items()})


def _corners(led: LedGlow) -> tuple[tuple[float, float], ...]:
    """The corners of an upright rectangle, clockwise from the upper left."""
    w, h = led.width / 2, led.height / 2
    return tuple((led.x + x * w, led.y + y * h) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)))


def _whole(point: Doubles) -> tuple[int, int]:
    return int(point[0]), int(point[1])


@lru_cache(maxsize=256)
def raster(drawing: Drawing, scale: float) -> tuple[Image, Image]:
    """A drawing as pixels, `scale` of them per mm, and the mask of what it covers."""
    fine = scale * FINE
    size = (round(drawing.width * fine), round(drawing.height * fine))
    picture = np.zeros((size[1], size[0], 3), np.uint8)
    mask = np.zeros((size[1], size[0]), np.uint8)
    middle = np.array(size) / 2

    def at(points: ArrayLike) -> NDArray[np.int32]:
        return np.round((np.asarray(points, float).reshape(-1, 2) * fine + middle) * 16).astype(np.int32)

    for shape in drawing.shapes:
        if isinstance(shape, Area):
            cv2.fillPoly(picture, [at(shape.points)], bgr(shape.fill), cv2.LINE_AA, 4)
            cv2.fillPoly(mask, [at(shape.points)], 255.0, cv2.LINE_AA, 4)
        elif isinstance(shape, Disc):
            centre = at((shape.x, shape.y))[0]
            radius = int(shape.radius * fine * 16)
            cv2.circle(picture, tuple(map(int, centre)), radius, bgr(shape.fill), -1, cv2.LINE_AA, 4)
            cv2.circle(mask, tuple(map(int, centre)), radius, 255.0, -1, cv2.LINE_AA, 4)
        elif isinstance(shape, Stroke):
            width = max(1, round(shape.width * fine))
            cv2.polylines(picture, [at(shape.points)], False, bgr(shape.colour), width, cv2.LINE_AA, 4)
            cv2.polylines(mask, [at(shape.points)], False, 255.0, width, cv2.LINE_AA, 4)
        else:
            height = shape.size * fine
            font, thick = cv2.FONT_HERSHEY_SIMPLEX, max(1, round(height / 7))
            (wide, high), _ = cv2.getTextSize(shape.text, font, 1.0, thick)
            x, y = np.array([shape.x, shape.y]) * fine + middle
            corner = (int(x - wide * height / high / 2), int(y + height / 2))
            cv2.putText(
                picture, shape.text, corner, font, height / high, bgr(shape.colour), thick, cv2.LINE_AA
            )
    small = (round(drawing.width * scale), round(drawing.height * scale))
    smooth, cover = (cv2.resize(one, small, interpolation=cv2.INTER_AREA) for one in (picture, mask))
    return np.asarray(smooth, np.uint8), np.asarray(cover, np.uint8)


def bgr(colour: str) -> tuple[float, float, float]:
    """A colour as OpenCV orders it."""
    return float(int(colour[5:7], 16)), float(int(colour[3:5], 16)), float(int(colour[1:3], 16))
