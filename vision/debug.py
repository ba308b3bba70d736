"""A picture that shows what the eyes saw: markers, grid, faces and confidences over the photograph."""

from __future__ import annotations

import cv2
import numpy as np

from companion.engine.layout import Piece
from companion.engine.observation import Observation, Reading
from vision.images import Doubles, Image
from vision.pose import Pose, place_corners

_SURE, _UNSURE, _EMPTY, _MARKER, _LOST = (
    (90, 220, 90),
    (60, 170, 255),
    (170, 170, 170),
    (255, 200, 60),
    (80, 80, 255),
)
_FONT = cv2.FONT_HERSHEY_SIMPLEX


def draw(image: Image, pose: Pose, observation: Observation | None = None, title: str = "") -> Image:
    """Draws over a copy: green is sure, orange unsure, gray empty, blue a marker, red one not found."""
    colour = image if image.ndim == 3 else cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    picture = np.array(colour, np.uint8)
    unit = max(picture.shape[:2]) / 1280
    for marker in pose.board.markers:
        found = marker.id in pose.markers
        outline = pose.pixels(marker.corners())
        _outline(picture, outline, _MARKER if found else _LOST, unit)
        _write(picture, f"{marker.id}", outline.mean(axis=0), _MARKER if found else _LOST, unit)
    outside = set(pose.outside())
    for cell, place in enumerate(pose.board.places):
        reading = observation.readings.get(cell) if observation is not None else None
        if cell in outside:
            continue
        outline = pose.pixels(place_corners(place, -0.03))
        tint = _EMPTY if reading is None or reading.pieces == () else _SURE if reading.pieces else _UNSURE
        _outline(picture, outline, tint, unit)
        lines = [place.name] if reading is None else [place.name, *_words(reading)]
        for i, line in enumerate(lines):
            _write(picture, line, outline[0] + (4 * unit, (12 + 13 * i) * unit), tint, unit)
    turned = f" turned {pose.turn()}" if pose.turn() else ""
    head = f"{pose.board.name}{turned}  {len(pose.markers)} markers  +-{pose.error_mm:.1f} mm  {title}"
    _write(picture, head, np.array([8 * unit, 20 * unit]), (255, 255, 255), unit * 1.3)
    return picture


def _words(reading: Reading) -> list[str]:
    """The pieces and the confidence; the best guesses where the eyes are unsure."""
    if reading.pieces is not None:
        return [*map(_piece, reading.pieces), f"{reading.confidence:.2f}"] if reading.pieces else []
    guesses = ["+".join(map(_piece, pieces)) or "empty" for pieces, _ in reading.guesses[:2]]
    return [f"{guess}? {p:.2f}" for guess, (_, p) in zip(guesses, reading.guesses[:2], strict=True)] or [
        "unsure"
    ]


def _piece(piece: Piece) -> str:
    turn = f" {piece.turn}" if piece.turn else ""
    height = f" x{piece.stack}" if piece.stack > 1 else ""
    return f"{piece.face}{turn}{height}"


def _outline(picture: Image, points: Doubles, colour: tuple[int, int, int], unit: float) -> None:
    corners = np.round(points * 16).astype(np.int32)
    cv2.polylines(picture, [corners], True, colour, max(1, round(1.5 * unit)), cv2.LINE_AA, 4)


def _write(picture: Image, text: str, at: Doubles, colour: tuple[int, int, int], unit: float) -> None:
    """Writes with a dark edge, readable on any ground."""
    x, y = round(float(at[0])), round(float(at[1]))
    scale, width = 0.38 * unit, max(1, round(unit))
    cv2.putText(picture, text, (x, y), _FONT, scale, (0, 0, 0), width + 2, cv2.LINE_AA)
    cv2.putText(picture, text, (x, y), _FONT, scale, colour, width, cv2.LINE_AA)
