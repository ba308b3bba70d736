"""What the killer can work out always holds the truth, and holds no more than it must."""

from __future__ import annotations

from random import Random

import pytest
from whisper_night import (
    KILLER,
    TEAM,
    at,
    change_all,
    codes,
    hand,
    killer,
    killers_turn,
    night,
    proves,
    put,
    row,
)

from companion.engine.action import TABLE
from companion.engine.chance import weighted
from companion.games.whisper import GAME
from companion.games.whisper.agenda import Whisper
from companion.games.whisper.clues import Clues
from companion.games.whisper.pieces import KILLERS, PASSAGES, N

Triple = tuple[int, ...]


def triples(state: Whisper) -> set[Triple]:
    assert state.clues is not None
    bits = state.clues.now
    return {(i // (N * N), i // N % N, i % N) for i in range(N**3) if bits >> i & 1}


def every_first_turn(state: Whisper) -> list[Whisper]:
    """Every way to play the first turn up to the report; exchanges change nothing here."""
    reached = {(tuple(row(state, "place")), state.house.pending): state}
    for i in range(3):
        after: dict[tuple[Triple, int], Whisper] = {}
        for start in reached.values():
            woken = start.copy()
            woken.apply(TEAM, woken.notation.parse(f"wake {woken.name(i)}"))
            open_ = [woken]
            while open_:
                here = open_.pop()
                for action in here.actions(TEAM):
                    if action.verb in ("give", "swap"):
                        continue
                    step = here.copy()
                    step.apply(TEAM, action)
                    if action.verb == "done":
                        after.setdefault((tuple(row(step, "place")), step.house.pending), step)
                    else:
                        open_.append(step)
        reached = after
    ends: dict[tuple[Triple, int], Whisper] = {}
    for end in reached.values():
        for action in end.actions(TEAM):
            for second in ("ammo", "key"):
                step = end.copy()
                step.apply(TEAM, action)
                for item in ("herbs", second):
                    step.apply(TABLE, step.notation.parse(f"unpack {item}"))
                step.apply(TEAM, step.notation.parse("leave"))
                ends.setdefault((tuple(row(step, "place")), step.house.pending), step)
    return list(ends.values())


@pytest.fixture(scope="module")
def first_turns() -> list[Whisper]:
    state = night(team="sophia anna william", deduction=True)
    return every_first_turn(hand(state, "butcher_sense"))


@proves("WW-DEDUCT-01")
@pytest.mark.slow
def test_after_the_first_report_exactly_the_possible_places_are_left(first_turns: list[Whisper]) -> None:
    by_report: dict[int, set[Triple]] = {}
    worked_out: dict[int, set[Triple]] = {}
    for first in first_turns:
        end = first.copy()
        noise = end.house.pending
        by_report.setdefault(noise, set()).add(tuple(row(end, "place")))
        if noise not in worked_out:
            end.apply(TEAM, end.notation.parse("report"))
            worked_out[noise] = triples(end)
    assert len(by_report) > 100
    for noise, truth in by_report.items():
        assert worked_out[noise] == truth, sorted(codes(noise))


@proves("WW-SENSE-04", "WW-SENSE-05")
@pytest.mark.slow
def test_an_answer_leaves_exactly_the_places_that_agree_with_it(first_turns: list[Whisper]) -> None:
    ends = [end.copy() for end in first_turns if not end.house.pending]
    answers: dict[tuple[str, ...], set[Triple]] = {}
    worked_out: dict[tuple[str, ...], set[Triple]] = {}
    for end in ends:
        end.apply(TEAM, end.notation.parse("report"))
        places = tuple(row(end, "place"))
        events = killer(end, "play butcher_sense", "ask blue")
        told = tuple(next(e.data["survivors"] for e in events if e.kind == "sensed"))
        answers.setdefault(told, set()).add(places)
        worked_out[told] = triples(end)
    assert len(answers) == 4 and all("anna" not in told for told in answers)
    assert worked_out == answers


def test_a_search_a_fear_and_a_panic_tell_places() -> None:
    state = put(night("specter", deduction=True), anna="K2", marco="K2", william="K2", specter="K1")
    assert state.clues is not None
    state.clues = state.clues.turn_began(1, 0)
    killers_turn(hand(state, "specter_scream"))
    change_all(state, fear=[2, 0, 0])
    killer(state, "play specter_scream")
    assert state.clues is not None
    assert codes(state.clues.possible(0)) == {"K2"}
    assert codes(state.clues.possible(1)) == {"C1", "C2", "K1", "K2", "K3"}
    killer(state, "next", "search")
    assert "K1" not in codes(state.clues.possible(1))


def test_a_search_that_finds_nobody_tells_where_nobody_is() -> None:
    state = put(night(deduction=True), anna="K2", marco="K2", william="K2", butcher="K1")
    killers_turn(state, "main")
    killer(state, "search")
    assert state.clues is not None
    assert all("K1" not in codes(state.clues.possible(i)) for i in range(3))


def test_a_later_noise_was_made_by_somebody_who_came_near() -> None:
    walled_in = (1 << len(PASSAGES)) - 1
    clues = Clues.start((1, 2, 4), skilled=False, stride=1, at=at("K1")).turn_began(2, walled_in)
    assert codes(clues.reported(1 << at("K1"), walled_in).possible(0)) == {"K1"}
    assert clues.reported(1 << at("Z5"), walled_in).now == 0


def test_the_clues_are_the_killers_alone_and_only_if_agreed() -> None:
    assert GAME.view(night(), KILLER)["possible"] is None
    state = night(deduction=True)
    assert GAME.view(state, KILLER)["possible"] is not None and "possible" not in GAME.view(state, TEAM)


def test_a_barricade_bounds_the_clues_until_it_is_removed() -> None:
    clues = Clues.start((1, 2, 4), False, 1, at("K1")).turn_began(1, (1 << 17) - 1)
    assert [codes(clues.possible(i)) for i in range(3)] == [{"K1"}] * 3
    open_ = clues.way_opened(0)
    assert codes(open_.possible(0)) == {"C1", "C2", "C3", "C5", "K1", "K2", "K3", "K5", "Z1"}


def deduced_to_the_end(killer: str, seed: int, **options: object) -> None:
    """Plays a random game; `check` demands after every action that the truth is possible."""
    state = GAME.start(GAME.resolve({"killer": killer, "deduction": True, **options}))
    assert isinstance(state, Whisper)
    rng = Random(seed)
    while needs := state.needs():
        seat = rng.choice(needs).seat
        state.apply(
            seat, weighted(state.outcomes(), rng) if seat == TABLE else rng.choice(state.actions(seat))
        )
        clues = state.clues
        assert clues is None or state.result or clues.holds(row(state, "place"), row(state, "fate")), (
            killer,
            seed,
            options,
        )


@pytest.mark.slow
@pytest.mark.parametrize("killer", KILLERS)
def test_the_truth_is_always_possible(killer: str) -> None:
    for seed in range(12):
        deduced_to_the_end(killer, seed)
    deduced_to_the_end(killer, 1, skills="deadly", plans=True)
    deduced_to_the_end(killer, 2, crossroads=True, players=4)
    deduced_to_the_end(killer, 3, alt_adrenaline=True)


@pytest.mark.long
@pytest.mark.parametrize("killer", KILLERS)
def test_the_truth_is_always_possible_in_ten_thousand_games(killer: str) -> None:
    for seed in range(2600):
        deduced_to_the_end(killer, seed)
    for seed in range(250):
        deduced_to_the_end(killer, seed, skills="deadly")
        deduced_to_the_end(killer, seed, plans=True)
        deduced_to_the_end(killer, seed, crossroads=True, players=4, skills="normal", plans=True)
