"""The killer's side: turn, cards, price, draw, levels, questions, stealth, fights."""

from __future__ import annotations

import pytest
from whisper_night import (
    KILLER,
    TEAM,
    act,
    at,
    bag,
    barred,
    bars,
    cards,
    change_all,
    fight,
    hand,
    heard,
    hide,
    killer,
    killers_turn,
    kinds,
    level,
    night,
    phase,
    place_of,
    proves,
    put,
    refused,
    row,
    slot,
    table,
    team,
    why,
)

from companion.engine.action import PUBLIC
from companion.games.whisper import GAME
from companion.games.whisper.data import load
from companion.games.whisper.defence import ways_to_roll
from companion.games.whisper.pieces import CARDS, KILLERS


def sense_cards(n: int) -> tuple[str, ...]:
    return ("specter_sense",) * n


# Turn and cards ---------------------------------------------------------------------------------


@proves("WW-KILLER-02", "WW-KILLER-08", "WW-KILLER-09")
def test_any_number_of_instant_cards_then_on() -> None:
    state = killers_turn(
        hand(put(night(), butcher="K4"), "butcher_pursue", "butcher_pursue", "butcher_barricade")
    )
    assert refused(state, KILLER, "play butcher_barricade") == ("wrong-step", [], "WW-KILLER-09")
    killer(state, "play butcher_pursue", "go K5", "play butcher_pursue", "go K4")
    assert phase(state) == "instant"
    killer(state, "next", "next", "next")
    assert phase(state) == "drawing"


@proves("WW-KILLER-03", "WW-KILLER-04", "WW-KILLER-05", "WW-KILLER-06")
def test_boost_or_basic_actions_never_both() -> None:
    state = hand(put(night(), butcher="K4"), "butcher_chainsaw", "butcher_sense", "butcher_sense")
    killers_turn(state, "main")
    events = killer(state, "search")
    assert heard(events, KILLER)["searched"]["survivors"] == [] and phase(state) == "main"
    assert refused(state, KILLER, "play butcher_chainsaw") == ("acted-already", [], "WW-KILLER-03")
    killer(state, "search")
    assert phase(state) == "planning"
    state = killers_turn(put(night(), butcher="K4"), "main")
    killer(state, "go K5", "next")
    assert phase(state) == "planning"


@proves("WW-KILLER-10", "WW-CARD-15", "WW-CARD-03")
def test_madness_lasts_until_the_end_of_the_turn() -> None:
    state = hand(put(night(), butcher="K4"), "butcher_madness", "butcher_sense", "butcher_sense")
    killers_turn(state)
    killer(state, "play butcher_madness", "pay butcher_sense", "pay butcher_sense")
    assert state.strength() == 5 and phase(state) == "block"
    killer(state, "block K4-K5")
    assert state.strength() == 7 and barred(state) == {"K4-K5"}
    killer(state, "next", "next", "next")
    for _ in range(3):
        table(state, state.notation.text(state.outcomes()[0][0]))
    assert state.strength() == 5


@proves("WW-CARD-01", "WW-COMM-03", "WW-COST-05", "WW-COMM-01")
def test_a_played_card_is_shown_but_not_what_paid_for_it() -> None:
    state = killers_turn(hand(put(night(), butcher="K4"), "butcher_madness", "butcher_sense", "butcher_stay"))
    events = killer(state, "play butcher_madness", "pay butcher_sense", "pay butcher_stay")
    assert heard(events, TEAM)["played"] == {"card": "butcher_madness", "cost": 2}
    assert "paid" not in kinds(events, TEAM) and kinds(events, KILLER).count("paid") == 2
    assert GAME.view(state, TEAM)["playing"] == "butcher_madness"
    assert "butcher_stay" not in str([e.data for e in events if e.is_for(TEAM)])


@proves("WW-CARD-07", "WW-DRAW-08", "WW-DRAW-07", "WW-FAQ-13", "WW-FAQ-14")
def test_hand_deck_and_discards_are_the_killers_alone() -> None:
    state = hand(night(), "butcher_sense", "butcher_stay", deck=4)
    seen = GAME.view(state, KILLER)
    assert seen["hand"] == ["butcher_sense", "butcher_stay"] and seen["deck_size"] == 4
    assert len(seen["discard"]) == 6 and sum(seen["deck"].values()) == 4
    for viewer in (TEAM, PUBLIC):
        other = GAME.view(state, viewer)
        assert not {"hand", "deck", "deck_size", "discard"} & set(other) and other["hand_size"] is None
    told = hand(night(tell_hand=True), "butcher_sense", "butcher_stay", "butcher_madness")
    assert GAME.view(told, TEAM)["hand_size"] == 3


