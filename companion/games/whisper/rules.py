"""The rules of Whisper: the set-up, the verbs, and what may be done now.

The parts of the turn are in `survivors`, `killer` and `encounter`, each a layer over the one before; `base`
holds the position and the machine.
"""

from __future__ import annotations

from collections.abc import Callable
from math import factorial
from typing import Any, ClassVar

from companion.engine.action import TABLE, Action, Seat, Verb, Words
from companion.engine.grid import cells_of
from companion.engine.options import Options
from companion.engine.state import Event, Refusal
from companion.games.whisper.base import KILLER_ONLY, Base, Frame, Setup, refuse
from companion.games.whisper.clues import Clues
from companion.games.whisper.data import load
from companion.games.whisper.encounter import Encounter
from companion.games.whisper.harm import NOBODY
from companion.games.whisper.pieces import (
    ACTION,
    ADRENALINE,
    AGREE,
    CARD,
    CASTS,
    CONFIRM,
    GUESS,
    IN_PLAY,
    ITEM,
    KEY,
    KILLER,
    KILLERS,
    LOCATION,
    OFFER,
    PAIR,
    PASSAGE_WORD,
    PLAN,
    PLANS,
    PLANS_DEALT,
    REFUSE,
    REPORT,
    ROLL,
    ROLLS,
    SKILL,
    SKILLS,
    START_HAND,
    SURVIVORS,
    TARGET,
    THING,
    TOKEN,
    WHO,
    ZONE_WORD,
    action,
)
from companion.games.whisper.readings import READINGS


