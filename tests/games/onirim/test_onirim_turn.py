"""Onirim: components, set-up, and phase 1 of a turn."""

from __future__ import annotations

import json
from random import Random

import pytest
from onirim_positions import CODE, each, game, kinds, legal, names, needs, position, refused, run

from companion.engine.errors import ConfigError
from companion.games import load_with
from companion.games.onirim import GAME
from companion.games.onirim.layout import piles
from companion.games.onirim.pieces import _FILE as BOX
from companion.games.onirim.pieces import (
    CARDS,
    COLOUR,
    COLOURS,
    COUNTS,
    HALLS,
    NIGHTMARE,
    SYMBOL,
    open_box,
    read,
)
from companion.table.play import walk

rule = pytest.mark.rule


# Components ------------------------------------------------------------------------------------


@rule("ON-COMP-01")
def test_the_box_holds_76_cards():
    assert sum(COUNTS) == 76
    assert (sum(COUNTS[12:16]), sum(COUNTS[:12]), COUNTS[16]) == (8, 58, 10)


@rule("ON-COMP-02")
@rule("ON-COMP-03")
def test_four_colours_with_two_doors_each():
    assert COLOURS == ("red", "blue", "green", "brown")
    assert COUNTS[12:16] == (2, 2, 2, 2)
    assert {COLOUR[kind] for kind in range(12, 16)} == {0, 1, 2, 3}


@rule("ON-COMP-04")
@rule("ON-COMP-06")
def test_labyrinth_cards_per_colour_and_symbol():
    assert [COUNTS[3 * c : 3 * c + 3] for c in range(4)] == [(9, 4, 3), (8, 4, 3), (7, 4, 3), (6, 4, 3)]
    assert [sum(COUNTS[3 * c : 3 * c + 3]) for c in range(4)] == [16, 15, 14, 13]


@rule("ON-COMP-05")
def test_each_labyrinth_card_has_one_colour_and_one_symbol():
    assert {(COLOUR[kind], SYMBOL[kind]) for kind in range(HALLS)} == {
        (c, s) for c in range(4) for s in range(3)
    }


@rule("ON-COMP-07")
def test_nightmares_are_alike_and_have_neither_colour_nor_symbol():
    assert CARDS.count("NM") == 1 and COUNTS[NIGHTMARE] == 10
    assert COLOUR[NIGHTMARE] == SYMBOL[NIGHTMARE] == -1


@rule("ON-COMP-05")
def test_only_labyrinth_cards_carry_a_symbol():
    """«есть три символа: Солнце, Луна и Ключ»: on the Halls."""
    assert [CARDS[kind] for kind in range(len(CARDS)) if SYMBOL[kind] >= 0] == list(CARDS[:HALLS])


@rule("ON-COMP-08")
def test_equal_cards_are_interchangeable_and_none_is_lost_or_doubled():
    state = position("Rs Rs Gs Bm Wm")
    assert len([action for action in legal(state) if action.startswith("discard Rs")]) == 1
    state.hands[0] += (CODE["Rs"],)
    with pytest.raises(AssertionError):
        state.check()


@rule("ON-COMP-09")
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda box: box["doors"].update(red=3), "doors"),
        (lambda box: box.update(nightmares=0), "nightmares"),
        (lambda box: box["labyrinth"].update(violet={"sun": 1, "moon": 0, "key": 0}), "labyrinth"),
        (lambda box: box["labyrinth"]["red"].update(star=1), "labyrinth.red"),
        (lambda box: box["labyrinth"]["red"].update(sun=21), "labyrinth.red.sun is 21; allowed: 0 to 20"),
        (lambda box: box["labyrinth"]["red"].update(sun=-1), "labyrinth.red.sun is -1; allowed: 0 to 20"),
        (lambda box: box["labyrinth"]["red"].update(sun=8.5), "labyrinth.red.sun is 8.5; allowed: 0 to 20"),
        (lambda box: box.update(relics=1), "the file"),
    ],
)
def test_a_file_with_cards_that_the_rules_do_not_know_is_refused(tmp_path, change, said):
    box = json.loads(BOX.read_text("utf-8"))
    change(box)
    path = tmp_path / "onirim_cards.json"
    path.write_text(json.dumps(box), "utf-8")
    with pytest.raises(ConfigError, match=said) as error:
        read(path)
    assert "onirim_cards.json" in str(error.value)


