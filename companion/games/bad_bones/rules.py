"""The rules of Bad Bones: set-up, the four phases of a round, and how it ends (ledger BB).

Each phase is open to all players at once. What a player does there happens on his own board; when all are
done the boards are uncovered and settled together.
"""

from __future__ import annotations

from companion.engine.action import TABLE, Action, Cell, Seat
from companion.engine.grid import cells_of
from companion.engine.options import Options
from companion.engine.state import Event, Outcome, Refusal
from companion.games.bad_bones.field import (
    CONQUERED,
    DONE,
    READY,
    SKELETON_WORDS,
    STANDING,
    Ask,
    Field,
    skeleton_word,
    token,
)
from companion.games.bad_bones.march import contested, course, is_barred, scatter_options, wakes
from companion.games.bad_bones.market import Market
from companion.games.bad_bones.pieces import (
    AROUND,
    BESIDE,
    CATAPULT,
    CEMETERY,
    CRATER,
    DIRECTIONS,
    DRAGON,
    DRAWS,
    DYNAMITE,
    FIELD,
    FORM_TRAP,
    FORMS,
    HEARSE,
    INSTRUCTOR,
    NEXT,
    PALISADE,
    PLACES,
    STARTING_SKELETONS,
    TOWARDS,
    TRAP_OF,
    TRAPS,
    TREASURE,
    code_of,
)
from companion.games.bad_bones.printed import ABILITY, KIND_NAMES
from companion.games.bad_bones.squads import company, is_led, squad
from companion.games.bad_bones.table import (
    DRAW,
    FIRST,
    HERO,
    MARCH,
    MARKET,
    OVER,
    PHASES,
    POST,
    REST,
    SETUP,
    TRAP,
)
from companion.games.bad_bones.terms import terms_of
from companion.games.bad_bones.weapons import Armed
from companion.games.bad_bones.words import (
    AUTO,
    LAY_ROWS,
    LIFT,
    PURSUE,
    REVEAL,
    SCATTER,
    SEND,
    STEP,
    VERBS,
    WAIT,
)
from companion.games.bad_bones.words import DRAW as DRAW_ACTIONS
from companion.games.bad_bones.words import FIRST as FIRST_ACTIONS
from companion.games.bad_bones.words import REST as REST_ACTION

ALL_CELLS = (1 << FIELD) - 1


