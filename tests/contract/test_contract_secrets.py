"""Nothing hidden gets out, and the check that says so can fail."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from contract_secrets import check_secrets
from contract_table import Table, name, tables

from companion.action import Viewer
from companion.state import Event, State


def has_secrets(table: Table) -> bool:
    """Says whether two viewers ever see different things."""
    for i, step in enumerate(table.walk(1)):
        views = list(table.views(step.state).values())
        if any(view != views[0] for view in views):
            return True
        if i > 400:
            break
    return False


@pytest.mark.parametrize("table", tables(), ids=name)
def test_what_a_viewer_may_not_know_changes_nothing_for_them(table: Table) -> None:
    hidden = sum(check_secrets(table, seed) for seed in range(3))
    assert bool(hidden) == has_secrets(table), "the disguise must hide whatever the views differ in"


SECRET = [table for table in tables() if has_secrets(table)]


@pytest.mark.parametrize("table", SECRET, ids=name)
def test_a_leak_in_the_view_is_caught(table: Table) -> None:
    honest = table.game.view
    seats = range(len(table.game.seats(table.options)))

    def leaky(state: State, viewer: Viewer) -> dict[str, Any]:
        return honest(state, viewer) | {"leak": [honest(state, seat) for seat in seats]}

    with pytest.raises(AssertionError, match=r"tells|sees"):
        for seed in range(3):
            check_secrets(table._replace(game=replace(table.game, view=leaky)), seed)


@pytest.mark.parametrize("table", SECRET, ids=name)
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
