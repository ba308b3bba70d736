"""What survivors use: items, advantages, skills and plans, as special or extra actions."""

from __future__ import annotations

from functools import cache, lru_cache

from companion.engine.action import Action, Seat
from companion.engine.grid import cells_of
from companion.engine.state import Event, Refusal, no
from companion.games.whisper.actions import no_main, no_walk
from companion.games.whisper.data import Effects, Use
from companion.games.whisper.effects import aims
from companion.games.whisper.pieces import (
    ADVANTAGES,
    AT_ITEM,
    AT_SURVIVOR,
    FIRST_ADVANTAGE,
    FIRST_PASSAGE,
    FIRST_PLAN,
    FIRST_SKILL,
    ITEMS,
    PLANS,
    THINGS,
)
from companion.games.whisper.position import NO_TARGET, Position

Found = tuple[Use | None, Refusal | None]
"""How a thing may be used now, or why not."""


def use_of(state: Position, i: int, thing: int) -> Found:
    """Finds how a survivor may use a thing now, or why not."""
    if thing < FIRST_ADVANTAGE:
        return _item_use(state, i, thing)
    if thing < FIRST_SKILL:
        return _advantage_use(state, i, ADVANTAGES[thing - FIRST_ADVANTAGE])
    if thing < FIRST_PLAN:
        return _skill_use(state, i, thing - FIRST_SKILL)
    return _plan_use(state, thing - FIRST_PLAN)


def _item_use(state: Position, i: int, item: int) -> Found:
    if item not in state.team[i].bag:
        return None, no("no-item", "WW-ITEM-02", item=ITEMS[item])
    card = state.box.items[item]
    if card.owner and card.owner != state.name(i):
        return None, no("owner-only", "WW-TRADE-06", item=ITEMS[item], survivor=card.owner)
    if card.action is None:
        return None, no("not-an-action", "WW-ITEM-02", thing=ITEMS[item])
    return card.action, None


def _advantage_use(state: Position, i: int, name: str) -> Found:
    if name not in state.box.survivors[state.cast[i]].advantages:
        return None, no("not-yours", "WW-CHAR-08", thing=name)
    use = state.box.advantages[name]
    is_eased = state.box.eased_by.get(name, -1) in state.team[i].bag
    return (use._replace(timing="extra") if is_eased else use), None


def _skill_use(state: Position, i: int, skill: int) -> Found:
    card = state.box.skills[skill]
    if not state.team[i].skills >> skill & 1:
        return None, no("not-yours", "WW-VAR1-11", thing=card.id)
    if state.skills_used >> skill & 1:
        return None, no("used-up", "WW-VAR1-09", thing=card.id)
    if card.action is None:
        return None, no("not-an-action", "WW-TURN-09", thing=card.id)
    return card.action, None


def _plan_use(state: Position, plan: int) -> Found:
    if not state.plan.done or state.plan.kind != plan:
        return None, no("plan-not-done", "WW-VAR3-09", plan=PLANS[plan])
    for n, use in enumerate(state.box.plans[plan].uses):
        marked = any(effect == ("noise", "plan_marker") for effect in use.effects)
        if not (use.once and state.plan.used >> n & 1) and (not marked or state.plan.marker >= 0):
            return use, None
    return None, no("used-up", "WW-VAR3-11", thing=PLANS[plan])


def can_use(state: Position, seat: Seat, thing: int, *targets: int) -> Refusal | None:
    i = state.active
    use, problem = use_of(state, i, thing)
    if use is None:
        return problem
    if use.timing == "special" and state.main_done:
        return no_main(state)
    if len(targets) > 1:
        return no("one-target", "WW-TURN-09")
    problem = _no_price(state, i, use)
    if problem is not None:
        return problem
    target = targets[0] if targets else NO_TARGET
    allowed, problem = aims(state, use.effects, i)
    if problem is not None:
        return problem
    if target not in allowed:
        return _wrong_target(state, use.effects, i, target)
    return None


