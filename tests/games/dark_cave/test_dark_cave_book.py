"""Where the Russian book's own sentence decides: each test quotes it (ledger: corrections that win)."""

from __future__ import annotations

import pytest
from dark_cave_tables import (
    GAME,
    at,
    cell,
    do,
    end_turn,
    hand,
    kinds,
    legal,
    phase,
    refusal,
    table,
    why,
)

from companion.engine.action import PUBLIC, TABLE
from companion.engine.drawing import Drawing, Word
from companion.games.dark_cave.agenda import DarkCave
from companion.games.dark_cave.art import KIT
from companion.games.dark_cave.paper import prints

ROW = {"1,0": "T1-08", "2,0": "T1-01"}


def count_up(state: DarkCave) -> DarkCave:
    """Opens the clan cards at the end."""
    while state.needs():
        state.apply(TABLE, state.outcomes()[0][0])
    return state


# 1: the end --------------------------------------------------------------------------------------


@pytest.mark.rule("DC-BOOK-01")
def test_the_game_ends_with_the_last_card_and_nobody_moves_any_more() -> None:
    """«Игра немедленно заканчивается…: карточки в игровой колоде закончились, а игроки разыграли все
    карточки, которые были у них в руках.»
    """
    state = table(2, ROW, hands={0: ["T1-09"], 1: []}, deck=False)
    do(state, "pass T1-09")
    count_up(state)
    assert at(state, 0) == "0,0.a" and state.outcome().rule == "DC-END-01"


@pytest.mark.rule("DC-BOOK-01")
def test_a_last_card_lost_on_a_bridge_ends_the_game_on_the_bridge() -> None:
    """«Игра немедленно заканчивается…»"""
    lay = {"1,0": "T1-17", "2,0": "T1-01"}
    state = table(2, lay, hands={0: ["T1-09"], 1: []}, deck=False, phase="move")
    do(state, "step 1,0 a", "lose T1-09")
    count_up(state)
    assert at(state, 0) == "1,0.a" and state.outcome().rule == "DC-END-01"


@pytest.mark.rule("DC-BOOK-01")
def test_an_empty_deck_alone_ends_nothing() -> None:
    """«…а игроки разыграли все карточки, которые были у них в руках.»"""
    state = table(2, ROW, hands={0: ["T1-09"], 1: ["T1-10"]}, deck=False)
    do(state, "pass T1-09")
    assert phase(state) == "move" and state.outcome() is None


# 2: ladders --------------------------------------------------------------------------------------


@pytest.mark.rule("DC-BOOK-02")
def test_a_ladder_is_climbed_from_anywhere_on_its_card() -> None:
    """«Вы можете переместить вашего гнома с этой карточки на любую другую карточку с лестницей, потратив
    1 шаг.»
    """
    lay = {"5,5": "T3-10", "-4,3": "T2-13"}
    state = table(2, lay, at={0: "5,5.s"}, phase="move")
    assert legal(state, "step") == {"5,5 c", "0,0 a", "-4,3 e"}, "and one arrives at the ladder"
    do(state, "step -4,3 e")
    assert state.steps_left == 2
    section = table(2, lay, at={0: "5,5.s"}, phase="move", ladder_from="section")
    assert legal(section, "step") == {"5,5 c"}


@pytest.mark.rule("DC-BOOK-02")
def test_creatures_climb_from_anywhere_on_a_ladder_card_too() -> None:
    """«Существа могут свободно перемещаться с лестницы на лестницу…»"""
    state = table(2, {"5,5": "T3-10"}, creatures={"rat": ("5,5.s", 1)}, hands={0: ["rat-1", "T1-07"]})
    do(state, "rouse rat-1")
    assert legal(state, "crawl") == {"5,5 c", "0,0 a"}


@pytest.mark.rule("DC-BOOK-02")
def test_a_ladder_being_laid_joins_as_a_lying_one_does() -> None:
    """«Туннель на такой карточке всегда соединён тайными путями с лестницей на другой карточке.»"""
    lay = {"3,0": "T1-08"}
    state = table(2, lay, hands={0: ["T1-15", "T1-01"]})
    assert why(state, "lay T1-01 4,0 0") == ("cut-off", ["4,0", "3,0"], "DC-PLACE-09")
    assert refusal(state, "lay T1-15 4,0 0") is None
    assert "T1-15 4,0 0" in legal(state, "lay")
    do(state, "lay T1-15 4,0 0")
    assert state.cave.live[cell("3,0")] == state.cave.card(cell("3,0")).mask, "the part is joined again"
    without = table(2, lay, hands={0: ["T1-15", "T1-01"]}, ladder_counts_for_placement=False)
    assert why(without, "lay T1-15 4,0 0") == ("cut-off", ["4,0", "3,0"], "DC-PLACE-09")


