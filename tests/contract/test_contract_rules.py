"""What every registered game keeps to: listing, copying, writing, ending."""

from __future__ import annotations

from random import Random

import pytest
from contract_table import Table, near_actions, params, plain, positions, seats_and_table, tables, written

from companion.engine.action import TABLE
from companion.engine.errors import Refused
from companion.games import load
from companion.table.journal import Journal
from companion.table.play import simulate
from companion.table.record import read_record, replay, write_record
from companion.table.session import Session

SEED = 11


@pytest.fixture(params=params(tables()))
def table(request: pytest.FixtureRequest) -> Table:
    return request.param


def test_listed_actions_are_exactly_the_accepted_ones(table: Table) -> None:
    rng = Random(SEED)
    for state in positions(table, SEED, every=7):
        for seat in seats_and_table(table):
            legal = state.actions(seat)
            assert len(set(legal)) == len(legal), "an action is listed twice"
            for action in legal:
                assert state.refusal(seat, action) is None, (seat, action)
            for action in near_actions(state, legal, rng, 40):
                assert (state.refusal(seat, action) is None) == (action in legal), (seat, action)


def test_of_what_is_asked_for_exactly_the_listed_is_accepted(table: Table) -> None:
    rng = Random(SEED)
    for state in positions(table, SEED + 8, every=5):
        for seat, verbs in state.needs():
            legal = set(state.actions(seat))
            for verb in verbs:
                for action in written(state.notation, verb, rng, 200):
                    assert (state.refusal(seat, action) is None) == (action in legal), (seat, action)


def test_needs_can_be_met_and_chance_is_listed(table: Table) -> None:
    for state in positions(table, SEED + 1, every=3):
        needs = state.needs()
        assert bool(needs) == (state.outcome() is None)
        for need in needs:
            actions = state.actions(need.seat)
            assert actions, f"{need} cannot be met"
            verbs = {verb for other in needs if other.seat == need.seat for verb in other.verbs}
            assert {action.verb for action in actions} <= verbs
        outcomes = state.outcomes()
        assert {action for action, _ in outcomes} == set(state.actions(TABLE))
        assert all(ways >= 1 for _, ways in outcomes)
        assert bool(outcomes) == state.is_chance()


def test_refused_actions_change_nothing_and_name_a_rule(table: Table) -> None:
    rng = Random(SEED)
    for state in positions(table, SEED + 2, every=11):
        before = table.views(state)
        for seat in seats_and_table(table):
            for action in near_actions(state, state.actions(seat), rng, 15):
                refusal = state.refusal(seat, action)
                if refusal is None:
                    continue
                assert refusal.rule.startswith(f"{table.game.ledger}-"), refusal
                with pytest.raises(Refused):
                    state.apply(seat, action)
        assert table.views(state) == before


def test_a_copy_is_independent(table: Table) -> None:
    last = None
    for step in table.walk(SEED + 3):
        if last is not None:
            copy, before = last
            assert table.views(copy) == before, "playing on changed a copy"
        last = (step.state.copy(), table.views(step.state)) if step.state.needs() else None
    state = table.game.start(table.options)
    rng = Random(SEED)
    while needs := state.needs():
        before = table.views(state)
        after = state.copy()
        after.apply(needs[0].seat, rng.choice(after.actions(needs[0].seat)))
        assert table.views(state) == before, "playing on a copy changed the original"
        state = after


def test_notation_round_trips(table: Table) -> None:
    for state in positions(table, SEED + 4, every=5):
        for seat in seats_and_table(table):
            for action in state.actions(seat)[:200]:
                assert state.notation.parse(state.notation.text(action)) == action


def test_invariants_hold_and_random_games_end(table: Table) -> None:
    for seed in range(6):
        for step in table.walk(seed):
            step.state.check()


@pytest.mark.long
def test_2000_random_games_of_every_sample_end_and_break_no_invariant(table: Table) -> None:
    """As `gloam simulate GAME -n 2000` with the options of the sample."""
    tally = simulate(table.game.key, table.game.samples[table.sample], 2000, seed=SEED)
    assert tally.games == 2000 and tally.broken == []


def test_a_record_replays_to_the_same_game(table: Table) -> None:
    lines, state = [], None
    for step in table.walk(SEED + 5):
        state = step.state
        lines.append((step.seat, state.notation.text(step.action)))
    assert state is not None
    text = write_record(table.game, table.options, lines, state.outcome())
    again, played = replay(read_record(text))
    assert played == lines
    assert table.views(again) == table.views(state)
    assert write_record(table.game, table.options, played, again.outcome()) == text


def test_everything_told_survives_json(table: Table) -> None:
    for step in table.walk(SEED + 6):
        for event in step.events:
            assert plain(event.data) == event.data, event
    for state in positions(table, SEED + 6, every=9):
        for view in table.views(state).values():
            assert plain(view) == view


def test_undo_equals_replay(table: Table, tmp_path) -> None:
    session = Session.start(Journal(tmp_path / "j.db"), table.game, table.options, seed=SEED)
    rng = Random(SEED)
    for _ in range(40):
        state = session.state()
        needs = state.needs()
        if not needs:
            break
        seat = rng.choice(needs).seat
        before = {viewer: session.update(viewer).view for viewer in session.viewers}
        length = len(session.lines())
        action = rng.choice(session.actions(seat))
        session.submit(seat, action)
        if seat != TABLE and action.split()[0] not in table.game.notes and rng.random() < 0.5:
            session.undo(force=True)
            assert len(session.lines()) == length
            assert {v: session.update(v).view for v in session.viewers} == before
    reopened = Session(session._journal, session.number, seed=SEED)
    assert reopened.lines() == session.lines()
    assert [reopened.update(v) for v in session.viewers] == [session.update(v) for v in session.viewers]


REVEALING = {
    "onirim": "foretell pay-hand",
    "night_cage": "draw",
    "bad_bones": "draw first reveal",
    "dark_cave": "spy-clan spy-goal swap",
    "whisper": "accept ask ask-noise ask-pair block cast confirm deal decline discard draw endure find flee "
    "frighten go guard halt hunt keep keep-both learn leave master mill next pay play repair report reuse "
    "reveal roll search shed sneak stay unpack use ward",
}
"""The verbs after which somebody knows more than before: what they show is not taken back."""


@pytest.mark.parametrize("key", REVEALING)
def test_what_shows_something_hidden_is_known_as_such(key: str) -> None:
    game = load(key)
    verbs = game.start(game.resolve({})).notation.verbs
    assert sorted(name for name, verb in verbs.items() if verb.reveals) == REVEALING[key].split()
    held = {"onirim": ["concede"], "night_cage": ["concede"], "dark_cave": ["agree"]}.get(key, [])
    assert sorted(name for name, verb in verbs.items() if verb.held) == held, "what ends a game is held"


def test_the_same_seed_gives_the_same_game(table: Table) -> None:
    first = [(step.seat, step.action) for step in table.walk(5)]
    second = [(step.seat, step.action) for step in table.walk(5)]
    assert first == second
