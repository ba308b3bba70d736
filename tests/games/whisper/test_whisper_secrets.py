"""Nothing hidden gets out, by any of the ways in which something could; and the check itself can fail."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from whisper_night import KILLER, TEAM, bag, night, proves, put, wake

from companion.engine.action import PUBLIC, TABLE, Action, Viewer
from companion.engine.chance import weighted
from companion.engine.game import Game, random_bot, shared_view, turn_for
from companion.engine.scene import Glow, Scene
from companion.engine.state import Event, Refusal
from companion.games import whisper
from companion.games.whisper import GAME
from companion.games.whisper.agenda import Whisper
from companion.games.whisper.view import HIDDEN_STEPS
from companion.service.benchmark import playout
from companion.table.journal import Journal
from companion.table.play import PlayedStep, walk
from companion.table.session import Session

OPTIONS = [
    {"killer": killer, "skills": skills, "plans": plans}
    for killer in ("butcher", "specter", "maniac")
    for skills, plans in (("off", False), ("hard", True))
]
CROSSROADS = {"players": 4, "crossroads": True, "skills": "normal", "plans": True, "private": True}


def played(game: Game, given: dict[str, Any], seed: int) -> Iterator[Whisper]:
    """The states of a random game."""
    state = game.start(game.resolve(given))
    assert isinstance(state, Whisper)
    rng = Random(seed)
    yield state
    while needs := state.needs():
        seat = rng.choice(needs).seat
        state.apply(
            seat, weighted(state.outcomes(), rng) if seat == TABLE else rng.choice(state.actions(seat))
        )
        yield state


def payload(game: Game, state: Whisper, viewer: Viewer, tries: list[Action]) -> dict[str, str]:
    """Every byte that a viewer gets from a position, by channel."""
    view = game.view(state, viewer)
    found = {
        "view": json.dumps({key: value for key, value in view.items() if key != "needs"}),
        "needs": json.dumps(view["needs"]),
        "lights": str(game.scene(view)),
        "reasons": str([game.explain(view, cell) for cell in range(len(game.board({}).places))]),
    }
    if viewer >= 0:
        found["actions"] = str(state.actions(viewer))
        found["refusals"] = str([state.refusal(viewer, action) for action in tries])
    return found


def leaks(game: Game, given: dict[str, Any], seeds: range, every: int = 17) -> set[str]:
    """The channels in which two states that a viewer may not tell apart differ."""
    found: set[str] = set()
    for seed in seeds:
        rng = Random(seed)
        viewers = game.viewers(game.resolve(given))
        for i, state in enumerate(played(game, given, seed)):
            if i % every or not state.needs():
                continue
            for viewer in viewers:
                other = game.disguise(state, viewer, rng)
                assert isinstance(other, Whisper)
                other.check()
                tries = [action for seat in viewers if seat >= 0 for action in state.actions(seat)[:6]]
                one, two = payload(game, state, viewer, tries), payload(game, other, viewer, tries)
                found |= {channel for channel in one if one[channel] != two[channel]}
    return found


@pytest.mark.slow
@pytest.mark.parametrize("given", [*OPTIONS, CROSSROADS], ids=str)
def test_what_is_hidden_changes_no_byte(given: dict[str, Any]) -> None:
    assert leaks(GAME, given, range(3)) == set()


@pytest.mark.long
@pytest.mark.parametrize("given", [*OPTIONS, CROSSROADS], ids=str)
def test_what_is_hidden_changes_no_byte_in_thousands_of_games(given: dict[str, Any]) -> None:
    assert leaks(GAME, given, range(300), every=29) == set()


# Planted leaks: the check must find each ---------------------------------------------------------


def leaky_view(state: Whisper, viewer: Viewer) -> dict[str, Any]:
    return GAME.view(state, viewer) | {"deck_left": state.killer.deck_size}


def leaky_needs(state: Whisper, viewer: Viewer) -> dict[str, Any]:
    return GAME.view(state, viewer) | {"needs": shared_view("whisper", state)["needs"]}


def leaky_scene(view: dict[str, Any]) -> Scene:
    return Scene((*GAME.scene(view).glows, Glow(view.get("real", 0), "threat")))


def leaky_place(state: Whisper, viewer: Viewer) -> dict[str, Any]:
    return GAME.view(state, viewer) | {"real": state.team[0].place}


class LooseTongue(Whisper):
    """Refuses with a reason that tells where a survivor is."""

    __slots__ = ()

    def refusal(self, seat: int, action: Action) -> Refusal | None:
        found = super().refusal(seat, action)
        return found if found is None else Refusal(found.code, (self.team[0].place,), found.rule)


class Loud(Whisper):
    """Tells everybody how many noises are pending."""

    __slots__ = ()

    def apply(self, seat: int, action: Action) -> list[Event]:
        return [*super().apply(seat, action), Event("woke", {"n": self.house.pending.bit_count()})]


def started_as(kind: type[Whisper]) -> Callable[[Any], Whisper]:
    def start(options: Any) -> Whisper:
        state = GAME.start(options)
        state.__class__ = kind
        assert isinstance(state, Whisper)
        return state

    return start


PLANTED = {
    "view": replace(GAME, view=leaky_view),
    "needs": replace(GAME, view=leaky_needs),
    "lights": replace(GAME, view=leaky_place, scene=leaky_scene),
    "refusals": replace(GAME, start=started_as(LooseTongue)),
}


@pytest.mark.slow
@pytest.mark.parametrize("channel", PLANTED)
def test_a_planted_leak_is_found(channel: str) -> None:
    assert channel in leaks(PLANTED[channel], OPTIONS[0], range(2))


# Hidden actions cannot be counted ----------------------------------------------------------------

OPEN_KINDS = frozenset(
    [
        "calmed",
        "barricade-removed",
        "healed",
        "key-placed",
        "rescue-called",
        "noise-reported",
        "silence-reported",
        "firecracker",
        "killer-draws",
        "level-rose",
        "strength-changed",
        "unlocked",
        "frightened",
        "panicked",
        "wounded",
        "barricaded",
        "killer-began",
        "killer-waited",
        "round-began",
        "rescue-moved",
        "token-passed",
        "ended",
        "escaped",
        "barricade-stands",
        "barricade-taken",
    ]
)
"""What the killer may hear of the survivors' turn."""