class Whisper(Encounter):
    """A game of Whisper."""

    __slots__ = ()

    _list: ClassVar[dict[str, Callable[..., list[Action]]]] = {}
    verbs: ClassVar[dict[str, Verb]] = {
        # before the game
        "hunt": Verb(KILLER, reveals=True),
        "cast": Verb(*(Words(name, SURVIVORS) for name in ("first", "second", "third")), reveals=True),
        "learn": Verb(SKILL, reveals=True),
        "master": Verb(SKILL, reveals=True),
        "deal": Verb(PLAN, reveals=True),
        "first": Verb(WHO),
        # the survivors' turn
        "wake": Verb(WHO),
        "give": Verb(WHO, ITEM, WHO),
        "swap": Verb(WHO, ITEM, WHO, ITEM),
        "agree": Verb(),
        "refuse": Verb(),
        "move": Verb(LOCATION),
        "calm": Verb(),
        "clear": Verb(PASSAGE_WORD),
        "repair": Verb(reveals=True),
        "rummage": Verb(),
        "use": Verb(THING, rest=TARGET, reveals=True),
        "loot": Verb(WHO, ITEM),
        "done": Verb(),
        "find": Verb(ITEM, reveals=True),
        "keep": Verb(ITEM, reveals=True),
        "leave": Verb(reveals=True),
        "shed": Verb(ITEM, reveals=True),
        "equip": Verb(WHO),
        "unpack": Verb(ITEM, reveals=True),
        "keep-both": Verb(reveals=True),
        "advance": Verb(PLAN),
        "report": Verb(reveals=True),
        "confirm": Verb(reveals=True),
        # the killer's turn
        "reveal": Verb(reveals=True),
        "play": Verb(CARD, reveals=True),
        "pay": Verb(CARD, reveals=True),
        "go": Verb(LOCATION, reveals=True),
        "halt": Verb(reveals=True),
        "search": Verb(reveals=True),
        "sneak": Verb(LOCATION, reveals=True),
        "ask": Verb(ZONE_WORD, reveals=True),
        "ask-pair": Verb(PAIR, reveals=True),
        "ask-noise": Verb(LOCATION, reveals=True),
        "block": Verb(PASSAGE_WORD, reveals=True),
        "reuse": Verb(PASSAGE_WORD, reveals=True),
        "frighten": Verb(WHO, reveals=True),
        "discard": Verb(CARD, reveals=True),
        "draw": Verb(CARD, reveals=True),
        "mill": Verb(CARD, reveals=True),
        "accept": Verb(OFFER, reveals=True),
        "decline": Verb(reveals=True),
        "next": Verb(reveals=True),
        "note": Verb(TOKEN, LOCATION),
        "guess": Verb(GUESS),
        # an encounter
        "face": Verb(WHO),
        "guard": Verb(THING, reveals=True),
        "throw": Verb(),
        "bare": Verb(),
        "roll": Verb(ROLL, reveals=True),
        "ward": Verb(reveals=True),
        "endure": Verb(reveals=True),
        "flee": Verb(LOCATION, reveals=True),
        "stay": Verb(reveals=True),
    }

    # Set-up --------------------------------------------------------------------------------------

    def begin(self) -> list[Event]:
        """Lays out the set-up (ledger WW-SETUP, WW-VAR1-01, WW-VAR2-03, WW-VAR3-01)."""
        self.push(("choose",) if self.killer < 0 or not self.cast else ("set-up",))
        return self.settle([])

    def can_hunt(self, seat: Seat, killer: int) -> Refusal | None:
        return None

    def do_hunt(self, seat: Seat, killer: int) -> list[Event]:
        self.killer = killer
        return self._chosen([Event("chose-killer", {"killer": KILLERS[killer]}, KILLER_ONLY)])

    def can_cast(self, seat: Seat, *who: int) -> Refusal | None:
        return None if len(set(who)) == IN_PLAY else refuse("same-survivor", "WW-SETUP-02")

    def do_cast(self, seat: Seat, *who: int) -> list[Event]:
        self.cast = who
        names = [SURVIVORS[i] for i in who]
        return self._chosen([Event("chose-survivors", {"survivors": names}, self.team_only())])

    def _chosen(self, events: list[Event]) -> list[Event]:
        """Both choices are told at the same time (WW-SETUP-03)."""
        if self.killer >= 0 and self.cast:
            self.stack[-1] = ("set-up",)
        return self.settle(events)

    def run_set_up(self, frame: Frame, events: list[Event]) -> None:
        """Puts everything where it begins (WW-SETUP-06 to 21)."""
        box, setup = self.box, self.setup
        names = [SURVIVORS[who] for who in self.cast]
        events.append(Event("announced", {"killer": KILLERS[self.killer], "survivors": names}))
        self.base = box.killers[self.killer].strength
        self.deck = [
            card.copies if card.killer == self.killer and not card.locked else 0 for card in box.cards
        ]
        self.deck_size = sum(self.deck)
        self.bags = [list(box.survivors[who].start) for who in self.cast]
        self.gather_mods()
        if setup.deduction:
            skilled = setup.skills is not None or setup.plans
            adrenaline = box.items[ADRENALINE].uses[0].effects[0][2]
            self.clues = Clues.start(self.cast, skilled, adrenaline, box.survivors_start)
        frames: list[Frame] = [("draw", START_HAND)]
        if setup.skills is not None:
            frames += self._skill_frames(*setup.skills)
        frames += [("dealing",)] * PLANS_DEALT if setup.plans else []
        frames += [("token",)] if setup.solo else []
        self.push(*frames, ("round",))

    def _skill_frames(self, drawn: int, kept: int, killer_drawn: int, killer_kept: int) -> list[Frame]:
        """Deals the skills of variant 1 (WW-VAR1-02 to 06, 12)."""
        frames: list[Frame] = []
        for i in range(IN_PLAY) if drawn else ():
            frames += [("learning", i)] * drawn
            frames.append(("mastery", i, kept))
        frames += [("learning", NOBODY)] * killer_drawn
        frames += [("training", killer_kept)] if killer_drawn else []
        return [*frames, ("show-skills",), ("survivor-set-up",), ("killer-set-up",)]

    def can_learn(self, seat: Seat, skill: int) -> Refusal | None:
        side = "killer" if self.frame()[1] == NOBODY else "survivor"
        if self.box.skills[skill].side != side or self._is_dealt(skill):
            return refuse("not-drawn", "WW-VAR1-10", skill=SKILLS[skill])
        return None

    def _is_dealt(self, skill: int) -> bool:
        out = self.used | self.killer_skills | self.skills[0] | self.skills[1] | self.skills[2]
        return skill in self.dealt or bool(out >> skill & 1)

    def do_learn(self, seat: Seat, skill: int) -> list[Event]:
        i = self.stack.pop()[1]
        self.dealt.append(skill)
        audience = KILLER_ONLY if i == NOBODY else self.team_only(i)
        return self.settle([Event("learned", {"skill": SKILLS[skill]}, audience)])

    def can_master(self, seat: Seat, skill: int) -> Refusal | None:
        return None if skill in self.dealt else refuse("not-drawn", "WW-VAR1-02", skill=SKILLS[skill])

    def do_master(self, seat: Seat, skill: int) -> list[Event]:
        frame = self.stack.pop()
        self.dealt.remove(skill)
        if frame[0] == "training":
            self.killer_skills |= 1 << skill
            again: Frame = ("training", frame[1] - 1)
            audience = KILLER_ONLY
        else:
            self.skills[frame[1]] |= 1 << skill
            again = ("mastery", frame[1], frame[2] - 1)
            audience = self.team_only(frame[1])
        if again[-1]:
            self.push(again)
        else:
            for other in self.dealt:
                self.used |= 1 << other
            self.dealt = []
            self.gather_mods()
        return self.settle([Event("mastered", {"skill": SKILLS[skill]}, audience)])

    def run_show_skills(self, frame: Frame, events: list[Event]) -> None:
        """The killer shows the own skills once both sides have chosen (WW-VAR1-07)."""
        self.shown = True
        skills = [SKILLS[skill] for skill in cells_of(self.killer_skills)]
        events.append(Event("showed-skills", {"skills": skills}))

    def run_survivor_set_up(self, frame: Frame, events: list[Event]) -> None:
        for i in range(IN_PLAY):
            for skill in cells_of(self.skills[i]):
                for trigger, effects in self.box.skills[skill].triggers:
                    if trigger == "setup":
                        self.push(*(("act", effect, i, -1, ()) for effect in effects))

    def run_killer_set_up(self, frame: Frame, events: list[Event]) -> None:
        called = self.own_triggers("setup")
        self.push(*(("run", effects, NOBODY, skill) for skill, effects in called))

    def can_deal(self, seat: Seat, plan: int) -> Refusal | None:
        return refuse("not-drawn", "WW-VAR3-01", plan=PLANS[plan]) if plan in self.plans else None

    def do_deal(self, seat: Seat, plan: int) -> list[Event]:
        self.stack.pop()
        self.plans.append(plan)
        return self.settle([Event("dealt-plan", {"plan": PLANS[plan]}, self.team_only())])

    def can_first(self, seat: Seat, who: int) -> Refusal | None:
        return None if who in self.cast else refuse("not-in-play", "WW-VAR2-03")

    def do_first(self, seat: Seat, who: int) -> list[Event]:
        self.stack.pop()
        self.first = self.slot(who)
        return self.settle([Event("token-passed", {"survivor": SURVIVORS[who]})])

    # What may be done now ------------------------------------------------------------------------

    def actions(self, seat: Seat) -> list[Action]:
        for need in self.waiting:
            if need.seat == seat:
                break
        else:
            return []
        if seat == TABLE:
            return [act for act, _ in self.outcomes()]
        name = self.stack[-1][0]
        if not self.setup.notes or seat != 0:
            return self._list[name](self, seat)
        found = self._list[name](self, seat) if len(need.verbs) > 2 else []
        return found + self._notes()

    def _notes(self) -> list[Action]:
        put = [
            action("note", token, at)
            for token in range(len(TOKEN))
            for at in range(len(LOCATION))
            if self.notes[token] != at
        ]
        return put + [ACTION["guess", n] for n in range(len(GUESS)) if n != self.guess]

    def outcomes(self) -> list[tuple[Action, int]]:
        if not self.stack:
            return []
        chance = _CHANCE.get(self.stack[-1][0])
        return chance(self) if chance is not None else []

    def list_choose(self, seat: Seat) -> list[Action]:
        if seat == 0:
            return [ACTION["hunt", killer] for killer in range(len(KILLERS))]
        return [action("cast", *cast) for cast in CASTS]

    def list_mastery(self, seat: Seat) -> list[Action]:
        return [ACTION["master", skill] for skill in self.dealt]

    list_training = list_mastery

    def list_agree(self, seat: Seat) -> list[Action]:
        return [AGREE, REFUSE]

    def list_confirm(self, seat: Seat) -> list[Action]:
        return [CONFIRM]

    def list_reporting(self, seat: Seat) -> list[Action]:
        return [REPORT]


