"""Why something is so, as a value; games give it, errors carry it, pages say it."""

from __future__ import annotations

from typing import Any, NamedTuple


class Reason(NamedTuple):
    """Why something is so: a code with a text in every language, the cells involved, the ledger rule.

    `data` fills the blanks of the text.
    """

    code: str
    cells: tuple[int, ...] = ()
    rule: str = ""
    data: dict[str, Any] = {}  # noqa: RUF012 (never changed: a missing filling)


Refusal = Reason
"""Why an action is not allowed now."""
