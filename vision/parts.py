"""Where boards lie that each have a pose of their own, by the two marker cards at the edges of each.

All cards in view are surveyed together, which gives the plane and its scale; a board then lies where its two
cards say. What cannot be is said in a sentence: a board without cards, cards that do not lie at its edges,
boards that do not lie around the table in the order of the seats, boards of players who do not play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from companion.engine.bare import bare
from companion.engine.errors import DeviceError
from companion.engine.layout import At, Board, Part, Place
from companion.engine.marker_cards import CARDS, CardPlace, among, card_of
from companion.engine.parts import around_the_table, cards_at, laid_card, lay
from vision.card_survey import cards_at as cards_seen
from vision.card_survey import solve_cards
from vision.images import Doubles
from vision.pose import Lens, fit_pose, rigid

OFF_MM = 8.0
"""A card whose corners are further from where they should be, on the average, does not lie at the edge."""


def lay_by_cards(
    board: Board, corners: Mapping[int, Doubles], width: int, height: int, lens: Lens | None
) -> Board:
    """The board with its parts where the cards in a picture say; raises `DeviceError` where they cannot.

    Of a part of which one card is covered the other tells.
    """
    cards = _surveyed(board, corners, width, height, lens)
    _demand_known_boards(board, cards)
    own = [part for part in board.parts if part.cards]
    found = {part.name: _place(part, cards) for part in own}
    ring = around_the_table([part._replace(at=found[part.name]) for part in own])
    if len(own) > 2 and ring != list(range(len(own))):
        raise DeviceError(_wrong_order([own[i] for i in ring]))
    # The millimetres of the table stay where they were as well as they can.
    seen = np.concatenate([_corners(part, found[part.name]) for part in own])
    x, y, angle = rigid(seen, np.concatenate([_corners(part, part.at) for part in own]))
    way = At(float(x), float(y), float(np.degrees(angle)))
    poses = [found[part.name].then(way) if part.cards else part.at for part in board.parts]
    hidden = [
        laid_card(card, at)
        for part, at in zip(board.parts, poses, strict=True)
        for card in cards_at(part)
        if card.number not in cards
    ]
    return lay(board, poses, [*(laid_card(card, way) for card in cards.values()), *hidden])


def lay_bare(
    board: Board, corners: Mapping[int, Doubles], width: int, height: int, lens: Lens | None
) -> Board:
    """A board of loose cards on the table that the marker cards in a picture tell.

    Its middle is put in the middle of the picture: where its cards really lie is seen later. The marker card
    with the lowest number lies upright as they do, to the nearest quarter turn.
    """
    cards = solve_cards([dict(corners)], width, height, lens).cards
    area = Place("table", 0.0, 0.0, board.width, board.height)
    pose = fit_pose(among(Board("table", 1.0, 1.0, (area,), (), ()), cards), corners, width, height, lens)
    if pose is None:
        raise DeviceError("The marker cards do not agree: press them flat, keep camera and table still.")
    middle = np.array([width, height]) / 2
    left, right, (x, y) = pose.millimetres([middle * (0.5, 1), middle * (1.5, 1), middle])
    turn = float(np.degrees(np.arctan2(right[1] - left[1], right[0] - left[0])))
    turn += 90 * round((min(cards).turn - turn) / 90)
    upright = At(0.0, 0.0, -turn % 360)
    x, y = upright.point(float(x), float(y))
    way = upright.then(At(board.width / 2 - x, board.height / 2 - y))
    return bare(board, [laid_card(card, way) for card in cards])


def lay_bare_again(
    board: Board, corners: Mapping[int, Doubles], width: int, height: int, lens: Lens | None
) -> Board:
    """A board on a bare table whose marker cards lie otherwise now; its millimetres stay where they were."""
    laid = lay_bare(board, corners, width, height, lens)
    before = {marker.id: marker.middle() for marker in board.markers}
    both = [marker for marker in laid.markers if marker.id in before]
    if len({card_of(marker.id) for marker in both}) < 2:
        return laid
    now = np.array([marker.middle() for marker in both])
    x, y, angle = rigid(now, np.array([before[marker.id] for marker in both]))
    way = At(float(x), float(y), float(np.degrees(angle)))
    cards = cards_seen({marker.id: np.array(marker.corners()) for marker in laid.markers})
    return among(board, [laid_card(card, way) for card in cards])


def _surveyed(
    board: Board, corners: Mapping[int, Doubles], width: int, height: int, lens: Lens | None
) -> dict[int, CardPlace]:
    """The cards by number in millimetres of the table."""
    seen = {card_of(i) for i in corners} - {None}
    missing = [part for part in board.parts if part.cards and not seen.intersection(part.cards)]
    if missing:
        raise DeviceError(_not_seen(missing))
    return {card.number: card for card in solve_cards([dict(corners)], width, height, lens).cards}


def _place(part: Part, cards: Mapping[int, CardPlace]) -> At:
    """Where a part lies by its cards; raises `DeviceError` where they cannot lie at its edges."""
    at, off = _fit(part, cards)
    if off > OFF_MM:
        raise DeviceError(
            f"Cards {_pair(part)} do not lie at one board: lay {part.cards[0]} at its left edge, in line "
            f"with its upper corner, and {part.cards[1]} at its right edge, in line with its lower corner."
        )
    return at


def _fit(part: Part, cards: Mapping[int, CardPlace]) -> tuple[At, float]:
    """The pose of a part by its cards, and how far their corners are from where they should be."""
    own = [card for card in cards_at(part) if card.number in cards]
    should = np.concatenate([np.array(card.outline()) for card in own])
    seen = np.concatenate([np.array(cards[card.number].outline()) for card in own])
    x, y, angle = rigid(should, seen)
    at = At(float(x), float(y), float(np.degrees(angle) % 360))
    there = np.array([at.point(*corner) for corner in should])
    return at, float(np.linalg.norm(there - seen, axis=1).mean())


def _corners(part: Part, at: At) -> Doubles:
    return np.array(part._replace(at=at).corners())


def _demand_known_boards(board: Board, cards: Mapping[int, CardPlace]) -> None:
    """Raises `DeviceError` where two cards lie as at a board of a player who is not in the game."""
    own = [part for part in board.parts if part.cards]
    for left in range(1 + max(number for part in own for number in part.cards), CARDS, 2):
        if left in cards and left + 1 in cards:
            other = own[0]._replace(cards=(left, left + 1))
            if _fit(other, cards)[1] <= OFF_MM:
                raise DeviceError(
                    f"There is one board more than players: cards {_pair(other)} lie at it, but this game "
                    f"has {len(own)}. Take it away with its cards, or choose the number of players anew."
                )


def _not_seen(missing: Sequence[Part]) -> str:
    part = missing[0]
    more = "" if len(missing) == 1 else f", nor those of {len(missing) - 1} more"
    return (
        f"The board with cards {_pair(part)} is not seen{more}: lay card {part.cards[0]} at its left edge "
        f"and {part.cards[1]} at its right edge, both wholly in the picture, or choose the number of players "
        f"anew."
    )


def _wrong_order(ring: Sequence[Part]) -> str:
    names = ", then ".join(_pair(part) for part in ring)
    return (
        f"Clockwise around the table lie the boards with cards {names}; but left of every player sits the "
        f"next one: let the players or the cards change places."
    )


def _pair(part: Part) -> str:
    return " and ".join(map(str, part.cards))
