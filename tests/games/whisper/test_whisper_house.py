"""The house and the survivors' side: map, set-up, turn, items, noise, fear."""

from __future__ import annotations

import pytest
from whisper_night import (
    KILLER,
    TEAM,
    act,
    all_acted,
    at,
    bag,
    barred,
    bars,
    codes,
    deal,
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
    survivors_turn,
    table,
    team,
    to_report,
    wake,
    why,
)

from companion.engine.action import PUBLIC
from companion.engine.errors import ConfigError
from companion.games.whisper import GAME
from companion.games.whisper.pieces import (
    BESIDE,
    BOX,
    GRAPH,
    ITEMS,
    LOCATIONS,
    SECRET,
    WITHIN,
    ZONE,
    reach,
)

# The map ----------------------------------------------------------------------------------------


@proves("WW-MAP-01", "WW-MAP-07")
def test_fifteen_locations_in_three_zones_of_five() -> None:
    assert len(LOCATIONS) == 15 and [mask.bit_count() for mask in ZONE] == [5, 5, 5]
    assert ZONE[0] | ZONE[1] | ZONE[2] == (1 << 15) - 1
    assert {code[0] for code in codes(ZONE[0])} == {"K"}
    assert [LOCATIONS[BOX.special[name][0]] for name in ("main_entrance", "secret_exit")] == ["K1", "Z5"]


@proves("WW-MAP-02", "WW-TURN-13")
def test_any_number_may_share_a_place_with_the_killer_unharmed() -> None:
    state = put(night(), anna="K2", marco="K2", william="K3", butcher="K2")
    wake(state, "william")
    events = team(state, "move K2")
    assert place_of(state, "william") == "K2" and not state.fight.met and kinds(events, KILLER) == []
    team(state, "done", "wake anna", "move K3")
    assert phase(state) == "active"


@proves("WW-MAP-06")
def test_repair_only_at_the_radio() -> None:
    state = wake(put(night(), marco="C2"), "marco")
    assert refused(state, TEAM, "repair") == ("no-radio", ["C2", "C1"], "WW-RADIO-01")


@proves("WW-MAP-09", "WW-RANGE-03")
def test_a_secret_passage_joins_nothing_for_walking_range_or_the_killer() -> None:
    assert codes(SECRET[at("C1")]) == {"Z2"} and "Z2" not in codes(BESIDE[at("C1")])
    assert GRAPH.distance[at("C1")][at("Z2")] == 4 and "Z2" not in codes(WITHIN[1][at("C1")])
    state = killers_turn(put(night(), butcher="C1"), "main")
    assert refused(state, KILLER, "go Z2") == ("not-adjacent", ["C1", "Z2"], "WW-MOVE-01")


@proves("WW-MAP-10")
def test_no_secret_passage_without_a_right_to_it() -> None:
    state = wake(put(night(), marco="C1"), "marco")
    assert refused(state, TEAM, "use flashlight Z2") == ("no-item", [], "WW-ITEM-02")
    assert refused(state, TEAM, "use observant Z2") == ("not-yours", [], "WW-CHAR-08")
    bag(state, "marco", "flashlight")
    put(state, marco="K1")
    assert refused(state, TEAM, "use flashlight Z2") == ("no-passage", ["K1"], "WW-MAP-10")


@proves("WW-MAP-11")
def test_variant_places_do_nothing_in_the_base_game() -> None:
    state = put(night(), anna="K4", marco="Z2", william="Z3")
    all_acted(state)
    team(state, "equip anna")
    table(state, "unpack sedative", "unpack sedative")
    team(state, "leave")
    assert phase(state) == "reporting" and not state.plan.dealt


