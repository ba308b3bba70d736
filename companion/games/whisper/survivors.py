"""The survivors' turn: waking, moving, trading, repairing, searching, using things, equipment, the report."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.grid import cells_of
from companion.engine.state import Event, Refusal
from companion.games.whisper.base import DEAD, ESCAPED, IN, Base, Frame, refuse
from companion.games.whisper.pieces import (
    ACTION,
    BESIDE,
    ENTRANCE,
    EXIT,
    FIRST_PASSAGE,
    GEARS,
    IN_PLAY,
    ITEMS,
    KEY,
    KEYS,
    LEAVE,
    OWN_KEYS,
    PASSAGES,
    RADIO,
    RESCUE,
    SEARCHABLE,
    SPIRITS,
    TOUCHING,
    action,
    reach,
)

NO_TARGET = -1
NO_ITEM = -1
"""What is asked for a gift."""
MAIN = "WW-TURN-04"


class SurvivorsTurn(Base):
    """Steps A to E of the survivors' turn (ledger section 5.2)."""

    __slots__ = ()

    # A: noise is removed, victory is checked -------------------------------------------------------

    def run_round(self, frame: Frame, events: list[Event]) -> None:
        """Begins a round (WW-TURN-01, WW-NOISE-01, WW-FIRE-06, WW-RESCUE-02)."""
        self.killer_turn = False
        self.round += 1
        self.last_noise = self.noise
        self.noise = self.pending = 0
        self.cracker, self.cracker_set = -1, False
        self.repaired, self.acted, self.active, self.dice = False, 0, -1, ()
        self.turn_bonus = self.attack_bonus = self.round_used = self.asked = 0
        self.barred = self.barricades
        events.append(Event("round-began", {"round": self.round}))
        if self.rescue > 0:
            self.rescue -= 1
            events.append(Event("rescue-moved", {"n": self.rescue}))
        if self.has_won(events):
            return
        if self.clues is not None:
            self.clues = self.clues.turn_began(self.round, self.barred)
        self.push(("pick",), ("equipping",), ("plan-check",), ("to-report",), ("killer-turn",))

    def has_won(self, events: list[Event]) -> bool:
        """Checks rescue, the exits and the plans that win at the start of a turn (WW-WIN-01 to 06)."""
        if self.rescue == 0:
            self.survivors_win("rescue", "WW-WIN-03", events)
            return True
        if self.setup.solo:
            self._escape_singly(events)
        elif self.keys >= KEYS:
            everybody = set(self.places)
            if everybody == {ENTRANCE}:
                self.survivors_win("escape", "WW-WIN-01", events)
            elif everybody == {EXIT} and any(self._opens_exit(i) for i in range(IN_PLAY)):
                self.survivors_win("secret-exit", "WW-WIN-02", events)
        if self.ended is None and self.plan_done:
            self._plan_wins_at_start(events)
        return self.ended is not None

    def _opens_exit(self, i: int) -> bool:
        return any(
            mod["mod"] == "secret_exit_escape" for item in self.bags[i] for mod in self.box.items[item].mods
        )

    def _escape_singly(self, events: list[Event]) -> None:
        """Variant 2: whoever has three own keys at an exit is out (WW-VAR2-08, 09)."""
        for i in range(IN_PLAY):
            if self.gone[i] != IN or self.own_keys[i] < OWN_KEYS:
                continue
            if self.places[i] == ENTRANCE or (self.places[i] == EXIT and self._opens_exit(i)):
                events.append(Event("escaped", {"survivor": self.name(i), "cell": self.places[i]}))
                self.leave_play(i, ESCAPED, events)
        self.check_solo_end(events)

    def pass_token(self, events: list[Event]) -> None:
        """The first-player token goes to the next survivor in play (WW-VAR2-05)."""
        for step in range(1, IN_PLAY + 1):
            i = (self.first + step) % IN_PLAY
            if self.gone[i] == IN:
                self.first = i
                break
        events.append(Event("token-passed", {"survivor": self.name(self.first)}))

    def leave_play(self, i: int, fate: int, events: list[Event]) -> None:
        """Variant 2: a survivor dies or escapes; a token holder hands the token on (AMB-36)."""
        self.gone[i] = fate
        if self.clues is not None:
            self.clues = self.clues.left(i)
        if self.first == i and IN in self.gone:
            self.pass_token(events)

    def _plan_wins_at_start(self, events: list[Event]) -> None:
        """The plans that win at the start of a turn (WW-VAR3-20)."""
        living = self.living()
        spots = {self.places[i] for i in cells_of(living)}
        for win in self.box.plans[self.plan].wins:
            held = {ITEMS[item] for i in cells_of(living) for item in self.bags[i]}
            rocket = win["cond"] == "start_together_adjacent_killer_no_encounter"
            portal = win["cond"] == "start_all_at_spirits_with_items"
            if (
                rocket
                and self.quiet
                and not self.hidden
                and len(spots) == 1
                and BESIDE[self.at] >> next(iter(spots)) & 1
            ) or (portal and spots == {SPIRITS} and held >= set(win["items"])):
                self.survivors_win("plan", "WW-VAR3-13", events, by_plan=True)
                return

    def survivors_win(self, code: str, rule: str, events: list[Event], *, by_plan: bool = False) -> None:
        """Ends the game for the survivors; in variant 2 for those who live (WW-VAR2-10, WW-VAR3-18)."""
        if not self.setup.solo:
            self.finish(code, self.setup.team, rule, events)
            return
        winners = [1 + i for i in range(IN_PLAY) if self.gone[i] != DEAD]
        if not by_plan and self.gone.count(DEAD) >= 2:
            winners.insert(0, 0)
        self.finish(code, winners, rule, events)

    def check_solo_end(self, events: list[Event]) -> None:
        """Variant 2 ends when nobody is left in the house (WW-VAR2-17 to 20)."""
        if IN in self.gone or self.ended is not None:
            return
        kills = self.gone.count(DEAD)
        winners = [0] if kills >= 2 else []
        winners += [1 + i for i in range(IN_PLAY) if self.gone[i] == ESCAPED]
        code = "invincible" if kills == IN_PLAY else "house-empty"
        rule = "WW-VAR2-20" if kills == IN_PLAY else "WW-VAR2-17"
        self.finish(code, winners, rule, events)

    # B, C: exchange and actions --------------------------------------------------------------------

    def can_wake(self, seat: Seat, who: int) -> Refusal | None:
        i = self.slot(who)
        if i < 0 or self.gone[i] != IN:
            return refuse("not-in-play", "WW-SETUP-02")
        if self.setup.solo and seat != 1 + i:
            return refuse("not-your-survivor", "WW-VAR2-01")
        if self.acted >> i & 1:
            return refuse("activation-closed", "WW-TURN-10")
        return None

    def do_wake(self, seat: Seat, who: int) -> list[Event]:
        self.active, self.main_done = self.slot(who), False
        self.push(("active", self.active))
        return self.settle([Event("woke", {"survivor": self.name(self.active)}, self.team_only())])

    def can_done(self, seat: Seat) -> Refusal | None:
        return None if self.main_done else refuse("main-action-due", MAIN)

    def do_done(self, seat: Seat) -> list[Event]:
        events = [Event("rested", {"survivor": self.name(self.active)}, self.team_only())]
        self.stack.pop()
        self.acted |= 1 << self.active
        self.active = -1
        if not self.living() & ~self.acted:
            self.stack.pop()
        return self.settle(events)

    def can_move(self, seat: Seat, to: Cell) -> Refusal | None:
        if self.main_done:
            return refuse("main-action-done", MAIN)
        return self.no_walk(self.active, to, 1, self.main_steps(self.active))

    def main_steps(self, i: int) -> int:
        """How far main action 1 goes (WW-MOVE-02)."""
        return 2 + self.mod(i, "main_move_max")

    def no_walk(self, i: int, to: Cell, low: int, high: int) -> Refusal | None:
        """Why a survivor cannot walk to a place, if so (WW-MOVE-02, 03, 05)."""
        here = self.places[i]
        found = reach(self.barricades, here, low, high)
        if found >> to & 1:
            return None
        if not found:
            return refuse("walled-in", "WW-MOVE-05", here)
        if reach(0, here, low, high) >> to & 1:
            return refuse("barricade", "WW-MOVE-03", here, to)
        return refuse("too-far", "WW-MOVE-02", here, to)

    def do_move(self, seat: Seat, to: Cell) -> list[Event]:
        i = self.active
        self.main_done = True
        events: list[Event] = []
        self.step(i, to, events)
        self.call_skills(i, "main_move")
        return self.settle(events)

    def call_skills(self, i: int, moment: str) -> None:
        """Lets a survivor's skills work at their moment."""
        for skill in cells_of(self.skills[i] & ~self.used):
            for trigger, effects in self.box.skills[skill].triggers:
                if trigger == moment:
                    self.push(*(("act", effect, i, NO_TARGET, ()) for effect in effects))

    def step(self, i: int, to: Cell, events: list[Event]) -> None:
        events.append(
            Event(
                "moved", {"survivor": self.name(i), "from_cell": self.places[i], "cell": to}, self.team_only()
            )
        )
        self.places[i] = to

    def can_calm(self, seat: Seat) -> Refusal | None:
        return refuse("main-action-done", MAIN) if self.main_done else None

    def do_calm(self, seat: Seat) -> list[Event]:
        self.main_done = True
        events: list[Event] = []
        self.lose_fear(self.active, 0, events)
        return self.settle(events)

    def lose_fear(self, i: int, n: int, events: list[Event]) -> None:
        """Takes fear tokens away, all of them for n = 0; the roof shows it (WW-FEAR-03, 04)."""
        if self.fear[i]:
            self.fear[i] = 0 if not n else max(0, self.fear[i] - n)
            events.append(Event("calmed", {"survivor": self.name(i), "n": self.fear[i]}))

    def can_clear(self, seat: Seat, passage: int) -> Refusal | None:
        if self.main_done:
            return refuse("main-action-done", MAIN)
        return self.no_clear(passage, TOUCHING[self.places[self.active]])

    def no_clear(self, passage: int, allowed: int) -> Refusal | None:
        if not allowed >> passage & 1:
            return refuse("not-here", "WW-BARR-09", self.places[self.active], FIRST_PASSAGE + passage)
        if not self.barricades >> passage & 1:
            return refuse("no-barricade", "WW-BARR-09", FIRST_PASSAGE + passage)
        return None

    def do_clear(self, seat: Seat, passage: int) -> list[Event]:
        self.main_done = True
        events: list[Event] = []
        self.unbar(passage, events)
        return self.settle(events)

    def unbar(self, passage: int, events: list[Event]) -> None:
        """Removes a barricade from both boards; everybody is told at once (WW-BARR-10, WW-COMM-07)."""
        self.barricades &= ~(1 << passage)
        events.append(
            Event("barricade-removed", {"passage": PASSAGES[passage], "cell": FIRST_PASSAGE + passage})
        )
        if not self.killer_turn and self.clues is not None:
            self.barred &= self.barricades
            self.clues = self.clues.way_opened(self.barred)

    # Trading ---------------------------------------------------------------------------------------

    def can_give(self, seat: Seat, giver: int, item: int, taker: int) -> Refusal | None:
        i, j = self.slot(giver), self.slot(taker)
        problem = self._no_trade(seat, i, item, j)
        if problem is None and not self._has_room(j, item):
            return refuse("full", "WW-TRADE-04")
        return problem

    def _is_exchange_time(self) -> bool:
        """WW-BOOK-03: the exchange comes before anybody acts, unless agreed otherwise."""
        return self.setup.exchange_anytime or not (self.acted or self.active >= 0)

    def _trades_keys(self) -> bool:
        """WW-BOOK-05: an own key is an item card too; in the base game keys lie on the roof."""
        return self.setup.solo and self.setup.trade_keys

    def _holds(self, i: int, item: int) -> bool:
        return bool(self.own_keys[i]) if item == KEY else item in self.bags[i]

    def _has_room(self, i: int, item: int) -> bool:
        """Keys take no slot."""
        return item == KEY or len(self.bags[i]) < self.slots(i)

    def _no_trade(self, seat: Seat, i: int, item: int, j: int) -> Refusal | None:
        if i < 0 or j < 0 or i == j or self.gone[i] != IN or self.gone[j] != IN:
            return refuse("not-in-play", "WW-SETUP-02")
        if self.setup.solo and seat != 1 + i:
            return refuse("not-your-survivor", "WW-VAR2-01")
        if not self._is_exchange_time():
            return refuse("exchange-over", "WW-BOOK-03")
        if item == KEY and not self._trades_keys():
            return refuse("keys-stay", "WW-TRADE-05")
        if not self._holds(i, item):
            return refuse("no-item", "WW-TRADE-01", item=ITEMS[item])
        if self.places[i] != self.places[j]:
            return refuse("apart", "WW-TRADE-01", self.places[i], self.places[j])
        return None

    def do_give(self, seat: Seat, giver: int, item: int, taker: int) -> list[Event]:
        i, j = self.slot(giver), self.slot(taker)
        if self.setup.solo:
            self.push(("agree", j, i, item, NO_ITEM))
            return self.settle([self._traded("offered", i, item, j)])
        return self.settle(self._pass(i, item, j))

    def _pass(self, i: int, item: int, j: int) -> list[Event]:
        if item == KEY:
            self.own_keys[i] -= 1
            self.own_keys[j] += 1
        else:
            self.bags[i].remove(item)
            self.bags[j].append(item)
        return [self._traded("gave", i, item, j)]

    def _traded(self, kind: str, i: int, item: int, j: int) -> Event:
        blanks = {"survivor": self.name(i), "item": ITEMS[item], "other": self.name(j)}
        audience = frozenset((1 + i, 1 + j)) if self.setup.solo and self.setup.private else self.team_only()
        return Event(kind, blanks, audience)

    def can_swap(self, seat: Seat, giver: int, item: int, taker: int, back: int) -> Refusal | None:
        i, j = self.slot(giver), self.slot(taker)
        problem = self._no_trade(seat, i, item, j)
        if problem is not None:
            return problem
        if self.setup.solo and self.setup.private:
            return refuse("unseen-items", "WW-VAR2-15")
        if back == item or not (KEY in (item, back) or self._are_full(i, j)):
            return refuse("give-instead", "WW-TRADE-04")
        if back == KEY and not self._trades_keys():
            return refuse("keys-stay", "WW-TRADE-05")
        if not self._holds(j, back):
            return refuse("no-item", "WW-TRADE-01", item=ITEMS[back])
        if KEY in (item, back) and not (self._has_room(i, back) and self._has_room(j, item)):
            return refuse("full", "WW-TRADE-04")
        return None

    def _are_full(self, i: int, j: int) -> bool:
        return len(self.bags[i]) >= self.slots(i) and len(self.bags[j]) >= self.slots(j)

    def do_swap(self, seat: Seat, giver: int, item: int, taker: int, back: int) -> list[Event]:
        i, j = self.slot(giver), self.slot(taker)
        if self.setup.solo:
            self.push(("agree", j, i, item, back))
            return self.settle([self._traded("offered", i, item, j)])
        return self.settle(self._swap(i, item, j, back))

    def _swap(self, i: int, item: int, j: int, back: int) -> list[Event]:
        return self._pass(i, item, j) + self._pass(j, back, i)

    def can_agree(self, seat: Seat) -> Refusal | None:
        return None

    def do_agree(self, seat: Seat) -> list[Event]:
        _, j, i, item, back = self.stack.pop()
        return self.settle(self._pass(i, item, j) if back == NO_ITEM else self._swap(i, item, j, back))

    def can_refuse(self, seat: Seat) -> Refusal | None:
        return None

    def do_refuse(self, seat: Seat) -> list[Event]:
        _, j, i, item, _ = self.stack.pop()
        return self.settle([self._traded("turned-down", i, item, j)])

    def can_loot(self, seat: Seat, dead: int, item: int) -> Refusal | None:
        i, j = self.active, self.slot(dead)
        if j < 0 or self.gone[j] != DEAD:
            return refuse("not-dead", "WW-VAR2-14")
        if self.places[i] != self.places[j]:
            return refuse("apart", "WW-VAR2-14", self.places[i], self.places[j])
        if not self._holds(j, item):
            return refuse("no-item", "WW-VAR2-14", item=ITEMS[item])
        return None

    def do_loot(self, seat: Seat, dead: int, item: int) -> list[Event]:
        """WW-VAR2-14, WW-BOOK-04: above the limit the survivor chooses what to keep."""
        i, j = self.active, self.slot(dead)
        self._pass(j, item, i)
        if len(self.bags[i]) > self.slots(i):
            self.push(("shed", i))
        blanks = {"survivor": self.name(i), "item": ITEMS[item], "other": self.name(j)}
        return self.settle([Event("looted", blanks, self.team_only())])

    def trades(self, seat: Seat) -> list[Action]:
        """All exchanges that may be made now (WW-TRADE-01 to 04)."""
        found: list[Action] = []
        if not self._is_exchange_time():
            return found
        for i in range(IN_PLAY):
            own = self._goods(i)
            if self.gone[i] != IN or not own or (self.setup.solo and seat != 1 + i):
                continue
            for j in range(IN_PLAY):
                if i != j and self.places[i] == self.places[j] and self.gone[j] == IN:
                    found += self._trades_between(seat, i, own, j)
        return found

    def _goods(self, i: int) -> set[int]:
        """The kinds of cards that a survivor could exchange."""
        return {*self.bags[i], *([KEY] if self.own_keys[i] and self._trades_keys() else [])}

    def _trades_between(self, seat: Seat, i: int, own: set[int], j: int) -> list[Action]:
        giver, taker = self.cast[i], self.cast[j]
        found = [action("give", giver, item, taker) for item in own if self._has_room(j, item)]
        if self.setup.solo and self.setup.private:
            return found
        keys = KEY in own or (self._trades_keys() and bool(self.own_keys[j]))
        if not keys and not self._are_full(i, j):
            return found
        return found + [
            action("swap", giver, item, taker, back)
            for item in own
            for back in self._goods(j)
            if self.can_swap(seat, giver, item, taker, back) is None
        ]

    # Main actions 5 and 6 --------------------------------------------------------------------------

    def can_repair(self, seat: Seat) -> Refusal | None:
        if self.main_done:
            return refuse("main-action-done", MAIN)
        return self.no_repair(False)

    def no_repair(self, anywhere: bool) -> Refusal | None:
        here = self.places[self.active]
        if not anywhere and here != RADIO:
            return refuse("no-radio", "WW-RADIO-01", here, RADIO)
        if self.gears >= GEARS:
            return refuse("radio-works", "WW-RADIO-12", RADIO)
        if here == self.open_at():
            return refuse("killer-here", "WW-RADIO-02", here)
        if self.repaired:
            return refuse("repaired", "WW-RADIO-03", RADIO)
        return None

    def do_repair(self, seat: Seat) -> list[Event]:
        self.main_done = True
        events: list[Event] = []
        self.place_gears(1, self.active, ("repair",), events)
        return self.settle(events)

    def place_gears(self, n: int, i: int, causes: tuple[str, ...] | None, events: list[Event]) -> None:
        """Puts gears on their cells, noise after it, rewards in variant 2 (WW-RADIO-04 to 09).

        A radio of one's own, built anywhere, makes no noise at the radio's place: `causes` is None.
        """
        placed = min(GEARS - self.gears, n + self.mod(i, "repair_bonus"))
        self.gears += placed
        self.repaired = True
        blanks = {"survivor": self.name(i), "placed": placed, "n": self.gears}
        events.append(Event("repaired", blanks, self.team_only()))
        if causes is not None:
            self.make_noise(RADIO, i, causes, events)
        if self.gears == GEARS and self.rescue < 0:
            self.rescue = RESCUE
            events.append(Event("rescue-called", {"n": RESCUE}))
        if self.setup.solo:
            self.push(*(("find", i) for _ in range(placed)))

    def make_noise(self, at: Cell, i: int, causes: tuple[str, ...], events: list[Event]) -> None:
        """Puts a noise token, secret until the report, unless the cause is silent (WW-NOISE-02, 07, 13)."""
        if causes and self.is_silent(i, causes):
            return
        self.pending |= 1 << at
        events.append(Event("made-noise", {"cell": at}, self.team_only()))

    def is_silent(self, i: int, causes: tuple[str, ...]) -> bool:
        for mod in self.mods[i]:
            if mod["mod"] != "silent" or not set(mod["on"]) & set(causes):
                continue
            condition = mod.get("if")
            if condition is None or self.is_near(i, 1 if condition == "killer_within_1" else 0):
                return True
        return False

    def can_rummage(self, seat: Seat) -> Refusal | None:
        here = self.places[self.active]
        if self.main_done:
            return refuse("main-action-done", MAIN)
        if not SEARCHABLE >> here & 1:
            return refuse("nothing-to-search", "WW-FIND-01", here)
        if here == self.open_at():
            return refuse("killer-here", "WW-FIND-02", here)
        if not self.search_left():
            return refuse("search-deck-empty", "WW-FIND-03", here)
        return None

    def search_left(self) -> int:
        """Cards in the search deck, the key at its bottom included."""
        return self.search_size + self.bottom

    def do_rummage(self, seat: Seat) -> list[Event]:
        self.main_done = True
        self.push(("find", self.active))
        blanks = {"survivor": self.name(self.active), "cell": self.places[self.active]}
        return self.settle([Event("searched-room", blanks, self.team_only())])

    def run_find(self, frame: Frame, events: list[Event]) -> None:
        """Turns up a search card if there is one; the deck is never refilled (WW-FIND-03)."""
        if self.search_left():
            self.push(("finding", frame[1]))

    def can_find(self, seat: Seat, item: int) -> Refusal | None:
        if self.search_size:
            return None if self.search[item] else refuse("not-drawn", "WW-FIND-04", item=ITEMS[item])
        return None if item == KEY else refuse("not-drawn", "WW-FIND-10", item=ITEMS[item])

    def do_find(self, seat: Seat, item: int) -> list[Event]:
        i = self.stack.pop()[1]
        if self.search_size:
            self.search[item] -= 1
            self.search_size -= 1
        else:
            self.bottom = False
        self.drawn = [item]
        events = [Event("found", {"survivor": self.name(i), "item": ITEMS[item]}, self.team_only(i))]
        if self.box.items[item].noisy:
            self.make_noise(self.places[i], i, ("search",), events)
        self.push(("found", i))
        return self.settle(events)

    def can_keep(self, seat: Seat, item: int) -> Refusal | None:
        return None if item in self.drawn else refuse("not-drawn", "WW-EQUIP-05", item=ITEMS[item])

    def do_keep(self, seat: Seat, item: int) -> list[Event]:
        i = self.stack.pop()[1]
        self.drawn.remove(item)
        events: list[Event] = []
        self._put_down_rest(i, events)
        self.take_item(i, item, events)
        return self.settle(events)

    def _put_down_rest(self, i: int, events: list[Event]) -> None:
        for item in self.drawn:
            self.put_away(item)
            events.append(Event("left", {"survivor": self.name(i), "item": ITEMS[item]}, self.team_only(i)))
        self.drawn = []

    def take_item(self, i: int, item: int, events: list[Event]) -> None:
        """Gives a card to a survivor; a key goes to the roof and takes no slot (WW-FIND-05 to 07)."""
        if item == KEY:
            self.gain_key(i, events)
            return
        self.bags[i].append(item)
        audience = self.team_only(i) if self.setup.private else self.team_only()
        events.append(Event("kept", {"survivor": self.name(i), "item": ITEMS[item]}, audience))
        if len(self.bags[i]) > self.slots(i):
            self.push(("shed", i))

    def gain_key(self, i: int, events: list[Event]) -> None:
        if self.setup.solo:
            self.own_keys[i] += 1
            blanks = {"survivor": self.name(i), "n": self.own_keys[i]}
            events.append(Event("key-hidden", blanks, self.team_only()))
            return
        self.keys += 1
        events.append(Event("key-placed", {"n": self.keys}))

    def can_leave(self, seat: Seat) -> Refusal | None:
        return None

    def do_leave(self, seat: Seat) -> list[Event]:
        i = self.stack.pop()[1]
        events: list[Event] = []
        self._put_down_rest(i, events)
        return self.settle(events)

    def can_shed(self, seat: Seat, item: int) -> Refusal | None:
        held = item in self.bags[self.frame()[1]]
        return None if held else refuse("no-item", "WW-FIND-07", item=ITEMS[item])

    def do_shed(self, seat: Seat, item: int) -> list[Event]:
        i = self.frame()[1]
        self.bags[i].remove(item)
        self.put_away(item)
        if len(self.bags[i]) <= self.slots(i):
            self.stack.pop()
        blanks = {"survivor": self.name(i), "item": ITEMS[item]}
        return self.settle([Event("left", blanks, self.team_only(i if self.setup.private else -1))])

    # What the team confirms ------------------------------------------------------------------------

    def ask_team(self, then: Frame, area: int, names: int) -> None:
        """Lets the team confirm what the companion is about to tell (WW-COMM-11)."""
        self.push(then)
        if self.setup.confirm:
            self.push(("confirm", max(self.first, 0), area, names))

    def can_confirm(self, seat: Seat) -> Refusal | None:
        return None

    def do_confirm(self, seat: Seat) -> list[Event]:
        self.stack.pop()
        return self.settle([])

    # Lists of actions ------------------------------------------------------------------------------

    def list_pick(self, seat: Seat) -> list[Action]:
        left = self.living() & ~self.acted
        if self.setup.solo:
            left &= 1 << (seat - 1)
        return [*(ACTION["wake", self.cast[i]] for i in cells_of(left)), *self.trades(seat)]

    def list_found(self, seat: Seat) -> list[Action]:
        return [ACTION["keep", self.drawn[0]], LEAVE]

    def list_shed(self, seat: Seat) -> list[Action]:
        return [ACTION["shed", item] for item in set(self.bags[self.frame()[1]])]
