"""A night in the mansion as a table of steps, and the game that runs it (ledger WW, section 5).

A round is the survivors' turn (`begin_round` in `turn`), then the killer's (`begin_turn` in `killer`). Cards
interrupt each other at any depth: a panic inside a fear inside a level inside a draw. Four tables say whom a
step waits for: the killer, the survivors, chance, or nobody.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import ClassVar

from companion.engine.action import TABLE, Action, Seat
from companion.engine.agenda import Step, StepRule, choices, draws, need, runs, waits
from companion.engine.state import Need, State
from companion.games.whisper import (
    actions,
    barricades,
    deck,
    defence,
    effects,
    encounter,
    equipment,
    harm,
    items,
    killer,
    noise,
    notes,
    offers,
    plans,
    powers,
    questions,
    search,
    setup,
    skills,
    trade,
    turn,
    walking,
)
from companion.games.whisper.levels import level_up
from companion.games.whisper.pieces import ADJACENT_PAIRS, IN_PLAY, ZONES
from companion.games.whisper.position import KILLER_SEAT, Position
from companion.games.whisper.verbs import AGREE, CONFIRM, REFUSE, REPORT, REVEAL, VERBS, each

Lists = Callable[..., list[Action]]
Outcomes = Callable[..., list[tuple[Action, int]]]

# Whom a step waits for -------------------------------------------------------------------------

NOTES = ("note", "guess")


@cache
def with_notes(needs: tuple[Need, ...]) -> tuple[Need, ...]:
    """Adds the killer's notes, which may be moved at any time (WW-DEDUCT-01)."""
    own = next((verbs for seat, verbs in needs if seat == KILLER_SEAT), ())
    others = tuple(need for need in needs if need.seat != KILLER_SEAT)
    return (*others, Need(KILLER_SEAT, (*own, *NOTES)))


def _always(needs: tuple[Need, ...]) -> Callable[[Position, Step], tuple[Need, ...]]:
    """The same seats in every game, and the killer's notes where they are agreed."""
    noted = with_notes(needs)
    return lambda state, step: noted if state.setup.notes else needs


def _found(find: Callable[[Position], tuple[Need, ...]]) -> Callable[[Position, Step], tuple[Need, ...]]:
    """The seats that `find` finds, and the killer's notes where they are agreed."""

    def needs(state: Position, step: Step) -> tuple[Need, ...]:
        found = find(state)
        return with_notes(found) if state.setup.notes else found

    return needs


def _killer(*verbs: str, lists: Lists) -> StepRule:
    """A step that waits for the killer."""
    return waits(lists=lists, needs=_always(need(verbs, KILLER_SEAT)))


def _chance(verb: str, outcomes: Outcomes) -> StepRule:
    """A step that waits for a card or for dice."""
    return draws(outcomes=outcomes, needs=_always(need((verb,), TABLE)))


def _team(*verbs: str, lists: Lists) -> StepRule:
    """A step that waits for the whole team; in variant 2 for the survivor who stands first in the step."""
    team = tuple(need(verbs, *range(1, players)) for players in range(5))
    alone = tuple(need(verbs, 1 + i) for i in range(IN_PLAY))

    def needs(state: Position, step: Step) -> tuple[Need, ...]:
        agreed = state.setup
        found = alone[step[1]] if agreed.solo else team[agreed.players]
        return with_notes(found) if agreed.notes else found

    return waits(lists=lists, needs=needs)


def _each(verbs: tuple[str, ...], lists: Lists, alone: Callable[[Position], tuple[Need, ...]]) -> StepRule:
    """A step that waits for the whole team; in variant 2 for those whom `alone` finds."""
    team = tuple(need(verbs, *range(1, players)) for players in range(5))
    find = _found(lambda state: alone(state) if state.setup.solo else team[state.setup.players])
    return waits(lists=lists, needs=find)


# The steps -------------------------------------------------------------------------------------

KILLERS_STEPS: dict[str, StepRule] = {
    "training": _killer("master", lists=skills.list_master),
    "reveal": _killer("reveal", lists=choices(REVEAL)),
    "start": _killer("accept", "next", lists=offers.list_skills),
    "instant": _killer("play", "next", lists=killer.list_instant),
    "main": _killer("play", "go", "search", "next", lists=killer.list_main),
    "planning": _killer("play", "next", lists=killer.list_planning),
    "ending": _killer("accept", "next", lists=offers.list_skills),
    "pay": _killer("pay", lists=killer.list_pay),
    "walk": _killer("go", "halt", lists=walking.list_walk),
    "sneak": _killer("sneak", lists=walking.list_sneak),
    "ask": _killer("ask", lists=choices(*each("ask", (1 << len(ZONES)) - 1))),
    "ask-pair": _killer("ask-pair", lists=choices(*each("ask-pair", ADJACENT_PAIRS))),
    "ask-noise": _killer("ask-noise", lists=questions.list_ask_noise),
    "block": _killer("block", lists=barricades.list_block),
    "reuse": _killer("reuse", lists=barricades.list_reuse),
    "frighten": _killer("frighten", lists=harm.list_frighten),
    "discard": _killer("discard", lists=deck.list_discard),
    "offer": _killer("accept", "decline", lists=offers.list_offer),
    "strike": _killer("play", "next", lists=killer.list_strike),
}

