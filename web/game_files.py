"""What a game's folder brings to the pages: its own drawing and its style sheet."""

from __future__ import annotations

from flask import Response, request

from companion.games import REGISTRY, folder_of

WITHOUT = {
    "page.js": ("text/javascript", "// No drawing of its own: board.js draws it.\nexport default {};\n"),
    "page.css": ("text/css", "/* No style of its own. */\n"),
}
"""The files that a page may ask for: their types, and what is sent for a game that has none."""


def game_file(key: str, name: str) -> Response | None:
    """A file of a game for the pages; None where the game or the name is unknown."""
    if key not in REGISTRY or name not in WITHOUT:
        return None
    media, text = WITHOUT[name]
    found = folder_of(key) / name
    response = Response(found.read_text("utf-8") if found.is_file() else text, mimetype=media)
    response.headers["Cache-Control"] = "no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response
