"""The verbs of the Dark Cave and their actions, made once each."""

from __future__ import annotations

from collections.abc import Callable

from companion.engine.action import Action, Verb, Words
from companion.games.dark_cave import pieces
from companion.games.dark_cave.cards import CARDS, CLOSED, Ready
from companion.games.dark_cave.cave import cell_at, segment_at
from companion.games.dark_cave.spread import NAMES, border_words

LARGEST_HAND = 5
"""Nobody holds more cards than were dealt: who draws has played or discarded as many."""

CARD = Words("card", CARDS.names)
CELL = Words("cell", NAMES)
SEGMENT = Words(
    "segment",
    [*CARDS.segments, *(f"_{i}" for i in range(len(CARDS.segments), CLOSED)), "closed"],
)
TURN = Words("turn", ("0", "90", "180", "270"))
BORDER_SIDE = Words("side", ("east", "south"))
SEAT = Words("seat", [f"p{i + 1}" for i in range(pieces.MAX_PLAYERS)])

VERBS = {
    "side": Verb(Words("clan", pieces.CLANS)),
    "clan": Verb(Words("clan", pieces.CLAN_WORDS)),
    "take": Verb(Words("dwarf", pieces.DWARVES)),
    "first": Verb(SEAT),
    "draw": Verb(CARD),
    "lay": Verb(CARD, CELL, TURN),
    "pass": Verb(rest=CARD),
    "spy-goal": Verb(CARD, CELL, reveals=True),
    "spy-clan": Verb(CARD, SEAT, reveals=True),
    "look": Verb(Words("sight", (*CARDS.goal_names, *pieces.CLAN_CARDS))),
    "rockfall": Verb(CARD, CELL),
    "swap": Verb(CARD, SEAT, reveals=True),
    "web": Verb(CARD, CELL, BORDER_SIDE),
    "boots": Verb(CARD, SEAT),
    "axe": Verb(CARD, SEAT),
    "call": Verb(CARD, CELL, SEGMENT),
    "rouse": Verb(CARD),
    "crawl": Verb(CELL, SEGMENT),
    "halt": Verb(),
    "step": Verb(CELL, SEGMENT),
    "stay": Verb(),
    "cut": Verb(CELL, BORDER_SIDE),
    "reveal": Verb(Words("goal", CARDS.goal_names)),
    "fit": Verb(TURN),
    "strike": Verb(),
    "endure": Verb(),
    "pick": Verb(Words("place", [str(i + 1) for i in range(LARGEST_HAND)])),
    "lose": Verb(CARD),
    "gather": Verb(),
    "leave-it": Verb(),
    "open": Verb(Words("clan", pieces.CLAN_CARDS)),
    "announce": Verb(Words("clan", pieces.SIDES_OUT)),
    "propose": Verb(),
    "agree": Verb(held=True),
    "decline": Verb(),
}


def _one(verb: str) -> Ready[Action]:
    return Ready(lambda value: Action(verb, (value,)))


def _aimed(verb: str, words: Callable[[int], tuple[int, ...]] = lambda aim: (aim,)) -> Ready[Ready[Action]]:
    return Ready(lambda kind: Ready(lambda aim: Action(verb, (kind, *words(aim)))))


def _at_seats(verb: str) -> Ready[list[Action]]:
    return Ready(lambda kind: [Action(verb, (kind, seat)) for seat in range(pieces.MAX_PLAYERS)])


def _place_words(place: int) -> tuple[int, ...]:
    return cell_at(place), segment_at(place)


STAY, HALT, STRIKE, ENDURE = (Action(verb) for verb in ("stay", "halt", "strike", "endure"))
PROPOSE, AGREE, DECLINE = (Action(verb) for verb in ("propose", "agree", "decline"))
GATHER, LEAVE_IT = Action("gather"), Action("leave-it")
SIDE, CLAN, TAKE, FIRST, LOSE, OPEN = map(_one, ("side", "clan", "take", "first", "lose", "open"))
LOOK, REVEAL, FIT, ANNOUNCE, ROUSE = map(_one, ("look", "reveal", "fit", "announce", "rouse"))
STEP = Ready(lambda place: Action("step", _place_words(place)))
CRAWL = Ready(lambda place: Action("crawl", _place_words(place)))
CUT = Ready(lambda border: Action("cut", border_words(border)))
PICK = [Action("pick", (card,)) for card in range(LARGEST_HAND)]
PASS = [Action("pass", (kind,)) for kind in range(len(CARD))]
PASS_TWO = [[Action("pass", (one, other)) for other in range(len(CARD))] for one in range(len(CARD))]
SPY_CLAN, SWAP, BOOTS, AXE = map(_at_seats, ("spy-clan", "swap", "boots", "axe"))
"""By the kind of the card, then by the seat that it is aimed at."""
SPY_GOAL, ROCKFALL = map(_aimed, ("spy-goal", "rockfall"))
"""By the kind of the card, then by the cell that it is aimed at."""
CALL = _aimed("call", _place_words)
WEB = _aimed("web", border_words)