class BadBones(Market, Armed):
    """A game of Bad Bones in progress."""

    __slots__ = ()
    verbs = VERBS

    @classmethod
    def start(cls, options: Options) -> BadBones:
        """Begins a game under these options."""
        return cls(terms_of(options))

    # Listing -----------------------------------------------------------------------------------

    def actions(self, seat: Seat) -> list[Action]:
        if seat == TABLE:
            return [action for action, _ in self.outcomes()]
        if not (seat == self.seat if self.phase == MARKET and not self.terms.coop else self.busy >> seat & 1):
            return []
        ask = self.fields[seat].ask
        if ask is not None:
            return self._asked_actions(seat, ask)
        if self.phase == HERO:
            base = seat * PLACES
            return [STEP[base + cell] for cell in AROUND[self.fields[seat].hero]]
        if self.phase == TRAP:
            return self._trap_actions(seat)
        if self.phase == MARKET:
            return self.market_actions(seat)
        if self.phase == POST:
            return self.post_actions(seat)
        assert self.phase == REST
        return [REST_ACTION, PURSUE]

    def _asked_actions(self, seat: Seat, ask: Ask) -> list[Action]:
        if ask.verb == "scatter":
            return [SCATTER[direction] for direction in ask.options]
        if ask.verb == "send":
            return [SEND[target] for target in ask.options]
        if ask.verb == "give-up":
            return [Action("give-up", (kind,)) for kind in ask.options]
        if ask.verb == "face":
            return self.face_actions()
        if ask.verb == "weapon":
            return self.weapon_actions(seat)
        field, face = self.fields[seat], 1 - self.marching_to
        found = {s for s in field.tokens if s & 3 == READY and not is_led(field, s)}
        return [
            *(
                Action("march", (seat * PLACES + (s >> 10), skeleton_word(s >> 4 & 63, s >> 2 & 3, face)))
                for s in sorted(found)
            ),
            AUTO,
        ]

    def _trap_actions(self, seat: Seat) -> list[Action]:
        field = self.fields[seat]
        base = seat * PLACES
        traps = field.traps
        tiles = field.trap_mask()
        skeletons = field.skeleton_mask()
        bare = ALL_CELLS & ~(tiles | field.towers)
        free = bare & ~skeletons
        supply = self.supply(seat)
        found = [WAIT]
        for form, rows in enumerate(LAY_ROWS[seat]):
            trap = FORM_TRAP[form]
            if supply[trap]:
                cells = bare if trap in (DRAGON, DYNAMITE) else free
                if trap == DRAGON and tiles.bit_count() >= 3:
                    cells &= ~self._shut_in(field, bare & skeletons)
                for row in rows:
                    found += row[cells & 31]
                    cells >>= 5
        if tiles:
            found += [LIFT[base + cell] for cell in cells_of(tiles) if traps[cell] != CRATER]
        return found

    def _shut_in(self, field: Field, cells: int) -> int:
        """Those of the cells from which nobody could flee a dragon, as a mask (BB-BOOK-08)."""
        shut = 0
        for cell in cells_of(cells):
            if not scatter_options(self.terms, field, cell, [], scared=True):
                shut |= 1 << cell
        return shut

    def outcomes(self) -> list[tuple[Action, int]]:
        if not self.now or self.now[0].seat != TABLE:
            return []
        if self.phase == DRAW:
            return self.bag.outcomes(DRAW_ACTIONS)
        if self.phase == SETUP:
            left = self.bag.counts
            return [(DRAW_ACTIONS[kind], left[kind]) for kind in self.drawable() if left[kind]]
        if self.phase == FIRST:
            return [(FIRST_ACTIONS[seat], 1) for seat in range(self.terms.players)]
        return [(REVEAL[PHASES[self.phase]], 1)]

    # Draws -------------------------------------------------------------------------------------

    def can_draw(self, seat: Seat, kind: int) -> Refusal | None:
        if kind >= len(self.bag.counts) or not self.bag.can_be_next(kind):
            return Refusal("not-drawn", (), "BB-NEW-08")
        rule = self.rule_against(kind)
        return Refusal("put-back", (), rule) if rule else None

    def do_draw(self, seat: Seat, kind: int) -> list[Event]:
        events = self.take_draw(kind)
        if self.draws and self.bag.size:
            return events  # the same seat goes on
        if self.phase == SETUP:
            self.seat += 1
            self.draws = STARTING_SKELETONS
            self.symbols = 0
            if self.seat == self.terms.players:
                self.seat = 0
                events += self.place_all()
                events += self.after_setup()
        else:
            events += self._go_on_drawing()
        if self.phase not in (SETUP, DRAW):
            self.renew()
        return events

    def _go_on_drawing(self) -> list[Event]:
        """Seat by seat from the first, until the bag is empty (BB-NEW-07)."""
        if self.draws == 0:
            self.seat += 1
            self.draws = DRAWS
        if self.seat < self.terms.players and self.bag.size:
            return []
        return self.place_all() + self._end_round()

    # Phase I: hero -----------------------------------------------------------------------------

    def begin_round(self) -> list[Event]:
        heroes = 0
        for seat, field in enumerate(self.fields):
            if field.hero >= 0:
                heroes |= 1 << seat
        events = [Event("round-began", {"n": self.round})]
        self.open_phase(HERO, heroes)
        if not heroes:
            events += self._close()  # BB-CMD-19: nobody has a hero left
        return events

    def can_step(self, seat: Seat, cell: Cell) -> Refusal | None:
        return self.step_refusal(seat, cell)

    def do_step(self, seat: Seat, cell: Cell) -> list[Event]:
        field = self.own(seat)
        self.move_hero(seat, field, cell, counts=True)
        self.arm(field, 0)
        return self.go_on(seat, field, 0)

    # Phase II: trap ----------------------------------------------------------------------------

    def can_wait(self, seat: Seat) -> Refusal | None:
        return None

    def do_wait(self, seat: Seat) -> list[Event]:
        self.tell(seat, ("waited", {"seat": seat}))
        return self.go_on(seat, self.fields[seat], 0)

    def can_lay(self, seat: Seat, form: int, cell: Cell) -> Refusal | None:
        field, trap, place = self.fields[seat], FORM_TRAP[form], cell % PLACES
        if cell // PLACES != seat or place >= FIELD:
            return Refusal("not-on-own-field", self.on_table(cell), "BB-TRAP-04")
        if not self.supply(seat)[trap]:
            if self.terms.coop and self.lifted[trap]:
                return Refusal("just-lifted", (cell,), "BB-COOP-11")
            return Refusal("none-in-supply", (cell,), "BB-TRAP-22")
        if field.towers >> place & 1:
            return Refusal("tower-there", (cell,), "BB-TOWER-06")
        if field.traps[place]:
            if field.traps[place] == CRATER:
                return Refusal("crater-there", (cell,), "BB-DYNAMITE-06")
            return Refusal("trap-there", (cell,), "BB-TRAP-03")
        if not field.on(place) or trap == DYNAMITE:
            return None
        if trap != DRAGON:
            return Refusal("skeletons-there", (cell,), "BB-TRAP-03")
        if not scatter_options(self.terms, field, place, [], scared=True):
            return Refusal("nowhere-to-flee", (cell,), "BB-BOOK-08")
        return None

    def do_lay(self, seat: Seat, form: int, cell: Cell) -> list[Event]:
        field = self.own(seat)
        trap, place = FORM_TRAP[form], cell % PLACES
        here = sorted(field.on(place))
        self.supply(seat)[trap] -= 1
        field.traps[place] = code_of(form, bool(here))
        self.tell(seat, ("laid", {"seat": seat, "trap": FORMS[form], "cell": cell}))
        if trap == TREASURE:
            self._lure(seat, field, place)
        elif here and trap == DYNAMITE:
            field.tokens = [skeleton for skeleton in field.tokens if skeleton >> 10 != place]
            for skeleton in here:
                self.release(seat, field, skeleton >> 4 & 63)
            names = [KIND_NAMES[skeleton >> 4 & 63] for skeleton in here]
            self.tell(seat, ("exploded", {"seat": seat, "cell": cell, "skeletons": names}))
        elif here:
            field.fresh = 1 << place
            field.queue = tuple(here)
        return self.go_on(seat, field, 0)

    def _lure(self, seat: Seat, field: Field, place: int) -> None:
        """The neighbours of a new treasure turn to it at once (BB-TREASURE-01…03)."""
        turned = []
        for i, skeleton in enumerate(field.tokens):
            if skeleton >> 10 in BESIDE[place]:
                field.tokens[i] = skeleton & ~12 | TOWARDS[skeleton >> 10, place] << 2
                turned.append(skeleton)
        if turned:
            cells = sorted({seat * PLACES + (skeleton >> 10) for skeleton in turned})
            self.tell(seat, ("lured", {"seat": seat, "cells": cells, "cell": seat * PLACES + place}))

    def can_lift(self, seat: Seat, cell: Cell) -> Refusal | None:
        place = cell % PLACES
        if cell // PLACES != seat or place >= FIELD:
            return Refusal("not-on-own-field", self.on_table(cell), "BB-TRAP-08")
        if self.fields[seat].traps[place] == CRATER:
            return Refusal("crater-stays", (cell,), "BB-TRAP-12")
        if not self.fields[seat].traps[place]:
            return Refusal("no-trap", (cell,), "BB-TRAP-08")
        return None

    def do_lift(self, seat: Seat, cell: Cell) -> list[Event]:
        field = self.own(seat)
        trap = TRAP_OF[field.traps[cell % PLACES]]
        field.traps[cell % PLACES] = 0
        (self.lifted if self.terms.coop else field.supply)[trap] += 1
        self.tell(seat, ("lifted", {"seat": seat, "trap": TRAPS[trap], "cell": cell}))
        return self.go_on(seat, field, 0)

    # Phase III: march --------------------------------------------------------------------------

    def go_on(self, seat: Seat, field: Field, since: int) -> list[Event]:
        """Lets the seat's phase run until it needs a choice or is done; the last one ends the phase."""
        if field.ask is None:
            if self.phase == MARCH:
                self._advance(seat, field)
            elif self.phase == TRAP and (field.queue or field.moving):
                self._scatter(seat, field)
        events = self.telling(seat, since)
        if field.fallen == CONQUERED:
            events += self._conquer(seat)
        elif field.ask is None:
            self.busy &= ~(1 << seat)
            if not self.busy and not self.terms.sealed:
                events += self._close()
        self.renew()
        return events

    def _advance(self, seat: Seat, field: Field) -> None:
        """Moves skeletons as long as nothing has to be chosen (BB-MOVE-02…04, -14, -17)."""
        if field.moving and not self._move(seat, field, field.moving):
            return
        while True:
            ready = sorted([skeleton for skeleton in field.tokens if skeleton & 3 == READY])
            if not ready:
                return
            if field.auto:
                if not self._move(seat, field, company(field, ready[0])):
                    return
                continue
            asked = contested(self.terms, field, seat, self.marching_to)
            if asked and sum(skeleton in asked for skeleton in ready) < 2:
                asked = set()
            free = [skeleton for skeleton in ready if skeleton not in asked] if asked else ready
            if not free:
                field.ask = Ask("march")
                return
            for skeleton in self._walk(seat, field, free, asked):
                if not self._move(seat, field, (skeleton,)):
                    return

    def _walk(self, seat: Seat, field: Field, free: list[int], asked: set[int]) -> list[int]:
        """Moves those who only step onto a plain cell; returns the others, for whom more happens."""
        side, traps = self.terms.side, field.traps
        plain, near = side.plain, wakes(self.terms, field)
        rest, walks, moved = [], [], []
        base = seat * PLACES
        for skeleton in free:
            place = skeleton >> 10
            after = plain[place << 2 | skeleton >> 2 & 3]
            if after < 0 or near[after >> 2] or (place < FIELD and traps[place]):
                rest.append(skeleton)
                continue
            kind = skeleton >> 4 & 63
            moved.append(after >> 2 << 10 | kind << 4 | (after & 3) << 2 | DONE)
            walks.append([KIND_NAMES[kind], base + place, base + (after >> 2), after & 3])
        if moved:
            others = [skeleton for skeleton in field.tokens if skeleton & 3 or skeleton in asked]
            field.tokens = others + rest + moved
            self.tell(seat, ("marched", {"seat": seat, "n": len(walks), "walks": walks}))
        return rest

    def _move(self, seat: Seat, field: Field, group: tuple[int, ...], scared: bool = False) -> bool:
        """Moves one skeleton or squad; False when the owner must choose something, or the game is over."""
        way = course(self.terms, field, seat, group, field.answers, self.marching_to, scared)
        if way.ask is not None:
            field.moving, field.ask, field.asked = group, way.ask, True
            return False
        field.moving = field.answers = ()
        slain = len(field.slain)
        self.carry(seat, field, group, way)
        if self.phase == MARCH and self.arm(field, slain):
            field.asked = True
            return False
        return field.fallen != CONQUERED

    def _scatter(self, seat: Seat, field: Field) -> None:
        """Those under a dragon that was just laid flee one by one, a squad together (BB-DRAGON-10, -11)."""
        while field.queue or field.moving:
            group = field.moving
            if not group:
                chiefs = [
                    s for s in field.queue if ABILITY[s >> 4 & 63] == INSTRUCTOR and not is_led(field, s)
                ]
                group = (
                    (chiefs[0], *(s for s in field.queue if s != chiefs[0])) if chiefs else field.queue[:1]
                )
                field.queue = () if chiefs else field.queue[1:]
            if not self._move(seat, field, group, scared=True):
                return

    def can_march(self, seat: Seat, cell: Cell, word: int) -> Refusal | None:
        field = self.fields[seat]
        if cell // PLACES != seat:
            return Refusal("not-own-board", self.on_table(cell), "BB-MOVE-04")
        kind, facing, face = word // 8, word // 2 % 4, word % 2
        skeleton = token(cell % PLACES, kind, facing, READY)
        if face != 1 - self.marching_to or skeleton not in field.tokens:
            moved = face == self.marching_to and token(cell % PLACES, kind, facing, DONE) in field.tokens
            if moved:
                return Refusal("has-moved", (cell,), "BB-MOVE-06", {"token": SKELETON_WORDS[word]})
            return Refusal("no-such-skeleton", (cell,), "BB-MOVE-02", {"token": SKELETON_WORDS[word]})
        if is_led(field, skeleton):
            rule = "BB-CMD-29" if ABILITY[kind] == INSTRUCTOR else "BB-BOOK-03"
            return Refusal("follows-another", (cell,), rule)
        return None

    def do_march(self, seat: Seat, cell: Cell, word: int) -> list[Event]:
        field = self.own(seat)
        since = len(self.told[seat])
        field.ask = None
        field.asked = True
        skeleton = token(cell % PLACES, word // 8, word // 2 % 4, READY)
        field.moving = squad(field, skeleton)
        return self.go_on(seat, field, since)

    def can_auto(self, seat: Seat) -> Refusal | None:
        return None

    def do_auto(self, seat: Seat) -> list[Event]:
        field = self.own(seat)
        field.ask = None
        field.auto = True
        return self.go_on(seat, field, len(self.told[seat]))

    # Choices inside a move ---------------------------------------------------------------------

    def _answer(self, seat: Seat, value: int) -> list[Event]:
        field = self.own(seat)
        field.answers = (*field.answers, value)
        field.ask = None
        return self.go_on(seat, field, len(self.told[seat]))

    def _options(self, seat: Seat) -> Ask:
        ask = self.fields[seat].ask
        assert ask is not None
        return ask

    def can_scatter(self, seat: Seat, direction: int) -> Refusal | None:
        ask = self._options(seat)
        if direction in ask.options:
            return None
        other = NEXT[ask.cell][direction]
        cell = seat * PLACES + ask.cell
        if other < 0:
            return Refusal("scatter-goal", (cell,), "BB-DRAGON-05", {"direction": DIRECTIONS[direction]})
        field = self.fields[seat]
        if TRAP_OF[field.traps[other]] == PALISADE or is_barred(self.terms, field, other, direction):
            return Refusal("scatter-palisade", (cell, seat * PLACES + other), "BB-DRAGON-05")
        return Refusal("scatter-again", (cell,), "BB-DRAGON-14", {"direction": DIRECTIONS[direction]})

    def do_scatter(self, seat: Seat, direction: int) -> list[Event]:
        return self._answer(seat, direction)

    def can_send(self, seat: Seat, target: Seat) -> Refusal | None:
        ask = self._options(seat)
        if target in ask.options:
            return None
        trap = TRAP_OF[self.fields[seat].traps[ask.cell]] if ask.cell < FIELD else -1
        rule = "BB-CATAPULT-04" if trap in (CATAPULT, HEARSE) else "BB-FOREST-04"
        if target == seat:
            return Refusal("own-cemetery", (seat * PLACES + CEMETERY,), rule)
        return Refusal("no-such-seat", (), rule)

    def do_send(self, seat: Seat, target: Seat) -> list[Event]:
        return self._answer(seat, target)

    def can_give_up(self, seat: Seat, kind: int) -> Refusal | None:
        ask = self._options(seat)
        if kind not in ask.options:
            return Refusal("not-in-squad", (seat * PLACES + ask.cell,), "BB-COOP-15")
        return None

    def do_give_up(self, seat: Seat, kind: int) -> list[Event]:
        return self._answer(seat, kind)

    # Ends of phases ----------------------------------------------------------------------------

    def can_reveal(self, seat: Seat, phase: int) -> Refusal | None:
        if REVEAL[PHASES[self.phase]].args[0] != phase:
            return Refusal("not-now", (), "BB-ROUND-02")
        return None

    def do_reveal(self, seat: Seat, phase: int) -> list[Event]:
        events = self._close()
        self.renew()
        return events

    def _close(self, taken: bool = False) -> list[Event]:
        events = self.settle(taken)
        if self.phase == HERO:
            self.open_phase(TRAP, (1 << self.terms.players) - 1)
        elif self.phase == TRAP:
            events += self._begin_march()
        else:
            assert self.phase == MARCH
            events += self._end_march()
        return events

    def _begin_march(self) -> list[Event]:
        self.open_phase(MARCH, (1 << self.terms.players) - 1)
        events = [Event("marker-turned", {"colour": "black" if self.marching_to else "white"})]
        for seat in range(self.terms.players):
            field = self.own(seat)
            self._advance(seat, field)
            if field.fallen == CONQUERED:
                return events + self._conquer(seat)
            if field.ask is None:
                self.busy &= ~(1 << seat)
            else:
                field.asked = True
            if not self.terms.sealed:
                events += self.telling(seat, 0)
        if not self.busy:
            return events + self._close(taken=True)
        if self.terms.sealed:
            for seat in range(self.terms.players):
                events += self.telling(seat, 0)
        return events

    def _end_march(self) -> list[Event]:
        if self.is_lost():
            return self._end(self._fallen_outcome())
        if self.heroic:
            events = self.place_all()
            return events + self._end_round()
        self.phase = DRAW
        self.seat = 0
        self.draws = DRAWS
        return self._go_on_drawing() if not self.bag.size else []

    def _conquer(self, seat: Seat) -> list[Event]:
        """The emperor has reached a tower or the houses: the game ends at once (BB-CMD-14, BB-BOOK-09)."""
        events = self.break_off(seat)
        return events + self._end(self._fallen_outcome())

    def is_lost(self) -> bool:
        """Says whether somebody fell: the game ends with this march (BB-END-02, BB-COOP-22, -25)."""
        return self.capital_lost or any(field.fallen != STANDING for field in self.fields)

    def _fallen_outcome(self) -> Outcome:
        terms = self.terms
        points = tuple(self.points(seat) for seat in range(terms.players))
        if terms.coop:
            if any(field.fallen == CONQUERED for field in self.fields):
                return Outcome("emperor", (), "BB-CMD-14")
            if self.capital_lost:
                return Outcome("capital-burnt", (), "BB-COOP-22")
            return Outcome("towers-lost", (), "BB-COOP-22")
        if terms.solo:
            if self.heroic:
                return Outcome("held-not-heroic", (0,), "BB-SOLO-10", points)
            return Outcome("fell", (), "BB-SOLO-06", points)
        alive = [seat for seat in range(terms.players) if self.fields[seat].fallen == STANDING]
        points = tuple(score if seat in alive else 0 for seat, score in enumerate(points))
        if not alive:
            return Outcome("all-fell", (), "BB-END-06", points)
        best = max((points[seat], self.fields[seat].floors) for seat in alive)
        winners = tuple(s for s in alive if (points[s], self.fields[s].floors) == best)
        tied = sum(points[seat] == best[0] for seat in alive) > 1
        rule = "BB-SCORE-06" if not tied else "BB-SCORE-07" if len(winners) == 1 else "BB-SCORE-08"
        return Outcome("shared" if len(winners) > 1 else "won", winners, rule, points)

    def _end(self, outcome: Outcome) -> list[Event]:
        self.phase = OVER
        self.busy = 0
        self.result = outcome
        return [Event("ended", {"outcome": outcome.code})]

    def _end_round(self) -> list[Event]:
        """Step V: the round marker moves on; the defence may have held (BB-SOLO-07, BB-COOP-23)."""
        terms = self.terms
        if self.heroic:
            if not any(self.cemetery) and not any(field.tokens for field in self.fields):
                return self._end(Outcome("heroic", (0,), "BB-SOLO-09", (self.points(0),)))
        elif terms.rounds and self.round >= terms.rounds:
            if terms.coop:
                everybody = tuple(range(terms.players))
                return self._end(Outcome("capital-held", everybody, "BB-COOP-23"))
            self.phase = REST
            self.busy = 1
            return [Event("held", {"n": self.round})]
        self.round += 1
        return self.begin_round()

    def can_rest(self, seat: Seat) -> Refusal | None:
        return None

    def do_rest(self, seat: Seat) -> list[Event]:
        events = self._end(Outcome("held", (0,), "BB-SOLO-07", (self.points(0),)))
        self.renew()
        return events

    def can_pursue(self, seat: Seat) -> Refusal | None:
        return None

    def do_pursue(self, seat: Seat) -> list[Event]:
        """Goes on without draws until no skeleton is left (BB-SOLO-09)."""
        self.heroic = True
        events = [Event("pursued", {"seat": seat}), *self._end_round()]
        self.renew()
        return events
