"""Pictures of the camera for the pages, as JPEG."""

from __future__ import annotations

from typing import Any

import cv2

from companion.engine.observation import Observation
from vision.debug import draw
from vision.eyes import Glance

WIDE_PX = 960
"""The greatest width of a picture for a page."""
QUALITY = 82


def jpeg(image: Any) -> bytes:
    """A picture for a page."""
    height, width = image.shape[:2]
    if width > WIDE_PX:
        image = cv2.resize(image, (WIDE_PX, round(height * WIDE_PX / width)), interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes())


def picture(glance: Glance, seen: Observation | None, overlay: bool) -> bytes:
    """What the eyes saw last, with what they recognised drawn over it where that is wished."""
    if overlay and glance.sight is not None:
        return jpeg(draw(glance.frame.image, glance.sight.pose, seen))
    return jpeg(glance.frame.image)