@proves("WW-MAP-12", "WW-COMM-04", "WW-BARR-06", "WW-BARR-07")
def test_public_changes_are_on_both_boards() -> None:
    state = killers_turn(hand(put(night(), butcher="K4"), "butcher_barricade"), "planning")
    killer(state, "play butcher_barricade")
    assert refused(state, KILLER, "block C1-C2") == ("not-here", ["K4", "C1-C2"], "WW-BARR-07")
    events = killer(state, "block K4-K5")
    assert heard(events, TEAM)["barricaded"]["passage"] == "K4-K5"
    for viewer in (KILLER, TEAM, PUBLIC):
        seen = GAME.view(state, viewer)
        assert [GAME.board({}).places[cell].name for cell in seen["barricades"]] == ["K4-K5"]
        assert seen["killer"]["cell"] == at("K4")


@proves("WW-MAP-13", "WW-BARR-12", "WW-RANGE-02")
def test_distance_and_range_ignore_barricades() -> None:
    assert max(max(row) for row in GRAPH.distance) == 5
    assert GRAPH.distance[at("C1")][at("Z3")] == GRAPH.distance[at("K3")][at("Z5")] == 5
    state = bars(put(night("specter"), specter="K4", marco="K5", anna="C5", william="C4"), "K4-K5", "C5-K4")
    killers_turn(hand(state, "specter_scream"))
    killer(state, "play specter_scream")
    assert row(state, "fear") == [1, 1, 0]


# Set-up -----------------------------------------------------------------------------------------


@proves("WW-SETUP-01", "WW-SETUP-02", "WW-TURN-03", "WW-KILLER-12")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_one_killer_and_three_survivors_whatever_the_players(players: int) -> None:
    state = night(players=players)
    seats = GAME.seats(GAME.resolve({"players": players}))
    assert seats[0] == "killer" and len(seats) == players
    assert len(set(state.cast)) == 3 and state.killer.kind >= 0
    assert [need.seat for need in state.needs()] == list(range(1, players))
    last = players - 1
    act(state, last, "wake anna", "calm", "done", "wake marco")


@proves("WW-SETUP-02", "WW-SETUP-03")
def test_both_sides_choose_in_secret_and_are_told_together() -> None:
    state = GAME.start(GAME.resolve({}))
    assert {need.seat for need in state.needs()} == {KILLER, TEAM}
    before = GAME.view(state, TEAM)
    events = act(state, KILLER, "hunt specter")
    assert kinds(events, TEAM) == [] and GAME.view(state, TEAM) == before
    assert GAME.view(state, TEAM)["killer"] is None
    assert refused(state, TEAM, "cast anna anna marco") == ("same-survivor", [], "WW-SETUP-02")
    events = act(state, TEAM, "cast william anna marco")
    assert heard(events, KILLER)["announced"] == {
        "killer": "specter",
        "survivors": ["william", "anna", "marco"],
    }


@proves("WW-SETUP-04", "WW-SETUP-05", "WW-SETUP-12", "WW-SETUP-14", "WW-SETUP-21", "WW-NOISE-03")
def test_everything_lies_ready_and_nothing_is_in_play() -> None:
    state = night()
    assert state.house.supply() == 7 and (state.house.gears, state.guess, state.keys, state.house.rescue) == (
        0,
        0,
        0,
        -1,
    )
    assert (
        state.house.noise,
        state.house.pending,
        state.house.barricades,
        state.house.trap,
        state.house.cracker,
    ) == (0, 0, 0, -1, -1)
    assert (
        row(state, "fear") == [0, 0, 0]
        and not state.killer.hidden
        and len(state.notes) == 11
        and state.fight.dice == ()
    )
    state.house.pending = (1 << 15) - 1
    to_report(state)
    state.house.pending = (1 << 15) - 1
    assert len(heard(team(state, "report"), KILLER)["noise-reported"]["cells"]) == 15


