"""Before the first round: whose heroes stand where, and the market of the advanced game (BB-ADV)."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.state import Event, Refusal
from companion.games.bad_bones.pieces import ITEMS, PLACES, TRAPS, TREASURE
from companion.games.bad_bones.printed import PRINTED
from companion.games.bad_bones.table import FIRST, MARKET, POST, Table
from companion.games.bad_bones.words import BUY, PASS


class Market(Table):
    """The verbs `post`, `first`, `buy` and `pass`."""

    __slots__ = ()

    def begin_round(self) -> list[Event]:
        """Begins the first round (see the rules)."""
        raise NotImplementedError

    # Heroes of the cooperative game ------------------------------------------------------------

    def after_setup(self) -> list[Event]:
        if self.terms.coop:
            self.open_phase(POST, (1 << self.terms.players) - 1)
            return []
        return self.open_market()

    def post_actions(self, seat: Seat) -> list[Action]:
        return [Action("post", (seat * PLACES + cell,)) for cell in self.terms.side.towers]

    def can_post(self, seat: Seat, cell: Cell) -> Refusal | None:
        if cell // PLACES != seat or cell % PLACES not in self.terms.side.towers:
            return Refusal("no-own-tower", self.on_table(cell), "BB-COOP-08")
        return None

    def do_post(self, seat: Seat, cell: Cell) -> list[Event]:
        self.own(seat).hero = cell % PLACES
        self.busy &= ~(1 << seat)
        events = [Event("posted", {"seat": seat, "cell": cell})]
        if not self.busy:
            events += self.open_market()
        self.renew()
        return events

    # Market ------------------------------------------------------------------------------------

    def open_market(self) -> list[Event]:
        if not self.terms.advanced:
            return self.begin_round()
        if self.terms.players > 1 and not self.terms.coop:
            self.phase = FIRST
            return []
        return self._begin_market()

    def can_first(self, seat: Seat, first: Seat) -> Refusal | None:
        if first >= self.terms.players:
            return Refusal("no-such-seat", (), "BB-ADV-05")
        return None

    def do_first(self, seat: Seat, first: Seat) -> list[Event]:
        self.first = first
        events = [Event("began", {"seat": first}), *self._begin_market()]
        self.renew()
        return events

    def _begin_market(self) -> list[Event]:
        self.phase = MARKET
        self.lap = 0
        self.passed = 0
        if self.terms.coop:
            self.busy = (1 << self.terms.players) - 1
        return self._call_buyer()

    def buyer(self) -> Seat:
        """Whose turn it is: clockwise, then back, and so on (BB-ADV-06)."""
        players = self.terms.players
        lap, i = divmod(self.lap, players)
        return (self.first + (players - 1 - i if lap % 2 else i)) % players

    def _call_buyer(self) -> list[Event]:
        """Finds the next who can buy; who cannot passes by himself (BB-ADV-08)."""
        if self.terms.coop:
            for seat in range(self.terms.players):
                if self.busy >> seat & 1 and not self.can_buy_something(seat):
                    self.busy &= ~(1 << seat)
            return [] if self.busy else self._close_market()
        everybody = (1 << self.terms.players) - 1
        while self.passed != everybody:
            if self.lap % self.terms.players == 0:
                self.passed = 0
            self.seat = self.buyer()
            if self.can_buy_something(self.seat):
                return []
            self._next_turn(passed=True)
        return self._close_market()

    def _next_turn(self, passed: bool) -> None:
        if passed:
            self.passed |= 1 << self.seat
        self.lap += 1

    def _close_market(self) -> list[Event]:
        """What was not bought goes to the box (BB-ADV-11)."""
        for trap, number in enumerate(self.offer):
            self.box[trap] += number
            self.offer[trap] = 0
        self.weapons = 0
        self.busy = 0
        return [Event("market-closed", {}), *self.begin_round()]

    def purse(self, seat: Seat) -> int:
        """The index of the coins that a seat spends: one purse for a team (BB-COOP-27)."""
        return 0 if self.terms.coop else seat

    def can_buy_something(self, seat: Seat) -> bool:
        return any(self.can_buy(seat, item) is None for item in range(len(ITEMS)))

    def market_actions(self, seat: Seat) -> list[Action]:
        return [*(action for action in BUY if self.can_buy(seat, action.args[0]) is None), PASS]

    def can_buy(self, seat: Seat, item: int) -> Refusal | None:
        if item == TREASURE:
            return Refusal("not-for-sale", (), "BB-ADV-02")
        weapon = item - len(TRAPS)
        if weapon >= 0 and self.fields[seat].weapon >= 0:
            return Refusal("has-weapon", (), "BB-COOP-28" if self.terms.coop else "BB-ADV-09")
        if not (self.weapons >> weapon & 1 if weapon >= 0 else self.offer[item]):
            return Refusal("sold-out", (), "BB-ADV-07")
        price = PRINTED.prices[item]
        if price > self.coins[self.purse(seat)]:
            return Refusal("too-dear", (), "BB-ADV-08", {"n": price})
        return None

    def do_buy(self, seat: Seat, item: int) -> list[Event]:
        price = PRINTED.prices[item]
        self.coins[self.purse(seat)] -= price
        weapon = item - len(TRAPS)
        if weapon >= 0:
            self.weapons &= ~(1 << weapon)
            self.own(seat).weapon = weapon
        else:
            self.offer[item] -= 1
            if not self.terms.coop:
                self.own(seat)
            self.supply(seat)[item] += 1
        events = [Event("bought", {"seat": seat, "item": ITEMS[item], "n": price})]
        if self.terms.coop:
            self.busy = (1 << self.terms.players) - 1
        self._next_turn(passed=False)
        events += self._call_buyer()
        self.renew()
        return events

    def can_pass(self, seat: Seat) -> Refusal | None:
        return None

    def do_pass(self, seat: Seat) -> list[Event]:
        events = [Event("passed", {"seat": seat})]
        if self.terms.coop:
            self.busy &= ~(1 << seat)
        self._next_turn(passed=True)
        events += self._call_buyer()
        self.renew()
        return events
