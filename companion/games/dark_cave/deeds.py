"""Phase 1: laying a tunnel card, playing an action card, passing, or asking to end the game."""

from __future__ import annotations

from functools import cache

from companion.engine.action import Cell, Seat
from companion.engine.state import Event, Refusal
from companion.games.dark_cave import pieces
from companion.games.dark_cave.clans import CLAN_WORDS
from companion.games.dark_cave.position import (
    ALONE,
    LOOK,
    NO_WEB,
    NOWHERE,
    VOTE,
    no,
    spot,
    web_spot,
)
from companion.games.dark_cave.spread import BESIDE, BORDER, border_sides
from companion.games.dark_cave.walking import Walking

GOALS_LOOKED, CLANS_LOOKED = 0, 1
"""What secret information looks at."""


@cache
def _passed(seat: Seat, levels: tuple[int, ...]) -> Event:
    return Event("passed", {"seat": seat, "n": len(levels), "levels": list(levels)})


@cache
def _played(seat: Seat, card: str) -> Event:
    return Event("played", {"seat": seat, "card": card})


class Deeds(Walking):
    """Everything that a card from the hand does."""

    __slots__ = ()

    # Tunnel cards --------------------------------------------------------------------------------

    def can_lay(self, seat: Seat, kind: int, cell: Cell, turn: int) -> Refusal | None:
        refusal = self.why_not_held(seat, kind)
        if refusal is not None:
            return refusal
        shape = self.cards.shape[kind]
        if shape < 0:
            return no("no-tunnel", "DC-TURN-02")
        if turn & 1:
            return no("quarter-turn", "DC-PLACE-05", cell)
        if turn and not self.settings.half_turn:
            return no("half-turn", "DC-PLACE-06", cell)
        if turn and self.cards.symmetric[shape]:
            return no("same-turned", "DC-PLACE-06", cell)
        return self.cave.why_not(cell, shape + (turn >> 1))

    def do_lay(self, seat: Seat, kind: int, cell: Cell, turn: int) -> list[Event]:
        """A tunnel card is added to the network; a vein gets its nugget (DC-PLACE-18)."""
        self.todo.pop()
        self.show(seat, kind)
        self.own_cave().lay(cell, self.cards.shape[kind] + (turn >> 1))
        self.due = 1
        events = [
            Event("laid", {"seat": seat, "card": self.cards.names[kind], "turn": 90 * turn, **spot(cell)})
        ]
        self.add_vein(cell, events)
        return self.run(events)

    # Passing -------------------------------------------------------------------------------------

    def can_pass(self, seat: Seat, *kinds: int) -> Refusal | None:
        if not 1 <= len(kinds) <= 2:
            return no("one-or-two", "DC-TURN-04")
        if kinds[0] > kinds[-1]:
            return no("card-order", "DC-TURN-04")
        hand = self.hands[seat]
        for kind in kinds:
            if hand.count(kind) < kinds.count(kind):
                return no("not-in-hand", "DC-TURN-04")
        return None

    def do_pass(self, seat: Seat, *kinds: int) -> list[Event]:
        """One or two cards are discarded unseen (DC-TURN-05)."""
        self.todo.pop()
        for kind in kinds:
            self.discard_from_hand(seat, kind)
        self.due = len(kinds)
        return self.run([_passed(seat, tuple([self.cards.level[kind] + 1 for kind in kinds]))])

    # Action cards in general ---------------------------------------------------------------------

    def _why_not_deed(self, seat: Seat, kind: int, deed: str) -> Refusal | None:
        if kind < self.cards.unknown and self.cards.deed[kind] != deed:
            return no("other-card", "DC-ACT-05")
        return self.why_not_held(seat, kind)

    def _play(self, seat: Seat, kind: int) -> Event:
        """Shows an action card to all (DC-ACT-01)."""
        self.todo.pop()
        self.show(seat, kind)
        self.due = 1
        return _played(seat, self.cards.names[kind])

    def _discard(self, kind: int) -> None:
        self.discards[kind] += 1

    # Secret information --------------------------------------------------------------------------

    def can_spy_goal(self, seat: Seat, kind: int, cell: Cell) -> Refusal | None:
        refusal = self._why_not_deed(seat, kind, "info")
        if refusal is not None:
            return refusal
        return None if cell in self.cave.closed else no("no-closed-goal", "DC-INFO-04", cell)

    def do_spy_goal(self, seat: Seat, kind: int, cell: Cell) -> list[Event]:
        """The player looks at a face-down goal (DC-INFO-01)."""
        events = [self._play(seat, kind), Event("looked-at-goal", {"seat": seat, **spot(cell)})]
        self._discard(kind)
        i = self.goal_cells.index(cell)
        self.goal_seen[i] |= 1 << seat
        if self.settings.digital:
            self.push(LOOK, i, GOALS_LOOKED)
        return self.run(events)

    def can_spy_clan(self, seat: Seat, kind: int, other: Seat) -> Refusal | None:
        refusal = self._why_not_deed(seat, kind, "info")
        if refusal is not None:
            return refusal
        if other == seat:
            return no("own-clan", "DC-INFO-04")
        if other >= self.settings.players:
            return no("no-player", "DC-INFO-01")
        return no("clan-open", "DC-INFO-04") if self.opened >> other & 1 else None

    def do_spy_clan(self, seat: Seat, kind: int, other: Seat) -> list[Event]:
        """The player looks at another's face-down clan card (DC-INFO-01)."""
        events = [self._play(seat, kind), Event("looked-at-clan", {"seat": seat, "other_seat": other})]
        self._discard(kind)
        self.clan_seen[other] |= 1 << seat
        if self.settings.digital_clans:
            self.push(LOOK, other, CLANS_LOOKED)
        return self.run(events)

    def look_outcomes(self) -> list[int]:
        """What the card that is looked at can be: a goal, or 4 and more for a clan card."""
        _, what, which = self.todo[-1]
        if which == CLANS_LOOKED:
            return [4 + 2 * self.colours[what] + self.identity[what]]
        return self.goal_outcomes()

    def can_look(self, seat: Seat, sight: int) -> Refusal | None:
        return None if sight in self.look_outcomes() else no("not-drawn", "DC-INFO-02")

    def do_look(self, seat: Seat, sight: int) -> list[Event]:
        """What was looked at is shown to the active player alone; the card stays as it was (DC-INFO-03)."""
        _, what, which = self.todo.pop()
        viewer = ALONE[self.turn]
        if which == CLANS_LOOKED:
            event = Event("saw-clan", {"seat": what, "card": CLAN_WORDS[sight - 4]}, viewer)
        else:
            self.goal_at[what] = sight
            event = Event(
                "saw-goal", {"goal": self.cards.goal_names[sight], **spot(self.goal_cells[what])}, viewer
            )
        return self.run([event])

    # Rockfall ------------------------------------------------------------------------------------

    def can_rockfall(self, seat: Seat, kind: int, cell: Cell) -> Refusal | None:
        refusal = self._why_not_deed(seat, kind, "rockfall")
        if refusal is not None:
            return refusal
        shape = self.cave.laid.get(cell)
        if cell in self.cave.closed or (shape is not None and shape >= self.cards.tunnel_shapes):
            return no("no-rockfall-here", "DC-ROCK-02", cell)
        if shape is None:
            return no("no-card", "DC-ROCK-01", cell)
        if any(place >> 4 == cell for place in (*self.at, *self.creatures) if place != NOWHERE):
            return no("occupied", "DC-ROCK-01", cell)
        return None

    def do_rockfall(self, seat: Seat, kind: int, cell: Cell) -> list[Event]:
        """A tunnel card leaves the network with what lies on it (DC-ROCK-03 to DC-ROCK-06)."""
        events = [self._play(seat, kind)]
        self._discard(kind)
        shape = self.cave.laid[cell]
        self.own_cave().remove(cell)
        fallen = self.cards.kind_of_shape[shape & ~1]
        self._discard(fallen)
        events.append(Event("fell", {"card": self.cards.names[fallen], **spot(cell)}))
        gold = self.veins.pop(cell, 0)
        if gold:
            self.supply += gold
            events.append(Event("vein-buried", {"gold": gold, **spot(cell)}))
        for d in range(4):
            border = BORDER[cell][d]
            if border in self.webs:
                other = self.cave.laid.get(BESIDE[cell][d])
                if other is None or not self.cards.shapes[other].mask >> (d ^ 2) & 1:
                    self.remove_web(self.webs.index(border), events)
        return self.run(events)

    # Hand swap -----------------------------------------------------------------------------------

    def can_swap(self, seat: Seat, kind: int, other: Seat) -> Refusal | None:
        refusal = self._why_not_deed(seat, kind, "swap")
        if refusal is not None:
            return refusal
        if other == seat or other >= self.settings.players:
            return no("no-player", "DC-SWAP-01")
        return None

    def do_swap(self, seat: Seat, kind: int, other: Seat) -> list[Event]:
        """Two players exchange hands; the other one draws (DC-SWAP-01 to DC-SWAP-04)."""
        events = [self._play(seat, kind), Event("swapped", {"seat": seat, "other_seat": other})]
        self._discard(kind)
        self.hands[seat], self.hands[other] = self.hands[other], self.hands[seat]
        self.drawer = other
        if self.settings.digital:
            for owner in (seat, other):
                cards = [self.cards.names[k] for k in self.hands[owner]]
                events.append(Event("new-hand", {"seat": owner, "cards": cards}, ALONE[owner]))
        return self.run(events)

    # Webs ----------------------------------------------------------------------------------------

    def can_web(self, seat: Seat, kind: int, cell: Cell, side: int) -> Refusal | None:
        refusal = self._why_not_deed(seat, kind, "web")
        if refusal is not None:
            return refusal
        border = 2 * cell + side
        _, _, other = border_sides(border)
        if border in self.webs:
            return no("web-there", "DC-WEB-04", cell, other)
        if border not in self.cave.web_places():
            return no("no-joint-or-end", "DC-WEB-02", cell, other)
        return None

    def do_web(self, seat: Seat, kind: int, cell: Cell, side: int) -> list[Event]:
        """A web is spun with its 2 up; its card lies before its player (DC-WEB-01)."""
        events = [self._play(seat, kind)]
        self.lay_front(seat, kind)
        symbol = pieces.SYMBOLS.index(self.cards.names[kind][4:])
        assert self.webs[symbol] == NO_WEB
        self.webs[symbol] = 2 * cell + side
        self.web_left[symbol] = 2
        events.append(Event("web-spun", {"web": pieces.SYMBOLS[symbol], **web_spot(self.webs[symbol])}))
        return self.run(events)

    # Items ---------------------------------------------------------------------------------------

    def can_boots(self, seat: Seat, kind: int, other: Seat) -> Refusal | None:
        refusal = self._why_not_deed(seat, kind, "boots")
        if refusal is not None:
            return refusal
        if other >= self.settings.players:
            return no("no-player", "DC-BOOT-01")
        return no("has-boots", "DC-BOOT-02") if self.has_boots(other) else None

    def do_boots(self, seat: Seat, kind: int, other: Seat) -> list[Event]:
        """Boots are laid before a player (DC-BOOT-01)."""
        events = [self._play(seat, kind), Event("boots-given", {"seat": seat, "other_seat": other})]
        self.lay_front(other, kind)
        return self.run(events)

    def can_axe(self, seat: Seat, kind: int, other: Seat) -> Refusal | None:
        refusal = self._why_not_deed(seat, kind, "axe")
        if refusal is not None:
            return refusal
        return no("no-player", "DC-AXE-01") if other >= self.settings.players else None

    def do_axe(self, seat: Seat, kind: int, other: Seat) -> list[Event]:
        """An axe is laid before a player; it cannot be used this turn (DC-AXE-01, DC-AXE-10)."""
        events = [self._play(seat, kind), Event("axe-given", {"seat": seat, "other_seat": other})]
        self.lay_front(other, kind)
        self.fresh_axe = other
        return self.run(events)

    # An early end --------------------------------------------------------------------------------

    def can_propose(self, seat: Seat) -> Refusal | None:
        if not self.settings.early_end:
            return no("no-early-end", "DC-END-06")
        if self.proposed:
            return no("asked-already", "DC-END-06")
        return no("way-open", "DC-END-06") if self.is_way_to_exit() else None

    def do_propose(self, seat: Seat) -> list[Event]:
        """The active player asks all others to end the game (DC-END-06)."""
        self.proposed = True
        for other in reversed(self.in_turn_order()[1:]):
            self.push(VOTE, other)
        return self.run([Event("end-proposed", {"seat": seat})])

    def can_agree(self, seat: Seat) -> Refusal | None:
        return None

    def do_agree(self, seat: Seat) -> list[Event]:
        """A player agrees; when all do the game ends."""
        self.todo.pop()
        events = [Event("end-agreed", {"seat": seat})]
        if self.todo[-1][0] != VOTE:
            self.finish("DC-END-06", events)
        return self.run(events)

    def can_decline(self, seat: Seat) -> Refusal | None:
        return None

    def do_decline(self, seat: Seat) -> list[Event]:
        """A player wants to play on: nobody else is asked."""
        while self.todo[-1][0] == VOTE:
            self.todo.pop()
        return self.run([Event("end-declined", {"seat": seat})])