def counted(game: Game, given: dict[str, Any], seed: int) -> str:
    """Looks for a hidden action that the other side notices; returns what told, or nothing."""
    state = game.start(game.resolve(given))
    assert isinstance(state, Whisper)
    rng = Random(seed)
    while needs := state.needs():
        seat = rng.choice(needs).seat
        name = state.todo[-1][0]
        before = {viewer: json.dumps(game.view(state, viewer)) for viewer in (KILLER, TEAM, PUBLIC)}
        action = weighted(state.outcomes(), rng) if seat == TABLE else rng.choice(state.actions(seat))
        events = state.apply(seat, action)
        if not state.needs():
            break
        others = (
            (KILLER, PUBLIC) if name in HIDDEN_STEPS else (TEAM, PUBLIC) if name in ("pay", "discard") else ()
        )
        for viewer in others:
            told = [event.kind for event in events if event.is_for(viewer)]
            if name in HIDDEN_STEPS and set(told) - OPEN_KINDS:
                return f"{action} is heard: {told}"
            if not told and json.dumps(game.view(state, viewer)) != before[viewer]:
                return f"{action} is seen"
    return ""


@proves("WW-TURN-15", "WW-COMM-01")
@pytest.mark.slow
@pytest.mark.parametrize("given", OPTIONS, ids=str)
def test_hidden_actions_cannot_be_counted(given: dict[str, Any]) -> None:
    for seed in range(3):
        assert counted(GAME, given, seed) == "", seed


def test_a_planted_count_is_found() -> None:
    def view(state: Whisper, viewer: Viewer) -> dict[str, Any]:
        return GAME.view(state, viewer) | {"step": len(state.todo)}

    assert "is seen" in counted(replace(GAME, view=view), OPTIONS[0], 1)
    assert "is heard" in counted(replace(GAME, start=started_as(Loud)), OPTIONS[0], 1)