def _no_price(state: Position, i: int, use: Use) -> Refusal | None:
    """Why a use cannot be paid for, or not here."""
    if use.at and state.team[i].place not in state.box.special[use.at]:
        return no("wrong-place", "WW-VAR3-09", state.team[i].place, *state.box.special[use.at])
    if use.pays is not None and state.team[i].bag.count(use.pays[0]) < use.pays[1]:
        return no("no-item", "WW-VAR3-09", item=ITEMS[use.pays[0]])
    return None


def _wrong_target(state: Position, effects: Effects, i: int, target: int) -> Refusal:
    """Names why a target does not do."""
    here = state.team[i].place
    ops = {effect[0]: effect for effect in effects}
    if target == NO_TARGET:
        return no("target-missing", "WW-TURN-09")
    if target < FIRST_PASSAGE and "move" in ops:
        problem = no_walk(state, i, target, ops["move"][1], ops["move"][2])
        return problem or no("bad-target", "WW-TURN-09", target)
    if "heal" in ops and AT_SURVIVOR <= target < AT_ITEM:
        j = state.slot(target - AT_SURVIVOR)
        if j >= 0 and state.team[j].place != here:
            return no("apart", "WW-HEAL-02", here, state.team[j].place)
        return no("not-wounded", "WW-HEAL-03")
    cells = (here, target) if target < AT_SURVIVOR else (here,)
    return no("bad-target", "WW-TURN-09", *cells)


def do_use(state: Position, seat: Seat, thing: int, *targets: int) -> list[Event]:
    i = state.active
    use, _ = use_of(state, i, thing)
    assert use is not None
    if use.timing == "special":
        state.main_done = True
    events = [Event("used", {"survivor": state.name(i), "thing": THINGS[thing]}, state.team_only())]
    _spend(state, i, thing, use)
    target = targets[0] if targets else NO_TARGET
    cause = (f"item:{THINGS[thing]}",)
    state.push(*(("act", effect, i, target, cause) for effect in use.effects))
    return events


def _spend(state: Position, i: int, thing: int, use: Use) -> None:
    """Pays for the use: the card itself, a one-time skill, the items of a plan (WW-ITEM-01)."""
    if thing < FIRST_ADVANTAGE:
        if not state.box.items[thing].endless:
            state.throw_away(i, thing)
    elif FIRST_SKILL <= thing < FIRST_PLAN and use.once:
        state.skills_used |= 1 << (thing - FIRST_SKILL)
    elif thing >= FIRST_PLAN and use.once:
        n = state.box.plans[state.plan.kind].uses.index(use)
        state.plan = state.plan._replace(used=state.plan.used | 1 << n)
    if use.pays is not None:
        for _ in range(use.pays[1]):
            state.throw_away(i, use.pays[0])


def uses(state: Position, i: int) -> list[Action]:
    """All that a survivor may use now, with every target."""
    found: list[Action] = []
    for thing in _things(state, i):
        use, _ = use_of(state, i, thing)
        if use is None or (use.timing == "special" and state.main_done) or _no_price(state, i, use):
            continue
        targets, problem = aims(state, use.effects, i)
        if problem is None:
            found += _each_target(thing, targets)
    return found


@lru_cache(maxsize=1 << 14)
def _each_target(thing: int, targets: tuple[int, ...]) -> tuple[Action, ...]:
    return tuple(Action("use", (thing,) if target == NO_TARGET else (thing, target)) for target in targets)


def _things(state: Position, i: int) -> list[int]:
    """What a survivor holds, can do, and knows."""
    survivor = state.team[i]
    things: list[int] = list(set(survivor.bag))
    things += _advantages(state.box.survivors[state.cast[i]].advantages)
    if survivor.skills:
        things += [FIRST_SKILL + skill for skill in cells_of(survivor.skills)]
    if state.plan.done:
        things.append(FIRST_PLAN + state.plan.kind)
    return things


@cache
def _advantages(names: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(FIRST_ADVANTAGE + n for n, name in enumerate(ADVANTAGES) if name in names)
