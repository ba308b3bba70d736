"""The worked scenarios of the ledger, with exactly its outcomes."""

from __future__ import annotations

import json

import pytest
from whisper_night import (
    KILLER,
    TEAM,
    accomplish,
    all_acted,
    at,
    bag,
    barred,
    bars,
    cards,
    change_all,
    codes,
    empty,
    fight,
    hand,
    heard,
    hide,
    items,
    keys,
    killer,
    killers_turn,
    kinds,
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
)

from companion.engine.state import Event
from companion.games.whisper import GAME
from companion.games.whisper.agenda import Whisper
from companion.games.whisper.pieces import CARDS, ITEMS, KEY, PLANS


@proves(
    *("WW-SETUP-08", "WW-SETUP-09", "WW-SETUP-10", "WW-SETUP-11", "WW-SETUP-15"),
    *("WW-SETUP-16", "WW-SETUP-17", "WW-SETUP-18", "WW-SETUP-19"),
    "WW-FIND-10",
    "WW-DRAW-07",
)
def test_sc01_set_up_of_butcher_against_three() -> None:
    state = night("butcher", "sophia marco william")
    assert (state.stock.equipment_size, state.stock.search_left()) == (32, 11)
    assert (items(state, "sophia"), items(state, "marco"), items(state, "william")) == (
        ["camera"],
        ["medkit"],
        [],
    )
    assert (state.killer.deck_size, len(state.killer.hand), state.killer.locked) == (10, 2, True)
    assert (
        CARDS.index("butcher_rage") not in state.killer.hand
        and not state.killer.deck[CARDS.index("butcher_rage")]
    )
    assert (state.killer.level, state.strength()) == (1, 5)
    assert place_of(state, "sophia") == place_of(state, "marco") == place_of(state, "william") == "K1"
    assert state.killer.at == at("Z5")
    empty(state, "search", 1)
    put(state, sophia="K2")
    wake(state, "sophia")
    team(state, "rummage")
    table(state, f"find {next(ITEMS[i] for i, n in enumerate(state.stock.search) if n)}")
    team(state, "leave")
    assert state.stock.search_left() == 1 and state.stock.bottom
    wake(state, "marco")
    put(state, marco="K2")
    team(state, "rummage")
    assert [state.notation.text(a) for a, _ in state.outcomes()] == ["find key"]


@proves("WW-TRADE-01", "WW-TRADE-02", "WW-TRADE-07", "WW-TURN-15")
def test_sc02_exchange_costs_nothing_and_is_secret() -> None:
    state = bag(night(team="marco johnson william"), "marco", "ammo")
    bag(state, "johnson", "revolver")
    events = team(state, "give marco ammo johnson")
    assert items(state, "johnson") == ["ammo", "revolver"] and items(state, "marco") == []
    assert not state.main_done and not state.acted
    assert kinds(events, KILLER) == [] and "gave" in kinds(events, TEAM)


@proves("WW-MOVE-01", "WW-MOVE-02", "WW-MAP-03")
def test_sc03_a_step_over_a_dotted_line() -> None:
    state = wake(put(night(), anna="Z3"), "anna")
    team(state, "move Z2")
    assert place_of(state, "anna") == "Z2" and state.main_done
    assert refused(state, TEAM, "move Z1") == ("main-action-done", [], "WW-TURN-04")


@proves("WW-MAP-03")
def test_sc04_a_step_through_a_passage() -> None:
    state = wake(put(night(), william="C2"), "william")
    team(state, "move C3")
    assert place_of(state, "william") == "C3"


@proves("WW-MOVE-03")
def test_sc05_a_barricade_stops_a_survivor() -> None:
    state = wake(bars(put(night(), anna="C3"), "C3-C4"), "anna")
    assert refused(state, TEAM, "move C4") == ("barricade", ["C3", "C4"], "WW-MOVE-03")


@proves("WW-BARR-09", "WW-BARR-10", "WW-BARR-13", "WW-BARR-01", "WW-COMM-07", "WW-FAQ-11", "WW-COMM-10")
def test_sc06_removing_a_barricade_is_told_at_once_and_is_silent() -> None:
    state = wake(bars(put(night(), anna="C3"), "C3-C4"), "anna")
    supply = state.house.supply()
    events = team(state, "clear C3-C4")
    assert barred(state) == set() and state.house.supply() == supply + 1 and state.main_done
    assert heard(events, KILLER) == {"barricade-removed": {"passage": "C3-C4", "cell": 18}}
    assert GAME.view(state, KILLER)["barricades"] == GAME.view(state, TEAM)["barricades"] == []
    assert state.house.pending == 0


@proves("WW-ITEM-10", "WW-MOVE-06", "WW-FAQ-07", "WW-ITEM-01", "WW-TURN-07")
def test_sc07_whiskey_works_across_a_barricade() -> None:
    state = bag(bars(put(night(), marco="C3"), "C3-C4"), "marco", "whiskey")
    wake(state, "marco")
    team(state, "use whiskey C4")
    assert codes(state.house.pending) == {"C4"} and "whiskey" in pile(state) and items(state, "marco") == []
    assert not state.main_done


@proves("WW-FEAR-04")
def test_sc08_main_action_two_removes_all_own_fear() -> None:
    state = night()
    change_all(state, fear=[1, 1, 2])
    wake(state, "william")
    team(state, "calm")
    assert row(state, "fear") == [1, 1, 0]


@proves("WW-TURN-11")
def test_sc09_calming_down_without_fear_is_a_way_to_wait() -> None:
    state = wake(night(), "anna")
    team(state, "calm", "done")
    assert row(state, "fear") == [0, 0, 0] and state.acted == 1


@proves("WW-PANIC-01", "WW-PANIC-02", "WW-PANIC-03", "WW-PANIC-05", "WW-NOISE-10", "WW-FEAR-01", "WW-FEAR-02")
def test_sc10_the_third_fear_is_a_panic() -> None:
    state = hand(put(night("maniac"), william="K5", anna="C4"), "maniac_notice", "maniac_sense")
    state.change(slot(state, "william"), fear=2)
    killers_turn(state)
    events = killer(state, "play maniac_notice", "pay maniac_sense")
    assert row(state, "fear") == [1, 1, 2] and codes(state.house.noise) == {"K5"}
    assert heard(events, KILLER)["panicked"] == {"survivor": "william", "cell": at("K5")}
    assert state.team[slot(state, "anna")].fear == 1


