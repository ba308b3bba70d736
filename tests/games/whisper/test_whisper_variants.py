"""Skills and difficulty, at the crossroads, have a plan."""

from __future__ import annotations

import pytest
from whisper_night import (
    KILLER,
    TEAM,
    accomplish,
    act,
    all_acted,
    at,
    bag,
    barred,
    bars,
    change_all,
    codes,
    empty,
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
    pile,
    place_of,
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
    why,
)

from companion.engine.action import PUBLIC
from companion.games.whisper import GAME
from companion.games.whisper.agenda import Whisper
from companion.games.whisper.pieces import KEY, PLANS, SKILLS
from companion.games.whisper.plans import fulfils
from companion.games.whisper.victory import check_solo_end


def skilled(killer: str = "butcher", team: str = "anna marco william", **options: object) -> Whisper:
    return night(killer, team, skills="custom", survivor_skills="0/0", killer_skills="0/0", **options)


def start_with(*skills: str, killer: str = "butcher", **options: object) -> Whisper:
    """A game in which the killer keeps these skills, played until the first round."""
    given = {
        "killer": killer,
        "survivors": "anna+marco+william",
        "skills": "custom",
        "survivor_skills": "0/0",
    }
    kept = {1: "1/1", 2: "3/2"}[len(skills)]
    state = GAME.start(GAME.resolve({**given, "killer_skills": kept, **options}))
    assert isinstance(state, Whisper)
    extra = [skill for skill in ("k10", "k15", "k16") if skill not in skills]
    drawn = [*skills, *extra][: int(kept[0])]
    while not state.round:
        name = phase(state)
        if name == "learning":
            table(state, f"learn {drawn.pop(0)}")
        elif name == "training":
            have = [SKILLS[s] for s in state.skills_dealt]
            act(state, KILLER, f"master {next(s for s in skills if s in have)}")
        elif name == "block":
            act(state, KILLER, f"block {['C1-C2', 'K4-K5'][state.house.barricades.bit_count()]}")
        else:
            need = state.needs()[0]
            state.apply(need.seat, state.actions(need.seat)[0])
    return state


# Variant 1 --------------------------------------------------------------------------------------


@proves("WW-VAR1-01", "WW-VAR1-02", "WW-VAR1-03", "WW-VAR1-05", "WW-VAR1-06", "WW-VAR1-10")
@pytest.mark.parametrize(
    ("given", "drawn", "kept"),
    [
        ({"skills": "easy"}, (6, 0), (3, 0)),
        ({"skills": "normal"}, (6, 2), (3, 1)),
        ({"skills": "hard"}, (6, 4), (3, 2)),
        ({"skills": "deadly"}, (6, 6), (3, 3)),
        ({"skills": "custom", "survivor_skills": "4/2", "killer_skills": "1/1"}, (12, 1), (6, 1)),
    ],
)
def test_difficulty_deals_skills_after_the_base_set_up(
    given: dict[str, str], drawn: tuple[int, int], kept: tuple[int, int]
) -> None:
    state = GAME.start(GAME.resolve({"killer": "specter", "survivors": "anna+marco+william", **given}))
    assert isinstance(state, Whisper)
    counted = [0, 0]
    while not state.round:
        need = state.needs()[0]
        action = state.actions(need.seat)[0]
        if action.verb == "learn":
            assert len(state.killer.hand) == 2, "the start hand comes first"
            counted[state.box.skills[action.args[0]].side == "killer"] += 1
        state.apply(need.seat, action)
    assert tuple(counted) == drawn
    own = sum(mask.bit_count() for mask in row(state, "skills"))
    assert (own, state.killer.skills.bit_count()) == kept
    left = state.skills_used.bit_count()
    assert left == sum(drawn) - sum(kept), "what is not kept leaves the game"


@proves("WW-VAR1-09", "WW-VAR1-11")
def test_a_skill_is_its_owners_and_a_one_time_skill_dies() -> None:
    state = learn(skilled(), "marco", "s13")
    wake(state, "marco")
    before = GAME.view(state, KILLER)
    assert kinds(team(state, "use s13 Z2"), KILLER) == [] and GAME.view(state, KILLER) == before
    assert codes(state.house.pending) == {"Z2"}
    assert refused(state, TEAM, "use s13 Z1") == ("used-up", [], "WW-VAR1-09")
    wake(state, "anna")
    assert refused(state, TEAM, "use s13 Z1") == ("not-yours", [], "WW-VAR1-11")


@proves("WW-VAR1-12")
def test_set_up_skills_work_before_round_one() -> None:
    assert row(start_with("k04"), "fear") == [1, 1, 1]
    assert start_with("k12").strength() == 6
    assert len(start_with("k03").killer.hand) == 3
    assert start_with("k08").killer.hand == [] and start_with("k08").strength() == 4
    assert barred(start_with("k13")) == {"C1-C2", "K4-K5"}


@proves("WW-VAR1-12")
def test_by_the_other_reading_a_self_challenge_leaves_one_card() -> None:
    state = start_with("k08", alt_skills=True)
    assert (len(state.killer.hand), state.strength()) == (1, 4)


