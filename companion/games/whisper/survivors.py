"""The survivors' turn: waking, moving, trading, repairing, searching, using things, equipment, the report."""

from __future__ import annotations

from companion.action import Action, Cell, Seat
from companion.games.whisper.base import DEAD, ESCAPED, IN, Base, Frame, refuse
from companion.games.whisper.data import Effect, Effects, Use
from companion.games.whisper.pieces import (
    ACTION,
    ADVANTAGES,
    ALL,
    AT_ITEM,
    AT_SURVIVOR,
    BESIDE,
    BOTH,
    CALM,
    DECLINE,
    DONE,
    ENTRANCE,
    EXIT,
    FIRST_ADVANTAGE,
    FIRST_PASSAGE,
    FIRST_PLAN,
    FIRST_SKILL,
    GEARS,
    HUSH,
    IN_PLAY,
    ITEMS,
    KEEP_BOTH,
    KEY,
    KEYS,
    LEAVE,
    NEXT,
    OWN_KEYS,
    PASSAGES,
    PLANS,
    RADIO,
    REPAIR,
    RESCUE,
    RUMMAGE,
    SEARCHABLE,
    SECRET,
    SECRET_ENDS,
    SKILLS,
    SPIRITS,
    THINGS,
    TOUCHING,
    action,
    each,
    reach,
)
from companion.grid import cells_of
from companion.state import Event, Refusal

NO_TARGET = -1
_MAIN = "WW-TURN-04"


