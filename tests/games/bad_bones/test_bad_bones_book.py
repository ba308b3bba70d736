"""Where the Russian book's own sentence decides: each test quotes it (ledger: corrections that win)."""

from __future__ import annotations

import pytest
from bad_bones_boards import (
    GAME,
    bagged,
    buried,
    do,
    kinds,
    legal,
    march,
    open_march,
    refused,
    standing,
    supply,
    table,
    tiles,
    uncover,
    why,
)

from companion.engine.action import PUBLIC, TABLE
from companion.games.bad_bones.agenda import BadBones
from companion.games.bad_bones.arrivals import release
from companion.games.bad_bones.pieces import PLACES
from companion.games.bad_bones.printed import KIND_NAMES
from companion.games.bad_bones.squads import is_led, mend
from companion.games.bad_bones.tokens import KIND_OF, PLACE_OF, token

rule = pytest.mark.rule


def next_round(state: BadBones) -> BadBones:
    """Plays on to the next phase II: anything is drawn, the heroes keep clear."""
    while state.phase() != "trap":
        need = state.needs()[0]
        if need.seat == TABLE:
            state.apply(TABLE, state.actions(TABLE)[0])
        else:
            away = [a for a in state.actions(need.seat) if a.args[0] % PLACES not in crowded(state)]
            state.apply(need.seat, away[0])
    return state


def crowded(state: BadBones) -> set[int]:
    return {PLACE_OF[skeleton] for field in state.fields for skeleton in field.tokens}


# Row 1: neighbours -------------------------------------------------------------------------------


def is_turned(places, seat: int) -> bool:
    return places[seat * PLACES].y > places[seat * PLACES + 24].y


@rule("BB-BOOK-01")
@rule("BB-BOOK-10")
@pytest.mark.parametrize("coop", [False, True], ids=["rivals", "together"])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_left_neighbour_is_who_has_the_next_board_on_the_left(players: int, coop: bool) -> None:
    """«Если скелет уходит в лес через левый край поля, он сразу же попадает на кладбище вашего соседа слева.»

    In each row of boards the skeleton comes to the very board towards which it walked.
    """
    state = table(players=players, coop=coop, hero="" if coop else "55")
    places = GAME.board({"players": players, "coop": coop}).places
    middle = [places[seat * PLACES + 12] for seat in range(players)]
    beside = 0
    for seat in range(players):
        for neighbour, towards in ((state.mode.left[seat], -1), (state.mode.right[seat], 1)):
            row = [s for s in range(players) if middle[s].y == middle[seat].y]
            side = -towards if is_turned(places, seat) else towards
            nearer = [s for s in row if (middle[s].x - middle[seat].x) * side > 0]
            if nearer:
                assert neighbour == min(nearer, key=lambda s: abs(middle[s].x - middle[seat].x))
                beside += 1
    assert beside == 2 * (players - (1 if players <= 3 else 2))


@rule("BB-BOOK-10")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_edge_without_forest_points_to_the_middle_of_the_table(players: int) -> None:
    """«Положите планшеты так, чтобы граница без леса была направлена в центр стола.»"""
    board = GAME.board({"players": players, "coop": True})
    capital = next(place.y for place in board.places if place.zone == "capital")
    for seat in range(players):
        own = board.places[seat * PLACES : (seat + 1) * PLACES]
        edge = [place.y for place in own if place.zone == "edge"]
        trees = [place.y for place in own if place.zone == "forest"]
        assert len(edge) == 5 and len(trees) == 15
        assert max(abs(y - capital) for y in edge) < min(abs(y - capital) for y in trees)
    assert len({(place.x, place.y) for place in board.places}) == len(board.places)
    assert all(0 < place.x < board.width and 0 < place.y < board.height for place in board.places)


@rule("BB-BOOK-10")
def test_pieces_lie_as_their_board_lies() -> None:
    """«…направлена в центр стола»: who sits opposite lays skeletons upside down for the others."""
    state = table(players=6, coop=True, skeletons="BL@12R", boards={5: {"skeletons": "GL@12R GL@13U"}})
    seen = GAME.layout(GAME.view(state, PUBLIC))
    board = GAME.board({"players": 6, "coop": True})
    cells = [board.cell(name) for name in ("1a2", "6a2", "6a3")]
    assert [(board.places[cell].turn + seen[cell][0].turn) % 360 for cell in cells] == [90, 270, 180]