@proves("WW-VAR1-12")
def test_a_marksman_starts_with_a_revolver_of_the_deck() -> None:
    given = {"killer": "butcher", "survivors": "anna+marco+william", "skills": "easy"}
    state = GAME.start(GAME.resolve(given))
    assert isinstance(state, Whisper)
    picks = iter(["s04", "s05", "s01", "s02", "s06", "s07"])
    while not state.round:
        if phase(state) == "learning":
            table(state, f"learn {next(picks)}")
        else:
            need = state.needs()[0]
            state.apply(need.seat, state.actions(need.seat)[0])
    assert items(state, "anna") == ["revolver"] and state.stock.equipment_size == 31
    assert why(state, KILLER, "learn s01") is not None


@proves("WW-VAR1-13")
def test_turn_start_skills_and_not_from_stealth() -> None:
    state = learn(skilled(), "killer", "k05", "k06")
    state.house.noise = 1 << at("K5")
    killers_turn(
        hand(put(state, butcher="K4", marco="K5"), "butcher_sense", "butcher_pursue", "butcher_stay"), "start"
    )
    assert set(state.todo[-1][1]) == {SKILLS.index("k05"), SKILLS.index("k06")}
    events = killer(state, "accept k06", "pay butcher_sense", "ask-noise K5")
    assert heard(events, TEAM)["sensed"]["survivors"] == ["marco"]
    killer(state, "accept k05", "pay butcher_pursue", "pay butcher_stay", "go K5")
    assert phase(state) == "instant"
    state = learn(skilled(), "killer", "k05", "k07")
    state.killer.hidden = True
    killers_turn(hand(state, "butcher_sense", "butcher_sense"), "reveal")
    killer(state, "reveal")
    assert phase(state) == "instant"


@proves("WW-VAR1-14")
def test_turn_end_skills_come_before_the_draw_in_quiet_open_turns() -> None:
    state = learn(skilled(), "killer", "k01", "k19", "k20")
    killers_turn(
        hand(put(state, butcher="K5", anna="K5"), "butcher_sense", "butcher_pursue", "butcher_stay"),
        "planning",
    )
    killer(state, "next")
    assert row(state, "fear") == [1, 0, 0] and phase(state) == "ending"
    killer(state, "accept k01", "pay butcher_sense", "pay butcher_pursue", "block K5-Z4")
    assert barred(state) == {"K5-Z4"}
    killer(state, "accept k20", "pay butcher_stay", "sneak K4")
    assert state.killer.hidden and phase(state) == "drawing"
    fought = learn(skilled(), "killer", "k19")
    killers_turn(hand(put(fought, butcher="K5", anna="K5")), "main")
    fight(fought, "bare", "roll 0+0+0+0", "stay")
    assert row(fought, "fear") == [0, 0, 0] and phase(fought) == "drawing"


@proves("WW-VAR1-15")
def test_after_a_sense_that_named_someone() -> None:
    state = learn(skilled(), "killer", "k15", "k16")
    killers_turn(
        hand(
            put(state, marco="K5", anna="C1", william="C1"), "butcher_sense", "butcher_sense", "butcher_stay"
        )
    )
    killer(state, "play butcher_sense", "ask red", "accept k15", "pay butcher_stay")
    assert row(state, "fear") == [0, 1, 0] and state.todo[-1][1] == SKILLS.index("k16")
    killer(state, "accept k16", "ask blue")
    assert state.todo[-1][1] == SKILLS.index("k15")
    killer(state, "decline")
    assert phase(state) == "instant"
    killer(state, "play butcher_sense", "ask red", "decline")
    assert phase(state) == "instant", "heightened senses once a round"
    empty = learn(skilled(), "killer", "k15")
    killers_turn(hand(put(empty, marco="C1", anna="C1", william="C1"), "butcher_sense"))
    killer(empty, "play butcher_sense", "ask green")
    assert phase(empty) == "instant"


@proves("WW-VAR1-16", "WW-VAR1-17")
def test_the_killer_may_cancel_an_encounter_before_anything_else() -> None:
    state = level(learn(skilled("specter"), "killer", "k02"), 1)
    killers_turn(hand(put(state, marco="K5", anna="K5", specter="K5")), "main")
    killer(state, "search")
    assert phase(state) == "offer" and row(state, "fear") == [0, 0, 0]
    killer(state, "accept k02")
    for _ in range(6):
        assert phase(state) == "drawing"
        table(state, state.notation.text(state.outcomes()[0][0]))
    assert (
        phase(state) == "pick" and state.round == 2 and len(state.killer.hand) + len(state.killer.spent) == 6
    )


@proves("WW-VAR1-16")
def test_a_hero_lets_the_others_slip_away() -> None:
    state = learn(skilled("specter"), "anna", "s12")
    killers_turn(put(state, marco="K5", anna="K5", specter="K5"), "main")
    killer(state, "search")
    assert phase(state) == "hero" and row(state, "fear") == [0, 0, 0]
    events = team(state, "accept s12", "flee K4")
    assert (
        heard(events, KILLER)["left-encounter"] == {"survivor": "marco"} and place_of(state, "marco") == "K4"
    )
    team(state, "decline")
    assert row(state, "fear") == [1, 0, 0] and state.todo[-1] == ("guard", 0)


@proves("WW-VAR1-18")
def test_bonuses_without_an_item_add_up_and_a_secret_weapon_is_the_item() -> None:
    state = learn(skilled(), "william", "s05", "s17")
    killers_turn(put(state, william="K5", butcher="K5"), "main")
    other = state.copy()
    events = fight(state, "bare", "roll 1+1+1+0")
    assert heard(events, KILLER)["rolled"]["total"] == 3 + 1 + 1
    events = fight(other, "guard s17", "roll 1+0+0+0")
    assert heard(events, KILLER)["rolled"]["total"] == 1 + 4


