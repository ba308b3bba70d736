"""What may be told when a game is over: the story, its turning points, the evenings so far, the record."""

from __future__ import annotations

import logging
from collections import Counter
from functools import lru_cache
from typing import Any, NamedTuple

from companion.engine.action import PUBLIC, TABLE, Seat, Viewer
from companion.engine.cue import Pace
from companion.engine.errors import GloamError, NotYourSeat
from companion.engine.state import Event, State
from companion.table.costs import Cost
from companion.table.journal import Journal
from companion.table.labels import SeatNames, seat_names, session_names
from companion.table.people import Device
from companion.table.record import write_record
from companion.table.session import Session, can_continue
from companion.table.table import Table, sees_board
from web import frames
from web.text import TEXTS

log = logging.getLogger(__name__)

TURNING_POINTS = 3
WEIGHT = {"lost": 6, "won": 6, "attack": 4, "pit": 4, "threat": 3, "progress": 3, "safe": 2, "fear": 2}
"""How much an event counts by the light that it is played with: the heaviest are the turning points."""
EVENINGS = 60
"""The most stored games of a kind that are counted, the newest."""


class NotOver(GloamError):
    """Only a finished game is told from all sides."""


def demand_over(session: Session) -> None:
    """Raises `NotOver` while the game goes on: its lines hold every secret."""
    if session.update(PUBLIC).view["outcome"] is None:
        raise NotOver("the game is not over")


def steps(table: Table, session: Session, language: str) -> dict[str, Any]:
    """Lists what happened: who did what, from the first action to the last."""
    demand_over(session)
    names = [*seat_names(table, session, language)]
    actions, named = session_names(session, language).actions, SeatNames(session, names)
    lines: list[list[Any]] = []
    for seat, text in session.lines():
        lines.append([seat, "" if seat == TABLE else names[seat], named(actions[text])])
    return {
        "lines": lines,
        "viewers": [[seat, name] for seat, name in enumerate(names)],
        "turning": turning_points(table, session, language),
        "moves": [Counter(seat for seat, _ in session.lines())[seat] for seat in range(len(names))],
        "evenings": evenings(table, session),
    }


def turning_points(table: Table, session: Session, language: str) -> list[list[Any]]:
    """The steps at which most happened, in their order and well apart, each with its sentence."""
    teller = frames.Teller(table, session, language)
    told: list[tuple[float, int, Event]] = []
    state = session.game.start(session.options)
    for number, (seat, text) in enumerate(session.lines(), 1):
        for event in state.apply(seat, state.notation.parse(text)):
            cue = session.game.cue(event)
            if event.is_for(PUBLIC) and cue.light in WEIGHT:
                told.append((WEIGHT[cue.light] + cue.seconds, number, event))
    apart = max(1, len(session.lines()) // 8)
    chosen: list[tuple[int, Event]] = []
    # Of equals the later one: the end of a game decides more than its beginning.
    for _, number, event in sorted(told, key=lambda one: one[:2], reverse=True):
        if len(chosen) < TURNING_POINTS and all(abs(number - other) >= apart for other, _ in chosen):
            chosen.append((number, event))
    return [[number, teller.event(event)["text"]] for number, event in sorted(chosen, key=lambda one: one[0])]


class Ended(NamedTuple):
    """How a stored game ended."""

    winners: tuple[Seat, ...]


@lru_cache(maxsize=512)
def _ended(journal: Journal, number: int, lines: int) -> Ended | None:
    """How a stored game with that number of lines ended; None where it goes on or cannot be read."""
    try:
        session = Session(journal, number)
    except (GloamError, ValueError) as error:
        log.info("stored game %d is not counted: %s", number, error)
        return None
    outcome = session.state().outcome()
    session.close()
    return None if outcome is None else Ended(tuple(outcome.winners))


def evenings(table: Table, session: Session) -> dict[str, Any]:
    """How the finished games of this kind went so far, in all and for everybody who sits here now."""
    played: Counter[Device] = Counter()
    won: Counter[Device] = Counter()
    games = wins = 0
    kind = [one for one in table.journal.games() if one.game == session.game.key and can_continue(one)]
    for stored in kind[:EVENINGS]:
        ended = _ended(table.journal, stored.id, stored.lines)
        if ended is None:
            continue
        games, wins = games + 1, wins + bool(ended.winners)
        for seat, holder in table.people.holders(stored.id).items():
            played[holder.device] += 1
            won[holder.device] += seat in ended.winners
    sitting = table.people.holders(session.number)
    return {
        "games": games,
        "won": wins,
        "people": [[seat, played[who.device], won[who.device]] for seat, who in sorted(sitting.items())],
    }


def step(table: Table, session: Session, number: int, viewer: Viewer, language: str) -> dict[str, Any]:
    """The position after the first `number` actions, as one viewer saw it.

    The last of them can be played out: `log` has its lines with their cues, which begin at 0 s; `heard` is
    the number of lines before them.
    """
    demand_over(session)
    if viewer not in session.viewers:
        raise NotYourSeat(f"there is no seat {viewer} at this table")
    game = session.game
    state, before, events = _after(session, number, viewer)
    view = game.view(state, viewer)
    is_seen = sees_board(session, viewer)
    teller = frames.Teller(table, session, language)
    return {
        "view": view,
        "scene": frames.scene_json(game, view),
        "layout": frames.layout_json(game, view) if is_seen else None,
        "log": teller.played(events, Pace().play(0.0, [game.cue(event) for event in events])),
        "heard": before,
    }


def _after(session: Session, number: int, viewer: Viewer) -> tuple[State, int, tuple[Event, ...]]:
    """The position after a number of actions, how many events came before the last one's, and the last one's.

    Events are those that a viewer hears of.
    """
    state, heard = session.game.start(session.options), 0
    last: tuple[Event, ...] = ()
    for seat, text in session.lines()[:number]:
        heard += len(last)
        last = tuple(one for one in state.apply(seat, state.notation.parse(text)) if one.is_for(viewer))
    return state, heard, last


def cost_said(table: Table, session: Session, cost: Cost, language: str) -> dict[str, Any]:
    """A move that cost much, in words."""
    names = seat_names(table, session, language)
    actions, named = session_names(session, language).actions, SeatNames(session, names)
    notation = session.game.start(session.options).notation
    said = {
        "name": names[cost.seat],
        "move": named(actions[notation.text(cost.action)]),
        "better": named(actions[notation.text(cost.better)]),
        "n": cost.chances,
        "other": cost.otherwise,
    }
    return {"step": cost.step, "text": TEXTS.say("story.cost", language, said)}


def record(session: Session) -> str:
    """The whole game as a text to keep or mail."""
    demand_over(session)
    return write_record(session.game, session.options, session.lines(), session.state().outcome())
