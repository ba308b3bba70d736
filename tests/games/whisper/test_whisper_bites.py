"""Short statements that fail when a rule is changed a little: found by changing it."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

import pytest
from whisper_night import (
    KILLER,
    TABLE,
    TEAM,
    accomplish,
    act,
    all_acted,
    at,
    bag,
    bars,
    change_all,
    codes,
    fight,
    hand,
    heard,
    items,
    killer,
    killers_turn,
    kinds,
    learn,
    level,
    night,
    phase,
    proves,
    put,
    refused,
    row,
    slot,
    survivors_turn,
    table,
    take,
    team,
    to_report,
    wake,
)

from companion.games.whisper import GAME
from companion.games.whisper.agenda import Whisper
from companion.games.whisper.clues import Walk, _walks
from companion.games.whisper.data import read
from companion.games.whisper.parts import DEAD
from companion.games.whisper.pieces import ALL, KEY, LOCATIONS, PASSAGES, PLANS, SECRET_ENDS, WITHIN
from companion.games.whisper.readings import READINGS
from companion.table.play import walk

OFF = {"skills": "custom", "survivor_skills": "0/0", "killer_skills": "0/0"}
SKILLED = {"skills": "custom", "survivor_skills": "2/1", "killer_skills": "0/0"}


def skilled(killer: str = "butcher") -> Whisper:
    """A game in which skills may be had, and nobody was dealt any."""
    return night(killer, **OFF)


def alone(**options: object) -> Whisper:
    return night(crossroads=True, players=4, **options)


@proves("WW-SETUP-02")
@pytest.mark.parametrize("line", ["give anna herbs anna", "give anna herbs sophia", "give sophia herbs anna"])
def test_items_pass_between_two_survivors_in_play(line: str) -> None:
    """стр. 12: «они могут обмениваться предметами»"""
    state = bag(put(night(), anna="K2", marco="K2"), "anna", "herbs")
    assert refused(state, TEAM, line) == ("not-in-play", [], "WW-SETUP-02")


def learning() -> Whisper:
    """A game in which the first survivor chooses one of two skills."""
    state = GAME.start(GAME.resolve({"killer": "butcher", "survivors": "anna+marco+william", **SKILLED}))
    assert isinstance(state, Whisper)
    while state.todo[-1][0] != "mastery":
        need = state.needs()[0]
        state.apply(need.seat, state.actions(need.seat)[0])
    return state


@proves("WW-VAR1-02")
def test_only_a_skill_that_was_dealt_is_kept() -> None:
    state = learning()
    dealt = {action.args[0] for action in state.actions(TEAM)}
    assert len(dealt) == 2
    other = next(s for s in range(20) if s not in dealt)
    line = state.notation.text(next(iter(state.actions(TEAM)))._replace(args=(other,)))
    assert refused(state, TEAM, line)[0::2] == ("not-drawn", "WW-VAR1-02")


@proves("WW-VAR1-10")
def test_a_skill_that_somebody_kept_is_not_dealt_again() -> None:
    state = learning()
    kept = state.actions(TEAM)[0]
    state.apply(TEAM, kept)
    assert state.todo[-1][0] == "learning"
    assert kept.args not in {action.args for action, _ in state.outcomes()}
    line = state.notation.text(state.outcomes()[0][0]._replace(args=kept.args))
    assert refused(state, TABLE, line)[0::2] == ("not-drawn", "WW-VAR1-10")


@proves("WW-TRADE-04")
@pytest.mark.parametrize(
    ("anna", "marco"), [("herbs", "hatchet"), ("herbs ammo trap", "hatchet"), ("herbs", "hatchet ammo trap")]
)
def test_items_are_swapped_only_when_both_hands_are_full(anna: str, marco: str) -> None:
    """стр. 16: «Каждый планшет инвентаря ограничен тремя слотами для карт.»"""
    state = bag(bag(put(night(), anna="K2", marco="K2"), "anna", *anna.split()), "marco", *marco.split())
    assert refused(state, TEAM, "swap anna herbs marco hatchet") == ("give-instead", [], "WW-TRADE-04")


@proves("WW-VAR3-09")
def test_nothing_of_a_plan_is_used_before_it_is_done_or_instead_of_another() -> None:
    state = night(plans=True)
    state.plan = state.plan._replace(dealt=(PLANS.index("explosive"), PLANS.index("molotov")))
    usable = [name for name in PLANS if state.box.plans[PLANS.index(name)].uses]
    wake(state, "anna")
    for name in usable:
        assert refused(state, TEAM, f"use {name}")[0::2] == ("plan-not-done", "WW-VAR3-09")
    state = accomplish(night(plans=True), "explosive", "C4")
    wake(state, "anna")
    for name in set(usable) - {"explosive"}:
        assert refused(state, TEAM, f"use {name}")[0::2] == ("plan-not-done", "WW-VAR3-09")


@proves("WW-VAR3-09")
def test_without_its_plan_no_bottle_is_thrown() -> None:
    state = bag(night(), "william", "whiskey")
    killers_turn(put(state, william="K5", butcher="K5"), "main")
    killer(state, "search")
    assert refused(state, TEAM, "throw") == ("plan-not-done", [], "WW-VAR3-09")


@proves("WW-WOUND-05")
@pytest.mark.parametrize(("place", "is_told"), [("C1", True), ("K5", False)])
def test_a_chainsaw_that_meets_nobody_says_so(place: str, is_told: bool) -> None:
    state = put(night(), anna=place, marco="C1", william="C1", butcher="K5")
    killers_turn(hand(state, "butcher_chainsaw", "butcher_sense", "butcher_sense"), "main")
    events = killer(state, "play butcher_chainsaw", "pay butcher_sense", "pay butcher_sense", "halt")
    assert ("nobody-wounded" in kinds(events, KILLER)) == is_told


@proves("WW-VAR1-20")
def test_a_killer_who_lay_in_wait_acts_in_the_second_round() -> None:
    state = night()
    state.killer.skip = 1
    to_report(state)
    assert "killer-waited" in kinds(team(state, "report"), TEAM)
    to_report(state)
    assert "killer-waited" not in kinds(team(state, "report"), TEAM) and state.killer_turn


@proves("WW-MOVE-10")
def test_the_team_hears_of_a_move_and_nobody_else() -> None:
    state = put(night(), marco="K1")
    events = team(state, "wake marco", "move K3")
    moved = {"survivor": "marco", "from_cell": at("K1"), "cell": at("K3")}
    assert heard(events, TEAM)["moved"] == moved and kinds(events, KILLER) == []


@proves("WW-VAR1-11")
def test_a_morale_boost_calms_all_others_wherever_they_are() -> None:
    state = learn(put(skilled(), anna="K1", marco="C1", william="Z5"), "anna", "s10")
    change_all(state, fear=[2, 1, 2])
    wake(state, "anna")
    team(state, "use s10")
    assert row(state, "fear") == [2, 0, 0]


@proves("WW-HEAL-01")
def test_first_aid_is_for_another() -> None:
    state = learn(put(skilled(), anna="K1", marco="K1", william="Z5"), "anna", "s08")
    change_all(state, health=[1, 1, 2])
    wake(state, "anna")
    uses = [state.notation.text(action) for action in state.actions(TEAM) if action.verb == "use"]
    assert "use s08 marco" in uses and "use s08 anna" not in uses


@proves("WW-FEAR-06")
@pytest.mark.parametrize(("place", "is_told"), [("Z5", True), ("K1", False)])
def test_a_scream_that_nobody_hears_says_so(place: str, is_told: bool) -> None:
    state = put(night("specter"), anna=place, marco="Z5", william="Z5", specter="K1")
    killers_turn(hand(state, "specter_scream"))
    assert ("nobody-frightened" in kinds(killer(state, "play specter_scream"), KILLER)) == is_told


@proves("WW-VAR1-12")
def test_a_self_challenge_leaps_from_the_third_level_alone() -> None:
    state = level(learn(skilled(), "killer", "k08"), 1)
    killers_turn(hand(state, "butcher_sense", deck=1), "planning")
    killer(state, "next")
    table(state, state.notation.text(state.outcomes()[0][0]))
    assert state.killer.level == 2


@proves("WW-CLASH-18")
def test_after_an_encounter_nobody_is_met_and_the_turn_was_not_quiet() -> None:
    state = put(night(), anna="K5", marco="K5", william="C1", butcher="K5")
    killers_turn(hand(state), "main")
    fight(state, "face anna", "bare", "roll 3+3+3+3")
    while phase(state) in ("milling", "guard", "flee", "face"):
        need = state.needs()[0]
        state.apply(need.seat, state.actions(need.seat)[-1])
    assert (state.fight.met, state.fight.attacked, state.killer.quiet) == (0, 0, False)


@proves("WW-VAR2-14")
def test_only_the_dead_are_looted_and_all_survivors_hear_of_it() -> None:
    """стр. 28: «…могут забрать эти карты в личный запас»"""
    state = put(alone(), anna="K2", marco="K2", william="K2")
    bag(state, "william", "herbs")
    state.change(2, fate=1, health=0)
    act(state, 2, "wake marco")
    assert refused(state, 2, "loot sophia herbs") == ("not-dead", [], "WW-VAR2-14")
    events = act(state, 2, "loot william herbs")
    assert all("looted" in kinds(events, seat) for seat in (1, 2, 3))
    assert "looted" not in kinds(events, KILLER)


@proves("WW-VAR2-15")
def test_in_private_an_offer_is_heard_by_the_two_alone() -> None:
    state = bag(put(alone(private=True), anna="K2", marco="K2"), "anna", "herbs")
    events = act(state, 1, "give anna herbs marco")
    assert [seat for seat in range(4) if "offered" in kinds(events, seat)] == [1, 2]


@proves("WW-SETUP-02")
def test_nothing_is_given_to_the_dead() -> None:
    state = bag(put(alone(), anna="K2", marco="K2"), "anna", "herbs")
    state.change(1, fate=1, health=0)
    assert refused(state, 1, "give anna herbs marco") == ("not-in-play", [], "WW-SETUP-02")


@proves("WW-KILLER-03")
def test_the_killer_may_search_and_then_do_one_thing_more() -> None:
    state = killers_turn(put(night(), butcher="K4", anna="C1", marco="C1", william="C1"), "main")
    killer(state, "search")
    assert phase(state) == "main"
    killer(state, "go K5")
    assert phase(state) == "planning"


# The other readings ----------------------------------------------------------------------------


def differing(old: Any, new: Any, where: str = "") -> dict[str, Any]:
    """What another reading changes in the files, by place; lists are compared entry by entry."""
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        old, new = dict(enumerate(old)), dict(enumerate(new))
    is_leaf = not isinstance(old, dict) or not isinstance(new, dict)
    if is_leaf or old.get("op") != new.get("op"):
        return {} if old == new else {where: new}
    found: dict[str, Any] = {}
    for key in old.keys() | new.keys():
        name = old[key].get("id", key) if isinstance(old.get(key), dict) else key
        found |= differing(old.get(key), new.get(key), f"{where}/{name}")
    return found


MAY = {"op": "may", "pay": 0, "do": [{"op": "barricade", "where": "any", "n": 2}]}


@pytest.mark.parametrize(
    ("reading", "changed"),
    [
        ("dice", {"/dice/faces/1": 1}),
        ("drain", {"/killer_cards/cards/specter_drain/cost": -1}),
        ("info", {"/mansion/special/info_source": "K5"}),
        (
            "skills",
            {
                "/skills/skills/s10/effects/0/n": 1,
                "/skills/skills/s12/once": True,
                "/skills/skills/s16/mods/0/if": "killer_here",
                "/skills/skills/k08/effects/0/n": -1,
                "/skills/skills/k13/kind": "trigger",
                "/skills/skills/k13/once": True,
                "/skills/skills/k13/trigger": "turn_start",
                "/skills/skills/k13/effects/0": MAY,
                "/skills/skills/k20/effects/0/pay": 2,
            },
        ),
    ],
)
def test_another_reading_changes_just_what_it_says(reading: str, changed: dict[str, Any]) -> None:
    printed = read()
    other = deepcopy(printed)
    for change in READINGS[reading][1]:
        change(other)
    assert differing(printed, other) == changed


# What is agreed, and the house -----------------------------------------------------------------


def test_what_nobody_chooses_is_the_literal_reading() -> None:
    """стр. 23 «немедленно увеличивается на 1»; стр. 12: exchange before the actions; стр. 28: a key is an
    item card; and no variant is played unasked."""
    agreed = GAME.resolve({})
    literal = {"level_trigger": "on_empty", "exchange": "before", "trade_keys": True}
    assert {name: agreed[name] for name in literal} == literal
    asked = {"players": 2, "deck": "digital", "killer": "free", "survivors": "free", "skills": "off"}
    assert {name: agreed[name] for name in asked} == asked
    others = agreed.keys() - literal.keys() - asked.keys() - {"survivor_skills", "killer_skills"}
    assert not any(agreed[name] for name in others), others


@cache
def neighbours(*links: str) -> dict[str, set[str]]:
    """Who is joined to whom, from the map's own file."""
    world = read()["map"]
    found: dict[str, set[str]] = {code: set() for code in LOCATIONS}
    for link in links:
        for one in world[link]:
            found[one["a"]].add(one["b"])
            found[one["b"]].add(one["a"])
    return found


