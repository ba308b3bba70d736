"""What other programs are told (`/api/v1`): the same as the pages, with names instead of positions in lists.

Everything is made from what `web.frames` gives to the same viewer, so nothing more can get out here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.engine.action import PUBLIC, TABLE, Seat, Viewer
from companion.engine.options import write
from companion.table.labels import seat_label, session_names
from companion.table.session import Session, Update
from companion.table.table import Table
from web import frames
from web.frame_cache import to_json
from web.frames import Json
from web.stream import Stream, server_sent_event

API = 1
"""The version of the names and shapes told here; it goes up when one of them changes its meaning."""


def seat_word(session: Session, seat: Seat | Viewer) -> str:
    """A seat as programs name it: `p1`, `killer`, `table`, `public`."""
    return {TABLE: "table", PUBLIC: "public"}.get(seat) or session.seats[seat]


def with_names(session: Session, told: Any) -> Any:
    """The same with the names of seats and places instead of their numbers, where its keys say what they are.

    What is no place of the board (-1) becomes null.
    """
    game = session.game
    places = [place.name for place in session.board.places]

    def seat(number: int) -> str | None:
        return seat_word(session, number) if PUBLIC <= number < len(session.seats) else None

    def place(number: int) -> str | None:
        return places[number] if 0 <= number < len(places) else None

    def rename(value: Any, name: Callable[[int], str | None] | None) -> Any:
        if isinstance(value, Mapping):
            return {key: rename(one, of(str(key))) for key, one in value.items()}
        if isinstance(value, (list, tuple)):
            return [rename(one, name) for one in value]
        return name(value) if name is not None and type(value) is int else value

    def of(key: str) -> Callable[[int], str | None] | None:
        last = key.rstrip("s")
        if last.endswith("seat") or key in ("winners", "needs") or key in game.view_seats:
            return seat
        return place if last.endswith("cell") or key == "ways" or key in game.view_places else None

    return rename(told, None)


def table_json(table: Table, language: str) -> Json:
    """Which game is on the table and who sits where."""
    session = table.session
    if session is None:
        return {"api": API, "game": None, "number": 0, "title": "", "options": {}, "seats": []}
    holders = table.people.holders(session.number)
    return {
        "api": API,
        "game": session.game.key,
        "number": session.number,
        "title": session.game.texts.say("game.title", language),
        "options": write(session.options),
        "seats": [
            {
                "seat": word,
                "label": seat_label(session.game, word, language),
                "name": table.people.name(holders[seat].device) if seat in holders else "",
                "taken": seat in holders,
                "secret": table.is_secret(session, seat),
            }
            for seat, word in enumerate(session.seats)
        ],
    }


def board_json(session: Session, language: str) -> Json:
    """The places of the board in millimetres, with the names that people use."""
    board = session.board
    labels = session_names(session, language).cells
    return {
        "width_mm": board.width,
        "height_mm": board.height,
        "places": [
            {
                "place": place.name,
                "label": label,
                "zone": place.zone,
                "x_mm": place.x,
                "y_mm": place.y,
                "width_mm": place.width,
                "height_mm": place.height,
                "turn": place.turn,
            }
            for place, label in zip(board.places, labels, strict=True)
        ],
    }


def position_json(table: Table, session: Session, viewer: Viewer, language: str) -> Json:
    """The position as one viewer may know it, and what that viewer may do."""
    told = frames.frame(table, session, viewer, language)
    view, places = told["view"], [place.name for place in session.game.board(session.options).places]
    outcome = view["outcome"]
    return {
        "api": API,
        "game": session.game.key,
        "number": told["number"],
        "version": told["version"],
        "viewer": seat_word(session, viewer),
        "turn": [{"seat": seat_word(session, seat), "verbs": verbs} for seat, verbs in view["needs"]],
        "actions": [
            {"seat": seat_word(session, one["seat"]), "action": text, "text": words, **_parts(session, text)}
            for one in told["moves"]
            for text, words in one["actions"]
        ],
        "pieces": [
            {"place": places[int(cell)], "face": face, "turn": turn, "stack": stack}
            for cell, pieces in (told["layout"] or {}).items()
            for face, turn, stack in pieces
        ],
        "lights": {
            "mood": told["scene"]["mood"],
            "glows": [
                {"place": places[cell], "meaning": meaning, "tint": tint, "order": order, "level": level}
                for cell, meaning, tint, order, level in told["scene"]["glows"]
            ],
        },
        "view": with_names(session, view),
        "outcome": with_names(session, outcome),
        "standing": told["standing"],
    }


def _parts(session: Session, text: str) -> Json:
    """The verb of an action, and its words each with its kind: a card, a cell, a seat, a turn."""
    notation = session.state().notation
    action = notation.parse(text)
    verb = notation.verbs[action.verb]
    kinds = [*verb.kinds, *[verb.rest] * (len(action.args) - len(verb.kinds))]
    return {
        "verb": action.verb,
        "words": [
            {"kind": kind.name, "word": kind.words[value]}
            for kind, value in zip(kinds, action.args, strict=True)
            if kind is not None
        ],
    }


class NamedStream(Stream):
    """What a program is told: `table` and `position` instead of what pages get."""

    def _room(self) -> tuple[int, str]:
        version = self._table.version
        return version, server_sent_event("table", to_json(table_json(self._table, self._language)))

    def _update(self, session: Session, told: Sequence[Update]) -> str:
        position = position_json(self._table, session, self._viewer, self._language)
        teller = frames.Teller(self._table, session, self._language)
        lines = [line for one in told for line in teller.played(one.events, one.cues)]
        position["log"] = with_names(session, lines)
        return server_sent_event("position", to_json(position), position["version"])
