"""Small text boards for the tests of Bad Bones.

Cells are written as in the ledger, column then row: `BL@22R` is a BL on (2,2) facing right, `GL@L1` one that
waits in the forest, `BL@22R/done` one that has moved, `wall/@24` an intact and `wall/@24*` a damaged trap.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from random import Random

from companion.engine.action import TABLE
from companion.engine.state import Event, Refusal
from companion.games.bad_bones import GAME
from companion.games.bad_bones.agenda import BadBones
from companion.games.bad_bones.phases import open_boards
from companion.games.bad_bones.pieces import (
    COLOURS,
    CRATER,
    DIRECTION_LETTERS,
    EDGE_LETTERS,
    FIELD,
    FORM_OF,
    FORM_TRAP,
    FORMS,
    INWARD,
    ITEMS,
    PALISADE,
    TRAP_OF,
    TRAPS,
    TREASURE,
    WEAPONS,
    code_of,
    spot,
)
from companion.games.bad_bones.position import tiles_in_play
from companion.games.bad_bones.printed import KIND_NAMES, KINDS, ORDINARY
from companion.games.bad_bones.tokens import DONE, FACING_OF, KIND_OF, PLACE_OF, READY, face_of, token

_AFTER = {"heroes": ("heroes-done",), "traps": ("traps-done",), "marches": ("marches-done", False)}


def begin(state: BadBones, phase: str, seats: Iterable[int] | None = None) -> BadBones:
    """Goes straight to a phase in which these seats, or all, work on their boards."""
    open_boards(state, range(state.mode.players) if seats is None else seats)
    state.todo = [_AFTER[phase]]
    if state.busy:
        state.push((phase,))
    state.settle([])
    return state


def cell(text: str) -> int:
    """A field cell (`24`) or forest spot (`L3`) of a board."""
    if text[0] in EDGE_LETTERS:
        return spot(EDGE_LETTERS.index(text[0]), int(text[1]) - 1)
    return (int(text[1]) - 1) * 5 + int(text[0]) - 1


def skeleton(text: str) -> int:
    name, where, facing, done = re.fullmatch(r"(.+)@(\w\d)([UDLR]?)(/done)?", text).groups()
    place = cell(where)
    direction = DIRECTION_LETTERS.index(facing) if facing else INWARD[(place - FIELD) // 5]
    return token(place, KIND_NAMES.index(name), direction, DONE if done else READY)


def trap(text: str) -> tuple[int, int]:
    form, where, worn = re.fullmatch(r"(.+)@(\d\d)(\*?)", text).groups()
    return cell(where), code_of(FORMS.index(form), bool(worn))


def table(phase: str = "trap", *, boards: dict[int, dict] | None = None, **given) -> BadBones:
    """A game in the middle of a phase; `given` holds seat 0's board and options, `boards` the other seats'.

    Parts of a board: skeletons, traps, hero, floors, houses, supply, weapon, cemetery.
    """
    parts = {"skeletons", "traps", "hero", "floors", "houses", "supply", "weapon", "cemetery", "ruins"}
    own = {key: given.pop(key) for key in list(given) if key in parts}
    capital, rounds_played = given.pop("capital", None), given.pop("round", 1)
    options = GAME.resolve({"players": 2, "commanders": True} | given)
    state = BadBones(options)
    state.offer = (0,) * len(ITEMS)
    for seat, parts_of_seat in ({0: own} | (boards or {})).items():
        _furnish(state, seat, **parts_of_seat)
    for seat in range(state.mode.players):
        if seat and seat not in (boards or {}):
            _furnish(state, seat)
    state.capital = state.capital if capital is None else capital
    state.round = rounds_played
    state.draws = 3
    if phase == "hero":
        begin(state, "heroes", [seat for seat, field in enumerate(state.fields) if field.hero >= 0])
    elif phase == "trap":
        begin(state, "traps")
    else:
        state.todo = [("end-round",), ("enter",), ("draw",)]
        state.settle([])
    _balance(state)
    return state


def random_board(rng: Random, traps: int, skeletons: int, **given) -> BadBones:
    """A board in the march with anything anywhere that the rules allow."""
    state = GAME.start(GAME.resolve({"players": 3, "commanders": True} | given))
    field = state.fields[0]
    side = state.mode.side
    field.hero = rng.choice([-1, *range(FIELD)])
    if state.mode.coop:
        for tower in side.towers:
            if rng.random() < 0.4:
                field.towers -= {tower}
                field.floors -= 1
    else:
        field.floors, field.houses = rng.randint(1, 4), rng.randint(1, 5)
    if state.mode.advanced:
        field.weapon = rng.choice([-1, rng.randrange(8)])
    forms = [f for f in range(len(FORMS)) if state.mode.advanced or FORM_TRAP[f] < PALISADE]
    for _ in range(rng.randint(0, traps)):
        cell, form = rng.randrange(FIELD), rng.choice(forms)
        taken = FORM_TRAP[form] == TREASURE and field.treasure() >= 0
        if cell not in field.towers and not taken:
            single = FORM_TRAP[form] in (TREASURE, 5, 7)
            field.traps[cell] = code_of(form, rng.random() < 0.3 and not single)
    pool = range(len(KINDS)) if given.get("commanders", True) else range(ORDINARY)
    for _ in range(rng.randint(2, skeletons)):
        kind = rng.choice(pool)
        if not state.bag.counts[kind]:
            continue
        if rng.random() < 0.2:
            place = side.spots[KINDS[kind].type]
            facing = INWARD[(place - FIELD) // 5]
        else:
            place, facing = rng.randrange(FIELD), rng.randrange(4)
            code = field.traps[place]
            if (
                place == field.hero
                or place in field.towers
                or (code and code != CRATER and rng.random() < 0.8)
            ):
                continue
            if code and FORM_TRAP[(code - 1) // 2] == PALISADE:
                continue
        state.bag.take(kind)
        field.tokens.append(token(place, kind, facing, rng.choice((READY, READY, READY, 1))))
    return begin(state, "marches", (0,))


def _balance(state: BadBones) -> None:
    """Lets the box hold whatever makes the number of tiles right."""
    state.box = tiles_in_play(state.mode)
    for field in state.fields:
        for i, n in enumerate(field.supply):
            state.box[i] -= n
        for code in field.traps:
            if code:
                state.box[TRAP_OF[code]] -= 1
    for i, n in enumerate(state.common):
        state.box[i] -= n


def _furnish(
    state,
    seat,
    skeletons="",
    traps="",
    hero="55",
    floors=None,
    houses=None,
    supply="",
    weapon="",
    cemetery="",
    ruins="",
):
    field = state.fields[seat]
    field.hero = cell(hero) if hero else -1
    for text in skeletons.split():
        field.tokens.append(skeleton(text))
        state.bag.take(KIND_OF[field.tokens[-1]])
    for text in traps.split():
        where, code = trap(text)
        field.traps[where] = code
    for text in cemetery.split():
        state.cemetery[seat] += (KIND_NAMES.index(text),)
        state.bag.take(KIND_NAMES.index(text))
    home = state.common if state.mode.coop else field.supply
    if supply:
        home[:] = bytes(len(TRAPS))
    for text in supply.split():
        home[TRAPS.index(text)] += text != "-"
    for text in ruins.split():
        field.towers -= {cell(text)}
        field.floors -= 1
    field.floors = field.floors if floors is None else floors
    field.houses = field.houses if houses is None else houses
    field.weapon = WEAPONS.index(weapon) if weapon else -1


def do(state: BadBones, *lines: str) -> list[Event]:
    """Plays lines like `p1: step 1c3`; without a seat, the line is of the first one who needs to act."""
    events = []
    for line in lines:
        seat, _, text = line.rpartition(": ")
        action = state.notation.parse(text)
        who = TABLE if seat == "table" else int(seat[1:]) - 1 if seat else state.needs()[0].seat
        events += state.apply(who, action)
    return events


def refused(state: BadBones, line: str) -> Refusal | None:
    """Why a line is refused, with its cells as the board names them."""
    seat, _, text = line.rpartition(": ")
    who = TABLE if seat == "table" else int(seat[1:]) - 1 if seat else state.needs()[0].seat
    return state.refusal(who, state.notation.parse(text))


def why(state: BadBones, line: str) -> tuple[str, list[str], str] | None:
    """Code, named cells and rule of a refusal."""
    refusal = refused(state, line)
    if refusal is None:
        return None
    names = [
        place.name for place in GAME.board({"players": state.mode.players, "coop": state.mode.coop}).places
    ]
    return refusal.code, [names[one] for one in refusal.cells], refusal.rule


def uncover(state: BadBones) -> list[Event]:
    """Uncovers the phase if everybody has chosen."""
    events = []
    if state.needs() and state.needs()[0].verbs == ("reveal",):
        events = state.apply(TABLE, state.actions(TABLE)[0])
    return events


def march(state: BadBones, *choices: str) -> list[Event]:
    """Everybody who has not laid a trap waits; the skeletons march, with these choices."""
    events = []
    while state.phase() == "trap" and state.busy:
        events += do(state, "wait")
    events += uncover(state)
    for choice in choices:
        events += do(state, choice)
    return events + uncover(state)


def open_march(state: BadBones) -> BadBones:
    """The march as far as it goes without a choice."""
    march(state)
    assert state.phase() == "march", "nothing to choose"
    return state


def standing(state: BadBones, seat: int = 0) -> str:
    """The skeletons of a board, as `BL@22R/w`."""
    found = []
    for one in sorted(state.fields[seat].tokens):
        face = COLOURS[face_of(one, state.marching_to)][0]
        found.append(
            f"{KIND_NAMES[KIND_OF[one]]}@{at(PLACE_OF[one])}{DIRECTION_LETTERS[FACING_OF[one]]}/{face}"
        )
    return " ".join(found)


def at(place: int) -> str:
    """The ledger's name of a place."""
    if place < FIELD:
        return f"{place % 5 + 1}{place // 5 + 1}"
    edge, i = divmod(place - FIELD, 5)
    return f"{EDGE_LETTERS[edge]}{i + 1}"


