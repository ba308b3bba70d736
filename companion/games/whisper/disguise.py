"""States that look the same to a viewer: for proving that nothing leaks.

What the viewer may not know is dealt anew, within what the viewer can know: places agree with the public
facts, cards stay as many as there are, the hidden steps of the survivors' turn start over.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.engine.action import Viewer
from companion.engine.grid import cells_of
from companion.games.whisper.agenda import Whisper
from companion.games.whisper.defence import weapon_bonus
from companion.games.whisper.parts import DEAD, IN, NOBODY, PlanTrack
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
    WEAPON_THING,
    N,
    reach,
)
from companion.games.whisper.position import KILLER_SEAT
from companion.games.whisper.view import HIDDEN_STEPS

_FREE_HAND = frozenset(("instant", "main", "planning", "start", "ending", "strike")) | HIDDEN_STEPS
"""Frames in which the killer's hand may have any size."""


def disguise(state: Whisper, viewer: Viewer, rng: Random) -> Whisper:
    """Another state that differs only in what the viewer may not know."""
    other = state.copy()
    if state.result is not None:
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
    state.notes = tuple(rng.randrange(-1, N) for _ in TOKENS)
    state.guess = rng.randrange(GEARS + 1)
    name = state.todo[-1][0]
    if name == "choose":
        if state.killer.kind >= 0 and state.setup.killer < 0:
            state.killer.kind = rng.randrange(len(KILLERS))
        return
    if state.killer.hidden:
        state.killer.at = rng.choice(list(cells_of(reach(0, state.killer.known, 0, 2))))
    if not state.skills_shown and state.setup.skills is not None:
        _other_skills(state, "killer", rng)
    _other_hand(state, name, rng)


def _other_hand(state: Whisper, name: str, rng: Random) -> None:
    """Deals hand, deck and discard pile anew, of other sizes where nobody could tell."""
    killer = state.killer
    cards = sorted((*killer.hand, *killer.spent, *(c for c, n in enumerate(killer.deck) for _ in range(n))))
    rng.shuffle(cards)
    hand, deck = len(killer.hand), killer.deck_size
    if name in _FREE_HAND and not state.setup.tell_hand:
        hand = rng.randrange(min(HAND_LIMIT, len(cards)) + 1)
        deck = rng.randrange(len(cards) - hand + 1)
    killer.hand, rest = cards[:hand], cards[hand:]
    killer.deck = [rest[:deck].count(card) for card in range(len(killer.deck))]
    killer.deck_size, killer.spent = deck, tuple(rest[deck:])


def _other_skills(state: Whisper, side: str, rng: Random, known: Sequence[int] = ()) -> None:
    """Deals the skills of one side anew, as many as were dealt and kept, but for survivors who are known."""
    pool = [
        skill
        for skill, card in enumerate(state.box.skills)
        if card.side == side
        and not any(trigger == "main_move" for trigger, _ in card.triggers)
        and not any(state.team[i].skills >> skill & 1 for i in known)
    ]
    rng.shuffle(pool)
    fixed = ~sum(1 << skill for skill in pool)

    def redeal(mask: int) -> int:
        return mask & fixed | sum(1 << pool.pop() for _ in range((mask & ~fixed).bit_count()))

    for skill in pool:
        state.skills_used &= ~(1 << skill)
    if side == "killer":
        state.killer.skills = redeal(state.killer.skills)
    else:
        for i, survivor in enumerate(state.team):
            if i not in known:
                state.change(i, skills=redeal(survivor.skills))
    is_killers = state.todo[-1][0] == "training" or state.todo[-1] == ("learning", NOBODY)
    if is_killers == (side == "killer"):
        state.skills_dealt = tuple(
            skill if fixed >> skill & 1 else pool.pop() for skill in state.skills_dealt
        )
    state.gather_mods()


def _other_weapon(state: Whisper, rng: Random) -> None:
    """Whether a defender without an item uses the secret weapon is the survivors' own affair."""
    fight = state.fight
    if state.todo[-1][0] == "rolling" and fight.guards in (-1, WEAPON_THING):
        bare = fight.defence - weapon_bonus(state)
        state.fight = fight._replace(guards=rng.choice((-1, WEAPON_THING)))
        state.fight = state.fight._replace(defence=bare + weapon_bonus(state))


# The team's secrets -----------------------------------------------------------------------------


def _hide_team(state: Whisper, rng: Random) -> None:
    if state.todo[-1][0] == "choose":
        if state.cast and not state.setup.cast:
            state.cast = rng.choice(CASTS)
        return
    if not state.round:
        if state.setup.skills is not None:
            _other_skills(state, "survivor", rng)
        if state.plan.dealt:
            state.plan = PlanTrack(tuple(rng.sample(range(len(PLANS)), len(state.plan.dealt))))
        return
    _other_places(state, rng)
    _restart_turn(state, rng)
    _other_bags(state, list(range(IN_PLAY)), rng)
    keys = sorted(survivor.keys for survivor in state.team)
    rng.shuffle(keys)
    for i, n in enumerate(keys):
        state.change(i, keys=n)
    if state.house.rescue < 0:
        state.house.gears = rng.randrange(GEARS)
    state.house.repaired = rng.random() < 0.5
    state.house.trap = rng.randrange(-1, N)
    if not state.killer_turn:
        state.house.pending = rng.getrandbits(N)
        state.house.cracker_set = rng.random() < 0.2
    if state.setup.skills is not None:
        _other_weapon(state, rng)
        _other_skills(state, "survivor", rng)
    if state.setup.plans:
        state.plan = PlanTrack(tuple(rng.sample(range(len(PLANS)), PLANS_DEALT)))
        state.gather_mods()