@proves("WW-SETUP-06", "WW-SETUP-07", "WW-SETUP-13", "WW-SETUP-20", "WW-CHAR-08", "WW-LEVEL-01", "WW-FEAR-03")
def test_tiles_dossiers_and_tracks_are_public() -> None:
    state = GAME.start(GAME.resolve({"killer": "maniac"}))
    act(state, TEAM, "cast william anna marco")
    deal(state)
    state.change(1, fear=2)
    for viewer in (KILLER, TEAM, PUBLIC):
        seen = GAME.view(state, viewer)
        assert [tile["id"] for tile in seen["survivors"]] == ["william", "anna", "marco"]
        assert [tile["health"] for tile in seen["survivors"]] == [2, 2, 2]
        assert [tile["fear"] for tile in seen["survivors"]] == [0, 2, 0]
        assert [tile["colour"] for tile in seen["survivors"]] == ["black", "yellow", "white"]
        assert seen["survivors"][1]["advantages"] == ["low_profile", "meticulous"]
        assert (seen["killer"]["level"], seen["killer"]["strength"]) == (1, 4)


@proves("WW-SETUP-22", "WW-TRADE-04", "WW-ITEM-03")
def test_start_items_take_slots() -> None:
    state = night(team="sophia marco johnson")
    assert [state.slots(i) for i in range(3)] == [3, 3, 6]
    bag(state, "marco", "medkit", "herbs", "whiskey")
    bag(state, "sophia", "camera", "ammo")
    assert refused(state, TEAM, "give sophia ammo marco") == ("full", [], "WW-TRADE-04")
    team(state, "give marco herbs sophia")
    assert items(state, "sophia") == ["ammo", "camera", "herbs"]


@proves("WW-SETUP-23", "WW-VAR2-01")
def test_variants_can_be_combined_but_the_crossroads_needs_four() -> None:
    GAME.resolve({"players": 4, "crossroads": True, "skills": "easy", "plans": True})
    with pytest.raises(ConfigError, match="four players"):
        GAME.resolve({"players": 3, "crossroads": True})


# Turn -------------------------------------------------------------------------------------------


@proves("WW-TURN-01", "WW-TURN-02", "WW-KILLER-01")
def test_a_round_is_the_survivors_turn_then_the_killers() -> None:
    state = night()
    seen = []
    while state.round == 1:
        if not seen or seen[-1] != phase(state):
            seen.append(phase(state))
        need = state.needs()[0]
        wanted = {"pick": "wake", "active": "done" if state.main_done else "calm", "drawn": "leave"}
        verb = "next" if "next" in need.verbs else wanted.get(phase(state), need.verbs[0])
        state.apply(need.seat, next(a for a in state.actions(need.seat) if a.verb == verb))
    steps = ["receive", "unpacking", "drawn", "reporting", "instant", "main", "planning", "drawing"]
    assert seen == ["pick", "active", "pick", "active", "pick", "active", *steps]


@proves("WW-TURN-06", "WW-TURN-10")
def test_the_order_is_free_but_an_activation_is_closed_for_good() -> None:
    state = night()
    team(state, "wake william", "calm", "done")
    assert refused(state, TEAM, "wake william") == ("activation-closed", [], "WW-TURN-10")
    team(state, "wake anna")


@proves("WW-TURN-04", "WW-TURN-08", "WW-TURN-07")
def test_one_main_action_that_cannot_be_skipped_or_interrupted() -> None:
    state = wake(bag(night(), "marco", "adrenaline", "whiskey"), "marco")
    assert refused(state, TEAM, "done") == ("main-action-due", [], "WW-TURN-04")
    team(state, "use adrenaline K2")
    team(state, "move K3")
    assert place_of(state, "marco") == "K3"
    assert refused(state, TEAM, "calm") == ("main-action-done", [], "WW-TURN-04")
    team(state, "use whiskey C5", "done")


@proves("WW-TURN-09", "WW-ITEM-02")
def test_items_work_only_in_their_window() -> None:
    state = bag(night(), "marco", "fertilizer", "amulet", "herbs")
    wake(state, "marco")
    for item in ("fertilizer", "amulet"):
        assert refused(state, TEAM, f"use {item}") == ("not-an-action", [], "WW-ITEM-02")
    put(state, killer="K1")
    state.main_done = True
    assert refused(state, TEAM, "use herbs marco") == ("main-action-done", [], "WW-TURN-04")
    killers_turn(state, "main")
    killer(state, "search")
    team(state, "face marco")
    assert refused(state, TEAM, "guard herbs") == ("no-defence", [], "WW-ITEM-02")