@proves("WW-BOOK-01")
def test_a_skill_is_never_named_to_the_killer_or_the_table() -> None:
    """«Команда жертв не должна сообщать убийце, что разыграла ту или иную карту навыка»"""
    state = learn(skilled(), "william", "s17")
    killers_turn(put(state, william="K5", butcher="K5"), "main")
    bare = state.copy()
    events = fight(state, "guard s17")
    plain = fight(bare, "bare")
    assert heard(events, TEAM)["guarded"] == {"survivor": "william", "thing": "s17"}
    for outsider in (KILLER, PUBLIC):
        assert heard(events, outsider) == heard(plain, outsider)
        assert GAME.view(state, outsider) == GAME.view(bare, outsider)
        assert GAME.view(state, outsider)["encounter"]["thing"] == ""
    hidden = GAME.view(state, KILLER)["encounter"]
    assert GAME.view(state, TEAM)["encounter"] == {**hidden, "thing": "s17", "defence": 4}


@proves("WW-BOOK-01")
def test_an_item_in_defence_is_shown_to_all() -> None:
    """Only skills are kept: «…что разыграла ту или иную карту навыка»"""
    state = bag(skilled(), "william", "hatchet")
    killers_turn(put(state, william="K5", butcher="K5"), "main")
    events = fight(state, "guard hatchet")
    assert heard(events, KILLER)["guarded"]["thing"] == "hatchet"
    assert GAME.view(state, KILLER)["encounter"]["thing"] == "hatchet"


@proves("WW-BOOK-01")
def test_the_killer_sees_who_leaves_but_not_by_whose_skill() -> None:
    """«Команда жертв не должна сообщать убийце, что разыграла ту или иную карту навыка»"""
    state = learn(skilled(), "marco", "s12")
    killers_turn(put(state, william="K5", marco="K5", butcher="K5"), "main")
    events = killer(state, "search")
    while phase(state) == "hero":
        offered = "accept s12" if state.todo[-1][1] == slot(state, "marco") else "decline"
        events += team(state, offered)
    events += team(state, "flee K4")
    assert "shielded" in kinds(events, TEAM)
    assert "shielded" not in kinds(events, KILLER) and "left-encounter" in kinds(events, KILLER)
    assert "shielded" not in kinds(events, PUBLIC)


@proves("WW-BOOK-01")
def test_at_the_crossroads_a_private_skill_is_the_owners_alone() -> None:
    """«Команда жертв не должна сообщать убийце, что разыграла ту или иную карту навыка»"""
    off = {"skills": "custom", "survivor_skills": "0/0", "killer_skills": "0/0"}
    state = learn(alone(**off, private=True), "william", "s17")
    killers_turn(put(state, william="K5", butcher="K5"), "main")
    killer(state, "search")
    events = act(state, 1 + slot(state, "william"), "guard s17")
    other = 1 + slot(state, "marco")
    assert "guarded" not in kinds(events, other) and GAME.view(state, other)["encounter"]["thing"] == ""
    assert GAME.view(state, 1 + slot(state, "william"))["encounter"]["thing"] == "s17"


@proves("WW-VAR1-19")
def test_luck_is_four_zeros() -> None:
    state = learn(skilled(), "marco", "s15")
    killers_turn(put(state, marco="K5", butcher="K5"), "main")
    events = fight(state, "bare", "roll 0+0+0+0")
    assert "repelled" in kinds(events, KILLER) and phase(state) == "milling"


@proves("WW-VAR1-20")
def test_lying_in_wait_skips_the_first_turn() -> None:
    state = start_with("k14")
    assert state.killer.level == 2 and state.strength() == 6 and len(state.killer.hand) == 2
    to_report(state)
    events = team(state, "report")
    assert "killer-waited" in kinds(events, TEAM) and state.round == 2 and len(state.killer.hand) == 2


@pytest.mark.parametrize(
    ("skill", "setup", "line", "check"),
    [
        (
            "s01",
            {},
            "use s01 C4",
            lambda s: place_of(s, "marco") == "C4" and codes(s.house.pending) == {"K1"},
        ),
        ("s10", {"fear": [2, 0, 1]}, "use s10", lambda s: row(s, "fear") == [0, 0, 0]),
        ("s14", {}, "use s14", lambda s: codes(s.house.pending) == {"K1"} and phase(s) == "milling"),
        ("s20", {}, "use s20 K2", lambda s: place_of(s, "marco") == "K2" and not s.main_done),
        ("s19", {"fear": [0, 2, 0]}, "use s19", lambda s: row(s, "fear") == [0, 0, 0]),
        ("s19", {}, "use s19 K2", lambda s: codes(s.house.pending) == {"K2"}),
    ],
)
@proves("WW-VAR1-11")
def test_skills_as_actions(skill: str, setup: dict, line: str, check: object) -> None:
    state = learn(skilled(), "marco", skill)
    for name, value in setup.items():
        change_all(state, **{name: value})
    wake(state, "marco")
    team(state, line)
    assert check(state)


