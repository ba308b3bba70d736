"""What the players agree on before a game of The Night Cage: seats and options."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from companion.engine.action import Cell, Seat
from companion.engine.options import Option, Options, Value, switch
from companion.engine.state import Refusal, no
from companion.games.night_cage.pieces import (
    IN_BOX,
    KEEPER,
    KEY,
    OUTLINE,
    PRISONERS,
    SQUARE,
    SetUp,
    set_up,
)
from companion.games.night_cage.tiles import PASSING, Passing
from companion.games.night_cage.torus import BOARDS

LEADERS = {"aabb": (0, 0, 1, 1), "abab": (0, 1, 0, 1), "abba": (0, 1, 1, 0)}
"""For two people: who leads each prisoner, in the order of turns."""

OPTIONS = (
    Option("players", (1, 2, 3, 4, 5), 4, "NC-SETUP-01"),
    Option("deck", ("digital", "physical"), "digital"),
    switch("advanced", False, "NC-ADV-01"),
    Option("pathless", (0, 2, 3), 0, "NC-BOSS-02"),
    switch("dirge", False, "NC-BOSS-10"),
    Option("keys", (-1, 0, 1, 2), 0, "NC-DIFF-01"),
    Option("gates", (3, 4), 4, "NC-DIFF-02"),
    switch("cracked_tees", False, "NC-DIFF-03"),
    Option("fiends", (2, 3), 2, "NC-ADV-33"),
    switch("silent", False, "NC-DIFF-05"),
    switch("concede_any_turn", False, "NC-END-09"),
    Option("adv5_wax_eaters", (2, 4), 2, "D-01"),
    Option("dirge_outline", ("square", "measured"), "square", "D-05"),
    switch("monster_blocks_ray", False, "D-07"),
    switch("landing_in_los_triggers", True, "D-16"),
    switch("any_fall_out_of_los_triggers", True, "D-17"),
    Option("flicker_first_removal", ("next-turn", "same-turn"), "next-turn", "D-29"),
    switch("flicker_unlit_keeper_removable", False, "D-30"),
    switch("scramble_triggers", True, "D-14"),
    switch("turn_continues_after_landing_on_monster", True, "D-15"),
    switch("relight_state_based", False, "NC-BOOK-01"),
    Option("order_of_two", tuple(LEADERS), "aabb", "NC-BOOK-05", "who"),
    *(Option(f"colour_{n}", ("any", *PRISONERS), "any", "NC-BOOK-05", "who") for n in range(1, 6)),
)


def seats(options: Options) -> tuple[str, ...]:
    """One seat per person; a person may lead several prisoners."""
    return tuple(f"p{i + 1}" for i in range(int(options["players"])))


def figures(options: Options) -> dict[str, Seat]:
    """The prisoners of people who lead one each."""
    people = int(options["players"])
    if people < 4:
        return {}
    return {PRISONERS[colour]: seat for seat, colour in enumerate(colours_of(options, people))}


def _picked(options: Options, prisoners: int) -> list[str]:
    return [str(options[f"colour_{n}"]) for n in range(1, prisoners + 1)]


def colours_of(options: Options, prisoners: int) -> tuple[int, ...]:
    """NC-BOOK-05: the colours in the order of turns; who has no wish gets the first that nobody wants."""
    picked = _picked(options, prisoners)
    free = iter([colour for colour in PRISONERS if colour not in picked])
    return tuple(PRISONERS.index(next(free) if colour == "any" else colour) for colour in picked)


def at_table(options: Options) -> frozenset[str]:
    """With cardboard the tower gives the tiles."""
    return frozenset({"draw"}) if options["deck"] == "physical" else frozenset()


def conflict(options: Options) -> Refusal | None:
    """NC-DIFF-01, -04, NC-BOOK-05: the box holds no more than it holds, and each colour once."""
    advanced = bool(options["advanced"])
    picked = _picked(options, 5 if options["players"] == 5 else 4)
    for colour in PRISONERS:
        if picked.count(colour) > 1:
            return no("colour-twice", "NC-BOOK-05", prisoner=colour)
    wanted = (7 if options["players"] == 5 else 6) + int(options["keys"])
    in_box = IN_BOX[KEEPER if advanced else KEY]
    if wanted > in_box:
        rule, tile = ("NC-DIFF-04", "keeper") if advanced else ("NC-DIFF-01", "key")
        return no("box-too-small", rule, n=wanted, left=in_box, tile=tile)
    if options["fiends"] == 3 and not advanced:
        return no("fiends-are-advanced", "NC-ADV-33")
    return None


# What the rules ask of them --------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """The options of one game, as the rules ask for them; made once for games with the same options."""

    people: int
    prisoners: int
    colours: tuple[int, ...]
    """The colour of each prisoner, in the order of turns."""
    leaders: tuple[Seat, ...]
    """For two people: who leads each prisoner."""
    stack: SetUp
    passing: Passing
    placements: dict[tuple[Cell, int], int]
    landing_in_los_triggers: bool
    any_fall_out_of_los_triggers: bool
    flicker_same_turn: bool
    flicker_unlit_keeper_removable: bool
    scramble_triggers: bool
    turn_continues_after_landing_on_monster: bool
    relight_state_based: bool
    concede_any_turn: bool
    silent: bool
    shows_burnt: bool
    """Whether the tiles are drawn at the table, so that somebody must see which ones burn."""


def rules_from(options: Options) -> Rules:
    """Reads the options (NC-SETUP-01)."""
    return _rules_from(tuple(options.items()))


@cache
def _rules_from(pairs: tuple[tuple[str, Value], ...]) -> Rules:
    options = dict(pairs)
    people = int(options["players"])
    prisoners = 5 if people == 5 else 4
    outline = OUTLINE if options["dirge_outline"] == "measured" else SQUARE
    return Rules(
        people=people,
        prisoners=prisoners,
        colours=colours_of(options, prisoners),
        leaders=LEADERS[str(options["order_of_two"])],
        stack=_stack_of(options, prisoners),
        passing=PASSING[bool(options["monster_blocks_ray"])],
        placements=BOARDS[7 if prisoners == 5 else 6].placements(outline),
        landing_in_los_triggers=bool(options["landing_in_los_triggers"]),
        any_fall_out_of_los_triggers=bool(options["any_fall_out_of_los_triggers"]),
        flicker_same_turn=options["flicker_first_removal"] == "same-turn",
        flicker_unlit_keeper_removable=bool(options["flicker_unlit_keeper_removable"]),
        scramble_triggers=bool(options["scramble_triggers"]),
        turn_continues_after_landing_on_monster=bool(options["turn_continues_after_landing_on_monster"]),
        relight_state_based=bool(options["relight_state_based"]),
        concede_any_turn=bool(options["concede_any_turn"]),
        silent=bool(options["silent"]),
        shows_burnt=options["deck"] == "physical",
    )


def _stack_of(options: Options, prisoners: int) -> SetUp:
    return set_up(
        prisoners,
        advanced=bool(options["advanced"]),
        keys=int(options["keys"]),
        gates=int(options["gates"]),
        cracked_tees=bool(options["cracked_tees"]),
        fiends=int(options["fiends"]),
        wax_in_advanced_5=int(options["adv5_wax_eaters"]),
        pathless=int(options["pathless"]),
        dirge=bool(options["dirge"]),
    )
