"""The settings that a page of the workshop may change; all others are for the settings file.

A backup, too, changes these and no others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

SOURCE = re.compile(r"virtual|none|pi|usb:\d{1,2}|/dev/video\d{1,2}|https?://\S{1,200}")
"""The cameras that a page may choose; files and folders are for the settings file."""
EDITABLE: Mapping[str, tuple[str, ...]] = {
    "table": ("name", "language"),
    "camera": ("source", "width", "height", "exposure_lock"),
    "lights": (
        "driver",
        "map",
        "across",
        "order",
        "kind",
        "supply_ma",
        "brightness",
        "theme",
        "port",
        "host",
    ),
    "buttons": ("driver",),
}
"""What a page may change; the rest is for the settings file."""


def is_editable(section: str, key: str, value: Any) -> bool:
    """Says whether a page may give a setting this value."""
    if key not in EDITABLE.get(section, ()):
        return False
    return (section, key) != ("camera", "source") or SOURCE.fullmatch(value) is not None
