"""The virtual table, and what the players answer when the table asks about what it sees.

Only what a camera could see is sent, and only to those who may see the board that it looks at.
"""

from __future__ import annotations

from typing import Any, Literal

from flask import Response, jsonify
from pydantic import Field

from companion.engine.action import PUBLIC
from companion.engine.drawing import svg, svg_page
from companion.games import load_art
from companion.table.ports import GameRig, PhysicalTable, Pieces
from companion.table.session import Session
from companion.table.table import sees_board
from web import frames
from web.errors import RequestError
from web.routing import Body, Number, Routes, ViewerNumber, Visit, done, host_only

FAR_MM = 2000.0
GAMMA = 2.2
"""Light adds up, screens bend it: the same curve as a camera's."""

virtual = Routes("virtual")


class WordBody(Body):
    say: Literal["", "choose", "meant", "overlook"] = ""
    choice: Number = 0
    page: ViewerNumber = PUBLIC


class VirtualBody(Body):
    do: Literal["", "put", "move", "take", "turn-over", "press", "fault", "switch", "lay", "help"] = ""
    page: ViewerNumber = PUBLIC
    id: Number = 0
    other: Number = 0
    face: str = ""
    name: str = ""
    on: bool = True
    x: float = Field(0.0, ge=-FAR_MM, le=FAR_MM)
    y: float = Field(0.0, ge=-FAR_MM, le=FAR_MM)
    angle: float = Field(0.0, ge=-720.0, le=720.0)


def _demand_board(visit: Visit, page: int) -> Session:
    """The session, where the page may see the board that the camera sees."""
    if page == PUBLIC:
        host_only(visit)
    else:
        visit.table.demand(visit.device, page)
    session = visit.table.playing()
    if not sees_board(session, page):
        raise RequestError("other-board")
    return session


def _demand_rig(visit: Visit, page: int) -> tuple[PhysicalTable, GameRig]:
    """The physical side of the game on the table, where the page may see its board."""
    session = _demand_board(visit, page)
    rig = visit.web.rig
    game_rig = None if rig is None else rig.sitting
    if rig is None or game_rig is None or game_rig.session is not session:
        raise RequestError("no-desk")
    return rig, game_rig


@virtual.post("/api/word", WordBody)
def word(visit: Visit, asked: WordBody) -> Response:
    """Answers the table's question: choose a line, the board is meant so, or go on as it is."""
    _, game_rig = _demand_rig(visit, asked.page)
    if asked.say == "choose":
        offered = frames.choices(visit.table, game_rig.session, asked.page)
        if asked.choice not in offered:
            raise RequestError("stale")
        game_rig.loop.choose(offered[asked.choice])
    elif asked.say == "meant":
        if not game_rig.loop.accept_board():
            raise RequestError("no-way")
    elif asked.say == "overlook":
        game_rig.loop.accept_as_is()
    else:
        raise RequestError("bad-request")
    return done()


@virtual.get("/api/projector", query=("drawn",))
def projector(visit: Visit) -> Response:
    """What a projector above the table shows; dark where the public may not see the board."""
    rig, session = visit.web.rig, visit.table.session
    if rig is None or (session is not None and not sees_board(session, PUBLIC)):
        return jsonify({"number": 0, "size": [1920, 1080], "parts": []})
    return jsonify(rig.projected(visit.query.drawn)._asdict())


@virtual.get("/api/virtual", query=("seat",))
def look(visit: Visit) -> Response:
    """The pieces, the LEDs and the faults; number 0 while the board is about to be laid."""
    page = visit.viewer()
    session = _demand_board(visit, page)
    rig = visit.web.rig
    if rig is not None and (rig.sitting is None or rig.sitting.session is not session):
        return jsonify({"number": 0})
    return jsonify(_facts(_demand_rig(visit, page)[1]))


@virtual.get("/api/virtual/picture", query=("seat", "overlay"), gives="image/jpeg")
def picture(visit: Visit) -> Response:
    """The camera's newest picture; `overlay=yes` draws what was recognised; 204 where there is none yet."""
    rig, _ = _demand_rig(visit, visit.viewer())
    image = rig.picture(visit.query.overlay == "yes")
    return Response(status=204) if image is None else Response(image, mimetype="image/jpeg")


@virtual.get("/api/virtual/face/<key>/<name>", gives="image/svg+xml")
def face(visit: Visit, key: str, name: str) -> Response:
    """The drawing of a face of the game on the table."""
    session = visit.table.playing()
    board = session.board
    if key != session.game.key or name not in {one.name for one in board.faces}:
        raise RequestError("not-found")
    drawing = load_art(key, session.game.edition).draw(name)
    page = svg_page(drawing.width, drawing.height, svg(drawing))
    answer = Response(page, mimetype="image/svg+xml")
    answer.headers["Cache-Control"] = "private, max-age=3600"
    return answer


@virtual.post("/api/virtual", VirtualBody)
def change(visit: Visit, asked: VirtualBody) -> Response:
    """Does what a hand does to the virtual table."""
    rig, game_rig = _demand_rig(visit, asked.page)
    if game_rig.world is None:
        raise RequestError("no-desk")
    try:
        return done(id=_change(rig, game_rig, game_rig.world, asked))
    except (StopIteration, KeyError):
        raise RequestError("no-piece") from None
    except ValueError:
        raise RequestError("bad-request") from None


def _change(rig: PhysicalTable, game_rig: GameRig, world: Pieces, asked: VirtualBody) -> int:
    """Does what a hand does; returns the number of the piece."""
    piece = asked.id
    if asked.do == "press":
        game_rig.press(asked.name)
        return 0
    if asked.do == "fault":
        game_rig.fault(asked.name, asked.on)
    elif asked.do == "switch":
        game_rig.break_switch(asked.id, asked.name, asked.other)
    elif asked.do == "lay":
        rig.put_right()
    elif asked.do == "help":
        rig.helps = asked.on
    elif asked.do == "put":
        piece = world.put(world.faces[asked.face].name, asked.x, asked.y, asked.angle).id
    elif asked.do == "move":
        world.move(asked.id, asked.x, asked.y, asked.angle)
    elif asked.do == "take":
        world.take(asked.id)
    elif asked.do == "turn-over":
        world.change(asked.id, world.faces[asked.face].name)
    else:
        raise ValueError("nothing was asked for")
    rig.touch()
    return piece


def _facts(game_rig: GameRig) -> dict[str, Any]:
    """The virtual table as a camera could see it, and the parts as they are."""
    leds = game_rig.leds()
    return {
        "game": game_rig.session.game.key,
        "number": game_rig.session.number,
        "is_virtual": game_rig.world is not None,
        "things": [] if game_rig.world is None else [list(thing) for thing in game_rig.world.things()],
        "leds": [[round(n, 1) for n in (led.x, led.y, led.reach_mm)] for led in leds],
        "colours": [
            "#" + bytes(round(255 * part ** (1 / GAMMA)) for part in led.light).hex() for led in leds
        ],
        "faults": game_rig.faults(),
        "felt": list(game_rig.felt()),
        "switch_faults": [[cell, fault] for cell, fault in game_rig.broken_switches().items()],
        "helps": game_rig.helps,
        "troubles": game_rig.troubles(),
    }
