"""The loop: what the eyes judge becomes actions, and what the session knows becomes light.

`Loop.step` takes one look. A clear move is submitted; anything else changes nothing, is shown on the board
by light and told as a sentence, and waits for the players. It knows eyes and lights only as protocols.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import NamedTuple, Protocol

from companion.action import PUBLIC, Action, Cell, Seat
from companion.errors import DeviceError, Refused
from companion.game import Game
from companion.layout import Board, Layout, Piece
from companion.options import Options
from companion.scene import Glow, Scene
from companion.seeing import Ambiguous, Match, Mismatch, NoChange, Played, Unreadable
from companion.session import Session
from companion.state import Refusal, State

BACK = 4
"""How many decisions "we meant that" may go back."""
MOST_GUESSES = 400


class Sees(Protocol):
    """What the loop needs of the eyes."""

    def step(self) -> object | None:
        """Takes in one frame; raises `DeviceError` when the camera is gone."""

    def judge(self, game: Game, state: State, options: Options) -> Match | None:
        """Says what was played since `state`, or None while it is too early to tell."""


class Shows(Protocol):
    """What the loop needs of the lights."""

    def show(self, scene: Scene) -> None:
        """Shows a scene from now on."""


class Word(NamedTuple):
    """What the table says about what it sees: a code with a text, the cells, the rule that stands against it.

    `choices` are actions to choose from, in notation, where several would explain the table.
    """

    code: str
    cells: tuple[Cell, ...] = ()
    refusal: Refusal | None = None
    choices: tuple[tuple[tuple[Seat, str], ...], ...] = ()


QUIET = Word("fine")
TEXTS = {
    "eyes.fine": ("The table is as it should be.", "На столе всё как надо."),
    "eyes.moved": ("Understood: {moves}.", "Понятно: {moves}."),
    "eyes.wrong": ("This does not fit: {cells}.", "Здесь что-то не так: {cells}."),
    "eyes.choose": ("Which of these did you mean?", "Что из этого вы сделали?"),
    "eyes.unsure": (
        "I cannot see clearly at {cells}: straighten the pieces or tap the move.",
        "Плохо видно: {cells}. Поправьте компоненты или укажите ход на экране.",
    ),
    "eyes.blind": (
        "I cannot see the board. Play goes on by tapping.",
        "Поля не видно. Игра продолжается на экране.",
    ),
    "eyes.lost": (
        "The camera is gone. Play goes on by tapping.",
        "Камера пропала. Игра продолжается на экране.",
    ),
}
"""What the loop says, in English and Russian."""


class Loop:
    """Follows one session with one pair of eyes."""

    def __init__(
        self, session: Session, eyes: Sees, lights: Shows, tell: Callable[[Word], None] = lambda word: None
    ) -> None:
        self.session = session
        self._eyes = eyes
        self._lights = lights
        self._tell = tell
        self._board: Board = session.game.board(session.options)
        self.word = QUIET
        self._show()

    def step(self) -> Match | None:
        """Takes one look and does what follows from it; None while nothing can be said."""
        game, options = self.session.game, self.session.options
        try:
            if self._eyes.step() is None:
                return None
        except DeviceError:
            self._say(Word("lost"))
            return None
        state = self.session.state()
        result = self._eyes.judge(game, state, options)
        if isinstance(result, Played):
            self._play(result)
        elif isinstance(result, NoChange):
            self._say(QUIET)
        elif isinstance(result, Ambiguous):
            text = state.notation.text
            lines = tuple(tuple((seat, text(action)) for seat, action in line) for line in result.lines)
            self._say(Word("choose", result.cells, choices=lines))
        elif isinstance(result, Mismatch):
            cells = tuple(sorted({*result.expected, *result.seen}))
            self._say(Word("wrong", cells, why_not(game, state, self._board, cells)))
        elif isinstance(result, Unreadable):
            self._say(Word("unsure" if result.cells else "blind", result.cells))
        return result

    def choose(self, line: tuple[tuple[Seat, str], ...]) -> None:
        """The players say which of several explanations is right."""
        for seat, text in line:
            self.session.submit(seat, text)
        self._say(QUIET)

    def meant_that(self) -> bool:
        """The players say that the board is right: goes back a little and finds what leads to it.

        What stood is taken back and what fits is played, both in the journal. False, and nothing changed,
        where no short way from the last few positions leads to what is seen.
        """
        session = self.session
        done = session.lines()
        decisions = [i for i, (seat, _) in enumerate(done) if seat >= 0][-BACK:]
        for keep in reversed(decisions):
            state = session.game.start(session.options)
            for seat, text in done[:keep]:
                state.apply(seat, state.notation.parse(text))
            result = self._eyes.judge(session.game, state, session.options)
            if isinstance(result, Played):
                while len(session.lines()) > keep:
                    session.undo(force=True)
                self._play(result)
                return True
        return False

    def _play(self, played: Played) -> None:
        text = self.session.state().notation.text
        try:
            for seat, action in played.line:
                self.session.submit(seat, text(action))
        except Refused as refused:  # somebody tapped in the meantime
            self._say(Word("wrong", refused.refusal.cells, refused.refusal))
            return
        self._say(QUIET)

    def _say(self, word: Word) -> None:
        if word != self.word:
            self.word = word
            self._tell(word)
        self._show()

    def _show(self) -> None:
        game = self.session.game
        scene = game.scene(self.session.update(PUBLIC).view)
        self._lights.show(with_word(scene, self.word))


def with_word(scene: Scene, word: Word) -> Scene:
    """The scene with what the table has to say about itself on top."""
    meaning = {"wrong": "wrong", "choose": "choose", "unsure": "choose"}.get(word.code)
    if meaning is None:
        return scene
    return scene._replace(glows=(*scene.glows, *(Glow(cell, meaning) for cell in word.cells)))


def why_not(game: Game, state: State, board: Board, cells: tuple[Cell, ...]) -> Refusal | None:
    """The rule that most likely stands against what somebody did at these cells.

    Tries the actions that name these places, and gives the first reason that is about them.
    """
    names = {board.places[cell].name for cell in cells}
    best: Refusal | None = None
    for need in state.needs():
        for verb in need.verbs:
            takes = state.notation.verbs[verb]
            kinds = [
                [i for i, word in enumerate(kind.words) if word in names] or range(len(kind.words))
                for kind in takes.kinds
            ]
            if not any(word in names for kind in takes.kinds for word in kind.words):
                continue
            for number, args in enumerate(product(*kinds)):
                if number == MOST_GUESSES:
                    break
                refusal = state.refusal(need.seat, Action(verb, tuple(args)))
                if refusal is None:
                    continue
                if set(refusal.cells) & set(cells):
                    return refusal
                best = best or refusal
    return best


class Difference(NamedTuple):
    """A place that is not as it should be: what should lie there, and what does."""

    cell: Cell
    expected: tuple[Piece, ...]
    seen: tuple[Piece, ...]


def differences(expected: Layout, seen: Mapping[Cell, tuple[Piece, ...]]) -> list[Difference]:
    """What must be put right, cell by cell: for setting up, and for going on after a pause."""
    return [
        Difference(cell, expected.get(cell, ()), seen.get(cell, ()))
        for cell in sorted({*expected, *seen})
        if tuple(sorted(expected.get(cell, ()))) != tuple(sorted(seen.get(cell, ())))
    ]


def guide(found: list[Difference]) -> Scene:
    """Lights that lead the players: take away what is wrong, and the next piece's place glows brightest."""
    glows = [Glow(one.cell, "remove") for one in found if one.seen and not one.expected]
    glows += [Glow(one.cell, "wrong") for one in found if one.seen and one.expected]
    missing = [one for one in found if one.expected and not one.seen]
    glows += [Glow(one.cell, "place", level=1.0 if i == 0 else 0.25) for i, one in enumerate(missing)]
    return Scene(tuple(glows))
