"""The rules of Nine Men's Morris.

A game is a set of verbs: here a player places, moves or removes a man. For each verb there is a `can_` that
only looks and names the first reason against it, and a `do_` that only acts and tells what happened. What is
still to be done stands on the agenda: steps that run by themselves or wait for a player.
"""

from __future__ import annotations

from typing import ClassVar

from companion.engine.action import Action, Seat, Verb, Words
from companion.engine.agenda import runs, waits
from companion.engine.fields import Fields
from companion.engine.grid import cells_of
from companion.engine.options import Options
from companion.engine.state import Event, Outcome, Refusal, State, no
from nine_mens_morris.pieces import BESIDE, MEN, MILLS_OF, POINTS

CELLS = range(len(POINTS))
EVERYWHERE = (1 << len(POINTS)) - 1
FEWEST = 3
"""A player with fewer men has lost; a player with just these may fly."""
QUIET_MOVES = 50
REPEATED = 3

POINT = Words("point", POINTS)
# Made once: bots and the camera ask for the list of actions thousands of times.
PLACE = tuple(Action("place", (cell,)) for cell in CELLS)
MOVE = tuple(tuple(Action("move", (start, end)) for end in CELLS) for start in CELLS)
REMOVE = tuple(Action("remove", (cell,)) for cell in CELLS)