@proves("WW-TURN-14", "WW-TRADE-03")
def test_after_equipment_has_begun_nothing_else_is_possible() -> None:
    state = bag(night(exchange="anytime"), "marco", "whiskey")
    team(state, "give marco whiskey anna", "wake marco", "give anna whiskey marco", "calm")
    team(state, "give marco whiskey anna")
    all_acted(state)
    for line in ("give anna whiskey marco", "use whiskey C1", "wake anna"):
        assert refused(state, TEAM, line) == ("not-now", [], "WW-TURN-02")
    to_report(state)
    assert refused(state, TEAM, "give anna whiskey marco")[0] == "not-now"
    team(state, "report")
    assert refused(state, TEAM, "give anna whiskey marco")[0] == "not-your-turn"


# Trade and movement -----------------------------------------------------------------------------


@proves("WW-TRADE-01", "WW-TRADE-04")
def test_exchange_needs_one_place_and_full_hands_swap() -> None:
    state = bag(bag(night(), "marco", "herbs", "whiskey", "ammo"), "anna", "hatchet", "toolbox", "sedative")
    assert refused(state, TEAM, "give marco herbs anna") == ("full", [], "WW-TRADE-04")
    team(state, "swap marco herbs anna hatchet")
    assert items(state, "marco") == ["ammo", "hatchet", "whiskey"]
    put(state, anna="K2")
    assert refused(state, TEAM, "swap marco ammo anna herbs") == ("apart", ["K1", "K2"], "WW-TRADE-01")


@proves("WW-BOOK-03")
def test_the_exchange_comes_before_anybody_acts() -> None:
    """«Обмен предметами (необязательно)» is a step of its own, before «Дополнительные действия» and
    «Основные действия»."""
    state = bag(put(night(), anna="K1", marco="K1"), "marco", "whiskey")
    team(state, "give marco whiskey anna", "give anna whiskey marco", "wake william")
    over = ("exchange-over", [], "WW-BOOK-03")
    assert refused(state, TEAM, "give marco whiskey anna") == over
    team(state, "calm", "done")
    assert phase(state) == "pick" and refused(state, TEAM, "give marco whiskey anna") == over
    assert not any(act.verb in ("give", "swap") for act in state.actions(TEAM))
    survivors_turn(state)
    team(state, "give marco whiskey anna")
    assert items(state, "anna") == ["whiskey"]


@proves("WW-BOOK-03")
def test_by_the_switch_an_item_crosses_the_house_in_one_turn() -> None:
    """The looser reading: nothing says that the steps may not be mixed."""
    state = bag(put(night(exchange="anytime"), anna="K1", marco="K1", william="K2"), "marco", "whiskey")
    team(state, "wake anna", "give marco whiskey anna", "move K2", "give anna whiskey william", "done")
    assert items(state, "william") == ["whiskey"]


@proves("WW-TRADE-05")
def test_keys_on_the_roof_stay_there() -> None:
    state = keys(night(), 5)
    assert refused(state, TEAM, "give marco key anna") == ("keys-stay", [], "WW-TRADE-05")


@proves("WW-TRADE-06", "WW-ITEM-22")
def test_personal_items_may_be_handed_over_but_not_used() -> None:
    state = night(team="sophia anna marco", exchange="anytime")
    team(state, "give sophia camera anna", "wake anna")
    assert refused(state, TEAM, "use camera") == ("owner-only", [], "WW-TRADE-06")
    team(state, "give anna camera sophia", "calm", "done", "wake sophia", "use camera")
    assert codes(state.house.pending) == {"K1"} and "camera" in pile(state)


