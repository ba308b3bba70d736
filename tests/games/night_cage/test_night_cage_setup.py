"""Board, tiles, set-up and difficulty of The Night Cage."""

from __future__ import annotations

from random import Random

import pytest
from night_cage_boards import (
    can,
    cell,
    choices,
    code,
    fill,
    laid,
    pay,
    phase,
    play,
    refusal,
    refused,
    seen,
    table,
    tile,
    told,
    where,
)

from companion.engine.action import TABLE
from companion.engine.chance import weighted
from companion.engine.errors import ConfigError
from companion.engine.grid import cells_of
from companion.games.night_cage import GAME
from companion.games.night_cage.pieces import (
    CROSS,
    FIEND,
    GATE,
    IN_BOX,
    KEEPER,
    KEY,
    NAMES,
    OMEN,
    PATHLESS,
    START,
    STRAIGHT,
    TEE,
    WAX,
    set_up,
)
from companion.games.night_cage.tiles import CRUMBLES, FACING, IS_PIT, OPEN, SEEN, code_of
from companion.games.night_cage.torus import BOARDS

rule = pytest.mark.rule


def new_game(**options):
    return GAME.start(GAME.resolve(options))


def stack_of(**options) -> dict[str, int]:
    stack = new_game(**options).rules.stack
    return {
        NAMES[k]: stack.top[k] + stack.rest[k] for k in range(len(stack.top)) if stack.top[k] + stack.rest[k]
    }


def placed(seed: int = 1, **options):
    """A game after its starting placement."""
    game, rng = new_game(**options), Random(seed)
    while phase(game) in ("start", "put", "draw-fill"):
        if game.is_chance():
            game.apply(TABLE, weighted(game.outcomes(), rng))
        else:
            seat = game.needs()[0].seat
            game.apply(seat, rng.choice(game.actions(seat)))
    return game


# Board -----------------------------------------------------------------------------------------


@rule("NC-BOARD-01")
@rule("NC-SETUP-01")
@pytest.mark.parametrize(
    ("players", "prisoners", "size"), [(1, 4, 6), (2, 4, 6), (3, 4, 6), (4, 4, 6), (5, 5, 7)]
)
def test_board_and_prisoners_follow_the_number_of_people(players: int, prisoners: int, size: int) -> None:
    game = new_game(players=players)
    assert (len(game.cells), game.torus.size) == (prisoners, size)
    assert GAME.board(GAME.resolve({"players": players})).name == f"night_cage_{size}"


@rule("NC-BOARD-03")
def test_diagonal_cells_are_not_adjacent() -> None:
    game = table("X . X@r X\n. X X . X")
    assert choices(game, "move") == "c2 d1"
    assert refusal(game, "move b2") == ("not-adjacent", "c1 b2", "NC-BOARD-03")
    assert not game.are_joined(cell(game, "c1"), cell(game, "d2"))
    assert game.lit_by(0) >> cell(game, "b2") & 1 == 0


@rule("NC-BOARD-04")
@rule("NC-LIGHT-05")
def test_light_draws_and_steps_wrap() -> None:
    game = table("X@r . . . . X")
    play(game, "move f1")
    assert set(fill(game).split()) == {"e1", "f2", "f6"}


@rule("NC-BOARD-04")
def test_keys_and_candles_pass_over_the_edge() -> None:
    game = table("X@r X . . . X@b", keys="r", dark="b")
    assert "give blue" in can(game)
    play(game, "move b1", "draw tee", "put c1 90")
    game = table("X X@r . . . X@b", dark="b")
    play(game, "move a1")
    fill(game)
    assert game.is_lit(1)


@rule("NC-BOARD-04")
@pytest.mark.parametrize(("monster", "burned"), [("WE", 3), ("KP:S", 1), ("PL", 5)])
def test_attacks_wrap(monster: str, burned: int) -> None:
    game = table(f"{monster} . . . X@r X")
    play(game, "move f1")
    assert pay(game) == burned


@rule("NC-BOARD-05")
@rule("NC-ADV-22")
def test_the_diagonals_of_a_pit_fiend_end_at_the_edges() -> None:
    torus = BOARDS[6]
    corner = torus.grid.cell("a1")
    assert names_of(torus, torus.diagonals[corner]) == "b2 c3 d4 e5 f6"
    assert names_of(torus, torus.diagonals[torus.grid.cell("b4")]) == "a3 a5 c3 c5 d2 d6 e1"


