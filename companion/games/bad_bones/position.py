"""The position of a game of Bad Bones: boards, bag, supplies, and what is still to be done.

While a phase is open every player works on a copy of his own board, and in competitive play the others still
see the board as it was (`shown`): nobody learns a choice before all have made theirs (BB-ROUND-02). What he
sends away waits in his board's `out` and is delivered when the phase is settled (ledger 5.4).
"""

from __future__ import annotations

from typing import Any

from companion.engine.action import Cell, Seat
from companion.engine.fields import Fields
from companion.engine.options import Options
from companion.engine.pool import Pool
from companion.engine.state import Event, Outcome, State, all_but, only
from companion.games.bad_bones.field import Field
from companion.games.bad_bones.modes import ModeRules, mode_of
from companion.games.bad_bones.pieces import (
    BASE_SUPPLY,
    BLACK,
    COOP_SUPPLY,
    EMPEROR,
    FIELD,
    FORM_OF,
    HEARSE,
    HOUSES,
    INWARD,
    IS_WORN,
    ITEMS,
    MAX_PLAYERS,
    MAZE,
    PALISADE,
    PLACES,
    STARTING_SKELETONS,
    TRAP_OF,
    TRAPS,
    TREASURE,
    WEAPONS,
)
from companion.games.bad_bones.printed import ABILITY, KIND_NAMES, KINDS, ORDINARY, PRINTED, TO_ANY
from companion.games.bad_bones.tokens import KIND_OF, LATE, PLACE_OF, STATUS_OF

Fact = tuple[str, dict[str, Any]]
AUDIENCE = tuple(only(seat) for seat in range(MAX_PLAYERS))
OTHERS = tuple(tuple(all_but(n, seat) for seat in range(n)) for n in range(MAX_PLAYERS + 1))
"""Everybody but a seat, by number of players and seat."""
BOARD_PHASES = ("hero", "trap", "march")
"""The phases in which everybody works on his own board at the same time."""


