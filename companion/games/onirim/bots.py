"""A careful dreamer: plans the next series from the hand, spends Keys where they earn most.

A hand is worth the Doors that it promises: each colour still wanted counts by the number of turns until its
series can be finished, and a Key by the chance that a Door of its colour turns up. The dreamer takes the
action after which that worth is highest. It looks at the view alone, as a person would.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from companion.engine.action import Action
from companion.engine.game import Turn, View
from companion.games.onirim.pieces import CARDS, LETTERS

PATIENCE = 0.77
"""How much a Door one turn later is worth."""
SECOND_PLAN = 0.52
"""How much the next best series counts beside the best one."""
KEY_WORTH = 0.34
"""What a Key of a wanted colour is worth, in Doors."""
SPARE_KEY_WORTH = 0.14
"""What any Key is worth: it pays a Nightmare, or brings a Prophecy."""
PROPHECY = 0.33
"""What a Prophecy is worth, in Doors."""
WAIT = 0.45
"""How long a missing card takes, as a part of the turns until its colour turns up."""
KEY_IN_ROW = 1.8
"""What a Key laid in a series costs, in turns."""
FIVE_CARDS = 0.54
"""What five cards of the deck are worth, in Doors."""
NEW_HAND = 0.1
"""What a new hand promises, in Doors."""
GIVEN_DOOR = 0.86
LAST_CARDS = 9
"""A deck this small must not be wasted."""


class Dream(NamedTuple):
    """What the worth of a position depends on."""

    hand: tuple[str, ...]
    colour: str
    symbol: str
    run: int
    wanted: tuple[int, ...]
    """Doors still wanted, by colour."""
    chance: tuple[float, ...]
    """The chance that the next card is a Sun or Moon of each colour."""


def careful(turn: Turn) -> Action:
    """Chooses an action for any phase of the game."""
    phase = turn.view["phase"]
    if phase in ("draft", "swap"):
        return max(turn.actions, key=lambda action: _after_trade(turn.view, turn.seat, action))
    if phase == "play":
        return _play(turn)
    if phase == "prophecy":
        return _foresee(turn)
    by_verb = {action.verb: action for action in turn.actions}
    if phase in ("search", "door"):
        yes, no = ("take", "decline") if phase == "search" else ("open", "leave")
        return by_verb[no] if turn.view["second_door"] or yes not in by_verb else by_verb[yes]
    return _pay(turn)


def _hand(view: View, seat: int) -> tuple[str, ...]:
    return (*(view["hands"][seat]["cards"] or ()), *view["shared"])


def _without(hand: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The hand without a card, in order; one that nobody has seen is not in it."""
    rest = sorted(hand)
    if card in rest:
        rest.remove(card)
    return tuple(rest)


def _wanted(view: View, seat: int) -> tuple[int, ...]:
    full = 2 if view["players"] == 1 else 1
    return tuple(full - n for n in view["doors"][seat])


def _dream(view: View, seat: int, hand: Sequence[str]) -> Dream:
    row = view["rows"][seat]
    left = view["left"]
    unseen = sum(left.values()) or 1
    chance = tuple((left[f"{letter}s"] + left[f"{letter}m"]) / unseen for letter in LETTERS)
    last = row[-1] if row else "--"
    return Dream(tuple(sorted(hand)), last[0], last[1], view["runs"][seat] % 3, _wanted(view, seat), chance)


def worth(dream: Dream) -> float:
    """What a position promises, in Doors."""
    plans = sorted(
        (
            PATIENCE ** _turns_to_finish(dream, letter)
            for letter, wanted in zip(LETTERS, dream.wanted, strict=True)
            if wanted > 0
        ),
        reverse=True,
    )
    total: float = sum(plan * SECOND_PLAN**i for i, plan in enumerate(plans[:3]))
    keys = Counter(card[0] for card in dream.hand if card[1] == "k")
    for letter, wanted in zip(LETTERS, dream.wanted, strict=True):
        n = keys[letter]
        if n:
            total += KEY_WORTH * min(n, wanted) + SPARE_KEY_WORTH * max(0, n - wanted)
    return total


