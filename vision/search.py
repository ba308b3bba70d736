"""Looks for printed markers in a picture: quickly first, then patiently, or in small regions.

What it finds are corners in pixels, exact to a fraction of one; what they mean is for `vision.find` to say.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.engine.errors import DeviceError
from vision.images import Doubles, Image
from vision.marker import DICTIONARY, recognise, sharpen, sharpen_all

Corners = dict[int, Doubles]
"""Marker numbers with their four corners in pixels, clockwise from the marker's upper left."""
LONG_SIDE = 1920
"""Bigger pictures are searched at this size; the corners are then refined in the full one."""


def check_picture(image: object) -> Image:
    """Returns the picture with eight bits per colour; raises `DeviceError` when it is none, or black."""
    if not isinstance(image, np.ndarray) or image.ndim not in (2, 3) or min(image.shape[:2]) < 32:
        raise DeviceError("This is no picture that can be read: take another one.")
    if image.dtype == np.uint16:
        image = (image >> 8).astype(np.uint8)
    if image.dtype != np.uint8:
        raise DeviceError(f"Pictures with {image.dtype} pixels cannot be read: save it as PNG or JPEG.")
    if image.ndim == 3 and image.shape[2] == 4:
        image = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGRA2BGR), np.uint8)
    sample = cv2.resize(image, (45, 45), interpolation=cv2.INTER_AREA)  # means: noise alone is no light
    if np.percentile(sample, 99) < 10:
        raise DeviceError("The picture is black: take the cap off the lens or switch a lamp on.")
    if np.percentile(sample, 1) > 250:
        raise DeviceError("The picture is all white: lower the camera's exposure or turn the lamp away.")
    return image


def gray_of(image: Image) -> Image:
    return image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def scaled(image: Image, scale: float) -> Image:
    if scale == 1:
        return image
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=how), np.uint8)


def _parameters(windows: tuple[int, int, int], **more: float) -> cv2.aruco.DetectorParameters:
    """Detection that forgives blur, slant and dim light; the plane fit throws false finds out."""
    p = cv2.aruco.DetectorParameters()
    p.adaptiveThreshWinSizeMin, p.adaptiveThreshWinSizeMax, p.adaptiveThreshWinSizeStep = windows
    p.perspectiveRemovePixelPerCell = 8
    p.perspectiveRemoveIgnoredMarginPerCell = 0.2
    p.polygonalApproxAccuracyRate = 0.06
    p.maxErroneousBitsInBorderRate = 0.5
    p.minMarkerPerimeterRate = 0.02
    for name, value in more.items():
        setattr(p, name, value)
    return p


_FORGIVING = {"adaptiveThreshConstant": 4.0, "errorCorrectionRate": 1.0, "polygonalApproxAccuracyRate": 0.08}
QUICK = cv2.aruco.ArucoDetector(DICTIONARY, _parameters((19, 19, 10)))
_PATIENT = cv2.aruco.ArucoDetector(DICTIONARY, _parameters((9, 49, 20), **_FORGIVING))
_REGION = cv2.aruco.ArucoDetector(
    DICTIONARY, _parameters((19, 19, 10), minMarkerPerimeterRate=0.3, **_FORGIVING)
)


def search_markers(image: Image, ours: set[int], enough: int) -> Corners:
    """Looks for markers in the whole picture, quickly first, then patiently until there are enough."""
    scale = min(1.0, LONG_SIDE / max(image.shape[:2]))
    gray = evened(scaled(image, scale))
    found = detect(QUICK, gray, ours)
    if len(found) < enough:
        found = detect(_PATIENT, gray, ours) | found
    if len(found) < enough and max(gray.shape) <= LONG_SIDE * 0.7:
        twice = detect(_PATIENT, scaled(gray, 2.0), ours)
        found = {i: (px + 0.5) / 2 - 0.5 for i, px in twice.items()} | found
    if scale < 1:
        found = {i: (px + 0.5) / scale - 0.5 for i, px in found.items()}
        gray = evened(image)
    if not found:
        return {}
    return dict(zip(found, sharpen_all(gray, np.stack(list(found.values()))), strict=True))


def detect(detector: cv2.aruco.ArucoDetector, gray: Image, wanted: set[int]) -> Corners:
    corners, ids, _ = detector.detectMarkers(gray)
    if ids is None:
        return {}
    return {
        int(i): np.asarray(px, np.float64).reshape(4, 2)
        for i, px in zip(np.ravel(ids), corners, strict=True)
        if int(i) in wanted
    }


def evened(image: Image) -> Image:
    """Makes a gray picture that uses the whole range, also in dim or coloured light.

    The colours are added as the light sends them: under a blue lamp luminance alone would see night.
    """
    if image.ndim == 2:
        bright = float(np.percentile(image[::4, ::4], 99.7)) + 1
        return np.asarray(cv2.convertScaleAbs(image, alpha=min(215 / bright, 12)), np.uint8)
    whites = np.percentile(image[::4, ::4].reshape(-1, 3), 99.7, axis=0) + 1
    weights = np.minimum(whites / (whites @ whites) * 215, 4).astype(np.float32)
    return np.asarray(cv2.transform(image, weights.reshape(1, 3)), np.uint8)


def search_region(image: Image, expected: Doubles, marker: int) -> Doubles | None:
    """Detects one marker near its expected corners."""
    side = float(np.linalg.norm(np.diff(expected, axis=0), axis=1).max())
    if not 6 <= side <= max(image.shape[:2]):
        return None
    reach = 0.45 * side + 4
    left, top = np.floor(expected.min(axis=0) - reach).astype(int)
    right, bottom = np.ceil(expected.max(axis=0) + reach).astype(int)
    left, top = max(0, left), max(0, top)
    region = image[top : max(top, bottom), left : max(left, right)]
    if min(region.shape[:2]) < side / 2:
        return None
    gray = _evened_region(region)
    inside = expected - (left, top)
    scale = float(np.clip(40 / side, 0.25, 3.0))
    if 0.7 < scale < 1.6:
        scale = 1.0
    gray = scaled(gray, scale)
    seen = detect(_REGION, gray, {marker}).get(marker)
    near = (inside + 0.5) * scale - 0.5
    exact = recognise(gray, near, marker) if seen is None else sharpen(gray, seen)
    if exact is None:
        return None
    px = (exact + 0.5) / scale - 0.5 - inside
    return expected + px if np.linalg.norm(px, axis=1).max() < reach + 0.5 * side else None


def _evened_region(region: Image) -> Image:
    """A gray region stretched between its own dark and bright."""
    gray = evened(region)
    low, high = (float(v) for v in np.percentile(gray[::2, ::2], (2, 98)))
    gain = 230 / max(8.0, high - low)
    levels = np.clip((np.arange(256) - low) * gain, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(gray, levels), np.uint8)