def _other_places(state: Whisper, rng: Random) -> None:
    """Puts the survivors elsewhere; those met in an encounter are known to be there."""
    if state.clues is not None:
        triples = list(cells_of(state.clues.now))
        cells = rng.choice(triples)
        places = [cells // (N * N), cells // N % N, cells % N]
    else:
        open_ = [cell for cell in range(N) if not state.fight.met or cell != state.killer.at]
        places = [rng.choice(open_) for _ in range(IN_PLAY)]
    for i in range(IN_PLAY):
        if state.team[i].fate == IN and not state.fight.met >> i & 1:
            state.stand(i, places[i])


def _restart_turn(state: Whisper, rng: Random) -> None:
    """Puts the survivors' turn back to where somebody is to act, if only they are at it."""
    names = {step[0] for step in state.todo}
    work = {"killer-turn", "to-report", "plan-check", "equipping", "unpacked", "pass-token", "find", "act"}
    if state.killer_turn or names - HIDDEN_STEPS - work:
        return
    state.todo = [("killer-turn",), ("to-report",), ("plan-check",), ("equipping",), ("pick",)]
    living = list(cells_of(state.living()))
    done = rng.sample(living, rng.randrange(len(living)))
    state.acted, state.active, state.main_done = sum(1 << i for i in done), -1, False
    state.stock.pile += state.stock.drawn
    state.stock.drawn = ()


def _other_bags(state: Whisper, whose: list[int], rng: Random, *, keep_sizes: bool = False) -> None:
    """Deals the items of some survivors, the equipment deck and the discard pile anew; keys stay.

    Where inventories are private among survivors, how much each holds and the discard pile are known.
    """
    stock = state.stock
    start = {item for who in state.cast for item in state.box.survivors[who].start}
    deck = [item for item, n in enumerate(stock.equipment) for _ in range(n) if item != KEY]
    held = [item for i in whose for item in state.team[i].bag]
    loose = [] if keep_sizes else [item for item in stock.pile if item != KEY]
    fixed = sorted(item for item in (*held, *loose) if item in start)
    cards = sorted(item for item in (*deck, *held, *loose) if item not in start)
    rng.shuffle(cards)
    n = len(deck)
    keys = [KEY] * stock.equipment[KEY]
    stock.equipment = tuple((cards[:n] + keys).count(item) for item in range(len(stock.equipment)))
    rest = [*fixed, *cards[n:]]
    rng.shuffle(rest)
    for i in whose:
        size = len(state.team[i].bag) if keep_sizes else rng.randrange(state.slots(i) + 1)
        state.change(i, bag=tuple(rest[:size]))
        rest = rest[size:]
    if not keep_sizes:
        stock.pile = (*(item for item in stock.pile if item == KEY), *rest)


def _hide_others(state: Whisper, me: int, rng: Random) -> None:
    """Variant 2: what the other survivors draw, and hold where that is agreed to be private."""
    if state.todo[-1][0] in ("choose", "learning", "mastery") or not state.round:
        return
    name, *facts = state.todo[-1]
    if name in ("drawn", "hush", "unpacking") and facts[0] != me and state.stock.drawn:
        state.stock.equipment = _other_draw(state, state.stock.equipment, rng)
    elif name == "found" and facts[0] != me:
        state.stock.search = _other_draw(state, state.stock.search, rng)
    if state.setup.private:
        others = [i for i in range(IN_PLAY) if i != me and state.team[i].fate != DEAD]
        offered = name == "agree" and facts[0] == me and facts[2] in state.team[facts[1]].bag
        if offered:
            state.give_up(facts[1], facts[2])
        _other_bags(state, others, rng, keep_sizes=True)
        if offered:
            state.hold(facts[1], facts[2])
        if state.setup.skills is not None:
            _other_skills(state, "survivor", rng, [i for i in range(IN_PLAY) if i not in others])


def _other_draw(state: Whisper, deck: tuple[int, ...], rng: Random) -> tuple[int, ...]:
    """Exchanges the cards just drawn for others of the deck that are as loud; returns what is left of it."""
    left = list(deck)
    drawn = list(state.stock.drawn)
    louds = [state.box.items[item].noisy for item in drawn]
    for item in drawn:
        left[item] += 1
    for place, loud in enumerate(louds):
        same = [item for item, n in enumerate(left) if n and state.box.items[item].noisy == loud]
        drawn[place] = rng.choice(same)
        left[drawn[place]] -= 1
    state.stock.drawn = tuple(drawn)
    return tuple(left)