@proves("WW-VAR1-11")
def test_passive_skills() -> None:
    state = learn(bag(skilled(), "marco", "herbs"), "marco", "s03", "s06", "s07")
    put(state, marco="K4", butcher="K5")
    state.change(1, health=1, fear=2)
    wake(state, "marco")
    team(state, "use herbs marco")
    assert state.house.pending == 0 and state.team[1].health == 2
    state.main_done = False
    assert why(state, TEAM, "move C1") is None
    team(state, "move C1")
    assert state.team[1].fear == 1
    state = learn(skilled(), "marco", "s09", "s16")
    state.change(1, fear=2)
    killers_turn(put(state, marco="K5", butcher="K5"), "main")
    fight(state, "bare", "roll 0+0", "flee K1")
    assert state.team[1].fear == 0 and place_of(state, "marco") == "K1"


@proves("WW-VAR1-11", "WW-VAR1-09")
def test_equipment_skills() -> None:
    state = learn(skilled(), "marco", "s11", "s18")
    all_acted(state)
    team(state, "equip marco")
    table(state, "unpack key", "unpack toolbox")
    assert phase(state) == "hush"
    team(state, "accept s11")
    assert state.house.pending == 0
    team(state, "keep-both")
    assert state.keys == 1 and "toolbox" in items(state, "marco")
    again = learn(skilled(), "marco", "s18")
    bag(again, "marco", "herbs", "ammo")
    all_acted(again)
    team(again, "equip marco")
    table(again, "unpack trap", "unpack hatchet")
    team(again, "keep-both", "shed herbs")
    assert items(again, "marco") == ["ammo", "hatchet", "trap"]


def test_a_coordinator_leads_the_others() -> None:
    state = learn(skilled(), "marco", "s02")
    wake(state, "marco")
    events = team(state, "use s02", "flee K3", "stay")
    assert place_of(state, "anna") == "K3" and kinds(events, KILLER) == [] and phase(state) == "active"


def test_terror_spreads_with_each_wound() -> None:
    state = learn(skilled(), "killer", "k11")
    killers_turn(put(state, marco="K5", butcher="K5"), "main")
    fight(state, "bare", "roll 0+0+0+0")
    assert row(state, "fear") == [1, 1, 1]


# Variant 2 --------------------------------------------------------------------------------------


def alone(team: str = "anna marco william", **options: object) -> Whisper:
    return night(team=team, crossroads=True, players=4, **options)


@proves("WW-VAR2-01", "WW-VAR2-03")
def test_everybody_acts_for_oneself_and_the_token_goes_to_somebody() -> None:
    given = {"killer": "butcher", "survivors": "anna+marco+william", "crossroads": True, "players": 4}
    state = GAME.start(GAME.resolve(given))
    assert isinstance(state, Whisper)
    table(state, "draw butcher_sense", "draw butcher_sense")
    assert [state.notation.text(a) for a, n in state.outcomes() if n == 1] == [
        "first anna",
        "first marco",
        "first william",
    ]
    table(state, "first marco")
    assert all(GAME.view(state, viewer)["token"] == "marco" for viewer in (KILLER, 1, 2, 3, PUBLIC))
    assert refused(state, 1, "wake marco") == ("not-your-survivor", [], "WW-VAR2-01")
    act(state, 2, "wake marco")
    assert refused(state, 1, "calm") == ("not-your-turn", [], "WW-TURN-02")


@proves("WW-VAR2-04", "WW-VAR2-05", "WW-VAR2-06")
def test_the_token_holder_is_equipped_and_the_next_one_reports() -> None:
    state = alone()
    state.first = 0
    all_acted(state)
    assert phase(state) == "unpacking" and state.todo[-1][1] == 0
    table(state, "unpack herbs", "unpack ammo")
    assert GAME.view(state, 1)["drawn"] == ["herbs", "ammo"] and GAME.view(state, 2)["drawn"] is None
    state.change(1, fate=1, health=0)
    act(state, 1, "keep herbs")
    assert state.first == 2 and [need.seat for need in state.needs()] == [3]
    act(state, 3, "report")


@proves("WW-VAR2-05")
def test_a_dead_or_escaped_holder_hands_the_token_on() -> None:
    state = put(alone(), marco="K5", butcher="K5")
    state.first = 1
    state.change(1, health=1)
    killers_turn(state, "main")
    killer(state, "search")
    act(state, 2, "bare")
    events = table(state, "roll 0+0+0+0")
    assert heard(events, KILLER)["token-passed"] == {"survivor": "william"} and state.first == 2
    for _ in range(3):
        take(state, KEY)
    state.change(2, keys=3)
    put(state, william="K1", anna="C1")
    survivors_turn(state)
    assert row(state, "fate") == [0, 1, 2] and state.first == 0


@proves("WW-VAR2-02", "WW-VAR2-07")
def test_a_found_key_stays_with_its_finder() -> None:
    state = put(alone(), anna="K2")
    before = GAME.view(state, KILLER)
    act(state, 1, "wake anna", "rummage")
    table(state, "find key")
    act(state, 1, "keep key")
    assert row(state, "keys") == [1, 0, 0] and state.keys == 0 and items(state, "anna") == []
    assert GAME.view(state, KILLER) == before


@proves("WW-VAR2-09")
def test_the_secret_exit_needs_the_own_building_plan() -> None:
    state = put(alone(), anna="Z5", marco="Z5", william="C1")
    for _ in range(6):
        take(state, KEY)
    change_all(state, keys=[3, 3, 0])
    bag(state, "marco", "building_plan")
    survivors_turn(state)
    assert row(state, "fate") == [0, 2, 0]


@proves("WW-VAR2-10", "WW-VAR2-18")
def test_rescue_is_for_all_who_live() -> None:
    state = alone()
    change_all(state, fate=[1, 0, 2], health=[0, 2, 2])
    state.house.rescue, state.house.gears = 1, 5
    survivors_turn(state)
    assert state.result is not None and (state.result.code, state.result.winners) == ("rescue", (2, 3))


