"""Squads: who goes with an instructor, for march, `auto`, forecast and traps alike (BB-CMD-24…30).

When an instructor moves, all unmoved skeletons of his cell become his squad. From then on they are his as
long as he lives: nobody moves them one by one, and no trap and no weapon parts them. A board keeps a squad
under the kind of its instructor, as the kinds that follow him; members share his place, facing and status.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from companion.games.bad_bones.field import Field
from companion.games.bad_bones.pieces import FIELD, INSTRUCTOR
from companion.games.bad_bones.printed import ABILITY
from companion.games.bad_bones.tokens import KIND_OF, PLACE_OF, READY, STATUS_OF, like

Held = Counter[int]


def _members(field: Field, leader: int) -> Held:
    """The tokens that an instructor holds, each with its number."""
    return Counter(like(leader, kind) for kind in field.squads.get(KIND_OF[leader], ()))


def _leaders(field: Field) -> list[int]:
    return [skeleton for skeleton in field.tokens if KIND_OF[skeleton] in field.squads]


def is_led(field: Field, skeleton: int) -> bool:
    """Says whether every skeleton like this one belongs to a squad that another one leads (BB-CMD-29)."""
    if not field.squads:
        return False
    held = sum(_members(field, leader)[skeleton] for leader in _leaders(field))
    return held > 0 and held >= field.tokens.count(skeleton)


def squad(field: Field, skeleton: int) -> tuple[int, ...]:
    """Those who move when this one is told to, itself first: an instructor takes along all unmoved skeletons
    of his cell (BB-CMD-24), and out of the forest those who are his already (BB-BOOK-03).
    """
    if ABILITY[KIND_OF[skeleton]] != INSTRUCTOR:
        return (skeleton,)
    if PLACE_OF[skeleton] >= FIELD:
        return (skeleton, *sorted(_members(field, skeleton).elements()))
    rest = [other for other in field.on(PLACE_OF[skeleton]) if STATUS_OF[other] == READY]
    rest.remove(skeleton)
    return (skeleton, *sorted(rest))


def chiefs(field: Field, skeletons: Iterable[int]) -> list[int]:
    """The instructors among skeletons whom nobody leads."""
    return [one for one in skeletons if ABILITY[KIND_OF[one]] == INSTRUCTOR and not is_led(field, one)]


def company(field: Field, skeleton: int) -> tuple[int, ...]:
    """The group in which an unmoved skeleton goes unless its owner moves it first (BB-BOOK-02)."""
    for leader in chiefs(field, sorted(field.on(PLACE_OF[skeleton]))):
        if STATUS_OF[leader] == READY:
            group = squad(field, leader)
            if skeleton in group:
                return group
    return (skeleton,)


def form(field: Field, kinds: list[int]) -> None:
    """Notes that these stand together after a move, the one who led them first (BB-CMD-24, -29)."""
    squads = {leader: followers for leader, followers in field.squads.items() if leader not in kinds}
    if len(kinds) > 1 and ABILITY[kinds[0]] == INSTRUCTOR:
        squads[kinds[0]] = tuple(kinds[1:])
    field.squads = squads


def mend(field: Field) -> None:
    """Forgets who is no longer there; without its instructor a squad is none (BB-CMD-27, -28)."""
    if not field.squads:
        return
    present = Counter(field.tokens)
    squads = {}
    for leader in _leaders(field):
        followers = _members(field, leader) & present
        if followers:
            squads[KIND_OF[leader]] = tuple(sorted(KIND_OF[s] for s in followers.elements()))
    field.squads = squads
