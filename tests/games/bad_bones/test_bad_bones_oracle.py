"""The engine's marches against a second model of them that was written from the rulebook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any
from zlib import crc32

import pytest
from bad_bones_boards import GAME, begin, do, random_board, uncover
from bad_bones_oracle import Board, March, Skeleton

from companion.games.bad_bones import arrivals, march, paths
from companion.games.bad_bones.agenda import BadBones
from companion.games.bad_bones.pieces import BOUNCE, FIELD, NEXT, PLACE_NAMES, PLACES, SPRING
from companion.games.bad_bones.printed import KIND_NAMES
from companion.games.bad_bones.seating import SEATINGS
from companion.games.bad_bones.tokens import KIND_OF, moved, token

MODES = {
    "base": {"commanders": False},
    "advanced": {"advanced": True, "commanders": False},
    "commanders": {"advanced": True},
    "together": {"coop": True, "commanders": False},
    "all together": {"coop": True, "advanced": True},
}
MARCHES = 3
"""How many marches a board is followed for, unless somebody falls before."""


def place(cell: int) -> tuple[int, int] | str:
    """A cell of seat 0 as the second model writes it."""
    name = PLACE_NAMES[cell % PLACES]
    return (ord(name[0]) - 96, int(name[1])) if name[0].islower() else name


class Owner:
    """Decides everything by who chooses where, so that both models get the same answers."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, verb: str, leader: str, where: Any, options: Sequence[Any]) -> Any:
        return sorted(options)[crc32(repr((self.seed, verb, leader, where)).encode()) % len(options)]

    def rank(self, name: str, at: Any, facing: str) -> int:
        return crc32(repr((self.seed, name, at, facing)).encode())

    def rank_skeleton(self, one: Skeleton) -> int:
        return self.rank(one.name, one.at, one.facing)

    def answer(self, state: BadBones) -> str:
        """The line by which seat 0 answers what the engine asks."""
        verb = state.waiting[0].verbs[0]
        lines = [state.notation.text(action) for action in state.actions(0)]
        if "decline" in lines:
            return "decline"
        if verb == "march":
            return max(lines[:-1], key=self._rank_line)
        ask, moving = state.fields[0].ask, state.fields[0].moving
        leader = KIND_NAMES[KIND_OF[moving[0]]] if verb == "scatter" else ""
        options = [line.removeprefix(f"{verb} ") for line in lines]
        if verb == "send":
            options = [int(option[1:]) - 1 for option in options]
        chosen = self.choose(verb, leader, place(ask.cell), options)
        return f"{verb} p{chosen + 1}" if verb == "send" else f"{verb} {chosen}"

    def _rank_line(self, line: str) -> int:
        _, cell, token = line.split()
        name, facing, _ = token.rsplit("-", 2)
        return self.rank(name, place(PLACE_NAMES.index(cell[1:])), facing)


def model_of(state: BadBones) -> Board:
    """The second model of seat 0's board."""
    view = GAME.view(state, 0)
    seating = SEATINGS[view["players"], view["coop"]]
    hero = view["hero"][0]
    supplies = [view["common"]] if view["coop"] else view["supply"]
    return Board(
        coop=view["coop"],
        players=view["players"],
        neighbours={"left": seating.left[0], "right": seating.right[0]},
        skeletons=[
            Skeleton(name, place(cell), facing, moved=not ready)
            for cell, name, facing, _, ready in view["skeletons"][0]
        ],
        traps={place(cell): (form, worn) for cell, form, worn in view["traps"][0]},
        hero=place(hero) if hero >= 0 else None,
        towers={place(cell) for cell in view["towers"][0]},
        floors=view["floors"][0],
        houses=view["capital"] if view["coop"] else view["houses"][0],
        colour=view["marker"],
        sent=Counter((seat, name) for seat, names in enumerate(view["cemetery"]) for name in names),
        bagged=Counter(view["left"]),
        boxed=[KIND_NAMES[kind] for kind in state.boxed],
        hearses=Counter({seat: supply.get("hearse", 0) for seat, supply in enumerate(supplies)}),
    )


