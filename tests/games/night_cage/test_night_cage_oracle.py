"""The rules of The Night Cage against a second model that was written from the book."""

from __future__ import annotations

from collections import Counter
from random import Random

import night_cage_oracle as oracle
import pytest
from night_cage_boards import phase, play

from companion.engine.grid import cells_of
from companion.engine.options import resolve
from companion.games.night_cage import attack, position
from companion.games.night_cage.agenda import NightCage6, NightCage7
from companion.games.night_cage.light import sweep
from companion.games.night_cage.options import OPTIONS, rules_from
from companion.games.night_cage.pieces import (
    KEEPER,
    MELEE_BURN,
    NAMES,
    PATHLESS,
    RANGED_BURN,
    TEE,
    TURNS,
    WAX,
)
from companion.games.night_cage.position import Position
from companion.games.night_cage.tiles import IS_PIT, KIND, PASSING, code_of

rule = pytest.mark.rule

# Light and sight -------------------------------------------------------------------------------

PLENTY = 10**6
"""Gates and keys that cannot run out, so that no game ends."""
FACES = [name for name in NAMES if name != "dirge"]


def random_board(rng: Random, size: int):
    """A board with tiles of all kinds, its slow and its fast form, and prisoners on it."""
    options = {"players": 5 if size == 7 else 4, "monster_blocks_ray": rng.random() < 0.5}
    game = (NightCage7 if size == 7 else NightCage6)(RULES[size, bool(options["monster_blocks_ray"])])
    board: oracle.Board = {}
    density = rng.choice((0.3, 0.6, 0.9, 1.0))
    for place in range(size * size):
        if rng.random() < density:
            kind = rng.randrange(len(FACES))
            name = rng.choice(("tee", "cross", "straight", FACES[kind], "wax", "keeper"))
            kind = NAMES.index(name)
            turn, pit = rng.randrange(TURNS[kind]), rng.random() < 0.08
            board[place % size, place // size] = (name, turn, pit)
            game.lay(place, code_of(kind, turn))
            if pit:
                game.tiles[place] = code_of(kind, turn, pit=True)
                game.forget(place)
    stood = rng.sample(sorted(board), min(len(board), rng.randrange(1, game.rules.prisoners + 1)))
    for prisoner, (x, y) in enumerate(stood):
        game.cells[prisoner] = y * size + x
    game.candles = rng.randrange(1 << game.rules.prisoners)
    candles = {place: game.is_lit(prisoner) for prisoner, place in enumerate(stood)}
    return game, board, candles


RULES = {
    (size, blocked): rules_from(
        resolve(OPTIONS, {"players": 5 if size == 7 else 4, "monster_blocks_ray": blocked, "advanced": True})
    )
    for size in (6, 7)
    for blocked in (False, True)
}


def compare(boards: int, seed: int) -> None:
    rng = Random(seed)
    for i in range(boards):
        size = 6 + i % 2
        game, board, candles = random_board(rng, size)
        blocked = game.rules.passing is PASSING[True]

        def places(mask: int, size: int = size) -> set[tuple[int, int]]:
            return {(c % size, c // size) for c in cells_of(mask)}

        where_ = f"seed {seed}, board {i}: {board}"
        assert places(game.lit_mask()) == oracle.lit(board, size, candles), where_
        sights = {}
        for monster in cells_of(game.monsters):
            masks = game.looks(monster)
            seen_ = places(masks[0] | masks[1] | masks[2] | masks[3])
            at = (monster % size, monster // size)
            sights[monster] = oracle.sight(board, size, at, blocked)
            assert seen_ == sights[monster], where_
        for cell_ in game.cells:
            if cell_ >= 0:
                here = (cell_ % size, cell_ // size)
                assert set(game.watching(cell_)) == {m for m in sights if here in sights[m]}, where_
        before = game.laid
        game.gates = game.sources = PLENTY
        sweep(game, [])
        assert places(before & ~game.laid) == oracle.swept(board, size, candles), where_


@rule("NC-LIGHT-01")
@rule("NC-LIGHT-05")
@rule("NC-LIGHT-09")
@rule("NC-MON-03")
@rule("NC-MON-04")
@rule("NC-MON-05")
@rule("NC-MON-07")
@rule("NC-MON-08")
@rule("NC-ADV-07")
@pytest.mark.slow
def test_the_tables_agree_with_the_slow_version_on_some_boards() -> None:
    compare(600, seed=1)


@pytest.mark.long
@rule("NC-LIGHT-01")
@rule("NC-MON-03")
def test_the_tables_agree_with_the_slow_version_on_100_000_boards() -> None:
    compare(100_000, seed=2)


def test_the_slow_version_is_no_copy_of_the_tables() -> None:
    assert not any(name in dir(oracle) for name in ("BOARDS", "OPEN", "SEEN", "sight_mask"))
    assert oracle.openings(("tee", 1, False)) == {"E", "S", "W"}


# Attacks ---------------------------------------------------------------------------------------

LAID = ("tee", "tee", "tee", "cross", "cross", "cross", "cross", "straight", "key", "gate", "cracked-tee")
LURKING = ("wax", "wax", "keeper", "keeper", "pathless")


def place_of(cell: int, size: int) -> oracle.Place:
    return cell % size, cell // size


def random_tile(rng: Random, name: str) -> oracle.Tile:
    return name, rng.randrange(TURNS[NAMES.index(name)]), False


def random_scene(rng: Random, size: int, *, falling: bool) -> tuple[Position, oracle.Scene]:
    """A labyrinth with monsters and prisoners in it, both as the rules and as the oracle know it.

    The first prisoner is about to act; it falls beside a random line if `falling`.
    """
    blocked = rng.random() < 0.3
    game = (NightCage7 if size == 7 else NightCage6)(RULES[size, blocked])
    board: oracle.Board = {}
    density, share = rng.choice((0.5, 0.7, 0.9)), rng.choice((0.1, 0.25))
    for cell in range(size * size):
        if rng.random() < density:
            name, turns, _ = random_tile(rng, rng.choice(LURKING if rng.random() < share else LAID))
            pit = rng.random() < 0.08
            board[place_of(cell, size)] = name, turns, pit
            game.lay(cell, code_of(NAMES.index(name), turns))
            if pit:
                game.flip(cell)
    free = [p for p, (name, _, pit) in sorted(board.items()) if not pit and name not in oracle.MONSTERS]
    prisoners = range(game.rules.prisoners)
    if len(free) < len(prisoners):
        return random_scene(rng, size, falling=falling)
    at = dict(zip(prisoners, rng.sample(free, len(prisoners)), strict=True))
    if falling:
        del at[0]
        game.lines[0] = rng.randrange(2 * size)
    for prisoner, (x, y) in at.items():
        game.cells[prisoner] = y * size + x
    game.candles = rng.randrange(1 << len(prisoners))
    game.nerve = [rng.randrange(3) for _ in prisoners]
    game.gates = game.sources = PLENTY
    game.top, game.surroundings = [0] * len(game.top), 0
    game.rest = [0] * len(game.rest)
    for kind in (TEE, WAX, KEEPER, PATHLESS):
        game.rest[kind] = 500
    game.stack = 2000
    game.todo = [("turn", 0)]
    game.settle([])
    return game, oracle.Scene(board, size, at, {p for p in prisoners if game.is_lit(p)}, blocked)


def seen_by_rules(game: Position) -> dict[oracle.Place, str]:
    """What lies where: `pit` or a name; a key that was taken makes no difference."""
    size = game.torus.size
    return {
        place_of(cell, size): "pit" if IS_PIT[code] else NAMES[KIND[code]].removeprefix("spent-")
        for cell, code in enumerate(game.tiles)
        if game.laid >> cell & 1
    }


ANSWERS = {
    "block": "suffer",
    "draw-burn": "draw tee",
    "draw-stay": "draw tee",
    "fall": "fall row",
    "handover": "keep",
}


def paid(game: Position, events: list) -> tuple[list, int]:
    """Pays every penalty without blocking; also counts how often a block was offered."""
    offered = 0
    while phase(game) in ANSWERS:
        offered += phase(game) == "block"
        events += play(game, ANSWERS[phase(game)])
    return events, offered


def judge(game: Position, events: list, offered: int, burned: int, after: oracle.After, stayed: bool) -> None:
    """Compares what the rules did with what the oracle says."""
    size = game.torus.size
    colours = {game.name(prisoner): prisoner for prisoner in range(game.rules.prisoners)}
    struck = [event.data for event in events if event.kind == "hit"]
    attacked = [place_of(event.data["cell"], size) for event in events if event.kind == "attacked"]
    assert Counter(attacked) == Counter(after.attackers)
    assert sorted((colours[hit["prisoner"]], hit["tile"], hit["n"]) for hit in struck) == after.hits
    assert [colours[hit["prisoner"]] for hit in struck] == [hit.prisoner for hit in after.hits]
    assert burned == sum(hit.burn for hit in after.hits) + stayed
    may_block = [p for p in colours.values() if game.nerve[p] and not (stayed and p == 0 and game.gained)]
    assert offered == sum(hit.burn == 3 and hit.prisoner in may_block for hit in after.hits)
    assert (
        any(event.kind == "fell" and event.data["prisoner"] == game.name(0) for event in events)
        == after.falls
    )
    lit = {p for p in colours.values() if game.is_lit(p)}
    relit = {colours[event.data["prisoner"]] for event in events if event.kind == "relit"}
    assert lit - relit == after.burning
    if phase(game) == "scramble" and not after.attackers:
        return  # The dark sweeps when the prisoner has left the open Keeper.
    expected = {p: "pit" if pit else name.removeprefix("spent-") for p, (name, _, pit) in after.board.items()}
    assert seen_by_rules(game) == expected


def compare_steps(positions: int, seed: int) -> Counter[str]:
    """Plays one step on each of many random boards; returns how often what happened."""
    rng = Random(seed)
    told: Counter[str] = Counter()
    for i in range(positions):
        falling = rng.random() < 0.15
        game, scene = random_scene(rng, 6 + i % 2, falling=falling)
        where = f"seed {seed}, position {i}: {scene}"
        try:
            told.update(one_step(rng, game, scene))
        except AssertionError as error:
            raise AssertionError(f"{where}: {error}") from error
    return told


def one_step(rng: Random, game: Position, scene: oracle.Scene) -> list[str]:
    if phase(game) not in ("act", "land"):
        return ["nowhere to land"]
    seat, size, stack = game.needs()[0].seat, scene.size, game.stack
    listed = game.actions(seat)
    stayed = False
    if phase(game) == "land":
        action = rng.choice(listed)
        to = place_of(action.args[0], size)
        if to in scene.board:
            return ["landed on a tile"]
        events = game.apply(seat, action)
        kind = rng.choice((TEE, TEE, WAX, KEEPER, PATHLESS))
        events += play(game, f"draw {NAMES[kind]}")
        put = rng.choice(game.actions(seat))
        stack = game.stack
        events += game.apply(seat, put)
        after = oracle.land(scene, 0, to, (NAMES[kind], put.args[1], False))
    else:
        moves, charges = oracle.ways(scene, 0)
        assert {place_of(a.args[0], size) for a in listed if a.verb == "move"} == moves
        can_charge = charges if game.nerve[0] else set()
        assert {place_of(a.args[0], size) for a in listed if a.verb == "charge"} == can_charge
        steps = [a for a in listed if a.verb in ("move", "charge", "stay")]
        known = [a for a in steps if not a.args or place_of(a.args[0], size) in scene.board]
        if not known:
            return ["only bare cells"]
        action = rng.choice(known)
        stayed = action.verb == "stay"
        events = game.apply(seat, action)
        after = oracle.stay(scene, 0) if stayed else oracle.step(scene, 0, place_of(action.args[0], size))
    events, offered = paid(game, events)
    judge(game, events, offered, stack - game.stack, after, stayed)
    return [action.verb, *(f"{min(len(after.attackers), 2)} attack",), *(hit.name for hit in after.hits)]


@rule("NC-MON-09")
@rule("NC-MON-10")
@rule("NC-MON-11")
@rule("NC-MON-12")
@rule("NC-CHAIN-01")
@rule("NC-CHAIN-02")
@rule("NC-CHAIN-06")
@rule("NC-CHAIN-07")
@rule("NC-CHAIN-08")
@rule("NC-HIT-01")
@rule("NC-HIT-02")
@rule("NC-HIT-03")
@rule("NC-HIT-05")
@rule("NC-HIT-11")
@rule("NC-ADV-12")
@rule("NC-ADV-14")
@rule("NC-BOSS-05")
@pytest.mark.slow
def test_steps_wake_and_hurt_whom_the_oracle_says() -> None:
    told = compare_steps(1500, seed=3)
    wanted = (
        "move",
        "charge",
        "stay",
        "land",
        "0 attack",
        "1 attack",
        "2 attack",
        "wax",
        "keeper",
        "pathless",
    )
    assert all(told[what] > 20 for what in wanted), told


@pytest.mark.long
@rule("NC-MON-09")
@rule("NC-CHAIN-01")
def test_steps_wake_and_hurt_whom_the_oracle_says_on_100_000_boards() -> None:
    compare_steps(100_000, seed=4)


def _seen_by_one(whole):
    return lambda state, cell: whole(state, cell)[:1]


FAULTS = {
    "a Keeper feels what comes from behind": (attack, "_is_roused", lambda state, monster, reach: True),
    "the Pathless is stopped by what it cannot see through": (Position, "reach", Position.looks),
    "one of several monsters attacks": (Position, "watching", _seen_by_one(Position.watching)),
    "attacks end at the first monster": (attack, "_chain", lambda state, woken: list(dict.fromkeys(woken))),
    "a Keeper burns three from afar": (attack, "RANGED_BURN", {**RANGED_BURN, KEEPER: 3}),
    "a Keeper burns one underfoot": (attack, "MELEE_BURN", {**MELEE_BURN, KEEPER: 1}),
    "nothing blocks": (attack, "BLOCKABLE", 4),
    "light stays with who is hit": (position.Position, "dark_mask", lambda state: 0),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*FAULTS[fault])
    with pytest.raises(AssertionError, match="seed 3, position"):
        compare_steps(1500, seed=3)