def names_of(torus, mask: int) -> str:
    return " ".join(sorted(torus.grid.names[c] for c in cells_of(mask)))


@rule("NC-BOARD-05")
@pytest.mark.parametrize("size", [6, 7])
def test_the_dirge_never_hangs_over_the_edge(size: int) -> None:
    torus = BOARDS[size]
    found = torus.placements(("###", "###", "###"))
    assert len(found) == (size - 2) ** 2
    for (corner, turn), mask in found.items():
        x, y = corner % size, corner // size
        assert turn == 0
        assert set(cells_of(mask)) == {(y + j) * size + x + i for i in range(3) for j in range(3)}


@rule("NC-BOARD-06")
def test_a_cell_holds_one_tile() -> None:
    game = new_game(players=4)
    play(game, "start c3 0", "draw cross", "put c4 0", "draw cross", "put b3 0")
    assert refusal(game, "start c3 0") == ("cell-taken", "c3", "NC-SETUP-17")
    play(game, "start c5 180", "draw tee")
    assert refusal(game, "put c4 0") == ("cell-taken", "c4", "NC-LIGHT-12")


# Tiles -----------------------------------------------------------------------------------------


@rule("NC-TILE-01")
def test_a_tile_turns_clockwise() -> None:
    assert [SEEN[code_of(TEE, turn)] for turn in range(4)] == [0b0111, 0b1110, 0b1101, 0b1011]
    assert [SEEN[code_of(START, turn)] for turn in range(4)] == [0b1100, 0b1001, 0b0011, 0b0110]
    assert [SEEN[code_of(STRAIGHT, turn)] for turn in range(2)] == [0b1010, 0b0101]
    assert SEEN[code_of(CROSS)] == 0b1111 and SEEN[code_of(OMEN)] == 0b0100


@rule("NC-TILE-02")
@pytest.mark.parametrize(
    ("left", "right", "joined"),
    [("X", "X", True), ("T:NSW", "X", False), ("X", "T:NES", False), ("X", ".", False)],
)
def test_tiles_connect_when_both_are_open(left: str, right: str, joined: bool) -> None:
    game = table(f"{left} {right}\n.\n.\nX@r")
    assert game.are_joined(cell(game, "a1"), cell(game, "b1")) is joined


@rule("NC-TILE-03")
@rule("NC-MOVE-01")
@pytest.mark.parametrize("board", ["X@r T:NES", "T:NSW@r X"])
def test_a_wall_stops_a_prisoner(board: str) -> None:
    game = table(board)
    assert refusal(game, "move b1") == ("wall", "a1 b1", "NC-TILE-03")


@rule("NC-TILE-03")
@rule("NC-LIGHT-14")
def test_a_tile_may_show_walls_to_others() -> None:
    game = table("X@r X . X@b\n. . X")
    play(game, "move b1", "draw tee")
    assert "put b2 0" in can(game), "closed towards a2, open towards c2"
    assert "put b2 180" in can(game), "a wall towards c2 is allowed"
    assert refusal(game, "put b2 90") == ("not-connected", "b2 b1", "NC-TILE-10")


@rule("NC-TILE-04")
@pytest.mark.parametrize("kind", range(OMEN + 1))
def test_a_pit_is_open_all_round_but_blocks_sight(kind: int) -> None:
    assert OPEN[code_of(kind, pit=True)] == 0b1111
    assert SEEN[code_of(kind, pit=True)] == 0


@rule("NC-TILE-05")
def test_exactly_these_tiles_crumble() -> None:
    crumbling = {NAMES[kind] for kind in range(len(NAMES)) if CRUMBLES[code_of(kind)]}
    assert crumbling == {"start", "straight", "cracked-tee", "key", "spent-key"}


@rule("NC-TILE-06")
@rule("NC-MOVE-02")
def test_a_tile_holds_one_prisoner_but_a_gate_many() -> None:
    game = table("X@b X@r G@gy")
    assert refusal(game, "move a1") == ("occupied", "b1 a1", "NC-MOVE-02")
    play(game, "move c1")
    assert where(game, "r") == "c1"


@rule("NC-TILE-07")
@rule("NC-SETUP-14")
def test_discards_are_open_and_sorted_by_their_front() -> None:
    game = table("k@r X .\n. X@b", turn="r")
    play(game, "move b1")
    assert tile(game, "a1") == "pit"
    fill(game)
    play(game, "again c1")
    assert seen(game)["discard"]["key"] == 1
    assert seen(game)["discard"].keys() <= set(NAMES)


