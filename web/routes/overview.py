"""All tables of a club on one page, as the broker shows them."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify

from companion.table.health import HealthLine
from companion.table.ports import Club, ClubTable
from web.routing import Routes, Visit

overview = Routes("overview")


@overview.get("/api/overview", query=("lang",))
def tables(visit: Visit) -> Response:
    """The tables of the club; without a broker it says so."""
    club = visit.web.club
    if club is None:
        return jsonify({"on": False, "trouble": "", "tables": []})
    rows = [_row(table, visit.language) for table in club.tables()]
    return jsonify({"on": True, "trouble": club.trouble, "tables": rows})


def broker_health(club: Club | None) -> list[HealthLine]:
    """The broker's line of the health card, where there is one."""
    if club is None:
        return []
    state = "watch" if club.trouble else "good"
    # The card goes into the report, where addresses do not belong.
    where = f"{club.settings.host}:{club.settings.port}"
    return [HealthLine("broker", state, state, detail=club.trouble.replace(where, "the broker"))]


def _row(table: ClubTable, language: str) -> dict[str, Any]:
    facts = table.facts
    if not facts:
        return {"id": table.id, "name": table.name or table.id, "there": table.is_there, "playing": False}
    return {
        "id": table.id,
        "name": table.name,
        "there": table.is_there,
        "playing": facts["playing"],
        "players": facts["players"],
        "colour": "#" + bytes(facts["rgb_color"]).hex(),
        **{key: facts[language][key] for key in ("title", "phase", "turn", "result")},
    }
