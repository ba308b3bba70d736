"""The skills of variant 1: dealt, kept, and called at their moment (ledger WW-VAR1)."""

from __future__ import annotations

from companion.engine.action import Action, Seat
from companion.engine.agenda import Step
from companion.engine.grid import cells_of, mask_of
from companion.engine.state import Event, Refusal, no
from companion.games.whisper.data import Effects
from companion.games.whisper.parts import NOBODY, without
from companion.games.whisper.pieces import IN_PLAY, SKILLS
from companion.games.whisper.position import KILLER_ONLY, NO_TARGET, Position
from companion.games.whisper.verbs import ACTION


def skill_steps(drawn: int, kept: int, killer_drawn: int, killer_kept: int) -> list[Step]:
    """Deals the skills of variant 1 (WW-VAR1-02 to 06, 12)."""
    steps: list[Step] = []
    for i in range(IN_PLAY) if drawn else ():
        steps += [("learning", i)] * drawn
        steps.append(("mastery", i, kept))
    steps += [("learning", NOBODY)] * killer_drawn
    steps += [("training", killer_kept)] if killer_drawn else []
    return [*steps, ("show-skills",), ("survivor-set-up",), ("killer-set-up",)]


def _is_undealt(state: Position, skill: int, side: str, out: int) -> bool:
    return state.box.skills[skill].side == side and not out >> skill & 1


def _side(whose: int) -> str:
    return "killer" if whose == NOBODY else "survivor"


def _out(state: Position) -> int:
    """The skill cards that are no longer in their deck."""
    out = state.skills_used | state.killer.skills | mask_of(state.skills_dealt)
    for survivor in state.team:
        out |= survivor.skills
    return out


def can_learn(state: Position, seat: Seat, skill: int) -> Refusal | None:
    if _is_undealt(state, skill, _side(state.todo[-1][1]), _out(state)):
        return None
    return no("not-drawn", "WW-VAR1-10", skill=SKILLS[skill])


def do_learn(state: Position, seat: Seat, skill: int) -> list[Event]:
    i = state.take()[1]
    state.skills_dealt += (skill,)
    audience = KILLER_ONLY if i == NOBODY else state.team_only(i)
    return [Event("learned", {"skill": SKILLS[skill]}, audience)]


def can_master(state: Position, seat: Seat, skill: int) -> Refusal | None:
    return None if skill in state.skills_dealt else no("not-drawn", "WW-VAR1-02", skill=SKILLS[skill])


def do_master(state: Position, seat: Seat, skill: int) -> list[Event]:
    """Keeps a skill; when enough are kept, the others are out of the game (WW-VAR1-03, 04)."""
    *whose, left = state.take()
    state.skills_dealt = without(state.skills_dealt, skill)
    if whose == ["training"]:
        state.killer.skills |= 1 << skill
        audience = KILLER_ONLY
    else:
        i = whose[1]
        state.change(i, skills=state.team[i].skills | 1 << skill)
        audience = state.team_only(i)
    if left > 1:
        state.push((*whose, left - 1))
    else:
        for other in state.skills_dealt:
            state.skills_used |= 1 << other
        state.skills_dealt = ()
        state.gather_mods()
    return [Event("mastered", {"skill": SKILLS[skill]}, audience)]


def list_master(state: Position, seat: Seat, *facts: int) -> list[Action]:
    return [ACTION["master", skill] for skill in state.skills_dealt]


def show_skills(state: Position, events: list[Event]) -> None:
    """The killer shows the own skills once both sides have chosen (WW-VAR1-07)."""
    state.skills_shown = True
    skills = [SKILLS[skill] for skill in cells_of(state.killer.skills)]
    events.append(Event("showed-skills", {"skills": skills}))


def survivor_set_up(state: Position, events: list[Event]) -> None:
    """Lets the survivors' skills change the set-up."""
    for i in range(IN_PLAY):
        for skill in cells_of(state.team[i].skills):
            for trigger, effects in state.box.skills[skill].triggers:
                if trigger == "setup":
                    state.push(*(("act", effect, i, NO_TARGET, ()) for effect in effects))


def killer_set_up(state: Position, events: list[Event]) -> None:
    """Lets the killer's skills change the set-up."""
    called = own_triggers(state, "setup")
    state.push(*(("run", effects, NOBODY, skill) for skill, effects in called))


def call_skills(state: Position, i: int, moment: str) -> None:
    """Lets a survivor's skills work at their moment."""
    for skill in cells_of(state.team[i].skills & ~state.skills_used):
        for trigger, effects in state.box.skills[skill].triggers:
            if trigger == moment:
                state.push(*(("act", effect, i, NO_TARGET, ()) for effect in effects))


def own_triggers(state: Position, *names: str) -> list[tuple[int, Effects]]:
    """The killer skills that a moment calls, with their effects (WW-VAR1-13 to 15)."""
    ready = state.killer.skills & ~state.skills_used & ~state.skills_used_now
    return [
        (skill, effects)
        for skill in cells_of(ready)
        for trigger, effects in state.box.skills[skill].triggers
        if trigger in names
    ]


def learns(state: Position, whose: int) -> list[tuple[Action, int]]:
    """The skill cards that can be dealt."""
    side, out = _side(whose), _out(state)
    return [
        (ACTION["learn", skill], 1) for skill in range(len(SKILLS)) if _is_undealt(state, skill, side, out)
    ]