@rule("NC-TILE-07")
def test_a_discarded_tile_never_comes_back() -> None:
    game, rng = new_game(players=4), Random(5)
    before = [0] * len(game.discard)
    while game.needs():
        seat = game.needs()[0].seat
        actions = game.actions(seat)
        game.apply(seat, rng.choice(actions))
        assert all(now >= then for now, then in zip(game.discard, before, strict=True))
        before = game.discard[:]


@rule("NC-TILE-08")
@rule("NC-ADV-27")
def test_a_pit_is_no_monster_whatever_its_front() -> None:
    game = table("X@r . X X@b")
    game.lay(cell(game, "b1"), code("WE"))
    game.flip(cell(game, "b1"))
    assert "move b1" in can(game)
    assert not told(play(game, "move b1"), "attacked")


@rule("NC-TILE-09")
def test_tiles_come_one_at_a_time_from_the_top() -> None:
    game = table("X@r X")
    play(game, "move b1")
    assert game.needs()[0].seat == TABLE and set(game.needs()[0].verbs) == {"draw"}
    before = game.stack
    play(game, "draw tee")
    assert game.stack == before - 1 and phase(game) == "put"
    assert refused(game, TABLE, "draw tee").code == "not-your-turn"


@rule("NC-TILE-09")
def test_a_tile_that_cannot_be_left_is_refused() -> None:
    game = table("X@r X", stack={"tee": 3})
    play(game, "move b1")
    assert refusal(game, "draw wax") == ("not-drawn", "", "NC-TILE-09")


@rule("NC-TILE-10")
def test_every_tile_of_a_stack_fits_everywhere() -> None:
    for kind in range(STRAIGHT, OMEN + 1):
        for direction in range(4):
            turns = FACING[kind][direction]
            assert turns, NAMES[kind]
            assert all(SEEN[code_of(kind, turn)] >> (direction ^ 2) & 1 for turn in turns)
    assert len(FACING[TEE][0]) == 3 and len(FACING[STRAIGHT][1]) == 1


# Set-up ----------------------------------------------------------------------------------------


@rule("NC-SETUP-02")
@rule("NC-SETUP-03")
@rule("NC-SETUP-04")
@rule("NC-SETUP-05")
@pytest.mark.parametrize(
    ("players", "seats"),
    [(1, (0, 0, 0, 0)), (2, (0, 0, 1, 1)), (3, (0, 1, 2, 0)), (4, (0, 1, 2, 3)), (5, (0, 1, 2, 3, 4))],
)
def test_who_leads_whom(players: int, seats: tuple[int, ...]) -> None:
    game = new_game(players=players)
    asked = []
    while phase(game) == "start":
        asked.append(game.needs()[0].seat)
        game.apply(asked[-1], next(a for a in game.actions(asked[-1])))
        finish_surroundings(game)
    assert tuple(asked) == seats == game.seats


def finish_surroundings(game) -> None:
    while phase(game) in ("draw-fill", "put"):
        seat = game.needs()[0].seat
        game.apply(seat, game.actions(seat)[0])


@rule("NC-BOOK-05")
@pytest.mark.parametrize(
    ("wishes", "names"),
    [
        ({}, "red blue green yellow"),
        ({"colour_1": "purple"}, "purple red blue green"),
        ({"colour_2": "red", "colour_4": "purple"}, "blue red green purple"),
        ({"colour_5": "red"}, "red blue green yellow"),
    ],
)
def test_everybody_chooses_a_colour(wishes: dict[str, str], names: str) -> None:
    """«Каждый игрок выбирает цвет…»"""
    game = placed(players=4, **wishes)
    assert " ".join(one["name"] for one in seen(game)["prisoners"]) == names
    assert seen(game)["turn"] == names.split()[0]


@rule("NC-BOOK-05")
def test_a_colour_is_chosen_once() -> None:
    """«…берёт планшет состояния… и фишку узника в виде свечи выбранного цвета»: there is one of each."""
    with pytest.raises(ConfigError, match="chosen twice"):
        GAME.resolve({"players": 4, "colour_1": "green", "colour_3": "green"})