@proves("WW-CARD-09", "WW-LEVEL-07")
def test_from_level_four_the_chainsaw_is_an_instant_card() -> None:
    given = ("butcher_chainsaw", "butcher_sense", "butcher_sense")
    state = killers_turn(hand(level(put(night(), butcher="K4"), 4), *given))
    assert why(state, KILLER, "play butcher_chainsaw") is None
    killer(state, "next")
    assert refused(state, KILLER, "play butcher_chainsaw") == ("wrong-step", [], "WW-KILLER-09")
    state = killers_turn(hand(level(put(night(), butcher="K4"), 3), *given))
    assert refused(state, KILLER, "play butcher_chainsaw")[0] == "wrong-step"


@proves("WW-CARD-13", "WW-SENSE-10")
def test_the_frightened_tell_their_places_anna_too() -> None:
    state = hand(put(night("specter"), anna="K5", marco="C1"), "specter_trail", "specter_sense")
    change_all(state, fear=[1, 0, 2])
    killers_turn(state)
    events = killer(state, "play specter_trail", "pay specter_sense")
    told = [event.data for event in events if event.kind == "exposed" and event.is_for(KILLER)]
    assert told == [{"survivor": "anna", "cell": at("K5")}, {"survivor": "william", "cell": at("K1")}]


@proves("WW-CARD-14", "WW-CLASH-06", "WW-CLASH-17", "WW-KILLER-09")
def test_stalk_strengthens_one_attack_or_hides() -> None:
    state = hand(put(night("maniac"), anna="K5", marco="K5", maniac="K5"), "maniac_stalk", "maniac_stalk")
    killers_turn(state, "main")
    killer(state, "search")
    assert phase(state) == "strike"
    events = killer(state, "play maniac_stalk")
    assert "played" in kinds(events, TEAM) and state.strength() == 5
    team(state, "face anna", "bare")
    table(state, "roll 1+1+1+1")
    assert state.team[0].health == 1 and phase(state) == "strike" and state.strength() == 4
    state = killers_turn(hand(night("maniac"), "maniac_stalk"), "planning")
    killer(state, "play maniac_stalk", "sneak Z3")
    assert state.killer.hidden and state.killer.at == at("Z3")


# Draw and levels --------------------------------------------------------------------------------


@proves("WW-LEVEL-02")
def test_strength_never_exceeds_ten() -> None:
    state = night()
    state.killer.base, state.killer.turn_bonus = 9, 3
    assert state.strength() == 10


@proves("WW-LEVEL-05", "WW-LEVEL-09", "WW-LEVEL-08", "WW-LEVEL-10")
@pytest.mark.parametrize("name", KILLERS)
def test_levels_add_up(name: str) -> None:
    state = level(night(name), 5)
    strengths = {"butcher": 6, "specter": 2, "maniac": 5}
    assert state.strength() == strengths[name]
    put(state, marco="K5", killer="K5")
    killers_turn(state, "main")
    killer(state, "search")
    assert state.team[1].health == 1 and state.team[1].fear == (1 if name == "specter" else 0)


@proves("WW-LEVEL-06")
def test_at_level_five_the_deck_is_only_reshuffled() -> None:
    state = level(hand(night(), "butcher_sense", deck=0), 5)
    killers_turn(state, "planning")
    events = killer(state, "next")
    assert (
        state.killer.level == 5 and state.killer.deck_size == 11 and "level-rose" not in kinds(events, KILLER)
    )


@proves("WW-LEVEL-11")
def test_paid_cards_are_reshuffled_but_not_the_one_being_played() -> None:
    state = level(bag(put(night(), marco="K5", butcher="K5"), "marco", "longsword"), 3)
    killers_turn(hand(state, "butcher_rage", "butcher_sense", deck=0), "main")
    killer(state, "play butcher_rage", "pay butcher_sense", "go K4", "go K5")
    team(state, "guard longsword")
    assert state.killer.level == 4 and state.killer.playing == CARDS.index("butcher_rage")
    assert (
        state.killer.deck[CARDS.index("butcher_rage")] == 0
        and state.killer.deck[CARDS.index("butcher_sense")] >= 1
    )


