"""SIGKILL at random moments: nothing acknowledged is lost, nothing appears twice, the journal opens."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from companion.games import REGISTRY
from companion.journal import Journal
from companion.session import Session

KILLS = 200
PLAYER = Path(__file__).with_name("kill_player.py")


def killed(path: Path, key: str, seed: int, rng: Random) -> list[str]:
    """Lets the player play and kills it; returns what it had acknowledged."""
    player = subprocess.Popen(
        [sys.executable, str(PLAYER), str(path), key, str(seed)], stdout=subprocess.PIPE, text=True
    )
    assert player.stdout is not None
    said = [player.stdout.readline() for _ in range(rng.randrange(1, 12))]
    os.kill(player.pid, signal.SIGKILL)
    rest, _ = player.communicate()
    complete = "".join(said) + rest
    # A line cut in the middle says too little; whole ones are what the journal must hold.
    return [line for line in complete.split("\n")[:-1] if line]


@pytest.mark.slow
def test_killing_the_player_loses_and_doubles_nothing(tmp_path):
    rng = Random(2026)
    path = tmp_path / "games.db"
    key = "onirim"
    assert key in REGISTRY
    for kill in range(KILLS):
        acknowledged = killed(path, key, kill, rng)
        assert acknowledged, "the player said nothing before it was killed"
        journal = Journal(path)
        number, length, _ = acknowledged[-1].split(" ", 2)
        session = Session(journal, int(number))
        lines = session.lines()
        assert len(lines) >= int(length), f"kill {kill}: an acknowledged action is lost"
        for said in acknowledged:
            where, at, what = said.split(" ", 2)
            if where == number:
                assert lines[int(at) - 1][1] == what, f"kill {kill}: {said}"
        stored = journal.read(int(number))
        assert [line[:2] for line in stored] == lines, f"kill {kill}: a line appears twice or is out of order"
        session.state().check()
        journal.close()
