"""One clock: strip, picture and sound of a cue begin together, because each is given its time on that clock.

Of picture and sound what is compared is when they are scheduled to begin, not when a busy machine gets round
to it; of the strip when it got the bytes. `tests/table/test_cues.py` looks at every cue of the strip.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from web_browser import House

from companion.engine.action import PUBLIC
from companion.engine.cue import TimedCue
from hardware.lights import Lights

TOGETHER_S = 0.05
CUES, MOST_ACTIONS = 8, 120

WATCH = """() => {
    window.began = [];
    const note = (kind, at) => window.began.push([kind, (performance.timeOrigin + at) / 1000]);
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...given) {
        const shown = animate.apply(this, given);
        // Its time is set when this returns.
        if (this.classList.contains('cue-spot')) queueMicrotask(() => note('picture', shown.startTime));
        return shown;
    };
    for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
        const start = kind.prototype.start;
        kind.prototype.start = function (when = 0, ...rest) {
            const { contextTime, performanceTime } = this.context.getOutputTimestamp?.() ?? {};
            if (performanceTime) note('sound', performanceTime + 1000 * (when - contextTime));
            return start.call(this, when, ...rest);
        };
    }
}"""


SHOWS = "now => document.documentElement.dataset.version === now"


def in_ms(late: dict[str, float]) -> dict[str, int]:
    return {kind: round(1000 * by_s) for kind, by_s in late.items()}


def nearest(times: list[float], begin_s: float) -> float:
    """How far the nearest beginning is after where it should be."""
    return min((one - begin_s for one in times), key=abs, default=9.0)


@pytest.fixture
def strip(house: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[float, frozenset[int]]]]:
    """When the virtual strip got which places of what is played out; a thread lets the lamps shine."""
    shown: list[tuple[float, frozenset[int]]] = []
    true = Lights.step

    def step(lights: Lights) -> None:
        true(lights)
        lit = frozenset(glow.cell for glow in lights.scene.glows if glow.order < 0)
        if not shown or shown[-1][1] != lit:
            shown.append((time.monotonic(), lit))

    def shine() -> None:
        while not is_over.is_set():
            house.desk.follow()
            house.desk.lamps.run_once()

    monkeypatch.setattr(Lights, "step", step)
    is_over, lamps = threading.Event(), threading.Thread(target=shine)
    lamps.start()
    yield shown
    is_over.set()
    house.desk.lamps.stop()
    lamps.join()


def lit_cues(session: Any, mailbox: Any) -> list[TimedCue]:
    """Takes one action; returns its cues with light and sound that are long enough to be seen."""
    seat = session.state().needs()[0].seat
    session.submit(seat, session.actions(seat)[0])
    cues: list[TimedCue] = []
    while (update := mailbox.get(0)) is not None:
        cues += update.cues
    return [one for one in cues if one.seconds >= 0.2 and one.cue.light and one.cue.sound and one.cue.ways]


@pytest.mark.browser
@pytest.mark.slow
def test_strip_picture_and_sound_of_a_cue_begin_within_50_ms_of_each_other(
    browser: Any, house: House, strip: list[tuple[float, frozenset[int]]]
) -> None:
    """A page that hears of a cue late, or draws late on a busy machine, shows less of it: those do not count.

    What is scheduled by another clock, or relative to when it was drawn, is never together with the rest.
    """
    session = house.table.start("night_cage", {}, seed=0)
    mailbox = session.subscribe(PUBLIC)
    page = browser.new_page()
    page.goto(house.setup_url())
    page.locator("svg.board").wait_for()
    page.evaluate(WATCH)
    page.get_by_role("button", name="Comfort").click()
    page.locator("#sound-on").check()
    page.keyboard.press("Escape")
    wall_s = time.time() - time.monotonic()
    together, apart = 0, []
    for _ in range(MOST_ACTIONS):
        if not session.state().needs():
            session = house.table.start("night_cage", {}, seed=session.number)
            mailbox = session.subscribe(PUBLIC)
        cues = lit_cues(session, mailbox)
        page.wait_for_function(SHOWS, arg=str(session.update(PUBLIC).version))
        noted = page.evaluate("window.began")
        began = {kind: [at - wall_s for what, at in noted if what == kind] for kind in ("picture", "sound")}
        page.wait_for_timeout(1000 * max([0.3, *(one.begin_s + 0.1 - time.monotonic() for one in cues)]))
        for one in cues:
            first = {way[0] for way in one.cue.ways}
            began["strip"] = [at for at, lit in strip if first <= lit]
            late = {kind: nearest(times, one.begin_s) for kind, times in began.items()}
            together += max(late.values()) - min(late.values()) < TOGETHER_S
            apart.append(late)
        if together >= CUES:
            break
    page.close()
    print(f"{together} of {len(apart)} cues together; after the table's clock by ms:", in_ms(apart[-1]))
    assert together >= CUES, [in_ms(one) for one in apart]