@proves("WW-LEVEL-12")
def test_an_unlocked_card_is_discarded_and_drawn_like_any_other() -> None:
    state = hand(night(), "butcher_rage", "butcher_sense")
    killers_turn(state, "main")
    killer(state, "play butcher_rage", "pay butcher_sense", "go Z3", "halt")
    assert "butcher_rage" in cards(state.killer.spent) and not state.killer.locked
    state.todo, state.killer_turn = [("reshuffle",), ("main", 2)][::-1], True
    state.settle([])
    assert state.killer.deck[CARDS.index("butcher_rage")] == 1


@proves("WW-LEVEL-09", "WW-LEVEL-04")
def test_the_maniacs_fourth_level_places_four_barricades_anywhere() -> None:
    state = level(hand(night("maniac"), "maniac_sense", deck=0), 3)
    killers_turn(state, "planning")
    killer(state, "next")
    assert state.killer.level == 4 and state.strength() == 5 and phase(state) == "block"
    killer(state, "block K4-K5", "block C1-C2", "block C3-C4", "block K2-Z1")
    assert barred(state) == {"K4-K5", "C1-C2", "C3-C4", "K2-Z1"} and phase(state) == "drawing"


@proves("WW-BOOK-02")
@pytest.mark.parametrize(
    ("options", "reached"),
    [({}, 2), ({"level_trigger": "on_empty"}, 2), ({"level_trigger": "on_need"}, 1)],
)
def test_the_level_rises_at_once_when_the_deck_runs_out(options: dict[str, str], reached: int) -> None:
    """«Если во время сброса или добора карт колода убийцы заканчивается, его уровень немедленно
    увеличивается на 1.»"""
    state = hand(night(**options), "butcher_sense", deck=3)
    killers_turn(state, "planning")
    killer(state, "next")
    for left in (2, 1, 0):
        assert state.killer.level == 1, left
        table(state, state.notation.text(state.outcomes()[0][0]))
    assert state.killer.level == reached


@proves("WW-BOOK-02")
def test_a_deck_that_runs_out_while_cards_are_lost_brings_a_level_too() -> None:
    """«Если во время сброса или добора карт колода убийцы заканчивается…»"""
    state = hand(put(night(), marco="K5", butcher="K5"), "butcher_sense", deck=2)
    killers_turn(state, "main")
    fight(state, "bare", "roll 3+3+3+3")
    for _ in range(2):
        assert state.killer.level == 1
        table(state, state.notation.text(state.outcomes()[0][0]))
    assert state.killer.level == 2


# Questions --------------------------------------------------------------------------------------


@proves("WW-SENSE-01", "WW-SENSE-03", "WW-SENSE-07", "WW-SENSE-09", "WW-SENSE-11", "WW-COMM-09")
def test_a_zone_far_away_is_answered_with_names_only() -> None:
    state = put(night(team="sophia marco william"), sophia="K4", marco="K1", william="C4", butcher="K4")
    killers_turn(hand(state, "butcher_sense"))
    killer(state, "play butcher_sense")
    assert [state.notation.text(a) for a in state.actions(KILLER)] == ["ask red", "ask blue", "ask green"]
    events = killer(state, "ask red")
    for viewer in (KILLER, TEAM):
        told = heard(events, viewer)["sensed"]
        assert told["survivors"] == ["sophia", "marco"] and len(told["cells"]) == 5
    assert phase(state) == "instant" and not state.killer.fought
    assert "places" not in GAME.view(state, KILLER)


@proves("WW-COMM-05", "WW-COMM-06")
def test_the_companion_answers_nothing_that_was_not_asked() -> None:
    state = killers_turn(hand(put(night(), marco="K5"), "butcher_sense"))
    for line in ("ask red", "ask-noise K5", "reveal"):
        assert refused(state, KILLER, line) == ("not-now", [], "WW-TURN-02")


