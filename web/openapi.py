"""Writes `openapi.json` from the table of routes: `python -m web.openapi`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from web.access import COOKIE, HEADER
from web.errors import ERRORS, REFUSED_STATUS, REQUEST_ERRORS
from web.routes import SUBJECTS
from web.routing import Route, host_only, rate_limit

Json = dict[str, Any]
PATH = Path(__file__).with_name("openapi.json")
EVERY_STATUS = (400, 403)
"""A strange host name or address is refused before any route is asked."""
BODY_STATUS = (413, 415)

QUERY: dict[str, tuple[Json, str]] = {
    "lang": ({"enum": ["en", "ru"]}, "The language of all words in the answer."),
    "seat": (
        {"anyOf": [{"type": "integer"}, {"const": "public"}]},
        "A seat that this device holds; left out or `public` for what everybody sees.",
    ),
    "page": ({"type": "string"}, "A name for the page: a new stream of one name ends the old one."),
    "cell": ({"type": "integer"}, "A place of the board, by its index in `board.places`."),
    "line": ({"type": "integer"}, "A line of `/api/log`, by its index."),
    "for": ({"type": "integer"}, "The seat that would act; the viewer's own unless said otherwise."),
    "action": ({"type": "string"}, "An action in notation."),
    "as": ({"type": "integer"}, "Whose eyes to see with: a seat, or -2 for everybody's."),
    "overlay": ({"enum": ["yes", "no"]}, "Whether to draw what was recognised."),
    "face": ({"type": "string"}, "A face of the game under the camera."),
    "drawn": ({"type": "integer"}, "The version of the picture that the page shows already."),
    "game": ({"type": "string"}, "The key of a game."),
    "board": ({"type": "string"}, "The key of one of the game's boards."),
}


def _named(*names: str) -> Json:
    """An object with these names, whatever their values are."""
    return {"type": "object", "required": list(names), "properties": {name: {} for name in names}}


SCHEMAS: dict[str, Json] = {
    "Problem": {
        "type": "object",
        "required": ["code", "text"],
        "properties": {
            "code": {"type": "string", "description": "Stable; for programs."},
            "text": {"type": "string", "description": "A sentence in the reader's language."},
            "detail": {"type": "string"},
            "fields": {"type": "array", "items": {"type": "string"}},
            "cells": {"type": "array", "items": {"type": "integer"}},
            "rule": {"type": "string", "description": "The rule that refuses an action."},
        },
    },
    "Done": {
        "type": "object",
        "required": ["ok"],
        "properties": {"ok": {"const": True}},
        "additionalProperties": True,
    },
    "Me": {
        "type": "object",
        "required": ["token", "name", "face", "host", "owned", "pin", "fresh", "club", "seats", "number"],
        "properties": {
            "token": {"type": "string", "description": f"The value of the header {HEADER}."},
            "name": {"type": "string"},
            "face": {"type": "string", "description": "The animal that the person has chosen, or nothing."},
            "host": {"type": "boolean"},
            "owned": {"type": "boolean", "description": "Whether the table has been set up."},
            "pin": {"type": "boolean", "description": "Whether the owner has a PIN."},
            "fresh": {"type": "boolean", "description": "Whether no settings have been written yet."},
            "club": {"type": "boolean", "description": "Whether there are other tables to show."},
            "seats": {"type": "array", "items": {"type": "integer"}},
            "number": {"type": "integer", "description": "The stored game on the table, 0 for none."},
        },
    },
    "Room": {
        "type": "object",
        "required": ["version", "number", "game", "seats", "notices"],
        "properties": {
            "version": {"type": "integer"},
            "number": {"type": "integer"},
            "game": {"type": ["string", "null"]},
            "seats": {"type": "array", "items": {"type": "object"}},
            "notices": {"type": "array", "items": {"type": "object"}},
            "names": {"type": "array", "items": {"type": "string"}},
        },
    },
    "Frame": {
        "type": "object",
        "required": ["number", "version", "view", "scene", "layout", "moves", "eyes", "standing"],
        "properties": {
            "number": {"type": "integer"},
            "version": {"type": "integer", "description": "Goes back into /api/act."},
            "view": {"type": "object", "description": "What the viewer may know; its shape is the game's."},
            "scene": {"type": "object", "description": "The mood and the lights: [cell, meaning, …]."},
            "layout": {"type": ["object", "null"], "description": "Pieces by cell: [face, turn, stack]."},
            "moves": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["seat", "actions"],
                    "properties": {
                        "seat": {"type": "integer"},
                        "actions": {
                            "type": "array",
                            "items": {
                                "type": "array",
                                "prefixItems": [{"type": "string"}, {"type": "string"}],
                            },
                            "description": "Each as notation and words for a button.",
                        },
                    },
                },
            },
            "eyes": {"type": ["object", "null"], "description": "What the table asks about what it sees."},
            "standing": {
                "type": "array",
                "items": {"type": "string"},
                "description": "What every screen shows until the game is over.",
            },
        },
    },
    "TableNow": {
        "type": "object",
        "required": ["api", "game", "number", "title", "options", "seats"],
        "properties": {
            "api": {"type": "integer", "description": "The version of these names and shapes."},
            "game": {"type": ["string", "null"]},
            "number": {"type": "integer"},
            "title": {"type": "string"},
            "options": {"type": "object"},
            "seats": {"type": "array", "items": _named("seat", "label", "name", "taken", "secret")},
        },
    },
    "BoardPlaces": {
        "type": "object",
        "required": ["width_mm", "height_mm", "places"],
        "properties": {
            "width_mm": {"type": "number"},
            "height_mm": {"type": "number"},
            "places": {
                "type": "array",
                "items": _named(
                    *("place", "label", "zone", "x_mm", "y_mm", "width_mm", "height_mm", "turn"),
                ),
            },
        },
    },
    "Position": {
        "type": "object",
        "required": [
            *("api", "game", "number", "version", "viewer", "turn", "actions", "pieces", "lights", "view"),
            *("outcome", "standing"),
        ],
        "properties": {
            "api": {"type": "integer"},
            "game": {"type": "string"},
            "number": {"type": "integer"},
            "version": {"type": "integer", "description": "Goes back into /api/v1/act."},
            "viewer": {"type": "string", "description": "The seat whose eyes these are, or `public`."},
            "turn": {"type": "array", "items": _named("seat", "verbs")},
            "actions": {"type": "array", "items": _named("seat", "action", "text", "verb", "words")},
            "pieces": {"type": "array", "items": _named("place", "face", "turn", "stack")},
            "lights": _named("mood", "glows"),
            "view": {
                "type": "object",
                "description": "What the viewer may know; its shape is the game's.",
            },
            "outcome": {
                "type": ["object", "null"],
                "description": "How it ended, and the seats of `winners`.",
            },
            "standing": {"type": "array", "items": {"type": "string"}},
        },
    },
}
ANSWERS = {"/api/me": "Me", "/api/room": "Room", "/api/frame": "Frame"}
"""The answers whose shape is described."""
PROGRAM_ANSWERS = {
    "/api/v1/table": "TableNow",
    "/api/v1/board": "BoardPlaces",
    "/api/v1/position": "Position",
}
"""The same of what programs get."""
OWN_ANSWERS = tuple(f"/api/workshop/{name}" for name in ("view", "photograph", "finish"))
"""The changes that answer with findings; all others answer `Done`."""


def describe() -> Json:
    """The whole description."""
    paths: dict[str, Json] = {}
    schemas = dict(SCHEMAS)
    for routes in SUBJECTS:
        for route in routes.table:
            path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route.path)
            paths.setdefault(path, {})[route.method.lower()] = _operation(routes.subject, route)
            if route.body is not None:
                schemas[route.body.__name__] = route.body.model_json_schema()
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Gloam",
            "version": "1",
            "description": "The table over HTTP, in its own network. See API.md for how to join and play.",
        },
        "tags": [{"name": routes.subject} for routes in SUBJECTS],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": {str(status): _problem(status) for status in sorted(codes_by_status())},
            "securitySchemes": {
                "device": {"type": "apiKey", "in": "cookie", "name": COOKIE},
                "token": {"type": "apiKey", "in": "header", "name": HEADER},
                "program": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def codes_by_status() -> dict[int, set[str]]:
    """The codes that each status may come with."""
    found: dict[int, set[str]] = {REFUSED_STATUS: set()}
    for answer in ERRORS.values():
        found.setdefault(answer.status, set()).add(answer.code)
    for code, status in REQUEST_ERRORS.items():
        found.setdefault(status, set()).add(code)
    return found


def is_for_programs(route: Route) -> bool:
    """Whether the route is asked with a program's token instead of a device's cookie."""
    return route.path.startswith("/api/v1/")


def statuses(route: Route) -> list[int]:
    """The errors that a route may answer with, beside those of a game or part that is not there."""
    found = {*EVERY_STATUS, 404, 409}
    if is_for_programs(route):
        found |= {401, 429}
    if route.method == "POST":
        found |= {*BODY_STATUS}
    if any(isinstance(check, rate_limit) for check in route.checks):
        found.add(429)
    if route.gives == "text/event-stream":
        found.add(503)
    return sorted(found)


def _problem(status: int) -> Json:
    codes = ", ".join(sorted(codes_by_status()[status]))
    refused = "; or the code of the rule's refusal" if status == REFUSED_STATUS else ""
    return {
        "description": f"code is one of: {codes}{refused}",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }


def _operation(subject: str, route: Route) -> Json:
    about = " ".join((route.answer.__doc__ or "").split())
    operation: Json = {
        "tags": [subject],
        "operationId": f"{subject}.{route.answer.__name__}",
        "summary": about,
        "parameters": _parameters(route),
        "responses": {"200": _success(route)}
        | {str(status): {"$ref": f"#/components/responses/{status}"} for status in statuses(route)},
    }
    if host_only in route.checks:
        operation["x-host-only"] = True
    if is_for_programs(route):
        operation["security"] = [{"program": []}]
    elif route.method == "POST":
        operation["security"] = [{"device": [], "token": []}]
    if route.method == "POST":
        operation["requestBody"] = {"required": True, "content": _content(route)}
    return operation


def _parameters(route: Route) -> list[Json]:
    inside = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "integer" if kind else "string"}}
        for kind, name in re.findall(r"<(int:)?(\w+)>", route.path)
    ]
    return inside + [
        {"name": name, "in": "query", "schema": QUERY[name][0], "description": QUERY[name][1]}
        for name in route.query
    ]


def _content(route: Route) -> Json:
    if route.body is None:
        return {route.upload: {"schema": {"type": "string", "format": "binary"}}}
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{route.body.__name__}"}}}


def _success(route: Route) -> Json:
    schema: Json = {}
    if described := {**ANSWERS, **PROGRAM_ANSWERS}.get(route.path):
        schema = {"$ref": f"#/components/schemas/{described}"}
    elif route.path in OWN_ANSWERS:
        schema = {"type": "object"}
    elif route.method == "POST":
        schema = {"$ref": "#/components/schemas/Done"}
    elif route.gives != "application/json":
        schema = {"type": "string"}
    return {"description": "As asked.", "content": {route.gives: {"schema": schema}}}


def written() -> str:
    """The file's text."""
    return json.dumps(describe(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PATH.write_text(written(), "utf-8")
