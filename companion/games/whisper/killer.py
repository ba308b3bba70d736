"""The killer's turn: reveal, cards and their price, movement, questions, barricades, levels, the draw.

The effects of killer cards, levels and skills are run by the `op_` methods, one per primitive of the data
files. A frame `("run", effects, about, source)` runs a list of them in printed order (WW-CARD-03); `about` is
the survivor a trigger speaks of, `source` the skill or level that offers something.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from companion.engine.action import Action, Cell, Seat
from companion.engine.grid import cells_of
from companion.engine.state import Event, Refusal, all_but
from companion.games.whisper.base import KILLER_ONLY, KILLER_SEAT, Frame, refuse
from companion.games.whisper.data import Effect
from companion.games.whisper.harm import LEVEL_OFFER, NOBODY, Harm
from companion.games.whisper.pieces import (
    ACTION,
    ADJACENT_PAIRS,
    BAR,
    BASIC_ACTIONS,
    BESIDE,
    CARDS,
    DECLINE,
    DRAW,
    FIRST_PASSAGE,
    HALT,
    HERO,
    HUSH,
    NEXT,
    OFFER,
    PAIRS,
    PASSAGES,
    REVEAL,
    SEARCH,
    SKILLS,
    WITHIN,
    ZONE,
    ZONES,
    each,
    reach,
)

_TIMING = {"instant": "fast", "main": "boost", "planning": "plan", "strike": "attack"}


class KillerTurn(Harm):
    """The killer's turn (ledger section 5.3) and the interrupts of section 5.5."""

    __slots__ = ()
    _ops: ClassVar[dict[str, Callable[..., None]]] = {}

    # The turn --------------------------------------------------------------------------------------

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

    # Playing and paying ----------------------------------------------------------------------------

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
        played = Event("played", {"card": CARDS[card], "cost": cost})
        if self.box.cards[card].cost >= 0 or self.setup.tell_hand:
            return self.settle([played])
        # What all the other cards are worth would tell how many are in the hand (AMB-39).
        others = all_but(self.setup.players, KILLER_SEAT)
        told = Event("played-for-all", {"card": CARDS[card]}, others)
        return self.settle([played._replace(audience=KILLER_ONLY), told])

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
        return [Event("shielded", {"survivor": self.name(i)}, self.team_only())]

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

    # Skills of variant 1 at the start and the end of the turn --------------------------------------

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

    # Running effects -------------------------------------------------------------------------------

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

    # Moving ----------------------------------------------------------------------------------------

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

    # Questions -------------------------------------------------------------------------------------

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
        self.asked, self.named = area, self.sensed(area)
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

    # Lists of actions ------------------------------------------------------------------------------

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
