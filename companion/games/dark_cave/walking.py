"""Phase 2: a dwarf walks, cuts webs, turns goals, takes gold from veins and leaves the cave."""

from __future__ import annotations

from functools import cache

from companion.engine.action import Cell, Seat
from companion.engine.state import Event, Refusal
from companion.games.dark_cave import pieces
from companion.games.dark_cave.cards import CLOSED, HALF, UP
from companion.games.dark_cave.cave import Place, Way, reach
from companion.games.dark_cave.clans import CLAN_WORDS
from companion.games.dark_cave.creatures import MOVE_RULES, Creatures
from companion.games.dark_cave.position import (
    ALONE,
    ANNOUNCE,
    FIT,
    HIDDEN,
    LEAVE,
    LOSE,
    NOWHERE,
    OPEN,
    REVEAL,
    VEIN,
    no,
    spot,
    web_spot,
)
from companion.games.dark_cave.spread import BESIDE


@cache
def _stepped(seat: Seat, cell: Cell) -> Event:
    return Event("stepped", {"seat": seat, **spot(cell)})


class Walking(Creatures):
    """The dwarf's own steps and what they bring."""

    __slots__ = ()

    def start_walk(self) -> None:
        """Counts the steps of phase 2 (DC-MOVE-01, DC-MOVE-02, DC-MOVE-14, DC-TURN-10)."""
        seat = self.turn
        if self.at[seat] == NOWHERE or self.barred or self.lying >> seat & 1:
            self.steps = 0
        else:
            self.steps = pieces.DWARF_STEPS + self.has_boots(seat)

    def can_step(self, seat: Seat, cell: Cell, segment: int) -> Refusal | None:
        here, place = self.at[seat], cell << 4 | segment
        if not self.steps:
            if self.barred or self.lying >> seat & 1:
                return no("lying", "DC-MOVE-14", here >> 4)
            return no("no-steps", "DC-MOVE-01", here >> 4)
        if place in self.ways:
            return None
        return self.why_no_step(here, place, MOVE_RULES)

    def do_step(self, seat: Seat, cell: Cell, segment: int) -> list[Event]:
        """The dwarf moves one segment on (DC-MOVE-03); a face-down goal is turned first (DC-GOAL-01)."""
        here = self.at[seat]
        self.steps -= 1
        self.moved = True
        events = [_stepped(seat, cell)]
        if segment == CLOSED:
            self.steps = 0
            self.push(REVEAL, self.goal_cells.index(cell), BESIDE[cell].index(here >> 4))
        else:
            self.enter(seat, cell << 4 | segment, events)
        return self.run(events)

    def enter(self, seat: Seat, place: Place, events: list[Event]) -> None:
        """What a place does to the dwarf that enters: cost, creatures, exit, in this order (DC-MOVE-12).

        By the other reading who is at the exit is out before a creature can attack (DC-BOOK-05).
        """
        self.at[seat] = place
        feature = self.cards.shapes[self.cave.laid[place >> 4]].feature.get(place & 15)
        if feature == "exit":
            self.push(LEAVE, seat)
            if not self.settings.creature_first:
                return
        if place in self.creatures:
            self.steps = 0
            self.meet(seat, place)
        if feature is None:
            return
        if feature == "bridge":
            self.push(LOSE, seat)
        elif feature == "passage":
            self.lose_nugget(seat, "passage", events)

    def can_stay(self, seat: Seat) -> Refusal | None:
        return None

    def do_stay(self, seat: Seat) -> list[Event]:
        """The player ends the movement."""
        events: list[Event] = []
        self.end_walk(events)
        return self.run(events)

    def end_walk(self, events: list[Event]) -> None:
        """Who moved and stands on a vein may take its nugget (DC-GOLD-02 to DC-GOLD-07, DC-BOOK-03)."""
        self.todo.pop()
        if self.moved and self.veins.get(self.at[self.turn] >> 4):
            self.push(VEIN, self.turn)

    def can_gather(self, seat: Seat) -> Refusal | None:
        return None

    def do_gather(self, seat: Seat) -> list[Event]:
        """A player takes the nugget of a vein and shows the clan card (DC-GOLD-05)."""
        self.todo.pop()
        cell = self.at[seat] >> 4
        self.veins[cell] -= 1
        self.gold[seat] += 1
        if not self.opened >> seat & 1:
            self.push(OPEN, seat)
        return self.run([Event("gold-taken", {"seat": seat, **spot(cell)})])

    def can_leave_it(self, seat: Seat) -> Refusal | None:
        return None

    def do_leave_it(self, seat: Seat) -> list[Event]:
        """A player leaves the nugget, and the clan card face down (DC-BOOK-03)."""
        self.todo.pop()
        return self.run([Event("gold-left", {"seat": seat, **spot(self.at[seat] >> 4)})])

    def dwarf_reach(self, seat: Seat, steps: int) -> dict[Place, Way]:
        """Everywhere a dwarf can get to with so many steps, with what it costs."""
        return reach(
            self.cave,
            self.at[seat],
            steps,
            webs=self.webs,
            stops=self.cave.exits.union(place for place in self.creatures if place != NOWHERE),
            cards=len(self.hands[seat]),
            gold=self.gold[seat],
        )

    # Axes against webs ---------------------------------------------------------------------------

    def can_cut(self, seat: Seat, cell: Cell, side: int) -> Refusal | None:
        border = 2 * cell + side
        if border not in self.webs:
            return no("no-web", "DC-AXE-03", cell)
        if not self.usable_axes(seat):
            if self.axes(seat):
                return no("axe-fresh", "DC-AXE-10", cell)
            return no("no-axe", "DC-AXE-10", cell)
        if border not in self.cuttable(seat):
            return no("not-beside", "DC-AXE-05", cell)
        return None

    def do_cut(self, seat: Seat, cell: Cell, side: int) -> list[Event]:
        """An axe turns a web from 2 to 1 or removes it (DC-AXE-03)."""
        self.use_axe(seat)
        events = [Event("cut", {"seat": seat, **web_spot(2 * cell + side)})]
        self.weaken_web(self.webs.index(2 * cell + side), events)
        return self.run(events)

    # Goals ---------------------------------------------------------------------------------------

    def goal_outcomes(self) -> list[int]:
        """The goals that the card which is turned or looked at can be."""
        known = self.goal_at[self.todo[-1][1]]
        if known != HIDDEN:
            return [known]
        return [goal for goal in range(4) if goal not in self.goal_at]

    def can_reveal(self, seat: Seat, goal: int) -> Refusal | None:
        return None if goal in self.goal_outcomes() else no("not-drawn", "DC-EXIT-01")

    def do_reveal(self, seat: Seat, goal: int) -> list[Event]:
        """A goal card is shown to all (DC-GOAL-01)."""
        _, i, side = self.todo.pop()
        self.goal_at[i] = goal
        events = [Event("goal-shown", {"goal": self.cards.goal_names[goal], **spot(self.goal_cells[i])})]
        turns = self.goal_turns(i, side)
        if len(turns) == 1:
            self._turn_up(i, side, turns[0], events)
        else:
            self.push(FIT, i, side)
        return self.run(events)

    def goal_turns(self, i: int, side: int) -> list[int]:
        """How a goal may lie: joined to where the dwarf came from, fitting all if it can (DC-GOAL-03)."""
        cell, shape = self.goal_cells[i], self.cards.goals[self.goal_at[i]]
        turns = [UP] if self.cards.symmetric[shape] else [UP, HALF]
        joined = [turn for turn in turns if self.cards.shapes[shape + turn].mask >> side & 1]
        agreeing = [turn for turn in joined if self._agrees(cell, shape + turn)]
        return agreeing or joined

    def _agrees(self, cell: Cell, shape: int) -> bool:
        mask = self.cards.shapes[shape].mask
        return all(
            mask >> d & 1 == self.cave.card(other).mask >> (d ^ 2) & 1
            for d, other in enumerate(BESIDE[cell])
            if other in self.cave.laid
        )

    def can_fit(self, seat: Seat, turn: int) -> Refusal | None:
        _, i, side = self.todo[-1]
        if turn & 1:
            return no("quarter-turn", "DC-GOAL-04", self.goal_cells[i])
        if turn >> 1 in self.goal_turns(i, side):
            return None
        return no("goal-does-not-fit", "DC-GOAL-05", self.goal_cells[i])

    def do_fit(self, seat: Seat, turn: int) -> list[Event]:
        """The player turns a goal that fits both ways (DC-GOAL-05)."""
        _, i, side = self.todo.pop()
        events: list[Event] = []
        self._turn_up(i, side, turn >> 1, events)
        return self.run(events)

    def _turn_up(self, i: int, side: int, turn: int, events: list[Event]) -> None:
        """Lays the goal open; dwarf and creatures stand on its first segment (DC-GOAL-07, DC-CRE-20)."""
        cell, shape = self.goal_cells[i], self.cards.goals[self.goal_at[i]] + turn
        self.cave = self.cave.reveal(cell, shape)
        self.add_vein(cell, events)
        place = cell << 4 | self.cards.shapes[shape].segment[side]
        for creature, at in enumerate(self.creatures):
            if at == cell << 4 | CLOSED:
                self.creatures[creature] = place
                self.behind[creature] = NOWHERE
        events.append(Event("goal-laid", {"turn": 180 * turn, **spot(cell)}))
        self.enter(self.turn, place, events)

    def add_vein(self, cell: Cell, events: list[Event]) -> None:
        """Puts the nugget on a vein that has just been laid (DC-GOLD-01)."""
        gold = self.cave.card(cell).gold
        if gold and self.supply:
            gold = min(gold, self.supply)
            self.veins[cell] = gold
            self.supply -= gold
            events.append(Event("vein-found", {"gold": gold, **spot(cell)}))

    # The exit ------------------------------------------------------------------------------------

    def leave(self, events: list[Event]) -> None:
        """A dwarf leaves the cave with its gold; its clan card is opened (DC-EXIT-02 to DC-EXIT-09)."""
        _, seat, _ = self.todo.pop()
        self.at[seat] = NOWHERE
        self.lying &= ~(1 << seat)
        self.left.append(seat)
        events.append(Event("left", {"seat": seat, "gold": self.gold[seat]}))
        if len(self.left) == 1 and self.settings.digital_clans and any(self.clan_left):
            events.append(Event("saw-aside", {"seat": seat, "cards": self.set_aside()}, ALONE[seat]))
        self.push(ANNOUNCE)
        if not self.opened >> seat & 1:
            self.push(OPEN, seat)

    def set_aside(self) -> list[str]:
        """The clan cards set aside (DC-SETUP-13)."""
        return [CLAN_WORDS[card] for card, left in enumerate(self.clan_left) for _ in range(left)]

    def is_way_to_exit(self) -> bool:
        """Says whether a dwarf inside can still get to the exit, whatever stands in between (DC-BOOK-04).

        Tunnels must lead there. An exit that nobody has found may be under any face-down goal, and new
        tunnels may lead to it as long as cards are left.
        """
        if not self.cave.exits and self.deck_level() >= 0:
            return True
        found = {place for place in self.at if place != NOWHERE}
        waiting = list(found)
        while waiting:
            for other in self.cave.near(waiting.pop()):
                if other & 15 == CLOSED:
                    if not self.cave.exits:
                        return True
                elif other not in found:
                    found.add(other)
                    waiting.append(other)
        return not found.isdisjoint(self.cave.exits)
