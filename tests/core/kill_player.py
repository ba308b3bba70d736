"""Plays a kind of game into a journal until it is killed; says every action after it was acknowledged."""

from __future__ import annotations

import sys
from random import Random

from companion.games import load
from companion.table.journal import Journal
from companion.table.session import Session


def main(path: str, key: str, seed: int) -> None:
    journal = Journal(path)
    game = load(key)
    rng = Random(seed)
    stored = [one.id for one in journal.games() if one.game == key]
    session = Session(journal, stored[0]) if stored else None
    while True:
        needs = session.state().needs() if session else ()
        if session is None or not needs:
            session = Session.start(journal, game, rng.choice(list(game.samples.values())))
            needs = session.state().needs()
        seat = rng.choice(needs).seat
        session.submit(seat, rng.choice(session.actions(seat)))
        lines = session.lines()
        sys.stdout.write(f"{session.number} {len(lines)} {lines[-1][1]}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
