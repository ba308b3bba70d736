"""The settings file: every fault named, nothing lost by writing, nothing bricked by mistakes."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from random import Random

import pytest

from companion.engine.errors import ConfigError
from companion.settings.config import (
    CameraSettings,
    WebSettings,
    changed,
    load,
    open_config,
    read,
    save,
    template,
)
from companion.settings.state_file import good_copy
from hardware.wiring import SCHEMA, LightSettings

GOOD = """# Our table at home
[web]
port = 8123        # the router knows this one
names = ["table.example"]

[lights]
driver = "virtual" # "#" is no colour
"""


def faults(text: str) -> list[str]:
    return [str(fault) for fault in read(text, SCHEMA)[1]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[web]\nprot = 1\n", "line 2: [web] prot is unknown; did you mean 'port'?"),
        ("[wbe]\nport = 1\n", "line 1: [wbe] is unknown; did you mean 'web'?"),
        (
            "\n[zzz]\n",
            "line 2: [zzz] is unknown; known: web, table, camera, mqtt, power, lights, buttons, sensors",
        ),
        ('[web]\n\nport = "8000"\n', "line 3: [web] port = '8000' should be of the kind int"),
        ("[web]\nport = true\n", "line 2: [web] port = True should be of the kind int"),
        ("[web]\nport = 70000\n", "line 2: [web] port = 70000 is not between 0 and 65535"),
        ("[web]\nnames = 3\n", 'line 2: [web] names = 3 should be a list of texts, as ["a", "b"]'),
        (
            '[web]\nnetworks = ["home"]\n',
            "line 2: [web] networks: 'home' is no network; write it as 203.0.113.0/24",
        ),
        (
            '[lights]\ndriver = "neopixl"\n',
            "line 2: [lights] driver = 'neopixl' is none of virtual, chip, neopixel, spi, ddp; "
            "did you mean 'neopixel'?",
        ),
        ("web = 3\n", "line 1: [web] is a section, not 3"),
        ("[camera]\nwidth = 10\n", "line 2: [camera] width = 10 is not between 320 and 4608"),
    ],
)
def test_a_fault_is_named_with_line_key_and_what_is_allowed(text: str, said: str) -> None:
    assert faults(text) == [said]


def test_all_faults_are_named_at_once_in_the_order_of_lines() -> None:
    text = '[lights]\nkind = "WS2812"\n[web]\nport = -1\nhots = ""\n[nothing]\n'
    assert [int(fault.split(":")[0].removeprefix("line ")) for fault in faults(text)] == [2, 4, 5, 6]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[web\n", 1),
        ("[web]\nport = \n", 2),
        ("[web]\n[web]\n", 2),
        ('[web]\nhost = "a\n', 2),
        ("x = [1,", 1),
    ],
)
def test_what_is_no_toml_is_named_by_its_line(text: str, line: int) -> None:
    (fault,) = faults(text)
    assert fault.startswith(f"line {line}: this is no TOML")


def test_the_template_says_what_is_used_anyway() -> None:
    text = template(SCHEMA)
    assert tomllib.loads(text) == {name: {} for name in SCHEMA}
    uncommented = "\n".join(line.removeprefix("# ") if " = " in line else line for line in text.splitlines())
    sections, wrong = read(uncommented, SCHEMA)
    assert wrong == ()
    assert sections == {name: kind() for name, kind in SCHEMA.items()}


def test_writing_keeps_comments_order_and_everything_else() -> None:
    fresh = changed(
        GOOD, {("web", "port"): 9000, ("lights", "driver"): "chip", ("camera", "source"): "usb:0"}
    )
    assert (
        fresh
        == GOOD.replace("8123", "9000").replace('"virtual"', '"chip"') + '\n[camera]\nsource = "usb:0"\n'
    )


def test_a_key_that_stands_commented_out_is_put_in_its_place() -> None:
    fresh = changed("[web]\n# The port.\n# port = 8000\n# host = 1\n", {("web", "port"): 81})
    assert fresh == "[web]\n# The port.\nport = 81\n# host = 1\n"


def test_what_cannot_be_changed_safely_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "gloam.toml"
    text = '[web]\nnames = [\n  "a", # ours\n]\n'
    path.write_text(text)
    with pytest.raises(ConfigError, match="by hand"):
        save(path, {("web", "names"): ("b",)}, SCHEMA)
    assert path.read_text() == text


def test_a_value_that_is_not_allowed_is_never_written(tmp_path: Path) -> None:
    path = tmp_path / "gloam.toml"
    path.write_text(GOOD)
    with pytest.raises(ConfigError, match="is none of"):
        save(path, {("lights", "driver"): "laser"}, SCHEMA)
    assert path.read_text() == GOOD
    assert [one.name for one in tmp_path.iterdir()] == ["gloam.toml"]


@pytest.mark.slow
def test_texts_of_all_kinds_survive_writing(tmp_path: Path) -> None:
    seed = 20261116
    print(f"seed {seed}")
    rng = Random(seed)
    letters = "ab \"\\'#=[]\n\tСтол🕯"
    path = tmp_path / "gloam.toml"
    for _ in range(200):
        name = "".join(rng.choices(letters, k=rng.randrange(12)))
        assert save(path, {("table", "name"): name}, SCHEMA).sections["table"].name == name


def test_a_missing_file_is_made_from_the_template(tmp_path: Path) -> None:
    path = tmp_path / "gloam.toml"
    config = save(path, {("camera", "source"): "pi"}, SCHEMA)
    assert config.of(CameraSettings).source == "pi"
    assert path.read_text().count("#") > 30


def test_no_file_means_the_usual_settings(tmp_path: Path) -> None:
    config = open_config(tmp_path / "gloam.toml", SCHEMA)
    assert (config.source, config.words()) == ("usual", "")
    assert config.of(LightSettings) == LightSettings()


def test_a_broken_file_is_answered_by_the_last_good_copy(tmp_path: Path) -> None:
    path = tmp_path / "gloam.toml"
    path.write_text(GOOD)
    open_config(path, SCHEMA).keep()
    path.write_text(GOOD.replace("port", "prot"))
    config = open_config(path, SCHEMA)
    assert config.source == "last-good"
    assert config.of(WebSettings).port == 8123
    assert config.words() == (
        f"{path}: line 3: [web] prot is unknown; did you mean 'port'?\nThe last good settings are used."
    )


def test_a_broken_file_without_a_copy_means_safe_mode(tmp_path: Path) -> None:
    path = tmp_path / "gloam.toml"
    path.write_text("[web\n")
    good_copy(path).write_text("[web\n")
    config = open_config(path, SCHEMA)
    assert config.is_safe
    assert config.of(LightSettings) == LightSettings()
    assert "Safe mode" in config.words()


def test_only_a_file_that_works_becomes_the_last_good_copy(tmp_path: Path) -> None:
    path = tmp_path / "gloam.toml"
    path.write_text("[web\n")
    open_config(path, SCHEMA).keep()
    assert not good_copy(path).exists()


def test_a_command_that_needs_the_file_says_all_that_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "gloam.toml"
    path.write_text("[web]\nprot = 1\nhots = 1\n")
    with pytest.raises(ConfigError) as caught:
        load(path, SCHEMA)
    assert str(caught.value).count(str(path)) == 2


def test_a_file_of_windows_is_read(tmp_path: Path) -> None:
    path = tmp_path / "gloam.toml"
    path.write_bytes("\ufeff[web]\r\nport = 81\r\n".encode())
    assert open_config(path, SCHEMA).of(WebSettings).port == 81


@pytest.mark.parametrize("line", [" " * 9000, "a." * 4500 + "a = 1", f"[{'a.' * 4500}a]"])
def test_a_line_that_would_take_minutes_to_read_is_a_fault(line: str) -> None:
    """The largest file would hold up the whole table, for one thread alone runs at a time."""
    assert faults(f"[web]\n{line}\n") == ["line 2: this is no TOML: more than 2000 letters (at line 2)"]


def test_a_pipe_in_the_place_of_the_file_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "gloam.toml"
    os.mkfifo(path)
    config = open_config(path, SCHEMA)
    assert config.is_safe and "this is no file" in str(config.faults[0])


@pytest.mark.parametrize("text", ["a = " + "[" * 50_000, "a = " + "{a = " * 5_000, "a = " + "9" * 5_000])
def test_a_file_that_nobody_can_have_written_is_a_fault_and_no_crash(tmp_path: Path, text: str) -> None:
    path = tmp_path / "gloam.toml"
    path.write_text(f"[web]\n{text}\n")
    config = open_config(path, SCHEMA)
    assert config.is_safe and "this is no TOML" in str(config.faults[0])
    with pytest.raises(ConfigError):
        changed(text, {("web", "port"): 8000})