@rule("NC-BOOK-05")
def test_a_key_is_given_by_colour() -> None:
    """«Каждый игрок выбирает цвет…»"""
    game = table("X@r X@b", keys="r", colour_1="purple", colour_2="red")
    assert "give red" in can(game) and refusal(game, "give purple")[0] == "nobody"
    assert told(play(game, "give red"), "gave-key") == [{"prisoner": "purple", "to": "red"}]
    play(game, "receive red")
    assert game.has_key(0)
    assert refusal(game, "give blue") == ("nobody", "", "NC-KEY-05")


@rule("NC-BOOK-05")
@rule("NC-SETUP-03")
@pytest.mark.parametrize(
    ("order", "seats"), [("aabb", (0, 0, 1, 1)), ("abab", (0, 1, 0, 1)), ("abba", (0, 1, 1, 0))]
)
def test_two_people_choose_the_order_of_their_prisoners(order: str, seats: tuple[int, ...]) -> None:
    """«Рекомендуется, чтобы каждый игрок совершал ходы за обоих своих узников…»: no more than that."""
    assert placed(players=2, order_of_two=order).seats == seats


@rule("NC-SETUP-04")
@rule("NC-SETUP-06")
def test_every_prisoner_has_a_kit_of_its_own() -> None:
    game = placed(players=3)
    assert [one["nerve"] for one in seen(game)["prisoners"]] == [1, 1, 1, 1]
    assert all(
        one["candle"] and not one["key"] and one["cell"] is not None for one in seen(game)["prisoners"]
    )
    assert game.count()[START] == 4


@rule("NC-SETUP-07")
@rule("NC-SETUP-08")
def test_the_stack_of_the_base_game_of_four() -> None:
    assert stack_of(players=4) == {"straight": 10, "tee": 30, "cross": 12, "key": 6, "gate": 4, "wax": 12}


@rule("NC-SETUP-09")
def test_the_stack_of_the_base_game_of_five() -> None:
    assert stack_of(players=5) == {"straight": 10, "tee": 30, "cross": 12, "key": 7, "gate": 4, "wax": 10}


@rule("NC-SETUP-10")
@pytest.mark.parametrize(("players", "starts"), [(4, 4), (5, 5)])
def test_unused_starting_tiles_are_not_in_the_game(players: int, starts: int) -> None:
    game = placed(players=players)
    assert game.count()[START] == starts
    assert "start" not in stack_of(players=players)


@rule("NC-SETUP-11")
@rule("NC-SETUP-12")
@rule("NC-SETUP-23")
@pytest.mark.parametrize(
    ("players", "pack"), [(4, {TEE: 4, CROSS: 2, STRAIGHT: 2}), (5, {TEE: 5, CROSS: 3, STRAIGHT: 2})]
)
def test_the_surroundings_lie_on_top_until_they_are_drawn(players: int, pack: dict[int, int]) -> None:
    game = new_game(players=players)
    assert {kind: n for kind, n in enumerate(game.rules.stack.top) if n} == pack
    play(game, "start c3 0")
    assert {action.args[0] for action, _ in game.outcomes()} == set(pack)
    assert seen(game)["surroundings"] == sum(pack.values())
    assert refusal(game, "draw wax") == ("not-drawn", "", "NC-TILE-09")


TOTALS = {
    (4, False): (74, 76, 77, 76, 78, 79),
    (5, False): (73, 75, 76, 75, 77, 78),
    (4, True): (68, 70, 71, 70, 72, 73),
    (5, True): (67, 69, 70, 69, 71, 72),
}


@rule("NC-SETUP-12")
@rule("NC-ADV-02")
@rule("NC-ADV-03")
@rule("NC-BOSS-01")
@rule("NC-BOSS-02")
@rule("NC-BOSS-10")
@pytest.mark.parametrize(("prisoners", "advanced"), TOTALS)
def test_the_totals_of_the_ledger(prisoners: int, advanced: bool) -> None:
    bosses = [(0, False), (2, False), (3, False), (0, True), (2, True), (3, True)]
    stacks = [set_up(prisoners, advanced=advanced, pathless=n, dirge=dirge) for n, dirge in bosses]
    assert tuple(stack.total for stack in stacks) == TOTALS[prisoners, advanced]
    for stack, (pathless, dirge) in zip(stacks, bosses, strict=True):
        assert stack.rest[PATHLESS] == pathless and stack.rest[OMEN] == 2 * dirge
        assert not stack.top[PATHLESS] and not stack.top[OMEN]