@proves("WW-RANGE-01", "WW-MAP-01")
@pytest.mark.parametrize("start", LOCATIONS)
def test_a_range_counts_every_location_by_its_shortest_way(start: str) -> None:
    """A slow search over the passages of the map says the same for all of the fifteen locations."""
    beside, within = neighbours("passages", "open_links"), {start}
    for n in range(6):
        assert codes(WITHIN[n][at(start)]) == within
        within = within.union(*(beside[code] for code in within))
    assert codes(ALL) == within == set(LOCATIONS) and ALL.bit_length() == len(LOCATIONS)


def ends_of(start: str, walk: Walk) -> set[str]:
    """Every way a survivor can go in one turn, step by step."""
    beside, secret = neighbours("passages", "open_links"), neighbours("secret_passages")
    barred = {frozenset(name.split("-")) for i, name in enumerate(PASSAGES) if walk.barred >> i & 1}
    if walk.linked:
        secret = {code: codes(SECRET_ENDS) - {code} if secret[code] else set() for code in LOCATIONS}
    many = {0: [(walk.steps, 0)], 1: [(walk.steps, 0), (walk.extra, 1)], 2: [(walk.steps, walk.steps + 1)]}
    waiting = [(start, *left) for left in many[walk.passages]]
    seen = set(waiting)
    while waiting:
        here, steps, passages = waiting.pop()
        ways = [(to, steps - 1, passages) for to in beside[here] if steps and {here, to} not in barred]
        ways += [(to, steps, passages - 1) for to in secret[here] if passages]
        waiting += [way for way in ways if way not in seen]
        seen.update(ways)
    return {here for here, _, _ in seen}


