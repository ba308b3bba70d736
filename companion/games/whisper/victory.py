"""How a night ends: rescue, the exits, the plans, death (ledger WW-WIN)."""

from __future__ import annotations

from companion.engine.grid import cells_of
from companion.engine.state import Event
from companion.games.whisper.parts import DEAD, ESCAPED, IN
from companion.games.whisper.pieces import (
    BESIDE,
    ENTRANCE,
    EXIT,
    IN_PLAY,
    ITEMS,
    KEYS,
    OWN_KEYS,
    SPIRITS,
)
from companion.games.whisper.position import Position
from companion.games.whisper.readings import Json


def has_won(state: Position, events: list[Event]) -> bool:
    """Checks rescue, the exits and the plans that win at the start of a turn (WW-WIN-01 to 06)."""
    if state.house.rescue == 0:
        survivors_win(state, "rescue", "WW-WIN-03", events)
        return True
    if state.setup.solo:
        _escape_singly(state, events)
    elif state.keys >= KEYS:
        everybody = {survivor.place for survivor in state.team}
        if everybody == {ENTRANCE}:
            survivors_win(state, "escape", "WW-WIN-01", events)
        elif everybody == {EXIT} and any(_opens_exit(state, i) for i in range(IN_PLAY)):
            survivors_win(state, "secret-exit", "WW-WIN-02", events)
    if state.result is None and state.plan.done:
        _plan_wins_at_start(state, events)
    return state.result is not None


def _opens_exit(state: Position, i: int) -> bool:
    return any(
        mod["mod"] == "secret_exit_escape" for item in state.team[i].bag for mod in state.box.items[item].mods
    )


def _escape_singly(state: Position, events: list[Event]) -> None:
    """Variant 2: whoever has three own keys at an exit is out (WW-VAR2-08, 09)."""
    for i, survivor in enumerate(state.team):
        if survivor.fate != IN or survivor.keys < OWN_KEYS:
            continue
        if survivor.place == ENTRANCE or (survivor.place == EXIT and _opens_exit(state, i)):
            events.append(Event("escaped", {"survivor": state.name(i), "cell": survivor.place}))
            leave_play(state, i, ESCAPED, events)
    check_solo_end(state, events)


def leave_play(state: Position, i: int, fate: int, events: list[Event]) -> None:
    """Variant 2: a survivor dies or escapes; a token holder hands the token on (AMB-36)."""
    state.change(i, fate=fate)
    if state.clues is not None:
        state.clues = state.clues.left(i)
    if state.first == i and IN in state.fates():
        pass_token(state, events)


def pass_token(state: Position, events: list[Event]) -> None:
    """The first-player token goes to the next survivor in play (WW-VAR2-05)."""
    for step in range(1, IN_PLAY + 1):
        i = (state.first + step) % IN_PLAY
        if state.team[i].fate == IN:
            state.first = i
            break
    events.append(Event("token-passed", {"survivor": state.name(state.first)}))


# Plans -----------------------------------------------------------------------------------------


def _rocket_is_seen(state: Position, win: Json) -> bool:
    """All stand together beside the killer, who is in the open and has met nobody."""
    spots = _spots(state)
    killer = state.killer
    return (
        killer.quiet and not killer.hidden and len(spots) == 1 and bool(BESIDE[killer.at] >> spots.pop() & 1)
    )


def _portal_is_open(state: Position, win: Json) -> bool:
    """All stand at the spirits and have the items."""
    held = {ITEMS[item] for i in cells_of(state.living()) for item in state.team[i].bag}
    return _spots(state) == {SPIRITS} and held >= set(win["items"])


def _spots(state: Position) -> set[int]:
    return {state.team[i].place for i in cells_of(state.living())}


_AT_START = {
    "start_together_adjacent_killer_no_encounter": _rocket_is_seen,
    "start_all_at_spirits_with_items": _portal_is_open,
}
"""The conditions under which a plan wins at the start of a turn (WW-VAR3-20)."""


def _ambush(state: Position, win: Json, margin: int) -> bool:
    return state.killer.at == state.plan.marker and margin >= win["margin"]


def _seal(state: Position, win: Json, margin: int) -> bool:
    item = win.get("item")
    return state.killer.at == SPIRITS and (item is None or state.fight.guards == ITEMS.index(item))


_BY_DEFENCE = {"defence_margin_at_marker": _ambush, "defence_success_at_spirits": _seal}
"""The conditions under which a plan wins by a defence (WW-VAR3-13)."""


def _wins(state: Position) -> tuple[Json, ...]:
    """The ways to win of the plan that is accomplished."""
    return state.box.plans[state.plan.kind].wins if state.plan.done else ()


def _plan_wins_at_start(state: Position, events: list[Event]) -> None:
    for win in _wins(state):
        condition = _AT_START.get(win["cond"])
        if condition is not None and condition(state, win):
            survivors_win(state, "plan", "WW-VAR3-13", events, by_plan=True)
            return


def wins_by_defence(state: Position, margin: int, events: list[Event]) -> bool:
    """Checks the plans that win by a defence; `margin` is what it had to spare."""
    for win in _wins(state):
        condition = _BY_DEFENCE.get(win["cond"])
        if condition is not None and condition(state, win, margin):
            survivors_win(state, "plan", "WW-VAR3-13", events, by_plan=True)
            return True
    return False


def wins_by_empty_search(state: Position, events: list[Event]) -> None:
    """Checks the plan that wins when the killer searches its marker and finds nobody (WW-VAR3-19)."""
    is_there = state.killer.at == state.plan.marker
    if is_there and any(win["cond"] == "killer_search_marker_empty" for win in _wins(state)):
        survivors_win(state, "plan", "WW-VAR3-19", events, by_plan=True)


# Endings ---------------------------------------------------------------------------------------


def survivors_win(
    state: Position, code: str, rule: str, events: list[Event], *, by_plan: bool = False
) -> None:
    """Ends the game for the survivors; in variant 2 for those who live (WW-VAR2-10, WW-VAR3-18)."""
    if not state.setup.solo:
        state.end(code, state.setup.team, rule, events)
        return
    winners = [1 + i for i in range(IN_PLAY) if state.team[i].fate != DEAD]
    if not by_plan and state.fates().count(DEAD) >= 2:
        winners.insert(0, 0)
    state.end(code, winners, rule, events)


def check_solo_end(state: Position, events: list[Event]) -> None:
    """Variant 2 ends when nobody is left in the house (WW-VAR2-17 to 20)."""
    if IN in state.fates() or state.result is not None:
        return
    kills = state.fates().count(DEAD)
    winners = [0] if kills >= 2 else []
    winners += [1 + i for i in range(IN_PLAY) if state.team[i].fate == ESCAPED]
    code = "invincible" if kills == IN_PLAY else "house-empty"
    rule = "WW-VAR2-20" if kills == IN_PLAY else "WW-VAR2-17"
    state.end(code, winners, rule, events)


def deck_out(state: Position, events: list[Event]) -> None:
    """The equipment deck is used up before the rescue is called (WW-EQUIP-02)."""
    winners = [0]
    if state.setup.solo:
        winners += [1 + i for i in range(IN_PLAY) if state.team[i].fate == ESCAPED]
    state.end("deck-out", winners, "WW-EQUIP-02", events)
