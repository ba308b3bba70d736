"""The tests of secrets use the check that the contract tests use."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "contract"))