@proves("WW-PANIC-04", "WW-NOISE-02")
def test_sc11_a_panic_is_told_even_where_noise_lies() -> None:
    state = hand(put(night("maniac"), william="K5"), "maniac_notice", "maniac_sense")
    state.change(slot(state, "william"), fear=2)
    killers_turn(state)
    state.house.noise = 1 << at("K5")
    events = killer(state, "play maniac_notice", "pay maniac_sense")
    assert codes(state.house.noise) == {"K5"}
    assert heard(events, KILLER)["panicked"]["cell"] == at("K5")


@proves("WW-RADIO-01", "WW-RADIO-04", "WW-RADIO-05", "WW-NOISE-04", "WW-TURN-05")
def test_sc12_repair_places_a_gear_and_noise() -> None:
    state = put(night(), marco="C1", butcher="C2")
    state.house.gears = 1
    wake(state, "marco")
    team(state, "repair")
    assert state.house.gears == 2 and codes(state.house.pending) == {"C1"}


@proves("WW-RADIO-03", "WW-RADIO-07")
def test_sc13_gears_are_placed_once_a_round() -> None:
    state = bag(
        put(night(team="marco johnson william"), marco="C1", johnson="C1", butcher="C2"), "johnson", "toolbox"
    )
    wake(state, "marco")
    team(state, "repair")
    wake(state, "johnson")
    assert refused(state, TEAM, "use toolbox") == ("repaired", ["C1"], "WW-RADIO-03")


@proves("WW-RADIO-06", "WW-RADIO-07", "WW-ITEM-09", "WW-CHAR-05")
def test_sc14_johnsons_toolbox_places_three_gears() -> None:
    state = bag(put(night(team="marco johnson william"), johnson="C1"), "johnson", "toolbox")
    wake(state, "johnson")
    team(state, "use toolbox")
    assert state.house.gears == 3 and codes(state.house.pending) == {"C1"} and state.main_done
    assert items(state, "johnson") == [] and "toolbox" in pile(state)


@proves("WW-RADIO-08", "WW-RADIO-09", "WW-RESCUE-01", "WW-RESCUE-05")
def test_sc15_gears_beyond_five_are_lost_and_rescue_is_called() -> None:
    state = bag(put(night(), marco="C1"), "marco", "toolbox")
    state.house.gears = 4
    wake(state, "marco")
    events = team(state, "use toolbox")
    assert state.house.gears == 5 and state.house.rescue == 5
    assert heard(events, KILLER) == {"rescue-called": {"n": 5}}
    assert GAME.view(state, KILLER)["rescue"] == 5


@proves("WW-RADIO-02", "WW-TURN-12")
def test_sc16_no_repair_beside_the_killer() -> None:
    state = wake(put(night(), marco="C1", butcher="C1"), "marco")
    assert refused(state, TEAM, "repair") == ("killer-here", ["C1"], "WW-RADIO-02")
    team(state, "calm")


@proves("WW-RADIO-11", "WW-STEALTH-06", "WW-STEALTH-07")
def test_sc17_a_hidden_killer_forbids_nothing() -> None:
    state = wake(hide(put(night("specter"), marco="C1"), "C1", "K1"), "marco")
    events = team(state, "repair")
    assert state.house.gears == 1
    assert kinds(events, KILLER) == []


@proves("WW-RESCUE-02", "WW-RESCUE-03", "WW-RESCUE-04", "WW-WIN-03", "WW-WIN-06")
def test_sc18_rescue_comes_in_the_fifth_round_after() -> None:
    state = night()
    state.round, state.house.rescue, state.house.gears = 6, 5, 5
    seen = {}
    while state.result is None:
        survivors_turn(state)
        seen[state.round] = state.house.rescue
    assert seen == {7: 4, 8: 3, 9: 2, 10: 1, 11: 0}
    assert (state.result.code, state.result.winners, state.result.rule) == ("rescue", (1,), "WW-WIN-03")


def found(who: str, item: str, *bagged: str) -> tuple[Whisper, list[Event]]:
    state = put(night(team="sophia anna marco"), **{who: "K2"})
    bag(state, who, *bagged)
    wake(state, who)
    events = team(state, "rummage") + table(state, f"find {item}")
    return state, events


@proves("WW-FIND-01", "WW-FIND-04", "WW-FIND-05", "WW-FIND-08", "WW-NOISE-05", "WW-FIND-11")
def test_sc19_a_kept_key_goes_to_the_roof_with_noise() -> None:
    state, events = found("sophia", "key")
    assert kinds(events, KILLER) == []
    events = team(state, "keep key")
    assert state.keys == 1 and codes(state.house.pending) == {"K2"} and items(state, "sophia") == []
    assert heard(events, KILLER) == {"key-placed": {"n": 1}}


@proves("WW-FIND-08", "WW-ITEM-06", "WW-ITEM-07")
def test_sc20_a_discarded_key_is_as_loud() -> None:
    state, _ = found("sophia", "key")
    team(state, "leave")
    assert state.keys == 0 and "key" in pile(state) and codes(state.house.pending) == {"K2"}


@proves("WW-FIND-09", "WW-CHAR-03", "WW-NOISE-13")
def test_sc21_annas_search_is_silent() -> None:
    state, _ = found("anna", "key")
    team(state, "keep key")
    assert state.keys == 1 and state.house.pending == 0


@proves("WW-FIND-07", "WW-FIND-06", "WW-ITEM-03")
def test_sc22_a_fourth_item_must_go_at_once() -> None:
    state, _ = found("marco", "toolbox", "herbs", "hatchet", "whiskey")
    team(state, "keep toolbox")
    assert codes(state.house.pending) == {"K2"} and phase(state) == "shed"
    assert sorted(state.notation.text(a) for a in state.actions(TEAM)) == [
        "shed hatchet",
        "shed herbs",
        "shed toolbox",
        "shed whiskey",
    ]
    team(state, "shed herbs")
    assert items(state, "marco") == ["hatchet", "toolbox", "whiskey"] and "herbs" in pile(state)


