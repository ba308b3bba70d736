"""Nights in the mansion for the tests: a game set up as wanted, and short words to play it.

Positions are made by moving pieces about, so every card still exists exactly once and `check` can be asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pytest

from companion.engine.action import TABLE, Viewer
from companion.engine.state import Event, Refusal
from companion.games.whisper import GAME
from companion.games.whisper.agenda import Whisper
from companion.games.whisper.parts import PlanTrack, without
from companion.games.whisper.pieces import (
    CARDS,
    ITEMS,
    KEY,
    LOCATIONS,
    PASSAGES,
    PLANS,
    SKILLS,
    SURVIVORS,
)

KILLER, TEAM = 0, 1
Test = TypeVar("Test", bound=Callable[..., Any])


def proves(*rules: str) -> Callable[[Test], Test]:
    """Marks a test with the ledger rules that it shows."""

    def mark(test: Test) -> Test:
        for rule in rules:
            test = pytest.mark.rule(rule)(test)
        return test

    return mark


def night(killer: str = "butcher", team: str = "anna marco william", **options: Any) -> Whisper:
    """A game at the start of round 1, before anybody acts."""
    order = sorted(team.split(), key=SURVIVORS.index)
    given = {"killer": killer, "survivors": "+".join(order), **options}
    state = GAME.start(GAME.resolve(given))
    assert isinstance(state, Whisper)
    deal(state)
    return state


def deal(state: Whisper) -> None:
    """Lets chance and set-up choices take their first possibility until the first round."""
    while not state.round:
        need = state.needs()[0]
        state.apply(need.seat, state.actions(need.seat)[0])


def act(state: Whisper, seat: int, *lines: str) -> list[Event]:
    """Takes actions one after another, checking the invariants; returns all events."""
    events = []
    for line in lines:
        events += state.apply(seat, state.notation.parse(line))
        state.check()
    return events


def team(state: Whisper, *lines: str) -> list[Event]:
    return act(state, TEAM, *lines)


def killer(state: Whisper, *lines: str) -> list[Event]:
    return act(state, KILLER, *lines)


def table(state: Whisper, *lines: str) -> list[Event]:
    return act(state, TABLE, *lines)


def refused(state: Whisper, seat: int, line: str) -> tuple[str, list[str], str]:
    """Why an action is refused: code, names of the cells, rule."""
    before = [GAME.view(state, viewer) for viewer in (KILLER, TEAM)]
    reason = state.refusal(seat, state.notation.parse(line))
    assert reason is not None, f"{line} is allowed"
    assert [GAME.view(state, viewer) for viewer in (KILLER, TEAM)] == before
    return reason.code, [PLACES[cell] for cell in reason.cells], reason.rule


def why(state: Whisper, seat: int, line: str) -> Refusal | None:
    return state.refusal(seat, state.notation.parse(line))


PLACES = [place.name for place in GAME.board({}).places]


def heard(events: list[Event], viewer: Viewer) -> dict[str, dict[str, Any]]:
    """What a viewer hears, by kind."""
    return {event.kind: event.data for event in events if event.is_for(viewer)}


def kinds(events: list[Event], viewer: Viewer) -> list[str]:
    return [event.kind for event in events if event.is_for(viewer)]


def slot(state: Whisper, who: str) -> int:
    return state.slot(SURVIVORS.index(who))


def at(code: str) -> int:
    return LOCATIONS.index(code)


def codes(mask: int) -> set[str]:
    return {code for i, code in enumerate(LOCATIONS) if mask >> i & 1}


def place_of(state: Whisper, who: str) -> str:
    return LOCATIONS[state.team[slot(state, who)].place]


def put(state: Whisper, **where: str) -> Whisper:
    """Stands survivors in locations; `butcher`, `specter`, `maniac` or `killer` is the killer."""
    for who, code in where.items():
        if who in SURVIVORS:
            state.stand(slot(state, who), at(code))
        else:
            state.killer.at = state.killer.known = at(code)
    return state


def row(state: Whisper, fact: str) -> list[Any]:
    """A fact about each survivor, in the order of the tiles."""
    return [getattr(survivor, fact) for survivor in state.team]


def change_all(state: Whisper, **facts: list[int]) -> None:
    """Changes facts about the survivors, each given in the order of the tiles."""
    for fact, values in facts.items():
        for i, value in enumerate(values):
            state.change(i, **{fact: value})


def hide(state: Whisper, really: str, last: str) -> Whisper:
    """Puts the killer into stealth."""
    state.killer.hidden, state.killer.at, state.killer.known = True, at(really), at(last)
    return state


def bag(state: Whisper, who: str, *items: str) -> Whisper:
    """Gives a survivor exactly these items, out of the decks; what was held goes to the discard pile."""
    i = slot(state, who)
    state.stock.pile += state.team[i].bag
    state.change(i, bag=())
    for name in items:
        take(state, ITEMS.index(name))
        state.hold(i, ITEMS.index(name))
    return state


def take(state: Whisper, item: int) -> None:
    """Takes a card of this kind from wherever one is left."""
    stock = state.stock
    if item in stock.pile:
        stock.pile = without(stock.pile, item)
    elif stock.equipment[item]:
        stock.take_equipment(item)
    else:
        assert stock.search[item]
        stock.take_search(item)


def keys(state: Whisper, n: int) -> Whisper:
    """Puts keys on the roof."""
    for _ in range(n):
        take(state, KEY)
    state.keys += n
    return state


def empty(state: Whisper, deck: str, left: int = 0) -> Whisper:
    """Throws the cards of the equipment or the search deck away, but for some."""
    stock = state.stock
    counts = list(getattr(stock, deck))
    for item in range(len(counts)):
        while counts[item] and sum(counts) > left:
            counts[item] -= 1
            stock.pile += (item,)
    setattr(stock, deck, tuple(counts))
    setattr(stock, f"{deck}_size", sum(counts))
    if deck == "search" and not left and stock.bottom:
        stock.bottom = False
        stock.pile += (KEY,)
    return state


def hand(state: Whisper, *cards: str, deck: int | None = None) -> Whisper:
    """Gives the killer exactly this hand; `deck` cards stay in the deck, the rest is discarded."""
    for card in state.killer.hand:
        state.killer.deck[card] += 1
    for card in state.killer.spent:
        state.killer.deck[card] += 1
    state.killer.spent = ()
    state.killer.hand = []
    for name in cards:
        card = CARDS.index(name)
        if state.killer.locked and card == state.box.killers[state.killer.kind].locked:
            state.killer.locked = False
        else:
            state.killer.deck[card] -= 1
            assert state.killer.deck[card] >= 0, name
        state.killer.hand.append(card)
    for card in range(len(state.killer.deck)):
        while deck is not None and state.killer.deck[card] and sum(state.killer.deck) > deck:
            state.killer.deck[card] -= 1
            state.killer.spent += (card,)
    state.killer.deck_size = sum(state.killer.deck)
    return state


def bars(state: Whisper, *passages: str) -> Whisper:
    """Barricades exactly these passages."""
    state.house.barricades = state.house.barred = sum(1 << PASSAGES.index(name) for name in passages)
    return state


def barred(state: Whisper) -> set[str]:
    return {name for i, name in enumerate(PASSAGES) if state.house.barricades >> i & 1}


def level(state: Whisper, n: int) -> Whisper:
    """Raises the killer's level with the permanent strength of its levels."""
    while state.killer.level < n:
        state.killer.level += 1
        for effect in state.box.killers[state.killer.kind].gains[state.killer.level - 1]:
            if effect[0] == "strength":
                state.killer.base += effect[1]
            if effect[0] == "retime":
                state.killer.retimed |= 1 << effect[1]
    return state


