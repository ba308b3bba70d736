"""The loop: what the eyes judge becomes actions and prompts.

The eyes' thread calls `step`: it looks and judges outside every lock and ends in one immutable `Verdict` that
names the position it was made for. `take` acts on a verdict, or drops it where the game has moved on or the
players have answered meanwhile. A clear move is played; anything else changes nothing, becomes a `Prompt` and
waits for the players. What they answer (`choose`, `accept_as_is`, `accept_board`) is done at once, on the
thread of whoever asks, by what the last look has read. Before a game goes on, the players are led cell by
cell until the board is as it should be. The loop knows eyes only as a protocol and knows nothing of lights.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import islice, product
from random import Random
from typing import NamedTuple, Protocol

from companion.engine.action import PUBLIC, TABLE, Action, Cell, Seat
from companion.engine.errors import DeviceError, Refused, StaleVersion
from companion.engine.game import Game
from companion.engine.layout import Board, Layout, Piece
from companion.engine.observation import (
    Ambiguous,
    Looks,
    Match,
    Mismatch,
    NearLine,
    NoChange,
    Observation,
    Played,
    Unreadable,
)
from companion.engine.options import Options
from companion.engine.state import Refusal, State
from companion.table.hand_steps import Step, steps_between
from companion.table.prompt import ALL_RIGHT, NEEDS_ANSWER, Difference, LineOfPlay, Prompt, Unfinished
from companion.table.session import Session, Snapshot
from companion.world.switches import Switches

BACK = 4
"""How many decisions "we meant that" may go back."""
MOST_GUESSES = 400
MOST_TRIED = 60
"""How many legal actions of a verb are tried to see what it puts where."""
MOST_NAMED = 3
"""How many moves are named that hands may have begun; of more only what they have in common."""
DISGUISES = 3
"""In how many states that look the same to everybody a move must be legal before it is named to everybody."""


class Vision(Protocol):
    """What the loop needs of the eyes; all but `explain` is called by the eyes' thread alone."""

    @property
    def is_blind(self) -> bool:
        """Whether the last frame shows no board."""

    def step(self) -> object | None:
        """Takes in one frame; None when the pictures are over, `DeviceError` when the camera is gone."""

    def snapshot(self) -> Looks:
        """What was read so far, for other threads."""

    def judge(self, game: Game, state: State, options: Options) -> Match | None:
        """Says what was played since `state`, or None while it is too early to tell."""

    def compare(self, game: Game, state: State, options: Options) -> Match | None:
        """Says how the table differs from `state`, whatever may be played next; None while too early."""

    def explain(self, looks: Looks, game: Game, state: State, options: Options) -> Match | None:
        """Says by looks alone what was played since `state`; changes nothing, so any thread may ask."""

    def accept_as_is(
        self, expected: Layout, cells: Collection[Cell] | None = None, seen: Observation | None = None
    ) -> None:
        """Takes these places, or all, as they were seen for what is expected: right until they change."""


class NoVision:
    """Eyes of a table without a camera, or whose faces are not learnt yet."""

    is_blind = True

    def step(self) -> object | None:
        return None

    def snapshot(self) -> Looks:
        return Looks()

    def judge(self, game: Game, state: State, options: Options) -> Match | None:
        return None

    compare = judge

    def explain(self, looks: Looks, game: Game, state: State, options: Options) -> Match | None:
        return None

    def accept_as_is(
        self, expected: Layout, cells: Collection[Cell] | None = None, seen: Observation | None = None
    ) -> None:
        pass


class Verdict(NamedTuple):
    """What the eyes concluded from one look, and the position that it is about. It never changes."""

    position: Snapshot
    answers: int
    """How many answers the players had given when the look began."""
    looks: Looks
    result: Match | None
    prompt: Prompt | None = None
    """What there is to say; None where there is nothing to say yet, or a move is to be played."""
    accepted: tuple[Cell, ...] = ()
    """Places that the players have told by tapping: they count as right from now on."""
    is_felt: bool = False
    """Whether it comes from the switches alone, while the eyes are blind."""


