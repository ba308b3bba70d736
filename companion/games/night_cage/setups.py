"""What the players agree on before a game of The Night Cage: seats, options, named set-ups."""

from __future__ import annotations

from collections.abc import Mapping

from companion.engine.options import Option, Options, Value, switch
from companion.engine.state import Refusal
from companion.games.night_cage.pieces import IN_BOX, KEEPER, KEY, PRISONERS

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
    Option("order_of_two", tuple(LEADERS), "aabb", "NC-BOOK-05"),
    *(Option(f"colour_{n}", ("any", *PRISONERS), "any", "NC-BOOK-05") for n in range(1, 6)),
)

SAMPLES: Mapping[str, Mapping[str, Value]] = {
    "solo": {"players": 1},
    "advanced": {"players": 3, "advanced": True, "fiends": 3, "silent": True},
    "bosses": {
        "players": 2,
        "order_of_two": "abba",
        "colour_1": "purple",
        "colour_3": "blue",
        "pathless": 3,
        "dirge": True,
        "deck": "physical",
        "cracked_tees": True,
    },
    "five": {"players": 5, "advanced": True, "pathless": 2, "dirge": True},
    "switched": {
        "players": 4,
        "advanced": True,
        "keys": -1,
        "gates": 3,
        "dirge": True,
        "dirge_outline": "measured",
        "concede_any_turn": False,
        "monster_blocks_ray": True,
        "landing_in_los_triggers": False,
        "any_fall_out_of_los_triggers": False,
        "flicker_first_removal": "same-turn",
        "flicker_unlit_keeper_removable": True,
        "scramble_triggers": False,
        "turn_continues_after_landing_on_monster": False,
        "relight_state_based": True,
    },
}


def seats(options: Options) -> tuple[str, ...]:
    """One seat per person; a person may lead several prisoners."""
    return tuple(f"p{i + 1}" for i in range(int(options["players"])))


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
            return Refusal("colour-twice", (), "NC-BOOK-05", {"prisoner": colour})
    wanted = (7 if options["players"] == 5 else 6) + int(options["keys"])
    in_box = IN_BOX[KEEPER if advanced else KEY]
    if wanted > in_box:
        tile = "keeper" if advanced else "key"
        data = {"n": wanted, "left": in_box, "tile": tile}
        return Refusal("box-too-small", (), "NC-DIFF-04" if advanced else "NC-DIFF-01", data)
    if options["fiends"] == 3 and not advanced:
        return Refusal("fiends-are-advanced", (), "NC-ADV-33")
    return None
