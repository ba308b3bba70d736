"""What every registered game shows: boards, lights, words."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from random import Random

import pytest
from contract_table import PUBLIC, Table, params, positions, tables

from companion.engine.action import TABLE
from companion.engine.errors import ConfigError
from companion.engine.options import write
from companion.engine.scene import MEANINGS, MOODS, TINTS
from companion.engine.text import LANGUAGES
from companion.games import folder_of, load_art
from companion.table.play import walk

SEED = 23


@pytest.fixture(params=params(tables()))
def table(request: pytest.FixtureRequest) -> Table:
    return request.param


def test_places_lie_on_the_board_and_have_names_of_their_own(table: Table) -> None:
    board = table.game.board(table.options)
    assert len({place.name for place in board.places}) == len(board.places)
    assert len({face.name for face in board.faces}) == len(board.faces)
    assert len({marker.id for marker in board.markers}) == 8
    for place in board.places:
        assert 0 <= place.x <= board.width and 0 <= place.y <= board.height, place
    for marker in board.markers:
        x, y = marker.x + marker.size / 2, marker.y + marker.size / 2
        assert not (0 <= x <= board.width and 0 <= y <= board.height), f"{marker} lies on the board"


def test_the_verbs_that_end_a_turn_need_no_arguments(table: Table) -> None:
    verbs = table.game.start(table.options).notation.verbs
    assert all(not verbs[verb].kinds for verb in table.game.end_turn)


def test_scenes_use_existing_cells_and_known_meanings(table: Table) -> None:
    board = table.game.board(table.options)
    for state in positions(table, SEED, every=3):
        scene = table.game.scene(table.game.view(state, PUBLIC))
        assert scene.mood in MOODS
        for glow in scene.glows:
            assert 0 <= glow.cell < len(board.places), glow
            assert glow.meaning in MEANINGS and glow.tint in TINTS and 0 <= glow.level <= 1, glow


def test_layouts_use_existing_cells_and_faces(table: Table) -> None:
    board = table.game.board(table.options)
    faces = {face.name: face for face in board.faces}
    camera = table.game.camera(table.options)
    for state in positions(table, SEED, every=3):
        for cell, pieces in table.game.layout(table.game.view(state, camera)).items():
            assert 0 <= cell < len(board.places)
            for piece in pieces:
                assert piece.face in faces, piece
                assert piece.turn in (0, 90, 180, 270) and piece.stack >= 1, piece


def test_what_lies_on_the_table_is_a_part_of_the_view(table: Table) -> None:
    game, camera = table.game, table.game.camera(table.options)
    for state in positions(table, SEED, every=3):
        view = game.view(state, camera)
        assert game.expected(state, table.options) == game.layout(view)
        for key, value in (game.on_table or game.view)(state, camera).items():
            assert value == view[key], key


def test_reasons_have_a_rule_and_words(table: Table) -> None:
    board = table.game.board(table.options)
    names = [place.name for place in board.places]
    seats = table.game.seats(table.options)
    for state in positions(table, SEED, every=25):
        view = table.game.view(state, table.game.camera(table.options))
        for cell in range(len(board.places)):
            for reason in table.game.explain(view, cell):
                assert reason.rule.startswith(table.game.ledger)
                for language in LANGUAGES:
                    assert table.game.say("why", reason, language, seats=seats, cells=names)


def test_everything_that_happens_has_words(table: Table) -> None:
    seats = table.game.seats(table.options)
    cells = [place.name for place in table.game.board(table.options).places]
    for seed in range(4):
        for step in table.walk(seed):
            for language in LANGUAGES:
                for event in step.events:
                    said = table.game.say("event", event, language, seats=seats, cells=cells)
                    assert said and "{" not in said, event
                if step.seat != TABLE:
                    assert table.game.label(step.state, step.action, language)
        outcome = step.state.outcome()
        assert outcome is not None and f"outcome.{outcome.code}" in table.game.texts


def test_every_choice_and_phase_has_words(table: Table) -> None:
    texts = table.game.texts
    wanted = {"game.title", "game.about"}
    for option in table.game.options:
        wanted.add(f"option.{option.name}")
        for choice in option.choices:
            if not isinstance(choice, int) or isinstance(choice, bool):
                wanted.add(f"choice.{write({'x': choice})['x']}")
    state = table.game.start(table.options)
    wanted |= {f"verb.{verb}" for verb in state.notation.verbs}
    for one in positions(table, SEED, every=1):
        for viewer in table.game.viewers(table.options):
            wanted.add(f"phase.{table.game.view(one, viewer)['phase']}")
    missing = sorted(key for key in wanted if key not in texts)
    assert not missing, missing


def test_every_refusal_and_event_in_the_source_has_words(table: Table) -> None:
    """Reads the game's source: also what a random game never meets must have words."""
    folder = Path(str(folder_of(table.game.key)))
    missing = set()
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not node.args or not isinstance(node.func, ast.Name):
                continue
            code = node.args[0]
            family = {"Refusal": "refusal", "Event": "event", "Reason": "why"}.get(node.func.id)
            if family and isinstance(code, ast.Constant) and f"{family}.{code.value}" not in table.game.texts:
                missing.add(f"{family}.{code.value}")
    assert not missing, sorted(missing)


def test_both_languages_fill_the_same_blanks(table: Table) -> None:
    for key, said in table.game.texts.table.items():
        assert all(said), key
        blanks = [set(re.findall(r"\{(\w+)", text)) for text in said]
        assert blanks[0] == blanks[1], (key, blanks)


def test_bots_play_whole_games(table: Table) -> None:
    for bot in table.game.bots.values():
        state = None
        for step in walk(table.game, table.options, Random(SEED), bot):
            state = step.state
        assert state is not None and state.outcome() is not None


def test_options_say_what_is_wrong(table: Table) -> None:
    with pytest.raises(ConfigError, match="playrs"):
        table.game.resolve({"playrs": 2})
    option = table.game.options[0]
    with pytest.raises(ConfigError, match=option.name):
        table.game.resolve({option.name: "nonsense"})


def test_every_face_is_drawn_at_its_size_and_differs_from_the_others(table: Table) -> None:
    draw = load_art(table.game.key).draw
    drawn = {}
    for face in table.game.board(table.options).faces:
        drawing = draw(face.name)
        assert (drawing.width, drawing.height) == (face.width, face.height), face
        assert drawing.shapes not in drawn, f"{face.name} looks like {drawn.get(drawing.shapes)}"
        drawn[drawing.shapes] = face.name