def facts(board: Board) -> dict[str, Any]:
    """What both models are compared by."""
    return {
        "skeletons": sorted((str(one.at), one.name, one.facing) for one in board.skeletons),
        "traps": board.traps,
        "hero": board.hero,
        "towers": board.towers,
        "floors": board.floors,
        "houses": board.houses,
        "sent": +board.sent,
        "bagged": +board.bagged,
        "boxed": board.boxed,
        "hearses": +board.hearses,
    }


def difference(state: BadBones, seed: int) -> str:
    """Lets both models march; says where they part, or nothing."""
    owner = Owner(seed)
    board = model_of(begin(state, "traps"))
    for n in range(MARCHES):
        start = model_of(state)
        for seat in range(state.mode.players):
            do(state, f"p{seat + 1}: wait")
        uncover(state)
        while state.phase() == "march" and 0 in state.busy:
            do(state, f"p1: {owner.answer(state)}")
        uncover(state)
        March(board, owner.rank_skeleton, owner.choose).run()
        view = GAME.view(state, 0)
        if board.conquered or view["fallen"][0] == "emperor":
            return "" if board.conquered and view["fallen"][0] == "emperor" else f"emperor: {facts(start)}"
        found, expected = facts(model_of(state)), facts(board)
        if found != expected:
            apart = {key: (found[key], expected[key]) for key in found if found[key] != expected[key]}
            return f"march {n + 1} of seed {seed}: engine and book {apart} from {facts(start)}"
        if board.fallen != (state.outcome() is not None):
            return f"march {n + 1} of seed {seed}: fallen {board.fallen}, {state.outcome()}"
        if board.fallen:
            break
        begin(state, "traps")
    return ""


def gather(state: BadBones, rng: Random) -> None:
    """Brings skeletons together on one plain cell, with instructors among them."""
    field = state.fields[0]
    plain = [
        cell for cell in range(FIELD) if not field.traps[cell] and cell not in {*field.towers, field.hero}
    ]
    cell = rng.choice(plain)
    field.tokens = [moved(one, cell) if rng.random() < 0.4 else one for one in field.tokens]
    for kind, name in enumerate(KIND_NAMES):
        if name.startswith("instructor") and state.bag.counts[kind] and rng.random() < 0.6:
            state.bag.take(kind)
            field.tokens.append(token(cell, kind, rng.randrange(4)))


def marched(mode: str, seeds: range) -> str:
    """The first difference on random boards of a mode."""
    for seed in seeds:
        rng = Random(f"{mode} {seed}")
        state = random_board(rng, rng.choice((2, 5, 9)), rng.choice((3, 8, 14)), **MODES[mode])
        if state.mode.commanders and rng.random() < 0.5:
            gather(state, rng)
        found = difference(state, seed)
        if found:
            return found
    return ""


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_marches_go_as_the_book_says(mode: str) -> None:
    assert marched(mode, range(400)) == ""


@pytest.mark.long
@pytest.mark.parametrize("mode", MODES)
def test_many_marches_go_as_the_book_says(mode: str) -> None:
    assert marched(mode, range(1000, 21_000)) == ""


def bounce_the_other_way(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(BOUNCE, 0, BOUNCE[1])


def spring_one_cell(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(paths._TRIGGERED, SPRING, lambda path, cell: NEXT[cell][path.direction])


def forget_squads(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(arrivals, "form", lambda field, kinds: None)


def never_ask_for_an_order(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(march, "order_matters_for", lambda *board: set())


def let_saboteurs_pass(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(arrivals, "_sabotage", lambda field, kinds, cells: None)


@pytest.mark.parametrize(
    ("plant", "mode"),
    [
        (bounce_the_other_way, "base"),
        (spring_one_cell, "advanced"),
        (forget_squads, "commanders"),
        (never_ask_for_an_order, "together"),
        (let_saboteurs_pass, "all together"),
    ],
)
def test_a_planted_fault_is_found(plant, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    assert "engine and book" in marched(mode, range(400))
