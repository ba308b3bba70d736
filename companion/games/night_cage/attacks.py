"""Monsters: who is woken, who is hit, what burns, who must scramble; Pit Fiends, Omens and the Dirge.

An attack is one event on one picture of the board: its hits become steps of `todo`, and the board changes
only in the aftermath, when all of them are paid.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.action import Action, Cell, Seat
from companion.engine.grid import cells_of
from companion.engine.state import Event, Refusal
from companion.games.night_cage.light import (
    DIRGE_PIT,
    EMPTY,
    HAS_KEY,
    IS_GATE,
    IS_MONSTER,
    KIND,
    OPEN,
    PIT,
    code_of,
)
from companion.games.night_cage.pieces import (
    BLOCKABLE,
    DIRGE,
    FIEND,
    KEEPER,
    MELEE_BURN,
    NAMES,
    OMEN,
    PATHLESS,
    RANGED_BURN,
    WAX,
)
from companion.games.night_cage.position import Position

FILL, STAY, BURN, LAND, BLIND, SCRAMBLE = "fill", "stay", "burn", "land", "blind", "scramble"
"""Why a tile is drawn."""

CELLS = range(49)
REPLACE = tuple(Action("replace", (cell,)) for cell in CELLS)
SCRAMBLE_TO = tuple(Action("scramble", (cell,)) for cell in CELLS)
COVER = tuple(tuple(Action("cover", (cell, turn)) for turn in range(4)) for cell in CELLS)
BLOCK, SUFFER = Action("block"), Action("suffer")
GIVE = tuple(Action("give", (prisoner,)) for prisoner in range(5))
KEEP = Action("keep")

OBSTACLES = {
    "not-adjacent": "NC-BOARD-03",
    "wall": "NC-TILE-03",
    "unlit": "NC-MOVE-05",
    "no-tile-left": "NC-MOVE-07",
    "occupied": "NC-MOVE-02",
    "monster": "NC-MOVE-03",
}
"""What stops a step, and the rule that says so."""


class Attacks(Position):
    """The part of the rules that hurts."""

    __slots__ = ()

    # Attack events -----------------------------------------------------------------------------

    def step_attack(self, events: list[Event], woken: Sequence[Cell]) -> None:
        """NC-MON-16..18, NC-CHAIN: closes the chain reaction on this board and lines up the hits."""
        order = self._chain(woken)
        areas = {}
        for monster in order:
            north, east, south, west = self.reach(monster)
            areas[monster] = north | east | south | west | self.torus.bit[monster]
            events.append(
                Event(
                    "attacked",
                    {
                        "tile": NAMES[KIND[self.tiles[monster]]],
                        "cell": monster,
                        "cells": list(cells_of(areas[monster] & ~self.torus.bit[monster])),
                    },
                )
            )
        self.strike = tuple(order)
        self.todo.append(("aftermath", tuple(order)))
        hits = [
            ("hit", prisoner, KIND[self.tiles[monster]], self.cells[prisoner] == monster)
            for prisoner in self.in_order()
            if self.cells[prisoner] >= 0
            for monster in order
            if areas[monster] >> self.cells[prisoner] & 1
        ]
        self.todo.extend(reversed(hits))

    def _chain(self, woken: Sequence[Cell]) -> list[Cell]:
        """NC-CHAIN-01..03, -08: the monsters that attack, in the order in which they were woken."""
        order = [monster for monster in dict.fromkeys(woken) if self.monsters >> monster & 1]
        for monster in order:  # grows while it is read
            reach = self.reach(monster)
            touched = self.monsters & (reach[0] | reach[1] | reach[2] | reach[3])
            for other in cells_of(touched):
                if other not in order and self._is_roused(other, reach):
                    order.append(other)
        return order

    def _is_roused(self, monster: Cell, reach: Sequence[int]) -> bool:
        """NC-ADV-12: a Keeper does not feel what comes from its rear."""
        code = self.tiles[monster]
        if KIND[code] != KEEPER:
            return True
        rear = code & 3
        return any(reach[d] >> monster & 1 and d ^ 2 != rear for d in range(4))

    def step_hit(self, events: list[Event], prisoner: int, kind: int, melee: bool) -> None:
        """NC-HIT-01..08, NC-NERVE-09: the candle goes out, tiles burn, the victim may block."""
        burn = MELEE_BURN[kind] if melee else RANGED_BURN[kind]
        self.candles &= ~(1 << prisoner)
        events.append(Event("hit", {"prisoner": self.name(prisoner), "tile": NAMES[kind], "n": burn}))
        if burn == BLOCKABLE and self.can_spend(prisoner):
            self.todo.append(("block", prisoner, kind))
        else:
            self._burn(prisoner, burn)

    def _burn(self, prisoner: int, n: int) -> None:
        if n and self.stack:
            self.todo.append(("draw", prisoner, BURN, prisoner, n))

    def can_block(self, seat: Seat) -> Refusal | None:
        return None

    def do_block(self, seat: Seat) -> list[Event]:
        prisoner = self.todo.pop()[1]
        self.nerve[prisoner] -= 1
        self._burn(prisoner, BLOCKABLE - 1)
        return self._run([Event("blocked", {"prisoner": self.name(prisoner)})])

    def can_suffer(self, seat: Seat) -> Refusal | None:
        return None

    def do_suffer(self, seat: Seat) -> list[Event]:
        prisoner = self.todo.pop()[1]
        self._burn(prisoner, BLOCKABLE)
        return self._run([])

    def step_aftermath(self, events: list[Event], attackers: tuple[Cell, ...]) -> None:
        """NC-HIT-11, NC-ADV-20: attackers leave, Keepers underfoot open, the dark sweeps, then scrambles."""
        self.strike = ()
        standing = [prisoner for prisoner in self.in_order() if self.cells[prisoner] >= 0]
        fleeing = [
            prisoner
            for prisoner in standing
            if self.cells[prisoner] in attackers or self.keepers >> self.cells[prisoner] & 1
        ]
        gone = [monster for monster in attackers if KIND[self.tiles[monster]] != KEEPER]
        for monster in gone:
            self._clear(monster)
        if gone:
            events.append(Event("vanished", {"cells": gone}))
        if self.held is not None:
            self.todo.append(("foretell",))
        self.todo.extend(("scrambling", prisoner) for prisoner in reversed(fleeing))
        if attackers:
            self.todo.append(("sweep",))
        opened = dict.fromkeys(
            self.cells[prisoner] for prisoner in fleeing if self.keepers >> self.cells[prisoner] & 1
        )
        self.todo.extend(("unlock", cell) for cell in reversed(opened))
        for cell in opened:
            if all(self.has_key(prisoner) for prisoner in standing if self.cells[prisoner] == cell):
                givers = [p for p in fleeing if self.cells[p] == cell and self._heirs(p)]
                self.todo.extend(("handover", prisoner) for prisoner in givers[:1])

    # Keepers -----------------------------------------------------------------------------------

    def _heirs(self, prisoner: int) -> list[int]:
        """NC-KEY-05: the prisoners to whom one may give its key now."""
        if not self.has_key(prisoner):
            return []
        return [
            other
            for other in self.joined_prisoners(prisoner)
            if not self.has_key(other) and self.turn in (prisoner, other)
        ]

    def _hand(self, giver: int, taker: int, events: list[Event]) -> None:
        """NC-KEY-08, NC-BOOK-03: who gives away a key held since the turn began may take the next at once."""
        source = self.key_from[giver]
        self.keys = self.keys & ~(1 << giver) | 1 << taker
        self._note_key(taker, source)
        events.append(Event("gave-key", {"prisoner": self.name(giver), "to": self.name(taker)}))
        if not self._win() and source == giver:
            self._take_key(giver, events)

    def can_keep(self, seat: Seat) -> Refusal | None:
        return None

    def do_keep(self, seat: Seat) -> list[Event]:
        self.todo.pop()
        return self._run([])

    def step_unlock(self, events: list[Event], cell: Cell) -> None:
        """NC-ADV-16, -17: a Keeper's key goes to who stands there without one; the tile becomes a pit."""
        takers = [p for p in self.in_order() if self.cells[p] == cell and not self.has_key(p)]
        self._flip(cell, key_taken=bool(takers))
        events.append(Event("opened", {"cell": cell}))
        if takers:
            self._get_key(takers[0], events)

    # Steps off a monster -----------------------------------------------------------------------

    def _obstacle(self, here: Cell, sides: int, direction: int, *, blind: bool) -> str:
        """NC-MOVE-01..06, NC-SCR-02..04: what stops a step out of a cell that is open to `sides`."""
        if not sides >> direction & 1:
            return "wall"
        to = self.torus.grid.beside[here][direction]
        code = self.tiles[to]
        if code == EMPTY:
            if not blind:
                return "unlit"
            if to in self.cells:
                return "occupied"
            return "" if self.stack else "no-tile-left"
        back = direction ^ 2
        if not OPEN[code] >> back & 1:
            return "wall"
        if to in self.cells and not IS_GATE[code]:
            return "occupied"
        if IS_MONSTER[code] and not (code >> 2 == KEEPER and code & 3 == back):
            return "monster"
        return ""

    def step_scrambling(self, events: list[Event], prisoner: int) -> None:
        """NC-SCR-01, -06: who stood on a monster must leave, or falls."""
        here = self.cells[prisoner]
        if here < 0:
            return
        if any(not self._obstacle(here, 15, direction, blind=True) for direction in range(4)):
            self.todo.append(("scramble", prisoner))
        else:
            self._drop(events, [prisoner], ())

    def can_scramble(self, seat: Seat, to: Cell) -> Refusal | None:
        here = self.cells[self.todo[-1][1]]
        direction = self.torus.direction(here, to)
        if direction < 0:
            return Refusal("not-adjacent", (here, to), "NC-SCR-01")
        obstacle = self._obstacle(here, 15, direction, blind=True)
        if obstacle:
            rule = {"wall": "NC-SCR-02", "no-tile-left": "NC-SCR-04"}.get(obstacle, "NC-SCR-03")
            return Refusal(obstacle, (here, to), rule)
        return None

    def do_scramble(self, seat: Seat, to: Cell) -> list[Event]:
        prisoner = self.todo.pop()[1]
        events: list[Event] = []
        if self.tiles[to] == EMPTY:
            self.todo.append(("draw", prisoner, SCRAMBLE, prisoner, to))
        else:
            self._flee(events, prisoner, to)
        return self._run(events)

    def _flee(self, events: list[Event], prisoner: int, to: Cell) -> None:
        """NC-SCR-05, -07: steps off; the cell left does not count, its tile is gone or a pit."""
        here = self.cells[prisoner]
        events.append(Event("scrambled", {"prisoner": self.name(prisoner), "from_cell": here, "cell": to}))
        watched = self.rules.scramble_triggers
        self._arrive(events, prisoner, to, (), self.torus.direction(here, to), watched=watched)

    def _arrive(
        self,
        events: list[Event],
        prisoner: int,
        to: Cell,
        seen: tuple[Cell, ...],
        direction: int,
        *,
        watched: bool = True,
    ) -> None:
        """Puts a prisoner on a tile and lets follow what must: victory, fall, key, attacks.

        `seen` are the monsters that saw it leave, `direction` the way it came (-1: from above).
        """
        self.cells[prisoner] = to
        if self._win():
            return
        code = self.tiles[to]
        if code & PIT:
            self._drop(events, [prisoner], seen)
            return
        kind = code >> 2
        if kind == FIEND:
            self._fiend(events, to, seen, stepped=prisoner if direction >= 0 else -1)
            return
        woken = seen
        if kind in (WAX, PATHLESS) or (kind == KEEPER and (direction < 0 or direction ^ 2 != code & 3)):
            woken += (to,)
        if watched:
            woken += self.watching(to)
        if kind == OMEN:
            self.todo.append(("dirge", prisoner, to))
        if prisoner == self.turn:
            self._take_key(prisoner, events)
        if woken or kind == KEEPER:
            self.step_attack(events, woken)

    # Falling -----------------------------------------------------------------------------------

    def _drop(self, events: list[Event], fallers: Sequence[int], woken: tuple[Cell, ...]) -> None:
        """NC-FALL-01..04, -15, -19: pawns leave the board; lines are chosen, then attacks, then the sweep."""
        self.todo.append(("sweep",))
        if woken:
            self.todo.append(("attack", woken))
        for prisoner in reversed(fallers):
            self.todo.append(("fall", prisoner, self.cells[prisoner]))
        for prisoner in fallers:
            events.append(Event("fell", {"prisoner": self.name(prisoner), "cell": self.cells[prisoner]}))
            self.cells[prisoner] = -1

    def _seen_falling(self, fallers: Sequence[int]) -> tuple[Cell, ...]:
        """NC-FALL-16: the monsters that see somebody who is about to fall through no doing of its own."""
        return tuple(
            monster
            for prisoner in fallers
            if self.rules.any_fall_out_of_los_triggers or prisoner == self.turn
            for monster in self.watching(self.cells[prisoner])
        )

    # Pit Fiends --------------------------------------------------------------------------------

    def _fiend(self, events: list[Event], cell: Cell, seen: tuple[Cell, ...] = (), stepped: int = -1) -> None:
        """NC-ADV-21..28, -31: the diagonals and the Fiend itself become pits.

        Who has just stepped onto it counts as seen only where it came from.
        """
        flipped = [c for c in cells_of(self.torus.diagonals[cell] & self.laid) if not self.tiles[c] & PIT]
        fallers = [p for p in self.in_order() if self.cells[p] == cell or self.cells[p] in flipped]
        seen += self._seen_falling([p for p in fallers if p != stepped])
        for flip in (*flipped, cell):
            self._flip(flip)
        events.append(Event("fiend", {"cell": cell, "cells": flipped}))
        self._drop(events, fallers, seen)

    # Omens and the Dirge -----------------------------------------------------------------------

    def step_foretell(self, events: list[Event]) -> None:
        """NC-BOSS-13: the second Omen, burned, comes onto the board beside its victim."""
        if self.held is None:
            return
        prisoner, cell = self.held
        here = self.cells[prisoner] if self.cells[prisoner] >= 0 else cell
        self.todo.append(("omen", prisoner, here))

    def _omen_places(self, here: Cell) -> list[Cell]:
        """The adjacent tiles that the Omen may replace; bare cells only where there is no tile."""
        beside = self.torus.grid.beside[here]
        return [c for c in beside if self.tiles[c] not in (EMPTY, DIRGE_PIT)] or [
            c for c in beside if self.tiles[c] == EMPTY
        ]

    def _replace(self, events: list[Event], here: Cell, cell: Cell, kind: int) -> None:
        """NC-STAY-07, -22: a tile goes, a monster that faces `here` takes its place."""
        if self.tiles[cell] != EMPTY:
            self._clear(cell)
        turn = self.torus.direction(here, cell) if kind in (KEEPER, OMEN) else 0
        self._lay(cell, code_of(kind, turn))
        events.append(Event("replaced", {"cell": cell, "tile": NAMES[kind]}))

    def can_cover(self, seat: Seat, cell: Cell, turn: int) -> Refusal | None:
        omen = self.todo[-1][2]
        covered = self.rules.placements.get((cell, turn))
        if covered is None:
            return Refusal("off-board", (cell,), "NC-BOSS-16")
        if not covered >> omen & 1:
            return Refusal("omen-bare", (cell, omen), "NC-BOSS-16")
        return None

    def do_cover(self, seat: Seat, cell: Cell, turn: int) -> list[Event]:
        """NC-BOSS-16..20: the Dirge comes down."""
        self.todo.pop()
        mask = self.rules.placements[cell, turn]
        covered = [p for p in self.in_order() if self.cells[p] >= 0 and mask >> self.cells[p] & 1]
        # Monsters under the token are gone before those outside attack.
        self.todo.append(("settle", mask, self._seen_falling(covered)))
        for prisoner in reversed(covered):
            self.todo.append(("drop", prisoner))
            self.todo.append(("hit", prisoner, DIRGE, True))
        return self._run([Event("dirge", {"cells": list(cells_of(mask))})])

    def step_drop(self, events: list[Event], prisoner: int) -> None:
        """NC-BOSS-18: a covered prisoner falls; the sweep waits until the token has settled."""
        cell = self.cells[prisoner]
        self.todo.append(("fall", prisoner, cell))
        self.cells[prisoner] = -1
        events.append(Event("fell", {"prisoner": self.name(prisoner), "cell": cell}))

    def step_settle(self, events: list[Event], mask: int, seen: tuple[Cell, ...]) -> None:
        """NC-BOSS-19, -20: what lies under the token is gone, the token is a pit."""
        for cell in cells_of(mask & self.laid):
            self._clear(cell)
        for cell in cells_of(mask):
            self.tiles[cell] = DIRGE_PIT
        self.laid |= mask
        self.dirge = mask
        events.append(Event("dirge-settled", {"cells": list(cells_of(mask))}))
        self.todo.append(("sweep",))
        if seen:
            self.todo.append(("attack", seen))

    def _run(self, events: list[Event]) -> list[Event]:
        raise NotImplementedError

    def _key_sources(self, mask: int) -> int:
        """How many keys the face-up tiles of a mask can still give."""
        return sum(HAS_KEY[self.tiles[cell]] for cell in cells_of(mask))
