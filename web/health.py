"""The health card: how the parts are, in plain words, each trouble with what helps; and the report."""

from __future__ import annotations

import json
import platform
import re
import shutil
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from companion.config import Config
from companion.journal import Journal
from web.table import Table
from web.text import TEXTS

LOW_BYTES = 200 * 1024 * 1024
PRIVATE = {
    "web": ("host", "names", "networks"),
    "table": ("name",),
    "lights": ("host",),
    "mqtt": ("host", "user", "password_file", "name", "club"),
}
"""Settings whose values are nobody else's business."""


class Line(NamedTuple):
    """How a part is: good | watch | bad, which text says it, the numbers in it, and the part's own words."""

    part: str
    state: str
    text: str
    blanks: Mapping[str, Any] = {}
    detail: str = ""


def health_card(
    table: Table, parts: Iterable[Line], streams: int, limit: int, language: str
) -> list[dict[str, Any]]:
    """Looks at each part; `state` is good, watch or bad, `fix` says what helps."""
    own = [_journal(table.journal), _disk(table.journal), _pages(streams, limit), _owner(table)]
    return [_said(line, language) for line in [*parts, *own]]


def _said(line: Line, language: str) -> dict[str, Any]:
    key = f"health.{line.part}.{line.text}"
    return {
        "part": TEXTS.say(f"health.{line.part}", language),
        "state": line.state,
        "text": TEXTS.say(key, language, line.blanks),
        "fix": TEXTS.say(f"{key}.fix", language) if f"{key}.fix" in TEXTS else "",
        "detail": line.detail,
    }


def _journal(journal: Journal) -> Line:
    return Line("journal", "good", "good", {"n": len(journal.games())})


def _disk(journal: Journal) -> Line:
    free = shutil.disk_usage(Path(journal.path).resolve().parent).free
    state = "good" if free >= LOW_BYTES else "bad"
    return Line("disk", state, state, {"mb": free // (1024 * 1024)})


def _pages(streams: int, limit: int) -> Line:
    state = "good" if streams < limit * 3 // 4 else "watch"
    return Line("pages", state, state, {"n": streams, "limit": limit})


def _owner(table: Table) -> Line:
    state = "good" if table.people.has_owner_pin else "watch"
    return Line("owner", state, state)


def report(card: list[dict[str, Any]], config: Config) -> str:
    """What to send when asking for help: no name, no address, no secret, nothing of any game."""
    settings = {
        name: {
            key: "…" if key in PRIVATE.get(name, ()) and value else value
            for key, value in _fields(section).items()
        }
        for name, section in config.sections.items()
    }
    told = {
        "gloam": version("gloam"),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "settings from": config.source,
        "faults": [str(fault) for fault in config.faults],
        "health": card,
        "settings": settings,
    }
    text = json.dumps(told, ensure_ascii=False, indent=1).replace(str(Path.home()), "~")
    # Addresses may hold names and passwords.
    return re.sub(r"://[^\s\"']+", "://…", text)


def _fields(section: Any) -> dict[str, Any]:
    return {name: getattr(section, name) for name in section.__dataclass_fields__}