@proves("WW-DEDUCT-01")
@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("passages", [0, 1, 2])
def test_where_somebody_can_have_gone_is_every_way_step_by_step(passages: int, linked: bool) -> None:
    rng = Random(7)
    for _ in range(25):
        extra = rng.randrange(4)
        bars = sum(1 << i for i in rng.sample(range(len(PASSAGES)), rng.randrange(8)))
        walk = Walk(bars, rng.choice((2, 3)) + extra, extra, passages, linked)
        found = [codes(mask) for mask in _walks(walk)]
        assert found == [ends_of(code, walk) for code in LOCATIONS], walk


@proves("WW-NOISE-01", "WW-FIRE-06")
def test_in_the_beginning_nothing_burns_and_nobody_was_heard() -> None:
    seen = GAME.view(night(), TEAM)
    assert (seen["firecracker_lit"], seen["firecracker"], seen["noise"], seen["pending"]) == (
        False,
        None,
        [],
        [],
    )


@proves("WW-TURN-01")
def test_the_way_of_the_rescue_is_told_to_all() -> None:
    state = night()
    state.house.gears, state.house.rescue = 5, 4
    assert heard(survivors_turn(state), KILLER)["rescue-moved"] == {"n": 3}


@proves("WW-BARR-04", "WW-BARR-05")
@pytest.mark.parametrize("taken", ["C1-C2", "Z3-Z4"])
def test_any_barricade_that_stands_elsewhere_may_be_used_again(taken: str) -> None:
    elsewhere = ("C1-C2", "C2-C3", "C3-C4", "C4-Z5", "Z3-Z4", "K1-K2", "K2-K3")
    state = bars(level(hand(night("maniac"), "maniac_sense", deck=0), 3), *elsewhere)
    killers_turn(state, "planning")
    killer(state, "next", "block K4-K5")
    assert phase(state) == "reuse"
    killer(state, f"reuse {taken}")


