"""What skeletons do where they arrive: fall to the hero, break towers, burn houses, or stand there."""

from __future__ import annotations

from typing import Any

from companion.engine.action import Seat
from companion.games.bad_bones.field import (
    BAG,
    BOX,
    CONQUERED,
    DONE,
    NO_TOWER,
    NO_VILLAGE,
    STANDING,
    Ask,
    Field,
    token,
)
from companion.games.bad_bones.march import (
    BLOWN,
    ENDS,
    GOAL,
    IMPALED,
    LEFT,
    LOADED,
    RETURNED,
    SLAIN,
    STANDS,
    STAYS,
    THROWN,
    TOWER,
    Course,
    saboteurs,
)
from companion.games.bad_bones.pieces import (
    CEMETERY,
    EMPEROR,
    GHOST,
    INSTRUCTOR,
    PEACEMAKER,
    PLACES,
    SAPPER,
)
from companion.games.bad_bones.printed import ABILITY, KIND_NAMES
from companion.games.bad_bones.squads import form, mend
from companion.games.bad_bones.table import MARCH, Table


class Arrivals(Table):
    """The effects of a move that has come to its end."""

    __slots__ = ()

    def release(self, seat: Seat, field: Field, kind: int) -> None:
        """Returns a destroyed skeleton to the bag; a ghost haunts its own cemetery (BB-CMD-20, -22)."""
        field.out.append((seat if ABILITY[kind] == GHOST else BAG) * 64 + kind)

    def strike(self, seat: Seat, field: Field, kinds: list[int], counts: bool = True) -> None:
        """The hero destroys skeletons (BB-HERO-06, -09); the emperor takes him along (BB-CMD-16, -18)."""
        cell = seat * PLACES + field.hero
        for kind in kinds:
            if ABILITY[kind] == EMPEROR:
                field.out.append(BOX * 64 + kind)
                field.hero = -1
            elif counts:
                field.slain.append(kind)
            else:
                self.release(seat, field, kind)
        if kinds:
            names = [KIND_NAMES[kind] for kind in kinds]
            self.tell(seat, ("slain", {"seat": seat, "cell": cell, "skeletons": names, "n": len(names)}))
        if field.hero < 0:
            self.tell(seat, ("hero-lost", {"seat": seat, "cell": cell}))

    def arm(self, field: Field, slain_before: int) -> bool:
        """Asks about the weapon if the last kill made it usable (BB-WEAPON-01…03, -05).

        The choice notes the first of those whose destruction counts.
        """
        if field.weapon < 0 or field.used or field.hero < 0 or len(field.slain) == slain_before:
            return False
        first = slain_before if self.terms.count_per_move else 0
        if len(field.slain) - first < 3:
            return False
        field.ask = Ask("weapon", (first,))
        return True

    def hit_tower(self, seat: Seat, field: Field, kind: int, cell: int) -> None:
        """A skeleton reaches a standing tower (BB-TOWER, BB-COOP-13, BB-CMD-05…15)."""
        ability = ABILITY[kind]
        self.release(seat, field, kind)
        where = {"seat": seat, "cell": seat * PLACES + cell, "skeleton": KIND_NAMES[kind]}
        if ability == EMPEROR:
            field.fallen = CONQUERED
            self.tell(seat, ("emperor-won", where))
            return
        if ability == PEACEMAKER:
            if not self.terms.coop and field.floors < self.full_floors():
                field.floors += 1
                self.tell(seat, ("tower-repaired", where | {"floors": field.floors}))
            else:
                self.tell(seat, ("peacemaker-left", where))
            return
        if self.terms.coop:
            field.towers &= ~(1 << cell)
            field.floors -= 1
        else:
            field.floors = max(0, field.floors - (2 if ability == SAPPER else 1))
        self.tell(seat, ("tower-hit", where | {"floors": field.floors}))
        if field.floors == 0 and field.fallen == STANDING:
            field.fallen = NO_TOWER
            self.tell(seat, ("fell", {"seat": seat, "cell": seat * PLACES + cell, "how": "no-tower"}))

    def hit_goal(self, seat: Seat, field: Field, kind: int) -> None:
        """A skeleton reaches the village or the capital (BB-VILLAGE, BB-COOP-19, BB-CMD-05…15)."""
        ability = ABILITY[kind]
        self.release(seat, field, kind)
        coop = self.terms.coop
        where = {"seat": seat, "skeleton": KIND_NAMES[kind]}
        if ability == EMPEROR:
            field.fallen = CONQUERED
            self.tell(seat, ("emperor-won", where | {"cell": seat * PLACES + CEMETERY}))
            return
        houses = self.capital if coop else field.houses
        if ability == PEACEMAKER:
            if houses == self.full_houses():
                self.tell(seat, ("peacemaker-left", where | {"cell": seat * PLACES + CEMETERY}))
                return
            houses += 1
            self.tell(seat, ("house-repaired", where | {"houses": houses}))
        else:
            houses = max(0, houses - (2 if ability == SAPPER else 1))
            self.tell(seat, ("house-burnt", where | {"houses": houses}))
        if coop:
            self.capital = houses
            self.capital_lost |= houses == 0
            return
        field.houses = houses
        if houses == 0 and field.fallen == STANDING:
            field.fallen = NO_VILLAGE
            self.tell(seat, ("fell", {"seat": seat, "cell": seat * PLACES + CEMETERY, "how": "no-village"}))

    def carry(self, seat: Seat, field: Field, group: tuple[int, ...], way: Course) -> None:
        """Carries out a course that has come to its end."""
        for skeleton in group:
            field.tokens.remove(skeleton)
        field.hits |= way.hits
        if self.phase == MARCH:
            spies = saboteurs(group)
            if spies and way.wrecked:
                field.wrecked |= way.wrecked
                field.met |= spies
        kinds = [skeleton >> 4 & 63 for skeleton in group]
        base = seat * PLACES
        fact: dict[str, Any] = {
            "seat": seat,
            "skeletons": [KIND_NAMES[kind] for kind in kinds],
            "cells": [base + place for place in way.path],
            "end": ENDS[way.end],
        }
        self.tell(seat, ("walked", fact))
        if way.targets:
            self.tell(
                seat, ("sent", {"seat": seat, "skeletons": fact["skeletons"], "to_seats": list(way.targets)})
            )
        if field.squads:
            mend(field)
        self._arrive(seat, field, kinds, way)

    def _arrive(self, seat: Seat, field: Field, kinds: list[int], way: Course) -> None:
        if way.end in (STANDS, STAYS, RETURNED):
            if way.end == STANDS and self._rebuilds(seat, field, kinds, way.place):
                return
            self.put(field, kinds, way.place, way.facing)
        elif way.end == TOWER:
            rest = kinds
            if self.terms.coop:
                rest = kinds[:]
                for kind in way.victims:
                    rest.remove(kind)
            for kind in way.victims if self.terms.coop else kinds:
                self.hit_tower(seat, field, kind, way.place)
            if self.terms.coop and rest:
                if field.hero == way.place:
                    self.strike(seat, field, rest, self.phase == MARCH)
                else:
                    self.put(field, rest, way.place, way.facing)
        elif way.end == GOAL:
            for kind in kinds:
                self.hit_goal(seat, field, kind)
        elif way.end == SLAIN:
            self.strike(seat, field, kinds, self.phase == MARCH)
        elif way.end in (BLOWN, IMPALED):
            for kind in kinds:
                self.release(seat, field, kind)
        elif way.end == LEFT:
            field.out.extend(target * 64 + kind for target, kind in zip(way.targets, kinds, strict=True))
        else:
            assert way.end in (THROWN, LOADED)
            field.targets[way.place] = way.targets[0]
            field.out.extend(way.targets[0] * 64 + kind for kind in kinds)

    def put(self, field: Field, kinds: list[int], place: int, facing: int) -> None:
        field.tokens.extend(token(place, kind, facing, DONE) for kind in kinds)
        if field.squads or ABILITY[kinds[0]] == INSTRUCTOR:
            form(field, kinds)

    def _rebuilds(self, seat: Seat, field: Field, kinds: list[int], cell: int) -> bool:
        """A peacemaker who enters an empty ruin rebuilds it; then his companions meet it (BB-CMD-12)."""
        if not self.terms.coop or not self.terms.side.tower_mask >> cell & 1:
            return False
        if field.traps[cell] or field.hero == cell or field.on(cell) or len(kinds) > 1:
            return False
        if ABILITY[kinds[0]] != PEACEMAKER:
            return False
        field.towers |= 1 << cell
        field.floors += 1
        self.release(seat, field, kinds[0])
        where = {"seat": seat, "cell": seat * PLACES + cell, "skeleton": KIND_NAMES[kinds[0]]}
        self.tell(seat, ("tower-repaired", where | {"floors": field.floors}))
        return True
