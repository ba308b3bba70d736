"""Rat, lindworm and goblin: called, moved, driven off, and what their attacks take."""

from __future__ import annotations

from companion.engine.action import Cell, Seat
from companion.engine.state import Event, Refusal
from companion.games.dark_cave import pieces
from companion.games.dark_cave.cards import CLOSED
from companion.games.dark_cave.cave import Place, Way, reach
from companion.games.dark_cave.clans import Clans
from companion.games.dark_cave.position import (
    ALONE,
    ASK,
    CREEP,
    GOBLIN,
    HIT,
    LINDWORM,
    LOSE,
    NOWHERE,
    RAT,
    no,
    spot,
)
from companion.games.dark_cave.spread import BESIDE, BORDER

MOVE_RULES = {"web": "DC-MOVE-08", "wall": "DC-MOVE-05", "not-linked": "DC-MOVE-15", "far": "DC-MOVE-03"}
CREEP_RULES = {"web": "DC-CRE-07", "wall": "DC-MOVE-05", "not-linked": "DC-MOVE-15", "far": "DC-MOVE-03"}


class Creatures(Clans):
    """The creatures and the axes against them."""

    __slots__ = ()

    # Called and moved ----------------------------------------------------------------------------

    def can_call(self, seat: Seat, kind: int, cell: Cell, segment: int) -> Refusal | None:
        refusal = self._why_not_creature(seat, kind)
        if refusal is not None:
            return refusal
        place = self.creatures[self.cards.creature[kind]]
        if place != NOWHERE:
            return no("creature-in-play", "DC-CRE-12", place >> 4)
        if not self.cave.holes:
            return no("no-hole", "DC-CRE-03")
        if (cell << 4 | segment) not in self.cave.holes:
            return no("not-a-hole", "DC-CRE-02", cell)
        return None

    def do_call(self, seat: Seat, kind: int, cell: Cell, segment: int) -> list[Event]:
        """A creature comes out of a dark hole (DC-CRE-01, DC-CRE-02, DC-CRE-10)."""
        self.todo.pop()
        creature = self.cards.creature[kind]
        self._claim(seat, kind, creature)
        place = cell << 4 | segment
        self.creatures[creature] = place
        events = [
            Event("called", {"seat": seat, "creature": pieces.CREATURES[creature], **spot(cell)}),
        ]
        if not (self.settings.attack_on_placement and self._fall_upon(creature, place, events)):
            self.push(CREEP, creature)
        return self.run(events)

    def can_rouse(self, seat: Seat, kind: int) -> Refusal | None:
        refusal = self._why_not_creature(seat, kind)
        if refusal is not None:
            return refusal
        if self.creatures[self.cards.creature[kind]] == NOWHERE:
            return no("creature-not-in-play", "DC-CRE-12")
        return None

    def do_rouse(self, seat: Seat, kind: int) -> list[Event]:
        """A creature in play gets a new master and moves on from where it stands (DC-CRE-12, DC-CRE-14)."""
        self.todo.pop()
        creature = self.cards.creature[kind]
        self.drop_creature_card(creature)
        self._claim(seat, kind, creature)
        self.push(CREEP, creature)
        return self.run([Event("roused", {"seat": seat, "creature": pieces.CREATURES[creature]})])

    def _why_not_creature(self, seat: Seat, kind: int) -> Refusal | None:
        if kind < self.cards.unknown and self.cards.creature[kind] < 0:
            return no("other-card", "DC-ACT-05")
        return self.why_not_held(seat, kind)

    def _claim(self, seat: Seat, kind: int, creature: int) -> None:
        self.show(seat, kind)
        self.lay_front(seat, kind)
        self.holders[creature] = seat
        self.crawl = pieces.CREATURE_STEPS[creature]
        self.due = 1

    def can_crawl(self, seat: Seat, cell: Cell, segment: int) -> Refusal | None:
        creature = self.todo[-1][1]
        here, place = self.creatures[creature], cell << 4 | segment
        if place in self.next_places(here, self.behind[creature]):
            return None
        if here & 15 == CLOSED:
            return no("only-back", "DC-CRE-13", here >> 4)
        return self.why_no_step(here, place, CREEP_RULES)

    def do_crawl(self, seat: Seat, cell: Cell, segment: int) -> list[Event]:
        """A creature makes one step (DC-CRE-04 to DC-CRE-08, DC-CRE-13)."""
        creature = self.todo[-1][1]
        here, place = self.creatures[creature], cell << 4 | segment
        self.creatures[creature] = place
        self.behind[creature] = here if segment == CLOSED else NOWHERE
        self.crawl -= 1
        events = [Event("crawled", {"creature": pieces.CREATURES[creature], **spot(cell)})]
        if place in self.at:
            self.todo.pop()
            self._fall_upon(creature, place, events)
        return self.run(events)

    def can_halt(self, seat: Seat) -> Refusal | None:
        return None

    def do_halt(self, seat: Seat) -> list[Event]:
        """A creature stays where it is."""
        self.todo.pop()
        return self.run([])

    def creature_reach(self, creature: int, steps: int) -> dict[Place, Way]:
        """Everywhere a creature can get to with so many steps."""
        return reach(
            self.cave,
            self.creatures[creature],
            steps,
            webs=self.webs,
            stops={place for place in self.at if place != NOWHERE},
            back=self.behind[creature],
        )

    def why_no_step(self, here: Place, place: Place, rules: dict[str, str]) -> Refusal:
        """Why no step leads from one place to another; the codes of `rules` name the ledger's rules."""
        cell, other = here >> 4, place >> 4
        if not self.cave.is_place(place):
            return no("no-place", rules["far"], other)
        if place in self.cave.near(here):
            return no("web", rules["web"], cell, other)
        if cell == other:
            return no("not-linked", rules["not-linked"], cell)
        if other in BESIDE[cell]:
            d = BESIDE[cell].index(other)
            if not (self.cave.card(cell).mask >> d & 1 and BORDER[cell][d] in self._joined_borders(other)):
                return no("wall", rules["wall"], cell, other)
        return no("not-adjacent", rules["far"], cell, other)

    def _joined_borders(self, cell: Cell) -> list[int]:
        if cell in self.cave.closed:
            return list(BORDER[cell])
        return [BORDER[cell][d] for d in range(4) if self.cave.card(cell).mask >> d & 1]

    # Attacks -------------------------------------------------------------------------------------

    def _fall_upon(self, creature: int, place: Place, events: list[Event]) -> bool:
        """A creature that came to a place attacks all dwarves there, if there are any (DC-CRE-08)."""
        victims = [seat for seat in self.in_turn_order() if self.at[seat] == place]
        if not victims:
            return False
        self.push(HIT, creature, sum(1 << seat for seat in victims))
        for seat in reversed(victims):
            self.push(ASK, creature, seat)
        return True

    def meet(self, seat: Seat, place: Place) -> None:
        """A dwarf that came to a place is attacked by every creature there, alone (DC-CRE-15, DC-CRE-17)."""
        waiting = [creature for creature in (RAT, LINDWORM, GOBLIN) if self.creatures[creature] == place]
        for creature in reversed(waiting):
            self.push(HIT, creature, 1 << seat)
            self.push(ASK, creature, seat)

    def can_strike(self, seat: Seat) -> Refusal | None:
        return None

    def do_strike(self, seat: Seat) -> list[Event]:
        """An axe drives a creature off before it attacks anybody (DC-AXE-06 to DC-AXE-08)."""
        _, creature, _ = self.todo.pop()
        self.use_axe(seat)
        events = [Event("struck", {"seat": seat, "creature": pieces.CREATURES[creature]})]
        self.remove_creature(creature, events)
        return self.run(events)

    def can_endure(self, seat: Seat) -> Refusal | None:
        return None

    def do_endure(self, seat: Seat) -> list[Event]:
        """A player keeps the axe."""
        self.todo.pop()
        return self.run([])

    def hit(self, events: list[Event]) -> None:
        """A creature that nobody drove off does its harm (DC-RAT-02, DC-LIN-02, DC-GOB-02)."""
        _, creature, mask = self.todo.pop()
        if self.creatures[creature] == NOWHERE:
            return
        victims = [seat for seat in self.in_turn_order() if mask >> seat & 1]
        events.append(Event("attacked", {"creature": pieces.CREATURES[creature], "seats": victims}))
        if creature == RAT:
            for seat in reversed(victims):
                self.push(LOSE, seat)
        elif creature == LINDWORM:
            self.lying |= mask
        else:
            for seat in victims:
                self.lose_nugget(seat, "goblin", events)

    def lose_nugget(self, seat: Seat, to: str, events: list[Event]) -> None:
        """A nugget goes back to the supply, if there is one (DC-ARCH-03, DC-GOB-03)."""
        if self.gold[seat]:
            self.gold[seat] -= 1
            self.supply += 1
            events.append(Event("nugget-lost", {"seat": seat, "to": to}))

    def lose_outcomes(self) -> list[tuple[int, int]]:
        """The hand cards that the left neighbour can draw, each with its number (DC-RAT-02, DC-BRI-04).

        Of a card that was picked from a dealt hand its back is known.
        """
        _, victim, back = self.todo[-1]
        hand = self.hands[victim]
        kinds = [kind for kind in dict.fromkeys(hand) if not back or self.cards.level[kind] + 1 == back]
        return [(kind, hand.count(kind)) for kind in kinds]

    def can_lose(self, seat: Seat, kind: int) -> Refusal | None:
        if any(kind == possible for possible, _ in self.lose_outcomes()):
            return None
        return no("not-drawn", "DC-INV-07")

    def left_of(self, seat: Seat) -> Seat:
        """The left neighbour: the next in turn (DC-SETUP-26)."""
        return (seat + 1) % self.settings.players

    def can_pick(self, seat: Seat, card: int) -> Refusal | None:
        if card < len(self.hands[self.todo[-1][2]]):
            return None
        return no("no-such-card", "DC-BOOK-06")

    def do_pick(self, seat: Seat, card: int) -> list[Event]:
        """The left neighbour picks a card by its place in the hand, seeing the backs alone (DC-BRI-04).

        The backs are told apart by level only, so which card of that level it is, chance says.
        """
        _, _, victim = self.todo.pop()
        level = self.cards.level[self.hands[victim][card]] + 1
        self.todo[-1] = (LOSE, victim, level)
        return self.run([Event("picked", {"seat": seat, "other_seat": victim, "level": level})])

    def do_lose(self, seat: Seat, kind: int) -> list[Event]:
        """A random hand card goes face down on the discard pile; only its owner can tell which it was."""
        _, victim, _ = self.todo.pop()
        self.discard_from_hand(victim, kind)
        events = [Event("card-lost", {"seat": victim, "level": self.cards.level[kind] + 1})]
        if kind < self.cards.unknown:
            events.append(Event("missed", {"seat": victim, "card": self.cards.names[kind]}, ALONE[victim]))
        return self.run(events)
