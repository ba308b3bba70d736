"""The pages themselves: one template, whose script draws the page that was asked for."""

from __future__ import annotations

import json

from flask import Response, jsonify, render_template

from web.errors import RequestError
from web.game_files import game_file
from web.routing import Routes, Visit
from web.text import TEXTS

pages = Routes("pages")


def _page(visit: Visit, name: str) -> Response:
    title = TEXTS.say("title", visit.language)
    text = render_template("page.html", page=name, language=visit.language, title=title)
    return Response(text, mimetype="text/html")


@pages.get("/", gives="text/html")
def table_page(visit: Visit) -> Response:
    """The table's own screen; gives a new device its cookie, as every page does."""
    return _page(visit, "table")


@pages.get("/join", gives="text/html")
def join_page(visit: Visit) -> Response:
    """Where somebody says a name and takes a seat."""
    return _page(visit, "join")


@pages.get("/seat", gives="text/html")
def seat_page(visit: Visit) -> Response:
    """One player's page; the seat's number is in the fragment."""
    return _page(visit, "seat")


@pages.get("/virtual", gives="text/html")
def virtual_page(visit: Visit) -> Response:
    """The virtual table."""
    return _page(visit, "virtual")


@pages.get("/workshop", gives="text/html")
def workshop_page(visit: Visit) -> Response:
    """Set-up, calibration, teaching and trying the parts."""
    return _page(visit, "workshop")


@pages.get("/box", gives="text/html")
def box_page(visit: Visit) -> Response:
    """What is in the owner's boxes."""
    return _page(visit, "box")


@pages.get("/projector", gives="text/html")
def projector_page(visit: Visit) -> Response:
    """Light for a projector above the table, or for a screen below glass."""
    return _page(visit, "projector")


@pages.get("/overview", gives="text/html")
def overview_page(visit: Visit) -> Response:
    """All tables of a club."""
    return _page(visit, "overview")


@pages.get("/manifest.webmanifest", query=("lang",), gives="application/manifest+json")
def manifest(visit: Visit) -> Response:
    """What a phone needs to keep the page as an app: name, icons, the whole screen."""
    told = {
        "name": TEXTS.say("title", visit.language),
        "short_name": TEXTS.say("title", visit.language),
        "lang": visit.language,
        "start_url": "/",
        "scope": "/",
        "display": "fullscreen",
        "display_override": ["fullscreen", "standalone"],
        "background_color": "#0f0c0a",
        "theme_color": "#0f0c0a",
        "icons": [
            {"src": "/static/icon.svg", "sizes": "any", "type": "image/svg+xml"},
            {"src": "/static/icon-192.png", "sizes": "192x192", "type": "image/png"},
            {
                "src": "/static/icon-512.png",
                "sizes": "512x512",
                "type": "image/png",
                "purpose": "any maskable",
            },
        ],
    }
    return Response(json.dumps(told), mimetype="application/manifest+json")


@pages.get("/games/<key>/<name>", gives="text/javascript")
def game_page(visit: Visit, key: str, name: str) -> Response:
    """What a game's folder brings to the pages: `page.js` or `page.css`."""
    found = game_file(key, name)
    if found is None:
        raise RequestError("not-found")
    return found


@pages.get("/api/texts", query=("lang",))
def texts(visit: Visit) -> Response:
    """The words of the pages in one language, by key."""
    return jsonify(TEXTS.of(visit.language))
