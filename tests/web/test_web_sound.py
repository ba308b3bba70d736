"""Sounds, rendered offline by the browser that plays them: heard, not clipped, and told apart."""

from __future__ import annotations

import base64
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from web_browser import House

from companion.engine.action import PUBLIC
from companion.engine.cue import SOUNDS
from companion.engine.scene import MOODS
from companion.games import REGISTRY
from web import frames

RATE = 22050
RENDER = """async ([kind, name, mood]) => {
    const { play, roomTone, lengthOf } = await import('/static/js/sound.js');
    const seconds = kind === 'sound' ? lengthOf(name) + 0.1 : 8;
    const context = new OfflineAudioContext(1, Math.ceil(22050 * seconds), 22050);
    if (kind === 'sound') play(context, name, 0.01, context.destination);
    else {
        const { default: page } = await import(`/games/${name}/page.js`);
        await roomTone(context, context.destination, page.room, mood).ready();
    }
    const samples = (await context.startRendering()).getChannelData(0);
    let text = '';
    for (const byte of new Uint8Array(samples.buffer)) text += String.fromCharCode(byte);
    return btoa(text);
}"""
BANDS = np.geomspace(40, RATE / 2, 33)

pytestmark = [pytest.mark.browser, pytest.mark.slow]


class Studio:
    """A page that renders sounds without a speaker."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def render(self, kind: str, name: str, mood: str = "") -> np.ndarray:
        return np.frombuffer(base64.b64decode(self.page.evaluate(RENDER, [kind, name, mood])), np.float32)


@pytest.fixture
def studio(browser: Any, house: House) -> Any:
    page = browser.new_page()
    page.goto(f"{house.url}/join")
    yield Studio(page)
    page.close()


def loudest(samples: np.ndarray, window_s: float = 0.05) -> float:
    """The loudness of the loudest moment."""
    n = int(RATE * window_s)
    whole = samples[: len(samples) // n * n].reshape(-1, n)
    return float(np.sqrt((whole**2).mean(axis=1)).max())


def spectrum(samples: np.ndarray) -> np.ndarray:
    """How the energy lies in bands of pitch and in thirds of the time: both make a sound what it is."""
    parts = []
    for third in np.array_split(samples, 3):
        power = np.abs(np.fft.rfft(third * np.hanning(len(third)))) ** 2
        pitches = np.fft.rfftfreq(len(third), 1 / RATE)
        bands = np.digitize(pitches, BANDS)
        parts.append(np.array([power[bands == band].sum() for band in range(1, len(BANDS))]))
    shape = np.sqrt(np.concatenate(parts))
    return shape / np.linalg.norm(shape)


def test_every_sound_that_a_cue_asks_for_is_heard_and_none_is_clipped(studio: Studio) -> None:
    names = studio.page.evaluate("import('/static/js/sound.js').then((m) => Object.keys(m.RECIPES))")
    assert set(names) == set(SOUNDS) - {""}
    rooms = [loudest(studio.render("room", game, mood)) for game in REGISTRY for mood in MOODS]
    for name in names:
        samples = studio.render("sound", name)
        assert np.isfinite(samples).all() and np.abs(samples).max() < 0.98, name
        assert loudest(samples) > 1.5 * max(rooms), f"{name} drowns in the room"
        assert np.abs(samples[-200:]).max() < 0.02, f"{name} is cut off"


def test_sounds_differ(studio: Studio) -> None:
    shapes = {name: spectrum(studio.render("sound", name)) for name in SOUNDS if name}
    alike = {(a, b): float(shapes[a] @ shapes[b]) for a, b in combinations(shapes, 2)}
    closest = max(alike, key=lambda pair: alike[pair])
    print(f"most alike: {closest}, {alike[closest]:.2f}")
    assert alike[closest] < 0.97


def test_every_game_has_a_room_of_its_own(studio: Studio) -> None:
    shapes = {game: spectrum(studio.render("room", game)[RATE:]) for game in REGISTRY}
    for one, other in combinations(shapes, 2):
        print(f"{one}, {other}: {shapes[one] @ shapes[other]:.3f}")
        assert shapes[one] @ shapes[other] < 0.99, (one, other)


@pytest.mark.parametrize("game", REGISTRY)
def test_the_room_is_never_silent_and_its_moods_differ(studio: Studio, game: str) -> None:
    rooms = {mood: studio.render("room", game, mood) for mood in MOODS}
    for mood, samples in rooms.items():
        assert 0.005 < loudest(samples[RATE:]) < 0.2, mood
    shapes = {mood: spectrum(samples[4 * RATE :]) for mood, samples in rooms.items()}
    for one, other in combinations(shapes, 2):
        assert shapes[one] @ shapes[other] < 0.999, (one, other)


def test_a_sound_is_the_same_every_time(studio: Studio) -> None:
    for name in ("dice", "creature"):
        assert (studio.render("sound", name) == studio.render("sound", name)).all()


def start_night_cage(house: House, page: Any) -> Any:
    session = house.table.start("night_cage", {}, seed=3)
    page.goto(house.setup_url())
    page.locator("svg.board").wait_for()
    return session


def act(session: Any) -> None:
    seat = session.state().needs()[0].seat
    session.submit(seat, session.actions(seat)[0])


def test_what_happened_is_played_out_on_the_page(browser: Any, house: House) -> None:
    page = browser.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    session = start_night_cage(house, page)
    page.evaluate(
        "new MutationObserver((all) => { for (const one of all) for (const node of one.addedNodes)"
        " { const lit = node.querySelector?.('.cue-lights');"
        " if (lit?.childElementCount) window.played = lit.childElementCount; } })"
        ".observe(document.body, { childList: true, subtree: true })"
    )
    act(session)
    page.wait_for_function("() => window.played > 0")
    page.close()
    assert wrong == []


def test_nothing_moves_where_somebody_wants_calm_and_the_words_come_all_the_same(
    browser: Any, house: House
) -> None:
    page = browser.new_page(reduced_motion="reduce")
    session = start_night_cage(house, page)
    before = page.locator(".foot .last").inner_text()
    act(session)
    page.wait_for_function("old => document.querySelector('.foot .last').innerText !== old", arg=before)
    assert page.locator(".cue-lights").count() == 0
    assert page.evaluate("document.getAnimations().length") == 0
    page.close()


COUNT = """() => {
    window.sounding = 0;
    const Real = window.OscillatorNode;
    window.OscillatorNode = class extends Real {
        constructor(...given) { super(...given); window.sounding += 1; }
    };
    window.asked = [];
    window.Audio = class {
        constructor(address) { window.asked.push(address); }
        play() { return Promise.resolve(); }
        pause() {}
    };
}"""


def test_a_device_sounds_only_after_somebody_wanted_it(browser: Any, house: House) -> None:
    page = browser.new_page()
    start_night_cage(house, page)
    page.evaluate(COUNT)
    page.mouse.click(5, 5)
    assert page.evaluate("window.sounding") == 0
    page.get_by_role("button", name="Comfort").click()
    page.locator("#sound-on").check()
    page.wait_for_function("() => window.sounding > 0")
    page.close()


def test_a_device_speaks_only_after_somebody_wanted_it_and_says_its_own_lines(
    browser: Any, house: House
) -> None:
    page = browser.new_page()
    session = start_night_cage(house, page)
    page.evaluate(COUNT)
    act(session)
    last = frames.Teller(house.table, session, "en").event(session.history(PUBLIC)[-1])["text"]
    page.wait_for_function("text => document.querySelector('.foot .last').innerText.includes(text)", arg=last)
    assert page.evaluate("window.asked") == []
    page.get_by_role("button", name="Comfort").click()
    page.locator("#voice-on").check()
    lines = len(session.history(PUBLIC))
    act(session)
    page.wait_for_function("() => window.asked.length === 1")
    assert page.evaluate("window.asked[0]").endswith(f"line={lines}")
    page.close()
