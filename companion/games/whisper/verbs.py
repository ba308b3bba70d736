"""The verbs of Whisper and their actions, made once."""

from __future__ import annotations

from functools import lru_cache

from companion.engine.action import Action, Verb, Words, numbers
from companion.engine.grid import cells_of
from companion.games.whisper.pieces import (
    CARDS,
    GEARS,
    ITEMS,
    KILLERS,
    LOCATIONS,
    OFFERS,
    PAIRS,
    PASSAGES,
    PLANS,
    ROLLS,
    SKILLS,
    SURVIVORS,
    TARGETS,
    THINGS,
    TOKENS,
    ZONES,
)

LOCATION = Words("location", LOCATIONS)
PASSAGE = Words("passage", PASSAGES)
PAIR = Words("pair", (f"{LOCATIONS[a]}-{LOCATIONS[b]}" for a, b in PAIRS))
ZONE = Words("zone", ZONES)
CARD = Words("card", CARDS)
ITEM = Words("item", ITEMS)
WHO = Words("survivor", SURVIVORS)
KILLER = Words("killer", KILLERS)
SKILL = Words("skill", SKILLS)
PLAN = Words("plan", PLANS)
OFFER = Words("offer", OFFERS)
THING = Words("thing", THINGS)
TARGET = Words("target", TARGETS)
TOKEN = Words("token", TOKENS)
GUESS = numbers("guess", GEARS + 1)
ROLL = Words("roll", ("+".join(map(str, roll)) for roll in ROLLS))

VERBS = {
    # before the game
    "hunt": Verb(KILLER, reveals=True),
    "cast": Verb(*(Words(name, SURVIVORS) for name in ("first", "second", "third")), reveals=True),
    "learn": Verb(SKILL, reveals=True),
    "master": Verb(SKILL, reveals=True),
    "deal": Verb(PLAN, reveals=True),
    "first": Verb(WHO),
    # the survivors' turn
    "wake": Verb(WHO),
    "give": Verb(WHO, ITEM, WHO),
    "swap": Verb(WHO, ITEM, WHO, ITEM),
    "agree": Verb(),
    "refuse": Verb(),
    "move": Verb(LOCATION),
    "calm": Verb(),
    "clear": Verb(PASSAGE),
    "repair": Verb(reveals=True),
    "rummage": Verb(),
    "use": Verb(THING, rest=TARGET, reveals=True),
    "loot": Verb(WHO, ITEM),
    "done": Verb(),
    "find": Verb(ITEM, reveals=True),
    "keep": Verb(ITEM, reveals=True),
    "leave": Verb(reveals=True),
    "shed": Verb(ITEM, reveals=True),
    "equip": Verb(WHO),
    "unpack": Verb(ITEM, reveals=True),
    "keep-both": Verb(reveals=True),
    "advance": Verb(PLAN),
    "report": Verb(reveals=True),
    "confirm": Verb(reveals=True),
    # the killer's turn
    "reveal": Verb(reveals=True),
    "play": Verb(CARD, reveals=True),
    "pay": Verb(CARD, reveals=True),
    "go": Verb(LOCATION, reveals=True),
    "halt": Verb(reveals=True),
    "search": Verb(reveals=True),
    "sneak": Verb(LOCATION, reveals=True),
    "ask": Verb(ZONE, reveals=True),
    "ask-pair": Verb(PAIR, reveals=True),
    "ask-noise": Verb(LOCATION, reveals=True),
    "block": Verb(PASSAGE, reveals=True),
    "reuse": Verb(PASSAGE, reveals=True),
    "frighten": Verb(WHO, reveals=True),
    "discard": Verb(CARD, reveals=True),
    "draw": Verb(CARD, reveals=True),
    "mill": Verb(CARD, reveals=True),
    "accept": Verb(OFFER, reveals=True),
    "decline": Verb(reveals=True),
    "next": Verb(reveals=True),
    "note": Verb(TOKEN, LOCATION),
    "guess": Verb(GUESS),
    # an encounter
    "face": Verb(WHO),
    "guard": Verb(THING, reveals=True),
    "throw": Verb(),
    "bare": Verb(),
    "roll": Verb(ROLL, reveals=True),
    "ward": Verb(reveals=True),
    "endure": Verb(reveals=True),
    "flee": Verb(LOCATION, reveals=True),
    "stay": Verb(reveals=True),
}


@lru_cache(maxsize=1 << 14)
def each(verb: str, mask: int) -> tuple[Action, ...]:
    """The actions of a verb with one argument, for each number of a mask."""
    return tuple(ACTION[verb, value] for value in cells_of(mask))


ACTION = {
    (verb, value): Action(verb, (value,))
    for verb, words in {
        "move": LOCATION,
        "go": LOCATION,
        "sneak": LOCATION,
        "flee": LOCATION,
        "ask-noise": LOCATION,
        "ask-pair": PAIR,
        "ask": ZONE,
        "clear": PASSAGE,
        "block": PASSAGE,
        "reuse": PASSAGE,
        "play": CARD,
        "pay": CARD,
        "discard": CARD,
        "draw": CARD,
        "mill": CARD,
        "find": ITEM,
        "unpack": ITEM,
        "keep": ITEM,
        "shed": ITEM,
        "wake": WHO,
        "equip": WHO,
        "face": WHO,
        "frighten": WHO,
        "first": WHO,
        "guard": THING,
        "learn": SKILL,
        "master": SKILL,
        "deal": PLAN,
        "advance": PLAN,
        "accept": OFFER,
        "hunt": KILLER,
        "roll": ROLL,
        "guess": GUESS,
    }.items()
    for value in range(len(words))
}
"""Ready-made actions with one argument."""


@lru_cache(maxsize=1 << 14)
def action(verb: str, *args: int) -> Action:
    """Makes an action once."""
    return Action(verb, args)


CALM, REPAIR, RUMMAGE, DONE = (Action(verb) for verb in ("calm", "repair", "rummage", "done"))
LEAVE, KEEP_BOTH, NEXT, CONFIRM = (Action(verb) for verb in ("leave", "keep-both", "next", "confirm"))
REVEAL, SEARCH, HALT, DECLINE = (Action(verb) for verb in ("reveal", "search", "halt", "decline"))
BARE, THROW, WARD, ENDURE, STAY = (Action(verb) for verb in ("bare", "throw", "ward", "endure", "stay"))
AGREE, REFUSE, REPORT = Action("agree"), Action("refuse"), Action("report")
