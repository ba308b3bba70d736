"""The killer's turn: reveal, cards and their price, movement, questions, barricades, levels, the draw.

The effects of killer cards, levels and skills are run by the `op_` methods, one per primitive of the data
files. A frame `("run", effects, about, source)` runs a list of them in printed order (WW-CARD-03); `about` is
the survivor a trigger speaks of, `source` the skill or level that offers something.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from companion.action import Action, Cell, Seat
from companion.games.whisper.base import DEAD, IN, KILLER_ONLY, Frame, refuse
from companion.games.whisper.data import Effect, Effects
from companion.games.whisper.pieces import (
    ACTION,
    ADJACENT_PAIRS,
    AMULET,
    BAR,
    BASIC_ACTIONS,
    BESIDE,
    CARDS,
    DECLINE,
    DRAW,
    ENDURE,
    FEAR_CELLS,
    FIRST_PASSAGE,
    HALT,
    HAND_LIMIT,
    HERO,
    HUSH,
    MAX_LEVEL,
    NEXT,
    OFFER,
    PAIRS,
    PASSAGES,
    REVEAL,
    SEARCH,
    SKILLS,
    TOUCHING,
    WARD,
    WITHIN,
    ZONE,
    ZONES,
    each,
    reach,
)
from companion.games.whisper.survivors import SurvivorsTurn
from companion.grid import cells_of
from companion.state import Event, Refusal

NOBODY = -1
LEVEL_OFFER = len(SKILLS) - 1
"""`LEVEL_OFFER + n` is the offer of level n."""
_TIMING = {"instant": "fast", "main": "boost", "planning": "plan", "strike": "attack"}


class KillerTurn(SurvivorsTurn):
    """The killer's turn (ledger section 5.3) and the interrupts of section 5.5."""

    __slots__ = ()
    _ops: ClassVar[dict[str, Callable[..., None]]] = {}

    # The turn ------------------------------------------------------------------------------------

    def run_killer_turn(self, frame: Frame, events: list[Event]) -> None:
        """Lays out the steps of the turn (WW-KILLER-01); the last two survive an encounter (WW-CLASH-18)."""
        self.killer_turn = True
        self.opened, self.encounter = not self.hidden, False
        if self.skip:
            self.skip -= 1
            self.quiet = True
            events.append(Event("killer-waited", {}))
            self.push(("round",))
            return
        events.append(Event("killer-began", {}))
        self.push(("start-skills",), ("instant",), ("main", BASIC_ACTIONS), ("planning",), ("end-skills",))
        self.stack[:0] = [("round",), ("killer-draw",)]
        if self.hidden:
            self.push(("reveal",))

    def run_killer_draw(self, frame: Frame, events: list[Event]) -> None:
        """Ends the turn with three cards (WW-DRAW-01); the bonuses of the turn are over after it."""
        self.quiet = not self.encounter
        self.met = self.attacked = 0
        events.append(Event("killer-draws", {"n": DRAW}))
        self.push(("draw", DRAW))

    def can_reveal(self, seat: Seat) -> Refusal | None:
        return None

    def do_reveal(self, seat: Seat) -> list[Event]:
        self.stack.pop()
        self.hidden, self.known, self.stealth_card = False, self.at, -1
        stored, self.stored = self.stored, ()
        self.push(("run", stored, NOBODY, NOBODY), ("seek", True))
        return self.settle([Event("revealed", {"cell": self.at})])

    def can_next(self, seat: Seat) -> Refusal | None:
        return None

    def do_next(self, seat: Seat) -> list[Event]:
        self.stack.pop()
        return self.settle([])

    # Playing and paying --------------------------------------------------------------------------

    def is_timed(self, card: int, timing: str) -> bool:
        """Says whether a card belongs to a step; a level may have changed it (WW-KILLER-09, WW-CARD-09)."""
        if self.retimed >> card & 1:
            return timing == "fast"
        return timing in self.box.cards[card].timings

    def cost(self, card: int) -> int:
        """How many other cards a card costs (WW-COST-01)."""
        cost = self.box.cards[card].cost
        return cost if cost >= 0 else max(0, len(self.hand) - 1)

    def can_play(self, seat: Seat, card: int) -> Refusal | None:
        step = self.frame()[0]
        if card not in self.hand:
            return refuse("not-in-hand", "WW-CARD-01", card=CARDS[card])
        if not self.is_timed(card, _TIMING[step]):
            return refuse("wrong-step", "WW-KILLER-09", card=CARDS[card])
        if step == "main" and self.frame()[1] < BASIC_ACTIONS:
            return refuse("acted-already", "WW-KILLER-03", card=CARDS[card])
        if len(self.hand) - 1 < self.cost(card):
            return refuse("cannot-pay", "WW-COST-02", card=CARDS[card], n=self.cost(card))
        return None

    def do_play(self, seat: Seat, card: int) -> list[Event]:
        step = self.frame()[0]
        cost = self.cost(card)
        if step != "instant":
            self.stack.pop()
        self.hand.remove(card)
        self.playing = card
        frames: list[Frame] = [("pay", cost)] if cost else []
        timing = "fast" if self.retimed >> card & 1 else _TIMING[step]
        effects = self.box.cards[card].effects
        frames.append(("run", effects[timing if timing in effects else next(iter(effects))], NOBODY, NOBODY))
        after = f"after_card:{CARDS[card]}"
        for level, trigger, more in self.box.killers[self.killer].triggers:
            if trigger == after and self.level >= level:
                frames.append(("run", more, NOBODY, LEVEL_OFFER + level))
        self.push(*frames, ("played",))
        return self.settle([Event("played", {"card": CARDS[card], "cost": cost})])

    def run_played(self, frame: Frame, events: list[Event]) -> None:
        """The played card goes on top of the discard pile (WW-CARD-06, WW-COST-04)."""
        if self.playing >= 0:
            self.spent.append(self.playing)
            self.playing = -1

    def can_pay(self, seat: Seat, card: int) -> Refusal | None:
        return None if card in self.hand else refuse("not-in-hand", "WW-COST-02", card=CARDS[card])

    def do_pay(self, seat: Seat, card: int) -> list[Event]:
        left = self.stack.pop()[1] - 1
        self.hand.remove(card)
        self.spent.append(card)
        if left:
            self.push(("pay", left))
        return self.settle([Event("paid", {"card": CARDS[card]}, KILLER_ONLY)])

    def can_accept(self, seat: Seat, offer: int) -> Refusal | None:
        frame = self.frame()
        name = frame[0]
        if name == "hush":
            return None if offer == HUSH else refuse("not-offered", "WW-VAR1-11", offer=OFFER.words[offer])
        if name == "hero":
            own = offer == HERO and self.has_skill(frame[1], HERO)
            return None if own else refuse("not-offered", "WW-VAR1-11", offer=OFFER.words[offer])
        if name == "offer":
            offered, pay = offer == frame[1], frame[2]
        else:
            offered, pay = offer in frame[1], self._may(offer)[1] if offer in frame[1] else 0
        if not offered:
            return refuse("not-offered", "WW-VAR1-13", offer=OFFER.words[offer])
        if len(self.hand) < pay:
            return refuse("cannot-pay", "WW-COST-03", card=OFFER.words[offer], n=pay)
        return None

    def _may(self, skill: int) -> Effect:
        """The optional effect of a killer skill that is offered at the start or end of a turn."""
        return next(e for _, effects in self.box.skills[skill].triggers for e in effects if e[0] == "may")

    def do_accept(self, seat: Seat, offer: int) -> list[Event]:
        frame = self.stack.pop()
        name = frame[0]
        if name == "hush":
            self.used |= 1 << HUSH
            return self.settle([Event("hushed", {"survivor": self.name(frame[1])}, self.team_only())])
        if name == "hero":
            return self.settle(self._shield_others(frame[1]))
        if name == "offer":
            _, _, pay, effects, about = frame
        else:
            _, pay, effects = self._may(offer)
            about = NOBODY
            self.push((f"{name}-offers", tuple(skill for skill in frame[1] if skill != offer)))
        self._mark_used(offer)
        self.push(*([("pay", pay)] if pay else []), ("run", effects, about, NOBODY))
        return self.settle([Event("accepted", {"offer": OFFER.words[offer], "cost": pay})])

    def _mark_used(self, offer: int) -> None:
        if offer < len(SKILLS):
            if self.box.skills[offer].once:
                self.used |= 1 << offer
            if self.box.skills[offer].per_round:
                self.round_used |= 1 << offer

    def _shield_others(self, i: int) -> list[Event]:
        """Heroic Save: the others may step out of the encounter (WW-VAR1-16)."""
        if self.box.skills[HERO].once:
            self.used |= 1 << HERO
        others = self.met & ~(1 << i)
        if self.clues is not None:
            self.clues = self.clues.fled(others, self.barricades, 1)
        self.push(*(("flee", j, 1, "leave") for j in cells_of(others)))
        return [Event("shielded", {"survivor": self.name(i)})]

    def can_decline(self, seat: Seat) -> Refusal | None:
        return None

    def do_decline(self, seat: Seat) -> list[Event]:
        frame = self.stack.pop()
        events: list[Event] = []
        if frame[0] == "hush":
            i = frame[1]
            self.pending |= 1 << self.places[i]
            events.append(Event("made-noise", {"cell": self.places[i]}, self.team_only()))
        return self.settle(events)

    # Skills of variant 1 at the start and the end of the turn ------------------------------------

    def own_triggers(self, *names: str) -> list[tuple[int, Effects]]:
        """The killer skills that a moment calls, with their effects (WW-VAR1-13 to 15)."""
        ready = self.killer_skills & ~self.used & ~self.round_used
        return [
            (skill, effects)
            for skill in cells_of(ready)
            for trigger, effects in self.box.skills[skill].triggers
            if trigger in names
        ]

    def run_start_skills(self, frame: Frame, events: list[Event]) -> None:
        names = ("turn_start", "turn_start_open") if self.opened else ("turn_start",)
        self._offer_skills("start", names)

    def run_end_skills(self, frame: Frame, events: list[Event]) -> None:
        """Skills at the end of a quiet turn, before the draw (WW-VAR1-14)."""
        if not self.encounter and not self.hidden:
            self._offer_skills("ending", ("turn_end_quiet",))

    def _offer_skills(self, name: str, moments: tuple[str, ...]) -> None:
        called = self.own_triggers(*moments)
        offered = tuple(skill for skill, effects in called if effects[0][0] == "may")
        forced = [("run", effects, NOBODY, skill) for skill, effects in called if skill not in offered]
        self.push(*forced, (f"{name}-offers", offered))

    def run_start_offers(self, frame: Frame, events: list[Event]) -> None:
        if frame[1]:
            self.push(("start", frame[1]))

    def run_ending_offers(self, frame: Frame, events: list[Event]) -> None:
        if frame[1] and not self.hidden:
            self.push(("ending", frame[1]))

    # Running effects -----------------------------------------------------------------------------

    def run_run(self, frame: Frame, events: list[Event]) -> None:
        """Carries out a list of effects, the first now (WW-CARD-03)."""
        _, effects, about, source = frame
        if len(effects) > 1:
            self.push(("run", effects[1:], about, source))
        if effects:
            self._ops[effects[0][0]](self, effects[0], about, source, events)

    def op_may(self, effect: Effect, about: int, source: int, events: list[Event]) -> None:
        """Offers something for a price; asked even of too small a hand, so that the asking tells nothing."""
        self.push(("offer", source, effect[1], effect[2], about))

    def op_repeat(self, effect: Effect, about: int, source: int, events: list[Event]) -> None:
        self.broke = False
        self.push(("run", effect[2], about, source), ("again", effect))

    def run_again(self, frame: Frame, events: list[Event]) -> None:
        """Brutal Rage goes on while its move broke a barricade; meeting somebody ended it (WW-CARD-10)."""
        if self.broke:
            self.push(("run", (frame[1],), NOBODY, NOBODY))

    def op_on_reveal(self, effect: Effect, about: int, source: int, events: list[Event]) -> None:
        self.stored += effect[1]

    def op_strength(self, effect: Effect, about: int, source: int, events: list[Event]) -> None:
        _, n, until = effect
        if until == "permanent":
            self.base += n
        elif until == "turn_end":
            self.turn_bonus += n
        else:
            self.attack_bonus += n
        events.append(Event("strength-changed", {"n": self.strength()}))

    def op_unlock(self, effect: Effect, about: int, source: int, events: list[Event]) -> None:
        """The locked card comes to hand; only now the killer chooses what to discard (WW-DRAW-05)."""
        self.locked = False
        self.hand.append(effect[1])
        events.append(Event("unlocked", {"card": CARDS[effect[1]]}))
        if len(self.hand) > HAND_LIMIT:
            self.push(("discard",))

    def op_retime(self, effect: Effect, about: int, source: int, events: list[Event]) -> None:
        self.retimed |= 1 << effect[1]

    def op_draw(self, effect: Effect, about: int, source: int, events: list[Event]) -> None:
        events.append(Event("killer-draws", {"n": effect[1]}))
        self.push(("draw", effect[1]))

    def op_start_hand(self, effect: Effect, about: int, source: int, events: list[Event]) -> None:
        """A skill changes the start hand: more cards are drawn, or some go back into the deck."""
        if effect[1] > 0:
            self.push(("draw", effect[1]))
        for _ in range(min(-effect[1], len(self.hand))):
            self.deck[self.hand.pop()] += 1
            self.deck_size += 1

    def op_set_level(self, effect: Effect, about: int, source: int, events: list[Event]) -> None:
        self.push(*(("level-up", False) for _ in range(effect[1] - self.level)))

    def op_skip_turn(self, effect: Effect, about: int, source: int, events: list[Event]) -> None:
        self.skip += effect[1]

    def op_end_turn(self, effect: Effect, about: int, source: int, events: list[Event]) -> None:
        self.drop_turn()

    def drop_turn(self) -> None:
        """Drops every step of the turn but the draw and the card being played (WW-CLASH-18, WW-CARD-04)."""
        del self.stack[2:]
        self.push(("played",))

    def op_cancel_encounter(self, effect: Effect, about: int, source: int, events: list[Event]) -> None:
        """The encounter does not take place (WW-VAR1-17); what the skill brings next stays."""
        rest = self.stack.pop()
        self.drop_turn()
        self.met = 0
        self.push(rest)
        events.append(Event("encounter-cancelled", {}))

    # Moving --------------------------------------------------------------------------------------

    def op_move(self, effect: Effect, about: int, source: int, events: list[Event]) -> None:
        self.path, self.broke = 1 << self.at, False
        self.push(("walk", 0, effect[1], effect[2]))

    def can_go(self, seat: Seat, to: Cell) -> Refusal | None:
        if BESIDE[self.at] >> to & 1:
            return None
        return refuse("not-adjacent", "WW-MOVE-01", self.at, to)

    def do_go(self, seat: Seat, to: Cell) -> list[Event]:
        frame = self.stack.pop()
        events: list[Event] = []
        self._step_openly(to, events)
        if frame[0] == "main":
            if frame[1] > 1:
                self.push(("main", frame[1] - 1))
        elif frame[1] + 1 < frame[3]:
            self.push(("walk", frame[1] + 1, frame[2], frame[3]))
        return self.settle(events)

    def _step_openly(self, to: Cell, events: list[Event]) -> None:
        """One announced step; a barricade in the way is removed first (WW-MOVE-07, 08)."""
        bar = BAR[self.at].get(to, 0)
        if self.barricades & bar:
            self.barricades &= ~bar
            self.broke = True
            passage = bar.bit_length() - 1
            events.append(
                Event("barricade-broken", {"passage": PASSAGES[passage], "cell": FIRST_PASSAGE + passage})
            )
        events.append(Event("killer-moved", {"from_cell": self.at, "cell": to}))
        self.at = self.known = to
        self.path |= 1 << to

    def can_halt(self, seat: Seat) -> Refusal | None:
        _, done, low, _ = self.frame()
        return None if done >= low else refuse("must-move", "WW-MOVE-09", self.at)

    def do_halt(self, seat: Seat) -> list[Event]:
        self.stack.pop()
        return self.settle([])

    def op_stealth(self, effect: Effect, about: int, source: int, events: list[Event]) -> None:
        self.stored = ()
        self.push(("sneak", effect[1], effect[2]))

    def can_sneak(self, seat: Seat, to: Cell) -> Refusal | None:
        _, low, high = self.frame()
        if reach(0, self.at, low, high) >> to & 1:
            return None
        return refuse("too-far", "WW-STEALTH-01", self.at, to)

    def do_sneak(self, seat: Seat, to: Cell) -> list[Event]:
        """Hides the killer; barricades on the way stay (WW-STEALTH-02 to 04)."""
        self.stack.pop()
        self.known, self.at, self.hidden, self.stealth_card = self.at, to, True, self.playing
        card = CARDS[self.playing] if self.playing >= 0 else ""
        return self.settle(
            [
                Event("vanished", {"cell": self.known, "card": card}),
                Event("sneaked", {"cell": to}, KILLER_ONLY),
            ]
        )

    # Questions -----------------------------------------------------------------------------------

    def op_sense(self, effect: Effect, about: int, source: int, events: list[Event]) -> None:
        scope = effect[1]
        if scope == "zone":
            self.push(("ask",))
        elif scope == "adjacent_pair":
            self.push(("ask-pair",))
        elif scope == "range":
            self._sense(WITHIN[effect[2]][self.at])
        elif self.noisy():
            self.push(("ask-noise",))

    def can_ask(self, seat: Seat, zone: int) -> Refusal | None:
        return None

    def do_ask(self, seat: Seat, zone: int) -> list[Event]:
        self.stack.pop()
        self._sense(ZONE[zone])
        return self.settle([Event("asked-zone", {"zone": ZONES[zone], "cells": list(cells_of(ZONE[zone]))})])

    def can_ask_pair(self, seat: Seat, pair: int) -> Refusal | None:
        if ADJACENT_PAIRS >> pair & 1:
            return None
        return refuse("not-adjacent", "WW-MAP-03", *PAIRS[pair])

    def do_ask_pair(self, seat: Seat, pair: int) -> list[Event]:
        self.stack.pop()
        a, b = PAIRS[pair]
        self._sense(1 << a | 1 << b)
        return self.settle([Event("asked-places", {"cells": [a, b]})])

    def can_ask_noise(self, seat: Seat, at: Cell) -> Refusal | None:
        return None if self.noisy() >> at & 1 else refuse("no-noise", "WW-NOISE-11", at)

    def do_ask_noise(self, seat: Seat, at: Cell) -> list[Event]:
        self.stack.pop()
        self._sense(1 << at)
        return self.settle([Event("asked-places", {"cells": [at]})])

    def _sense(self, area: int) -> None:
        self.ask_team(("answer", area), area, self.sensed(area))

    def sensed(self, area: int) -> int:
        """Whom a SENSE names: everybody there but those it never names (WW-SENSE-02 to 06)."""
        return self.those(area) & ~self._immune()

    def _immune(self) -> int:
        return sum(1 << i for i in range(len(self.cast)) if self.has_mod(i, "sense_immune"))

    def run_answer(self, frame: Frame, events: list[Event]) -> None:
        """The team answers truthfully with names, not places (WW-SENSE-02, 07)."""
        area = frame[1]
        self.named = self.sensed(area)
        events.append(Event("sensed", {"cells": list(cells_of(area)), "survivors": self.names(self.named)}))
        if self.clues is not None:
            self.clues = self.clues.answered(area, self.named, self._immune())
        if self.named:
            called = self.own_triggers("sense_hit")
            self.push(*(("run", effects, NOBODY, skill) for skill, effects in called))

    def op_expose(self, effect: Effect, about: int, source: int, events: list[Event]) -> None:
        who = self.chosen(effect, about)
        self.ask_team(("exposed", who), -1, who)

    def run_exposed(self, frame: Frame, events: list[Event]) -> None:
        """Survivors tell their exact location; no SENSE, so nobody is left out (WW-CARD-13)."""
        if not frame[1]:
            events.append(Event("nobody-exposed", {}))
        for i in cells_of(frame[1]):
            events.append(Event("exposed", {"survivor": self.name(i), "cell": self.places[i]}))
            self.told_place(i)

    def told_place(self, i: int) -> None:
        """The killer was told where a survivor is; worth something only while nobody can move unseen."""
        if self.clues is not None and self.killer_turn:
            self.clues = self.clues.seen(i, self.places[i])

    def told_area(self, area: int, named: int) -> None:
        """The killer was told exactly who is in an area."""
        if self.clues is not None and self.killer_turn:
            self.clues = self.clues.answered(area, named)

    def can_search(self, seat: Seat) -> Refusal | None:
        return None

    def do_search(self, seat: Seat) -> list[Event]:
        left = self.stack.pop()[1] - 1
        if left:
            self.push(("main", left))
        self.push(("seek", False))
        return self.settle([])

    def op_search(self, effect: Effect, about: int, source: int, events: list[Event]) -> None:
        self.push(("seek", False))

    def run_seek(self, frame: Frame, events: list[Event]) -> None:
        """SEARCH of the killer's own location (WW-CLASH-01)."""
        self.ask_team(("names", frame[1]), 1 << self.at, self.those(1 << self.at))

    # Fear, wounds, death -------------------------------------------------------------------------

    def area_of(self, effect: Effect) -> int:
        """The area that an effect reaches, or 0 for one that does not work by place (WW-RANGE-01, 04)."""
        who = effect[1]
        if who == "here":
            return 1 << self.at
        if who == "range":
            return WITHIN[effect[2]][self.at]
        return self.path if who == "path" else 0

    def chosen(self, effect: Effect, about: int) -> int:
        """The survivors whom an effect means."""
        who = effect[1]
        area = self.area_of(effect)
        if area:
            return self.those(area)
        if who == "feared":
            return sum(1 << i for i in cells_of(self.living()) if self.fear[i])
        if who == "encounter":
            return self.met & self.living()
        if who == "sensed":
            return self.named & self.living()
        if who == "panicked":
            return 1 << about & self.living()
        assert who == "all", who
        return self.living()

    def op_fear(self, effect: Effect, about: int, source: int, events: list[Event]) -> None:
        """Frightens everybody meant, Anna too (WW-FEAR-06); one token after another (WW-FEAR-08)."""
        if effect[1] == "choose_any":
            self.push(*(("frighten",) for _ in range(effect[3])))
            return
        who = self.chosen(effect, about)
        area = self.area_of(effect)
        if area:
            self.told_area(area, who)
        if not who:
            events.append(Event("nobody-frightened", {}))
        self.push(*(("fear", i) for i in cells_of(who) for _ in range(effect[3])))

    def run_fear(self, frame: Frame, events: list[Event]) -> None:
        """One fear token, or panic instead of the third (WW-FEAR-01, WW-PANIC-01 to 05)."""
        i = frame[1]
        if self.gone[i] != IN:
            return
        if self.fear[i] < FEAR_CELLS:
            self.fear[i] += 1
            events.append(Event("frightened", {"survivor": self.name(i), "n": self.fear[i]}))
            return
        self.noise |= 1 << self.places[i]
        events.append(Event("panicked", {"survivor": self.name(i), "cell": self.places[i]}))
        self.told_place(i)
        for level, trigger, effects in self.box.killers[self.killer].triggers:
            if trigger == "panic" and self.level >= level:
                self.push(("run", effects, i, LEVEL_OFFER + level))

    def can_frighten(self, seat: Seat, who: int) -> Refusal | None:
        i = self.slot(who)
        return None if i >= 0 and self.gone[i] == IN else refuse("not-in-play", "WW-SETUP-02")

    def do_frighten(self, seat: Seat, who: int) -> list[Event]:
        self.stack.pop()
        self.push(("fear", self.slot(who)))
        return self.settle([])

    def op_wound(self, effect: Effect, about: int, source: int, events: list[Event]) -> None:
        """Wounds everybody meant, in tile order; the team names them (WW-WOUND-05, 06)."""
        who = self.chosen(effect, about)
        area = self.area_of(effect)
        if area:
            self.told_area(area, who)
        if not who:
            events.append(Event("nobody-wounded", {}))
        self.push(*(("hurt", i, effect[3]) for i in cells_of(who)))

    def run_hurt(self, frame: Frame, events: list[Event]) -> None:
        """One wound; outside an encounter its victim may react first (WW-WOUND-07).

        The reaction is asked for whether or not the amulet is there: the asking tells the killer nothing.
        """
        _, i, kind = frame
        if self.gone[i] != IN:
            return
        if kind == "direct":
            self.push(("ward", i))
        else:
            self.injure(i, events)

    def can_ward(self, seat: Seat) -> Refusal | None:
        if AMULET in self.bags[self.frame()[1]]:
            return None
        return refuse("no-item", "WW-ITEM-17", item="amulet")

    def do_ward(self, seat: Seat) -> list[Event]:
        i = self.stack.pop()[1]
        self.bags[i].remove(AMULET)
        self.put_away(AMULET)
        return self.settle([Event("warded", {"survivor": self.name(i)})])

    def can_endure(self, seat: Seat) -> Refusal | None:
        return None

    def do_endure(self, seat: Seat) -> list[Event]:
        events: list[Event] = []
        self.injure(self.stack.pop()[1], events)
        return self.settle(events)

    def injure(self, i: int, events: list[Event]) -> None:
        """Flips the tile; the second wound kills (WW-WOUND-02, 03)."""
        self.health[i] -= 1
        events.append(Event("wounded", {"survivor": self.name(i), "n": self.health[i]}))
        if not self.health[i]:
            self.die(i, events)
        if self.ended is None:
            called = self.own_triggers("wound_dealt")
            self.push(*(("run", effects, i, skill) for skill, effects in called))

    def op_kill(self, effect: Effect, about: int, source: int, events: list[Event]) -> None:
        who = self.chosen(effect, about)
        area = self.area_of(effect)
        if area:
            self.told_area(area, who)
        if not who:
            events.append(Event("nobody-wounded", {}))
        self.push(*(("slay", i) for i in cells_of(who)))

    def run_slay(self, frame: Frame, events: list[Event]) -> None:
        """Nothing prevents it, not even the amulet (WW-ITEM-18, WW-REVEAL-10)."""
        if self.gone[frame[1]] == IN:
            self.health[frame[1]] = 0
            self.die(frame[1], events)

    def die(self, i: int, events: list[Event]) -> None:
        """A death ends the base game; in variant 2 the killer's level rises (WW-WIN-07, WW-VAR2-12, 13)."""
        self.gone[i] = DEAD
        events.append(Event("died", {"survivor": self.name(i)}))
        if not self.setup.solo:
            self.finish("killed", (0,), "WW-WIN-07", events)
            return
        if self.clues is not None:
            self.clues = self.clues.left(i)
        self.check_solo_end(events)
        if self.ended is None:
            self.push(("level-up", False))

    # Barricades ----------------------------------------------------------------------------------

    def op_barricade(self, effect: Effect, about: int, source: int, events: list[Event]) -> None:
        """Places barricades here, on all passages here, or anywhere (WW-BARR-02 to 08)."""
        here = TOUCHING[self.at]
        where, n = effect[1], effect[2]
        if where == "here_all":
            missing = cells_of(here & ~self.barricades)
            self.push(*(("raise", passage, here) for passage in missing))
        elif where == "any" or here:
            self.push(("block", here if where == "here" else (1 << len(PASSAGES)) - 1, n, 0))

    def can_block(self, seat: Seat, passage: int) -> Refusal | None:
        if self.frame()[1] >> passage & 1:
            return None
        return refuse("not-here", "WW-BARR-07", self.at, FIRST_PASSAGE + passage)

    def do_block(self, seat: Seat, passage: int) -> list[Event]:
        _, allowed, n, kept = self.stack.pop()
        kept |= 1 << passage
        self.push(("raise", passage, kept))
        if n > 1:
            self.stack.insert(-1, ("block", allowed, n - 1, kept))
        return self.settle([])

    def run_raise(self, frame: Frame, events: list[Event]) -> None:
        """Puts one barricade; with no token left one from elsewhere is used (WW-BARR-04, 05)."""
        _, passage, kept = frame
        blanks = {"passage": PASSAGES[passage], "cell": FIRST_PASSAGE + passage}
        if self.barricades >> passage & 1:
            events.append(Event("barricade-stands", blanks))
        elif self.supply():
            self.barricades |= 1 << passage
            events.append(Event("barricaded", blanks))
        elif self.barricades & ~kept:
            self.push(("reuse", passage, kept))

    def can_reuse(self, seat: Seat, passage: int) -> Refusal | None:
        if (self.barricades & ~self.frame()[2]) >> passage & 1:
            return None
        return refuse("not-to-reuse", "WW-BARR-05", FIRST_PASSAGE + passage)

    def do_reuse(self, seat: Seat, passage: int) -> list[Event]:
        _, new, kept = self.stack.pop()
        self.barricades &= ~(1 << passage)
        self.push(("raise", new, kept))
        blanks = {"passage": PASSAGES[passage], "cell": FIRST_PASSAGE + passage}
        return self.settle([Event("barricade-taken", blanks)])

    # Drawing, levels -----------------------------------------------------------------------------

    def run_draw(self, frame: Frame, events: list[Event]) -> None:
        self._from_deck("draw", frame[1])

    def run_mill(self, frame: Frame, events: list[Event]) -> None:
        self._from_deck("mill", frame[1])

    def _from_deck(self, name: str, n: int) -> None:
        """Takes cards one by one; a deck that is empty when needed brings a level (WW-DRAW-03, 04)."""
        if not n:
            return
        if self.deck_size:
            self.push(("drawing" if name == "draw" else "milling", n))
        elif self.spent:
            self.push(("level-up", True), (name, n))

    def can_draw(self, seat: Seat, card: int) -> Refusal | None:
        return None if self.deck[card] else refuse("not-drawn", "WW-DRAW-03", card=CARDS[card])

    can_mill = can_draw

    def do_draw(self, seat: Seat, card: int) -> list[Event]:
        """The hand never exceeds five: what is drawn beyond is discarded at once (WW-DRAW-02)."""
        self._take_top("draw", card)
        if len(self.hand) < HAND_LIMIT:
            self.hand.append(card)
            return self.settle([Event("drew", {"card": CARDS[card]}, KILLER_ONLY)])
        if any(
            m["mod"] == "overflow_choice"
            for s in cells_of(self.killer_skills)
            for m in self.box.skills[s].mods
        ):
            self.hand.append(card)
            self.push(("discard",))
            return self.settle([Event("drew", {"card": CARDS[card]}, KILLER_ONLY)])
        self.spent.append(card)
        return self.settle([Event("overflowed", {"card": CARDS[card]}, KILLER_ONLY)])

    def do_mill(self, seat: Seat, card: int) -> list[Event]:
        self._take_top("mill", card)
        self.spent.append(card)
        return self.settle([Event("milled", {"card": CARDS[card]}, KILLER_ONLY)])

    def _take_top(self, name: str, card: int) -> None:
        left = self.stack.pop()[1] - 1
        self.deck[card] -= 1
        self.deck_size -= 1
        if left:
            self.push((name, left))
        if self.setup.on_empty and not self.deck_size:
            self.push(("level-up", True))

    def can_discard(self, seat: Seat, card: int) -> Refusal | None:
        return None if card in self.hand else refuse("not-in-hand", "WW-DRAW-06", card=CARDS[card])

    def do_discard(self, seat: Seat, card: int) -> list[Event]:
        self.stack.pop()
        self.hand.remove(card)
        self.spent.append(card)
        return self.settle([Event("discarded", {"card": CARDS[card]}, KILLER_ONLY)])

    def run_level_up(self, frame: Frame, events: list[Event]) -> None:
        """Marker, strength, unlock, other effects, skills, shuffle (WW-LEVEL-03, 04, 06)."""
        frames: list[Frame] = []
        if self.level < MAX_LEVEL:
            self.level += 1
            events.append(Event("level-rose", {"n": self.level}))
            frames.append(("run", self.box.killers[self.killer].gains[self.level - 1], NOBODY, NOBODY))
            for skill in cells_of(self.killer_skills):
                for trigger, effects in self.box.skills[skill].triggers:
                    head, _, levels = trigger.partition(":")
                    if head == "level_up" and (levels == "any" or str(self.level) in levels.split(",")):
                        frames.append(("run", effects, NOBODY, skill))
        if frame[1]:
            frames.append(("reshuffle",))
        self.push(*frames)

    def run_reshuffle(self, frame: Frame, events: list[Event]) -> None:
        """The discard pile becomes the deck; its order is not kept (WW-LEVEL-03, 11)."""
        for card in self.spent:
            self.deck[card] += 1
        self.deck_size += len(self.spent)
        self.spent.clear()
        events.append(Event("reshuffled", {}, KILLER_ONLY))

    # Notes ---------------------------------------------------------------------------------------

    def can_note(self, seat: Seat, token: int, at: Cell) -> Refusal | None:
        if self.notes[token] == at:
            return refuse("noted", "WW-DEDUCT-01", at)
        return None

    def do_note(self, seat: Seat, token: int, at: Cell) -> list[Event]:
        self.notes[token] = at
        return [Event("noted", {"token": token, "cell": at}, KILLER_ONLY)]

    def can_guess(self, seat: Seat, n: int) -> Refusal | None:
        return refuse("noted", "WW-DEDUCT-02") if self.guess == n else None

    def do_guess(self, seat: Seat, n: int) -> list[Event]:
        self.guess = n
        return [Event("guessed", {"n": n}, KILLER_ONLY)]

    # Lists of actions ----------------------------------------------------------------------------

    def _playable(self, step: str) -> list[Action]:
        timing, left = _TIMING[step], len(self.hand) - 1
        return [
            ACTION["play", card]
            for card in set(self.hand)
            if self.is_timed(card, timing) and left >= self.cost(card)
        ]

    def list_reveal(self, seat: Seat) -> list[Action]:
        return [REVEAL]

    def list_instant(self, seat: Seat) -> list[Action]:
        return [*self._playable("instant"), NEXT]

    def list_main(self, seat: Seat) -> list[Action]:
        cards = self._playable("main") if self.frame()[1] == BASIC_ACTIONS else []
        return [*cards, *each("go", BESIDE[self.at]), SEARCH, NEXT]

    def list_planning(self, seat: Seat) -> list[Action]:
        return [*self._playable("planning"), NEXT]

    def list_strike(self, seat: Seat) -> list[Action]:
        return [*self._playable("strike"), NEXT]

    def list_start(self, seat: Seat) -> list[Action]:
        size = len(self.hand)
        return [*(ACTION["accept", s] for s in self.frame()[1] if self._may(s)[1] <= size), NEXT]

    list_ending = list_start

    def list_offer(self, seat: Seat) -> list[Action]:
        _, source, pay, _, _ = self.frame()
        return [ACTION["accept", source], DECLINE] if pay <= len(self.hand) else [DECLINE]

    def list_pay(self, seat: Seat) -> list[Action]:
        return [ACTION["pay", card] for card in set(self.hand)]

    def list_discard(self, seat: Seat) -> list[Action]:
        return [ACTION["discard", card] for card in set(self.hand)]

    def list_walk(self, seat: Seat) -> list[Action]:
        _, done, low, _ = self.frame()
        steps = each("go", BESIDE[self.at])
        return [*steps, HALT] if done >= low else list(steps)

    def list_sneak(self, seat: Seat) -> list[Action]:
        _, low, high = self.frame()
        return list(each("sneak", reach(0, self.at, low, high)))

    def list_ask(self, seat: Seat) -> list[Action]:
        return list(each("ask", (1 << len(ZONES)) - 1))

    def list_ask_pair(self, seat: Seat) -> list[Action]:
        return list(each("ask-pair", ADJACENT_PAIRS))

    def list_ask_noise(self, seat: Seat) -> list[Action]:
        return list(each("ask-noise", self.noisy()))

    def list_block(self, seat: Seat) -> list[Action]:
        return list(each("block", self.frame()[1]))

    def list_reuse(self, seat: Seat) -> list[Action]:
        return list(each("reuse", self.barricades & ~self.frame()[2]))

    def list_frighten(self, seat: Seat) -> list[Action]:
        return [ACTION["frighten", self.cast[i]] for i in cells_of(self.living())]

    def list_ward(self, seat: Seat) -> list[Action]:
        return [WARD, ENDURE] if AMULET in self.bags[self.frame()[1]] else [ENDURE]
