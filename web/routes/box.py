"""My box: what is in the owner's copy of a game, fact by fact, with pictures; all the host's."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

from flask import Response, jsonify, request
from pydantic import Field

from companion.engine.action import PUBLIC
from companion.engine.drawing import svg, svg_page
from companion.engine.errors import ConfigError
from companion.engine.facts import Fact, fingerprint
from companion.engine.text import LANGUAGES
from companion.games import REGISTRY, load
from companion.settings.state_file import write_bytes_whole
from companion.table.boxes import Boxes
from web.errors import RequestError
from web.routing import Body, Routes, Visit, done, host_only

MAX_PHOTO_BYTES = 400 * 1024
MOST_PHOTOS = 300
JPEG = b"\xff\xd8\xff"
SUBJECT = re.compile(r"[a-z_]{1,40}\.[\w-]{1,40}")
"""What a photograph or a picture may be of: the beginning of a fact's id, never a path."""

Name = Annotated[str, Field(max_length=120)]
Word = Annotated[str, Field(max_length=300)]
Amount = Annotated[int, Field(strict=True, ge=-1000, le=1000)]

box = Routes("box")


class EnterBody(Body):
    game: Name
    values: Annotated[dict[Name, Amount | Word], Field(min_length=1, max_length=60)]


class ForgetBody(Body):
    game: Name
    subject: Name = ""


def _key(key: str) -> str:
    if key not in REGISTRY or not load(key).facts:
        raise RequestError("not-found")
    return key


@box.get("/api/box", host_only, query=("lang",))
def boxes(visit: Visit) -> Response:
    """The games whose boxes can be checked: how many facts are open, and what is wrong with a file."""
    ours, faults = visit.table.boxes, visit.table.boxes.faults()
    found = []
    for key in REGISTRY:
        game = load(key)
        if game.facts:
            facts = [] if key in faults else [fact for fact in ours.facts(key) if fact.plays]
            found.append(
                {
                    "key": key,
                    "title": game.texts.say("game.title", visit.language),
                    "unchecked": sum(fact.is_doubtful for fact in facts),
                    "facts": len(facts),
                    "fault": faults.get(key, ""),
                }
            )
    return jsonify(found)


@box.get("/api/box/facts", host_only, query=("game", "lang"))
def facts(visit: Visit) -> Response:
    """The facts of one box, gathered by what they are about."""
    key, column = _key(visit.query.game), LANGUAGES.index(visit.language)
    photos = _photos(visit.table.boxes, key)
    subjects: dict[str, dict[str, Any]] = {}
    for fact in visit.table.boxes.facts(key):
        about = {
            "id": fact.subject,
            "about": fact.about[column],
            "has_photo": photos is not None and (photos / f"{fact.subject}.jpg").is_file(),
            "facts": [],
        }
        subjects.setdefault(fact.subject, about)["facts"].append(_fact_json(fact, column))
    title = load(key).texts.say("game.title", visit.language)
    return jsonify({"key": key, "title": title, "subjects": list(subjects.values())})


def _fact_json(fact: Fact, column: int) -> dict[str, Any]:
    return {
        "id": fact.id,
        "kind": fact.kind,
        "value": fact.value,
        "ask": fact.ask[column],
        "origin": fact.origin,
        "plays": fact.plays,
        "low": fact.low,
        "high": fact.high,
        "choices": [[word, said[column]] for word, said in fact.choices],
    }


@box.post("/api/box", EnterBody, host_only)
def enter(visit: Visit, asked: EnterBody) -> Response:
    """Keeps what somebody has seen in the box; what cannot be played is refused and nothing is kept."""
    key, ours = _key(asked.game), visit.table.boxes
    _demand_at_rest(visit, key, fingerprint(ours.facts(key, dict(asked.values))))
    ours.enter(key, dict(asked.values))
    return done()


@box.post("/api/box/forget", ForgetBody, host_only)
def forget(visit: Visit, asked: ForgetBody) -> Response:
    """Brings back what Gloam knows about one subject, or about all; a wrong file is set aside."""
    key = _key(asked.game)
    _demand_at_rest(visit, key, "")
    visit.table.boxes.forget(key, asked.subject)
    return done()


def _demand_at_rest(visit: Visit, key: str, box: str) -> None:
    """A game that goes on could not be continued with other cards after the next start."""
    session = visit.table.session
    if session is None or session.game.key != key or session.game.box == box:
        return
    if session.update(PUBLIC).view["outcome"] is None:
        raise RequestError("game-running")


# Pictures -------------------------------------------------------------------------------------------


@box.get("/api/box/picture.svg", host_only, query=("game", "face", "lang"), gives="image/svg+xml")
def picture(visit: Visit) -> Response:
    """Our own drawing of what a fact is about, as it is entered; 204 where there is none."""
    key = _key(visit.query.game)
    try:
        drawing = load(key).picture(visit.query.face, visit.language, visit.table.boxes.values(key))
    except (ConfigError, KeyError):
        drawing = None
    if drawing is None:
        return Response(status=204)
    return Response(svg_page(drawing.width, drawing.height, svg(drawing)), mimetype="image/svg+xml")


def _photos(ours: Boxes, key: str) -> Path | None:
    return None if ours.folder is None else ours.folder / f"{key}.photos"


def _photo(visit: Visit, game: str, subject: str) -> Path:
    folder = _photos(visit.table.boxes, _key(game))
    if folder is None or not SUBJECT.fullmatch(subject):
        raise RequestError("not-found")
    return folder / f"{subject}.jpg"


@box.get("/api/box/photo.jpg", host_only, query=("game", "face"), gives="image/jpeg")
def photo(visit: Visit) -> Response:
    """The owner's photograph of a card or board."""
    path = _photo(visit, visit.query.game, visit.query.face)
    if not path.is_file():
        raise RequestError("not-found")
    answer = Response(path.read_bytes(), mimetype="image/jpeg")
    answer.headers["Cache-Control"] = "no-store"
    return answer


@box.upload("/api/box/photo", "image/jpeg", host_only, query=("game", "face"))
def keep_photo(visit: Visit) -> Response:
    """Keeps a photograph beside the data; it is only looked at by people."""
    path, content = _photo(visit, visit.query.game, visit.query.face), request.get_data()
    if not content.startswith(JPEG) or len(content) > MAX_PHOTO_BYTES:
        raise RequestError("bad-request")
    if not path.exists() and sum(1 for _ in path.parent.glob("*.jpg")) >= MOST_PHOTOS:
        raise RequestError("bad-request")
    write_bytes_whole(path, content)
    return done()