@proves("WW-COMM-11")
def test_the_team_confirms_before_an_answer_is_sent() -> None:
    state = hand(put(night(confirm=True), marco="K5", anna="K4", william="C4"), "butcher_sense")
    killers_turn(state)
    events = killer(state, "play butcher_sense", "ask red")
    assert "sensed" not in kinds(events, KILLER) and phase(state) == "confirm"
    answer = GAME.view(state, TEAM)["answer"]
    assert answer["survivors"] == ["marco"] and "answer" not in GAME.view(state, KILLER)
    events = team(state, "confirm")
    assert heard(events, KILLER)["sensed"]["survivors"] == ["marco"]


@proves("WW-DEDUCT-01", "WW-DEDUCT-02", "WW-DEDUCT-03")
def test_notes_may_be_moved_at_any_time_and_are_the_killers_own() -> None:
    state = night(notes=True)
    before = GAME.view(state, TEAM)
    events = act(state, KILLER, "note anna K5", "note unknown1 C4", "note anna C4", "guess 3")
    assert GAME.view(state, KILLER)["notes"] == {"anna": "C4", "unknown1": "C4"}
    assert GAME.view(state, KILLER)["guess"] == 3
    assert kinds(events, TEAM) == [] and GAME.view(state, TEAM) == before
    assert refused(state, KILLER, "note anna C4") == ("noted", ["C4"], "WW-DEDUCT-01")
    team(state, "wake anna")
    killers_turn(state, "main")
    act(state, KILLER, "note anna K1", "go Z3", "guess 0")


# Stealth ----------------------------------------------------------------------------------------


@proves("WW-STEALTH-01", "WW-STEALTH-05", "WW-STEALTH-08", "WW-STEALTH-02")
def test_stealth_takes_up_to_two_secret_steps_and_lasts_the_survivors_turn() -> None:
    state = killers_turn(
        hand(put(night("specter"), specter="K4"), "specter_vanish", "specter_sense"), "planning"
    )
    killer(state, "play specter_vanish", "pay specter_sense")
    assert refused(state, KILLER, "sneak C4") == ("too-far", ["K4", "C4"], "WW-STEALTH-01")
    events = killer(state, "sneak K4")
    assert heard(events, TEAM)["vanished"] == {"cell": at("K4"), "card": "specter_vanish"}
    assert "sneaked" not in kinds(events, TEAM) and phase(state) == "drawing"
    for _ in range(3):
        table(state, state.notation.text(state.outcomes()[0][0]))
    assert state.killer.hidden and phase(state) == "pick"
    assert GAME.view(state, TEAM)["killer"]["stealth_card"] == "specter_vanish"


@proves("WW-REVEAL-01", "WW-REVEAL-06", "WW-REVEAL-07")
def test_the_reveal_comes_first_with_a_search_that_cannot_be_declined() -> None:
    state = killers_turn(
        hide(put(night("maniac"), anna="C1", marco="C1", william="C1"), "K5", "K4"), "reveal"
    )
    assert [state.notation.text(a) for a in state.actions(KILLER)] == ["reveal"]
    events = killer(state, "reveal")
    assert heard(events, TEAM)["searched"] == {"cell": at("K5"), "survivors": []}
    assert phase(state) == "instant"


@proves("WW-REVEAL-09")
def test_lurking_threat_frightens_one_survivor_anywhere() -> None:
    state = put(night("maniac"), anna="C1", marco="C1", william="C1", maniac="K5")
    killers_turn(hand(state, "maniac_lurk", "maniac_pursue"), "planning")
    killer(state, "play maniac_lurk", "pay maniac_pursue", "sneak K5")
    killers_turn(state, "reveal")
    killer(state, "reveal", "frighten anna")
    assert row(state, "fear") == [1, 0, 0]


# Fights -----------------------------------------------------------------------------------------


@proves("WW-CLASH-01", "WW-CLASH-02", "WW-CLASH-03")
def test_a_search_names_everybody_here_anna_too_and_the_killer_must_attack() -> None:
    state = killers_turn(put(night(), anna="K5", marco="K5", butcher="K5"), "main")
    events = killer(state, "search")
    assert heard(events, KILLER)["searched"] == {"cell": at("K5"), "survivors": ["anna", "marco"]}
    assert phase(state) == "face" and KILLER not in {need.seat for need in state.needs()}


