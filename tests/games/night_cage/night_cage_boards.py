"""Small text boards for the tests of The Night Cage.

A board is rows of words; rows and words at the end may be left out:

    .        nothing            X   crossroads      T:NES  T-passage with these openings
    I:EW     straight           S:SW starting tile  C:NES  crumbling T-passage
    K        key tile           k   spent key tile  G      gate
    WE PL    Wax Eater, Pathless KP:N Keeper whose rear points north
    pit      a pit (of a straight tile)

`@rb` after a word puts pawns there: r, b, g, y, p. `faller` prisoners are off the board.
"""

from __future__ import annotations

from dataclasses import replace

from companion.engine.agenda import runs
from companion.engine.game import View
from companion.engine.options import Value, resolve
from companion.engine.state import Event, Refusal
from companion.games.night_cage.agenda import STEPS, NightCage6, NightCage7
from companion.games.night_cage.light import sweep
from companion.games.night_cage.options import OPTIONS, rules_from
from companion.games.night_cage.pieces import (
    CRACKED_TEE,
    CROSS,
    FIEND,
    GATE,
    KEEPER,
    KEY,
    NAMES,
    OMEN,
    PATHLESS,
    SPENT_KEY,
    START,
    STRAIGHT,
    TEE,
    WAX,
)
from companion.games.night_cage.position import Position
from companion.games.night_cage.tiles import EMPTY, SEEN, code_of
from companion.games.night_cage.view import view

LETTERS = "rbgyp"
KINDS = {
    "X": CROSS,
    "T": TEE,
    "C": CRACKED_TEE,
    "I": STRAIGHT,
    "S": START,
    "K": KEY,
    "k": SPENT_KEY,
    "G": GATE,
    "WE": WAX,
    "PL": PATHLESS,
    "PF": FIEND,
    "OM": OMEN,
}
SIDES = "NESW"


def _light_quietly(state: Position, events: list[Event]) -> None:
    """The ledger's scenarios list only the cells that matter: nobody fills what idle prisoners light."""
    state.push(("shine", frozenset({state.turn})))
    sweep(state, events)


QUIET_STEPS = STEPS | {"light": runs(_light_quietly)}


class Quiet6(NightCage6):
    __slots__ = ()
    steps = QUIET_STEPS


class Quiet7(NightCage7):
    __slots__ = ()
    steps = QUIET_STEPS


def code(word: str) -> int:
    """Reads one tile."""
    if word == "pit":
        return code_of(STRAIGHT, pit=True)
    name, _, sides = word.partition(":")
    if name == "KP":
        return code_of(KEEPER, SIDES.index(sides))
    kind = KINDS[name]
    if not sides:
        return code_of(kind)
    mask = sum(1 << SIDES.index(side) for side in sides)
    return next(code_of(kind, turn) for turn in range(4) if SEEN[code_of(kind, turn)] == mask)


def table(
    board: str = "",
    *,
    turn: str = "r",
    dark: str = "",
    nerve: dict[str, int] | None = None,
    keys: str = "",
    falling: dict[str, str] | None = None,
    stack: int | dict[str, int] = 60,
    size: int = 6,
    fill_others: bool = False,
    **options: Value,
) -> Position:
    """A position in which the prisoner `turn` is about to act; `falling` names lines: `row 3`, `column c`."""
    prisoners = 1 + max([LETTERS.index(turn), *(LETTERS.index(c) for c in (falling or {})), *_pawns(board)])
    players = 5 if size == 7 else options.pop("players", 4)
    given = resolve(OPTIONS, {"players": players, **options})
    rules = replace(rules_from(given), prisoners=prisoners)
    kinds = {(6, False): Quiet6, (7, False): Quiet7, (6, True): NightCage6, (7, True): NightCage7}
    state = kinds[size, fill_others](rules)
    for row, line in enumerate(board.strip().splitlines() if board.strip() else []):
        for column, word in enumerate(line.split()):
            tile, _, pawns = word.partition("@")
            if tile != ".":
                state.lay(row * size + column, code(tile))
                if tile == "pit":
                    state.forget(row * size + column)
            for pawn in pawns:
                state.cells[LETTERS.index(pawn)] = row * size + column
    for pawn in dark:
        state.candles &= ~(1 << LETTERS.index(pawn))
    for pawn in keys:
        state.keys |= 1 << LETTERS.index(pawn)
    for pawn, n in (nerve or {}).items():
        state.nerve[LETTERS.index(pawn)] = n
    for pawn, line in (falling or {}).items():
        word, place = line.split()
        i = LETTERS.index(pawn)
        state.lines[i] = int(place) - 1 if word == "row" else size + "abcdefg".index(place)
    state.top, state.surroundings = [0] * len(state.discard), 0
    state.rest = _stack(stack)
    state.stack = sum(state.rest)
    state.todo = [("turn", LETTERS.index(turn))]
    state.settle([])
    return state


