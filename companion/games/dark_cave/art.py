"""The Dark Cave's cards, dwarves, creatures and tokens as we draw them."""

from __future__ import annotations

from math import atan2, degrees

from companion.engine.drawing import (
    Area,
    Disc,
    Drawing,
    Point,
    Shape,
    Stroke,
    Word,
    box,
    eye,
    grain,
    line,
    placed,
    polygon,
    ring,
    star,
)
from companion.games.dark_cave.cards import CARDS
from companion.games.dark_cave.cards import Shape as Card
from companion.games.dark_cave.layout import CARD_MM, FACES

_SIZE = {face.name: (face.width, face.height) for face in FACES}
_CARDS = {card.name: card for card in CARDS.shapes if card.turn == 0}
_WIDTH, _HEIGHT = CARD_MM
_ROCK = {"T1": "#4a4038", "T2": "#3c3f46", "T3": "#352f42", "G-": "#5a4a1e", "ST": "#2f4a35"}
_SECOND_ENTRANCE = "#4d2b52"
"""The rock of the entrance card's other side, a round hall, so that the two are told apart on the table."""
_PATH, _SEAM = "#d8c49a", "#7d6a47"
_WIDE = 15.0
_EDGE: tuple[Point, ...] = ((0, -_HEIGHT / 2), (_WIDTH / 2, 0), (0, _HEIGHT / 2), (-_WIDTH / 2, 0))
CLAN_COLOURS = {"yellow": "#e6c12f", "blue": "#2f62ad"}
_LYING = "#8cf02a"
"""What a figure shows when it lies. No other piece has this colour: it is told wherever it lies on a card."""
_CREATURES = {
    "rat": ("#9a4fc0", "#e8ddd0"),
    "lindworm": ("#2fa04a", "#143d1c"),
    "goblin": ("#d2402f", "#4a140e"),
}
"""The colours of a creature's base and of the creature."""
_WEB = {"triangle": 3, "circle": 24, "diamond": 4}
_WEB_INK = {"triangle": "#e0559a", "circle": "#17a2a2", "diamond": "#3a3f45"}
"""Neither figures nor tunnels have these colours."""


def draw(face: str) -> Drawing:
    """Draws a piece by the name of its face."""
    width, height = _SIZE[face]
    if face in _CARDS:
        shapes = _tunnel(_CARDS[face])
    elif face.startswith(("back", "goal")):
        shapes = _back(face)
    elif face.startswith(("yellow", "blue")):
        shapes = _dwarf(face, width)
    elif face.startswith("web"):
        shapes = _web(face)
    elif face == "nugget":
        shapes = [
            Disc(0, 0, 9, "#3a2f14"),
            *placed([polygon(7, "#d9772b")], scale=7.4),  # red gold: the yellow clan has the other
            Disc(-2, -2, 1.8, "#fff3c4"),
        ]
    else:
        shapes = _creature(face)
    return Drawing(width, height, tuple(shapes))


def _tunnel(card: Card) -> list[Shape]:
    rock = _SECOND_ENTRANCE if card.name == "START-2" else _ROCK[card.name[:2]]
    shapes: list[Shape] = [box(_WIDTH, _HEIGHT, rock)]
    shapes += grain(card.name, _WIDTH, _HEIGHT, ("#2b2622", "#5f554a", "#6d6256"), 90, 1.7)
    groups = _groups(card)
    spread = [(0.0, 0.0)] if len(groups) == 1 else _middles(groups)
    # A bridge crosses over the other way, so its way is drawn last.
    order = sorted(
        range(len(groups)), key=lambda i: any(card.feature.get(s) == "bridge" for s in groups[i][1])
    )
    for width, colour in ((_WIDE + 3, "#1d1915"), (_WIDE, _PATH)):
        for i in order:
            for side in groups[i][0]:
                shapes.append(Stroke((_EDGE[side], spread[i]), width, colour))
    if card.name == "START-2":
        shapes += [Disc(0, 0, 24, "#1d1915"), Disc(0, 0, 21, _PATH), Disc(0, 0, 9, _SECOND_ENTRANCE)]
    for i in order:
        sides, segments = groups[i]
        if len(segments) > len(sides) or (len(segments) > 1 and len(sides) == len(segments)):
            shapes += _seams(sides, spread[i], is_hub=len(segments) > len(sides))
    for segment, feature in card.feature.items():
        shapes += _feature(card, segment, feature, groups, spread)
    # Cards of different levels are told apart by their corner.
    return [*shapes, *_corner(card.name)]


