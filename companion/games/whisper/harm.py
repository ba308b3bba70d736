"""Fear, wounds and death (ledger section 5.5)."""

from __future__ import annotations

from collections.abc import Callable

from companion.engine.action import Action, Seat
from companion.engine.grid import cells_of
from companion.engine.state import Event, Refusal, no
from companion.games.whisper.data import Effect
from companion.games.whisper.levels import level_steps
from companion.games.whisper.parts import DEAD, IN
from companion.games.whisper.pieces import AMULET, FEAR_CELLS, IN_PLAY, WITHIN
from companion.games.whisper.position import Position
from companion.games.whisper.skills import own_triggers
from companion.games.whisper.verbs import ACTION, ENDURE, WARD
from companion.games.whisper.victory import check_solo_end, leave_play


def told_place(state: Position, i: int) -> None:
    """The killer was told where a survivor is; worth something only while nobody can move unseen."""
    if state.clues is not None and state.killer_turn:
        state.clues = state.clues.seen(i, state.team[i].place)


def told_area(state: Position, area: int, named: int) -> None:
    """The killer was told exactly who is in an area."""
    if state.clues is not None and state.killer_turn:
        state.clues = state.clues.answered(area, named)


def area_of(state: Position, effect: Effect) -> int:
    """The area that an effect reaches, or 0 for one that does not work by place (WW-RANGE-01, 04)."""
    who = effect[1]
    if who == "here":
        return 1 << state.killer.at
    if who == "range":
        return WITHIN[effect[2]][state.killer.at]
    return state.killer.path if who == "path" else 0


def chosen(state: Position, effect: Effect, about: int) -> int:
    """The survivors whom an effect means."""
    area = area_of(state, effect)
    return state.those(area) if area else _MEANT[effect[1]](state, about) & state.living()


_MEANT: dict[str, Callable[[Position, int], int]] = {
    "all": lambda state, about: state.living(),
    "feared": lambda state, about: sum(1 << i for i in range(IN_PLAY) if state.team[i].fear),
    "encounter": lambda state, about: state.fight.met,
    "sensed": lambda state, about: state.killer.named,
    "panicked": lambda state, about: 1 << about,
}
"""Whom an effect means that does not work by place."""


def _found(state: Position, effect: Effect, about: int) -> int:
    """The survivors whom a harmful effect means; an area tells the killer who is in it."""
    who = chosen(state, effect, about)
    area = area_of(state, effect)
    if area:
        told_area(state, area, who)
    return who


# Fear ------------------------------------------------------------------------------------------


def op_fear(state: Position, events: list[Event], effect: Effect, about: int, source: int) -> None:
    """Frightens everybody meant, Anna too (WW-FEAR-06); one token after another (WW-FEAR-08)."""
    if effect[1] == "choose_any":
        state.push(*[("frighten",)] * effect[3])
        return
    who = _found(state, effect, about)
    if not who:
        events.append(Event("nobody-frightened", {}))
    state.push(*(("fear", i) for i in cells_of(who) for _ in range(effect[3])))


def fear(state: Position, events: list[Event], i: int) -> None:
    """One fear token, or panic instead of the third (WW-FEAR-01, WW-PANIC-01 to 05)."""
    survivor = state.team[i]
    if survivor.fate != IN:
        return
    if survivor.fear < FEAR_CELLS:
        state.change(i, fear=survivor.fear + 1)
        events.append(Event("frightened", {"survivor": state.name(i), "n": survivor.fear + 1}))
        return
    state.house.noise |= 1 << survivor.place
    events.append(Event("panicked", {"survivor": state.name(i), "cell": survivor.place}))
    told_place(state, i)
    for step in level_steps(state, "panic", i):
        state.push(step)


def can_frighten(state: Position, seat: Seat, who: int) -> Refusal | None:
    i = state.slot(who)
    return None if i >= 0 and state.team[i].fate == IN else no("not-in-play", "WW-SETUP-02")


def do_frighten(state: Position, seat: Seat, who: int) -> list[Event]:
    state.take()
    state.push(("fear", state.slot(who)))
    return []


def list_frighten(state: Position, seat: Seat) -> list[Action]:
    return [ACTION["frighten", state.cast[i]] for i in cells_of(state.living())]


# Wounds ----------------------------------------------------------------------------------------


def op_wound(state: Position, events: list[Event], effect: Effect, about: int, source: int) -> None:
    """Wounds everybody meant, in tile order; the team names them (WW-WOUND-05, 06)."""
    who = _found(state, effect, about)
    if not who:
        events.append(Event("nobody-wounded", {}))
    state.push(*(("hurt", i, effect[3]) for i in cells_of(who)))


def hurt(state: Position, events: list[Event], i: int, kind: str) -> None:
    """One wound; outside an encounter its victim may react first (WW-WOUND-07).

    The reaction is asked for whether or not the amulet is there: the asking tells the killer nothing.
    """
    if state.team[i].fate != IN:
        return
    if kind == "direct":
        events.append(Event("threatened", {"survivor": state.name(i)}))
        state.push(("ward", i))
    else:
        injure(state, i, events)


def can_ward(state: Position, seat: Seat) -> Refusal | None:
    if AMULET in state.team[state.todo[-1][1]].bag:
        return None
    return no("no-item", "WW-ITEM-17", item="amulet")


def do_ward(state: Position, seat: Seat) -> list[Event]:
    i = state.take()[1]
    state.throw_away(i, AMULET)
    return [Event("warded", {"survivor": state.name(i)})]


def can_endure(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_endure(state: Position, seat: Seat) -> list[Event]:
    events: list[Event] = []
    injure(state, state.take()[1], events)
    return events


def list_ward(state: Position, seat: Seat, i: int) -> list[Action]:
    return [WARD, ENDURE] if AMULET in state.team[i].bag else [ENDURE]


def injure(state: Position, i: int, events: list[Event]) -> None:
    """Flips the tile; the second wound kills (WW-WOUND-02, 03)."""
    health = state.team[i].health - 1
    state.change(i, health=health)
    events.append(Event("wounded", {"survivor": state.name(i), "n": health}))
    if not health:
        die(state, i, events)
    if state.result is None:
        called = own_triggers(state, "wound_dealt")
        state.push(*(("run", effects, i, skill) for skill, effects in called))


# Death -----------------------------------------------------------------------------------------


def op_kill(state: Position, events: list[Event], effect: Effect, about: int, source: int) -> None:
    who = _found(state, effect, about)
    if not who:
        events.append(Event("nobody-wounded", {}))
    state.push(*(("slay", i) for i in cells_of(who)))


def slay(state: Position, events: list[Event], i: int) -> None:
    """Nothing prevents it, not even the amulet (WW-ITEM-18, WW-REVEAL-10)."""
    if state.team[i].fate == IN:
        state.change(i, health=0)
        die(state, i, events)


def die(state: Position, i: int, events: list[Event]) -> None:
    """A death ends the base game; in variant 2 the killer's level rises (WW-WIN-07, WW-VAR2-12, 13)."""
    events.append(Event("died", {"survivor": state.name(i)}))
    leave_play(state, i, DEAD, events)
    if not state.setup.solo:
        state.end("killed", (0,), "WW-WIN-07", events)
        return
    check_solo_end(state, events)
    if state.result is None:
        state.push(("level-up", False))
