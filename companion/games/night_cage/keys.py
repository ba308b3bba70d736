"""Keys: taken from tiles, passed between prisoners who can reach each other."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.state import Event, Refusal, no
from companion.games.night_cage.pieces import KEY, SPENT_KEY
from companion.games.night_cage.position import Position
from companion.games.night_cage.tiles import FACE, FACE_UP
from companion.games.night_cage.verbs import GIVE, KEEP, RECEIVE

NOBODY = -1
"""Who held a key that was taken from a tile in this turn."""


def take_key(state: Position, prisoner: int, events: list[Event]) -> None:
    """NC-KEY-02..04, -09: a prisoner without a key takes the one of the key tile underfoot, if any.

    Nobody else could ever use that key, so taking it is always right and nobody is asked (D-41).
    """
    cell = state.cells[prisoner]
    if FACE[state.tiles[cell]] == KEY and not state.has_key(prisoner):
        state.tiles[cell] = FACE_UP[SPENT_KEY][0]
        get_key(state, prisoner, events)


def get_key(state: Position, prisoner: int, events: list[Event]) -> None:
    """A prisoner gets a key that nobody held."""
    state.keys |= 1 << prisoner
    _note_source(state, prisoner, NOBODY)
    events.append(Event("took-key", {"prisoner": state.name(prisoner), "cell": state.cells[prisoner]}))
    state.win()


def _note_source(state: Position, prisoner: int, source: int) -> None:
    """Remembers who held a prisoner's key when the turn began."""
    state.key_from = (*state.key_from[:prisoner], source, *state.key_from[prisoner + 1 :])


# Passing ---------------------------------------------------------------------------------------


def heirs(state: Position, prisoner: int) -> list[int]:
    """NC-KEY-05: the prisoners to whom one may give its key now."""
    if not state.has_key(prisoner):
        return []
    return [
        other
        for other in state.joined_prisoners(prisoner)
        if not state.has_key(other) and state.turn in (prisoner, other)
    ]


def _hand_over(state: Position, giver: int, taker: int) -> list[Event]:
    """NC-KEY-08, NC-BOOK-03: who gives away a key held since the turn began may take the next at once."""
    source = state.key_from[giver]
    state.keys = state.keys & ~(1 << giver) | 1 << taker
    _note_source(state, taker, source)
    events = [Event("gave-key", {"prisoner": state.name(giver), "to": state.name(taker)})]
    if not state.win() and source == giver:
        take_key(state, giver, events)
    # The same question comes again, unless nothing is left to ask.
    if state.todo[-1][0] == "again":
        state.take()
        state.push(("more",))
    return events


def _against_passing(state: Position, giver: int, taker: int) -> Refusal | None:
    """NC-KEY-04..06, NC-BOOK-02: a key passes between connected prisoners as often as they like."""
    here = _cells(state, giver, taker)
    if not state.has_key(giver):
        return no("no-key", "NC-KEY-05", *here)
    if state.has_key(taker):
        return no("one-key-each", "NC-KEY-04", *here)
    if taker not in state.joined_prisoners(giver):
        return no("not-connected", "NC-KEY-06", *here)
    return None


def _cells(state: Position, *prisoners: int) -> list[Cell]:
    return [state.cells[prisoner] for prisoner in prisoners if state.cells[prisoner] >= 0]


def _of_colour(state: Position, colour: int) -> int:
    """The prisoner of a colour, or -1."""
    colours = state.rules.colours[: state.rules.prisoners]
    return colours.index(colour) if colour in colours else -1


def list_passes(state: Position, prisoner: int) -> list[Action]:
    """NC-KEY-05: the keys that the active prisoner may give or receive."""
    colours, holds = state.rules.colours, state.has_key(prisoner)
    return [
        (GIVE if holds else RECEIVE)[colours[other]]
        for other in state.joined_prisoners(prisoner)
        if state.has_key(other) != holds
    ]


def can_give(state: Position, seat: Seat, colour: int) -> Refusal | None:
    step, other = state.todo[-1], _of_colour(state, colour)
    prisoner = step[1]
    if other in (prisoner, -1):
        return no("nobody", "NC-KEY-05")
    if step[0] != "handover":
        return _against_passing(state, prisoner, other)
    if other not in heirs(state, prisoner):
        return no("not-connected", "NC-ADV-19", *_cells(state, prisoner, other))
    return None


def do_give(state: Position, seat: Seat, colour: int) -> list[Event]:
    name, prisoner = state.todo[-1]
    if name == "handover":
        state.take()
    return _hand_over(state, prisoner, _of_colour(state, colour))


def can_receive(state: Position, seat: Seat, colour: int) -> Refusal | None:
    prisoner, other = state.todo[-1][1], _of_colour(state, colour)
    if other in (prisoner, -1):
        return no("nobody", "NC-KEY-05")
    return _against_passing(state, other, prisoner)


def do_receive(state: Position, seat: Seat, colour: int) -> list[Event]:
    return _hand_over(state, _of_colour(state, colour), state.todo[-1][1])


# Before a Keeper opens (NC-ADV-19) -------------------------------------------------------------


def can_keep(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_keep(state: Position, seat: Seat) -> list[Event]:
    state.take()
    return []


def list_handover(state: Position, seat: Seat, prisoner: int) -> list[Action]:
    return [*(GIVE[state.rules.colours[other]] for other in heirs(state, prisoner)), KEEP]
