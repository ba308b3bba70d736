"""What is sent to a page, as JSON: always made from what its viewer may know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.engine.action import PUBLIC, TABLE, Seat, Viewer
from companion.engine.cue import TimedCue
from companion.engine.game import Game, View
from companion.engine.layout import STANDING_KINDS, Piece
from companion.engine.options import write
from companion.engine.state import Event, Reason, State
from companion.table.boxes import doubtful_pieces
from companion.table.hand_steps import NOWHERE, Step
from companion.table.labels import SeatNames, seat_label, seat_names, session_names
from companion.table.people import Device, bot_strength
from companion.table.prompt import ALL_RIGHT, LineOfPlay, Prompt, with_prompt
from companion.table.session import Session
from companion.table.table import Table, sees_board
from web.shelf import options_said
from web.text import TEXTS

Json = dict[str, Any]
COMPARED = 6
"""The most outcomes of chance that are compared to see who gets to know them."""
FAMILIES = ("why.", "word.", "phase.", "seat.", "choice.", "option.", "outcome.", "verb.", "game.")
"""The texts of a game that pages need by key; events, refusals and reasons are said by the server."""
CELLS_SAID = 6
"""The most places that a sentence names; the lights show all."""


class Teller:
    """Says things about one session in one language."""

    def __init__(self, table: Table, session: Session, language: str) -> None:
        self.session = session
        self.language = language
        self._seats = seat_names(table, session, language)
        self._names = session_names(session, language)
        figures = session.game.figures(session.options)
        self._figures = {word: self._seats[seat] for word, seat in figures.items()}

    def played(self, events: Sequence[Event], cues: Sequence[TimedCue]) -> list[Json]:
        """Lines of the log, each with how and when it is played out."""
        return [{**self.event(event), "cue": cue.json()} for event, cue in zip(events, cues, strict=True)]

    def event(self, event: Event) -> Json:
        """One line of the log."""
        if event.kind == "undone":
            return {"kind": "undone", "text": TEXTS.say("log.undone", self.language), "data": {}}
        return {"kind": event.kind, "text": sentence(self._say("event", event)), "data": event.data}

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
        text = game.say(
            family, about, self.language, seats=self._seats, cells=self._names.cells, figures=self._figures
        )
        return self._names.places(text)


def sentence(text: str) -> str:
    """Words with a large letter at the beginning, unless that is a coordinate.

    >>> sentence("the rat attacks Olga."), sentence("c3: the rat.")
    ('The rat attacks Olga.', 'c3: the rat.')
    """
    first = text.partition(" ")[0].rstrip(",.:")
    return text[:1].upper() + text[1:] if first.isalpha() else text


def scene_json(game: Game, view: View, word: Prompt = ALL_RIGHT) -> Json:
    """The lights' meanings, with what the eyes have to say on top."""
    scene = with_prompt(game.scene(view), word)
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


def draws(session: Session) -> list[str]:
    """What real cards or dice may have given, as a page offers it.

    Where what is left would tell what others hold, it is all that there is.
    """
    left, game = session.actions(TABLE), session.game
    verbs = session.state().notation.verbs
    names = {text.split(" ", 1)[0] for text in left}
    if game.is_open(session.options) or not names & game.drawn_from_hidden:
        return left
    return [f"{name} {word}" for name in sorted(names) for word in verbs[name].kinds[0].words]


def moves(table: Table, session: Session, viewer: Viewer, language: str) -> list[Json]:
    """What may be done from a viewer's page: the own seat, or the open seats on the table screen.

    Chance of real cards and dice is told by whoever may know what it gave.
    """
    seats: Iterable[Seat] = table.open_seats(session) if viewer == PUBLIC else (viewer,)
    names = session_names(session, language).actions
    named = SeatNames(session, seat_names(table, session, language))
    found: list[Json] = []
    for seat in [*seats, TABLE]:
        # An open seat that has begun to decide under cover knows better than the public what it must answer.
        verbs = shown_needs(session.update(viewer if seat == TABLE else seat).view, seat)
        if not verbs or (seat == TABLE and not may_tell(session, viewer)):
            continue
        texts = session.actions(seat) if seat != TABLE else draws(session)
        actions = [[text, named(names[text])] for text in texts if text.split(" ", 1)[0] in verbs]
        if actions:
            found.append({"seat": seat, "actions": actions})
    return found


def choices(table: Table, session: Session, viewer: Viewer) -> dict[int, LineOfPlay]:
    """Which of the lines that the eyes offer a page may choose: those of its own seat and of open seats.

    The draws among them must be such as the page may tell: what can be drawn also says what cannot.
    """
    seats = {*table.open_seats(session), TABLE, viewer}
    told: dict[LineOfPlay, bool] = {}
    """Whether the page may tell what chance gave after these actions."""

    def may_choose(line: LineOfPlay) -> bool:
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
    names = session_names(session, language)
    seats = SeatNames(session, seat_names(table, session, language))

    def line_said(line: LineOfPlay) -> str:
        return ", ".join(seats(names.actions[text]) for _, text in line)

    return {
        "code": word.code,
        "text": TEXTS.say(
            word.text,
            language,
            {"cells": list(word.cells[:CELLS_SAID]), "percent": word.percent},
            cells=names.cells,
        ),
        "cells": list(word.cells),
        "reason": None if word.refusal is None else teller.reason("refusal", word.refusal),
        "choices": [[number, line_said(line)] for number, line in choices(table, session, viewer).items()],
        "found": [
            [one.cell, pieces_said(game, one.expected, language), pieces_said(game, one.seen, language)]
            for one in word.found
            if not word.begun
        ],
        "begun": [
            {
                "text": TEXTS.say(
                    "eyes.begun" if one.line else "eyes.begun-open",
                    language,
                    {"line": line_said(one.line)},
                ),
                "steps": [step_said(session, step, language) for step in one.steps],
                "done": [step_said(session, step, language) for step in one.done],
            }
            for one in word.begun
        ],
    }


