"""The health card: how the parts are, in plain words, each trouble with what helps; and the report."""

from __future__ import annotations

import json
import platform
import re
import shutil
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from companion.settings.config import Config
from companion.table.health import HealthLine
from companion.table.journal import Journal
from companion.table.table import Table
from web.text import TEXTS

LOW_BYTES = 200 * 1024 * 1024
PRIVATE = {
    "web": ("host", "names", "networks"),
    "table": ("name",),
    "lights": ("host",),
    "mqtt": ("host", "user", "password_file", "name", "club"),
}
"""Settings whose values are nobody else's business."""


def health_card(
    table: Table, parts: Iterable[HealthLine], streams: int, limit: int, language: str
) -> list[dict[str, Any]]:
    """Looks at each part; `state` is good, watch or bad, `fix` says what helps."""
    own = [_journal(table.journal), _disk(table.journal), _pages(streams, limit), _owner(table)]
    return [_said(line, language) for line in [*parts, *own]]


def _said(line: HealthLine, language: str) -> dict[str, Any]:
    key = f"health.{line.part}.{line.text}"
    return {
        "part": TEXTS.say(f"health.{line.part}", language),
        "state": line.state,
        "text": TEXTS.say(key, language, line.blanks),
        "fix": TEXTS.say(f"{key}.fix", language) if f"{key}.fix" in TEXTS else "",
        "detail": line.detail,
    }


def _journal(journal: Journal) -> HealthLine:
    if not journal.is_kept:
        return HealthLine("journal", "bad", "bad")
    return HealthLine("journal", "good", "good", {"n": len(journal.games())})


def _disk(journal: Journal) -> HealthLine:
    free = shutil.disk_usage(Path(journal.path).resolve().parent).free
    state = "good" if free >= LOW_BYTES else "bad"
    return HealthLine("disk", state, state, {"mb": free // (1024 * 1024)})


def _pages(streams: int, limit: int) -> HealthLine:
    state = "good" if streams < limit * 3 // 4 else "watch"
    return HealthLine("pages", state, state, {"n": streams, "limit": limit})


def _owner(table: Table) -> HealthLine:
    state = "good" if table.people.has_owner_pin else "watch"
    return HealthLine("owner", state, state)


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