@rule("BB-BOOK-01")
def test_who_is_somebodys_left_neighbour_has_him_on_the_right() -> None:
    """«…через правый край поля, он сразу же попадает на кладбище вашего соседа справа.»"""
    for players in range(1, 7):
        mode = table(players=players).mode
        ring, seat = [], 0
        for _ in range(players):
            assert mode.right[mode.left[seat]] == seat
            ring.append(seat)
            seat = mode.left[seat]
        assert sorted(ring) == list(range(players)) and seat == 0


@rule("BB-BOOK-01")
@pytest.mark.parametrize(("where", "towards"), [("BL@12L", -1), ("BL@52R", 1)])
def test_a_skeleton_goes_to_the_board_it_walks_to(where: str, towards: int) -> None:
    """«…через левый край поля, он сразу же попадает на кладбище вашего соседа слева.»"""
    state = table(players=3, boards={1: {"skeletons": where}})
    places = GAME.board({"players": 3, "coop": False}).places
    march(state)
    (seat,) = [seat for seat in (0, 2) if buried(state, seat)]
    assert (places[seat * PLACES].x - places[PLACES].x) * towards > 0


# Row 2: a squad goes the way its instructor goes ---------------------------------------------------

SQUAD = "instructor-YL@14R BL@14U GT@14L"


@rule("BB-BOOK-02")
@pytest.mark.parametrize("how", ["auto", "march 1a4 instructor-YL-right-white"])
def test_a_squad_goes_the_way_of_its_instructor(how: str) -> None:
    """«…все скелеты на одной клетке с ним (даже другие командиры) становятся одним отрядом и идут в том же
    направлении, что и инструктор.»
    """
    state = open_march(table(skeletons=SQUAD))
    do(state, how)
    uncover(state)
    assert standing(state) == "GT@24R/b BL@24R/b instructor-YL@24R/b"


@rule("BB-BOOK-02")
def test_auto_does_what_the_forecast_promises() -> None:
    """«…идут в том же направлении, что и инструктор.»"""
    state = open_march(table(skeletons=SQUAD))
    promised = [entry["to"] for entry in GAME.view(state, 0)["forecast"][0]]
    do(state, "auto")
    uncover(state)
    assert sorted(promised) == [line[0] for line in GAME.view(state, PUBLIC)["skeletons"][0]]


# Row 3: no trap splits a squad -----------------------------------------------------------------------


def formed(traps: str = "", **given) -> BadBones:
    """A squad that has marched once: an instructor and two others on (2,4), all facing right."""
    state = open_march(table(skeletons=SQUAD, traps=traps, **given))
    do(state, "march 1a4 instructor-YL-right-white")
    uncover(state)
    return next_round(state)


@rule("BB-BOOK-03")
def test_a_dragon_does_not_split_a_squad_in_a_later_round() -> None:
    """«До тех пор, пока инструктор жив, этот отряд нельзя разделить эффектом ни одной ловушки или оружия.»"""
    state = open_march(formed(traps="dragon@34"))
    assert why(state, "p1: march 1b4 BL-right-black") == ("follows-another", ["1b4"], "BB-BOOK-03")
    assert [line for line in legal(state) if "1b4" in line] == ["march 1b4 instructor-YL-right-black"]
    do(state, "march 1b4 instructor-YL-right-black", "scatter down")
    squad = [line for line in standing(state).split() if "@35" in line]
    assert squad == ["GT@35D/w", "BL@35D/w", "instructor-YL@35D/w"]


@rule("BB-BOOK-03")
def test_a_squad_that_a_portal_sent_back_leaves_the_forest_as_one() -> None:
    """«…этот отряд нельзя разделить эффектом ни одной ловушки…»"""
    state = open_march(formed(traps="portal@34"))
    do(state, "march 1b4 instructor-YL-right-black")
    do(state, *["auto"] * (state.phase() == "march" and 0 in state.busy))
    uncover(state)
    assert {"BL@L4R/w", "GT@L4R/w", "instructor-YL@L4R/w"} <= set(standing(state).split())
    state = open_march(next_round(state))
    assert why(state, "p1: march 1L4 BL-right-white") == ("follows-another", ["1L4"], "BB-BOOK-03")


