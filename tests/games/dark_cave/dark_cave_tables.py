"""Small tables for the tests of the Dark Cave: cards laid by hand, figures put anywhere.

Cards are named as in the ledger, `T1-03 r180` for a half turn; places are `x,y.segment`; webs `x,y east`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.engine.action import TABLE, Action, Seat
from companion.engine.state import Event, Refusal
from companion.games.dark_cave import GAME, pieces
from companion.games.dark_cave.agenda import DarkCave
from companion.games.dark_cave.cards import CARDS, CLOSED, Cards
from companion.games.dark_cave.cave import NOWHERE, Cave, cell_at, is_closed, place_at, segment_at
from companion.games.dark_cave.position import replaced
from companion.games.dark_cave.spread import ENTRANCE, border_at
from companion.games.dark_cave.view import CELL_NAMED

FILLER = (
    *("T1-11", "T1-19", "T3-06", "T3-13", "T3-04", "T3-11", "T3-12", "T2-12", "T2-16", "T3-01"),
    *("T3-02", "T3-03", "T3-07", "T3-08", "T3-09", "T3-10", "T2-10", "T2-11", "T2-14", "T2-15"),
)
"""Cards that hands are filled with where a test does not name them."""


def place(text: str) -> int:
    """Reads `1,0.a`."""
    spot, segment = text.split(".")
    number = CLOSED if segment == "closed" else CARDS.segments.index(segment)
    return place_at(CELL_NAMED[spot], number)


def cell(text: str) -> int:
    return CELL_NAMED[text]


def border(text: str) -> int:
    """Reads `1,0 east`."""
    spot, side = text.split()
    return border_at(CELL_NAMED[spot], ("east", "south").index(side))


class Builder:
    """Takes named cards out of the pools, so that nothing is there twice."""

    def __init__(self, state: DarkCave) -> None:
        self.state = state

    def take(self, name: str) -> int:
        cards = self.state.cards
        kind = cards.kind_of[name]
        level = cards.level[kind]
        self.state.pools[level].take(kind - cards.first[level])
        return kind


def table(
    players: int = 2,
    lay: Mapping[str, str] | None = None,
    *,
    hands: Mapping[Seat, Sequence[str]] | None = None,
    at: Mapping[Seat, str] | None = None,
    clans: Sequence[str] | None = None,
    gold: Mapping[Seat, int] | None = None,
    front: Mapping[Seat, Sequence[str]] | None = None,
    webs: Mapping[str, tuple[str, int, Seat]] | None = None,
    creatures: Mapping[str, tuple[str, Seat]] | None = None,
    goals: Mapping[str, str] | None = None,
    out: Sequence[Seat] = (),
    opened: Sequence[Seat] = (),
    lying: Sequence[Seat] = (),
    turn: Seat = 0,
    phase: str = "play",
    deck: bool = True,
    real_clans: bool = False,
    cards: Cards = CARDS,
    **options: Any,
) -> DarkCave:
    """Sets up a position. Hands not named hold two filler cards; dwarves not named stand at the entrance."""
    state = DarkCave(
        GAME.resolve({"players": players, "clans": "physical" if real_clans else "digital", **options}), cards
    )
    builder = Builder(state)
    _clans(state, clans or _default_clans(players))
    laid = {ENTRANCE: cards.starts[state.settings.entrance]}
    for spot, name in (lay or {}).items():
        card = name.split()[0]
        if card in cards.goal_names:
            goal = cards.goal_names.index(card)
            state.goal_at = replaced(state.goal_at, state.goal_cells.index(cell(spot)), goal)
            shape = cards.goals[goal]
        else:
            shape = cards.shape[builder.take(card)]
        laid[cell(spot)] = shape + ("r180" in name)
    closed = [c for c in state.goal_cells if c not in laid]
    state.cave = Cave(cards, laid, closed, state.settings.by_ladder, state.settings.ladder_card)
    for c in laid:
        gold_here = state.cave.card(c).gold
        if gold_here:
            state.veins = {**state.veins, c: gold_here}
            state.supply -= gold_here
    for spot, name in (goals or {}).items():
        i = state.goal_cells.index(cell(spot))
        state.goal_at = replaced(state.goal_at, i, cards.goal_names.index(name))
    for seat, names in (front or {}).items():
        state.front[seat] = tuple(builder.take(name) for name in names)
    for symbol, (where, left, owner) in (webs or {}).items():
        i = pieces.SYMBOLS.index(symbol)
        state.webs = replaced(state.webs, i, border(where))
        state.web_left = replaced(state.web_left, i, left)
        state.front[owner] += (builder.take(f"web-{symbol}"),)
    for name, (where, holder) in (creatures or {}).items():
        i = pieces.CREATURES.index(name)
        state.creatures = replaced(state.creatures, i, place(where))
        state.holders = replaced(state.holders, i, holder)
        state.front[holder] += (builder.take(f"{name}-3"),)
    for seat, where in (at or {}).items():
        state.at[seat] = place(where)
    for seat, nuggets in (gold or {}).items():
        state.supply += state.gold[seat] - nuggets
        state.gold[seat] = nuggets
    for seat in out:
        state.at[seat] = NOWHERE
        state.left += (seat,)
    state.opened = frozenset({*out, *opened})
    state.lying = frozenset(lying)
    named = {
        seat: tuple(sorted(builder.take(name) for name in names)) for seat, names in (hands or {}).items()
    }
    filler = iter(FILLER)
    for seat in range(players):
        state.hands[seat] = named[seat] if seat in named else _fill(builder, filler)
    if not deck:
        _empty_deck(state)
    state.turn = turn
    state.todo = [("end-turn",), ("play", turn)]
    if phase == "move":
        state.todo = [("end-turn",), ("refill", turn), ("set-out", turn)]
    state.settle([])
    state.check()
    return state


def _default_clans(players: int) -> list[str]:
    if players == 2:
        return ["yellow-loyal", "blue-loyal"]
    if players <= 4:
        return ["yellow-loyal", "yellow-saboteur", "yellow-loyal", "yellow-saboteur"][:players]
    return ["yellow-loyal", "blue-loyal"] * 3 + ["yellow-saboteur", "blue-saboteur"]


def _clans(state: DarkCave, names: Sequence[str]) -> None:
    state.clan_left = tuple(pieces.clan_pool(len(state.hands), 1 if names[0].startswith("blue") else 0))
    used: dict[int, int] = {}
    for seat, name in zip(range(state.settings.players), names, strict=False):
        card = pieces.CLAN_CARDS.index(name)
        state.colours = replaced(state.colours, seat, card // 2)
        state.figures = replaced(state.figures, seat, 4 * (card // 2) + used.get(card // 2, 0))
        used[card // 2] = used.get(card // 2, 0) + 1
        if state.settings.digital_clans:
            state.identity = replaced(state.identity, seat, card % 2)
            state.clan_left = replaced(state.clan_left, card, state.clan_left[card] - 1)


def _fill(builder: Builder, filler: Any) -> tuple[int, ...]:
    """Two cards of those that are left."""
    hand: list[int] = []
    if not builder.state.settings.digital:
        for _ in range(2):
            builder.state.pools[0].take_unseen()
            hand.append(CARDS.unknown)
        return tuple(hand)
    while len(hand) < 2:
        kind = CARDS.kind_of[next(filler)]
        level = CARDS.level[kind]
        if builder.state.pools[level].counts[kind - CARDS.first[level]]:
            hand.append(builder.take(CARDS.names[kind]))
    return tuple(sorted(hand))


def _empty_deck(state: DarkCave) -> None:
    for level, pool in enumerate(state.pools):
        for i, count in enumerate(pool.counts):
            used = min(count, pool.size)
            state.discards[CARDS.first[level] + i] += used
            pool.counts[i] -= used
            pool.size -= used


def do(state: DarkCave, *lines: str, seat: Seat | None = None) -> list[Event]:
    """Plays lines in order: chance where it is due, else the active player or `seat`; returns all events."""
    events: list[Event] = []
    for line in lines:
        due = state.needs()[0].seat
        who = due if seat is None or due == TABLE else seat
        events += state.apply(who, state.notation.parse(line))
        state.check()
    return events


def refusal(state: DarkCave, line: str, seat: Seat | None = None) -> Refusal | None:
    who = state.needs()[0].seat if seat is None and state.needs() else seat
    assert who is not None
    return state.refusal(who, state.notation.parse(line))


def why(state: DarkCave, line: str, seat: Seat | None = None) -> tuple[str, list[str], str] | None:
    """A refusal with the names of its cells."""
    found = refusal(state, line, seat)
    if found is None:
        return None
    names = {number: name for name, number in CELL_NAMED.items()}
    return found.code, [names[c] for c in found.cells], found.rule


def legal(state: DarkCave, verb: str, seat: Seat | None = None) -> set[str]:
    """The legal actions with a verb, without the verb."""
    who = state.needs()[0].seat if seat is None else seat
    return {
        state.notation.text(action).removeprefix(verb).strip()
        for action in state.actions(who)
        if action.verb == verb
    }


def kinds(events: Sequence[Event]) -> list[str]:
    return [event.kind for event in events]


def at(state: DarkCave, seat: Seat) -> str:
    """Where a dwarf stands, `x,y.segment`."""
    return where(state.at[seat])


def where(number: int) -> str:
    if number == NOWHERE:
        return ""
    names = {value: name for name, value in CELL_NAMED.items()}
    segment = "closed" if is_closed(number) else CARDS.segments[segment_at(number)]
    return f"{names[cell_at(number)]}.{segment}"


def hand(state: DarkCave, seat: Seat) -> list[str]:
    return [state.cards.names[kind] for kind in state.hands[seat]]


def act(line: str) -> Action:
    return DarkCave.notation.parse(line)


def phase(state: DarkCave) -> str:
    return str(GAME.view(state, -2)["phase"])


def draw_due(state: DarkCave) -> DarkCave:
    """Draws whatever is due, until somebody decides."""
    while state.needs() and state.needs()[0].seat == TABLE and state.needs()[0].verbs == ("draw",):
        state.apply(TABLE, state.outcomes()[0][0])
        state.check()
    return state


def end_turn(state: DarkCave) -> DarkCave:
    """Ends the movement and draws."""
    if any(need.verbs[:2] == ("step", "stay") for need in state.needs()):
        do(state, "stay")
    return draw_due(state)


def pass_turn(state: DarkCave) -> DarkCave:
    """The active player throws a card away, stays and draws."""
    seat = state.needs()[0].seat
    card = state.cards.names[state.hands[seat][0]]
    do(state, f"pass {card}")
    return end_turn(state)
