"""Onirim for two players: shared cards, hidden cards, openness."""

from __future__ import annotations

from random import Random

import pytest
from onirim_positions import CODE, DRAW, each, game, kinds, legal, names, needs, position, refused, run

from companion.engine.action import PUBLIC, TABLE
from companion.games.onirim import GAME
from companion.games.onirim.pieces import CARDS, HALLS
from companion.table.play import walk

rule = pytest.mark.rule
DEALT = "Rk Bs NM Gm Ws GD Rm Bm Gs Wm"
"""Eight Labyrinth cards with a Nightmare and a Door between them."""


def drafted(**options):
    """A two-player game after the draft of the first cards dealt."""
    state = game(players=2, **options)
    run(state, "shuffle", *each("draw", DEALT), "shuffle")
    run(state, "p1: pick Rk", "p2: pick Bm", "p1: pick Bs", "p2: pick Gs", "p1: pick Gm", "p2: pick Wm")
    return state


# Set-up ----------------------------------------------------------------------------------------


@rule("ON-2P-01")
@rule("ON-2P-02")
@rule("ON-2P-03")
@rule("ON-2P-04")
def test_s25_eight_cards_are_drafted_in_turn_and_two_stay_shared():
    state = game(players=2)
    run(state, "shuffle", *each("draw", DEALT))
    assert names(state.limbo) == "NM GD" and needs(state) == "table: shuffle"
    run(state, "shuffle")
    assert (state.deck.size, state.limbo) == (68, ())
    turns = []
    for pick in ("Rk", "Bm", "Bs", "Gs", "Gm", "Wm"):
        turns.append(needs(state))
        run(state, f"{turns[-1][:2]}: pick {pick}")
    assert turns == ["p1: pick", "p2: pick"] * 3
    assert [names(hand) for hand in state.hands] == ["Rk Bs Gm", "Bm Gs Wm"]
    assert names(state.shared) == "Ws Rm"
    assert needs(state) == "p1: play discard concede"


@rule("ON-2P-02")
def test_everybody_sees_whose_pick_it_is():
    state = game(players=2)
    run(state, "shuffle", *each("draw", DEALT), "shuffle")
    run(state, "p1: pick Rk")
    assert GAME.view(state, PUBLIC)["seat"] == 1
    run(state, "p2: pick Bm")
    assert GAME.view(state, PUBLIC)["seat"] == 0


@rule("ON-2P-02")
def test_only_a_revealed_card_can_be_picked():
    state = game(players=2)
    run(state, "shuffle", *each("draw", DEALT), "shuffle")
    assert refused(state, 0, "pick Gk")[:3] == ("no-such-card", (), "ON-2P-02")
    assert refused(state, 1, "pick Rk")[:3] == ("not-your-turn", (), "ON-TURN-01")


# The turn --------------------------------------------------------------------------------------


@rule("ON-2P-05")
@rule("ON-2P-06")
def test_a_hand_is_three_personal_and_two_shared_cards():
    state = drafted()
    assert {text for text in legal(state) if text.startswith("play")} == {
        *("play Rk", "play Bs", "play Gm", "play Ws shared", "play Rm shared")
    }
    assert {text for text in legal(state) if text.startswith("discard")} == {
        *("discard Rk", "discard Bs", "discard Gm", "discard Ws shared", "discard Rm shared")
    }
    assert refused(state, 0, "play Ws").code == "no-such-card"
    run(state, "p1: play Ws shared")
    assert names(state.shared) == "Rm" and names(state.rows[0]) == "Ws"


@rule("ON-2P-07")
@rule("ON-2P-08")
def test_s31_only_the_own_row_counts():
    state = position("Gs Wm Rk", partner="Bs Bm Gk", shared="Rs Rm", row="Bm", partner_row="Gs", seat=1)
    assert "play Gs" in legal(state)
    assert refused(state, 1, "play Wm")[:3] == ("same-symbol", (), "ON-PLAY-03")
    run(state, "p2: play Gs")
    assert names(state.rows[1]) == "Bm Gs" and names(state.rows[0]) == "Gs"


