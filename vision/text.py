"""What a look at the table means for the players, in their words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.action import Action, Cell
from companion.layout import Board, Piece
from companion.seeing import Ambiguous, Match, Mismatch, NoChange, Played, Unreadable
from companion.text import Texts

TEXTS: Mapping[str, tuple[str, str]] = {
    "seen.played": ("Seen: {what}.", "Вижу: {what}."),
    "seen.no-change": ("The table is as it should be.", "На столе всё как должно быть."),
    "seen.ambiguous": (
        "This can mean several things ({what}): choose on the screen what was played.",
        "Это можно понять по-разному ({what}): выберите на экране, что было сыграно.",
    ),
    "seen.put": ("put {piece} on {cell}", "положите {piece} на {cell}"),
    "seen.take": ("take {piece} off {cell}", "уберите {piece} с {cell}"),
    "seen.change": (
        "on {cell} lies {seen}, but {piece} belongs there",
        "на {cell} лежит {seen}, а должно быть {piece}",
    ),
    "seen.mismatch": (
        "No rule allows this: {what}. Or enter the move on the screen.",
        "По правилам так нельзя: {what}. Или введите ход на экране.",
    ),
    "seen.unsure": (
        "I cannot tell what lies on {cells}: straighten it, give it light, or enter the move on the screen.",
        "Не могу разобрать, что лежит на {cells}: поправьте, добавьте света или введите ход на экране.",
    ),
    "seen.hidden": (
        "I cannot see {cells}: take your hand or whatever covers it away.",
        "Не вижу {cells}: уберите руку или то, что закрывает поле.",
    ),
    "seen.nothing-seen": (
        "I cannot see the board: check the camera, or play on by tapping.",
        "Не вижу поля: проверьте камеру или играйте касаниями.",
    ),
    "seen.too-much": (
        "Too much has changed at once around {cells}: enter the last moves on the screen.",
        "Слишком многое изменилось сразу возле {cells}: введите последние ходы на экране.",
    ),
}


def say(
    result: Match, board: Board, language: str, texts: Texts, label: Callable[[Action], str] = str
) -> str:
    """Tells the players what was seen and what to do; `texts` are the game's, `label` names an action."""
    words = Texts(texts.table, TEXTS)
    match result:
        case NoChange():
            return words.say("seen.no-change", language)
        case Played(line):
            return words.say(
                "seen.played", language, {"what": ", ".join(label(action) for _, action in line)}
            )
        case Ambiguous(lines, _):
            shown = [", ".join(label(action) for _, action in line) for line in lines[:3]]
            return words.say(
                "seen.ambiguous", language, {"what": " / ".join(shown + ["…"] * (len(lines) > 3))}
            )
        case Unreadable(cells, why):
            names = ", ".join(board.places[cell].name for cell in cells)
            return words.say(f"seen.{why}", language, {"cells": names})
        case Mismatch(expected, seen):
            repairs = [_repair(words, language, board, cell, expected[cell], seen[cell]) for cell in expected]
            return words.say("seen.mismatch", language, {"what": "; ".join(repairs)})


def _repair(
    words: Texts,
    language: str,
    board: Board,
    cell: Cell,
    expected: tuple[Piece, ...],
    seen: tuple[Piece, ...],
) -> str:
    """One instruction for one place."""

    def name(pieces: tuple[Piece, ...]) -> str:
        keys = [(f"word.{piece.face}", piece.face) for piece in pieces]
        return " + ".join(words.say(key, language) if key in words else face for key, face in keys)

    kind = "put" if not seen else "take" if not expected else "change"
    blanks = {"cell": board.places[cell].name, "piece": name(expected or seen), "seen": name(seen)}
    return words.say(f"seen.{kind}", language, blanks)
