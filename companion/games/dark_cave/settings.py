"""The options of a game, as the rules use them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from companion.engine.options import Options, Value
from companion.games.dark_cave import pieces


@dataclass(frozen=True, slots=True)
class Settings:
    """What was chosen before the game."""

    players: int
    digital: bool
    """Whether the companion deals hands and goals; real cards are counted, and checked when shown."""
    digital_clans: bool
    clan: str
    first: int
    entrance: int
    """The side of the entrance card that is up: 0 or 1."""
    half_turn: bool
    by_ladder: bool
    ladder_card: bool
    """Whether ladders are climbed from everywhere on their card."""
    axe_same_turn: bool
    attack_on_placement: bool
    creature_first: bool
    finish_turn: bool
    early_end: bool


def settings_of(options: Options) -> Settings:
    """Makes the settings of these options; games with the same options share them."""
    return _settings(tuple(options.items()))


@cache
def _settings(given: tuple[tuple[str, Value], ...]) -> Settings:
    options = dict(given)
    return Settings(
        players=int(options["players"]),
        digital=options["deck"] == "digital",
        digital_clans=options["clans"] == "digital",
        clan=str(options["clan"]),
        first=int(options["first"]),
        entrance=pieces.SIDES.index(str(options["entrance"])),
        half_turn=bool(options["allow_half_turn"]),
        by_ladder=bool(options["ladder_counts_for_placement"]),
        ladder_card=options["ladder_from"] == "card",
        axe_same_turn=bool(options["axe_same_turn"]),
        attack_on_placement=bool(options["attack_on_placement"]),
        creature_first=bool(options["creature_before_exit"]),
        finish_turn=bool(options["finish_turn_on_last_card"]),
        early_end=bool(options["early_end"]),
    )
