"""libgpiod's binding, as far as a pin is asked for: it grants everything."""

from __future__ import annotations

import sys
from typing import Any
from unittest.mock import MagicMock

__version__ = "2.2.3"
line = sys.modules["gpiod.line"] = MagicMock(name="gpiod.line")
LineSettings = MagicMock(name="gpiod.LineSettings")


class Chip:
    """The controller of a Pi's header."""

    def __init__(self, path: str) -> None:
        assert path == "/dev/gpiochip0", path

    def get_info(self) -> Any:
        return MagicMock(label="pinctrl-bcm2711", num_lines=58)

    def request_lines(self, **asked: Any) -> Any:
        return MagicMock()

    def close(self) -> None:
        pass
