"""The position of a game of The Night Cage: what lies where, who lights and who sees what.

It holds no order of the stack: the tiles that nobody has seen are counted by kind. Beside the questions
stand the few changes that everything else is made of: a tile is laid, flipped, taken away, burned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from companion.engine.action import Cell, Seat
from companion.engine.fields import Fields
from companion.engine.grid import cells_of, mask_of
from companion.engine.state import Event, Outcome, State
from companion.games.night_cage.options import Rules
from companion.games.night_cage.pieces import (
    GATE,
    KEEPER,
    KEY,
    KINDS,
    NERVE_LIMIT,
    OMEN,
    PATHLESS,
    PRISONERS,
    START,
)
from companion.games.night_cage.tiles import (
    CRUMBLES,
    DIRGE_PIT,
    EMPTY,
    ENTERS,
    FACE_UP,
    FLIPPED,
    HAS_KEY,
    IS_GATE,
    IS_KEEPER,
    IS_MONSTER,
    IS_PIT,
    IS_PRECIOUS,
    IS_WATCHFUL,
    KIND,
    LOOKS,
    SORTED_AS,
    WAYS,
)
from companion.games.night_cage.torus import Torus, sight

ORDER = tuple(
    tuple((*range(first, n), *range(first)) for first in range(n)) for n in range(len(PRISONERS) + 1)
)
"""`ORDER[n][first]`: n prisoners in the order of turns."""

_FILLING = frozenset({"put", "foretell", "omen", "dirge", "dirge-settles"})
"""The steps that lay something on bare cells even when the stack is empty."""


class Position(State):
    """Every tile and every prisoner, and who must do what next."""

    declared = Fields(
        shared=(
            *("rules", "candles", "keys", "key_from", "seats", "turn", "gained", "moved", "flickers"),
            *("top", "surroundings", "stack", "burnt", "gates", "sources", "omens", "held", "strike"),
        ),
        sliced=("tiles", "cells", "lines", "nerve", "rest", "discard"),
        derived=("laid", "monsters", "keepers", "dirge"),
    )
    __slots__ = declared.names

    turn_rule = "NC-TURN-01"
    over_rule = "NC-END-01"
    torus: ClassVar[Torus]

    def __init__(self, rules: Rules) -> None:
        size, prisoners = self.torus.size, rules.prisoners
        self.rules = rules
        self.tiles = bytearray([EMPTY]) * (size * size)
        """What lies on each cell, as a code of `tiles`; `laid` and the three that follow are masks of it."""
        self.laid = self.monsters = self.keepers = self.dirge = 0
        self.cells = [-1] * prisoners
        """Where each prisoner stands; -1 off the board."""
        self.lines = [-1] * prisoners
        """The row (0 to size - 1) or column (from size on) beside which a prisoner falls, or -1."""
        self.candles = mask_of(range(prisoners))
        """The prisoners whose candle burns, as a mask; `keys`: those who hold a key."""
        self.keys = 0
        self.key_from = ORDER[prisoners][0]
        """Who held each prisoner's key when the turn began; -1 if it was taken from a tile since."""
        self.nerve = [1] * prisoners
        self.seats = self.controllers(0)
        self.turn = 0
        self.gained = self.moved = self.flickers = False
        self.top, self.rest = list(rules.stack.top), list(rules.stack.rest)
        """The tiles that nobody has seen, by kind; `top`, never changed in place, lies above `rest`."""
        self.surroundings, self.stack = sum(self.top), rules.stack.total
        """How many tiles are in the upper pack, and how many in all."""
        self.discard = [0] * KINDS
        self.burnt: tuple[int, ...] = ()
        """What burned since a tile was last drawn for the board: people lay it out for the camera."""
        self.gates = self.top[GATE] + self.rest[GATE]
        """How many gates, and how many tiles and tokens of keys, are not lost yet."""
        self.sources = _keys_in(self.top) + _keys_in(self.rest)
        self.omens = 0
        self.held: tuple[int, Cell] | None = None
        """The prisoner who burned the second Omen, and where it stood: the Omen waits for its place."""
        self.strike: tuple[Cell, ...] = ()
        """The monsters that attack now."""
        self.result: Outcome | None = None
        self.todo = [("turn", 0), *(("start", prisoner) for prisoner in reversed(range(prisoners)))]
        self.settle([])

    def controllers(self, marker: Seat) -> tuple[Seat, ...]:
        """NC-SETUP-02..05, NC-TURN-08: the seat that decides for each prisoner."""
        return {
            1: (0, 0, 0, 0),
            2: self.rules.leaders,
            3: (0, 1, 2, marker),
            4: (0, 1, 2, 3),
            5: (0, 1, 2, 3, 4),
        }[self.rules.people]

    def settle(self, events: list[Event]) -> list[Event]:
        """Does what needs nobody; then NC-END-05: who falls and can land nowhere any more is lost."""
        State.settle(self, events)
        if not self.stack and -1 in self.cells and self.result is None and self.is_lost_falling():
            self.finish("lost-in-the-fall", "NC-END-05")
            self.waiting = ()
        if self.result is not None:
            events.append(Event("over", {"code": self.result.code}))
        return events

    # Prisoners ---------------------------------------------------------------------------------

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

    def occupied_mask(self) -> int:
        mask = 0
        for cell in self.cells:
            if cell >= 0:
                mask |= 1 << cell
        return mask

    def joined_prisoners(self, prisoner: int) -> list[int]:
        """Those whom a prisoner can reach with a hand: on a connected tile or on the same gate."""
        here = self.cells[prisoner]
        if here < 0:
            return []
        near = self.torus.light[here][self.tiles[here]]
        return [
            other
            for other, there in enumerate(self.cells)
            if there >= 0 and near >> there & 1 and other != prisoner and self.are_joined(here, there)
        ]

    # Light -------------------------------------------------------------------------------------

    def lit_by(self, prisoner: int) -> int:
        """NC-LIGHT-01..08: the cells that a prisoner lights."""
        cell = self.cells[prisoner]
        if cell < 0 or not self.candles >> prisoner & 1:
            return 0
        return self.torus.light[cell][self.tiles[cell]]

    def lit_mask(self) -> int:
        """NC-LIGHT-06: the cells that anybody lights."""
        mask = 0
        light, tiles, candles = self.torus.light, self.tiles, self.candles
        for prisoner, cell in enumerate(self.cells):
            if cell >= 0 and candles >> prisoner & 1:
                mask |= light[cell][tiles[cell]]
        return mask

    def faced(self, prisoner: int) -> int:
        """NC-LIGHT-11, -12: the empty cells that a prisoner lights."""
        cell = self.cells[prisoner]
        if cell < 0 or not self.candles >> prisoner & 1:
            return 0
        return self.torus.light[cell][self.tiles[cell]] & ~self.laid

    def dark_mask(self) -> int:
        """NC-LIGHT-09, NC-ADV-09: the tiles that are neither lit nor stood on, but for Keepers."""
        kept = self.keepers
        light, tiles, candles = self.torus.light, self.tiles, self.candles
        for prisoner, cell in enumerate(self.cells):
            if cell >= 0:
                kept |= light[cell][tiles[cell]] if candles >> prisoner & 1 else 1 << cell
        return self.laid & ~kept

    def bare(self, line: int) -> int:
        """The cells of a line where a tile would have to be laid to land on it."""
        return self.torus.lines[line] & ~self.laid & ~self.lit_mask()

    def is_lost_falling(self) -> bool:
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
        return any(all(self.bare(line) for line in lines) for lines in falls)

    # Ways and sight ----------------------------------------------------------------------------

    def are_joined(self, here: Cell, there: Cell) -> bool:
        """NC-TILE-02, NC-KEY-11, NC-CANDLE-11: adjacent and connected, or the same cell."""
        if here == there:
            return True
        direction = self.torus.towards[here].get(there)
        if direction is None:
            return False
        # An empty cell is open to no side.
        return direction in WAYS[self.tiles[here]] and bool(ENTERS[direction][self.tiles[there]])

    def looks(self, monster: Cell) -> Sequence[int]:
        """NC-MON-03..08: the line of sight of a monster, one mask per direction."""
        return sight(
            self.tiles, self.torus.grid.rays[monster], LOOKS[self.tiles[monster]], self.rules.passing
        )

    def attack_paths(self, monster: Cell) -> list[list[Cell]]:
        """The cells that an attack runs through, nearest first, one list per direction."""
        rays = self.torus.grid.rays[monster]
        return [
            [cell for cell in ray if reached >> cell & 1]
            for ray, reached in zip(rays, self.reach(monster), strict=True)
        ]

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

    # Tiles come and go -------------------------------------------------------------------------

    def lay(self, cell: Cell, code: int) -> None:
        """Lays a tile face up."""
        bit = self.torus.bit[cell]
        self.tiles[cell] = code
        self.laid |= bit
        if IS_WATCHFUL[code]:
            self.monsters |= bit
            if IS_KEEPER[code]:
                self.keepers |= bit

    def forget(self, cell: Cell) -> None:
        """Takes a cell out of the masks of monsters."""
        self.monsters &= ~self.torus.bit[cell]
        self.keepers &= ~self.torus.bit[cell]

    def clear(self, cell: Cell) -> None:
        """Takes a tile off the board."""
        code = self.tiles[cell]
        self.tiles[cell] = EMPTY
        self.laid &= ~self.torus.bit[cell]
        if self.monsters >> cell & 1:
            self.forget(cell)
        self.leave_game(code)

    def flip(self, cell: Cell, *, key_taken: bool = False) -> None:
        """NC-TILE-04: a tile becomes a pit."""
        code = self.tiles[cell]
        self.tiles[cell] = FLIPPED[code]
        if self.monsters >> cell & 1:
            self.forget(cell)
        if IS_PRECIOUS[code] and not key_taken:
            self.lose(code)

    def crumble(self, cell: Cell, events: list[Event]) -> None:
        """NC-PIT-02, -03, NC-MOVE-11: a crumbling tile becomes a pit."""
        if CRUMBLES[self.tiles[cell]]:
            self.flip(cell)
            events.append(Event("crumbled", {"cell": cell}))

    def burn_up(self, kind: int) -> None:
        """A tile of the stack burns."""
        self.leave_game(FACE_UP[kind][0])
        self._show_burnt(kind)

    def hold(self, prisoner: int) -> None:
        """NC-BOSS-13: a burned Omen waits for its place on the board."""
        self.held = prisoner, self.cells[prisoner]
        self._show_burnt(OMEN)

    def _show_burnt(self, kind: int) -> None:
        if self.rules.shows_burnt:
            self.burnt += (kind,)

    def leave_game(self, code: int) -> None:
        """NC-TILE-07: a tile leaves the game, and its key or gate with it."""
        self.discard[SORTED_AS[KIND[code]]] += 1
        if IS_PRECIOUS[code]:
            self.lose(code)

    # The end -----------------------------------------------------------------------------------

    def lose(self, code: int) -> None:
        """NC-TURN-07, NC-END-02..04: counts a lost gate or key and ends the game when it was one too many."""
        if IS_GATE[code]:
            self.gates -= 1
            if not self.gates:
                self.finish("no-gates", "NC-END-02")
        else:
            self.sources -= 1
            if self.sources < self.rules.prisoners:
                self.finish("no-keys", "NC-END-04" if IS_KEEPER[code] else "NC-END-03")

    def win(self) -> bool:
        """NC-GATE-03, NC-TURN-06: everybody on one gate, each with a key."""
        prisoners = self.rules.prisoners
        if self.keys.bit_count() < prisoners:
            return False
        cell = self.cells[0]
        if cell < 0 or not IS_GATE[self.tiles[cell]] or self.cells.count(cell) != prisoners:
            return False
        self.finish("escaped", "NC-GATE-03")
        return True

    def finish(self, code: str, rule: str) -> None:
        """Ends the game; what came first counts (NC-END-11)."""
        if self.result is None:
            everyone = tuple(range(self.rules.people)) if code == "escaped" else ()
            self.result = Outcome(code, everyone, rule)

    # Invariants --------------------------------------------------------------------------------

    def key_sources(self, mask: int) -> int:
        """How many keys the face-up tiles of a mask can still give."""
        return sum(HAS_KEY[self.tiles[cell]] for cell in cells_of(mask))

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

    def check(self) -> None:
        self._check_tiles()
        self._check_prisoners()
        if self.result is None and self.phase() == "act":
            assert not self.stack or not self.lit_mask() & ~self.laid, "a lit cell is bare (NC-LIGHT-18)"
            assert not self.dark_mask() & ~self.dirge, "a tile lies in the dark (NC-LIGHT-09)"

    def _check_tiles(self) -> None:
        expected = [a + b for a, b in zip(self.rules.stack.top, self.rules.stack.rest, strict=True)]
        expected[START] = self.rules.prisoners
        assert self.count() == expected, (self.count(), expected)
        assert all(n >= 0 for n in self.discard)
        assert self.surroundings == sum(self.top) and self.stack == sum(self.top) + sum(self.rest)
        masks = {
            "laid": mask_of(c for c, code in enumerate(self.tiles) if code != EMPTY),
            "monsters": mask_of(c for c, code in enumerate(self.tiles) if IS_WATCHFUL[code]),
            "keepers": mask_of(c for c, code in enumerate(self.tiles) if IS_KEEPER[code]),
            "dirge": mask_of(c for c, code in enumerate(self.tiles) if code == DIRGE_PIT),
        }
        for name, mask in masks.items():
            assert getattr(self, name) == mask, name
        in_hand = sum(kind in (KEY, KEEPER) for kind in self._in_hand())
        unseen = _keys_in(self.top) + _keys_in(self.rest) + in_hand
        assert self.sources == self.keys.bit_count() + self.key_sources(self.laid) + unseen, self.sources

    def _check_prisoners(self) -> None:
        assert all(0 <= nerve <= NERVE_LIMIT for nerve in self.nerve), self.nerve
        for cell in set(self.cells) - {-1}:
            code = self.tiles[cell]
            may_share = IS_GATE[code] or code == EMPTY or IS_PIT[code] or IS_MONSTER[code]
            assert self.cells.count(cell) == 1 or may_share, (cell, self.cells)
        standing = [p for p, cell in enumerate(self.cells) if cell >= 0]
        assert all(self.lines[p] < 0 for p in standing), (self.cells, self.lines)


def _keys_in(counts: Sequence[int]) -> int:
    """The keys that some unseen tiles can give."""
    return counts[KEY] + counts[KEEPER]