@proves("WW-FIND-01", "WW-MAP-05")
def test_sc23_no_search_without_the_symbol() -> None:
    state = wake(put(night(), anna="K3"), "anna")
    assert refused(state, TEAM, "rummage") == ("nothing-to-search", ["K3"], "WW-FIND-01")


@proves("WW-FIND-03")
def test_sc24_no_search_in_an_empty_deck() -> None:
    state = wake(put(empty(night(), "search"), anna="Z4"), "anna")
    assert refused(state, TEAM, "rummage") == ("search-deck-empty", ["Z4"], "WW-FIND-03")


@proves("WW-EQUIP-01", "WW-EQUIP-05", "WW-EQUIP-07", "WW-EQUIP-08", "WW-NOISE-05")
def test_sc25_a_noisy_card_is_loud_though_discarded() -> None:
    state = all_acted(put(night(), william="Z1"))
    team(state, "equip william")
    table(state, "unpack longsword", "unpack sedative")
    team(state, "keep sedative")
    assert items(state, "william") == ["sedative"] and "longsword" in pile(state)
    assert codes(state.house.pending) == {"Z1"}


@proves("WW-EQUIP-04", "WW-FAQ-12")
def test_sc26_the_receiver_cannot_be_changed() -> None:
    state = all_acted(night())
    team(state, "equip william")
    table(state, "unpack longsword", "unpack sedative")
    assert refused(state, TEAM, "equip anna") == ("not-now", [], "WW-TURN-02")


@proves("WW-EQUIP-02", "WW-WIN-08")
def test_sc27_an_empty_equipment_deck_loses() -> None:
    state = all_acted(empty(night(), "equipment"))
    assert state.result is not None
    assert (state.result.code, state.result.winners, state.result.rule) == ("deck-out", (0,), "WW-EQUIP-02")


@proves("WW-EQUIP-03")
def test_sc28_with_rescue_on_the_way_the_step_is_skipped() -> None:
    state = empty(night(), "equipment")
    state.house.rescue, state.house.gears = 3, 5
    all_acted(state)
    assert phase(state) == "reporting"


@proves(
    *("WW-FIRE-01", "WW-FIRE-02", "WW-FIRE-03", "WW-FIRE-04", "WW-FIRE-05"),
    *("WW-ITEM-23", "WW-FAQ-04"),
)
def test_sc29_a_firecracker_hides_where_noise_was() -> None:
    state = bag(night(), "marco", "firecracker")
    wake(state, "marco")
    team(state, "use firecracker")
    state.house.pending = 1 << at("C1") | 1 << at("K2")
    to_report(state)
    state.house.pending = 1 << at("C1") | 1 << at("K2")
    events = team(state, "report")
    assert heard(events, KILLER)["firecracker"] == {"cell": at("Z5")}
    assert "noise-reported" not in kinds(events, KILLER)
    assert GAME.view(state, KILLER)["firecracker"] == GAME.view(state, TEAM)["firecracker"] == at("Z5")
    assert state.house.noisy() == (1 << 15) - 1 and GAME.view(state, KILLER)["noise"] == []


@proves("WW-NOISE-01", "WW-FIRE-06")
def test_sc30_the_next_step_a_clears_everything() -> None:
    state = night()
    state.house.noise, state.house.cracker, state.house.cracker_set = 5, at("Z5"), True
    survivors_turn(state)
    assert (state.house.noise, state.house.cracker, state.house.cracker_set, state.house.noisy()) == (
        0,
        -1,
        False,
        0,
    )


@proves("WW-CLASH-11", "WW-CLASH-13", "WW-CLASH-14", "WW-CLASH-18", "WW-ITEM-14", "WW-FLEE-05", "WW-DICE-03")
def test_sc31_the_books_fight() -> None:
    state = level(bag(put(night(), marco="K5", butcher="K5"), "marco", "fertilizer"), 4)
    assert state.strength() == 6
    killers_turn(hand(state), "main")
    events = fight(state, "guard fertilizer", "roll 3+1+1+1")
    rolled = {
        "survivor": "marco",
        "dice": [3, 1, 1, 1],
        "more": 2,
        "total": 8,
        "n": 6,
        "cell": state.killer.at,
    }
    assert heard(events, KILLER)["rolled"] == rolled
    assert heard(events, KILLER)["repelled"] == {"survivor": "marco", "n": 2, "cell": state.killer.at}
    assert "fertilizer" in pile(state) and phase(state) == "milling"
    deck = state.killer.deck_size
    table(state, "mill butcher_sense", "mill butcher_sense")
    assert phase(state) == "flee" and state.killer.deck_size == deck - 2
    team(state, "flee K4")
    assert phase(state) == "drawing"
    table(state, "draw butcher_pursue", "draw butcher_pursue", "draw butcher_pursue")
    assert len(state.killer.hand) == 3 and phase(state) == "pick" and state.round == 2


def one_fight(strength: int, roll: str, health: int = 2) -> tuple[Whisper, list[Event]]:
    state = put(night(), marco="K5", butcher="K5")
    state.killer.base = strength
    state.change(slot(state, "marco"), health=health)
    killers_turn(state, "main")
    return state, fight(state, "bare", f"roll {roll}")


@proves("WW-CLASH-12")
def test_sc32_equal_is_enough() -> None:
    _, events = one_fight(6, "3+1+1+1")
    assert "repelled" in kinds(events, KILLER)


@proves("WW-CLASH-15", "WW-WOUND-02", "WW-WOUND-04")
def test_sc33_one_less_wounds() -> None:
    state, events = one_fight(6, "3+1+1+0")
    assert row(state, "health") == [2, 1, 2] and "repelled" not in kinds(events, KILLER)
    assert phase(state) == "flee"
    assert GAME.view(state, KILLER)["survivors"][1]["health"] == 1


@proves("WW-WOUND-03", "WW-WIN-07", "WW-WIN-09", "WW-WOUND-01")
def test_sc34_the_second_wound_ends_the_game() -> None:
    state, events = one_fight(6, "3+1+1+0", health=1)
    assert state.result is not None and (state.result.code, state.result.winners) == ("killed", (0,))
    assert state.needs() == () and kinds(events, KILLER)[-2:] == ["died", "ended"]


