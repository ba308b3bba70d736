"""Reading painted boards of styles that training never saw."""

import cv2
import numpy as np
import pytest

from companion.engine.layout import Board, Face, Piece, frame, square_places
from vision.lab.paint import Painter, board_of
from vision.lab.paint_art import Style
from vision.lab.trials import board_for, layout_for, teach_from
from vision.read import Model, Prior, Reader
from vision.rectify import stack
from vision.teach import EMPTY, PIXELS, FaceLibrary

SEED = 424242


@pytest.fixture(scope="module")
def tiles():
    rng = np.random.default_rng(SEED)
    painter = Painter(board_for("tile", rng), Style(SEED, "dungeon"))
    return painter, Reader(teach_from(painter, "any", rng), painter.board)


def verdicts(reader, painted):
    seen = reader.read(painted.image, painted.camera)
    truth = {cell: sorted(painted.layout.get(cell, ())) for cell in seen.readings}
    wrong = [c for c, r in seen.readings.items() if r.pieces is not None and sorted(r.pieces) != truth[c]]
    unsure = [c for c, r in seen.readings.items() if r.pieces is None]
    return seen, wrong, unsure


@pytest.mark.slow
@pytest.mark.parametrize("level", [0, 1, 2])
def test_a_board_of_tiles_and_pawns_is_read_without_an_error(tiles, level):
    painter, reader = tiles
    rng = np.random.default_rng([SEED, level])
    painted = painter.photograph(layout_for(painter.board, "tile", rng), level, rng)
    seen, wrong, unsure = verdicts(reader, painted)
    assert len(seen.readings) == 49
    assert wrong == []
    assert len(unsure) <= 6


def test_a_bare_board_is_read_as_bare(tiles):
    painter, reader = tiles
    painted = painter.photograph({}, 1, np.random.default_rng(SEED))
    _, wrong, unsure = verdicts(reader, painted)
    assert wrong == []
    assert len(unsure) <= 2


def test_a_place_that_the_rules_call_bare_is_known_from_then_on():
    """A bare place among others that look otherwise is unsure, until a right table has shown what it is."""
    rng = np.random.default_rng(SEED)
    painter = Painter(board_for("tile", rng), Style(SEED, "patterns"))
    reader = Reader(teach_from(painter, "any", rng), painter.board)
    layout = {cell: (Piece(f"tile{cell % 12}"),) for cell in range(48)}
    shot = painter.photograph(layout, 1, rng)
    before = reader.read(shot.image, shot.camera).readings[48]
    reader.learn_bare([48])
    again = reader.read(shot.image, shot.camera).readings[48]  # though the picture is the same
    covered = {**layout, 48: (Piece("tile5"),)}
    later = painter.photograph(covered, 1, rng, camera=shot.camera)
    assert before.pieces is None and again.pieces == ()
    assert reader.read(later.image, later.camera).readings[48].pieces == covered[48]


@pytest.mark.slow
def test_a_single_bare_place_is_known_where_bare_places_were_taught():
    rng = np.random.default_rng(SEED)
    painter = Painter(board_for("tile", rng), Style(SEED, "patterns"))
    taught = teach_from(painter, "any", rng)
    bare = painter.photograph({}, 1, rng)
    pictures = stack(bare.image, bare.camera, painter.board.places[:3], PIXELS)
    layout = {cell: (Piece(f"tile{cell % 12}"),) for cell in range(48)}
    painted = painter.photograph(layout, 1, rng)
    alone, helped = (
        Reader(FaceLibrary("any", {**taught.pictures, **more}), painter.board).read(
            painted.image, painted.camera
        )
        for more in ({}, {EMPTY: pictures})
    )
    assert helped.readings[48].pieces == ()
    assert helped.readings[48].confidence >= alone.readings[48].confidence


@pytest.mark.slow
def test_a_face_that_was_never_taught_is_not_read_as_another(tiles):
    painter, reader = tiles
    stranger = Painter(painter.board, Style(SEED + 1, "scenery"))
    rng = np.random.default_rng(SEED)
    layout = {cell: (Piece(f"tile{cell % 12}"),) for cell in range(0, 49, 2)}
    painted = stranger.photograph(layout, 1, rng)
    seen = reader.read(painted.image, painted.camera)
    read_as_a_face = [cell for cell in layout if seen.readings[cell].pieces]
    assert read_as_a_face == []


@pytest.mark.slow
def test_what_was_never_taught_is_said_to_be_unknown(tiles):
    painter, reader = tiles
    stranger = Painter(painter.board, Style(SEED + 1, "scenery"))
    layout = {cell: (Piece(f"tile{cell % 12}"),) for cell in range(0, 49, 2)}
    painted = stranger.photograph(layout, 1, np.random.default_rng(SEED))
    seen = reader.read(painted.image, painted.camera)
    unsure = [cell for cell in layout if seen.readings[cell].pieces is None]
    assert sum(seen.blurs.get(cell) == "unknown" for cell in unsure) > 0.8 * len(layout)


