"""Takes the pictures of `web/README.md`: `make_screenshots.py [GAME… | workshop | virtual]`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, sync_playwright
from web_browser import ARGS, CHROMIUM, House, Person

from companion.engine.action import TABLE
from companion.engine.chance import weighted
from companion.engine.cue import MOST_BEHIND_S
from companion.engine.game import turn_for
from companion.games import REGISTRY
from companion.table.session import Session

FOLDER = Path(__file__).parents[2] / "web" / "screenshots"
TV = {"width": 1920, "height": 1080}
TABLET = {"width": 1024, "height": 768}
LANDSCAPE = {"width": 844, "height": 390}
OPTIONS = {
    "night_cage": {"players": "4"},
    "bad_bones": {"players": "2"},
    "onirim": {"players": "2"},
    "whisper": {"players": "2", "killer": "butcher", "deduction": "yes"},
    "dark_cave": {"players": "4"},
}
ACTIONS = {"night_cage": 60, "bad_bones": 40, "onirim": 60, "whisper": 75, "dark_cave": 70}


def play(session: Session, rng: Random, actions: int) -> None:
    """Lets careful players play on without tapping."""
    for _ in range(actions):
        state = session.state()
        needs = [need for need in state.needs() if set(need.verbs) - {"note", "guess"}]
        if not needs:
            return
        if needs[0].seat == TABLE:
            seat, action = TABLE, weighted(state.outcomes(), rng)
        else:
            seat = rng.choice(needs).seat
            action = session.game.bots["careful"](turn_for(session.game, state, seat, rng))
        after = state.copy()
        after.apply(seat, action)
        if after.outcome() is not None:
            return
        session.submit(seat, state.notation.text(action))


@contextmanager
def visit(browser: Browser, house: House, *, phone: bool, language: str = "en-GB") -> Iterator[Person]:
    person = Person(browser, house.url, phone=phone, language=language)
    yield person
    person.close()


def picture(person: Person, name: str) -> None:
    """Takes one picture without passing messages, in few enough colours to stay small.

    Colours are chosen to cover all that there are: players' colours are small spots in a dark picture.
    """
    # All that has happened is played out by then.
    person.page.wait_for_timeout(1000 * MOST_BEHIND_S + 600)
    person.page.evaluate("document.getElementById('toasts').replaceChildren()")
    path = FOLDER / f"{name}.png"
    person.page.screenshot(path=path)
    whole = Image.open(path).convert("RGB")
    whole.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=4).save(path, optimize=True)


def to_the_end(session: Session, rng: Random) -> None:
    """Lets people play anything until the game is over."""
    while (state := session.state()).outcome() is None:
        if state.is_chance():
            session.submit(TABLE, state.notation.text(weighted(state.outcomes(), rng)))
            continue
        need = rng.choice([need for need in state.needs() if set(need.verbs) - session.game.notes])
        wanted = [one for one in state.actions(need.seat) if one.verb not in {"concede", *session.game.notes}]
        session.submit(need.seat, state.notation.text(rng.choice(wanted)))


def one_game(browser: Browser, game: str) -> None:
    rng = Random(2026)
    with (
        TemporaryDirectory() as folder,
        visit(browser, house := House(Path(folder)), phone=False) as table,
        visit(browser, house, phone=True) as first,
        visit(browser, house, phone=True, language="ru-RU") as second,
    ):
        table.page.set_viewport_size(TV)
        table.page.goto(house.setup_url())
        table.page.locator(".game-card").first.wait_for()
        if game == REGISTRY[0]:
            picture(table, "shelf")
        table.fill_form(game, **OPTIONS[game])
        if game == "whisper":
            first.claim_secret(house, "Vera", 0)
            picture(first, "killer-covered")
            second.join(house, "Борис", 1)
        else:
            first.join(house, "Ann", 0)
            second.join(house, "Борис", 1)
        if game == REGISTRY[0]:
            table.page.locator(".place-card.is-taken").nth(1).wait_for()
            picture(table, "lobby")
        table.tap("[data-key=begin]")
        session = house.table.session
        play(session, rng, ACTIONS[game])
        if game == "whisper":
            # The killer's turn shows most.
            for _ in range(80):
                if session.update(0).view["phase"] in ("instant", "main", "planning"):
                    break
                play(session, rng, 1)
        for one in (table, first, second):
            one.see(session)
        first.reveal()
        picture(table, f"{game}-table")
        picture(first, "killer" if game == "whisper" else f"{game}-phone")
        if game == "whisper":
            picture(second, "survivors")
        if game == REGISTRY[0]:
            second.page.set_viewport_size(LANDSCAPE)
            picture(second, f"{game}-landscape")
            table.page.evaluate(
                "Object.assign(document.documentElement.dataset, {lies: 'flat', toward: 'far'})"
            )
            picture(table, "flat-table")
            table.page.evaluate("document.documentElement.dataset.lies = 'stands'")
        table.page.set_viewport_size(TABLET)
        picture(table, f"{game}-tablet")
        table.page.set_viewport_size(TV)
        to_the_end(session, rng)
        table.page.locator(".turning svg, .story-evenings").last.wait_for()
        if game in (REGISTRY[0], "whisper"):
            picture(table, f"{game}-end")
        if game == "whisper":
            picture(first, "whisper-end-phone")
        house.close()


def workshop(browser: Browser) -> None:
    """The workshop on the virtual table, half way through each of its jobs."""
    with (
        TemporaryDirectory() as folder,
        visit(browser, house := House(Path(folder)), phone=False) as host,
        visit(browser, house, phone=True, language="ru-RU") as phone,
    ):
        host.page.goto(house.setup_url())
        host.page.locator(".game-card").first.wait_for()
        phone.page.goto(house.url)
        phone.page.locator("form, h1").first.wait_for()
        cookie = next(one for one in phone.context.cookies() if one["name"] == "gloam")
        house.people.make_host(house.people.device(cookie["value"]), "2468")

        def enter(person: Person, section: str, ready: str) -> None:
            person.page.goto(f"{house.url}/workshop#{section}")
            person.page.reload()
            person.page.locator(ready).first.wait_for(timeout=60_000)

        enter(host, "camera", ".seen-board")
        host.tap("[data-key=by-hand]")
        picture(host, "workshop-camera")
        enter(host, "teach", ".seen-place.here")
        host.tap("[data-key=take]")
        host.page.wait_for_function(
            "() => document.querySelector('.piece-picture')?.naturalWidth", timeout=60_000
        )
        picture(host, "workshop-teach")
        enter(host, "test", ".presses button")
        host.tap("[data-key=show-rainbow]")
        host.tap("[data-key=press-undo]")
        host.page.locator(".presses .good").wait_for()
        picture(host, "workshop-test")
        enter(phone, "health", ".health li")
        picture(phone, "workshop-health-phone")
        enter(phone, "wizard", ".wizard")
        phone.tap("[data-key=next]")
        phone.tap("[data-key=next]")
        phone.tap("[data-key=try-camera]")
        phone.page.locator(".seen-board").wait_for(timeout=60_000)
        picture(phone, "workshop-wizard-phone")
        house.close()


def virtual(browser: Browser) -> None:
    """The virtual table while a pawn stands where it cannot be: the eyes say so, with the rule."""
    with (
        TemporaryDirectory() as folder,
        visit(browser, house := House(Path(folder)), phone=False) as host,
        visit(browser, house, phone=True, language="ru-RU") as phone,
    ):
        house.desk.start()
        host.start(house, "night_cage", players="4")
        phone.page.goto(f"{house.url}/#watch")
        phone.page.locator("svg.board").wait_for()
        cookie = next(one for one in phone.context.cookies() if one["name"] == "gloam")
        house.people.make_host(house.people.device(cookie["value"]), "2468")
        play(house.table.session, Random(2026), 40)
        for one in (host, phone):
            one.page.goto(f"{house.url}/virtual")
            one.page.locator(".virtual-board .thing").first.wait_for(timeout=60_000)
        world = house.desk.sitting.world
        host.page.wait_for_timeout(12_000)
        pawn = next(thing for thing in world.things() if world.faces[thing.face].kind == "pawn")
        place = next(place for cell, place in enumerate(world.board.places) if not world.at(cell))
        world.move(pawn.id, place.x, place.y)
        house.desk.touch()
        for one, name in ((host, "virtual-table"), (phone, "virtual-table-phone")):
            one.page.locator(".eyes-wrong").wait_for(timeout=90_000)
            picture(one, name)
        house.close()


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGS))
        for name in sys.argv[1:] or [*REGISTRY, "workshop", "virtual"]:
            if name in ("workshop", "virtual"):
                {"workshop": workshop, "virtual": virtual}[name](browser)
            else:
                one_game(browser, name)
        browser.close()
