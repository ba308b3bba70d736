"""What is sent to a page, as JSON: always made from what its viewer may know."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any

from companion.action import PUBLIC, TABLE, Seat, Viewer
from companion.game import Game, View
from companion.games import REGISTRY, load
from companion.layout import Piece
from companion.loop import QUIET, Line, Word, with_word
from companion.options import Option, Options, write
from companion.session import Session
from companion.state import Event, Reason, State
from web.table import Table, sees_board
from web.text import TEXTS

Json = dict[str, Any]
COMPARED = 6
"""So many outcomes of chance are compared to see who gets to know them."""
FAMILIES = ("why.", "word.", "phase.", "seat.", "choice.", "option.", "outcome.", "verb.", "game.")
"""The texts of a game that pages need by key; events, refusals and reasons are said by the server."""
CELLS_SAID = 6
"""A sentence names so many places at most; the lights show all."""


def seat_label(game: Game, word: str, language: str) -> str:
    """What a seat is called before anybody sits there."""
    key = f"seat.{word}"
    if key in game.texts:
        return game.texts.say(key, language)
    if word[:1] == "p" and word[1:].isdigit():
        return TEXTS.say("seat.player", language, {"n": int(word[1:])})
    return word


def place_label(game: Game, name: str, language: str) -> str:
    """What a place is called: its own name, or those of the two places that a passage joins."""
    for key in (f"place.{name}", f"word.{name}"):
        if key in game.texts:
            return game.texts.say(key, language)
    ends = name.split("-")
    if len(ends) == 2 and all(f"place.{end}" in game.texts for end in ends):
        return " – ".join(game.texts.say(f"place.{end}", language) for end in ends)
    return name


def place_labels(game: Game, options: Options, language: str) -> list[str]:
    """What the places of a board are called."""
    return [place_label(game, place.name, language) for place in game.board(options).places]


class Names:
    """Puts the names of places where a text has only their codes."""

    def __init__(self, game: Game, options: Options, language: str) -> None:
        codes = [place.name for place in game.board(options).places if f"place.{place.name}" in game.texts]
        self._labels = {code: place_label(game, code, language) for code in codes}
        self._pattern = re.compile(rf"\b({'|'.join(map(re.escape, codes))})\b") if codes else None

    def __call__(self, text: str) -> str:
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda found: self._labels[found[0]], text)


def seat_names(table: Table, session: Session, language: str) -> list[str]:
    """What the seats are called: the name of who sits there, or the seat's own."""
    holders = table.people.holders(session.number)
    names = []
    for seat, word in enumerate(session.seats):
        own = table.people.name(holders[seat].device) if seat in holders else ""
        label = seat_label(session.game, word, language)
        names.append(f"{label} ({own})" if own else label)
    return names


class Teller:
    """Says things about one session in one language."""

    def __init__(self, table: Table, session: Session, language: str) -> None:
        self.session = session
        self.language = language
        self._seats = seat_names(table, session, language)
        self._cells = place_labels(session.game, session.options, language)
        self._names = Names(session.game, session.options, language)

    def event(self, event: Event) -> Json:
        """One line of the log."""
        if event.kind == "undone":
            return {"kind": "undone", "text": TEXTS.say("log.undone", self.language), "data": {}}
        return {"kind": event.kind, "text": self._say("event", event), "data": event.data}

    def reason(self, family: str, reason: Reason) -> Json:
        """A refusal or an explanation."""
        return {
            "code": reason.code,
            "text": self._say(family, reason),
            "cells": list(reason.cells),
            "rule": reason.rule,
        }

    def _say(self, family: str, about: Event | Reason) -> str:
        game = self.session.game
        code = about.kind if isinstance(about, Event) else about.code
        if f"{family}.{code}" not in game.texts and f"{family}.{code}" in TEXTS:
            return TEXTS.say(f"{family}.{code}", self.language)
        return self._names(game.say(family, about, self.language, seats=self._seats, cells=self._cells))


def scene_json(game: Game, view: View, word: Word = QUIET) -> Json:
    """The lights' meanings, with what the eyes have to say on top."""
    scene = with_word(game.scene(view), word)
    return {"mood": scene.mood, "glows": [list(glow) for glow in scene.glows]}


def layout_json(game: Game, view: View) -> Json:
    """The pieces on the board."""
    return {
        str(cell): [list(piece) for piece in pieces] for cell, pieces in game.layout(view).items() if pieces
    }


def shown_needs(view: View, seat: Seat) -> list[str]:
    """The verbs that a view says a seat must choose from."""
    return [verb for who, verbs in view["needs"] if who == seat for verb in verbs]


