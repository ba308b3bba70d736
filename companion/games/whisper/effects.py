"""What the things that survivors use do: an effect of the data files is aimed, then carried out.

`_AIMS` says of each primitive what it can be aimed at, or why it cannot be carried out now; `_ACTS` does it.
A primitive that is missing in `_AIMS` takes no target and can always be carried out.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.engine.grid import cells_of
from companion.engine.state import Event, Refusal, no
from companion.games.whisper.actions import lose_fear, no_repair, place_gears, step, unbar
from companion.games.whisper.data import Effect, Effects
from companion.games.whisper.noise import make_noise
from companion.games.whisper.parts import without
from companion.games.whisper.pieces import (
    ALL,
    AT_ITEM,
    AT_SURVIVOR,
    BESIDE,
    FIRST_PASSAGE,
    PLANS,
    SECRET,
    SECRET_ENDS,
    SPIRITS,
    TOUCHING,
    members,
    reach,
)
from companion.games.whisper.position import NO_TARGET, Position
from companion.games.whisper.search import gain_key, take_item

Aims = tuple[tuple[int, ...] | None, Refusal | None]
"""The targets of an effect (None: it takes none), and why it cannot be carried out, if so."""
Cause = tuple[str, ...]

_NO_AIM: Aims = (None, None)


def aims(state: Position, effects: Effects, i: int) -> tuple[tuple[int, ...], Refusal | None]:
    """The targets that effects may be given, `NO_TARGET` where none is needed, or why they cannot be."""
    aimed: tuple[int, ...] = (NO_TARGET,)
    for effect in effects:
        find = _AIMS.get(effect[0])
        if find is not None:
            found, problem = find(state, effect, i)
            if problem is not None:
                return (), problem
            if found is not None:
                aimed = found
    return aimed, None


def act(state: Position, events: list[Event], effect: Effect, i: int, target: int, cause: Cause) -> None:
    """Carries out one effect for a survivor."""
    _ACTS[effect[0]](state, events, effect, i, target, cause)


# Noise -----------------------------------------------------------------------------------------


def _aim_noise(state: Position, effect: Effect, i: int) -> Aims:
    if effect[1] == "adjacent":
        return members(BESIDE[state.team[i].place]), None
    return (members(ALL) if effect[1] == "any" else None), None


def _noise(state: Position, events: list[Event], effect: Effect, i: int, target: int, cause: Cause) -> None:
    here = state.team[i].place
    spots = {"here": here, "destination": here, "spirits": SPIRITS, "plan_marker": state.plan.marker}
    make_noise(state, spots.get(effect[1], target), i, cause, events)


def _firecracker(
    state: Position, events: list[Event], effect: Effect, i: int, target: int, cause: Cause
) -> None:
    state.house.cracker_set = True
    events.append(Event("lit-firecracker", {"survivor": state.name(i)}, state.team_only()))


# Moving ----------------------------------------------------------------------------------------


def _aim_move(state: Position, effect: Effect, i: int) -> Aims:
    here = state.team[i].place
    found = reach(state.house.barricades, here, effect[1], effect[2])
    return members(found), None if found else no("walled-in", "WW-MOVE-05", here)


def _aim_passage(state: Position, effect: Effect, i: int) -> Aims:
    """Where the secret passage of a survivor's location leads (WW-MAP-08)."""
    here = state.team[i].place
    found = SECRET[here]
    if SECRET_ENDS >> here & 1 and state.has_mod(i, "passages_linked"):
        found = SECRET_ENDS & ~(1 << here)
    return members(found), None if found else no("no-passage", "WW-MAP-10", here)


def _move(state: Position, events: list[Event], effect: Effect, i: int, target: int, cause: Cause) -> None:
    step(state, i, target, events)


def _aim_group_move(state: Position, effect: Effect, i: int) -> Aims:
    here = state.team[i].place
    return None, None if state.those(1 << here) & ~(1 << i) else no("alone", "WW-VAR1-11", here)


def _group_move(
    state: Position, events: list[Event], effect: Effect, i: int, target: int, cause: Cause
) -> None:
    others = state.those(1 << state.team[i].place) & ~(1 << i)
    state.push(*(("flee", j, effect[3], "led") for j in cells_of(others)))


# Health and fear -------------------------------------------------------------------------------


def _aim_heal(state: Position, effect: Effect, i: int) -> Aims:
    """Who can be healed: same place, wounded, or frightened if the card calms too (WW-HEAL-01 to 04)."""
    team, here = state.team, state.team[i].place
    found = tuple(
        AT_SURVIVOR + state.cast[j]
        for j in cells_of(state.those(1 << here))
        if (team[j].health == 1 or (effect[2] and team[j].fear))
        and not (effect[1] == "other_here" and i == j)
    )
    if found:
        return found, None
    for j in cells_of(state.living() & ~(1 << i)):
        if team[j].health == 1 and team[j].place != here:
            return (), no("apart", "WW-HEAL-02", here, team[j].place)
    return (), no("not-wounded", "WW-HEAL-03", here)


def _heal(state: Position, events: list[Event], effect: Effect, i: int, target: int, cause: Cause) -> None:
    j = state.slot(target - AT_SURVIVOR)
    if state.team[j].health == 1:
        state.change(j, health=2)
        events.append(Event("healed", {"survivor": state.name(j)}))
    if effect[2]:
        lose_fear(state, j, 0, events)


def _clear_fear(
    state: Position, events: list[Event], effect: Effect, i: int, target: int, cause: Cause
) -> None:
    for j in (i,) if effect[1] == "self" else cells_of(state.living() & ~(1 << i)):
        lose_fear(state, j, effect[2], events)


