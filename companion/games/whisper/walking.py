"""The killer walks openly or sneaks (ledger WW-MOVE, WW-STEALTH)."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.state import Event, Refusal, no
from companion.games.whisper.data import Effect
from companion.games.whisper.pieces import BAR, BESIDE, CARDS, FIRST_PASSAGE, PASSAGES, reach
from companion.games.whisper.position import KILLER_ONLY, Position
from companion.games.whisper.verbs import HALT, each


def op_move(state: Position, events: list[Event], effect: Effect, about: int, source: int) -> None:
    state.killer.path, state.killer.broke = 1 << state.killer.at, False
    state.push(("walk", 0, effect[1], effect[2]))


def can_go(state: Position, seat: Seat, to: Cell) -> Refusal | None:
    if BESIDE[state.killer.at] >> to & 1:
        return None
    return no("not-adjacent", "WW-MOVE-01", state.killer.at, to)


def do_go(state: Position, seat: Seat, to: Cell) -> list[Event]:
    name, *facts = state.take()
    events: list[Event] = []
    _step_openly(state, to, events)
    if name == "main":
        if facts[0] > 1:
            state.push(("main", facts[0] - 1))
    else:
        done, low, high = facts
        if done + 1 < high:
            state.push(("walk", done + 1, low, high))
    return events


def _step_openly(state: Position, to: Cell, events: list[Event]) -> None:
    """One announced step; a barricade in the way is removed first (WW-MOVE-07, 08)."""
    killer, house = state.killer, state.house
    bar = BAR[killer.at].get(to, 0)
    if house.barricades & bar:
        house.barricades &= ~bar
        killer.broke = True
        passage = bar.bit_length() - 1
        blanks = {"passage": PASSAGES[passage], "cell": FIRST_PASSAGE + passage}
        events.append(Event("barricade-broken", blanks))
    events.append(Event("killer-moved", {"from_cell": killer.at, "cell": to}))
    killer.at = killer.known = to
    killer.path |= 1 << to


def can_halt(state: Position, seat: Seat) -> Refusal | None:
    _, done, low, _ = state.todo[-1]
    return None if done >= low else no("must-move", "WW-MOVE-09", state.killer.at)


def do_halt(state: Position, seat: Seat) -> list[Event]:
    state.take()
    return []


def list_walk(state: Position, seat: Seat, done: int, low: int, high: int) -> list[Action]:
    steps = each("go", BESIDE[state.killer.at])
    return [*steps, HALT] if done >= low else list(steps)


def op_stealth(state: Position, events: list[Event], effect: Effect, about: int, source: int) -> None:
    state.killer.stored = ()
    state.push(("sneak", effect[1], effect[2]))


def can_sneak(state: Position, seat: Seat, to: Cell) -> Refusal | None:
    _, low, high = state.todo[-1]
    if reach(0, state.killer.at, low, high) >> to & 1:
        return None
    return no("too-far", "WW-STEALTH-01", state.killer.at, to)


def do_sneak(state: Position, seat: Seat, to: Cell) -> list[Event]:
    """Hides the killer; barricades on the way stay (WW-STEALTH-02 to 04)."""
    state.take()
    killer = state.killer
    killer.known, killer.at = killer.at, to
    killer.hidden, killer.stealth_card = True, killer.playing
    card = CARDS[killer.playing] if killer.playing >= 0 else ""
    return [
        Event("vanished", {"cell": killer.known, "card": card}),
        Event("sneaked", {"cell": to}, KILLER_ONLY),
    ]


def list_sneak(state: Position, seat: Seat, low: int, high: int) -> list[Action]:
    return list(each("sneak", reach(0, state.killer.at, low, high)))