@rule("ON-2P-08")
def test_a_series_is_counted_in_the_own_row_only():
    state = position("Gs Wm Rk", partner="Bs Bm Bk", shared="Rs Rm", row="Gk", partner_row="Gs Gm")
    run(state, "p1: play Gs")
    assert needs(state).startswith("table: draw")


@rule("ON-2P-09")
@rule("ON-2P-10")
def test_s26_a_discard_allows_one_exchange_before_the_prophecy():
    state = position("Rk Bs Gm", partner="Wm Wk Gk", shared="Ws Rm")
    run(state, "p1: discard Rk")
    assert needs(state) == "p1: swap keep"
    run(state, "p1: swap Gm Ws")
    assert sorted(names(state.hands[0]).split()) == ["Bs", "Ws"]
    assert sorted(names(state.shared).split()) == ["Gm", "Rm"]
    assert needs(state) == "table: look"
    run(state, *each("look", "Rs Rs Rs Rs Gs"), "p1: foresee Gs Rs Rs Rs Rs", "draw Rs")
    assert len(state.hands[0]) == 3 and len(state.shared) == 2


@rule("ON-2P-09")
def test_playing_allows_no_exchange():
    state = position("Rk Bs Gm", partner="Wm Wk Gk", shared="Ws Rm")
    run(state, "p1: play Rk")
    assert needs(state) == "table: draw"


@rule("ON-2P-09")
def test_an_exchange_takes_one_own_and_one_shared_card():
    state = position("Rk Bs Gm", partner="Wm Wk Gk", shared="Ws Rm")
    run(state, "p1: discard Bs")
    assert refused(state, 0, "swap Gm Gk")[:3] == ("no-such-card", (), "ON-2P-09")
    assert refused(state, 0, "swap Wm Ws")[:3] == ("no-such-card", (), "ON-TURN-02")
    assert legal(state) == {"keep", "swap Rk Ws", "swap Rk Rm", "swap Gm Ws", "swap Gm Rm"}


@rule("ON-2P-11")
def test_without_shared_cards_no_exchange_is_asked():
    state = position("Rk Bs Gm", partner="Wm Wk Gk", shared="Ws Rm")
    state.shared = ()
    state.deck.counts[CODE["Ws"]] += 1
    state.deck.counts[CODE["Rm"]] += 1
    state.deck.size += 2
    run(state, "p1: discard Bs")
    assert needs(state) == "table: draw"


@rule("ON-2P-12")
@rule("ON-2P-13")
@rule("ON-2P-14")
@rule("ON-2P-17")
def test_s27_a_shared_key_opens_a_door_and_shared_places_are_filled_face_up():
    state = position("Bs Gm Wm", partner="Bm Wk Gk", shared="Ws Rk")
    run(state, "p1: play Ws shared", "draw RD")
    assert legal(state) == {"open shared", "leave"}
    run(state, "p1: open shared")
    assert state.doors == [1, 0, 0, 0, 0, 0, 0, 0] and state.shared == ()
    events = run(state, "draw Bs", "draw Gm")
    assert names(state.shared) == "Bs Gm"
    assert [event.kind for event in events] == ["drew-shared"] * 2
    assert all(event.audience is None for event in events)


@rule("ON-2P-12")
def test_in_open_play_too_a_shared_key_alone_opens_a_door():
    state = position("Bs Gm", partner="Bm Wk Gk", shared="Ws Rk", step=DRAW, openness="open")
    run(state, "draw RD")
    assert legal(state) == {"open shared", "leave"}


@rule("ON-2P-12")
def test_a_shared_key_pays_a_nightmare():
    state = position("Bs Gm", partner="Bm Wk Gk", shared="Ws Rk", step=DRAW)
    run(state, "draw NM")
    assert "pay-key Rk shared" in legal(state)
    run(state, "p1: pay-key Rk shared")
    assert names(state.shared) == "Ws" and names(state.discard) == "Rk NM"