@proves("WW-MOVE-04")
def test_a_path_may_come_back() -> None:
    state = wake(put(night(), anna="Z1"), "anna")
    team(state, "move Z1")
    assert place_of(state, "anna") == "Z1" and state.main_done
    assert reach(0, at("Z1"), 1, 1) >> at("Z1") & 1 == 0


@proves("WW-MOVE-05", "WW-MOVE-02")
def test_walled_in_survivors_cannot_move() -> None:
    state = wake(bars(put(night(), anna="C4"), "C3-C4", "C4-Z5"), "anna")
    assert refused(state, TEAM, "move C3") == ("walled-in", ["C4"], "WW-MOVE-05")
    state = wake(put(night(), anna="C4"), "anna")
    assert refused(state, TEAM, "move K1") == ("too-far", ["C4", "K1"], "WW-MOVE-02")
    assert refused(state, TEAM, "move K3")[0] == "too-far"


@proves("WW-MOVE-09")
def test_a_card_with_a_range_of_steps_lets_the_killer_choose() -> None:
    state = killers_turn(hand(put(night("specter"), specter="K1"), "specter_whizz"), "main")
    killer(state, "play specter_whizz")
    assert refused(state, KILLER, "halt") == ("must-move", ["K1"], "WW-MOVE-09")
    killer(state, "go K2", "halt")
    state = hand(put(night(), butcher="K1"), "butcher_chainsaw", "butcher_sense", "butcher_sense")
    killers_turn(state, "main")
    killer(state, "play butcher_chainsaw", "pay butcher_sense", "pay butcher_sense", "halt")
    assert state.killer.at == at("K1")


# Noise, firecracker, fear, panic ----------------------------------------------------------------


@proves("WW-NOISE-02", "WW-NOISE-06", "WW-NOISE-07", "WW-NOISE-08", "WW-NOISE-09", "WW-COMM-08")
def test_noise_is_secret_until_the_report_and_names_places_only() -> None:
    state = all_acted(put(night(), marco="C3"))
    quiet = GAME.view(state, KILLER)
    events = team(state, "equip marco") + table(state, "unpack key", "unpack toolbox") + team(state, "leave")
    assert kinds(events, KILLER) == [] and GAME.view(state, KILLER) == quiet
    assert codes(state.house.pending) == {"C3"} and GAME.view(state, TEAM)["pending"] == [at("C3")]
    events = team(state, "report")
    assert heard(events, KILLER)["noise-reported"] == {"cells": [at("C3")]}
    assert "marco" not in str([e.data for e in events])


@proves("WW-NOISE-08")
def test_silence_is_reported_too() -> None:
    state = to_report(night())
    assert "silence-reported" in kinds(team(state, "report"), KILLER)


@proves("WW-NOISE-11", "WW-NOISE-12")
def test_reported_noise_lasts_until_the_next_round_and_is_remembered() -> None:
    state = night()
    to_report(state)
    state.house.pending = 1 << at("C3")
    team(state, "report")
    killers_turn(state, "planning")
    assert codes(state.house.noisy()) == {"C3"}
    survivors_turn(state)
    seen = GAME.view(state, KILLER)
    assert seen["noise"] == [] and seen["noise_last"] == [at("C3")] and state.house.noisy() == 0


@proves("WW-FIRE-07")
def test_under_stealth_the_firecracker_lies_at_the_last_known_place() -> None:
    state = hide(night("specter"), "K5", "K2")
    state.house.cracker_set = True
    to_report(state)
    assert heard(team(state, "report"), KILLER)["firecracker"] == {"cell": at("K2")}
    assert GAME.view(state, TEAM)["firecracker"] == at("K2")


@proves("WW-FIRE-08", "WW-PANIC-06", "WW-SENSE-10", "WW-FEAR-06")
def test_a_panic_is_told_under_a_firecracker_and_even_of_anna() -> None:
    state = hand(put(night("specter"), anna="K5", specter="K5"), "specter_scream")
    state.change(0, fear=2)
    killers_turn(state)
    state.house.cracker = at("K5")
    events = killer(state, "play specter_scream")
    assert heard(events, KILLER)["panicked"] == {"survivor": "anna", "cell": at("K5")}


