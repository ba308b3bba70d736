"""A camera above the virtual table: pixels of the physical world, with its lamps, LEDs and faults.

It draws each thing where it lies with our own art, lets the light of the room and of the LED strips fall on
it, and photographs it through a lens. The eyes get nothing but these pixels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from random import Random

import cv2
import numpy as np

from companion.art import Area, Disc, Drawing, Stroke
from companion.errors import DeviceError
from companion.layout import Face, Piece
from companion.world import STANDING, Slop, Thing, World
from vision.paint import RIM, SCALE, paint_markers
from vision.paint_camera import LEVELS, Camera, expose, illuminate
from vision.rectify import stack
from vision.teach import ENOUGH, PIXELS, Teach
from vision.teach import STANDING as LOOK_AROUND

Image = np.ndarray
Glow = tuple[float, float, tuple[float, float, float]]
"""The light of one LED: where it is in mm, and its red, green and blue, 0 to 1."""
LED_REACH_MM = 28.0
BRIGHT = 6.0
"""An LED at full light is about as bright on the table below it as a lamp in the room."""
FINE = 3
"""Pictures are drawn so many times larger and made smaller: smooth edges."""


@dataclass
class Faults:
    """What is wrong with the camera at the moment; a panel sets these."""

    unplugged: bool = False
    frozen: bool = False
    dark: bool = False
    glare: bool = False
    hand: bool = False
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
        leds: Callable[[], list[Glow]] = list,
    ) -> None:
        self.world = world
        self.faults = Faults()
        self._draw = draw
        self._damage = LEVELS[level]
        self._leds = leds
        self._seed = seed
        self._shots = 0
        board = world.board
        rng = np.random.default_rng([seed, 1])
        self.eye = Camera.above(rng, size, (board.width, board.height), self._damage.tilt)
        corners = self.eye.pixels([[0, 0], [board.width, 0], [board.width, board.height], [0, board.height]])
        # The lamps of the room stay as they are for the whole evening.
        self._light = illuminate(rng, size, self._damage, corners)
        self._base = self._bare()
        self._last: Image | None = None
        self._flat: tuple[list[Thing], Image, list[Thing]] | None = None
        self._sprites: dict[str, tuple[Image, Image]] = {}

    def __call__(self) -> Image:
        """The next picture; raises `DeviceError` while the camera is unplugged."""
        if self.faults.unplugged:
            raise DeviceError("the virtual camera is unplugged; plug it in on the virtual table's page")
        if self.faults.frozen and self._last is not None:
            return self._last.copy()
        self._shots += 1
        rng = np.random.default_rng([self._seed, 2, self._shots])
        scene = self._scene()
        light = self._light * (0.04 if self.faults.dark else 1.0)
        leds = [glow for glow in self._leds() if max(glow[2]) > 0.02]
        if leds:
            light = light + self._glow(leds)
        if self.faults.glare:
            light = light + self._shine(scene.shape)
        picture = expose(rng, scene, light, self._damage)
        if self.faults.small:
            picture = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        self._last = picture
        return picture

    # The scene ---------------------------------------------------------------------------------

    def _scene(self) -> Image:
        camera = self.eye
        flat, standing = self._laid(self.world.things())
        if self.faults.bump_mm:
            push = cv2.warpAffine(
                flat,
                np.float64([[1, 0, self.faults.bump_mm * SCALE], [0, 1, self.faults.bump_mm * SCALE * 0.4]]),
                flat.shape[1::-1],
                borderMode=cv2.BORDER_REPLICATE,
            )
            scene = camera.look(push, SCALE, (-RIM, -RIM))
        else:
            scene = camera.look(flat, SCALE, (-RIM, -RIM))
        for thing in sorted(standing, key=lambda one: one.y):
            self._stand(scene, thing)
        hands = list(self.world.hands)
        if self.faults.hand:
            hands.append((self.world.board.width / 2, self.world.board.height / 2))
        for x, y in hands:
            self._reach(scene, x, y)
        return scene

    def _laid(self, things: list[Thing]) -> tuple[Image, list[Thing]]:
        """The flat picture of what lies on the table, drawn anew only when something has moved."""
        if self._flat is not None and self._flat[0] == things:
            return self._flat[1], self._flat[2]
        flat = self._base.copy()
        standing = []
        for thing in things:
            face = self.world.faces[thing.face]
            if face.kind in STANDING and face.kind != "die":
                standing.append(thing)
            else:
                self._lay(flat, thing, face)
        self._flat = (things, flat, standing)
        return flat, standing

    def _bare(self) -> Image:
        board = self.world.board
        size = [int((side + 2 * RIM) * SCALE) for side in (board.width, board.height)]
        grain = np.random.default_rng([self._seed, 3]).normal(0, 5, (size[1] // 4, size[0] // 4))
        grain = cv2.resize(grain.astype(np.float32), tuple(size))
        wood = np.float32([48, 74, 104]) + grain[..., None]
        flat = np.clip(wood, 0, 255).astype(np.uint8)
        edge = int(RIM * SCALE)
        inner = flat[edge : edge + int(board.height * SCALE), edge : edge + int(board.width * SCALE)]
        inner[:] = np.clip(
            np.float32([58, 56, 54])
            + grain[edge : edge + inner.shape[0], edge : edge + inner.shape[1], None],
            0,
            255,
        )
        for place in board.places:
            x, y = (place.x + RIM) * SCALE, (place.y + RIM) * SCALE
            a, b = place.width * SCALE / 2, place.height * SCALE / 2
            cv2.rectangle(
                flat, (int(x - a), int(y - b)), (int(x + a), int(y + b)), (84, 82, 80), 1, cv2.LINE_AA
            )
        paint_markers(flat, board)
        return flat

    def _sprite(self, face: Face) -> tuple[Image, Image]:
        found = self._sprites.get(face.name)
        if found is None:
            found = self._sprites[face.name] = raster(self._draw(face.name), SCALE)
        return found

    def _lay(self, flat: Image, thing: Thing, face: Face) -> None:
        art, mask = self._sprite(face)
        angle = np.radians(thing.angle)
        c, s = np.cos(angle), np.sin(angle)
        middle = np.array([(thing.x + RIM) * SCALE, (thing.y + RIM) * SCALE])
        reach = int(np.hypot(*art.shape[:2]) / 2) + 4
        left, top = (int(v) - reach for v in middle)
        if left < 0 or top < 0 or left + 2 * reach > flat.shape[1] or top + 2 * reach > flat.shape[0]:
            return  # off the edge of what the camera can see
        window = flat[top : top + 2 * reach, left : left + 2 * reach]
        turn = np.array([[c, -s], [s, c]])
        shift = middle - [left, top] - turn @ (np.array(art.shape[1::-1]) / 2)
        matrix = np.column_stack([turn, shift])
        laid = cv2.warpAffine(
            art, matrix, window.shape[1::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        alpha = cv2.warpAffine(mask, matrix, window.shape[1::-1])
        shade = cv2.blur(alpha, (9, 9))
        cv2.multiply(window, cv2.merge([255 - shade // 3] * 3), window, 1 / 255)
        part = (alpha / np.float32(255))[..., None]
        window[:] = (laid * part + window * (1 - part)).astype(np.uint8)

    def _stand(self, scene: Image, thing: Thing) -> None:
        """A standing piece: a low cylinder with its art on top."""
        face = self.world.faces[thing.face]
        radius, tall = face.width / 2, face.width * 0.7
        art, mask = self._sprite(face)
        body = tuple(float(v) for v in art[mask > 200].reshape(-1, 3).mean(0) * 0.7)
        around = np.linspace(0, 2 * np.pi, 32, endpoint=False)
        ring = np.column_stack([np.cos(around), np.sin(around)]) * radius + [thing.x, thing.y]
        for i in range(8):
            level = np.full(len(ring), tall * i / 7)
            outline = np.round(self.eye.project(np.column_stack([ring, level])) * 16).astype(np.int32)
            cv2.fillConvexPoly(scene, outline, body, cv2.LINE_AA, 4)
        h, w = art.shape[:2]
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [face.width / 2, face.height / 2] + [
            thing.x,
            thing.y,
        ]
        top = self.eye.project(np.column_stack([corners, np.full(4, tall)])).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(np.float32([[0, 0], [w, 0], [w, h], [0, h]]), top)
        size = scene.shape[1::-1]
        alpha = (cv2.warpPerspective(mask, matrix, size) / np.float32(255))[..., None]
        laid = cv2.warpPerspective(art, matrix, size)
        scene[:] = (laid * alpha + scene * (1 - alpha)).astype(np.uint8)

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

    def _glow(self, leds: list[Glow]) -> Image:
        """The light of the strips on the table, quarter size and smooth."""
        w, h = self.eye.size
        small = np.zeros((h // 8, w // 8, 3), np.float32)
        spots = self.eye.pixels([[x, y] for x, y, _ in leds]) / 8
        a, b = self.eye.pixels([[0, 0], [LED_REACH_MM, 0]])
        reach = max(1.0, float(np.hypot(*(b - a))) / 8)
        for (x, y), (_, _, (red, green, blue)) in zip(spots, leds, strict=True):
            if 0 <= x < small.shape[1] and 0 <= y < small.shape[0]:
                small[int(y), int(x)] += np.float32([blue, green, red]) * reach * reach * BRIGHT
        return cv2.resize(cv2.GaussianBlur(small, (0, 0), reach), (w, h), interpolation=cv2.INTER_LINEAR)

    def _shine(self, shape: tuple[int, ...]) -> Image:
        shine = np.zeros((shape[0] // 8, shape[1] // 8, 3), np.float32)
        cv2.ellipse(shine, (shape[1] // 16, shape[0] // 16), (12, 8), 20, 0, 360, (6.0, 6.0, 6.0), -1)
        return cv2.resize(cv2.GaussianBlur(shine, (0, 0), 3), shape[1::-1])


def taught(game: str, world: World, draw: Callable[[str], Drawing], level: int = 1, seed: int = 7) -> Teach:
    """What an owner would teach of our own art: a few photographs of every face on the virtual table."""
    board = world.board
    table = World(board)
    camera = VirtualCamera(table, draw, level=level, seed=seed)
    pictures: dict[str, list[Image]] = {face.name: [] for face in board.faces}
    rng = Random(seed)
    names = [face.name for face in board.faces] * ENOUGH
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
            wide = 1.6 if face.kind in LOOK_AROUND else 1.0
            spot = place._replace(width=face.width * wide, height=face.height * wide)
            pictures[face.name].append(stack(image, camera.eye, [spot], PIXELS)[0])
    return Teach(game, {name: np.stack(some) for name, some in pictures.items()})


def _whole(point: Image) -> tuple[int, int]:
    return int(point[0]), int(point[1])


@lru_cache(maxsize=256)
def raster(drawing: Drawing, scale: float) -> tuple[Image, Image]:
    """A drawing as pixels, and where it covers the table: so many pixels per mm."""
    fine = scale * FINE
    size = (round(drawing.width * fine), round(drawing.height * fine))
    picture = np.zeros((size[1], size[0], 3), np.uint8)
    mask = np.zeros((size[1], size[0]), np.uint8)
    middle = np.array(size) / 2

    def at(points: object) -> Image:
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
    return cv2.resize(picture, small, interpolation=cv2.INTER_AREA), cv2.resize(
        mask, small, interpolation=cv2.INTER_AREA
    )


def bgr(colour: str) -> tuple[float, float, float]:
    """A colour as OpenCV orders it."""
    return float(int(colour[5:7], 16)), float(int(colour[3:5], 16)), float(int(colour[1:3], 16))
