"""Where things are soldered on the Pico: the one file to change for another build. Numbers are GP numbers."""

DATA = 0
"""The LED strip's data line, through the level shifter."""

BUTTONS = (10, 11, 12, 13)
"""End turn, undo, next, shut down: each from its pin to ground."""

BEAM = 14
"""The light barrier of the dice tower: pulled to ground while it is broken. None: there is none."""

ROWS = ()
COLUMNS = ()
"""Reed or hall switches under the board as a matrix: its row and column pins, row by row."""

SHIFT = None
"""Or a chain of 74HC165: (number of switches, load pin, clock pin, data pin)."""
