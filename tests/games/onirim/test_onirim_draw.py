"""Onirim: Limbo, drawing, Nightmares, the shuffle, the end, invariants."""

from __future__ import annotations

from random import Random

import pytest
from onirim_positions import (
    CODE,
    DRAW,
    SHUFFLE,
    each,
    game,
    kinds,
    legal,
    names,
    needs,
    position,
    refused,
    run,
)

from companion.engine.errors import Refused
from companion.games.onirim import GAME
from companion.games.onirim.pieces import DOORS, HALLS
from companion.table.play import walk

rule = pytest.mark.rule


# Limbo -----------------------------------------------------------------------------------------


@rule("ON-LIMBO-01")
@rule("ON-LIMBO-05")
def test_what_goes_back_to_the_deck_waits_openly_in_limbo():
    state = position("Rs Bs Gs Ws", doors="GD", step=DRAW)
    run(state, "draw RD", "draw NM", "p1: pay-door GD")
    assert names(state.limbo) == "RD GD"
    assert GAME.view(state, -2)["limbo"] == ["RD", "GD"]


@rule("ON-LIMBO-02")
@rule("ON-SHUF-01")
@rule("ON-SHUF-04")
def test_limbo_is_emptied_in_phase_three_and_not_by_a_search():
    state = position("Rs Gs Bs Wm Rm", row="Rs Rm")
    state.limbo = (CODE["GD"],)
    state.deck.counts[CODE["GD"]] -= 1
    state.deck.size -= 1
    run(state, "p1: play Rs", "p1: take", "shuffle")
    assert names(state.limbo) == "GD"
    run(state, "draw Ws")
    assert needs(state) == "table: shuffle"
    run(state, "shuffle")
    assert state.limbo == () and needs(state) == "p1: play discard concede"


@rule("ON-LIMBO-03")
@rule("ON-NIGHT-14")
def test_a_card_in_limbo_cannot_be_drawn_looked_at_or_found():
    state = position("Rs Bs Gs Ws", doors="WD", limbo="GD GD", step=DRAW)
    assert refused(state, -1, "draw GD")[:3] == ("not-drawn", (), "ON-INV-01")
    state = position("Gs Rs Bs Ws Rm", row="Gs Gm", limbo="GD", doors="GD")
    run(state, "p1: play Gs")
    assert needs(state) == "table: draw"


@rule("ON-LIMBO-04")
@rule("ON-INV-04")
@rule("ON-INV-05")
@rule("ON-INV-06")
def test_zones_hold_only_what_they_may():
    for seed in range(30):
        for step in walk(GAME, GAME.resolve({"players": seed % 2 + 1}), Random(seed)):
            state = step.state
            assert all(card >= HALLS for card in state.limbo)
            assert all(card < HALLS for zone in (*state.hands, *state.rows, state.shared) for card in zone)
            assert 0 <= sum(state.doors) <= 8
            assert all(sum(state.doors[c::4]) <= 2 for c in range(4))
            if state.needs() and "play" in state.needs()[0].verbs:
                assert state.limbo == ()


# Drawing ---------------------------------------------------------------------------------------


@rule("ON-DRAW-01")
@rule("ON-DRAW-02")
@rule("ON-DRAW-11")
@rule("ON-DRAW-13")
def test_cards_are_drawn_one_by_one_until_five_are_held():
    state = position("Rs Bs Gs", step=DRAW)
    run(state, "draw Ws")
    assert (len(state.hands[0]), needs(state)) == (4, "table: draw")
    run(state, "draw Wm")
    assert (names(state.hands[0]), needs(state)) == ("Rs Bs Gs Ws Wm", "p1: play discard concede")
    with pytest.raises(Refused):
        run(state, "draw Gm")


@rule("ON-DRAW-03")
@rule("ON-DRAW-06")
@rule("ON-DRAW-07")
def test_a_drawn_door_is_opened_with_one_key_of_its_colour():
    state = position("Rk Rk Gs Ws", step=DRAW)
    run(state, "draw RD")
    assert needs(state) == "p1: open leave"
    run(state, "p1: open")
    assert state.doors == [1, 0, 0, 0]
    assert names(state.hands[0]) == "Rk Gs Ws" and names(state.discard) == "Rk"
    assert needs(state) == "table: draw"