@proves("WW-FEAR-07", "WW-HEAL-01", "WW-ITEM-11")
def test_herbs_heal_with_noise_but_leave_fear() -> None:
    state = bag(put(night(), marco="C3", anna="C3"), "marco", "herbs")
    state.change(0, health=1, fear=2)
    wake(state, "marco")
    team(state, "use herbs anna")
    assert state.team[0].health == 2 and state.team[0].fear == 2 and codes(state.house.pending) == {"C3"}
    assert "herbs" in pile(state) and state.main_done


@proves("WW-FEAR-08")
def test_several_fears_come_one_after_another() -> None:
    state = killers_turn(put(night("specter"), anna="K5"))
    state.change(0, fear=1)
    state.push(("run", (("fear", "all", 0, 2),), -1, -1))
    events = state.settle([])
    told = [event.kind for event in events if event.data.get("survivor") == "anna"]
    assert told == ["frightened", "panicked"] and row(state, "fear") == [2, 2, 2]


@proves("WW-PANIC-07", "WW-LEVEL-05")
def test_from_level_three_the_specter_may_wound_after_a_panic() -> None:
    state = level(put(night("specter"), anna="K5", specter="K5"), 3)
    state.change(0, fear=2)
    killers_turn(hand(state, "specter_scream", "specter_sense", "specter_sense", "specter_sense"))
    killer(state, "play specter_scream", "accept level3", *["pay specter_sense"] * 3)
    team(state, "endure")
    assert row(state, "health") == [1, 2, 2] and state.killer.hand == []


# Radio, search, equipment -----------------------------------------------------------------------


@proves("WW-RADIO-10")
def test_the_number_of_gears_is_secret() -> None:
    state = put(night(), marco="C1")
    before = GAME.view(state, KILLER)
    wake(state, "marco")
    assert kinds(team(state, "repair"), KILLER) == []
    assert GAME.view(state, KILLER) == before and "gears" not in before
    assert GAME.view(state, TEAM)["gears"] == 1


@proves("WW-RADIO-12")
def test_a_working_radio_needs_no_repair() -> None:
    state = put(night(), marco="C1")
    state.house.gears, state.house.rescue = 5, 4
    wake(state, "marco")
    assert refused(state, TEAM, "repair") == ("radio-works", ["C1"], "WW-RADIO-12")


@proves("WW-RESCUE-06")
def test_a_kill_wins_though_rescue_is_near() -> None:
    state = put(night(), marco="K5", butcher="K5")
    state.house.gears, state.house.rescue = 5, 1
    state.change(1, health=1)
    killers_turn(state, "main")
    fight(state, "bare", "roll 0+0+0+0")
    assert state.result is not None and state.result.winners == (0,) and state.house.rescue == 1


@proves("WW-FIND-02")
def test_no_search_beside_the_killer_unless_he_hides() -> None:
    state = wake(put(night(), marco="K2", butcher="K2"), "marco")
    assert refused(state, TEAM, "rummage") == ("killer-here", ["K2"], "WW-FIND-02")
    hide(state, "K2", "K1")
    assert why(state, TEAM, "rummage") is None


@proves("WW-ITEM-04", "WW-FAQ-03", "WW-ITEM-05")
def test_a_full_inventory_can_still_take_a_key_even_a_sixth() -> None:
    state = bag(put(keys(night(), 5), marco="K2"), "marco", "herbs", "whiskey", "hatchet")
    wake(state, "marco")
    team(state, "rummage")
    table(state, "find key")
    team(state, "keep key")
    assert state.keys == 6 and len(items(state, "marco")) == 3 and phase(state) == "active"


