"""Rendered tables: pictures with truth that neither our painter nor its light had a hand in.

`python -m vision.lab.rendered --out DIR --boards 14` makes them with Mitsuba (`vision.lab.render`): a bare
board, its pieces laid out once to be taught, and six pictures at the levels of damage. Pieces are thick,
warped or sleeved, windows are mirrored in them, pawns and arms cast soft shadows, rails of LEDs stand around.
The pictures are kept small, with what is true in them; `load` reads them as the trials that `vision.measure`
takes. Their art is of Debian's `openclipart-png`, which is in the public domain.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

from companion.engine.action import Cell
from companion.engine.layout import UPRIGHT_KINDS, Board, Face, Layout, Piece
from vision.images import Canvas, Doubles, Floats, Image, Rng
from vision.lab.clip_art import ClipArt
from vision.lab.paint import PROFILES, Painted, Painter
from vision.lab.paint_art import SIZE, paper
from vision.lab.render import AreaLamp, Lathe, RenderedScene, Sheet, box, level_camera, render
from vision.lab.sources import pictures
from vision.lab.trials import (
    KINDS,
    TrialBoard,
    board_for,
    board_of_kind,
    layout_for,
)
from vision.optics import (
    LEVELS,
    PIXELS_PER_MM,
    TABLE_RIM_MM,
    Damage,
    PinholeCamera,
    develop,
    grain_of,
    paint_markers,
    rim_of,
)
from vision.rectify import stack
from vision.teach import PIXELS, FaceLibrary

SEED = 910_000_000
SIZE_PX = (1280, 720)
_WIDE_MM = 900.0
"""The table reaches this far beyond the board."""
_FRAMES = (0, 1, 1, 2, 2, 3)
"""The level of each picture of a board."""
_WEBP = 50
FITTING = 100
"""Boards from this number on have art for fitting; those before judge."""
FOLDER = Path(__file__).parents[2] / "tests" / "vision" / "rendered"


class Arm(NamedTuple):
    """An arm that reaches in: from, to (x, y, height) and how thick it is, in mm."""

    start: tuple[float, float, float]
    end: tuple[float, float, float]
    radius: float


class RenderedTable(NamedTuple):
    """What does not change between the pictures of one board."""

    painter: Painter
    ground: Canvas
    """The board without pieces, with some table around."""
    table: Canvas
    side: Image
    """The edge of the cardboard."""
    thick: Mapping[str, float]
    roughness: float
    bulge: float


def table_for(number: int) -> RenderedTable:
    """The board with this number: its kind, art, thickness and coating."""
    rng = np.random.default_rng([SEED, number])
    kind = KINDS[number % len(KINDS)]
    board = board_for(kind, rng, strange=2)
    part = "fitting" if number >= FITTING else "judging"
    return printed_table(board, part, number, rng, is_thin=kind == "card")


def printed_table(board: Board, part: str, number: int, rng: Rng, *, is_thin: bool) -> RenderedTable:
    """This board and its pieces, printed by some publisher."""
    painter = Painter(board, ClipArt(pictures("clip_art", part), SEED + number))
    thick = float(rng.uniform(0.25, 0.5) if is_thin else rng.uniform(1.2, 2.6))
    gloss = float(rng.choice([0.12, 0.22, 0.35, 0.6, 0.7]))
    return RenderedTable(
        painter,
        _ground(painter, part, rng),
        _wallpaper(part, rng),
        np.full((8, 8, 3), rng.uniform(60, 190), np.uint8),
        {face.name: thick for face in board.faces},
        gloss,
        float(rng.uniform(0, 2.0)) if is_thin else float(rng.uniform(0, 0.5)),
    )


def _wallpaper(part: str, rng: Rng) -> Canvas:
    """A pattern of one picture, for table tops, sleeves and printed boards."""
    art = ClipArt(pictures("clip_art", part), int(rng.integers(1 << 30))).art(int(rng.integers(400)))
    return np.tile(np.asarray(cv2.resize(art, (256, 256)), np.uint8), (4, 4, 1))


def _ground(painter: Painter, part: str, rng: Rng) -> Canvas:
    """The printed board: plain paper, or a picture printed on it, and lines around the places."""
    board = painter.board
    width, height = (round((side + 2 * TABLE_RIM_MM) * PIXELS_PER_MM) for side in (board.width, board.height))
    base = (200 + 40 * rng.random(3)) if rng.random() < 0.5 else rng.uniform(30, 230, 3)
    sheet = paper(rng, (float(base[0]), float(base[1]), float(base[2])), 0.05)
    flat = np.asarray(cv2.resize(sheet, (width, height)), np.uint8)
    if rng.random() < 0.35:
        picture = cv2.resize(_wallpaper(part, rng), (width, height))
        flat = np.asarray(cv2.addWeighted(flat, 0.45, picture, 0.55, 0), np.uint8)
    ink = tuple(map(float, rng.uniform(0, 255, 3)))
    if rng.random() < 0.7:
        for place in board.places:
            half = np.array([place.width, place.height]) / 2
            middle = np.array([place.x, place.y]) + TABLE_RIM_MM
            low, high = ((middle + way * half) * PIXELS_PER_MM for way in (-1, 1))
            cv2.rectangle(flat, tuple(map(int, low)), tuple(map(int, high)), ink, 2, cv2.LINE_AA)
    paint_markers(flat, board)
    return flat


def scene_of(
    table: RenderedTable, layout: Layout, damage: Damage, level: int, rng: Rng, arm: Arm | None = None
) -> RenderedScene:
    """Lays the pieces on the board and lights the room."""
    board, painter = table.painter.board, table.painter
    rim = TABLE_RIM_MM
    low, high_x, high_y = -rim, board.width + rim, board.height + rim
    printed = Sheet(_flat(low, low, high_x, high_y, 0.0), table.ground)
    quads: list[Sheet] = []
    lathes: list[Lathe] = []
    for cell, pieces in layout.items():
        place, height, standing = board.places[cell], 0.0, []
        for piece in pieces:
            face = painter.faces[piece.face]
            if face.kind in UPRIGHT_KINDS:
                standing.append(face)
                continue
            x, y = rng.uniform(-damage.shift_mm, damage.shift_mm, 2) * 0.7 + [place.x, place.y]
            turn = piece.turn + place.turn + float(rng.uniform(-damage.turn, damage.turn))
            thick = table.thick[face.name]
            print_ = painter.arts[face.name]
            bulge = table.bulge * float(rng.uniform(-0.3, 1))
            quads += box((x, y), (face.width, face.height), turn, height, thick, print_, table.side, bulge)
            height += thick
        lathes += _figures(painter, standing, (place.x, place.y), place.width, height, rng)
    if arm is not None:
        sleeve = np.asarray(cv2.resize(table.table[:300, ::-1][:, :300], (SIZE, SIZE)), np.uint8)
        skin = np.full((8, 8, 3), np.array([90, 120, 170]) * rng.uniform(0.5, 1.3), np.uint8)
        wrist = tuple(0.75 * np.array(arm.end) + 0.25 * np.array(arm.start))
        lathes.append(Lathe(arm.start, wrist, (arm.radius * 1.3, arm.radius * 1.1, arm.radius), sleeve))
        lathes.append(
            Lathe(wrist, arm.end, (arm.radius * 0.8, arm.radius, arm.radius, arm.radius * 0.7), skin)
        )
    wide = Sheet(
        _flat(-_WIDE_MM, -_WIDE_MM, board.width + _WIDE_MM, board.height + _WIDE_MM, -1.0), table.table
    )
    lamps, ambient = _room(board, damage, level, rng)
    return RenderedScene((wide, printed), quads, lathes, lamps, ambient, table.roughness)


def _flat(left: float, top: float, right: float, bottom: float, height: float) -> Doubles:
    return np.array(
        [(left, top, height), (right, top, height), (right, bottom, height), (left, bottom, height)]
    )


def _figures(
    painter: Painter, faces: Sequence[Face], at: tuple[float, float], width: float, height: float, rng: Rng
) -> Iterator[Lathe]:
    slim, tall = PROFILES[painter.shape % 4]
    start = rng.uniform(0, 2 * np.pi)
    for i, face in enumerate(faces):
        away = 0.0 if len(faces) == 1 else 0.6 * face.width / np.sin(np.pi / max(2, len(faces)))
        angle = start + 2 * np.pi * i / len(faces)
        loose = rng.uniform(-0.1, 0.1, 2) * width
        x, y = np.array(at) + loose + away * np.array([np.cos(angle), np.sin(angle)])
        body = np.full((8, 8, 3), painter.colours[face.name], np.uint8)
        radii = tuple(
            max(0.5, face.width / 2 * one)
            for one in np.interp(np.linspace(0, 1, 7), np.linspace(0, 1, len(slim)), slim)
        )
        yield Lathe((x, y, height), (x, y, height + face.width * tall), radii, body)


def _room(
    board: Board, damage: Damage, level: int, rng: Rng
) -> tuple[list[AreaLamp], tuple[float, float, float]]:
    """A window or a lamp, light from everywhere, and rails of LEDs where the room is dim."""
    middle = np.array([board.width / 2, board.height / 2, 0])
    way = rng.uniform(0, 2 * np.pi)
    warm = np.array([1.0, rng.uniform(0.55, 0.8), rng.uniform(0.2, 0.5)])
    day = np.array([rng.uniform(0.75, 0.95), rng.uniform(0.88, 1.0), 1.0])
    tint = day if rng.random() < (0.8, 0.5, 0.25, 0.2)[level] else warm
    far = rng.uniform(900, 1800)
    high = far * rng.uniform(0.35, 1.2)
    spot = middle + np.array([np.cos(way) * far, np.sin(way) * far, high])
    size = (
        (rng.uniform(500, 1400), rng.uniform(500, 1200))
        if rng.random() < 0.6
        else (rng.uniform(90, 250),) * 2
    )
    power = 8e5 / (size[0] * size[1]) * (far**2 + high**2) / 3e6 * (6, 4, 2.5, 3)[level]
    lamps = [AreaLamp(tuple(spot), tuple(middle), size, tuple(power * tint))]
    ambient = rng.uniform(*((0.6, 1.0), (0.3, 0.8), (0.2, 0.5), (0.08, 0.3))[level])
    other = day if rng.random() < 0.5 else warm
    if level >= 2:
        lamps += _rails(board, level, rng)
    elif rng.random() < 0.3:
        above = middle + np.array([*rng.uniform(-500, 500, 2), rng.uniform(900, 1600)])
        lamps.append(AreaLamp(tuple(above), tuple(middle), (120, 120), tuple(25.0 * warm)))
    return lamps, tuple(ambient * (0.6 + 0.4 * other))


def _rails(board: Board, level: int, rng: Rng) -> Iterator[AreaLamp]:
    """LEDs in rails around the board, some of them lit, one colour a stretch."""
    edges = [((0, 0), (1, 0)), ((1, 0), (1, 1)), ((1, 1), (0, 1)), ((0, 1), (0, 0))]
    side, middle = np.array([board.width, board.height]), np.array([board.width, board.height]) / 2
    colours = rng.dirichlet((0.4, 0.4, 0.4), 3)
    for start, end in edges:
        if rng.random() < 0.3:
            continue
        for k in range(3):
            if rng.random() < 0.4:
                continue
            share = (k + 0.5) / 3
            at = np.array(start) * side * (1 - share) + np.array(end) * side * share
            away = at - middle
            away = np.where(np.array(start) == np.array(end), np.sign(away), 0)
            out = at + away * 7
            to = out - away * 100
            power = float(rng.uniform(4, 14)) * (1, 1, 1, 1.6)[level]
            yield AreaLamp(
                (out[0], out[1], 9.0),
                (to[0], to[1], 5.0),
                (float(np.abs(np.array(end) - start) @ side) / 3, 5.0),
                tuple(power * colours[int(rng.integers(3))]),
            )


# The camera ------------------------------------------------------------------------------------------------


def photograph(
    table: RenderedTable, layout: Layout, level: int, rng: Rng, arm: Arm | None = None, samples: int = 24
) -> tuple[Canvas, PinholeCamera]:
    """Takes one picture of a table as a cheap camera would."""
    damage, board = LEVELS[level], table.painter.board
    camera = PinholeCamera.above(
        rng, SIZE_PX, (board.width, board.height), damage.tilt, lens=0.0, rim=rim_of(board)
    )
    camera = level_camera(camera)
    scene = scene_of(table, layout, damage, level, rng, arm)
    light = light_on(scene, camera, level, rng, samples)
    return webcam(light, paper_light(light, camera, board), level, rng), camera


def light_on(scene: RenderedScene, camera: PinholeCamera, level: int, rng: Rng, samples: int = 24) -> Floats:
    """The light that a camera which is focused about as well as rooms allow gets from a scene."""
    lens = float(rng.uniform(0, (0.5, 1.5, 3, 4)[level]))
    return render(scene, camera, samples, int(rng.integers(1 << 30)), lens)


def paper_light(light: Floats, camera: PinholeCamera, board: Board) -> Floats:
    """What white paper gives back, blue-green-red: the middle of the light edges of the markers."""
    spots = []
    for marker in board.markers:
        corners = np.array(marker.corners())
        edges = (corners + np.roll(corners, 1, axis=0)) / 2
        middle = corners.mean(axis=0)
        spots.extend(middle + 1.2 * (edges - middle))
    xy = camera.pixels(spots).round().astype(int)
    inside = [(x, y) for x, y in xy if 0 <= x < light.shape[1] and 0 <= y < light.shape[0]]
    return np.asarray(np.median([light[y, x] for x, y in inside], axis=0), np.float32)


def webcam(light: Floats, white: Floats, level: int, rng: Rng) -> Canvas:
    """Exposure, white balance that nearly fits, bands of dimmed LEDs, noise, sharpening, compression."""
    damage = LEVELS[level]
    cast = white / white.mean()
    fits = rng.uniform(*((0.9, 1.05), (0.75, 1.05), (0.4, 1.0), (0.1, 0.9))[level])
    gain = cast ** -float(fits) * np.exp(rng.normal(0, 0.02 + 0.02 * level, 3))
    exposure = rng.uniform(*damage.light) / float((white * gain).mean())
    linear = np.asarray(light * (gain * exposure), np.float32)
    if level >= 2 and rng.random() < 0.6:
        rows = np.arange(len(linear))[:, None]
        wave = np.sin(2 * np.pi * (rows / rng.uniform(30, 260) + rng.random(3)[None] * (rng.random() < 0.5)))
        linear = linear * (1 + rng.uniform(0.02, 0.12) * np.tanh(3 * wave))[:, None].astype(np.float32)
    blur = rng.uniform(*damage.blur)
    if blur > 0.25:
        linear = np.asarray(cv2.GaussianBlur(linear, (0, 0), blur), np.float32)
    seen = develop(rng, np.asarray(linear, np.float32), grain_of(linear, damage), damage)
    if rng.random() < 0.6:  # cheap cameras sharpen
        soft = cv2.GaussianBlur(seen, (0, 0), 1.2)
        seen = np.asarray(cv2.addWeighted(seen, 1.6, soft, -0.6, 0), np.uint8)
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(*damage.jpeg)) - 10]
        seen = np.asarray(cv2.imdecode(cv2.imencode(".jpg", seen, quality)[1], cv2.IMREAD_COLOR), np.uint8)
    return seen


def hidden_shares(board: Board, camera: PinholeCamera, arm: Arm) -> dict[Cell, float]:
    """How much of each place an arm hides from the camera."""
    eye = -camera.turn.T @ camera.move * [1, 1, -1]
    steps = (np.arange(7) + 0.5) / 7 - 0.5
    grid = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2)
    shares = {}
    for cell, place in enumerate(board.places):
        flat = grid * [place.width, place.height] + [place.x, place.y]
        points = np.column_stack([flat, np.zeros(len(flat))])
        near = [_distance(point, eye, np.array(arm.start), np.array(arm.end)) for point in points]
        share = float(np.mean(np.array(near) < arm.radius * 1.1))
        if share > 0:
            shares[cell] = round(share, 2)
    return shares


def _distance(a: Doubles, b: Doubles, c: Doubles, d: Doubles) -> float:
    """How near two lines come to each other between their ends."""
    t = np.linspace(0, 1, 60)
    along = a + np.outer(t, b - a)
    axis = d - c
    s = np.clip((along - c) @ axis / (axis @ axis), 0, 1)
    return float(np.linalg.norm(along - (c + np.outer(s, axis)), axis=1).min())


def _arm(board: Board, rng: Rng) -> Arm:
    x, y = rng.uniform(0.25, 0.75, 2) * [board.width, board.height]
    side = board.height + 250
    start = (float(x + rng.uniform(-200, 200)), float(side), 120.0)
    return Arm(start, (float(x), float(y), float(rng.uniform(30, 60))), float(rng.uniform(22, 32)))


# The corpus ------------------------------------------------------------------------------------------------


def teaching_layouts(board: Board) -> list[dict[Cell, tuple[Piece, ...]]]:
    """All pieces that are taught, three times each as far as two boards have room."""
    taught = [face.name for face in board.faces if not face.name.startswith(("strange", "cover"))]
    names = (taught * 3)[: 2 * len(board.places) if len(board.places) < 30 else len(board.places)]
    return [
        {cell: (Piece(name),) for cell, name in enumerate(names[start : start + len(board.places)])}
        for start in range(0, len(names), len(board.places))
    ]


def make(out: Path, numbers: Sequence[int], samples: int) -> None:
    """Renders the boards that are not there yet and notes what is true in their pictures."""
    out.mkdir(parents=True, exist_ok=True)
    for number in numbers:
        noted = out / f"{number:02d}.json"
        if noted.exists():
            continue
        rng = np.random.default_rng([SEED, number, 1])
        table = table_for(number)
        board = table.painter.board
        kind = KINDS[number % len(KINDS)]
        jobs: list[tuple[str, int, Layout, Arm | None]] = [("bare", 1, {}, None)]
        jobs += [("taught", 1, layout, None) for layout in teaching_layouts(board)]
        for i, level in enumerate(_FRAMES):
            arm = _arm(board, rng) if i in (2, 4) else None
            jobs.append(("trial", level, layout_for(board, kind, rng), arm))
        about = []
        for i, (what, level, layout, arm) in enumerate(jobs):
            seen, camera = photograph(table, layout, level, rng, arm, samples)
            seen, camera = _cut(seen, camera, board)
            name = f"{number:02d}_{i}.webp"
            cv2.imwrite(str(out / name), seen, [cv2.IMWRITE_WEBP_QUALITY, _WEBP])
            hidden = {} if arm is None else hidden_shares(board, camera, arm)
            about.append(_noted(name, what, level, layout, camera, hidden))
            print(number, name, what, level, flush=True)
        faces = [list(face) for face in board.faces]
        noted.write_text(json.dumps({"kind": kind, "faces": faces, "pictures": about}), encoding="utf-8")


def _cut(seen: Canvas, camera: PinholeCamera, board: Board) -> tuple[Canvas, PinholeCamera]:
    """The part of a picture that shows the board and its markers."""
    rim = rim_of(board) + 4
    ends = [
        (-rim, -rim),
        (board.width + rim, -rim),
        (board.width + rim, board.height + rim),
        (-rim, board.height + rim),
    ]
    xy = camera.pixels(ends)
    low = np.maximum(np.floor(xy.min(0)).astype(int), 0)
    high = np.minimum(np.ceil(xy.max(0)).astype(int), SIZE_PX)
    part = seen[low[1] : high[1], low[0] : high[0]]
    return part.copy(), _camera(part.shape[1::-1], camera.matrix, camera.turn, camera.move, low)


def _camera(size: Sequence[int], matrix: Doubles, turn: Doubles, move: Doubles, low: Canvas) -> PinholeCamera:
    camera = PinholeCamera((int(size[0]), int(size[1])), float(matrix[0, 0]), 0.0, turn, move)
    camera.matrix[:2, 2] = matrix[:2, 2] - low
    return camera


def _noted(
    name: str, what: str, level: int, layout: Layout, camera: PinholeCamera, hidden: Mapping[Cell, float]
) -> dict[str, Any]:
    return {
        "file": name,
        "what": what,
        "level": level,
        "layout": {cell: [[piece.face, piece.turn] for piece in pieces] for cell, pieces in layout.items()},
        "hidden": hidden,
        "camera": {
            "matrix": camera.matrix.round(4).tolist(),
            "turn": camera.turn.round(8).tolist(),
            "move": camera.move.round(4).tolist(),
        },
    }


def load(folder: Path = FOLDER) -> Iterator[TrialBoard]:
    """The pictures of a corpus as trials; what an arm hides of them is `covered`."""
    for noted in sorted(folder.glob("[0-9]*.json")):
        about = json.loads(noted.read_text(encoding="utf-8"))
        board = board_of_kind(about["kind"], [Face(*face) for face in about["faces"]])
        shots = [_shot(folder, one) for one in about["pictures"]]
        bare = next(shot for what, _, shot, _ in shots if what == "bare")
        library = _taught(board, [shot for what, _, shot, _ in shots if what == "taught"])
        for what, level, shot, hidden in shots:
            if what == "trial":
                yield TrialBoard(board, library, shot, level, about["kind"], bare, hidden)


def _shot(folder: Path, about: Mapping[str, Any]) -> tuple[str, int, Painted, dict[Cell, float]]:
    seen = cv2.imread(str(folder / about["file"]), cv2.IMREAD_COLOR)
    assert seen is not None, about["file"]
    image = np.asarray(seen, np.uint8)
    lens = {name: np.array(values) for name, values in about["camera"].items()}
    camera = _camera(image.shape[1::-1], lens["matrix"], lens["turn"], lens["move"], np.zeros(2))
    layout = {
        int(cell): tuple(Piece(face, turn) for face, turn in pieces)
        for cell, pieces in about["layout"].items()
    }
    none = np.zeros(image.shape[:2], np.uint8)
    painted = Painted(image, camera, layout, none, none)
    return about["what"], int(about["level"]), painted, {int(c): s for c, s in about["hidden"].items()}


def _taught(board: Board, shots: Sequence[Painted]) -> FaceLibrary:
    faces = {face.name: face for face in board.faces}
    pictures: dict[str, list[Image]] = {}
    for shot in shots:
        for cell, (piece,) in shot.layout.items():
            face = faces[piece.face]
            wide = 1.6 if face.kind in UPRIGHT_KINDS else 1.0
            spot = board.places[cell]._replace(width=face.width * wide, height=face.height * wide)
            pictures.setdefault(face.name, []).append(stack(shot.image, shot.camera, [spot], PIXELS)[0])
    return FaceLibrary("measure", {name: np.stack(some) for name, some in pictures.items()})


def main() -> None:
    """Runs the command."""
    ask = argparse.ArgumentParser(
        prog="python -m vision.lab.rendered", description=(__doc__ or "").splitlines()[0]
    )
    ask.add_argument("--out", type=Path, default=FOLDER)
    ask.add_argument("--first", type=int, default=0)
    ask.add_argument("--boards", type=int, default=14)
    ask.add_argument("--samples", type=int, default=24, help="paths per pixel")
    given = ask.parse_args()
    make(given.out, range(given.first, given.first + given.boards), given.samples)


if __name__ == "__main__":
    main()
