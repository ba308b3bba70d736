"""Turns crops of cells into codes: faces that look alike get codes that point the same way.

A small network (`vision/lab/train` makes `vision/weights`) was trained on imaginary publishers only. OpenCV
runs it, so nothing else is needed on the table. Beside the code it says whether a cell looks bare and where
something stands on it.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Floats, Image, Mask

SIDE = 48
"""Side of the crops that the network takes, in pixels."""
CODE = 128
HEAT = 6
_AT_ONCE = 16
"""How many crops go through the network together: few enough for the processor's cache."""
_Value = TypeVar("_Value", bound=np.generic)
WEIGHTS = Path(__file__).parent / "weights" / "eyes.onnx"


class Embedding(NamedTuple):
    """What the network says of n crops."""

    code: Floats
    """n × 128, each of length 1."""
    bare: Floats
    """n: above 0 where the cell looks bare."""
    heat: Floats
    """n × 6 × 6: above 0 where something seems to stand."""


def prepare(crops: Image, white: Floats | None = None, hidden: Mask | None = None) -> Floats:
    """Takes away brightness, contrast and the colour of the light, and folds.

    `white` is what a white sheet would look like at each crop (any scale). Pixels that are `hidden`, the same
    in every crop, count for nothing.
    """
    x: Floats = fold(crops).astype(np.float32)
    if white is None:
        x *= np.float32(1 / 255)
    else:
        tint = np.clip(white / white.mean(axis=1, keepdims=True), 0.25, 4.0)
        x *= np.tile(1 / (255 * tint), 4).astype(np.float32)[:, :, None, None]
    flat = x.reshape(len(x), -1)
    if hidden is None:
        count = flat.shape[1]
        flat -= flat.mean(axis=1, keepdims=True)
    else:
        shown = fold(np.repeat(~hidden[None, :, :, None], 3, axis=3)).astype(np.float32).ravel()
        count = max(int(shown.sum()), 1)
        flat -= (flat @ shown)[:, None] / np.float32(count)
        flat *= shown
    spread = np.sqrt(np.einsum("ni,ni->n", flat, flat) / np.float32(count))
    flat /= (spread + np.float32(0.03))[:, None]
    return x


def fold(x: NDArray[_Value]) -> NDArray[_Value]:
    """Folds every 2 × 2 pixels into one with 12 channels, as the network takes them."""
    n, side = len(x), x.shape[1] // 2
    blocks = x.reshape(n, side, 2, side, 2, 3).transpose(0, 2, 4, 5, 1, 3)
    return np.ascontiguousarray(blocks.reshape(n, 12, side, side))


class _Networks(threading.local):
    """A network for each thread: OpenCV's keeps values between its layers, so threads cannot share one."""

    @cached_property
    def own(self) -> cv2.dnn.Net:
        return _load_network()


_networks = _Networks()


def _load_network() -> cv2.dnn.Net:
    # OpenCV 5 has several engines; the classic one, the only one of OpenCV 4, is the quickest on small crops.
    classic = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    path = str(WEIGHTS)
    return cv2.dnn.readNetFromONNX(path) if classic is None else cv2.dnn.readNetFromONNX(path, classic)


def embed(
    crops: Image | Sequence[Image], white: Floats | None = None, hidden: Mask | None = None
) -> Embedding:
    """Runs the network on crops of 48 × 48 pixels, blue-green-red."""
    pixels = np.asarray(crops, np.uint8)
    out = np.zeros((len(pixels), CODE + 1 + HEAT * HEAT), np.float32)
    network = _networks.own
    for start in range(0, len(pixels), _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        network.setInput(prepare(pixels[some], None if white is None else white[some], hidden))
        out[some] = network.forward()
    code = out[:, :CODE]
    return Embedding(
        code / (np.linalg.norm(code, axis=1, keepdims=True) + 1e-9),
        out[:, CODE],
        out[:, CODE + 1 :].reshape(-1, HEAT, HEAT),
    )
