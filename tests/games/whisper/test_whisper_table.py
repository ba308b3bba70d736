"""The board, the lights and the decks of cardboard."""

from __future__ import annotations

from random import Random

import pytest
from whisper_night import (
    KILLER,
    TEAM,
    all_acted,
    at,
    bag,
    bars,
    fight,
    hide,
    killers_turn,
    night,
    phase,
    put,
    table,
    team,
    wake,
)

from companion.engine.action import PUBLIC
from companion.games.whisper import GAME
from companion.games.whisper.agenda import Whisper
from companion.games.whisper.layout import CELL


def lies(state: Whisper) -> dict[str, list[str]]:
    """What the camera should see, by the names of the places."""
    places = GAME.board({}).places
    seen = GAME.layout(GAME.view(state, GAME.camera({})))
    return {places[cell].name: [piece.face for piece in pieces] for cell, pieces in seen.items()}


def test_the_camera_sees_figures_tokens_and_gears() -> None:
    state = bars(put(night(), anna="K2", marco="K2", william="C4", butcher="K2"), "K4-K5")
    state.house.pending, state.house.trap, state.house.gears = 1 << at("C4"), at("Z3"), 2
    assert lies(state) == {
        "K2": ["anna", "marco", "butcher"],
        "C4": ["noise", "william"],
        "Z3": ["trap"],
        "K4-K5": ["barricade"],
        "gear1": ["gear"],
        "gear2": ["gear"],
    }


def test_a_hidden_killer_stands_in_the_circle() -> None:
    state = hide(night("specter"), "K5", "K4")
    assert lies(state)["stealth"] == ["specter"] and lies(state)["K4"] == ["stealth"]
    assert "K5" not in lies(state)


def test_the_dice_of_a_roll_lie_in_the_tray() -> None:
    state = killers_turn(put(night(), marco="K5", butcher="K5"), "main")
    fight(state, "bare", "roll 3+1+0+0")
    assert [lies(state)[f"die{n}"] for n in range(1, 5)] == [["die_3"], ["die_1"], ["die_0"], ["die_0"]]


def test_every_step_of_a_survivor_looks_different_to_the_camera() -> None:
    state = wake(night(), "anna")
    looks = set()
    moves = [action for action in state.actions(TEAM) if action.verb == "move"]
    for action in moves:
        after = state.copy()
        after.apply(TEAM, action)
        looks.add(str(lies(after)))
    assert len(looks) == len(moves)


def test_the_lights_of_a_hidden_killer_tell_nobody_where_he_is() -> None:
    one = GAME.scene(GAME.view(hide(night("specter"), "K5", "K4"), KILLER))
    two = GAME.scene(GAME.view(hide(night("specter"), "C5", "K4"), KILLER))
    assert one == two
    assert any(glow.cell == at("K4") and glow.meaning == "fading" for glow in one.glows)


def test_reported_noise_lights_all_at_once_and_pending_noise_only_for_the_team() -> None:
    state = night()
    state.house.noise, state.house.pending = 1 << at("K5") | 1 << at("C1"), 1 << at("Z1")
    public = GAME.scene(GAME.view(state, PUBLIC)).glows
    assert {(glow.cell, glow.order) for glow in public if glow.meaning == "noise"} == {
        (at("K5"), 0),
        (at("C1"), 0),
    }
    mine = GAME.scene(GAME.view(state, TEAM)).glows
    assert at("Z1") in {glow.cell for glow in mine if glow.meaning == "noise"}


def test_the_roof_shows_level_strength_fear_and_keys() -> None:
    state = night("maniac")
    state.killer.level, state.killer.base, state.keys = 3, 6, 2
    state.change(1, fear=2)
    lit = {glow.cell for glow in GAME.scene(GAME.view(state, PUBLIC)).glows}
    assert {CELL[name] for name in ("level3", "strength6", "key1", "key2", "fear2.1", "fear2.2")} <= lit
    assert CELL["key3"] not in lit and CELL["gear1"] not in lit


def test_a_place_explains_itself() -> None:
    state = put(night(), butcher="C1")
    codes = {reason.code: reason.rule for reason in GAME.explain(GAME.view(state, TEAM), at("C1"))}
    assert codes == {"killer": "WW-TURN-12", "radio": "WW-MAP-06", "secret-passage": "WW-MAP-08"}


@pytest.mark.parametrize(
    ("deck", "by_hand"),
    [("digital", set()), ("mixed", {"unpack", "roll"}), ("physical", {"unpack", "roll", "draw", "mill"})],
)
def test_cardboard_decides_what_lies_on_the_table(deck: str, by_hand: set[str]) -> None:
    options = GAME.resolve({"deck": deck})
    chance = GAME.chance(options, 1)
    waits = set()
    state = bag(put(night(deck=deck), marco="K5", butcher="K5"), "marco", "herbs")
    all_acted(state)
    team(state, "equip anna")
    if chance.pick(state.outcomes()) is None:
        waits.add("unpack")
    fought = killers_turn(put(night(deck=deck), marco="K5", butcher="K5"), "main")
    fight(fought, "bare")
    if chance.pick(fought.outcomes()) is None:
        waits.add("roll")
    table(fought, "roll 3+3+3+3")
    assert phase(fought) == "milling"
    if chance.pick(fought.outcomes()) is None:
        waits.add("mill")
    killers_turn(state, "planning")
    state.apply(KILLER, state.notation.parse("next"))
    if chance.pick(state.outcomes()) is None:
        waits.add("draw")
    assert waits == by_hand


def test_a_game_with_notes_ends_too() -> None:
    state = GAME.start(GAME.resolve({"killer": "butcher", "notes": True}))
    rng = Random(4)
    for _ in range(200_000):
        needs = state.needs()
        if not needs:
            break
        need = needs[0]
        actions = [a for a in state.actions(need.seat) if a.verb not in ("note", "guess")] or state.actions(
            need.seat
        )
        state.apply(need.seat, rng.choice(actions))
    assert state.outcome() is not None


@pytest.mark.parametrize("verb", ["draw", "mill", "find", "unpack", "roll", "learn", "deal"])
def test_what_a_card_or_die_has_shown_is_not_taken_back(verb: str) -> None:
    assert Whisper.verbs[verb].reveals