def tiles(state: BadBones, seat: int = 0) -> str:
    """The traps of a board, as `wall/@24*`."""
    return " ".join(
        f"{FORMS[FORM_OF[code]]}@{at(place)}{'' if code % 2 else '*'}"
        for place, code in enumerate(state.fields[seat].traps)
        if code
    )


def buried(state: BadBones, seat: int) -> list[str]:
    return sorted(KIND_NAMES[kind] for kind in state.cemetery[seat])


def bagged(state: BadBones, *names: str) -> bool:
    """Says whether every copy of these kinds is in the bag."""
    fresh = GAME.start(GAME.resolve({"players": 2, "commanders": True}))
    wanted = Counter(names)
    return all(
        state.bag.counts[KIND_NAMES.index(name)] == fresh.bag.counts[KIND_NAMES.index(name)]
        for name in wanted
    )


def supply(state: BadBones, seat: int = 0) -> dict[str, int]:
    return {TRAPS[i]: n for i, n in enumerate(state.supply(seat)) if n}


def legal(state: BadBones, seat: int = 0) -> list[str]:
    return [state.notation.text(action) for action in state.actions(seat)]


def kinds(events: list[Event]) -> list[str]:
    return [event.kind for event in events]


def told(events: list[Event], kind: str) -> list[dict]:
    return [event.data for event in events if event.kind == kind]
