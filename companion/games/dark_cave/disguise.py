"""States that look the same to a viewer, for proving that nothing leaks.

What a viewer may know is said here once more, from the rules alone: a mistake in `view.py` is not repeated.
"""

from __future__ import annotations

from random import Random

from companion.engine.action import Viewer
from companion.games.dark_cave.position import CARDS, FIT, HIDDEN
from companion.games.dark_cave.rules import DarkCave


def disguise(state: DarkCave, viewer: Viewer, rng: Random) -> DarkCave:
    """Deals anew whatever the viewer cannot see: hands, discards, goals others saw, clan cards."""
    other = state.copy()
    if state.settings.digital:
        _deal_anew(other, viewer, rng)
        _lay_goals_anew(other, viewer, rng)
    if state.settings.digital_clans and not state.is_over():
        _deal_clans_anew(other, viewer, rng)
    return other


def _deal_anew(state: DarkCave, viewer: Viewer, rng: Random) -> None:
    """All hands but the viewer's, the discards, the deck and the box, by level (DC-HID-01 to DC-HID-03)."""
    hidden = [seat for seat in range(state.settings.players) if seat != viewer]
    for level in range(3):
        pool, first = state.pools[level], CARDS.first[level]
        kinds = range(first, CARDS.first[level + 1])
        unseen = [kind for kind in kinds for _ in range(pool.counts[kind - first] + state.discards[kind])]
        discarded = sum(state.discards[kind] for kind in kinds)
        for seat in hidden:
            unseen += [kind for kind in state.hands[seat] if CARDS.level[kind] == level]
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
    code, shown, _ = state.todo[-1]
    hidden = [
        i
        for i in range(4)
        if state.goal_at[i] != HIDDEN
        and state.goal_cells[i] in state.cave.closed
        and not (code == FIT and shown == i)
        and not (viewer >= 0 and state.goal_seen[i] >> viewer & 1)
    ]
    free = [goal for goal in range(4) if goal not in state.goal_at]
    free += [state.goal_at[i] for i in hidden]
    rng.shuffle(free)
    for i in hidden:
        state.goal_at[i] = free.pop()


def _deal_clans_anew(state: DarkCave, viewer: Viewer, rng: Random) -> None:
    """The face-down clan cards of others within each colour, with those set aside (DC-CLAN-02, DC-EXIT-06).

    Who is out is open, so a deal that would have ended the game already is dealt again.
    """
    sees_aside = bool(state.left) and state.left[0] == viewer
    identity, clan_left, announcements = state.identity[:], state.clan_left[:], state.sides_out()
    for _ in range(20):
        for clan in range(2):
            seats = [
                seat
                for seat in range(state.settings.players)
                if state.colours[seat] == clan
                and seat != viewer
                and not state.opened >> seat & 1
                and not (viewer >= 0 and state.clan_seen[seat] >> viewer & 1)
            ]
            cards = [state.identity[seat] for seat in seats]
            if not sees_aside:
                cards += [i for i in range(2) for _ in range(state.clan_left[2 * clan + i])]
            rng.shuffle(cards)
            for seat in seats:
                state.identity[seat] = cards.pop()
            if not sees_aside:
                state.clan_left[2 * clan : 2 * clan + 2] = [cards.count(0), cards.count(1)]
        if state.sides_out() == announcements:
            return
        state.identity, state.clan_left = identity[:], clan_left[:]
