"""Cues: how the events of a game are played out on screens, lamps and speakers, all at the same time.

A game declares a row per kind of event in its `cues.py`: how long it is played, what light and sound go with
it, and which of the event's facts are places. A cue is made from one event and nothing else, so whoever may
not hear of an event gets no cue of it. `Pace` says when each cue begins: one after the other, and never more
than a few seconds behind play, however many events come at once.

>>> rule = CueRule(0.8, "step", "path", RUN)
>>> cue = cue_of(rule, Event("moved", {"prisoner": "red", "from_cell": 3, "cell": 4}))
>>> cue.ways, cue.light, cue.shape, cue.sound
(((3, 4),), 'path', 'run', 'step')
>>> pace = Pace()
>>> [round(begin_s, 2) for begin_s, _ in pace.schedule(10.0, [0.8, 0.8])]
[10.0, 10.8]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.engine.action import Cell
from companion.engine.scene import Glow
from companion.engine.state import Event

ALL, RUN, OUT = "all", "run", "out"
SHAPES = (ALL, RUN, OUT)
"""How light is played: on all places at once, along the way from place to place, or going out."""

SOUNDS = (
    "",
    "step",  # somebody walks
    "card",  # a card is laid, drawn or turned
    "tile",  # cardboard on wood
    "stone",  # something heavy falls or crumbles
    "fall",  # somebody falls into the deep
    "door",
    "key",
    "lock",  # a barricade, a trap that is set
    "wax",  # a candle burns down
    "light",  # a candle is lit again
    "bone",  # a skeleton
    "blade",  # somebody is hit
    "blast",  # an explosion
    "creature",  # something growls
    "coin",  # gold, a purchase
    "dice",
    "noise",  # a noise in another room
    "heart",  # fear
    "hush",  # something happens in secret
    "breath",  # relief, rest
    "turn",  # another player's turn
    "rise",  # it becomes more dangerous
    "won",
    "lost",
    "end",  # the game is over, however it ended
)
"""The sounds that a cue may ask for; every speaker has all of them."""

CLOSE, WHOLE, ENCOUNTER = "close", "whole", "encounter"
SHOWS = ("", CLOSE, WHOLE, ENCOUNTER)
"""How much of the table's screen a cue takes: its place among the rest, the picture drawn close to its
places, or the whole screen with a large picture; an encounter keeps the whole screen until it is over."""

MOST_BEHIND_S = 3.0
"""The end of the last cue is never further away than this."""

LEAST_LIT_S = 0.5
"""Where many things happen at once each is short, but its light stays this long on the lamps."""

Way = tuple[Cell, ...]
Ways = Callable[[Mapping[str, Any]], tuple[Way, ...]]


def along(*facts: str) -> Ways:
    """One way through the places that these facts name, in this order; a fact may name several."""

    def ways(data: Mapping[str, Any]) -> tuple[Way, ...]:
        way: list[Cell] = []
        for fact in facts:
            named = data.get(fact, ())
            way += [named] if isinstance(named, int) else named
        way = [cell for cell in way if cell >= 0]  # -1 is a place beyond the table
        return (tuple(way),) if way else ()

    return ways


def apart(begin: str, ends: str) -> Ways:
    """From one place to each of several others, all at once."""

    def ways(data: Mapping[str, Any]) -> tuple[Way, ...]:
        first = data.get(begin, -1)
        start = (first,) if first >= 0 else ()
        found = tuple((*start, cell) for cell in data.get(ends, ()) if cell >= 0 and cell != first)
        return found or ((start,) if start else ())

    return ways


USUAL = along("from_cell", "cells", "cell")


class CueRule(NamedTuple):
    """How one kind of event is played out."""

    seconds: float
    sound: str = ""
    light: str = ""
    """A meaning of `scene.MEANINGS`, or "" where nothing lights up."""
    shape: str = ALL
    ways: Ways = USUAL
    show: str = ""
    about: str = ""
    """Whose picture is shown large: the fact that names it, or its name itself."""


class Cue(NamedTuple):
    """One event as it is played out."""

    kind: str
    ways: tuple[Way, ...]
    """The places that it happens on: several ways at once, each from its beginning to its end."""
    seconds: float
    light: str
    shape: str
    sound: str
    show: str
    about: str
    """The name of a piece, a card or somebody; "" where the sentence alone is shown."""


class TimedCue(NamedTuple):
    """A cue and when it is played, by the table's clock."""

    cue: Cue
    begin_s: float
    seconds: float

    @property
    def dark_s(self) -> float:
        """When its light has gone: what is over in a blink stays lit long enough to be seen."""
        return self.begin_s + max(self.seconds, LEAST_LIT_S)

    def json(self) -> dict[str, Any]:
        """What a page needs to play it."""
        cue = self.cue
        return {
            "ways": [list(way) for way in cue.ways],
            "seconds": round(self.seconds, 3),
            "begin_s": round(self.begin_s, 3),
            "light": cue.light,
            "shape": cue.shape,
            "sound": cue.sound,
            "show": cue.show,
            "about": cue.about,
        }


def cue_of(rule: CueRule, event: Event) -> Cue:
    """Makes the cue of an event."""
    about = str(event.data.get(rule.about, rule.about))
    ways = rule.ways(event.data)
    return Cue(event.kind, ways, rule.seconds, rule.light, rule.shape, rule.sound, rule.show, about)


class Pace:
    """When the cues of one viewer begin: after those before them, faster the more of them wait."""

    __slots__ = ("busy_until_s",)

    def __init__(self) -> None:
        self.busy_until_s = 0.0

    def schedule(self, now_s: float, durations_s: Sequence[float]) -> list[tuple[float, float]]:
        """Gives each cue its beginning and its length; nothing is left out."""
        begin_s = max(now_s, self.busy_until_s)
        whole_s = sum(durations_s)
        room_s = max(0.0, now_s + MOST_BEHIND_S - begin_s)
        factor = min(1.0, room_s / whole_s) if whole_s else 1.0
        timed = []
        for duration_s in durations_s:
            timed.append((begin_s, duration_s * factor))
            begin_s += duration_s * factor
        self.busy_until_s = begin_s
        return timed

    def play(self, now_s: float, cues: Sequence[Cue]) -> tuple[TimedCue, ...]:
        """Gives each cue its time."""
        times = self.schedule(now_s, [cue.seconds for cue in cues])
        return tuple(TimedCue(cue, *time) for cue, time in zip(cues, times, strict=True))


def glows_at(timed: TimedCue, now_s: float) -> tuple[Glow, ...]:
    """The lights of a cue at a moment; none before it begins and after it ends."""
    cue, begin_s, seconds = timed
    if not cue.light or not seconds or not begin_s <= now_s < timed.dark_s:
        return ()
    share = min(1.0, (now_s - begin_s) / seconds)
    glows: list[Glow] = []
    for way in cue.ways:
        reached = way[: 1 + int(share * len(way))] if cue.shape == RUN else way
        level = (timed.dark_s - now_s) / (timed.dark_s - begin_s) if cue.shape == OUT else 1.0
        glows += (Glow(cell, cue.light, "", -1 - step, level) for step, cell in enumerate(reached))
    return tuple(glows)
