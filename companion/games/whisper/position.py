"""The position of a game of Whisper: who and what is where, and what is still to be done.

It is put together from the `parts`: the killer, the house, the stock of item cards, the three survivors, the
fight and the plan.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.engine.action import Cell, Seat
from companion.engine.fields import Fields
from companion.engine.grid import cells_of
from companion.engine.options import Options
from companion.engine.state import Event, Outcome, State, only
from companion.games.whisper.clues import Clues
from companion.games.whisper.data import Box
from companion.games.whisper.options import Setup, agreed
from companion.games.whisper.parts import (
    DEAD,
    IN,
    NOBODY,
    Fight,
    House,
    Killer,
    PlanTrack,
    Stock,
    Survivor,
    without,
)
from companion.games.whisper.pieces import (
    BARRICADES,
    GEARS,
    HAND_LIMIT,
    HEALTH,
    IN_PLAY,
    KEY,
    MAX_LEVEL,
    RESCUE,
    STRENGTH_CAP,
    SURVIVORS,
    TOKENS,
    WITHIN,
    N,
)
from companion.games.whisper.readings import Json

KILLER_SEAT: Seat = 0
KILLER_ONLY = only(KILLER_SEAT)
NO_TARGET = -1
NO_ITEM = -1
"""What is asked for a gift."""

_ALL_THREE = (1 << IN_PLAY) - 1
_TEAM = tuple(frozenset(range(1, players)) for players in range(5))
_ALONE = tuple(only(1 + i) for i in range(IN_PLAY))


class Position(State):
    """Everybody and everything, and who must do what next."""

    declared = Fields(
        shared=(
            *("setup", "cast", "clues", "notes", "guess", "fight", "plan"),
            *("round", "killer_turn", "acted", "active", "main_done", "first", "keys"),
            *("skills_used", "skills_used_now", "skills_shown", "skills_dealt"),
        ),
        sliced=("team",),
        copied=("killer", "house", "stock"),
        derived=("box",),
    )
    __slots__ = declared.names

    turn_rule = "WW-TURN-02"
    over_rule = "WW-WIN-09"

    def __init__(self, options: Options) -> None:
        self.setup: Setup = agreed(options)
        self.box: Box = self.setup.box
        self.cast = self.setup.cast
        """The survivors in play, in the order of their tiles; empty before the choice."""
        self.killer = Killer(self.setup.killer, self.box.killer_start, len(self.box.cards))
        self.house = House()
        self.stock = Stock(self.box)
        self.team = [Survivor(self.box.survivors_start)] * IN_PLAY
        self.fight = Fight()
        self.plan = PlanTrack()
        self.clues: Clues | None = None
        """What the killer can work out, where that is agreed."""
        self.notes = (-1,) * len(TOKENS)
        """Where the killer has put his deduction tokens."""
        self.guess = 0
        self.round = 0
        self.killer_turn = False
        self.acted = 0
        """The survivors who have acted in this turn."""
        self.active = -1
        """The survivor who is acting, or -1."""
        self.main_done = False
        self.first = -1
        """The holder of the first-player token in variant 2."""
        self.keys = 0
        """Keys on the roof."""
        self.skills_used = self.skills_used_now = 0
        """Skills of both sides that are used up for good, and for this round."""
        self.skills_shown = False
        """Whether the killer has shown his skills."""
        self.skills_dealt: tuple[int, ...] = ()
        """Skill cards from which somebody is choosing."""
        self.result: Outcome | None = None
        self.todo = [("choose",) if self.killer.kind < 0 or not self.cast else ("set-up",)]
        self.settle([])

    # Who is who --------------------------------------------------------------------------------

    def name(self, i: int) -> str:
        """The name of the survivor in place i of the row of state tiles."""
        return SURVIVORS[self.cast[i]]

    def names(self, mask: int) -> list[str]:
        """The names of some survivors in tile order."""
        return [SURVIVORS[self.cast[i]] for i in cells_of(mask)]

    def slot(self, who: int) -> int:
        """The place in the row of a survivor, or -1 for one who is not in play."""
        return self.cast.index(who) if who in self.cast else -1

    def fates(self) -> list[int]:
        """What became of each survivor."""
        return [survivor.fate for survivor in self.team]

    def living(self) -> int:
        """The survivors still in the house, as a mask; in the base game a death ends it."""
        if not self.setup.solo:
            return _ALL_THREE
        return sum(1 << i for i in range(IN_PLAY) if self.team[i].fate == IN)

    def those(self, area: int) -> int:
        """The survivors in an area, as a mask of the row."""
        one, two, three = self.team
        found = area >> one.place & 1 | (area >> two.place & 1) << 1 | (area >> three.place & 1) << 2
        return found & self.living()

    def team_only(self, i: int = NOBODY) -> frozenset[int]:
        """Who hears what the survivors keep to themselves; in variant 2 what one of them keeps."""
        return _ALONE[i] if self.setup.solo and i >= 0 else _TEAM[self.setup.players]

    # Small rules used everywhere ---------------------------------------------------------------

    def strength(self) -> int:
        """The killer's strength as the marker shows it (WW-LEVEL-02)."""
        killer = self.killer
        return max(0, min(STRENGTH_CAP, killer.base + killer.turn_bonus + killer.attack_bonus))

    def open_at(self) -> Cell:
        """Where the killer openly is, or -1: in stealth he counts as nowhere (WW-STEALTH-06)."""
        return -1 if self.killer.hidden else self.killer.at

    def is_near(self, i: int, steps: int) -> bool:
        """Says whether the killer openly is at most this many steps from a survivor."""
        killer = self.killer
        return not killer.hidden and bool(WITHIN[steps][killer.at] >> self.team[i].place & 1)

    def mod(self, i: int, name: str) -> int:
        """Adds up a number that advantages, skills and plans give a survivor."""
        mods = self.team[i].mods.get(name)
        if mods is None:
            return 0
        return sum(mod["n"] for mod in mods if mod.get("if") != "killer_within_1" or self.is_near(i, 1))

    def has_mod(self, i: int, name: str) -> bool:
        """Says whether a survivor has a property."""
        return name in self.team[i].mods

    def slots(self, i: int) -> int:
        """How many items a survivor can carry (WW-ITEM-03)."""
        return self.box.survivors[self.cast[i]].slots

    def has_skill(self, i: int, skill: int) -> bool:
        """Says whether a survivor owns a skill that is not used up (WW-VAR1-09, 11)."""
        return bool((self.team[i].skills & ~self.skills_used) >> skill & 1)

    # What changes them -------------------------------------------------------------------------

    def stand(self, i: int, to: Cell) -> None:
        """Puts a survivor's figure onto a location."""
        self.team[i] = Survivor(to, *self.team[i][1:])

    def change(self, i: int, **facts: Any) -> None:
        """Changes what is true of a survivor."""
        self.team[i] = self.team[i]._replace(**facts)

    def hold(self, i: int, item: int) -> None:
        """Puts an item into a survivor's bag."""
        survivor = self.team[i]
        self.team[i] = survivor._replace(bag=(*survivor.bag, item))

    def give_up(self, i: int, item: int) -> None:
        """Takes an item out of a survivor's bag."""
        survivor = self.team[i]
        self.team[i] = survivor._replace(bag=without(survivor.bag, item))

    def throw_away(self, i: int, item: int) -> None:
        """Puts an item of a survivor's on the common discard pile (WW-ITEM-07)."""
        self.give_up(i, item)
        self.stock.pile += (item,)

    def gather_mods(self) -> None:
        """Collects what advantages, skills and an accomplished plan change for each survivor."""
        shared = self.box.plans[self.plan.kind].mods if self.plan.done else ()
        for i, who in enumerate(self.cast):
            survivor = self.team[i]
            found: dict[str, tuple[Json, ...]] = {}
            skilled = (mod for skill in cells_of(survivor.skills) for mod in self.box.skills[skill].mods)
            for mod in (*self.box.survivors[who].mods, *skilled, *shared):
                found[mod["mod"]] = (*found.get(mod["mod"], ()), mod)
            self.team[i] = survivor._replace(mods=found)

    def end(self, code: str, winners: Iterable[Seat], rule: str, events: list[Event]) -> None:
        """Ends the game; nothing else is resolved (WW-WIN-09)."""
        self.result = Outcome(code, tuple(winners), rule)
        self.todo.clear()
        events.append(Event("ended", {"outcome": code, "winners": list(self.result.winners)}))

    # Invariants --------------------------------------------------------------------------------

    def check(self) -> None:
        """The ledger's invariants."""
        assert (self.result is None) == bool(self.waiting), "somebody acts until the game ends"
        assert (self.result is None) == bool(self.todo), "nothing is left to do when it has ended"
        if self.killer.kind < 0 or not self.cast:
            return
        self._check_killer_cards()
        self._check_item_cards()
        self._check_tracks()
        for i in range(IN_PLAY):
            self._check_survivor(i)
        if self.clues is not None and self.result is None:
            places = [survivor.place for survivor in self.team]
            assert self.clues.holds(places, self.fates()), "the deduction lost the truth"

    def _check_killer_cards(self) -> None:
        killer = self.killer
        printed = [card.copies if card.killer == killer.kind else 0 for card in self.box.cards]
        held = killer.deck[:]
        for card in (*killer.hand, *killer.spent):
            held[card] += 1
        if killer.locked:
            held[self.box.killers[killer.kind].locked] += 1
        if killer.playing >= 0:
            held[killer.playing] += 1
        if self.round or killer.deck_size or killer.hand:
            assert held == printed, f"killer cards: {held} instead of {printed}"
        assert sum(killer.deck) == killer.deck_size
        to_discard = any(step[0] == "discard" for step in self.todo)
        assert len(killer.hand) <= HAND_LIMIT or to_discard, "the hand is too full"

    def _check_item_cards(self) -> None:
        stock = self.stock
        printed = [sum(item.copies[:2]) for item in self.box.items]
        for who in self.cast:
            for item in self.box.survivors[who].start:
                printed[item] += 1
        found = [a + b for a, b in zip(stock.equipment, stock.search, strict=True)]
        for item in (*stock.pile, *stock.drawn, *(item for one in self.team for item in one.bag)):
            found[item] += 1
        found[KEY] += self.keys + sum(one.keys for one in self.team) + stock.bottom
        if self.round:
            assert found == printed, f"item cards: {found} instead of {printed}"
        assert sum(stock.equipment) == stock.equipment_size
        assert sum(stock.search) == stock.search_size

    def _check_tracks(self) -> None:
        house, killer = self.house, self.killer
        assert house.barricades.bit_count() <= BARRICADES
        assert 0 <= house.gears <= GEARS and (house.gears < GEARS or house.rescue >= 0)
        assert 1 <= killer.level <= MAX_LEVEL and -1 <= house.rescue <= RESCUE
        assert 0 <= killer.at < N and 0 <= killer.known < N

    def _check_survivor(self, i: int) -> None:
        survivor = self.team[i]
        assert 0 <= survivor.place < N
        assert 0 <= survivor.fear <= 2 and 0 <= survivor.health <= HEALTH
        assert KEY not in survivor.bag, "a key takes no slot"
        spare = 2 if ("shed", i) in self.todo else 0
        assert len(survivor.bag) <= self.slots(i) + spare, "an inventory is too full"
        is_dead = survivor.fate == DEAD
        assert (survivor.health == 0) == is_dead or self.result, "the dead are marked"


def has_many(mask: int) -> bool:
    """Says whether a mask has more than one member."""
    return bool(mask & (mask - 1))