@rule("BB-BOOK-03")
@rule("BB-CMD-27")
def test_without_its_instructor_a_squad_is_free_again() -> None:
    """«Однако, если арбалет уничтожит этого командира, остальные скелеты продолжают движение и могут быть
    вновь разделены.»
    """
    state = formed(weapon="crossbow", advanced=True, hero="34")
    field = state.own(0)
    assert field.squads
    instructor = next(s for s in field.tokens if KIND_NAMES[KIND_OF[s]] == "instructor-YL")
    field.tokens.remove(instructor)
    release(0, field, KIND_OF[instructor])
    mend(field)
    assert field.squads == {} and not any(is_led(field, s) for s in field.tokens)


@rule("BB-BOOK-03")
def test_who_comes_to_a_squad_later_may_go_his_own_way_first() -> None:
    """«При перемещении этого скелета все скелеты на одной клетке … становятся одним отрядом»: not before."""
    state = formed()
    field = state.fields[0]
    kind = KIND_NAMES.index("YR")
    state.bag.take(kind)
    field.tokens.append(token(15 + 1, kind, 3))
    state.shown = state.fields[:]
    state = open_march(state)
    mine = [line for line in legal(state) if "1b4" in line]
    assert mine == ["march 1b4 YR-left-black", "march 1b4 instructor-YL-right-black"]


# Row 4: the wand of death ----------------------------------------------------------------------------


@rule("BB-BOOK-04")
def test_the_wand_of_death_sends_only_those_whose_fall_woke_it() -> None:
    """«Все скелеты, уничтожение которых привело к активации этого оружия (то есть как минимум 3),
    отправляются на кладбище другого игрока…»
    """
    state = table(
        weapon="death_wand", advanced=True, hero="22", players=3, skeletons="BL@12R " * 3 + "YL@12R PL@12R"
    )
    open_march(state)
    do(state, *["march 1a2 BL-right-white"] * 3, "banish p3")
    uncover(state)
    assert buried(state, 2) == ["BL"] * 3 and bagged(state, "YL", "PL")


@rule("BB-BOOK-04")
def test_counted_by_moves_the_wand_of_death_leaves_earlier_kills_alone() -> None:
    """«…уничтожение которых привело к активации…»: with three in one move, those three."""
    crew = "GL@12R instructor-YL@23U BL@23U PL@23U"
    state = table(
        weapon="death_wand", advanced=True, hero="22", players=3, skeletons=crew, weapon_count_scope="move"
    )
    open_march(state)
    do(state, "march 1a2 GL-right-white", "march 1b3 instructor-YL-up-white", "banish p2")
    uncover(state)
    assert buried(state, 1) == ["BL", "PL", "instructor-YL"] and bagged(state, "GL")


# Row 5: the dragon turns them away -------------------------------------------------------------------


@rule("BB-BOOK-05")
def test_no_printed_arrow_turns_whom_a_dragon_scatters() -> None:
    """«Скелеты разбегаются от дракона, поэтому разверните их в противоположном от дракона направлении.»"""
    state = table(skeletons="GL@12R", traps="dragon@22")
    march(state, "scatter right")
    assert standing(state) == "GL@32R/b"
    laid = table(skeletons="GL@22R", supply="dragon")
    do(laid, "p1: lay dragon 1b2", "scatter down")
    assert standing(laid) == "GL@23D/b"


@rule("BB-BOOK-05")
def test_the_lure_and_the_traps_act_on_whom_a_dragon_scatters() -> None:
    """«Соблазн поживы преобладает над действием любых ловушек и стрелок на поле.» «Эффект ловушки
    применяется ко всем скелетам, которые попадают в ловушку…»
    """
    lured = table(skeletons="GL@12R", traps="dragon@22 treasure@31")
    march(lured, "scatter right")
    assert standing(lured) == "GL@32U/b"
    thrown = table(skeletons="GL@12R", traps="dragon@22 catapult@32")
    march(thrown, "scatter right")
    assert buried(thrown, 1) == ["GL"] and tiles(thrown) == "dragon@22* catapult@32*"


