"""A frame of another size is not believed: boards that share markers are told apart by the markers' shape."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from vision_find_table import drawing, photograph

from companion.engine.errors import DeviceError
from companion.engine.layout import Board
from companion.games import REGISTRY, load
from companion.service.open_parts import boards
from vision.find import find


def sizes() -> dict[int, list[Board]]:
    """The boards of all games by their frames, the frames that serve several sizes alone."""
    found: dict[int, list[Board]] = {}
    for key in REGISTRY:
        game = load(key)
        for given in boards(key).values():
            board = game.board(game.resolve(given))
            found.setdefault(board.frame, []).append(board)
    return {number: some for number, some in found.items() if len(some) > 1}


PAIRS = [pair for some in sizes().values() for pair in permutations(some, 2)]
_DRAWN: dict[str, np.ndarray] = {}


def picture(board: Board, seed: int, level: int, size: tuple[int, int]) -> np.ndarray:
    if board.key not in _DRAWN:
        _DRAWN[board.key] = drawing(board, np.random.default_rng(1))
    return photograph(board, seed, level, size, picture=_DRAWN[board.key]).image


def is_refused(laid: Board, wanted: Board, seed: int) -> bool:
    """Whether a table with one board's frame is refused when the game needs another's."""
    level, size = seed % 4, ((1280, 720), (1920, 1080))[seed // 4 % 2]
    try:
        find(picture(laid, seed, level, size), wanted)
    except DeviceError as error:
        return "board of about" in str(error) or "of the 8 markers" in str(error)
    return False


def refused(seeds: range) -> list[str]:
    """The pairs that were believed."""
    rng = np.random.default_rng(24)
    chosen = rng.choice(len(PAIRS), len(seeds))
    return [
        f"seed {seed}: {PAIRS[i][0].key} for {PAIRS[i][1].key}"
        for seed, i in zip(seeds, chosen, strict=True)
        if not is_refused(*PAIRS[i], seed)
    ]


def test_frames_of_two_and_of_three_players_are_not_mistaken():
    game = load("bad_bones")
    two, three = (game.board(game.resolve({"players": n})) for n in (2, 3))
    with pytest.raises(DeviceError, match=r"about (49|50)\d × 2[34]\d mm, but this game needs 754 × 238 mm"):
        find(picture(two, 1, 1, (1280, 720)), three)
    assert find(picture(three, 1, 1, (1280, 720)), three).board is three


def test_a_frame_of_another_size_is_refused():
    assert refused(range(8)) == []


@pytest.mark.long
def test_a_frame_of_another_size_is_refused_in_a_hundred_of_a_hundred():
    assert refused(range(100)) == []


@pytest.mark.slow
def test_the_right_frame_is_believed_at_every_level():
    for seed, board in enumerate(sizes()[2]):
        assert find(picture(board, seed, seed % 4, (1920, 1080)), board).markers, (board.key, seed)
