"""The whole table between the phases: boards, bag, supplies, and how phases begin and end.

While a phase is open every player works on a copy of his own board, and in competitive play the others still
see the board as it was (`shown`): nobody learns a choice before all have made theirs (BB-ROUND-02). What he
sends away waits in his board's `out` and is delivered when the phase is settled (ledger 5.4).
"""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar, Self

from companion.engine.action import TABLE, Cell, Seat
from companion.engine.pool import Pool
from companion.engine.state import Event, Need, Outcome, State, all_but, only
from companion.games.bad_bones.field import (
    BAG,
    BOX,
    LATE,
    Field,
    rested,
    stopped,
    token,
)
from companion.games.bad_bones.pieces import (
    BASE_SUPPLY,
    BLACK,
    CEMETERY,
    COOP_SUPPLY,
    CRATER,
    DRAWS,
    DYNAMITE,
    EMPEROR,
    FIELD,
    FLOORS,
    FORMS,
    GHOST,
    HEARSE,
    HOUSES,
    INWARD,
    MAX_PLAYERS,
    MAZE,
    NECROMANCER,
    PALISADE,
    PLACES,
    RED,
    STARTING_SKELETONS,
    TRAP_OF,
    TRAPS,
    TREASURE,
    WEAPONS,
)
from companion.games.bad_bones.pieces import FORM_OF as FORM
from companion.games.bad_bones.printed import ABILITY, KIND_NAMES, KINDS, ORDINARY, PRINTED, SYMBOL, TYPE
from companion.games.bad_bones.squads import mend
from companion.games.bad_bones.terms import Terms

PHASES = ("setup", "post", "first", "market", "hero", "trap", "march", "draw", "rest", "over")
SETUP, POST, FIRST, MARKET, HERO, TRAP, MARCH, DRAW, REST, OVER = range(10)

HOUSE_POINTS, FLOOR_POINTS = 3, 4
Fact = tuple[str, dict[str, Any]]
AUDIENCE = tuple(only(seat) for seat in range(MAX_PLAYERS))
OTHERS = tuple(tuple(all_but(n, seat) for seat in range(n)) for n in range(MAX_PLAYERS + 1))
"""Everybody but a seat, by number of players and seat."""


def score(field: Field) -> int:
    """What a board and its supply are worth (BB-SCORE-01…05)."""
    points = FLOOR_POINTS * field.floors + HOUSE_POINTS * field.houses
    for trap, number in enumerate(field.supply):
        points += number * PRINTED.stars[trap][0]
    for code in field.traps:
        if code:
            points += PRINTED.stars[TRAP_OF[code]][1 - code % 2]
    return points


@cache
def _kinds_without(symbols: int, kinds: int) -> tuple[int, ...]:
    return tuple(kind for kind in range(kinds) if not symbols >> SYMBOL[kind] & 1)