@rule("BB-BOOK-05")
def test_after_a_wall_the_arrows_act_on_a_scattered_one_again() -> None:
    """Turned by the wall it no longer goes «в противоположном от дракона направлении»."""
    state = table(skeletons="GL@12R", traps="dragon@22 wall\\@21")
    march(state, "scatter up")
    assert standing(state) == "GL@11L/b"
    bent = table(skeletons="GL@35U", traps="dragon@34 wall/@24")
    march(bent, "scatter left")
    assert standing(bent) == "GL@25D/b"
    arrow = table(skeletons="GL@15R", traps="dragon@25 wall/@24")
    march(arrow, "scatter up")
    assert standing(arrow) == "GL@34U/b", "right onto (3,4), where R turns to U"


# Row 6: the rapier -----------------------------------------------------------------------------------


@rule("BB-BOOK-06")
def test_the_rapier_gives_all_of_a_cell_one_direction() -> None:
    """«Измените направление всех скелетов на любой клетке вокруг героя на удобное вам.»"""
    state = table(
        "hero",
        weapon="rapier",
        advanced=True,
        hero="33",
        skeletons="GL@22R GL@22R GL@22R BL@32D YL@32L PL@32R",
    )
    do(state, "p1: step 1b2", "aim 1c2", "face left")
    assert standing(state) == "BL@32L/w YL@32L/w PL@32L/w"
    assert 0 not in state.busy


# Row 7: commanders in set-up ------------------------------------------------------------------------


def start(**given) -> BadBones:
    return BadBones(GAME.resolve({"players": 2, "commanders": True} | given))


@rule("BB-BOOK-07")
def test_a_necromancer_in_set_up_brings_three_more_at_once() -> None:
    """«Доставая этот скелет из мешка, немедленно достаньте еще три скелета.»"""
    state = start()
    do(state, "table: draw GL", "table: draw necromancer-PL")
    for kind in ("GL", "GL", "GT"):
        assert state.seat == 0
        do(state, f"table: draw {kind}")
    do(state, "table: draw BL", "table: draw YL")
    assert state.seat == 1
    assert [KIND_NAMES[kind] for kind in state.cemetery[0]][-2:] == ["BL", "YL"]
    assert len(state.cemetery[0]) == 7


@rule("BB-BOOK-07")
def test_what_a_necromancer_brings_in_set_up_may_repeat_a_symbol_but_not_be_red() -> None:
    """«Красный скелет не выкладывается на планшет во время подготовки к игре.»"""
    state = start()
    do(state, "table: draw necromancer-PL")
    assert why(state, "table: draw PL") is None
    assert why(state, "table: draw RL") == ("put-back", [], "BB-SETUP-08")
    do(state, *["table: draw GL"] * 3)
    assert why(state, "table: draw PL") == ("put-back", [], "BB-SETUP-09")
    assert why(state, "table: draw GL") is None, "the three came on top"


@rule("BB-BOOK-07")
@rule("BB-CMD-08")
def test_necromancers_add_up_in_set_up() -> None:
    """«Эффект этих скелетов накапливается.»"""
    state = start(coop=True)
    do(state, "table: draw necromancer-PL", "table: draw necromancer-GR")
    assert state.draws == 3 + 3 + 3 - 1 and state.extra == 5


# Row 8: a dragon before wall and palisade ------------------------------------------------------------


@rule("BB-BOOK-08")
def test_nobody_stays_on_the_dragon_that_was_laid_on_him() -> None:
    """«…переместите их на любые соседние по горизонтали или вертикали от дракона клетки…»; «скелет остаётся
    на месте» would be the dragon's own cell, so that way is closed.
    """
    state = table(skeletons="GL@22R", traps="wall/@32 palisade@31", supply="dragon", advanced=True)
    do(state, "p1: lay dragon 1b2")
    assert legal(state) == ["scatter up", "scatter down", "scatter left"]
    assert why(state, "p1: scatter right") == ("scatter-palisade", ["1b2", "1c2"], "BB-DRAGON-05")
    march_in = table(skeletons="GL@12R", traps="dragon@22 wall/@32 palisade@31", advanced=True)
    march(march_in, "scatter right")
    assert standing(march_in) == "GL@12R/b", "in the march it stays where it came from"


