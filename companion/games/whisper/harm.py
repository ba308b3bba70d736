"""What the killer does to the survivors and to the house: fear, wounds, barricades; his deck and his levels.

The effects of killer cards, levels and skills are run by the `op_` methods, one per primitive of the data
files: these here, and those of the turn in `killer`.
"""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.grid import cells_of
from companion.engine.state import Event, Refusal
from companion.games.whisper.base import DEAD, IN, KILLER_ONLY, Frame, refuse
from companion.games.whisper.data import Effect, Effects
from companion.games.whisper.equipment import Equipment
from companion.games.whisper.pieces import (
    ACTION,
    AMULET,
    CARDS,
    ENDURE,
    FEAR_CELLS,
    FIRST_PASSAGE,
    HAND_LIMIT,
    MAX_LEVEL,
    PASSAGES,
    SKILLS,
    TOUCHING,
    WARD,
    WITHIN,
    each,
)

NOBODY = -1
LEVEL_OFFER = len(SKILLS) - 1
"""`LEVEL_OFFER + n` is the offer of level n."""


class Harm(Equipment):
    """Fear, wounds, death, barricades, drawing and levels (ledger section 5.5)."""

    __slots__ = ()

    def own_triggers(self, *names: str) -> list[tuple[int, Effects]]:
        """The killer skills that a moment calls, with their effects (WW-VAR1-13 to 15)."""
        ready = self.killer_skills & ~self.used & ~self.round_used
        return [
            (skill, effects)
            for skill in cells_of(ready)
            for trigger, effects in self.box.skills[skill].triggers
            if trigger in names
        ]

    def told_place(self, i: int) -> None:
        """The killer was told where a survivor is; worth something only while nobody can move unseen."""
        if self.clues is not None and self.killer_turn:
            self.clues = self.clues.seen(i, self.places[i])

    def told_area(self, area: int, named: int) -> None:
        """The killer was told exactly who is in an area."""
        if self.clues is not None and self.killer_turn:
            self.clues = self.clues.answered(area, named)

    # Fear, wounds, death ---------------------------------------------------------------------------

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
            events.append(Event("threatened", {"survivor": self.name(i)}))
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
        events.append(Event("died", {"survivor": self.name(i)}))
        self.leave_play(i, DEAD, events)
        if not self.setup.solo:
            self.finish("killed", (0,), "WW-WIN-07", events)
            return
        self.check_solo_end(events)
        if self.ended is None:
            self.push(("level-up", False))

    # Barricades ------------------------------------------------------------------------------------

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

    # Drawing, levels -------------------------------------------------------------------------------

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

    # Notes -----------------------------------------------------------------------------------------

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

    # Lists of actions ------------------------------------------------------------------------------

    def list_discard(self, seat: Seat) -> list[Action]:
        return [ACTION["discard", card] for card in set(self.hand)]

    def list_block(self, seat: Seat) -> list[Action]:
        return list(each("block", self.frame()[1]))

    def list_reuse(self, seat: Seat) -> list[Action]:
        return list(each("reuse", self.barricades & ~self.frame()[2]))

    def list_frighten(self, seat: Seat) -> list[Action]:
        return [ACTION["frighten", self.cast[i]] for i in cells_of(self.living())]

    def list_ward(self, seat: Seat) -> list[Action]:
        return [WARD, ENDURE] if AMULET in self.bags[self.frame()[1]] else [ENDURE]
