"""The machine's own time."""

from __future__ import annotations

import time


class SystemClock:
    """The `Clock` of a running table."""

    def now(self) -> float:
        return time.monotonic()

    def sleep(self, delay_s: float) -> None:
        time.sleep(delay_s)
