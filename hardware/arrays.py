"""The kinds of arrays that light and pictures are made of."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Light = NDArray[np.float64]
"""Linear light, 0 to 1: one row per LED; red, green and blue, or one value per channel on the wire."""
Levels = NDArray[np.integer[Any]]
"""Whole numbers per LED: phases, levels from 0 to 255, indices of bytes in a frame."""
Photo = NDArray[np.uint8]
"""A picture: rows, columns and, in colour, blue, green and red."""
