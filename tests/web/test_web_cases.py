"""Russian has cases: no sentence puts a name where its nominative would be wrong."""

from __future__ import annotations

import re
from random import Random

import pytest
from test_web_stuck import positions
from web_tools import Room

from companion.engine.action import PUBLIC
from companion.games import REGISTRY, load
from companion.table.labels import CASES
from web import frames
from web.text import PAGES

BEFORE = (
    *("в", "во", "на", "из", "с", "со", "к", "ко", "от", "до", "у", "о", "об", "для", "без", "через", "по"),
    *("за", "под", "над", "при", "между", "против"),
)
"""Prepositions, after which no Russian name stays as it is."""
AFTER = re.compile(rf"(?:^|[\s(«])({'|'.join(BEFORE)}) \{{(\w+)(@\w+)?\}}", re.IGNORECASE)
NUMBERS = {
    *("n", "of", "turns", "turn", "gold", "level", "levels", "enough", "markers", "limit", "total", "supply"),
    *("mm", "mb", "ma", "percent", "seconds", "address"),
}
COORDINATES = re.compile(r"(\w*_)?(cells?|spot)\d?|place")
"""Places of boards with lines: `c3`, which has no cases."""


def uncased(text: str, *, has_names: bool) -> list[str]:
    """The blanks of a sentence that would be filled with a name in the wrong case."""
    return [
        blank
        for _, blank, case in AFTER.findall(text)
        if not case and blank not in NUMBERS and (has_names or not COORDINATES.fullmatch(blank))
    ]


@pytest.mark.parametrize("key", REGISTRY)
def test_no_sentence_of_a_game_leaves_a_name_in_the_wrong_case(key: str) -> None:
    texts = load(key).texts.table
    has_names = any(code.startswith("place.") for code in texts)
    wrong = {code: ru for code, (_, ru) in texts.items() if uncased(ru, has_names=has_names)}
    assert wrong == {}


def test_no_sentence_of_the_pages_leaves_a_name_in_the_wrong_case() -> None:
    assert {key: ru for key, (_, ru) in PAGES.items() if uncased(ru, has_names=False)} == {}


def test_every_place_with_a_name_has_all_its_cases() -> None:
    for key in REGISTRY:
        texts = load(key).texts.table
        named = [code for code in texts if code.startswith("place.") and "@" not in code]
        assert [code for code in named for case in CASES if f"{code}@{case}" not in texts] == []


def test_the_sentences_that_people_read_have_the_right_cases(room: Room) -> None:
    """Over a random game of Whisper: what the buttons and the log say of the storeroom and the garden."""
    seed = 71
    print(f"seed {seed}")
    session = room.table.start("whisper", {"players": 2}, seed=seed)
    said: set[str] = set()
    for seat in positions(session, Random(seed), most=300):
        said |= {
            label for one in frames.moves(room.table, session, seat, "ru") for _, label in one["actions"]
        }
    teller = frames.Teller(room.table, session, "ru")
    said |= {teller.event(event)["text"] for event in session.history(PUBLIC)}
    assert "Идти в сад" in said
    assert any(text.endswith("в кладовую") for text in said)
    nominative = re.compile(r"\b(в|на|из|с) (Кладовая|Галерея|Кухня|Гостиная|Столовая|Веранда|Сад)\b")
    assert [text for text in said if nominative.search(text)] == []
