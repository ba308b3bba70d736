"""The settings: one TOML file that people write and the workshop changes.

A section is a frozen dataclass whose fields are made by `setting`, so that its words, its allowed values and
its default stand in one place. `read` finds every fault at once; `open_config` never fails: a broken file is
answered by the last good copy, and where there is none by safe mode, in which no part is built.

>>> sections, faults = read('[web]\\nprot = 80\\nhost = 5', SECTIONS)
>>> print(*faults, sep="\\n")
line 2: [web] prot is unknown; did you mean 'port'?
line 3: [web] host = 5 should be of the kind str
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import Field, dataclass, field, fields
from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from companion.engine.errors import ConfigError
from companion.settings.state_file import good_copy, holds, read_bounded, write_bytes_whole, write_whole

Schema = Mapping[str, type]
"""The sections that a file may have, by name."""
Changes = Mapping[tuple[str, str], Any]
"""New values by section and key."""

LARGEST = 256 * 1024
LONGEST_LINE = 2000
"""In letters: parsers take the square of the time for a key of very many parts, or for very many blanks."""
_T = TypeVar("_T")
_HEAD = re.compile(r"\s*\[\s*([\w-]+)\s*\]\s*(#.*)?$")
_KEY = re.compile(r"(\s*#?\s*)([\w-]+)(\s*=\s*)(.*)$")


def setting(
    default: Any,
    about: str,
    *,
    choices: Sequence[str] = (),
    between: tuple[float, float] | None = None,
    check: Callable[[Any], str] | None = None,
) -> Any:
    """Declares one key: its default, a line for the file, and what is allowed.

    `check` says what is wrong with a value, or nothing.
    """
    about_it = {"about": about, "choices": tuple(choices), "between": between, "check": check}
    return field(default=default, metadata=about_it)


def _networks(values: tuple[str, ...]) -> str:
    for value in values:
        try:
            ip_network(value)
        except ValueError:
            return f"{value!r} is no network; write it as 203.0.113.0/24"
    return ""


@dataclass(frozen=True, slots=True)
class WebSettings:
    """The section `[web]`."""

    host: str = setting("0.0.0.0", "The address to listen on; 0.0.0.0 means all of this machine's.")
    port: int = setting(8000, "The port of the pages.", between=(0, 65535))
    names: tuple[str, ...] = setting((), "Further names under which the table is reached.")
    certificate: str = setting(
        "", "A certificate of your own (PEM, with its chain) for the first of these names: HTTPS for phones."
    )
    key: str = setting("", "The certificate's key (PEM); empty where it is in the same file.")
    networks: tuple[str, ...] = setting(
        (), 'Networks beyond the private ones, as "203.0.113.0/24".', check=_networks
    )
    max_streams: int = setting(32, "The most pages that may be open at once.", between=(4, 200))


@dataclass(frozen=True, slots=True)
class TableSettings:
    """The section `[table]`."""

    name: str = setting("Gloam", "What the table is called.")
    language: str = setting(
        "auto", "What a new device reads; auto: as its browser asks.", choices=("auto", "en", "ru")
    )


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """The section `[camera]`."""

    source: str = setting(
        "virtual", "virtual | none | usb:0 | /dev/video0 | /dev/v4l/by-id/… | pi | http://… | a file."
    )
    width: int = setting(1920, "Pixels across; the virtual camera has at most 1280.", between=(320, 4608))
    height: int = setting(1080, "Pixels down; the virtual camera has at most 720.", between=(240, 3496))
    exposure_lock: bool = setting(False, "Keeps exposure and white balance as they are after two seconds.")
    lens: str = setting("", "The lens file that the workshop has measured.")


@dataclass(frozen=True, slots=True)
class MqttSettings:
    """The section `[mqtt]`: public facts for the room, only when wanted."""

    enabled: bool = setting(False, "Tells Home Assistant and other tables the public facts.")
    host: str = setting("", "The broker's address.")
    port: int = setting(1883, "The broker's port.", between=(1, 65535))
    user: str = setting("", "The broker's user, where it asks for one.")
    password_file: str = setting("", "A file that holds the password, readable by the service alone.")
    tls: bool = setting(False, "Speaks to the broker by TLS, whose port is usually 8883.")
    ca_file: str = setting("", "With tls: the certificate that vouches for the broker, if it is your own.")
    commands: bool = setting(
        False,
        "Lets the house set the light's level, pause the lights and remind of the next game; never a move.",
    )
    prefix: str = setting("homeassistant", "Where Home Assistant looks for devices.")
    name: str = setting("gloam", "What the house calls this table.")
    club: str = setting("", "The café or club whose tables are shown together.")


@dataclass(frozen=True, slots=True)
class PowerSettings:
    """The section `[power]`."""

    low_voltage_ma: int = setting(
        500, "What the LEDs may draw while the Pi's voltage is low.", between=(0, 60_000)
    )
    unplug: str = setting(
        "stay", "After `You may unplug now`: stay, or switch the Pi off.", choices=("stay", "poweroff")
    )


SECTIONS: Schema = {
    "web": WebSettings,
    "table": TableSettings,
    "camera": CameraSettings,
    "mqtt": MqttSettings,
    "power": PowerSettings,
}
"""The sections that need no package beside this one; `hardware.wiring.SCHEMA` adds the parts."""


# Reading -------------------------------------------------------------------------------------------


class Fault(NamedTuple):
    """What is wrong in a file, and where; line 0 where no line can be named."""

    line: int
    words: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.words}" if self.line else self.words


def read(text: str, schema: Schema) -> tuple[dict[str, Any], tuple[Fault, ...]]:
    """Reads a file's text: its sections as values, and every fault in the order of the lines.

    What is faulty keeps its default, so the sections can be looked at all the same.
    """
    try:
        given = _tables(text)
    except ValueError as error:
        place = re.search(r"\(at line (\d+)", str(error))
        line = int(place[1]) if place else text.count("\n") + 1
        return {name: kind() for name, kind in schema.items()}, (Fault(line, f"this is no TOML: {error}"),)
    lines = _lines(text)
    faults = [
        Fault(lines.get((name, ""), lines.get(("", name), 0)), f"[{name}] {_unknown(name, schema)}")
        for name in given
        if name not in schema
    ]
    sections: dict[str, Any] = {}
    for name, kind in schema.items():
        sections[name], wrong = section(name, kind, given.get(name, {}))
        faults += [
            Fault(lines.get((name, key), lines.get((name, ""), lines.get(("", name), 0))), words)
            for key, words in wrong
        ]
    return sections, tuple(sorted(faults))


def _tables(text: str) -> dict[str, Any]:
    """What a TOML text says; raises `ValueError` for whatever is no TOML, or none that a person writes."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            raise ValueError(f"more than {LONGEST_LINE} letters (at line {number})")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("its brackets are nested too deeply") from None


