"""What Onirim's box holds beside what lies on the table: nothing."""

from __future__ import annotations

from companion.art import Print


def prints(language: str) -> list[Print]:
    """The pieces to print that no camera reads."""
    return []
