"""The workshop's routes: settings, camera, lens, teaching, LED map, trying the parts, report, backup.

All of them are the host's alone. What needs the parts needs an empty table: a game holds them.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from flask import Response, jsonify, request
from pydantic import Field

from companion.action import PUBLIC
from companion.backup import BackupError, opened, restore, write_backup
from companion.config import CameraSettings, TableSettings
from companion.errors import ConfigError, DeviceError
from companion.games import REGISTRY, load
from companion.options import write
from web import frames
from web.kit import Body, Forbidden, Kit, body
from web.text import TEXTS

if TYPE_CHECKING:
    from companion.room.workbench import Workbench

LARGEST_BACKUP = 64 * 1024 * 1024
SOURCE = re.compile(r"virtual|none|pi|usb:\d{1,2}|/dev/video\d{1,2}|https?://\S{1,200}")
"""The cameras that a page may choose; files and folders are for the settings file."""
EDITABLE: Mapping[str, tuple[str, ...]] = {
    "table": ("name", "language"),
    "camera": ("source", "width", "height", "exposure_lock"),
    "lights": (
        "driver",
        "map",
        "across",
        "order",
        "kind",
        "supply_ma",
        "brightness",
        "theme",
        "port",
        "host",
    ),
    "buttons": ("driver",),
}
"""What a page may change; the rest is for the settings file."""


class GameBody(Body):
    game: str
    board: str = ""


class CornersBody(Body):
    corners: list[tuple[float, float]] = Field(min_length=4, max_length=4)


class PhotographBody(Body):
    face: str
    turn: Literal[0, 90, 180, 270] = 0


class FaceBody(Body):
    face: str


class BlinkBody(Body):
    leds: int = Field(ge=1, le=2000)


class PatternBody(Body):
    pattern: str


class PressBody(Body):
    name: str


class SettingsBody(Body):
    changes: dict[str, dict[str, str | int | float | bool]] = Field(max_length=8)


def add_workshop(kit: Kit, workbench: Workbench | None, unplug: Callable[[], int]) -> None:
    """Adds the routes; without a workbench those that need one answer that there is nothing here."""
    app, table, done = kit.app, kit.table, kit.done

    def bench() -> Workbench:
        """The workbench, for a host; a page that needs the parts asks `free_bench`."""
        kit.demand_host()
        if workbench is None:
            raise Forbidden("not-found", 404)
        return workbench

    def free_bench() -> Workbench:
        ours = bench()
        if table.session is not None:
            ours.close()
            raise Forbidden("table-busy", 409)
        return ours

    def jpeg(content: bytes) -> Response:
        return Response(content, mimetype="image/jpeg")

    @app.errorhandler(DeviceError)
    def no_part(error: DeviceError) -> Response:
        answer = {"code": "no-part", "text": TEXTS.say("error.no-part", kit.language()), "detail": str(error)}
        response = jsonify(answer)
        response.status_code = 409
        return response

    @app.errorhandler(BackupError)
    def no_backup(error: BackupError) -> Response:
        answer = {
            "code": "no-backup",
            "text": TEXTS.say("error.no-backup", kit.language()),
            "detail": str(error),
        }
        response = jsonify(answer)
        response.status_code = 400
        return response

    # Settings ----------------------------------------------------------------------------------

    def game_json(ours: Workbench, key: str) -> dict[str, Any]:
        """A game with its boards, each named after the options that ask for it."""
        game, language = load(key), kit.language()

        def said(given: Mapping[str, Any]) -> str:
            words = write(given)
            return ", ".join(
                f"{frames.option_text(game, f'option.{one.name}', one.name, language)}: "
                f"{frames.choice_text(game, one, words[one.name], language)}"
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

    @app.get("/api/workshop/state")
    def workshop_state() -> Response:
        ours = bench()
        config = ours.config
        camera, words = asdict(config.of(CameraSettings)), asdict(config.of(TableSettings))
        camera.pop("lens")
        return jsonify(
            {
                "source": config.source,
                "faults": [str(fault) for fault in config.faults],
                "busy": table.session is not None,
                "games": [game_json(ours, key) for key in REGISTRY],
                "cameras": sorted(path.name for path in Path("/dev").glob("video*")),
                "table": words,
                "camera": camera,
                "lens": bool(config.of(CameraSettings).lens),
                "lights": {
                    key: value
                    for key, value in asdict(config.sections["lights"]).items()
                    if key in EDITABLE["lights"]
                },
                "buttons": {"driver": config.sections["buttons"].driver},
            }
        )

    @app.post("/api/workshop/settings")
    def change_settings() -> Response:
        ours = bench()
        changes = body(SettingsBody).changes
        for name, values in changes.items():
            if not set(values) <= set(EDITABLE.get(name, ())):
                raise Forbidden("bad-request", 400)
        source = changes.get("camera", {}).get("source")
        if source is not None and not SOURCE.fullmatch(str(source)):
            raise ConfigError(f"camera {source!r}: choose virtual, none, pi, usb:0 or http://…")
        if table.session is not None and set(changes) - {"table"}:
            raise Forbidden("table-busy", 409)
        ours.change({(name, key): value for name, values in changes.items() for key, value in values.items()})
        return done()

    @app.post("/api/workshop/open")
    def open_bench() -> Response:
        ours, asked = free_bench(), body(GameBody)
        ours.open(asked.game, asked.board)
        return done()

    # Camera ------------------------------------------------------------------------------------

    @app.get("/api/workshop/picture.jpg")
    def camera_picture() -> Response:
        return jpeg(free_bench().picture())

    @app.get("/api/workshop/sight")
    def sight() -> Response:
        return jsonify(free_bench().sight())

    @app.post("/api/workshop/corners")
    def set_corners() -> Response:
        free_bench().set_corners(body(CornersBody).corners)
        return done()

    @app.post("/api/workshop/forget-corners")
    def forget_corners() -> Response:
        ours, _ = free_bench(), body(Body)
        ours.forget_corners()
        return done()

    @app.post("/api/workshop/view")
    def take_view() -> Response:
        ours, _ = free_bench(), body(Body)
        return jsonify(ours.take_view())

    @app.post("/api/workshop/forget-views")
    def forget_views() -> Response:
        ours, _ = free_bench(), body(Body)
        ours.forget_views()
        return done()

    @app.post("/api/workshop/lens")
    def measure_lens() -> Response:
        ours, _ = free_bench(), body(Body)
        return done(error_px=round(ours.measure_lens(), 2))

    # Teaching ----------------------------------------------------------------------------------

    def label(game: str, face: str) -> str:
        texts = load(game).texts
        return (
            texts.say(f"word.{face}", kit.language()) if f"word.{face}" in texts else face.replace("_", " ")
        )

    def told(game: str, problems: list[Any]) -> list[dict[str, str]]:
        return [
            {
                "code": one.code,
                "text": TEXTS.say(f"teach.{one.code}", kit.language(), {"face": label(game, one.face)}),
                "detail": one.text,
            }
            for one in problems
        ]

    @app.get("/api/workshop/lesson")
    def lesson() -> Response:
        ours = free_bench()
        state = ours.lesson()
        for face in state["faces"]:
            face["label"] = label(ours.game, face["name"])
        return jsonify(state)

    @app.post("/api/workshop/photograph")
    def photograph() -> Response:
        ours = free_bench()
        asked = body(PhotographBody)
        return jsonify({"problems": told(ours.game, ours.photograph(asked.face, asked.turn))})

    @app.get("/api/workshop/photograph.jpg")
    def photograph_jpg() -> Response:
        return jpeg(free_bench().taken(request.args.get("face", "")))

    @app.post("/api/workshop/drop")
    def drop() -> Response:
        free_bench().drop(body(FaceBody).face)
        return done()

    @app.post("/api/workshop/finish")
    def finish() -> Response:
        ours, _ = free_bench(), body(Body)
        return jsonify({"problems": told(ours.game, ours.finish_lesson())})

    # Lights and the rest -----------------------------------------------------------------------

    @app.get("/api/workshop/leds")
    def leds() -> Response:
        return jsonify(free_bench().lights())

    @app.post("/api/workshop/blink")
    def blink() -> Response:
        free_bench().blink(body(BlinkBody).leds)
        return done()

    @app.post("/api/workshop/keep-map")
    def keep_map() -> Response:
        ours, _ = free_bench(), body(Body)
        ours.keep_map()
        return done()

    @app.get("/api/workshop/test")
    def test() -> Response:
        return jsonify(free_bench().test())

    @app.post("/api/workshop/show")
    def show() -> Response:
        free_bench().show(body(PatternBody).pattern)
        return done()

    @app.post("/api/workshop/press")
    def press() -> Response:
        free_bench().press(body(PressBody).name)
        return done()

    @app.get("/api/workshop/sheet.pdf")
    def sheet() -> Response:
        game = load(request.args.get("game", "")).key
        return Response(
            bench().sheet(game, request.args.get("board", ""), kit.language()),
            mimetype="application/pdf",
            headers={"Content-Disposition": f"attachment; filename=gloam-{game}-frame.pdf"},
        )

    # Care --------------------------------------------------------------------------------------

    def demand_no_game() -> None:
        """A backup holds every secret, and a restore would change a game under the players' hands."""
        session = table.session
        if session is not None and session.update(PUBLIC).view["outcome"] is None:
            raise Forbidden("game-running", 409)

    @app.get("/api/backup")
    def backup() -> Response:
        ours = bench()
        demand_no_game()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "backup.zip"
            assert ours.config.path is not None
            write_backup(path, table.journal, ours.config.path, ours.folder, table.people.seats())
            content = path.read_bytes()
        return Response(
            content,
            mimetype="application/zip",
            headers={"Content-Disposition": "attachment; filename=gloam-backup.zip"},
        )

    @app.post("/api/restore")
    def restore_backup() -> Response:
        ours = bench()
        demand_no_game()
        request.max_content_length = LARGEST_BACKUP
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "backup.zip"
            path.write_bytes(request.get_data())
            assert ours.config.path is not None
            with opened(path, ours.schema) as found:
                table.clear()
                ours.close()
                restore(found, table.journal, ours.config.path, ours.folder, table.people.seats())
        table.people.replace_seats(found.seats)
        ours.use_again()
        table.tell()
        return done(games=found.games)

    @app.post("/api/unplug")
    def unplug_now() -> Response:
        kit.demand_host()
        body(Body)
        return done(lines=unplug())