# The house -------------------------------------------------------------------------------------


def _aim_unbarricade(state: Position, effect: Effect, i: int) -> Aims:
    here = state.team[i].place
    found = state.house.barricades & (TOUCHING[here] if effect[1] == "here" else -1)
    aimed = tuple(FIRST_PASSAGE + passage for passage in cells_of(found))
    return aimed, None if found else no("no-barricade", "WW-BARR-09", here)


def _unbarricade(
    state: Position, events: list[Event], effect: Effect, i: int, target: int, cause: Cause
) -> None:
    unbar(state, target - FIRST_PASSAGE, events)


def _aim_repair(state: Position, effect: Effect, i: int) -> Aims:
    return None, no_repair(state, effect[2])


def _repair(state: Position, events: list[Event], effect: Effect, i: int, target: int, cause: Cause) -> None:
    n = effect[1] + (state.mod(i, "toolbox_repair") if cause == ("item:toolbox",) else 0)
    place_gears(state, n, i, None if effect[2] else ("repair", *cause), events)


def _aim_place(state: Position, effect: Effect, i: int) -> Aims:
    if effect[1] == "plan_marker" and state.plan.marker >= 0:
        return None, no("used-up", "WW-VAR3-12", state.plan.marker, thing=PLANS[state.plan.kind])
    return _NO_AIM


def _place(state: Position, events: list[Event], effect: Effect, i: int, target: int, cause: Cause) -> None:
    """Puts the trap or the plan's marker (WW-TRAP-01, WW-VAR3-12)."""
    at = state.team[i].place
    if effect[1] == "trap":
        state.house.trap = at
    else:
        state.plan = state.plan._replace(marker=at)
    events.append(Event("placed", {"token": effect[1], "cell": at}, state.team_only()))


# Cards -----------------------------------------------------------------------------------------


def _aim_recover(state: Position, effect: Effect, i: int) -> Aims:
    kinds = sorted({AT_ITEM + item for item in effect[2] if item in state.stock.pile})
    return tuple(kinds), None if kinds else no("not-in-pile", "WW-CHAR-04")


def _recover(state: Position, events: list[Event], effect: Effect, i: int, target: int, cause: Cause) -> None:
    item = target - AT_ITEM
    state.stock.pile = without(state.stock.pile, item)
    take_item(state, i, item, events)


def _aim_draw_search(state: Position, effect: Effect, i: int) -> Aims:
    return None, None if state.stock.search_left() else no("search-deck-empty", "WW-FIND-03")


def _draw_search(
    state: Position, events: list[Event], effect: Effect, i: int, target: int, cause: Cause
) -> None:
    if effect[2] == "choose_any":
        state.push(("share", max(state.first, 0)))
    else:
        state.push(*[("find", i)] * effect[1])


def _aim_gain_key(state: Position, effect: Effect, i: int) -> Aims:
    return None, None if state.stock.bottom else no("search-deck-empty", "WW-FIND-03")


def _gain_key(
    state: Position, events: list[Event], effect: Effect, i: int, target: int, cause: Cause
) -> None:
    state.stock.bottom = False
    gain_key(state, i, events)


def _take_from_deck(
    state: Position, events: list[Event], effect: Effect, i: int, target: int, cause: Cause
) -> None:
    item = effect[2]
    if state.stock.equipment[item]:
        state.stock.take_equipment(item)
        take_item(state, i, item, events)


def _killer_draw(
    state: Position, events: list[Event], effect: Effect, i: int, target: int, cause: Cause
) -> None:
    state.push(("draw", effect[1]))


def _killer_mill(
    state: Position, events: list[Event], effect: Effect, i: int, target: int, cause: Cause
) -> None:
    state.push(("mill", effect[1]))


# One of several effects ------------------------------------------------------------------------


def _aim_choice(state: Position, effect: Effect, i: int) -> Aims:
    aimed: tuple[int, ...] = ()
    for option in effect[1]:
        more, problem = aims(state, option, i)
        aimed += more if problem is None else ()
    return aimed, None


def _choice(state: Position, events: list[Event], effect: Effect, i: int, target: int, cause: Cause) -> None:
    chosen = next(option for option in effect[1] if target in aims(state, option, i)[0])
    state.push(*(("act", part, i, target, cause) for part in chosen))


_AIMS: dict[str, Callable[[Position, Effect, int], Aims]] = {
    "noise": _aim_noise,
    "move": _aim_move,
    "passage": _aim_passage,
    "group_move": _aim_group_move,
    "heal": _aim_heal,
    "unbarricade": _aim_unbarricade,
    "repair": _aim_repair,
    "place": _aim_place,
    "recover": _aim_recover,
    "draw_search": _aim_draw_search,
    "gain_key": _aim_gain_key,
    "choice": _aim_choice,
}

_ACTS: dict[str, Callable[[Position, list[Event], Effect, int, int, Cause], None]] = {
    "noise": _noise,
    "firecracker": _firecracker,
    "move": _move,
    "passage": _move,
    "group_move": _group_move,
    "heal": _heal,
    "clear_fear": _clear_fear,
    "unbarricade": _unbarricade,
    "repair": _repair,
    "place": _place,
    "recover": _recover,
    "draw_search": _draw_search,
    "gain_key": _gain_key,
    "take_from_deck": _take_from_deck,
    "killer_draw": _killer_draw,
    "killer_mill": _killer_mill,
    "choice": _choice,
}
