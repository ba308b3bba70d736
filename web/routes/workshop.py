"""The workshop: settings, camera, lens, teaching, LED map, trying the parts.

All of it is the host's alone. What needs the parts needs an empty table: a game holds them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from flask import Response, jsonify
from pydantic import Field

from companion.engine.errors import ConfigError
from companion.engine.options import write
from companion.games import REGISTRY, load
from companion.settings.config import CameraSettings, TableSettings
from companion.settings.editable import EDITABLE, SOURCE
from companion.table.ports import PictureProblem, WorkshopPort
from web.errors import RequestError
from web.routes.care import the_workshop
from web.routing import Body, Coordinate, Number, Routes, Visit, done, host_only
from web.shelf import choice_text, option_text
from web.text import TEXTS

workshop = Routes("workshop")


class GameBody(Body):
    game: str
    board: str = ""


class CornersBody(Body):
    corners: list[tuple[Coordinate, Coordinate]] = Field(min_length=4, max_length=4)


class ZoneBody(Body):
    zone: str
    corners: list[tuple[Coordinate, Coordinate]] = Field(min_length=4, max_length=4)


class PlaceBody(Body):
    place: str
    x: Coordinate
    y: Coordinate


class PhotographBody(Body):
    face: str
    turn: Literal[0, 90, 180, 270] = 0


class FaceBody(Body):
    face: str


class BlinkBody(Body):
    leds: int = Field(ge=1, le=2000)


class WledBody(Body):
    host: str = Field(min_length=1, max_length=200)


class ScreenBody(Body):
    corners: list[tuple[Coordinate, Coordinate]] = Field(default=[], max_length=4)


class TouchBody(Body):
    do: Literal["start", "skip", "keep", "put"]


class PatternBody(Body):
    pattern: str


class PressBody(Body):
    name: str


class SettingsBody(Body):
    changes: dict[str, dict[str, str | Number | Coordinate | bool]] = Field(max_length=8)


def parts(visit: Visit) -> WorkshopPort:
    """The workshop with its parts; raises where a game holds them."""
    ours = the_workshop(visit)
    if visit.table.session is not None:
        ours.close()
        raise RequestError("table-busy")
    return ours


def _jpeg(content: bytes) -> Response:
    return Response(content, mimetype="image/jpeg")


# Settings -------------------------------------------------------------------------------------------


@workshop.get("/api/workshop/state", host_only, the_workshop, query=("lang",))
def state(visit: Visit) -> Response:
    """The settings that a page may change, the games with their boards, the cameras that are there."""
    ours = the_workshop(visit)
    config = ours.config
    camera, words = asdict(config.of(CameraSettings)), asdict(config.of(TableSettings))
    lens = camera.pop("lens")
    lights = asdict(config.sections["lights"])
    return jsonify(
        {
            "source": config.source,
            "faults": [str(fault) for fault in config.faults],
            "busy": visit.table.session is not None,
            "phones": visit.web.address(),
            "games": [_game_json(ours, key, visit.language) for key in REGISTRY],
            "cameras": sorted(path.name for path in Path("/dev").glob("video*")),
            "table": words,
            "camera": camera,
            "lens": bool(lens),
            "lights": {key: value for key, value in lights.items() if key in EDITABLE["lights"]},
            "buttons": {"driver": config.sections["buttons"].driver},
        }
    )


def _game_json(ours: WorkshopPort, key: str, language: str) -> dict[str, Any]:
    """A game with its boards, each named after the options that ask for it."""
    game = load(key)

    def said(given: Mapping[str, Any]) -> str:
        words = write(given)
        return ", ".join(
            f"{option_text(game, f'option.{one.name}', one.name, language)}: "
            f"{choice_text(game, one, words[one.name], language)}"
            for one in game.options
            if one.name in words
        )

    return {
        "key": key,
        "title": game.texts.say("game.title", language),
        "boards": [
            {"key": name, "label": said(given) or TEXTS.say("bench.usual", language)}
            for name, given in ours.boards(key).items()
        ],
    }


@workshop.post("/api/workshop/settings", SettingsBody, host_only, the_workshop)
def change_settings(visit: Visit, asked: SettingsBody) -> Response:
    """Writes settings and uses them from now on."""
    changes = asked.changes
    for name, values in changes.items():
        if not set(values) <= set(EDITABLE.get(name, ())):
            raise RequestError("bad-request")
    source = changes.get("camera", {}).get("source")
    if source is not None and not SOURCE.fullmatch(str(source)):
        raise ConfigError(f"camera {source!r}: choose virtual, none, pi, usb:0 or http://…")
    if visit.table.session is not None and set(changes) - {"table"}:
        raise RequestError("table-busy")
    flat = {(name, key): value for name, values in changes.items() for key, value in values.items()}
    the_workshop(visit).change(flat)
    return done()


@workshop.post("/api/workshop/open", GameBody, host_only, parts)
def open_board(visit: Visit, asked: GameBody) -> Response:
    """Lays a game's board under the camera and the lights."""
    parts(visit).open(asked.game, asked.board)
    return done()


