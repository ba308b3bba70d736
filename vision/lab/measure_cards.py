"""Measures finding by cards: `python -m vision.lab.measure_cards` prints how exactly cards tell the places.

Each trial is an evening: cards are laid anyhow around a board, surveyed from a few looks, the board's corners
are set by hand to whole pixels; then the camera is bumped, two cards are covered, and every corner of every
place is compared with where it is. A card that is pushed must be named. Tables are painted, or rendered by
Mitsuba (`--rendered`, see `vision.lab.render`): there cards are paper that does not lie quite flat.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple, Protocol

import cv2
import numpy as np

from companion.engine.errors import DeviceError
from companion.engine.layout import Board, Layout, Piece
from companion.engine.marker_cards import CardPlace, among, card_of, cards_around
from companion.games import load
from vision.card_survey import CardSurvey
from vision.find import Finder, find
from vision.images import Doubles, Image, Rng
from vision.lab.paint import Painter
from vision.lab.render import level_camera
from vision.lab.rendered_cards import RenderedCards
from vision.lab.trials import style_of
from vision.optics import LEVELS, PinholeCamera, rim_of
from vision.pose import Lens, place_corners
from vision.table_map import place_board, pose_by_cards

LOOKS = 5
"""Pictures that a survey is made of."""
PUSHED_MM = 10.0


class CardTrial(NamedTuple):
    """What came of one evening: the error at every corner in mm, after how many looks a push was named."""

    errors: Doubles
    named_after: int
    trouble: str = ""


def laid_anyhow(board: Board, n: int, rng: Rng) -> tuple[CardPlace, ...]:
    """Some cards around a board, each a little elsewhere and askew, some upside down."""
    chosen = rng.permutation(8)[:n] if n > 4 else np.arange(8)[int(rng.integers(2)) :: 2][:n]
    cards = cards_around(board)
    return tuple(
        cards[i]._replace(
            x=cards[i].x + rng.uniform(-12, 12),
            y=cards[i].y + rng.uniform(-12, 12),
            turn=(cards[i].turn + rng.uniform(-12, 12) + 180 * rng.integers(2)) % 360,
        )
        for i in sorted(chosen)
    )


class CardTable(Protocol):
    """A table with a board and marker cards that can be photographed."""

    def looks(
        self,
        cards: tuple[CardPlace, ...],
        layout: Layout,
        camera: PinholeCamera,
        count: int = 1,
        hidden: tuple[CardPlace, ...] = (),
    ) -> list[Image]:
        """Pictures from one place, with something lying on the cards that are `hidden`."""
        ...


class PaintedCards:
    """A table of our own painter."""

    def __init__(self, board: Board, level: int, number: int, rng: Rng) -> None:
        self._board, self._level, self._number, self._rng = board, level, number, rng
        self._painter: Painter | None = None

    def looks(
        self,
        cards: tuple[CardPlace, ...],
        layout: Layout,
        camera: PinholeCamera,
        count: int = 1,
        hidden: tuple[CardPlace, ...] = (),
    ) -> list[Image]:
        board = among(self._board, cards)
        if self._painter is None or self._painter.board.markers != board.markers:
            self._painter = Painter(board, style_of(self._number), _faces(board, self._number))
        painter, level, rng = self._painter, self._level, self._rng
        seen = [painter.photograph(layout, level, rng, camera=camera).image for _ in range(count)]
        return [_covered(image, camera, hidden) for image in seen]


def trial(
    board: Board, level: int, number: int, size: tuple[int, int], n: int, *, is_rendered: bool = False
) -> CardTrial:
    """Surveys cards on a table, lays the board among them and looks again."""
    rng = np.random.default_rng([24, level, number])
    truth = laid_anyhow(board, n, rng)
    table: CardTable = (RenderedCards if is_rendered else PaintedCards)(board, level, number, rng)
    tiles = [face.name for face in board.faces if face.kind == "tile"]
    layout: Layout = {cell: (Piece(str(rng.choice(tiles))),) for cell in range(36) if rng.random() < 0.6}
    camera = _hang(among(board, truth), level, size, rng, 0.0 if is_rendered else 0.06)
    survey = CardSurvey()
    for look in table.looks(truth, layout, camera, LOOKS):
        survey.add(look)
    try:
        measured, lens = board_by_cards(board, survey, camera)
        bumped = _bump(camera, rng)
        hidden = tuple(truth[i] for i in rng.permutation(len(truth))[:2])
        (picture,) = table.looks(truth, layout, bumped, hidden=hidden)
        pose = find(picture, measured, lens, partial=True)
    except DeviceError as error:
        return CardTrial(np.array([]), 0, str(error))
    corners = np.concatenate([place_corners(place) for place in board.places])
    away = np.linalg.norm(pose.pixels(corners) - bumped.pixels(corners), axis=1) / pose.scale()
    return CardTrial(away, _named_after(table, Finder(measured, lens), truth, bumped, rng))


def board_by_cards(board: Board, survey: CardSurvey, camera: PinholeCamera) -> tuple[Board, Lens]:
    """The board as people measure it, by a survey and corners set to the nearest pixel; and the lens."""
    found = survey.solve()
    pose = pose_by_cards(survey.last, found.cards, *camera.size, found.lens)
    rim = [(0.0, 0.0), (board.width, 0.0), (board.width, board.height), (0.0, board.height)]
    laid = place_board(pose.millimetres(np.round(camera.pixels(rim))), board.width, board.height)
    return among(board, [card.seen_from(laid.x, laid.y, laid.turn) for card in found.cards]), found.lens


def _named_after(
    table: CardTable, finder: Finder, truth: tuple[CardPlace, ...], camera: PinholeCamera, rng: Rng
) -> int:
    """After how many looks a card that is pushed is named; 0 for never within five."""
    finder.look(table.looks(truth, {}, camera)[0])
    pushed = int(rng.integers(len(truth)))
    way = rng.uniform(0, 2 * np.pi)
    card = truth[pushed]
    moved = card._replace(x=card.x + PUSHED_MM * np.cos(way), y=card.y + PUSHED_MM * np.sin(way))
    now = tuple(moved if one is card else one for one in truth)
    for n, look in enumerate(table.looks(now, {}, camera, 5), 1):
        if {card_of(i) for i in finder.look(look).strayed} == {card.number}:
            return n
    return 0


def _faces(board: Board, number: int) -> list[int]:
    """Any faces will do: pieces are not read here."""
    return [number + i for i in range(len(board.faces))]


def _hang(board: Board, level: int, size: tuple[int, int], rng: Rng, lens: float) -> PinholeCamera:
    outside = rim_of(board)
    camera = PinholeCamera.above(rng, size, (board.width, board.height), LEVELS[level].tilt, lens, outside)
    return camera if lens else level_camera(camera)


def _bump(camera: PinholeCamera, rng: Rng) -> PinholeCamera:
    """The same camera, pushed by a few degrees and centimetres."""
    lean, _ = cv2.Rodrigues(np.radians(rng.uniform(-2.5, 2.5, 3)))
    move = lean @ camera.move
    move = np.array([camera.move[0], camera.move[1], move[2] * 1.03]) + rng.uniform(-10, 10, 3)
    bumped = PinholeCamera(camera.size, camera.matrix[0, 0], camera.lens[0], lean @ camera.turn, move)
    bumped.matrix = camera.matrix
    return bumped


def _covered(image: Image, camera: PinholeCamera, cards: tuple[CardPlace, ...]) -> Image:
    """The picture with something lying on some cards."""
    image = image.copy()
    for card in cards:
        cv2.fillConvexPoly(image, camera.pixels(card.outline()).astype(np.int32), (90.0, 120.0, 160.0))
    return image


def main() -> None:
    """Prints a table: level, size, evenings, error of the places' corners, pushes named in two looks."""
    ask = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    ask.add_argument("-n", type=int, default=10, help="evenings per level and size")
    ask.add_argument("--first", type=int, default=0, help="the number of the first of them")
    ask.add_argument("--levels", type=int, nargs="*", default=(0, 1, 2, 3))
    ask.add_argument("--big", action="store_true", help="1920 × 1080 instead of 1280 × 720")
    ask.add_argument("--rendered", action="store_true", help="tables rendered by Mitsuba, art by other hands")
    given = ask.parse_args()
    size = (1920, 1080) if given.big else (1280, 720)
    game = load("night_cage")
    board = game.board(game.resolve({}))
    print("| level | size | evenings | error mm, middle | p95 | pushes named within two looks |")
    print("|---|---|---|---|---|---|")
    for level in given.levels:
        numbers = range(given.first, given.first + given.n)
        trials = [
            trial(board, level, number, size, 4 + number % 5, is_rendered=given.rendered)
            for number in numbers
        ]
        good = [one for one in trials if not one.trouble]
        errors = np.concatenate([one.errors for one in good]) if good else np.array([np.nan])
        named = sum(1 <= one.named_after <= 2 for one in good)
        print(
            f"| {level} | {size[0]} × {size[1]} | {len(good)} of {len(trials)} | {np.median(errors):.2f} "
            f"| {np.percentile(errors, 95):.2f} | {named} of {len(good)} |",
            flush=True,
        )
        for one in trials:
            if one.trouble:
                print(f"<!-- {one.trouble} -->", flush=True)


if __name__ == "__main__":
    main()