def test_a_hidden_action_moves_no_counter_of_the_other_side(tmp_path: Path) -> None:
    given = {"killer": "butcher", "survivors": "sophia+anna+william"}
    session = Session.start(Journal(tmp_path / "j.db"), GAME, GAME.resolve(given), seed=3)
    killer, public, mine = (session.update(viewer) for viewer in (KILLER, PUBLIC, TEAM))
    for line in ("wake anna", "move K3", "done", "wake sophia"):
        session.submit(TEAM, line)
    assert session.update(KILLER) == killer and session.update(PUBLIC) == public
    assert session.update(TEAM).version > mine.version


def test_an_ended_game_keeps_no_secrets() -> None:
    state = night()
    playout(state, Random(5))
    seen = GAME.view(state, PUBLIC)
    assert {"hand", "places", "gears", "bags"} <= set(seen)


def test_every_refusal_has_words() -> None:
    codes = set()
    for path in Path(whisper.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "no":
                first = node.args[0]
                parts = [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]
                codes |= {part.value for part in parts if isinstance(part, ast.Constant)}
    assert len(codes) > 40
    assert [code for code in sorted(codes) if f"refusal.{code}" not in GAME.texts] == []


@pytest.mark.slow
def test_careful_players_beat_random_ones() -> None:
    def share(killer_bot: Any, team_bot: Any, games: int = 12) -> float:
        won = 0
        for seed in range(games):
            rng = Random(seed)
            state = GAME.start(GAME.resolve({"killer": ("butcher", "specter", "maniac")[seed % 3]}))
            while needs := state.needs():
                seat = needs[0].seat
                if seat == TABLE:
                    state.apply(seat, weighted(state.outcomes(), rng))
                else:
                    bot = killer_bot if seat == KILLER else team_bot
                    state.apply(seat, bot(turn_for(GAME, state, seat, rng)))
            outcome = state.outcome()
            assert outcome is not None
            won += outcome.winners == (0,)
        return won / games

    careful = GAME.bots["careful"]
    assert share(random_bot, careful) <= 0.3, "a careful team escapes a random killer"
    assert share(careful, careful) >= 0.4, "a careful killer catches a careful team"


def test_a_careful_sophia_does_not_go_to_and_fro_through_a_passage_for_ever() -> None:
    """With the flashlight a passage is an extra action, which may be done any number of times."""
    for here in ("C1", "Z2"):
        state = bag(put(night(team="sophia marco william"), sophia=here), "sophia", "flashlight")
        wake(state, "sophia")
        state.main_done, state.house.rescue = True, 3  # only the killer is to be kept away from
        rng, done = Random(1), []
        while state.active >= 0 and len(done) < 10:
            action = GAME.bots["careful"](turn_for(GAME, state, TEAM, rng))
            done.append(state.notation.text(action))
            state.apply(TEAM, action)
        assert done[-1] == "done" and len(done) <= 2, done


def test_careful_players_do_not_exchange_for_ever() -> None:
    """As it happened: with the killer next door every main action seemed worse than one more exchange."""
    done = [text(step) for step in walk(GAME, GAME.resolve({}), Random(104), GAME.bots["careful"])]
    assert len(done) < 1000 and not any(one.startswith(("give", "swap")) for one in done)


def text(step: PlayedStep) -> str:
    return step.state.notation.text(step.action)


def test_the_price_of_all_other_cards_does_not_tell_how_many_they_were() -> None:
    """The reading in which Life Drain costs all other cards (AMB-39): the number is the killer's alone."""
    game = GAME
    options = game.resolve({"killer": "specter", "alt_drain": True})
    heard = []
    for seed in range(60):
        for step in walk(game, options, Random(seed)):
            if step.seat == 0 and step.state.notation.text(step.action) == "play specter_drain":
                heard += [event for event in step.events if event.kind.startswith("played")]
        if len(heard) >= 4:
            break
    assert {event.kind: set(event.data) for event in heard} == {
        "played": {"card", "cost"},
        "played-for-all": {"card"},
    }
    for event in heard:
        assert event.is_for(0) == (event.kind == "played")
        assert event.is_for(1) == event.is_for(PUBLIC) == (event.kind == "played-for-all")