@proves("WW-CLASH-05", "WW-CLASH-07", "WW-CLASH-14", "WW-CLASH-16", "WW-FLEE-01", "WW-FLEE-02")
def test_sc35_a_success_spares_the_rest_and_all_may_flee() -> None:
    state = killers_turn(put(night(), anna="K2", marco="K2", william="K2", butcher="K2"), "main")
    fight(state, "face marco", "bare", "roll 0+0+0+0", "face anna", "bare", "roll 3+1+1+0")
    assert row(state, "health") == [2, 1, 2]
    table(state, *[state.notation.text(state.outcomes()[0][0])])
    table(state, *[state.notation.text(state.outcomes()[0][0])])
    assert [frame[1] for frame in state.todo if frame[0] == "flee"] == [2, 1, 0]


@proves("WW-DICE-01", "WW-FEAR-05", "WW-DICE-06")
def test_sc36_two_fears_leave_two_dice() -> None:
    state = put(night(), marco="K5", butcher="K5")
    state.change(slot(state, "marco"), fear=2)
    killers_turn(state, "main")
    fight(state, "bare")
    rolls = [state.notation.text(a) for a, _ in state.outcomes()]
    assert "roll 3+3" in rolls and all(len(roll.split("+")) == 2 for roll in rolls)
    assert refused(state, -1, "roll 3+3+3") == ("wrong-dice", [], "WW-DICE-01")


@proves("WW-CLASH-08", "WW-CLASH-09", "WW-ITEM-12", "WW-FAQ-01")
def test_sc37_revolver_and_ammo_are_the_only_pair() -> None:
    state = bag(put(night(), marco="K5", butcher="K5"), "marco", "revolver", "ammo", "shortsword")
    killers_turn(state, "main")
    events = fight(state, "guard ammo")
    assert (
        state.fight.defence == 4
        and items(state, "marco") == ["revolver", "shortsword"]
        and "ammo" in pile(state)
    )
    assert refused(state, TEAM, "guard shortsword") == ("not-your-turn", [], "WW-TURN-02")
    assert heard(events, KILLER)["guarded"] == {"survivor": "marco", "thing": "ammo"}


@proves("WW-TRAP-02", "WW-TRAP-03", "WW-TRAP-04", "WW-FAQ-06", "WW-COMM-12")
def test_sc38_the_trap_helps_the_first_defender() -> None:
    state = put(night(), anna="Z3", marco="Z3", butcher="Z3")
    state.house.trap = at("Z3")
    killers_turn(state, "main")
    before = killer(state, "search") + team(state, "face anna", "bare")
    assert "trap-sprung" not in kinds(before, KILLER)
    events = table(state, "roll 3+0+0+0")
    assert heard(events, KILLER)["rolled"]["total"] == 5 and "repelled" in kinds(events, KILLER)
    assert heard(events, KILLER)["trap-sprung"]["cell"] == at("Z3") and state.house.trap == -1


@proves("WW-TRAP-03")
def test_sc39_the_trap_is_gone_after_a_failure_too() -> None:
    state = put(night(), anna="Z3", marco="Z3", butcher="Z3")
    state.house.trap = at("Z3")
    killers_turn(state, "main")
    fight(state, "face anna", "bare", "roll 1+0+0+0")
    assert state.team[0].health == 1 and state.house.trap == -1
    events = team(state, "bare") + table(state, "roll 3+1+0+0")
    assert heard(events, KILLER)["rolled"]["total"] == 4


@proves("WW-CHAR-06")
def test_sc40_william_without_an_item() -> None:
    state = killers_turn(put(night(), william="K5", butcher="K5"), "main")
    events = fight(state, "bare", "roll 3+1+0+0")
    assert heard(events, KILLER)["rolled"]["total"] == 5 and "repelled" in kinds(events, KILLER)


@proves("WW-CHAR-06")
def test_sc41_william_with_an_item() -> None:
    state = bag(put(night(), william="K5", butcher="K5"), "william", "fertilizer")
    killers_turn(state, "main")
    events = fight(state, "guard fertilizer", "roll 1+1+0+0")
    assert heard(events, KILLER)["rolled"]["total"] == 4 and "hit" in kinds(events, KILLER)


@proves("WW-ITEM-15", "WW-LEVEL-03", "WW-DRAW-04", "WW-LEVEL-07")
def test_sc42_the_longsword_brings_a_level() -> None:
    state = bag(put(night(), marco="K5", butcher="K5"), "marco", "longsword")
    killers_turn(hand(state, "butcher_sense", "butcher_pursue", deck=0), "main")
    assert len(state.killer.spent) == 10
    events = fight(state, "guard longsword")
    assert (state.killer.level, state.strength(), state.killer.deck_size) == (2, 6, 10)
    events = table(state, "draw butcher_sense", "roll 1+1+0+0")
    rolled = {
        "survivor": "marco",
        "dice": [1, 1, 0, 0],
        "more": 3,
        "total": 5,
        "n": 6,
        "cell": state.killer.at,
    }
    assert heard(events, KILLER)["rolled"] == rolled
    assert state.team[1].health == 1 and items(state, "marco") == ["longsword"]


@proves("WW-CLASH-13", "WW-LEVEL-03", "WW-DRAW-05")
def test_sc43_milling_brings_a_level_and_a_card() -> None:
    state = level(put(night(), marco="K5", butcher="K5"), 2)
    full = ("butcher_sense", "butcher_sense", "butcher_pursue", "butcher_pursue", "butcher_barricade")
    killers_turn(hand(state, *full, deck=1), "main")
    fight(state, "bare", "roll 3+3+3+3")
    left = next(CARDS[card] for card, n in enumerate(state.killer.deck) if n)
    table(state, f"mill {left}")
    assert (
        state.killer.level == 3 and "butcher_rage" in cards(state.killer.hand) and phase(state) == "discard"
    )
    killer(state, "discard butcher_barricade")
    assert len(state.killer.hand) == 5 and state.killer.deck_size == 8
    table(state, "mill butcher_madness")
    assert state.killer.deck_size == 7 and phase(state) == "flee"


