"""The non-interference check: what a viewer may not know changes nothing that the viewer gets."""

from __future__ import annotations

from random import Random

from contract_table import PUBLIC, Table, near_actions

from companion.engine.action import TABLE, Viewer
from companion.engine.game import preview
from companion.engine.state import State


def demand_same(table: Table, state: State, other: State, viewer: Viewer, rng: Random) -> None:
    """Asserts that the viewer cannot tell two states apart, by any of the ways that something gets out."""
    game = table.game
    assert game.view(state, viewer) == game.view(other, viewer), f"the view of {viewer} tells"
    if viewer == PUBLIC:
        assert game.scene(game.view(state, viewer)) == game.scene(game.view(other, viewer)), "the lights tell"
        return
    legal = state.actions(viewer)
    assert legal == other.actions(viewer), f"the actions offered to {viewer} tell"
    for action in rng.sample(legal, min(40, len(legal))):
        told, also = (preview(game, one, viewer, viewer, action) for one in (state, other))
        if told is not None and told[0]["outcome"] is not None:
            continue  # the session shows no end of a game
        assert told == also, f"a preview tells: {action}"
    for action in near_actions(state, legal, rng, 12):
        assert state.refusal(viewer, action) == other.refusal(viewer, action), f"a refusal tells: {action}"


def demand_same_events(table: Table, state: State, other: State, viewer: Viewer, rng: Random) -> None:
    """Takes one action that is legal in both and reveals nothing; the viewer must hear and see the same."""
    for need in state.needs():
        if need.seat == TABLE:
            actions = [action for action in state.actions(TABLE) if not action.args]
        else:
            actions = [a for a in state.actions(need.seat) if not state.notation.verbs[a.verb].reveals]
        for action in rng.sample(actions, min(3, len(actions))):
            if other.refusal(need.seat, action) is not None:
                continue
            one, two = state.copy(), other.copy()
            heard = [e[:2] for e in one.apply(need.seat, action) if e.is_for(viewer)]
            also = [e[:2] for e in two.apply(need.seat, action) if e.is_for(viewer)]
            if not one.needs():
                continue  # a game that is over keeps no secrets
            assert heard == also, f"what {viewer} hears of {action} tells"
            assert table.game.view(one, viewer) == table.game.view(two, viewer), (
                f"{viewer} sees after {action}"
            )


def check_secrets(table: Table, seed: int, every: int = 4, most: int = 400) -> int:
    """Checks a whole random game; returns how often the disguise really hid something."""
    rng = Random(seed)
    hidden = 0
    for i, step in enumerate(table.walk(seed)):
        if i > most:
            break
        if i % every:
            continue
        state = step.state
        for viewer in table.game.viewers(table.options):
            other = table.game.disguise(state, viewer, rng)
            other.check()
            demand_same(table, state, other, viewer, rng)
            demand_same_events(table, state, other, viewer, rng)
            hidden += table.views(other) != table.views(state)
    return hidden