@pytest.mark.slow
@pytest.mark.parametrize(("level", "why"), [(4, "dark"), (255, "glare")])
def test_a_place_without_light_or_with_too_much_is_said_to_be_so(tiles, level, why):
    painter, reader = tiles
    painted = painter.photograph({24: (Piece("tile3"),)}, 1, np.random.default_rng(SEED))
    place = painter.board.places[24]
    x, y = painted.camera.pixels([(place.x, place.y)])[0].astype(int)
    spoiled = painted.image.copy()
    cv2.circle(spoiled, (int(x), int(y)), 45, (level,) * 3, -1)
    assert reader.read(spoiled, painted.camera).blurs[24] == why


def test_faces_that_are_not_left_are_not_considered(tiles):
    painter, reader = tiles
    painted = painter.photograph({0: (Piece("tile3", 90),)}, 1, np.random.default_rng(SEED))
    without = Prior(possible={f"tile{i}" for i in range(12) if i != 3})
    pieces = reader.read(painted.image, painted.camera, without).readings[0].pieces
    assert pieces is None or all(piece.face != "tile3" for piece in pieces)


@pytest.mark.slow
def test_guesses_are_probabilities_with_the_best_first(tiles):
    painter, reader = tiles
    rng = np.random.default_rng(SEED + 5)
    painted = painter.photograph(layout_for(painter.board, "tile", rng), 3, rng)
    for reading in reader.read(painted.image, painted.camera).readings.values():
        chances = [p for _, p in reading.guesses]
        assert chances == sorted(chances, reverse=True)
        assert 0 < sum(chances) <= 1.001


@pytest.mark.slow
def test_a_place_that_shows_something_unlike_the_only_face_is_unsure_and_still_names_it():
    painter = Painter(board_of([Face("only", "tile", 48, 48)]), Style(SEED, "dungeon"))
    taught = teach_from(painter, "any", np.random.default_rng(SEED))
    never_bare = Model(
        piece=(30,) + (0,) * 3,
        bare=(-30,) + (0,) * 6,
        bare_known=(-30,) + (0,) * 6,
        stands=(0, 0, 0),
        anything=(0, 0, 0),
        sure=0.92,
    )
    painted = painter.photograph({}, 1, np.random.default_rng(SEED))
    seen = Reader(taught, painter.board, never_bare).read(painted.image, painted.camera)
    assert {reading.pieces for reading in seen.readings.values()} == {None}
    assert all(reading.guesses for reading in seen.readings.values())


@pytest.mark.slow
def test_cards_upright_and_reversed_are_told_apart():
    rng = np.random.default_rng(SEED)
    painter = Painter(board_for("card", rng), Style(SEED, "scenery"))
    reader = Reader(teach_from(painter, "any", rng), painter.board)
    painted = painter.photograph(layout_for(painter.board, "card", rng), 1, rng)
    _, wrong, unsure = verdicts(reader, painted)
    assert (wrong, len(unsure) <= 1) == ([], True)


def test_a_loose_card_is_identified_from_its_picture():
    rng = np.random.default_rng(SEED)
    painter = Painter(board_for("card", rng), Style(SEED, "scenery"))
    reader = Reader(teach_from(painter, "any", rng), painter.board)
    assert reader.identify(painter.picture("card5", 180)).guesses[0][0] == (Piece("card5", 180),)


@pytest.mark.slow
def test_a_token_is_read_together_with_the_trap_below_it():
    faces = [Face(f"trap{i}", "trap", 32, 32) for i in range(4)]
    faces += [Face(f"bone{i}", "token", 20, 20, 4) for i in range(4)]
    board = Board(
        "bad_bones",
        238,
        238,
        tuple(square_places("abcdefghij", 5, 40)),
        tuple(faces),
        frame(2, 238, 238),
    )
    rng = np.random.default_rng(SEED)
    painter = Painter(board, Style(9, "icons"))
    reader = Reader(teach_from(painter, "any", rng), board)
    layout = {0: (Piece("trap1"), Piece("bone2", 90)), 1: (Piece("trap2"),), 2: (Piece("bone0", 180),)}
    painted = painter.photograph(layout, 0, rng)
    seen = reader.read(painted.image, painted.camera)
    assert seen.readings[0].guesses[0][0][1:] == (Piece("bone2", 90),)
    assert seen.readings[0].pieces in (None, layout[0])
    assert [seen.readings[cell].guesses[0][0] for cell in (1, 2, 3)] == [layout[1], layout[2], ()]