def may_tell(session: Session, viewer: Viewer, state: State | None = None) -> bool:
    """Says whether a page may tell what real cards or dice gave: the host's, and those that get to know it.

    Who gets to know it sees another position after another outcome; what nobody sees, anybody may tell.
    Asked of the position on record, or of another that may have been reached since.
    """
    state, game = state or session.state(), session.game
    after = [state.copy() for _ in state.outcomes()[:COMPARED]]
    for one, (action, _) in zip(after, state.outcomes(), strict=False):
        one.apply(TABLE, action)
    learn = [
        seat
        for seat in range(len(session.seats))
        if any(game.view(one, seat) != game.view(after[0], seat) for one in after[1:])
    ]
    return viewer == PUBLIC or not learn or viewer in learn


def moves(table: Table, session: Session, viewer: Viewer, language: str) -> list[Json]:
    """What may be done from a viewer's page: the own seat, or the open seats on the table screen.

    Chance of real cards and dice is told by whoever may know what it gave.
    """
    view = session.update(viewer).view
    seats: Iterable[Seat] = table.open_seats(session) if viewer == PUBLIC else (viewer,)
    names = Names(session.game, session.options, language)
    found: list[Json] = []
    for seat in [*seats, TABLE]:
        verbs = shown_needs(view, seat)
        if not verbs or (seat == TABLE and not may_tell(session, viewer)):
            continue
        labels = session.labels(seat, language)
        actions = [[text, tidy(names(label))] for text, label in labels if text.split(" ", 1)[0] in verbs]
        if actions:
            found.append({"seat": seat, "actions": actions})
    return found


def choices(table: Table, session: Session, viewer: Viewer) -> dict[int, Line]:
    """Which of the lines that the eyes offer a page may choose: those of its own seat and of open seats.

    The draws among them must be such as the page may tell: what can be drawn also says what cannot.
    """
    seats = {*table.open_seats(session), TABLE, viewer}
    told: dict[Line, bool] = {}
    """Whether the page may tell what chance gave after these actions."""

    def may_choose(line: Line) -> bool:
        state = session.state().copy()
        for i, (seat, text) in enumerate(line):
            if seat not in seats:
                return False
            if seat == TABLE:
                before = line[:i]
                if before not in told:
                    told[before] = may_tell(session, viewer, state)
                if not told[before]:
                    return False
            action = state.notation.parse(text)
            if state.refusal(seat, action) is not None:
                return False  # somebody has tapped since the eyes asked
            state.apply(seat, action)
        return True

    return {number: line for number, line in enumerate(table.word.choices) if may_choose(line)}


def eyes(table: Table, session: Session, viewer: Viewer, language: str) -> Json | None:
    """What the eyes have to say to those who see the board: a sentence, the rule, what may be answered."""
    word, game = table.word, session.game
    if word.code == "fine" or not sees_board(session, viewer):
        return None
    teller = Teller(table, session, language)
    labels = place_labels(game, session.options, language)
    state = session.state()
    parse = state.notation.parse
    return {
        "code": word.code,
        "text": TEXTS.say(
            f"eyes.{word.code}", language, {"cells": list(word.cells[:CELLS_SAID])}, cells=labels
        ),
        "cells": list(word.cells),
        "reason": None if word.refusal is None else teller.reason("refusal", word.refusal),
        "choices": [
            [number, ", ".join(tidy(game.label(state, parse(text), language)) for _, text in line)]
            for number, line in choices(table, session, viewer).items()
        ],
        "found": [
            [one.cell, pieces_said(game, one.expected, language), pieces_said(game, one.seen, language)]
            for one in word.found
        ],
    }


def pieces_said(game: Game, pieces: Iterable[Piece], language: str) -> str:
    """Names pieces that lie somewhere, with their turns."""
    said = []
    for face, turn, _ in pieces:
        name = game.texts.say(f"word.{face}", language) if f"word.{face}" in game.texts else face
        said.append(f"{name} ↻{turn}°" if turn else name)
    return " + ".join(said) or TEXTS.say("eyes.nothing", language)


def tidy(label: str) -> str:
    """Drops the dash that stands for an empty list at the end of a button's label."""
    return label.removesuffix("—").rstrip()


def frame(table: Table, session: Session, viewer: Viewer, language: str) -> Json:
    """Everything that a page shows of the game now, all of one version."""
    while True:
        update = session.update(viewer)
        actions = moves(table, session, viewer, language)
        if session.update(viewer).version == update.version:
            break
    game, view = session.game, update.view
    return {
        "number": session.number,
        "version": update.version,
        "view": view,
        "scene": scene_json(game, view, table.word if sees_board(session, viewer) else QUIET),
        "layout": layout_json(game, view) if sees_board(session, viewer) else None,
        "moves": actions,
        "eyes": eyes(table, session, viewer, language),
    }


