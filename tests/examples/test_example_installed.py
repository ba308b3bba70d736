"""A game that another distribution brings: installed by pip beside the wheel, it is a game like ours."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

import cv2
import numpy as np
import pypdfium2
import pytest
from installed_example import EXAMPLES, ROOT, Home, keys_of

EXAMPLE = EXAMPLES / "nine_mens_morris"
(KEY,) = keys_of(EXAMPLE)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    with TemporaryDirectory() as folder:
        yield Home(Path(folder))


def test_it_is_on_the_shelf_and_comes_from_its_own_distribution(home: Home) -> None:
    said = home.run(
        "-c",
        "import companion.games as games, json\n"
        "print(json.dumps([list(games.REGISTRY), games.REGISTRY.faults, games.__file__,"
        f" games.REGISTRY.sources[{KEY!r}].distribution]))",
    )
    shelf, faults, path, distribution = json.loads(said)
    assert shelf[-1] == KEY and len(shelf) == 6 and faults == []
    assert not Path(path).is_relative_to(ROOT)
    assert distribution == "gloam-nine-mens-morris"


def test_our_wheel_does_not_hold_it(home: Home) -> None:
    (ours,) = (wheel for wheel in home.wheels if wheel.name.startswith("gloam-"))
    names = ZipFile(ours).namelist()
    assert not [name for name in names if "companion/examples" in name or KEY in name]
    assert "companion/games/onirim/ledger.txt" in names


def test_bots_play_it(home: Home) -> None:
    for bot in ("random", "careful"):
        said = home.gloam("simulate", KEY, "-n", "10", "--jobs", "1", "--bot", bot)
        assert f"{KEY}: 10 games" in said and "no invariant broken" in said


def test_it_passes_the_contract_tests(home: Home) -> None:
    said = home.run(
        *("-m", "pytest", str(ROOT / "tests" / "contract"), "-p", "no:cacheprovider", "-k", KEY),
        *("--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml"), "-q"),
    )
    passed = re.search(r"(\d+) passed", said) or re.search(r"(\.+)\s+\[100%\]", said)
    assert passed is not None and "no tests ran" not in said


def test_its_board_is_printed_with_its_own_markers(home: Home) -> None:
    home.gloam("print", "board", KEY, "--paper", "board", "--out", "board.pdf")
    page = pypdfium2.PdfDocument(home.folder / "board.pdf")[0]
    image = np.asarray(page.render(scale=4 * 25.4 / 72).to_pil().convert("L"))
    book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250)
    _, ids, _ = cv2.aruco.ArucoDetector(book).detectMarkers(image)
    assert sorted(int(i) for i in ids.ravel()) == list(range(128, 136))
    home.gloam("print", "kit", KEY, "--language", "ru", "--out", "kit.pdf")
    assert len(pypdfium2.PdfDocument(home.folder / "kit.pdf")) == 1


def test_the_virtual_camera_follows_it(home: Home) -> None:
    said = home.gloam("trust", KEY, "-n", "2", "--moves", "8", "--slips", "0.2", "--bot", "random", "--json")
    found = json.loads(said)["found"]
    assert (found["games"], found["moves"]) == (2, 16)
    assert found["beliefs"] >= 10
    assert (found["wrong_commits"], found["wrong_beliefs"], found["missed"]) == (0, 0, 0)


@pytest.mark.browser
def test_it_is_played_to_its_end_in_the_browser(home: Home) -> None:
    script = ROOT / "tests" / "web" / "play_in_browser.py"
    assert "ended by NM-" in home.run(str(script), KEY)


def test_no_file_of_the_main_tree_names_it() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    named = re.compile(rb"nine.men|morris", re.IGNORECASE)
    apart = ("companion/examples/", "tests/examples/")
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if path.is_file() and not name.startswith(apart):
            assert not named.search(path.read_bytes()) and not named.search(name.encode()), name


def test_its_types_are_strict(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", str(tmp_path), "-p", KEY],
        env=os.environ | {"MYPYPATH": f"{ROOT}:{EXAMPLE}"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
