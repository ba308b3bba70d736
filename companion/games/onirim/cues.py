"""How the events of Onirim are played out in light and sound: its events name cards, their places follow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.engine.cue import CLOSE, OUT, RUN, WHOLE, CueRule, Way, Ways
from companion.games.onirim.layout import BOARDS

_CELL = {place.name: cell for cell, place in enumerate(BOARDS[2].places)}
"""Where each place lies on the mat; what both mats have lies at the same number."""
_DECK, _REVEAL = _CELL["deck"], _CELL["reveal"]


def _drawn(data: Mapping[str, Any]) -> tuple[Way, ...]:
    """A card comes from the deck."""
    return ((_DECK, _REVEAL),)


def _from_deck(data: Mapping[str, Any]) -> tuple[Way, ...]:
    return ((_DECK,),)


def _to_door(fact: str) -> Ways:
    """A Door comes to its place before whoever has gained it."""

    def ways(data: Mapping[str, Any]) -> tuple[Way, ...]:
        return ((_REVEAL, _CELL[f"door{data['seat'] + 1}.{data[fact][0]}"]),)

    return ways


def _at_door(fact: str) -> Ways:
    return lambda data: tuple(way[1:] for way in _to_door(fact)(data))


CUES: dict[str, CueRule] = {
    "shuffled": CueRule(0.8, "card", "dim", ways=_from_deck),
    "dealt": CueRule(0.25, "card"),
    "picked": CueRule(0.5, "card"),
    "played": CueRule(0.6, "card"),
    "discarded": CueRule(0.5, "card"),
    "swapped": CueRule(0.6, "card"),
    "kept": CueRule(0.2, "card"),
    "declined": CueRule(0.2, "breath"),
    "drew": CueRule(0.4, "card", "path", RUN, _drawn),
    "drew-hidden": CueRule(0.4, "card", "path", ways=_from_deck),
    "drew-shared": CueRule(0.4, "card", "path", ways=_from_deck),
    "set-aside": CueRule(0.5, "hush"),
    "prophecy": CueRule(0.9, "hush", "choose", ways=_from_deck),
    "looked": CueRule(0.3, "card"),
    "looked-hidden": CueRule(0.3, "card"),
    "foresaw": CueRule(0.6, "card"),
    "door-drawn": CueRule(0.8, "door", "progress", RUN, _drawn, CLOSE),
    "opened": CueRule(0.9, "key", "progress", ways=_at_door("door")),
    "door-gained": CueRule(1.6, "door", "safe", RUN, _to_door("door"), WHOLE, "door"),
    "nightmare": CueRule(1.6, "creature", "attack", RUN, _drawn, WHOLE, "NM"),
    "paid-key": CueRule(0.7, "key"),
    "paid-door": CueRule(0.9, "lost", "attack", OUT, _at_door("card")),
    "paid-deck": CueRule(0.6, "stone", "attack", OUT, _from_deck),
    "paid-hand": CueRule(0.7, "stone"),
    "milled": CueRule(0.3, "card", "low", ways=_from_deck),
    "no-door-left": CueRule(0.9, "lost"),
    "unwinnable": CueRule(1.0, "heart"),
    "conceded": CueRule(1.5, "lost"),
    "won": CueRule(2.0, "won"),
    "lost": CueRule(2.0, "lost"),
}