def test_places_beyond_the_picture_are_not_read(tiles):
    painter, reader = tiles
    painted = painter.photograph({0: (Piece("tile0"),)}, 0, np.random.default_rng(SEED))
    left = painted.camera.pixels([(160.0, 100.0)])[0][0]
    seen = reader.read(painted.image[:, : int(left)], painted.camera)
    assert {cell % 7 for cell in seen.readings} == {0, 1, 2}


@pytest.mark.slow
def test_a_place_for_pawns_alone_shows_its_pawn():
    faces = [Face(f"t{i}", "tile", 48, 48, 4) for i in range(4)]
    faces += [Face(f"pawn_{c}", "pawn", 20, 20) for c in ("red", "blue", "yellow")]
    full = board_of(faces, 6)
    narrow = [place._replace(width=30) for place in full.places[:6]]
    board = Board(full.name, full.width, full.height, (*narrow, *full.places[6:]), full.faces, full.markers)
    rng = np.random.default_rng(SEED)
    painter = Painter(board, Style(3, "corridors"))
    reader = Reader(teach_from(painter, "any", rng), board)
    painted = painter.photograph({2: (Piece("pawn_blue"),)}, 1, rng)
    seen = reader.read(painted.image, painted.camera)
    assert seen.readings[2].guesses[0][0] == (Piece("pawn_blue"),)
    assert seen.readings[4].pieces == ()


@pytest.mark.slow
def test_photographs_with_table_around_the_tiles_teach_as_well():
    rng = np.random.default_rng(SEED)
    painter = Painter(board_of([Face(f"t{i}", "tile", 46, 46, 4) for i in range(6)]), Style(SEED, "scenery"))
    tight = teach_from(painter, "any", rng).pictures
    rim = {
        "top": 12,
        "bottom": 12,
        "left": 12,
        "right": 12,
        "borderType": cv2.BORDER_CONSTANT,
        "value": (40, 70, 95),
    }
    loose = {
        name: np.stack(
            [
                cv2.resize(cv2.copyMakeBorder(one, **rim), (96, 96), interpolation=cv2.INTER_AREA)
                for one in some
            ]
        )
        for name, some in tight.items()
    }
    reader = Reader(FaceLibrary("any", loose), painter.board)
    layout = {cell: (Piece(f"t{cell % 6}", cell % 4 * 90),) for cell in range(0, 49, 5)}
    _, wrong, unsure = verdicts(reader, painter.photograph(layout, 0, rng))
    assert (wrong, len(unsure) <= 3) == ([], True)


class _Counted:
    """A pose that can be asked for pixels, as the finder's."""

    def __init__(self, camera):
        self.pixels = camera.pixels


@pytest.mark.slow
def test_a_second_look_at_an_unchanged_board_keeps_what_was_sure(tiles):
    painter, reader = tiles
    camera = painter.photograph({}, 0, np.random.default_rng(1)).camera
    pose = _Counted(camera)
    layout = {0: (Piece("tile1"),), 8: (Piece("tile2", 90),)}
    frames = [painter.photograph(layout, 0, np.random.default_rng(7), camera=camera).image for _ in range(2)]
    first = reader.read(frames[0], pose)
    assert reader.read(frames[1], pose).readings == first.readings


@pytest.mark.slow
def test_a_change_at_one_place_is_seen_at_the_second_look(tiles):
    painter, reader = tiles
    camera = painter.photograph({}, 0, np.random.default_rng(1)).camera
    pose = _Counted(camera)
    before = painter.photograph({0: (Piece("tile1"),)}, 0, np.random.default_rng(7), camera=camera)
    after = painter.photograph({8: (Piece("tile2", 90),)}, 0, np.random.default_rng(7), camera=camera)
    reader.read(before.image, pose)
    seen = reader.read(after.image, pose).readings
    assert seen[0].guesses[0][0] == ()
    assert seen[8].guesses[0][0] == (Piece("tile2", 90),)


@pytest.mark.slow
def test_a_straight_tile_lies_along_or_across_whichever_end_is_up():
    rng = np.random.default_rng(SEED)
    faces = [Face(f"t{i}", "tile", 46, 46, 2) for i in range(5)]
    painter = Painter(board_of(faces), Style(SEED, "scenery"))
    reader = Reader(teach_from(painter, "any", rng), painter.board)
    layout = {cell: (Piece("t2", 90 * cell),) for cell in range(4)}
    painted = painter.photograph(layout, 0, rng)
    seen = reader.read(painted.image, painted.camera)
    assert [seen.readings[cell].guesses[0][0][0].turn for cell in range(4)] == [0, 90, 0, 90]