@proves("WW-EQUIP-06")
def test_a_last_single_card_may_be_kept_or_left() -> None:
    state = all_acted(empty(night(), "equipment", 1))
    team(state, "equip anna")
    table(state, state.notation.text(state.outcomes()[0][0]))
    assert phase(state) == "drawn" and len(state.stock.drawn) == 1
    assert {a.verb for a in state.actions(TEAM)} == {"keep", "leave"}


@proves("WW-EQUIP-09", "WW-EQUIP-12")
def test_the_deck_lasts_sixteen_rounds_and_holds_two_keys() -> None:
    state = night()
    assert state.stock.equipment[ITEMS.index("key")] == 2
    for _ in range(16):
        all_acted(state)
        team(state, "equip anna")
        for _ in range(2):
            table(state, state.notation.text(state.outcomes()[0][0]))
        team(state, "leave")
        assert state.result is None
    all_acted(state)
    assert state.result is not None and state.result.code == "deck-out"


@proves("WW-EQUIP-10", "WW-EQUIP-11", "WW-EQUIP-05")
def test_equipment_beside_the_killer_and_discarding_both_with_everyone_watching() -> None:
    state = all_acted(put(night(players=4), anna="K5", butcher="K5"))
    act(state, 3, "equip anna")
    table(state, "unpack ammo", "unpack herbs")
    assert all(GAME.view(state, seat)["drawn"] == ["ammo", "herbs"] for seat in (1, 2, 3))
    assert "drawn" not in GAME.view(state, KILLER)
    act(state, 2, "leave")
    assert pile(state) == ["ammo", "herbs"]


@proves("WW-ITEM-08")
def test_the_survivors_see_their_discard_pile_and_it_is_never_reshuffled() -> None:
    state = empty(night(), "equipment")
    assert len(GAME.view(state, TEAM)["pile"]) == 32 and "pile" not in GAME.view(state, KILLER)
    all_acted(state)
    assert state.stock.equipment_size == 0


# Items ------------------------------------------------------------------------------------------


@proves("WW-ITEM-13", "WW-ITEM-12")
def test_a_revolver_needs_ammo_and_ammo_a_revolver() -> None:
    state = bag(put(night(), marco="K5", butcher="K5"), "marco", "revolver")
    killers_turn(state, "main")
    killer(state, "search")
    assert refused(state, TEAM, "guard revolver") == ("no-effect-alone", [], "WW-ITEM-13")
    bag(state, "marco", "ammo")
    assert refused(state, TEAM, "guard ammo") == ("needs-other", [], "WW-ITEM-12")


@proves("WW-ITEM-15", "WW-ITEM-16", "WW-ITEM-01")
@pytest.mark.parametrize(("item", "bonus", "kept"), [("shortsword", 1, True), ("hatchet", 1, False)])
def test_blades(item: str, bonus: int, kept: bool) -> None:
    state = bag(put(night(), marco="K5", butcher="K5"), "marco", item)
    killers_turn(state, "main")
    fight(state, f"guard {item}")
    assert state.fight.defence == bonus and (items(state, "marco") == [item]) == kept


@proves("WW-ITEM-16")
def test_a_hatchet_also_cuts_a_barricade_as_an_extra_action() -> None:
    state = wake(bag(bars(put(night(), marco="C3"), "C3-C4", "K4-K5"), "marco", "hatchet"), "marco")
    assert refused(state, TEAM, "use hatchet K4-K5")[0] == "bad-target"
    events = team(state, "use hatchet C3-C4")
    assert barred(state) == {"K4-K5"} and "hatchet" in pile(state) and not state.main_done
    assert "barricade-removed" in kinds(events, KILLER)


@proves("WW-ITEM-19")
def test_the_building_plan_stays_in_an_inventory() -> None:
    state = wake(bag(night(), "marco", "building_plan"), "marco")
    assert refused(state, TEAM, "use building_plan")[0] == "not-an-action"


