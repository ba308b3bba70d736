"""The plans of variant 3: dealt, followed line by line (ledger WW-VAR3)."""

from __future__ import annotations

from companion.engine.action import Action, Seat
from companion.engine.grid import cells_of
from companion.engine.state import Event, Refusal, no
from companion.games.whisper.pieces import PLANS
from companion.games.whisper.position import NO_TARGET, Position
from companion.games.whisper.verbs import ACTION, NEXT


def can_deal(state: Position, seat: Seat, plan: int) -> Refusal | None:
    return no("not-drawn", "WW-VAR3-01", plan=PLANS[plan]) if plan in state.plan.dealt else None


def do_deal(state: Position, seat: Seat, plan: int) -> list[Event]:
    state.take()
    state.plan = state.plan._replace(dealt=(*state.plan.dealt, plan))
    return [Event("dealt-plan", {"plan": PLANS[plan]}, state.team_only())]


def deals(state: Position) -> list[tuple[Action, int]]:
    """The plans that can be dealt."""
    return [(ACTION["deal", plan], 1) for plan in range(len(PLANS)) if plan not in state.plan.dealt]


def plan_check(state: Position, events: list[Event]) -> None:
    """Variant 3: one line of a plan may be ticked off (WW-VAR3-03 to 05)."""
    if state.plan.dealt and not state.plan.done:
        state.push(("plan", max(state.first, 0)))


def can_advance(state: Position, seat: Seat, plan: int) -> Refusal | None:
    if plan not in state.plan.dealt:
        return no("plan-not-dealt", "WW-VAR3-01", plan=PLANS[plan])
    step = state.box.plans[plan].steps[state.plan.line if plan == state.plan.kind else 0]
    if not fulfils(state, step):
        return no("line-not-met", "WW-VAR3-03", plan=PLANS[plan], step=step)
    return None


def fulfils(state: Position, step: str) -> bool:
    """Says whether a line of a plan holds (WW-VAR3-07, 08, 17)."""
    spots = [state.team[i].place for i in cells_of(state.living())]
    if step == "all_together":
        return len(set(spots)) == 1
    if step == "all_apart":
        return len(set(spots)) == len(spots)
    if step == "at_killer":
        return state.open_at() in spots
    name = {"at_info": "info_source", "at_tools": "tool_store", "at_secret_exit": "secret_exit"}
    return state.box.special[name.get(step, step[3:])][0] in spots


def do_advance(state: Position, seat: Seat, plan: int) -> list[Event]:
    """Ticks a line off; the last one accomplishes the plan (WW-VAR3-03 to 06, 09)."""
    state.take()
    line = state.plan.line + 1 if plan == state.plan.kind else 1
    card = state.box.plans[plan]
    is_done = line == len(card.steps)
    state.plan = state.plan._replace(kind=plan, line=line, done=is_done)
    events = [Event("planned", {"plan": PLANS[plan], "n": line}, state.team_only())]
    if is_done:
        state.gather_mods()
        events.append(Event("plan-done", {"plan": PLANS[plan]}, state.team_only()))
        i = next(cells_of(state.living()))
        state.push(*(("act", effect, i, NO_TARGET, ()) for effect in card.done))
    return events


def list_plan(state: Position, seat: Seat, holder: int) -> list[Action]:
    ready = [ACTION["advance", plan] for plan in state.plan.dealt if can_advance(state, seat, plan) is None]
    return [*ready, NEXT]
