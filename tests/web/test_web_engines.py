"""Every page in Chromium, Firefox and WebKit, on the address that phones use."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random
from statistics import median

import pytest
from engines import PATIENCE_S, EnginePage, claim, join, take
from web_browser import House

from companion.engine.action import TABLE
from companion.engine.chance import weighted
from companion.games import REGISTRY, load
from companion.table.session import Session

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SENDS = ":is([data-confirm], [data-action]):not(:disabled)"
AGAIN_S = 5.0
"""How long somebody waits before they press again."""
LEADS_ON = ".item:not(:disabled):not(.chosen), .tap.can:not(.here), [data-row], [data-aside]"


def test_every_page_opens(engine_page: EnginePage, house: House) -> None:
    page = engine_page
    page.goto(house.url)
    page.wait_for("form")
    page.goto(house.setup_url())
    page.wait_for(".game-card")
    others = {"workshop": ".health", "overview": ".overview", "join": "form", "no-such-page": "#main"}
    for path, shows in others.items():
        page.goto(f"{house.url}/{path}")
        page.wait_for(shows)


REDRAWN = """
const { h, replace } = await import("/static/js/dom.js");
const box = h("div", { style: { position: "fixed", left: "0", top: "0", "z-index": 999 } });
const onclick = () => window.pressed++;
const draw = () => replace(box, h("button", { id: "pressed", onclick }, `${window.drawn++}`));
Object.assign(window, { pressed: 0, drawn: 0 });
document.body.append(box);
draw();
setInterval(draw, 40);
"""


def test_a_press_is_not_lost_on_a_page_that_is_drawn_anew_meanwhile(
    engine_page: EnginePage, house: House
) -> None:
    page = engine_page
    page.goto(house.url)
    page.wait_for("form")
    page.run(REDRAWN)
    page.tap("#pressed", hold_s=0.5)
    page.until("window.pressed === 1")
    drawn = page.run("return window.drawn;")
    page.until(f"Number(document.querySelector('#pressed').textContent) > {drawn}")


@pytest.mark.parametrize("game", REGISTRY)
def test_every_game_is_shown_and_played_by_touch(game: str, engine_page: EnginePage, house: House) -> None:
    """The table's screen shows the board; somebody joins and makes the first move that the page offers."""
    page, session = engine_page, house.table.start(game, {"players": 2})
    page.goto(f"{house.url}/#watch")
    page.wait_for("svg.board")
    seat = next(need.seat for need in session.state().needs() if need.seat >= 0)
    if session.seats[seat] in session.game.secret_seats:
        claim(page, house, seat)
        page.tap(".cover", hold_s=0.8)
        page.wait_for(".panel")
    else:
        join(page, house, seat)
    before = len(session.lines())
    end = time.monotonic() + PATIENCE_S
    while len(session.lines()) == before:
        assert time.monotonic() < end, f"{page.engine}: no move came"
        if page.is_seen(SENDS):
            page.tap(SENDS, hold_s=0.8)
            # What is pressed while the page moves under the finger is pressed once more.
            until = time.monotonic() + AGAIN_S
            while len(session.lines()) == before and time.monotonic() < until:
                time.sleep(0.02)
        elif page.is_seen(LEADS_ON):
            page.tap(LEADS_ON)
    assert page.count(".toast.bad") == 0


def asked(session: Session, seat: int, rng: Random) -> Iterator[str]:
    """What somebody who plays anything does next, until the game is over; the others play in between."""
    while (state := session.state()).outcome() is None:
        need = rng.choice([need for need in state.needs() if set(need.verbs) - session.game.notes])
        if state.is_chance():
            session.submit(TABLE, state.notation.text(weighted(state.outcomes(), rng)))
            continue
        wanted = [one for one in state.actions(need.seat) if one.verb not in {"concede", *session.game.notes}]
        action = state.notation.text(rng.choice(wanted or state.actions(need.seat)))
        if need.seat == seat:
            yield action
        else:
            session.submit(need.seat, action)


def play_whole_game(page: EnginePage, house: House, game: str, players: int, seed: int) -> None:
    """One seat is played by touch: alone on the table's screen, or on a phone while others play theirs."""
    print(f"{seed=}")
    session = house.table.start(game, {"players": players}, seed=seed)
    if players == 1:
        page.goto(house.setup_url())
        page.until("!location.hash")
        page.goto(house.url)
        page.wait_for("svg.board")
    elif session.seats[0] in session.game.secret_seats:
        claim(page, house, 0)
    else:
        join(page, house, 0)
    seen_by = 0 if players > 1 else -2
    touches = [take(page, session, seen_by, action) for action in asked(session, 0, Random(seed))]
    page.wait_for(".ending")
    print(
        f"{page.engine} {game}: {len(touches)} moves, touches: median {median(touches)}, worst {max(touches)}"
    )
    assert touches and page.count(".toast.bad") == 0


def test_a_whole_game_by_touch_on_the_tables_screen(engine_page: EnginePage, house: House) -> None:
    """The shortest: a tower that falls. All games, on phones too, are played with `--long`."""
    play_whole_game(engine_page, house, "bad_bones", 1, seed=4)


@pytest.mark.long
@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("game", REGISTRY)
def test_whole_games_by_touch_in_every_engine(
    game: str, players: int, engine_page: EnginePage, house: House
) -> None:
    (choices,) = [option.choices for option in load(game).options if option.name == "players"]
    play_whole_game(engine_page, house, game, players if players in choices else 2, seed=players)
