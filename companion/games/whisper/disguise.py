"""States that look the same to a viewer: for proving that nothing leaks.

What the viewer may not know is dealt anew, within what the viewer can know: places agree with the public
facts, cards stay as many as there are, the hidden steps of the survivors' turn start over.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.engine.action import Viewer
from companion.engine.grid import cells_of
from companion.games.whisper.base import DEAD, HIDDEN_PHASES, IN, KILLER_SEAT
from companion.games.whisper.encounter import WEAPON_THING
from companion.games.whisper.harm import NOBODY
from companion.games.whisper.pieces import (
    CASTS,
    GEARS,
    HAND_LIMIT,
    IN_PLAY,
    KEY,
    KILLERS,
    PLANS,
    PLANS_DEALT,
    TOKENS,
    N,
    reach,
)
from companion.games.whisper.rules import Whisper

_FREE_HAND = frozenset(("instant", "main", "planning", "start", "ending", "strike")) | HIDDEN_PHASES
"""Frames in which the killer's hand may have any size."""


def disguise(state: Whisper, viewer: Viewer, rng: Random) -> Whisper:
    """Another state that differs only in what the viewer may not know."""
    other = state.copy()
    if state.ended is not None:
        return other
    if viewer != KILLER_SEAT:
        _hide_killer(other, rng)
    if viewer not in state.setup.team:
        _hide_team(other, rng)
    elif state.setup.solo:
        _hide_others(other, viewer - 1, rng)
    other.settle([])
    return other


# The killer's secrets ---------------------------------------------------------------------------


def _hide_killer(state: Whisper, rng: Random) -> None:
    state.notes = [rng.randrange(-1, N) for _ in TOKENS]
    state.guess = rng.randrange(GEARS + 1)
    name = state.frame()[0]
    if name == "choose":
        if state.killer >= 0 and state.setup.killer < 0:
            state.killer = rng.randrange(len(KILLERS))
        return
    if state.hidden:
        state.at = rng.choice(list(cells_of(reach(0, state.known, 0, 2))))
    if not state.shown and state.setup.skills is not None:
        _other_skills(state, "killer", rng)
    _other_hand(state, name, rng)


def _other_hand(state: Whisper, name: str, rng: Random) -> None:
    """Deals hand, deck and discard pile anew, of other sizes where nobody could tell."""
    cards = [*state.hand, *state.spent, *(c for c, n in enumerate(state.deck) for _ in range(n))]
    rng.shuffle(cards)
    hand, deck = len(state.hand), state.deck_size
    if name in _FREE_HAND and not state.setup.tell_hand:
        hand = rng.randrange(min(HAND_LIMIT, len(cards)) + 1)
        deck = rng.randrange(len(cards) - hand + 1)
    state.hand, rest = cards[:hand], cards[hand:]
    state.deck = [rest[:deck].count(card) for card in range(len(state.deck))]
    state.deck_size, state.spent = deck, rest[deck:]


def _other_skills(state: Whisper, side: str, rng: Random, known: Sequence[int] = ()) -> None:
    """Deals the skills of one side anew, as many as were dealt and kept, but for survivors who are known."""
    pool = [
        skill
        for skill, card in enumerate(state.box.skills)
        if card.side == side
        and not any(trigger == "main_move" for trigger, _ in card.triggers)
        and not any(state.skills[i] >> skill & 1 for i in known)
    ]
    rng.shuffle(pool)
    fixed = ~sum(1 << skill for skill in pool)

    def redeal(mask: int) -> int:
        return mask & fixed | sum(1 << pool.pop() for _ in range((mask & ~fixed).bit_count()))

    for skill in pool:
        state.used &= ~(1 << skill)
    if side == "killer":
        state.killer_skills = redeal(state.killer_skills)
    else:
        state.skills = [mask if i in known else redeal(mask) for i, mask in enumerate(state.skills)]
    is_killers = state.frame()[0] == "training" or state.frame() == ("learning", NOBODY)
    if is_killers == (side == "killer"):
        state.dealt = [skill if fixed >> skill & 1 else pool.pop() for skill in state.dealt]
    state.gather_mods()


def _other_weapon(state: Whisper, rng: Random) -> None:
    """Whether a defender without an item uses the secret weapon is the survivors' own affair."""
    if state.frame()[0] == "rolling" and (state.guards < 0 or state.guards == WEAPON_THING):
        state.defence -= state.weapon_bonus()
        state.guards = rng.choice((-1, WEAPON_THING))
        state.defence += state.weapon_bonus()


# The team's secrets -----------------------------------------------------------------------------


