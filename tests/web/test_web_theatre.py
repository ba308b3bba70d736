"""The end of a game: its turning points are played out by their cues, or stand still where that is wanted."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from web_browser import House, Person

from companion.engine.action import PUBLIC
from companion.engine.cue import MOST_BEHIND_S
from companion.table.session import Session
from web import story

WATCH = """() => {
    window.lit = 0;
    new MutationObserver((all) => { for (const one of all) for (const node of one.addedNodes)
        if (node.closest?.('.story-stage'))
            window.lit += node.querySelector('.cue-lights')?.childElementCount || 0;
    }).observe(document.body, { childList: true, subtree: true });
}"""


def play_to_the_end(session: Session, rng: Random) -> list[tuple[int, str]]:
    """Plays a game; returns what the players did."""
    done = []
    while needs := session.state().needs():
        seat = rng.choice(needs).seat
        done.append((seat, rng.choice(session.actions(seat))))
        session.submit(*done[-1])
    return done


def end_of_a_game(house: House, person: Person, seed: int) -> Session:
    """Lets a table's screen see how a game ends."""
    *most, last = play_to_the_end(house.table.start("night_cage", {}, seed=seed), Random(seed))
    session = house.table.start("night_cage", {}, seed=seed)
    for seat, text in most:
        session.submit(seat, text)
    person.page.goto(house.setup_url())
    person.page.locator("svg.board").wait_for()
    person.page.evaluate(WATCH)
    session.submit(*last)
    person.page.locator(".turning svg").first.wait_for()
    return session


@pytest.mark.browser
@pytest.mark.slow
def test_the_turning_points_are_played_out_and_can_be_skipped(browser: Any, house: House) -> None:
    table = Person(browser, house.url, phone=False)
    session = end_of_a_game(house, table, seed=2)
    turning = story.turning_points(house.table, session, "en")
    assert len(turning) == story.TURNING_POINTS
    table.page.wait_for_function("() => window.lit > 0")
    assert table.page.locator(".ending.played .story-stage svg.board").is_visible()
    assert table.page.locator("[data-key=again]").is_visible(), "the next game can be begun meanwhile"
    table.tap("[data-key=close]")
    table.page.locator(".turning svg").first.wait_for()
    assert not table.page.locator(".story-stage svg").count()
    step, said = turning[-1]
    table.tap(f"[data-key=turning-{step}]")
    table.page.wait_for_function(
        "said => document.querySelector('.story-line')?.textContent === said", arg=said
    )
    table.page.locator(".ending:not(.played)").wait_for()
    assert table.odd == []
    table.close()


@pytest.mark.browser
@pytest.mark.slow
def test_in_calm_the_turning_points_are_still_pictures(browser: Any, house: House) -> None:
    table = Person(browser, house.url, phone=False)
    table.page.emulate_media(reduced_motion="reduce")
    session = end_of_a_game(house, table, seed=2)
    step, _ = story.turning_points(house.table, session, "en")[-1]
    table.tap(f"[data-key=turning-{step}]")
    table.page.locator(".story-stage svg.board").wait_for()
    assert table.page.evaluate("window.lit") == 0
    assert table.page.evaluate("document.getAnimations().length") == 0
    table.close()


def test_a_step_of_the_story_brings_its_cues(house: House) -> None:
    """They begin at nought, in their order, and each viewer gets the lines that he heard of in the game."""
    session = house.table.start("whisper", {"killer": "butcher"}, seed=3)
    play_to_the_end(session, Random(3))
    for viewer in (PUBLIC, 0, 1):
        heard = session.history(viewer)
        for number in (1, 7, len(session.lines())):
            told = story.step(house.table, session, number, viewer, "en")
            begins = [line["cue"]["begin_s"] for line in told["log"]]
            assert begins == sorted(begins) and all(0 <= begin <= MOST_BEHIND_S for begin in begins)
            first = told["heard"]
            assert [line["kind"] for line in told["log"]] == [
                event.kind for event in heard[first : first + len(told["log"])]
            ]
        assert first + len(told["log"]) == len(heard)