class Position(State):
    """Everything on the table, and who must do what next."""

    declared = Fields(
        shared=(
            *("mode", "shown", "capital", "capital_lost", "round", "marching_to", "busy"),
            *("seat", "draws", "extra", "symbols", "heroic", "lifted", "offer"),
        ),
        sliced=("fields", "told", "cemetery", "common", "box", "boxed", "coins"),
        copied=("bag",),
    )
    __slots__ = declared.names

    turn_rule = "BB-ROUND-01"
    over_rule = "BB-ROUND-03"

    def __init__(self, options: Options) -> None:
        mode = self.mode = mode_of(options)
        players = mode.players
        hero = -1 if mode.coop else mode.side.towers[0]
        towers = frozenset(mode.side.towers)
        houses = 0 if mode.coop else mode.houses
        self.fields = [Field(towers, mode.floors, houses, hero) for _ in range(players)]
        self.shown: list[Field] | None = None
        """The boards as the others see them while choices are covered; None when all is open."""
        self.told: list[tuple[Fact, ...]] = [()] * players
        """What happened on each board in this phase, not yet told to the others."""
        self.bag = Pool(copies(mode))
        self.cemetery: list[tuple[int, ...]] = [()] * players
        self.common = bytearray(len(TRAPS))
        self.lifted: tuple[int, ...] = ()
        """The traps that were lifted together in this phase: they cannot be laid in it (BB-COOP-11)."""
        self.capital = mode.houses if mode.coop else 0
        self.capital_lost = False
        self.box = [0] * len(TRAPS)
        self.boxed: list[int] = []
        self.offer = (0,) * len(ITEMS)
        """How many of each trap and weapon are on offer."""
        self.coins: list[int] = []
        self.round = 1
        self.marching_to = BLACK
        """The colour that all tokens show after the next (or current) march."""
        self.busy: tuple[Seat, ...] = ()
        """The seats that still have something to do in this phase."""
        self.seat: Seat = 0
        """Whose turn it is in set-up, at the market and in the draw."""
        self.draws = STARTING_SKELETONS
        self.extra = 0
        """How many of the draws of set-up a necromancer demands, before the others (BB-BOOK-07)."""
        self.symbols: tuple[int, ...] = ()
        """The symbols that the seat has drawn in set-up, a necromancer's three left out."""
        self.heroic = False
        self.result: Outcome | None = None
        self._fill_supplies()
        self.todo = [("round",), ("market",), ("post",), ("enter",), ("deal",)]
        if not mode.coop:
            self.todo.remove(("post",))
        self.settle([])

    def _fill_supplies(self) -> None:
        mode = self.mode
        if mode.advanced:
            tiles = tiles_in_play(mode)
            tiles[TREASURE] = 0
            self.offer = (*tiles, *(1 for _ in WEAPONS))
            each = PRINTED.coop_coins if mode.coop else PRINTED.coins
            self.coins = [each * mode.players] if mode.coop else [each] * mode.players
        if mode.coop:
            self.common[TREASURE] = 1
            for trap, number in COOP_SUPPLY.items():
                self.common[trap] = 0 if mode.advanced else number * mode.players
        for field in self.fields if not mode.coop else []:
            for trap, number in BASE_SUPPLY.items():
                field.supply[trap] = number if trap == TREASURE or not mode.advanced else 0

    # What is where -----------------------------------------------------------------------------

    def marker(self) -> int:
        """The colour of the phase marker: turned at the start of the march (BB-MOVE-01)."""
        return self.marching_to if self.phase() == "march" else 1 - self.marching_to

    def supply(self, seat: Seat) -> bytearray:
        """The supply that a seat lays from; one for all in cooperative play (BB-COOP-09)."""
        return self.common if self.mode.coop else self.fields[seat].supply

    def on_table(self, cell: Cell) -> tuple[Cell, ...]:
        """The cell, for a refusal to show, if anybody's board has it."""
        return (cell,) if cell < self.mode.players * PLACES else ()

    # What changes them -------------------------------------------------------------------------

    def own(self, seat: Seat) -> Field:
        """Takes a board to change it: a copy that nobody else holds."""
        field = self.fields[seat].copy()
        self.fields[seat] = field
        return field

    def tell(self, seat: Seat, kind: str, facts: dict[str, Any]) -> None:
        """Notes what happened on a board."""
        self.told[seat] += ((kind, facts),)

    def telling(self, seat: Seat, since: int) -> list[Event]:
        """The events of what happened on a board since then, for those who may know it now."""
        audience = AUDIENCE[seat] if self.mode.sealed else None
        return [Event(kind, facts, audience) for kind, facts in self.told[seat][since:]]

    def end(self, outcome: Outcome) -> Event:
        """Ends the game."""
        self.busy = ()
        self.result = outcome
        return Event("ended", {"outcome": outcome.code})

    # Invariants --------------------------------------------------------------------------------

    def check(self) -> None:
        """BB-ROUND-06, BB-ROUND-07, and what can never lie on a board."""
        counts = self.bag.counts[:]
        for kind in self.boxed:
            assert ABILITY[kind] == EMPEROR, KIND_NAMES[kind]
            counts[kind] += 1
        offer = self.offer[: len(TRAPS)]
        tiles = [sum(piles) for piles in zip(self.common, offer, self.box, strict=True)]
        for trap in self.lifted:
            tiles[trap] += 1
        for seat, field in enumerate(self.fields):
            self._check_field(field)
            kinds = [KIND_OF[skeleton] for skeleton in field.tokens]
            for kind in (*kinds, *self.cemetery[seat], *field.slain, *(kind for _, kind in field.out)):
                counts[kind] += 1
            for trap, number in enumerate(field.supply):
                tiles[trap] += number
            for code in field.traps:
                if code:
                    tiles[TRAP_OF[code]] += 1
        assert counts == copies(self.mode), ("BB-ROUND-06", counts)
        assert tiles == tiles_in_play(self.mode), ("BB-ROUND-07", tiles, tiles_in_play(self.mode))
        assert 0 <= self.capital <= self.mode.houses
        assert (self.result is None) == bool(self.waiting)

    def _check_field(self, field: Field) -> None:
        for skeleton in field.tokens:
            place = PLACE_OF[skeleton]
            assert place != field.hero, "BB-HERO-16"
            if place < FIELD:
                assert place not in field.towers, "a skeleton stands in a tower"
                assert TRAP_OF[field.traps[place]] != PALISADE, "BB-PALISADE-08"
            else:
                outward = (INWARD[(place - FIELD) // 5] + 2) % 4
                assert self.mode.side.exits[outward] <= TO_ANY, "no forest there"
        for cell, code in enumerate(field.traps):
            if code:
                assert code < len(FORM_OF) and cell not in field.towers, "BB-TRAP-03"
                assert TRAP_OF[code] not in (TREASURE, MAZE, HEARSE) or not IS_WORN[code], "single-sided"
        assert 0 <= field.floors <= self.mode.floors
        assert 0 <= field.houses <= HOUSES
        if self.phase() not in BOARD_PHASES:
            assert not any(STATUS_OF[skeleton] == LATE for skeleton in field.tokens), "BB-MOVE-07"


def copies(mode: ModeRules) -> list[int]:
    """How many tokens of each kind are in the game (BB-SETUP-02, BB-CMD-01)."""
    kinds = KINDS if mode.commanders else KINDS[:ORDINARY]
    return [kind.copies for kind in kinds]


def tiles_in_play(mode: ModeRules) -> list[int]:
    """How many of each trap the game was started with."""
    if not mode.advanced:
        base = COOP_SUPPLY if mode.coop else BASE_SUPPLY
        tiles = [base.get(trap, 0) * mode.players for trap in range(len(TRAPS))]
    else:
        tiles = list(PRINTED.market[mode.players - 1])
        if not mode.hearse_sold:
            tiles[HEARSE] = 0
    tiles[TREASURE] = 1 if mode.coop else mode.players
    return tiles