class _Acceptance(NamedTuple):
    """A message to the eyes: these places, or all, count as expected as they were seen."""

    expected: Layout
    cells: tuple[Cell, ...] | None
    seen: Observation


TEXTS = {
    "eyes.fine": ("The table is as it should be.", "На столе всё как надо."),
    "eyes.lay": (
        "Put the board right where the lights show it: {cells}.",
        "Поправьте поле там, где показывает свет: {cells}.",
    ),
    "eyes.waking": (
        "I am getting to know the pieces: {percent} %. Play goes on by tapping.",
        "Запоминаю компоненты: {percent} %. Играть уже можно на экране.",
    ),
    "eyes.untaught": (
        "I do not know these pieces yet: teach them in the workshop. Play goes on by tapping.",
        "Эти компоненты мне незнакомы: покажите их в мастерской. Игра продолжается на экране.",
    ),
    "eyes.wrong": ("This does not fit: {cells}.", "Здесь что-то не так: {cells}."),
    "eyes.finish": ("The move is not finished yet.", "Ход ещё не закончен."),
    "eyes.finish-open": (
        "The move is not finished yet: go on, or put {cells} back as it was.",
        "Ход ещё не закончен: продолжайте или верните как было: {cells}.",
    ),
    "eyes.begun": ("{line}. Still to do:", "{line}. Осталось сделать:"),
    "eyes.begun-open": ("Whatever you mean to do, this is still to do:", "Что бы вы ни задумали, осталось:"),
    "step.take": ("{place}: take away {piece}", "{place}: уберите: {piece}"),
    "step.lay": ("{place}: lay {piece}", "{place}: положите: {piece}"),
    "step.stand": ("{place}: put {piece} there", "{place}: поставьте: {piece}"),
    "step.move": ("{piece}: from {place} to {target}", "{piece}: {place} → {target}"),
    "step.turn": ("{place}: turn {piece} so: {other}", "{place}: поверните: {piece} → {other}"),
    "step.stack": ("{place}: {other}", "{place}: {other}"),
    "step.flip": ("{place}: turn over {piece}: {other}", "{place}: переверните: {piece} → {other}"),
    "step.exchange": ("{place}: {other} instead of {piece}", "{place}: {piece} → {other}"),
    "eyes.choose": ("Which of these did you mean?", "Что из этого вы сделали?"),
    "eyes.unsure": (
        "I cannot see clearly at {cells}: straighten the pieces, turn away a lamp that glares there, "
        "or tap the move.",
        "Плохо видно: {cells}. Поправьте компоненты, уберите блик от лампы или укажите ход на экране.",
    ),
    "eyes.dark": (
        "It is too dark at {cells}: turn on a light, or tap the move.",
        "Слишком темно: {cells}. Включите свет или укажите ход на экране.",
    ),
    "eyes.glare": (
        "A lamp glares at {cells}: turn it away, move the piece a little, or tap the move.",
        "Лампа бликует: {cells}. Отверните её, сдвиньте компонент или укажите ход на экране.",
    ),
    "eyes.unknown": (
        "At {cells} I see something that I was never shown, or something covers it: take it away, "
        "teach it in the workshop, or tap the move.",
        "На {cells} лежит что-то незнакомое или что-то закрывает поле: уберите это, "
        "покажите его в мастерской или укажите ход на экране.",
    ),
    "eyes.hidden": (
        "I cannot see {cells}: take your hand or whatever covers it away, or tap the move.",
        "Не вижу {cells}: уберите руку или то, что закрывает поле, или укажите ход на экране.",
    ),
    "eyes.too-much": (
        "Too much has changed at once around {cells}: enter the last moves on the screen.",
        "Слишком многое изменилось сразу возле {cells}: введите последние ходы на экране.",
    ),
    "eyes.blind": (
        "I cannot see the board. Play goes on by tapping.",
        "Поля не видно. Игра продолжается на экране.",
    ),
    "eyes.felt": (
        "I cannot see the board, but I feel where the pawns stand. I shall read the rest when I see again, "
        "or tap it.",
        "Поля не видно, но я чувствую, где стоят фишки. Остальное прочту, когда снова увижу, "
        "или укажите это на экране.",
    ),
    "eyes.lost": (
        "The camera is gone. Play goes on by tapping.",
        "Камера пропала. Игра продолжается на экране.",
    ),
}
"""What the loop says, in English and Russian."""


