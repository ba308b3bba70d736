"""The web: pages, the JSON that they talk, and the checks at the door.

Routes parse, ask the table, and format. There are no rules here and no game state.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING, Any

import segno
from flask import Flask, Response, g, jsonify, render_template, request
from pydantic import ConfigDict, Field, ValidationError

from companion.action import PUBLIC, TABLE
from companion.config import TableSettings
from companion.errors import (
    ConfigError,
    JournalError,
    NotationError,
    NotYourSeat,
    RecordError,
    Refused,
    StaleVersion,
)
from companion.text import LANGUAGES
from web import frames, story
from web.guard import COOKIE, HEADER, Door, Limits, is_own_origin, seal
from web.health import health_card, report
from web.kit import Body, Forbidden, Kit, body
from web.overview import add_overview, broker_health
from web.people import clean_name, same
from web.stream import Stream, Streams
from web.table import OFFER_S, OtherSide, SeatTaken, Table, WrongCode
from web.text import TEXTS
from web.virtual import add_virtual
from web.workshop import add_workshop

if TYPE_CHECKING:
    from companion.room.desk import Desk
    from companion.room.mqtt import Herald
    from companion.room.workbench import Workbench

YEAR_S = 365 * 24 * 3600
SETUP = "setup"
RESTORE = "/api/restore"


@dataclass(slots=True)
class Web:
    """What the app is built from; every part is given."""

    table: Table
    door: Door = field(default_factory=Door)
    limits: Limits = field(default_factory=Limits)
    address: Callable[[], str] = lambda: ""
    """The address of this machine in the local network with the port, for QR codes."""
    desk: Desk | None = None
    """The physical side: what the eyes ask is answered there, and the virtual table lies on it."""
    workbench: Workbench | None = None
    """The parts and settings, for the workshop's pages."""
    unplug: Callable[[], int] | None = None
    """Checks that all is stored and lets the table sleep; returns the number of stored lines."""
    herald: Herald | None = None
    """Who tells a broker of this table and hears of the others."""


class SetupBody(Body):
    code: str
    pin: str = Field("", pattern=r"^(\d{4,8})?$")


class PinBody(Body):
    pin: str = Field(pattern=r"^\d{4,8}$")


class StartBody(Body):
    game: str
    options: dict[str, str] = Field(default_factory=dict, max_length=60)


class NumberBody(Body):
    number: int


class RecordBody(Body):
    model_config = ConfigDict(extra="forbid", str_max_length=400_000)
    text: str


class JoinBody(Body):
    name: str
    code: str = ""


class ClaimBody(Body):
    seat: int
    code: str = ""
    pin: str = Field("", pattern=r"^(\d{4,8})?$")


class MoveSeatBody(Body):
    seat: int
    pin: str = Field(pattern=r"^\d{4,8}$")


class SeatBody(Body):
    seat: int


class LockBody(Body):
    locked: bool


class ActBody(Body):
    action: str
    version: int
    seat: int
    page: int = PUBLIC
    """Whose page it was tapped on: the seat's own, or the table screen."""


class UndoBody(Body):
    seat: int = PUBLIC
    force: bool = False