def _cards(verb: str) -> Callable[[Whisper], list[tuple[Action, int]]]:
    acts = [ACTION[verb, card] for card in range(len(CARD))]

    def outcomes(state: Whisper) -> list[tuple[Action, int]]:
        return [(acts[card], n) for card, n in enumerate(state.deck) if n]

    return outcomes


def _finds(state: Whisper) -> list[tuple[Action, int]]:
    if not state.search_size:
        return [(ACTION["find", KEY], 1)]
    return [(ACTION["find", item], n) for item, n in enumerate(state.search) if n]


def _unpacks(state: Whisper) -> list[tuple[Action, int]]:
    return [(ACTION["unpack", item], n) for item, n in enumerate(state.equipment) if n]


def _skills(state: Whisper) -> list[tuple[Action, int]]:
    return [
        (ACTION["learn", skill], 1) for skill in range(len(SKILLS)) if state.can_learn(TABLE, skill) is None
    ]


def _plans(state: Whisper) -> list[tuple[Action, int]]:
    return [(ACTION["deal", plan], 1) for plan in range(len(PLANS)) if plan not in state.plans]


def _tokens(state: Whisper) -> list[tuple[Action, int]]:
    return [(ACTION["first", who], 1) for who in state.cast]


_WAYS: dict[tuple[tuple[int, ...], int], list[tuple[Action, int]]] = {}


