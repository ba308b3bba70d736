"""What the table shows: lights, the camera's layout, explanations, words; and that every rule is tested."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest
from dark_cave_tables import cell, do, table

from companion.engine.action import PUBLIC
from companion.engine.layout import Piece
from companion.games import dark_cave
from companion.games.dark_cave import GAME
from companion.games.dark_cave.agenda import DarkCave
from companion.games.dark_cave.layout import BOARD, DECK, LAMP
from companion.games.dark_cave.spread import COORDINATES, NAMES, ON_TABLE

ROW = {"1,0": "T1-08", "2,0": "T1-01", "3,0": "T1-02"}

LEDGER = {
    "SETUP": 27,
    "CLAN": 6,
    "TURN": 10,
    "PLACE": 20,
    "MOVE": 15,
    "LAD": 6,
    "BRI": 7,
    "ARCH": 5,
    "GOLD": 9,
    "GOAL": 12,
    "EXIT": 9,
    "ACT": 5,
    "INFO": 4,
    "ROCK": 8,
    "SWAP": 6,
    "WEB": 11,
    "BOOT": 5,
    "AXE": 12,
    "CRE": 20,
    "RAT": 3,
    "LIN": 6,
    "GOB": 3,
    "DRAW": 5,
    "END": 7,
    "SCORE": 10,
    "HID": 5,
    "INV": 9,
    "BOOK": 6,
}
"""How many rules each section of the ledger has."""
SCENARIOS = 53


def sources() -> str:
    return "\n".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))


def test_every_rule_of_the_ledger_is_named_by_a_test() -> None:
    rules = {f"DC-{section}-{i + 1:02}" for section, n in LEDGER.items() for i in range(n)}
    named = set(re.findall(r'pytest\.mark\.rule\("(DC-[A-Z]+-\d+)"\)', sources()))
    assert len(rules) == 251
    assert sorted(rules - named) == [] and sorted(named - rules) == []


def test_every_scenario_of_the_ledger_is_a_test() -> None:
    named = {int(n) for n in re.findall(r"def test_dc_s(\d+)_", sources())}
    assert named == set(range(1, SCENARIOS + 1))


def test_every_rule_that_the_source_cites_is_in_the_ledger() -> None:
    rules = {f"DC-{section}-{i + 1:02}" for section, n in LEDGER.items() for i in range(n)}
    cited = set()
    for path in Path(inspect.getfile(dark_cave)).parent.glob("*.py"):
        cited |= set(re.findall(r"(?<!D-)DC-[A-Z]+-\d+", path.read_text("utf-8")))
    assert sorted(cited - rules) == []


@pytest.mark.slow
def test_every_refusal_of_the_rules_has_words() -> None:
    """Refusals are made by `no`, which the contract's reading of the source does not know."""
    codes = set()
    for path in Path(inspect.getfile(dark_cave)).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            is_call = (
                isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and path.name != "scene.py"
            )
            if is_call and node.func.id in ("no", "Reason") and isinstance(node.args[0], ast.Constant):
                codes.add(node.args[0].value)
    assert len(codes) > 40
    assert [code for code in sorted(codes) if f"refusal.{code}" not in GAME.texts] == []


# The camera -------------------------------------------------------------------------------------------


def test_the_first_places_of_the_board_are_the_cells_of_the_spread() -> None:
    assert [place.name for place in BOARD.places[:ON_TABLE]] == list(NAMES[:ON_TABLE])
    assert COORDINATES[cell("0,0")] == (0, 0)
    east = BOARD.places[cell("1,0")].x - BOARD.places[cell("0,0")].x
    south = BOARD.places[cell("0,1")].y - BOARD.places[cell("0,0")].y
    assert (east, south) == (58.0, 90.0)


def test_cards_on_the_board_do_not_overlap_each_other_or_the_lamps() -> None:
    boxes = [
        (p.x - p.width / 2, p.y - p.height / 2, p.x + p.width / 2, p.y + p.height / 2) for p in BOARD.places
    ]
    for i, (left, top, right, bottom) in enumerate(boxes):
        assert left >= 0 and top >= 0 and right <= BOARD.width and bottom <= BOARD.height, BOARD.places[i]
        for other in boxes[:i]:
            assert left >= other[2] or right <= other[0] or top >= other[3] or bottom <= other[1]