def _turns_to_finish(dream: Dream, letter: str) -> float:
    """About how many turns a series of this colour takes."""
    symbols = Counter(card[1] for card in dream.hand if card[0] == letter)
    suns, moons, keys = symbols["s"], symbols["m"], symbols["k"]
    run = dream.run if dream.colour == letter else 0
    length, used_keys = _longest(suns, moons, keys, dream.symbol, 3 - run)
    missing = 3 - run - length
    wait = missing / max(dream.chance[LETTERS.index(letter)], 0.01) * WAIT
    return float(3 - run + wait + KEY_IN_ROW * used_keys)


@cache
def _longest(suns: int, moons: int, keys: int, last: str, most: int) -> tuple[int, int]:
    """The longest start of a series that can be laid at once, and the Keys it uses."""
    best = (0, 0)
    if most:
        for symbol, n in (("s", suns), ("m", moons), ("k", keys)):
            if not n or symbol == last:
                continue
            left = (suns - (symbol == "s"), moons - (symbol == "m"), keys - (symbol == "k"))
            length, used = _longest(*left, symbol, most - 1)
            found = (length + 1, used + (symbol == "k"))
            if (found[0], -found[1]) > (best[0], -best[1]):
                best = found
    return best


def _play(turn: Turn) -> Action:
    view, seat = turn.view, turn.seat
    hand = _hand(view, seat)
    now = _dream(view, seat, hand)
    left = view["left"]

    def after(action: Action) -> float:
        if action.verb == "concede":
            return -1.0
        card = CARDS[action.args[0]]
        dream = now._replace(hand=_without(hand, card))
        if action.verb == "discard":
            return worth(dream) + (PROPHECY * min(view["deck"], 5) / 5 if card[1] == "k" else 0.0)
        run = now.run % 3 + 1 if card[0] == now.colour else 1
        dream = dream._replace(colour=card[0], symbol=card[1], run=run % 3)
        gained = 0.0
        colour = LETTERS.index(card[0])
        if run == 3 and now.wanted[colour] > 0 and left[f"{card[0]}D"]:
            gained = 1.0
            wanted = tuple(n - (i == colour) for i, n in enumerate(now.wanted))
            dream = dream._replace(wanted=wanted)
        return gained + worth(dream)

    return max(turn.actions, key=after)


def _after_trade(view: View, seat: int, action: Action) -> float:
    """What the own cards are worth after taking one, or after an exchange; shared ones count all the same."""
    own = tuple(view["hands"][seat]["cards"] or ())
    if action.verb == "pick":
        own = (*own, CARDS[action.args[0]])
    elif action.verb == "swap":
        given, taken = (CARDS[card] for card in action.args)
        own = (*_without(own, given), taken)
    return worth(_dream(view, seat, own))


def _foresee(turn: Turn) -> Action:
    """Throws a Nightmare away, else the card that helps least; then Doors that can be opened, help, harm."""
    view, seat = turn.view, turn.seat
    if turn.actions[0].verb == "foretell":
        return max(turn.actions, key=lambda action: CARDS[action.args[0]] == "NM")
    hand = _hand(view, seat)
    base = worth(_dream(view, seat, hand))
    wanted = dict(zip(LETTERS, _wanted(view, seat), strict=True))

    def help_of(card: str) -> float:
        if card == "NM":
            return -2.0
        if card[1] == "D":
            return 3.0 if wanted[card[0]] > 0 and f"{card[0]}k" in hand else -0.5
        return worth(_dream(view, seat, (*hand, card))) - base

    def is_lost_least(card: str) -> float:
        if card[1] == "D":
            return 9.0
        return help_of(card)

    cards = list(view["looked"]["cards"])
    lost = min(cards, key=is_lost_least)
    cards.remove(lost)
    order = sorted(cards, key=help_of, reverse=True)
    return Action("foresee", tuple(CARDS.index(card) for card in (lost, *order)))


def _pay(turn: Turn) -> Action:
    """Pays a Nightmare with what is worth least."""
    view, seat = turn.view, turn.seat
    hand = _hand(view, seat)
    base = worth(_dream(view, seat, hand))
    deck = view["deck"]
    scarce = 4.0 if deck < LAST_CARDS else 0.0

    def cost(action: Action) -> float:
        if action.verb == "pay-key":
            return base - worth(_dream(view, seat, _without(hand, CARDS[action.args[0]])))
        if action.verb == "pay-door":
            return GIVEN_DOOR
        if action.verb == "pay-deck":
            return FIVE_CARDS + scarce
        if action.verb == "pay-hand":
            return base - NEW_HAND + scarce
        return 0.0

    return min(turn.actions, key=cost)
