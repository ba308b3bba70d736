"""What survivors use: items, advantages, skills and plans, as special or extra actions."""

from __future__ import annotations

from companion.engine.action import Action, Seat
from companion.engine.grid import cells_of
from companion.engine.state import Event, Refusal
from companion.games.whisper.base import DEAD, Frame, refuse
from companion.games.whisper.data import Effect, Effects, Use
from companion.games.whisper.pieces import (
    ADVANTAGES,
    ALL,
    AT_ITEM,
    AT_SURVIVOR,
    BESIDE,
    CALM,
    DONE,
    FIRST_ADVANTAGE,
    FIRST_PASSAGE,
    FIRST_PLAN,
    FIRST_SKILL,
    IN_PLAY,
    ITEMS,
    KEY,
    PLANS,
    RADIO,
    REPAIR,
    RUMMAGE,
    SEARCHABLE,
    SECRET,
    SECRET_ENDS,
    SPIRITS,
    THINGS,
    TOUCHING,
    action,
    each,
    reach,
)
from companion.games.whisper.survivors import MAIN, NO_TARGET, SurvivorsTurn


class Items(SurvivorsTurn):
    """Main action 3 and extra actions; the effects are those of the data files."""

    __slots__ = ()

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
            return refuse("main-action-done", MAIN)
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
            problem = self.no_walk(i, target, ops["move"][1], ops["move"][2])
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
            return None, self.no_repair(effect[2])
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

    def _act(self, effect: Effect, i: int, target: int, cause: tuple[str, ...], events: list[Event]) -> None:
        op = effect[0]
        if op == "noise":
            spots = {"here": self.places[i], "destination": self.places[i]}
            spots |= {"spirits": SPIRITS, "plan_marker": self.marker}
            self.make_noise(spots.get(effect[1], target), i, cause, events)
        elif op in ("move", "passage"):
            self.step(i, target, events)
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
            self.place_gears(n, i, None if effect[2] else ("repair", *cause), events)
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
            self.gain_key(i, events)
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

    # Lists of actions ------------------------------------------------------------------------------

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
            if here == RADIO and self.no_repair(False) is None:
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
        ]
