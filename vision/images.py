"""The kinds of arrays that the eyes pass around."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""A picture: rows, columns and, in colour, blue, green and red; or several of one size in a stack."""
Floats = NDArray[np.float32]
"""Codes, scores, light: whatever is computed per picture or per pixel."""
Doubles = NDArray[np.float64]
"""Points and matrices: geometry needs the digits."""
Mask = NDArray[np.bool_]
"""Which pixels are meant."""
Canvas = NDArray[Any]
"""A picture while it is made: bytes or floats, as OpenCV or the brush leaves it."""
Rng = np.random.Generator