def create_app(web: Web) -> Flask:
    """Builds the app around a table."""
    app = Flask(__name__)
    app.config.update(MAX_CONTENT_LENGTH=512 * 1024)
    app.json.sort_keys = True  # type: ignore[attr-defined]
    streams = Streams(web.door.max_streams)
    app.extensions["gloam-streams"] = streams
    table, people = web.table, web.table.people

    # The door ----------------------------------------------------------------------------------

    @app.before_request
    def knock() -> Response | None:
        if not web.door.knows_host(request.host):
            return problem("unknown-host", 400)
        if not web.door.lets_in(request.remote_addr or ""):
            return problem("public-address", 403)
        cookie = request.cookies.get(COOKIE, "")
        g.fresh = "" if len(cookie) >= 32 else secrets.token_urlsafe(24)
        g.device = people.device(cookie if not g.fresh else g.fresh)
        if request.method in ("GET", "HEAD", "OPTIONS"):
            return None
        if g.fresh:
            return problem("no-cookie", 403)
        if not is_own_origin(request):
            return problem("wrong-origin", 403)
        if not same(request.headers.get(HEADER, ""), people.header_token(g.device)):
            return problem("wrong-token", 403)
        # A type that no form can send, so that other sites' pages cannot either.
        wanted = "application/zip" if request.path == RESTORE else "application/json"
        if request.mimetype != wanted:
            return problem("not-json", 415)
        return None

    @app.after_request
    def leave(response: Response) -> Response:
        if getattr(g, "fresh", "") and request.method == "GET" and response.mimetype == "text/html":
            response.set_cookie(
                COOKIE, g.fresh, max_age=YEAR_S, httponly=True, samesite="Lax", secure=request.is_secure
            )
        return seal(response)

    def language() -> str:
        asked = request.args.get("lang", "")
        if asked not in LANGUAGES and web.workbench is not None:
            asked = web.workbench.config.of(TableSettings).language
        return asked if asked in LANGUAGES else (request.accept_languages.best_match(LANGUAGES) or "en")

    def problem(code: str, status: int, **more: Any) -> Response:
        response = jsonify({"code": code, "text": TEXTS.say(f"error.{code}", language()), **more})
        response.status_code = status
        return response

    def done(**more: Any) -> Response:
        return jsonify({"ok": True, **more})

    def demand_host() -> None:
        if not people.is_host(g.device):
            raise Forbidden("not-host")

    def demand_few_tries(what: str) -> None:
        if not web.limits.allow(what, request.remote_addr or ""):
            raise Forbidden("too-often", 429)

    def viewer() -> int:
        """Whose page asks: a seat that the device holds, or the public one."""
        seat = request.args.get("seat", "", str)
        if seat in ("", "public"):
            return PUBLIC
        if not seat.isdigit():
            raise Forbidden("bad-request", 400)
        table.demand(g.device, int(seat))
        return int(seat)

    @app.errorhandler(Forbidden)
    def forbidden(error: Forbidden) -> Response:
        return problem(error.code, error.status)

    @app.errorhandler(ValidationError)
    def invalid(error: ValidationError) -> Response:
        places = [".".join(str(part) for part in one["loc"]) for one in error.errors()]
        return problem("bad-request", 400, fields=places)

    @app.errorhandler(Refused)
    def refused(error: Refused) -> Response:
        refusal = error.refusal
        teller = frames.Teller(table, table.playing(), language())
        response = jsonify(teller.reason("refusal", refusal))
        response.status_code = 409
        return response

    @app.errorhandler(StaleVersion)
    def stale(error: StaleVersion) -> Response:
        return problem("stale", 409)

    @app.errorhandler(SeatTaken)
    def taken(error: SeatTaken) -> Response:
        return problem("seat-taken", 409)

    @app.errorhandler(OtherSide)
    def other_side(error: OtherSide) -> Response:
        return problem("other-side", 403)

    @app.errorhandler(story.NotOver)
    def not_over(error: story.NotOver) -> Response:
        return problem("not-over", 403)

    @app.errorhandler(WrongCode)
    def wrong_code(error: WrongCode) -> Response:
        return problem("wrong-code", 403)

    @app.errorhandler(NotYourSeat)
    def not_yours(error: NotYourSeat) -> Response:
        return problem("not-your-seat" if table.session is not None else "no-game", 403)

    @app.errorhandler(NotationError)
    def no_action(error: NotationError) -> Response:
        return problem("no-action", 400)

    @app.errorhandler(ConfigError)
    def bad_options(error: ConfigError) -> Response:
        return problem("bad-options", 400, detail=str(error))

    @app.errorhandler(RecordError)
    def bad_record(error: RecordError) -> Response:
        return problem("bad-record", 400, detail=str(error))

    @app.errorhandler(JournalError)
    def bad_journal(error: JournalError) -> Response:
        return problem("bad-journal", 409, detail=str(error))

    @app.errorhandler(404)
    def nothing(error: Exception) -> Response:
        return problem("not-found", 404)

    @app.errorhandler(405)
    def no_method(error: Exception) -> Response:
        return problem("not-found", 405)

    @app.errorhandler(413)
    def too_long(error: Exception) -> Response:
        return problem("bad-request", 413)

    # Pages -------------------------------------------------------------------------------------

    def page(name: str) -> Response:
        text = render_template(
            "page.html", page=name, language=language(), title=TEXTS.say("title", language())
        )
        return Response(text, mimetype="text/html")

    for name in ("table", "join", "seat", "virtual", "workshop", "overview"):
        path = "/" if name == "table" else f"/{name}"
        app.add_url_rule(path, f"page-{name}", lambda name=name: page(name))

    # Looking -----------------------------------------------------------------------------------

    @app.get("/api/texts")
    def texts() -> Response:
        return jsonify(TEXTS.of(language()))

    @app.get("/api/me")
    def me() -> Response:
        return jsonify(
            {
                "token": people.header_token(g.device),
                "name": people.name(g.device),
                "host": people.is_host(g.device),
                "owned": people.has_owner,
                "pin": people.has_owner_pin,
                "fresh": web.workbench is not None and web.workbench.config.source == "usual",
                "club": web.herald is not None,
                "seats": table.own_seats(g.device),
                "number": 0 if table.session is None else table.session.number,
            }
        )

    @app.get("/api/games")
    def games() -> Response:
        return jsonify(frames.shelf(language()))

    @app.get("/api/room")
    def room() -> Response:
        return jsonify(frames.room(table, language()))

    @app.get("/api/game")
    def game() -> Response:
        return jsonify(frames.game_json(table.playing(), language()))

    @app.get("/api/frame")
    def now() -> Response:
        who = viewer()
        return jsonify(frames.frame(table, table.playing(), who, language()))

    @app.get("/api/log")
    def log() -> Response:
        who = viewer()
        session = table.playing()
        teller = frames.Teller(table, session, language())
        return jsonify([teller.event(event) for event in session.history(who)])

    @app.get("/api/why")
    def why() -> Response:
        who = viewer()
        session = table.playing()
        cell = request.args.get("cell", -1, int)
        if not 0 <= cell < len(session.game.board(session.options).places):
            raise Forbidden("bad-request", 400)
        teller = frames.Teller(table, session, language())
        reasons = session.game.explain(session.update(who).view, cell)
        return jsonify([teller.reason("why", reason) for reason in reasons])

    @app.get("/api/preview")
    def preview() -> Response:
        who = viewer()
        session = table.playing()
        seat = request.args.get("for", who, int)
        if seat != who and not (who == PUBLIC and seat in table.open_seats(session)):
            raise NotYourSeat("no preview of somebody else's actions")
        seen = session.preview(seat, request.args.get("action", ""))
        if seen is None:
            return jsonify({"secret": True})
        view, events = seen
        teller = frames.Teller(table, session, language())
        return jsonify({"view": view, "log": [teller.event(event) for event in events]})

    @app.get("/api/stream")
    def stream() -> Response:
        who = viewer()
        one = Stream(table, streams, g.device, request.args.get("page", "")[:40], who, language())
        if not streams.open(one):
            raise Forbidden("too-many-streams", 503)
        return Response(one, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})

    @app.get("/api/story")
    def the_story() -> Response:
        return jsonify(story.steps(table, table.playing(), language()))

    @app.get("/api/story/<int:number>")
    def story_step(number: int) -> Response:
        session = table.playing()
        who = request.args.get("as", PUBLIC, int)
        return jsonify(story.step(session, number, who))

    @app.get("/api/record")
    def record() -> Response:
        session = table.playing()
        name = f"gloam-{session.game.key}-{session.number}.txt"
        return Response(
            story.record(session),
            mimetype="text/plain",
            headers={"Content-Disposition": f"attachment; filename={name}"},
        )

    @app.get("/api/invite")
    def invite() -> Response:
        demand_host()
        return jsonify({"url": join_url(), "code": people.join_code, "locked": people.is_locked})

    @app.get("/api/invite.svg")
    def invite_svg() -> Response:
        demand_host()
        return qr(f"{join_url()}#code={people.join_code}")

    @app.get("/api/offer")
    def offered() -> Response:
        demand_host()
        seat = request.args.get("seat", -1, int)
        table.playing()
        code = table.offered(seat)
        left = int(people.codes.left_s(f"seat {table.playing().number} {seat}"))
        return jsonify({"short": code.short if code else "", "left_s": left, "of_s": int(OFFER_S)})

    @app.get("/api/offer.svg")
    def offered_svg() -> Response:
        demand_host()
        table.playing()
        seat = request.args.get("seat", -1, int)
        code = table.offered(seat)
        if code is None:
            raise Forbidden("not-found", 404)
        return qr(f"{join_url()}#code={people.join_code}&seat={seat}&once={code.long}")

    @app.get("/api/saved")
    def saved() -> Response:
        demand_host()
        return jsonify(frames.saved(table, language()))

    @app.get("/api/health")
    def health() -> Response:
        demand_host()
        return jsonify(card())

    @app.get("/api/report")
    def the_report() -> Response:
        demand_host()
        if web.workbench is None:
            raise Forbidden("not-found", 404)
        return Response(
            report(card(), web.workbench.config),
            mimetype="application/json",
            headers={"Content-Disposition": "attachment; filename=gloam-report.json"},
        )

    def card() -> list[dict[str, Any]]:
        parts = [] if web.workbench is None else web.workbench.health()
        parts += broker_health(web.herald)
        return health_card(table, parts, len(streams), streams.limit, language())

    # Changing ----------------------------------------------------------------------------------

    @app.post("/api/setup")
    def setup() -> Response:
        if people.has_owner:
            raise Forbidden("not-found", 404)
        demand_few_tries("setup")
        asked = body(SetupBody)
        if not people.codes.redeem(SETUP, asked.code):
            raise Forbidden("wrong-code")
        people.make_host(g.device, asked.pin)
        table.tell()
        return done()

    @app.post("/api/host")
    def host() -> Response:
        demand_few_tries("pin")
        asked = body(PinBody)
        if not people.is_owner_pin(asked.pin):
            raise Forbidden("wrong-pin")
        people.make_host(g.device)
        return done()

    @app.post("/api/pin")
    def set_pin() -> Response:
        demand_host()
        people.make_host(g.device, body(PinBody).pin)
        return done()

    @app.post("/api/start")
    def start() -> Response:
        demand_host()
        asked = body(StartBody)
        session = table.start(asked.game, dict(asked.options))
        return done(number=session.number)

    @app.post("/api/resume")
    def resume() -> Response:
        demand_host()
        table.resume(body(NumberBody).number)
        return done()

    @app.post("/api/open-record")
    def open_record() -> Response:
        demand_host()
        table.open_record(body(RecordBody).text)
        return done()

    @app.post("/api/clear")
    def clear() -> Response:
        demand_host()
        body(Body)
        table.clear()
        return done()

    @app.post("/api/join")
    def join() -> Response:
        demand_few_tries("join")
        asked = body(JoinBody)
        name = clean_name(asked.name)
        if not name:
            raise Forbidden("no-name", 400)
        known = bool(people.name(g.device)) or people.is_host(g.device)
        if people.is_locked and not known:
            raise Forbidden("locked")
        if not known and not same(asked.code.strip().upper(), people.join_code):
            raise Forbidden("wrong-code")
        people.call(g.device, name)
        table.tell()
        return done(name=name)

    @app.post("/api/claim")
    def claim() -> Response:
        demand_few_tries("claim")
        asked = body(ClaimBody)
        if not people.name(g.device):
            raise Forbidden("no-name")
        if people.is_locked and not people.is_host(g.device) and not table.own_seats(g.device):
            raise Forbidden("locked")
        table.claim(g.device, asked.seat, pin=asked.pin, code=asked.code)
        return done(seat=asked.seat)

    @app.post("/api/move-seat")
    def move_seat() -> Response:
        demand_few_tries("pin")
        asked = body(MoveSeatBody)
        if not people.name(g.device):
            raise Forbidden("no-name")
        table.move(g.device, asked.seat, asked.pin)
        return done(seat=asked.seat)

    @app.post("/api/stand-up")
    def stand_up() -> Response:
        asked = body(SeatBody)
        table.demand(g.device, asked.seat)
        table.free(asked.seat, "left")
        return done()

    @app.post("/api/kick")
    def kick() -> Response:
        demand_host()
        table.free(body(SeatBody).seat, "kicked")
        return done()

    @app.post("/api/lock")
    def lock() -> Response:
        demand_host()
        people.lock(body(LockBody).locked)
        table.notice("locked" if people.is_locked else "unlocked", {})
        return done()

    @app.post("/api/new-code")
    def new_code() -> Response:
        demand_host()
        body(Body)
        people.renew_join_code()
        table.notice("new-code", {})
        return done()

    @app.post("/api/offer")
    def offer() -> Response:
        demand_host()
        code = table.offer(body(SeatBody).seat)
        return done(short=code.short, of_s=int(OFFER_S))

    @app.post("/api/act")
    def act() -> Response:
        asked = body(ActBody)
        session = table.playing()
        if asked.page == PUBLIC:
            demand_host()
            if asked.seat != TABLE and asked.seat not in table.open_seats(session):
                raise NotYourSeat("the table screen may not act for this seat")
        else:
            table.demand(g.device, asked.page)
            if asked.seat not in (asked.page, TABLE):
                raise NotYourSeat("this page acts for its own seat")
        if asked.seat == TABLE:
            verb = asked.action.split(" ", 1)[0]
            is_due = verb in frames.shown_needs(session.update(asked.page).view, TABLE)
            if not is_due or not frames.may_tell(session, asked.page):
                raise NotYourSeat("chance is not told from this page")
        return done(version=table.submit(asked.page, asked.seat, asked.action, asked.version))

    @app.post("/api/undo")
    def undo() -> Response:
        asked = body(UndoBody)
        if asked.seat == PUBLIC:
            demand_host()
            table.playing().undo(None, force=asked.force)
        else:
            table.demand(g.device, asked.seat)
            table.playing().undo(asked.seat)
        return done()

    def join_url() -> str:
        host = request.host
        name = host.rsplit(":", 1)[0]
        if name in ("localhost", "127.0.0.1", "[::1]"):
            host = web.address() or host
        return f"{request.scheme}://{host}/join"

    def qr(text: str) -> Response:
        code = segno.make(text, error="m", micro=False)
        picture = BytesIO()
        code.save(picture, kind="svg", scale=8, border=3, dark="#14100c", light="#f4ead6", xmldecl=False)
        return Response(picture.getvalue(), mimetype="image/svg+xml")

    kit = Kit(app, table, language, demand_host, viewer, done)
    add_virtual(kit, web.desk)
    add_workshop(kit, web.workbench, web.unplug or table.journal.verify)
    add_overview(kit, web.herald)
    return app