class Table(State):
    """Everything on the table, and the settling of phases. The verbs are in the classes built on it."""

    __slots__ = (
        "bag",
        "box",
        "boxed",
        "busy",
        "capital",
        "capital_lost",
        "cemetery",
        "coins",
        "common",
        "draws",
        "extra",
        "fields",
        "first",
        "heroic",
        "lap",
        "lifted",
        "marching_to",
        "now",
        "offer",
        "passed",
        "phase",
        "result",
        "round",
        "seat",
        "shown",
        "symbols",
        "terms",
        "told",
        "weapons",
    )

    turn_rule: ClassVar[str] = "BB-ROUND-01"
    over_rule: ClassVar[str] = "BB-ROUND-03"

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        side, players = terms.side, terms.players
        floors = 1 if terms.solo else FLOORS
        houses = 0 if terms.coop else 1 if terms.solo else HOUSES
        hero = -1 if terms.coop else side.towers[0]
        self.fields = [Field(side.tower_mask, floors, houses, hero) for _ in range(players)]
        self.shown: list[Field] | None = None
        """The boards as the others see them while choices are covered; None when all is open."""
        self.told: list[tuple[Fact, ...]] = [()] * players
        """What happened on each board in this phase, not yet told to the others."""
        self.bag = Pool(self.copies())
        self.cemetery: list[tuple[int, ...]] = [()] * players
        self.common = bytearray(len(TRAPS))
        self.lifted = bytearray(len(TRAPS))
        self.capital = players if terms.coop else 0
        self.capital_lost = False
        self.box = [0] * len(TRAPS)
        self.boxed: list[int] = []
        self.offer = [0] * len(TRAPS)
        self.weapons = 0
        """The weapons on offer, as a mask."""
        self.coins: list[int] = []
        self.first = 0
        self.lap = 0
        self.passed = 0
        """The seats that passed in this lap, or in cooperative play since the last purchase, as a mask."""
        self.phase = SETUP
        self.round = 1
        self.marching_to = BLACK
        """The colour that all tokens show after the next (or current) march."""
        self.busy = 0
        """The seats that still have something to do in this phase, as a mask."""
        self.seat: Seat = 0
        """Whose turn it is in set-up, at the market and in the draw."""
        self.draws = STARTING_SKELETONS
        self.extra = 0
        """How many of the draws of set-up a necromancer demands, before the others (BB-BOOK-07)."""
        self.symbols = 0
        """The symbols that the seat has drawn in set-up, a necromancer's three left out, as a mask."""
        self.heroic = False
        self.result: Outcome | None = None
        self.now: tuple[Need, ...] = ()
        self._fill_supplies()
        self.renew()

    def _fill_supplies(self) -> None:
        terms = self.terms
        if terms.advanced:
            column = PRINTED.market[terms.players - 1]
            self.offer = list(column)
            if not terms.hearse_sold:
                self.offer[HEARSE] = 0
            self.weapons = (1 << len(WEAPONS)) - 1
            each = PRINTED.coop_coins if terms.coop else PRINTED.coins
            self.coins = [each * terms.players] if terms.coop else [each] * terms.players
        if terms.coop:
            self.common[TREASURE] = 1
            for trap, number in COOP_SUPPLY.items():
                self.common[trap] = 0 if terms.advanced else number * terms.players
        for field in self.fields if not terms.coop else []:
            for trap, number in BASE_SUPPLY.items():
                field.supply[trap] = number if trap == TREASURE or not terms.advanced else 0

    def copy(self) -> Self:
        other = type(self).__new__(type(self))
        other.terms = self.terms
        other.fields = self.fields[:]
        other.shown = self.shown
        other.told = self.told[:]
        other.bag = self.bag.copy()
        other.cemetery = self.cemetery[:]
        other.common = self.common[:]
        other.lifted = self.lifted[:]
        other.capital = self.capital
        other.capital_lost = self.capital_lost
        other.box = self.box[:]
        other.boxed = self.boxed[:]
        other.offer = self.offer[:]
        other.weapons = self.weapons
        other.coins = self.coins[:]
        other.first = self.first
        other.lap = self.lap
        other.passed = self.passed
        other.phase = self.phase
        other.round = self.round
        other.marching_to = self.marching_to
        other.busy = self.busy
        other.seat = self.seat
        other.draws = self.draws
        other.extra = self.extra
        other.symbols = self.symbols
        other.heroic = self.heroic
        other.result = self.result
        other.now = self.now
        return other

    # Looking -----------------------------------------------------------------------------------

    def needs(self) -> tuple[Need, ...]:
        return self.now

    def outcome(self) -> Outcome | None:
        return self.result

    def marker(self) -> int:
        """The colour of the phase marker: turned at the start of the march (BB-MOVE-01)."""
        return self.marching_to if self.phase == MARCH else 1 - self.marching_to

    def supply(self, seat: Seat) -> bytearray:
        """The supply that a seat lays from; one for all in cooperative play (BB-COOP-09)."""
        return self.common if self.terms.coop else self.fields[seat].supply

    def points(self, seat: Seat) -> int:
        """The score of a seat, eliminated or not."""
        return score(self.fields[seat])

    def copies(self) -> list[int]:
        """How many tokens of each kind are in the game (BB-SETUP-02, BB-CMD-01)."""
        kinds = KINDS if self.terms.commanders else KINDS[:ORDINARY]
        return [kind.copies for kind in kinds]

    def full_floors(self) -> int:
        return 1 if self.terms.solo else FLOORS

    def full_houses(self) -> int:
        return self.terms.players if self.terms.coop else 1 if self.terms.solo else HOUSES

    def on_table(self, cell: Cell) -> tuple[Cell, ...]:
        """The cell, for a refusal to show, if anybody's board has it."""
        return (cell,) if cell < self.terms.players * PLACES else ()

    # Working on one board ----------------------------------------------------------------------

    def own(self, seat: Seat) -> Field:
        """Takes a board to change it: a copy that nobody else holds."""
        field = self.fields[seat].copy()
        self.fields[seat] = field
        return field

    def tell(self, seat: Seat, fact: Fact) -> None:
        """Notes what happened on a board."""
        self.told[seat] += (fact,)

    def telling(self, seat: Seat, since: int) -> list[Event]:
        """The events of what happened on a board since then, for those who may know it now."""
        audience = AUDIENCE[seat] if self.terms.sealed else None
        return [Event(kind, data, audience) for kind, data in self.told[seat][since:]]

    # Phases ------------------------------------------------------------------------------------

    def open_phase(self, phase: int, busy: int) -> None:
        """Begins a phase in which the seats of `busy` act at the same time (BB-ROUND-02)."""
        self.phase = phase
        self.busy = busy
        self.shown = self.fields[:] if self.terms.sealed else None

    def settle(self, taken: bool = False) -> list[Event]:
        """Ends a phase on all boards: traps wear, what was sent arrives (ledger 5.1).

        `taken` says that the boards have been taken to change them by this same action.
        """
        events = self._reveal()
        self.shown = None
        self.told = [()] * self.terms.players
        marched = self.phase == MARCH
        if marched or any(field.is_touched() for field in self.fields):
            if not taken:
                self.fields = [field.copy() for field in self.fields]
            self._settle_boards(marched, events)
        if marched:
            self.marching_to = 1 - self.marching_to
        elif self.phase == TRAP and self.terms.coop:
            for trap, number in enumerate(self.lifted):
                self.common[trap] += number
                self.lifted[trap] = 0
        return events

    def _settle_boards(self, marched: bool, events: list[Event]) -> None:
        fields = self.fields
        for seat, field in enumerate(fields):
            if marched:
                self._sabotage(seat, field, events)
                self._steal(seat, field, events)
            self._wear(seat, field, fields, events)
        self._clear_boards()
        for field in fields if marched else ():
            field.tokens = rested(field.tokens)

    def _clear_boards(self) -> None:
        """What was sent away or slain arrives where it goes, and the deeds of the phase are forgotten."""
        for seat, field in enumerate(self.fields):
            for kind in field.slain:
                destination = seat if ABILITY[kind] == GHOST else BAG
                field.out.append(destination * 64 + kind)
            for packed in field.out:
                self._deliver(packed >> 6, packed & 63)
            field.clear()

    def break_off(self, seat: Seat) -> list[Event]:
        """Ends a phase at once, in the middle of it: what the others have done under cover is not played.

        Everything else stays as it lies, the unmoved tokens unmoved (BB-BOOK-09).
        """
        if self.shown is not None:
            self.fields = [field if i == seat else self.shown[i] for i, field in enumerate(self.fields)]
            self.told = [facts if i == seat else () for i, facts in enumerate(self.told)]
        events = self._reveal()
        self.shown = None
        self.told = [()] * self.terms.players
        self.fields = [field.copy() for field in self.fields]
        self._clear_boards()
        if self.phase == MARCH:
            self.marching_to = 1 - self.marching_to
            for field in self.fields:
                field.tokens = stopped(field.tokens)
        return events

    def _reveal(self) -> list[Event]:
        """Tells everybody what the others did under cover."""
        if self.shown is None:
            return []
        open_march = self.phase == MARCH and not any(field.asked for field in self.fields)
        events = []
        for seat, facts in enumerate(self.told):
            audience = None if open_march else OTHERS[self.terms.players][seat]
            events += [Event(kind, data, audience) for kind, data in facts]
        return events

    def _deliver(self, where: int, kind: int) -> None:
        if where == BAG:
            self.bag.put_back(kind)
        elif where == BOX:
            self.boxed.append(kind)
        else:
            self.cemetery[where] += (kind,)

    def _sabotage(self, seat: Seat, field: Field, events: list[Event]) -> None:
        """Traps that a saboteur ran into are removed, and he returns to the bag (BB-CMD-32…35)."""
        if not field.met:
            return
        for cell in range(FIELD):
            if not field.wrecked >> cell & 1:
                continue
            code = field.traps[cell]
            trap = TRAP_OF[code]
            if trap == DYNAMITE:
                continue
            field.traps[cell] = 0
            field.hits &= ~(1 << cell)
            self.box[trap] += 1
            events.append(
                Event("sabotaged", {"seat": seat, "cell": seat * PLACES + cell, "trap": TRAPS[trap]})
            )
        stay = [s for s in field.tokens if not field.met >> (s >> 4 & 63) & 1]
        away = [p for p in field.out if not field.met >> (p & 63) & 1]
        slain = [k for k in field.slain if not field.met >> k & 1]
        field.tokens, field.slain = stay, slain
        mend(field)
        field.out = away + [BAG * 64 + kind for kind in range(64) if field.met >> kind & 1]

    def _steal(self, seat: Seat, field: Field, events: list[Event]) -> None:
        """Skeletons on the treasure steal it; beside a hero there none would stand (BB-TREASURE-08)."""
        cell = field.treasure()
        if cell >= 0 and field.on(cell):
            field.traps[cell] = 0
            self.box[TREASURE] += 1
            events.append(Event("stolen", {"seat": seat, "cell": seat * PLACES + cell}))

    def _wear(self, seat: Seat, field: Field, fields: list[Field], events: list[Event]) -> None:
        """Every triggered trap wears one step, the hearse moves on (BB-TRAP-15…17, BB-HEARSE-03)."""
        hits = field.hits & ~field.fresh
        for cell in range(FIELD) if hits else ():
            if not hits >> cell & 1:
                continue
            code = field.traps[cell]
            trap = TRAP_OF[code]
            where = {"seat": seat, "cell": seat * PLACES + cell, "trap": TRAPS[trap]}
            if trap == HEARSE:
                field.traps[cell] = 0
                target = field.targets[cell]
                home = self.common if self.terms.coop else fields[target].supply
                home[HEARSE] += 1
                events.append(Event("hearse-left", where | {"to_seat": target}))
            elif trap == DYNAMITE:
                field.traps[cell] = CRATER
                events.append(Event("cratered", where))
            elif code % 2:
                field.traps[cell] = code + 1
                events.append(Event("worn", where))
            else:
                field.traps[cell] = 0
                self.box[trap] += 1
                events.append(Event("destroyed", where))

    # Draws -------------------------------------------------------------------------------------

    def barred_symbols(self) -> int:
        """The symbols that go back when the seat draws them in set-up, as a mask (BB-SETUP-08, -09).

        One of each symbol is wanted; the three that a necromancer brings come on top of them.
        """
        barred = 0 if self.terms.coop else 1 << RED
        if self.terms.distinct and not self.extra:
            barred |= self.symbols
        return barred

    def drawable(self) -> tuple[int, ...]:
        """The kinds that stay when the seat draws them in set-up."""
        kinds = len(self.bag.counts)
        if self.terms.redraw_commanders:
            kinds = ORDINARY
        return _kinds_without(self.barred_symbols(), kinds)

    def rule_against(self, kind: int) -> str:
        """The rule by which a drawn token goes back, or "" (BB-SETUP-08, -09, BB-COOP-06, BB-CMD-04)."""
        if self.phase != SETUP:
            return ""
        if ABILITY[kind] and self.terms.redraw_commanders:
            return "BB-CMD-04"
        if not self.barred_symbols() >> SYMBOL[kind] & 1:
            return ""
        if self.terms.coop:
            return "BB-COOP-06"
        return "BB-SETUP-08" if SYMBOL[kind] == RED else "BB-SETUP-09"

    def take_draw(self, kind: int) -> list[Event]:
        """Puts a drawn token on the cemetery of the seat that draws (BB-NEW-01, BB-CMD-07…09)."""
        self.bag.take(kind)
        self.cemetery[self.seat] += (kind,)
        self.draws -= 1
        if self.extra:
            self.extra -= 1
        elif self.phase == SETUP:
            self.symbols |= 1 << SYMBOL[kind]
        events = [Event("drew", {"seat": self.seat, "skeleton": KIND_NAMES[kind]})]
        if ABILITY[kind] == NECROMANCER:
            self.draws += DRAWS
            self.extra += DRAWS if self.phase == SETUP else 0
            events.append(Event("necromancer", {"seat": self.seat, "n": DRAWS}))
        return events

    def place_all(self) -> list[Event]:
        """Every cemetery empties into the forest around its own board (BB-NEW-02…05)."""
        events = []
        spots = self.terms.side.spots
        for seat in range(self.terms.players):
            if not self.cemetery[seat]:
                continue
            field = self.own(seat)
            kinds = self.cemetery[seat]
            entered = [ENTRY[spots[TYPE[kind]]] | kind << 4 for kind in kinds]
            self.cemetery[seat] = ()
            field.tokens = sorted(field.tokens + entered)
            cells = [seat * PLACES + (skeleton >> 10) for skeleton in entered]
            names = [KIND_NAMES[kind] for kind in kinds]
            events.append(Event("entered", {"seat": seat, "skeletons": names, "cells": cells}))
        return events

    # Needs -------------------------------------------------------------------------------------

    def renew(self) -> None:
        """Works out who must act now."""
        if self.phase == OVER:
            self.now = ()
        elif self.phase in (SETUP, DRAW):
            self.now = DRAW_NEED
        elif self.phase == FIRST:
            self.now = FIRST_NEED
        elif self.phase == MARKET and not self.terms.coop:
            self.now = MARKET_NEED[self.seat]
        elif self.busy:
            self.now = PHASE_NEEDS[self.phase][self.busy]
            for field in self.fields:
                if field.ask is not None:
                    self.now = tuple(self._need(need.seat) for need in self.now)
                    break
        else:
            self.now = REVEAL_NEED

    def _need(self, seat: Seat) -> Need:
        """The need of a seat, which may have a choice to make inside its phase."""
        field = self.fields[seat]
        if field.ask is None:
            return PHASE_NEED[self.phase][seat]
        verb = field.ask.verb
        if verb == "march":
            return Need(seat, ("march", "auto"))
        if verb == "weapon":
            return Need(seat, (self.weapon_verb(field), "decline"))
        return Need(seat, (verb,))

    def weapon_verb(self, field: Field) -> str:
        """The verb that uses the weapon of a seat."""
        verb = WEAPON_VERBS[field.weapon]
        return "freeze-all" if verb == "freeze" and self.terms.pegasus else verb

    # Invariants --------------------------------------------------------------------------------

    def check(self) -> None:
        counts = self.bag.counts[:]
        for kind in self.boxed:
            assert ABILITY[kind] == EMPEROR, KIND_NAMES[kind]
            counts[kind] += 1
        tiles = [number + self.offer[i] + self.box[i] for i, number in enumerate(self.common)]
        tiles = [number + self.lifted[i] for i, number in enumerate(tiles)]
        for seat, field in enumerate(self.fields):
            self._check_field(field)
            for skeleton in field.tokens:
                counts[skeleton >> 4 & 63] += 1
            for kind in (*self.cemetery[seat], *field.slain, *(packed & 63 for packed in field.out)):
                counts[kind] += 1
            for trap, number in enumerate(field.supply):
                tiles[trap] += number
            for code in field.traps:
                if code:
                    tiles[TRAP_OF[code]] += 1
        assert counts == self.copies(), ("BB-ROUND-06", counts)
        assert tiles == self.tiles_in_play(), ("BB-ROUND-07", tiles, self.tiles_in_play())
        assert 0 <= self.capital <= max(self.full_houses(), 0)
        assert (self.result is None) == bool(self.now)

    def tiles_in_play(self) -> list[int]:
        """How many of each trap the game was started with."""
        terms = self.terms
        if not terms.advanced:
            base = COOP_SUPPLY if terms.coop else BASE_SUPPLY
            tiles = [base.get(trap, 0) * terms.players for trap in range(len(TRAPS))]
        else:
            tiles = list(PRINTED.market[terms.players - 1])
            if not terms.hearse_sold:
                tiles[HEARSE] = 0
        tiles[TREASURE] = 1 if terms.coop else terms.players
        return tiles

    def _check_field(self, field: Field) -> None:
        for skeleton in field.tokens:
            place = skeleton >> 10
            assert place != field.hero, "BB-HERO-16"
            if place < FIELD:
                assert not field.towers >> place & 1, "a skeleton stands in a tower"
                assert TRAP_OF[field.traps[place]] != PALISADE, "BB-PALISADE-08"
            else:
                assert self.terms.side.exits[(INWARD[(place - FIELD) // 5] + 2) % 4] < 3, "no forest there"
        for cell, code in enumerate(field.traps):
            if code:
                assert 0 < code <= 2 * len(FORMS) and not field.towers >> cell & 1, "BB-TRAP-03"
                assert TRAP_OF[code] not in (TREASURE, MAZE, HEARSE) or code % 2, "single-sided"
                assert FORM[code] >= 0
        assert 0 <= field.floors <= self.full_floors()
        assert 0 <= field.houses <= HOUSES
        if self.phase not in (HERO, TRAP, MARCH):
            assert not any(skeleton & 3 == LATE for skeleton in field.tokens), "BB-MOVE-07"


ENTRY = {spot: token(spot, 0, INWARD[(spot - FIELD) // 5]) for spot in range(FIELD, CEMETERY)}
"""A ready token on each forest spot, tip inward, but for its kind."""
WEAPON_VERBS = ("shoot", "freeze", "banish", "teleport", "strike", "hew", "fling", "aim")

DRAW_NEED = (Need(TABLE, ("draw",)),)
FIRST_NEED = (Need(TABLE, ("first",)),)
REVEAL_NEED = (Need(TABLE, ("reveal",)),)
MARKET_NEED = tuple((Need(seat, ("buy", "pass")),) for seat in range(6))
PHASE_NEED = {
    POST: tuple(Need(seat, ("post",)) for seat in range(6)),
    MARKET: tuple(Need(seat, ("buy", "pass")) for seat in range(6)),
    HERO: tuple(Need(seat, ("step",)) for seat in range(6)),
    TRAP: tuple(Need(seat, ("lay", "lift", "wait")) for seat in range(6)),
    MARCH: tuple(Need(seat, ("march", "auto")) for seat in range(6)),
    REST: tuple(Need(seat, ("rest", "pursue")) for seat in range(6)),
}
"""What a seat does in each simultaneous phase, before any choice inside it."""
PHASE_NEEDS = {
    phase: tuple(
        tuple(need for seat, need in enumerate(needs) if busy >> seat & 1) for busy in range(1 << MAX_PLAYERS)
    )
    for phase, needs in PHASE_NEED.items()
}
"""The same for every set of seats."""