@pytest.mark.rule("DC-BOOK-02")
def test_a_ladder_card_still_needs_a_tunnel_that_goes_on() -> None:
    """«При этом туннели должны переходить в туннели.»"""
    state = table(2, {"3,0": "T1-08"}, hands={0: ["T2-13", "T1-15"]})
    assert why(state, "lay T2-13 3,1 0") == ("no-joint", ["3,1"], "DC-PLACE-10")
    assert why(state, "lay T1-15 5,5 0") == ("touches-nothing", ["5,5"], "DC-PLACE-02")


# 3: veins ----------------------------------------------------------------------------------------

VEIN = {"1,0": "T2-17", "2,0": "T1-01"}


@pytest.mark.rule("DC-BOOK-03")
def test_the_nugget_of_a_vein_may_be_left_and_the_clan_card_stays_hidden() -> None:
    """«Важно: если вы берёте жетон золотого самородка …, вы должны немедленно открыть свою карточку…»"""
    state = table(3, VEIN, phase="move")
    do(state, "step 1,0 w", "stay")
    assert phase(state) == "vein" and [need.seat for need in state.needs()] == [0]
    events = do(state, "leave-it")
    assert kinds(events)[0] == "gold-left"
    assert state.gold[0] == 3 and state.veins == {cell("1,0"): 1} and not state.opened
    assert phase(state) == "draw"


@pytest.mark.rule("DC-BOOK-03")
def test_who_takes_the_nugget_shows_the_clan_card() -> None:
    """«…возьмите жетон золотого самородка себе и положите его на вашу карточку гнома.»"""
    state = table(3, VEIN, phase="move")
    do(state, "step 1,0 w", "stay", "gather")
    assert state.gold[0] == 4 and state.veins == {cell("1,0"): 0} and phase(state) == "open"


@pytest.mark.rule("DC-BOOK-03")
def test_who_has_shown_the_card_takes_gold_without_showing_it_again() -> None:
    """«Карточка клана остаётся лежать открытой до конца игры.»"""
    state = table(3, VEIN, phase="move", opened=[0])
    do(state, "step 1,0 w", "stay", "gather")
    assert phase(state) == "draw" and state.opened == {0}


# 4: ending by agreement ------------------------------------------------------------------------------


@pytest.mark.rule("DC-BOOK-04")
def test_nobody_asks_to_end_while_the_exit_is_hidden_and_cards_are_left() -> None:
    """«Если ни один из оставшихся гномов не может добраться до выхода, вы можете договориться и закончить
    игру досрочно.»
    """
    state = table(3)
    assert why(state, "propose") == ("way-open", [], "DC-END-06")
    assert legal(state, "propose") == set()


@pytest.mark.rule("DC-BOOK-04")
def test_without_cards_to_draw_a_hidden_exit_that_no_tunnel_leads_to_is_out_of_reach() -> None:
    """«…ни один из оставшихся гномов не может добраться до выхода…»"""
    far = table(3, ROW, deck=False)
    assert refusal(far, "propose") is None
    near = table(3, {"4,3": "T1-07"}, at={0: "4,3.a"}, deck=False)
    assert why(near, "propose") == ("way-open", [], "DC-END-06")


@pytest.mark.rule("DC-BOOK-04")
def test_with_the_exit_found_a_face_down_goal_is_no_way_out() -> None:
    """«…не может добраться до выхода…»: the exit, not just any goal."""
    lay = {"4,3": "T1-07", "-4,-4": "G-EXIT"}
    assert refusal(table(3, lay, at={0: "4,3.a"}), "propose") is None
    inside = table(3, lay, at={0: "-4,-4.w"})
    assert why(inside, "propose") == ("way-open", [], "DC-END-06")


@pytest.mark.rule("DC-BOOK-04")
def test_a_long_way_to_the_exit_is_a_way() -> None:
    """«…не может добраться до выхода…»: however many steps it takes."""
    lay = {"2,-4": "T1-01", "3,-4": "T1-02", "4,-4": "G-EXIT"}
    joined = table(3, lay, at={0: "2,-4.a"})
    assert why(joined, "propose") == ("way-open", [], "DC-END-06")
    assert refusal(table(3, lay), "propose") is None


@pytest.mark.rule("DC-BOOK-04")
def test_a_rockfall_may_leave_no_way() -> None:
    """«…не может добраться до выхода…»: asked anew whenever the tunnels change."""
    lay = {"2,-4": "T1-01", "3,-4": "T1-02", "4,-4": "G-EXIT"}
    state = table(3, lay, at={0: "2,-4.a"}, hands={0: ["rockfall-1", "T1-07"]})
    assert legal(state, "propose") == set()
    do(state, "rockfall rockfall-1 3,-4")
    end_turn(state)
    assert refusal(state, "propose") is None


