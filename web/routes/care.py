"""Care for the table: the health card, the report, backup and restore, unplugging; all the host's."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from flask import Response, jsonify, request

from companion.engine.action import PUBLIC
from companion.table.backup import opened, restore, write_backup
from companion.table.ports import WorkshopPort
from web.errors import RequestError
from web.health import health_card, report
from web.routes.overview import broker_health
from web.routing import Body, Routes, Visit, done, host_only

MAX_BACKUP_BYTES = 64 * 1024 * 1024

care = Routes("care")


def the_workshop(visit: Visit) -> WorkshopPort:
    """The workshop; raises where this table has none."""
    if visit.web.workshop is None:
        raise RequestError("not-found")
    return visit.web.workshop


def no_game_running(visit: Visit) -> None:
    """Demands that no game goes on: a backup holds its secrets, and a restore would change it."""
    session = visit.table.session
    if session is not None and session.update(PUBLIC).view["outcome"] is None:
        raise RequestError("game-running")


def _card(visit: Visit) -> list[dict[str, Any]]:
    web = visit.web
    parts = [] if web.workshop is None else web.workshop.health()
    streams = web.streams
    lines = [*parts, *broker_health(web.club)]
    return health_card(visit.table, lines, len(streams), streams.limit, visit.language)


@care.get("/api/health", host_only, query=("lang",))
def health(visit: Visit) -> Response:
    """How each part is: good, watch or bad, with what helps."""
    return jsonify(_card(visit))


@care.get("/api/report", host_only, the_workshop, query=("lang",))
def the_report(visit: Visit) -> Response:
    """What to send when asking for help: no name, no address, no secret."""
    return Response(
        report(_card(visit), the_workshop(visit).config),
        mimetype="application/json",
        headers={"Content-Disposition": "attachment; filename=gloam-report.json"},
    )


@care.get("/api/backup", host_only, the_workshop, no_game_running, gives="application/zip")
def backup(visit: Visit) -> Response:
    """Everything that the table knows as one file; unfinished games show from then on that it was made."""
    workshop, table = the_workshop(visit), visit.table
    table.mark("backup")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "backup.zip"
        assert workshop.config.path is not None
        write_backup(path, table.journal, workshop.config.path, workshop.folder, table.people.seats())
        content = path.read_bytes()
    table.mark("backup")  # once more, for a game that has begun meanwhile
    return Response(
        content,
        mimetype="application/zip",
        headers={"Content-Disposition": "attachment; filename=gloam-backup.zip"},
    )


@care.upload("/api/restore", "application/zip", host_only, the_workshop, no_game_running)
def restore_backup(visit: Visit) -> Response:
    """Takes a backup's games, seats and editable settings; `left_out` names the settings not taken."""
    workshop, table = the_workshop(visit), visit.table
    request.max_content_length = MAX_BACKUP_BYTES
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "backup.zip"
        path.write_bytes(request.get_data())
        assert workshop.config.path is not None
        with opened(path, workshop.schema, workshop.config.path) as found:
            table.clear()
            workshop.close()
            restore(found, table.journal, workshop.config.path, workshop.folder, table.people.seats())
    table.mark("restored")
    table.people.replace_seats(found.seats)
    workshop.use_again()
    table.tell()
    return done(games=found.games, left_out=list(found.left_out))


@care.post("/api/unplug", Body, host_only)
def unplug(visit: Visit, asked: Body) -> Response:
    """Checks that all is stored and lets the table sleep."""
    (visit.web.unplug or visit.table.journal.verify)()
    return done()