@rule("ON-2P-13")
@rule("ON-2P-14")
def test_personal_places_are_filled_first_and_secretly():
    state = position("Bs Gm", partner="Bm Wk Gk", shared="Ws", step=DRAW)
    drew, hidden = run(state, "draw Rs")
    assert names(state.hands[0]) == "Bs Gm Rs"
    assert drew.is_for(0) and not drew.is_for(1) and not drew.is_for(PUBLIC)
    assert not hidden.is_for(0) and hidden.is_for(1) and hidden.is_for(PUBLIC) and "card" not in hidden.data
    run(state, "draw Gs")
    assert names(state.shared) == "Ws Gs"


@rule("ON-VAR-03")
def test_in_open_play_a_drawn_card_is_told_to_all_at_once():
    state = position("Bs Gm", partner="Bm Wk Gk", shared="Ws", step=DRAW, openness="open")
    (drew,) = run(state, "draw Rs")
    assert drew.audience is None and drew.data == {"seat": 0, "card": "Rs"}


@rule("ON-2P-14")
def test_doors_and_nightmares_are_always_shown():
    state = position("Bs Gm", partner="Bm Wk Gk", shared="Ws Rm", step=DRAW)
    assert all(event.audience is None for event in run(state, "draw NM"))
    assert GAME.view(state, 1)["busy"] == "NM"


@rule("ON-2P-15")
@rule("ON-2P-16")
def test_s28_the_hand_given_to_a_nightmare_takes_the_shared_cards_along():
    state = position("Bs Gm Wm", partner="Bm Wk Gk", shared="Ws", step=DRAW)
    run(state, "draw NM", "p1: pay-hand")
    assert names(state.discard) == "Bs Gm Wm Ws"
    run(state, *each("draw", "Rs WD Gs Bm Wm Rk"))
    assert names(state.hands[0]) == "Rs Gs Bm" and names(state.shared) == "Wm Rk"
    assert names(state.limbo) == "WD" and names(state.hands[1]) == "Bm Wk Gk"


@rule("ON-2P-18")
def test_a_nightmare_takes_a_door_of_the_active_player():
    state = position("Bs Gm", partner="Bm Wk Gk", shared="Ws Rm", doors="RD", partner_doors="GD", step=DRAW)
    run(state, "draw NM")
    assert "pay-door RD" in legal(state) and "pay-door GD partner" not in legal(state)
    assert refused(state, 0, "pay-door GD")[:3] == ("no-door", (), "ON-NIGHT-03")
    assert refused(state, 0, "pay-door GD partner")[:3] == ("not-your-door", (), "ON-2P-18")


@rule("ON-2P-18")
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("own", "theirs"), [("RD", "GD"), ("", "WD BD"), ("BD", "")])
def test_by_the_switch_just_the_partners_doors_are_offered(seat: int, own: str, theirs: str):
    state = position(
        *("Bs Gm",),
        partner="Bm Wk Gk",
        shared="Ws Rm",
        doors=own,
        partner_doors=theirs,
        step=DRAW,
        seat=seat,
        nightmare_door_any_player=True,
    )
    run(state, "draw NM")
    offered = {line for line in legal(state) if line.startswith("pay-door")}
    assert offered == {*(f"pay-door {door}" for door in own.split())} | {
        f"pay-door {door} partner" for door in theirs.split()
    }


@rule("ON-2P-18")
def test_the_switch_lets_the_partners_door_pay():
    state = position(
        *("Bs Gm",),
        partner="Bm Wk Gk",
        shared="Ws Rm",
        doors="GD",
        partner_doors="GD",
        step=DRAW,
        nightmare_door_any_player=True,
    )
    run(state, "draw NM")
    assert "pay-door GD partner" in legal(state)
    run(state, "p1: pay-door GD partner")
    assert state.doors == [0, 0, 1, 0, 0, 0, 0, 0] and names(state.limbo) == "GD", "the own Door stays"


@rule("ON-2P-22")
def test_deck_limbo_and_discard_are_common():
    state = drafted()
    run(state, "p1: discard Bs", "p1: keep", "draw Rs", "p2: discard Wm", "p2: keep")
    assert names(state.discard) == "Bs Wm"