def _pawns(board: str) -> list[int]:
    return [LETTERS.index(c) for word in board.split() if "@" in word for c in word.partition("@")[2]]


def _stack(stack: int | dict[str, int]) -> list[int]:
    counts = [0] * (OMEN + 1)
    if isinstance(stack, dict):
        for name, n in stack.items():
            counts[NAMES.index(name)] = n
    elif stack:
        # Some of everything, so that a test may draw what it likes.
        for kind in (KEY, GATE, WAX, KEEPER, FIEND, PATHLESS, OMEN, STRAIGHT):
            counts[kind] = 3 if stack >= 60 else 0
        counts[CROSS] = stack // 4
        counts[TEE] = stack - sum(counts)
    return counts


def cell(state: Position, name: str) -> int:
    return state.torus.grid.cell(name)


def names(state: Position, cells: object) -> str:
    """Cells as one sorted line of names."""
    return " ".join(sorted(state.torus.grid.names[c] for c in cells))  # type: ignore[attr-defined]


def laid(state: Position) -> str:
    """Where tiles lie."""
    return names(state, [c for c, code_ in enumerate(state.tiles) if code_ != EMPTY])


def where(state: Position, pawn: str) -> str:
    """The cell of a pawn, or "" off the board."""
    at = state.cells[LETTERS.index(pawn)]
    return state.torus.grid.names[at] if at >= 0 else ""


def tile(state: Position, name: str) -> str:
    """The kind that lies face up on a cell, `pit`, or ""."""
    word = view(state, -2)["tiles"][cell(state, name)]
    return word.split()[0] if word else ""


def is_lit(state: Position, pawn: str) -> bool:
    return state.is_lit(LETTERS.index(pawn))


def play(state: Position, *lines: str) -> list[Event]:
    """Takes the actions of whoever is asked, chance included."""
    events: list[Event] = []
    for line in lines:
        events += state.apply(state.needs()[0].seat, state.notation.parse(line))
    return events


def can(state: Position) -> set[str]:
    """What whoever is asked may do."""
    return {state.notation.text(action) for action in state.actions(state.needs()[0].seat)}


def choices(state: Position, verb: str) -> str:
    """The cells among which one may choose with a verb."""
    return " ".join(sorted({line.split()[1] for line in can(state) if line.split()[0] == verb}))


def refusal(state: Position, line: str) -> tuple[str, str, str]:
    """Why an action is refused: code, cells in order, rule."""
    reason = state.refusal(state.needs()[0].seat, state.notation.parse(line))
    assert reason is not None, line
    return reason.code, " ".join(state.torus.grid.names[c] for c in reason.cells), reason.rule


def refused(state: Position, seat: int, line: str) -> Refusal | None:
    return state.refusal(seat, state.notation.parse(line))


def phase(state: Position) -> str:
    return str(view(state, -2)["phase"])


def seen(state: Position) -> View:
    return view(state, -2)


def asked(state: Position) -> str:
    """The prisoner who decides now."""
    return LETTERS[state.todo[-1][1]]


def pay(state: Position, block: str = "", tile: str = "tee") -> int:
    """Settles hits: those in `block` block, everything burned is a `tile`. Returns how many burned."""
    before = state.stack
    while state.result is None and phase(state) in ("block", "draw-burn"):
        if phase(state) == "block":
            if asked(state) in block:
                block = block.replace(asked(state), "", 1)
                play(state, "block")
            else:
                play(state, "suffer")
        else:
            play(state, f"draw {tile}")
    return before - state.stack


def fill(state: Position, tile: str = "cross") -> str:
    """Draws `tile` for every lit cell, placed the first way that fits. Returns the cells in order."""
    placed = []
    while state.result is None and phase(state) == "draw-fill":
        play(state, f"draw {tile}")
        action = state.actions(state.needs()[0].seat)[0]
        placed.append(state.torus.grid.names[action.args[0]])
        state.apply(state.needs()[0].seat, action)
    return " ".join(placed)


def light_step(state: Position) -> None:
    """Starts the light step of the active prisoner, as after a move."""
    state.todo = [("choose",), ("light",)]
    state.settle([])


def turn_of(state: Position, pawn: str) -> None:
    """Lets the turn of another prisoner begin."""
    state.todo = [("turn", LETTERS.index(pawn))]
    state.settle([])


def end(state: Position) -> None:
    """Ends the turn if more could be done in it."""
    if state.result is None and phase(state) == "again":
        play(state, "end")


def kinds(events: list[Event]) -> list[str]:
    return [event.kind for event in events]


def told(events: list[Event], kind: str) -> list[dict[str, object]]:
    """The data of all events of a kind."""
    return [event.data for event in events if event.kind == kind]