def section(name: str, kind: type[_T], given: Any) -> tuple[_T, list[tuple[str, str]]]:
    """Makes a section of what stands in it; also returns what is wrong, by key."""
    if not isinstance(given, Mapping):
        return kind(), [("", f"[{name}] is a section, not {given!r}")]
    known = {one.name: one for one in fields(kind)}  # type: ignore[arg-type]
    good, wrong = {}, []
    for key, value in given.items():
        words = _wrong(known[key], value) if key in known else f"{key} {_unknown(key, known)}"
        if words:
            wrong.append((key, f"[{name}] {words}"))
        else:
            good[key] = tuple(value) if isinstance(value, list) else value
    return kind(**good), wrong


def _unknown(name: str, known: Mapping[str, Any]) -> str:
    near = get_close_matches(name, known, 1)
    return f"is unknown; did you mean {near[0]!r}?" if near else f"is unknown; known: {', '.join(known)}"


def _wrong(one: Field[Any], value: Any) -> str:
    """What is wrong with a value, or nothing."""
    said, wanted = f"{one.name} = {value!r}", type(one.default)
    if wanted is tuple:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            return f'{said} should be a list of texts, as ["a", "b"]'
        value = tuple(value)
    elif not isinstance(value, (int, float) if wanted is float else wanted) or (
        isinstance(value, bool) and wanted is not bool
    ):
        return f"{said} should be of the kind {wanted.__name__}"
    choices, between, check = (one.metadata[name] for name in ("choices", "between", "check"))
    if choices and value not in choices:
        near = get_close_matches(str(value), choices, 1)
        return f"{said} is none of {', '.join(choices)}" + (f"; did you mean {near[0]!r}?" if near else "")
    if between and not between[0] <= value <= between[1]:
        return f"{said} is not between {between[0]} and {between[1]}"
    words = check(value) if check else ""
    return f"{one.name}: {words}" if words else ""