# Skills and plans ------------------------------------------------------------------------------


@proves("WW-VAR1-02")
@pytest.mark.parametrize(
    ("given", "side"),
    [
        ({"survivor_skills": "0/0", "killer_skills": "1/1"}, "k"),
        ({"survivor_skills": "1/1", "killer_skills": "0/0"}, "s"),
    ],
)
def test_each_of_the_twenty_skills_of_a_side_can_be_dealt(given: dict[str, str], side: str) -> None:
    state = GAME.start(
        GAME.resolve({"killer": "butcher", "survivors": "anna+marco+william", "skills": "custom", **given})
    )
    while phase(state) != "learning":
        need = state.needs()[0]
        state.apply(need.seat, state.actions(need.seat)[0])
    dealt = {state.notation.text(action) for action, _ in state.outcomes()}
    assert dealt == {f"learn {side}{n:02}" for n in range(1, 21)}


@proves("WW-VAR1-11")
@pytest.mark.parametrize("drawn", [1, 2])
def test_both_cards_are_kept_where_there_are_two(drawn: int) -> None:
    state = learn(skilled(), "marco", "s18")
    state.acted, state.active = 7, -1
    state.todo = [("killer-turn",), ("drawn", 1)]
    state.stock.drawn = (state.stock.equipment.index(max(state.stock.equipment)),) * drawn
    listed = {state.notation.text(action) for action in state.actions(TEAM)}
    assert ("keep-both" in listed) == (drawn == 2)