@proves("WW-VAR2-15")
def test_exchange_needs_the_others_consent() -> None:
    state = bag(bag(alone(), "anna", "herbs", "ammo", "trap"), "marco", "hatchet", "whiskey", "sedative")
    assert refused(state, 2, "give anna herbs marco") == ("not-your-survivor", [], "WW-VAR2-01")
    act(state, 1, "swap anna herbs marco hatchet")
    assert [need.seat for need in state.needs()] == [2]
    act(state, 2, "refuse")
    assert "herbs" in items(state, "anna")
    act(state, 1, "swap anna herbs marco hatchet")
    act(state, 2, "agree")
    assert "hatchet" in items(state, "anna") and "herbs" in items(state, "marco")


@proves("WW-BOOK-04")
def test_loot_above_the_limit_lets_the_survivor_choose_what_to_keep() -> None:
    """стр. 28: «…могут забрать эти карты в личный запас»; стр. 16: «Если, взяв новую карту предмета, вы
    превысили этот лимит, вы должны немедленно выбрать, какие три карты оставить, а все остальные отправить
    в сброс.»"""
    state = put(alone(), anna="K2", marco="K2")
    bag(bag(state, "anna", "herbs"), "marco", "hatchet", "whiskey", "sedative")
    state.change(0, fate=1, health=0)
    act(state, 2, "wake marco")
    assert "loot anna herbs" in {state.notation.text(action) for action in state.actions(2)}
    act(state, 2, "loot anna herbs")
    assert phase(state) == "shed" and [need.seat for need in state.needs()] == [2]
    act(state, 2, "shed whiskey")
    assert items(state, "marco") == ["hatchet", "herbs", "sedative"] and "whiskey" in pile(state)
    assert items(state, "anna") == [] and phase(state) == "active"


@proves("WW-BOOK-05")
def test_own_keys_are_item_cards_and_may_be_exchanged() -> None:
    """стр. 28: «жертвы могут обмениваться картами предметов, если захотят»"""
    state = bag(put(alone(), anna="K2", marco="K2"), "marco", "hatchet", "whiskey", "sedative")
    take(state, KEY)
    state.change(0, keys=1)
    act(state, 1, "give anna key marco")
    act(state, 2, "agree")
    assert row(state, "keys") == [0, 1, 0] and len(items(state, "marco")) == 3, "a key takes no slot"
    assert refused(state, 1, "give anna key marco") == ("no-item", [], "WW-TRADE-01")


@proves("WW-BOOK-05")
@pytest.mark.parametrize("line", ["swap anna key marco hatchet", "swap anna herbs marco key"])
def test_a_key_may_be_exchanged_for_an_item(line: str) -> None:
    """стр. 28: «жертвы могут обмениваться картами предметов, если захотят»"""
    state = bag(bag(put(alone(), anna="K2", marco="K2"), "anna", "herbs"), "marco", "hatchet")
    for i in (0, 1):
        take(state, KEY)
        state.change(i, keys=1)
    assert line in {state.notation.text(action) for action in state.actions(1)}
    act(state, 1, line)
    act(state, 2, "agree")
    gave_key = "anna key" in line
    assert row(state, "keys") == ([0, 2, 0] if gave_key else [2, 0, 0])
    assert items(state, "anna") == (["hatchet", "herbs"] if gave_key else [])


@proves("WW-BOOK-05")
def test_an_item_for_a_key_needs_a_free_slot() -> None:
    """стр. 16: «Каждый планшет инвентаря ограничен тремя слотами для карт.»"""
    state = bag(put(alone(), anna="K2", marco="K2"), "marco", "hatchet", "whiskey", "sedative")
    bag(state, "anna", "herbs")
    take(state, KEY)
    state.change(1, keys=1)
    assert refused(state, 1, "swap anna herbs marco key") == ("full", [], "WW-TRADE-04")
    assert "swap anna herbs marco key" not in {state.notation.text(one) for one in state.actions(1)}


@proves("WW-BOOK-05")
def test_by_the_switch_keys_stay_with_their_finders() -> None:
    """The other reading: «подкладывает её под свой планшет инвентаря», no item of the inventory."""
    state = bag(put(alone(trade_keys=False), anna="K2", marco="K2"), "marco", "hatchet")
    take(state, KEY)
    state.change(0, keys=1)
    assert refused(state, 1, "give anna key marco") == ("keys-stay", [], "WW-TRADE-05")
    assert refused(state, 2, "swap marco hatchet anna key") == ("keys-stay", [], "WW-TRADE-05")
    assert not any(KEY in action.args[1::2] for action in state.actions(1) if action.verb == "give")


@proves("WW-SETUP-02")
def test_equipment_goes_to_survivors_in_play_only() -> None:
    state = all_acted(night())
    assert refused(state, TEAM, "equip sophia") == ("not-in-play", [], "WW-SETUP-02")
    state = alone()
    state.change(1, fate=1, health=0)
    state.push(("share", 0))
    state.settle([])
    assert refused(state, 1, "equip marco") == ("not-in-play", [], "WW-SETUP-02")