def killers_turn(state: Whisper, step: str = "instant") -> Whisper:
    """Skips to a step of the killer's turn."""
    state.todo = [("killer-turn",)]
    state.house.pending = 0
    state.active = -1
    state.settle([])
    while state.todo[-1][0] != step:
        state.apply(KILLER, state.notation.parse("next"))
    return state


def survivors_turn(state: Whisper) -> list[Event]:
    """Begins the next round; returns what happens in step A."""
    state.todo = [("round",)]
    events = state.settle([])
    state.check()
    return events


def wake(state: Whisper, who: str) -> Whisper:
    """Lets a survivor act; whoever acted is finished first."""
    if state.todo[-1][0] == "active":
        state.main_done = True
        team(state, "done")
    team(state, f"wake {who}")
    return state


def all_acted(state: Whisper) -> Whisper:
    """Skips to the equipment step."""
    state.todo = [("killer-turn",), ("to-report",), ("plan-check",), ("equipping",)]
    state.acted, state.active = 7, -1
    state.settle([])
    return state


def to_report(state: Whisper) -> Whisper:
    """Skips to the report."""
    state.todo = [("killer-turn",), ("to-report",)]
    state.acted, state.active = 7, -1
    state.settle([])
    return state


def learn(state: Whisper, who: str, *skills: str) -> Whisper:
    """Gives a survivor or the killer skills of variant 1."""
    mask = sum(1 << SKILLS.index(skill) for skill in skills)
    if who == "killer":
        state.killer.skills = mask
    else:
        state.change(slot(state, who), skills=mask)
        state.gather_mods()
    return state


def accomplish(state: Whisper, plan: str, marker: str = "") -> Whisper:
    """Accomplishes a plan of variant 3."""
    kind = PLANS.index(plan)
    dealt = state.plan.dealt if kind in state.plan.dealt else (kind, *state.plan.dealt[1:])
    line = len(state.box.plans[kind].steps)
    state.plan = PlanTrack(dealt, kind, line, done=True, marker=at(marker) if marker else -1)
    state.gather_mods()
    return state


def items(state: Whisper, who: str) -> list[str]:
    return sorted(ITEMS[item] for item in state.team[slot(state, who)].bag)


def pile(state: Whisper) -> list[str]:
    return sorted(ITEMS[item] for item in state.stock.pile)


def cards(held: Sequence[int]) -> list[str]:
    return [CARDS[card] for card in held]


def phase(state: Whisper) -> str:
    return str(state.todo[-1][0]) if state.todo else "over"


def fight(state: Whisper, *lines: str) -> list[Event]:
    """Lets the killer search and the fight go on: lines of the team, `roll` lines of the table."""
    events = killer(state, "search")
    for line in lines:
        events += act(state, TABLE if line.startswith(("roll", "mill", "draw")) else TEAM, line)
    return events