class Loop:
    """Follows one session with one pair of eyes.

    `step` and `open_eyes` belong to the eyes' thread; everything else may be called from any thread. The lock
    protects the few fields below and is never held while the eyes look or judge.
    """

    def __init__(
        self,
        session: Session,
        eyes: Vision | None = None,
        tell: Callable[[Prompt], None] = lambda prompt: None,
        *,
        lead: bool = False,
        switches: Switches | None = None,
    ) -> None:
        """With `lead` the players are first led until the board is as the session has it."""
        self.session = session
        self.switches = switches
        self.prompt = ALL_RIGHT
        self._tell = tell
        self._board: Board = session.board
        self._eyes: Vision = eyes or NoVision()
        self._lock = threading.RLock()
        self._is_leading = lead
        self._agreed = session.snapshot()
        """The last position in which table and session agreed."""
        self._asked: tuple[frozenset[Cell], int] = frozenset(), 0
        """The places that could not be read when the players were last asked, and after how many actions."""
        self._answers = 0
        self._looks = Looks()
        """What the last look has read."""
        self._messages: deque[_Acceptance] = deque()

    @property
    def is_leading(self) -> bool:
        """Whether the board must be put right before play goes on."""
        return self._is_leading

    # On the eyes' thread -------------------------------------------------------------------------

    def open_eyes(self, eyes: Vision, *, lead: bool) -> None:
        """Looks with these eyes from now on."""
        with self._lock:
            self._eyes, self._is_leading = eyes, lead
            self.say(ALL_RIGHT)

    def step(self) -> Match | None:
        """Takes one look and does what follows from it; None while nothing can be said."""
        verdict = self.look()
        return verdict.result if verdict is not None and self.take(verdict) else None

    def look(self) -> Verdict | None:
        """Takes one look and judges it; None when the pictures are over."""
        with self._lock:
            eyes, answers = self._eyes, self._answers
            messages, self._messages = self._messages, deque()
        for message in messages:
            eyes.accept_as_is(*message)
        has_camera = True
        try:
            if eyes.step() is None and (self.switches is None or not eyes.is_blind):
                return None
        except DeviceError:
            has_camera = False
        with self._lock:
            agreed, asked, is_leading = self._agreed, self._asked, self._is_leading
        position, game, options = self.session.snapshot(), self.session.game, self.session.options
        if self.switches is not None:
            if (not has_camera or eyes.is_blind) and not is_leading:
                verdict = Verdict(position, answers, eyes.snapshot(), None, is_felt=True)
                return self._feel(verdict, self.switches, "blind" if has_camera else "lost")
            if has_camera and self.switches.is_busy(game.expected(position.state, options)):
                return Verdict(position, answers, eyes.snapshot(), None)
        if not has_camera:
            return Verdict(position, answers, eyes.snapshot(), None, Prompt("lost"))
        result = (eyes.compare if is_leading else eyes.judge)(game, position.state, options)
        is_tapped = position.actions != agreed.actions
        if isinstance(result, Played) and is_tapped and self._is_as_it_was(eyes, agreed):
            result = None
        verdict = Verdict(position, answers, eyes.snapshot(), result)
        if isinstance(result, Unreadable) and _is_told(result.cells, asked, position.actions):
            eyes.accept_as_is(game.expected(position.state, options), result.cells)
            return verdict._replace(accepted=result.cells, prompt=ALL_RIGHT)
        return verdict._replace(prompt=self._prompt_for(position.state, result, is_leading))

    def _feel(self, verdict: Verdict, switches: Switches, trouble: str) -> Verdict:
        """What the switches alone say while the eyes are blind; they never say that all is well."""
        state = verdict.position.state
        felt = switches.explain(self.session.game, state, self.session.options)
        if isinstance(felt, NoChange):
            is_answered = self.prompt.code in NEEDS_ANSWER or trouble == "lost"
            return verdict._replace(prompt=Prompt(trouble, why="felt") if is_answered else None)
        return verdict._replace(result=felt, prompt=self._prompt_for(state, felt, False))

    def _is_as_it_was(self, eyes: Vision, agreed: Snapshot) -> bool:
        """Whether the table lies as before a tap: what was tapped must be laid before a move is supposed."""
        return isinstance(eyes.judge(self.session.game, agreed.state, self.session.options), NoChange)

    def _prompt_for(self, state: State, result: Match | None, is_leading: bool) -> Prompt | None:
        """What there is to say about a result."""
        match result:
            case NoChange():
                return ALL_RIGHT
            case Ambiguous(lines, cells):
                text = state.notation.text
                choices = tuple(tuple((seat, text(action)) for seat, action in line) for line in lines)
                return Prompt("choose", cells, choices=choices)
            case Mismatch(expected, seen, lines):
                cells, found = tuple(sorted({*expected, *seen})), tuple(differences(expected, seen))
                if is_leading:
                    return Prompt("lay", cells, found=found)
                if lines:
                    return finish(self.session.game, state, lines)
                if _is_lifted(expected, seen):
                    return Prompt("finish", cells, found=found, why="finish-open")
                reason = why_not(self.session.game, state, self.session.options, self._board, expected, seen)
                return Prompt("wrong", cells, reason, found=found)
            case Unreadable(cells, why):
                return Prompt("unsure", cells, why=why) if cells else Prompt("blind")
        return None

    # On any thread -------------------------------------------------------------------------------

    def take(self, verdict: Verdict) -> bool:
        """Does what follows from a verdict; False where it is dropped.

        It is dropped when the game has moved on since, or the players have answered.
        """
        with self._lock:
            self._looks = verdict.looks
            if self.prompt.code == "lost" and verdict.prompt != self.prompt:
                self.say(ALL_RIGHT)  # the camera is back, whatever it saw
            now = self.session.snapshot()
            if (verdict.position.number, verdict.answers) != (now.number, self._answers):
                return False
            result = verdict.result
            if isinstance(result, Played):
                is_played = self._play(result, verdict.position.number)
                if is_played and not verdict.is_felt:
                    self._check_switches()
                return is_played
            if isinstance(result, NoChange):
                self._is_leading = False
                self._check_switches()
            if isinstance(result, NoChange) or verdict.accepted:
                self._agreed = verdict.position
            if isinstance(result, NoChange):
                self._asked = frozenset(), 0
            elif isinstance(result, Unreadable) and not verdict.accepted:
                self._asked = frozenset(result.cells), verdict.position.actions
            if verdict.prompt is not None:
                self.say(verdict.prompt)
            return True

    def choose(self, line: LineOfPlay) -> None:
        """The players say which of several explanations is right; `StaleVersion` if that is not asked."""
        with self._lock:
            if line not in self.prompt.choices:
                raise StaleVersion("the table no longer asks this")
            self._answers += 1
            self.session.play(line)
            self.say(ALL_RIGHT)

    def accept_as_is(self) -> None:
        """The players say that it may stay so: nothing more is said about these places until they change."""
        with self._lock:
            session = self.session
            expected = session.game.expected(session.state(), session.options)
            self._answers += 1
            self._messages.append(_Acceptance(expected, None, self._looks.newest))
            self._is_leading = False
            self.say(ALL_RIGHT)

    def accept_board(self) -> bool:
        """The players say that the board is right: goes back a little and finds what leads to it.

        What stood is taken back and what fits is played, both in the journal. False, and nothing changed,
        where no short way from the last few positions leads to what the last look has read.
        """
        with self._lock:
            looks, eyes, session = self._looks, self._eyes, self.session
            number, done = session.snapshot().number, session.lines()
        decisions = [i for i, (seat, _) in enumerate(done) if seat >= 0][-BACK:]
        for keep in [len(done), *reversed(decisions)]:
            state = session.game.start(session.options)
            for seat, text in done[:keep]:
                state.apply(seat, state.notation.parse(text))
            result = eyes.explain(looks, session.game, state, session.options)
            if isinstance(result, Played):
                with self._lock:
                    self._answers += 1
                    self._is_leading = False
                    return self._play(result, number, keep)
        return False

    def _play(self, played: Played, number: int, keep: int | None = None) -> bool:
        """Plays a line at the position with this number; False where the game has moved on."""
        text = self._agreed.state.notation.text
        self._asked = frozenset(), 0
        try:
            self.session.play([(seat, text(action)) for seat, action in played.line], number, keep)
        except StaleVersion:
            return False
        except Refused as refused:  # chance came between
            self.say(Prompt("wrong", refused.refusal.cells, refused.refusal))
            return True
        self._agreed = self.session.snapshot()
        self.say(ALL_RIGHT)
        return True

    def _check_switches(self) -> None:
        """Eyes and rules agree: what the switches feel is compared with it."""
        if self.switches is not None:
            now, session = self.session.snapshot(), self.session
            self.switches.agree(session.game.expected(now.state, session.options), now.actions)

    def say(self, prompt: Prompt) -> None:
        """Tells the players something, once."""
        with self._lock:
            if prompt != self.prompt:
                self.prompt = prompt
                self._tell(prompt)


