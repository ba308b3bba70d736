"""The eight weapons (BB-WEAPON): each is a verb that may be used after three kills, or declined."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.state import Event, Refusal
from companion.games.bad_bones.arrivals import Arrivals
from companion.games.bad_bones.field import (
    DONE,
    LATE,
    READY,
    SKELETON_WORDS,
    Ask,
    Field,
    face_of,
    skeleton_word,
    token,
)
from companion.games.bad_bones.pieces import (
    AROUND,
    BESIDE,
    FIELD,
    INSTRUCTOR,
    PLACES,
    WEAPONS,
)
from companion.games.bad_bones.printed import ABILITY, KIND_NAMES, SYMBOL
from companion.games.bad_bones.squads import mend
from companion.games.bad_bones.words import COLOUR_NAMES, DECLINE, FACE


class Armed(Arrivals):
    """The verbs of the weapons, `decline`, and `face` that finishes the rapier."""

    __slots__ = ()

    def go_on(self, seat: Seat, field: Field, since: int) -> list[Event]:
        """Goes on with the phase after a choice (see the rules)."""
        raise NotImplementedError

    def _used(self, seat: Seat, field: Field, since: int) -> list[Event]:
        field.used = True
        field.ask = None
        return self.go_on(seat, field, since)

    def _take(self, seat: Seat) -> tuple[Field, int]:
        field = self.own(seat)
        since = len(self.told[seat])
        self.tell(seat, ("weapon-used", {"seat": seat, "weapon": WEAPONS[field.weapon]}))
        return field, since

    def weapon_actions(self, seat: Seat) -> list[Action]:
        """Every use that the weapon has now, and declining it."""
        verb = self.weapon_verb(self.fields[seat])
        can, _ = self._pairs[verb]
        uses = [Action(verb, aim) for aim in self._aims(seat, verb) if can(self, seat, *aim) is None]
        return [*uses, DECLINE]

    def _aims(self, seat: Seat, verb: str) -> list[tuple[int, ...]]:
        """What a weapon could be used on, allowed or not."""
        field, base = self.fields[seat], seat * PLACES
        around = [base + cell for cell in AROUND[field.hero]]
        match verb:
            case "shoot":
                words = {(s >> 10, self._word(s)) for s in field.tokens if s >> 10 < FIELD}
                return [(base + place, word) for place, word in sorted(words)]
            case "freeze" | "teleport":
                return [(base + cell,) for cell in range(FIELD)]
            case "banish":
                return [(target,) for target in range(self.terms.players)]
            case "strike" | "aim":
                return [(cell,) for cell in around]
            case "fling":
                return [(cell, to) for cell in around for to in around]
            case "hew":
                return [(symbol,) for symbol in range(len(COLOUR_NAMES))]
        return [()]

    def _word(self, skeleton: int) -> int:
        return skeleton_word(skeleton >> 4 & 63, skeleton >> 2 & 3, face_of(skeleton, self.marching_to))

    def can_decline(self, seat: Seat) -> Refusal | None:
        return None

    def do_decline(self, seat: Seat) -> list[Event]:
        field = self.own(seat)
        field.ask = None
        return self.go_on(seat, field, len(self.told[seat]))

    # Crossbow ----------------------------------------------------------------------------------

    def _aimed(self, seat: Seat, cell: Cell, word: int) -> int:
        kind, facing, face = word // 8, word // 2 % 4, word % 2
        status = DONE if face == self.marching_to else READY
        return token(cell % PLACES, kind, facing, status)

    def can_shoot(self, seat: Seat, cell: Cell, word: int) -> Refusal | None:
        if cell // PLACES != seat or cell % PLACES >= FIELD:
            return Refusal("not-on-own-field", self.on_table(cell), "BB-WEAPON-06")
        if self._aimed(seat, cell, word) not in self.fields[seat].tokens:
            return Refusal("no-such-skeleton", (cell,), "BB-WEAPON-09", {"token": SKELETON_WORDS[word]})
        return None

    def do_shoot(self, seat: Seat, cell: Cell, word: int) -> list[Event]:
        field, since = self._take(seat)
        field.tokens.remove(self._aimed(seat, cell, word))
        self._fell(seat, field, cell, [word // 8])
        return self._used(seat, field, since)

    def _fell(self, seat: Seat, field: Field, cell: Cell, kinds: list[int]) -> None:
        """Destroys skeletons by a weapon: no chain follows (BB-WEAPON-07)."""
        for kind in kinds:
            self.release(seat, field, kind)
        mend(field)
        names = [KIND_NAMES[kind] for kind in kinds]
        self.tell(seat, ("felled", {"seat": seat, "cell": cell, "skeletons": names}))

    # Wands -------------------------------------------------------------------------------------

    def can_freeze(self, seat: Seat, cell: Cell) -> Refusal | None:
        if cell // PLACES != seat or cell % PLACES >= FIELD:
            return Refusal("not-on-own-field", self.on_table(cell), "BB-WEAPON-06")
        if not self.fields[seat].on(cell % PLACES):
            return Refusal("no-skeletons", (cell,), "BB-WEAPON-10")
        return None

    def do_freeze(self, seat: Seat, cell: Cell) -> list[Event]:
        return self._freeze(seat, [cell % PLACES])

    def can_freeze_all(self, seat: Seat) -> Refusal | None:
        if not any(skeleton >> 10 < FIELD for skeleton in self.fields[seat].tokens):
            return Refusal("no-skeletons", (), "BB-WEAPON-10")
        return None

    def do_freeze_all(self, seat: Seat) -> list[Event]:
        return self._freeze(seat, list(range(FIELD)))

    def _freeze(self, seat: Seat, places: list[int]) -> list[Event]:
        """Unmoved ones skip this march, moved ones the next (BB-WEAPON-11, -12)."""
        field, since = self._take(seat)
        for i, skeleton in enumerate(field.tokens):
            if skeleton >> 10 in places:
                field.tokens[i] = skeleton & ~3 | (DONE if skeleton & 3 == READY else LATE)
        cells = [seat * PLACES + place for place in places if field.on(place)]
        self.tell(seat, ("frozen", {"seat": seat, "cells": cells}))
        return self._used(seat, field, since)

    def can_banish(self, seat: Seat, target: Seat) -> Refusal | None:
        if target not in self.terms.others[seat]:
            return Refusal("no-such-target", (), "BB-WEAPON-13")
        return None

    def do_banish(self, seat: Seat, target: Seat) -> list[Event]:
        """Sends those whose destruction woke the wand; who falls later goes to the bag (BB-BOOK-04)."""
        ask = self.fields[seat].ask
        assert ask is not None
        field, since = self._take(seat)
        (first,) = ask.options
        field.out.extend(target * 64 + kind for kind in field.slain[first:])
        del field.slain[first:]
        self.tell(seat, ("banished", {"seat": seat, "to_seat": target}))
        return self._used(seat, field, since)

    def can_teleport(self, seat: Seat, cell: Cell) -> Refusal | None:
        field, place = self.fields[seat], cell % PLACES
        if cell // PLACES != seat or place >= FIELD:
            return Refusal("not-on-own-field", self.on_table(cell), "BB-WEAPON-14")
        if place == field.hero:
            return Refusal("already-there", (cell,), "BB-WEAPON-14")
        if field.towers >> place & 1 or (self.terms.pegasus and not field.on(place)):
            return None
        return Refusal("no-standing-tower", (cell,), "BB-WEAPON-14")

    def do_teleport(self, seat: Seat, cell: Cell) -> list[Event]:
        field, since = self._take(seat)
        field.hero = cell % PLACES
        self.tell(seat, ("teleported", {"seat": seat, "cell": cell}))
        return self._used(seat, field, since)

    # Blades ------------------------------------------------------------------------------------

    def can_strike(self, seat: Seat, cell: Cell) -> Refusal | None:
        return self.step_refusal(seat, cell)

    def step_refusal(self, seat: Seat, cell: Cell) -> Refusal | None:
        """Why the hero may not go there (BB-HERO-01…05)."""
        hero = self.fields[seat].hero
        if cell // PLACES != seat or cell % PLACES >= FIELD:
            return Refusal("off-the-field", self.on_table(cell), "BB-HERO-03")
        if cell % PLACES == hero:
            return Refusal("must-move", (cell,), "BB-HERO-02")
        if cell % PLACES not in AROUND[hero]:
            return Refusal("not-adjacent", (seat * PLACES + hero, cell), "BB-HERO-01")
        return None

    def move_hero(self, seat: Seat, field: Field, cell: Cell, counts: bool) -> None:
        """Moves the hero and destroys what stands there; traps sleep (BB-HERO-06, -07)."""
        start, place = field.hero, cell % PLACES
        field.hero = place
        self.tell(seat, ("stepped", {"seat": seat, "from_cell": seat * PLACES + start, "cell": cell}))
        kinds = [skeleton >> 4 & 63 for skeleton in field.tokens if skeleton >> 10 == place]
        if kinds:
            field.tokens = [skeleton for skeleton in field.tokens if skeleton >> 10 != place]
            self.strike(seat, field, kinds, counts)

    def do_strike(self, seat: Seat, cell: Cell) -> list[Event]:
        field, since = self._take(seat)
        self.move_hero(seat, field, cell, counts=False)
        return self._used(seat, field, since)

    def _hewn(self, seat: Seat, symbol: int) -> list[int]:
        field = self.fields[seat]
        beside = BESIDE[field.hero]
        return [s for s in field.tokens if s >> 10 in beside and SYMBOL[s >> 4 & 63] == symbol]

    def can_hew(self, seat: Seat, symbol: int) -> Refusal | None:
        if not self._hewn(seat, symbol):
            near = tuple(seat * PLACES + cell for cell in BESIDE[self.fields[seat].hero])
            return Refusal("no-such-symbol", near, "BB-WEAPON-17")
        return None

    def do_hew(self, seat: Seat, symbol: int) -> list[Event]:
        hewn = self._hewn(seat, symbol)
        field, since = self._take(seat)
        for skeleton in hewn:
            field.tokens.remove(skeleton)
        self._fell(seat, field, seat * PLACES + field.hero, [s >> 4 & 63 for s in hewn])
        return self._used(seat, field, since)

    # Flail and rapier --------------------------------------------------------------------------

    def _around_refusal(self, seat: Seat, cell: Cell, rule: str) -> Refusal | None:
        field = self.fields[seat]
        if cell // PLACES != seat or cell % PLACES not in AROUND[field.hero]:
            return Refusal("not-around-hero", self.on_table(cell), rule)
        if not field.on(cell % PLACES):
            return Refusal("no-skeletons", (cell,), rule)
        return None

    def can_fling(self, seat: Seat, cell: Cell, to: Cell) -> Refusal | None:
        refusal = self._around_refusal(seat, cell, "BB-WEAPON-18")
        if refusal is not None:
            return refusal
        field, place = self.fields[seat], to % PLACES
        if to // PLACES != seat or place not in AROUND[field.hero] or to == cell:
            return Refusal("not-around-hero", self.on_table(to), "BB-WEAPON-18")
        if field.traps[place] or field.towers >> place & 1 or (self.terms.flail_empty and field.on(place)):
            return Refusal("not-empty", (to,), "BB-WEAPON-19")
        return None

    def do_fling(self, seat: Seat, cell: Cell, to: Cell) -> list[Event]:
        field, since = self._take(seat)
        for i, skeleton in enumerate(field.tokens):
            if skeleton >> 10 == cell % PLACES:
                field.tokens[i] = skeleton & 1023 | to % PLACES << 10
        self.tell(seat, ("flung", {"seat": seat, "cell": cell, "to_cell": to}))
        return self._used(seat, field, since)

    def can_aim(self, seat: Seat, cell: Cell) -> Refusal | None:
        return self._around_refusal(seat, cell, "BB-WEAPON-20")

    def do_aim(self, seat: Seat, cell: Cell) -> list[Event]:
        """Names the cell; then its skeletons are turned, all one way (BB-WEAPON-20, BB-BOOK-06).

        The German edition turns one by one whom no instructor leads.
        """
        field, since = self._take(seat)
        found = sorted(field.on(cell % PLACES))
        field.queue = tuple(found) if self._turns_each(found) else ()
        field.ask = Ask("face", (0, 1, 2, 3), cell % PLACES)
        return self.go_on(seat, field, since)

    def _turns_each(self, found: list[int]) -> bool:
        led = any(ABILITY[skeleton >> 4 & 63] == INSTRUCTOR for skeleton in found)
        return self.terms.rapier_turns_each and not led

    def face_actions(self) -> list[Action]:
        return list(FACE)

    def can_face(self, seat: Seat, direction: int) -> Refusal | None:
        return None

    def do_face(self, seat: Seat, direction: int) -> list[Event]:
        field = self.own(seat)
        since = len(self.told[seat])
        assert field.ask is not None
        turned = [field.queue[0]] if field.queue else field.on(field.ask.cell)
        field.queue = field.queue[1:]
        for skeleton in turned:
            field.tokens.remove(skeleton)
            field.tokens.append(skeleton & ~12 | direction << 2)
        cell = seat * PLACES + field.ask.cell
        names = [KIND_NAMES[s >> 4 & 63] for s in turned]
        self.tell(seat, ("turned", {"seat": seat, "cell": cell, "skeletons": names}))
        if field.queue:
            return self.go_on(seat, field, since)
        return self._used(seat, field, since)
