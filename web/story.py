"""What may be told when a game is over: the story step by step, the record, the backup."""

from __future__ import annotations

from typing import Any

from companion.engine.action import PUBLIC, TABLE, Viewer
from companion.engine.errors import GloamError, NotYourSeat
from companion.engine.state import State
from companion.table.labels import seat_names, session_names
from companion.table.record import write_record
from companion.table.session import Session
from companion.table.table import Table, sees_board
from web import frames


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
    actions = session_names(session, language).actions
    lines: list[list[Any]] = []
    for seat, text in session.lines():
        lines.append([seat, "" if seat == TABLE else names[seat], actions[text]])
    return {"lines": lines, "viewers": [[seat, name] for seat, name in enumerate(names)]}


def step(session: Session, number: int, viewer: Viewer) -> dict[str, Any]:
    """The position after so many actions, as one viewer saw it."""
    demand_over(session)
    if viewer not in session.viewers:
        raise NotYourSeat(f"there is no seat {viewer} at this table")
    game, state = session.game, _after(session, number)
    view = game.view(state, viewer)
    is_seen = sees_board(session, viewer)
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