@rule("ON-2P-23")
def test_turns_alternate():
    state = drafted()
    run(state, "p1: play Bs", "draw Rs")
    assert needs(state) == "p2: play discard concede"
    run(state, "p2: play Bm", "draw Rs")
    assert needs(state) == "p1: play discard concede"


# The end ---------------------------------------------------------------------------------------


@rule("ON-2P-19")
def test_s29_both_with_all_four_colours_win_at_once():
    state = position(
        *("Wk Rs Gs",),
        partner="Bm Bk Gk",
        shared="Ws Rm",
        row="Ws Wm",
        doors="RD BD GD",
        partner_doors="RD BD GD WD",
        seat=1,
    )
    run(state, "p2: play Wk", "p2: take")
    assert state.outcome()[:3] == ("won", (0, 1), "ON-2P-19")
    assert len(state.hands[1]) == 2


@rule("ON-2P-20")
@rule("ON-2P-21")
def test_s30_eight_doors_unevenly_owned_do_not_win():
    state = position(
        *("Wk Rs Gs",),
        partner="Bm Bk Gk",
        shared="Ws Rm",
        row="Ws Wm",
        doors="BD GD",
        partner_doors="RD RD BD GD WD",
        seat=1,
    )
    run(state, "p2: play Wk", "p2: take")
    assert sum(state.doors) == 8 and state.outcome() is None


@rule("ON-2P-21")
def test_a_second_door_of_a_colour_is_warned_of_and_allowed():
    state = position("Wk Rs Gs", partner="Bm Bk Gk", shared="Ws Rm", row="Ws Wm", doors="WD")
    run(state, "p1: play Wk")
    assert GAME.view(state, 0)["second_door"] and GAME.view(state, 1)["second_door"]
    run(state, "p1: take")
    assert state.doors[:4] == [0, 0, 0, 2]


@rule("ON-2P-21")
def test_the_switch_sends_a_second_door_to_limbo():
    state = position(
        *("Wk Rs Gs",),
        partner="Bm Bk Gk",
        shared="Ws Rm",
        row="Ws Wm",
        doors="WD",
        coop_duplicate_door="limbo",
    )
    run(state, "p1: play Wk", "p1: take")
    assert state.doors[:4] == [0, 0, 0, 1] and names(state.limbo) == "WD"


@rule("ON-2P-24")
def test_defeat_is_common():
    state = position("Bs Gm Wm", partner="Bm Wk Gk", shared="Ws Rm", deck="")
    run(state, "p1: play Bs")
    assert state.outcome()[:3] == ("lost", (), "ON-END-04")


@rule("ON-2P-26")
@rule("ON-2P-27")
def test_every_turn_begins_with_three_and_two_and_there_are_at_most_51():
    for seed in range(40):
        for step in walk(GAME, GAME.resolve({"players": 2}), Random(seed)):
            state = step.state
            if state.needs() and "play" in state.needs()[0].verbs:
                assert [len(hand) for hand in state.hands] == [3, 3] and len(state.shared) == 2
            assert state.turn <= 51


# What each may see -----------------------------------------------------------------------------


@rule("ON-2P-25")
def test_a_prophecy_belongs_to_the_active_player():
    state = position("Rk Bs Gm", partner="Wm Wk Gk", shared="Ws Rm")
    run(state, "p1: discard Rk", "p1: keep")
    events = run(state, *each("look", "Rs Rs Rs Rs Gs"))
    assert GAME.view(state, 0)["looked"]["cards"] == ["Rs", "Rs", "Rs", "Rs", "Gs"]
    assert GAME.view(state, 1)["looked"] == GAME.view(state, PUBLIC)["looked"] == {"n": 5, "cards": None}
    assert not any("card" in event.data for event in events if event.is_for(1))
    run(state, "p1: foresee Gs Rs Rs Rs Rs")
    assert GAME.view(state, 0)["known"] == ["Rs"] * 4
    assert GAME.view(state, 1)["known"] == []


