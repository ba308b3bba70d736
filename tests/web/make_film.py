"""Films moments of games as the table's screen plays them, for `web/README.md`: `make_film.py [NAME…]`.

Each film is a strip of frames; time stands still between them, so that every machine takes the same ones.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from PIL import Image
from playwright.sync_api import Browser, sync_playwright
from stepped_page import SteppedPage
from web_browser import ARGS, CHROMIUM, House

from companion.engine.action import PUBLIC, TABLE
from companion.engine.chance import weighted
from companion.engine.game import turn_for
from companion.engine.state import Event
from companion.table.session import Session

FOLDER = Path(__file__).parents[2] / "web" / "screenshots"
SCREEN = {"width": 1280, "height": 720}
FRAMES, COLUMNS, WIDTH = 6, 3, 560


class Film(NamedTuple):
    """What is filmed: the first event of a game that fits."""

    game: str
    options: dict[str, Any]
    kind: str
    fits: Callable[[dict[str, Any]], bool] = lambda data: True
    seconds: float = 1.6
    """How long it takes at a table, from the event's own cue on."""


FILMS = {
    "night-attack": Film(
        "night_cage",
        {"players": 4},
        "attacked",
        lambda data: max(map(len, data["paths"]), default=0) >= 2,
    ),
    "march": Film("bad_bones", {"players": 2}, "marched", lambda data: len(data["walks"]) >= 3),
    "door": Film("onirim", {}, "door-gained"),
    "encounter": Film("whisper", {"players": 2, "killer": "butcher"}, "rolled", seconds=2.4),
    "creature": Film("dark_cave", {"players": 4}, "attacked"),
}


def actions(session: Session, rng: Random) -> Iterator[tuple[int, str]]:
    """What careful players do, one after the other; each is to be submitted before the next is asked for."""
    while True:
        state = session.state()
        needs = [need for need in state.needs() if set(need.verbs) - {"note", "guess"}]
        if not needs:
            return
        if needs[0].seat == TABLE:
            seat, action = TABLE, weighted(state.outcomes(), rng)
        else:
            seat = rng.choice(needs).seat
            action = session.game.bots["careful"](turn_for(session.game, state, seat, rng))
        yield seat, state.notation.text(action)


def find(house: House, film: Film) -> tuple[int, int]:
    """The first seed whose game has the moment, and the number of the action that brings it."""
    for seed in range(200):
        session = house.table.start(film.game, film.options, seed=seed)
        mailbox = session.subscribe(PUBLIC)
        for n, (seat, text) in enumerate(actions(session, Random(seed))):
            session.submit(seat, text)
            events: list[Event] = []
            while (update := mailbox.get(0)) is not None:
                events += update.events
            if n > 8 and any(one.kind == film.kind and film.fits(one.data) for one in events):
                return seed, n
    raise LookupError(f"no game of {film.game} has {film.kind}")


def shoot(browser: Browser, film: Film) -> list[Image.Image]:
    """Plays to the moment and takes its frames."""
    with TemporaryDirectory() as folder:
        house = House(Path(folder))
        seed, n = find(house, film)
        screen = SteppedPage(browser, house, **SCREEN)
        session = house.table.start(film.game, film.options, seed=seed)
        for number, (seat, text) in enumerate(actions(session, Random(seed))):
            if number == n:
                break
            session.submit(seat, text)
        screen.open()
        mailbox = session.subscribe(PUBLIC)
        mailbox.get(0)
        screen.submit(session, seat, text)
        update = mailbox.get(1)
        begin_s = next(
            one.begin_s
            for one, event in zip(update.cues, update.events, strict=True)
            if event.kind == film.kind and film.fits(event.data)
        )
        frames = []
        for i in range(FRAMES):
            at_s = begin_s + film.seconds * (0.06 + 0.94 * i / (FRAMES - 1))
            while screen.now_s < at_s:
                screen.step(min(0.05, at_s - screen.now_s + 0.001))
            frames.append(screen.picture())
        screen.close()
        house.close()
        return frames


def strip(frames: list[Image.Image]) -> Image.Image:
    """Frames side by side, in rows."""
    height = WIDTH * SCREEN["height"] // SCREEN["width"]
    rows = -(-len(frames) // COLUMNS)
    whole = Image.new("RGB", (COLUMNS * WIDTH + (COLUMNS - 1) * 6, rows * height + (rows - 1) * 6))
    for i, frame in enumerate(frames):
        small = frame.resize((WIDTH, height), Image.Resampling.LANCZOS)
        whole.paste(small, (i % COLUMNS * (WIDTH + 6), i // COLUMNS * (height + 6)))
    return whole.quantize(128, Image.Quantize.MEDIANCUT, kmeans=2)


def main(names: list[str]) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        for name in names or FILMS:
            strip(shoot(browser, FILMS[name])).save(FOLDER / f"film-{name}.png", optimize=True)
            print(name, flush=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
