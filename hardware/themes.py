"""How meanings look: colours and rhythms as tables. Colour, rhythm and shape together carry a meaning.

Colours are written as screens have them (`#rrggbb`, sRGB); the renderer makes light of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from hardware.wire import BLINK, BREATHE, FLICKER, PULSE, RUN, STEADY


class Drawn(NamedTuple):
    """What holds for a meaning in every theme."""

    layer: int
    """Higher layers lie above lower ones."""
    tint: float
    """How much of a tint it takes on, 0 to 1."""
    cover: float = 1.0
    """How much of what lies below it hides."""
    shape: str = "full"
    """full | bar (upper half of the cell) | diagonal (two corners); seen where a cell has several LEDs."""


DRAWN: Mapping[str, Drawn] = {
    "dim": Drawn(0, 0.5),
    "lit": Drawn(1, 0.6),
    "fading": Drawn(1, 0.35),
    "pit": Drawn(2, 0.0),
    "safe": Drawn(2, 0.3),
    "progress": Drawn(2, 0.85),
    "low": Drawn(2, 0.3),
    "noise": Drawn(3, 0.3, 0.8),
    "fear": Drawn(3, 0.2, 0.8),
    "threat": Drawn(3, 0.0, 0.75, "diagonal"),
    "path": Drawn(4, 0.6, 0.9),
    "legal": Drawn(5, 0.55, 0.7, "bar"),
    "choose": Drawn(5, 0.5, 0.9),
    "place": Drawn(6, 0.3),
    "remove": Drawn(6, 0.3, 1.0, "diagonal"),
    "turn": Drawn(6, 0.9),
    "attack": Drawn(7, 0.0, 0.95),
    "wrong": Drawn(8, 0.0, 1.0, "diagonal"),
    "won": Drawn(9, 0.5),
    "lost": Drawn(9, 0.0),
}


class Bar(NamedTuple):
    """Where a meaning is drawn on the bar of a place: see `BAR_DRAWN`."""

    slots: str
    """ground (the middle, and the ends while they are free) | ends | left | right."""
    tint: float
    """How much of a tint it takes on; what must never be mistaken takes on none."""


BAR_DRAWN: Mapping[str, Bar] = {
    "dim": Bar("ground", 0.0),
    "lit": Bar("ground", 0.75),
    "pit": Bar("ground", 0.0),
    "safe": Bar("ground", 0.3),
    "progress": Bar("ground", 0.85),
    "low": Bar("ground", 0.3),
    "won": Bar("ground", 0.5),
    "lost": Bar("ground", 0.0),
    "fading": Bar("left", 0.0),
    "threat": Bar("left", 0.0),
    "path": Bar("left", 0.6),
    "noise": Bar("left", 0.3),
    "fear": Bar("left", 0.2),
    "legal": Bar("right", 0.55),
    "choose": Bar("right", 0.5),
    "turn": Bar("right", 0.9),
    "attack": Bar("ends", 0.0),
    "place": Bar("ends", 0.0),
    "remove": Bar("ends", 0.0),
    "wrong": Bar("ends", 0.0),
}
"""A bar has a middle and two ends. What a place is glows in the middle, and fills the bar while nothing else
is said; what comes glows at its left end, what may be done at its right, what must be seen at both. Several
things take turns, so nothing hides anything."""

ColouredRhythm = tuple[str, int]
"""A colour and a rhythm."""


class Mood(NamedTuple):
    """A hush for the whole table: a colour below everything, and how much of the lowest layers is left."""

    colour: str
    rhythm: int
    gain: float


@dataclass(frozen=True, slots=True)
class Theme:
    """One way to draw every meaning."""

    looks: Mapping[str, ColouredRhythm]
    tints: Mapping[str, str]
    moods: Mapping[str, Mood]
    bars: Mapping[str, str] = field(default_factory=dict)
    """Colours that are others on a bar, where nothing but the colour tells two things at one end apart."""


_TINTS = {
    "red": "#ff1a10",
    "orange": "#ff7a00",
    "yellow": "#ffd400",
    "green": "#17c81e",
    "blue": "#1450ff",
    "violet": "#8a1cff",
    "white": "#ffffff",
    "brown": "#7a3c0a",
    "pink": "#ff4fa0",
}

_MOODS = {
    "tense": Mood("#160406", BREATHE, 0.85),
    "last-light": Mood("#000006", STEADY, 0.6),
    "won": Mood("#5a3c08", FLICKER, 1.0),
    "lost": Mood("#0a0618", BREATHE, 0.35),
}

GLOAM = Theme(
    {
        "dim": ("#141c38", STEADY),
        "lit": ("#ffb050", FLICKER),
        "fading": ("#a03c10", BREATHE),
        "pit": ("#2c0060", BREATHE),
        "safe": ("#2e9c58", STEADY),
        "progress": ("#d8a800", STEADY),
        "low": ("#ff8a1c", BREATHE),
        "noise": ("#8ab4ff", PULSE),
        "fear": ("#7a10d8", PULSE),
        "threat": ("#e01408", BREATHE),
        "path": ("#30a8ff", RUN),
        "legal": ("#28d8b4", BREATHE),
        "choose": ("#fff0d0", PULSE),
        "place": ("#40ff40", PULSE),
        "remove": ("#ff7000", PULSE),
        "turn": ("#ffffff", BREATHE),
        "attack": ("#ff2410", RUN),
        "wrong": ("#ff1090", BLINK),
        "won": ("#ffd860", FLICKER),
        "lost": ("#500810", BREATHE),
    },
    _TINTS,
    _MOODS,
    {"fading": "#e08a00"},
)

# Red and green are told apart by blue against orange and by brightness.
RED_GREEN_SAFE = Theme(
    {
        **GLOAM.looks,
        "lit": ("#ffc878", FLICKER),
        "fading": ("#8c4a00", BREATHE),
        "pit": ("#10106a", BREATHE),
        "safe": ("#0072b2", STEADY),
        "progress": ("#f0e442", STEADY),
        "low": ("#ffffff", BREATHE),
        "noise": ("#9ad2ff", PULSE),
        "fear": ("#3c28c8", PULSE),
        "threat": ("#e66a00", BREATHE),
        "path": ("#2a8cff", RUN),
        "legal": ("#56b4e9", BREATHE),
        "choose": ("#ffffff", PULSE),
        "place": ("#f0e442", PULSE),
        "remove": ("#b45a00", PULSE),
        "turn": ("#fff8a0", BREATHE),
        "attack": ("#ff9a10", RUN),
        "wrong": ("#ff50c8", BLINK),
        "won": ("#fff8d8", FLICKER),
        "lost": ("#241408", BREATHE),
    },
    {
        "red": "#b43c00",
        "orange": "#f0a000",
        "yellow": "#fff04a",
        "green": "#4aa08c",
        "blue": "#0a3cff",
        "violet": "#4a10a0",
        "white": "#ffffff",
        "brown": "#321c00",
        "pink": "#d29adc",
    },
    _MOODS,
    {"fading": "#fff6c0"},
)

# Blue and yellow are told apart by red against cyan and by brightness.
BLUE_YELLOW_SAFE = Theme(
    {
        **GLOAM.looks,
        "lit": ("#ff9c6a", FLICKER),
        "fading": ("#8c2814", BREATHE),
        "pit": ("#003c46", BREATHE),
        "safe": ("#00a078", STEADY),
        "progress": ("#ff8c8c", STEADY),
        "low": ("#ffb4b4", BREATHE),
        "noise": ("#b4fff0", PULSE),
        "fear": ("#6e003c", PULSE),
        "threat": ("#e60a14", BREATHE),
        "path": ("#00d2e6", RUN),
        "legal": ("#00e6c8", BREATHE),
        "choose": ("#ffffff", PULSE),
        "place": ("#00c85a", PULSE),
        "remove": ("#ff6446", PULSE),
        "turn": ("#ffffff", BREATHE),
        "attack": ("#ff1e1e", RUN),
        "wrong": ("#ff3c78", BLINK),
        "won": ("#ffd2c8", FLICKER),
        "lost": ("#3c0a0a", BREATHE),
    },
    {
        "red": "#ff0a14",
        "orange": "#ff6446",
        "yellow": "#ffd2d2",
        "green": "#008c46",
        "blue": "#00b4c8",
        "violet": "#780050",
        "white": "#ffffff",
        "brown": "#501400",
        "pink": "#ff96b4",
    },
    _MOODS,
    {"fading": "#ffc0c0"},
)

_SOFTER = {FLICKER: FLICKER, PULSE: BREATHE, BLINK: BREATHE, RUN: BREATHE}

CALM = Theme(
    {meaning: (colour, _SOFTER.get(rhythm, STEADY)) for meaning, (colour, rhythm) in GLOAM.looks.items()},
    _TINTS,
    {name: mood._replace(rhythm=STEADY) for name, mood in _MOODS.items()},
    GLOAM.bars,
)
"""Nothing faster than a breath: no pulses, no running lights, no blinking."""

THEMES: Mapping[str, Theme] = {
    "gloam": GLOAM,
    "red-green-safe": RED_GREEN_SAFE,
    "blue-yellow-safe": BLUE_YELLOW_SAFE,
    "calm": CALM,
}