@proves("WW-CLASH-04", "WW-DICE-02")
def test_at_the_start_fear_comes_before_wounds_and_costs_a_die() -> None:
    state = level(put(night("specter"), marco="K5", specter="K5"), 5)
    killers_turn(state, "main")
    events = killer(state, "search")
    order = [kind for kind in kinds(events, TEAM) if kind in ("frightened", "wounded")]
    assert order == ["frightened", "wounded"]
    team(state, "bare")
    assert all(len(state.notation.text(a).split("+")) == 3 for a, _ in state.outcomes())


@proves("WW-CLASH-07")
def test_only_those_met_and_not_yet_attacked_can_defend() -> None:
    state = killers_turn(put(night(), anna="K5", marco="K5", butcher="K5"), "main")
    killer(state, "search")
    assert refused(state, TEAM, "face william") == ("not-to-attack", ["K5"], "WW-CLASH-07")


@proves("WW-CLASH-10", "WW-DICE-05", "WW-DICE-03", "WW-DICE-04")
def test_the_roll_is_public_and_its_chances_are_those_of_the_faces() -> None:
    assert load().faces == (0, 0, 1, 1, 1, 3)
    state = killers_turn(put(night(), marco="K5", butcher="K5"), "main")
    fight(state, "bare")
    ways = {state.notation.text(a): n for a, n in state.outcomes()}
    assert sum(ways.values()) == 6**4 and ways["roll 3+3+3+3"] == 1 and ways["roll 0+0+0+0"] == 16
    at_least_four = sum(n for roll, n in ways.items() if sum(map(int, roll[5:].split("+"))) >= 4)
    assert round(at_least_four / 6**4, 3) == 0.556
    events = table(state, "roll 1+1+1+0")
    assert heard(events, KILLER)["rolled"] == heard(events, PUBLIC)["rolled"]
    assert ways_to_roll((1, 0), load().faces) == 12


@proves("WW-CLASH-21")
def test_an_encounter_without_anybody_left_ends_at_once() -> None:
    state = level(put(night(crossroads=True, players=4), marco="K5", butcher="K5"), 5)
    state.change(1, health=1)
    killers_turn(state, "main")
    killer(state, "search")
    assert state.team[1].fate == 1 and state.result is None and phase(state) == "drawing"


@proves("WW-FLEE-03", "WW-FLEE-04", "WW-FLEE-06", "WW-FLEE-01")
def test_fleeing_is_secret_silent_and_stopped_by_barricades() -> None:
    state = bars(put(night(), marco="K5", butcher="K5"), "K4-K5")
    killers_turn(state, "main")
    fight(state, "bare", "roll 0+0+0+0")
    assert refused(state, TEAM, "flee K4") == ("barricade", ["K5", "K4"], "WW-FLEE-03")
    assert refused(state, TEAM, "flee K1") == ("too-far", ["K5", "K1"], "WW-FLEE-01")
    seen = GAME.view(state, KILLER)
    other = state.copy()
    one, two = team(state, "flee Z4"), team(other, "stay")
    assert kinds(one, KILLER) == kinds(two, KILLER) and GAME.view(state, KILLER) == GAME.view(other, KILLER)
    assert (
        place_of(state, "marco") == "Z4"
        and state.house.noise == state.house.pending == 0
        and seen["encounter"]
    )


@proves("WW-WOUND-06")
def test_wounds_fall_in_tile_order_and_the_first_death_ends_it() -> None:
    state = put(night(), anna="K5", marco="K5", butcher="K5")
    change_all(state, health=[1, 1, 2])
    killers_turn(hand(state, "butcher_chainsaw", "butcher_sense", "butcher_sense"), "main")
    killer(state, "play butcher_chainsaw", "pay butcher_sense", "pay butcher_sense", "halt")
    assert state.todo[-1] == ("ward", slot(state, "anna"))
    team(state, "endure")
    assert state.result is not None and row(state, "health") == [0, 1, 2]


@proves("WW-HEAL-04")
def test_the_dead_cannot_be_healed() -> None:
    state = put(bag(night(crossroads=True, players=4), "william", "herbs"), anna="K1")
    state.change(0, health=0, fate=1)
    act(state, 3, "wake william")
    assert refused(state, 3, "use herbs anna")[0] == "not-wounded"
