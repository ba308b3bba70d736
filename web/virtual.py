"""The virtual table's page, and what the players answer when the eyes ask.

Only what a camera could see is sent, and only to those who may see the board that it looks at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from flask import Response, g, jsonify, request
from pydantic import Field

from companion.action import PUBLIC
from companion.art import svg, svg_page
from companion.games import load_art
from companion.session import Session
from web import frames
from web.kit import Body, Forbidden, Kit, body
from web.table import sees_board

if TYPE_CHECKING:
    from companion.room.desk import Desk
    from companion.room.sitting import Sitting

FAR_MM = 2000.0


class WordBody(Body):
    say: Literal["", "choose", "meant", "overlook"] = ""
    choice: int = 0
    page: int = PUBLIC


class VirtualBody(Body):
    do: Literal["", "put", "move", "take", "turn-over", "press", "fault", "lay", "help"] = ""
    page: int = PUBLIC
    id: int = 0
    face: str = ""
    name: str = ""
    on: bool = True
    x: float = Field(0.0, ge=-FAR_MM, le=FAR_MM)
    y: float = Field(0.0, ge=-FAR_MM, le=FAR_MM)
    angle: float = Field(0.0, ge=-720.0, le=720.0)


def add_virtual(kit: Kit, desk: Desk | None) -> None:
    """Adds the routes; without a desk they say that there is none."""
    app, table = kit.app, kit.table

    def demand_board(page: int) -> Session:
        """The session, where the page may see the board that the camera sees."""
        if page == PUBLIC:
            kit.demand_host()
        else:
            table.demand(g.device, page)
        session = table.playing()
        if not sees_board(session, page):
            raise Forbidden("other-board")
        return session

    def demand_sitting(page: int) -> Sitting:
        session = demand_board(page)
        if desk is None or desk.sitting is None or desk.sitting.session is not session:
            raise Forbidden("no-desk", 404)
        return desk.sitting

    @app.post("/api/word")
    def word() -> Response:
        asked = body(WordBody)
        sitting = demand_sitting(asked.page)
        if asked.say == "choose":
            offered = frames.choices(table, sitting.session, asked.page)
            if asked.choice not in offered:
                raise Forbidden("stale", 409)
            sitting.loop.choose(offered[asked.choice])
        elif asked.say == "meant":
            if not sitting.loop.meant_that():
                raise Forbidden("no-way", 409)
        elif asked.say == "overlook":
            sitting.loop.overlook()
        else:
            raise Forbidden("bad-request", 400)
        return kit.done()

    @app.get("/api/virtual")
    def look() -> Response:
        page = kit.viewer()
        session = demand_board(page)
        if desk is not None and (desk.sitting is None or desk.sitting.session is not session):
            return jsonify({"number": 0})  # the board is about to be laid
        return jsonify(facts(demand_sitting(page)))

    @app.get("/api/virtual/picture")
    def picture() -> Response:
        demand_sitting(kit.viewer())
        assert desk is not None
        image = desk.picture(request.args.get("overlay") == "yes")
        return Response(status=204) if image is None else Response(image, mimetype="image/jpeg")

    @app.get("/api/virtual/face/<key>/<name>")
    def face(key: str, name: str) -> Response:
        session = table.playing()
        board = session.game.board(session.options)
        if key != session.game.key or name not in {one.name for one in board.faces}:
            raise Forbidden("not-found", 404)
        drawing = load_art(key).draw(name)
        page = svg_page(drawing.width, drawing.height, svg(drawing))
        answer = Response(page, mimetype="image/svg+xml")
        answer.headers["Cache-Control"] = "private, max-age=3600"
        return answer

    @app.post("/api/virtual")
    def change() -> Response:
        asked = body(VirtualBody)
        sitting = demand_sitting(asked.page)
        assert desk is not None
        if sitting.world is None:
            raise Forbidden("no-desk", 404)
        try:
            done = _change(desk, sitting, asked)
        except (StopIteration, KeyError):
            raise Forbidden("no-piece", 409) from None
        except ValueError:
            raise Forbidden("bad-request", 400) from None
        return kit.done(id=done)


def _change(desk: Desk, sitting: Sitting, asked: VirtualBody) -> int:
    """Does what a hand does; returns the number of the piece."""
    world = sitting.world
    assert world is not None
    if asked.do == "press":
        press = getattr(sitting.parts.buttons, "press", None)
        if press is None:
            raise ValueError("the buttons are real")
        press(asked.name)
        return 0
    if asked.do == "fault":
        sitting.fault(asked.name, asked.on)
    elif asked.do == "lay":
        desk.put_right()
    elif asked.do == "help":
        desk.helps = asked.on
    elif asked.do == "put":
        asked.id = world.put(world.faces[asked.face].name, asked.x, asked.y, asked.angle).id
    elif asked.do == "move":
        world.move(asked.id, asked.x, asked.y, asked.angle)
    elif asked.do == "take":
        world.take(asked.id)
    elif asked.do == "turn-over":
        world.change(asked.id, world.faces[asked.face].name)
    else:
        raise ValueError("nothing was asked for")
    desk.touch()
    return asked.id


def facts(sitting: Sitting) -> dict[str, Any]:
    """The virtual table as a camera could see it, and the parts as they are."""
    leds = sitting.parts.lights.led_map.leds
    # Light adds up, screens bend it: the same curve as a camera's.
    shown = (255 * sitting.light() ** (1 / 2.2)).round().astype(int)
    return {
        "game": sitting.session.game.key,
        "number": sitting.session.number,
        "is_virtual": sitting.world is not None,
        "things": [] if sitting.world is None else [list(thing) for thing in sitting.world.things()],
        "leds": [[round(led.x, 1), round(led.y, 1)] for led in leds],
        "colours": [f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in shown.tolist()],
        "faults": sitting.faults(),
        "helps": sitting.helps,
        "troubles": sitting.troubles(),
    }