@pytest.mark.parametrize("split", [(8, 5, 3), (13, 0, 3), (9, 4, 4)])
def test_an_owner_may_have_other_counts(split):
    values = {f"labyrinth.red.{symbol}": n for symbol, n in zip(("sun", "moon", "key"), split, strict=True)}
    game = load_with("onirim", values)
    for step in walk(game, game.resolve({}), Random(1)):
        step.state.check()
    assert sum(in_box(game)) == sum(COUNTS) - 16 + sum(split)
    assert sum(in_box(GAME)) == sum(COUNTS)


def test_a_box_holds_nightmares_and_twenty_labyrinth_cards_at_least():
    fewest = {f"labyrinth.{colour}.{symbol}": 0 for colour in COLOURS for symbol in ("sun", "moon", "key")}
    fewest |= {"labyrinth.red.sun": 20, "nightmares.all": 1}
    said = {fact.id: fact.value for fact in open_box(fewest)}
    assert said == fewest
    for name, said in (("labyrinth.red.sun", "at least 20"), ("nightmares.all", "allowed: 1 to 20")):
        with pytest.raises(ConfigError, match=said):
            open_box({**fewest, name: fewest[name] - 1})


def in_box(game):
    """The cards of a game that begins."""
    return game.start(game.resolve({})).deck.counts


# Set-up ----------------------------------------------------------------------------------------


@rule("ON-SETUP-01")
def test_the_game_begins_with_one_shuffled_deck_of_all_cards():
    state = game()
    assert needs(state) == "table: shuffle"
    assert [ways for _, ways in state.outcomes()] == [1]
    run(state, "shuffle")
    assert state.deck.size == 76 and not state.deck.known
    assert sum(ways for _, ways in state.outcomes()) == 76


@rule("ON-SETUP-02")
@rule("ON-SETUP-03")
@rule("ON-SETUP-04")
@rule("ON-SETUP-05")
@rule("ON-SETUP-06")
@rule("ON-SETUP-07")
def test_s01_set_up_sets_doors_and_nightmares_aside_and_shuffles_them_back():
    state = game()
    run(state, "shuffle", *each("draw", "Bs NM Gm WD Rk Rs GD Wm"))
    assert names(state.hands[0]) == "Bs Gm Rk Rs Wm"
    assert names(state.limbo) == "NM WD GD"
    assert needs(state) == "table: shuffle"
    run(state, "shuffle")
    assert (state.deck.size, state.limbo, state.discard, state.rows, sum(state.doors)) == (
        71,
        (),
        [],
        [()],
        0,
    )
    assert needs(state) == "p1: play discard concede"


@rule("ON-SETUP-03")
def test_a_door_in_set_up_cannot_be_claimed_with_a_key_in_hand():
    state = game()
    run(state, "shuffle", "draw Rk", "draw RD")
    assert names(state.limbo) == "RD" and needs(state) == "table: draw"


@rule("ON-SETUP-08")
def test_there_is_no_second_deal():
    state = game()
    run(state, "shuffle", "draw Rs", "draw Bs", "draw Gs", "draw Ws", "draw Rs")
    assert needs(state) == "p1: play discard concede"
    assert "Rs" in names(state.hands[0])


@rule("ON-SETUP-09")
def test_replacing_at_once_or_one_by_one_gives_the_same_hand_and_limbo():
    rng = Random(4)
    for _ in range(50):
        order = [kind for kind, n in enumerate(COUNTS) for _ in range(n)]
        rng.shuffle(order)
        state = game()
        run(state, "shuffle")
        dealt = iter(order)
        while needs(state) == "table: draw":
            run(state, f"draw {CARDS[next(dealt)]}")
        # All at once: take five, set aside, take as many again.
        hand, aside, i = [], [], 0
        while len(hand) < 5:
            batch, i = order[i : i + 5 - len(hand)], i + 5 - len(hand)
            hand += [card for card in batch if card < HALLS]
            aside += [card for card in batch if card >= HALLS]
        assert sorted(state.hands[0]) == sorted(hand)
        assert sorted(state.limbo) == sorted(aside)