@rule("ON-DRAW-04")
def test_s12_without_the_key_the_door_goes_to_limbo():
    state = position("Rk Rs Gs Ws", step=DRAW)
    run(state, "draw BD")
    assert names(state.limbo) == "BD" and needs(state) == "table: draw"
    run(state, "draw Ws")
    assert needs(state) == "table: shuffle"
    run(state, "shuffle")
    assert state.deck.counts[CODE["BD"]] == 2


@rule("ON-DRAW-04")
def test_s13_a_door_may_be_left_though_the_key_is_held():
    state = position("Bk Rs Gs Ws", step=DRAW)
    run(state, "draw BD", "p1: leave", "draw Ws")
    assert names(state.hands[0]) == "Bk Rs Gs Ws Ws" and names(state.limbo) == "BD"


@rule("ON-DRAW-05")
def test_a_key_of_another_colour_opens_nothing():
    state = position("Gk", partner="Rs Bs Gs", shared="Ws Rm", step=DRAW)
    run(state, "draw BD")
    assert refused(state, 0, "open")[:3] == ("no-key", (), "ON-DRAW-05")
    assert legal(state) == {"leave"}


@rule("ON-DRAW-08")
def test_a_key_drawn_in_this_phase_opens_a_door_drawn_later():
    state = position("Rs Bs Gs", step=DRAW)
    run(state, "draw Wk", "draw WD", "p1: open")
    assert state.doors == [0, 0, 0, 1]


@rule("ON-DRAW-09")
@rule("ON-DRAW-10")
def test_doors_and_nightmares_are_resolved_at_once_and_never_enter_the_hand():
    state = position("Rs Bs Gs Wk", step=DRAW)
    run(state, "draw NM")
    assert needs(state) == "p1: pay-key pay-door pay-deck pay-hand"
    assert names(state.hands[0]) == "Rs Bs Gs Wk"


@rule("ON-DRAW-12")
@rule("ON-END-04")
def test_s23_a_draw_from_the_empty_deck_loses_and_limbo_does_not_help():
    state = position("Rs Bs Gs Ws", limbo="GD NM", deck="", step=DRAW)
    assert state.outcome()[:3] == ("lost", (), "ON-END-04")
    assert names(state.limbo) == "GD NM"


# Nightmares ------------------------------------------------------------------------------------


@rule("ON-NIGHT-01")
@rule("ON-NIGHT-13")
def test_a_nightmare_offers_the_four_payments_that_can_be_made():
    state = position("Rk Bs Gk Ws", doors="GD", step=DRAW)
    run(state, "draw NM")
    assert legal(state) == {"pay-key Rk", "pay-key Gk", "pay-door GD", "pay-deck", "pay-hand"}
    bare = position("Rs Bs Gs Ws", step=DRAW)
    run(bare, "draw NM")
    assert legal(bare) == {"pay-deck", "pay-hand"}


@rule("ON-NIGHT-02")
@rule("ON-NIGHT-10")
@rule("ON-NIGHT-11")
@rule("ON-PRO-09")
def test_s14_a_nightmare_paid_with_a_key():
    state = position("Gk Bs Rm Wm", step=DRAW)
    run(state, "draw NM")
    assert refused(state, 0, "pay-key Bs")[:3] == ("no-key", (), "ON-NIGHT-02")
    assert refused(state, 0, "pay-key Rk")[:3] == ("no-key", (), "ON-NIGHT-02")
    assert "prophecy" not in kinds(run(state, "p1: pay-key Gk"))
    assert names(state.discard) == "Gk NM" and len(state.hands[0]) == 3
    run(state, "draw Rs", "draw Ws")
    assert len(state.hands[0]) == 5 and needs(state) == "p1: play discard concede"