@workshop.get("/api/workshop/sheet.pdf", host_only, query=("game", "board", "lang"), gives="application/pdf")
def sheet(visit: Visit) -> Response:
    """The printable frame of a game's board."""
    ours = the_workshop(visit)
    game = load(visit.query.game).key
    return Response(
        ours.sheet(game, visit.query.board, visit.language),
        mimetype="application/pdf",
        headers={"Content-Disposition": f"attachment; filename=gloam-{game}-frame.pdf"},
    )


# Camera ---------------------------------------------------------------------------------------------


@workshop.get("/api/workshop/picture.jpg", host_only, gives="image/jpeg")
def picture(visit: Visit) -> Response:
    """What the camera sees now; also looks for the board."""
    return _jpeg(parts(visit).picture())


@workshop.get("/api/workshop/sight", host_only)
def sight(visit: Visit) -> Response:
    """Where the board was in the last picture, or why it was not found."""
    return jsonify(parts(visit).sight())


@workshop.post("/api/workshop/corners", CornersBody, host_only, parts)
def set_corners(visit: Visit, asked: CornersBody) -> Response:
    """Takes the board's corners from people."""
    parts(visit).set_corners(asked.corners)
    return done()


@workshop.post("/api/workshop/forget-corners", Body, host_only, parts)
def forget_corners(visit: Visit, asked: Body) -> Response:
    """Looks for the board by its markers again."""
    parts(visit).forget_corners()
    return done()


@workshop.get("/api/workshop/cards.pdf", host_only, query=("lang",), gives="application/pdf")
def card_sheet(visit: Visit) -> Response:
    """The printable marker cards, one sheet for all games."""
    return Response(
        the_workshop(visit).card_sheet(visit.language),
        mimetype="application/pdf",
        headers={"Content-Disposition": "attachment; filename=gloam-cards.pdf"},
    )


@workshop.post("/api/workshop/lay-cards", Body, host_only, parts)
def lay_cards(visit: Visit, asked: Body) -> Response:
    """Lays marker cards around the board of the virtual table."""
    parts(visit).lay_cards()
    return done()


@workshop.post("/api/workshop/survey", Body, host_only, parts)
def survey(visit: Visit, asked: Body) -> Response:
    """Measures where the marker cards lie; gives their numbers and the error between them."""
    return done(**parts(visit).survey())


@workshop.post("/api/workshop/board", CornersBody, host_only, parts)
def measure_board(visit: Visit, asked: CornersBody) -> Response:
    """Lays the board among the cards by its corners; gives its size as it was measured."""
    return done(**parts(visit).measure_board(asked.corners))


@workshop.post("/api/workshop/zone", ZoneBody, host_only, parts)
def measure_zone(visit: Visit, asked: ZoneBody) -> Response:
    """Takes the outer corners of a grid on the owner's board."""
    parts(visit).measure_zone(asked.zone, asked.corners)
    return done()


@workshop.post("/api/workshop/place", PlaceBody, host_only, parts)
def measure_place(visit: Visit, asked: PlaceBody) -> Response:
    """Takes the middle of one place on the owner's board."""
    parts(visit).measure_place(asked.place, asked.x, asked.y)
    return done()


@workshop.post("/api/workshop/forget-cards", Body, host_only, parts)
def forget_cards(visit: Visit, asked: Body) -> Response:
    """Finds boards by their frames again."""
    parts(visit).forget_cards()
    return done()


@workshop.post("/api/workshop/view", Body, host_only, parts)
def take_view(visit: Visit, asked: Body) -> Response:
    """Takes one view for measuring the lens, or says why not."""
    return jsonify(parts(visit).take_view())


@workshop.post("/api/workshop/forget-views", Body, host_only, parts)
def forget_views(visit: Visit, asked: Body) -> Response:
    """Begins measuring the lens anew."""
    parts(visit).forget_views()
    return done()


@workshop.post("/api/workshop/lens", Body, host_only, parts)
def measure_lens(visit: Visit, asked: Body) -> Response:
    """Works out the lens from the views and uses it; gives the mean error in pixels."""
    return done(error_px=round(parts(visit).measure_lens(), 2))


