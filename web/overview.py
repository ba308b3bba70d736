"""All tables of a club on one page, as the broker shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, jsonify

from web.health import Line
from web.kit import Kit

if TYPE_CHECKING:
    from companion.room.mqtt import Herald, Seen


def add_overview(kit: Kit, herald: Herald | None) -> None:
    """Adds the route that the page asks; without a broker it says so."""

    @kit.app.get("/api/overview")
    def overview() -> Response:
        if herald is None:
            return jsonify({"on": False, "trouble": "", "tables": []})
        tables = [row(seen, kit.language()) for seen in herald.tables()]
        return jsonify({"on": True, "trouble": herald.trouble, "tables": tables})


def broker_health(herald: Herald | None) -> list[Line]:
    """The broker's line of the health card, where there is one."""
    if herald is None:
        return []
    state = "watch" if herald.trouble else "good"
    # The card goes into the report, where addresses do not belong.
    where = f"{herald.settings.host}:{herald.settings.port}"
    return [Line("broker", state, state, detail=herald.trouble.replace(where, "the broker"))]


def row(seen: Seen, language: str) -> dict[str, Any]:
    """One table as the page draws it."""
    told = seen.facts
    if not told:
        return {"id": seen.id, "name": seen.name or seen.id, "there": seen.is_there, "playing": False}
    return {
        "id": seen.id,
        "name": seen.name,
        "there": seen.is_there,
        "playing": told["playing"],
        "players": told["players"],
        "colour": "#" + bytes(told["rgb_color"]).hex(),
        **told[language],
    }
