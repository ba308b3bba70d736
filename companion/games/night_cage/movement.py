"""Moving, passing keys, falling and landing in The Night Cage."""

from __future__ import annotations

from companion.engine.action import Cell, Seat
from companion.engine.grid import cells_of
from companion.engine.state import Event, Refusal
from companion.games.night_cage.attacks import BLIND, LAND, OBSTACLES, Attacks
from companion.games.night_cage.light import EMPTY, IS_GATE, IS_MONSTER, OPEN

_FILLING = frozenset({"foretell", "omen", "dirge", "settle"})
"""The steps that lay an Omen or the Dirge on bare cells even when the stack is empty."""


class Movement(Attacks):
    """The part of the rules that takes prisoners from tile to tile."""

    __slots__ = ()

    # Moving ------------------------------------------------------------------------------------

    def _against_step(self, to: Cell, *, charge: bool) -> Refusal | None:
        here = self.cells[self.turn]
        direction = self.torus.direction(here, to)
        if direction < 0:
            return Refusal("not-adjacent", (here, to), OBSTACLES["not-adjacent"])
        blind = not self.is_lit(self.turn)
        obstacle = self._obstacle(here, OPEN[self.tiles[here]], direction, blind=blind)
        if charge:
            if obstacle == "monster":
                return None
            if not obstacle:
                return Refusal("no-charge", (here, to), "NC-NERVE-16")
        return Refusal(obstacle, (here, to), OBSTACLES[obstacle]) if obstacle else None

    def can_move(self, seat: Seat, to: Cell) -> Refusal | None:
        return self._against_step(to, charge=False)

    def do_move(self, seat: Seat, to: Cell) -> list[Event]:
        return self._set_out(to, 0)

    def can_again(self, seat: Seat, to: Cell) -> Refusal | None:
        if not self.can_spend(self.turn):
            return Refusal("no-nerve", (self.cells[self.turn],), "NC-NERVE-06")
        return self._against_step(to, charge=False)

    def do_again(self, seat: Seat, to: Cell) -> list[Event]:
        return self._set_out(to, 1)

    def _charge_price(self) -> int:
        """NC-NERVE-15: a charge as an extra move costs both tokens."""
        return 2 if self.todo[-1][0] == "again" else 1

    def can_charge(self, seat: Seat, to: Cell) -> Refusal | None:
        if self.nerve[self.turn] < self._charge_price() or self.gained:
            return Refusal("no-nerve", (self.cells[self.turn],), "NC-NERVE-10")
        return self._against_step(to, charge=True)

    def do_charge(self, seat: Seat, to: Cell) -> list[Event]:
        return self._set_out(to, self._charge_price())

    def _set_out(self, to: Cell, price: int) -> list[Event]:
        self.todo.pop()
        self.nerve[self.turn] -= price
        events: list[Event] = []
        if self.tiles[to] == EMPTY:
            self.todo.append(("draw", self.turn, BLIND, self.turn, to))
        else:
            self._go(events, self.turn, to)
        return self._run(events)

    def _go(self, events: list[Event], prisoner: int, to: Cell) -> None:
        """NC-MOVE-11, -12, NC-MON-09: leaves a tile, which may crumble, and arrives on the next."""
        self.todo += (("more",), ("light",))
        here = self.cells[prisoner]
        seen = self.watching(here)
        events.append(Event("moved", {"prisoner": self.name(prisoner), "from_cell": here, "cell": to}))
        self._crumble(here, events)
        self._arrive(events, prisoner, to, seen, self.torus.direction(here, to))

    # Keys --------------------------------------------------------------------------------------

    def _against_passing(self, prisoner: int, other: int, giving: bool) -> Refusal | None:
        """NC-KEY-04..06, NC-BOOK-02: a key passes between connected prisoners as often as they like."""
        giver, taker = (prisoner, other) if giving else (other, prisoner)
        here = tuple(cell for cell in (self.cells[giver], self.cells[taker]) if cell >= 0)
        if not self.has_key(giver):
            return Refusal("no-key", here, "NC-KEY-05")
        if self.has_key(taker):
            return Refusal("one-key-each", here, "NC-KEY-04")
        if other not in self.joined_prisoners(prisoner):
            return Refusal("not-connected", here, "NC-KEY-06")
        return None

    def _of_colour(self, colour: int) -> int:
        """The prisoner of a colour, or -1."""
        colours = self.rules.colours[: self.rules.prisoners]
        return colours.index(colour) if colour in colours else -1

    def can_give(self, seat: Seat, colour: int) -> Refusal | None:
        step, other = self.todo[-1], self._of_colour(colour)
        if other in (step[1], -1):
            return Refusal("nobody", (), "NC-KEY-05")
        if step[0] == "handover":
            if other in self._heirs(step[1]):
                return None
            here = tuple(c for c in (self.cells[step[1]], self.cells[other]) if c >= 0)
            return Refusal("not-connected", here, "NC-ADV-19")
        return self._against_passing(step[1], other, True)

    def do_give(self, seat: Seat, colour: int) -> list[Event]:
        step, other = self.todo[-1], self._of_colour(colour)
        events: list[Event] = []
        if step[0] == "handover":
            self.todo.pop()
        self._hand(step[1], other, events)
        return self._go_on(events)

    def can_receive(self, seat: Seat, colour: int) -> Refusal | None:
        prisoner, other = self.todo[-1][1], self._of_colour(colour)
        if other in (prisoner, -1):
            return Refusal("nobody", (), "NC-KEY-05")
        return self._against_passing(prisoner, other, False)

    def do_receive(self, seat: Seat, colour: int) -> list[Event]:
        events: list[Event] = []
        self._hand(self._of_colour(colour), self.todo[-1][1], events)
        return self._go_on(events)

    def _go_on(self, events: list[Event]) -> list[Event]:
        """After a pass: the same question again, unless nothing is left to ask."""
        if self.todo[-1][0] == "again":
            self.todo[-1] = ("more",)
        return self._run(events)

    # Falling and landing -----------------------------------------------------------------------

    def can_fall(self, seat: Seat, line: int) -> Refusal | None:
        return None

    def do_fall(self, seat: Seat, line: int) -> list[Event]:
        """NC-FALL-03: beside the row or the column of the pit."""
        _, prisoner, cell = self.todo.pop()
        size = self.torus.size
        self.lines[prisoner] = size + cell % size if line else cell // size
        return self._run(
            [Event("falling", {"prisoner": self.name(prisoner), "line": ("row", "column")[line]})]
        )

    def step_landing(self, events: list[Event]) -> None:
        """NC-FALL-06, -13: the prisoner lands where it likes, or is lost where there is no place."""
        if self._landing_cells(self.turn):
            self.todo.append(("land", self.turn))
        else:
            self._finish("lost-in-the-fall", "NC-END-05")

    def _is_lost_falling(self) -> bool:
        """NC-FALL-14, NC-BOOK-04: with an empty stack who would have to land on a bare dark cell is lost.

        Without tiles no line fills up again, so nothing more is asked; only the Dirge may still fill one.
        Who has not chosen between row and column is lost when both are bare.
        """
        if self.held is not None or any(step[0] in _FILLING for step in self.todo):
            return False
        size = self.torus.size
        choosing = (step[2] for step in self.todo if step[0] == "fall")
        falls: list[tuple[int, ...]] = [(cell // size, size + cell % size) for cell in choosing]
        falls += [(line,) for line in self.lines if line >= 0]
        return any(all(self._bare(line) for line in lines) for lines in falls)

    def _bare(self, line: int) -> int:
        """The cells of a line where a tile would have to be laid to land on it."""
        return self.torus.lines[line] & ~self.laid & ~self.lit_mask()

    def _landing_cells(self, prisoner: int) -> list[Cell]:
        bare = self._bare(self.lines[prisoner])
        if bare:
            return list(cells_of(bare))
        return [
            cell
            for cell in cells_of(self.torus.lines[self.lines[prisoner]] & self.laid)
            if cell not in self.cells or IS_GATE[self.tiles[cell]]
        ]

    def can_land(self, seat: Seat, cell: Cell) -> Refusal | None:
        line = self.torus.lines[self.lines[self.turn]]
        if not line >> cell & 1:
            return Refusal("other-line", (cell,), "NC-FALL-03")
        bare = self._bare(self.lines[self.turn])
        if bare:
            return None if bare >> cell & 1 else Refusal("cell-taken", (cell,), "NC-FALL-06")
        if cell in self._landing_cells(self.turn):
            return None
        return Refusal("occupied", (cell,), "NC-FALL-13")

    def do_land(self, seat: Seat, cell: Cell) -> list[Event]:
        self.todo.pop()
        events: list[Event] = []
        if self.tiles[cell] == EMPTY:
            self.todo.append(("draw", self.turn, LAND, self.turn, cell))
        else:
            self._come_down(events, self.turn, cell)
        return self._run(events)

    def _come_down(self, events: list[Event], prisoner: int, cell: Cell) -> None:
        """NC-FALL-07..12, -18, -20: lands, is attacked before it lights, and then goes on with its turn."""
        self.lines[prisoner] = -1
        if IS_MONSTER[self.tiles[cell]] and not self.rules.turn_continues_after_landing_on_monster:
            self.todo[-1] = ("end",)
        self.todo.append(("light",))
        events.append(Event("landed", {"prisoner": self.name(prisoner), "cell": cell}))
        watched = self.rules.landing_in_los_triggers
        self._arrive(events, prisoner, cell, (), -1, watched=watched)
