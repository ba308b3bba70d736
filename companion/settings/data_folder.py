"""Where Gloam keeps what must survive: stored games, teach files, settings."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path:
    """The folder for saves: `$GLOAM_DATA`, the service's own, or the user's; made when missing."""
    chosen = os.environ.get("GLOAM_DATA") or os.environ.get("STATE_DIRECTORY")
    if chosen:
        folder = Path(chosen)
    else:
        folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "gloam"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
