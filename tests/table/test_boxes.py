"""My box: what an owner enters about the cards, how it is kept, and how games are played with it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from zipfile import ZipFile

import pytest

from companion.engine.errors import ConfigError, JournalError, RecordError
from companion.engine.facts import BOOK, OWNER, UNCHECKED, Fact, FactValue, Values
from companion.games import REGISTRY, load, load_art, load_paper, load_with
from companion.table.backup import BackupError, opened, restore, write_backup
from companion.table.boxes import Boxes, doubtful, parse
from companion.table.journal import Journal
from companion.table.people import People
from companion.table.play import walk
from companion.table.record import read_record, replay, write_record
from companion.table.session import OtherBox, Session
from companion.table.table import Table
from hardware.wiring import SCHEMA

OURS = ("night_cage", "bad_bones", "onirim", "whisper", "dark_cave")
GERMAN: Values = {
    "killer_cards.butcher_sense.name": "Witterung",
    "killer_cards.butcher_sense.count": 4,
    "killer_cards.butcher_pursue.effect": "butcher_sense",
    "items.whiskey.name": "Schnapsflasche",
    "items.whiskey.equipment": 5,
}
"""A box in another language with other counts and another effect."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with closing(Journal(tmp_path / "gloam.db")) as journal:
        yield Table(journal, People())


def other_value(fact: Fact, rng: Random) -> FactValue:
    """Some value that the fact allows by itself."""
    if fact.kind == "number":
        return rng.randint(fact.low, fact.high)
    if fact.kind == "choice":
        return rng.choice(fact.choices)[0]
    if fact.kind == "sides":
        return "".join(side for side in "NESW" if rng.random() < 0.6) or "N"
    if fact.kind == "order":
        return " ".join(rng.sample([word for word, _ in fact.choices], len(fact.choices)))
    return {"cells": "####/####/#...", "text": "Слово x"}[fact.kind]


def some_box(key: str, rng: Random, changes: int = 25) -> dict[str, FactValue]:
    """A box with many facts changed, each such that the whole can be played."""
    values: dict[str, FactValue] = {}
    for fact in rng.choices(load(key).facts, k=changes):
        try:
            load(key).open_box(trial := {**values, fact.id: other_value(fact, rng)})
        except ConfigError:
            continue
        values = trial
    return values


# The facts of our games -------------------------------------------------------------------------


@pytest.mark.parametrize("key", OURS)
def test_every_fact_says_where_it_comes_from_and_its_own_value_is_allowed(key: str) -> None:
    facts = load(key).facts
    assert len({fact.id for fact in facts}) == len(facts) > 0
    for fact in facts:
        assert fact.origin in (BOOK, UNCHECKED)
        assert fact.kind == "text" or fact.demand(fact.value) == fact.value
        assert all(fact.about) and all(fact.ask)


def test_what_nobody_has_checked_is_counted() -> None:
    """The counts of the findings: killer cards, items, skills, plans, passages; all of the tunnels."""

    def about(key: str, part: str) -> int:
        subjects = {fact.subject for fact in load(key).facts if fact.is_doubtful}
        return sum(subject.startswith(f"{part}.") for subject in subjects)

    assert about("whisper", "skills") == 40
    assert about("whisper", "plans") == 16
    assert about("whisper", "killers") == 3
    assert about("whisper", "passages") == 13
    assert about("dark_cave", "tunnels") == 50
    assert about("dark_cave", "goals") + about("dark_cave", "entrance") == 6
    assert doubtful(load("bad_bones")) >= 100


@pytest.mark.parametrize("key", OURS)
def test_confirming_everything_changes_no_rule_and_leaves_no_doubt(key: str) -> None:
    values = {fact.id: fact.value for fact in load(key).facts if fact.plays}
    game = load_with(key, values)
    assert doubtful(game) == 0
    assert {fact.origin for fact in game.facts if fact.plays} == {OWNER}
    assert game.box == load(key).box
    for one, other in zip(played(game, 5), played(load(key), 5), strict=True):
        assert one == other


def played(game, seed: int) -> list[str]:
    """One random game in words."""
    options = game.resolve(next(iter(game.samples.values())))
    return [step.state.notation.text(step.action) for step in walk(game, options, Random(seed))]


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])
@pytest.mark.parametrize("key", OURS)
def test_every_box_that_is_accepted_can_be_played_to_the_end(key: str, seed: int) -> None:
    rng = Random(f"{key} {seed}")
    values = some_box(key, rng)
    print(f"seed {seed}: {values}")
    game = load_with(key, values)
    for given in game.samples.values():
        state = None
        for step in walk(game, game.resolve(given), rng):
            state = step.state
        assert state is not None and state.outcome() is not None
        state.check()