@proves("WW-CHAR-06")
@pytest.mark.parametrize(
    ("reading", "item", "total"),
    [(False, "fertilizer", 2), (True, "fertilizer", 3), (True, "hatchet", 1), (False, "hatchet", 1)],
)
def test_by_the_other_reading_william_may_use_what_is_no_weapon(reading: bool, item: str, total: int) -> None:
    state = bag(night(alt_william=reading), "william", item)
    killers_turn(put(state, william="K5", butcher="K5"), "main")
    events = fight(state, f"guard {item}", "roll 0+0+0+0")
    assert heard(events, KILLER)["rolled"]["total"] == total


@proves("WW-BOOK-06")
def test_a_gift_needs_the_receivers_consent() -> None:
    """стр. 28: «каждый игрок принимает собственные решения в ходе партии»"""
    state = bag(put(alone(), anna="K2", marco="K2"), "anna", "herbs")
    before = items(state, "marco")
    act(state, 1, "give anna herbs marco")
    assert [(need.seat, need.verbs) for need in state.needs()] == [(2, ("agree", "refuse"))]
    assert items(state, "anna") == ["herbs"]
    act(state, 2, "refuse")
    assert items(state, "anna") == ["herbs"] and items(state, "marco") == before
    act(state, 1, "give anna herbs marco")
    act(state, 2, "agree")
    assert items(state, "anna") == [] and "herbs" in items(state, "marco")


@proves("WW-BOOK-06")
def test_in_the_team_nobody_is_asked_about_a_gift() -> None:
    """стр. 12: «они могут обмениваться предметами»"""
    state = bag(put(night(), anna="K2", marco="K2"), "anna", "herbs")
    team(state, "give anna herbs marco")
    assert "herbs" in items(state, "marco") and phase(state) == "pick"


@proves("WW-BOOK-06")
def test_nobody_sends_anothers_survivor_to_face_the_killer() -> None:
    """стр. 28: «каждый игрок принимает собственные решения в ходе партии»"""
    state = put(alone(), anna="K5", marco="K5", william="K1", butcher="K5")
    killers_turn(state, "main")
    killer(state, "search")
    assert phase(state) == "face" and [need.seat for need in state.needs()] == [1, 2]
    assert refused(state, 1, "face marco") == ("not-your-survivor", [], "WW-BOOK-06")
    assert [state.notation.text(action) for action in state.actions(1)] == ["face anna"]
    assert [state.notation.text(action) for action in state.actions(2)] == ["face marco"]
    act(state, 2, "face marco")
    assert state.todo[-1] == ("guard", 1)


@proves("WW-VAR2-16")
def test_whoever_removes_a_barricade_does_it_in_person() -> None:
    state = bars(put(alone(), marco="C3"), "C3-C4")
    act(state, 2, "wake marco")
    assert refused(state, 1, "clear C3-C4")[0] == "not-your-turn"
    assert "barricade-removed" in kinds(act(state, 2, "clear C3-C4"), KILLER)


@proves("WW-VAR2-17", "WW-VAR2-19", "WW-VAR2-20", "WW-VAR2-18")
@pytest.mark.parametrize(
    ("fates", "code", "winners"),
    [
        ([1, 1, 1], "invincible", (0,)),
        ([1, 2, 1], "house-empty", (0, 2)),
        ([2, 2, 1], "house-empty", (1, 2)),
        ([2, 2, 2], "house-empty", (1, 2, 3)),
    ],
)
def test_the_game_ends_when_the_house_is_empty(fates: list[int], code: str, winners: tuple[int, ...]) -> None:
    state = alone()
    change_all(state, fate=fates)
    check_solo_end(state, [])
    assert state.result is not None and (state.result.code, state.result.winners) == (code, winners)


@proves("WW-VAR2-21")
def test_an_empty_deck_spares_only_the_escaped() -> None:
    state = alone()
    change_all(state, fate=[2, 0, 0])
    empty(state, "equipment")
    all_acted(state)
    assert state.result is not None and (state.result.code, state.result.winners) == ("deck-out", (0, 1))


@proves("WW-VAR2-22")
def test_the_dead_and_the_escaped_are_out_of_everything() -> None:
    state = put(alone(), anna="K5", marco="K5", william="K5", butcher="K5")
    change_all(state, fate=[1, 2, 0], health=[0, 2, 2])
    assert refused(state, 3, "wake anna") == ("not-in-play", [], "WW-SETUP-02")
    killers_turn(hand(state, "butcher_sense"))
    events = killer(state, "play butcher_sense", "ask red")
    assert heard(events, KILLER)["sensed"]["survivors"] == ["william"]
    state.push(("run", (("fear", "all", 0, 1),), -1, -1))
    state.settle([])
    assert row(state, "fear") == [0, 0, 1]


# Variant 3 --------------------------------------------------------------------------------------


def plotting(*plans: str, **options: object) -> Whisper:
    state = night(plans=True, **options)
    state.plan = state.plan._replace(dealt=tuple(PLANS.index(plan) for plan in plans))
    return state


def plan_check(state: Whisper) -> Whisper:
    state.todo = [("killer-turn",), ("to-report",), ("plan-check",)]
    state.settle([])
    return state


@proves("WW-VAR3-01", "WW-VAR3-14")
def test_two_secret_plans_are_dealt() -> None:
    state = GAME.start(GAME.resolve({"killer": "butcher", "survivors": "anna+marco+william", "plans": True}))
    assert isinstance(state, Whisper)
    table(state, "draw butcher_sense", "draw butcher_sense", "deal rocket")
    assert refused(state, -1, "deal rocket")[0] == "not-drawn"
    events = table(state, "deal molotov")
    assert "dealt-plan" not in kinds(events, KILLER) and "plans" not in GAME.view(state, KILLER)
    assert GAME.view(state, TEAM)["plans"] == ["rocket", "molotov"]
    plan_check(put(state, anna="Z3"))
    before = GAME.view(state, KILLER)
    assert kinds(team(state, "advance molotov"), KILLER) == [] and GAME.view(state, KILLER) == before


