"""The end of a game: its story step by step, and its record."""

from __future__ import annotations

from flask import Response, jsonify, request

from companion.engine.action import PUBLIC
from web import story as stories
from web.routing import Routes, Visit

story = Routes("story")


@story.get("/api/story", query=("lang",))
def steps(visit: Visit) -> Response:
    """Who did what in a finished game, from the first action to the last."""
    return jsonify(stories.steps(visit.table, visit.table.playing(), visit.language))


@story.get("/api/story/<int:number>", query=("as",))
def step(visit: Visit, number: int) -> Response:
    """The position of a finished game after a number of actions, as one viewer saw it."""
    viewer = request.args.get("as", PUBLIC, int)
    return jsonify(stories.step(visit.table.playing(), number, viewer))


@story.get("/api/record", gives="text/plain")
def record(visit: Visit) -> Response:
    """A finished game as a text to keep or mail."""
    session = visit.table.playing()
    name = f"gloam-{session.game.key}-{session.number}.txt"
    return Response(
        stories.record(session),
        mimetype="text/plain",
        headers={"Content-Disposition": f"attachment; filename={name}"},
    )
