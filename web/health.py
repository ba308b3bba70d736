"""The health card: how the parts are, in plain words, each trouble with what helps."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from companion.journal import Journal
from web.table import Table
from web.text import TEXTS

LOW_BYTES = 200 * 1024 * 1024


def health_card(table: Table, streams: int, limit: int, language: str) -> list[dict[str, Any]]:
    """Looks at each part; `state` is good, watch or bad."""
    lines = [_journal(table.journal), _disk(table.journal), _pages(streams, limit), _owner(table)]
    return [
        {
            "part": TEXTS.say(f"health.{part}", language),
            "state": state,
            "text": TEXTS.say(f"health.{part}.{state}", language, blanks),
        }
        for part, state, blanks in lines
    ]


def _journal(journal: Journal) -> tuple[str, str, dict[str, Any]]:
    return "journal", "good", {"n": len(journal.games())}


def _disk(journal: Journal) -> tuple[str, str, dict[str, Any]]:
    free = shutil.disk_usage(Path(journal.path).resolve().parent).free
    return "disk", "good" if free >= LOW_BYTES else "bad", {"mb": free // (1024 * 1024)}


def _pages(streams: int, limit: int) -> tuple[str, str, dict[str, Any]]:
    return "pages", "good" if streams < limit * 3 // 4 else "watch", {"n": streams, "limit": limit}


def _owner(table: Table) -> tuple[str, str, dict[str, Any]]:
    return "owner", "good" if table.people.has_owner_pin else "watch", {}
