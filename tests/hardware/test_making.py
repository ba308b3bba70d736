"""What a maker cuts, prints and buys: from the driver's own map, closed, and of the stated size."""

from __future__ import annotations

import csv
import io
import re
from itertools import pairwise
from math import hypot
from xml.etree import ElementTree

import pytest
import trimesh

from companion.engine.layout import built
from companion.games import load
from companion.service.cli import main
from hardware import making
from hardware.ledmap import PITCH_MM, white_ma
from hardware.wiring import LightSettings, led_map_for

GAME = load("night_cage")


def laid(players: int, build: str = "rails"):
    board = built(GAME.board(GAME.resolve({"players": players})), build)
    return board, led_map_for(LightSettings(map=build), board)


def written(tmp_path, *more: str):
    assert main(["print", "parts", "night_cage", "--out", str(tmp_path), *more]) == 0
    return tmp_path


@pytest.mark.parametrize(("players", "leds"), [(4, 132), (5, 182)])
def test_drawing_list_power_and_driver_have_the_same_leds(tmp_path, players, leds):
    folder = written(tmp_path, "--option", f"players={players}")
    board, led_map = laid(players)
    assert len(led_map.leds) == leds
    rows = list(csv.DictReader(io.StringIO((folder / "leds.csv").read_text())))
    drawn = re.findall(r">(\d+)</text>", (folder / "leds.svg").read_text())
    assert [int(row["led"]) for row in rows] == list(range(leds)) == [int(number) for number in drawn]
    for row, led in zip(rows, led_map.leds, strict=True):
        assert (float(row["x_mm"]), float(row["y_mm"])) == pytest.approx((led.x, led.y), abs=0.06)
        assert row["places"] == " ".join(board.places[cell].name for cell, _ in led.cells)
    told = (folder / "parts.txt").read_text()
    assert f"{leds} LEDs" in told and f"all white, full: {white_ma(leds) / 1000:.1f} A" in told


@pytest.mark.parametrize("name", ["leds.svg", "drill.svg"])
def test_drawings_are_at_one_to_one_with_a_ruler_of_100_mm(tmp_path, name):
    board, _ = laid(4)
    root = ElementTree.fromstring((written(tmp_path) / name).read_text())
    width, height = map(float, root.get("viewBox").split()[2:])
    assert (root.get("width"), root.get("height")) == (f"{width:g}mm", f"{height:g}mm")
    assert width == pytest.approx(board.width + 2 * making.MARGIN_MM)
    lines = [
        [tuple(map(float, point.split(","))) for point in one.get("points").split()]
        for one in root.iter("{http://www.w3.org/2000/svg}polyline")
    ]
    assert any(
        len(ends) == 2 and abs(ends[1][0] - ends[0][0] - 100) < 0.01 and ends[0][1] == ends[1][1]
        for ends in lines
    )


def bodies(mesh: trimesh.Trimesh) -> int:
    """Parts that hang together, by the edges that faces share."""
    part = list(range(len(mesh.faces)))

    def root(face: int) -> int:
        while part[face] != face:
            part[face] = face = part[part[face]]
        return face

    for a, b in mesh.face_adjacency:
        part[root(int(a))] = root(int(b))
    return len({root(face) for face in part})


def test_a_clip_is_closed_and_holds_a_rail(tmp_path):
    mesh = trimesh.load_mesh(written(tmp_path) / "clip.stl")
    assert mesh.is_watertight and mesh.is_winding_consistent and mesh.volume > 0
    assert mesh.extents == pytest.approx((16.3, 15.0, 9.0), abs=0.01)