@rule("NC-ADV-02")
@rule("NC-ADV-04")
@rule("NC-ADV-05")
def test_the_stack_of_the_advanced_game_of_four() -> None:
    assert stack_of(players=4, advanced=True) == {
        "straight": 10, "tee": 30, "cross": 12, "gate": 4, "wax": 4, "keeper": 6, "fiend": 2,
    }  # fmt: skip
    assert new_game(players=4, advanced=True).rules.stack.top == new_game(players=4).rules.stack.top


@rule("NC-ADV-03")
def test_the_stack_of_the_advanced_game_of_five() -> None:
    assert stack_of(players=5, advanced=True)["wax"] == 2
    assert stack_of(players=5, advanced=True)["keeper"] == 7
    assert sum(stack_of(players=5, advanced=True, adv5_wax_eaters=4).values()) == 69


@rule("NC-SETUP-13")
@rule("NC-NERVE-17")
def test_the_supplies_beside_the_board_are_counted() -> None:
    game = placed(players=4)
    assert seen(game)["supply"] == {"keys": 5, "nerve": 10}
    game = table("X@r", dark="r", keys="r")
    assert seen(game)["supply"] == {"keys": 4, "nerve": 13}
    play(game, "rest")
    assert seen(game)["supply"]["nerve"] == 14


@rule("NC-SETUP-15")
@rule("NC-TURN-01")
def test_the_owner_begins_and_turns_go_round() -> None:
    game = table("X@r\n. X@b\n. . X@g\n. . . X@y")
    order = []
    for _ in range(5):
        order.append(game.needs()[0].seat)
        play(game, "stay", "draw tee")
        fill(game)
    assert order == [0, 1, 2, 3, 0]
    assert new_game(players=4).needs()[0].seat == 0


@rule("NC-SETUP-16")
def test_the_owner_first_leads_the_fourth_prisoner() -> None:
    assert new_game(players=3).seats[3] == 0


@rule("NC-SETUP-17")
def test_a_starting_tile_goes_to_any_empty_cell_in_any_turn() -> None:
    game = new_game(players=4)
    assert len(can(game)) == 36 * 4
    play(game, "start c3 90")
    assert where(game, "r") == "c3" and laid(game) == "c3"


@rule("NC-SETUP-18")
def test_each_exit_gets_a_tile_that_the_player_places() -> None:
    game = new_game(players=4)
    play(game, "start c3 0", "draw tee")
    assert choices(game, "put") == "b3 c4"
    play(game, "put c4 0", "draw straight")
    assert can(game) == {"put b3 0"}
    play(game, "put b3 0")
    assert phase(game) == "start" and laid(game) == "b3 c3 c4"


@rule("NC-SETUP-24")
def test_nothing_but_plain_tiles_comes_during_the_placement() -> None:
    for seed in range(20):
        for players in (4, 5):
            game = placed(seed, players=players, advanced=seed % 2 == 0)
            kinds = {word.split()[0] for word in seen(game)["tiles"] if word}
            assert kinds <= {"start", "tee", "cross", "straight"}, f"seed {seed}"


@rule("NC-SETUP-25")
def test_the_game_begins_when_all_are_placed() -> None:
    game = placed(players=4)
    assert phase(game) == "act" and seen(game)["turn"] == "red"
    assert not game.lit_mask() & ~game.laid


# Difficulty ------------------------------------------------------------------------------------


@rule("NC-DIFF-01")
@rule("NC-DIFF-02")
@pytest.mark.parametrize(
    ("players", "keys", "gates", "total"),
    [
        (4, 1, 4, 75),
        (4, 2, 4, 76),
        (5, 1, 4, 74),
        (4, -1, 4, 73),
        (5, -1, 4, 72),
        (4, 0, 3, 73),
        (4, -1, 3, 72),
        (5, -1, 3, 71),
    ],
)
def test_keys_and_gates_make_it_easier_or_harder(players: int, keys: int, gates: int, total: int) -> None:
    stack = stack_of(players=players, keys=keys, gates=gates)
    assert sum(stack.values()) == total
    assert stack["key"] == (7 if players == 5 else 6) + keys and stack["gate"] == gates