def _lines(text: str) -> dict[tuple[str, str], int]:
    """The line of each section, with the key "", and of each key."""
    found: dict[tuple[str, str], int] = {}
    name = ""
    for number, line in enumerate(text.split("\n"), 1):
        if head := _HEAD.match(line):
            name = head[1]
            found.setdefault((name, ""), number)
        elif (key := _KEY.match(line)) and "#" not in key[1]:
            found.setdefault((name, key[2]), number)
    return found


# Opening -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Config:
    """The settings in use, and where they came from."""

    sections: Mapping[str, Any]
    path: Path | None = None
    source: str = "usual"
    """usual (there is no file) | file | last-good (its copy, as it is broken) | safe (neither is good)"""
    faults: tuple[Fault, ...] = ()
    """What is wrong in the file."""

    def of(self, kind: type[_T]) -> _T:
        """The section of a kind."""
        return next(one for one in self.sections.values() if isinstance(one, kind))

    @property
    def is_safe(self) -> bool:
        """Whether no part may be built."""
        return self.source == "safe"

    def words(self) -> str:
        """Says what is wrong and what is used instead, line by line; nothing where all is well."""
        if not self.faults and not self.is_safe:
            return ""
        instead = (
            "The last good settings are used."
            if self.source == "last-good"
            else "Safe mode: no part is used, the pages can be reached."
        )
        return "\n".join([*(f"{self.path}: {fault}" for fault in self.faults), instead])

    def keep(self) -> None:
        """Notes that the table runs with this file: it becomes the last good copy."""
        if self.source != "file" or self.path is None:
            return
        with suppress(OSError):  # a disk that cannot be written keeps no table from serving
            text, good = self.path.read_bytes(), good_copy(self.path)
            if not holds(good, text):
                write_bytes_whole(good, text)


def open_config(path: Path, schema: Schema, *, must_exist: bool = False) -> Config:
    """Opens a file; a broken one is answered by its last good copy, or by safe mode. Never fails."""
    if not path.exists() and not must_exist:
        return Config({name: kind() for name, kind in schema.items()}, path)
    sections, faults = _read_file(path, schema)
    if not faults:
        return Config(sections, path, "file")
    kept, wrong = _read_file(good_copy(path), schema)
    if not wrong:
        return Config(kept, path, "last-good", faults)
    return Config({name: kind() for name, kind in schema.items()}, path, "safe", faults)


def load(path: Path, schema: Schema) -> Config:
    """Opens a file that must be right; raises `ConfigError` with all that is wrong."""
    config = open_config(path, schema, must_exist=True)
    if config.faults:
        raise ConfigError("\n".join(f"{path}: {fault}" for fault in config.faults))
    return config


def _read_file(path: Path, schema: Schema) -> tuple[dict[str, Any], tuple[Fault, ...]]:
    text = _text(path)
    return ({}, (text,)) if isinstance(text, Fault) else read(text, schema)


def _text(path: Path) -> str | Fault:
    """What stands in a file, or why it cannot be read."""
    content = b""
    try:
        content = read_bounded(path, LARGEST)
        return content.decode("utf-8-sig")
    except OSError as error:
        return Fault(0, error.strerror or str(error))
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        return Fault(line, "this is no text: save the file as UTF-8")
    except ValueError as error:
        return Fault(0, f"this is no settings file: {error}")


