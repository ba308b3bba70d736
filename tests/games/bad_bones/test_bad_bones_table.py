"""What Bad Bones shows: forecast, lights, layout, explanations, the printed data, the bots."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path
from random import Random

import pytest
from bad_bones_boards import GAME, at, do, march, open_march, standing, table, tiles

from companion.engine.action import PUBLIC
from companion.engine.drawing import Area
from companion.engine.errors import ConfigError
from companion.engine.game import preview
from companion.engine.layout import Piece
from companion.games.bad_bones.art import draw
from companion.games.bad_bones.forecast import changes, fates
from companion.games.bad_bones.pieces import PLACES
from companion.games.bad_bones.printed import FILE, PRINTED, SOURCES, read
from companion.games.bad_bones.view import CAMERA
from companion.table.play import walk

NAMES = [place.name for place in GAME.board({"players": 2, "coop": False}).places]


def fate(state, name: str, seat: int = 0) -> dict:
    view = GAME.view(state, seat)
    return next(one for one in fates(view, seat) if one["skeleton"] == name)


# Forecast ----------------------------------------------------------------------------------------


def test_the_forecast_follows_a_path_over_traps_and_arrows() -> None:
    state = table(skeletons="YL@14R BL@22R RL@23R PL@15D", traps="wall/@24")
    assert [at(cell) for cell in fate(state, "YL")["path"]] == ["24", "23"]
    assert (fate(state, "YL")["end"], fate(state, "YL")["turned"]) == ("stands", "up")
    assert (at(fate(state, "BL")["to"]), fate(state, "BL")["turned"]) == ("32", "down")
    assert (fate(state, "RL")["end"], fate(state, "RL")["floors"]) == ("tower", 1)
    assert (fate(state, "PL")["end"], fate(state, "PL")["houses"]) == ("goal", 1)


def test_the_forecast_names_the_choice_that_a_move_waits_for() -> None:
    state = table(players=3, skeletons="GL@12R BL@21U", traps="dragon@22")
    assert (fate(state, "GL")["choice"], fate(state, "GL")["end"]) == ("scatter", "")
    assert fate(state, "BL")["choice"] == "send"


def test_the_forecast_comes_true() -> None:
    """Alone, whenever nothing is to be chosen, every skeleton ends where the forecast said."""
    checked = 0
    for seed in range(8):
        for step in walk(GAME, GAME.resolve({"players": 1, "rounds": 30}), Random(seed)):
            state = step.state
            if not state.needs() or state.needs()[0].verbs[0] != "lay":
                continue
            before = GAME.view(state, 0)
            if any(one["choice"] for one in fates(before, 0)):
                continue
            after = state.copy()
            do(after, "wait")
            if after.outcome() is None:
                checked += 1
                stand = [one for one in fates(before, 0) if one["end"] in ("stands", "stays", "returned")]
                found = sorted((c, k, f) for c, k, f, *_ in GAME.view(after, 0)["skeletons"][0])
                assert found == sorted((one["to"], one["skeleton"], one["turned"]) for one in stand)
    assert checked > 10


def test_what_a_trap_laid_here_would_change() -> None:
    state = table(skeletons="RL@23R GL@11R", supply="wall treasure", hero="55")
    before = GAME.view(state, 0)
    lured = preview(GAME, state, 0, 0, state.notation.parse("lay treasure 1a3"))
    assert lured is not None
    (saved,) = changes(before, lured[0], 0)
    assert (saved["skeleton"], saved["before"]["end"], saved["end"]) == ("RL", "tower", "stands")
    assert [NAMES[cell] for cell in saved["path"]] == ["1a3"]
    walled = preview(GAME, state, 0, 0, state.notation.parse("lay wall/ 1b1"))
    assert walled is not None
    (bent,) = changes(before, walled[0], 0)
    assert (bent["skeleton"], bent["before"]["end"], bent["end"]) == ("GL", "stands", "gone")
    assert [NAMES[cell] for cell in bent["path"]] == ["1b1"]


def test_a_preview_of_the_last_choice_uncovers_nothing() -> None:
    state = table("hero", hero="33", boards={1: {"hero": "33"}})
    do(state, "p2: step 2b2")
    shown = preview(GAME, state, 0, 0, state.notation.parse("step 1d4"))
    assert shown is not None
    assert shown[0]["hero"] == [18, PLACES + 12]


# Lights ------------------------------------------------------------------------------------------


def glows(state, meaning: str) -> list[str]:
    scene = GAME.scene(GAME.view(state, PUBLIC))
    return [NAMES[glow.cell] for glow in scene.glows if glow.meaning == meaning]


def test_lights_show_steps_threats_and_reach() -> None:
    state = table("hero", hero="11", skeletons="RL@23R PL@15D GL@L1", boards={1: {"hero": "55"}})
    assert "1b3" in glows(state, "path") and "1c3" in glows(state, "path") and "1a1" in glows(state, "path")
    assert glows(state, "threat") == ["1c3", "1B5"]
    assert sorted(glows(state, "legal")) == ["1a2", "1b1", "1b2", "2d4", "2d5", "2e4"]
    assert GAME.scene(GAME.view(state, PUBLIC)).mood == ""
    deadly = table(skeletons="RL@23R", floors=1)
    assert GAME.scene(GAME.view(deadly, PUBLIC)).mood == "tense"


def test_lights_show_wear_weapons_and_entries() -> None:
    state = table(
        "hero",
        hero="33",
        weapon="flail",
        advanced=True,
        traps="wall/@11 wall/@15*",
        skeletons="GL@22R GL@22R GL@22R",
    )
    scene = GAME.scene(GAME.view(state, PUBLIC))
    wear = {NAMES[g.cell]: (g.tint, g.level) for g in scene.glows if g.meaning == "dim"}
    assert wear == {"1a1": ("", 1.0), "1a5": ("orange", 0.5)}
    assert glows(state, "choose") == ["1b2"]
    drawn = table("draw")
    do(drawn, "table: draw GT")
    assert glows(drawn, "place") == ["1T5"]


# Layout ------------------------------------------------------------------------------------------


def test_the_layout_names_tiles_tokens_towers_and_heroes() -> None:
    state = table(
        skeletons="BL@22D BL@22D YT@22D GL@L1",
        traps="wall\\@44 maze-black@45 dynamite@11*",
        hero="44",
        floors=3,
        houses=2,
    )
    found = {NAMES[cell]: pieces for cell, pieces in GAME.layout(GAME.view(state, CAMERA)).items()}
    assert found["1b2"] == (Piece("BL-white", 180, 2), Piece("YT-white", 180))
    assert found["1d4"] == (Piece("wall", 90), Piece("hero"))
    assert found["1d5"] == (Piece("maze-black"),) and found["1a1"] == (Piece("crater"),)
    assert found["1c3"] == (Piece("tower-3"),) and found["1L1"] == (Piece("GL-white", 90),)
    houses = [found[f"1B{i}"][0].face for i in range(1, 6)]
    assert houses == ["house", "house", "house-burnt", "house-burnt", "house-burnt"]


def test_skeletons_that_wait_lie_side_by_side_until_every_corner_has_one() -> None:
    state = table("draw", cemetery="YL GT YL BR PL")
    found = {NAMES[cell]: pieces for cell, pieces in GAME.layout(GAME.view(state, CAMERA)).items()}
    graves = ["1cemetery", "1cemetery2", "1cemetery3", "1cemetery4"]
    names = [[piece.face.split("-")[0] for piece in found[grave]] for grave in graves]
    assert names == [["YL", "PL"], ["GT"], ["YL"], ["BR"]]
    corners = {
        (GAME.board({"players": 2, "coop": False}).places[NAMES.index(grave)])[1:3] for grave in graves
    }
    assert corners == {(17.0, 17.0), (17.0, 221.0), (221.0, 17.0), (221.0, 221.0)}


def test_a_hero_leaves_to_be_seen_how_high_his_tower_is() -> None:
    marks = [
        sum(
            isinstance(shape, Area) and min(map(abs, chain(*shape.points))) > 5 for shape in draw(face).shapes
        )
        for face in ("tower-1", "tower-2", "tower-3", "tower-4")
    ]
    grounds = {draw(f"tower-{floors}").shapes[0] for floors in (1, 2, 3, 4)}
    assert marks[0] < marks[1] < marks[2] < marks[3] and len(grounds) == 4


def test_the_camera_sees_a_hero_before_the_others_are_told() -> None:
    state = table("hero", hero="33")
    do(state, "p1: step 1b2")
    assert GAME.layout(GAME.view(state, CAMERA))[6] == (Piece("hero"),)
    assert 6 not in GAME.layout(GAME.view(state, PUBLIC))


# Explanations ------------------------------------------------------------------------------------


def said(state, cell: str) -> list[tuple[str, str]]:
    return [(r.code, r.rule) for r in GAME.explain(GAME.view(state, 0), NAMES.index(cell))]


def test_explanations_name_the_rule() -> None:
    state = table(skeletons="RL@23R YL@14R", traps="wall/@24* dynamite@11* catapult@31", hero="22")
    assert ("tower-threat", "BB-TOWER-01") in said(state, "1c3")
    assert ("will-tower", "BB-TOWER-01") in said(state, "1b3")
    assert ("will-stands", "BB-MOVE-02") in said(state, "1a4")
    assert said(state, "1b4") == [("trap", "BB-WALL-01"), ("damaged", "BB-TRAP-17")]
    assert said(state, "1a1") == [("crater", "BB-DYNAMITE-06")]
    assert said(state, "1c1") == [("trap", "BB-CATAPULT-01")], "the tile hides the arrows"
    assert said(state, "1c2") == [("arrow", "BB-ARROW-01")] * 2
    assert said(state, "1b2") == [("hero-fights", "BB-HERO-09")]
    assert said(state, "1L1") == [("spot", "BB-SETUP-11")]
    assert said(state, "1B1") == [("village", "BB-VILLAGE-01")]


def test_an_explanation_reads_well_in_both_languages() -> None:
    state = table(skeletons="BL@22R")
    (reason,) = GAME.explain(GAME.view(state, 0), NAMES.index("1b2"))
    english = GAME.say("why", reason, "en", cells=NAMES)
    assert english == "blue skeleton (left edge) will walk 1b2, 1c2 and face down."
    russian = GAME.say("why", reason, "ru", cells=NAMES)
    assert russian == "синий скелет (левый край) пройдёт 1b2, 1c2 и будет смотреть вниз."


# Printed data ------------------------------------------------------------------------------------


def test_every_printed_value_names_its_source() -> None:
    def sources(entry: object) -> int:
        if isinstance(entry, dict):
            own = 1 if "source" in entry else 0
            assert not own or entry["source"] in SOURCES
            assert "value" not in entry or own, entry
            return own + sum(sources(one) for one in entry.values())
        return sum(sources(one) for one in entry) if isinstance(entry, list) else 0

    assert sources(json.loads(FILE.read_text("utf-8"))) > 100


def test_the_base_set_costs_a_budget_and_known_stars_are_kept() -> None:
    prices, stars = PRINTED.prices, PRINTED.stars
    assert 2 * prices[0] + 2 * prices[1] + prices[2] == PRINTED.coins
    assert (stars[0][0], stars[1][1], stars[2][1], stars[5][0]) == (2, 1, 2, 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d["traps"]["wall"]["price"].update(value=-1), r"wall\.price\.value is -1.*at least 0"),
        (lambda d: d["traps"]["wall"]["price"].update(source="me"), r"price\.source is 'me'.*rulebook"),
        (lambda d: d["sides"]["standard"]["arrows"][0].update(out="L"), r"arrows\[0\]\.out is 'L'.*across R"),
        (lambda d: d["sides"]["standard"]["arrows"][1].update({"in": "R"}), r"arrows\[1\].*at most one"),
        (lambda d: d["sides"]["standard"]["arrows"][0].update(cell=[6, 1]), r"arrows\[0\]\.cell is \[6, 1\]"),
        (
            lambda d: d["sides"]["coop"]["edges"]["left"]["symbols"].update(value=list("GGRYP")),
            r"left\.symbols\.value.*each of G, B, R, Y, P once",
        ),
        (
            lambda d: d["sides"]["standard"]["edges"]["bottom"]["symbols"].update(value=list("GBRYP")),
            r"bottom\.symbols\.value.*no forest",
        ),
        (lambda d: d["commanders"].pop(), r"commanders counts .*'saboteur': 2.*expected"),
        (lambda d: d["market"]["tiles"]["wall"]["value"].append(3), r"tiles\.wall\.value.*6 numbers"),
        (lambda d: d.update(extra=1), r"unknown entry 'extra'"),
        (lambda d: d.pop("weapons"), r"lacks 'weapons'"),
    ],
)
def test_a_mistake_in_the_printed_data_is_named(change, message: str, tmp_path: Path) -> None:
    document = json.loads(FILE.read_text("utf-8"))
    change(document)
    file = tmp_path / "printed.json"
    file.write_text(json.dumps(document), "utf-8")
    with pytest.raises(ConfigError, match=message) as error:
        read(file)
    assert "printed.json" in str(error.value)


def test_broken_json_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "printed.json"
    file.write_text('{\n "note": oops', "utf-8")
    with pytest.raises(ConfigError, match=r"printed\.json: line 2"):
        read(file)


def test_an_owner_can_switch_an_arrow_on(tmp_path: Path) -> None:
    document = json.loads(FILE.read_text("utf-8"))
    for arrow in document["sides"]["standard"]["arrows"]:
        arrow["enabled"] = True
    file = tmp_path / "printed.json"
    file.write_text(json.dumps(document), "utf-8")
    up, right = 0, 1
    cell = 2 * 5 + 1
    assert read(file).standard.arrows[cell * 4 + up] == right
    assert PRINTED.standard.arrows[cell * 4 + up] == up


# The physical bag ----------------------------------------------------------------------------------


def test_the_real_bag_is_watched_and_checked() -> None:
    options = GAME.resolve({"players": 2, "deck": "physical"})
    chance = GAME.chance(options, 1)
    state = GAME.start(options)
    assert chance.pick(state.outcomes()) is None, "the table tells"
    covered = table("hero", deck="physical")
    do(covered, "p1: step 1d4", "p2: step 2d4")
    assert chance.pick(covered.outcomes()) is not None, "uncovering needs nobody"


def test_a_whole_march_is_told_in_order() -> None:
    state = open_march(table(players=3, skeletons="GL@14L BL@21U RL@23R", traps="catapult@44*"))
    events = do(state, "send p2")
    events += march(state)
    assert {event.kind for event in events} >= {"walked", "sent"}
    assert standing(state) == "" and tiles(state) == "catapult@44*"