@rule("ON-VAR-01")
@rule("ON-VAR-04")
def test_openness_is_chosen_before_the_game_and_hidden_by_default():
    options = {option.name: option for option in GAME.options}
    assert options["openness"].default == "silent"
    assert GAME.resolve({"players": 2})["openness"] == "silent"
    assert not any(verb.startswith("open-") for verb in game(players=2).notation.verbs)


@rule("ON-VAR-02")
def test_in_silence_each_sees_only_their_own_cards():
    state = drafted()
    assert GAME.view(state, 0)["hands"][0]["cards"] == ["Rk", "Bs", "Gm"]
    assert GAME.view(state, 0)["hands"][1] == {"cards": None, "n": 3, "unseen": None}
    assert [hand["cards"] for hand in GAME.view(state, PUBLIC)["hands"]] == [None, None]


@rule("ON-VAR-03")
def test_in_open_play_everybody_sees_everything():
    state = drafted(openness="open")
    assert GAME.view(state, PUBLIC)["hands"][1]["cards"] == ["Bm", "Gs", "Wm"]


def test_a_hidden_hand_is_asked_about_a_door_even_without_its_key():
    """Not to ask would tell the partner that the Key is missing."""
    state = position("Bs Gm", partner="Bm Wk Gk", shared="Ws Rm", step=DRAW)
    run(state, "draw RD")
    assert needs(state) == "p1: open leave" and legal(state) == {"leave"}


# Cards that the companion has not seen ---------------------------------------------------------


def unseen_hands():
    return drafted(deck="physical", hands="unseen")


def use_up(state, card, left=0):
    """Discards the cards of a kind that nobody has seen, but for those left."""
    n = state.deck.counts[CODE[card]] - left
    state.discard += [CODE[card]] * n
    state.deck.counts[CODE[card]] -= n
    state.deck.size -= n


@rule("ON-2P-14")
def test_either_player_may_draw_a_card_that_stays_unseen():
    state = unseen_hands()
    run(state, "p1: play Bs")
    assert "draw-unseen" in legal(state, TABLE)
    run(state, "draw-unseen", "p2: play Bm")
    assert "draw-unseen" in legal(state, TABLE)


@rule("ON-2P-14")
def test_a_labyrinth_card_for_a_hand_that_is_kept_unseen_is_not_told_to_the_companion():
    state = unseen_hands()
    run(state, "p1: play Bs")
    assert refused(state, TABLE, "draw Rs")[:3] == ("kept-unseen", (), "ON-2P-14")
    assert legal(state, TABLE) == {"draw RD", "draw BD", "draw GD", "draw WD", "draw NM", "draw-unseen"}
    run(state, "draw-unseen", "p2: play Ws shared")
    assert "draw Rs" in legal(state, TABLE), "a shared card lies open"


@rule("ON-2P-14")
def test_what_is_known_of_unseen_hands_was_open_so_both_see_it():
    state = unseen_hands()
    run(state, "p1: play Bs", "draw-unseen")
    for viewer in (0, 1, PUBLIC):
        assert GAME.view(state, viewer)["hands"][0] == {"cards": ["Rk", "Gm"], "n": 3, "unseen": 1}
    assert GAME.view(state, 1)["left"] == GAME.view(state, 0)["left"]


@rule("ON-2P-14")
def test_an_unseen_card_is_counted_and_checked_when_it_is_shown():
    state = unseen_hands()
    run(state, "p1: play Bs", "draw-unseen", "p2: play Bm", "draw-unseen")
    assert state.unseen == [1, 1] and state.deck.hidden == 2
    assert "play Gk" in legal(state)
    run(state, "p1: play Gk", "draw-unseen")
    assert state.unseen == [1, 1] and names(state.rows[0]) == "Bs Gk"


@rule("ON-INV-01")
def test_a_card_that_is_used_up_cannot_be_shown():
    state = unseen_hands()
    use_up(state, "Gk")
    run(state, "p1: play Bs", "draw-unseen", "p2: play Bm", "draw-unseen")
    assert refused(state, 0, "play Gk")[:3] == ("no-such-card", (), "ON-TURN-02")


