"""Makes the pictures in `traced/`: a lit table by the physics of Mitsuba, which nobody here wrote.

A tool of development, no part of the suite: `pip install mitsuba` beside what the project needs, an LLVM of
Debian (`libllvm19`, named by `DRJIT_LIBLLVM_PATH`), and from the clone
`PYTHONPATH=. python tests/hardware/trace_light.py rails ordinary 0`; the number chooses the game. `outlets`
instead of the three measures how the light of an LED leaves each build. LEDs are small squares that shine, at
the bottom of a profile or on edge in a lattice, below an opal sheet; tiles are opaque boards of 2 mm, pawns
stand. Lengths are millimetres, light is lumens.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from math import atan2, degrees, pi
from pathlib import Path
from random import Random
from typing import Any

import cv2
import mitsuba as mi
import numpy as np
from light_decoder import (
    GAME,
    TOLD,
    WITHIN,
    Position,
    Traced,
    blink_groups,
    positions,
    spots,
    things_told,
    truth,
)

from companion.engine.layout import UPRIGHT_KINDS, Board, built
from companion.games import load_art
from companion.world.physical import Slop, World
from hardware.guard import Channels
from hardware.render import TURN_S, LightStyle, render
from hardware.wiring import LightSettings, led_map_for
from vision.find import find
from vision.optics import LEVELS, TABLE_RIM_MM, develop, focus, grain_of, paint_markers
from vision.optics import PIXELS_PER_MM as SCALE
from vision.virtual import raster

mi.set_variant("llvm_ad_rgb")
T = mi.ScalarTransform4f

FOLDER = Path(__file__).with_name("traced")
SIZES = {"rails": (576, 480), "halo": (960, 800)}
"""The pictures' sizes: the rims of a halo are narrow."""
LUX = 1e-6 / pi
"""What a white sheet in a light of one lux sends to an eye, in lumens per square millimetre and steradian."""
LED_LM, LED_MM = 4.0, 4.0
"""A WS2812B, all three channels at full."""
ROOMS = {"ordinary": (100.0, 100.0), "dim": (5.0, 15.0)}
"""Lux from all around and from the lamp."""
TURNS = 4
"""The turns that are traced."""
CALM = 2
"""The positions are such that no more things take turns on a bar."""
TILE_MM = 2.0
RAIL_HIGH, LATTICE_HIGH, WALL, OPAL_MM = 7.5, 12.0, 1.2, 0.8
SUNK = -(LATTICE_HIGH + OPAL_MM)
"""The lattice lies so low that its opal sheet is level with the frame around it."""
SAMPLES = 36
BRIGHTNESS = 0.2


def colour(r: float, g: float, b: float) -> dict[str, Any]:
    return {"type": "rgb", "value": [r, g, b]}


