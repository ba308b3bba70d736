"""Every word of the pages exists in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.engine.cue import SOUNDS
from companion.engine.scene import MEANINGS, MOODS
from companion.engine.text import LANGUAGES
from companion.games import REGISTRY
from web.text import PAGES, TEXTS

WEB = Path(__file__).parents[2] / "web"
USED = {
    key
    for path in (*WEB.glob("static/**/*.js"), *WEB.parent.glob("companion/games/*/page.js"))
    for key in re.findall(
        r"""\bt\(\s*"([\w.-]+)"|\bt\([^()"]*\? "([\w.-]+)" : "([\w.-]+)"\)""", path.read_text("utf-8")
    )
    for key in key
    if key
}
GAMES = {key for game in REGISTRY.games.values() for key in game.page_texts}
BLANK = re.compile(r"\{(\w+)")


def test_the_pages_use_only_texts_that_exist() -> None:
    assert USED - set(TEXTS.table) == set()


def test_the_server_uses_only_texts_that_exist() -> None:
    source = "\n".join(path.read_text("utf-8") for path in WEB.glob("*.py"))
    codes = {f"error.{code}" for code in re.findall(r'(?:problem|Forbidden)\("([\w-]+)"', source)}
    codes |= {f"notice.{code}" for code in re.findall(r'(?:notice\(|free\(.*)"([\w-]+)"', source)}
    assert codes - set(TEXTS.table) == set()


@pytest.mark.parametrize("meaning", MEANINGS)
def test_every_light_has_a_name(meaning: str) -> None:
    assert f"meaning.{meaning}" in TEXTS


def test_everything_that_is_heard_has_a_caption() -> None:
    heard = {f"heard.{sound}" for sound in SOUNDS if sound} | {f"room.{mood}" for mood in MOODS}
    assert heard == {key for key in PAGES if key.startswith(("heard.", "room."))}


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted({*PAGES, *GAMES}))
def test_both_languages_say_the_same_things(key: str) -> None:
    english, russian = TEXTS.table[key]
    assert english and russian
    assert set(BLANK.findall(english)) == set(BLANK.findall(russian))
    assert re.search("[а-яА-Я]", russian) or key == "title"


@pytest.mark.parametrize(
    ("n", "said"),
    [(1, "1 вариант"), (2, "2 варианта"), (5, "5 вариантов"), (11, "11 вариантов"), (21, "21 вариант")],
)
def test_russian_numbers_take_their_forms(n: int, said: str) -> None:
    assert TEXTS.say("choices", "ru", {"n": n}) == said


def test_a_page_gets_its_whole_language() -> None:
    for language in LANGUAGES:
        assert set(TEXTS.of(language)) >= {*PAGES, *GAMES}