def room(table: Table, language: str) -> Json:
    """Who sits where and what happened around the table: the same for everybody."""
    session = table.session
    version, notices = table.version, list(table.notices)
    if session is None:
        return {"version": version, "number": 0, "game": None, "seats": [], "notices": []}
    holders = table.people.holders(session.number)
    seats = [
        {
            "word": word,
            "label": seat_label(session.game, word, language),
            "name": table.people.name(holders[seat].device) if seat in holders else "",
            "taken": seat in holders,
            "movable": seat in holders and bool(holders[seat].pin),
            "secret": table.is_secret(session, seat),
        }
        for seat, word in enumerate(session.seats)
    ]
    return {
        "version": version,
        "number": session.number,
        "game": session.game.key,
        "seats": seats,
        "notices": [
            {
                "number": notice.number,
                "code": notice.code,
                "text": TEXTS.say(
                    f"notice.{notice.code}",
                    language,
                    {
                        **notice.blanks,
                        "seat": seat_label(
                            session.game, session.seats[notice.blanks.get("seat", 0)], language
                        ),
                    },
                ),
            }
            for notice in notices
        ],
        "names": seat_names(table, session, language),
    }


def game_json(session: Session, language: str) -> Json:
    """What never changes during a game: board, words, options."""
    game, options = session.game, session.options
    return {
        "key": game.key,
        "title": game.texts.say("game.title", language),
        "options": options_said(game, options, language),
        "values": write(options),
        "board": game.board(options).json(),
        "places": place_labels(game, options, language),
        "data": printed(game.key),
        "texts": {
            key: game.texts.table[key][("en", "ru").index(language)]
            for key in game.texts.table
            if key.startswith(FAMILIES)
        },
    }


PRINTED = {
    "bad_bones": ("printed",),
    "dark_cave": ("cards",),
    "whisper": ("map", "killers", "killer_cards", "survivors", "items", "skills", "plans"),
}
"""Data files of the games that say what is printed on pieces and boards, for drawing them."""


@cache
def printed(key: str) -> Json:
    """What is printed in a game's box: known to everybody who has read it."""
    folder = resources.files(f"companion.games.{key}")
    return {name: json.loads((folder / f"{name}.json").read_text("utf-8")) for name in PRINTED.get(key, ())}


def option_text(game: Game, key: str, word: str, language: str) -> str:
    """Names an option or a choice; a bare number or word speaks for itself."""
    return game.texts.say(key, language) if key in game.texts else word


def choice_text(game: Game, option: Option, word: str, language: str) -> str:
    """Names one choice of an option."""
    own = f"choice.{option.name}.{word}"
    return option_text(game, own if own in game.texts else f"choice.{word}", word, language)


def options_said(game: Game, options: Options, language: str) -> list[list[str]]:
    """The options of a game on the table in words: only those that differ from the usual, and the players."""
    words = write(options)
    return [
        [
            option_text(game, f"option.{option.name}", option.name, language),
            choice_text(game, option, words[option.name], language),
        ]
        for option in game.options
        if option.name == "players" or options[option.name] != option.default
    ]


def shelf(language: str) -> list[Json]:
    """The games to choose from, with a form made from their options."""
    return [_form(load(key), language) for key in REGISTRY]


def _form(game: Game, language: str) -> Json:
    fields = []
    for option in game.options:
        words = [write({"": choice})[""] for choice in option.choices]
        fields.append(
            {
                "name": option.name,
                "label": option_text(game, f"option.{option.name}", option.name, language),
                "default": write({"": option.default})[""],
                "rule": option.rule,
                "switch": option.choices == (False, True),
                "choices": [[word, choice_text(game, option, word, language)] for word in words],
            }
        )
    return {
        "key": game.key,
        "title": game.texts.say("game.title", language),
        "about": game.texts.say("game.about", language),
        "fields": fields,
    }


def saved(table: Table, language: str) -> list[Json]:
    """The stored games, newest first. How many actions they hold is not told: hidden ones would count."""
    on_table = 0 if table.session is None else table.session.number
    found = []
    for stored in table.journal.games():
        if stored.game not in REGISTRY:
            continue
        game = load(stored.game)
        found.append(
            {
                "number": stored.id,
                "title": game.texts.say("game.title", language),
                "started": stored.started,
                "options": options_said(game, game.resolve(stored.options), language),
                "on_table": stored.id == on_table,
                "old_rules": stored.rules != game.rules_version,
            }
        )
    return found