def _rolls(state: Whisper) -> list[tuple[Action, int]]:
    key = (state.box.faces, state.dice_to_roll())
    if key not in _WAYS:
        _WAYS[key] = [
            (ACTION["roll", i], ways_to_roll(roll, key[0]))
            for i, roll in enumerate(ROLLS)
            if len(roll) == key[1] and all(die in key[0] for die in roll)
        ]
    return _WAYS[key]


def ways_to_roll(roll: tuple[int, ...], faces: tuple[int, ...]) -> int:
    """In how many ways dice with these faces show a roll, its order aside."""
    ways = factorial(len(roll))
    for face in set(roll):
        n = roll.count(face)
        ways = ways // factorial(n) * faces.count(face) ** n
    return ways


_CHANCE: dict[str, Callable[[Whisper], list[tuple[Action, int]]]] = {
    "drawing": _cards("draw"),
    "milling": _cards("mill"),
    "finding": _finds,
    "unpacking": _unpacks,
    "learning": _skills,
    "dealing": _plans,
    "token": _tokens,
    "rolling": _rolls,
}


def _methods(prefix: str) -> dict[str, Any]:
    return {
        name.removeprefix(prefix).replace("_", "-"): getattr(Whisper, name)
        for name in dir(Whisper)
        if name.startswith(prefix)
    }


Base._run = _methods("run_")
Whisper._list = _methods("list_")
Whisper._ops = {name.replace("-", "_"): method for name, method in _methods("op_").items()}


def start(options: Options) -> Whisper:
    """Sets the game up as the options say."""
    readings = frozenset(name for name in READINGS if options[f"alt_{name}"])
    box = load(readings)
    skills = str(options["skills"])
    counts: tuple[int, ...] | None = None
    if skills == "custom":
        counts = (*_pair(options["survivor_skills"]), *_pair(options["killer_skills"]))
    elif skills != "off":
        counts = box.difficulty[skills]
    cast = () if options["survivors"] == "free" else str(options["survivors"]).split("+")
    setup = Setup(
        box,
        players=int(options["players"]),
        solo=bool(options["crossroads"]),
        killer=-1 if options["killer"] == "free" else KILLERS.index(str(options["killer"])),
        cast=tuple(SURVIVORS.index(who) for who in cast),
        skills=counts,  # type: ignore[arg-type]
        plans=bool(options["plans"]),
        on_empty=options["level_trigger"] == "on_empty",
        exchange_anytime=options["exchange"] == "anytime",
        trade_keys=bool(options["trade_keys"]),
        private=bool(options["private"]),
        tell_hand=bool(options["tell_hand"]),
        deduction=bool(options["deduction"]),
        notes=bool(options["notes"]),
        confirm=bool(options["confirm"]),
    )
    state = Whisper(setup)
    state.begin()
    return state


def _pair(value: object) -> tuple[int, int]:
    drawn, kept = str(value).split("/")
    return int(drawn), int(kept)
