"""Nothing hidden gets out, and the check that says so can fail."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import contract_secrets
import pytest
from contract_secrets import check_secrets
from contract_table import Table, params, tables

from companion.engine.action import Viewer
from companion.engine.game import preview
from companion.engine.state import Event, State
from companion.table.play import walk


def has_secrets(table: Table) -> bool:
    """Says whether two viewers ever see different things."""
    for i, step in enumerate(table.walk(1)):
        views = list(table.views(step.state).values())
        if any(view != views[0] for view in views):
            return True
        if i > 400:
            break
    return False


@pytest.mark.parametrize("table", params(tables()))
def test_what_a_viewer_may_not_know_changes_nothing_for_them(table: Table) -> None:
    hidden = sum(check_secrets(table, seed) for seed in range(3))
    assert bool(hidden) == has_secrets(table), "the disguise must hide whatever the views differ in"


@pytest.mark.parametrize("table", params(tables()))
def test_a_game_says_whether_it_has_secrets(table: Table) -> None:
    assert table.game.is_open(table.options) != has_secrets(table)


SECRET = [table for table in tables() if not table.game.is_open(table.options)]


@pytest.mark.parametrize("table", params(SECRET))
def test_a_leak_in_the_view_is_caught(table: Table) -> None:
    honest = table.game.view
    seats = range(len(table.game.seats(table.options)))

    def leaky(state: State, viewer: Viewer) -> dict[str, Any]:
        return honest(state, viewer) | {"leak": [honest(state, seat) for seat in seats]}

    with pytest.raises(AssertionError, match=r"tells|sees"):
        for seed in range(3):
            check_secrets(table._replace(game=replace(table.game, view=leaky)), seed)


@pytest.mark.parametrize("table", params(SECRET))
def test_a_leak_in_the_events_is_caught(table: Table) -> None:
    seats = range(len(table.game.seats(table.options)))
    honest = table.game

    def start(options: Any) -> State:
        state = honest.start(options)
        kind = type(state)

        class Leaky(kind):  # type: ignore[misc, valid-type]
            __slots__ = ()

            def apply(self, seat: int, action: Any) -> list[Event]:
                events = super().apply(seat, action)
                return [*events, Event("leak", {"views": [honest.view(self, one) for one in seats]})]

            def copy(self) -> Any:
                other = super().copy()
                other.__class__ = Leaky
                return other

        state.__class__ = Leaky
        return state

    with pytest.raises(AssertionError, match="tells"):
        for seed in range(3):
            check_secrets(table._replace(game=replace(honest, start=start)), seed)


def test_the_preview_of_a_step_onto_the_exit_shows_no_clan_card_that_was_set_aside() -> None:
    """Whoever leaves first sees them (DC-EXIT-06): nobody who only thinks of leaving."""
    table = next(one for one in SECRET if (one.game.key, one.sample) == ("dark_cave", "three-strict"))
    found = 0
    for seed in range(8):
        for step in walk(table.game, table.options, Random(seed), table.game.bots["careful"]):
            state = step.state
            for need in state.needs():
                for action in state.actions(need.seat) if need.seat >= 0 and not state.left else ():
                    if action.verb not in ("step", "stay"):
                        continue
                    after = state.copy()
                    kinds = {event.kind for event in after.apply(need.seat, action)}
                    if "saw-aside" in kinds:
                        assert preview(table.game, state, need.seat, need.seat, action) is None
                        found += 1
        if found >= 3:
            return
    raise AssertionError("nobody came to the exit")


@pytest.mark.parametrize("key", ["whisper", "dark_cave"])
def test_a_leak_in_a_preview_is_caught(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = next(one for one in SECRET if one.game.key == key)
    seats = range(len(table.game.seats(table.options)))

    def leaky(game: Any, state: State, viewer: Viewer, seat: int, action: Any) -> Any:
        return {"outcome": None}, [game.view(state, one) for one in seats]

    monkeypatch.setattr(contract_secrets, "preview", leaky)
    with pytest.raises(AssertionError, match="a preview tells"):
        for seed in range(3):
            check_secrets(table, seed)
