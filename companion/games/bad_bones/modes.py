"""The rules of the mode that is played: options worked out once into what the game asks for."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from companion.engine.action import Seat
from companion.engine.options import Option, Options, Value, switch
from companion.engine.state import Refusal, no
from companion.games.bad_bones.pieces import FLOORS, HOUSES, MAX_PLAYERS
from companion.games.bad_bones.printed import PRINTED, Side
from companion.games.bad_bones.seating import SEATINGS

OPTIONS = (
    Option("players", tuple(range(1, MAX_PLAYERS + 1)), 2, "BB-SETUP-01"),
    switch("coop", False, "BB-SETUP-01"),
    switch("advanced", False, "BB-ADV-01"),
    switch("commanders", False, "BB-CMD-01"),
    Option("deck", ("digital", "physical"), "digital"),
    Option("rounds", tuple(range(1, 31)), 10, "BB-SOLO-08"),
    Option("edition", ("ru", "pegasus"), "ru", "DEC-27"),
    switch("setup_distinct_symbols", True, "DEC-05"),
    switch("top_exit_allow_self", False, "DEC-12"),
    Option("treasure_overrides_traps", ("suppress", "facing_only"), "suppress", "DEC-15"),
    Option("dragon_scatter_entry", ("plain", "full"), "plain", "BB-BOOK-05"),
    switch("hearse_in_solo_coop", True, "DEC-24"),
    Option("weapon_count_scope", ("phase", "move"), "phase", "DEC-26"),
    Option("flail_target", ("empty", "no_trap"), "empty", "DEC-27"),
    Option("commanders_in_setup", ("keep", "redraw"), "keep", "BB-BOOK-07"),
)


def conflict(options: Options) -> Refusal | None:
    """Says why these options do not go together (BB-SETUP-01)."""
    if options["coop"] and options["players"] == 1:
        return no("coop-alone", "BB-SETUP-01")
    return None


@dataclass(frozen=True, slots=True)
class ModeRules:
    """What was agreed before the game."""

    players: int
    solo: bool
    coop: bool
    advanced: bool
    commanders: bool
    rounds: int
    """The round after which the defence has held; 0 where there is no limit."""
    side: Side = field(repr=False)
    floors: int
    """The floors of a tower that nobody has hit; in cooperative play its four towers."""
    houses: int
    """The houses of a village that nobody has burnt; in cooperative play those of the capital."""
    sealed: bool
    """Whether choices stay covered until everybody has chosen (BB-ROUND-02)."""
    edges: tuple[tuple[Seat, ...], ...]
    """Who may be sent a skeleton over the open edge, by sending seat (BB-FOREST-03)."""
    others: tuple[tuple[Seat, ...], ...]
    """Who may be sent a skeleton by catapult, hearse or wand."""
    distinct: bool
    lure_beats_traps: bool
    arrows_turn_scattered: bool
    hearse_sold: bool
    count_per_move: bool
    flail_empty: bool
    pegasus: bool
    redraw_commanders: bool
    rapier_turns_each: bool
    left: tuple[Seat, ...]
    right: tuple[Seat, ...]
    """The neighbours of each seat, as the seating has them."""


def mode_of(options: Options) -> ModeRules:
    """Works the options out."""
    return _worked_out(tuple(options.items()))


@lru_cache(maxsize=64)
def _worked_out(agreed: tuple[tuple[str, Value], ...]) -> ModeRules:
    options = dict(agreed)
    players = int(options["players"])
    solo, coop = players == 1, bool(options["coop"])
    pegasus = options["edition"] == "pegasus"
    seats = range(players)
    others = tuple(tuple(s for s in seats if s != seat) or (seat,) for seat in seats)
    # Two have a single opponent, and who defends together sends to another player.
    is_self_open = bool(options["top_exit_allow_self"]) and players > 2 and not coop
    edges = tuple(tuple(seats) for _ in seats) if is_self_open else others
    return ModeRules(
        players=players,
        solo=solo,
        coop=coop,
        advanced=bool(options["advanced"]),
        commanders=bool(options["commanders"]),
        rounds=int(options["rounds"]) if solo or coop else 0,
        side=PRINTED.coop if coop else PRINTED.standard,
        floors=1 if solo else FLOORS,
        houses=players if coop else 1 if solo else HOUSES,
        sealed=not (solo or coop),
        edges=edges,
        others=others,
        distinct=bool(options["setup_distinct_symbols"]),
        lure_beats_traps=options["treasure_overrides_traps"] == "suppress",
        arrows_turn_scattered=options["dragon_scatter_entry"] == "full",
        hearse_sold=not (solo or coop) or (bool(options["hearse_in_solo_coop"]) and not pegasus),
        count_per_move=options["weapon_count_scope"] == "move",
        flail_empty=options["flail_target"] == "empty" and not pegasus,
        pegasus=pegasus,
        redraw_commanders=options["commanders_in_setup"] == "redraw",
        rapier_turns_each=pegasus,
        left=SEATINGS[players, coop].left,
        right=SEATINGS[players, coop].right,
    )
