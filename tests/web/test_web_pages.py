"""Every page in a real browser: nothing odd, nobody shut out, both languages, any name."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from web_browser import CHANGED, DRAWN, House, Person

from companion.engine.text import plural
from companion.games import REGISTRY
from companion.table.people import clean_name

pytestmark = pytest.mark.browser

NAUGHTY = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "{{7*7}} ${7*7} {n#a|b}",
    "'; DROP TABLE games;--",
    "Ω≈ç√ 田中さん 🕯️",
    "\u202eevil\u200b",
    "&lt;b&gt;&amp;",
]


def serious(page) -> list[str]:
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}).response
    return [
        f"{one['id']}: {node['html'][:120]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


def test_every_page_is_open_to_everybody(house: House, person: Callable[..., Person]) -> None:
    table, phone = person(phone=False), person(language="ru-RU")
    table.page.goto(house.url)
    table.page.locator("form").wait_for()
    assert serious(table.page) == []
    table.page.goto(house.setup_url())
    table.page.locator(".game-card").first.wait_for()
    assert serious(table.page) == []
    table.page.goto(f"{house.url}/workshop")
    table.page.locator(".health").wait_for()
    assert serious(table.page) == []
    table.page.goto(f"{house.url}/overview")
    table.page.locator(".overview").wait_for()
    assert serious(table.page) == []
    phone.page.goto(f"{house.url}/join")
    phone.page.locator("form").wait_for()
    assert serious(phone.page) == []


@pytest.mark.parametrize("game", REGISTRY)
def test_every_game_is_open_to_everybody(game: str, house: House, person: Callable[..., Person]) -> None:
    table, phone = person(phone=False), person(language="ru-RU")
    table.start(house, game)
    seat = 1 if game == "whisper" else 0
    phone.join(house, "Ann", seat)
    assert serious(table.page) == []
    assert serious(phone.page) == []


@pytest.mark.parametrize("palette", ["candle", "day", "clear", "contrast"])
def test_every_palette_can_be_read(palette: str, house: House, person: Callable[..., Person]) -> None:
    """On the shelf, at the table, in a sheet and on the phone of somebody who plays."""
    table, phone = person(phone=False), person(language="ru-RU")
    table.page.goto(house.setup_url())
    table.tap("[data-key=comfort]")
    table.tap(f"#palette-{palette}")
    assert table.page.evaluate("document.documentElement.dataset.palette") == palette
    assert serious(table.page) == []
    table.page.keyboard.press("Escape")
    table.page.locator(".game-card").first.wait_for()
    assert serious(table.page) == []
    table.fill_form("onirim", players="2")
    assert serious(table.page) == []
    table.tap("[data-key=begin]")
    phone.page.goto(house.url)
    phone.page.evaluate("palette => localStorage.setItem('palette', palette)", palette)
    phone.join(house, "Ann", 0)
    for one in (table, phone):
        one.page.locator("svg.board").wait_for()
        assert serious(one.page) == []


def test_names_are_never_markup(house: House, person: Callable[..., Person]) -> None:
    table = person(phone=False)
    table.start(house, "night_cage", players="5")
    dialogs: list[str] = []
    for seat, name in enumerate(NAUGHTY[:5]):
        one = person()
        one.page.on("dialog", lambda dialog: dialogs.append(dialog.message))
        one.join(house, name, seat)
        assert one.page.locator("script:not([src])").count() == 0
    for name in NAUGHTY[:5]:
        table.page.get_by_text(clean_name(name)).first.wait_for()
    for name in NAUGHTY[5:]:
        guest = person()
        guest.page.goto(f"{house.url}/join#code={house.people.join_code}")
        guest.page.fill("#name", name)
        guest.tap("button.go")
        guest.page.locator(".pick-seats").wait_for()
    assert dialogs == []
    assert table.page.locator("#main img:not(.qr), #main iframe, [onerror], [onload]").count() == 0


def test_the_language_changes_on_one_device_at_once(house: House, person: Callable[..., Person]) -> None:
    table, other = person(phone=False), person(phone=False)
    table.start(house, "onirim")
    other.page.goto(f"{house.url}/#watch")
    other.page.locator("svg.board").wait_for()
    table.tap("[data-key=language]")
    table.page.get_by_text("Журнал").wait_for()
    assert table.page.locator("html").get_attribute("lang") == "ru"
    assert other.page.get_by_text("Log", exact=True).count() == 1
    table.page.reload()
    table.page.get_by_text("Журнал").wait_for()


def test_the_browser_forms_plurals_as_the_server_does(house: House, person: Callable[..., Person]) -> None:
    table = person(phone=False)
    table.page.goto(house.url)
    numbers = list(range(130))
    for language in ("en", "ru"):
        formed = table.page.evaluate(
            "async ([lang, ns]) => { const { plural } = await import('/static/js/text.js');"
            " return ns.map((n) => plural(lang, n)); }",
            [language, numbers],
        )
        assert formed == [plural(language, n) for n in numbers]


def test_a_place_with_many_lights_shows_each_meaning(house: House, person: Callable[..., Person]) -> None:
    """Twelve skeletons may march over one place, and it may be the place of a mistake too."""
    table = person(phone=False)
    table.page.goto(house.url)
    glows = [*([0, "path", "", order, 1] for order in range(1, 13)), [0, "wrong", "", 0, 1]]
    rings = table.page.evaluate(
        "async (glows) => { const { overGlows } = await import('/static/js/lights.js');"
        " return overGlows(glows, [{ centre_mm: [50, 50], size_mm: [34, 34] }])"
        ".filter((node) => node.classList.contains('ring'))"
        ".map((node) => [node.getAttribute('class').split(' ')[1], Number(node.getAttribute('width'))]); }",
        glows,
    )
    assert [meaning for meaning, _ in rings] == ["m-path", "m-wrong", "m-path", "m-path", "m-path"]
    assert min(width for _, width in rings) > 17, "the innermost ring still goes round the piece"


def test_the_table_is_played_by_keyboard_alone(house: House, person: Callable[..., Person]) -> None:
    """A card is taken up with Enter; what may be done with it stands in the bar, and the focus stays near."""
    table = person(phone=False)
    table.start(house, "onirim")
    before = table.page.evaluate(DRAWN)
    for _ in range(40):
        table.page.keyboard.press("Tab")
        if table.page.evaluate("document.activeElement.matches('.item')"):
            break
    table.page.keyboard.press("Enter")
    for _ in range(40):
        table.page.keyboard.press("Tab")
        if table.page.evaluate("document.activeElement.matches('.bar .move')"):
            break
    table.page.keyboard.press("Enter")
    table.page.wait_for_function(CHANGED, arg=before)


APART = """selectors => {
    const middle = (selector) => {
        const box = document.querySelector(selector).getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2];
    };
    const [[x, y], [u, v]] = selectors.map(middle);
    return Math.hypot(x - u, y - v);
}"""
"""How far the middles of two elements are apart."""


def test_a_tile_is_laid_turned_and_taken_back_by_keyboard(
    house: House, person: Callable[..., Person]
) -> None:
    """Arrows walk the places, R turns, Escape lets go, Enter confirms; the bar's sentence is said aloud."""
    table = person(phone=False)
    table.start(house, "night_cage", players="2")
    page = table.page
    before = page.evaluate(DRAWN)
    page.keyboard.press("ArrowDown")
    first = page.evaluate("document.activeElement.dataset.cell")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.cell") != first
    page.keyboard.press("Enter")
    lies = page.locator("[data-confirm]")
    lies.wait_for()
    text = lies.get_attribute("data-confirm")
    page.keyboard.press("r")
    page.wait_for_function(
        "old => document.querySelector('[data-confirm]').dataset.confirm !== old", arg=text
    )
    turned = lies.get_attribute("data-confirm")
    assert turned.split()[:2] == text.split()[:2]
    said = page.locator(".says b").text_content()
    assert page.locator("#live").text_content() in said
    page.locator(".pieces .ghost").first.wait_for()
    assert page.evaluate(APART, [".pieces .ghost", ".tap.here"]) < 5, "the ghost lies where the tile would"
    page.keyboard.press("Escape")
    page.locator("[data-confirm]").wait_for(state="detached")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.wait_for_function(CHANGED, arg=before)


