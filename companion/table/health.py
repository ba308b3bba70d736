"""How a part of the table is, as a value: the health card, the report and the house are made from these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class HealthLine(NamedTuple):
    """How a part is: good | watch | bad, which text says it, the numbers in it, and the part's own words."""

    part: str
    state: str
    text: str
    blanks: Mapping[str, Any] = {}
    detail: str = ""
