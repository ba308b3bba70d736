"""The end of a game: its story step by step, and its record."""

from __future__ import annotations

from flask import Response, jsonify

from companion.table.costs import costs
from web import story as stories
from web.routing import Routes, Visit, rate_limit

story = Routes("story")


@story.get("/api/story", query=("lang",))
def steps(visit: Visit) -> Response:
    """Who did what in a finished game, from the first action to the last."""
    return jsonify(stories.steps(visit.table, visit.table.playing(), visit.language))


@story.get("/api/story/<int:number>", query=("as", "lang"))
def step(visit: Visit, number: int) -> Response:
    """A finished game's position after a number of actions as a viewer saw it, and the last one's cues."""
    viewer = visit.query.watched
    return jsonify(stories.step(visit.table, visit.table.playing(), number, viewer, visit.language))


@story.get("/api/costs", rate_limit("costs"), query=("lang",))
def dearest(visit: Visit) -> Response:
    """The moves of a finished game that cost most, each beside what would have been better."""
    session = visit.table.playing()
    stories.demand_over(session)
    return jsonify([stories.cost_said(visit.table, session, one, visit.language) for one in costs(session)])


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
