"""The build guide: its pictures and figures are those of the program."""

from __future__ import annotations

import re
from math import atan, degrees
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.games import load
from companion.service.cli import ELSEWHERE
from hardware.guide import CAMERAS, DRAWN, PICTURES, frame_mm, heights, picture, stand_mm

GUIDE = Path(__file__).parents[2] / "hardware" / "BUILD.md"


@pytest.mark.parametrize("name", DRAWN)
def test_the_pictures_are_drawn_anew_by_the_guide(name):
    assert (PICTURES / name).read_text("utf-8") == picture(name), "run: python -m hardware.guide"


@pytest.mark.parametrize("name", DRAWN)
def test_the_pictures_have_sizes(name):
    root = ElementTree.fromstring(picture(name))
    assert float(root.get("width").removesuffix("mm")) > 100


def test_the_table_of_heights_is_in_the_guide():
    assert heights() in GUIDE.read_text("utf-8")


@pytest.mark.parametrize("camera", CAMERAS)
def test_from_its_height_a_camera_sees_the_whole_frame(camera):
    board = load("whisper").board(load("whisper").resolve({}))
    tall = stand_mm(board, camera)
    for size, angle in zip(sorted(frame_mm(board), reverse=True), CAMERAS[camera], strict=True):
        assert 2 * degrees(atan(size / 2 / tall)) < angle


def test_the_guide_names_only_pictures_and_pages_that_exist():
    for target in re.findall(r"\]\(([^)#]+)", GUIDE.read_text("utf-8")):
        assert (GUIDE.parent / target).exists(), target


def test_the_guide_names_only_commands_that_exist():
    named = set(re.findall(r"\./gloam (\w+)", GUIDE.read_text("utf-8")))
    assert named <= set(ELSEWHERE) | {"doctor", "play"}
