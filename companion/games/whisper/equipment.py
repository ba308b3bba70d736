"""The end of the survivors' turn: equipment, the plan check, the report."""

from __future__ import annotations

from companion.engine.action import Action, Seat
from companion.engine.grid import cells_of
from companion.engine.state import Event, Refusal
from companion.games.whisper.base import ESCAPED, IN, Frame, refuse
from companion.games.whisper.items import Items
from companion.games.whisper.pieces import (
    ACTION,
    BOTH,
    DECLINE,
    HUSH,
    IN_PLAY,
    ITEMS,
    KEEP_BOTH,
    LEAVE,
    NEXT,
    PLANS,
    SKILLS,
)
from companion.games.whisper.survivors import NO_TARGET


class Equipment(Items):
    """Steps D and E of the survivors' turn (ledger section 5.2)."""

    __slots__ = ()

    # Equipment -------------------------------------------------------------------------------------

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
        if noisy and not self.is_silent(i, ("equip",)):
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
        self.pass_token(events)

    # Plans -----------------------------------------------------------------------------------------

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

    # The report ------------------------------------------------------------------------------------

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

    # Lists of actions ------------------------------------------------------------------------------

    def list_drawn(self, seat: Seat) -> list[Action]:
        found = [ACTION["keep", item] for item in set(self.drawn)]
        found.append(LEAVE)
        if len(self.drawn) == 2 and self.has_skill(self.frame()[1], BOTH):
            found.append(KEEP_BOTH)
        return found

    def list_receive(self, seat: Seat) -> list[Action]:
        return [ACTION["equip", self.cast[i]] for i in cells_of(self.living())]

    list_share = list_receive

    def list_plan(self, seat: Seat) -> list[Action]:
        ready = [ACTION["advance", plan] for plan in self.plans if self.can_advance(seat, plan) is None]
        return [*ready, NEXT]

    def list_hush(self, seat: Seat) -> list[Action]:
        return [ACTION["accept", HUSH], DECLINE]
