"""All tables of a club on one page, as the broker shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, jsonify

from web.kit import Kit

if TYPE_CHECKING:
    from companion.mqtt import Herald, Seen


def add_overview(kit: Kit, herald: Herald | None) -> None:
    """Adds the route that the page asks; without a broker it says so."""

    @kit.app.get("/api/overview")
    def overview() -> Response:
        if herald is None:
            return jsonify({"on": False, "trouble": "", "tables": []})
        tables = [row(seen, kit.language()) for seen in herald.tables()]
        return jsonify({"on": True, "trouble": herald.trouble, "tables": tables})


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