def _is_told(cells: tuple[Cell, ...], asked: tuple[frozenset[Cell], int], actions: int) -> bool:
    """Whether the players were asked about all these places and have entered a move since."""
    places, then = asked
    return bool(cells) and places.issuperset(cells) and actions > then


def finish(game: Game, state: State, lines: Sequence[NearLine]) -> Prompt:
    """What is still to do: for each of a few moves that were begun, or what all of many have in common.

    Everybody reads it, so only lines are named that say nothing about what some seats alone know; where there
    is no such line, only that the move is not finished.
    """
    cells = tuple(sorted({cell for cell, seen in lines[0].seen.items() if seen != lines[0].before[cell]}))
    public = [line for line in lines if is_public(game, state, line)]
    if not public:
        return Prompt("finish", cells, why="finish-open")
    begun = [
        Unfinished(
            tuple((seat, state.notation.text(action)) for seat, action in one.line),
            steps := steps_between(one.seen, one.expected),
            _done(steps_between(one.before, one.expected), steps),
        )
        for one in public
    ]
    if len(begun) > MOST_NAMED:
        common = [set(one.steps) for one in begun], [set(one.done) for one in begun]
        steps, done = (tuple(sorted(set.intersection(*sets))) for sets in common)
        begun = [Unfinished((), steps, done)] if steps or done else []
        wrong = {cell for step in steps for cell in step.cells}
    else:
        wrong = {cell for cell, pieces in public[0].expected.items() if pieces != public[0].seen[cell]}
    expected, seen = public[0].expected, public[0].seen
    found = differences({c: expected[c] for c in wrong}, {c: seen[c] for c in wrong})
    why = "" if begun and begun[0].line else "finish-open"
    return Prompt("finish", cells, found=tuple(found), why=why, begun=tuple(begun))