@proves("WW-DRAW-01", "WW-DRAW-02", "WW-DRAW-03")
def test_sc44_cards_beyond_the_fifth_are_discarded() -> None:
    state = hand(night(), "butcher_sense", "butcher_sense", "butcher_pursue", "butcher_pursue")
    assert state.killer.deck_size == 8
    killers_turn(state, "planning")
    killer(state, "next")
    events = table(state, "draw butcher_pursue", "draw butcher_madness", "draw butcher_stay")
    assert cards(state.killer.hand)[-1] == "butcher_pursue" and len(state.killer.hand) == 5
    assert cards(state.killer.spent) == ["butcher_madness", "butcher_stay"]
    assert kinds(events, TEAM) == ["round-began"]


@proves("WW-DRAW-05", "WW-DRAW-06", "WW-LEVEL-04")
def test_sc45_at_an_unlock_any_card_may_go() -> None:
    state = level(night(), 2)
    full = ("butcher_sense", "butcher_sense", "butcher_pursue", "butcher_pursue", "butcher_barricade")
    killers_turn(hand(state, *full, deck=0), "planning")
    killer(state, "next")
    assert phase(state) == "discard" and len(state.killer.hand) == 6 and state.killer.deck_size == 0
    killer(state, "discard butcher_rage")
    assert len(state.killer.hand) == 5 and phase(state) == "drawing" and state.killer.deck_size == 8


@proves("WW-COST-02", "WW-FAQ-09", "WW-COST-03")
def test_sc46_a_card_cannot_pay_for_itself() -> None:
    state = killers_turn(hand(night(), "butcher_rage"), "main")
    assert refused(state, KILLER, "play butcher_rage") == ("cannot-pay", [], "WW-COST-02")


@proves("WW-COST-04", "WW-FAQ-10", "WW-COST-01", "WW-CARD-06")
def test_sc47_the_played_card_lies_on_top() -> None:
    state = killers_turn(hand(night(), "butcher_rage", "butcher_sense"), "main")
    killer(state, "play butcher_rage", "pay butcher_sense", "go Z3", "halt")
    assert cards(state.killer.spent)[::-1] == ["butcher_rage", "butcher_sense"]


def sensing(**where: str) -> dict[str, object]:
    state = hand(put(night(team="sophia anna william"), **where), "butcher_sense")
    killers_turn(state)
    return heard(killer(state, "play butcher_sense", "ask red"), KILLER)["sensed"]


@proves("WW-SENSE-05", "WW-SENSE-04", "WW-FAQ-05")
def test_sc48_anna_alone_is_nobody() -> None:
    assert sensing(anna="K4", sophia="C1", william="C1")["survivors"] == []


@proves("WW-SENSE-06", "WW-SENSE-02")
def test_sc49_all_but_anna_are_named() -> None:
    assert sensing(anna="K4", sophia="K4", william="K1")["survivors"] == ["sophia", "william"]


@proves("WW-SENSE-04", "WW-SENSE-08")
def test_sc50_one_list_for_a_pair() -> None:
    state = hand(put(night("maniac"), marco="K5", anna="K4"), "maniac_deduction", "maniac_pursue")
    killers_turn(state)
    events = killer(state, "play maniac_deduction", "pay maniac_pursue", "ask-pair K4-K5")
    assert heard(events, KILLER)["sensed"] == {"cells": [3, 4], "survivors": ["marco"]}


@proves("WW-CARD-02", "WW-MAP-03")
def test_sc51_a_pair_must_be_adjacent() -> None:
    state = killers_turn(hand(night("maniac"), "maniac_deduction", "maniac_pursue"))
    killer(state, "play maniac_deduction", "pay maniac_pursue")
    assert refused(state, KILLER, "ask-pair K4-Z4") == ("not-adjacent", ["K4", "Z4"], "WW-MAP-03")


@proves("WW-KILLER-04", "WW-MOVE-08", "WW-COMM-02")
def test_sc52_two_basic_moves_are_told_in_order() -> None:
    state = killers_turn(put(night(), butcher="K4"), "main")
    events = killer(state, "go K5", "go Z4")
    told = [event.data["cell"] for event in events if event.kind == "killer-moved" and event.is_for(TEAM)]
    assert told == [at("K5"), at("Z4")]
    assert GAME.view(state, TEAM)["killer"]["cell"] == GAME.view(state, KILLER)["killer"]["cell"] == at("Z4")


@proves("WW-CARD-10", "WW-CARD-04", "WW-MOVE-07", "WW-BARR-11")
def test_sc53_brutal_rage_goes_on_through_barricades() -> None:
    state = bars(put(night(), butcher="K1", anna="K5", marco="C4", william="C4"), "K1-K2", "K2-K5")
    killers_turn(hand(state, "butcher_rage", "butcher_sense"), "main")
    events = killer(state, "play butcher_rage", "pay butcher_sense", "go K2", "halt")
    assert heard(events, TEAM)["searched"] == {"cell": at("K2"), "survivors": []}
    assert barred(state) == {"K2-K5"} and phase(state) == "walk"
    events = killer(state, "go K5", "halt")
    assert heard(events, TEAM)["searched"]["survivors"] == ["anna"] and barred(state) == set()
    assert phase(state) == "guard"


def chainsaw(who_has: str = "") -> tuple[Whisper, list[Event]]:
    state = put(night(), butcher="K3", marco="K1", william="C5", anna="K5")
    if who_has:
        bag(state, who_has, "amulet")
    killers_turn(hand(state, "butcher_chainsaw", "butcher_sense", "butcher_pursue"), "main")
    return state, killer(state, "play butcher_chainsaw", "pay butcher_sense", "pay butcher_pursue", "go K1")


@proves(
    "WW-CARD-08", "WW-KILLER-03", "WW-KILLER-11", "WW-RANGE-01", "WW-RANGE-04", "WW-WOUND-05", "WW-WOUND-07"
)
def test_sc54_the_chainsaw() -> None:
    state, _ = chainsaw()
    assert row(state, "fear") == [0, 1, 1] and phase(state) == "ward"
    events = team(state, "endure")
    assert row(state, "health") == [2, 1, 2] and heard(events, KILLER)["wounded"]["survivor"] == "marco"
    assert phase(state) == "planning" and not state.killer.fought