# The frame of a turn ---------------------------------------------------------------------------


@rule("ON-TURN-01")
def test_a_turn_is_play_then_draw_then_shuffle():
    state = position("Rs Bm Gm Wm Bs")
    phases = [needs(state)]
    for line in ("p1: play Rs", "draw GD", "draw Ws", "shuffle"):
        run(state, line)
        phases.append(needs(state))
    assert phases == [
        "p1: play discard concede",
        "table: draw",
        "table: draw",
        "table: shuffle",
        "p1: play discard concede",
    ]


@rule("ON-TURN-02")
def test_one_card_is_played_or_discarded_then_no_more():
    state = position("Rs Bm Gm Wm Bs")
    run(state, "p1: play Rs")
    assert refused(state, 0, "play Bm")[:3] == ("not-your-turn", (), "ON-TURN-01")
    assert refused(state, 0, "discard Bm")[:3] == ("not-your-turn", (), "ON-TURN-01")


@rule("ON-TURN-02")
def test_a_card_that_is_not_in_hand_cannot_be_used():
    state = position("Rs Bm Gm Wm Bs")
    assert refused(state, 0, "play Gs")[:3] == ("no-such-card", (), "ON-TURN-02")
    assert refused(state, 0, "discard NM")[:3] == ("no-such-card", (), "ON-TURN-02")


@rule("ON-TURN-03")
def test_passing_is_not_possible():
    state = position("Rs Bm Gm Wm Bs")
    assert {text.split()[0] for text in legal(state)} == {"play", "discard"}
    for text in ("decline", "leave", "keep"):
        assert refused(state, 0, text).code == "not-now"


@rule("ON-TURN-04")
@rule("ON-TURN-05")
def test_every_turn_begins_with_five_cards_and_an_empty_limbo():
    for seed in range(20):
        turns = 0
        for step in walk(GAME, GAME.resolve({}), Random(seed)):
            state = step.state
            if state.needs() and "play" in state.needs()[0].verbs:
                assert (len(state.hands[0]), state.limbo) == (5, ())
                turns += 1
        assert turns == state.turn > 1
        assert state.outcome() is not None


# Playing ---------------------------------------------------------------------------------------


@rule("ON-PLAY-01")
@rule("ON-PLAY-10")
def test_a_played_card_leaves_the_hand_for_the_end_of_the_row():
    state = position("Rs Bm Gm Wm Bs", row="Gs Wm")
    run(state, "p1: play Rs")
    assert names(state.rows[0]) == "Gs Wm Rs"
    assert len(state.hands[0]) == 4


@rule("ON-PLAY-02")
def test_the_mat_keeps_the_row_readable_with_the_last_card_on_top():
    view = GAME.view(position("Rs Bm Gm Wm Bs", row="Gs Wm Rs Gm Ws Bm Rs Wm Bs"), 0)
    seen = GAME.layout(view)
    board = GAME.board(GAME.resolve({}))
    faces = {board.places[cell].name: pieces[-1].face for cell, pieces in seen.items()}
    assert faces["row1.8"] == "Wm" and faces["row1.1"] == "Bs"


@rule("ON-PLAY-03")
@rule("ON-PLAY-05")
def test_s02_the_symbol_must_differ_and_the_colour_never_matters():
    state = position("Bm Gs Rk Wm Rs", row="Ws Gm")
    assert legal(state) == {
        *("play Gs", "play Rk", "play Rs"),
        *("discard Bm", "discard Gs", "discard Rk", "discard Wm", "discard Rs"),
    }
    refusal = refused(state, 0, "play Bm")
    assert refusal[:3] == ("same-symbol", (), "ON-PLAY-03") and refusal.data == {"card": "Bm", "last": "Gm"}


