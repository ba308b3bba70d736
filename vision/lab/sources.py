"""Art by many hands that Debian ships, split so that what judges was never trained or fitted on.

Nothing of it is kept here: `apt-get install` the package, and its pictures are read from where Debian puts
them. A source is split by folder, since the pictures of one folder are often by one hand; two packages judge
only.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from companion.engine.errors import ConfigError

PARTS = ("training", "fitting", "judging")


class ArtSource(NamedTuple):
    """A Debian package with pictures."""

    package: str
    folders: tuple[str, ...]
    parts: tuple[str, ...] = PARTS
    """What the package may be used for."""


SOURCES = {
    "clip_art": ArtSource("openclipart-png", ("/usr/share/openclipart/png",)),
    "stamps": ArtSource("tuxpaint-stamps-default", ("/usr/share/tuxpaint/stamps",), ("judging",)),
    "terrain": ArtSource(
        "wesnoth-1.16-data",
        tuple(
            f"/usr/share/games/wesnoth/1.16/data/core/images/{name}"
            for name in ("terrain", "portraits", "items", "attacks")
        ),
        ("judging",),
    ),
}
_PER_FOLDER = 60
"""No folder gives more pictures than this: one has a thousand stars."""
_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")


@lru_cache(maxsize=16)
def pictures(name: str, part: str) -> tuple[Path, ...]:
    """The pictures of one part of a source, in an order that does not depend on the machine."""
    source = SOURCES[name]
    if part not in source.parts:
        raise ConfigError(f"{name} is for {', '.join(source.parts)} only, not for {part}.")
    by_folder: dict[Path, list[Path]] = {}
    for folder in map(Path, source.folders):
        for path in folder.rglob("*"):
            if path.suffix.lower() in _SUFFIXES and path.is_file():
                by_folder.setdefault(path.parent, []).append(path)
    if not by_folder:
        raise ConfigError(f"There are no pictures of {name}: install Debian's {source.package}.")
    if source.parts == ("judging",):
        kept = sorted(by_folder)
    else:
        kept = sorted(folder for folder in by_folder if part_of(str(folder)) == part)
    return tuple(path for folder in kept for path in _spread(by_folder[folder]))


def part_of(name: str) -> str:
    """Which part a folder or file belongs to, by a hash of its name."""
    return PARTS[int(sha256(name.encode()).hexdigest(), 16) % len(PARTS)]


def _spread(paths: list[Path]) -> list[Path]:
    return sorted(paths, key=lambda path: sha256(path.name.encode()).hexdigest())[:_PER_FOLDER]