@proves("WW-ITEM-17")
def test_sc55_the_amulet_prevents_the_wound() -> None:
    state, _ = chainsaw("marco")
    events = team(state, "ward")
    assert row(state, "health") == [2, 2, 2] and "amulet" in pile(state)
    assert heard(events, KILLER) == {"warded": {"survivor": "marco"}}


@proves("WW-ITEM-18", "WW-LEVEL-10")
def test_sc56_no_amulet_in_an_encounter() -> None:
    state = level(bag(put(night(), marco="K5", butcher="K5"), "marco", "amulet"), 5)
    killers_turn(state, "main")
    killer(state, "search")
    assert (
        row(state, "health") == [2, 1, 2] and phase(state) == "guard" and items(state, "marco") == ["amulet"]
    )


def whizz(lvl: int = 1) -> Whisper:
    state = level(put(night("specter"), anna="Z5", marco="Z4", william="Z2"), lvl)
    killers_turn(hand(state, "specter_whizz", "specter_sense", "specter_sense"), "main")
    killer(state, "play specter_whizz", "go Z3", "go Z4", "go K5", "go K2")
    return state


@proves("WW-CARD-11")
def test_sc57_whizz_by_frightens_start_and_path() -> None:
    assert row(whizz(), "fear") == [1, 1, 0]


@proves("WW-CARD-12", "WW-LEVEL-08")
def test_sc58_from_level_two_a_search_can_be_paid() -> None:
    state = whizz(2)
    assert phase(state) == "offer"
    events = killer(state, "accept level2", "pay specter_sense", "pay specter_sense")
    assert heard(events, TEAM)["searched"] == {"cell": at("K2"), "survivors": []}


@proves("WW-REVEAL-01", "WW-REVEAL-02", "WW-REVEAL-03", "WW-REVEAL-04", "WW-REVEAL-08", "WW-STEALTH-02")
def test_sc59_the_specter_reveals() -> None:
    state = put(night("specter"), specter="K2", anna="K4", marco="Z5", william="C1")
    killers_turn(hand(state, "specter_vanish", "specter_sense"), "planning")
    killer(state, "play specter_vanish", "pay specter_sense", "sneak K5")
    assert GAME.view(state, TEAM)["killer"]["cell"] is None
    assert GAME.view(state, TEAM)["killer"]["last_cell"] == at("K2")
    killers_turn(state, "reveal")
    events = killer(state, "reveal")
    assert (
        GAME.view(state, TEAM)["killer"]["cell"] == at("K5")
        and not GAME.view(state, TEAM)["killer"]["hidden"]
    )
    assert row(state, "fear") == [1, 0, 0]
    told = [kind for kind in kinds(events, TEAM) if kind in ("revealed", "frightened", "searched")]
    assert told == ["revealed", "frightened", "searched"] and phase(state) == "instant"


@proves("WW-STEALTH-03", "WW-FAQ-02")
def test_sc60_stealth_leaves_barricades_standing() -> None:
    state = bars(put(night("specter"), specter="K2"), "K2-K5")
    killers_turn(hand(state, "specter_vanish", "specter_sense"), "planning")
    killer(state, "play specter_vanish", "pay specter_sense", "sneak K5")
    assert barred(state) == {"K2-K5"} and state.killer.at == at("K5")


@proves("WW-REVEAL-05", "WW-REVEAL-11", "WW-CLASH-19", "WW-LEVEL-09")
def test_sc61_the_maniac_springs_from_stealth() -> None:
    state = hide(level(put(night("maniac"), william="K2", anna="C1", marco="C1"), 2), "K2", "K1")
    killers_turn(hand(state, "maniac_pursue"), "reveal")
    killer(state, "reveal")
    assert state.strength() == 7
    killer(state, "next")
    team(state, "bare")
    table(state, "roll 1+1+1+1")
    team(state, "stay")
    assert phase(state) == "drawing"
    for _ in range(3):
        table(state, state.notation.text(state.outcomes()[0][0]))
    assert phase(state) == "pick" and state.strength() == 4


@proves("WW-REVEAL-10", "WW-FAQ-08", "WW-ITEM-18")
def test_sc62_death_blossom_kills_through_the_amulet() -> None:
    state = bag(
        put(night("maniac", "sophia marco william"), sophia="C3", marco="Z4", william="Z4"),
        "sophia",
        "amulet",
    )
    put(state, maniac="C2")
    killers_turn(hand(state, "maniac_blossom", "maniac_pursue", "maniac_pursue"), "planning")
    killer(state, "play maniac_blossom", "pay maniac_pursue", "pay maniac_pursue", "sneak C2")
    killers_turn(state, "reveal")
    killer(state, "reveal")
    assert state.result is not None and (state.result.code, state.result.winners) == ("killed", (0,))
    assert state.team[0].health == 0


@proves("WW-BARR-03", "WW-BARR-04", "WW-BARR-05", "WW-COST-06")
def test_sc63_stay_takes_tokens_from_elsewhere() -> None:
    elsewhere = ("C1-C2", "C2-C3", "C3-C4", "C4-Z5", "Z3-Z4")
    state = bars(put(night(), butcher="K2"), *elsewhere)
    others = ("butcher_sense", "butcher_sense", "butcher_pursue", "butcher_pursue")
    killers_turn(hand(state, "butcher_stay", *others), "planning")
    killer(state, "play butcher_stay", *(f"pay {card}" for card in others))
    assert refused(state, KILLER, "reuse K1-K2")[0] == "not-to-reuse"
    killer(state, "reuse C1-C2", "reuse Z3-Z4")
    here = {"K1-K2", "K2-K3", "K2-K5", "K2-Z1"}
    assert barred(state) == here | {"C2-C3", "C3-C4", "C4-Z5"} and state.killer.hand == []


@proves("WW-BARR-02")
def test_sc64_aiming_at_a_barricade_adds_nothing() -> None:
    state = bars(put(night(), butcher="C1"), "C1-C2")
    killers_turn(hand(state, "butcher_barricade"), "planning")
    killer(state, "play butcher_barricade", "block C1-C2")
    assert barred(state) == {"C1-C2"} and cards(state.killer.spent)[-1:] == ["butcher_barricade"]