@proves("WW-VAR3-09")
def test_the_skeleton_key_opens_the_main_entrance_alone() -> None:
    state = bag(put(night(plans=True), marco="K2"), "marco", "toolbox")
    wake(accomplish(state, "skeleton_key"), "marco")
    assert refused(state, TEAM, "use skeleton_key") == ("wrong-place", ["K2", "K1"], "WW-VAR3-09")


@proves("WW-VAR3-13", "WW-VAR3-18")
def test_a_defence_that_carries_out_the_plan_wins_against_a_killer_of_two() -> None:
    state = put(alone(plans=True), anna="K1", marco="K1", william="K5", butcher="K5")
    change_all(accomplish(state, "ambush", "K5"), fate=[1, 1, 0], health=[0, 0, 2])
    killers_turn(state, "main")
    killer(state, "search")
    act(state, 3, "bare")
    table(state, "roll 3+3+1+1")
    assert state.result is not None and (state.result.code, state.result.winners) == ("plan", (3,))


@proves("WW-VAR3-13", "WW-VAR3-18")
def test_a_plan_that_wins_at_the_start_of_a_turn_wins_against_a_killer_of_two() -> None:
    state = put(alone(plans=True), anna="K1", marco="K1", william="K5", butcher="K4")
    change_all(accomplish(state, "rocket"), fate=[1, 1, 0], health=[0, 0, 2])
    state.killer.quiet = True
    survivors_turn(state)
    assert state.result is not None and (state.result.code, state.result.winners) == ("plan", (3,))