@pytest.mark.parametrize("key", OURS)
def test_pieces_of_another_box_are_drawn_and_printed(key: str) -> None:
    game = load_with(key, some_box(key, Random(7), 15))
    art = load_art(key, game.edition)
    for face in game.board(game.resolve({})).faces:
        assert art.draw(face.name).shapes
    assert all(n >= 0 for _, _, n in art.KIT)
    load_paper(key, "en", game.edition)


def test_a_tunnel_is_drawn_anew_from_the_sides_that_are_tapped() -> None:
    game = load_with("dark_cave", {"tunnels.T3-04.open": "ESW", "tunnels.T1-01.count": 3})
    assert load("dark_cave").printed["cards"]["tunnels"] != game.printed["cards"]["tunnels"]
    cards = {entry["id"]: entry for entry in game.printed["cards"]["tunnels"]}
    assert sorted(cards["T3-04"]["edges"]) == ["E", "S", "W"]
    assert sorted(cards["T3-04"]["links"]) == [["e", "c"], ["s", "c"], ["w", "c"]]
    assert {"T1-01", "T1-01.2", "T1-01.3"} <= set(cards)


# What is refused --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "values", "says"),
    [
        ("onirim", {"labyrinth.red.sun": 99}, "labyrinth.red.sun is 99; allowed: 0 to 20"),
        ("onirim", {"labyrinth.red.son": 9}, "did you mean 'labyrinth.red.sun'?"),
        ("onirim", {"labyrinth.red.sun": "9"}, "allowed: 0 to 20"),
        ("whisper", {"killer_cards.butcher_pursue.effect": "fly"}, "allowed: butcher_sense, "),
        ("whisper", {"passages.1": "C2-C3"}, "must join two locations"),
        ("whisper", {"items.key.search": 0}, "allowed: 1 to 9"),
        ("whisper", {"items.whiskey.name": "{seat}"}, "allowed: 1 to 60 letters"),
        ("dark_cave", {"tunnels.T1-01.open": "NX"}, "letters of N, E, S, W"),
        ("dark_cave", {"tunnels.T1-01.open": ""}, "at least one side"),
        ("dark_cave", {"goals.G-EXIT.open": "NS"}, "a goal needs N or S, and E or W"),
        ("dark_cave", {"tunnels.T1-01.feature": "passage"}, "only between two ways"),
        ("dark_cave", {"actions.rat-1.count": 0}, "level I has 27 cards; allowed: at least 29"),
        ("bad_bones", {"standard.left": "G G R Y P"}, "each of G, B, R, Y, P once"),
        ("night_cage", {"dirge.outline": "##/##"}, "nine '#'"),
    ],
)
def test_a_wrong_entry_is_named_with_its_file_and_what_is_allowed(
    tmp_path: Path, key: str, values: Values, says: str
) -> None:
    with pytest.raises(ConfigError) as error:
        Boxes(tmp_path).enter(key, values)
    assert f"box/{key}.json: " in str(error.value) and says in str(error.value)
    assert not (tmp_path / "box" / f"{key}.json").exists()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b'{"about": "", "facts": {"nightmares.all": 9,}}', "box/onirim.json, line 1"),
        (b"\xff\xfe", "is no text"),
        (b"[]", "must be"),
        (b'{"facts": {"nightmares.all": [1]}}', "a whole number or a text"),
        (b'{"facts": {"nightmares.al": 9}}', "did you mean 'nightmares.all'?"),
        (b'{"facts": {}, "x": "' + b"a" * 300_000 + b'"}', "more than 256 kB"),
        (b"[" * 100_000, "box/onirim.json"),
        (json.dumps({"facts": {f"x.{n}": n for n in range(2_001)}}).encode(), "more than 2000 facts"),
    ],
)
def test_a_typo_takes_only_its_own_game_off_the_shelf(table: Table, content: bytes, says: str) -> None:
    folder = table.boxes.folder
    assert folder is not None
    folder.mkdir()
    (folder / "onirim.json").write_bytes(content)
    assert list(table.boxes.games()) == [key for key in REGISTRY if key != "onirim"]
    assert list(table.boxes.faults()) == ["onirim"] and says in table.boxes.faults()["onirim"]
    with pytest.raises(ConfigError, match=r"box/onirim\.json"):
        table.start("onirim", {})
    table.start("night_cage", {})
    table.boxes.forget("onirim", "")
    assert list(table.boxes.games()) == list(REGISTRY)
    assert (folder / "onirim.json.wrong").read_bytes() == content


