"""Hidden information, real cards that the companion never sees, and invariants."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from contract_secrets import check_secrets
from contract_table import Table
from dark_cave_tables import do, draw_due, end_turn, hand, legal, phase, table, where, why

from companion.engine.action import PUBLIC, TABLE
from companion.engine.game import preview
from companion.games.dark_cave import GAME
from companion.games.dark_cave.agenda import DarkCave
from companion.games.dark_cave.cards import CARDS
from companion.games.dark_cave.position import HIDDEN, replaced
from companion.table.play import walk

ROW = {"1,0": "T1-08", "2,0": "T1-01", "3,0": "T1-02"}


@pytest.mark.rule("DC-HID-01")
def test_a_hand_is_private_but_its_backs_are_public() -> None:
    state = table(2, hands={0: ["T1-07", "T2-06", "T3-04"]})
    for viewer in (1, PUBLIC):
        seen = GAME.view(state, viewer)["dwarves"][0]
        assert seen["hand"] is None and seen["backs"] == [1, 2, 3]
    assert GAME.view(state, 0)["dwarves"][0]["hand"] == ["T1-07", "T2-06", "T3-04"]
    for viewer in (*range(2), PUBLIC):
        for seat, dwarf in enumerate(GAME.view(state, viewer)["dwarves"]):
            assert (dwarf["hand"] is not None) == (seat == viewer)


@pytest.mark.rule("DC-HID-02")
def test_deck_size_and_top_level_are_public_and_its_order_is_nowhere() -> None:
    state = table(2)
    view = GAME.view(state, PUBLIC)["deck"]
    assert view["n"] == sum(view["levels"]) and view["level"] == 1
    assert all(pool.known == [] for pool in state.pools), "no order is stored"
    do(state, f"pass {hand(state, 0)[0]}")
    assert why(state, "draw T3-01") == ("wrong-level", [], "DC-HID-02")
    assert why(state, "draw back-1") == ("not-drawn", [], "DC-INV-01")


@pytest.mark.rule("DC-HID-03")
def test_removed_cards_and_discards_are_in_no_view() -> None:
    state = table(2, hands={0: ["T1-07", "T1-09"]})
    do(state, "pass T1-07")
    draw_due(state)
    for viewer in (1, PUBLIC):
        assert "T1-07" not in str(GAME.view(state, viewer)["dwarves"])
        assert not {"box", "discard", "discards"} & set(GAME.view(state, viewer))


@pytest.mark.rule("DC-HID-04")
def test_nuggets_items_webs_and_creatures_are_public() -> None:
    state = table(
        2,
        ROW,
        front={1: ["boots-1", "axe-1"]},
        webs={"circle": ("1,0 east", 1, 1)},
        creatures={"rat": ("3,0.a", 1)},
        gold={1: 5},
    )
    seen = GAME.view(state, PUBLIC)["dwarves"][1]
    assert seen["gold"] == 5
    assert seen["front"] == ["boots-1", "axe-1", "web-circle", "rat-3"]


def test_lights_never_show_an_identity() -> None:
    """LEDs depend on the public view alone; changing every hidden identity changes nothing."""
    state = table(8)
    other = state.copy()
    other.identity = [1 - i for i in other.identity]
    assert GAME.scene(GAME.view(state, PUBLIC)) == GAME.scene(GAME.view(other, PUBLIC))


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 5, 8])
def test_nothing_leaks_to_any_seat(players: int) -> None:
    options = GAME.resolve({"players": players})
    assert check_secrets(Table(GAME, f"{players}", options), seed=players, every=6) > 0


class CarefulTable(Table):
    """A table whose games get as far as the exit."""

    def walk(self, seed: int) -> Any:
        return walk(self.game, self.options, Random(seed), GAME.bots["careful"])


@pytest.mark.slow
def test_nothing_leaks_when_goals_are_turned_and_dwarves_leave() -> None:
    careful = CarefulTable(GAME, "careful", GAME.resolve({"players": 5}))
    seed = next(s for s in range(50) if any(len(step.state.left) > 1 for step in careful.walk(s)))
    assert check_secrets(careful, seed, every=3) > 0, f"seed {seed}"


LEAKS = {
    "hand": lambda state, viewer: {"leak": [list(h) for h in state.hands]},
    "identity": lambda state, viewer: {"leak": state.identity[:]},
    "goal": lambda state, viewer: {"leak": state.goal_at[:]},
    "discards": lambda state, viewer: {"leak": state.discards[:]},
    "aside": lambda state, viewer: {"leak": state.set_aside()},
}


@pytest.mark.parametrize("what", LEAKS)
def test_a_planted_leak_is_caught(what: str) -> None:
    honest = GAME.view

    def leaky(state: Any, viewer: int) -> dict[str, Any]:
        return honest(state, viewer) | LEAKS[what](state, viewer)

    options = GAME.resolve({"players": 5})
    with pytest.raises(AssertionError, match=r"tells|sees"):
        for seed in range(8):
            check_secrets(Table(replace(GAME, view=leaky), what, options), seed, every=5)


def test_a_preview_of_secret_information_shows_nothing() -> None:
    state = table(2, hands={0: ["info-1", "swap-2"]})
    for line in ("spy-goal info-1 4,4", "spy-clan info-1 p2", "swap swap-2 p2"):
        assert preview(GAME, state, 0, 0, state.notation.parse(line)) is None


# Real cards -------------------------------------------------------------------------------------------


def physical(players: int = 2, **options: Any) -> DarkCave:
    """A game with real cards, at the first turn."""
    state = DarkCave(GAME.resolve({"players": players, "deck": "physical", "first": 1, **options}))
    rng = Random(3)
    while "lay" not in state.needs()[0].verbs:
        seat = state.needs()[0].seat
        state.apply(seat, rng.choice(state.actions(seat)))
    state.check()
    return state


def test_real_hands_are_backs_until_a_card_is_shown() -> None:
    state = physical()
    assert hand(state, 0) == ["back-1"] * 5
    unseen = sum(state.pools[0].counts)
    do(state, "lay T1-08 1,0 0")
    assert hand(state, 0) == ["back-1"] * 4 and sum(state.pools[0].counts) == unseen - 1
    assert GAME.view(state, 1)["dwarves"][0]["hand"] is None


def test_a_shown_card_must_still_be_unseen_and_of_a_level_in_hand() -> None:
    state = physical()
    do(state, "lay T1-08 1,0 0")
    end_turn(state)
    assert why(state, "lay T1-08 2,0 0") == ("not-drawn", [], "DC-INV-01"), "there is only one of it"
    assert why(state, "lay T3-05 2,0 0") == ("not-in-hand", [], "DC-HID-01"), "no back of level III"
    assert why(state, "lay back-1 2,0 0") == ("unknown-card", [], "DC-ACT-01")


def test_real_cards_are_discarded_by_their_backs() -> None:
    state = physical(7)
    assert hand(state, 0) == ["back-1"] * 3 + ["back-2"] * 2
    assert "back-1 back-2" in legal(state, "pass") and "T1-07" not in legal(state, "pass")
    hidden = state.pools[0].hidden
    do(state, "pass back-1 back-2")
    assert state.pools[0].hidden == hidden, "what was thrown away is still unseen"
    assert [state.notation.text(a) for a, _ in state.outcomes()] == ["draw back-1"]


def test_real_draws_say_the_level_of_the_back() -> None:
    state = physical(6)
    do(state, "pass back-1")
    assert [state.notation.text(a) for a, _ in state.outcomes()] == ["draw back-2"]
    assert why(state, "draw T2-06") == ("not-drawn", [], "DC-INV-01")


def test_a_real_random_loss_names_only_the_back() -> None:
    state = physical(6)
    state.push(("rob", 0))
    state.settle([])
    ways = {state.notation.text(a): n for a, n in state.outcomes()}
    assert ways == {"lose back-1": 4, "lose back-2": 1}


def test_real_goals_are_unknown_until_turned_and_looking_tells_the_companion_nothing() -> None:
    state = physical()
    do(state, "spy-goal info-1 4,4")
    assert phase(state) != "look" and state.goal_at == (HIDDEN,) * 4
    assert GAME.view(state, 0)["goals"][3]["seen_by"] == [0]


def test_real_clan_cards_are_known_when_opened() -> None:
    state = physical(5, clans="physical")
    assert state.identity == (HIDDEN,) * 5
    colours = [GAME.view(state, PUBLIC)["dwarves"][seat]["clan"] for seat in range(5)]
    assert set(colours) <= {"yellow", "blue"}
    do(state, "spy-clan info-1 p2")
    assert phase(state) != "look", "the player looks at the real card"


def test_the_first_who_left_announces_the_end_with_real_clan_cards() -> None:
    state = table(
        4,
        {"4,-4": "G-EXIT"},
        at={0: "4,-4.w"},
        clans=["yellow-loyal"] * 4,
        phase="move",
        real_clans=True,
    )
    do(state, "step 4,-4 c")
    assert legal(state, "open", TABLE) == {"yellow-loyal", "yellow-saboteur"}
    do(state, "open yellow-loyal")
    assert legal(state, "announce", TABLE) == {"nobody"}, "two loyal dwarves play, so one is still inside"
    do(state, "announce nobody")


def test_an_announced_end_binds_the_cards_that_are_opened() -> None:
    state = table(
        3,
        {"4,-4": "G-EXIT"},
        at={0: "4,-4.w"},
        clans=["yellow-loyal"] * 3,
        phase="move",
        real_clans=True,
    )
    do(state, "step 4,-4 c", "open yellow-saboteur")
    assert legal(state, "announce", TABLE) == {"nobody", "blue"}
    do(state, "announce blue")
    assert legal(state, "open", TABLE) == {"yellow-loyal"}
    assert why(state, "open yellow-saboteur") == ("not-drawn", [], "DC-CLAN-03")
    do(state, "open yellow-loyal", "open yellow-loyal")
    assert state.outcome() is not None and state.outcome().winners == (0,)


def test_real_cards_decide_at_the_table() -> None:
    both = GAME.at_table(GAME.resolve({"deck": "physical", "clans": "physical"}))
    assert both == {"draw", "lose", "reveal", "side", "clan", "open", "announce"}
    assert GAME.at_table(GAME.resolve({})) == frozenset()


# Invariants -------------------------------------------------------------------------------------------


@pytest.mark.rule("DC-INV-07")
def test_hand_sizes_change_only_by_playing_discarding_drawing_swapping_bridge_and_rat() -> None:
    changers = {"pass", "lay", "draw", "swap", "lose", "spy-goal", "spy-clan", "rockfall", "web"}
    changers |= {"boots", "axe", "call", "rouse"}
    for seed in range(6):
        before = None
        for step in walk(GAME, GAME.resolve({"players": 4}), Random(seed)):
            sizes = [len(h) for h in step.state.hands]
            if before is not None and sizes != before:
                assert step.action.verb in changers, step.action
            before = sizes


def broken(change: Any) -> None:
    state = table(
        2,
        {**ROW, "4,4": "G-EXIT", "1,1": "T2-07"},
        front={0: ["boots-1"]},
        webs={"circle": ("1,0 east", 1, 1)},
        creatures={"rat": ("3,0.a", 1)},
    )
    change(state)
    with pytest.raises(AssertionError):
        state.check()


@pytest.mark.rule("DC-INV-01")
def test_a_lost_or_doubled_card_is_noticed() -> None:
    broken(lambda s: s.hands.__setitem__(0, s.hands[0][1:]))
    broken(lambda s: s.discards.__setitem__(0, s.discards[0] + 1))
    broken(lambda s: setattr(s.pools[1], "size", s.pools[1].size - 1))


@pytest.mark.rule("DC-INV-02")
def test_a_lost_nugget_is_noticed() -> None:
    broken(lambda s: s.gold.__setitem__(0, 4))
    broken(lambda s: setattr(s, "supply", s.supply - 1))


@pytest.mark.rule("DC-INV-03")
def test_a_border_that_does_not_agree_is_noticed() -> None:
    def change(state: DarkCave) -> None:
        cell = next(c for c, s in state.cave.laid.items() if CARDS.shapes[s].name == "T1-08")
        state.cave.laid[cell] = CARDS.shape_named["T1-07"]
        state.pools[0].counts[CARDS.kind_of["T1-08"]] += 1
        state.pools[0].counts[CARDS.kind_of["T1-07"]] -= 1

    broken(change)


@pytest.mark.rule("DC-INV-04")
def test_a_figure_without_a_segment_or_a_creature_without_a_card_is_noticed() -> None:
    broken(lambda s: s.at.__setitem__(0, 5 << 4))
    broken(lambda s: setattr(s, "holders", replaced(s.holders, 0, 0)))
    broken(lambda s: setattr(s, "creatures", replaced(s.creatures, 0, -1)))


@pytest.mark.rule("DC-INV-05")
def test_a_web_without_a_card_or_two_on_one_border_is_noticed() -> None:
    def move(state: DarkCave, symbol: int, border: int, left: int) -> None:
        state.webs = replaced(state.webs, symbol, border)
        state.web_left = replaced(state.web_left, symbol, left)

    broken(lambda s: move(s, 0, 4, s.web_left[0]))
    broken(lambda s: move(s, 1, -2, s.web_left[1]))
    broken(lambda s: move(s, 2, s.webs[1], 1))


@pytest.mark.rule("DC-INV-06")
def test_two_boots_before_one_player_are_noticed() -> None:
    def change(state: DarkCave) -> None:
        kind = CARDS.kind_of["boots-1"]
        state.front[0] += (kind,)
        state.pools[0].counts[kind] -= 1
        state.pools[0].size -= 1

    broken(change)


@pytest.mark.rule("DC-INV-08")
def test_a_tunnel_card_on_a_goal_cell_is_noticed() -> None:
    def change(state: DarkCave) -> None:
        state.cave.laid[state.goal_cells[0]] = CARDS.shape_named["T1-13"]
        state.pools[0].counts[CARDS.kind_of["T1-13"]] -= 1
        state.pools[0].size -= 1

    broken(change)


@pytest.mark.slow
@pytest.mark.rule("DC-INV-01")
@pytest.mark.rule("DC-INV-02")
@pytest.mark.parametrize("players", range(2, 9))
def test_cards_and_gold_are_conserved_in_random_games(players: int) -> None:
    for seed in range(4):
        for step in walk(GAME, GAME.resolve({"players": players}), Random(seed)):
            step.state.check()
        assert step.state.outcome() is not None
        assert all(where(p) == "" or p >= 0 for p in step.state.at)