# Exchange at the crossroads --------------------------------------------------------------------


def laden(**options: object) -> Whisper:
    """Anna and Marco at one place, each with full hands."""
    state = put(alone(**options), anna="K2", marco="K2")
    return bag(bag(state, "anna", "herbs", "ammo", "trap"), "marco", "hatchet", "whiskey", "sedative")


@proves("WW-VAR2-15")
def test_in_private_nobody_asks_for_a_card_that_nobody_has_seen() -> None:
    state = laden(private=True)
    assert refused(state, 1, "swap anna herbs marco hatchet") == ("unseen-items", [], "WW-VAR2-15")


@proves("WW-TRADE-01")
def test_what_another_does_not_hold_is_not_asked_for() -> None:
    assert refused(laden(), 1, "swap anna herbs marco medkit") == ("no-item", [], "WW-TRADE-01")


@proves("WW-BOOK-03", "WW-VAR2-15")
def test_by_the_switch_whoever_has_acted_may_still_give() -> None:
    state = bag(bag(put(alone(exchange="anytime"), anna="K2", marco="K2"), "anna", "herbs"), "marco")
    act(state, 1, "wake anna", "calm", "done")
    assert [(need.seat, need.verbs) for need in state.needs()][-1] == (1, ("give", "swap"))
    act(state, 1, "give anna herbs marco")
    bag(state, "anna")
    act(state, 2, "refuse")
    assert 1 not in [need.seat for need in state.needs()], "there is nothing left to give"


SELDOM = {
    "barricade-taken",
    "encounter-cancelled",
    "escaped",
    "guarded",
    "guessed",
    "healed",
    "hushed",
    "key-hidden",
    "killer-waited",
    "left-encounter",
    "looted",
    "nobody-exposed",
    "noted",
    "placed",
    "plan-done",
    "played-for-all",
    "rescue-called",
    "rescue-moved",
    "shielded",
    "threw",
    "trap-sprung",
    "turned-down",
    "warded",
}
"""What random play brings now and then, or never."""


def test_what_random_play_brings_is_told() -> None:
    told = {
        event.kind
        for given in GAME.samples.values()
        for seed in range(4)
        for step in walk(GAME, GAME.resolve(given), Random(seed))
        for event in step.events
    }
    kinds = {name.split(".")[1] for name in GAME.texts.table if name.startswith("event.")}
    assert kinds - told <= SELDOM


@proves("WW-TRADE-04")
def test_full_hands_are_offered_every_swap() -> None:
    """стр. 16: «Каждый планшет инвентаря ограничен тремя слотами для карт.»: nothing can only be given."""
    state = laden()
    listed = {state.notation.text(one) for one in state.actions(1) if one.verb in ("give", "swap")}
    mine, theirs = ("herbs", "ammo", "trap"), ("hatchet", "whiskey", "sedative")
    assert listed == {f"swap anna {one} marco {other}" for one in mine for other in theirs}


@proves("WW-RADIO-03")
def test_the_radio_is_repaired_once_in_each_round() -> None:
    """«Команда жертв может разместить один или несколько жетонов шестерёнок только ОДИН раз за раунд.»"""
    state = wake(put(night(), anna="C1", marco="C1"), "anna")
    team(state, "repair")
    assert refused(wake(state, "marco"), TEAM, "repair") == ("repaired", ["C1"], "WW-RADIO-03")
    survivors_turn(state)
    team(wake(state, "marco"), "repair")
    assert state.house.gears == 2