@proves("WW-ITEM-20")
def test_sedatives_and_adrenaline_are_extra_actions() -> None:
    state = bag(bars(put(night(), marco="C3"), "C3-C4"), "marco", "sedative", "adrenaline")
    state.change(1, fear=2)
    wake(state, "marco")
    assert refused(state, TEAM, "use adrenaline C4") == ("barricade", ["C3", "C4"], "WW-MOVE-03")
    team(state, "use sedative", "use adrenaline C2")
    assert state.team[1].fear == 0 and place_of(state, "marco") == "C2" and not state.main_done


@proves("WW-ITEM-22", "WW-HEAL-03")
def test_the_medical_kit_also_calms_the_unwounded() -> None:
    state = put(night(), marco="K1", anna="K1")
    wake(state, "marco")
    assert refused(state, TEAM, "use medkit anna") == ("not-wounded", ["K1"], "WW-HEAL-03")
    state.change(0, fear=1)
    team(state, "use medkit anna")
    assert state.team[0].fear == 0 and "medkit" in pile(state)


@proves("WW-TRAP-01", "WW-TRAP-05")
def test_the_trap_is_set_in_secret_and_a_vain_search_leaves_it() -> None:
    state = bag(put(night(), marco="Z3", anna="K1"), "marco", "trap")
    before = GAME.view(state, KILLER)
    wake(state, "marco")
    events = team(state, "use trap")
    assert state.house.trap == at("Z3") and state.main_done and "trap" in pile(state)
    assert kinds(events, KILLER) == [] and GAME.view(state, KILLER) == before
    killers_turn(put(state, marco="K1"), "main")
    killer(state, "go Z3", "search")
    assert state.house.trap == at("Z3")


@proves("WW-CHAR-04")
def test_marco_takes_a_sedative_from_the_pile() -> None:
    state = night()
    wake(state, "marco")
    assert refused(state, TEAM, "use resourceful sedative") == ("not-in-pile", [], "WW-CHAR-04")
    state.stock.take_equipment(ITEMS.index("sedative"))
    state.stock.pile += (ITEMS.index("sedative"),)
    team(state, "use resourceful sedative")
    assert "sedative" in items(state, "marco") and state.main_done and pile(state) == []


@proves("WW-MOVE-03")
def test_a_sprint_is_refused_for_the_barricade_that_makes_the_way_too_long() -> None:
    state = wake(bars(put(night(), william="K4"), "C2-C5"), "william")
    assert refused(state, TEAM, "use sprint C2") == ("barricade", ["K4", "C2"], "WW-MOVE-03")


@proves("WW-CHAR-07")
def test_williams_sprint_is_loud_only_where_it_ends() -> None:
    state = wake(put(night(), william="K1"), "william")
    team(state, "use sprint C4")
    assert place_of(state, "william") == "C4" and codes(state.house.pending) == {"C4"} and state.main_done


@proves("WW-WIN-10")
def test_every_game_has_a_winner() -> None:
    from random import Random

    from companion.table.play import walk

    for seed in range(5):
        *_, last = walk(GAME, GAME.resolve({"players": 3}), Random(seed))
        outcome = last.state.outcome()
        assert outcome is not None and outcome.winners in ((0,), (1, 2)), seed


@proves("WW-TURN-09")
def test_a_thing_is_used_on_one_target() -> None:
    state = wake(bag(night(), "marco", "whiskey"), "marco")
    assert refused(state, TEAM, "use whiskey K2 K3") == ("one-target", [], "WW-TURN-09")


@proves("WW-HEAL-02")
def test_herbs_do_not_reach_the_wounded_elsewhere() -> None:
    state = bag(put(night(), anna="C4", marco="K1", william="K1"), "marco", "herbs")
    state.change(0, health=1)
    state.change(2, health=1)
    wake(state, "marco")
    assert refused(state, TEAM, "use herbs anna") == ("apart", ["K1", "C4"], "WW-HEAL-02")


def test_an_open_killer_shows_no_card_of_stealth() -> None:
    assert GAME.view(night(), TEAM)["killer"]["stealth_card"] == ""
