"""The data files can be edited by the owner of a box, and a slip is named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from whisper_night import KILLER, TEAM, bag, fight, hand, heard, killers_turn, night, put, refused, wake

from companion.engine.errors import ConfigError
from companion.games.whisper.agenda import Whisper
from companion.games.whisper.data import FILES, HERE, load
from companion.games.whisper.killer import cost
from companion.games.whisper.pieces import CARDS, ITEMS, SKILLS
from companion.games.whisper.plans import fulfils
from companion.games.whisper.readings import READINGS


@pytest.fixture
def box(tmp_path: Path) -> Path:
    for name in FILES:
        shutil.copy(HERE / f"{name}.json", tmp_path)
    return tmp_path


def edit(box: Path, file: str, *path: str | int, to: Any) -> None:
    """Changes one value of one file."""
    raw = json.loads((box / f"{file}.json").read_text("utf-8"))
    at = raw
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = to
    (box / f"{file}.json").write_text(json.dumps(raw), "utf-8")


def refused_box(box: Path) -> str:
    with pytest.raises(ConfigError) as error:
        load(frozenset(), box)
    return str(error.value)


def test_the_files_as_they_are_load(box: Path) -> None:
    loaded = load(frozenset(), box)
    assert sum(card.copies for card in loaded.cards) == 39
    assert sum(sum(item.copies) for item in loaded.items) == 45
    assert (len(loaded.skills), len(loaded.plans), len(loaded.survivors)) == (40, 16, 5)


@pytest.mark.parametrize(
    ("file", "path", "to", "says"),
    [
        (
            "killer_cards",
            ("cards", 0, "count"),
            -5,
            "of butcher: there must be at least 8, not 6",
        ),
        (
            "killer_cards",
            ("cards", 0, "killer"),
            "ghost",
            "killer_cards butcher_sense: killer 'ghost' is unknown",
        ),
        ("killer_cards", ("cards", 0, "timing"), ["soon"], "timing 'soon' is not allowed; choose one of"),
        (
            "killer_cards",
            ("cards", 0, "effects", 0, "op"),
            "guess",
            "butcher_sense: op 'guess' is not allowed",
        ),
        ("killer_cards", ("cards", 0, "effects", 0, "scope"), "attic", "sense.scope 'attic' is not allowed"),
        (
            "killer_cards",
            ("cards", 1, "effects", 0),
            {"op": "move", "min": 1},
            "butcher_pursue: move lacks max",
        ),
        ("killer_cards", ("cards", 1, "cost"), "two", "cost must be a whole number from -1 to 12, not 'two'"),
        (
            "items",
            ("items", 0, "count", "equipment"),
            -20,
            "items key: count must be a whole number from 0 to 45, not -20",
        ),
        ("items", ("items", 1, "uses"), ["sometimes"], "items toolbox: uses 'sometimes' is not allowed"),
        ("map", ("passages", 0, "b"), "C9", "map passages C1-C2: location 'C9' is unknown"),
        ("map", ("passages", 0, "b"), "C1", "must join two locations"),
        ("map", ("open_links", 1, "a"), "Z3", "map open_links Z2-Z3: must join"),
        ("dice", ("faces",), [0, 1, 1], "dice faces: there must be 6, not 3"),
        ("skills", ("skills", 0, "side"), "both", "skills s01: side 'both' is not allowed"),
        ("skills", ("skills", 2, "mods", 0, "mod"), "loud", "skills s03: mod 'loud' is not allowed"),
        ("plans", ("plans", 0, "steps"), ["at_home"], "plans explosive: steps 'at_home' is not allowed"),
        (
            "survivors",
            ("survivors", 1, "base_colour"),
            "purple",
            "different base_colour: there must be 5, not 4",
        ),
        ("survivors", ("survivors", 0, "id"), "anna", "survivors: the id 'anna' stands twice"),
        ("killers", ("killers", 0, "locked_card"), "butcher_sense", "no level unlocks butcher_sense"),
    ],
)
def test_a_slip_is_named(box: Path, file: str, path: tuple[str | int, ...], to: Any, says: str) -> None:
    edit(box, file, *path, to=to)
    assert says in refused_box(box)


def test_a_cut_map_is_named(box: Path) -> None:
    raw = json.loads((box / "map.json").read_text("utf-8"))
    for way in raw["passages"]:
        if way["id"] in ("C3-C4", "C4-Z5"):
            way.update(a="K1", b={"C3-C4": "K4", "C4-Z5": "K5"}[way["id"]])
    (box / "map.json").write_text(json.dumps(raw), "utf-8")
    assert refused_box(box) == "map: no way leads from K1 to C4"


def test_a_broken_or_missing_file_is_named(box: Path) -> None:
    (box / "dice.json").write_text("{", "utf-8")
    assert refused_box(box).startswith("dice.json:")
    (box / "dice.json").unlink()
    assert "dice.json: cannot be read" in refused_box(box)


def test_an_owners_correction_is_played(box: Path) -> None:
    edit(box, "items", "items", ITEMS.index("fertilizer"), "effects", "defence", 0, "n", to=4)
    loaded = load(frozenset(), box)
    assert ("defence", 4) in loaded.items[ITEMS.index("fertilizer")].uses[0].effects


@pytest.mark.parametrize("name", READINGS)
def test_every_other_reading_changes_the_box(name: str) -> None:
    assert load(frozenset({name})) != load()


def read_as(name: str, **more: Any) -> Whisper:
    return night(**{f"alt_{name}": True, **more})


def test_the_other_readings_are_played() -> None:
    state = killers_turn(put(read_as("dice"), marco="K5", butcher="K5"), "main")
    fight(state, "bare")
    assert {state.notation.text(a): n for a, n in state.outcomes()}["roll 0+0+0+0"] == 1
    given = ("specter_drain", "specter_sense", "specter_sense", "specter_sense")
    state = killers_turn(hand(read_as("drain", killer="specter"), *given), "main")
    assert cost(state, CARDS.index("specter_drain")) == 3
    state = wake(bag(read_as("firecracker"), "marco", "firecracker"), "marco")
    state.main_done = True
    assert refused(state, TEAM, "use firecracker")[0] == "main-action-done"
    state = wake(bag(read_as("adrenaline"), "marco", "adrenaline"), "marco")
    assert state.refusal(TEAM, state.notation.parse("use adrenaline Z4")) is None
    assert fulfils(put(read_as("info"), anna="K5"), "at_info")
    assert not fulfils(put(night(), anna="K5"), "at_info")
    state = bag(put(read_as("william"), william="K5", butcher="K5"), "william", "fertilizer")
    events = fight(killers_turn(state, "main"), "guard fertilizer", "roll 1+0+0+0")
    assert heard(events, KILLER)["rolled"]["total"] == 1 + 2 + 1
    state = bag(put(read_as("longsword"), marco="K5", butcher="K5"), "marco", "longsword")
    fight(killers_turn(state, "main"), "guard longsword")
    assert state.fight.defence == 2
    assert load(frozenset({"maniac"})).killers[2].gains[3][0] == ("strength", 2, "permanent")
    skills = load(frozenset({"skills"})).skills
    assert skills[SKILLS.index("s12")].once and skills[SKILLS.index("k13")].kind == "trigger"
    plans = {plan.id: plan for plan in load(frozenset({"plans"})).plans}
    assert plans["ambush"].steps == ("at_info", "all_together", "at_killer")
    assert plans["seal"].wins[0]["item"] is None