def _done(all_steps: Sequence[Step], missing: Sequence[Step]) -> tuple[Step, ...]:
    """The steps of a line that nothing is missing for."""
    open_cells = {cell for step in missing for cell in step.cells}
    return tuple(step for step in all_steps if not open_cells.intersection(step.cells))


def _is_lifted(expected: Mapping[Cell, tuple[Piece, ...]], seen: Mapping[Cell, tuple[Piece, ...]]) -> bool:
    """Whether pieces are missing and nothing was put down: somebody holds them, and no rule is against it."""
    each = [(Counter(expected.get(cell, ())), Counter(seen.get(cell, ()))) for cell in {*expected, *seen}]
    return all(lies <= should for should, lies in each) and any(lies != should for should, lies in each)


def is_public(game: Game, state: State, near: NearLine) -> bool:
    """Whether a line says nothing that only some seats know.

    A seat that knows more than everybody may take it in other states, too, which look the same to everybody,
    and the table looks the same then.
    """
    public = game.view(state, PUBLIC)
    if all(seat == TABLE or game.view(state, seat) == public for seat, _ in near.line):
        return True
    wanted = _public_layout(game, state, near)
    disguised = (game.disguise(state, PUBLIC, Random(i)) for i in range(DISGUISES))
    return wanted is not None and all(_public_layout(game, one, near) == wanted for one in disguised)


