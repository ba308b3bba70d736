"""The last flickers of The Night Cage: what goes when no tile is left, and when no way out is left."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.grid import cells_of
from companion.engine.state import Event, Refusal
from companion.games.night_cage.attacks import CELLS
from companion.games.night_cage.light import IS_GATE, OPEN, PIT
from companion.games.night_cage.movement import Movement

REMOVE = tuple(Action("remove", (cell,)) for cell in CELLS)
SUSTAIN = Action("sustain")


class Flickers(Movement):
    """The part of the rules for an empty stack."""

    __slots__ = ()

    # The last flickers -------------------------------------------------------------------------

    def _removable(self) -> int:
        """NC-FLICKER-05, -06: lit tiles on which nobody stands."""
        free = self.laid & ~self.occupied_mask() & ~self.dirge
        lit = self.lit_mask()
        return free & (lit | self.keepers if self.rules.flicker_unlit_keeper_removable else lit)

    def can_remove(self, seat: Seat, cell: Cell) -> Refusal | None:
        if self._removable() >> cell & 1:
            return None
        if cell in self.cells:
            return Refusal("occupied", (cell,), "NC-FLICKER-05")
        return Refusal("not-removable", (cell,), "NC-FLICKER-06")

    def do_remove(self, seat: Seat, cell: Cell) -> list[Event]:
        """NC-FLICKER-03, -13, -15."""
        self.todo.pop()
        self._clear(cell)
        return self._run([Event("removed", {"cell": cell})])

    def can_sustain(self, seat: Seat) -> Refusal | None:
        if not self.can_spend(self.turn):
            code = "nerve-is-fresh" if self.gained else "no-nerve"
            return Refusal(code, (), "NC-NERVE-04" if self.gained else "NC-NERVE-11")
        return None

    def do_sustain(self, seat: Seat) -> list[Event]:
        """NC-FLICKER-08."""
        self.todo.pop()
        self.nerve[self.turn] -= 1
        return self._run([Event("sustained", {"prisoner": self.name(self.turn)})])

    def _list_flicker(self, prisoner: int) -> list[Action]:
        listed = [REMOVE[cell] for cell in cells_of(self._removable())]
        return [*listed, SUSTAIN] if self.can_spend(prisoner) else listed

    def _is_cut_off(self) -> bool:
        """NC-END-08: whether nobody can win any more on the tiles that are left; late but never wrong.

        While somebody falls the landing decides, so nothing is said then.
        """
        if -1 in self.cells:
            return False
        floods = [self._flood(cell) for cell in set(self.cells)]
        shared, reached = floods[0], 0
        for flood in floods:
            shared &= flood
            reached |= flood
        if not any(IS_GATE[self.tiles[cell]] for cell in cells_of(shared)):
            return True
        return self.keys.bit_count() + self._key_sources(reached) < self.rules.prisoners

    def _flood(self, start: Cell) -> int:
        """The cells that can be reached on foot, or by falling into a pit of a line without bare cells."""
        reached, waiting = 1 << start, [start]
        while waiting:
            here = waiting.pop()
            if self.tiles[here] & PIT:
                near = 0
                for line in self.torus.lines:
                    if line >> here & 1 and not line & ~self.laid:
                        near |= line
            else:
                near = self.torus.light[here][OPEN[self.tiles[here]]] & self.laid
                near &= ~sum(1 << c for c in cells_of(near) if not self.are_joined(here, c))
            near &= ~reached
            reached |= near
            waiting.extend(cells_of(near))
        return reached