class Morris(State):
    """A game in progress."""

    # The fields say how each is copied; `copy`, comparing and hashing are made from this.
    declared = Fields(
        shared=("can_fly", "counts_quiet", "counts_seen", "mill", "quiet", "seat", "seen"),
        sliced=("hand", "men"),
    )
    __slots__ = declared.names

    verbs: ClassVar = {"place": Verb(POINT), "move": Verb(POINT, POINT), "remove": Verb(POINT)}
    turn_rule = "NM-TURN-01"
    over_rule = "NM-END-03"

    def __init__(self, options: Options) -> None:
        self.can_fly = bool(options["flying"])
        self.counts_seen = options["draws"] != "fifty"
        self.counts_quiet = options["draws"] != "repetition"
        self.men = [0, 0]
        """The cells on which each side's men stand, as masks."""
        self.hand = [MEN, MEN]
        """Men that each side has yet to place."""
        self.seat: Seat = 0
        """Whose turn it is."""
        self.mill = 0
        """The mill that was just closed, as a mask: its owner removes a man. 0 at any other time."""
        self.quiet = 0
        """Moves since the last mill."""
        self.seen: tuple[tuple[Seat, int, int], ...] = ()
        """Positions since the last man was placed or removed: none before can come again."""
        self.result: Outcome | None = None
        self.todo = [("turn", 0)]
        self.settle([])

    # Placing, moving, removing -----------------------------------------------------------------

    def can_place(self, seat: Seat, cell: int) -> Refusal | None:
        if not self.empty() >> cell & 1:
            return no("occupied", "NM-PLACE-01", cell)
        return None

    def do_place(self, seat: Seat, cell: int) -> list[Event]:
        """NM-PLACE-01, NM-PLACE-02."""
        self.take()
        self.hand[seat] -= 1
        self.men[seat] |= 1 << cell
        self.seen = ()
        return [Event("placed", {"seat": seat, "cell": cell}), *self._arrive(seat, cell)]

    def can_move(self, seat: Seat, start: int, end: int) -> Refusal | None:
        if not self.men[seat] >> start & 1:
            return no("not-yours", "NM-MOVE-01", start)
        if not self.empty() >> end & 1:
            return no("occupied", "NM-MOVE-02", end)
        if not self.ways(seat, start) >> end & 1:
            return no("not-beside", "NM-MOVE-03", start, end)
        return None

    def do_move(self, seat: Seat, start: int, end: int) -> list[Event]:
        """NM-MOVE-01 to -03, NM-FLY-01."""
        self.take()
        self.men[seat] ^= 1 << start | 1 << end
        self.quiet += 1
        return [Event("moved", {"seat": seat, "cell": start, "to_cell": end}), *self._arrive(seat, end)]

    def can_remove(self, seat: Seat, cell: int) -> Refusal | None:
        if not self.men[1 - seat] >> cell & 1:
            return no("not-theirs", "NM-REMOVE-01", cell)
        if not self.removable(1 - seat) >> cell & 1:
            return no("in-a-mill", "NM-REMOVE-02", cell)
        return None

    def do_remove(self, seat: Seat, cell: int) -> list[Event]:
        """NM-REMOVE-01 to -03."""
        self.take()
        self.men[1 - seat] ^= 1 << cell
        self.mill = 0
        self.seen = ()
        return [Event("removed", {"seat": seat, "cell": cell})]

    def _arrive(self, seat: Seat, cell: int) -> list[Event]:
        """NM-MILL-01, NM-MILL-02: whoever closes a mill, or two at once, removes one man."""
        self.push(("turn", 1 - seat))
        for mill in MILLS_OF[cell]:
            if mill & self.men[seat] == mill:
                self.mill |= mill
        if not self.mill:
            return []
        self.quiet = 0
        self.push(("remove", seat))  # comes before the other side's turn
        return [Event("closed", {"seat": seat, "cells": list(cells_of(self.mill))})]

    # What the rules, the view and the bots ask -------------------------------------------------

    def empty(self) -> int:
        """The cells without a man."""
        return EVERYWHERE & ~(self.men[0] | self.men[1])

    def ways(self, seat: Seat, start: int) -> int:
        """Where a man may go: to the next points (NM-MOVE-03), or anywhere when few are left (NM-FLY-01)."""
        flies = self.can_fly and self.men[seat].bit_count() == FEWEST
        return self.empty() if flies else self.empty() & BESIDE[start]

    def in_mills(self, seat: Seat) -> int:
        """A side's men that stand in mills."""
        men = self.men[seat]
        return sum(1 << cell for cell in cells_of(men) if any(mill & men == mill for mill in MILLS_OF[cell]))

    def removable(self, seat: Seat) -> int:
        """A side's men that may be removed: those outside mills, or any if there are none (NM-REMOVE-02)."""
        return self.men[seat] & ~self.in_mills(seat) or self.men[seat]

    # The turn: one step that runs, three that wait ---------------------------------------------

    def begin_turn(self, events: list[Event], seat: Seat) -> None:
        """NM-TURN-01, unless NM-END-01, NM-END-02, NM-DRAW-01 or NM-DRAW-02 ends the game."""
        self.seat = seat
        if self.hand[seat]:
            self.push(("place", seat))
        else:
            self.seen += ((seat, self.men[0], self.men[1]),)
            self.push(("move", seat))
        self.result = self._ending(seat)
        if self.result is not None:
            events.append(Event("ended", {}))

    def _ending(self, seat: Seat) -> Outcome | None:
        if self.men[seat].bit_count() + self.hand[seat] < FEWEST:
            return Outcome("few-men", (1 - seat,), "NM-END-01")
        if self.hand[seat]:
            return None
        if not self.list_moves(seat):
            return Outcome("no-move", (1 - seat,), "NM-END-02")
        if self.counts_seen and self.seen.count(self.seen[-1]) == REPEATED:
            return Outcome("repeated", (), "NM-DRAW-01")
        if self.counts_quiet and self.quiet >= QUIET_MOVES:
            return Outcome("quiet", (), "NM-DRAW-02")
        return None

    def list_places(self, seat: Seat, *facts: int) -> list[Action]:
        return [PLACE[cell] for cell in cells_of(self.empty())]

    def list_moves(self, seat: Seat, *facts: int) -> list[Action]:
        men = cells_of(self.men[seat])
        return [MOVE[start][end] for start in men for end in cells_of(self.ways(seat, start))]

    def list_removals(self, seat: Seat, *facts: int) -> list[Action]:
        return [REMOVE[cell] for cell in cells_of(self.removable(1 - seat))]

    steps: ClassVar = {
        "turn": runs(begin_turn),
        "place": waits("place", lists=list_places, phase="place"),
        "move": waits("move", lists=list_moves, phase="move"),
        "remove": waits("remove", lists=list_removals, phase="remove"),
    }

    def check(self) -> None:
        assert not self.men[0] & self.men[1], "two men on one point"
        for men, hand in zip(self.men, self.hand, strict=True):
            assert 0 <= men <= EVERYWHERE and hand >= 0 and men.bit_count() + hand <= MEN
        assert not self.mill or self.mill & self.men[self.seat] == self.mill, "a mill without its men"