@rule("ON-PLAY-04")
def test_the_first_card_of_a_row_is_free():
    assert {text for text in legal(position("Bm Gs Rk Wm Rs")) if text.startswith("play")} == {
        *("play Bm", "play Gs", "play Rk", "play Wm", "play Rs")
    }


@rule("ON-PLAY-06")
@rule("ON-DISC-04")
def test_a_discard_in_between_does_not_change_the_card_to_differ_from():
    state = position("Bm Gs Rs Wm Rs", row="Ws Gm")
    run(state, "p1: discard Gs", "draw Gs")
    assert names(state.rows[0]) == "Ws Gm"
    assert refused(state, 0, "play Wm").rule == "ON-PLAY-03"
    assert "play Rs" in legal(state)


@rule("ON-PLAY-07")
@rule("ON-PRO-09")
def test_a_key_in_the_row_brings_no_prophecy():
    state = position("Bm Gs Rk Wm Rs", row="Gm")
    assert "prophecy" not in kinds(run(state, "p1: play Rk"))
    assert needs(state) == "table: draw"


@rule("ON-PLAY-08")
def test_s32_with_only_the_last_symbol_in_hand_one_must_discard():
    state = position("Rs Bs Gs Ws Rs", row="Bs")
    assert legal(state) == {"discard Rs", "discard Bs", "discard Gs", "discard Ws"}


@rule("ON-PLAY-09")
@rule("ON-INV-03")
@rule("ON-DISC-05")
def test_rows_and_discard_pile_never_lose_a_card():
    for seed in range(10):
        row, discard = (), []
        for step in walk(GAME, GAME.resolve({}), Random(seed)):
            assert step.state.rows[0][: len(row)] == row
            assert step.state.discard[: len(discard)] == discard
            row, discard = step.state.rows[0], step.state.discard[:]


# Series ----------------------------------------------------------------------------------------


@rule("ON-SER-01")
@rule("ON-SER-02")
@rule("ON-SER-09")
@rule("ON-SER-10")
def test_s03_the_third_card_of_a_colour_takes_a_door_and_shuffles():
    state = position("Gk Rs Bs Wm Rm", row="Gs Gm", discard="Rs Rs Rs Rs Bs Bs Bs Bs Ws Ws")
    size, discards = state.deck.size, len(state.discard)
    run(state, "p1: play Gk")
    assert needs(state) == "p1: take decline"
    run(state, "p1: take")
    assert needs(state) == "table: shuffle"
    run(state, "shuffle")
    assert state.doors == [0, 0, 1, 0]
    assert (state.deck.size, len(state.discard)) == (size - 1, discards)
    run(state, "draw Rs")
    assert needs(state) == "p1: play discard concede"


@rule("ON-SER-03")
def test_a_discard_does_not_interrupt_a_series():
    state = position("Gs Rs Bs Wm Rm", row="Gs Gm")
    run(state, "p1: discard Rs", "draw Ws", "p1: play Gs")
    assert needs(state) == "p1: take decline"


@rule("ON-SER-04")
def test_s04_another_colour_interrupts_a_series():
    state = position("Wk Rs Bs Gm Rm", row="Ws Wm Gs")
    run(state, "p1: play Wk")
    assert needs(state) == "table: draw"


@rule("ON-SER-05")
def test_s05_the_fourth_card_begins_a_new_series():
    state = position("Bs Bm Bs Gm Rm", row="Bs Bm Bk", doors="BD")
    run(state, "p1: play Bs", "draw Ws")
    assert needs(state) == "p1: play discard concede"
    run(state, "p1: play Bm", "draw Ws")
    assert needs(state) == "p1: play discard concede"
    run(state, "p1: play Bs")
    assert needs(state) == "p1: take decline"
    run(state, "p1: take")
    assert state.doors == [0, 2, 0, 0]


@rule("ON-SER-06")
def test_s07_declining_searches_nothing_and_keeps_the_known_order():
    state = position("Gs Rs Bs Wm Rm", row="Gs Gm")
    state.deck.known, state.seer = [CODE["Rk"], CODE["RD"]], 0
    run(state, "p1: play Gs", "p1: decline")
    assert [state.notation.text(action) for action, _ in state.outcomes()] == ["draw Rk"]
    assert sum(state.doors) == 0


