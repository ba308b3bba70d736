"""What the table's screen shows, moment by moment: in time with the game, without flashes, calm if wanted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest
from make_film import actions
from PIL import Image
from stepped_page import SteppedPage
from web_browser import House

from companion.engine.action import PUBLIC
from companion.engine.cue import MOST_BEHIND_S, SHAPES, CueRule, Pace, cue_of
from companion.engine.state import Event
from companion.games import REGISTRY
from companion.table.session import Session
from web.frames import Teller

PAUSE_S = 1.2
"""Between two actions of `gloam demo`."""
STEP_S = 0.1
ACTIONS, MANY = 8, 50
OPTIONS: dict[str, dict[str, Any]] = {"whisper": {"players": 2, "killer": "butcher"}}

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def screen(browser: Any, house: House) -> Iterator[SteppedPage]:
    screen = SteppedPage(browser, house, 640, 360)
    yield screen
    assert screen.person.odd == []
    screen.close()


def busiest(house: House, key: str, looked_at: int = 40, seed: int = 3) -> tuple[Session, Any]:
    """A game just before the one of its first actions that brings the most events, and what is done then."""
    session = house.table.start(key, OPTIONS.get(key, {}), seed=seed)
    mailbox, most = session.subscribe(PUBLIC), {}
    for n, (seat, text) in enumerate(islice(actions(session, Random(seed)), looked_at)):
        session.submit(seat, text)
        while (update := mailbox.get(0)) is not None:
            most[n] = most.get(n, 0) + len(update.cues)
    last = max(most, key=lambda n: (most[n], n))
    session = house.table.start(key, OPTIONS.get(key, {}), seed=seed)
    coming = actions(session, Random(seed))
    for _ in range(last):
        session.submit(*next(coming))
    return session, coming


PLAYING = (
    """[...document.querySelectorAll('.cue-lights *')].some((one) => getComputedStyle(one).opacity > 0)"""
)
SAID = """() => {
    window.said = [];
    const last = document.querySelector('.foot .last');
    const words = () => last.querySelector('span')?.textContent || '';
    let before = words();
    new MutationObserver(() => {
        if (words() !== before) window.said.push([before = words(), performance.now() / 1000]);
    }).observe(last, { childList: true, subtree: true });
}"""


@pytest.mark.parametrize("key", REGISTRY)
def test_the_screen_tells_everything_within_three_seconds_at_the_speed_of_a_demonstration(
    screen: SteppedPage, house: House, key: str
) -> None:
    session, coming = busiest(house, key)
    screen.open()
    for _ in range(2):  # the first lines tell the page the table's time
        screen.submit(session, *next(coming))
        screen.step(MOST_BEHIND_S + 1)
    screen.look(SAID)
    teller = Teller(house.table, session, "en")
    told: list[tuple[str, float]] = []
    for seat, text in islice(coming, ACTIONS):
        known = len(session.history(PUBLIC))
        at_s = screen.now_s
        screen.submit(session, seat, text)
        told += [(teller.event(event)["text"], at_s) for event in session.history(PUBLIC)[known:]]
        for _ in range(round(PAUSE_S / STEP_S)):
            screen.step(STEP_S)
    for _ in range(round(MOST_BEHIND_S / STEP_S)):
        screen.step(STEP_S)
    said = screen.look("window.said")
    once = [one for i, one in enumerate(told) if not i or told[i - 1][0] != one[0]]
    assert [text for text, _ in said] == [text for text, _ in once]
    behind = [said_s - at_s for (_, said_s), (_, at_s) in zip(said, once, strict=True)]
    print(f"{key}: {len(told)} lines of {ACTIONS} actions, the latest {max(behind):.2f} s behind")
    assert min(behind) >= 0 and max(behind) <= MOST_BEHIND_S + 0.01
    assert not screen.look(PLAYING)


ROWS, COLUMNS = 5, 8
"""A fortieth of the screen: less than the smallest area whose flashes WCAG 2.3.1 counts."""


def luminance(picture: Image.Image) -> np.ndarray:
    """How bright and how red each fortieth of the screen is."""
    small = np.asarray(picture, np.float64) / 255
    linear = np.where(small <= 0.04045, small / 12.92, ((small + 0.055) / 1.055) ** 2.4)
    height, width, _ = linear.shape
    blocks = linear.reshape(ROWS, height // ROWS, COLUMNS, width // COLUMNS, 3).mean(axis=(1, 3))
    bright = blocks @ np.array([0.2126, 0.7152, 0.0722])
    red = np.maximum(0, blocks[..., 0] - blocks[..., 1] - blocks[..., 2])
    return np.concatenate([bright.ravel(), 1.6 * red.ravel()])


def most_flashes(seen: np.ndarray, rate: float) -> int:
    """How often any part rises by a tenth after it fell by as much, within any second."""
    most = 0
    for signal in seen.T:
        edge, is_rising, rises = signal[0], False, []
        for i, value in enumerate(signal):
            if (value <= edge - 0.1) if is_rising else (value >= edge + 0.1):
                is_rising, edge = not is_rising, value
                rises += [i / rate] if is_rising else []
            edge = max(edge, value) if is_rising else min(edge, value)
        most = max([most, *(sum(at <= one < at + 1 for one in rises) for at in rises)])
    return most


@pytest.mark.parametrize("hertz", [2, 3, 5])
def test_flashes_are_counted(hertz: int) -> None:
    time = np.arange(0, 3, 1 / 60)
    assert most_flashes((0.5 + 0.5 * np.sin(2 * np.pi * hertz * time))[:, None], 60) in (hertz, hertz + 1)
    assert most_flashes((0.5 + 0.04 * np.sin(2 * np.pi * hertz * time))[:, None], 60) == 0


RATE = 20
"""Pictures a second: what flashes more than ten times a second is seen as flashing less."""


def flashes_of(screen: SteppedPage, seconds: float) -> int:
    return most_flashes(np.array([luminance(one) for one in screen.film(seconds, RATE)]), RATE)


@pytest.mark.parametrize("key", REGISTRY)
def test_nothing_on_the_screen_flashes_more_than_three_times_a_second(
    screen: SteppedPage, house: House, key: str
) -> None:
    session, coming = busiest(house, key)
    screen.open()
    screen.submit(session, *next(coming))
    most = flashes_of(screen, MOST_BEHIND_S + 0.4)
    print(f"{key}: {most} flashes a second at most")
    assert most <= 3


CROWDED = """async ([log, cells]) => {
    const { Player } = await import('/static/js/cues.js');
    const { s } = await import('/static/js/dom.js');
    const style = { position: 'fixed', inset: 0, zIndex: 99, background: '#000' };
    const svg = s('svg', { viewBox: '0 0 64 36', style }, s('g', { class: 'pieces' }));
    const play = { seat: 0, art: {}, lines: log, svg, game: { board: { cells, size_mm: [64, 36] } },
        frame: { scene: { glows: [], mood: '' } }, drawBoard: () => {} };
    const player = new Player(play, () => {});
    player.perform(log, svg, performance.now());
    document.body.append(svg);
    player.dress(svg);
}"""


@pytest.mark.parametrize(("shape", "n"), [*((shape, MANY) for shape in SHAPES), ("run", 6)])
def test_many_events_at_one_place_are_no_flashes(
    screen: SteppedPage, house: House, shape: str, n: int
) -> None:
    rule = CueRule(0.8, "", "lit", shape)
    events = [Event("moved", {"from_cell": i % 3, "cell": (i + 1) % 3}) for i in range(n)]
    timed = Pace().play(0.0, [cue_of(rule, event) for event in events])
    log = [{"text": str(i), "data": {}, "cue": one.json()} for i, one in enumerate(timed)]
    cells = [{"centre_mm": [12 + 20 * i, 18], "size_mm": [20, 30]} for i in range(3)]
    house.table.start("onirim", {})
    screen.open()
    screen.look(f"() => ({CROWDED})({json.dumps([log, cells])})")
    seen = np.array([luminance(one) for one in screen.film(MOST_BEHIND_S + 0.4, RATE)])
    assert np.ptp(seen[:, : ROWS * COLUMNS], axis=0).max() > 0.3, "nothing lights up"
    assert most_flashes(seen, RATE) <= 3


MOVED = """() => {
    window.moved = [];
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...given) {
        window.moved.push(this.className.baseVal ?? this.className);
        return animate.apply(this, given);
    };
}"""


@pytest.mark.parametrize("key", REGISTRY)
def test_in_calm_nothing_moves_while_everything_is_told(screen: SteppedPage, house: House, key: str) -> None:
    session, coming = busiest(house, key)
    screen.open(calm=True)
    screen.look(MOVED)
    screen.look(SAID)
    for seat, text in islice(coming, 2):
        screen.submit(session, seat, text)
        for _ in range(round(MOST_BEHIND_S / STEP_S)):
            screen.step(STEP_S)
            assert screen.look("document.getAnimations().map((one) => one.animationName)") == []
    assert screen.look("window.moved") == []
    assert screen.look("window.said.length")
    assert any(is_still(screen) for _ in range(3)), "what comes late is drawn once, what moves goes on"


def is_still(screen: SteppedPage) -> bool:
    """Whether a moment later everything looks the same."""
    before = screen.picture()
    screen.step(0.7)
    return before.tobytes() == screen.picture().tobytes()
