"""Keeps the small evening that `test_evening.py` replays: `python tests/table/make_evening.py`."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from desk_tools import Recording

from companion.service.rig_service import RigService

FOLDER = Path(__file__).parent / "evening"
MOVES = 3


def keep(folder: Path, moves: int = MOVES) -> None:
    """Plays a few moves of The Night Cage by hand on the virtual table; what the eyes ask about is tapped."""
    with TemporaryDirectory() as scratch:
        one = Recording(Path(scratch), seed=4)
        one.desk.close()
        one.desk = RigService(one.table, one.desk.config, Path(scratch), one.clock, keep=folder)
        one.start("night_cage", players=2)
        for _ in range(10):
            one.tap()
        one.look(most=5)
        made = 0
        while made < moves and (decided := one.decision()) is not None:
            steps, lines = one.sitting.steps_of(*decided), len(one.session.lines())
            for step in steps:
                step.act()
            if steps:
                made += 1
                one.desk.touch()
                for _ in range(9):
                    one.look(most=1)
                    if len(one.session.lines()) > lines:
                        break
            if len(one.session.lines()) == lines:
                one.session.submit(decided[0], one.session.state().notation.text(decided[1]))
        one.close()


if __name__ == "__main__":
    shutil.rmtree(FOLDER, ignore_errors=True)
    keep(FOLDER)