@proves("WW-VAR3-04", "WW-VAR3-05", "WW-VAR3-03")
def test_one_line_a_round_if_wanted() -> None:
    state = plan_check(put(plotting("molotov", "rocket"), anna="Z3"))
    assert refused(state, TEAM, "advance blueprint") == ("plan-not-dealt", [], "WW-VAR3-01")
    team(state, "advance molotov")
    assert phase(state) == "reporting" and state.plan.line == 1
    plan_check(state)
    team(state, "next")
    assert state.plan.line == 1 and phase(state) == "reporting"
    plan_check(put(state, anna="K1"))
    assert refused(state, TEAM, "advance molotov") == ("line-not-met", [], "WW-VAR3-03")


@proves("WW-VAR3-07")
def test_a_hidden_killer_is_nowhere_for_plans() -> None:
    state = put(plotting("buzzer", "molotov"), anna="K5", butcher="K5")
    assert fulfils(state, "at_killer")
    state.killer.hidden = True
    assert not fulfils(state, "at_killer")


@proves("WW-VAR3-09", "WW-VAR3-10")
def test_an_accomplished_plan_holds_and_the_other_is_dead() -> None:
    state = put(plotting("blueprint", "molotov"), anna="K4", marco="C1")
    state.plan = state.plan._replace(kind=PLANS.index("blueprint"), line=2)
    plan_check(state)
    team(state, "advance blueprint")
    assert state.plan.done and phase(state) == "reporting"
    plan_check(state)
    assert phase(state) == "reporting", "no more lines are checked"
    survivors_turn(state)
    wake(state, "marco")
    team(state, "repair")
    assert state.house.gears == 2


@proves("WW-VAR3-11", "WW-VAR3-12", "WW-VAR3-14")
def test_the_buzzer_is_placed_once_and_buzzes_ever_after() -> None:
    state = accomplish(
        bag(put(plotting("buzzer", "molotov"), marco="Z1"), "marco", "toolbox", "toolbox"), "buzzer"
    )
    wake(state, "marco")
    before = GAME.view(state, KILLER)
    team(state, "use buzzer")
    assert state.plan.marker == at("Z1") and items(state, "marco") == ["toolbox"] and state.main_done
    assert GAME.view(state, KILLER) == before and "marker" not in before
    put(state, marco="K1")
    team(state, "use buzzer")
    assert state.plan.marker == at("Z1") and codes(state.house.pending) == {"Z1"}


@proves("WW-VAR3-11")
def test_a_one_time_advantage_is_used_once() -> None:
    state = wake(accomplish(plotting("site_study", "molotov"), "site_study"), "marco")
    team(state, "use site_study C3")
    assert place_of(state, "marco") == "C3"
    assert refused(state, TEAM, "use site_study C2") == ("used-up", [], "WW-VAR3-11")


@proves("WW-VAR3-15", "WW-VAR3-16")
def test_at_the_crossroads_the_token_holder_plans_and_the_first_uses() -> None:
    state = put(plotting("molotov", "site_study", crossroads=True, players=4), anna="Z3")
    state.first = 1
    plan_check(state)
    assert [need.seat for need in state.needs()] == [2]
    act(state, 2, "advance molotov")
    accomplish(state, "site_study")
    survivors_turn(state)
    act(state, 3, "wake william", "use site_study K2", "calm", "done")
    act(state, 2, "wake marco")
    assert refused(state, 2, "use site_study K2")[0] == "used-up"


@proves("WW-VAR3-17")
def test_all_survivors_means_the_living() -> None:
    state = put(plotting("intel", "molotov", crossroads=True, players=4), anna="K5", marco="C1", william="C1")
    assert not fulfils(state, "all_together")
    change_all(state, fate=[1, 0, 0], health=[0, 2, 2])
    assert fulfils(state, "all_together") and not fulfils(state, "all_apart")


@proves("WW-VAR3-18", "WW-VAR3-19")
def test_a_plan_wins_for_the_living_and_the_killer_loses() -> None:
    state = plotting("explosive", "molotov", crossroads=True, players=4)
    accomplish(put(state, anna="K1", marco="K1", william="K1", butcher="C4"), "explosive", "C4")
    change_all(state, fate=[1, 1, 0], health=[0, 0, 2])
    killers_turn(state, "main")
    act(state, KILLER, "search")
    assert state.result is not None and (state.result.code, state.result.winners) == ("plan", (3,))


@proves("WW-VAR3-19")
def test_the_explosive_trap_spares_survivors() -> None:
    state = accomplish(put(plotting("explosive", "molotov"), anna="C4", butcher="C4"), "explosive", "C4")
    killers_turn(state, "main")
    killer(state, "search")
    assert state.result is None and phase(state) == "guard"


