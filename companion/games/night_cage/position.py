"""The board of The Night Cage with its prisoners: what lies where, who lights and who sees what.

`Position` holds the truth and the few changes that everything else is made of: a tile is laid, flipped,
taken away; a prisoner takes a key. What follows from what is in `attacks` and `rules`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, NamedTuple, Self

from companion.engine.action import Cell, Seat
from companion.engine.grid import cells_of
from companion.engine.state import Event, Outcome, State
from companion.games.night_cage.light import (
    CRUMBLES,
    DIRGE_PIT,
    EMPTY,
    IS_GATE,
    IS_PRECIOUS,
    KIND,
    LOOKS,
    OPEN,
    PIT,
    SORTED_AS,
    Passing,
    Torus,
    code_of,
    sight,
)
from companion.games.night_cage.pieces import (
    GATE,
    KEEPER,
    KEY,
    KINDS,
    OMEN,
    PATHLESS,
    PRISONERS,
    SPENT_KEY,
    START,
    WAX,
    SetUp,
)

ORDER = tuple(
    tuple((*range(first, n), *range(first)) for first in range(n)) for n in range(len(PRISONERS) + 1)
)
"""`ORDER[n][first]`: n prisoners in the order of turns."""

NOBODY = -1
"""Who held a key that was taken from a tile in this turn."""

Step = tuple[Any, ...]
"""Something still to do: its name, then what it needs to know. A decision names its prisoner first."""


class Rules(NamedTuple):
    """The options of one game, as the rules ask for them."""

    people: int
    prisoners: int
    colours: tuple[int, ...]
    """The colour of each prisoner, in the order of turns."""
    leaders: tuple[Seat, ...]
    """For two people: who leads each prisoner."""
    stack: SetUp
    passing: Passing
    placements: dict[tuple[Cell, int], int]
    landing_in_los_triggers: bool
    any_fall_out_of_los_triggers: bool
    flicker_same_turn: bool
    flicker_unlit_keeper_removable: bool
    scramble_triggers: bool
    turn_continues_after_landing_on_monster: bool
    relight_state_based: bool
    concede_any_turn: bool
    silent: bool
    shows_burnt: bool
    """Whether the tiles are drawn at the table, so that somebody must see which ones burn."""


class Position(State):
    """What is on the table.

    A prisoner off the board has the cell -1; `lines` is the row (0 to size-1) or column (from size on) beside
    which it falls. `key_from` tells of each prisoner who held its key when the turn began (`NOBODY` if it was
    taken from a tile since). `candles`, `keys` are masks of prisoners; `laid`, `monsters`, `keepers`, `dirge`
    of cells. The tiles that nobody has seen are counted by kind: `top` lies above `rest`; `stack` is how many
    there are, `surroundings` how many of `top`. `burnt` are the kinds that burned since a tile was last drawn
    for the board: people lay them out for the camera. `gates` and `sources` count what is not lost yet.
    `todo` lists what is still to do, the next one last.
    """

    __slots__ = (
        "burnt",
        "candles",
        "cells",
        "dirge",
        "discard",
        "flickers",
        "gained",
        "gates",
        "held",
        "keepers",
        "key_from",
        "keys",
        "laid",
        "lines",
        "monsters",
        "moved",
        "nerve",
        "omens",
        "over",
        "rest",
        "rules",
        "seats",
        "sources",
        "stack",
        "strike",
        "surroundings",
        "tiles",
        "todo",
        "top",
        "turn",
    )

    torus: ClassVar[Torus]

    def __init__(self, rules: Rules) -> None:
        size, prisoners = self.torus.size, rules.prisoners
        self.rules = rules
        self.tiles = bytearray([EMPTY]) * (size * size)
        self.laid = self.monsters = self.keepers = self.dirge = 0
        self.cells = [-1] * prisoners
        self.lines = [-1] * prisoners
        self.candles = (1 << prisoners) - 1
        self.keys = 0
        self.key_from = tuple(range(prisoners))
        self.nerve = [1] * prisoners
        self.seats = self._controllers(0)
        self.turn = 0
        self.gained = self.moved = self.flickers = False
        self.top, self.rest = list(rules.stack.top), list(rules.stack.rest)
        self.surroundings, self.stack = sum(self.top), rules.stack.total
        self.discard = [0] * KINDS
        self.burnt: tuple[int, ...] = ()
        counts = [a + b for a, b in zip(rules.stack.top, rules.stack.rest, strict=True)]
        self.gates = counts[GATE]
        self.sources = counts[KEY] + counts[KEEPER]
        self.omens = 0
        self.held: tuple[int, Cell] | None = None
        self.strike: tuple[Cell, ...] = ()
        self.todo: list[Step] = []
        self.over: Outcome | None = None

    def copy(self) -> Self:
        other = object.__new__(type(self))
        other.rules = self.rules
        other.tiles = self.tiles[:]
        other.laid = self.laid
        other.monsters = self.monsters
        other.keepers = self.keepers
        other.dirge = self.dirge
        other.cells = self.cells[:]
        other.lines = self.lines[:]
        other.candles = self.candles
        other.keys = self.keys
        other.key_from = self.key_from
        other.nerve = self.nerve[:]
        other.seats = self.seats
        other.turn = self.turn
        other.gained = self.gained
        other.moved = self.moved
        other.flickers = self.flickers
        # An upper pack without tiles never changes again.
        other.top = self.top[:] if self.surroundings else self.top
        other.rest = self.rest[:]
        other.surroundings = self.surroundings
        other.stack = self.stack
        other.discard = self.discard[:]
        other.burnt = self.burnt
        other.gates = self.gates
        other.sources = self.sources
        other.omens = self.omens
        other.held = self.held
        other.strike = self.strike
        other.todo = self.todo[:]
        other.over = self.over
        return other

    def _controllers(self, marker: Seat) -> tuple[Seat, ...]:
        """NC-SETUP-02..05, NC-TURN-08: the seat that decides for each prisoner."""
        return {
            1: (0, 0, 0, 0),
            2: self.rules.leaders,
            3: (0, 1, 2, marker),
            4: (0, 1, 2, 3),
            5: (0, 1, 2, 3, 4),
        }[self.rules.people]

    # Questions ---------------------------------------------------------------------------------

    def in_order(self) -> tuple[int, ...]:
        """The prisoners in the order of turns from the active one (NC-HIT-09)."""
        return ORDER[self.rules.prisoners][self.turn]

    def name(self, prisoner: int) -> str:
        """The colour of a prisoner (NC-BOOK-05)."""
        return PRISONERS[self.rules.colours[prisoner]]

    def has_key(self, prisoner: int) -> bool:
        return bool(self.keys >> prisoner & 1)

    def is_lit(self, prisoner: int) -> bool:
        """Says whether the candle burns; a falling prisoner lights nothing all the same."""
        return bool(self.candles >> prisoner & 1)

    def can_spend(self, prisoner: int) -> bool:
        """NC-NERVE-04: a prisoner spends no nerve in the turn in which it gained some."""
        return self.nerve[prisoner] > 0 and not (self.gained and prisoner == self.turn)

    def lit_by(self, prisoner: int) -> int:
        """NC-LIGHT-01..08: the cells that a prisoner lights."""
        cell = self.cells[prisoner]
        if cell < 0 or not self.candles >> prisoner & 1:
            return 0
        return self.torus.light[cell][OPEN[self.tiles[cell]]]

    def lit_mask(self) -> int:
        """NC-LIGHT-06: the cells that anybody lights."""
        mask = 0
        light, tiles, candles = self.torus.light, self.tiles, self.candles
        for prisoner, cell in enumerate(self.cells):
            if cell >= 0 and candles >> prisoner & 1:
                mask |= light[cell][OPEN[tiles[cell]]]
        return mask

    def faced(self, prisoner: int) -> int:
        """NC-LIGHT-11, -12: the empty cells that a prisoner lights."""
        cell = self.cells[prisoner]
        if cell < 0 or not self.candles >> prisoner & 1:
            return 0
        return self.torus.light[cell][OPEN[self.tiles[cell]]] & ~self.laid

    def occupied_mask(self) -> int:
        mask = 0
        for cell in self.cells:
            if cell >= 0:
                mask |= 1 << cell
        return mask

    def are_joined(self, here: Cell, there: Cell) -> bool:
        """NC-TILE-02, NC-KEY-11, NC-CANDLE-11: adjacent and connected, or the same cell."""
        if here == there:
            return True
        direction = self.torus.towards[here].get(there)
        if direction is None:
            return False
        # An empty cell is open to no side.
        ways = OPEN[self.tiles[here]] >> direction & OPEN[self.tiles[there]] >> (direction ^ 2)
        return bool(ways & 1)

    def joined_prisoners(self, prisoner: int) -> list[int]:
        """Those whom a prisoner can reach with a hand: on a connected tile or on the same gate."""
        here = self.cells[prisoner]
        return [
            other
            for other, there in enumerate(self.cells)
            if other != prisoner and here >= 0 and there >= 0 and self.are_joined(here, there)
        ]

    def looks(self, monster: Cell) -> Sequence[int]:
        """NC-MON-03..08: the line of sight of a monster, one mask per direction."""
        return sight(
            self.tiles, self.torus.grid.rays[monster], LOOKS[self.tiles[monster]], self.rules.passing
        )

    def reach(self, monster: Cell) -> Sequence[int]:
        """NC-MON-17, NC-BOSS-05: the attack area of a monster, one mask per direction of the attack.

        The attack of a Pathless comes round the torus from the nearer side, or from both.
        """
        if KIND[self.tiles[monster]] == PATHLESS:
            return self.torus.halves[monster]
        return self.looks(monster)

    def watching(self, cell: Cell) -> tuple[Cell, ...]:
        """The monsters that have a cell in their line of sight."""
        near = self.monsters & self.torus.cross[cell] & ~self.torus.bit[cell]
        if not near:
            return ()
        found = []
        for monster in cells_of(near):
            north, east, south, west = self.looks(monster)
            if (north | east | south | west) >> cell & 1:
                found.append(monster)
        return tuple(found)

    # Changes -----------------------------------------------------------------------------------

    def _lay(self, cell: Cell, code: int) -> None:
        bit = self.torus.bit[cell]
        self.tiles[cell] = code
        self.laid |= bit
        kind = code >> 2
        if kind == KEEPER:
            self.monsters |= bit
            self.keepers |= bit
        elif kind in (WAX, PATHLESS):
            self.monsters |= bit

    def _forget(self, cell: Cell) -> None:
        """Takes a cell out of the masks of monsters."""
        self.monsters &= ~self.torus.bit[cell]
        self.keepers &= ~self.torus.bit[cell]

    def _discard(self, code: int) -> None:
        """NC-TILE-07: a tile leaves the game, and its key or gate with it."""
        self.discard[SORTED_AS[KIND[code]]] += 1
        if IS_PRECIOUS[code]:
            self._lose(code)

    def _clear(self, cell: Cell) -> None:
        """Takes a tile off the board."""
        code = self.tiles[cell]
        self.tiles[cell] = EMPTY
        self.laid &= ~self.torus.bit[cell]
        if self.monsters >> cell & 1:
            self._forget(cell)
        self._discard(code)

    def _flip(self, cell: Cell, *, key_taken: bool = False) -> None:
        """NC-TILE-04: a tile becomes a pit."""
        code = self.tiles[cell]
        self.tiles[cell] = code | PIT
        if self.monsters >> cell & 1:
            self._forget(cell)
        if IS_PRECIOUS[code] and not key_taken:
            self._lose(code)

    def _lose(self, code: int) -> None:
        """NC-TURN-07, NC-END-02..04: counts a lost gate or key and ends the game when it was one too many."""
        if IS_GATE[code]:
            self.gates -= 1
            if not self.gates:
                self._finish("no-gates", "NC-END-02")
        else:
            self.sources -= 1
            if self.sources < self.rules.prisoners:
                self._finish("no-keys", "NC-END-04" if code >> 2 == KEEPER else "NC-END-03")

    def _finish(self, code: str, rule: str) -> None:
        """Ends the game; what came first counts (NC-END-11)."""
        if self.over is None:
            everyone = tuple(range(self.rules.people)) if code == "escaped" else ()
            self.over = Outcome(code, everyone, rule)

    def _sweep(self, events: list[Event]) -> None:
        """NC-LIGHT-09: what is neither lit nor stood on leaves the game; Keepers stay (NC-ADV-09)."""
        lit, keep = 0, self.keepers
        light, tiles, candles = self.torus.light, self.tiles, self.candles
        for prisoner, cell in enumerate(self.cells):
            if cell >= 0:
                keep |= 1 << cell
                if candles >> prisoner & 1:
                    lit |= light[cell][OPEN[tiles[cell]]]
        gone = self.laid & ~(lit | keep)
        if gone & self.dirge:
            gone &= ~self.dirge
            if not lit & self.dirge:
                self._lift_dirge(events)
        if gone:
            swept = list(cells_of(gone))
            for cell in swept:
                self._clear(cell)
            events.append(Event("swept", {"cells": swept}))

    def _lift_dirge(self, events: list[Event]) -> None:
        """NC-BOSS-21: the great pit leaves as a whole."""
        cells = list(cells_of(self.dirge))
        for cell in cells:
            self.tiles[cell] = EMPTY
        self.laid &= ~self.dirge
        self.dirge = 0
        events.append(Event("dirge-left", {"cells": cells}))

    def _crumble(self, cell: Cell, events: list[Event]) -> None:
        """NC-PIT-02, -03, NC-MOVE-11: a crumbling tile becomes a pit."""
        if CRUMBLES[self.tiles[cell]]:
            self._flip(cell)
            events.append(Event("crumbled", {"cell": cell}))

    def _take_key(self, prisoner: int, events: list[Event]) -> None:
        """NC-KEY-02..04, -09: a prisoner without a key takes the one of the key tile underfoot, if any.

        Nobody else could ever use that key, so taking it is always right and nobody is asked (D-41).
        """
        cell = self.cells[prisoner]
        if self.tiles[cell] >> 2 == KEY and not self.has_key(prisoner):
            self.tiles[cell] = code_of(SPENT_KEY)
            self._get_key(prisoner, events)

    def _get_key(self, prisoner: int, events: list[Event]) -> None:
        self.keys |= 1 << prisoner
        self._note_key(prisoner, NOBODY)
        events.append(Event("took-key", {"prisoner": self.name(prisoner), "cell": self.cells[prisoner]}))
        self._win()

    def _note_key(self, prisoner: int, source: int) -> None:
        """Remembers who held a prisoner's key when the turn began."""
        self.key_from = (*self.key_from[:prisoner], source, *self.key_from[prisoner + 1 :])

    def _win(self) -> bool:
        """NC-GATE-03, NC-TURN-06: everybody on one gate, each with a key."""
        prisoners = self.rules.prisoners
        if self.keys != (1 << prisoners) - 1:
            return False
        cell = self.cells[0]
        if cell < 0 or not IS_GATE[self.tiles[cell]] or self.cells.count(cell) != prisoners:
            return False
        self._finish("escaped", "NC-GATE-03")
        return True

    # Invariants --------------------------------------------------------------------------------

    def _in_hand(self) -> Iterable[int]:
        """The kinds of tiles that were drawn and lie nowhere yet."""
        for step in self.todo:
            if step[0] == "put":
                yield step[3]
            elif step[0] == "swap":
                yield step[2]

    def count(self) -> list[int]:
        """Counts every square tile of the set-up by kind, wherever it is."""
        counts = [a + b for a, b in zip(self.top, self.rest, strict=True)]
        for kind, n in enumerate(self.discard):
            counts[kind] += n
        for code in self.tiles:
            if code not in (EMPTY, DIRGE_PIT):
                counts[SORTED_AS[KIND[code]]] += 1
        for kind in self._in_hand():
            counts[kind] += 1
        counts[OMEN] += min(self.omens, 1) + (self.held is not None)
        counts[START] += sum(step[0] == "start" for step in self.todo)
        return counts
