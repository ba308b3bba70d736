"""Records: a whole game as a text that people can read, diff and mail.

    gloam record 1                  #0f3c
    game onirim                     #88a1
    rules 1                         #1d20
    option players=1                #5b7e
    p1: play Rs                     #c02d
    table: draw Bs                  #77f4

Each line may end in a check code: it tells a line that was changed from one that was recorded. A record
written by hand needs no codes; the rules are checked in any case.
"""

from __future__ import annotations

import re
from binascii import crc32
from collections.abc import Iterable
from typing import NamedTuple

from companion.engine.action import TABLE, Seat
from companion.engine.errors import ConfigError, NotationError, RecordError
from companion.engine.game import Game
from companion.engine.options import Options, write
from companion.engine.state import Outcome, State
from companion.table.boxes import SHIPPED, Boxes, is_same_box

FORMAT = "gloam record 1"
_CODE = re.compile("[0-9a-f]{4}")
_COLUMN = 40


class Written(NamedTuple):
    """One line of a record as it stands in the file."""

    number: int
    text: str
    is_intact: bool


class Record(NamedTuple):
    """A read record: the game, its options, and the actions still to be checked by the rules."""

    game: Game
    options: Options
    lines: tuple[Written, ...]


def write_record(
    game: Game, options: Options, lines: Iterable[tuple[Seat, str]], outcome: Outcome | None
) -> str:
    """Writes a record."""
    seats = game.seats(options)
    texts = [FORMAT, f"game {game.key}", f"rules {game.rules_version}"]
    if game.edition:
        texts.append(f"box {game.box}")
    texts += [f"option {name}={value}" for name, value in sorted(write(options).items())]
    texts += [f"{'table' if seat == TABLE else seats[seat]}: {text}" for seat, text in lines]
    if outcome is not None:
        texts.append(_ending(outcome))
    return "".join(f"{text:<{_COLUMN}} #{_code(i, text)}\n" for i, text in enumerate(texts))


def read_record(text: str, boxes: Boxes = SHIPPED) -> Record:
    """Reads a record; raises `RecordError` that names the line.

    It is played with the owner's cards; a record that was made with others is refused.
    """
    written = _lines(text)
    if not written or written[0].text != FORMAT:
        raise RecordError(f"this is no record: it must begin with {FORMAT!r}", 1)
    head: dict[str, Written] = {}
    options: dict[str, str] = {}
    body = len(written)
    for i, line in enumerate(written[1:], 1):
        word, _, rest = line.text.partition(" ")
        if word in ("game", "rules", "box"):
            head[word] = line._replace(text=rest)
        elif word == "option":
            name, _, value = rest.partition("=")
            options[name] = value
        else:
            body = i
            break
    for word in ("game", "rules"):
        if word not in head:
            raise RecordError(f"the line {word!r} is missing", body + 1)
    try:
        game = boxes.load(head["game"].text)
    except ConfigError as error:
        raise RecordError(str(error), head["game"].number) from error
    if head["rules"].text != str(game.rules_version):
        raise RecordError(
            f"this record was made with rules version {head['rules'].text} of {game.key}, this Gloam has "
            f"version {game.rules_version}: replay it with the Gloam that made it",
            head["rules"].number,
        )
    if not is_same_box(head["box"].text if "box" in head else "", game):
        raise RecordError(
            f"this record was made with other cards of {game.key} than this box has: "
            "enter them on the page “My box” as they were",
            head.get("box", head["game"]).number,
        )
    for line in written[:body]:
        _demand_intact(line, game)
    try:
        resolved = game.resolve(options)
    except ConfigError as error:
        raise RecordError(str(error), written[min(3, len(written) - 1)].number) from error
    return Record(game, resolved, tuple(written[body:]))


def replay(record: Record) -> tuple[State, list[tuple[Seat, str]]]:
    """Plays a record through the rules; raises `RecordError` with the line and the rule that refuses it."""
    game, options, lines = record
    seats = {name: seat for seat, name in enumerate(game.seats(options))} | {"table": TABLE}
    state = game.start(options)
    played: list[tuple[Seat, str]] = []
    for line in lines:
        if line.text.startswith("end "):
            outcome = state.outcome()
            ending = "the game is not over" if outcome is None else _ending(outcome)
            if ending != line.text:
                raise RecordError(
                    f"{line.text!r} is not how it ended: {ending} ({state.over_rule})", line.number
                )
        else:
            name, colon, text = line.text.partition(":")
            if not colon or name not in seats:
                raise RecordError(
                    f"{line.text!r} names no seat; seats here: {', '.join(seats)} ({state.turn_rule})",
                    line.number,
                )
            try:
                action = state.notation.parse(text)
            except NotationError as error:
                raise RecordError(f"{error} ({state.turn_rule})", line.number) from error
            refusal = state.refusal(seats[name], action)
            if refusal is not None:
                raise RecordError(
                    f"{line.text!r} is refused: {game.say('refusal', refusal, 'en')} ({refusal.rule})",
                    line.number,
                )
            state.apply(seats[name], action)
            played.append((seats[name], state.notation.text(action)))
        _demand_intact(line, game)
    return state, played


def _lines(text: str) -> list[Written]:
    """Splits a record into its lines; blank lines and lines that begin with # do not count."""
    lines: list[Written] = []
    for number, raw in enumerate(text.splitlines(), 1):
        if not raw.strip() or raw.lstrip().startswith("#"):
            continue
        before, _, code = raw.rstrip().rpartition("#")
        has_code = _CODE.fullmatch(code) is not None
        plain = (before if has_code else raw.split("#")[0]).strip()
        lines.append(Written(number, plain, not has_code or code == _code(len(lines), plain)))
    return lines


def _demand_intact(line: Written, game: Game) -> None:
    if not line.is_intact:
        rule = f" ({game.replay_rule})" if game.replay_rule else ""
        raise RecordError(
            f"{line.text!r} does not fit its check code: the record was changed here{rule}", line.number
        )


def _ending(outcome: Outcome) -> str:
    points = "".join(f" {n}" for n in outcome.points)
    return f"end {outcome.code} {outcome.rule}{points}"


def _code(i: int, text: str) -> str:
    return f"{crc32(f'{i} {text}'.encode()) & 0xFFFF:04x}"