@proves("WW-VAR2-14", "WW-BOOK-04")
def test_johnson_loots_up_to_his_own_limit() -> None:
    """«…у Джонсона есть преимущество: его планшет инвентаря вмещает до шести карт предметов.»"""
    state = put(alone(team="anna marco johnson"), anna="K2", johnson="K2")
    bag(bag(state, "anna", "herbs"), "johnson", "hatchet", "whiskey", "sedative", "ammo", "toolbox")
    state.change(0, fate=DEAD, health=0)
    johnson = 1 + slot(state, "johnson")
    act(state, johnson, "wake johnson", "loot anna herbs")
    assert phase(state) == "active" and len(items(state, "johnson")) == 6


@proves("WW-VAR2-17", "WW-VAR2-08")
def test_the_night_is_over_when_the_last_one_has_escaped() -> None:
    """«…игра заканчивается, когда каждая из жертв была убита или выполнила одно из победных условий.»"""
    state = put(alone(), anna="K1", marco="K1", william="C3")
    for i in (0, 1):
        state.change(i, keys=3)
    for _ in range(6):
        take(state, KEY)
    state.change(2, fate=DEAD, health=0)
    survivors_turn(state)
    assert state.outcome() is not None and state.outcome()[:3] == ("house-empty", (1, 2), "WW-VAR2-17")


@proves("WW-FIND-07", "WW-VAR1-11")
def test_whoever_holds_two_too_many_sheds_two() -> None:
    """«…вы должны немедленно выбрать, какие три карты оставить, а все остальные отправить в сброс.»"""
    state = learn(night(skills="easy"), "marco", "s18")
    all_acted(bag(state, "marco", "herbs", "ammo", "sedative"))
    team(state, "equip marco")
    table(state, "unpack trap", "unpack hatchet")
    team(state, "keep-both", "shed herbs")
    assert phase(state) == "shed"
    team(state, "shed ammo")
    assert items(state, "marco") == ["hatchet", "sedative", "trap"] and phase(state) != "shed"


@proves("WW-TRAP-04")
def test_a_trap_counts_beside_an_item() -> None:
    """«…первая жертва, которую атаковал убийца, добавляет два дополнительных очка защиты к общей сумме»"""
    state = bag(night(), "marco", "fertilizer")
    killers_turn(put(state, marco="K5", butcher="K5"), "main")
    state.house.trap = at("K5")
    assert heard(fight(state, "guard fertilizer", "roll 1+0+0+0"), KILLER)["rolled"]["total"] == 1 + 2 + 2


@proves("WW-TRAP-02")
def test_a_trap_elsewhere_counts_for_nothing() -> None:
    """«Если … жетон капкана в этой локации»: in no other."""
    state = killers_turn(put(night(), marco="K5", butcher="K5"), "main")
    state.house.trap = at("K1")
    assert heard(fight(state, "bare", "roll 1+0+0+0"), KILLER)["rolled"]["total"] == 1
    assert state.house.trap == at("K1")


@proves("WW-ITEM-12", "WW-ITEM-13")
def test_nobody_loads_the_revolver_of_another() -> None:
    """«…если обе карты находятся на планшете инвентаря одной и той же жертвы»"""
    state = bag(bag(night(), "marco", "ammo"), "anna", "revolver")
    killers_turn(put(state, anna="K5", marco="K5", butcher="K5"), "main")
    fight(state, "face marco")
    assert refused(state, TEAM, "guard ammo") == ("needs-other", [], "WW-ITEM-12")


@proves("WW-VAR2-04")
def test_whoever_has_the_token_is_equipped() -> None:
    """«…только жертва с жетоном первого игрока может получить карту предмета»"""
    state = alone()
    state.first = slot(state, "marco")
    all_acted(state)
    table(state, "unpack trap", "unpack hatchet")
    assert [need.seat for need in state.needs()] == [1 + slot(state, "marco")]
