"""What the owner of a box may check and correct: the drawings of tunnel cards, and how many cards there are.

A tunnel card is described as a person sees it: which sides are open, how its ways run, what is on it. The
segments in which dwarves walk follow from that and from the card's level.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from companion.engine.errors import ConfigError
from companion.engine.facts import BOOK, SIDES, UNCHECKED, Fact, FactValue, Said, choice, name_of
from companion.games.dark_cave import pieces

MOST = 9
FEWEST = (24 + pieces.BOXED, 16 + pieces.BOXED, 1 + pieces.BOXED)
"""The smallest decks by level that can be dealt to every number of players."""
WAYS: Mapping[str, tuple[Said, tuple[str, ...]]] = {
    "together": (("all joined", "все соединены"), ("NESW",)),
    "north-east": (("two bends: top–right, bottom–left", "два изгиба: верх–право, низ–лево"), ("NE", "SW")),
    "north-west": (("two bends: top–left, bottom–right", "два изгиба: верх–лево, низ–право"), ("ES", "NW")),
    "crossing": (("two that cross without meeting", "две дороги крест-накрест"), ("NS", "EW")),
}
"""How the ways of a card run: the sides that hang together."""
FEATURES: Mapping[str, Said] = {
    "none": ("nothing", "ничего"),
    "hole": ("a dark hole", "тёмная дыра"),
    "ladder": ("a ladder", "лестница"),
    "bridge": ("a bridge", "мост"),
    "passage": ("an arched passage", "дугообразный проход"),
    "gold": ("a gold vein", "золотая жила"),
}
_AT: Mapping[str, Said] = {
    "middle": ("in the middle", "в середине"),
    "N": ("at the top", "сверху"),
    "E": ("at the right", "справа"),
    "S": ("at the bottom", "снизу"),
    "W": ("at the left", "слева"),
}
DEEDS: Mapping[str, Said] = {
    "info": ("Secret information", "Секретная информация"),
    "rockfall": ("Rockfall", "Камнепад"),
    "swap": ("Hand swap", "Обмен карточками"),
    "web": ("Web", "Паутина"),
    "boots": ("Boots", "Сапоги"),
    "axe": ("Battle-axe", "Боевой топор"),
    "rat": ("Rat", "Крыса"),
    "lindworm": ("Lindworm", "Змий"),
    "goblin": ("Goblin", "Гоблин"),
}
_OPEN = ("Tap the sides that are open", "Нажмите на открытые стороны")
_HOW_MANY = ("How many are in the box?", "Сколько их в коробке?")
Json = dict[str, Any]


def facts(source: Json) -> Iterator[Fact]:
    """The facts of the box, over the content of `cards.json`."""
    tunnels = list(source["tunnels"])
    for entry in tunnels:
        yield from _tunnel(source, entry)
    for entry in source["goals"]:
        about = (f"Goal card {entry['id']}", f"Карточка цели {entry['id']}")
        yield _sides(f"goals.{entry['id']}", entry, 3, about)
    for entry in (source["start"], source["start_back"]):
        about = (f"Entrance {entry['id']}", f"Вход {entry['id']}")
        yield _sides(f"entrance.{entry['id']}", entry, 1, about)
    yield from _actions(source)
    for kind, said in DEEDS.items():

        def put(value: FactValue, kind: str = kind) -> None:
            source.setdefault("names", {})[kind] = value

        yield name_of(f"names.{kind}", said, put)


def _origin(entry: Mapping[str, Any]) -> str:
    return BOOK if entry["source"] == "rulebook" else UNCHECKED


def _sides(base: str, entry: Json, level: int, about: Said) -> Fact:
    """The open sides of a card whose ways all meet and whose feature we know."""
    seen = _described(entry)

    def put(value: FactValue) -> None:
        if value != seen["open"]:
            _redraw(entry, level, {**seen, "open": str(value)})

    return Fact(f"{base}.open", "sides", seen["open"], about, _OPEN, _origin(entry), put)


def _tunnel(source: Json, entry: Json) -> Iterator[Fact]:
    """A drawing is made anew when something about it differs from ours."""
    base, level = f"tunnels.{entry['id']}", entry["level"]
    about = (f"Tunnel card {entry['id']}", f"Карточка туннеля {entry['id']}")
    seen = _described(entry)
    origin = _origin(entry)

    def put(part: str) -> Any:
        def change(value: FactValue) -> None:
            if seen[part] != value:
                seen[part] = str(value)
                _redraw(entry, level, seen)

        return change

    def count(value: FactValue) -> None:
        at = source["tunnels"].index(entry)
        more = [{**entry, "id": f"{entry['id']}.{n}"} for n in range(2, int(value) + 1)]
        source["tunnels"][at : at + 1] = [entry, *more] if value else []

    asks: Mapping[str, Said] = {
        "open": _OPEN,
        "ways": ("How do its ways run?", "Как идут дороги?"),
        "feature": ("What is on it?", "Что на ней?"),
        "at": ("Where on the card?", "Где на карточке?"),
    }
    yield Fact(f"{base}.open", "sides", seen["open"], about, asks["open"], origin, put("open"))
    ways = tuple((name, said) for name, (said, _) in WAYS.items())
    yield choice(f"{base}.ways", seen["ways"], about, asks["ways"], origin, ways, put("ways"))
    yield choice(
        f"{base}.feature",
        seen["feature"],
        about,
        asks["feature"],
        origin,
        tuple(FEATURES.items()),
        put("feature"),
    )
    yield choice(f"{base}.at", seen["at"], about, asks["at"], origin, tuple(_AT.items()), put("at"))
    # Last: further copies are taken from the card as it is by then.
    yield Fact(f"{base}.count", "number", 1, about, _HOW_MANY, origin, count, 0, MOST)


def _actions(source: Json) -> Iterator[Fact]:
    kinds = [(kind, level) for level in pieces.LEVELS for kind in pieces.ACTION_CARDS if kind != "web"]
    counts = Counter((entry["kind"], entry["level"]) for entry in source["actions"])
    for kind, level in kinds:
        roman = "I" * level
        about = (f"{DEEDS[kind][0]}, level {roman}", f"{DEEDS[kind][1]}, уровень {roman}")

        def put(value: FactValue, kind: str = kind, level: int = level) -> None:
            if value != counts[kind, level]:
                ours = [e for e in source["actions"] if (e["kind"], e["level"]) == (kind, level)]
                for entry in ours:
                    source["actions"].remove(entry)
                source["actions"] += [
                    {"id": f"{kind}-{level}-{n}", "level": level, "kind": kind, "source": "house"}
                    for n in range(1, int(value) + 1)
                ]

        n = counts[kind, level]
        yield Fact(f"actions.{kind}-{level}.count", "number", n, about, _HOW_MANY, UNCHECKED, put, 0, MOST)
    for entry in source["actions"]:
        if entry["kind"] == "web":
            about = (f"Web {entry['symbol']}", f"Паутина {entry['symbol']}")
            ask = ("Which level is on its back?", "Какой уровень на рубашке?")

            def set_level(value: FactValue, entry: Json = entry) -> None:
                entry["level"] = len(str(value))

            levels = tuple(("I" * n, ("I" * n, "I" * n)) for n in pieces.LEVELS)
            name = f"webs.{entry['symbol']}.level"
            yield choice(name, "I" * entry["level"], about, ask, _origin(entry), levels, set_level)


# Between what is seen and what is walked --------------------------------------------------------------


def _described(entry: Mapping[str, Any]) -> dict[str, str]:
    """A drawing as a person sees it."""
    sides = "".join(side for side in SIDES if side in entry["edges"])
    together = _together(entry)
    groups = {"".join(s for s in sides if entry["edges"][s] in segments) for segments in together}
    ways = next(
        (
            name
            for name, (_, runs) in WAYS.items()
            if groups - {""} == {"".join(s for s in run if s in sides) for run in runs} - {""}
        ),
        "together",
    )
    feature, at = "none", "middle"
    for segment, name in entry["features"].items():
        own = [side for side in sides if entry["edges"][side] == segment]
        feature, at = name, own[0] if own and (len(own) < len(sides)) else "middle"
        if name == "bridge":  # a bridge carries one of two ways, which is named by one of its sides
            group = next(group for group in together if segment in group)
            at = next(side for side in sides if entry["edges"][side] in group)
    return {"open": sides, "ways": ways, "feature": feature, "at": at}


def _together(entry: Mapping[str, Any]) -> list[set[str]]:
    """The segments that hang together without an arched passage."""
    passages = {segment for segment, feature in entry["features"].items() if feature == "passage"}
    groups: list[set[str]] = []
    for segment in entry["segments"]:
        if segment in passages:
            continue
        near = {segment} | {
            other for link in entry["links"] if segment in link for other in link if other not in passages
        }
        touching = [group for group in groups if group & near]
        groups = [group for group in groups if not group & near] + [near.union(*touching)]
    return groups


def _redraw(entry: Json, level: int, seen: Mapping[str, str]) -> None:
    """Makes the segments of a card anew from what is seen on it (ledger section 1.3)."""
    sides = seen["open"]
    runs = [run for run in ("".join(s for s in run if s in sides) for run in WAYS[seen["ways"]][1]) if run]
    edges: dict[str, str] = {}
    segments: list[str] = []
    links: list[list[str]] = []
    hubs: list[str] = []
    for i, run in enumerate(runs):
        if level == 1:
            segments.append("ab"[i])
            edges |= dict.fromkeys(run, "ab"[i])
            hubs.append("ab"[i])
            continue
        arms = [side.lower() for side in run]
        edges |= dict(zip(run, arms, strict=True))
        if level == 2:
            segments += arms
            links += [list(pair) for pair in combinations(arms, 2)]
            hubs.append(arms[0])
        else:
            hub = "c" if len(runs) == 1 else f"c{i + 1}"
            segments += [hub, *arms]
            links += [[arm, hub] for arm in arms]
            hubs.append(hub)
    features: dict[str, str] = {}
    if seen["feature"] == "passage":
        segments.append("p")
        ends = hubs if level != 2 else [one for one in segments if one != "p"]
        links += [[one, "p"] for one in ends]
        features["p"] = "passage"
    elif seen["feature"] == "bridge":
        features[next((hub for hub, run in zip(hubs, runs, strict=True) if seen["at"] in run), hubs[0])] = (
            "bridge"
        )
    elif seen["feature"] != "none" and hubs:
        features[edges.get(seen["at"], hubs[0])] = seen["feature"]
    entry.update(edges=edges, segments=segments, links=links, features=features)


def demand_playable(source: Mapping[str, Any], found: tuple[Fact, ...]) -> None:
    """Raises `ConfigError` where a card cannot be drawn so, or a level has too few cards to deal."""
    _demand_drawings(found)
    for level, fewest in zip(pieces.LEVELS, FEWEST, strict=True):
        n = sum(entry["level"] == level for entry in [*source["tunnels"], *source["actions"]])
        if n < fewest:
            raise ConfigError(f"level {'I' * level} has {n} cards; allowed: at least {fewest}")


def _demand_drawings(found: tuple[Fact, ...]) -> None:
    """Raises `ConfigError` where the facts about a card do not go together."""
    value = {fact.id: fact.value for fact in found}
    for fact in found:
        if fact.kind != "sides":
            continue
        base, sides = fact.subject, str(fact.value)
        if not sides:
            raise ConfigError(f"{fact.id} is empty; allowed: at least one side")
        if f"{base}.ways" not in value:
            continue
        runs = [{s for s in run if s in sides} for run in WAYS[str(value[f"{base}.ways"])][1]]
        if len(runs) > 1 and not all(len(run) == 2 for run in runs):
            raise ConfigError(f"{base}.ways is {value[f'{base}.ways']!r}; allowed with {sides}: together")
        if value[f"{base}.feature"] == "passage" and len(runs) < 2:
            raise ConfigError(f"{base}.feature is 'passage'; allowed: only between two ways")
        at = str(value[f"{base}.at"])
        if at != "middle" and at not in sides:
            raise ConfigError(f"{base}.at is {at!r}; allowed: middle, {', '.join(sides)}")