def step_said(session: Session, step: Step, language: str) -> str:
    """What is to be done with one piece, as a sentence."""
    game, cells = session.game, session_names(session, language).cells
    faces = {face.name: face for face in session.board.faces}
    lies, then = (faces.get(one.face) for one in (step.piece, step.other or step.piece))
    kind, piece = step.kind, step.piece
    if kind == "lay" and lies is not None and lies.kind in STANDING_KINDS:
        kind = "stand"
    elif kind == "exchange" and lies is not None and then is not None:
        kind = "flip" if lies.back == then.name or then.back == lies.name else kind
    elif kind == "move":
        piece = step.other or piece  # turned as it must lie there
    blanks = {
        "place": cells[step.cell],
        "target": "" if step.target == NOWHERE else cells[step.target],
        "piece": pieces_said(game, (piece,), language),
        "other": "" if step.other is None else pieces_said(game, (step.other,), language),
    }
    return TEXTS.say(f"step.{kind}", language, blanks)


def pieces_said(game: Game, pieces: Iterable[Piece], language: str) -> str:
    """Names pieces that lie somewhere, with their turns."""
    said = []
    for face, turn, stack in pieces:
        name = game.texts.say(f"word.{face}", language) if f"word.{face}" in game.texts else face
        name = f"{name} ↻{turn}°" if turn else name
        said.append(f"{name} ×{stack}" if stack > 1 else name)
    return " + ".join(said) or TEXTS.say("eyes.nothing", language)


def frame(table: Table, session: Session, viewer: Viewer, language: str) -> Json:
    """Everything that a page shows of the game now, all of one version."""
    while True:
        update = session.update(viewer)
        actions = moves(table, session, viewer, language)
        if session.update(viewer).version == update.version:
            break
    game, view = session.game, update.view
    if viewer == PUBLIC and table.is_one_screen(session):
        view = game.view(session.state(), game.camera(session.options))
    return {
        "number": session.number,
        "version": update.version,
        "view": view,
        "scene": scene_json(game, view, table.word if sees_board(session, viewer) else ALL_RIGHT),
        "layout": layout_json(game, view) if sees_board(session, viewer) else None,
        "moves": actions,
        "eyes": eyes(table, session, viewer, language),
        "standing": standing(session, view, language),
    }


def standing(session: Session, view: View, language: str) -> list[str]:
    """The notices that every screen shows until the game is over."""
    if view["outcome"] is not None:
        return []
    # Another release may have left a notice that this one has no words for.
    codes = [code if f"standing.{code}" in TEXTS else "other" for code in session.standing]
    return [TEXTS.say(f"standing.{code}", language) for code in codes]


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
            "face": table.people.face(holders[seat].device) if seat in holders else "",
            "taken": seat in holders,
            "bot": seat in holders and bool(bot_strength(holders[seat].device)),
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
            if notice.game == session.number
        ],
        "names": seat_names(table, session, language),
    }


def asked_json(table: Table, device: Device, language: str) -> list[Json]:
    """What a device is asked before a seat of its own moves to another phone."""
    asked, session = table.asked_of(device), table.session
    if session is None:
        return []
    return [
        {
            "seat": seat,
            "text": TEXTS.say(
                "move.asked",
                language,
                {
                    "name": table.people.name(one.device),
                    "seat": seat_label(session.game, session.seats[seat], language),
                },
            ),
            "left_s": one.until_s - table.people.clock(),
        }
        for seat, one in asked.items()
    ]


def game_json(session: Session, language: str) -> Json:
    """What never changes during a game: board, words, options."""
    game, options = session.game, session.options
    return {
        "key": game.key,
        "title": game.texts.say("game.title", language),
        "options": options_said(game, options, language),
        "values": write(options),
        "board": session.board.json(),
        "places": session_names(session, language).cells,
        "data": game.printed,
        "unchecked": sorted(doubtful_pieces(game)),
        "verbs": verbs_json(session.state()),
        "open": game.is_open(options),
        "rules": [] if game.lesson is None else game.lesson.said(language),
        "notes": sorted(game.notes),
        "texts": {
            key: game.texts.table[key][("en", "ru").index(language)]
            for key in game.texts.table
            if key.startswith(FAMILIES)
        },
    }


def verbs_json(state: State) -> Json:
    """What each verb declares for a hand: the roles of its words, and whether its button is held."""
    return {
        name: {
            "roles": [kind.role for kind in verb.kinds],
            "rest": None if verb.rest is None else verb.rest.role,
            "held": verb.held,
        }
        for name, verb in state.notation.verbs.items()
    }


def preview(table: Table, session: Session, viewer: Viewer, seat: Seat, text: str, language: str) -> Json:
    """What an action would bring, ready to be drawn; `secret` where it would reveal something.

    Of an action that is not legal any more, as the position has changed meanwhile, nothing is told either.
    """
    game = session.game
    seen = session.preview(seat, text) if session.refusal(seat, text) is None else None
    if seen is None:
        return {"secret": True}
    view, events = seen
    if viewer == PUBLIC and table.is_one_screen(session):
        state = session.state()
        state.apply(seat, state.notation.parse(text))
        view = game.view(state, game.camera(session.options))
    teller = Teller(table, session, language)
    return {
        "view": view,
        # Whose turn comes next is no consequence worth a warning.
        "log": [teller.event(event) for event in events if game.cue(event).sound != "turn"],
        "scene": scene_json(game, view),
        "layout": layout_json(game, view) if sees_board(session, seat) else None,
    }