TEAMS_STEPS: dict[str, StepRule] = {
    "mastery": _team("master", lists=skills.list_master),
    "pick": _each(turn.PICK, turn.list_pick, turn.pickers),
    "active": _team(
        *("move", "calm", "clear", "repair", "rummage", "use", "give", "swap", "loot", "done"),
        lists=turn.list_active,
    ),
    "agree": _team("agree", "refuse", lists=choices(AGREE, REFUSE)),
    "found": _team("keep", "leave", lists=search.list_found),
    "shed": _team("shed", lists=search.list_shed),
    "receive": _team("equip", lists=equipment.list_receive),
    "share": _team("equip", lists=equipment.list_receive),
    "drawn": _team("keep", "leave", "keep-both", lists=equipment.list_drawn),
    "hush": _team("accept", "decline", lists=offers.list_hush),
    "plan": _team("advance", "next", lists=plans.list_plan),
    "reporting": _team("report", lists=choices(REPORT)),
    "confirm": _team("confirm", lists=choices(CONFIRM)),
    "hero": _team("accept", "decline", lists=offers.list_hero),
    "face": _each(encounter.FACE, encounter.list_face, encounter.who_faces),
    "guard": _team("guard", "throw", "bare", lists=defence.list_guard),
    "ward": _team("ward", "endure", lists=harm.list_ward),
    "flee": _team("flee", "stay", lists=encounter.list_flee),
}
"""Steps of the survivors; where one of them decides, that one stands first in the step."""

CHANCE_STEPS: dict[str, StepRule] = {
    "learning": _chance("learn", skills.learns),
    "dealing": _chance("deal", plans.deals),
    "token": _chance("first", setup.tokens),
    "drawing": _chance("draw", deck.draws),
    "milling": _chance("mill", deck.mills),
    "finding": _chance("find", search.finds),
    "unpacking": _chance("unpack", equipment.unpacks),
    "rolling": _chance("roll", defence.rolls),
}

_RULES_STEPS: dict[str, StepRule] = {
    # set-up
    "set-up": runs(setup.set_up),
    "show-skills": runs(skills.show_skills),
    "survivor-set-up": runs(skills.survivor_set_up),
    "killer-set-up": runs(skills.killer_set_up),
    # the survivors' turn
    "round": runs(turn.begin_round),
    "act": runs(effects.act),
    "find": runs(search.find),
    "equipping": runs(equipment.equipping),
    "unpacked": runs(equipment.unpacked),
    "pass-token": runs(equipment.hand_on_token),
    "plan-check": runs(plans.plan_check),
    "to-report": runs(noise.to_report),
    # the killer's turn
    "killer-turn": runs(killer.begin_turn),
    "start-skills": runs(offers.start_skills),
    "start-offers": runs(offers.start_offers),
    "end-skills": runs(offers.end_skills),
    "ending-offers": runs(offers.ending_offers),
    "killer-draw": runs(killer.end_turn),
    "run": runs(powers.carry_out),
    "again": runs(powers.again),
    "played": runs(killer.played),
    "draw": runs(deck.draw),
    "mill": runs(deck.mill),
    "level-up": runs(level_up),
    "reshuffle": runs(deck.reshuffle),
    "raise": runs(barricades.raise_one),
    "fear": runs(harm.fear),
    "hurt": runs(harm.hurt),
    "slay": runs(harm.slay),
    # questions and encounters
    "answer": runs(questions.answer),
    "exposed": runs(questions.exposed),
    "seek": runs(questions.seek),
    "names": runs(encounter.names_told),
    "open-encounter": runs(encounter.open_encounter),
    "attack": runs(encounter.attack),
    "choose-defender": runs(encounter.choose_defender),
    "flee-all": runs(encounter.flee_all),
    "encounter-over": runs(encounter.encounter_over),
}

STEPS: dict[str, StepRule] = {
    "choose": waits(lists=setup.list_choose, needs=_found(setup.choosers)),
    **KILLERS_STEPS,
    **TEAMS_STEPS,
    **CHANCE_STEPS,
    **_RULES_STEPS,
}


class Whisper(Position):
    """A game of Whisper in progress."""

    __slots__ = ()

    verbs: ClassVar = VERBS
    steps = STEPS
    parts = (
        *(setup, skills, plans, turn, actions, trade, items, search, equipment, noise, notes),
        *(killer, offers, walking, questions, barricades, deck, harm, encounter, defence),
    )

    def actions(self, seat: Seat) -> list[Action]:
        if seat == KILLER_SEAT and self.setup.notes and self.waiting:
            waits_for_him = any(who == seat and verbs != NOTES for who, verbs in self.waiting)
            return (State.actions(self, seat) if waits_for_him else []) + notes.list_notes(self)
        return State.actions(self, seat)