@proves("WW-BARR-08", "WW-MAP-04", "WW-CARD-05")
def test_sc65_no_passage_here_no_effect() -> None:
    state = killers_turn(hand(put(night(), butcher="Z2"), "butcher_barricade"), "planning")
    killer(state, "play butcher_barricade")
    assert barred(state) == set() and cards(state.killer.spent) == ["butcher_barricade"]


@proves("WW-CLASH-20", "WW-KILLER-07")
def test_sc66_no_planning_card_after_an_encounter() -> None:
    state = put(night(), marco="K5", butcher="K5")
    killers_turn(hand(state, "butcher_barricade"), "main")
    fight(state, "bare", "roll 0+0+0+0", "stay")
    assert phase(state) == "drawing"
    assert refused(state, KILLER, "play butcher_barricade") == ("not-your-turn", [], "WW-TURN-02")


@proves("WW-WIN-01", "WW-WIN-05")
def test_sc67_the_killer_at_the_door_does_not_help() -> None:
    state = keys(put(night(), butcher="K1"), 5)
    survivors_turn(state)
    assert state.result is not None and (state.result.code, state.result.winners) == ("escape", (1,))


@proves("WW-WIN-04")
def test_sc68_the_fifth_key_wins_only_in_the_next_step_a() -> None:
    state = all_acted(keys(night(), 4))
    team(state, "equip anna")
    take_two(state, "key", "sedative")
    team(state, "keep key")
    assert state.keys == 5 and state.result is None
    team(state, "report")
    assert state.killer_turn and state.result is None
    survivors_turn(state)
    assert state.result is not None and state.result.code == "escape"


def take_two(state: Whisper, *drawn: str) -> None:
    if not state.stock.equipment[KEY]:
        state.stock.take_search(KEY)
        state.stock.equipment = tuple(n + (item == KEY) for item, n in enumerate(state.stock.equipment))
        state.stock.equipment_size += 1
    table(state, *(f"unpack {item}" for item in drawn))


@proves("WW-WIN-02")
def test_sc69_the_secret_exit_needs_the_building_plan() -> None:
    state = keys(put(night(), anna="Z5", marco="Z5", william="Z5"), 5)
    survivors_turn(state)
    assert state.result is None
    bag(state, "marco", "building_plan")
    survivors_turn(state)
    assert state.result is not None and (state.result.code, state.result.rule) == ("secret-exit", "WW-WIN-02")


@proves("WW-CHAR-02", "WW-CHAR-01", "WW-MAP-10")
def test_sc70_sophia_with_the_flashlight() -> None:
    state = bag(put(night(team="sophia marco william"), sophia="C1"), "sophia", "flashlight")
    bars(state, "C1-C2", "C1-K1")
    wake(state, "sophia")
    team(state, "use observant Z2")
    assert place_of(state, "sophia") == "Z2" and not state.main_done
    team(state, "use observant C1", "use observant Z2")


@proves("WW-ITEM-21", "WW-MAP-08")
def test_sc71_the_flashlight_is_a_special_action() -> None:
    state = wake(bag(put(night(), william="C5"), "william", "flashlight"), "william")
    team(state, "use flashlight Z5")
    assert (
        place_of(state, "william") == "Z5" and state.main_done and items(state, "william") == ["flashlight"]
    )


@proves("WW-HEAL-02", "WW-FAQ-15")
def test_sc72_healing_needs_the_same_location() -> None:
    state = put(night(), marco="K1", anna="K3")
    state.change(slot(state, "anna"), health=1)
    wake(state, "marco")
    assert refused(state, TEAM, "use medkit anna") == ("apart", ["K1", "K3"], "WW-HEAL-02")


@proves("WW-VAR1-04", "WW-VAR1-07", "WW-VAR1-08")
def test_sc73_hard_deals_four_keeps_two() -> None:
    state = GAME.start(
        GAME.resolve({"killer": "butcher", "survivors": "anna+marco+william", "skills": "hard"})
    )
    seen = {"learn": 0, "master": 0}
    while not state.round:
        need = state.needs()[0]
        action = state.actions(need.seat)[0]
        events = state.apply(need.seat, action)
        if action.verb in seen:
            seen[action.verb] += 1
    assert seen == {"learn": 3 * 2 + 4, "master": 3 + 2}
    shown = GAME.view(state, TEAM)["killer"]["skills"]
    assert len(shown) == 2 and heard(events, TEAM)["showed-skills"] == {"skills": shown}
    assert "skills" not in GAME.view(state, KILLER)


def crossroads(team: str = "anna marco william", **options: object) -> Whisper:
    return night(team=team, crossroads=True, players=4, **options)


@proves("WW-VAR2-08", "WW-VAR2-18")
def test_sc74_a_survivor_with_three_keys_escapes_alone() -> None:
    state = put(crossroads(), marco="C4", william="C4")
    for _ in range(3):
        take(state, KEY)
    state.change(0, keys=3)
    events = survivors_turn(state)
    assert heard(events, KILLER)["escaped"] == {"survivor": "anna", "cell": at("K1")}
    assert state.result is None and {need.seat for need in state.needs()} == {2, 3}


@proves("WW-VAR2-12", "WW-VAR2-13", "WW-VAR2-14")
def test_sc75_a_death_in_variant_two() -> None:
    state = level(put(crossroads(), william="K5", butcher="K5", marco="K5", anna="C1"), 2)
    bag(state, "william", "herbs", "whiskey")
    take(state, KEY)
    state.change(2, keys=1)
    state.change(2, health=1)
    killers_turn(state, "main")
    killer(state, "search")
    act_as(state, 3, "face william", "bare")
    table(state, "roll 0+0+0+0")
    assert (
        state.result is None and state.killer.level == 3 and CARDS.index("butcher_rage") in state.killer.hand
    )
    state.todo = [("round",)]
    state.settle([])
    put(state, marco="K5")
    act_as(state, 2, "wake marco", "loot william herbs", "loot william key")
    assert "herbs" in items(state, "marco") and row(state, "keys") == [0, 1, 0] and not state.main_done


def act_as(state: Whisper, seat: int, *lines: str) -> None:
    for line in lines:
        state.apply(seat, state.notation.parse(line))
        state.check()


