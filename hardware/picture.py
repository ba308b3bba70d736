"""Paints a frame as it would look on the table: light from below through a board of stone, in a dark room."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np

from companion.engine.errors import ConfigError
from companion.engine.layout import Board
from hardware.arrays import Levels, Photo
from hardware.guard import Channels
from hardware.ledmap import LedMap

MARGIN_MM = 30.0
AMBIENT = np.array([0.014, 0.017, 0.026])
"""The room: a little light, rather blue."""


class LedPainter:
    """Paints frames of one map on one board."""

    def __init__(self, board: Board, led_map: LedMap, width_px: int = 720) -> None:
        self._scale = width_px / (board.width + 2 * MARGIN_MM)
        self._size = (round((board.height + 2 * MARGIN_MM) * self._scale), width_px)
        self._at = Channels.of(led_map)
        self._leds = [self._pixel(led.x, led.y) for led in led_map.leds]
        cell_px = min(place.width for place in board.places) * self._scale
        per_cell = max(1.0, (len(led_map.leds) / len(board.places)) ** 0.5)
        self._core_px, self._halo_px = 0.27 * cell_px / per_cell**0.7, 0.9 * cell_px
        self._gain = (cell_px / per_cell) ** 2 * 2.6
        self._stone, self._glass = self._surface(board)

    def _pixel(self, x: float, y: float) -> tuple[int, int]:
        row, column = (y + MARGIN_MM) * self._scale, (x + MARGIN_MM) * self._scale
        return min(self._size[0] - 1, int(row)), min(self._size[1] - 1, int(column))

    def _surface(self, board: Board) -> tuple[Photo, Photo]:
        """What the table reflects, and how much light comes through it."""
        rng = np.random.default_rng(1)
        height, width = self._size
        grain = cv2.GaussianBlur(rng.normal(0, 1, (height, width)), (0, 0), 1.2) * 0.06
        veins = cv2.GaussianBlur(rng.normal(0, 1, (height, width)), (0, 0), 14) * 1.6
        stone = np.full((height, width), 0.16) * (1 + grain)
        glass = np.full((height, width), 0.10)
        for place in board.places:
            top, left = self._pixel(place.x - place.width / 2, place.y - place.height / 2)
            bottom, right = self._pixel(place.x + place.width / 2, place.y + place.height / 2)
            gap = max(1, round(0.03 * (right - left)))
            tile = np.s_[top + gap : bottom - gap, left + gap : right - gap]
            tone = 0.50 + 0.05 * rng.standard_normal()
            stone[tile] = tone * (1 + grain[tile] + veins[tile])
            glass[tile] = 0.85 * (1 + 0.5 * veins[tile])
            for edge, light in ((np.s_[:gap], 1.25), (np.s_[-gap:], 0.7)):
                stone[tile][edge] *= light
                stone[tile][:, edge] *= light
        return stone[..., None].clip(0, 1), glass[..., None].clip(0, 1)

    def paint(self, frame: bytes) -> Photo:
        """Paints a frame; returns a picture of bytes, red first."""
        values = np.frombuffer(frame, np.uint8) / 255.0
        light = values[self._at.rgb]
        own = self._at.white >= 0
        light[own] += values[self._at.white[own]][:, None]
        sparks = np.zeros((*self._size, 3), np.float32)
        for (row, column), colour in zip(self._leds, light, strict=True):
            sparks[row, column] += colour
        core = cv2.GaussianBlur(sparks, (0, 0), self._core_px)
        halo = cv2.GaussianBlur(sparks, (0, 0), self._halo_px)
        glow = (core + 0.22 * halo) * self._gain
        seen = self._stone * (AMBIENT + 0.5 * glow) + self._glass * 0.7 * glow
        # Bright light saturates the eye: its strength is bent, its hue is kept, and the brightest goes pale.
        strength = seen.max(axis=-1, keepdims=True)
        seen *= (1 - np.exp(-1.5 * strength)) / strength
        seen += (seen.max(axis=-1, keepdims=True) - seen) * np.clip(strength - 1.2, 0, 2) * 0.12
        picture: Photo = (255 * seen ** (1 / 2.2)).astype(np.uint8)
        return picture


def save_png(picture: Photo, path: Path) -> None:
    """Writes one picture."""
    _write(path, cv2.imencode(".png", picture[..., ::-1])[1].tobytes())


def save_gif(pictures: Iterable[Photo], path: Path, delay_s: float) -> None:
    """Writes a picture that moves, for ever."""
    frames = list(pictures)
    height, width = frames[0].shape[:2]
    palette = _palette(frames)
    # The nearest colour of the palette for each of 32 × 32 × 32 colours.
    cube = np.stack(np.meshgrid(*[np.arange(4, 256, 8)] * 3, indexing="ij"), -1).reshape(-1, 3)
    nearest = np.concatenate(
        [
            ((part[:, None].astype(int) - palette[None]) ** 2).sum(-1).argmin(1)
            for part in np.array_split(cube, 64)
        ]
    ).astype(np.uint8)
    out = bytearray(b"GIF89a" + np.array([width, height], "<u2").tobytes() + b"\xf7\0\0")
    out += palette.astype(np.uint8).tobytes() + b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
    for picture in frames:
        steps = picture.astype(int) >> 3
        pixels = nearest[(steps[..., 0] << 10) + (steps[..., 1] << 5) + steps[..., 2]]
        out += b"!\xf9\x04\x04" + round(delay_s * 100).to_bytes(2, "little") + b"\0\0"
        out += b"," + np.array([0, 0, width, height], "<u2").tobytes() + b"\0\x08"
        data = _lzw(pixels.tobytes())
        for start in range(0, len(data), 255):
            block = data[start : start + 255]
            out += bytes((len(block),)) + block
        out += b"\0"
    _write(path, bytes(out) + b";")


def _palette(frames: list[Photo]) -> Levels:
    """256 colours that serve all frames."""
    sample = np.concatenate([frame[::5, ::5].reshape(-1, 3) for frame in frames]).astype(np.float32)
    sample = sample[np.random.default_rng(0).permutation(len(sample))[:20_000]]
    cv2.setRNGSeed(1)
    stop = (cv2.TERM_CRITERIA_MAX_ITER, 12, 0.0)
    count = min(256, len(np.unique(sample, axis=0)))
    labels = np.zeros((len(sample), 1), np.int32)
    centres = cv2.kmeans(sample, count, labels, stop, 1, cv2.KMEANS_PP_CENTERS)[2]
    return np.vstack([centres, np.zeros((256 - count, 3))]).round().astype(int)


def _lzw(pixels: bytes) -> bytes:
    """Packs bytes as GIF does."""
    clear, stop = 256, 257
    out, bits, held = bytearray(), 0, 0
    codes: dict[tuple[int, int], int] = {}
    width, following = 9, 258

    def put(code: int) -> None:
        nonlocal bits, held
        bits |= code << held
        held += width
        while held >= 8:
            out.append(bits & 255)
            bits >>= 8
            held -= 8

    put(clear)
    prefix = pixels[0]
    for pixel in pixels[1:]:
        code = codes.get((prefix, pixel))
        if code is not None:
            prefix = code
            continue
        put(prefix)
        if following < 4096:
            codes[prefix, pixel] = following
            if following == 1 << width:
                width += 1
            following += 1
        else:
            put(clear)
            codes.clear()
            width, following = 9, 258
        prefix = pixel
    put(prefix)
    put(stop)
    if held:
        out.append(bits & 255)
    return bytes(out)


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}") from error
