"""The cards of the Dark Cave: counts, drawings, and the check of the data file."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from companion.engine.errors import ConfigError
from companion.games.dark_cave import pieces
from companion.games.dark_cave.card_file import FILE, SOURCES
from companion.games.dark_cave.cards import CARDS, Cards, load


def data() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return found


def test_the_box_holds_110_cards() -> None:
    clan_cards, dwarf_cards, reference_cards = sum(pieces.CLAN_COUNTS), 8, 5
    playing = sum(CARDS.counts) + len(CARDS.goals) + 1
    assert playing + clan_cards + dwarf_cards + reference_cards == 110


def test_levels_have_as_many_tunnels_and_actions_as_the_rulebook_says() -> None:
    per_level = [
        (
            sum(n for k, n in enumerate(CARDS.counts) if CARDS.level[k] == level and CARDS.shape[k] >= 0),
            sum(n for k, n in enumerate(CARDS.counts) if CARDS.level[k] == level and CARDS.deed[k]),
        )
        for level in range(3)
    ]
    assert per_level == [(19, 10), (17, 10), (14, 12)]


@pytest.mark.rule("DC-ACT-05")
def test_kinds_and_levels_of_action_cards_come_from_the_data() -> None:
    found: Counter[tuple[str, int]] = Counter()
    for kind, n in enumerate(CARDS.counts):
        if CARDS.deed[kind]:
            found[CARDS.deed[kind], CARDS.level[kind] + 1] += n
    totals = Counter({deed: sum(n for (d, _), n in found.items() if d == deed) for deed, _ in found})
    assert totals == pieces.ACTION_CARDS
    assert [found["rat", level] for level in (1, 2, 3)] == [2, 1, 2]
    assert [found["goblin", level] for level in (1, 2, 3)] == [0, 1, 3]


@pytest.mark.rule("DC-GOAL-12")
def test_each_goal_has_one_feature_of_its_own() -> None:
    features = [CARDS.shapes[shape].feature for shape in CARDS.goals]
    assert [list(f.values()) for f in features] == [["exit"], ["gold"], ["ladder"], ["hole"]]


@pytest.mark.rule("DC-EXIT-01")
def test_exactly_one_goal_is_the_exit() -> None:
    assert sum("exit" in CARDS.shapes[shape].feature.values() for shape in CARDS.goals) == 1


@pytest.mark.rule("DC-SETUP-03")
def test_the_entrance_is_one_segment_open_to_all_sides_with_a_ladder() -> None:
    start = CARDS.shapes[CARDS.starts[0]]
    assert start.mask == 0b1111 and len(start.segments) == 1
    assert start.feature == {start.segments[0]: "ladder"}
    assert CARDS.symmetric[CARDS.starts[0]], "both sides play alike"


@pytest.mark.rule("DC-BRI-01")
def test_a_bridge_card_has_two_tunnels_that_do_not_meet() -> None:
    bridges = [s for s in CARDS.shapes if "bridge" in s.feature.values() and s.turn == 0]
    assert len(bridges) == 4
    for shape in bridges:
        assert shape.mask == 0b1111 and sorted(shape.joined) in ([5, 5, 10, 10],), shape.name


@pytest.mark.rule("DC-ARCH-01")
def test_an_arched_tunnel_joins_two_tunnels_by_a_segment_of_its_own() -> None:
    arched = [s for s in CARDS.shapes if "passage" in s.feature.values() and s.turn == 0]
    assert len(arched) == 5
    for shape in arched:
        passage = next(s for s, f in shape.feature.items() if f == "passage")
        assert shape.exits[passage] == () and len(shape.links[passage]) >= 2
        assert set(shape.joined) == {0b1111}, "the passage joins all sides"


@pytest.mark.rule("DC-MOVE-04")
@pytest.mark.parametrize("level", [1, 2, 3])
def test_crossing_a_card_takes_as_many_steps_as_its_level(level: int) -> None:
    for kind, shape_number in enumerate(CARDS.shape):
        if shape_number < 0 or CARDS.level[kind] != level - 1:
            continue
        shape = CARDS.shapes[shape_number]
        for side in range(4):
            for other in range(4):
                if side != other and shape.segment[side] >= 0 and shape.segment[other] >= 0:
                    steps = _segments_between(shape, shape.segment[side], shape.segment[other])
                    assert steps is None or steps == level, (shape.name, side, other)


def _segments_between(shape: Any, start: int, end: int) -> int | None:
    """How many segments are entered from one side to another, not through a passage."""
    found, front = {start}, [start]
    for n in range(1, 9):
        if end in front:
            return n
        front = [t for s in front for t in shape.links[s] if t not in found]
        front = [t for t in front if shape.feature.get(t) != "passage"]
        found.update(front)
    return None


def test_every_entry_says_where_it_comes_from() -> None:
    source = data()
    entries = [*source["tunnels"], *source["goals"], source["start"], *source["actions"]]
    assert len(entries) == 87 and all(entry["source"] in SOURCES for entry in entries)


def test_equal_drawings_are_one_kind() -> None:
    assert CARDS.kind_of["T1-01"] == CARDS.kind_of["T1-02"] != CARDS.kind_of["T1-03"]
    assert CARDS.kind_of["A1-08"] == CARDS.kind_of["A1-09"] == CARDS.kind_of["rat-1"]


def test_a_card_that_looks_the_same_turned_is_known_as_such() -> None:
    symmetric = {CARDS.shapes[i].name for i in range(len(CARDS.shapes)) if CARDS.symmetric[i]}
    assert {"T1-08", "T1-16", "T2-07", "T3-06", "G-EXIT"} <= symmetric
    assert not {"T1-03", "T1-09", "T2-13", "T3-10", "G-HOLE"} & symmetric


# The data file ----------------------------------------------------------------------------------------


def broken(change: Any) -> str:
    source = data()
    change(source)
    with pytest.raises(ConfigError) as caught:
        Cards(source, "cards.json")
    return str(caught.value)


def test_an_unknown_key_is_named() -> None:
    said = broken(lambda d: d["tunnels"][0].update(colour="red"))
    assert "T1-01" in said and "'colour'" in said and "allowed: edges" in said


def test_a_missing_key_is_named() -> None:
    assert "T1-02: 'edges' is missing" in broken(lambda d: d["tunnels"][1].pop("edges"))


def test_a_wrong_segment_is_named() -> None:
    said = broken(lambda d: d["tunnels"][2]["edges"].update(N="z"))
    assert "T1-03: edge N: segment 'z' is not among a" in said


def test_a_wrong_side_feature_level_or_source_is_named() -> None:
    assert "edge 'X'" in broken(lambda d: d["tunnels"][0]["edges"].update(X="a"))
    assert "feature 'lake'" in broken(lambda d: d["tunnels"][0]["features"].update(a="lake"))
    assert "level 4 is not allowed; choose one of 1, 2, 3" in broken(
        lambda d: d["tunnels"][0].update(level=4)
    )
    assert "source 'dream' is not allowed" in broken(lambda d: d["tunnels"][0].update(source="dream"))


def test_a_goal_that_cannot_be_joined_from_every_side_is_refused() -> None:
    assert "G-GOLD" in broken(lambda d: d["goals"][1]["edges"].pop("N"))


def test_two_cards_with_one_id_are_refused() -> None:
    assert "T1-01 stands twice" in broken(lambda d: d["tunnels"][1].update(id="T1-01"))


def test_counts_that_differ_from_the_rulebook_are_refused_when_strict() -> None:
    said = broken(lambda d: d["tunnels"].pop())
    assert "tunnels of level 3: 13 cards, the rulebook has 14" in said


def test_features_that_differ_from_the_rulebook_are_refused_when_strict() -> None:
    said = broken(
        lambda d: next(e for e in d["tunnels"] if "hole" in e["features"].values()).update(features={})
    )
    assert "tunnels with hole: 8 cards, the rulebook has 9" in said
    said = broken(lambda d: d["goals"][1].update(features={}))
    assert "goals with gold: 0 cards, the rulebook has 1" in said


def test_counts_that_differ_only_warn_when_not_strict() -> None:
    source = data() | {"strict": False}
    source["actions"].pop()
    with pytest.warns(UserWarning) as warned:
        Cards(source)
    said = [str(warning.message) for warning in warned]
    assert "cards.json: actions of kind goblin: 3 cards, the rulebook has 4" in said


def test_an_unreadable_file_is_named(tmp_path: Any) -> None:
    path = tmp_path / "mine.json"
    path.write_text("{", "utf-8")
    with pytest.raises(ConfigError, match=r"mine\.json: cannot be read"):
        load(path)