@proves("WW-VAR2-11")
def test_sc76_a_search_card_for_each_gear() -> None:
    state = bag(put(crossroads("marco johnson william"), johnson="C1"), "johnson", "toolbox")
    act_as(state, 2, "wake johnson", "use toolbox")
    for item in ("herbs", "whiskey", "fertilizer"):
        assert phase(state) == "finding"
        table(state, f"find {item}")
        act_as(state, 2, f"keep {item}")
    assert phase(state) == "active" and items(state, "johnson") == ["fertilizer", "herbs", "whiskey"]


@proves("WW-VAR2-11")
@pytest.mark.parametrize(("gears", "rewards"), [(1, 3), (2, 3), (3, 2), (4, 1)])
def test_only_gears_that_were_placed_are_rewarded(gears: int, rewards: int) -> None:
    """«каждый раз, когда какая-либо из жертв выкладывает… жетон шестерёнки, она берёт одну карту»"""
    state = bag(put(crossroads("marco johnson william"), johnson="C1"), "johnson", "toolbox")
    state.house.gears = gears
    act_as(state, 2, "wake johnson", "use toolbox")
    found = 0
    while phase(state) == "finding":
        table(state, state.notation.text(state.outcomes()[0][0]))
        act_as(state, 2, "leave")
        found += 1
    assert (found, state.house.gears) == (rewards, gears + rewards)


@proves("WW-REVEAL-11")
@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_maniac_is_no_stronger_in_an_encounter_without_a_reveal(n: int) -> None:
    """The bonus of level 2 is for an encounter from the search of a reveal alone."""
    state = level(put(night("maniac"), william="K2", anna="C1", marco="C1", maniac="K2"), n)
    base = state.killer.base
    killers_turn(hand(state, "maniac_pursue"), "main")
    killer(state, "search")
    assert state.strength() == base


@proves("WW-DRAW-05")
@pytest.mark.parametrize(("held", "asks"), [(3, False), (4, False), (5, True)])
def test_an_unlocked_card_is_the_fifth_or_one_too_many(held: int, asks: bool) -> None:
    """«на руке убийцы не может быть больше пяти карт»; «Если после этого допустимый лимит карт на руке будет
    превышен, вы можете выбрать, какую карту сбросить.»"""
    full = ("butcher_sense", "butcher_sense", "butcher_pursue", "butcher_pursue", "butcher_barricade")
    state = level(night(), 2)
    killers_turn(hand(state, *full[:held], deck=0), "planning")
    killer(state, "next")
    assert len(state.killer.hand) == held + 1 and (phase(state) == "discard") == asks


def plotting(*plans: str) -> Whisper:
    state = night(plans=True)
    state.plan = state.plan._replace(dealt=tuple(PLANS.index(plan) for plan in plans))
    return state


@proves("WW-VAR3-03", "WW-VAR3-08")
def test_sc77_a_line_at_the_information_source() -> None:
    state = put(plotting("blueprint", "molotov"), william="K4")
    state.todo = [("killer-turn",), ("to-report",), ("plan-check",)]
    state.settle([])
    team(state, "advance blueprint")
    assert state.plan.line == 1 and phase(state) == "reporting"


@proves("WW-VAR3-06", "WW-VAR3-02")
def test_sc78_going_over_to_the_other_plan_loses_progress() -> None:
    state = put(plotting("blueprint", "molotov"), william="Z3")
    state.plan = state.plan._replace(kind=state.plan.dealt[0], line=2)
    state.todo = [("killer-turn",), ("to-report",), ("plan-check",)]
    state.settle([])
    team(state, "advance molotov")
    assert (state.plan.kind, state.plan.line) == (state.plan.dealt[1], 1)


@proves("WW-VAR3-19", "WW-VAR3-13")
def test_sc79_the_explosive_trap() -> None:
    state = accomplish(put(plotting("explosive", "molotov"), butcher="C4"), "explosive", "C4")
    killers_turn(state, "main")
    killer(state, "search")
    assert state.result is not None and (state.result.code, state.result.winners) == ("plan", (1,))


@proves("WW-TURN-15", "WW-MOVE-10")
def test_sc80_a_survivors_move_changes_no_byte_for_the_killer() -> None:
    state = night(deduction=True)
    before = json.dumps(GAME.view(state, KILLER))
    events = team(state, "wake marco", "move K3", "done")
    assert json.dumps(GAME.view(state, KILLER)) == before and kinds(events, KILLER) == []


@proves("WW-STEALTH-04")
def test_sc81_the_real_place_of_a_hidden_killer_changes_no_byte_for_the_team() -> None:
    state = hide(night("specter"), "K2", "K3")
    before = json.dumps(GAME.view(state, TEAM))
    hide(state, "K5", "K3")
    assert json.dumps(GAME.view(state, TEAM)) == before


@proves("WW-SENSE-05")
def test_sc82_anna_alone_and_an_empty_zone_are_the_same_to_the_killer() -> None:
    payloads = []
    for place in ("K4", "C1"):
        state = hand(
            put(night(team="sophia anna william"), sophia="C1", anna=place, william="C1"), "butcher_sense"
        )
        killers_turn(state)
        events = killer(state, "play butcher_sense", "ask red")
        told = [(event.kind, event.data) for event in events if event.is_for(KILLER)]
        lights = GAME.scene(GAME.view(state, KILLER))
        payloads.append((json.dumps(told), json.dumps(GAME.view(state, KILLER)), lights))
    assert payloads[0] == payloads[1]


@proves("WW-REVEAL-10")
@pytest.mark.parametrize(("place", "is_told"), [("Z5", True), ("C2", False)])
def test_only_a_death_blossom_without_victims_says_that_nobody_was_there(place: str, is_told: bool) -> None:
    state = put(night("maniac"), anna=place, marco="Z5", william="Z5", maniac="C2")
    killers_turn(hand(state, "maniac_blossom", "maniac_pursue", "maniac_pursue"), "planning")
    killer(state, "play maniac_blossom", "pay maniac_pursue", "pay maniac_pursue", "sneak C2")
    killers_turn(state, "reveal")
    assert ("nobody-wounded" in kinds(killer(state, "reveal"), KILLER)) == is_told
