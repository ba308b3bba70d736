"""SIGKILL at random moments: nothing acknowledged is lost, nothing appears twice, the board diff is right.

The suite kills a few times; `GLOAM_KILLS=1000 pytest tests/core/test_kill.py` kills as often as is said.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from companion.engine.action import Seat
from companion.engine.layout import Layout
from companion.games import REGISTRY
from companion.table.journal import Journal
from companion.table.session import Session
from companion.world.loop import differences

KILLS = int(os.environ.get("GLOAM_KILLS", "50"))
SEED = int(os.environ.get("GLOAM_SEED", "2026"))
PLAYER = Path(__file__).with_name("kill_player.py")


def killed(path: Path, key: str, seed: int, rng: Random) -> list[str]:
    """Lets the player play and kills it at some moment; returns what it had acknowledged."""
    player = subprocess.Popen(
        [sys.executable, str(PLAYER), str(path), key, str(seed)], stdout=subprocess.PIPE, text=True
    )
    assert player.stdout is not None
    heard = [player.stdout.readline() for _ in range(rng.randrange(1, 12))]
    # An action takes a few milliseconds: this hits any part of it, the write to the disk as well.
    time.sleep(rng.random() * 0.008)
    os.kill(player.pid, signal.SIGKILL)
    rest, _ = player.communicate()
    # A line cut in the middle says too little; whole ones are what the journal must hold.
    return [line for line in ("".join(heard) + rest).split("\n")[:-1] if line]


def board_after(session: Session, lines: list[tuple[Seat, str]]) -> Layout:
    """How the players left the board: as after these lines."""
    state = session.game.start(session.options)
    for seat, text in lines:
        state.apply(seat, state.notation.parse(text))
    return session.game.layout(session.game.view(state, session.game.camera(session.options)))


def put_right(board: Layout, expected: Layout) -> Layout:
    """Does to the board what the lights ask for."""
    right = dict(board)
    for cell, wanted, _ in differences(expected, board):
        right[cell] = wanted
    return right


@pytest.mark.slow
def test_killing_the_player_loses_and_doubles_nothing(tmp_path):
    print(f"seed {SEED}, {KILLS} kills")
    rng = Random(SEED)
    path = tmp_path / "games.db"
    actions: Counter[str] = Counter()
    ahead = 0
    for kill in range(KILLS):
        key = list(REGISTRY)[kill % len(REGISTRY)]
        acknowledged = killed(path, key, rng.getrandbits(32), rng)
        assert acknowledged, f"kill {kill}: the player said nothing before it was killed"
        actions[key] += len(acknowledged)
        journal = Journal(path)
        number, length, _ = acknowledged[-1].split(" ", 2)
        stored = [line[:2] for line in journal.read(int(number))]
        for said in acknowledged:
            where, at, what = said.split(" ", 2)
            if where == number:
                assert len(stored) >= int(at), f"kill {kill}: {said} is lost"
                assert stored[int(at) - 1][1] == what, f"kill {kill}: {said} is another now"
        # Opening the game lets chance follow where it is due, so it may be longer than what was stored.
        session = Session(journal, int(number))
        assert session.lines()[: len(stored)] == stored, f"kill {kill}: a line is doubled or out of order"
        session.state().check()
        ahead += len(stored) > int(length)
        left = board_after(session, stored[: int(length)])
        now = board_after(session, session.lines())
        assert differences(now, put_right(left, now)) == [], f"kill {kill}: the diff misses something"
        touched = {one.cell for one in differences(now, left)}
        assert all(left.get(cell, ()) == now.get(cell, ()) for cell in {*left, *now} - touched)
        assert len(session.lines()) > int(length) or not touched, f"kill {kill}: the diff invents something"
        journal.close()
    assert set(actions) == set(REGISTRY)
    print(f"acknowledged actions: {dict(actions)}; stored but not yet said when killed: {ahead} times")
