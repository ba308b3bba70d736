"""The encounter: names, offers, attacks one after another, dice, fleeing (ledger section 5.4)."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.grid import cells_of
from companion.engine.state import Event, Refusal, all_but
from companion.games.whisper.base import Frame, refuse, too_many
from companion.games.whisper.harm import LEVEL_OFFER, NOBODY
from companion.games.whisper.killer import KillerTurn
from companion.games.whisper.pieces import (
    ACTION,
    BARE,
    DECLINE,
    DICE,
    FIRST_SKILL,
    HERO,
    ITEMS,
    REPELLED,
    ROLLS,
    SPIRITS,
    STAY,
    THINGS,
    THROW,
    TRAP,
    WEAPON,
    each,
    reach,
)

WEAPON_THING = FIRST_SKILL + WEAPON


class Encounter(KillerTurn):
    """A fight between the killer and the survivors he has found."""

    __slots__ = ()

    # E1, E2: names and offers --------------------------------------------------------------------

    def run_names(self, frame: Frame, events: list[Event]) -> None:
        """All names in the killer's location are told, Anna's too (WW-CLASH-01 to 03)."""
        met = self.those(1 << self.at)
        self.asked, self.named = 1 << self.at, met
        events.append(Event("searched", {"cell": self.at, "survivors": self.names(met)}))
        self.told_area(1 << self.at, met)
        if met:
            self._meet(met, frame[1])
        elif self.at == self.marker and self._plan_wins_by("killer_search_marker_empty"):
            self.survivors_win("plan", "WW-VAR3-19", events, by_plan=True)

    def _plan_wins_by(self, condition: str) -> bool:
        return self.plan_done and any(win["cond"] == condition for win in self.box.plans[self.plan].wins)

    def _meet(self, met: int, from_reveal: bool) -> None:
        """Begins an encounter; the rest of the turn but the draw is lost (WW-CLASH-18, WW-CARD-04)."""
        self.drop_turn()
        self.encounter, self.met, self.attacked = True, met, 0
        named = [("run", effects, NOBODY, skill) for skill, effects in self.own_triggers("encounter_named")]
        heroes = [("hero", i) for i in cells_of(met)] if self.setup.skills and too_many(met) else []
        reveal = self._level_frames("reveal_encounter") if from_reveal else []
        opening = (("open-encounter",), ("attack",), ("flee-all",), ("encounter-over",))
        self.push(*reveal, *named, *heroes, *opening)

    def _level_frames(self, moment: str) -> list[Frame]:
        return [
            ("run", effects, NOBODY, LEVEL_OFFER + level)
            for level, trigger, effects in self.box.killers[self.killer].triggers
            if trigger == moment and self.level >= level
        ]

    def run_open_encounter(self, frame: Frame, events: list[Event]) -> None:
        """Effects at the start: fear first, wounds after it (WW-CLASH-04)."""
        events.append(Event("encounter-began", {"cell": self.at, "survivors": self.names(self.met)}))
        self.push(*self._level_frames("encounter_start"))

    # E4 to E6: card, defender, item --------------------------------------------------------------

    def run_attack(self, frame: Frame, events: list[Event]) -> None:
        """The next attack, if anybody met was not attacked yet (WW-CLASH-05, 16, 17, 21)."""
        self.attack_bonus, self.defence, self.guards, self.thrown, self.defender = 0, 0, -1, False, -1
        if not self.met & ~self.attacked & self.living():
            return
        self.push(("choose-defender",))
        own = (card for card in self.box.cards if card.killer == self.killer)
        if any("attack" in card.timings for card in own):
            self.push(("strike",))

    def run_choose_defender(self, frame: Frame, events: list[Event]) -> None:
        left = self.met & ~self.attacked & self.living()
        if too_many(left):
            self.push(("face",))
        else:
            self._face(next(cells_of(left)), events)

    def can_face(self, seat: Seat, who: int) -> Refusal | None:
        i = self.slot(who)
        left = self.met & ~self.attacked & self.living()
        if i < 0 or not left >> i & 1:
            return refuse("not-to-attack", "WW-CLASH-07", self.at)
        if self.setup.solo and seat != 1 + i:
            return refuse("not-your-survivor", "WW-BOOK-06")
        return None

    def do_face(self, seat: Seat, who: int) -> list[Event]:
        self.stack.pop()
        events: list[Event] = []
        self._face(self.slot(who), events)
        return self.settle(events)

    def _face(self, i: int, events: list[Event]) -> None:
        self.defender = i
        self.push(("guard", i))
        events.append(Event("faced", {"survivor": self.name(i), "n": self.strength()}))

    def can_guard(self, seat: Seat, thing: int) -> Refusal | None:
        i = self.frame()[1]
        if thing == WEAPON_THING:
            own = self.has_skill(i, WEAPON)
            return None if own else refuse("not-yours", "WW-VAR1-11", thing=THINGS[thing])
        if thing >= len(ITEMS) or not self._defends(thing):
            return refuse("no-defence", "WW-ITEM-02", thing=THINGS[thing])
        if thing not in self.bags[i]:
            return refuse("no-item", "WW-CLASH-08", item=ITEMS[thing])
        card = self.box.items[thing]
        if card.needs >= 0 and card.needs not in self.bags[i]:
            return refuse("needs-other", "WW-ITEM-12", item=ITEMS[thing], other=ITEMS[card.needs])
        if not self._bonus(i, thing):
            return refuse("no-effect-alone", "WW-ITEM-13", item=ITEMS[thing])
        return None

    def _defends(self, item: int) -> bool:
        return any(use.timing == "defence" for use in self.box.items[item].uses)

    def _bonus(self, i: int, item: int) -> int:
        """What an item adds to a defence (WW-CLASH-11)."""
        printed = sum(
            effect[1]
            for use in self.box.items[item].uses
            if use.timing == "defence"
            for effect in use.effects
            if effect[0] == "defence"
        )
        if not printed:
            return 0
        mods = (mod for mod in self.mods[i] if mod["mod"] == "item_defence" and mod["item"] == ITEMS[item])
        return int(printed + sum(mod["n"] for mod in mods))

    def do_guard(self, seat: Seat, thing: int) -> list[Event]:
        i = self.stack.pop()[1]
        self.guards = thing
        frames: list[Frame] = []
        if thing == WEAPON_THING:
            self.used |= 1 << WEAPON
            self.defence += self.weapon_bonus()
        else:
            self.defence += self._bonus(i, thing)
            if not self.box.items[thing].endless:
                self.bags[i].remove(thing)
                self.put_away(thing)
            for use in self.box.items[thing].uses:
                if use.timing == "defence":
                    frames += [("draw", e[1]) for e in use.effects if e[0] == "killer_draw"]
        self.dice = ()
        self.push(*frames, ("rolling",))
        guarded = Event("guarded", {"survivor": self.name(i), "thing": THINGS[thing]})
        if thing != WEAPON_THING:
            return self.settle([guarded])
        team = self.skill_audience(i)
        bared = Event("bared", {"survivor": self.name(i)}, all_but(self.setup.players, *team))
        return self.settle([guarded._replace(audience=team), bared])

    def skill_audience(self, i: int) -> frozenset[int]:
        """Who may hear that a survivor used a skill: never the killer (WW-BOOK-01)."""
        return self.team_only(i if self.setup.private else -1)

    def weapon_bonus(self) -> int:
        """What the secret weapon adds to this defence."""
        if self.guards != WEAPON_THING:
            return 0
        return sum(effect[1] for _, effects in self.box.skills[WEAPON].triggers for effect in effects)

    def can_throw(self, seat: Seat) -> Refusal | None:
        i = self.frame()[1]
        mod = self._molotov(i)
        if mod is None:
            return refuse("plan-not-done", "WW-VAR3-09", plan="molotov")
        if self.thrown:
            return refuse("used-up", "WW-CLASH-09", thing="molotov")
        if ITEMS.index(mod["item"]) not in self.bags[i]:
            return refuse("no-item", "WW-CLASH-08", item=mod["item"])
        return None

    def _molotov(self, i: int) -> dict[str, object] | None:
        return next((mod for mod in self.mods[i] if mod["mod"] == "defence_by_discard"), None)

    def do_throw(self, seat: Seat) -> list[Event]:
        i = self.frame()[1]
        mod = next(mod for mod in self.mods[i] if mod["mod"] == "defence_by_discard")
        item = ITEMS.index(mod["item"])
        self.bags[i].remove(item)
        self.put_away(item)
        self.thrown = True
        self.defence += mod["n"]
        return self.settle([Event("threw", {"survivor": self.name(i), "item": mod["item"]})])

    def can_bare(self, seat: Seat) -> Refusal | None:
        return None

    def do_bare(self, seat: Seat) -> list[Event]:
        i = self.stack.pop()[1]
        self.dice = ()
        self.push(("rolling",))
        return self.settle([Event("bared", {"survivor": self.name(i)})])

    # E8, E9: dice and result ---------------------------------------------------------------------

    def dice_to_roll(self) -> int:
        """Four dice less one for each fear token (WW-DICE-01, 02)."""
        return DICE - self.fear[self.defender]

    def can_roll(self, seat: Seat, roll: int) -> Refusal | None:
        dice = ROLLS[roll]
        if len(dice) != self.dice_to_roll():
            return refuse("wrong-dice", "WW-DICE-01", n=self.dice_to_roll())
        if any(die not in self.box.faces for die in dice):
            return refuse("no-such-face", "WW-DICE-04")
        return None

    def do_roll(self, seat: Seat, roll: int) -> list[Event]:
        self.stack.pop()
        i, self.dice = self.defender, ROLLS[roll]
        sprung = self.trap == self.at
        total = sum(self.dice) + self.defence + self._unarmed(i) + sprung * TRAP
        strength = self.strength()
        success = total >= strength or (self._is_lucky(i) and not any(self.dice))
        self.attacked |= 1 << i
        blanks = {"survivor": self.name(i), "dice": list(self.dice), "total": total, "n": strength}
        events = [Event("rolled", blanks)]
        if sprung:
            self.trap = -1
            events.append(Event("trap-sprung", {"cell": self.at, "survivor": self.name(i)}))
        if success:
            events.append(Event("repelled", {"survivor": self.name(i), "n": REPELLED}))
            if not self._wins_by_defence(total - strength, events):
                self.push(("mill", REPELLED))
        else:
            events.append(Event("hit", {"survivor": self.name(i)}))
            self.push(("hurt", i, "encounter"), ("attack",))
        return self.settle(events)

    def _unarmed(self, i: int) -> int:
        """What a survivor gets for using no item (WW-CHAR-06, WW-VAR1-18)."""
        armed = self.guards >= 0
        weapon = armed and (self.guards >= len(ITEMS) or self.box.items[self.guards].weapon)
        return sum(
            mod["n"]
            for mod in self.mods[i]
            if mod["mod"] == "defence_no_item" and not (weapon if mod.get("if") == "no_weapon" else armed)
        )

    def _is_lucky(self, i: int) -> bool:
        return self.has_mod(i, "auto_success")

    def _wins_by_defence(self, margin: int, events: list[Event]) -> bool:
        """The plans that win by a defence (WW-VAR3-13)."""
        for win in self.box.plans[self.plan].wins if self.plan_done else ():
            ambush = win["cond"] == "defence_margin_at_marker" and self.at == self.marker
            seal = win["cond"] == "defence_success_at_spirits" and self.at == SPIRITS
            item = win.get("item")
            if (ambush and margin >= win["margin"]) or (
                seal and (item is None or self.guards == ITEMS.index(item))
            ):
                self.survivors_win("plan", "WW-VAR3-13", events, by_plan=True)
                return True
        return False

    # E12: fleeing --------------------------------------------------------------------------------

    def run_flee_all(self, frame: Frame, events: list[Event]) -> None:
        """Everybody who was met and lives may flee, attacked or not (WW-FLEE-01, 02)."""
        met = self.met & self.living()
        events.append(Event("encounter-ended", {"survivors": self.names(met)}))
        if self.clues is not None:
            self.clues = self.clues.fled(met, self.barricades, 2 if self.setup.skills else 1)
        self.push(*(("flee", i, max(1, self.mod(i, "flee_max")), "flee") for i in cells_of(met)))

    def can_flee(self, seat: Seat, to: Cell) -> Refusal | None:
        _, i, high, _ = self.frame()
        here = self.places[i]
        if reach(self.barricades, here, 1, high) >> to & 1:
            return None
        rule = "WW-FLEE-03" if reach(0, here, 1, high) >> to & 1 else "WW-FLEE-01"
        return refuse("barricade" if rule == "WW-FLEE-03" else "too-far", rule, here, to)

    def do_flee(self, seat: Seat, to: Cell) -> list[Event]:
        _, i, _, why = self.stack.pop()
        blanks = {"survivor": self.name(i), "from_cell": self.places[i], "cell": to}
        events = [Event("moved", blanks, self.team_only())]
        self.places[i] = to
        if why == "leave":
            self.met &= ~(1 << i)
            events.append(Event("left-encounter", {"survivor": self.name(i)}))
        elif why == "flee":
            self.call_skills(i, "after_flee")
        return self.settle(events)

    def can_stay(self, seat: Seat) -> Refusal | None:
        return None

    def do_stay(self, seat: Seat) -> list[Event]:
        self.stack.pop()
        return self.settle([])

    def run_encounter_over(self, frame: Frame, events: list[Event]) -> None:
        self.met = self.attacked = self.attack_bonus = 0
        self.defender = -1

    # Lists of actions ----------------------------------------------------------------------------

    def list_hero(self, seat: Seat) -> list[Action]:
        return [ACTION["accept", HERO], DECLINE] if self.has_skill(self.frame()[1], HERO) else [DECLINE]

    def list_face(self, seat: Seat) -> list[Action]:
        left = cells_of(self.met & ~self.attacked & self.living())
        return [ACTION["face", self.cast[i]] for i in left if not self.setup.solo or seat == 1 + i]

    def list_guard(self, seat: Seat) -> list[Action]:
        i = self.frame()[1]
        found = [BARE]
        found += [ACTION["guard", item] for item in set(self.bags[i]) if self.can_guard(seat, item) is None]
        if self.has_skill(i, WEAPON):
            found.append(ACTION["guard", WEAPON_THING])
        if self.plan_done and self.can_throw(seat) is None:
            found.append(THROW)
        return found

    def list_flee(self, seat: Seat) -> list[Action]:
        _, i, high, _ = self.frame()
        return [*each("flee", reach(self.barricades, self.places[i], 1, high)), STAY]