@rule("ON-SER-07")
def test_s06_without_such_a_door_in_the_deck_nothing_happens():
    state = position("Rs Gs Bs Wm Rm", row="Rs Rm", doors="RD RD")
    state.deck.known, state.seer = [CODE["NM"]], 0
    assert "no-door-left" in kinds(run(state, "p1: play Rs"))
    assert [state.notation.text(action) for action, _ in state.outcomes()] == ["draw NM"]


@rule("ON-SER-08")
@pytest.mark.parametrize("doors", ["", "GD GD"])
def test_a_series_without_its_door_is_used_up(doors):
    state = position("Gs Gm Rs Bs Wm", row="Gs Gm", doors=doors)
    run(state, "p1: play Gs", *([] if doors else ["p1: decline"]), "draw Ws", "p1: play Gm")
    assert needs(state) == "table: draw"


@rule("ON-SER-11")
def test_sun_moon_sun_is_a_series():
    state = position("Rs Gs Bs Wm Rm", row="Rs Rm")
    run(state, "p1: play Rs")
    assert needs(state) == "p1: take decline"


@rule("ON-SER-12")
def test_one_play_earns_one_door():
    state = position("Rs Gs Bs Wm Rm", row="Rs Rm")
    run(state, "p1: play Rs", "p1: take", "shuffle")
    assert sum(state.doors) == 1
    assert needs(state) == "table: draw"


# Discarding and the Prophecy -------------------------------------------------------------------


@rule("ON-DISC-01")
@rule("ON-DISC-02")
@rule("ON-DISC-06")
def test_s08_discarding_a_sun_has_no_further_effect():
    state = position("Ws Wm Gs Bk Rm")
    run(state, "p1: discard Ws")
    assert names(state.discard) == "Ws" and needs(state) == "table: draw"
    assert GAME.view(state, -2)["discard"] == ["Ws"]
    run(state, "draw Rs")
    assert needs(state) == "p1: play discard concede"


@rule("ON-DISC-03")
@rule("ON-PRO-01")
@rule("ON-PRO-02")
@rule("ON-PRO-03")
@rule("ON-PRO-04")
@rule("ON-PRO-10")
@rule("ON-SHUF-02")
def test_s09_a_discarded_key_brings_a_prophecy_whose_order_stays_known():
    state = position("Rk Rk Gs Bm Wm")
    run(state, "p1: discard Rk", *each("look", "Gs NM RD Bs NM"))
    assert needs(state) == "p1: foresee"
    run(state, "p1: foresee NM RD Gs Bs NM")
    assert names(state.discard) == "Rk NM"
    run(state, "draw RD", "p1: open")
    assert state.doors == [1, 0, 0, 0] and len(state.hands[0]) == 3
    run(state, "draw Gs", "draw Bs")
    assert needs(state) == "p1: play discard concede"
    assert names(state.deck.known) == "NM"


@rule("ON-PRO-02")
@rule("ON-PRO-03")
def test_a_prophecy_names_exactly_the_cards_that_were_seen():
    state = position("Rk Rk Gs Bm Wm")
    run(state, "p1: discard Rk", *each("look", "Gs NM RD Bs NM"))
    for text in ("foresee NM RD Gs Bs", "foresee NM RD Gs Bs Bs", "foresee Gs NM RD Bs NM NM"):
        assert refused(state, 0, text)[:3] == ("not-those-cards", (), "ON-PRO-03")
    assert len(legal(state)) == 60


@rule("ON-PRO-05")
@rule("ON-PRO-11")
def test_s24_a_door_thrown_away_makes_the_game_unwinnable_but_not_over():
    state = position("Gk Rs Bs Gm Wm")
    assert refused(state, 0, "concede")[:3] == ("still-winnable", (), "ON-PRO-11")
    run(state, "p1: discard Gk", *each("look", "RD Bs Gs Ws Rm"))
    events = run(state, "p1: foresee RD Bs Gs Ws Rm")
    assert "unwinnable" in kinds(events) and GAME.view(state, 0)["unwinnable"]
    run(state, "draw Bs")
    assert "concede" in legal(state) and "play Rs" in legal(state)
    run(state, "p1: concede")
    assert state.outcome()[:3] == ("conceded", (), "ON-PRO-11")