@proves("WW-VAR3-20", "WW-VAR3-13")
def test_rocket_and_portal_win_at_the_start_of_a_turn() -> None:
    state = accomplish(
        put(plotting("rocket", "molotov"), anna="K5", marco="K5", william="K5", butcher="K4"), "rocket"
    )
    state.killer.quiet = False
    survivors_turn(state)
    assert state.result is None
    state.killer.quiet = True
    survivors_turn(state)
    assert state.result is not None and state.result.code == "plan"
    state = accomplish(put(plotting("portal", "molotov"), anna="Z2", marco="Z2", william="Z2"), "portal")
    bag(bag(state, "anna", "building_plan", "flashlight"), "marco", "medkit")
    survivors_turn(state)
    assert state.result is None
    bag(state, "marco", "amulet")
    survivors_turn(state)
    assert state.result is not None and state.result.code == "plan"


@proves("WW-VAR3-20")
@pytest.mark.parametrize(
    ("where", "hidden", "won"),
    [
        ({"butcher": "K4"}, False, True),
        ({"butcher": "K4"}, True, False),
        ({"butcher": "K5"}, False, False),
        ({"butcher": "C1"}, False, False),
        ({"butcher": "K4", "anna": "K2"}, False, False),
    ],
)
def test_the_rocket_needs_a_killer_who_is_seen_next_door(where: dict, hidden: bool, won: bool) -> None:
    """The plan «Гранатомёт»: all in one location beside the killer; in stealth he is nowhere."""
    state = put(plotting("rocket", "molotov"), anna="K5", marco="K5", william="K5")
    accomplish(put(state, **where), "rocket")
    state.killer.quiet, state.killer.hidden = True, hidden
    survivors_turn(state)
    assert (state.result is not None) == won


@proves("WW-VAR3-13")
def test_ambush_and_seal_win_by_a_defence() -> None:
    state = accomplish(put(plotting("ambush", "molotov"), marco="K5", butcher="K5"), "ambush", "K5")
    killers_turn(state, "main")
    other = state.copy()
    fight(state, "bare", "roll 3+3+1+0")
    assert state.result is None
    fight(other, "bare", "roll 3+3+1+1")
    assert other.result is not None and other.result.code == "plan"
    state = accomplish(put(plotting("seal", "molotov"), marco="Z2", butcher="Z2"), "seal")
    killers_turn(bag(state, "marco", "longsword", "fertilizer"), "main")
    other = state.copy()
    fight(state, "guard fertilizer", "roll 3+3+1+1")
    assert state.result is None
    killer(other, "search")
    team(other, "guard longsword")
    table(other, other.notation.text(other.outcomes()[0][0]), "roll 3+3+1+1")
    assert other.result is not None and other.result.code == "plan"


@proves("WW-VAR3-09", "WW-VAR3-16")
def test_advantages_of_plans() -> None:
    state = wake(accomplish(put(plotting("tunnels", "molotov"), marco="C1"), "tunnels"), "marco")
    team(state, "use tunnels Z5")
    assert place_of(state, "marco") == "Z5"
    state = accomplish(bag(put(plotting("careful", "molotov"), marco="C1"), "marco", "toolbox"), "careful")
    wake(state, "marco")
    team(state, "use toolbox")
    assert state.house.gears == 2 and state.house.pending == 0
    state = accomplish(
        bag(put(plotting("diy_radio", "molotov"), marco="K5"), "marco", *["toolbox"] * 3), "diy_radio"
    )
    wake(state, "marco")
    team(state, "use diy_radio")
    assert state.house.rescue == 5 and codes(state.house.pending) == {"K5"} and items(state, "marco") == []
    state = accomplish(bag(plotting("skeleton_key", "molotov"), "marco", "toolbox"), "skeleton_key")
    wake(state, "marco")
    team(state, "use skeleton_key")
    assert state.keys == 1 and not state.stock.bottom
    state = accomplish(bag(plotting("ancient_chest", "molotov"), "marco", "amulet"), "ancient_chest")
    wake(state, "marco")
    team(state, "use ancient_chest")
    for item in ("key", "key", "herbs"):
        table(state, f"find {item}")
        team(state, f"keep {item}")
    assert state.keys == 2 and items(state, "marco") == ["herbs"] and "amulet" in pile(state)
    state = accomplish(
        bag(put(plotting("molotov", "intel"), marco="K5", butcher="K5"), "marco", "whiskey"), "molotov"
    )
    killers_turn(state, "main")
    fight(state, "throw")
    assert refused(state, TEAM, "throw") == ("used-up", [], "WW-CLASH-09")
    events = team(state, "bare") + table(state, "roll 1+1+1+0")
    assert heard(events, KILLER)["rolled"]["total"] == 5
    state = plan_check(put(plotting("intel", "molotov"), anna="K1"))
    state.plan = state.plan._replace(kind=PLANS.index("intel"), line=2)
    team(state, "advance intel", "equip marco")
    table(state, "find herbs")
    team(state, "keep herbs")
    assert phase(state) == "reporting" and "herbs" in items(state, "marco")
    state = accomplish(put(plotting("mystic_herbs", "molotov"), marco="Z2", anna="Z2"), "mystic_herbs")
    state.change(0, health=1, fear=2)
    wake(state, "marco")
    team(state, "use mystic_herbs anna")
    assert state.team[0].health == 2 and state.team[0].fear == 0 and not state.main_done


@proves("WW-VAR2-14")
def test_nobody_takes_from_the_dead_elsewhere() -> None:
    state = put(bag(alone(), "anna", "herbs"), anna="K2", marco="K1")
    state.change(0, fate=1, health=0)
    act(state, 2, "wake marco")
    assert refused(state, 2, "loot anna herbs") == ("apart", ["K1", "K2"], "WW-VAR2-14")
