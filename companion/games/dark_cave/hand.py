"""Hands: cards that are drawn, shown, thrown away, and lost to a rat or on a bridge."""

from __future__ import annotations

from bisect import insort
from functools import cache
from operator import getitem

from companion.engine.action import Action, Seat
from companion.engine.state import Event, Refusal
from companion.games.dark_cave import pieces
from companion.games.dark_cave.position import ALONE, Position
from companion.games.dark_cave.spread import no
from companion.games.dark_cave.verbs import LOSE, PICK

# Phase 3: drawing ------------------------------------------------------------------------------


def refill(state: Position, events: list[Event], seat: Seat) -> None:
    """Draws a card, if the deck has any (DC-DRAW-01 to DC-DRAW-04)."""
    level = state.deck_level()
    if level >= 0:
        state.todo.append(_DRAW[seat][level])


def can_draw(state: Position, seat: Seat, kind: int) -> Refusal | None:
    level, cards = state.todo[-1][2], state.cards
    if cards.level[kind] != level:
        return no("wrong-level", "DC-HID-02")
    is_known = kind < cards.unknown
    if is_known != state.settings.digital:
        return no("not-drawn", "DC-INV-01")
    if is_known and not state.pools[level].counts[kind - cards.first[level]]:
        return no("not-drawn", "DC-INV-01")
    return None


def do_draw(state: Position, seat: Seat, kind: int) -> list[Event]:
    """A card goes from the deck to a hand; all see its back, its owner the front (DC-HID-01)."""
    _, owner, level = state.todo.pop()
    give(state, owner, kind)
    events = [_drew(owner, level)]
    if kind < state.cards.unknown:
        events.append(_got(owner, state.cards.names[kind]))
    return events


def draws(state: Position, seat: Seat, level: int) -> list[tuple[Action, int]]:
    """What the top card can be, each action with the number left; of real cards the back."""
    found = state.drawable.get(level)
    if found is None:
        if not state.settings.digital:
            return [(state.cards.draws_unseen[level], 1)]
        first = state.cards.first[level]
        pairs = map(getitem, state.cards.draws[first:], state.pools[level].counts)
        found = state.drawable[level] = {i: draw for i, draw in enumerate(pairs) if draw is not None}
    return list(found.values())


def give(state: Position, seat: Seat, kind: int) -> None:
    """Adds a drawn card to a hand and takes it from the deck."""
    cards = state.cards
    level = cards.level[kind]
    pool = state.pools[level] = state.pools[level].copy()
    if kind >= cards.unknown:
        pool.take_unseen()
    else:
        i = kind - cards.first[level]
        pool.take(i)
        drawable = state.drawable.get(level)
        if drawable is not None:
            left = cards.draws[kind][pool.counts[i]]
            if left is None:
                del drawable[i]
            else:
                drawable[i] = left
    hand = list(state.hands[seat])
    insort(hand, kind)
    state.hands[seat] = tuple(hand)


# Showing and throwing away ---------------------------------------------------------------------


def why_not_held(state: Position, seat: Seat, kind: int) -> Refusal | None:
    """Why a seat cannot show this card, or None: it holds it, or may hold it as far as anybody knows."""
    cards, hand = state.cards, state.hands[seat]
    if kind >= cards.unknown:
        return no("unknown-card", "DC-ACT-01")
    if state.settings.digital:
        return None if kind in hand else no("not-in-hand", "DC-TURN-02")
    level = cards.level[kind]
    if cards.unknown + level not in hand:
        return no("not-in-hand", "DC-HID-01")
    if not state.pools[level].counts[kind - cards.first[level]]:
        return no("not-drawn", "DC-INV-01")
    return None


def why_not_deed(state: Position, seat: Seat, kind: int, deed: str) -> Refusal | None:
    """Why a seat cannot play this card as that deed, or None."""
    if kind < state.cards.unknown and state.cards.deed[kind] != deed:
        return no("other-card", "DC-ACT-05")
    return why_not_held(state, seat, kind)


def play(state: Position, seat: Seat, kind: int, drawer: Seat | None = None) -> Event:
    """Shows an action card to all (DC-ACT-01); its player draws for it, or somebody else."""
    show(state, seat, kind)
    after_play(state, seat, seat if drawer is None else drawer, 1)
    return _played(seat, state.cards.names[kind])


