"""The shelf: the games to choose from with their options in words, and the stored games."""

from __future__ import annotations

from typing import Any

from companion.engine.game import Game
from companion.engine.options import Option, Options, write
from companion.games import REGISTRY, load
from companion.table.boxes import Boxes, doubtful
from companion.table.session import can_continue
from companion.table.table import Table

Json = dict[str, Any]


def option_text(game: Game, key: str, word: str, language: str) -> str:
    """Names an option or a choice; a bare number or word speaks for itself."""
    return game.texts.say(key, language) if key in game.texts else word


def choice_text(game: Game, option: Option, word: str, language: str) -> str:
    """Names one choice of an option."""
    own = f"choice.{option.name}.{word}"
    return option_text(game, own if own in game.texts else f"choice.{word}", word, language)


def options_said(game: Game, options: Options, language: str) -> list[list[str]]:
    """The options of a game on the table in words: only those that differ from the usual, and the players."""
    words = write(options)
    return [
        [
            option_text(game, f"option.{option.name}", option.name, language),
            choice_text(game, option, words[option.name], language),
        ]
        for option in game.options
        if option.name == "players" or options[option.name] != option.default
    ]


def shelf(boxes: Boxes, language: str) -> list[Json]:
    """The games to choose from, with a form made from their options."""
    return [_form(game, language) for game in boxes.games().values()]


def _form(game: Game, language: str) -> Json:
    fields = []
    for option in game.options:
        words = [write({"": choice})[""] for choice in option.choices]
        fields.append(
            {
                "name": option.name,
                "label": option_text(game, f"option.{option.name}", option.name, language),
                "default": write({"": option.default})[""],
                "rule": option.rule,
                "group": option.group,
                "switch": option.choices == (False, True),
                "choices": [[word, choice_text(game, option, word, language)] for word in words],
            }
        )
    return {
        "key": game.key,
        "title": game.texts.say("game.title", language),
        "about": game.texts.say("game.about", language),
        "players": _people(game),
        "minutes": game.minutes,
        "age": game.age,
        "lesson": 0 if game.lesson is None else game.lesson.minutes,
        "fields": fields,
        "unchecked": doubtful(game),
    }


def _people(game: Game) -> list[int]:
    """How few and how many can play: as its option `players` says, or as its seats do."""
    named = [option.choices for option in game.options if option.name == "players"]
    counts = [int(n) for n in named[0]] if named else [len(game.seats(game.resolve({})))]
    return [min(counts), max(counts)]


def saved(table: Table, language: str) -> list[Json]:
    """The stored games, newest first. How many actions they hold is not told: hidden ones would count."""
    on_table = 0 if table.session is None else table.session.number
    found = []
    boxes = {key: table.boxes.fingerprint(key) for key in REGISTRY}
    for stored in table.journal.games():
        game = load(stored.game) if stored.game in REGISTRY else None
        goes_on = can_continue(stored)
        said = (
            [] if game is None or not goes_on else options_said(game, game.resolve(stored.options), language)
        )
        found.append(
            {
                "number": stored.id,
                "game": "" if game is None else game.key,
                "title": stored.game if game is None else game.texts.say("game.title", language),
                "called": table.people.title(stored.id),
                "people": [
                    [table.people.name(one.device), table.people.face(one.device)]
                    for _, one in sorted(table.people.holders(stored.id).items())
                ],
                "started": stored.started,
                "options": said,
                "on_table": stored.id == on_table,
                "old_rules": not goes_on,
                "other_box": goes_on and boxes[stored.game] != (stored.box or load(stored.game).box),
            }
        )
    return found
