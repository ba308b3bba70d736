"""What the owner of this box has entered; each edition of the game has its own (see `games.edition`)."""

from __future__ import annotations

from companion.engine.facts import Values

VALUES: Values = {}
EDITION = ""
