"""Phase 1: a tunnel card is laid, an action card is played, or one or two cards are thrown away."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations

from companion.engine.action import Action, Cell, Seat
from companion.engine.state import Event, Refusal
from companion.games.dark_cave.creatures import list_beast
from companion.games.dark_cave.deeds import list_axe, list_boots, list_rockfall, list_swap
from companion.games.dark_cave.ending import why_not_propose
from companion.games.dark_cave.gold import add_vein
from companion.games.dark_cave.hand import after_play, show, throw_away, why_not_held
from companion.games.dark_cave.info import list_info
from companion.games.dark_cave.position import NO_WEBS, Position
from companion.games.dark_cave.spread import no, spot
from companion.games.dark_cave.verbs import PASS, PASS_TWO, PROPOSE
from companion.games.dark_cave.webs import list_cut, list_web


def can_lay(state: Position, seat: Seat, kind: int, cell: Cell, turn: int) -> Refusal | None:
    refusal = why_not_held(state, seat, kind)
    if refusal is not None:
        return refusal
    shape = state.cards.shape[kind]
    if shape < 0:
        return no("no-tunnel", "DC-TURN-02")
    if turn % 2:
        return no("quarter-turn", "DC-PLACE-05", cell)
    if turn and not state.settings.half_turn:
        return no("half-turn", "DC-PLACE-06", cell)
    if turn and state.cards.symmetric[shape]:
        return no("same-turned", "DC-PLACE-06", cell)
    return state.cave.why_not(cell, shape + turn // 2)


def do_lay(state: Position, seat: Seat, kind: int, cell: Cell, turn: int) -> list[Event]:
    """A tunnel card is added to the network; a vein gets its nugget (DC-PLACE-18)."""
    show(state, seat, kind)
    after_play(state, seat, seat, 1)
    state.cave = state.cave.lay(cell, state.cards.shape[kind] + turn // 2)
    events = [Event("laid", {"seat": seat, "card": state.cards.names[kind], "turn": 90 * turn, **spot(cell)})]
    add_vein(state, cell, events)
    return events


def can_pass(state: Position, seat: Seat, *kinds: int) -> Refusal | None:
    if not 1 <= len(kinds) <= 2:
        return no("one-or-two", "DC-TURN-04")
    if kinds[0] > kinds[-1]:
        return no("card-order", "DC-TURN-04")
    hand = state.hands[seat]
    for kind in kinds:
        if hand.count(kind) < kinds.count(kind):
            return no("not-in-hand", "DC-TURN-04")
    return None


def do_pass(state: Position, seat: Seat, *kinds: int) -> list[Event]:
    """One or two cards are discarded unseen (DC-TURN-05)."""
    for kind in kinds:
        throw_away(state, seat, kind)
    after_play(state, seat, seat, len(kinds))
    return [_passed(seat, tuple([state.cards.level[kind] + 1 for kind in kinds]))]


# Listing ---------------------------------------------------------------------------------------


def list_play(state: Position, seat: Seat, player: Seat) -> list[Action]:
    hand, deeds = state.hands[seat], state.cards.deed
    kinds = list(dict.fromkeys(hand))
    listed: list[Action] = []
    tunnels = []
    for kind in kinds if state.settings.digital else _behind(state, kinds):
        deed = deeds[kind]
        if deed:
            listed += DEEDS[deed](state, seat, kind)
        else:
            tunnels.append(kind)
    if tunnels:
        _list_lays(state, tunnels, listed)
    for kind in kinds:
        listed.append(PASS[kind])
    pairs: Iterable[tuple[int, int]] = combinations(hand, 2)
    if len(kinds) < len(hand):
        pairs = dict.fromkeys(pairs)
    listed += [PASS_TWO[one][other] for one, other in pairs]
    if state.front[seat] and state.webs != NO_WEBS:
        listed += list_cut(state, seat)
    if not why_not_propose(state):
        listed.append(PROPOSE)
    return listed


def _behind(state: Position, backs: list[int]) -> list[int]:
    """The kinds that real cards with these backs may be."""
    cards, kinds = state.cards, []
    for back in backs:
        level = cards.level[back]
        first = cards.first[level]
        kinds += [first + i for i, left in enumerate(state.pools[level].counts) if left]
    return kinds


def _list_lays(state: Position, tunnels: list[int], listed: list[Action]) -> None:
    tunnels.reverse()
    lays_at = state.cards.lays[state.settings.half_turn]
    for cell, ways in state.cave.fitting.items():
        lays = lays_at[cell]
        for kind in tunnels:
            listed += lays[ways[kind]]


DEEDS: dict[str, Callable[[Position, Seat, int], list[Action]]] = {
    "info": list_info,
    "rockfall": list_rockfall,
    "swap": list_swap,
    "web": list_web,
    "boots": list_boots,
    "axe": list_axe,
    "rat": list_beast,
    "lindworm": list_beast,
    "goblin": list_beast,
}
"""Lists the ways to play an action card, by what it does."""


@cache
def _passed(seat: Seat, levels: tuple[int, ...]) -> Event:
    return Event("passed", {"seat": seat, "n": len(levels), "levels": list(levels)})
