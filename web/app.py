"""The app: builds Flask from the routes by subject, and checks every request before any route sees it.

Routes parse, ask the table, and format. There are no rules here and no game state.
"""

from __future__ import annotations

import re
import secrets

from flask import Flask, Response, g, request

from companion.table.people import same
from web.access import COOKIE, HEADER, add_security_headers, is_own_origin, let_programs_read
from web.context import Web
from web.errors import add_error_answers, request_error_answer
from web.routes import SUBJECTS, UPLOADS
from web.routing import PathNumber

YEAR_S = 365 * 24 * 3600
MAX_BODY_BYTES = 512 * 1024
COOKIE_CHARS = re.compile(r"[A-Za-z0-9_-]{32,64}")
"""What a cookie of ours looks like; who shows another is a new device."""
PROGRAMS = "/api/v1/"
"""Below here a token of its own says who a program is; cookies count for nothing."""


def create_app(web: Web) -> Flask:
    """Builds the app around a table."""
    app = Flask(__name__)
    app.config.update(MAX_CONTENT_LENGTH=MAX_BODY_BYTES)
    app.json.sort_keys = True  # type: ignore[attr-defined]
    app.url_map.converters["int"] = PathNumber

    @app.before_request
    def check() -> Response | None:
        code = check_request(web)
        return request_error_answer(web, code) if code else None

    app.after_request(finish_response)
    add_error_answers(app, web)
    for routes in SUBJECTS:
        app.register_blueprint(routes.blueprint(web))
    return app


def check_request(web: Web) -> str:
    """Notes which device asks; the code of what stands against the request, or ""."""
    people = web.table.people
    if not web.policy.allows_host(request.host):
        return "unknown-host"
    if not web.policy.allows_address(request.remote_addr or ""):
        return "public-address"
    if request.path.startswith(PROGRAMS):
        return check_program(web)
    cookie = request.cookies.get(COOKIE, "")
    g.new_cookie = "" if COOKIE_CHARS.fullmatch(cookie) else secrets.token_urlsafe(24)
    g.device = people.device(g.new_cookie or cookie)
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return ""
    if g.new_cookie:
        return "no-cookie"
    if not is_own_origin(request):
        return "wrong-origin"
    if not same(request.headers.get(HEADER, ""), people.header_token(g.device)):
        return "wrong-token"
    # A type that no form can send, so that other sites' pages cannot either.
    return "" if request.mimetype == UPLOADS.get(request.path, "application/json") else "not-json"


def check_program(web: Web) -> str:
    """Notes which program asks; the code of what stands against the request, or ""."""
    if request.method == "OPTIONS":
        return ""  # a browser asks before it sends the token
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    g.program = web.programs.find(token) if kind == "Bearer" else None
    if g.program is None:
        allowed = web.limiter.allow("program", request.remote_addr or "")
        return "no-program" if allowed else "too-often"
    g.device = g.program.device
    if request.method == "GET" or request.mimetype == "application/json":
        return ""
    return "not-json"


def finish_response(response: Response) -> Response:
    """Gives a new device its cookie with the first page, and every answer its security headers."""
    if request.path.startswith(PROGRAMS):
        return let_programs_read(add_security_headers(response))
    new_cookie = getattr(g, "new_cookie", "")
    if new_cookie and request.method == "GET" and response.mimetype == "text/html":
        response.set_cookie(
            COOKIE, new_cookie, max_age=YEAR_S, httponly=True, samesite="Lax", secure=request.is_secure
        )
    return add_security_headers(response)
