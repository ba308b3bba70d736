"""States that look the same to a viewer, for proving that nothing leaks.

What a viewer may know is said here once more, from the rules alone: a mistake in `view.py` is not repeated.
"""

from __future__ import annotations

from random import Random

from companion.engine.action import Viewer
from companion.games.dark_cave import pieces
from companion.games.dark_cave.agenda import DarkCave
from companion.games.dark_cave.cards import CARDS
from companion.games.dark_cave.ending import sides_out
from companion.games.dark_cave.position import HIDDEN, replaced


def disguise(state: DarkCave, viewer: Viewer, rng: Random) -> DarkCave:
    """Deals anew whatever the viewer cannot see: hands, discards, goals others saw, clan cards."""
    other = state.copy()
    if state.settings.digital:
        _deal_anew(other, viewer, rng)
        _lay_goals_anew(other, viewer, rng)
    if state.settings.digital_clans and state.result is None:
        _deal_clans_anew(other, viewer, rng)
    return other


def _deal_anew(state: DarkCave, viewer: Viewer, rng: Random) -> None:
    """All hands but the viewer's, the discards, the deck and the box, by level (DC-HID-01 to DC-HID-03)."""
    hidden = [seat for seat in range(state.settings.players) if seat != viewer]
    for level in range(3):
        pool, first = state.pools[level].copy(), CARDS.first[level]
        state.pools[level] = pool
        kinds = range(first, CARDS.first[level + 1])
        unseen = [kind for kind in kinds for _ in range(pool.counts[kind - first] + state.discards[kind])]
        discarded = sum(state.discards[kind] for kind in kinds)
        for seat in hidden:
            unseen += [kind for kind in state.hands[seat] if CARDS.level[kind] == level]
        unseen.sort()
        rng.shuffle(unseen)
        for seat in hidden:
            keep = [kind for kind in state.hands[seat] if CARDS.level[kind] != level]
            while len(keep) < len(state.hands[seat]):
                keep.append(unseen.pop())
            state.hands[seat] = tuple(sorted(keep))
        for kind in kinds:
            state.discards[kind] = 0
        for _ in range(discarded):
            state.discards[unseen.pop()] += 1
        pool.counts = [unseen.count(kind) for kind in kinds]


def _lay_goals_anew(state: DarkCave, viewer: Viewer, rng: Random) -> None:
    """The face-down goals that others have looked at (DC-HID-05)."""
    name, *facts = state.pending()
    hidden = [
        i
        for i in range(4)
        if state.goal_at[i] != HIDDEN
        and state.goal_cells[i] in state.cave.closed
        and not (name == "fit" and facts[1] == i)
        and viewer not in state.goal_seen[i]
    ]
    free = [goal for goal in range(4) if goal not in state.goal_at]
    free = sorted((*free, *(state.goal_at[i] for i in hidden)))
    rng.shuffle(free)
    for i in hidden:
        state.goal_at = replaced(state.goal_at, i, free.pop())


def _deal_clans_anew(state: DarkCave, viewer: Viewer, rng: Random) -> None:
    """The face-down clan cards of others within each colour, with those set aside (DC-CLAN-02, DC-EXIT-06).

    Who is out is open, so a deal that would have ended the game already is dealt again; the true one would
    not have, so one is found.
    """
    sees_aside = state.left[:1] == (viewer,)
    identity, clan_left, announcements = state.identity, state.clan_left, sides_out(state)
    while True:
        for clan in range(2):
            _deal_clan_anew(state, clan, viewer, sees_aside, rng)
        if sides_out(state) == announcements:
            return
        state.identity, state.clan_left = identity, clan_left


def _deal_clan_anew(state: DarkCave, clan: int, viewer: Viewer, sees_aside: bool, rng: Random) -> None:
    seats = [
        seat
        for seat in range(state.settings.players)
        if state.colours[seat] == clan
        and seat != viewer
        and seat not in state.opened
        and viewer not in state.clan_seen[seat]
    ]
    kinds = (pieces.LOYAL, pieces.SABOTEUR)
    cards = [state.identity[seat] for seat in seats]
    if not sees_aside:
        cards += [i for i in kinds for _ in range(state.clan_left[pieces.clan_card(clan, i)])]
    cards.sort()
    rng.shuffle(cards)
    for seat in seats:
        state.identity = replaced(state.identity, seat, cards.pop())
    if not sees_aside:
        for i in kinds:
            state.clan_left = replaced(state.clan_left, pieces.clan_card(clan, i), cards.count(i))