@rule("ON-NIGHT-03")
@rule("ON-NIGHT-15")
def test_s15_a_nightmare_paid_with_a_door():
    state = position("Gs Bs Rm Wm", row="Gs Gm Gs", doors="RD GD", step=DRAW)
    run(state, "draw NM")
    assert refused(state, 0, "pay-door BD")[:3] == ("no-door", (), "ON-NIGHT-03")
    assert refused(state, 0, "pay-door Rs")[:3] == ("no-door", (), "ON-NIGHT-03")
    run(state, "p1: pay-door GD")
    assert names(state.limbo) == "GD" and names(state.discard) == "NM"
    run(state, "draw Rs", "shuffle")
    assert state.doors == [1, 0, 0, 0] and state.deck.counts[CODE["GD"]] == 2
    run(state, "p1: play Rm")
    assert names(state.rows[0]) == "Gs Gm Gs Rm"


@rule("ON-NIGHT-04")
@rule("ON-NIGHT-05")
def test_s16_a_nightmare_paid_with_five_cards_of_the_deck():
    state = position("Bk Bs Rm Wm", step=DRAW)
    run(state, "draw NM", "p1: pay-deck", *each("mill", "Rs BD NM Gk Wm"))
    assert names(state.discard) == "Rs Gk Wm NM" and names(state.limbo) == "BD NM"
    assert names(state.hands[0]) == "Bk Bs Rm Wm" and needs(state) == "table: draw"
    run(state, "draw Ws")
    assert len(state.hands[0]) == 5


@rule("ON-NIGHT-06")
def test_s17_fewer_than_five_cards_are_all_turned_up():
    state = position("Bk Bs Rm Wm", deck="NM Rs BD", step=DRAW)
    run(state, "draw NM", "p1: pay-deck", "mill Rs", "mill BD")
    assert names(state.limbo) == "BD" and state.deck.size == 0
    assert state.outcome()[:3] == ("lost", (), "ON-END-04")


@rule("ON-NIGHT-06")
def test_the_last_card_of_the_deck_may_be_a_nightmare_that_turns_up_nothing():
    state = position("Bk Bs Rm Wm", deck="NM", step=DRAW)
    run(state, "draw NM", "p1: pay-deck")
    assert state.outcome()[:3] == ("lost", (), "ON-END-04")


@rule("ON-NIGHT-07")
@rule("ON-NIGHT-08")
@rule("ON-NIGHT-11")
def test_s18_a_nightmare_paid_with_the_hand():
    state = position("Bs Rm Wm Gk", step=DRAW)
    run(state, "draw NM", "p1: pay-hand")
    assert names(state.discard) == "Bs Rm Wm Gk" and state.hands[0] == ()
    run(state, *each("draw", "RD Ws NM Gs Bm Rk Wm"))
    assert names(state.hands[0]) == "Ws Gs Bm Rk Wm" and names(state.limbo) == "RD NM"
    assert names(state.discard) == "Bs Rm Wm Gk NM"
    assert needs(state) == "table: shuffle"


@rule("ON-NIGHT-08")
def test_a_door_met_in_the_new_hand_cannot_be_claimed_even_with_its_key():
    state = position("Bs Rm Wm Gk", step=DRAW)
    run(state, "draw NM", "p1: pay-hand", "draw Rk", "draw RD")
    assert names(state.limbo) == "RD" and needs(state) == "table: draw"


@rule("ON-NIGHT-09")
def test_s19_the_deck_running_out_during_the_new_hand_loses():
    state = position("Bs Rm Wm Gk", deck="NM RD Ws Gs", step=DRAW)
    run(state, "draw NM", "p1: pay-hand", "draw RD", "draw Ws", "draw Gs")
    assert state.outcome()[:3] == ("lost", (), "ON-NIGHT-09")


@rule("ON-NIGHT-12")
def test_every_nightmare_is_paid_by_itself():
    state = position("Bk Gk Rm Wm", step=DRAW)
    run(state, "draw NM", "p1: pay-key Bk", "draw NM")
    assert needs(state) == "p1: pay-key pay-door pay-deck pay-hand"
    run(state, "p1: pay-key Gk")
    assert names(state.discard) == "Bk NM Gk NM"


