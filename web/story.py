"""What may be told when a game is over: the story step by step, the record, the backup."""

from __future__ import annotations

from typing import Any

from companion.action import PUBLIC, TABLE, Viewer
from companion.errors import GloamError, NotYourSeat
from companion.record import write_record
from companion.session import Session
from companion.state import State
from web import frames
from web.table import Table


class NotOver(GloamError):
    """Only a finished game is told from all sides."""


def demand_over(session: Session) -> None:
    """Raises `NotOver` while the game goes on: its lines hold every secret."""
    if session.update(PUBLIC).view["outcome"] is None:
        raise NotOver("the game is not over")


def steps(table: Table, session: Session, language: str) -> dict[str, Any]:
    """Lists what happened: who did what, from the first action to the last."""
    demand_over(session)
    state = session.game.start(session.options)
    names = [*frames.seat_names(table, session, language)]
    called = frames.Names(session.game, session.options, language)
    lines: list[list[Any]] = []
    for seat, text in session.lines():
        action = state.notation.parse(text)
        who = "" if seat == TABLE else names[seat]
        lines.append([seat, who, frames.tidy(called(session.game.label(state, action, language)))])
        state.apply(seat, action)
    return {"lines": lines, "viewers": [[seat, name] for seat, name in enumerate(names)]}


def step(session: Session, number: int, viewer: Viewer) -> dict[str, Any]:
    """The position after so many actions, as one viewer saw it."""
    demand_over(session)
    if viewer not in session.viewers:
        raise NotYourSeat(f"there is no seat {viewer} at this table")
    game, state = session.game, _after(session, number)
    view = game.view(state, viewer)
    is_seen = frames.sees_board(session, viewer)
    return {
        "view": view,
        "scene": frames.scene_json(game, view),
        "layout": frames.layout_json(game, view) if is_seen else None,
    }


def _after(session: Session, number: int) -> State:
    state = session.game.start(session.options)
    for seat, text in session.lines()[:number]:
        state.apply(seat, state.notation.parse(text))
    return state


def record(session: Session) -> str:
    """The whole game as a text to keep or mail."""
    demand_over(session)
    return write_record(session.game, session.options, session.lines(), session.state().outcome())
