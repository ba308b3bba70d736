"""Golden playthroughs: the first part of a game in every sample, as plain text for people to read.

`pytest tests/golden --accept-golden` writes them anew; read the difference before accepting it.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.engine.action import PUBLIC, TABLE
from companion.engine.game import Game
from companion.games import REGISTRY, load
from companion.table.play import walk

FOLDER = Path(__file__).parent
ACTIONS = 80
CASES = [(key, sample) for key in REGISTRY for sample in load(key).samples]


def changes(before: dict[str, Any], after: dict[str, Any]) -> str:
    """The parts of a view that are new."""
    new = {key: value for key, value in after.items() if key not in before or before[key] != value}
    return json.dumps(new, ensure_ascii=False, sort_keys=True)


def playthrough(game: Game, sample: str) -> str:
    options = game.resolve(game.samples[sample])
    seats = game.seats(options)
    names = {TABLE: "table", PUBLIC: "public"} | dict(enumerate(seats))
    cells = [place.name for place in game.board(options).places]
    shown: dict[int, dict[str, Any]] = {viewer: {} for viewer in game.viewers(options)}
    lights = ""
    lines = [f"{game.key} {sample} {json.dumps(dict(options), sort_keys=True)}"]
    for i, step in enumerate(walk(game, options, Random(3))):
        if i == ACTIONS:
            break
        state = step.state
        lines += ["", f"{i + 1}. {names[step.seat]}: {state.notation.text(step.action)}"]
        for event in step.events:
            heard = (
                "" if event.audience is None else f" [{' '.join(names[v] for v in sorted(event.audience))}]"
            )
            lines.append(f"   * {game.say('event', event, 'en', seats=seats, cells=cells)}{heard}")
        for need in state.needs():
            actions = [state.notation.text(action) for action in state.actions(need.seat)]
            lines.append(f"   ? {names[need.seat]} ({len(actions)}): {'; '.join(actions[:12])}")
        for viewer in shown:
            view = game.view(state, viewer)
            if view != shown[viewer]:
                lines.append(f"   {names[viewer]} sees {changes(shown[viewer], view)}")
                shown[viewer] = view
        scene = game.scene(shown[PUBLIC])
        glows = " ".join(
            f"{cells[g.cell]}={g.meaning}{'/' + g.tint if g.tint else ''}{f'/{g.order}' if g.order else ''}"
            for g in scene.glows
        )
        if glows + scene.mood != lights:
            lights = glows + scene.mood
            lines.append(f"   lights {glows} {scene.mood}".rstrip())
    outcome = state.outcome()
    if outcome is not None:
        lines += ["", f"{outcome.code} by {outcome.rule}"]
    return "\n".join(lines) + "\n"


@pytest.mark.slow
@pytest.mark.parametrize(("key", "sample"), CASES, ids=lambda word: word)
def test_golden_playthrough(key: str, sample: str, request: pytest.FixtureRequest) -> None:
    path = FOLDER / f"{key}-{sample}.txt"
    text = playthrough(load(key), sample)
    if request.config.getoption("--accept-golden"):
        path.write_text(text, "utf-8")
    assert path.exists(), f"{path.name} is missing: run pytest tests/golden --accept-golden and read it"
    assert path.read_text("utf-8") == text


def test_no_golden_playthrough_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {f"{key}-{sample}" for key, sample in CASES}
