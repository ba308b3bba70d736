"""What each viewer of Onirim may know, and states that look the same to a viewer.

Solo, one person sees all there is to see, so the public view is that person's. With two players in silent
play personal cards, a Prophecy and what it showed belong to one player.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.engine.action import Viewer
from companion.engine.game import View, shared_view
from companion.games.onirim.agenda import Onirim
from companion.games.onirim.pieces import CARDS, COLOUR, HALLS, NIGHTMARE
from companion.games.onirim.position import run_length


def view(state: Onirim, viewer: Viewer) -> View:
    """Builds what the viewer may know."""
    seen = shared_view("onirim", state)
    sees = [_sees(state, viewer, seat) for seat in range(state.players)]
    sees_looked = sees[state.seat]
    seen |= {
        "phase": state.phase(),
        "turn": state.turn,
        "seat": state.seat,
        "players": state.players,
        "deck": state.deck.size,
        "rows": [_names(row) for row in state.rows],
        "runs": [run_length(row) for row in state.rows],
        "doors": [state.doors[4 * seat : 4 * seat + 4] for seat in range(state.players)],
        "limbo": _names(state.limbo),
        "discard": _names(state.discard),
        "shared": _names(state.shared),
        "display": _names(state.display),
        "hands": [
            {
                "cards": _names(state.hands[seat]) if sees[seat] else None,
                "n": len(state.hands[seat]) + state.unseen[seat],
                "unseen": state.unseen[seat] if sees[seat] else None,
            }
            for seat in range(state.players)
        ],
        "looked": {"n": len(state.looked), "cards": _names(state.looked) if sees_looked else None},
        "known": _names(state.deck.known) if sees[state.seer] else [],
        "drawn": _names(state.drawn),
        "busy": CARDS[state.busy] if state.busy >= 0 else "",
        "left": _left(state, sees, sees_looked),
        "unwinnable": state.is_unwinnable(),
        "second_door": _is_second_door(state),
    }
    return seen


def _sees(state: Onirim, viewer: Viewer, seat: int) -> bool:
    """Says whether the viewer sees what belongs to a seat (ON-VAR-02 to -04, ON-2P-25).

    What the companion knows of hands that it only counts was picked or exchanged in the open.
    """
    return state.is_open or state.unseen_hands or state.result is not None or viewer == seat


def _left(state: Onirim, sees: Sequence[bool], sees_looked: bool) -> dict[str, int]:
    """Counts the cards that the viewer has not seen: in the deck, or in a hand that is hidden."""
    counts = state.deck.counts[:]
    for seat, cards in enumerate(state.hands):
        if not sees[seat]:
            for card in cards:
                counts[card] += 1
    if not sees_looked:
        for card in state.looked:
            counts[card] += 1
    return {CARDS[kind]: n for kind, n in enumerate(counts)}


def _is_second_door(state: Onirim) -> bool:
    """ON-2P-21: warns before a player gains a second Door of one colour."""
    phase = state.phase()
    if state.players == 1 or phase not in ("search", "door"):
        return False
    colour = COLOUR[state.busy if phase == "door" else state.rows[state.seat][-1]]
    return state.doors[4 * state.seat + colour] > 0


def _names(cards: Sequence[int]) -> list[str]:
    return [CARDS[card] for card in cards]


def disguise(state: Onirim, viewer: Viewer, rng: Random) -> Onirim:
    """Deals anew what the viewer cannot see: hidden hands, a Prophecy of the partner's, what it told."""
    other = state.copy()
    hidden = [seat for seat in range(state.players) if not _sees(state, viewer, seat)]
    deck = other.deck
    for seat in hidden:
        for card in other.hands[seat]:
            deck.counts[card] += 1
    is_looked_hidden = state.seat in hidden
    if is_looked_hidden:
        for card in other.looked:
            deck.counts[card] += 1
    is_top_hidden = state.seer in hidden
    kept = [] if is_top_hidden else deck.known
    rest = [card for card in range(NIGHTMARE + 1) for _ in range(deck.counts[card] - kept.count(card))]
    rng.shuffle(rest)
    # Hands hold Labyrinth cards only, so they choose before a Prophecy takes whatever is left.
    rest.sort(key=lambda card: card >= HALLS)
    for seat in hidden:
        n = len(other.hands[seat])
        other.hands[seat], rest = tuple(rest[:n]), rest[n:]
    rng.shuffle(rest)
    if is_looked_hidden:
        n = len(other.looked)
        other.looked, rest = tuple(rest[:n]), rest[n:]
    deck.counts = [(rest + kept).count(card) for card in range(NIGHTMARE + 1)]
    if is_top_hidden:
        deck.known = rest[: len(deck.known)]
    return other
