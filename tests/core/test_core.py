"""The small parts of the core: notation, options, chance, pools, boards, words."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from companion.engine.action import PUBLIC, TABLE, Action, Notation, Verb, Words, numbers
from companion.engine.agenda import draws, waits
from companion.engine.chance import AtTable, PerVerb, Scripted, Shuffled
from companion.engine.errors import ConfigError, NotationError, Refused
from companion.engine.fields import Fields
from companion.engine.game import preview, turn_for
from companion.engine.grid import EAST, NORTH, SOUTH, WEST, Graph, Grid, cells_of, mask_of, opposite
from companion.engine.layout import frame
from companion.engine.options import Option, resolve, switch, write
from companion.engine.pool import Pool
from companion.engine.state import Event, Outcome, State, all_but, only
from companion.engine.text import Texts, plural
from companion.games import load

CELL = Words("cell", ("a1", "b1"))
NOTATION = Notation({"move": Verb(CELL), "push": Verb(CELL, numbers("step", 3)), "path": Verb(rest=CELL)})


# Notation --------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["move a1", "push b1 2", "path", "path a1 b1 a1"])
def test_notation_round_trips(text):
    assert NOTATION.text(NOTATION.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("fly a1", "'fly' is no action here; known: move, path, push"),
        ("move", "expected 'move CELL'"),
        ("move a1 b1", "expected 'move CELL'"),
        ("move c9", "'c9' is no cell"),
        ("push a1 7", "'7' is no step; expected 'push CELL STEP'"),
        ("path a1 x", "'x' is no cell; expected 'path CELL…'"),
    ],
)
def test_what_is_no_action_is_explained(text, said):
    with pytest.raises(NotationError) as error:
        NOTATION.parse(text)
    assert said in str(error.value)


# States ----------------------------------------------------------------------------------------


SIDE = Words("side", ("heads", "tails"))
CALLS, FALLS = ([Action(verb, (side,)) for side in range(2)] for verb in ("call", "fall"))


class Coin(State):
    """The smallest game: call a side, then the coin falls."""

    declared = Fields(shared=("called", "fell"))
    __slots__ = declared.names

    verbs = {"call": Verb(SIDE), "fall": Verb(SIDE)}  # noqa: RUF012
    steps = {  # noqa: RUF012
        "call": waits(
            "call", lists=lambda state, seat, caller: [Action("call", (side,)) for side in range(2)]
        ),
        "fall": draws("fall", outcomes=lambda state: [(fall, 1) for fall in FALLS]),
    }
    turn_rule, over_rule = "ON-TURN-01", "ON-INV-07"

    def __init__(self):
        self.called = self.fell = -1
        self.result = None
        self.todo = [("fall",), ("call", 0)]
        self.settle([])

    def can_call(self, seat, side):
        return None

    def do_call(self, seat, side):
        self.take()
        self.called = side
        return [Event("called", {"side": side})]

    def can_fall(self, seat, side):
        return None

    def do_fall(self, seat, side):
        self.fell = side
        self.result = Outcome("won" if side == self.called else "lost", (), "ON-END-01")
        return []


def test_apply_always_asks_first():
    coin = Coin()
    with pytest.raises(Refused, match="not-your-turn"):
        coin.apply(TABLE, Action("fall", (0,)))
    with pytest.raises(Refused, match="not-now"):
        coin.apply(0, Action("fall", (0,)))
    assert coin.apply(0, Action("call", (1,)))[0].data == {"side": 1}
    assert coin.is_chance()
    coin.apply(TABLE, Action("fall", (1,)))
    with pytest.raises(Refused, match="game-over"):
        coin.apply(0, Action("call", (1,)))


def test_a_verb_without_its_pair_is_a_mistake_of_the_game():
    with pytest.raises(AttributeError, match="can_fly"):
        type("Broken", (State,), {"verbs": {"fly": Verb()}})


def test_audiences():
    secret, rest = Event("drew", {}, only(1)), Event("drew", {}, all_but(3, 1))
    assert [viewer for viewer in (0, 1, 2, PUBLIC) if secret.is_for(viewer)] == [1]
    assert [viewer for viewer in (0, 1, 2, PUBLIC) if rest.is_for(viewer)] == [0, 2, PUBLIC]


def test_a_preview_changes_nothing_and_never_reveals():
    game = load("onirim")
    state = game.start(game.resolve({"players": 2}))
    rng = Random(3)
    while "play" not in state.needs()[0].verbs:
        seat = state.needs()[0].seat
        state.apply(seat, rng.choice(state.actions(seat)))
    before = game.view(state, 0)
    action = state.actions(0)[0]
    seen = preview(game, state, 0, 0, action)
    assert seen is not None and seen[0] != before and game.view(state, 0) == before
    assert turn_for(game, state, 0, rng).look(action) == seen[0]
    assert preview(game, state, 0, TABLE, Action("shuffle")) is None


# Options ---------------------------------------------------------------------------------------

OPTIONS = (Option("players", (1, 2, 3), 2), Option("mode", ("solo", "coop"), "coop"), switch("fog", False))


def test_options_are_completed_and_round_trip():
    options = resolve(OPTIONS, {"players": "3", "fog": "on"})
    assert options == {"players": 3, "mode": "coop", "fog": True}
    assert resolve(OPTIONS, write(options)) == options


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"player": 2}, "did you mean 'players'"),
        ({"players": 9}, "'9' is not allowed; choose one of 1, 2, 3"),
    ],
)
def test_wrong_options_are_explained(given, said):
    with pytest.raises(ConfigError) as error:
        resolve(OPTIONS, given)
    assert said in str(error.value)


# Chance ----------------------------------------------------------------------------------------

HEADS, TAILS = Action("fall", (0,)), Action("fall", (1,))


def test_a_digital_deck_picks_each_outcome_by_its_ways():
    deck = Shuffled(5)
    found = Counter(deck.pick([(HEADS, 3), (TAILS, 1)]) for _ in range(4000))
    assert found[HEADS] / 4000 == pytest.approx(0.75, abs=0.03)
    assert Shuffled(5).pick([(HEADS, 3), (TAILS, 1)]) == Shuffled(5).pick([(HEADS, 3), (TAILS, 1)])


def test_a_cardboard_deck_waits_and_a_script_follows_its_lines():
    assert AtTable().pick([(HEADS, 1)]) is None
    script = Scripted(Coin.notation, ["fall tails"])
    assert script.pick([(HEADS, 1), (TAILS, 1)]) == TAILS
    assert script.pick([(HEADS, 1)]) is None
    with pytest.raises(AssertionError, match="cannot happen"):
        Scripted(Coin.notation, ["fall tails"]).pick([(HEADS, 1)])


def test_kinds_of_chance_can_be_mixed():
    mixed = PerVerb({"roll": AtTable()}, Shuffled(1))
    roll = Action("roll", (6,))
    assert mixed.pick([(roll, 1)]) is None
    assert mixed.pick([(roll, 1), (HEADS, 1)]) == HEADS


# Pools -----------------------------------------------------------------------------------------


def test_a_pool_counts_what_is_unseen_and_knows_only_what_was_shown():
    draws = [Action("draw", (i,)) for i in range(3)]
    pool = Pool([2, 1, 0])
    assert pool.outcomes(draws) == [(draws[0], 2), (draws[1], 1)]
    pool.known = [1]
    assert pool.outcomes(draws) == [(draws[1], 1)] and not pool.can_be_next(0)
    copy = pool.copy()
    pool.take(1)
    assert (pool.counts, pool.size, pool.known) == ([2, 0, 0], 2, [])
    assert (copy.counts, copy.size, copy.known) == ([2, 1, 0], 3, [1])
    pool.put_back(1)
    pool.shuffle()
    assert pool.can_be_next(1) and not pool.can_be_next(2)


def test_a_hidden_card_stays_among_the_unseen_until_it_is_shown():
    pool = Pool([2, 1, 0])
    pool.take_unseen()
    assert (pool.size, pool.hidden, sum(pool.counts)) == (2, 1, 3)
    pool.show(1)
    assert (pool.size, pool.hidden, pool.counts) == (2, 0, [2, 0, 0])
    with pytest.raises(AssertionError):
        pool.show(1)


# Boards ----------------------------------------------------------------------------------------


def test_a_grid_ends_at_its_edge_and_a_torus_does_not():
    grid, torus = Grid(3, 2), Grid(3, 2, torus=True)
    a1 = grid.cell("a1")
    assert [grid.beside[a1][d] for d in (NORTH, EAST, SOUTH, WEST)] == [-1, 1, 3, -1]
    assert [torus.beside[a1][d] for d in (NORTH, EAST, SOUTH, WEST)] == [3, 1, 3, 2]
    assert [grid.names[cell] for cell in grid.rays[a1][EAST]] == ["b1", "c1"]
    assert [torus.names[cell] for cell in torus.rays[a1][WEST]] == ["c1", "b1"]
    assert list(cells_of(grid.beside_mask[a1])) == [1, 3] and mask_of([1, 3]) == 10
    assert [opposite(d) for d in (NORTH, EAST)] == [SOUTH, WEST]


def test_a_map_knows_its_distances():
    house = Graph({"hall": ["attic"], "attic": ["roof"], "roof": [], "cellar": []})
    hall, roof, cellar = (house.place(name) for name in ("hall", "roof", "cellar"))
    assert house.distance[hall][roof] == house.distance[roof][hall] == 2
    assert house.distance[hall][cellar] == -1


def test_frames_have_eight_markers_of_their_own_around_the_board():
    ids = [marker.id for number in range(6) for marker in frame(number, 300, 200)]
    assert ids == list(range(48))
    for marker in frame(3, 300, 200):
        xs, ys = [x for x, _ in marker.corners()], [y for _, y in marker.corners()]
        assert max(xs) <= 0 or min(xs) >= 300 or max(ys) <= 0 or min(ys) >= 200


# Words -----------------------------------------------------------------------------------------


def test_russian_and_english_plural_forms():
    assert [plural("ru", n) for n in (1, 2, 5, 11, 12, 21, 22, 25, 101, 111)] == [
        0,
        1,
        2,
        2,
        2,
        0,
        1,
        2,
        0,
        2,
    ]
    assert [plural("en", n) for n in (0, 1, 2)] == [1, 0, 1]


def test_texts_fill_seats_cells_words_and_lists():
    texts = Texts(
        {
            "event.gave": (
                "{seat} gave {cards} to {to_seat} at {cell}",
                "{seat}: {cards} → {to_seat}, {cell}",
            ),
            "word.Rs": ("red Sun", "красное Солнце"),
        }
    )
    blanks = {"seat": 0, "to_seat": -1, "cell": 1, "cards": ["Rs", "?"]}
    said = texts.say("event.gave", "en", blanks, seats=["Ann"], cells=["a1", "b1"])
    assert said == "Ann gave red Sun, ? to the table at b1"
    assert (
        texts.say("event.gave", "ru", blanks, seats=["Анна"], cells=["a1", "b1"])
        == "Анна: красное Солнце, ? → стол, b1"
    )
