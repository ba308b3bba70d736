"""The queue of a page's cues and the encounter on the whole screen, in a real browser."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from make_film import FILMS, actions, find
from web_browser import House, Person

from companion.engine.action import PUBLIC
from companion.engine.cue import MOST_BEHIND_S, CueRule, Pace, cue_of
from companion.engine.state import Event
from web.frames import Teller

MANY = 50
QUEUE = """async ([log, again]) => {
    const { Player } = await import('/static/js/cues.js');
    const { h, s } = await import('/static/js/dom.js');
    const said = [], early = [];
    const cells = [0, 1, 2].map((i) => ({ centre_mm: [10 + 20 * i, 10], size_mm: [20, 20] }));
    const board = () => s('svg', { viewBox: '0 0 60 20' }, s('g', { class: 'pieces' }));
    const play = { seat: 0, art: {}, lines: log, game: { board: { cells, size_mm: [60, 20] } },
        frame: { scene: { glows: [], mood: '' } }, svg: board(), drawn: 0 };
    play.drawBoard = () => {
        play.svg.remove();
        play.svg = board();
        document.body.append(play.svg);
        play.player.dress(play.svg);
        play.drawn += play.svg.getAnimations({ subtree: true }).length;
    };
    let until = 0;
    play.player = new Player(play, (text) => {
        said.push(text);
        const cue = play.player.lastAct?.cues.find((one) => one.line.text === text);
        if (cue && !until && performance.now() < cue.begin) early.push(text);
    });
    const begin = performance.now() + 20;
    play.player.perform(log, play.svg, begin);
    play.drawBoard();
    const end = Math.max(...play.player.lastAct.cues.map((cue) => cue.end));
    if (again === 'skip') {
        play.player.skip();
        const left = play.player.timers.size;
        return { said, left, playing: play.player.isPlaying };
    }
    await play.player.over();
    const first = [...said];
    until = 1;
    if (again === 'again') {
        said.length = 0;
        play.player.again();
        await play.player.over();
    }
    return { first, said, early, behind_s: (end - begin) / 1000, drawn: play.drawn };
}"""


def lines() -> list[dict[str, Any]]:
    """Many events that came at once, timed as the table times them."""
    rule = CueRule(0.8, "step", "path", "run")
    events = [Event("moved", {"from_cell": n % 3, "cell": (n + 1) % 3}) for n in range(MANY)]
    timed = Pace().play(0.0, [cue_of(rule, event) for event in events])
    return [
        {"kind": "moved", "text": f"line {n}", "data": event.data, "cue": one.json()}
        for n, (event, one) in enumerate(zip(events, timed, strict=True))
    ]


WANTED = [f"line {n}" for n in range(MANY)]


def once_each(said: list[str]) -> list[str]:
    """What was said, without what stayed."""
    return [text for i, text in enumerate(said) if not i or said[i - 1] != text]


@pytest.fixture
def page(browser: Any, house: House) -> Any:
    page = browser.new_page()
    page.goto(f"{house.url}/join")
    yield page
    page.close()


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("is_calm", [False, True])
def test_of_fifty_events_at_once_none_is_lost_and_the_last_is_three_seconds_away(
    page: Any, is_calm: bool
) -> None:
    page.emulate_media(reduced_motion="reduce" if is_calm else "no-preference")
    heard = page.evaluate(QUEUE, [lines(), "again"])
    assert once_each(heard["first"]) == WANTED, "each in its turn"
    assert once_each(heard["said"]) == [WANTED[-1], *WANTED], "and so when it is played once more"
    assert heard["early"] == []
    assert heard["behind_s"] <= MOST_BEHIND_S + 0.001
    assert (heard["drawn"] == 0) is is_calm


@pytest.mark.browser
@pytest.mark.slow
def test_a_queue_that_is_skipped_is_empty_and_its_last_words_stay(page: Any) -> None:
    heard = page.evaluate(QUEUE, [lines(), "skip"])
    assert heard["said"][-1] == WANTED[-1]
    assert heard["left"] == 0 and not heard["playing"]


@pytest.mark.browser
@pytest.mark.slow
def test_a_page_that_was_away_tells_what_it_missed(browser: Any, house: House) -> None:
    session = house.table.start("night_cage", {}, seed=3)
    table = Person(browser, house.url, phone=False)
    table.page.goto(house.setup_url())
    table.page.locator("svg.board").wait_for()
    table.context.set_offline(True)
    table.page.locator("html[data-live=no]").wait_for(state="attached")
    seat = session.state().needs()[0].seat
    session.submit(seat, session.actions(seat)[0])
    table.context.set_offline(False)
    last = Teller(house.table, session, "en").event(session.history(PUBLIC)[-1])["text"]
    table.page.wait_for_function(
        "text => document.querySelector('.foot .last').innerText.includes(text)", arg=last
    )
    table.close()


MEETING = """() => {
    window.met = [];
    new MutationObserver(() => {
        const box = document.querySelector('.moment.meeting:not([hidden])');
        if (!box) return;
        const { left, top, width, height } = box.getBoundingClientRect();
        window.met.push({
            covers: left <= 0 && top <= 0 && width >= innerWidth && height >= innerHeight,
            text: box.innerText, pictures: box.querySelectorAll('svg').length,
            dice: [...box.querySelectorAll('.cube')].map((one) => one.getAttribute('aria-label')),
        });
    }).observe(document.body, { childList: true, subtree: true, attributes: true });
}"""


@pytest.mark.browser
@pytest.mark.slow
def test_an_encounter_takes_the_whole_screen_with_survivor_strength_and_dice(
    browser: Any, house: House
) -> None:
    film = FILMS["encounter"]
    seed, n = find(house, film)
    session = house.table.start(film.game, film.options, seed=seed)
    table = Person(browser, house.url, phone=False)
    for number, (seat, text) in enumerate(actions(session, Random(seed))):
        if number == n:
            # What came before is over: the page learns the table's clock with the roll.
            session._paces[PUBLIC].busy_until_s = 0.0
            table.page.goto(house.setup_url())
            table.page.locator("svg.board").wait_for()
            table.page.evaluate(MEETING)
            session.submit(seat, text)
            break
        session.submit(seat, text)
    table.page.wait_for_function("() => window.met.some((one) => one.dice.length)")
    last = next(one for one in table.page.evaluate("window.met") if one["dice"])
    rolled = next(event for event in reversed(session.history(PUBLIC)) if event.kind == "rolled")
    print(rolled.data, last)
    assert last["covers"] and last["pictures"] >= 1
    assert last["dice"] == [str(value) for value in rolled.data["dice"]]
    view = session.update(PUBLIC).view
    assert str(view["killer"]["strength"]) in last["text"]
    survivor = session.game.texts.say(f"word.{rolled.data['survivor']}", "en")
    assert survivor in last["text"]
    assert table.odd == []
    table.close()