def _hide_team(state: Whisper, rng: Random) -> None:
    if state.frame()[0] == "choose":
        if state.cast and not state.setup.cast:
            state.cast = rng.choice(CASTS)
        return
    if not state.round:
        if state.setup.skills is not None:
            _other_skills(state, "survivor", rng)
        if state.plans:
            state.plans = rng.sample(range(len(PLANS)), len(state.plans))
        return
    _other_places(state, rng)
    _restart_turn(state, rng)
    _other_bags(state, list(range(IN_PLAY)), rng)
    rng.shuffle(state.own_keys)
    if state.rescue < 0:
        state.gears = rng.randrange(GEARS)
    state.repaired = rng.random() < 0.5
    state.trap = rng.randrange(-1, N)
    if not state.killer_turn:
        state.pending = rng.getrandbits(N)
        state.cracker_set = rng.random() < 0.2
    if state.setup.skills is not None:
        _other_weapon(state, rng)
        _other_skills(state, "survivor", rng)
    if state.setup.plans:
        state.plans = rng.sample(range(len(PLANS)), PLANS_DEALT)
        state.plan, state.line, state.plan_done, state.plan_used, state.marker = -1, 0, False, 0, -1
        state.gather_mods()


def _other_places(state: Whisper, rng: Random) -> None:
    """Puts the survivors elsewhere; those met in an encounter are known to be there."""
    if state.clues is not None:
        triples = list(cells_of(state.clues.now))
        cells = rng.choice(triples)
        places = [cells // (N * N), cells // N % N, cells % N]
    else:
        open_ = [cell for cell in range(N) if not state.met or cell != state.at]
        places = [rng.choice(open_) for _ in range(IN_PLAY)]
    for i in range(IN_PLAY):
        if state.gone[i] == IN and not state.met >> i & 1:
            state.places[i] = places[i]


def _restart_turn(state: Whisper, rng: Random) -> None:
    """Puts the survivors' turn back to where somebody is to act, if only they are at it."""
    names = {frame[0] for frame in state.stack}
    work = {"killer-turn", "to-report", "plan-check", "equipping", "unpacked", "pass-token", "find", "act"}
    if state.killer_turn or names - HIDDEN_PHASES - work:
        return
    state.stack = [("killer-turn",), ("to-report",), ("plan-check",), ("equipping",), ("pick",)]
    living = list(cells_of(state.living()))
    done = rng.sample(living, rng.randrange(len(living)))
    state.acted, state.active, state.main_done = sum(1 << i for i in done), -1, False
    state.pile += state.drawn
    state.drawn = []


def _other_bags(state: Whisper, whose: list[int], rng: Random, *, keep_sizes: bool = False) -> None:
    """Deals the items of some survivors, the equipment deck and the discard pile anew; keys stay.

    Where inventories are private among survivors, how much each holds and the discard pile are known.
    """
    start = {item for who in state.cast for item in state.box.survivors[who].start}
    deck = [item for item, n in enumerate(state.equipment) for _ in range(n) if item != KEY]
    held = [item for i in whose for item in state.bags[i]]
    loose = [] if keep_sizes else [item for item in state.pile if item != KEY]
    fixed = [item for item in (*held, *loose) if item in start]
    cards = [item for item in (*deck, *held, *loose) if item not in start]
    rng.shuffle(cards)
    keys = state.equipment[KEY]
    n = len(deck)
    state.equipment = [cards[:n].count(item) for item in range(len(state.equipment))]
    state.equipment[KEY] = keys
    rest = [*fixed, *cards[n:]]
    rng.shuffle(rest)
    for i in whose:
        size = len(state.bags[i]) if keep_sizes else rng.randrange(state.slots(i) + 1)
        state.bags[i], rest = rest[:size], rest[size:]
    if not keep_sizes:
        state.pile = [item for item in state.pile if item == KEY] + rest


def _hide_others(state: Whisper, me: int, rng: Random) -> None:
    """Variant 2: what the other survivors draw, and hold where that is agreed to be private."""
    if state.frame()[0] in ("choose", "learning", "mastery") or not state.round:
        return
    frame = state.frame()
    if frame[0] in ("drawn", "hush", "unpacking") and frame[1] != me and state.drawn:
        _other_draw(state, state.equipment, rng)
    elif frame[0] == "found" and frame[1] != me:
        _other_draw(state, state.search, rng)
    if state.setup.private:
        others = [i for i in range(IN_PLAY) if i != me and state.gone[i] != DEAD]
        offered = frame[0] == "agree" and frame[1] == me and frame[3] in state.bags[frame[2]]
        if offered:
            state.bags[frame[2]].remove(frame[3])
        _other_bags(state, others, rng, keep_sizes=True)
        if offered:
            state.bags[frame[2]].append(frame[3])
        if state.setup.skills is not None:
            _other_skills(state, "survivor", rng, [i for i in range(IN_PLAY) if i not in others])


def _other_draw(state: Whisper, deck: list[int], rng: Random) -> None:
    """Exchanges the cards just drawn for others of the deck that are as loud."""
    for n, item in enumerate(state.drawn):
        loud = state.box.items[item].noisy
        same = [other for other, left in enumerate(deck) if left and state.box.items[other].noisy == loud]
        if same:
            new = rng.choice(same)
            deck[item] += 1
            deck[new] -= 1
            state.drawn[n] = new
