"""Games by tapping, to their ends: the table's screen and phones in real browsers at the network address.

The suite taps a third of the moves, in stretches all over the game; `gloam test --long` taps every one.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import median

import pytest
from web_browser import House, Person, play_to_the_end

from companion.games import REGISTRY

pytestmark = [pytest.mark.browser, pytest.mark.slow]

GAMES = {
    "onirim": {"players": "2"},
    "night_cage": {"players": "2"},
    "bad_bones": {"players": "2"},
    "dark_cave": {"players": "2"},
}
"""Games in which every seat may be taken by scanning the invitation."""
TAPPED = pytest.mark.parametrize(
    "skips", [pytest.param(24, id="a third"), pytest.param(0, id="every move", marks=pytest.mark.long)]
)


def tell_touches(game: str, touches: list[int], people: list[Person]) -> None:
    """Prints how many touches the moves took; no question may have listed more than five sentences."""
    longest = max(n for one in people for n in one.lists)
    print(
        f"{game}: {len(touches)} moves, touches: median {median(touches)}, worst {max(touches)}; {longest=}"
    )
    assert longest <= 5


@TAPPED
@pytest.mark.parametrize("game", [game for game in GAMES if game in REGISTRY])
def test_a_table_and_two_phones_play_to_the_end(
    game: str, skips: int, house: House, person: Callable[..., Person]
) -> None:
    seed = 11
    print(f"seed {seed}")
    table, ann, bob = person(phone=False), person(), person(language="ru-RU")
    table.start(house, game, **GAMES[game])
    ann.join(house, "Ann", 0)
    bob.join(house, "Борис", 1)
    tell_touches(game, play_to_the_end({0: ann, 1: bob}, house, Random(seed), skips=skips), [ann, bob])
    for one in (table, ann, bob):
        one.page.locator(".ending").wait_for()
    table.tap("[data-key=story]")
    table.page.locator(".story-stage svg.board").wait_for()


@TAPPED
def test_one_screen_is_enough_for_a_game_alone(
    skips: int, house: House, person: Callable[..., Person]
) -> None:
    seed = 3
    print(f"seed {seed}")
    table = person(phone=False, moves=True)
    table.start(house, "onirim", players="1")
    play_to_the_end({0: table}, house, Random(seed), skips=skips)
    table.page.locator(".ending").wait_for()


@TAPPED
@pytest.mark.parametrize("game", [game for game in ("whisper",) if game in REGISTRY])
def test_killer_and_survivors_play_on_separate_phones(
    game: str, skips: int, house: House, person: Callable[..., Person]
) -> None:
    seed = 5
    print(f"seed {seed}")
    table, killer, team = person(phone=False), person(), person(language="ru-RU")
    table.start(house, game, players="2", confirm="yes")
    team.join(house, "Team", 1)
    killer.claim_secret(house, "Vera", 0)
    tell_touches(
        game, play_to_the_end({0: killer, 1: team}, house, Random(seed), skips=skips), [killer, team]
    )
    for one in (table, killer, team):
        one.page.locator(".ending").wait_for()
