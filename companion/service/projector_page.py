"""What the projector's page shows: the light of the game on the table, or a picture to find the screen by."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from companion.engine.errors import DeviceError
from companion.service.rig import TableRig
from companion.table.ports import ScreenPicture
from hardware.projector import Quad

GAMMA = 2.2
"""Light adds up, screens bend it: the same curve as a camera's."""
PATIENCE_S = 6.0
"""How long a page may take to draw a picture."""


class ProjectorPage:
    """The picture of the projector; pages ask for it again and again and say which one they have drawn."""

    def __init__(self, rig: Callable[[], TableRig | None]) -> None:
        self._rig = rig
        self._drawn = threading.Condition()
        self._number = self._confirmed = 0
        self._held: Sequence[Quad] | None = None

    def picture(self, drawn: int) -> ScreenPicture:
        """The picture to draw now; `drawn` is the number of the one that the page shows."""
        with self._drawn:
            self._confirmed = max(self._confirmed, min(drawn, self._number))
            self._drawn.notify_all()
            held, number = self._held, self._number
        rig = self._rig()
        screen = None if rig is None else rig.screen
        if held is not None:
            quads: Sequence[Quad] = held
        elif rig is None or screen is None:
            quads = []
        else:
            quads = [*screen.dots(), *screen.quads(rig.led_map, rig.light().tolist())]
        size = (1920, 1080) if screen is None else screen.size
        return ScreenPicture(number, size, [_told(quad) for quad in quads])

    def show(self, quads: Sequence[Quad]) -> None:
        """Shows a picture until a page has drawn it; raises `DeviceError` where no page does."""
        with self._drawn:
            self._number += 1
            self._held = list(quads)
            if not self._drawn.wait_for(lambda: self._confirmed >= self._number, PATIENCE_S):
                self._held = None
                raise DeviceError("no projector draws: open the page /projector on it, full screen")

    def release(self) -> None:
        """Shows the game's light again."""
        with self._drawn:
            self._held = None


def _told(quad: Quad) -> tuple[list[float], str]:
    points = [round(value, 1) for corner in quad.corners for value in corner]
    levels = bytes(round(255 * min(1.0, part) ** (1 / GAMMA)) for part in quad.light)
    return points, "#" + levels.hex()
