"""Rendered dice: `python -m vision.lab.rendered_dice` throws dice on felt, wood and cloth in side light.

The pictures are kept beside `dice.json`, which says which numbers lie up and where; `load` reads them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.images import Canvas, Rng
from vision.lab.paint_art import colour, paper
from vision.lab.paint_dice import DIE_MM, TRAY_MM, Tray, dice_of
from vision.lab.render import AreaLamp, RenderedScene, Sheet, box, level_camera, render
from vision.lab.rendered import FOLDER, webcam
from vision.optics import PinholeCamera

SEED = 920_000_000
SIZE_PX = (640, 400)
GROUNDS = ("felt", "wood", "cloth")
_DICE = 8
_RIM_MM = 40.0
_NOTED = "dice.json"


def ground_of(kind: str, rng: Rng) -> Canvas:
    """A sheet of felt, of wood with its grain, or of checked cloth."""
    size = (960, 720)
    if kind == "felt":
        return np.asarray(cv2.resize(paper(rng, colour(rng, (0.15, 0.6), (0.3, 0.9)), 0.12), size), np.uint8)
    if kind == "wood":
        grain = cv2.resize(rng.normal(0, 1, (90, 8)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
        tone = np.array([60, 105, 160]) * rng.uniform(0.5, 1.3)
        return np.asarray(np.clip(tone * (1 + 0.09 * grain[..., None]), 0, 255), np.uint8)
    y, x = np.mgrid[0 : size[1], 0 : size[0]]
    step = int(rng.integers(14, 30))
    checks = ((x // step % 2) + (y // step % 2)) / 2
    tone, other = (np.array(colour(rng, (0.2, 0.8), (0.2, 0.7))) for _ in range(2))
    weave = rng.normal(0, 3, (*size[::-1], 1))
    cloth = tone + 0.35 * checks[..., None] * (other - tone) + weave
    return np.asarray(np.clip(cloth, 0, 255), np.uint8)


def throw(kind: str, rng: Rng, count: int = _DICE, samples: int = 32) -> Tray:
    """Throws dice on a ground of this kind, lit by a low lamp from the side."""
    ground = ground_of(kind, rng)
    sides = dice_of(rng)
    body = next(iter(sides.values()))[4, 4].astype(float)
    while np.abs(body - ground.reshape(-1, 3).mean(0)).max() < 70:
        sides = dice_of(rng)
        body = next(iter(sides.values()))[4, 4].astype(float)
    spots: list[tuple[float, float]] = []
    while len(spots) < count:
        x, y = (float(one) for one in rng.uniform([DIE_MM, DIE_MM], np.array(TRAY_MM) - DIE_MM))
        if all(np.hypot(x - a, y - b) > 1.7 * DIE_MM for a, b in spots):
            spots.append((x, y))
    faces = [str(rng.integers(1, 7)) for _ in spots]
    quads: list[Sheet] = []
    for spot, face in zip(spots, faces, strict=True):
        other = sides[str((int(face) + 1) % 6 + 1)]
        turn = float(rng.uniform(0, 360))
        quads += box(spot, (DIE_MM, DIE_MM), turn, 0.0, DIE_MM, sides[face], other)
    camera = PinholeCamera.above(rng, SIZE_PX, TRAY_MM, (0, 8), lens=0.0, rim=4.0)
    camera = level_camera(camera)
    light = render(_lit(ground, quads, rng), camera, samples, int(rng.integers(1 << 30)))
    white = np.quantile(light.reshape(-1, 3), 0.9, axis=0)
    level = int(rng.integers(0, 3))
    tops = np.array([(x, y, DIE_MM) for x, y in spots])
    return Tray(webcam(light, white, level, rng), tuple(faces), camera.project(tops))


def _lit(ground: Canvas, quads: list[Sheet], rng: Rng) -> RenderedScene:
    left, top, right, bottom = -_RIM_MM * 4, -_RIM_MM * 4, TRAY_MM[0] + _RIM_MM * 4, TRAY_MM[1] + _RIM_MM * 4
    flat = np.array([(left, top, 0.0), (right, top, 0.0), (right, bottom, 0.0), (left, bottom, 0.0)])
    way, far = rng.uniform(0, 2 * np.pi), rng.uniform(300, 700)
    spot = (
        float(TRAY_MM[0] / 2 + far * np.cos(way)),
        float(TRAY_MM[1] / 2 + far * np.sin(way)),
        float(far * rng.uniform(0.5, 0.9)),
    )
    warm = (60.0, 60 * float(rng.uniform(0.7, 1)), 60 * float(rng.uniform(0.5, 1)))
    lamp = AreaLamp(spot, (TRAY_MM[0] / 2, TRAY_MM[1] / 2, 0.0), (60, 60), warm)
    ambient = float(rng.uniform(0.05, 0.4))
    return RenderedScene(
        (Sheet(flat, ground),), quads, [], [lamp], (ambient,) * 3, float(rng.choice([0.15, 0.35, 0.6]))
    )


def make(out: Path, count: int) -> None:
    """Renders trays, some of them without dice."""
    out.mkdir(parents=True, exist_ok=True)
    noted = out / _NOTED
    about = json.loads(noted.read_text(encoding="utf-8")) if noted.exists() else []
    for number in range(len(about), count):
        rng = np.random.default_rng([SEED, number])
        kind = GROUNDS[number % len(GROUNDS)]
        tray = throw(kind, rng, 0 if number % 8 == 7 else _DICE)
        name = f"dice_{number:02d}.webp"
        cv2.imwrite(str(out / name), tray.image, [cv2.IMWRITE_WEBP_QUALITY, 70])
        centres = tray.centres.round(1).tolist()
        about.append({"file": name, "ground": kind, "faces": tray.faces, "centres": centres})
        noted.write_text(json.dumps(about), encoding="utf-8")
        print(name, kind, flush=True)


def load(folder: Path = FOLDER) -> Iterator[tuple[str, Tray]]:
    """The trays of a corpus, each with the kind of its ground."""
    for one in json.loads((folder / _NOTED).read_text(encoding="utf-8")):
        seen = cv2.imread(str(folder / one["file"]), cv2.IMREAD_COLOR)
        assert seen is not None, one["file"]
        centres = np.array(one["centres"], float).reshape(-1, 2)
        yield one["ground"], Tray(np.asarray(seen, np.uint8), tuple(one["faces"]), centres)


def named(
    tray: Tray, found: list[tuple[str | None, tuple[float, float]]], side_px: float
) -> tuple[int, int, int]:
    """How many dice were read rightly, how many wrongly, and how many values were read where no die lies."""
    right = wrong = nothing = 0
    for face, centre in found:
        if face is None:
            continue
        away = np.linalg.norm(tray.centres - np.array(centre), axis=1) if len(tray.centres) else np.array([])
        if not len(away) or away.min() > 0.7 * side_px:
            nothing += 1
        elif tray.faces[int(away.argmin())] == face:
            right += 1
        else:
            wrong += 1
    return right, wrong, nothing


def main() -> None:
    """Runs the command."""
    ask = argparse.ArgumentParser(
        prog="python -m vision.lab.rendered_dice", description=(__doc__ or "").splitlines()[0]
    )
    ask.add_argument("--out", type=Path, default=FOLDER)
    ask.add_argument("--trays", type=int, default=24)
    given = ask.parse_args()
    make(given.out, given.trays)


if __name__ == "__main__":
    main()