def _groups(card: Card) -> list[tuple[list[int], set[int]]]:
    """The ways of a card: open sides that hang together without a passage, with their segments."""
    passages = {s for s, feature in card.feature.items() if feature == "passage"}
    found: list[tuple[list[int], set[int]]] = []
    left = set(card.segments) - passages
    while left:
        together, waiting = set(), [min(left)]
        while waiting:
            s = waiting.pop()
            if s in left:
                left.remove(s)
                together.add(s)
                waiting += [other for other in card.links[s] if other not in passages]
        found.append(([d for d in range(4) if card.segment[d] in together], together))
    return found


def _middles(groups: list[tuple[list[int], set[int]]]) -> list[Point]:
    """Where each way has its middle: bent ways keep to their corner, straight ones cross in the middle."""
    return [
        (0.0, 0.0)
        if (sides[-1] - sides[0]) == 2 and len(sides) == 2
        else (sum(_EDGE[d][0] for d in sides) * 0.42, sum(_EDGE[d][1] for d in sides) * 0.3)
        for sides, _ in groups
    ]


def _seams(sides: list[int], middle: Point, is_hub: bool) -> list[Shape]:
    """Dotted lines where one segment ends and the next begins."""
    found: list[Shape] = []
    for side in sides:
        part = 0.45 if is_hub else 0.2
        x, y = (middle[i] + (_EDGE[side][i] - middle[i]) * part for i in (0, 1))
        across = (_WIDE / 2, 0.0) if side % 2 == 0 else (0.0, _WIDE / 2)
        found.append(line(x - across[0], y - across[1], x + across[0], y + across[1], 1.1, _SEAM))
    return found


def _spot(card: Card, segment: int, groups: list[tuple[list[int], set[int]]], spread: list[Point]) -> Point:
    """Where a segment is on the card: at its side, or in the middle of its way."""
    for (_, segments), middle in zip(groups, spread, strict=True):
        if segment in segments:
            exits = card.exits[segment]
            if len(exits) == 1 and len(segments) > 1:
                edge = _EDGE[exits[0]]
                return (middle[0] + (edge[0] - middle[0]) * 0.62, middle[1] + (edge[1] - middle[1]) * 0.62)
            return middle
    return (0.0, 0.0)


def _feature(
    card: Card, segment: int, feature: str, groups: list[tuple[list[int], set[int]]], spread: list[Point]
) -> list[Shape]:
    x, y = _spot(card, segment, groups, spread)
    if feature == "hole":
        return [*placed([star(9, "#6d5a36", 0.8)], x, y, 6.6), Disc(x, y, 4.8, "#0b0907")]
    if feature == "ladder":
        rails = [line(-2.6, -7, -2.6, 7, 1.4, "#7a4a1e"), line(2.6, -7, 2.6, 7, 1.4, "#7a4a1e")]
        return placed([*rails, *(line(-2.6, r, 2.6, r, 1.1, "#7a4a1e") for r in (-5, -2, 1, 4))], x, y)
    if feature == "bridge":
        sides = next(sides for sides, segments in groups if segment in segments)
        turn = 0 if sides[0] % 2 == 0 else 90
        planks = [line(-_WIDE / 2 - 1, p, _WIDE / 2 + 1, p, 2.0, "#8a5a2b") for p in (-8, -4, 0, 4, 8)]
        return placed(planks, x, y, turn=turn)
    if feature == "passage":
        (a, b), (c, d) = spread[0], spread[-1]
        arch: list[Shape] = [ring(5.2, 2.2, "#9a8f7d", 180, 360), Disc(0, 0, 3.6, "#1d1915")]
        return [line(a, b, c, d, 5.5, "#8c7c5c"), *placed(arch, turn=degrees(atan2(d - b, c - a)))]
    if feature == "gold":
        return [
            shape
            for dx, dy in ((-3, 1), (3, 2), (0, -3))
            for shape in placed([polygon(6, "#f2cf4a")], x + dx, y + dy, 3.1)
        ]
    return [
        box(20, 24, "#20351f"),
        *placed([box(13, 18, "#bfe3c0")], y=2),
        Word("EXIT", 0, 2, 3.4, "#20351f"),
    ]


def _corner(name: str) -> list[Shape]:
    x, y = -_WIDTH / 2 + 5, -_HEIGHT / 2 + 5
    if name.startswith("START"):
        return [*placed([star(6, "#bfe3c0", 0.5)], x, y, 3.6)]
    if name.startswith("G"):
        return [*placed([star(5, "#f2cf4a", 0.45)], x, y, 3.6)]
    return [Disc(x + 3 * i, y, 1.1, "#e9e4d6") for i in range(int(name[1]))]