def test_the_layout_shows_cards_goals_figures_webs_nuggets_and_the_deck() -> None:
    state = table(
        2,
        {"1,0": "T1-03 r180", "-1,0": "T2-17 r180"},
        webs={"circle": ("0,0 east", 1, 1)},
        creatures={"rat": ("1,0.a", 1)},
        at={1: "1,0.a"},
        lying=[1],
    )
    seen = GAME.layout(GAME.view(state, PUBLIC))
    assert seen[cell("0,0")] == (Piece("START"), Piece("web-circle-1", 90), Piece("yellow-1"))
    assert seen[cell("1,0")] == (Piece("T1-03", 180), Piece("blue-1-lying"), Piece("rat"))
    assert seen[cell("-1,0")] == (Piece("T2-17", 180), Piece("nugget"))
    assert seen[cell("4,4")] == (Piece("goal-back"),)
    assert seen[DECK] == (Piece("back-1"),)


def test_a_web_on_the_west_end_of_a_card_lies_on_that_card() -> None:
    state = table(2, {"2,0": "T1-08"}, webs={"diamond": ("1,0 east", 2, 1)})
    assert GAME.layout(GAME.view(state, PUBLIC))[cell("2,0")] == (Piece("T1-08"), Piece("web-diamond-2", 270))


def test_cards_beyond_the_table_are_counted_and_left_out() -> None:
    names = ["T1-08", "T1-01", "T1-02", "T1-12", "T1-05", "T1-06", "T1-14"]
    state = table(2, {f"{x},0": name for x, name in enumerate(names, 1)}, at={0: "7,0.a"})
    view = GAME.view(state, PUBLIC)
    assert view["off_table"] == 1
    assert view["dwarves"][0]["at"] == "7,0.a"
    assert max(GAME.layout(view)) < len(BOARD.places)
    assert all(0 <= glow.cell < len(BOARD.places) for glow in GAME.scene(view).glows)


def test_every_face_that_can_lie_there_can_be_taught() -> None:
    names = {face.name for face in BOARD.faces}
    assert {"START", "T1-01", "T3-14", "G-EXIT", "goal-back", "back-3", "yellow-4", "blue-2-lying"} <= names
    assert {"web-circle-1", "goblin", "nugget"} <= names
    assert {face.name: face.turns for face in BOARD.faces}["T1-03"] == 2
    assert {face.name: face.turns for face in BOARD.faces}["T1-08"] == 1, "looks the same turned"


# Lights -----------------------------------------------------------------------------------------------


def meanings(state: DarkCave) -> dict[str, list[tuple[str, str, int]]]:
    found: dict[str, list[tuple[str, str, int]]] = {}
    for glow in GAME.scene(GAME.view(state, PUBLIC)).glows:
        found.setdefault(BOARD.places[glow.cell].name, []).append((glow.meaning, glow.tint, glow.order))
    return found


def test_lights_show_where_the_dwarf_can_go_and_the_steps() -> None:
    found = meanings(table(2, ROW, phase="move"))
    assert [found[f"{x},0"] for x in (1, 2, 3)] == [[("path", "", steps)] for steps in (1, 2, 3)]
    assert found["p1"] == [("turn", "yellow", 3)]


def test_lights_show_where_tunnels_can_go_on() -> None:
    found = meanings(table(2, {"1,0": "T1-16"}))
    assert ("legal", "", 0) in found["2,0"] and "1,-1" not in found, "the upper tunnel is not joined"


def test_lights_show_creatures_webs_exit_and_who_has_left() -> None:
    state = table(
        3,
        ROW | {"4,4": "G-EXIT"},
        creatures={"lindworm": ("2,0.a", 1)},
        webs={"circle": ("2,0 east", 2, 1)},
        out=[2],
        lying=[1],
    )
    found = meanings(state)
    assert ("attack", "green", 0) in found["2,0"] and ("threat", "white", 0) in found["3,0"]
    assert found["4,4"] == [("safe", "green", 0)] and found["-4,4"] == [("dim", "white", 0)]
    assert found["p3"] == [("safe", "yellow", 0)] and found["p2"] == [("fading", "green", 0)]


def test_lights_at_the_end_show_the_winners() -> None:
    state = table(2, {"4,4": "G-EXIT"}, at={0: "4,4.w"}, phase="move")
    do(state, "step 4,4 c", "open yellow-loyal", "announce yellow", "open blue-loyal")
    found = meanings(state)
    assert found["p1"] == [("won", "yellow", 0)] and found["p2"] == [("lost", "", 0)]
    assert GAME.scene(GAME.view(state, PUBLIC)).mood == "won"


