"""The order of moves: where it cannot matter it does not, and where it can the owner is asked."""

from __future__ import annotations

from random import Random

import pytest
from bad_bones_boards import do, open_march, random_board, standing, table, uncover, why

from companion.engine.action import Seat
from companion.games.bad_bones.agenda import BadBones
from companion.games.bad_bones.arrivals import carry
from companion.games.bad_bones.field import Field
from companion.games.bad_bones.order import order_matters_for
from companion.games.bad_bones.paths import follow
from companion.games.bad_bones.pieces import (
    FIELD,
)
from companion.games.bad_bones.squads import squad
from companion.games.bad_bones.tokens import READY, STATUS_OF

rule = pytest.mark.rule


def choose(skeleton: int, answers: tuple[int, ...], options: tuple[int, ...], cell: int) -> int:
    """A choice that depends only on who chooses where, so that it is the same in every order."""
    return options[(skeleton * 7 + len(answers) * 3 + cell) % len(options)]


def move(state: BadBones, seat: Seat, field: Field, group: tuple[int, ...]) -> None:
    """Moves a group to its end with the choices of `choose`; catapults and hearses have a fixed target."""
    answers: tuple[int, ...] = ()
    while True:
        path = follow(state.mode, field, seat, group, answers, state.marching_to)
        if path.ask is None:
            carry(state, field, path, is_march=True)
            return
        if path.ask.verb == "send" and path.ask.cell in range(FIELD) and field.traps[path.ask.cell]:
            field.targets.setdefault(path.ask.cell, path.ask.options[path.ask.cell % 2])
            answers = (*answers, field.targets[path.ask.cell])
        else:
            answers = (*answers, choose(group[0], answers, path.ask.options, path.ask.cell))


def march_in(state: BadBones, order: list[int]) -> tuple:
    """What the march in this order leads to."""
    after = state.copy()
    field = after.own(0)
    for skeleton in order:
        if skeleton in field.tokens:
            move(after, 0, field, squad(field, skeleton))
    return (
        sorted(field.tokens),
        sorted(field.out),
        sorted(field.slain),
        (field.hero, field.towers, field.floors, field.houses, field.fallen > 0),
        (field.hits, field.wrecked, field.met, sorted(field.targets.items())),
        (after.capital, after.capital_lost),
    )


@rule("BB-MOVE-14")
@pytest.mark.slow
def test_in_the_base_game_the_order_never_matters() -> None:
    rng = Random(20)
    for i in range(3000):
        state = random_board(rng, 6, 12, commanders=False)
        assert order_matters_for(state.mode, state.fields[0], 0, state.marching_to) == set()
        ready = [s for s in state.fields[0].tokens if STATUS_OF[s] == READY]
        expected = march_in(state, sorted(ready))
        for _ in range(3):
            rng.shuffle(ready)
            assert march_in(state, ready) == expected, f"board {i} of seed 20"


@pytest.mark.slow
@pytest.mark.parametrize("coop", [False, True], ids=["rivals", "together"])
def test_uncontested_skeletons_may_go_at_any_time(coop: bool) -> None:
    """On any board: keep the order of the contested ones, mix in the others anyhow, and nothing changes."""
    rng = Random(21)
    asked = 0
    for i in range(3000):
        state = random_board(rng, 7, 14, advanced=True, coop=coop)
        field = state.fields[0]
        claimed = order_matters_for(state.mode, field, 0, state.marching_to)
        asked += bool(claimed)
        ready = [s for s in field.tokens if STATUS_OF[s] == READY]
        firm = [s for s in ready if s in claimed]
        free = [s for s in ready if s not in claimed]
        rng.shuffle(firm)
        expected = march_in(state, free + firm)
        assert field.weapon < 0 or not free or len(expected[2]) < 3, f"board {i}: a weapon would wake"
        for _ in range(3):
            order = firm[:]
            for skeleton in free:
                order.insert(rng.randint(0, len(order)), skeleton)
            assert march_in(state, order) == expected, f"board {i} of seed 21"
    assert 100 < asked < 2900, asked