@rule("ON-INV-01")
def test_when_every_unseen_card_is_in_a_hand_doors_and_nightmares_alone_can_be_drawn():
    state = unseen_hands()
    run(state, "p1: play Bs", "draw-unseen", "p2: play Bm")
    for card in CARDS[:HALLS]:
        use_up(state, card, left=card == "Gk")
    assert legal(state, TABLE) == {"draw RD", "draw BD", "draw GD", "draw WD", "draw NM"}
    run(state, "draw NM", "p2: pay-deck")
    assert legal(state, TABLE) == {"mill RD", "mill BD", "mill GD", "mill WD", "mill NM"}


@rule("ON-INV-01")
def test_no_card_is_drawn_unseen_when_all_unseen_ones_are_in_hands():
    state = unseen_hands()
    run(state, "p1: play Bs", "draw-unseen", "p2: play Bm")
    for card in CARDS[:HALLS]:
        use_up(state, card, left=card == "Gk")
    assert refused(state, TABLE, "draw-unseen")[:3] == ("not-drawn", (), "ON-INV-01")


@rule("ON-2P-18")
def test_alone_there_is_no_partner_to_pay():
    state = position("Rs Bs Gs Ws", doors="RD", step=DRAW, nightmare_door_any_player=True)
    run(state, "draw NM")
    assert refused(state, 0, "pay-door RD partner")[:3] == ("not-your-door", (), "ON-2P-18")


@rule("ON-INV-01")
def test_a_prophecy_throws_away_no_card_that_must_be_in_a_hand():
    state = unseen_hands()
    run(state, "p1: play Bs", "draw-unseen", "p2: play Bm", "draw-unseen", "p1: discard Rk", "p1: keep")
    for card in CARDS[:HALLS]:
        use_up(state, card, left=2 * (card == "Gk"))
    assert refused(state, 0, "foretell Gk")[:3] == ("not-drawn", (), "ON-INV-01")
    assert legal(state) == {"foretell RD", "foretell BD", "foretell GD", "foretell WD", "foretell NM"}


def test_an_unseen_prophecy_shows_only_the_card_thrown_away():
    state = unseen_hands()
    run(state, "p1: discard Rk", "p1: keep")
    assert needs(state) == "p1: foretell"
    use_up(state, "Gk")
    before = state.deck.size
    assert refused(state, 0, "foretell Gk")[:3] == ("not-drawn", (), "ON-INV-01")
    assert "foretell Gk" not in legal(state) and "foretell NM" in legal(state)
    run(state, "p1: foretell NM")
    assert names(state.discard).split()[-1] == "NM" and state.deck.size == before - 1


def test_unseen_cards_are_shown_when_a_nightmare_takes_the_hand():
    state = unseen_hands()
    run(state, "p1: play Bs", "draw NM", "p1: pay-deck", *each("mill", "Rs Rs Rs Rs Rs"), "draw-unseen")
    run(state, "p2: play Bm", "draw-unseen", "p1: play Gm", "draw NM", "p1: pay-hand")
    assert needs(state) == "p1: show"
    assert "show Gk" in legal(state)
    use_up(state, "Gs")
    assert refused(state, 0, "show Gs")[:3] == ("no-such-card", (), "ON-TURN-02")
    run(state, "p1: show Gk")
    assert names(state.discard).endswith("Gk") and needs(state) == "table: draw draw-unseen"


def test_chance_waits_for_the_table_with_a_cardboard_deck():
    chance = GAME.chance(GAME.resolve({"deck": "physical"}), 1)
    assert chance.pick(game().outcomes()) is None
    digital = GAME.chance(GAME.resolve({}), 1)
    assert digital.pick(game().outcomes()) is not None
    assert kinds(run(game(), "shuffle")) == ["shuffled"]


# What the book leaves to the table -------------------------------------------------------------