@rule("ON-NIGHT-13")
def test_an_empty_hand_can_still_be_given():
    state = position("Bk Gk Rk Wk", step=DRAW)
    for key in ("Bk", "Gk", "Rk", "Wk"):
        run(state, "draw NM", f"p1: pay-key {key}")
    run(state, "draw NM")
    assert state.hands[0] == () and legal(state) == {"pay-deck", "pay-hand"}
    run(state, "p1: pay-hand", *each("draw", "Ws Gs Bm Rk Wm"))
    assert len(state.hands[0]) == 5 and names(state.discard).endswith("NM")


def test_s20_a_door_a_nightmare_and_a_door_in_one_phase():
    state = position("Rk Gk Bs Wm", step=DRAW)
    run(state, "draw RD", "p1: open")
    assert len(state.hands[0]) == 3
    run(state, "draw NM", "p1: pay-key Gk")
    assert len(state.hands[0]) == 2
    run(state, "draw GD", "draw Ws", "draw Bm", "draw Rs")
    assert names(state.limbo) == "GD" and state.doors == [1, 0, 0, 0]
    assert len(state.hands[0]) == 5 and needs(state) == "table: shuffle"


# The shuffle -----------------------------------------------------------------------------------


@rule("ON-SHUF-02")
def test_with_an_empty_limbo_nothing_is_shuffled():
    state = position("Rs Bs Gs Ws", step=DRAW)
    state.deck.known, state.seer = [CODE["Wm"], CODE["NM"]], 0
    run(state, "draw Wm")
    assert needs(state) == "p1: play discard concede" and names(state.deck.known) == "NM"


@rule("ON-SHUF-03")
def test_a_shuffle_cancels_what_was_known():
    state = position("Rs Bs Gs Ws", step=DRAW)
    state.deck.known, state.seer = [CODE["RD"], CODE["Wm"], CODE["NM"]], 0
    run(state, "draw RD", "draw Wm")
    assert needs(state) == "table: shuffle" and names(state.deck.known) == "NM"
    run(state, "shuffle")
    assert state.deck.known == [] and GAME.view(state, 0)["known"] == []


@rule("ON-SHUF-01")
def test_phase_three_returns_all_of_limbo():
    state = position("Rs Bs Gs Ws Wm", limbo="GD NM RD", step=SHUFFLE)
    before = state.deck.size
    run(state, "shuffle")
    assert (state.deck.size, state.limbo) == (before + 3, ())


# The end ---------------------------------------------------------------------------------------


@rule("ON-END-01")
@rule("ON-END-02")
@rule("ON-END-03")
@rule("ON-END-05")
def test_s21_the_eighth_door_by_a_series_wins_at_once():
    state = position("Wk Rs Bs Gm Rm", row="Ws Wm", doors="RD RD BD BD GD GD WD", deck="WD")
    run(state, "p1: play Wk", "p1: take")
    assert state.outcome()[:3] == ("won", (0,), "ON-END-01")
    assert len(state.hands[0]) == 4 and state.deck.size == 0


@rule("ON-END-03")
@rule("ON-END-05")
def test_s22_the_eighth_door_by_a_key_wins_though_the_deck_is_empty():
    state = position("Bk Rs Gs Wm", doors="RD RD BD GD GD WD WD", deck="BD", step=DRAW)
    run(state, "draw BD", "p1: open")
    assert state.outcome()[:3] == ("won", (0,), "ON-END-01")
    assert len(state.hands[0]) == 3


@rule("ON-END-01")
def test_seven_doors_do_not_win():
    state = position("Wk Rs Bs Gm Rm", row="Ws Wm", doors="RD RD BD BD GD GD")
    run(state, "p1: play Wk", "p1: take")
    assert state.outcome() is None