def test_a_tap_beside_what_is_chosen_lets_it_go(house: House, person: Callable[..., Person]) -> None:
    table = person(phone=False)
    table.start(house, "night_cage", players="2")
    table.page.locator(".tap.can").first.click(force=True)
    table.page.locator("[data-confirm]").wait_for()
    table.page.locator(".tap:not(.can)").first.click(force=True)
    table.page.locator("[data-confirm]").wait_for(state="detached")


def test_turns_are_said_aloud(house: House, person: Callable[..., Person]) -> None:
    table = person(phone=False)
    table.start(house, "onirim")
    said = table.page.locator("#live")
    assert said.get_attribute("aria-live") == "polite"
    assert "Player 1" in said.text_content()


def test_why_and_a_card_taken_up_change_nothing(house: House, person: Callable[..., Person]) -> None:
    table = person(phone=False)
    table.start(house, "onirim")
    before = json.dumps(house.table.session.update(-2).view)
    table.page.get_by_role("button", name="Why?").click()
    table.page.locator(".tap[data-cell='0']").click()
    table.page.locator(".reasons .rule").first.wait_for()
    table.page.keyboard.press("Escape")
    table.page.get_by_role("button", name="Why?").click()
    table.tap(".item:not(:disabled)")
    table.page.locator(".bar .move").first.wait_for()
    assert json.dumps(house.table.session.update(-2).view) == before