def _public_layout(game: Game, state: State, near: NearLine) -> Layout | None:
    """What everybody sees lie there after a line; None where it is not legal."""
    after = state.copy()
    for seat, action in near.line:
        if after.refusal(seat, action) is not None:
            return None
        after.apply(seat, action)
    return game.layout(game.view(after, PUBLIC))


def why_not(
    game: Game,
    state: State,
    options: Options,
    board: Board,
    expected: Mapping[Cell, tuple[Piece, ...]],
    seen: Mapping[Cell, tuple[Piece, ...]],
) -> Refusal | None:
    """The rule that stands against what somebody did: from what should lie at these cells to what does.

    Tries the actions that name what was put down, or where, those first that name nothing else, of the verbs
    that put such a piece, or any piece there: whoever moves a pawn while a tile must be laid is told nothing
    of tiles. Its reason must be about places that were touched, or first about one where something was put.
    Everybody reads it, so only seats are tried that know no more than everybody.
    """
    came = {cell: set(seen[cell]).difference(expected.get(cell, ())) for cell in seen}
    came = {cell: pieces for cell, pieces in came.items() if pieces}
    faces = {piece.face for pieces in came.values() for piece in pieces}
    names = {board.places[cell].name for cell in seen} | faces
    arrived = {board.places[cell].name for cell in came} | faces or names
    public = game.view(state, PUBLIC)
    found: list[tuple[int, int, Refusal]] = []
    for need in state.needs():
        if need.seat == TABLE or game.view(state, need.seat) != public:
            continue
        for verb in need.verbs:
            if not _is_of_its_kind(game, state, options, need.seat, verb, came, seen):
                continue
            takes = state.notation.verbs[verb]
            kinds = [
                [i for i, word in enumerate(kind.words) if word in names] or range(len(kind.words))
                for kind in takes.kinds
            ]
            for args in islice(product(*kinds), MOST_GUESSES):
                named = {
                    word
                    for i, kind in zip(args, takes.kinds, strict=True)
                    if (word := kind.words[i]) in names
                }
                if not named & arrived:
                    continue
                refusal = state.refusal(need.seat, Action(verb, tuple(args)))
                if refusal is None:
                    continue
                if seen.keys() >= set(refusal.cells) or refusal.cells[0] in came:
                    found.append((len(named - arrived), -len(named & arrived), refusal))
    return min(found, key=lambda one: one[:2])[2] if found else None


def _is_of_its_kind(
    game: Game,
    state: State,
    options: Options,
    seat: Seat,
    verb: str,
    came: Mapping[Cell, set[Piece]],
    touched: Collection[Cell],
) -> bool:
    """Whether a legal action of a verb puts something where it came, or such a piece from where one went."""
    before, faces = game.expected(state, options), {piece.face for one in came.values() for piece in one}
    for action in islice((one for one in state.actions(seat) if one.verb == verb), MOST_TRIED):
        after = state.copy()
        after.apply(seat, action)
        then = game.expected(after, options)
        puts = {cell: set(then[cell]).difference(before.get(cell, ())) for cell in then}
        put = {piece.face for pieces in puts.values() for piece in pieces}
        left = {cell for cell in before if (_faces(before, cell) - _faces(then, cell)) & put}
        if any(puts.get(cell) for cell in came) or (put & faces and (not left or left & set(touched))):
            return True
    return False


def _faces(layout: Layout, cell: Cell) -> set[str]:
    return {piece.face for piece in layout.get(cell, ())}


def differences(expected: Layout, seen: Mapping[Cell, tuple[Piece, ...]]) -> list[Difference]:
    """What must be put right, cell by cell: for setting up, and for going on after a pause."""
    return [
        Difference(cell, expected.get(cell, ()), seen.get(cell, ()))
        for cell in sorted({*expected, *seen})
        if tuple(sorted(expected.get(cell, ()))) != tuple(sorted(seen.get(cell, ())))
    ]
