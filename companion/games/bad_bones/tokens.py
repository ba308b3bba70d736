"""A skeleton token as one number: place, kind, facing and status. No other module knows how they are packed.

Sorting a list of tokens gives the default order of BB-MOVE-17. The face that a token shows follows from its
status: a ready one shows the colour of before the march, one that has moved (or will not move this round)
the colour of after it.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.bad_bones.pieces import COLOURS, DIRECTIONS, PLACES
from companion.games.bad_bones.printed import KIND_NAMES

READY, DONE, LATE = range(3)
"""To move this round; not to move (any more) this round; frozen after its move, so not next round either."""

_KINDS = 64
_TOKENS_OF_A_KIND = 16
_FACING_BITS, _STATUS_BITS = 12, 3

# Looking into a tuple is faster than shifting and masking.
PLACE_OF = tuple(b"".join(bytes((place,)) * (_KINDS * _TOKENS_OF_A_KIND) for place in range(PLACES)))
KIND_OF = tuple(b"".join(bytes((kind,)) * _TOKENS_OF_A_KIND for kind in range(_KINDS)) * PLACES)
FACING_OF = tuple(b"".join(bytes((facing,)) * 4 for facing in range(4)) * (_KINDS * PLACES))
STATUS_OF = tuple(bytes(range(4)) * (4 * _KINDS * PLACES))


def token(place: int, kind: int, facing: int, status: int = READY) -> int:
    """Packs a skeleton.

    >>> skeleton = token(12, 3, 1, DONE)
    >>> PLACE_OF[skeleton], KIND_OF[skeleton], FACING_OF[skeleton], STATUS_OF[skeleton]
    (12, 3, 1, 1)
    """
    return place << 10 | kind << 4 | facing << 2 | status


def turned(skeleton: int, facing: int) -> int:
    """The same skeleton with another facing."""
    return skeleton & ~_FACING_BITS | facing << 2


def moved(skeleton: int, place: int) -> int:
    """The same skeleton on another place."""
    return token(place, KIND_OF[skeleton], FACING_OF[skeleton], STATUS_OF[skeleton])


def like(skeleton: int, kind: int) -> int:
    """A skeleton of another kind with the same place, facing and status."""
    return token(PLACE_OF[skeleton], kind, FACING_OF[skeleton], STATUS_OF[skeleton])


def frozen(skeleton: int) -> int:
    """An unmoved one skips this march, a moved one the next (BB-WEAPON-11, -12)."""
    return skeleton & ~_STATUS_BITS | (DONE if STATUS_OF[skeleton] == READY else LATE)


def rested(skeletons: Iterable[int]) -> list[int]:
    """The skeletons after a march: ready for the next one, unless frozen after their move (BB-WEAPON-12)."""
    return sorted([s & ~_STATUS_BITS | (STATUS_OF[s] == LATE) for s in skeletons])


def stopped(skeletons: Iterable[int]) -> list[int]:
    """The skeletons of a march that broke off: each shows the face that it showed, seen from the next one."""
    return sorted([s & ~_STATUS_BITS | (STATUS_OF[s] != DONE) for s in skeletons])


def face_of(skeleton: int, marching_to: int) -> int:
    """The colour that a token shows in a round whose march ends with `marching_to` (BB-MOVE-05, -06)."""
    return marching_to if STATUS_OF[skeleton] == DONE else 1 - marching_to


# As people write them ----------------------------------------------------------------------------

WORDS = tuple(
    (kind, facing, face)
    for kind in range(len(KIND_NAMES))
    for facing in range(len(DIRECTIONS))
    for face in range(len(COLOURS))
)
"""What each word for a token says: its kind, facing and face."""
SKELETON_WORDS = tuple(
    f"{KIND_NAMES[kind]}-{DIRECTIONS[facing]}-{COLOURS[face]}" for kind, facing, face in WORDS
)
_WORD = {said: word for word, said in enumerate(WORDS)}


def word_of(skeleton: int, marching_to: int) -> int:
    """The word for a token: what people see of it, but for its place."""
    return _WORD[KIND_OF[skeleton], FACING_OF[skeleton], face_of(skeleton, marching_to)]


def meant_by(place: int, word: int, marching_to: int) -> int:
    """The token that somebody names by its place and its word."""
    kind, facing, face = WORDS[word]
    return token(place, kind, facing, DONE if face == marching_to else READY)