def test_calm_mode_stops_every_movement(house: House, person: Callable[..., Person]) -> None:
    table = person(phone=False, moves=True)
    table.start(house, "night_cage")
    running = "document.getAnimations().length"
    assert table.page.evaluate(running) > 0
    table.tap("[data-key=comfort]")
    table.tap("#calm-yes")
    assert table.page.evaluate(running) == 0


def test_the_network_may_be_cut_off_and_come_back(house: House, person: Callable[..., Person]) -> None:
    table, ann = person(phone=False), person()
    table.start(house, "night_cage", players="2")
    ann.join(house, "Ann", 0)
    ann.context.set_offline(True)
    ann.page.locator("html[data-live=no]").wait_for()
    assert ann.page.locator(".old").is_visible()
    ann.context.set_offline(False)
    ann.page.locator("html[data-live=yes]").wait_for()
    assert ann.page.url.endswith("/seat#0")


def test_a_sleeping_phone_lets_go_and_wakes_into_its_seat(
    house: House, person: Callable[..., Person]
) -> None:
    table, ann = person(phone=False), person()
    table.start(house, "onirim", players="2")
    ann.join(house, "Ann", 0)
    streams = house.web.streams
    show = """state => {
        Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    ann.page.evaluate(show, "hidden")
    house.table.tell()
    assert streams.wait_until(1, 15)
    session = house.table.session
    text = session.actions(0)[0] if session.actions(0) else None
    seat = 0 if text else 1
    session.submit(seat, text or session.actions(1)[0])
    ann.page.evaluate(show, "visible")
    ann.see(session)
    assert ann.page.locator("html[data-live=yes]").count() == 1


MESSAGE = """async () => {
    const { toast } = await import('/static/js/dom.js');
    document.getElementById('toasts').replaceChildren();
    toast('You have no such card.', 'bad');
}"""


def test_a_secret_panel_hides_when_the_phone_is_put_away(house: House, person: Callable[..., Person]) -> None:
    table, vera = person(phone=False), person()
    table.start(house, "whisper", players="2")
    vera.claim_secret(house, "Vera", 0)
    vera.page.locator(".cover").wait_for()
    assert not vera.page.locator(".panel").is_visible()
    vera.reveal()
    assert vera.page.locator(".panel").is_visible()
    vera.page.evaluate(MESSAGE)
    assert vera.page.locator(".toast").count() == 1
    vera.page.evaluate("window.dispatchEvent(new Event('blur'))")
    assert not vera.page.locator(".panel").is_visible()
    assert vera.page.locator(".toast").count() == 0
    table.page.get_by_text("Vera sits down: the killer.").wait_for()


def test_a_demo_is_watched_without_any_code(house: House, person: Callable[..., Person]) -> None:
    house.table.start("night_cage", {"players": 2}, seed=1)
    anybody = person()
    anybody.page.goto(house.url)
    anybody.page.locator("svg.board").wait_for()
    assert anybody.page.locator(".tap.can, .item:not(:disabled), .bar button:not(:disabled)").count() == 0
