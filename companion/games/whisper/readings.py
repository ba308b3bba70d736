"""The facts of the box on which public sources disagree, each as a switch that changes the data files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

Json = dict[str, Any]


def _entry(raw: Json, file: str, name: str) -> Json:
    lists = {"killer_cards": "cards", "killers": "killers"}
    entries: list[Json] = raw[file][lists.get(file, file)]
    return next(entry for entry in entries if entry["id"] == name)


def _set(file: str, name: str, *path: str | int, to: Any) -> Callable[[Json], None]:
    """Makes the reading that replaces one value of one entry."""

    def change(raw: Json) -> None:
        at: Any = _entry(raw, file, name) if name else raw[file]
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = deepcopy(to)

    return change


def _firecracker(raw: Json) -> None:
    entry = _entry(raw, "items", "firecracker")
    entry["uses"] = ["special"]
    entry["effects"] = {"special": entry["effects"]["extra"]}


def _entrapment(raw: Json) -> None:
    place = [{"op": "barricade", "where": "any", "n": 2}]
    entry = _entry(raw, "skills", "k13")
    entry.update(
        kind="trigger", once=True, trigger="turn_start", effects=[{"op": "may", "pay": 0, "do": place}]
    )


READINGS: Mapping[str, tuple[str, tuple[Callable[[Json], None], ...]]] = {
    "dice": ("AMB-37", (_set("dice", "", "faces", to=[0, 1, 1, 1, 1, 3]),)),
    "maniac": ("AMB-38", (_set("killers", "maniac", "levels", 3, "effects", 0, "n", to=2),)),
    "drain": ("AMB-39", (_set("killer_cards", "specter_drain", "cost", to=-1),)),
    "longsword": ("AMB-40", (_set("items", "longsword", "effects", "defence", 0, "n", to=2),)),
    "adrenaline": ("AMB-40", (_set("items", "adrenaline", "effects", "extra", 0, "max", to=4),)),
    "firecracker": ("AMB-40", (_firecracker,)),
    "info": ("AMB-41", (_set("map", "", "special", "info_source", to="K5"),)),
    "william": (
        "AMB-42",
        (_set("survivors", "william", "advantages", 0, "mods", 0, "if", to="no_weapon"),),
    ),
    "skills": (
        "AMB-44",
        (
            _set("skills", "s10", "effects", 0, "n", to=1),
            _set("skills", "s12", "once", to=True),
            _set("skills", "s16", "mods", 0, "if", to="killer_here"),
            _set("skills", "k08", "effects", 0, "n", to=-1),
            _entrapment,
            _set("skills", "k20", "effects", 0, "pay", to=2),
        ),
    ),
    "plans": (
        "AMB-44",
        (
            _set("plans", "ambush", "steps", to=["at_info", "all_together", "at_killer"]),
            _set("plans", "seal", "abilities", 1, "item", to=None),
        ),
    ),
}
"""The other reading of each fact on which public sources disagree: its decision, what it changes."""
