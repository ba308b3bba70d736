"""Setting up, drawing, and everything about clans: dealing them, opening them, who is out, who has won."""

from __future__ import annotations

from functools import cache

from companion.engine.action import Seat
from companion.engine.state import Event, Outcome, Refusal
from companion.games.dark_cave import pieces
from companion.games.dark_cave.position import (
    ALONE,
    CLAN,
    DEAL,
    DRAW,
    FIGURE,
    FIRST,
    HIDDEN,
    MOVE,
    NOWHERE,
    PLAY,
    SIDE,
    TURN_END,
    Entry,
    Position,
    no,
)

CLAN_WORDS = (*pieces.CLAN_CARDS, *pieces.CLANS)
"""A clan card as it is dealt: whole, or only its back where cardboard is dealt."""
BACK = len(pieces.CLAN_CARDS)
DWARVES = tuple(f"{clan}-{i + 1}" for clan in pieces.CLANS for i in range(pieces.DWARVES_PER_CLAN))
SIDES_OUT = ("nobody", *pieces.CLANS)
WHOLE_TURN: list[Entry] = [(TURN_END, 0, 0), (DRAW, 0, 0), (MOVE, 0, 0), (PLAY, 0, 0)]
"""The phases of a turn (DC-TURN-01), the first one last."""


# The events of every turn are made once each: nobody changes an event.


@cache
def _began(seat: Seat) -> Event:
    return Event("turn", {"seat": seat})


@cache
def _drew(seat: Seat, level: int) -> Event:
    return Event("drew", {"seat": seat, "level": level + 1})


@cache
def _got(seat: Seat, card: str) -> Event:
    return Event("got", {"seat": seat, "card": card}, ALONE[seat])