@pytest.mark.rule("DC-BOOK-04")
def test_a_way_that_only_somebody_outside_had_does_not_count() -> None:
    """«…ни один из оставшихся гномов…»: who has left is not asked for a way."""
    state = table(3, {"-4,-4": "G-EXIT"}, out=[1])
    assert refusal(state, "propose") is None


# 5: a creature on the exit ---------------------------------------------------------------------------


@pytest.mark.rule("DC-BOOK-05")
@pytest.mark.parametrize(("creature_first", "gold"), [(True, 2), (False, 3)])
def test_who_comes_first_on_the_exit_is_a_switch(creature_first: bool, gold: int) -> None:
    """«Если гному удалось добраться до выхода, немедленно уберите фишку…» and «…существо атакует вас»."""
    state = table(
        6,
        {"3,-3": "G-EXIT"},
        at={0: "3,-3.w"},
        creatures={"goblin": ("3,-3.c", 1)},
        phase="move",
        **({} if creature_first else {"creature_before_exit": False}),
    )
    do(state, "step 3,-3 c")
    assert state.left == (0,) and state.gold[0] == gold


def said(drawing: Drawing) -> str:
    return " ".join(shape.text for shape in drawing.shapes if isinstance(shape, Word))


# 6: components ---------------------------------------------------------------------------------------


@pytest.mark.rule("DC-BOOK-06")
@pytest.mark.parametrize(("side", "card"), [("front", "START"), ("back", "START-2")])
def test_the_entrance_card_has_two_sides(side: str, card: str) -> None:
    """«1 двусторонняя карточка входа в пещеру»"""
    state = table(2, entrance=side)
    assert [c["card"] for c in GAME.view(state, PUBLIC)["laid"]] == [card]
    assert GAME.layout(GAME.view(state, PUBLIC))[cell("0,0")][0].face == card
    assert legal(table(2, {"1,0": "T1-08"}, entrance=side, phase="move"), "step") == {"1,0 a"}
    assert ("START", "START-2", 1) in KIT


@pytest.mark.rule("DC-BOOK-06")
def test_a_dwarf_card_lies_with_the_face_up_and_has_a_back_of_its_own() -> None:
    """«…положите карточку гнома перед собой лицом вверх (гном изображён лицом, а не спиной)…»"""
    state = table(2)
    assert [d["dwarf_card"] for d in GAME.view(state, PUBLIC)["dwarves"]] == ["yellow-1-face", "blue-1-face"]
    single = [one for one in prints("en") if one.n == 1 and one.back is not None]
    backs = [said(one.back) for one in single if said(one.back).startswith("Dwarf")]
    assert sorted(backs) == sorted(f"Dwarf {n}" for n in (1, 2, 3, 4) for _ in range(2))


@pytest.mark.rule("DC-BOOK-06")
@pytest.mark.rule("DC-BRI-04")
@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_left_neighbour_picks_the_card_that_is_lost(players: int) -> None:
    """«Игрок слева от вас берёт 1 случайную карточку из вашей руки, не глядя на неё…»"""
    state = table(players, {"1,0": "T1-17"}, hands={1: ["T1-07", "T1-09", "T2-01"]}, turn=1, phase="move")
    do(state, "step 1,0 a")
    assert [need.seat for need in state.needs()] == [2 % players] and phase(state) == "pick"
    assert legal(state, "pick") == {"1", "2", "3"}
    assert why(state, "pick 4") == ("no-such-card", [], "DC-BOOK-06")
    events = do(state, "pick 3")
    assert [(e.kind, e.data) for e in events] == [
        ("picked", {"seat": 2 % players, "other_seat": 1, "level": 2})
    ]
    assert legal(state, "lose", TABLE) == {"T2-01"}
    assert why(state, "lose T1-07", TABLE) == ("not-drawn", [], "DC-INV-07")


@pytest.mark.rule("DC-BOOK-06")
def test_which_of_the_like_backs_was_picked_is_chance() -> None:
    """«…не глядя на неё…»: the place in the hand tells no more than the back."""
    ways = []
    for pick in ("1", "2"):
        state = table(2, {"1,0": "T1-17"}, hands={0: ["T1-07", "T1-09", "T2-01"]}, phase="move")
        do(state, "step 1,0 a", f"pick {pick}")
        ways.append({state.notation.text(action): n for action, n in state.outcomes()})
    assert ways == [{"lose T1-07": 1, "lose T1-09": 1}] * 2


@pytest.mark.rule("DC-BOOK-06")
def test_a_single_card_needs_no_pick() -> None:
    """«…берёт 1 карточку из вашей руки…»"""
    single = table(2, {"1,0": "T1-17"}, hands={0: ["T1-07"]}, phase="move")
    do(single, "step 1,0 a")
    assert phase(single) == "lose" and hand(single, 0) == ["T1-07"]
