"""Attacks: whom a creature falls upon, the axe that drives it off, and the harm that it does."""

from __future__ import annotations

from companion.engine.action import Action, Seat
from companion.engine.state import Event, Refusal
from companion.games.dark_cave import pieces
from companion.games.dark_cave.cave import NOWHERE, Place, cell_at
from companion.games.dark_cave.gold import lose_nugget
from companion.games.dark_cave.position import Position, replaced
from companion.games.dark_cave.spread import spot
from companion.games.dark_cave.verbs import ENDURE, STRIKE

RAT, LINDWORM, GOBLIN = range(3)


def fall_upon(state: Position, creature: int, place: Place) -> bool:
    """A creature that came to a place attacks all dwarves there, if there are any (DC-CRE-08)."""
    if place not in state.at:
        return False
    victims = tuple(seat for seat in state.in_turn_order() if state.at[seat] == place)
    state.push(*(("threaten", creature, seat) for seat in victims), ("hit", creature, victims))
    return True


def meet(state: Position, seat: Seat, place: Place) -> None:
    """A dwarf that came to a place is attacked by every creature there, alone (DC-CRE-15, DC-CRE-17)."""
    for creature in (GOBLIN, LINDWORM, RAT):
        if state.creatures[creature] == place:
            state.push(("threaten", creature, seat), ("hit", creature, (seat,)))


def threaten(state: Position, events: list[Event], creature: int, seat: Seat) -> None:
    """Who has an axe is asked before the creature attacks (DC-AXE-06)."""
    if state.creatures[creature] != NOWHERE and state.usable_axes(seat):
        state.push(("ask", seat, creature))


def can_strike(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_strike(state: Position, seat: Seat) -> list[Event]:
    """An axe drives a creature off before it attacks anybody (DC-AXE-06 to DC-AXE-08)."""
    _, _, creature = state.take()
    state.use_axe(seat)
    where = spot(cell_at(state.creatures[creature]))
    events = [Event("struck", {"seat": seat, "creature": pieces.CREATURES[creature], **where})]
    remove_creature(state, creature, events)
    return events


def can_endure(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_endure(state: Position, seat: Seat) -> list[Event]:
    """A player keeps the axe."""
    state.take()
    return []


def list_ask(state: Position, seat: Seat, player: Seat, creature: int) -> list[Action]:
    return [STRIKE, ENDURE]


def hit(state: Position, events: list[Event], creature: int, victims: tuple[Seat, ...]) -> None:
    """A creature that nobody drove off does its harm (DC-RAT-02, DC-LIN-02, DC-GOB-02)."""
    if state.creatures[creature] == NOWHERE:
        return
    told = {"creature": pieces.CREATURES[creature], "seats": list(victims)}
    cells = [spot(cell_at(state.at[seat]))["cell"] for seat in victims]
    events.append(Event("attacked", {**told, **spot(cell_at(state.creatures[creature])), "cells": cells}))
    if creature == RAT:
        state.push(*(("rob", seat) for seat in victims))
    elif creature == LINDWORM:
        state.lying |= set(victims)
    else:
        for seat in victims:
            lose_nugget(state, seat, "goblin", events)


def remove_creature(state: Position, creature: int, events: list[Event]) -> None:
    """Takes a creature off the table and discards its card (DC-CRE-11, DC-AXE-07)."""
    drop_card(state, creature)
    cell = cell_at(state.creatures[creature])
    events.append(Event("creature-left", {"creature": pieces.CREATURES[creature], **spot(cell)}))
    state.creatures = replaced(state.creatures, creature, NOWHERE)
    state.behind = replaced(state.behind, creature, NOWHERE)


def drop_card(state: Position, creature: int) -> None:
    """Discards the card by which a creature is in play."""
    holder, name = state.holders[creature], pieces.CREATURES[creature]
    state.drop_front(holder, next(k for k in state.front[holder] if state.cards.deed[k] == name))
    state.holders = replaced(state.holders, creature, -1)
