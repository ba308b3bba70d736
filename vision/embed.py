"""Turns crops of cells into codes: faces that look alike get codes that point the same way.

A small network (see `vision/train` and `vision/weights`) was trained on imaginary publishers only; it is run
by OpenCV, so nothing else is needed on the table. Beside the code it says whether a cell looks bare and where
something stands on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

SIDE = 48
"""Side of the crops that the network takes, in pixels."""
CODE = 128
HEAT = 6
_AT_ONCE = 16
"""So many crops go through the network together: what lies between its layers then stays in the cache."""
WEIGHTS = Path(__file__).parent / "weights" / "eyes.onnx"

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]
Mask = NDArray[np.bool_]


class Seen(NamedTuple):
    """What the network says of n crops."""

    code: Floats
    """n × 128, each of length 1."""
    bare: Floats
    """n: above 0 where the cell looks bare."""
    heat: Floats
    """n × 6 × 6: above 0 where something seems to stand."""


def prepare(crops: Bytes, white: Floats | None = None, hidden: Mask | None = None) -> Floats:
    """Takes away brightness, contrast and the colour of the light, and folds.

    `white` is what a white sheet would look like at each crop (any scale). Pixels that are `hidden`, the same
    in every crop, count for nothing.
    """
    x = fold(crops).astype(np.float32)
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


def fold(x: Any) -> Any:
    """Folds every 2 × 2 pixels into one with 12 channels, as the network takes them."""
    n, side = len(x), x.shape[1] // 2
    blocks = x.reshape(n, side, 2, side, 2, 3).transpose(0, 2, 4, 5, 1, 3)
    return np.ascontiguousarray(blocks.reshape(n, 12, side, side))


@cache
def _network() -> cv2.dnn.Net:
    # OpenCV 5 has several engines; the classic one, the only one of OpenCV 4, is the quickest on small crops.
    classic = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    path = str(WEIGHTS)
    return cv2.dnn.readNetFromONNX(path) if classic is None else cv2.dnn.readNetFromONNX(path, classic)


def embed(crops: Bytes | Sequence[Bytes], white: Floats | None = None, hidden: Mask | None = None) -> Seen:
    """Runs the network on crops of 48 × 48 pixels, blue-green-red."""
    pixels = np.asarray(crops, np.uint8)
    out = np.zeros((len(pixels), CODE + 1 + HEAT * HEAT), np.float32)
    network = _network()
    for start in range(0, len(pixels), _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        network.setInput(prepare(pixels[some], None if white is None else white[some], hidden))
        out[some] = network.forward()
    code = out[:, :CODE]
    return Seen(
        code / (np.linalg.norm(code, axis=1, keepdims=True) + 1e-9),
        out[:, CODE],
        out[:, CODE + 1 :].reshape(-1, HEAT, HEAT),
    )