class SurvivorsTurn(Base):
    """Steps A to E of the survivors' turn (ledger section 5.2)."""

    __slots__ = ()

    # A: noise is removed, victory is checked ----------------------------------------------------

    def run_round(self, frame: Frame, events: list[Event]) -> None:
        """Begins a round (WW-TURN-01, WW-NOISE-01, WW-FIRE-06, WW-RESCUE-02)."""
        self.killer_turn = False
        self.round += 1
        self.last_noise = self.noise
        self.noise = self.pending = 0
        self.cracker, self.cracker_set = -1, False
        self.repaired, self.acted, self.active, self.dice = False, 0, -1, ()
        self.turn_bonus = self.attack_bonus = self.round_used = 0
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
                self.gone[i] = ESCAPED
                events.append(Event("escaped", {"survivor": self.name(i), "cell": self.places[i]}))
                if self.clues is not None:
                    self.clues = self.clues.left(i)
        self.check_solo_end(events)

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

    # B, C: exchange and actions ------------------------------------------------------------------

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
        return None if self.main_done else refuse("main-action-due", _MAIN)

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
            return refuse("main-action-done", _MAIN)
        return self._no_walk(self.active, to, 1, self.main_steps(self.active))

    def main_steps(self, i: int) -> int:
        """How far main action 1 goes (WW-MOVE-02)."""
        return 2 + self.mod(i, "main_move_max")

    def _no_walk(self, i: int, to: Cell, low: int, high: int) -> Refusal | None:
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
        for skill in cells_of(self.skills[i] & ~self.used):
            for trigger, effects in self.box.skills[skill].triggers:
                if trigger == "main_move":
                    self._act_all(effects, i, NO_TARGET, events)
        self._step(i, to, events)
        return self.settle(events)

    def _step(self, i: int, to: Cell, events: list[Event]) -> None:
        events.append(
            Event(
                "moved", {"survivor": self.name(i), "from_cell": self.places[i], "cell": to}, self.team_only()
            )
        )
        self.places[i] = to

    def can_calm(self, seat: Seat) -> Refusal | None:
        return refuse("main-action-done", _MAIN) if self.main_done else None

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
            return refuse("main-action-done", _MAIN)
        return self._no_clear(passage, TOUCHING[self.places[self.active]])

    def _no_clear(self, passage: int, allowed: int) -> Refusal | None:
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

    # Trading -------------------------------------------------------------------------------------

    def can_give(self, seat: Seat, giver: int, item: int, taker: int) -> Refusal | None:
        i, j = self.slot(giver), self.slot(taker)
        problem = self._no_trade(seat, i, item, j)
        if problem is None and len(self.bags[j]) >= self.slots(j):
            return refuse("full", "WW-TRADE-04")
        return problem

    def _no_trade(self, seat: Seat, i: int, item: int, j: int) -> Refusal | None:
        if i < 0 or j < 0 or i == j or self.gone[i] != IN or self.gone[j] != IN:
            return refuse("not-in-play", "WW-SETUP-02")
        if self.setup.solo and seat != 1 + i:
            return refuse("not-your-survivor", "WW-VAR2-01")
        if item == KEY:
            return refuse("keys-stay", "WW-TRADE-05")
        if item not in self.bags[i]:
            return refuse("no-item", "WW-TRADE-01", item=ITEMS[item])
        if self.places[i] != self.places[j]:
            return refuse("apart", "WW-TRADE-01", self.places[i], self.places[j])
        return None

    def do_give(self, seat: Seat, giver: int, item: int, taker: int) -> list[Event]:
        i, j = self.slot(giver), self.slot(taker)
        self.bags[i].remove(item)
        self.bags[j].append(item)
        return self.settle([self._traded("gave", i, item, j)])

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
        if back == item or len(self.bags[i]) < self.slots(i) or len(self.bags[j]) < self.slots(j):
            return refuse("give-instead", "WW-TRADE-04")
        if back not in self.bags[j]:
            return refuse("no-item", "WW-TRADE-01", item=ITEMS[back])
        return None

    def do_swap(self, seat: Seat, giver: int, item: int, taker: int, back: int) -> list[Event]:
        i, j = self.slot(giver), self.slot(taker)
        if self.setup.solo:
            self.push(("agree", j, i, item, back))
            return self.settle([self._traded("offered", i, item, j)])
        return self.settle(self._swap(i, item, j, back))

    def _swap(self, i: int, item: int, j: int, back: int) -> list[Event]:
        self.bags[i].remove(item)
        self.bags[j].remove(back)
        self.bags[i].append(back)
        self.bags[j].append(item)
        return [self._traded("gave", i, item, j), self._traded("gave", j, back, i)]

    def can_agree(self, seat: Seat) -> Refusal | None:
        return None

    def do_agree(self, seat: Seat) -> list[Event]:
        _, j, i, item, back = self.stack.pop()
        return self.settle(self._swap(i, item, j, back))

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
        if item not in self.bags[j] and not (item == KEY and self.own_keys[j]):
            return refuse("no-item", "WW-VAR2-14", item=ITEMS[item])
        if item != KEY and len(self.bags[i]) >= self.slots(i):
            return refuse("full", "WW-ITEM-03")
        return None

    def do_loot(self, seat: Seat, dead: int, item: int) -> list[Event]:
        i, j = self.active, self.slot(dead)
        if item == KEY:
            self.own_keys[j] -= 1
            self.own_keys[i] += 1
        else:
            self.bags[j].remove(item)
            self.bags[i].append(item)
        blanks = {"survivor": self.name(i), "item": ITEMS[item], "other": self.name(j)}
        return self.settle([Event("looted", blanks, self.team_only())])

    def trades(self, seat: Seat) -> list[Action]:
        """All exchanges that may be made now (WW-TRADE-01 to 04)."""
        found: list[Action] = []
        places, bags = self.places, self.bags
        for i in range(IN_PLAY):
            if self.gone[i] != IN or not bags[i] or (self.setup.solo and seat != 1 + i):
                continue
            for j in range(IN_PLAY):
                if i == j or places[i] != places[j] or self.gone[j] != IN:
                    continue
                giver, taker = self.cast[i], self.cast[j]
                if len(bags[j]) < self.slots(j):
                    found += [action("give", giver, item, taker) for item in set(bags[i])]
                elif len(bags[i]) >= self.slots(i) and not (self.setup.solo and self.setup.private):
                    found += [
                        action("swap", giver, item, taker, back)
                        for item in set(bags[i])
                        for back in set(bags[j])
                        if item != back
                    ]
        return found

    # Main actions 5 and 6 ------------------------------------------------------------------------

    def can_repair(self, seat: Seat) -> Refusal | None:
        if self.main_done:
            return refuse("main-action-done", _MAIN)
        return self._no_repair(False)

    def _no_repair(self, anywhere: bool) -> Refusal | None:
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
        self._place_gears(1, self.active, ("repair",), events)
        return self.settle(events)

    def _place_gears(self, n: int, i: int, causes: tuple[str, ...] | None, events: list[Event]) -> None:
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
        if causes and self._is_silent(i, causes):
            return
        self.pending |= 1 << at
        events.append(Event("made-noise", {"cell": at}, self.team_only()))

    def _is_silent(self, i: int, causes: tuple[str, ...]) -> bool:
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
            return refuse("main-action-done", _MAIN)
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
            self._gain_key(i, events)
            return
        self.bags[i].append(item)
        audience = self.team_only(i) if self.setup.private else self.team_only()
        events.append(Event("kept", {"survivor": self.name(i), "item": ITEMS[item]}, audience))
        if len(self.bags[i]) > self.slots(i):
            self.push(("shed", i))

    def _gain_key(self, i: int, events: list[Event]) -> None:
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

    # Main action 3 and extra actions: items, advantages, skills, plans ---------------------------

    def use_of(self, i: int, thing: int) -> tuple[Use | None, Refusal | None]:
        """Finds how a survivor may use a thing now, or why not."""
        if thing < FIRST_ADVANTAGE:
            return self._item_use(i, thing)
        if thing < FIRST_SKILL:
            name = ADVANTAGES[thing - FIRST_ADVANTAGE]
            if name not in self.box.survivors[self.cast[i]].advantages:
                return None, refuse("not-yours", "WW-CHAR-08", thing=name)
            use = self.box.advantages[name]
            eased = self.box.eased_by.get(name, -1)
            return (use._replace(timing="extra") if eased in self.bags[i] else use), None
        if thing < FIRST_PLAN:
            skill = thing - FIRST_SKILL
            if not self.skills[i] >> skill & 1:
                return None, refuse("not-yours", "WW-VAR1-11", thing=THINGS[thing])
            if self.used >> skill & 1:
                return None, refuse("used-up", "WW-VAR1-09", thing=THINGS[thing])
            for trigger, effects in self.box.skills[skill].triggers:
                if trigger in ("special", "extra"):
                    return Use(trigger, effects, once=self.box.skills[skill].once), None
            return None, refuse("not-an-action", "WW-TURN-09", thing=THINGS[thing])
        return self._plan_use(thing - FIRST_PLAN)

    def _item_use(self, i: int, item: int) -> tuple[Use | None, Refusal | None]:
        if item not in self.bags[i]:
            return None, refuse("no-item", "WW-ITEM-02", item=ITEMS[item])
        card = self.box.items[item]
        if card.owner and card.owner != self.name(i):
            return None, refuse("owner-only", "WW-TRADE-06", item=ITEMS[item], survivor=card.owner)
        for use in card.uses:
            if use.timing in ("special", "extra"):
                return use, None
        return None, refuse("not-an-action", "WW-ITEM-02", thing=ITEMS[item])

    def _plan_use(self, plan: int) -> tuple[Use | None, Refusal | None]:
        if not self.plan_done or self.plan != plan:
            return None, refuse("plan-not-done", "WW-VAR3-09", plan=PLANS[plan])
        for n, use in enumerate(self.box.plans[plan].uses):
            marked = any(effect == ("noise", "plan_marker") for effect in use.effects)
            if not (use.once and self.plan_used >> n & 1) and (not marked or self.marker >= 0):
                return use, None
        return None, refuse("used-up", "WW-VAR3-11", thing=PLANS[plan])

    def can_use(self, seat: Seat, thing: int, *targets: int) -> Refusal | None:
        i = self.active
        use, problem = self.use_of(i, thing)
        if use is None:
            return problem
        if use.timing == "special" and self.main_done:
            return refuse("main-action-done", _MAIN)
        if len(targets) > 1:
            return refuse("one-target", "WW-TURN-09")
        problem = self._no_price(i, use)
        if problem is not None:
            return problem
        target = targets[0] if targets else NO_TARGET
        allowed, problem = self.aims(use.effects, i)
        if problem is not None:
            return problem
        if target not in allowed:
            return self._wrong_target(use.effects, i, target)
        return None

    def _no_price(self, i: int, use: Use) -> Refusal | None:
        if use.at and self.places[i] not in self.box.special[use.at]:
            return refuse("wrong-place", "WW-VAR3-09", self.places[i], *self.box.special[use.at])
        if use.pays is not None and self.bags[i].count(use.pays[0]) < use.pays[1]:
            return refuse("no-item", "WW-VAR3-09", item=ITEMS[use.pays[0]])
        return None

    def _wrong_target(self, effects: Effects, i: int, target: int) -> Refusal:
        """Names why a target does not do."""
        here = self.places[i]
        ops = {effect[0]: effect for effect in effects}
        if target == NO_TARGET:
            return refuse("target-missing", "WW-TURN-09")
        if target < FIRST_PASSAGE and "move" in ops:
            problem = self._no_walk(i, target, ops["move"][1], ops["move"][2])
            return problem or refuse("bad-target", "WW-TURN-09", target)
        if "heal" in ops and AT_SURVIVOR <= target < AT_ITEM:
            j = self.slot(target - AT_SURVIVOR)
            if j >= 0 and self.places[j] != here:
                return refuse("apart", "WW-HEAL-02", here, self.places[j])
            return refuse("not-wounded", "WW-HEAL-03")
        cells = (here, target) if target < AT_SURVIVOR else (here,)
        return refuse("bad-target", "WW-TURN-09", *cells)

    def aims(self, effects: Effects, i: int) -> tuple[tuple[int, ...], Refusal | None]:
        """The targets that effects may be given, `NO_TARGET` where none is needed, or why they cannot be."""
        aimed: tuple[int, ...] = (NO_TARGET,)
        for effect in effects:
            found, problem = self._aims_of(effect, i)
            if problem is not None:
                return (), problem
            if found is not None:
                aimed = found
        return aimed, None

    def _aims_of(self, effect: Effect, i: int) -> tuple[tuple[int, ...] | None, Refusal | None]:
        """The targets of one effect (None: it takes none), or why it cannot be carried out."""
        here = self.places[i]
        op = effect[0]
        if op == "noise":
            if effect[1] == "adjacent":
                return tuple(cells_of(BESIDE[here])), None
            return (tuple(cells_of(ALL)) if effect[1] == "any" else None), None
        if op == "move":
            found = reach(self.barricades, here, effect[1], effect[2])
            return tuple(cells_of(found)), None if found else refuse("walled-in", "WW-MOVE-05", here)
        if op == "passage":
            found = self.secret_from(i)
            return tuple(cells_of(found)), None if found else refuse("no-passage", "WW-MAP-10", here)
        if op == "heal":
            return self._patients(effect, i)
        if op == "unbarricade":
            found = self.barricades & (TOUCHING[here] if effect[1] == "here" else -1)
            aims = tuple(FIRST_PASSAGE + passage for passage in cells_of(found))
            return aims, None if found else refuse("no-barricade", "WW-BARR-09", here)
        if op == "repair":
            return None, self._no_repair(effect[2])
        if op == "recover":
            kinds = sorted({AT_ITEM + item for item in effect[2] if item in self.pile})
            return tuple(kinds), None if kinds else refuse("not-in-pile", "WW-CHAR-04")
        if op == "place" and effect[1] == "plan_marker" and self.marker >= 0:
            return None, refuse("used-up", "WW-VAR3-12", self.marker, thing=PLANS[self.plan])
        if op == "group_move" and not self.those(1 << here) & ~(1 << i):
            return None, refuse("alone", "WW-VAR1-11", here)
        if op == "draw_search" and not self.search_left():
            return None, refuse("search-deck-empty", "WW-FIND-03")
        if op == "gain_key" and not self.bottom:
            return None, refuse("search-deck-empty", "WW-FIND-03")
        if op == "choice":
            aims = ()
            for option in effect[1]:
                more, problem = self.aims(option, i)
                aims += more if problem is None else ()
            return aims, None
        return None, None

    def _patients(self, effect: Effect, i: int) -> tuple[tuple[int, ...], Refusal | None]:
        """Who can be healed: same place, wounded, or frightened if the card calms too (WW-HEAL-01 to 04)."""
        found = tuple(
            AT_SURVIVOR + self.cast[j]
            for j in cells_of(self.those(1 << self.places[i]))
            if (self.health[j] == 1 or (effect[2] and self.fear[j]))
            and not (effect[1] == "other_here" and i == j)
        )
        if found:
            return found, None
        elsewhere = [
            self.places[j]
            for j in cells_of(self.living() & ~(1 << i))
            if self.health[j] == 1 and self.places[j] != self.places[i]
        ]
        if elsewhere:
            return (), refuse("apart", "WW-HEAL-02", self.places[i], elsewhere[0])
        return (), refuse("not-wounded", "WW-HEAL-03", self.places[i])

    def secret_from(self, i: int) -> int:
        """Where the secret passage of a survivor's location leads (WW-MAP-08)."""
        here = self.places[i]
        if self.has_mod(i, "passages_linked") and SECRET_ENDS >> here & 1:
            return SECRET_ENDS & ~(1 << here)
        return SECRET[here]

    def do_use(self, seat: Seat, thing: int, *targets: int) -> list[Event]:
        i = self.active
        use, _ = self.use_of(i, thing)
        assert use is not None
        if use.timing == "special":
            self.main_done = True
        events = [Event("used", {"survivor": self.name(i), "thing": THINGS[thing]}, self.team_only())]
        self._spend(i, thing, use)
        target = targets[0] if targets else NO_TARGET
        cause = (f"item:{THINGS[thing]}",)
        self.push(*(("act", effect, i, target, cause) for effect in use.effects))
        return self.settle(events)

    def _spend(self, i: int, thing: int, use: Use) -> None:
        """Pays for the use: the card itself, a one-time skill, the items of a plan (WW-ITEM-01)."""
        if thing < FIRST_ADVANTAGE:
            if not self.box.items[thing].endless:
                self.bags[i].remove(thing)
                self.put_away(thing)
        elif FIRST_SKILL <= thing < FIRST_PLAN and use.once:
            self.used |= 1 << (thing - FIRST_SKILL)
        elif thing >= FIRST_PLAN and use.once:
            self.plan_used |= 1 << self.box.plans[self.plan].uses.index(use)
        if use.pays is not None:
            for _ in range(use.pays[1]):
                self.bags[i].remove(use.pays[0])
                self.put_away(use.pays[0])

    def run_act(self, frame: Frame, events: list[Event]) -> None:
        """Carries out one effect for a survivor."""
        _, effect, i, target, cause = frame
        self._act(effect, i, target, cause, events)

    def _act_all(self, effects: Effects, i: int, target: int, events: list[Event]) -> None:
        for effect in effects:
            self._act(effect, i, target, (), events)

    def _act(self, effect: Effect, i: int, target: int, cause: tuple[str, ...], events: list[Event]) -> None:
        op = effect[0]
        if op == "noise":
            spots = {"here": self.places[i], "destination": self.places[i]}
            spots |= {"spirits": SPIRITS, "plan_marker": self.marker}
            self.make_noise(spots.get(effect[1], target), i, cause, events)
        elif op in ("move", "passage"):
            self._step(i, target, events)
        elif op == "heal":
            self._heal(self.slot(target - AT_SURVIVOR), effect[2], events)
        elif op == "clear_fear":
            for j in (i,) if effect[1] == "self" else cells_of(self.living() & ~(1 << i)):
                self.lose_fear(j, effect[2], events)
        elif op == "unbarricade":
            self.unbar(target - FIRST_PASSAGE, events)
        elif op == "repair":
            tool = cause == ("item:toolbox",)
            n = effect[1] + (self.mod(i, "toolbox_repair") if tool else 0)
            self._place_gears(n, i, None if effect[2] else ("repair", *cause), events)
        elif op == "place":
            self._place(effect, i, events)
        elif op == "firecracker":
            self.cracker_set = True
            events.append(Event("lit-firecracker", {"survivor": self.name(i)}, self.team_only()))
        elif op == "recover":
            self.pile.remove(target - AT_ITEM)
            self.take_item(i, target - AT_ITEM, events)
        elif op == "draw_search":
            self._draw_search(effect, i)
        elif op == "gain_key":
            self.bottom = False
            self._gain_key(i, events)
        elif op == "killer_mill":
            self.push(("mill", effect[1]))
        elif op == "killer_draw":
            self.push(("draw", effect[1]))
        elif op == "take_from_deck":
            if self.equipment[effect[2]]:
                self.equipment[effect[2]] -= 1
                self.equipment_size -= 1
                self.take_item(i, effect[2], events)
        elif op == "group_move":
            others = self.those(1 << self.places[i]) & ~(1 << i)
            self.push(*(("flee", j, effect[3], "led") for j in cells_of(others)))
        elif op == "choice":
            chosen = next(option for option in effect[1] if target in self.aims(option, i)[0])
            self.push(*(("act", part, i, target, cause) for part in chosen))
        else:
            raise AssertionError(f"no survivor can carry out {op}")

    def _heal(self, j: int, clear_fear: bool, events: list[Event]) -> None:
        if self.health[j] == 1:
            self.health[j] = 2
            events.append(Event("healed", {"survivor": self.name(j)}))
        if clear_fear:
            self.lose_fear(j, 0, events)

    def _place(self, effect: Effect, i: int, events: list[Event]) -> None:
        """Puts the trap or the plan's marker (WW-TRAP-01, WW-VAR3-12)."""
        at = self.places[i]
        if effect[1] == "trap":
            self.trap = at
        else:
            self.marker = at
        events.append(Event("placed", {"token": effect[1], "cell": at}, self.team_only()))

    def _draw_search(self, effect: Effect, i: int) -> None:
        if effect[2] == "choose_any":
            self.push(("share", max(self.first, 0)))
        else:
            self.push(*(("find", i) for _ in range(effect[1])))

    # D: equipment --------------------------------------------------------------------------------

    def run_equipping(self, frame: Frame, events: list[Event]) -> None:
        """Begins the equipment step (WW-EQUIP-02, 03)."""
        if not self.equipment_size:
            if self.rescue < 0:
                self._deck_out(events)
            return
        if self.setup.solo:
            self._equip(self.first, events)
        else:
            self.push(("receive",))

    def _deck_out(self, events: list[Event]) -> None:
        winners = [0]
        if self.setup.solo:
            winners += [1 + i for i in range(IN_PLAY) if self.gone[i] == ESCAPED]
        self.finish("deck-out", winners, "WW-EQUIP-02", events)

    def can_equip(self, seat: Seat, who: int) -> Refusal | None:
        i = self.slot(who)
        if i < 0 or self.gone[i] != IN:
            return refuse("not-in-play", "WW-SETUP-02")
        return None

    def do_equip(self, seat: Seat, who: int) -> list[Event]:
        i = self.slot(who)
        events: list[Event] = []
        if self.stack.pop()[0] == "share":
            self.push(("find", i))
        else:
            self._equip(i, events)
        return self.settle(events)

    def _equip(self, i: int, events: list[Event]) -> None:
        events.append(Event("equipping", {"survivor": self.name(i)}, self.team_only()))
        self.drawn = []
        self.push(*(("unpacking", i) for _ in range(min(2, self.equipment_size))), ("unpacked", i))

    def can_unpack(self, seat: Seat, item: int) -> Refusal | None:
        return None if self.equipment[item] else refuse("not-drawn", "WW-EQUIP-05", item=ITEMS[item])

    def do_unpack(self, seat: Seat, item: int) -> list[Event]:
        i = self.stack.pop()[1]
        self.equipment[item] -= 1
        self.equipment_size -= 1
        self.drawn.append(item)
        blanks = {"survivor": self.name(i), "item": ITEMS[item]}
        return self.settle([Event("unpacked", blanks, self.team_only(i))])

    def run_unpacked(self, frame: Frame, events: list[Event]) -> None:
        """Looks at the drawn cards: noise first, then the choice (WW-EQUIP-05, 07)."""
        i = frame[1]
        noisy = any(self.box.items[item].noisy for item in self.drawn)
        if self.setup.solo:
            self.push(("pass-token",))
        self.push(("drawn", i))
        if noisy and not self._is_silent(i, ("equip",)):
            if self.has_skill(i, HUSH):
                self.push(("hush", i))
            else:
                self.make_noise(self.places[i], i, (), events)

    def can_keep_both(self, seat: Seat) -> Refusal | None:
        if not self.has_skill(self.frame()[1], BOTH):
            return refuse("not-yours", "WW-VAR1-11", thing=SKILLS[BOTH])
        return None if len(self.drawn) == 2 else refuse("one-card", "WW-EQUIP-06")

    def do_keep_both(self, seat: Seat) -> list[Event]:
        i = self.stack.pop()[1]
        self.used |= 1 << BOTH
        events: list[Event] = []
        both, self.drawn = self.drawn, []
        for item in both:
            self.take_item(i, item, events)
        shed = [frame for frame in self.stack if frame == ("shed", i)]
        for frame in shed[1:]:
            self.stack.remove(frame)
        return self.settle(events)

    def run_pass_token(self, frame: Frame, events: list[Event]) -> None:
        """The first-player token goes to the next survivor in play (WW-VAR2-05)."""
        for step in range(1, IN_PLAY + 1):
            i = (self.first + step) % IN_PLAY
            if self.gone[i] == IN:
                self.first = i
                break
        events.append(Event("token-passed", {"survivor": self.name(self.first)}))

    # Plans ---------------------------------------------------------------------------------------

    def run_plan_check(self, frame: Frame, events: list[Event]) -> None:
        """Variant 3: one line of a plan may be ticked off (WW-VAR3-03 to 05)."""
        if self.plans and not self.plan_done:
            self.push(("plan", max(self.first, 0)))

    def can_advance(self, seat: Seat, plan: int) -> Refusal | None:
        if plan not in self.plans:
            return refuse("plan-not-dealt", "WW-VAR3-01", plan=PLANS[plan])
        step = self.box.plans[plan].steps[self.line if plan == self.plan else 0]
        if not self.fulfils(step):
            return refuse("line-not-met", "WW-VAR3-03", plan=PLANS[plan], step=step)
        return None

    def fulfils(self, step: str) -> bool:
        """Says whether a line of a plan holds (WW-VAR3-07, 08, 17)."""
        spots = [self.places[i] for i in cells_of(self.living())]
        if step == "all_together":
            return len(set(spots)) == 1
        if step == "all_apart":
            return len(set(spots)) == len(spots)
        if step == "at_killer":
            return self.open_at() in spots
        name = {"at_info": "info_source", "at_tools": "tool_store", "at_secret_exit": "secret_exit"}
        return self.box.special[name.get(step, step[3:])][0] in spots

    def do_advance(self, seat: Seat, plan: int) -> list[Event]:
        self.stack.pop()
        self.line = self.line + 1 if plan == self.plan else 1
        self.plan = plan
        card = self.box.plans[plan]
        events = [Event("planned", {"plan": PLANS[plan], "n": self.line}, self.team_only())]
        if self.line == len(card.steps):
            self.plan_done = True
            self.gather_mods()
            events.append(Event("plan-done", {"plan": PLANS[plan]}, self.team_only()))
            i = next(cells_of(self.living()))
            self.push(*(("act", effect, i, NO_TARGET, ()) for effect in card.done))
        return self.settle(events)

    # E: the report -------------------------------------------------------------------------------

    def run_to_report(self, frame: Frame, events: list[Event]) -> None:
        """Step E; in variant 2 the holder of the token reports (WW-VAR2-06)."""
        self.push(("reporting", max(self.first, 0)))

    def can_report(self, seat: Seat) -> Refusal | None:
        return None

    def do_report(self, seat: Seat) -> list[Event]:
        """Tells the killer the complete set of noisy locations, or the firecracker (WW-NOISE-08, WW-FIRE)."""
        self.stack.pop()
        events: list[Event] = []
        if self.cracker_set:
            self.cracker = self.known
            events.append(Event("firecracker", {"cell": self.known}))
        else:
            self.noise |= self.pending
            cells = list(cells_of(self.noise))
            events.append(Event("noise-reported" if cells else "silence-reported", {"cells": cells}))
            if self.clues is not None:
                self.clues = self.clues.reported(self.pending, self.barred)
        self.pending = 0
        return self.settle(events)

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

    # Lists of actions ----------------------------------------------------------------------------

    def list_pick(self, seat: Seat) -> list[Action]:
        left = self.living() & ~self.acted
        if self.setup.solo:
            left &= 1 << (seat - 1)
        return [*(ACTION["wake", self.cast[i]] for i in cells_of(left)), *self.trades(seat)]

    def list_active(self, seat: Seat) -> list[Action]:
        i = self.active
        here = self.places[i]
        found: list[Action] = []
        if self.main_done:
            found.append(DONE)
        else:
            found += each("move", reach(self.barricades, here, 1, self.main_steps(i)))
            found.append(CALM)
            barred = self.barricades & TOUCHING[here]
            if barred:
                found += each("clear", barred)
            if here == RADIO and self._no_repair(False) is None:
                found.append(REPAIR)
            if SEARCHABLE >> here & 1 and self.can_rummage(seat) is None:
                found.append(RUMMAGE)
        found += self._uses(i)
        found += self.trades(seat)
        if self.setup.solo and DEAD in self.gone:
            found += self._loot(i)
        return found

    def _uses(self, i: int) -> list[Action]:
        found: list[Action] = []
        for thing in self._things(i):
            use, _ = self.use_of(i, thing)
            if use is None or (use.timing == "special" and self.main_done) or self._no_price(i, use):
                continue
            aims, problem = self.aims(use.effects, i)
            if problem is None:
                found += [
                    action("use", thing) if aim == NO_TARGET else action("use", thing, aim) for aim in aims
                ]
        return found

    def _things(self, i: int) -> list[int]:
        things: list[int] = list(set(self.bags[i]))
        advantages = self.box.survivors[self.cast[i]].advantages
        things += [FIRST_ADVANTAGE + n for n, name in enumerate(ADVANTAGES) if name in advantages]
        things += [FIRST_SKILL + skill for skill in cells_of(self.skills[i])]
        if self.plan_done:
            things.append(FIRST_PLAN + self.plan)
        return things

    def _loot(self, i: int) -> list[Action]:
        return [
            action("loot", self.cast[j], item)
            for j in range(IN_PLAY)
            if self.gone[j] == DEAD and self.places[j] == self.places[i]
            for item in {*self.bags[j], *([KEY] if self.own_keys[j] else [])}
            if item == KEY or len(self.bags[i]) < self.slots(i)
        ]

    def list_found(self, seat: Seat) -> list[Action]:
        return [ACTION["keep", self.drawn[0]], LEAVE]

    def list_drawn(self, seat: Seat) -> list[Action]:
        found = [ACTION["keep", item] for item in set(self.drawn)]
        found.append(LEAVE)
        if len(self.drawn) == 2 and self.has_skill(self.frame()[1], BOTH):
            found.append(KEEP_BOTH)
        return found

    def list_shed(self, seat: Seat) -> list[Action]:
        return [ACTION["shed", item] for item in set(self.bags[self.frame()[1]])]

    def list_receive(self, seat: Seat) -> list[Action]:
        return [ACTION["equip", self.cast[i]] for i in cells_of(self.living())]

    list_share = list_receive

    def list_plan(self, seat: Seat) -> list[Action]:
        ready = [ACTION["advance", plan] for plan in self.plans if self.can_advance(seat, plan) is None]
        return [*ready, NEXT]

    def list_hush(self, seat: Seat) -> list[Action]:
        return [ACTION["accept", HUSH], DECLINE]
