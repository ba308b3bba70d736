"""The verbs of Onirim and their actions, made once."""

from __future__ import annotations

from companion.engine.action import Action, Verb, Words
from companion.games.onirim.pieces import CARDS, HALLS, NIGHTMARE

CARD = Words("card", CARDS)
_PLACE = Words("place", ("shared",))
_OWNER = Words("owner", ("partner",))
FROM_SHARED = 0

VERBS = {
    "shuffle": Verb(),
    "draw": Verb(CARD),
    "draw-unseen": Verb(),
    "look": Verb(CARD),
    "mill": Verb(CARD),
    "pick": Verb(CARD),
    "play": Verb(CARD, rest=_PLACE),
    "discard": Verb(CARD, rest=_PLACE),
    "concede": Verb(held=True),
    "take": Verb(),
    "decline": Verb(),
    "swap": Verb(CARD, CARD),
    "keep": Verb(),
    "foresee": Verb(CARD, rest=CARD),
    "foretell": Verb(CARD, reveals=True),
    "open": Verb(rest=_PLACE),
    "leave": Verb(),
    "pay-key": Verb(CARD, rest=_PLACE),
    "pay-door": Verb(CARD, rest=_OWNER),
    "pay-deck": Verb(),
    "pay-hand": Verb(reveals=True),
    "show": Verb(CARD),
}


def _each(verb: str, kinds: int, *more: int) -> tuple[Action, ...]:
    return tuple(Action(verb, (card, *more)) for card in range(kinds))


PLAY, PLAY_SHARED = _each("play", HALLS), _each("play", HALLS, FROM_SHARED)
DISCARD, DISCARD_SHARED = _each("discard", HALLS), _each("discard", HALLS, FROM_SHARED)
PAY_KEY, PAY_KEY_SHARED = _each("pay-key", HALLS), _each("pay-key", HALLS, FROM_SHARED)
PAY_DOOR, PAY_DOOR_PARTNER = _each("pay-door", NIGHTMARE), _each("pay-door", NIGHTMARE, 0)
SHOW, PICK = _each("show", HALLS), _each("pick", HALLS)
FORETELL, DRAW = _each("foretell", NIGHTMARE + 1), _each("draw", NIGHTMARE + 1)
LOOK, MILL = _each("look", NIGHTMARE + 1), _each("mill", NIGHTMARE + 1)
CONCEDE, TAKE, DECLINE, KEEP = Action("concede"), Action("take"), Action("decline"), Action("keep")
OPEN, OPEN_SHARED, LEAVE = Action("open"), Action("open", (FROM_SHARED,)), Action("leave")
PAY_DECK, PAY_HAND = Action("pay-deck"), Action("pay-hand")
SHUFFLE, DRAW_UNSEEN = Action("shuffle"), Action("draw-unseen")