def test_the_name_of_a_game_is_no_path(table: Table, tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text("{")
    assert table.boxes.values("../secret") == {}
    with pytest.raises(ConfigError, match="unknown game") as error:
        table.start("../secret", {})
    assert "secret.json" not in str(error.value)


def test_what_belonged_to_another_effect_goes_with_it(tmp_path: Path) -> None:
    boxes = Boxes(tmp_path)
    boxes.enter("whisper", {"skills.s01.effect": "s01", "skills.s01.effect.1": 2})
    boxes.enter("whisper", {"skills.s01.effect": "s03"})
    assert boxes.values("whisper") == {"skills.s01.effect": "s03"}
    boxes.forget("whisper", "skills.s01")
    assert boxes.values("whisper") == {}


# Games ------------------------------------------------------------------------------------------


def test_a_running_game_keeps_its_cards_and_the_next_has_the_new_ones(table: Table) -> None:
    first = table.start("whisper", {}, seed=1)
    table.boxes.enter("whisper", GERMAN)
    assert first.game.texts.say("word.butcher_sense", "en") == "Sense"
    second = table.start("whisper", {}, seed=1)
    assert second.game.texts.say("word.butcher_sense", "en") == "Witterung"
    assert first.game.box != second.game.box


def test_a_stored_game_is_never_replayed_under_other_cards(table: Table) -> None:
    session = table.start("onirim", {}, seed=1)
    number = session.number
    table.boxes.enter("onirim", {"labyrinth.red.sun": 8})
    with pytest.raises(OtherBox, match=r"other cards of onirim .* “My box”"):
        table.resume(number)
    table.boxes.enter("onirim", {"labyrinth.red.sun": 9})
    assert table.resume(number).state().deck.counts == session.state().deck.counts


def test_a_name_may_change_under_a_stored_game(table: Table) -> None:
    number = table.start("whisper", {}, seed=1).number
    table.boxes.enter("whisper", {"killer_cards.butcher_sense.name": "Witterung"})
    assert table.resume(number).game.texts.say("word.butcher_sense", "ru") == "Witterung"


def test_a_game_that_was_stored_without_a_fingerprint_goes_on_with_the_box_as_shipped(table: Table) -> None:
    game = load("onirim")
    number = table.journal.create("onirim", game.rules_version, game.resolve({}))
    Session(table.journal, number).close()
    table.boxes.enter("onirim", {"nightmares.all": 11})
    with pytest.raises(JournalError):
        Session(table.journal, number)


def test_a_record_names_the_box_and_is_refused_with_another(tmp_path: Path) -> None:
    boxes = Boxes(tmp_path)
    boxes.enter("onirim", {"nightmares.all": 11})
    game = boxes.load("onirim")
    options = game.resolve({})
    lines = [(step.seat, step.state.notation.text(step.action)) for step in walk(game, options, Random(3))]
    text = write_record(game, options, lines, None)
    assert len(replay(read_record(text, boxes))[1]) == len(lines)
    with pytest.raises(RecordError, match="other cards of onirim"):
        read_record(text)


# Backups ----------------------------------------------------------------------------------------


def backup_of(table: Table, folder: Path) -> Path:
    assert table.journal.folder is not None
    path = folder / "backup.zip"
    write_backup(path, table.journal, folder / "gloam.toml", table.journal.folder, table.people.seats())
    return path


def test_a_backup_brings_the_cards_and_the_game_that_was_played_with_them(
    table: Table, tmp_path: Path
) -> None:
    table.boxes.enter("onirim", {"nightmares.all": 11})
    number = table.start("onirim", {}, seed=1).number
    backup = backup_of(table, tmp_path)
    table.boxes.enter("onirim", {"nightmares.all": 12})
    table.boxes.enter("whisper", GERMAN)
    with opened(backup, SCHEMA, tmp_path / "gloam.toml") as found:
        assert table.journal.folder is not None
        restore(found, table.journal, tmp_path / "gloam.toml", table.journal.folder, {})
    assert table.boxes.values("onirim") == {"nightmares.all": 11}
    assert table.boxes.values("whisper") == {}
    assert sum(table.resume(number).state().deck.counts) > 0


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("box/onirim.json", '{"facts": {"nightmares.all": 99}}'),
        ("box/onirim.json", "{"),
        ("box/../onirim.json", "{}"),
        ("box/whisper.py", "1"),
    ],
)
def test_a_backup_with_wrong_cards_is_refused(table: Table, tmp_path: Path, name: str, content: str) -> None:
    backup = backup_of(table, tmp_path)
    with ZipFile(backup, "a") as file:
        file.writestr(name, content)
    with pytest.raises(BackupError), opened(backup, SCHEMA, tmp_path / "gloam.toml"):
        pass


def test_the_file_can_be_read_by_people(tmp_path: Path) -> None:
    Boxes(tmp_path).enter("whisper", GERMAN)
    content = (tmp_path / "box" / "whisper.json").read_bytes()
    assert json.loads(content)["facts"] == GERMAN
    assert parse(content, "x") == GERMAN and b"Witterung" in content
