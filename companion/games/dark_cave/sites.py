"""Open sides and sites, packed into small numbers.

A *mask* has a bit per direction for an open side of a card. A *site* is an empty cell beside laid cards, with
two bits per side for what meets it there: `FREE`, `WALL`, `DEAD` or `LIVE`.
"""

from __future__ import annotations

FREE, WALL, DEAD, LIVE = range(4)
"""What meets a side of an empty cell: nothing, a wall, an open side cut off, one joined to the entrance."""

SIDES_OF = tuple(tuple(d for d in range(4) if mask >> d & 1) for mask in range(16))
"""The directions of a mask."""
MEETS = tuple(tuple(site >> 2 * d & 3 for d in range(4)) for site in range(256))
"""What meets each side of a site."""
LIVE_SIDES = tuple(tuple(d for d in range(4) if meets[d] == LIVE) for meets in MEETS)
"""The sides of a site that are joined to the entrance."""
DEAD_SIDES = tuple(sum(1 << d for d in range(4) if meets[d] == DEAD) for meets in MEETS)
"""The sides of a site that are open but cut off, as a mask."""
MARKS = tuple(
    tuple(
        tuple((LIVE if live >> d & 1 else DEAD if mask >> d & 1 else WALL) << 2 * (d ^ 2) for d in range(4))
        for live in range(16)
    )
    for mask in range(16)
)
"""`MARKS[mask][live]`: what a card with these open sides, and these joined to the entrance, adds to the four
sites beside it."""


def cleared(site: int, d: int) -> int:
    """The site when nothing meets that side any more."""
    return site & ~(3 << 2 * d)


def fits(mask: int, site: int, by_ladder: int) -> bool:
    """Says whether a card with these open sides agrees with its neighbours and is joined to the entrance.

    The sides of `by_ladder` are joined by the card's own ladder: a tunnel that meets them is enough.
    """
    live = False
    for d, meets in enumerate(MEETS[site]):
        if meets != FREE and mask >> d & 1 != (meets != WALL):
            return False
        live = live or meets == LIVE or (meets == DEAD and bool(by_ladder >> d & 1))
    return live
