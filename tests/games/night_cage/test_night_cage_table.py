"""What The Night Cage shows: explanations, previews, odds, lights, the board, its data."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest
from night_cage_boards import cell, code, play, seen, table

from companion.engine.action import PUBLIC
from companion.engine.errors import ConfigError
from companion.engine.game import turn_for
from companion.engine.layout import Piece
from companion.games.night_cage import GAME
from companion.games.night_cage.pieces import read_outline
from companion.games.night_cage.scene import explain, scene
from companion.games.night_cage.view import at_least_one, code_from, tile_word, view
from companion.table.play import walk


def why(state, name: str) -> dict[str, tuple[str, str]]:
    """The reasons for a cell: code to rule and cells in order."""
    grid = state.torus.grid
    return {
        reason.code: (reason.rule, " ".join(grid.names[c] for c in reason.cells))
        for reason in explain(seen(state), cell(state, name))
    }


# Explanations ----------------------------------------------------------------------------------


def test_why_a_cell_is_lit_or_dark() -> None:
    game = table("T:ESW@r T:NES\nX X@b", dark="b")
    assert why(game, "a1")["own-candle"] == ("NC-LIGHT-01", "a1")
    assert why(game, "b1")["lit-wall"] == ("NC-LIGHT-02", "a1 b1")
    assert why(game, "a2")["lit-by"] == ("NC-LIGHT-01", "a1 a2")
    assert why(game, "a6")["closed-side"] == ("NC-LIGHT-03", "a1 a6")
    assert why(game, "b2")["stands-in-the-dark"] == ("NC-LIGHT-07", "b2")
    assert why(game, "c2")["candle-is-out"] == ("NC-CANDLE-02", "b2 c2")
    assert why(game, "d4") == {"dark": ("NC-LIGHT-09", "d4")}


def test_which_monster_sees_a_cell_and_along_which_way() -> None:
    game = table("WE X@r . . X X")
    assert why(game, "b1")["seen-by"] == ("NC-MON-03", "a1 b1")
    assert why(game, "e1")["seen-by"] == ("NC-MON-03", "a1 f1 e1"), "over the edge"
    assert "seen-by" not in why(game, "c1")
    game = table("PL X@r . X@b\n. X")
    assert why(game, "d1")["pathless-reach"] == ("NC-BOSS-05", "a1 d1")


def test_by_which_path_an_attack_reaches_a_prisoner() -> None:
    game = table("WE X@r X X@b\n. X")
    play(game, "move b2")
    assert why(game, "d1")["attacked-from"] == ("NC-MON-17", "a1 b1 c1 d1")


def test_what_lies_on_a_cell_is_explained() -> None:
    game = table("X@r pit\nK . G\n. KP:N", advanced=True)
    assert why(game, "b1")["pit"][0] == "NC-PIT-06"
    assert why(game, "a2")["key"][0] == "NC-KEY-02"
    assert why(game, "c2")["gate"][0] == "NC-GATE-03"
    assert why(game, "b3")["keeper-stays"][0] == "NC-ADV-09"


def test_a_falling_prisoner_is_explained_at_its_line() -> None:
    game = table("X@b", falling={"r": "row 3"})
    reasons = explain(seen(game), 36 + 2)
    assert [(r.code, r.rule, r.data["prisoner"]) for r in reasons] == [("falls-here", "NC-FALL-03", "red")]


def test_every_reason_can_be_said() -> None:
    game = table("WE X@r X\npit")
    for place in range(36):
        for reason in explain(seen(game), place):
            for language in ("en", "ru"):
                assert GAME.say("why", reason, language, cells=game.torus.grid.names)


# Previews --------------------------------------------------------------------------------------


def forecast(state, verb: str, name: str):
    found = [f for f in seen(state)["forecasts"] if f["verb"] == verb and f["cell"] == cell(state, name)]
    return found[0]


def test_a_preview_tells_what_a_move_lights_darkens_wakes_and_costs() -> None:
    game = table("WE X@r X X@b\nX X X", nerve={"b": 1})
    before = view(game, PUBLIC)
    step = forecast(game, "move", "b2")
    assert step["wakes"] == [0] and step["hits"] == [["blue", 3]] and step["burns"] == 3
    assert {game.torus.grid.names[c] for c in step["darkens"]} == {"a1", "c1"}
    assert {game.torus.grid.names[c] for c in step["lights"]} >= {"a2", "b3", "c2"}
    assert step["draws"] == 1 and step["falls"] == []
    assert view(game, PUBLIC) == before, "nothing has changed"


def test_a_preview_counts_the_tiles_that_are_drawn_next() -> None:
    assert forecast(table("X@r X"), "move", "b1")["draws"] == 3
    assert forecast(table("X@r X", stack={"tee": 2}), "move", "b1")["draws"] == 2, "all that are left"
    assert forecast(table("X@r", dark="r"), "move", "b1")["draws"] == 1, "in the dark only the next one"


def test_a_preview_tells_of_falls_and_burns() -> None:
    game = table("I:EW@r X")
    step = forecast(game, "stay", "a1")
    assert step["falls"] == ["red"] and step["burns"] == 1


def test_a_preview_agrees_with_what_then_happens() -> None:
    checked = 0
    for seed in range(3):
        options = GAME.resolve({"players": 4, "advanced": seed == 2})
        told = None
        for step in walk(GAME, options, Random(seed)):
            if told is not None and step.action.verb in ("move", "again", "charge"):
                expected = next(
                    f for f in told if (f["verb"], f["cell"]) == (step.action.verb, step.action.args[0])
                )
                woken = [event.data["cell"] for event in step.events if event.kind == "attacked"]
                assert woken == expected["wakes"], f"seed {seed}"
                checked += 1
            told = GAME.view(step.state, PUBLIC)["forecasts"] or None
    assert checked > 30


# Odds and counts -------------------------------------------------------------------------------


def test_odds_follow_the_unseen_tiles() -> None:
    game = GAME.start(GAME.resolve({"players": 4}))
    assert seen(game)["odds"]["monster"] == [0.0, 0.0], "only surroundings come first"
    game.top, game.surroundings = [0] * len(game.top), 0
    assert seen(game)["odds"]["monster"][0] == round(12 / 66, 3)
    assert seen(game)["odds"]["key"][0] == round(6 / 66, 3)
    assert at_least_one(66, 12, 3) == pytest.approx(1 - (54 * 53 * 52) / (66 * 65 * 64))


def test_the_physical_stack_waits_for_the_table_and_checks_it() -> None:
    options = GAME.resolve({"players": 4, "deck": "physical"})
    assert GAME.at_table(options) == {"draw"} and not GAME.at_table(GAME.resolve({"players": 4}))
    state = GAME.start(options)
    play(state, "start c3 0")
    assert GAME.chance(options, 1).pick(state.outcomes()) is None
    play(state, "draw straight", "put c4 90", "draw straight")
    assert state.top[1] == 0
    play(state, "put b3 0", "start e5 0")
    assert state.refusal(-1, state.notation.parse("draw straight")).code == "not-drawn"


def test_warnings_come_in_time() -> None:
    game = table("X@r X", stack=7)
    game.gates, game.sources = 1, 1
    assert seen(game)["warnings"] == ["last-gate", "keys-just-enough", "stack-low"]


# Lights and board ------------------------------------------------------------------------------


def glows(state) -> set[tuple[str, str]]:
    grid = state.torus.grid
    return {(grid.names[g.cell], g.meaning) for g in scene(seen(state)).glows if g.cell < len(grid.names)}


def test_lights_show_candles_pits_sight_and_legal_moves() -> None:
    shown = glows(table("WE X@r X\npit pit"))
    assert {
        ("b1", "lit"),
        ("b1", "threat"),
        ("b2", "pit"),
        ("c1", "legal"),
        ("a1", "fading"),
        ("b1", "turn"),
    } <= shown
    assert ("d4", "lit") not in shown


def test_an_attack_runs_outwards_over_the_edge() -> None:
    game = table("WE X@r . . X@b X\n. X")
    play(game, "move b2")
    order = {g.cell: g.order for g in scene(seen(game)).glows if g.meaning == "attack"}
    assert [order[cell(game, name)] for name in ("a1", "f1", "e1")] == [0, 1, 2]
    assert scene(seen(game)).mood == "tense"


def test_who_must_decide_is_named_and_lit() -> None:
    game = table("WE X@r X@b\n. X")
    play(game, "move b2")
    assert (seen(game)["turn"], seen(game)["decides"]) == ("red", "blue")
    assert {("b2", "turn"), ("c1", "turn")} <= glows(game)


def test_a_faller_lights_its_line() -> None:
    game = table("X@b", falling={"r": "column c"})
    shown = scene(seen(game)).glows
    assert (36 + 6 + 2, "turn", "red") in {(g.cell, g.meaning, g.tint) for g in shown}
    assert {("c1", "path"), ("c6", "path"), ("c3", "legal")} <= glows(game)


def test_the_last_flickers_have_a_mood_and_the_end_another() -> None:
    game = table("X@r G@b X", stack=0, keys="rb")
    game.flickers = True
    assert scene(seen(game)).mood == "last-light"
    play(game, "stay")
    assert ("c1", "remove") in glows(game) or ("f1", "remove") in glows(game)
    game = table("X@r G@b", keys="rb")
    play(game, "move b1")
    assert scene(seen(game)).mood == "won"


def test_the_camera_is_told_tiles_turns_pits_and_pawns() -> None:
    game = table("X@r T:ESW pit\nk", falling={"b": "row 4"})
    lies = GAME.layout(seen(game))
    assert lies[0] == (Piece("cross"), Piece("red"))
    assert lies[1] == (Piece("tee", 90),) and lies[2] == (Piece("pit"),) and lies[6] == (Piece("key"),)
    assert lies[36 + 3] == (Piece("blue"),)
    play(game, "move b1", "draw gate")
    assert GAME.layout(seen(game))[36 + 12] == (Piece("gate"),)


def test_tiles_are_written_and_read() -> None:
    for word in ("", "tee 270", "gate 0", "keeper 90", "pit", "dirge"):
        assert tile_word(code_from(word)) == word
    assert tile_word(code("pit")) == "pit"


# Data and bots ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "cannot read"),
        ('{"outline": "###"}', "rows of '#'"),
        ('{"outline": ["##", "##"]}', "nine '#'"),
        ('{"outline": ["#########"]}', "at most six"),
    ],
)
def test_a_wrong_outline_is_explained(tmp_path, text: str, said: str) -> None:
    path = tmp_path / "dirge.json"
    path.write_text(text, "utf-8")
    with pytest.raises(ConfigError, match=said):
        read_outline(path)


@pytest.mark.rule("NC-BOSS-16")
def test_an_odd_outline_can_be_turned(tmp_path) -> None:
    path = tmp_path / "dirge.json"
    path.write_text(json.dumps({"outline": ["####", "###.", "##.."]}), "utf-8")
    torus = table("X@r").torus
    ways = torus.placements(read_outline(path))
    assert {turn for _, turn in ways} == {0, 1, 2, 3}
    assert all(mask.bit_count() == 9 for mask in ways.values()) and len(ways) == 4 * 3 * 4


@pytest.mark.slow
def test_the_careful_bot_finds_more_keys_than_the_random_one() -> None:
    """Measured over these 40 games: 93 keys against 56."""
    keys = Counter()
    for bot in ("random", "careful"):
        for seed in range(40):
            for step in walk(GAME, GAME.resolve({"players": 4}), Random(seed), GAME.bots[bot]):
                last = step.state
            keys[bot] += last.keys.bit_count()
    assert keys["careful"] >= 1.4 * keys["random"] and keys["careful"] >= 80, keys


def test_the_bot_takes_a_win() -> None:
    game = table("G@bgy X@r X", keys="rbgy")
    action = GAME.bots["careful"](turn_for(GAME, game, 0, Random(1)))
    assert game.notation.text(action) == "move a1"


# Burnt tiles -----------------------------------------------------------------------------------


def laid_out(state) -> list[str]:
    """What lies on the places for burnt tiles, first to last."""
    pieces = GAME.layout(seen(state))
    strip = GAME.board(GAME.resolve({"players": 4})).cell("burnt-1")
    return [piece.face for cell in range(strip, strip + 3) for piece in pieces.get(cell, ())]


def test_burnt_tiles_lie_where_the_camera_sees_them_until_one_is_drawn_for_the_board() -> None:
    game = table("WE X@r X X@b\n. X", nerve={"b": 0}, deck="physical")
    play(game, "move b2")
    for i, tile in enumerate(("tee", "tee", "cross"), 1):
        play(game, f"draw {tile}")
        assert laid_out(game) == ["tee", "tee", "cross"][:i], "each is seen, a second of the same kind too"
    play(game, "draw straight")
    assert laid_out(game) == [] and seen(game)["drawn"] == "straight"


def test_a_fourth_burnt_tile_covers_the_first() -> None:
    game = table("PL X@r . X@b\n. X", nerve={"b": 0}, deck="physical", pathless=3)
    play(game, "move b2")
    for tile in ("tee", "tee", "cross", "wax", "straight"):
        play(game, f"draw {tile}")
    assert laid_out(game) == ["wax", "straight", "cross"]


def test_a_digital_stack_needs_no_burnt_tiles_on_the_table() -> None:
    game = table("WE X@r X X@b\n. X", nerve={"b": 0})
    play(game, "move b2", "draw tee")
    assert laid_out(game) == []