class Clans(Position):
    """The beginning and the end of a game."""

    __slots__ = ()

    # Set-up --------------------------------------------------------------------------------------

    def set_up(self) -> None:
        """Writes the agenda of the set-up (DC-SETUP-07 to DC-SETUP-25)."""
        n = self.settings.players
        seats = range(n - 1, -1, -1)
        level_1, level_2 = pieces.dealt(n)
        levels = [1] * level_2 + [0] * level_1
        self.todo = [
            (FIRST, 0, 0),
            *((DEAL, seat, level) for seat in seats for level in levels),
            *((FIGURE, seat, 0) for seat in seats),
            *((CLAN, seat, 0) for seat in seats),
        ]
        if n in (3, 4) and self.settings.clan == "random":
            self.push(SIDE)

    def can_side(self, seat: Seat, clan: int) -> Refusal | None:
        return None

    def do_side(self, seat: Seat, clan: int) -> list[Event]:
        """One clan is used with 3 or 4 players (DC-SETUP-09)."""
        self.todo.pop()
        self.clan_left = pieces.clan_pool(self.settings.players, clan)
        return self.run([Event("clan-chosen", {"clan": pieces.CLANS[clan]})])

    def clan_outcomes(self) -> list[tuple[int, int]]:
        """The clan cards that can be dealt now, each with its number."""
        if self.settings.digital_clans:
            return [(card, left) for card, left in enumerate(self.clan_left) if left]
        left = [
            self.clan_left[2 * clan] + self.clan_left[2 * clan + 1] - self.colours.count(clan)
            for clan in range(2)
        ]
        return [(BACK + clan, left[clan]) for clan in range(2) if left[clan]]

    def can_clan(self, seat: Seat, card: int) -> Refusal | None:
        if any(card == possible for possible, _ in self.clan_outcomes()):
            return None
        return no("not-drawn", "DC-SETUP-11")

    def do_clan(self, seat: Seat, card: int) -> list[Event]:
        """A seat gets its clan card: all see its colour, its owner the front (DC-SETUP-11, DC-SETUP-12)."""
        _, owner, _ = self.todo.pop()
        clan = card - BACK if card >= BACK else card // 2
        self.colours[owner] = clan
        events = [Event("clan-dealt", {"seat": owner, "clan": pieces.CLANS[clan]})]
        if card < BACK:
            self.identity[owner] = card % 2
            self.clan_left[card] -= 1
            events.append(Event("clan-own", {"seat": owner, "card": CLAN_WORDS[card]}, ALONE[owner]))
        return self.run(events)

    def can_take(self, seat: Seat, dwarf: int) -> Refusal | None:
        if dwarf // pieces.DWARVES_PER_CLAN != self.colours[seat]:
            return no("other-clan", "DC-SETUP-15")
        if dwarf in self.figures:
            return no("dwarf-taken", "DC-SETUP-15")
        return None

    def do_take(self, seat: Seat, dwarf: int) -> list[Event]:
        """A player chooses a dwarf of the own clan (DC-SETUP-15)."""
        self.todo.pop()
        self.figures[seat] = dwarf
        return self.run([Event("dwarf-taken", {"seat": seat, "dwarf": DWARVES[dwarf]})])

    def first_outcomes(self) -> list[int]:
        chosen = self.settings.first
        return [chosen - 1] if chosen else list(range(self.settings.players))

    def can_first(self, seat: Seat, first: Seat) -> Refusal | None:
        return None if first in self.first_outcomes() else no("not-drawn", "DC-SETUP-25")

    def do_first(self, seat: Seat, first: Seat) -> list[Event]:
        """Somebody begins (DC-SETUP-25)."""
        self.todo.pop()
        events = [Event("first", {"seat": first})]
        self.begin_turn(first, events)
        return self.run(events)

    # Drawing -------------------------------------------------------------------------------------

    # The entries `DEAL` and `DRAW` name who draws and from which level.

    def can_draw(self, seat: Seat, kind: int) -> Refusal | None:
        level, cards = self.todo[-1][2], self.cards
        if cards.level[kind] != level:
            return no("wrong-level", "DC-HID-02")
        is_known = kind < cards.unknown
        if is_known != self.settings.digital:
            return no("not-drawn", "DC-INV-01")
        if is_known and not self.pools[level].counts[kind - cards.first[level]]:
            return no("not-drawn", "DC-INV-01")
        return None

    def do_draw(self, seat: Seat, kind: int) -> list[Event]:
        """A card goes from the deck to a hand; all see its back, its owner the front (DC-HID-01)."""
        _, owner, level = self.todo[-1]
        if self.due > 1:
            self.due -= 1
        else:
            self.due = 0
            self.todo.pop()
        self.give(owner, kind)
        events = [_drew(owner, level)]
        if kind < self.cards.unknown:
            events.append(_got(owner, self.cards.names[kind]))
        return self.run(events)

    # Turns ---------------------------------------------------------------------------------------

    def begin_turn(self, seat: Seat, events: list[Event]) -> None:
        """The upkeep of a turn; without hand cards the turn is skipped (DC-TURN-06 to DC-TURN-08)."""
        self.turn = seat
        self.steps, self.moved = -1, False
        self.fresh_axe, self.proposed = -1, False
        self.drawer, self.due = seat, 0
        self.barred = bool(self.lying >> seat & 1)
        events.append(_began(seat))
        if self.barred:
            self.lying &= ~(1 << seat)
            events.append(Event("stood-up", {"seat": seat}))
        if self.front[seat]:
            self._tidy_front(seat, events)
        if self.hands[seat]:
            self.todo += WHOLE_TURN
        else:
            self.push(TURN_END)
            events.append(Event("skipped", {"seat": seat}))

    def _tidy_front(self, seat: Seat, events: list[Event]) -> None:
        """The own creatures leave and the own webs change (DC-CRE-11, DC-WEB-06)."""
        for creature, holder in enumerate(self.holders):
            if holder == seat:
                self.remove_creature(creature, events)
        for kind in self.front[seat]:
            if self.cards.deed[kind] == "web":
                self.weaken_web(pieces.SYMBOLS.index(self.cards.names[kind][4:]), events)

    def end_turn(self, entry: Entry, events: list[Event]) -> bool:
        """The next player follows, unless no hand card is left (DC-END-01, DC-END-04, DC-END-05)."""
        self.todo.pop()
        if any(self.hands):
            self.begin_turn((self.turn + 1) % self.settings.players, events)
        else:
            self.finish("DC-END-01" if self.deck_level() < 0 else "DC-END-05", events)
        return True

    # Clan cards that are opened ------------------------------------------------------------------

    def open_outcomes(self) -> list[tuple[int, int]]:
        """What the clan card that is turned can be: what is known, or what is left of its colour."""
        seat = self.todo[-1][1]
        if self.identity[seat] != HIDDEN:
            return [(2 * self.colours[seat] + self.identity[seat], 1)]
        cards = [2 * self.colours[seat] + identity for identity in (pieces.LOYAL, pieces.SABOTEUR)]
        if self.announced >= 0 and self.is_in_cave(seat):
            cards = [card for card in cards if card // 2 ^ card % 2 != self.announced]
        return [(card, self.clan_left[card]) for card in cards if self.clan_left[card]]

    def can_open(self, seat: Seat, card: int) -> Refusal | None:
        if any(card == possible for possible, _ in self.open_outcomes()):
            return None
        return no("not-drawn", "DC-CLAN-03")

    def do_open(self, seat: Seat, card: int) -> list[Event]:
        """A clan card is turned face up and stays so (DC-CLAN-03)."""
        _, owner, _ = self.todo.pop()
        if self.identity[owner] == HIDDEN:
            self.identity[owner] = card % 2
            self.clan_left[card] -= 1
        self.opened |= 1 << owner
        return self.run([Event("clan-opened", {"seat": owner, "card": CLAN_WORDS[card]})])

    # The end -------------------------------------------------------------------------------------

    def sides_out(self) -> list[int]:
        """What can be announced after somebody left: 0 for nobody, 1 + clan when all who work for it are out.

        With the companion's clan cards only the truth (DC-END-02, DC-END-03); with cardboard what the open
        cards leave possible, for the first who left to say (DC-EXIT-06).
        """
        possible = []
        for clan in range(2):
            unknown = self._insiders_if_out(clan)
            if unknown is None:
                continue
            possible.append(1 + clan)
            if all(not self.clan_left[card ^ 1] for card in unknown):
                return [1 + clan]
        if self.settings.digital_clans and possible:
            return possible
        return [0, *possible]

    def _insiders_if_out(self, clan: int) -> list[int] | None:
        """The clan cards that hidden dwarves inside must hold if `clan` is out; None when it cannot be."""
        if not any(self.works_for(seat) == clan for seat in self.left):
            return None
        unknown = []
        for seat in range(self.settings.players):
            if self.is_in_cave(seat):
                if self.identity[seat] == HIDDEN:
                    unknown.append(2 * self.colours[seat] + (self.colours[seat] ^ clan ^ 1))
                elif self.works_for(seat) == clan:
                    return None
        if any(unknown.count(card) > self.clan_left[card] for card in unknown):
            return None
        return unknown

    def can_announce(self, seat: Seat, side: int) -> Refusal | None:
        return None if side in self.sides_out() else no("not-out", "DC-END-02")

    def do_announce(self, seat: Seat, side: int) -> list[Event]:
        """When all dwarves working for one clan are out the game ends at once (DC-END-02, DC-END-07)."""
        self.todo.pop()
        if not side:
            return self.run([])
        self.announced = side - 1
        events = [Event("side-out", {"clan": pieces.CLANS[side - 1]})]
        self.finish("DC-END-02", events)
        return self.run(events)

    def treasure(self) -> list[dict[str, int]]:
        """Each clan's saved gold, the dwarves working against it, the value (DC-SCORE-03 to DC-SCORE-06)."""
        seats = range(self.settings.players)
        gold = [sum(self.gold[s] for s in self.left if self.works_for(s) == clan) for clan in range(2)]
        against = [sum(self.works_for(s) != clan for s in seats) for clan in range(2)]
        return [{"gold": g, "against": a, "value": g * a} for g, a in zip(gold, against, strict=True)]

    def winning_clan(self) -> int:
        """The clan with the more valuable treasure, -1 for none (DC-SCORE-07 to DC-SCORE-09)."""
        yellow, blue = (row["value"] for row in self.treasure())
        if yellow != blue:
            return 0 if yellow > blue else 1
        return self.works_for(self.left[0]) if self.left else -1

    def outcome(self) -> Outcome | None:
        if not self.is_over():
            return None
        clan = self.winning_clan()
        seats = range(self.settings.players)
        values = [row["value"] for row in self.treasure()]
        return Outcome(
            f"{pieces.CLANS[clan]}-won" if clan >= 0 else "nobody-won",
            tuple(seat for seat in seats if self.works_for(seat) == clan),
            self.ended_by,
            tuple(values[self.works_for(seat)] for seat in seats),
        )

    def count_gold(self, events: list[Event]) -> None:
        """Who is still inside gives all nuggets back (DC-SCORE-02)."""
        for seat, place in enumerate(self.at):
            if place != NOWHERE and self.gold[seat]:
                self.supply += self.gold[seat]
                events.append(Event("gold-drowned", {"seat": seat, "gold": self.gold[seat]}))
                self.gold[seat] = 0
        for clan, row in enumerate(self.treasure()):
            events.append(Event("treasure", {"clan": pieces.CLANS[clan], **row}))