def show(state: Position, seat: Seat, kind: int) -> None:
    """Takes a card out of a hand, in the sight of all."""
    if state.settings.digital:
        _give_up(state, seat, kind)
    else:
        level = state.cards.level[kind]
        _give_up(state, seat, state.cards.unknown + level)
        pool = state.pools[level] = state.pools[level].copy()
        pool.show(kind - state.cards.first[level])


def after_play(state: Position, seat: Seat, drawer: Seat, n: int) -> None:
    """Phase 1 is over: the dwarf may move, then somebody draws as many cards (DC-TURN-01)."""
    state.todo[-1:] = _REFILL[drawer][n]
    state.todo.append(_SET_OUT[seat])


def throw_away(state: Position, seat: Seat, kind: int) -> None:
    """Puts a hand card on the discard pile, face down and unseen."""
    _give_up(state, seat, kind)
    state.discards[kind] += 1


def _give_up(state: Position, seat: Seat, kind: int) -> None:
    hand = list(state.hands[seat])
    hand.remove(kind)
    state.hands[seat] = tuple(hand)


# A card is lost --------------------------------------------------------------------------------


def rob(state: Position, events: list[Event], victim: Seat) -> None:
    """A seat loses a random card: of a dealt hand the left neighbour picks one (DC-RAT-02, DC-BRI-04)."""
    if state.settings.digital and len(state.hands[victim]) > 1:
        state.push(("pick", (victim + 1) % state.settings.players, victim))
    elif state.hands[victim]:
        state.push(("lose", victim, 0))


def can_pick(state: Position, seat: Seat, card: int) -> Refusal | None:
    if card < len(state.hands[state.todo[-1][2]]):
        return None
    return no("no-such-card", "DC-BOOK-06")


def do_pick(state: Position, seat: Seat, card: int) -> list[Event]:
    """The left neighbour picks a card by its place in the hand, seeing the backs alone (DC-BRI-04).

    The backs are told apart by level only, so which card of that level it is, chance says.
    """
    _, _, victim = state.take()
    level = state.cards.level[state.hands[victim][card]] + 1
    state.push(("lose", victim, level))
    return [Event("picked", {"seat": seat, "other_seat": victim, "level": level})]


def list_pick(state: Position, seat: Seat, picker: Seat, victim: Seat) -> list[Action]:
    return PICK[: len(state.hands[victim])]


def can_lose(state: Position, seat: Seat, kind: int) -> Refusal | None:
    _, victim, back = state.todo[-1]
    possible = [action.args for action, _ in losses(state, victim, back)]
    return None if (kind,) in possible else no("not-drawn", "DC-INV-07")


def do_lose(state: Position, seat: Seat, kind: int) -> list[Event]:
    """A random hand card goes face down on the discard pile; only its owner can tell which it was."""
    _, victim, _ = state.take()
    throw_away(state, victim, kind)
    events = [Event("card-lost", {"seat": victim, "level": state.cards.level[kind] + 1})]
    if kind < state.cards.unknown:
        events.append(Event("missed", {"seat": victim, "card": state.cards.names[kind]}, ALONE[victim]))
    return events


def losses(state: Position, victim: Seat, back: int) -> list[tuple[Action, int]]:
    """The hand cards that can be lost, each with its number; of one that was picked the back is known."""
    hand, levels = state.hands[victim], state.cards.level
    kinds = [kind for kind in dict.fromkeys(hand) if not back or levels[kind] + 1 == back]
    return [(LOSE[kind], hand.count(kind)) for kind in kinds]


# The events and steps of every turn, made once each: nobody changes them ----------------------------


@cache
def _drew(seat: Seat, level: int) -> Event:
    return Event("drew", {"seat": seat, "level": level + 1})


@cache
def _got(seat: Seat, card: str) -> Event:
    return Event("got", {"seat": seat, "card": card}, ALONE[seat])


@cache
def _played(seat: Seat, card: str) -> Event:
    return Event("played", {"seat": seat, "card": card})


_SEATS = range(pieces.MAX_PLAYERS)
_DRAW = [[("draw", seat, level) for level in range(3)] for seat in _SEATS]
_REFILL = [[[("refill", seat)] * n for n in range(3)] for seat in _SEATS]
_SET_OUT = [("set-out", seat) for seat in _SEATS]