# Teaching -------------------------------------------------------------------------------------------


def _face_label(game: str, face: str, language: str) -> str:
    texts = load(game).texts
    return texts.say(f"word.{face}", language) if f"word.{face}" in texts else face.replace("_", " ")


def _problems(game: str, problems: Iterable[PictureProblem], language: str) -> Response:
    said = [
        {
            "code": one.code,
            "text": TEXTS.say(f"teach.{one.code}", language, {"face": _face_label(game, one.face, language)}),
            "detail": one.text,
        }
        for one in problems
    ]
    return jsonify({"problems": said})


@workshop.get("/api/workshop/lesson", host_only, query=("lang",))
def lesson(visit: Visit) -> Response:
    """How far teaching is: every face with its pictures and where to lay it, and the next one."""
    ours = parts(visit)
    found = ours.lesson()
    for face in found["faces"]:
        face["label"] = _face_label(ours.game, face["name"], visit.language)
    return jsonify(found)


@workshop.post("/api/workshop/photograph", PhotographBody, host_only, parts)
def photograph(visit: Visit, asked: PhotographBody) -> Response:
    """Photographs a face that lies on its place, and says what is wrong with the picture."""
    ours = parts(visit)
    return _problems(ours.game, ours.photograph(asked.face, asked.turn), visit.language)


@workshop.get("/api/workshop/photograph.jpg", host_only, query=("face",), gives="image/jpeg")
def photograph_jpg(visit: Visit) -> Response:
    """The last picture of a face."""
    return _jpeg(parts(visit).taken(visit.query.face))


@workshop.post("/api/workshop/drop", FaceBody, host_only, parts)
def drop(visit: Visit, asked: FaceBody) -> Response:
    """Takes back the last picture of a face."""
    parts(visit).drop(asked.face)
    return done()


@workshop.post("/api/workshop/finish", Body, host_only, parts)
def finish(visit: Visit, asked: Body) -> Response:
    """Writes what was taught, and says what is lacking or too alike."""
    ours = parts(visit)
    return _problems(ours.game, ours.finish_lesson(), visit.language)


# Lights and buttons ---------------------------------------------------------------------------------


@workshop.get("/api/workshop/leds", host_only)
def leds(visit: Visit) -> Response:
    """The map of the LEDs on the board, and how far blinking is."""
    return jsonify(parts(visit).lights())


@workshop.post("/api/workshop/wled", WledBody, host_only, parts)
def wled(visit: Visit, asked: WledBody) -> Response:
    """Asks each WLED, several with commas between, what it drives: LEDs, order, current limit."""
    return done(devices=parts(visit).wled(asked.host))


@workshop.post("/api/workshop/blink", BlinkBody, host_only, parts)
def blink(visit: Visit, asked: BlinkBody) -> Response:
    """Begins to blink the LEDs before the camera, one after the other."""
    parts(visit).blink(asked.leds)
    return done()


@workshop.post("/api/workshop/keep-map", Body, host_only, parts)
def keep_map(visit: Visit, asked: Body) -> Response:
    """Keeps the map that blinking has found."""
    parts(visit).keep_map()
    return done()


@workshop.post("/api/workshop/screen", ScreenBody, host_only, parts)
def screen(visit: Visit, asked: ScreenBody) -> Response:
    """Finds the board on the projector's screen by the camera, or takes its four corners from people."""
    if asked.corners:
        parts(visit).set_screen(asked.corners)
    else:
        parts(visit).find_screen()
    return done()


@workshop.get("/api/workshop/switches", host_only)
def switches(visit: Visit) -> Response:
    """What the switches under the board feel, and how far mapping them by touch is."""
    return jsonify(parts(visit).switches())


@workshop.post("/api/workshop/touch", TouchBody, host_only, parts)
def touch(visit: Visit, asked: TouchBody) -> Response:
    """Maps the switches by touch, place by place."""
    parts(visit).touch(asked.do)
    return done()


@workshop.get("/api/workshop/test", host_only)
def test(visit: Visit) -> Response:
    """How every part does at the moment."""
    return jsonify(parts(visit).test())


@workshop.post("/api/workshop/show", PatternBody, host_only, parts)
def show(visit: Visit, asked: PatternBody) -> Response:
    """Shows a test pattern."""
    parts(visit).show(asked.pattern)
    return done()


@workshop.post("/api/workshop/press", PressBody, host_only, parts)
def press(visit: Visit, asked: PressBody) -> Response:
    """Presses a virtual button."""
    parts(visit).press(asked.name)
    return done()