@rule("ON-BOOK-01")
@pytest.mark.parametrize("card", ["Bk", "Bm", "Bs"])
@pytest.mark.parametrize("last", ["Rk", "Rm", "Rs"])
def test_no_symbol_follows_itself_wherever_the_card_comes_from(card: str, last: str):
    """«играемая карта не может иметь один и тот же символ с картой, которая игралась до этого…
    есть три символа: Солнце, Луна и Ключ»"""
    own = position(f"{card} Wm Ws", partner="Gm Gs Gk", shared="Wk Gm", row=last)
    common = position("Wm Ws Wk", partner="Gm Gs Gk", shared=f"{card} Gm", row=last)
    for state, line in ((own, f"play {card}"), (common, f"play {card} shared")):
        reason = state.refusal(0, state.notation.parse(line))
        if card[1] == last[1]:
            assert reason is not None and reason[:3] == ("same-symbol", (), "ON-PLAY-03")
        else:
            assert reason is None
        assert (line in legal(state)) == (card[1] != last[1])


@rule("ON-BOOK-01")
def test_alone_no_key_follows_a_key():
    """«играемая карта не может иметь один и тот же символ с картой, которая игралась до этого»"""
    state = position("Bk Gk Wm Ws Rs", row="Rm Rk")
    assert {"play Bk", "play Gk"}.isdisjoint(legal(state))
    assert refused(state, 0, "play Bk")[:3] == ("same-symbol", (), "ON-PLAY-03")


@rule("ON-BOOK-02")
@pytest.mark.parametrize("begins", ["p1", "p2"])
@pytest.mark.parametrize("picks", ["p1", "p2"])
def test_the_table_says_who_picks_and_who_begins(picks: str, begins: str):
    """«Каждый игрок берет одну из 8 открытых карт…», «Игроки делают ходы по очереди»: not who is first."""
    state = game(players=2, picks_first=picks, begins=begins)
    run(state, "shuffle", *each("draw", DEALT), "shuffle")
    turns = []
    for pick in ("Rk", "Bm", "Bs", "Gs", "Gm", "Wm"):
        turns.append(needs(state)[:2])
        run(state, f"{turns[-1]}: pick {pick}")
    other = {"p1": "p2", "p2": "p1"}
    assert turns == [picks, other[picks]] * 3
    assert needs(state) == f"{begins}: play discard concede"
    run(state, f"{begins}: discard Rm shared", f"{begins}: keep", "draw Wm")
    assert needs(state) == f"{other[begins]}: play discard concede"


@rule("ON-BOOK-02")
def test_alone_nobody_is_second():
    state = game(players=1, picks_first="p2", begins="p2")
    run(state, "shuffle", *each("draw", "Rk Bs Gm Ws Rm"))
    assert needs(state) == "p1: play discard concede"


@rule("ON-BOOK-03")
def test_the_exchange_comes_before_the_prophecy():
    """«В дополнение в сбросу карты, текущий игрок может тут же поменять карту…»"""
    state = drafted()
    run(state, "p1: discard Rk")
    assert needs(state) == "p1: swap keep"
    run(state, "p1: swap Bs Rm")
    assert needs(state) == "table: look"


@rule("ON-BOOK-03")
def test_by_the_switch_the_exchange_comes_after_the_prophecy():
    """«В дополнение в сбросу карты, текущий игрок может тут же поменять карту…»: or when all is done."""
    state = drafted(swap_order="after")
    run(state, "p1: discard Rk")
    assert needs(state) == "table: look"
    run(state, *each("look", "Bs NM Gm Ws Rm"), "p1: foresee NM Bs Gm Ws Rm")
    assert needs(state) == "p1: swap keep"
    run(state, "p1: swap Bs Rm")
    assert needs(state) == "table: draw" and names(state.shared) == "Ws Bs"


@rule("ON-BOOK-03")
@pytest.mark.parametrize("order", ["before", "after"])
def test_a_sun_is_discarded_and_exchanged_without_a_prophecy(order: str):
    """«Если это карта Луны или Солнца, переходите к фазе 2) Взять.»"""
    state = drafted(swap_order=order)
    run(state, "p1: discard Bs")
    assert needs(state) == "p1: swap keep"
    run(state, "p1: keep")
    assert needs(state) == "table: draw"