@pytest.mark.parametrize(
    ("key", "players", "profile"),
    [
        *(("night_cage", 4, 0), ("night_cage", 5, 0), ("onirim", 2, 0)),
        *(("night_cage", 4, 26), ("night_cage", 5, 26)),
    ],
)
def test_no_rail_or_clip_lies_where_a_tile_a_card_or_a_marker_lies(key, players, profile):
    game = load(key)
    board = built(game.board(game.resolve({"players": players})), "rails")
    led_map = led_map_for(LightSettings(map="rails", profile_leds=profile), board)
    places = [(p.x, p.y, p.width, p.height) for p in board.places if p.zone != "fall"]  # only pawns fall
    markers = [(m.x + m.size / 2, m.y + m.size / 2, m.size, m.size) for m in board.markers]
    clips = making.clips_of(board, led_map)
    assert len(clips) == 2 * len(board.lanes)
    rails = [(x, y, width, making.RAIL_MM) for x, y, width in making.rails_of(board, led_map)]
    for x, y, width, height in (*clips, *rails):
        for left, top, wide, high in (*places, *markers):
            assert max(abs(x - left) - (width + wide) / 2, abs(y - top) - (height + high) / 2) > -0.01


@pytest.mark.parametrize("build", ["projector", "glass"])
def test_for_a_screen_nobody_buys_a_strip(tmp_path, build):
    folder = written(tmp_path, "--map", build)
    told = (folder / "parts.txt").read_text()
    assert "LED" not in told and "5 V" not in told
    assert not (folder / "leds.svg").exists() and not (folder / "leds.csv").exists()
    # The rails' frame is 644 × 628 mm: 51 inches of 16 × 9 are 1129 × 635 mm.
    assert "projector, 1920" in told if build == "projector" else "television, 51 inches" in told


@pytest.mark.parametrize(("players", "cells"), [(4, 3), (5, 4)])
def test_a_quarter_of_the_lattice_is_closed_one_piece_and_of_its_size(tmp_path, players, cells):
    folder = written(tmp_path, "--map", "halo", "--option", f"players={players}")
    mesh = trimesh.load_mesh(folder / "lattice.stl")
    assert mesh.is_watertight and mesh.is_winding_consistent and mesh.volume > 0
    assert bodies(mesh) == 1
    assert mesh.extents == pytest.approx((cells * 73.5, cells * 73.5, 12.0), abs=0.01)


def test_the_parts_list_is_computed_from_the_game():
    board, led_map = laid(4)
    rows = {row.what.split(",")[0]: row for row in making.parts(board, led_map)}
    profile = rows["aluminium profile"]
    assert (profile.number, profile.length_mm) == (6, 381.0 + 2 * making.CLIP_MM)
    assert making.supply_a(led_map) * 1000 >= white_ma(132, 0.5)


def test_rails_for_several_games_are_listed_and_numbered_as_the_driver_has_them(tmp_path):
    settings = tmp_path / "gloam.toml"
    settings.write_text('[lights]\nmap = "rails"\nprofile_leds = 26\n')
    folder = written(tmp_path / "parts", "--config", str(settings))
    board, _ = laid(4)
    led_map = led_map_for(LightSettings(map="rails", profile_leds=26), board)
    rows = list(csv.DictReader(io.StringIO((folder / "leds.csv").read_text())))
    assert [float(row["x_mm"]) for row in rows] == pytest.approx([led.x for led in led_map.leds], abs=0.06)
    assert [i for i, row in enumerate(rows) if row["places"]] == list(led_map.used())
    assert "6 × aluminium profile" in (folder / "parts.txt").read_text()
    assert f"{26 * PITCH_MM + 2 * making.CLIP_MM:.0f} mm" in (folder / "parts.txt").read_text()


def test_single_leds_are_joined_by_wire_as_long_as_the_way_from_one_to_the_next():
    whisper = load("whisper")
    flat = whisper.board(whisper.resolve({}))
    for board, led_map in (laid(4, "halo"), (flat, led_map_for(LightSettings(map="backlit"), flat))):
        (wire,) = (row for row in making.parts(board, led_map) if row.what.startswith("wire"))
        way = [hypot(b.x - a.x, b.y - a.y) for a, b in pairwise(led_map.leds)]
        assert wire.length_mm > sum(way) + 15 * len(way)
    assert not [row for row in making.parts(*laid(4)) if row.what.startswith("wire")], (
        "rails keep their strip"
    )