@rule("ON-END-06")
def test_an_empty_deck_at_the_start_of_a_turn_is_not_yet_defeat():
    state = position("Bk Rs Gs Wm", deck="Ws", step=DRAW)
    run(state, "draw Ws")
    assert state.deck.size == 0 and state.outcome() is None
    run(state, "p1: play Rs")
    assert state.outcome()[:3] == ("lost", (), "ON-END-04")


@rule("ON-END-07")
def test_the_result_is_won_or_lost_without_points():
    state = position("Bk Rs Gs Wm Ws", deck="")
    event = run(state, "p1: play Rs")[-1]
    assert state.outcome().points == ()
    assert event.data == {"turns": 1, "doors": 0}


@rule("ON-END-08")
def test_a_solo_game_lasts_at_most_54_turns():
    for seed in range(60):
        for step in walk(GAME, GAME.resolve({}), Random(seed)):
            assert step.state.turn <= 54


# Invariants ------------------------------------------------------------------------------------


@rule("ON-INV-01")
@pytest.mark.parametrize("zone", ["hand", "discard", "deck"])
def test_a_lost_or_doubled_card_is_noticed(zone):
    state = position("Rs Bs Gs Ws Wm")
    if zone == "hand":
        state.hands[0] = state.hands[0][1:]
    elif zone == "discard":
        state.discard.append(CODE["Rs"])
    else:
        state.deck.counts[0] -= 1
    with pytest.raises(AssertionError):
        state.check()


@rule("ON-INV-01")
def test_a_card_that_is_used_up_cannot_be_drawn():
    state = position("Rk Rk Rk Ws", step=DRAW)
    assert refused(state, -1, "draw Rk")[:3] == ("not-drawn", (), "ON-INV-01")
    assert "draw Rk" not in legal(state, -1)


@rule("ON-INV-02")
def test_two_equal_symbols_side_by_side_are_noticed():
    state = position("Rs Bs Gs Ws Wm", row="Gs Rm")
    state.rows[0] = (CODE["Gs"], CODE["Gs"])
    state.deck.counts[CODE["Rm"]] += 1
    state.deck.counts[CODE["Gs"]] -= 1
    with pytest.raises(AssertionError):
        state.check()


@rule("ON-INV-07")
def test_a_finished_game_takes_no_more_actions():
    state = position("Bk Rs Gs Wm Ws", deck="")
    run(state, "p1: play Rs")
    for seat, text in ((0, "play Bk"), (0, "discard Gs"), (-1, "shuffle")):
        assert refused(state, seat, text)[:3] == ("game-over", (), "ON-INV-07")
    assert state.needs() == () and legal(state) == set()


@rule("ON-INV-08")
def test_the_same_seed_and_decisions_give_the_same_game():
    games = [
        [(s.seat, s.action) for s in walk(GAME, GAME.resolve({"players": 2}), Random(9))] for _ in range(2)
    ]
    assert games[0] == games[1]


def test_doors_are_the_four_kinds_after_the_halls():
    assert list(DOORS) == [CODE[name] for name in ("RD", "BD", "GD", "WD")]
    assert game().deck.size == 76


SELDOM = {"conceded", "declined", "no-door-left", "won"}
"""What random play brings now and then, or never."""


def test_what_random_play_brings_is_told():
    told = {
        event.kind
        for given in GAME.samples.values()
        for seed in range(4)
        for step in walk(GAME, GAME.resolve(given), Random(seed))
        for event in step.events
    }
    kinds = {name.split(".")[1] for name in GAME.texts.table if name.startswith("event.")}
    assert kinds - told <= SELDOM


def test_what_nobody_chooses_is_the_literal_reading():
    """One player with all cards known; for two nothing may be said and p1 begins; «тут же поменять»."""
    assert GAME.resolve({}) == {
        "players": 1,
        "deck": "digital",
        "openness": "silent",
        "hands": "known",
        "nightmare_door_any_player": False,
        "coop_duplicate_door": "allow",
        "picks_first": "p1",
        "begins": "p1",
        "swap_order": "before",
    }