def _back(face: str) -> list[Shape]:
    is_goal = face.startswith("goal")
    colour, ink = ("#7a5a12", "#f2cf4a") if is_goal else ("#28323a", "#a8b4bd")
    shapes: list[Shape] = [box(_WIDTH, _HEIGHT, colour), box(_WIDTH - 7, _HEIGHT - 7, "#1d1915")]
    if is_goal:
        shapes += [line(-14, 16, 14, -16, 3.4, ink), line(-14, -16, 14, 16, 3.4, ink)]
        return [*shapes, *placed([polygon(6, ink)], scale=11)]
    # The level as a Roman numeral, so large that a camera which sees the whole table can read it.
    count = int(face[-1])
    strokes = [14 * (i - (count - 1) / 2) for i in range(count)]
    serifs = [line(strokes[0] - 5, y, strokes[-1] + 5, y, 3.4, ink) for y in (-26, 26)]
    return [*shapes, *serifs, *(line(x, -26, x, 26, 6, ink) for x in strokes)]


def _dwarf(face: str, width: float) -> list[Shape]:
    clan, number, *lying = face.split("-")
    colour = CLAN_COLOURS[clan]
    if lying:
        end = width / 2 - 8
        return [
            line(-end, 0, end, 0, 16, "#101010"),
            line(-end, 0, end, 0, 14, _LYING),
            line(4, -6, 4, 6, 1.6, colour),
            Word(number, -4, 0, 6, "#101010"),
        ]
    return [
        Disc(0, 0, 10, "#101010"),
        Disc(0, 0, 9, colour),
        Area(((0, -8), (5, -1), (-5, -1)), "#101010"),
        Word(number, 0, 4, 5.4, "#101010"),
    ]


def _creature(face: str) -> list[Shape]:
    # Neither a clan nor a tunnel has the colour of a creature's base: from above it is all that tells.
    base, colour = _CREATURES[face]
    shapes: list[Shape] = [Disc(0, 0, 10, "#101010"), Disc(0, 0, 9.4, base)]
    if face == "rat":
        return [
            *shapes,
            Disc(-1, 0, 4.6, colour),
            Disc(4.4, -1, 2.8, colour),
            line(-5, 1, -8, 4, 1.2, colour),
        ]
    if face == "lindworm":
        return [
            *shapes,
            Stroke(((-6, 4), (-3, -3), (1, 3), (5, -4)), 3.2, colour),
            Disc(5.4, -4.4, 2.2, "#f2cf4a"),
        ]
    return [
        *shapes,
        *placed([polygon(3, colour)], y=0.8, scale=7.4, turn=180),
        *placed(eye("#f4e9c0", "#a02323"), y=-1.6, scale=3.4),
    ]


def _web(face: str) -> list[Shape]:
    _, symbol, left = face.split("-")
    paper, ink = ("#f6f8fa", _WEB_INK[symbol]) if left == "2" else (_WEB_INK[symbol], "#f2f4f6")
    threads = [line(0, 0, *_EDGE_OF_WEB[i], 0.5, ink) for i in range(8)]
    shapes: list[Shape] = [Disc(0, 0, 9, "#20242a"), Disc(0, 0, 8.3, paper), *threads, ring(6.6, 0.6, ink)]
    shapes += placed([polygon(_WEB[symbol], ink)], y=1, scale=5.0)
    # The notch points to the side that the web closes.
    return [*shapes, Area(((0, -9), (2.8, -4.8), (-2.8, -4.8)), "#101010"), Word(left, 0, 1, 3.4, paper)]


_EDGE_OF_WEB = tuple(polygon(8, "#000000", 8.6).points)


KIT = (
    *(
        (CARDS.kinds[kind], f"back-{CARDS.level[kind] + 1}", CARDS.counts[kind])
        for kind in range(len(CARDS.kinds))
        if CARDS.shape[kind] >= 0
    ),
    *((name, "goal-back", 1) for name in CARDS.goal_names),
    ("START", "START-2", 1),
    *((face, "", 1) for face in _SIZE if face.startswith(("yellow", "blue"))),
    *((name, "", 1) for name in ("rat", "lindworm", "goblin")),
    *(
        (face, face.replace("-2", "-1"), 1)
        for face in _SIZE
        if face.startswith("web") and face.endswith("-2")
    ),
    ("nugget", "", 46),
)
"""What to print: front, back, and how many. Action cards are played from a hand and never lie in the cave."""
