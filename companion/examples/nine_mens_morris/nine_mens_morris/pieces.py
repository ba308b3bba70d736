"""What is in the box: a board of 24 points on 16 lines, and nine men for each side. Data only."""

from __future__ import annotations

import json
from pathlib import Path

from companion.engine.grid import mask_of

WHITE, BLACK = range(2)
SIDES = ("white", "black")
MEN = 9
"""Men of each side (NM-COMP-02)."""

LINES: list[list[str]] = json.loads(Path(__file__).with_name("board.json").read_text("utf-8"))["lines"]
"""The lines along which three men make a mill (NM-COMP-01); `page.js` draws them from the same file."""
POINTS = tuple(dict.fromkeys(point for line in LINES for point in line))
"""The names of the points: a column and a row, as on a chess board. A cell is the index of its point."""
MILLS = tuple(mask_of(POINTS.index(point) for point in line) for line in LINES)
"""Each line as a mask of its three cells."""
MILLS_OF = tuple(tuple(mill for mill in MILLS if mill >> cell & 1) for cell in range(len(POINTS)))
"""The two lines through each cell."""
BESIDE = tuple(
    mask_of(
        POINTS.index(other)
        for line in LINES
        if point in line
        for other in line
        if abs(line.index(other) - line.index(point)) == 1
    )
    for point in POINTS
)
"""The cells next to each cell along a line, as a mask."""