@rule("BB-BOOK-08")
def test_the_hero_and_the_lure_open_the_way_over_a_wall() -> None:
    """«Скелет мгновенно уничтожается героем, при этом он не приводит в действие … ловушку»."""
    held = table(skeletons="GL@22R", traps="wall/@32 palisade@31", supply="dragon", advanced=True, hero="32")
    do(held, "p1: lay dragon 1b2")
    assert "scatter right" in legal(held)
    lured = table(
        skeletons="GL@22R", traps="wall/@32 palisade@31 treasure@42", supply="dragon", advanced=True
    )
    do(lured, "p1: lay dragon 1b2")
    assert "scatter right" in legal(lured)


@rule("BB-BOOK-08")
def test_no_dragon_is_laid_where_nobody_could_flee() -> None:
    """«Скелеты разбегаются от дракона»: shut in between palisades and the village they could not."""
    shut = "palisade@25 palisade@45 palisade@34"
    state = table(players=6, skeletons="GL@35R BL@12R", traps=shut, supply="dragon", advanced=True)
    assert why(state, "p1: lay dragon 1c5") == ("nowhere-to-flee", ["1c5"], "BB-BOOK-08")
    dragons = [line for line in legal(state) if line.startswith("lay dragon")]
    assert "lay dragon 1c5" not in dragons and "lay dragon 1a2" in dragons


# Row 9: the emperor ends the game at once -----------------------------------------------------------


@rule("BB-BOOK-09")
@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("emperor", ["emperor-RT@23R", "emperor-RT@15D"])
def test_the_emperor_ends_the_game_before_anybody_else_marches(seat: int, emperor: str) -> None:
    """«…вы сразу проигрываете, и игра заканчивается!»"""
    others = {other: {"skeletons": "GL@15D BL@23R"} for other in range(3) if other != seat}
    own = {"skeletons": emperor}
    boards = {other: parts for other, parts in (others | {seat: own}).items() if other}
    state = table(players=3, boards=boards, **(others | {seat: own})[0])
    march(state)
    assert state.phase() == "over" and not state.needs()
    for other in others:
        assert (state.fields[other].houses, state.fields[other].floors) == (5, 4)
        assert standing(state, other) == "BL@23R/w GL@15D/w"
    assert set(state.outcome().winners) == set(others)
    state.check()


@rule("BB-BOOK-09")
def test_the_emperor_stops_the_rest_of_his_own_board() -> None:
    """«…независимо от их состояния, — вы сразу проигрываете, и игра заканчивается!»"""
    state = table(skeletons="emperor-RT@23R GL@45D")
    march(state)
    assert state.phase() == "over" and state.fields[0].houses == 5 and standing(state) == "GL@45D/w"


@rule("BB-BOOK-09")
def test_the_emperor_ends_the_game_while_others_still_choose() -> None:
    """«…игра заканчивается!»: nobody is asked any more."""
    state = table(
        players=3,
        skeletons="emperor-RT@23R peacemaker-BL@32D",
        boards={1: {"skeletons": "GL@21U"}},
    )
    open_march(state)
    assert [need.seat for need in state.needs()] == [0, 1]
    events = do(state, "p1: march 1b3 emperor-RT-right-white")
    assert "ended" in kinds(events) and state.phase() == "over" and standing(state, 1) == "GL@21U/w"
    assert state.outcome().winners == (1, 2)


@rule("BB-BOOK-09")
def test_a_dragon_that_drives_the_emperor_into_the_tower_ends_the_game() -> None:
    """«Если император приходит в башню … вы сразу проигрываете, и игра заканчивается!»"""
    state = table(skeletons="emperor-RT@23R", supply="dragon", boards={1: {"supply": "wall"}})
    do(state, "p2: lay wall/ 2a1")
    events = do(state, "p1: lay dragon 1b3", "p1: scatter right")
    assert state.phase() == "over" and state.outcome().winners == (1,)
    assert supply(state, 1) == {"wall": 1}, "what was done under cover is not played"
    assert not [event for event in events if event.data.get("seat") == 1], "nor told"
    state.check()


@rule("BB-BOOK-09")
def test_the_camera_still_expects_the_faces_that_lie_there() -> None:
    """«Переместив скелет, тут же переверните его»: who has not moved keeps his face."""
    state = table(skeletons="BL@12R emperor-RT@23R GL@45D", players=3, boards={1: {"skeletons": "YL@11R"}})
    march(state)
    assert standing(state) == "BL@22R/b GL@45D/w"
    assert GAME.view(state, PUBLIC)["marker"] == "black"
    assert refused(state, "p1: wait").code == "game-over"
