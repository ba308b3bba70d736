"""Random play through the pages alone: no game gets stuck, no page complains, axe finds nothing serious."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from test_web_javascript import tools  # noqa: F401  (a fixture: brings axe)
from web_axe import serious
from web_browser import House, Person

import web.stream
from companion.games import REGISTRY, load

pytestmark = [pytest.mark.browser, pytest.mark.slow]

IDLE = 60
"""So many rounds in which nobody could do anything mean that the game is stuck."""
LOOK_EVERY = 25


def counts(game: str) -> list[int]:
    """One, two and the most players, as far as the game can be played so."""
    (choices,) = [option.choices for option in load(game).options if option.name == "players"]
    return sorted({min(choices), *({2} & set(choices)), max(choices)})


def seat_people(
    game: str, players: int, phones: bool, house: House, person: Callable[..., Person]
) -> list[Person]:
    """The table's screen, and a phone for every seat; or for those seats alone that nobody else may play."""
    table = person(phone=False)
    table.start(house, game, players=str(players))
    people = []
    for seat, word in enumerate(house.table.session.seats):
        is_secret = word in load(game).secret_seats
        if not phones and not is_secret:
            continue
        one = person(language="ru-RU" if seat % 2 else "en-GB")
        if is_secret:
            one.claim_secret(house, f"N{seat}", seat)
        else:
            one.join(house, f"N{seat}", seat)
        people.append(one)
    return [table, *people]


def play_at_random(people: list[Person], house: House, rng: Random, actions: int) -> None:
    """Everybody touches what the own page offers, until the game is over or so many actions are done."""
    session, idle, last = house.table.session, 0, -1
    for n in range(40 * actions):
        done = len(session.lines())
        if session.update(-2).view["outcome"] is not None or done >= actions:
            return
        idle = 0 if done != last else idle + 1
        last = done
        assert idle < IDLE, f"nobody can do anything after {session.lines()[-3:]}"
        for one in people:
            one.step(rng)
        if n % LOOK_EVERY == 0:
            assert [fault for one in people for fault in serious(one.page)] == []
    raise AssertionError(f"only {len(session.lines())} actions")


SAMPLES = [*((game, True) for game in REGISTRY), ("bad_bones", False), ("dark_cave", False)]
"""With phones for everybody; without any, a game open to all and one that is handed from seat to seat."""


@pytest.mark.parametrize(("game", "phones"), SAMPLES)
def test_a_few_moves_at_random_through_the_pages(
    game: str,
    phones: bool,
    house: House,
    person: Callable[..., Person],
    tools: Path,  # noqa: F811
) -> None:
    seed = 91
    print(f"seed {seed}")
    people = seat_people(game, 2, phones, house, person)
    play_at_random(people, house, Random(seed), 6)


@pytest.mark.long
@pytest.mark.parametrize("number", range(20))
@pytest.mark.parametrize("phones", [True, False], ids=["phones", "no phones"])
@pytest.mark.parametrize(("game", "players"), [(game, n) for game in REGISTRY for n in counts(game)])
def test_whole_games_at_random_through_the_pages(
    game: str,
    players: int,
    phones: bool,
    number: int,
    house: House,
    person: Callable[..., Person],
    tools: Path,  # noqa: F811
) -> None:
    seed = f"{game} {players} {phones} {number}"
    print(f"seed {seed!r}")
    people = seat_people(game, players, phones, house, person)
    play_at_random(people, house, Random(seed), 4000)
    if house.table.session.update(-2).view["outcome"] is not None:
        people[0].page.goto(house.url)
        people[0].page.locator(".ending").wait_for()
        assert serious(people[0].page) == []


def test_a_page_that_hears_nothing_says_so(
    house: House, person: Callable[..., Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stream that is silent, though it is open, is old after two seconds; one that beats is not."""
    guest = person()
    guest.page.goto(f"{house.url}/join#code={house.people.join_code}")
    guest.page.locator("html[data-live=yes]").wait_for(state="attached")
    monkeypatch.setattr(web.stream, "HEARTBEAT_S", 60.0)
    guest.page.reload()
    guest.page.locator("html[data-live=no]").wait_for(state="attached")
    assert guest.page.locator(".old").is_visible()