@rule("NC-DIFF-01")
@rule("NC-DIFF-04")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"players": 5, "keys": 2}, "NC-DIFF-01"),
        ({"players": 4, "advanced": True, "keys": 2}, "NC-DIFF-04"),
        ({"players": 5, "advanced": True, "keys": 1}, "NC-DIFF-04"),
        ({"players": 4, "fiends": 3}, "NC-ADV-33"),
    ],
)
def test_the_box_holds_no_more(options: dict[str, int], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        GAME.resolve(options)


@rule("NC-DIFF-03")
def test_chaos_exchanges_two_tiles() -> None:
    stack = stack_of(players=4, cracked_tees=True)
    assert stack["tee"] == 28 and stack["cracked-tee"] == 2 and sum(stack.values()) == 74
    game = table("C:ESW@r X")
    play(game, "move b1")
    assert tile(game, "a1") == "pit"


@rule("NC-DIFF-04")
@rule("NC-ADV-33")
def test_the_advanced_game_can_be_tuned_too() -> None:
    assert stack_of(players=4, advanced=True, keys=1)["keeper"] == 7
    assert sum(stack_of(players=4, advanced=True, fiends=3).values()) == 69
    assert sum(stack_of(players=5, advanced=True, fiends=3).values()) == 68


@rule("NC-DIFF-05")
def test_in_silence_only_connected_prisoners_talk() -> None:
    board = "X@r X@b T:NES@g X@y"
    assert seen(table(board, silent=True))["talk"] == [["red", "blue"], ["green", "yellow"]]
    assert seen(table(board))["talk"] == []


@rule("NC-DIFF-06")
@rule("NC-BOSS-01")
def test_all_additions_go_together() -> None:
    stack = stack_of(
        players=4, advanced=True, pathless=3, dirge=True, keys=1, gates=3, cracked_tees=True, fiends=3
    )
    assert sum(stack.values()) == 68 + 3 + 2 + 1 - 1 + 1
    for kind, n in stack.items():
        assert n <= IN_BOX[NAMES.index(kind)], kind


@rule("NC-DIFF-07")
def test_with_three_gates_the_third_lost_one_loses() -> None:
    game = new_game(players=4, gates=3)
    for _ in range(2):
        game.leave_game(code_of(GATE))
    assert game.outcome() is None
    game.leave_game(code_of(GATE))
    assert game.outcome().code == "no-gates"


def test_the_box_is_counted() -> None:
    assert sum(IN_BOX) == 102
    assert (IN_BOX[KEY], IN_BOX[WAX], IN_BOX[KEEPER], IN_BOX[FIEND]) == (8, 13, 7, 3)
    assert IS_PIT[code_of(WAX, pit=True)] and not IS_PIT[code_of(WAX)]


@rule("NC-TILE-01")
@pytest.mark.parametrize("name", ["cross", "key", "gate", "wax", "pathless", "fiend"])
def test_a_tile_that_is_open_all_round_lies_in_one_way(name: str) -> None:
    game = table("X@r T:NEW")
    play(game, "move b1", f"draw {name}")
    assert choices(game, "put") == "b6 c1" and len(can(game)) == 2
    assert refusal(game, "put c1 90") == ("same-turn", "c1", "NC-TILE-01")


@rule("NC-BOSS-02")
@rule("NC-DIFF-01")
@rule("NC-DIFF-02")
@rule("NC-ADV-33")
def test_how_many_of_what_the_players_may_agree_on() -> None:
    offered = {option.name: (option.choices, option.default) for option in GAME.options}
    assert offered["players"] == ((1, 2, 3, 4, 5), 4)
    assert offered["pathless"] == ((0, 2, 3), 0)
    assert offered["keys"] == ((-1, 0, 1, 2), 0)
    assert offered["gates"] == ((3, 4), 4)
    assert offered["fiends"] == ((2, 3), 2)
    assert offered["adv5_wax_eaters"] == ((2, 4), 2)


@rule("NC-SETUP-17")
def test_all_hear_where_and_how_a_prisoner_starts() -> None:
    game = GAME.start(GAME.resolve({"players": 4}))
    told = game.apply(0, game.notation.parse("start c3 270"))[0]
    assert told.kind == "started"
    assert told.data == {"prisoner": "red", "cell": cell(game, "c3"), "turn": 270}


def test_every_sample_is_a_game_that_can_be_played() -> None:
    for given in GAME.samples.values():
        options = GAME.resolve(given)
        assert len(GAME.seats(options)) == given["players"] and GAME.start(options).needs()