# Writing -------------------------------------------------------------------------------------------


def template(schema: Schema) -> str:
    """The file with every key, its meaning and its default, all of it commented out."""
    parts = ["# The settings of the table. What is commented out is what is used anyway.\n"]
    for name, kind in schema.items():
        parts.append(f"\n[{name}]\n")
        for one in fields(kind):
            allowed = " | ".join(one.metadata["choices"])
            if between := one.metadata["between"]:
                allowed = f"{between[0]} to {between[1]}"
            about = one.metadata["about"] + (f" ({allowed})" if allowed else "")
            parts.append(f"# {about}\n# {one.name} = {_toml(one.default)}\n")
    return "".join(parts)


def save(path: Path, changes: Changes, schema: Schema) -> Config:
    """Changes values in a file and keeps everything else in it, comments too.

    A file that is missing is made from the template. Raises `ConfigError`, and changes nothing, where the
    file or the result is not right.
    """
    text = _text(path) if path.exists() else template(schema)
    if isinstance(text, Fault):
        raise ConfigError(f"{path}: {text}")
    fresh = changed(text, changes)
    _, faults = read(fresh, schema)
    if faults:
        raise ConfigError("\n".join(f"{path}: {fault}" for fault in faults))
    write_whole(path, fresh)
    return open_config(path, schema)


def changed(text: str, changes: Changes) -> str:
    """The text of a file with other values.

    >>> print(changed('[web]\\nport = 80  # ours\\n', {("web", "port"): 8000, ("web", "host"): "::"}))
    [web]
    port = 8000  # ours
    host = "::"
    <BLANKLINE>
    """
    try:
        wanted = _tables(text)
    except ValueError as error:
        raise ConfigError(f"this is no TOML: {error}") from error
    lines = text.replace("\r\n", "\n").rstrip("\n").split("\n")
    for (name, key), value in changes.items():
        wanted.setdefault(name, {})[key] = list(value) if isinstance(value, tuple) else value
        _put(lines, name, key, _toml(value))
    fresh = "\n".join(lines) + "\n"
    # Lines are changed by their looks alone, so what came out is compared with what was wanted.
    try:
        is_right = _tables(fresh) == wanted
    except ValueError:
        is_right = False
    if not is_right:
        keys = ", ".join(f"[{name}] {key}" for name, key in changes)
        raise ConfigError(
            f"{keys}: the file is written in a way that only its author can change; do it by hand"
        )
    return fresh


def _put(lines: list[str], name: str, key: str, value: str) -> None:
    """Puts a value where its key stands, else where it stands commented out, else at the section's end."""
    start = next((i for i, line in enumerate(lines) if (head := _HEAD.match(line)) and head[1] == name), None)
    if start is None:
        lines += ["", f"[{name}]", f"{key} = {value}"]
        return
    end = next((i for i in range(start + 1, len(lines)) if lines[i].lstrip().startswith("[")), len(lines))
    ours = {
        "#" in found[1]: (i, found)
        for i in range(end - 1, start, -1)
        if (found := _KEY.match(lines[i])) and found[2] == key
    }
    if False in ours:
        i, found = ours[False]
        lines[i] = f"{found[1]}{key}{found[3]}{value}{_comment(found[4])}"
    elif True in ours:
        lines[ours[True][0]] = f"{key} = {value}"
    else:
        while end > start + 1 and not lines[end - 1].strip():
            end -= 1
        lines.insert(end, f"{key} = {value}")


def _comment(rest: str) -> str:
    """The comment after a value: the first # before which a whole value stands."""
    for found in re.finditer(r"\s*#", rest):
        try:
            _tables(f"x = {rest[: found.start()]}")
        except ValueError:
            continue
        return rest[found.start() :]
    return ""


def _toml(value: Any) -> str:
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)