@rule("ON-PRO-06")
def test_looked_at_cards_are_neither_claimed_nor_resolved():
    state = position("Gk Rk Bs Gm Wm")
    run(state, "p1: discard Gk", *each("look", "RD NM Gs Ws Rm"))
    assert needs(state) == "p1: foresee" and state.busy == -1 and sum(state.doors) == 0


@rule("ON-PRO-07")
def test_s10_with_fewer_than_five_cards_all_are_looked_at():
    state = position("Bk Rs Gs Ws Rm", deck="NM Bs GD")
    run(state, "p1: discard Bk", "look NM", "look Bs", "look GD", "p1: foresee NM Bs GD", "draw Bs")
    assert names(state.deck.known) == "GD" and state.deck.size == 1
    assert needs(state) == "p1: play discard concede"


@rule("ON-PRO-01")
@rule("ON-PRO-07")
@pytest.mark.parametrize(("deck", "seen"), [("NM Bs GD", 3), ("NM Bs GD Gm RD Wm", 5)])
def test_a_prophecy_announces_five_cards_or_those_that_are_left(deck, seen):
    state = position("Bk Rs Gs Ws Rm", deck=deck)
    announced = [event for event in run(state, "p1: discard Bk") if event.kind == "prophecy"]
    assert [event.data["n"] for event in announced] == [seen]


@rule("ON-PRO-02")
@rule("ON-END-04")
def test_s11_a_prophecy_over_the_last_card_throws_it_away_and_loses():
    state = position("Bk Rs Gs Ws Rm", deck="Bs")
    run(state, "p1: discard Bk", "look Bs", "p1: foresee Bs")
    assert state.outcome()[:3] == ("lost", (), "ON-END-04")


@rule("ON-PRO-08")
@rule("ON-END-06")
def test_a_prophecy_over_an_empty_deck_does_nothing():
    state = position("Bk Rs Gs Ws Rm", deck="")
    assert needs(state) == "p1: play discard concede"
    assert "prophecy" not in kinds(run(state, "p1: discard Bk"))
    assert state.outcome()[:3] == ("lost", (), "ON-END-04")


@rule("ON-PRO-10")
def test_a_prophecy_does_not_shuffle():
    state = position("Rk Rk Gs Bm Wm")
    events = run(state, "p1: discard Rk", *each("look", "Gs NM RD Bs NM"))
    events += run(state, "p1: foresee NM Gs RD Bs NM")
    assert "shuffled" not in kinds(events)
    assert refused(state, -1, "draw Bs")[:3] == ("not-drawn", (), "ON-INV-01")


def test_a_card_is_laid_on_the_next_pile_that_does_not_show_its_like():
    assert piles("discard", ["Rs", "Gm"]) == {"discard1": "Rs", "discard2": "Gm"}
    assert piles("discard", ["Rs", "Gm", "Rs"]) == {"discard1": "Rs", "discard2": "Rs"}
    assert piles("limbo", ["NM"] * 3) == {"limbo1": "NM", "limbo2": "NM", "limbo3": "NM"}


def test_a_hand_that_is_dealt_to_one_player_lies_open():
    state = game(players=1)
    run(state, "shuffle", *each("draw", "Rk Bs Gm Ws Rm"))
    assert GAME.view(state, -2)["drawn"] == ["Rk", "Bs", "Gm", "Ws", "Rm"]


def test_drawn_cards_lie_open_until_a_player_acts():
    state = position("Rs Bs Gs Wm Rm")
    run(state, "p1: play Rs", "draw Gk")
    assert GAME.view(state, -2)["drawn"] == ["Gk"]
    run(state, "p1: discard Gs")
    assert GAME.view(state, -2)["drawn"] == []


def test_with_hidden_hands_no_drawn_card_lies_open():
    for step in walk(GAME, GAME.resolve({"players": 2, "openness": "silent"}), Random(4)):
        assert step.state.drawn == ()
