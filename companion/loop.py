"""The loop: what the eyes judge becomes actions, and what the session knows becomes light.

`Loop.step` takes one look. A clear move is submitted; anything else changes nothing, is shown on the board
by light and told as a sentence, and waits for the players. Before a game goes on, the players are led cell by
cell until the board is as it should be. It knows eyes and lights only as protocols.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product
from typing import NamedTuple, Protocol

from companion.action import PUBLIC, TABLE, Action, Cell, Seat
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

    def overlook(self, expected: Layout, cells: Collection[Cell] | None = None) -> None:
        """Takes these places, or all, for what is expected as they lie now: right until they change."""


class Shows(Protocol):
    """What the loop needs of the lights."""

    def show(self, scene: Scene) -> None:
        """Shows a scene from now on."""


Line = tuple[tuple[Seat, str], ...]
"""Actions one after the other, in notation."""
Compare = Callable[[Game, State, Options], Match | None]
"""Says how the table differs from a position, whatever may be played next; None while it is too early."""


class Difference(NamedTuple):
    """A place that is not as it should be: what should lie there, and what does."""

    cell: Cell
    expected: tuple[Piece, ...]
    seen: tuple[Piece, ...]


class Word(NamedTuple):
    """What the table says about what it sees: a code with a text, the cells, the rule that stands against it.

    `choices` are lines to choose from where several would explain the table; `found` is what must be put
    right before play goes on.
    """

    code: str
    cells: tuple[Cell, ...] = ()
    refusal: Refusal | None = None
    choices: tuple[Line, ...] = ()
    found: tuple[Difference, ...] = ()


QUIET = Word("fine")
ASKS = ("wrong", "choose", "unsure", "lay")
"""The words that wait for the players."""
TEXTS = {
    "eyes.fine": ("The table is as it should be.", "На столе всё как надо."),
    "eyes.lay": (
        "Put the board right where the lights show it: {cells}.",
        "Поправьте поле там, где показывает свет: {cells}.",
    ),
    "eyes.waking": (
        "I am getting to know the pieces. Play goes on by tapping.",
        "Запоминаю компоненты. Играть уже можно на экране.",
    ),
    "eyes.untaught": (
        "I do not know these pieces yet: teach them in the workshop. Play goes on by tapping.",
        "Эти компоненты мне незнакомы: покажите их в мастерской. Игра продолжается на экране.",
    ),
    "eyes.wrong": ("This does not fit: {cells}.", "Здесь что-то не так: {cells}."),
    "eyes.choose": ("Which of these did you mean?", "Что из этого вы сделали?"),
    "eyes.unsure": (
        "I cannot see clearly at {cells}: straighten the pieces, turn away a lamp that glares there, "
        "or tap the move.",
        "Плохо видно: {cells}. Поправьте компоненты, уберите блик от лампы или укажите ход на экране.",
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
    """Follows one session with one pair of eyes; safe to use from several threads.

    With `compare` the players are first led until the board is as the session has it.
    """

    def __init__(
        self,
        session: Session,
        eyes: Sees,
        lights: Shows,
        tell: Callable[[Word], None] = lambda word: None,
        compare: Compare | None = None,
    ) -> None:
        self.session = session
        self._eyes = eyes
        self._lights = lights
        self._tell = tell
        self._compare = compare
        self._board: Board = session.game.board(session.options)
        self._agreed = session.state(), len(session.lines())
        """The last position in which table and session agreed, and how many actions had led to it."""
        self._asked: tuple[frozenset[Cell], int] = frozenset(), 0
        """The places that could not be read when the players were last asked, and after how many actions."""
        self._lock = threading.Lock()
        self.word = QUIET
        self.show()

    @property
    def is_leading(self) -> bool:
        """Whether the board must be put right before play goes on."""
        return self._compare is not None

    def step(self) -> Match | None:
        """Takes one look and does what follows from it; None while nothing can be said."""
        with self._lock:
            try:
                if self._eyes.step() is None:
                    return None
            except DeviceError:
                self.say(Word("lost"))
                return None
            if self.word.code == "lost":
                self.say(QUIET)
            state = self.session.state()
            judge = self._compare or self._eyes.judge
            result = judge(self.session.game, state, self.session.options)
            if isinstance(result, Played) and self._is_still_to_be_laid():
                return None
            self._answer(state, result)
            return result

    def _is_still_to_be_laid(self) -> bool:
        """Whether somebody tapped and the table lies as before: what was tapped must be laid first."""
        state, lines = self._agreed
        if len(self.session.lines()) == lines:
            return False
        return isinstance(self._eyes.judge(self.session.game, state, self.session.options), NoChange)

    def _answer(self, state: State, result: Match | None) -> None:
        if isinstance(result, Played):
            self._asked = frozenset(), 0
            self._play(result)
        elif isinstance(result, NoChange):
            self._asked = frozenset(), 0
            self._compare = None
            self._agreed = state, len(self.session.lines())
            self.say(QUIET)
        elif isinstance(result, Ambiguous):
            text = state.notation.text
            lines = tuple(tuple((seat, text(action)) for seat, action in line) for line in result.lines)
            self.say(Word("choose", result.cells, choices=lines))
        elif isinstance(result, Mismatch):
            cells = tuple(sorted({*result.expected, *result.seen}))
            if self.is_leading:
                found = tuple(differences(result.expected, result.seen))
                self.say(Word("lay", cells, found=found))
            else:
                self.say(Word("wrong", cells, why_not(self.session.game, state, self._board, cells)))
        elif isinstance(result, Unreadable):
            self._ask(state, result.cells)

    def _ask(self, state: State, cells: tuple[Cell, ...]) -> None:
        """Says what cannot be read; where players have entered a move since, they need not be asked again."""
        asked, lines = self._asked
        if cells and asked.issuperset(cells) and len(self.session.lines()) > lines:
            self._eyes.overlook(self.session.game.expected(state, self.session.options), cells)
            self._agreed = state, len(self.session.lines())
            self.say(QUIET)
        else:
            self._asked = frozenset(cells), len(self.session.lines())
            self.say(Word("unsure" if cells else "blind", cells))

    def choose(self, line: Line) -> None:
        """The players say which of several explanations is right."""
        for seat, text in line:
            self.session.submit(seat, text)
        self.say(QUIET)

    def overlook(self) -> None:
        """The players say that it may stay so: nothing more is said about these places until they change."""
        with self._lock:
            session = self.session
            self._compare = None
            self._eyes.overlook(session.game.expected(session.state(), session.options))
            self.say(QUIET)

    def meant_that(self) -> bool:
        """The players say that the board is right: goes back a little and finds what leads to it.

        What stood is taken back and what fits is played, both in the journal. False, and nothing changed,
        where no short way from the last few positions leads to what is seen.
        """
        with self._lock:
            session = self.session
            done = session.lines()
            decisions = [i for i, (seat, _) in enumerate(done) if seat >= 0][-BACK:]
            for keep in [len(done), *reversed(decisions)]:
                state = session.game.start(session.options)
                for seat, text in done[:keep]:
                    state.apply(seat, state.notation.parse(text))
                result = self._eyes.judge(session.game, state, session.options)
                if isinstance(result, Played):
                    while len(session.lines()) > keep:
                        session.undo(force=True)
                    self._compare = None
                    self._play(result)
                    return True
            return False

    def _play(self, played: Played) -> None:
        text = self.session.state().notation.text
        try:
            for seat, action in played.line:
                self.session.submit(seat, text(action))
        except Refused as refused:  # somebody tapped in the meantime
            self.say(Word("wrong", refused.refusal.cells, refused.refusal))
            return
        self._agreed = self.session.state(), len(self.session.lines())
        self.say(QUIET)

    def say(self, word: Word) -> None:
        """Says something to the players, once."""
        if word != self.word:
            self.word = word
            self._tell(word)
        self.show()

    def show(self) -> None:
        """Lights what the session knows and what there is to say; never what the public may not see."""
        game, options = self.session.game, self.session.options
        scene = game.scene(self.session.update(PUBLIC).view)
        is_public = game.camera(options) not in range(len(self.session.seats))
        self._lights.show(with_word(scene, self.word) if is_public else scene)


def with_word(scene: Scene, word: Word) -> Scene:
    """The scene with what the table has to say about itself on top; what must be put right stands alone."""
    if word.code == "lay":
        return guide(word.found)
    meaning = {"wrong": "wrong", "choose": "choose", "unsure": "choose"}.get(word.code)
    if meaning is None:
        return scene
    return scene._replace(glows=(*scene.glows, *(Glow(cell, meaning) for cell in word.cells)))


def why_not(game: Game, state: State, board: Board, cells: tuple[Cell, ...]) -> Refusal | None:
    """The rule that most likely stands against what somebody did at these cells.

    Tries the actions that name these places, and gives the first reason that is about them. Everybody reads
    it, so only seats are tried that know no more than everybody.
    """
    names = {board.places[cell].name for cell in cells}
    public = game.view(state, PUBLIC)
    best: Refusal | None = None
    for need in state.needs():
        if need.seat == TABLE or game.view(state, need.seat) != public:
            continue
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


def differences(expected: Layout, seen: Mapping[Cell, tuple[Piece, ...]]) -> list[Difference]:
    """What must be put right, cell by cell: for setting up, and for going on after a pause."""
    return [
        Difference(cell, expected.get(cell, ()), seen.get(cell, ()))
        for cell in sorted({*expected, *seen})
        if tuple(sorted(expected.get(cell, ()))) != tuple(sorted(seen.get(cell, ())))
    ]


def guide(found: Sequence[Difference]) -> Scene:
    """Lights that lead the players: take away what is wrong, and the next piece's place glows brightest."""
    glows = [Glow(one.cell, "remove") for one in found if one.seen and not one.expected]
    glows += [Glow(one.cell, "wrong") for one in found if one.seen and one.expected]
    missing = [one for one in found if one.expected and not one.seen]
    glows += [Glow(one.cell, "place", level=1.0 if i == 0 else 0.25) for i, one in enumerate(missing)]
    return Scene(tuple(glows))
