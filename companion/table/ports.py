"""What pages ask of the parts that the composition root builds: the rig, the workshop, the club's tables.

Pages know these protocols alone. Whoever builds the table hands in objects that satisfy them, or None where a
table has no such part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from companion.engine.action import Viewer
from companion.engine.layout import Face
from companion.engine.options import Value
from companion.settings.config import Changes, Config, MqttSettings, Schema
from companion.table.health import HealthLine
from companion.table.prompt import LineOfPlay
from companion.table.session import Session

# The physical side ----------------------------------------------------------------------------------


class LitLed(NamedTuple):
    """An LED as players see it: its place in mm on the board; red, green and blue, 0 to 1; its reach."""

    x: float
    y: float
    light: tuple[float, float, float]
    reach_mm: float = 30.0


class Numbered(Protocol):
    """A piece on the virtual table; its fields, in order, are what the page draws."""

    @property
    def id(self) -> int: ...


class Pieces(Protocol):
    """The pieces on the virtual table; an unknown number raises `StopIteration`."""

    @property
    def faces(self) -> Mapping[str, Face]: ...

    def things(self) -> Sequence[tuple[Any, ...]]: ...

    def put(self, face: str, x: float, y: float, angle: float) -> Numbered: ...

    def move(self, number: int, x: float, y: float, angle: float) -> Numbered: ...

    def change(self, number: int, face: str) -> Numbered: ...

    def take(self, number: int) -> Numbered: ...


class Answers(Protocol):
    """Takes what players answer when the table asks about what it sees."""

    def choose(self, line: LineOfPlay) -> None:
        """Plays one of the lines that were offered."""

    def accept_board(self) -> bool:
        """Plays what leads to the board as it lies; False where no legal play does."""

    def accept_as_is(self) -> None:
        """Goes on with the game as it stands, whatever lies on the board."""


class GameRig(Protocol):
    """The physical side of one game."""

    @property
    def session(self) -> Session: ...

    @property
    def loop(self) -> Answers: ...

    @property
    def world(self) -> Pieces | None:
        """The virtual table; None where the table is real."""

    @property
    def helps(self) -> bool:
        """Whether virtual hands lay what is tapped."""

    def leds(self) -> Sequence[LitLed]:
        """Every LED as it shines now."""

    def press(self, name: str) -> None:
        """Presses a virtual button; raises `ValueError` where it is real or unknown."""

    def fault(self, name: str, is_on: bool) -> None:
        """Breaks or mends the virtual camera; raises `ValueError` for an unknown fault."""

    def faults(self) -> Sequence[str]: ...

    def break_switch(self, cell: int, fault: str, other: int) -> None:
        """Breaks or mends a virtual switch; raises `ValueError` where it is real or unknown."""

    def broken_switches(self) -> Mapping[int, str]: ...

    def felt(self) -> Sequence[int]:
        """The places whose switches are closed."""

    def troubles(self) -> Sequence[str]:
        """What is wrong with the parts, as sentences."""


class ScreenPicture(NamedTuple):
    """What a projector shows: its number, the screen's size, and parts: the corners in pixels, a colour."""

    number: int
    size: tuple[int, int]
    parts: Sequence[tuple[Sequence[float], str]]


class PhysicalTable(Protocol):
    """Follows the game on the table with camera, lights and buttons."""

    helps: bool
    """Whether virtual hands lay what is tapped, in this game and the next."""

    @property
    def sitting(self) -> GameRig | None:
        """The physical side of the game on the table; None while none is laid out."""

    def picture(self, overlay: bool) -> bytes | None:
        """The camera's newest picture as JPEG; None where there is none yet."""

    def projected(self, drawn: int) -> ScreenPicture:
        """What a projector shows now; `drawn` is the number of the picture that its page shows."""

    def put_right(self) -> None:
        """Lays the virtual table as the game needs it."""

    def touch(self) -> None:
        """Notes that somebody has moved a piece by hand."""


# The workshop ---------------------------------------------------------------------------------------


class PictureProblem(Protocol):
    """What is wrong with a picture of a face: a code with a text, the face, the details."""

    @property
    def code(self) -> str: ...

    @property
    def face(self) -> str: ...

    @property
    def text(self) -> str: ...


class WorkshopPort(Protocol):
    """The parts and settings of the table while no game is on it.

    What needs a part raises `DeviceError` where there is none, and `ConfigError` for what makes no sense.
    """

    @property
    def config(self) -> Config: ...

    @property
    def folder(self) -> Path: ...

    @property
    def schema(self) -> Schema: ...

    @property
    def game(self) -> str: ...

    def open(self, key: str, board: str) -> None: ...

    def close(self) -> None: ...

    def change(self, changes: Changes) -> None: ...

    def use_again(self) -> None: ...

    def boards(self, key: str) -> Mapping[str, Mapping[str, Value]]: ...

    def sheet(self, key: str, board: str, language: str) -> bytes: ...

    def health(self) -> list[HealthLine]: ...

    def picture(self) -> bytes: ...

    def sight(self) -> dict[str, Any]: ...

    def set_corners(self, corners: Sequence[Sequence[float]]) -> None: ...

    def forget_corners(self) -> None: ...

    def card_sheet(self, language: str) -> bytes: ...

    def lay_cards(self) -> None: ...

    def survey(self) -> dict[str, Any]: ...

    def measure_board(self, corners: Sequence[Sequence[float]]) -> dict[str, Any]: ...

    def measure_zone(self, zone: str, corners: Sequence[Sequence[float]]) -> None: ...

    def measure_place(self, name: str, x: float, y: float) -> None: ...

    def forget_cards(self) -> None: ...

    def take_view(self) -> dict[str, Any]: ...

    def forget_views(self) -> None: ...

    def measure_lens(self) -> float: ...

    def lesson(self) -> dict[str, Any]: ...

    def photograph(self, face: str, turn: int) -> Sequence[PictureProblem]: ...

    def taken(self, face: str) -> bytes: ...

    def drop(self, face: str) -> None: ...

    def finish_lesson(self) -> Sequence[PictureProblem]: ...

    def lights(self) -> dict[str, Any]: ...

    def wled(self, host: str) -> list[dict[str, Any]]: ...

    def blink(self, leds: int) -> None: ...

    def keep_map(self) -> None: ...

    def switches(self) -> dict[str, Any]: ...

    def touch(self, do: str) -> None: ...

    def find_screen(self) -> None: ...

    def set_screen(self, corners: Sequence[tuple[float, float]]) -> None: ...

    def test(self) -> dict[str, Any]: ...

    def show(self, name: str) -> None: ...

    def press(self, name: str) -> None: ...


# The club -------------------------------------------------------------------------------------------


class ClubTable(Protocol):
    """A table of the club as the broker shows it; `facts` is empty until it has said something."""

    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def is_there(self) -> bool: ...

    @property
    def facts(self) -> Mapping[str, Any]: ...


class Club(Protocol):
    """The tables that share a broker with this one."""

    @property
    def settings(self) -> MqttSettings: ...

    @property
    def trouble(self) -> str:
        """Why the broker is not reached, in one sentence; empty when all is well."""

    def tables(self) -> Sequence[ClubTable]: ...


class Voice(Protocol):
    """Says sentences."""

    def wav(self, text: str, language: str, whose: Viewer) -> bytes | None:
        """A sentence of a viewer's log as a WAV file; None where nothing can say it."""