# Why --------------------------------------------------------------------------------------------------


def reasons(state: DarkCave, viewer: int, spot: str) -> list[tuple[str, str]]:
    number = BOARD.cell(spot)
    return [(r.code, r.rule) for r in GAME.explain(GAME.view(state, viewer), number)]


def test_an_empty_cell_says_of_every_card_in_hand_why_not() -> None:
    state = table(2, {"1,0": "T1-08"}, hands={0: ["T1-05", "T2-07", "rat-1"]})
    view = GAME.view(state, 0)
    found = {r.data["card"]: (r.code, r.rule) for r in GAME.explain(view, cell("1,1"))}
    assert found == {"T1-05": ("no-joint", "DC-PLACE-10"), "T2-07": ("no-joint", "DC-PLACE-10")}
    found = {r.data["card"]: (r.code, r.rule) for r in GAME.explain(view, cell("2,0"))}
    assert found["T2-07"] == ("may-lay", "DC-PLACE-07")
    assert reasons(state, 0, "3,3") == [("touches-nothing", "DC-PLACE-02")] * 2


def test_what_explain_says_of_a_card_is_what_the_rules_say() -> None:
    state = table(2, {"1,0": "T1-16", "0,1": "T1-03"}, hands={0: ["T1-05", "T2-07", "T1-09"]})
    view = GAME.view(state, 0)
    for number in range(ON_TABLE):
        if number in state.cave.laid or number in state.cave.closed:
            continue
        allowed = {r.data["card"] for r in GAME.explain(view, number) if r.code == "may-lay"}
        places = view["places"]
        assert allowed == {card for card, spots in places.items() if NAMES[number] in [s for s, _ in spots]}


def test_a_stranger_is_told_only_where_building_is_possible() -> None:
    state = table(2, {"1,0": "T1-16"})
    assert reasons(state, PUBLIC, "2,0") == [("may-build", "DC-PLACE-09")]
    assert reasons(state, PUBLIC, "1,1") == [("no-building", "DC-PLACE-09")]
    assert reasons(state, PUBLIC, "5,5") == [("no-building", "DC-PLACE-02")]


def test_a_card_says_what_it_is_and_whether_it_is_in_reach() -> None:
    state = table(
        2,
        {"1,0": "T1-17", "2,0": "T2-17", "-1,0": "T1-18", "4,4": "G-EXIT"},
        webs={"circle": ("1,0 east", 2, 1)},
        creatures={"rat": ("2,0.w", 1)},
        phase="move",
    )
    assert ("has-bridge", "DC-BRI-03") in reasons(state, PUBLIC, "1,0")
    assert ("half-joined", "DC-PLACE-11") in reasons(state, PUBLIC, "1,0")
    assert ("in-reach", "DC-MOVE-01") in reasons(state, PUBLIC, "1,0")
    assert {("vein", "DC-GOLD-02"), ("web", "DC-WEB-05"), ("creature", "DC-CRE-11")} <= set(
        reasons(state, PUBLIC, "2,0")
    )
    assert ("out-of-reach", "DC-MOVE-01") in reasons(state, PUBLIC, "2,0")
    assert ("has-exit", "DC-EXIT-02") in reasons(state, PUBLIC, "4,4")
    assert reasons(state, PUBLIC, "-4,4")[0] == ("goal-hidden", "DC-GOAL-01")
    assert reasons(state, PUBLIC, "deck") == [("deck", "DC-SETUP-23")]
    assert reasons(state, PUBLIC, "p1") == [("seat", "DC-HID-04")] and BOARD.cell("p1") == LAMP


def test_a_goal_that_was_looked_at_is_explained_to_who_saw_it() -> None:
    state = table(2, hands={0: ["info-1", "T1-07"]})
    do(state, "spy-goal info-1 4,4", "look G-HOLE")
    assert ("goal-known", "DC-HID-05") in reasons(state, 0, "4,4")
    assert reasons(state, 1, "4,4") == [("goal-hidden", "DC-GOAL-01"), ("goal-seen", "DC-GOAL-11")]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_explanations_for_the_own_hand_can_be_said(language: str) -> None:
    state = table(2, {"1,0": "T1-16"}, hands={0: ["T1-05", "T2-07", "T1-09"]})
    view = GAME.view(state, 0)
    for number in range(len(BOARD.places)):
        for reason in GAME.explain(view, number):
            assert GAME.say("why", reason, language, seats=("p1", "p2"), cells=[p.name for p in BOARD.places])