def matt(grey: float) -> dict[str, Any]:
    return {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": colour(grey, grey, grey)}}


def printed(picture: np.ndarray) -> dict[str, Any]:
    """Uncoated paper with a picture, given as OpenCV has it."""
    shown = mi.Bitmap(np.ascontiguousarray(picture[::-1, :, ::-1]))
    texture = {"type": "bitmap", "bitmap": shown, "wrap_mode": "clamp"}
    return {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": texture}}


OPAL = {
    "type": "principledthin",
    "base_color": colour(0.92, 0.92, 0.92),
    "diff_trans": 1.2,  # of 2: six parts in ten go through
    "roughness": 0.4,
}


def sheet(x: float, y: float, z: float, width: float, height: float, turn: float = 0.0) -> Any:
    """Where a square of two by two must go: a sheet that faces upwards; y counts down the board."""
    return T().translate([x, -y, z]).rotate([0, 0, 1], -turn).scale([width / 2, height / 2, 1])


def block(x: float, y: float, low: float, width: float, height: float, high: float, turn: float = 0.0) -> Any:
    middle = T().translate([x, -y, (low + high) / 2]).rotate([0, 0, 1], -turn)
    return middle.scale([width / 2, height / 2, (high - low) / 2])


class Table:
    """A table of one build in a room, and the camera above it."""

    def __init__(self, build: str, room: str, players: int = 4) -> None:
        self.build = build
        self.board = built(GAME.board(GAME.resolve({"players": players})), build)
        self.map = led_map_for(LightSettings(map=build, supply_ma=20_000), self.board)
        self.world = World(self.board)
        self._draw = load_art(GAME.key).draw
        self._room = ROOMS[room]
        self._fixed = self._furniture()
        self._rng = np.random.default_rng(len(build))

    # The scene -----------------------------------------------------------------------------------

    def _furniture(self) -> dict[str, Any]:
        board, (around, lamp) = self.board, self._room
        wide, high = board.width + 2 * TABLE_RIM_MM, board.height + 2 * TABLE_RIM_MM
        middle = board.width / 2, board.height / 2
        lamp_mm, above = 900.0, 1700.0
        given = lamp * LUX * pi * above**2 / lamp_mm**2
        parts: dict[str, Any] = {
            "table": {"type": "rectangle", "to_world": sheet(*middle, -20, 4000, 4000), "bsdf": matt(0.15)},
            "base": {
                "type": "rectangle",
                "to_world": sheet(*middle, 0, wide, high),
                "bsdf": self._cut(printed(paper(board))),
            },
            "sky": {"type": "constant", "radiance": colour(*[around * LUX] * 3)},
            "lamp": {
                "type": "rectangle",
                "to_world": T()
                .translate([middle[0] + 500, -middle[1] + 300, above])
                .rotate([1, 0, 0], 180)
                .scale([lamp_mm / 2, lamp_mm / 2, 1]),
                "emitter": {"type": "area", "radiance": colour(given, 0.88 * given, 0.68 * given)},
            },
        }
        return parts | (self._rails() if self.build == "rails" else self._lattice())

    def _cut(self, frame: dict[str, Any]) -> dict[str, Any]:
        """The printed board with a hole where the lattice lies."""
        if self.build != "halo":
            return frame
        hole = np.ones((*paper(self.board).shape[:2], 1), np.float32)
        left, top, right, bottom = (round((edge + TABLE_RIM_MM) * SCALE) for edge in self._lattice_edges())
        hole[top:bottom, left:right] = 0
        shown = mi.Bitmap(np.ascontiguousarray(hole[::-1]))
        opacity = {"type": "bitmap", "bitmap": shown, "raw": True, "filter_type": "nearest"}
        return {"type": "mask", "opacity": opacity, "nested": frame}

    def _lattice_edges(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the lattice."""
        lanes = self.board.lanes
        return (
            min(lane.x - lane.width / 2 for lane in lanes),
            min(lane.y - lane.height / 2 for lane in lanes),
            max(lane.x + lane.width / 2 for lane in lanes),
            max(lane.y + lane.height / 2 for lane in lanes),
        )

    def _rails(self) -> dict[str, Any]:
        parts: dict[str, Any] = {}
        for i, lane in enumerate(self.board.lanes):
            top, bottom = lane.y - lane.height / 2 + 0.5, lane.y + lane.height / 2 - 0.5
            for name, at in (("above", top), ("below", bottom)):
                where = block(lane.x, at, 0, lane.width, 1.0, RAIL_HIGH)
                parts[f"rail{i}{name}"] = {"type": "cube", "to_world": where, "bsdf": matt(0.7)}
            where = sheet(lane.x, lane.y, 0.4, lane.width, lane.height)
            parts[f"rail{i}floor"] = {"type": "rectangle", "to_world": where, "bsdf": matt(0.7)}
            where = sheet(lane.x, lane.y, RAIL_HIGH, lane.width, lane.height)
            parts[f"rail{i}cover"] = {"type": "rectangle", "to_world": where, "bsdf": OPAL}
        return parts

    def _lattice(self) -> dict[str, Any]:
        parts: dict[str, Any] = {}
        field = sorted({cell for lane in self.board.lanes for cell in lane.cells})
        side = self.board.places[field[0]].width
        pitch = side + 10.0
        for cell in field:
            place = self.board.places[cell]
            for name, size in (("in", side - WALL), ("out", pitch - 1.0)):
                for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0)):
                    x, y = place.x + dx * size / 2, place.y + dy * size / 2
                    wide, high = (size + WALL, WALL) if dx == 0 else (WALL, size + WALL)
                    where = block(x, y, SUNK, wide, high, SUNK + LATTICE_HIGH)
                    parts[f"wall{cell}{name}{dx + 1}{dy + 1}"] = {
                        "type": "cube",
                        "to_world": where,
                        "bsdf": matt(0.8),
                    }
        left, top, right, bottom = self._lattice_edges()
        middle, size = ((left + right) / 2, (top + bottom) / 2), (right - left, bottom - top)
        parts["floor"] = {
            "type": "rectangle",
            "to_world": sheet(*middle, SUNK + 0.4, *size),
            "bsdf": matt(0.8),
        }
        parts["opal"] = {"type": "rectangle", "to_world": sheet(*middle, -0.05, *size), "bsdf": OPAL}
        return parts

    def _pieces(self) -> dict[str, Any]:
        parts: dict[str, Any] = {}
        heights: dict[int | None, float] = {}
        for thing in self.world.things():
            face = self.world.faces[thing.face]
            cell = self.world.cell_at(thing.x, thing.y)
            low = heights.get(cell, 0.0) + 0.05
            art, mask = raster(self._draw(thing.face), 4.0)
            art = np.where(mask[..., None] > 127, art, 60).astype(np.uint8)
            if face.kind in UPRIGHT_KINDS:
                tall = 0.7 * face.width
                body = art[mask > 200].reshape(-1, 3).mean(0)[::-1] / 255 * 0.7
                foot, head = [thing.x, -thing.y, low], [thing.x, -thing.y, low + tall]
                skin = {"type": "diffuse", "reflectance": colour(*np.power(body, 2.2).tolist())}
                parts[f"body{thing.id}"] = {
                    "type": "cylinder",
                    "p0": foot,
                    "p1": head,
                    "radius": face.width / 2,
                    "bsdf": {"type": "twosided", "bsdf": skin},
                }
                where = sheet(thing.x, thing.y, low + tall, face.width, face.height, thing.angle)
                parts[f"head{thing.id}"] = {"type": "disk", "to_world": where, "bsdf": printed(art)}
                continue
            heights[cell] = low + TILE_MM
            where = block(thing.x, thing.y, low, face.width, face.height, low + TILE_MM, thing.angle)
            parts[f"board{thing.id}"] = {"type": "cube", "to_world": where, "bsdf": matt(0.4)}
            where = sheet(thing.x, thing.y, low + TILE_MM + 0.02, face.width, face.height, thing.angle)
            parts[f"print{thing.id}"] = {"type": "rectangle", "to_world": where, "bsdf": printed(art)}
        return parts

    def _leds(self, light: np.ndarray) -> dict[str, Any]:
        """The LEDs that shine; in the lattice they stand on edge at the rim's outer wall."""
        parts = {}
        for i, (led, level) in enumerate(zip(self.map.leds, light, strict=True)):
            if level.max() <= 0 or not led.cells:
                continue
            given = (level * LED_LM / (pi * LED_MM**2)).tolist()
            if self.build == "rails":
                where = T().translate([led.x, -led.y, 1.6])
            else:
                place = self.board.places[led.cells[0][0]]
                dx, dy = np.sign(round(led.x - place.x)), np.sign(round(led.y - place.y))
                at = [led.x + dx * 1.2, -(led.y + dy * 1.2), SUNK + 6.0]
                where = T().look_at(origin=at, target=[at[0] - dx, at[1] + dy, SUNK + 6.0], up=[0, 0, 1])
            parts[f"led{i}"] = {
                "type": "rectangle",
                "to_world": where.scale([LED_MM / 2, LED_MM / 2, 1]),
                "emitter": {"type": "area", "radiance": colour(*given)},
            }
        return parts

    # The camera ----------------------------------------------------------------------------------

    def light(self, leds: np.ndarray | None = None, samples: int = SAMPLES) -> np.ndarray:
        """The light that reaches the sensor, blue first, in lumens."""
        wide, high = self.board.width + 76, self.board.height + 76
        across, down = SIZES[self.build]
        middle = self.board.width / 2, -self.board.height / 2
        far = 900.0
        eye = [middle[0] + 60, middle[1] - 50, far]
        reach = max(wide, high * across / down) * 1.04
        up = [0.03, 1.0, 0.0]
        scene = {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": 8},
            "sensor": {
                "type": "perspective",
                "fov_axis": "x",
                "fov": degrees(2 * atan2(reach / 2, far)),
                "near_clip": 10.0,
                "far_clip": 1e5,
                "to_world": T().look_at(origin=eye, target=[*middle, 0.0], up=up),
                "film": {"type": "hdrfilm", "width": across, "height": down, "pixel_format": "rgb"},
                "sampler": {"type": "independent", "sample_count": samples},
            },
            **self._fixed,
            **self._pieces(),
            **({} if leds is None else self._leds(leds)),
        }
        seen = mi.render(mi.load_dict(scene), spp=samples, seed=int(self._rng.integers(1 << 30)))
        return np.asarray(np.array(seen)[..., 2::-1], np.float32)

    def outlet(self, lit: Sequence[int], parts: int = 9) -> list[float]:
        """How bright the opal is over the middle one of some LEDs at full, in equal parts along its bar.

        1 is white paper at 200 lux.
        """
        led = lit[len(lit) // 2]
        x, y, wide, high = (getattr(self.map.leds[led], name) for name in ("x", "y", "width", "height"))
        leds = np.zeros((len(self.map.leds), 3))
        leds[list(lit)] = 1.0
        scene = {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": 24},
            "sensor": {
                "type": "orthographic",
                "to_world": T()
                .look_at(origin=[x, -y, 500.0], target=[x, -y, 0.0], up=[0, 1, 0])
                .scale([wide / 2, wide / 2, 1]),
                "film": {
                    "type": "hdrfilm",
                    "width": 16 * parts,
                    "height": 16 * parts,
                    "rfilter": {"type": "box"},
                },
            },
            **{name: part for name, part in self._fixed.items() if name not in ("sky", "lamp")},
            **self._leds(leds),
        }
        seen = np.array(mi.render(mi.load_dict(scene), spp=400))[..., 1] / (200 * LUX)
        inside = round(8 * parts * 0.9 * high / wide)
        bar = seen[8 * parts - inside : 8 * parts + inside].mean(0)
        return [round(float(part), 2) for part in bar.reshape(parts, -1).mean(1)]

    def picture(self, light: np.ndarray, exposure: float) -> np.ndarray:
        """What a camera of usual softness and noise makes of it."""
        linear = focus(np.ascontiguousarray(light * np.float32(exposure)), LEVELS[1].blur[1])
        return develop(self._rng, linear, grain_of(linear, LEVELS[1]), LEVELS[1])


def paper(board: Board) -> np.ndarray:
    """The base board as it is printed: dark, with its markers."""
    size = [int((side + 2 * TABLE_RIM_MM) * SCALE) for side in (board.width, board.height)]
    flat = np.full((size[1], size[0], 3), 90, np.uint8)
    edge = int(TABLE_RIM_MM * SCALE)
    flat[edge:-edge, edge:-edge] = 56
    paint_markers(flat, board)
    return flat


def is_calm(position: Position) -> bool:
    """Whether no more things take turns anywhere than the pictures show."""
    return all(max(map(len, things_told(position.scene, cell))) <= CALM for cell in range(36))


def richest(seed: int) -> Position:
    """Of the positions of a game the one that has most to tell."""
    found = [one for one in positions(seed) if is_calm(one)]
    told = {"lit", *TOLD}
    return max(
        found,
        key=lambda one: (
            len({glow.meaning for glow in one.scene.glows} & told),
            len(one.layout),
            len(one.scene.glows),
        ),
    )


def measure_outlets() -> None:
    """Keeps how the light of an LED leaves each build; in a rail its neighbours shine as well."""
    found = {
        "rails": Table("rails", "ordinary").outlet(range(30, 35)),
        "halo": Table("halo", "ordinary").outlet(range(56, 57)),
    }
    (FOLDER / "outlets.json").write_text(json.dumps(found) + "\n")
    print(found)


def main() -> None:
    if sys.argv[1] == "outlets":
        measure_outlets()
        return
    build, room = sys.argv[1:3]
    seed = int(sys.argv[3])
    folder = FOLDER / f"{build}-{room}"
    folder.mkdir(parents=True, exist_ok=True)

    def keep(name: str, picture: np.ndarray, quality: int = 76) -> None:
        cv2.imwrite(str(folder / f"{name}.webp"), picture, [cv2.IMWRITE_WEBP_QUALITY, quality])
        print(name, (folder / f"{name}.webp").stat().st_size, flush=True)

    table = Table(build, room)
    bare = table.light()
    keep("found", table.picture(bare, 0.7 / np.quantile(bare, 0.995)))
    groups = list(blink_groups(table.map))
    pose, exposure = find(cv2.imread(str(folder / "found.webp")), table.board), 0.0
    for number, group in enumerate(groups):
        leds = np.zeros((len(table.map.leds), 3))
        leds[group] = BRIGHTNESS
        seen = table.light(leds, SAMPLES // 2)
        if not exposure:
            at = pose.pixels(spots(table.map)).astype(np.float32).reshape(-1, 81, 2)[group]
            exposure = Traced.full / float(cv2.remap(seen - bare, at, None, cv2.INTER_LINEAR).mean())
        keep(f"blink-{number:02}", table.picture(seen, exposure), 60)
    keep("bare", table.picture(bare, exposure))
    position = richest(seed)
    table.world.set_up(position.layout, Random(seed), Slop(0.7, 1.2))
    keep("dark", table.picture(table.light(), exposure))
    style = LightStyle("gloam", BRIGHTNESS)
    channels = Channels.of(table.map).rgb
    for turn in range(TURNS):
        for i, within_s in enumerate(WITHIN):
            frame = render(position.scene, table.map, turn * TURN_S + within_s, style)
            levels = np.frombuffer(frame, np.uint8)[channels]
            if turn == i == 0:
                (folder / "lit-00.json").write_text(json.dumps(levels.tolist()) + "\n")
            keep(f"lit-{turn}{i}", table.picture(table.light(levels / 255), exposure))
    right = [[sorted(candles), sorted(told)] for candles, told in truth(position.scene, 36)]
    (folder / "truth.json").write_text(json.dumps({"seed": seed, "cells": right}) + "\n")


if __name__ == "__main__":
    main()