@pytest.mark.slow
def test_on_boards_where_the_owner_is_asked_the_order_often_matters() -> None:
    rng = Random(22)
    asked = mattered = 0
    for _ in range(2500):
        state = random_board(rng, 3, 12, coop=True)
        field = state.fields[0]
        claimed = order_matters_for(state.mode, field, 0, state.marching_to)
        ready = [s for s in field.tokens if STATUS_OF[s] == READY]
        if len([s for s in ready if s in claimed]) < 2:
            continue
        asked += 1
        ends = set()
        for _ in range(8):
            rng.shuffle(ready)
            ends.add(repr(march_in(state, ready)))
        mattered += len(ends) > 1
    assert asked > 100 and mattered > 0.5 * asked, (mattered, asked)


@rule("BB-MOVE-04")
def test_the_owner_chooses_whom_a_cooperative_tower_stops() -> None:
    for first, left in (("1a2 GL-right-white", "BL@22U/b"), ("1c2 BL-left-white", "GL@22U/b")):
        state = open_march(table(coop=True, skeletons="GL@12R BL@32L"))
        do(state, f"march {first}")
        assert standing(state) == left


@rule("BB-MOVE-04")
def test_auto_moves_the_rest_in_the_default_order() -> None:
    state = open_march(table(coop=True, skeletons="GL@12R BL@32L YL@44R/done"))
    do(state, "auto")
    assert standing(state) == "BL@22U/b YL@44R/b"


@rule("BB-MOVE-14")
def test_without_weapons_and_commanders_nobody_is_asked_for_an_order() -> None:
    state = table(hero="22", skeletons="GL@12R BL@12R YL@12R PL@12R GT@23R BT@23R")
    while state.phase() != "march" and state.busy:
        do(state, "wait")
    uncover(state)
    assert state.phase() != "march", "the march ran to its end"
    assert why(state, "table: march 1a2 GL-right-white")[0] == "not-now"


@rule("BB-HERO-12")
def test_a_hero_in_his_tower_meets_nobody_so_his_weapon_asks_for_no_order() -> None:
    state = table(hero="33", weapon="crossbow", advanced=True, skeletons="GL@23R BL@23R YL@43L")
    while state.phase() == "trap" and state.busy:
        do(state, "wait")
    uncover(state)
    assert state.phase() == "draw" and state.fields[0].floors == 1


@rule("BB-WEAPON-03")
def test_where_a_weapon_may_wake_the_owner_says_who_goes_first() -> None:
    alone = {"commanders": False, "advanced": True, "hero": "22", "skeletons": "GL@12R BL@12R YL@32L PL@44R"}
    assert open_march(table(weapon="crossbow", **alone)).fields[0].asked


@rule("BB-COOP-15")
def test_without_commanders_too_the_owner_says_whom_a_tower_stops() -> None:
    state = open_march(table(coop=True, commanders=False, skeletons="GL@12R BL@32L YL@44R"))
    assert standing(state) == "GL@12R/w BL@32L/w YL@54R/b"


@rule("BB-MOVE-04")
def test_one_skeleton_at_each_tower_asks_for_no_order_without_a_peacemaker() -> None:
    state = table(coop=True, skeletons="GL@12R BL@14R")
    while state.phase() == "trap" and state.busy:
        do(state, "wait")
    assert state.phase() == "draw" and state.fields[0].floors == 2


@rule("BB-WEAPON-03")
def test_two_who_come_to_an_armed_hero_wake_no_weapon_in_any_order() -> None:
    few = {"commanders": False, "advanced": True, "hero": "22", "skeletons": "GL@12R BL@12R YL@44R"}
    state = table(weapon="crossbow", **few)
    while state.phase() == "trap" and state.busy:
        do(state, "wait")
    uncover(state)
    assert state.phase() == "draw" and standing(state) == "YL@54R/b"
