"""What the table asks the players or tells them about what lies there, and the light that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.engine.action import Cell, Seat
from companion.engine.layout import Piece
from companion.engine.scene import Glow, Scene
from companion.engine.state import Refusal
from companion.table.hand_steps import Step

LineOfPlay = tuple[tuple[Seat, str], ...]
"""Actions one after the other, in notation."""


class Difference(NamedTuple):
    """A place that is not as it should be: what should lie there, and what does."""

    cell: Cell
    expected: tuple[Piece, ...]
    seen: tuple[Piece, ...]


class Unfinished(NamedTuple):
    """A move that hands have begun: its line, what they have still to do, and what they have done.

    The line is empty where many moves begin so: then the steps are those that all of them have in common.
    """

    line: LineOfPlay
    steps: tuple[Step, ...]
    done: tuple[Step, ...] = ()


class Prompt(NamedTuple):
    """What the table says about what it sees: a code with a text, the cells, the rule that stands against it.

    `choices` are lines to choose from where several would explain the table; `begun` are the moves that the
    table comes near to; `found` is what must be put right before play goes on; `why` is the reason why places
    cannot be read; `percent` says how much of a long work is done.
    """

    code: str
    cells: tuple[Cell, ...] = ()
    refusal: Refusal | None = None
    choices: tuple[LineOfPlay, ...] = ()
    found: tuple[Difference, ...] = ()
    why: str = ""
    percent: int = 0
    begun: tuple[Unfinished, ...] = ()

    @property
    def text(self) -> str:
        """The key of its sentence."""
        return f"eyes.{self.why or self.code}"


ALL_RIGHT = Prompt("fine")
NEEDS_ANSWER = ("wrong", "finish", "choose", "unsure", "lay")
"""The codes of prompts that wait for the players."""
MEANING = {"wrong": "wrong", "finish": "choose", "choose": "choose", "unsure": "choose"}
"""What the places of a prompt mean for the lights."""


def with_prompt(scene: Scene, prompt: Prompt) -> Scene:
    """The scene with what the table has to say about itself on top; what must be put right stands alone."""
    if prompt.code == "lay":
        return guide(prompt.found)
    if prompt.found:
        return scene._replace(glows=(*scene.glows, *guide(prompt.found).glows))
    meaning = MEANING.get(prompt.code)
    if meaning is None:
        return scene
    return scene._replace(glows=(*scene.glows, *(Glow(cell, meaning) for cell in prompt.cells)))


def guide(found: Sequence[Difference]) -> Scene:
    """Lights that lead the players: take away what is wrong, and the next piece's place glows brightest."""
    glows = [Glow(one.cell, "remove") for one in found if one.seen and not one.expected]
    glows += [Glow(one.cell, "wrong") for one in found if one.seen and one.expected]
    missing = [one for one in found if one.expected and not one.seen]
    glows += [Glow(one.cell, "place", level=1.0 if i == 0 else 0.25) for i, one in enumerate(missing)]
    return Scene(tuple(glows))
