"""From a camera frame to the LED frame that answers it: every stage is named and timed."""

from __future__ import annotations

import pytest

from companion.service.latency import STAGES, measures


@pytest.mark.slow
def test_every_stage_is_timed_and_they_add_up():
    found = measures(moves=1)
    assert set(found) == {*STAGES, "total", "rest"}
    assert all(ms > 0 for ms in found.values())
    assert found["total"] == pytest.approx(sum(found[stage] for stage in STAGES))
