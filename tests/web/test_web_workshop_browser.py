"""The workshop in a real browser: the first run step by step, corners, teaching, LEDs, parts, backup."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from test_web_pages import serious
from web_browser import House, Person

from companion.engine.marker_cards import card_of
from hardware.fake_wled import WledReceiver

pytestmark = pytest.mark.browser

SECTIONS = {
    "health": ".health li",
    "wizard": ".wizard",
    "camera": ".seen-board",
    "teach": ".lesson .go",
    "leds": ".led",
    "test": ".presses button",
    "care": "#backup-file",
    "programs": "#program-name",
}
SLOW_MS = 60_000
"""Pictures of the virtual camera take their time on a busy machine."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A house whose strip has few LEDs, so that blinking is quick."""
    (tmp_path / "gloam.toml").write_text('# Ours\n[lights]\nmap = "around"\npitch_mm = 180.0\n')
    house = House(tmp_path)
    yield house
    house.close()


def enter(person: Person, house: House, section: str, game: str = "bad_bones") -> None:
    """Opens a section as the host, on the small boards of Bad Bones or another game's."""
    if not house.people.has_owner:
        person.page.goto(house.setup_url())
        person.page.locator(".game-card").first.wait_for()
        person.page.evaluate(f"localStorage.setItem('bench-game', '{game}')")
    person.page.goto(f"{house.url}/workshop#{section}")
    person.page.reload()
    person.page.locator(SECTIONS[section]).first.wait_for(timeout=SLOW_MS)


def key(name: str) -> str:
    return f"[data-key='{name}']"


@pytest.mark.parametrize(("phone", "language"), [(False, "en-GB"), (True, "ru-RU")])
def test_every_section_is_open_to_everybody(
    phone: bool, language: str, house: House, person: Callable[..., Person]
) -> None:
    host = person(phone=phone, language=language)
    for section in SECTIONS:
        enter(host, house, section)
        assert serious(host.page) == [], section
        wide = host.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{section} is wider than the screen"


def test_the_first_run_goes_step_by_step_to_a_game(
    tmp_path: Path, house: House, person: Callable[..., Person]
) -> None:
    host = person(phone=False)
    enter(host, house, "wizard")
    page = host.page
    host.tap(key("lang-ru"))
    page.get_by_text("Шаг 1 из 6").wait_for()
    host.tap(key("lang-en"))
    page.get_by_text("Step 1 of 6").wait_for()
    host.tap(key("next"))
    page.fill("#new-pin", "2468")
    host.tap("#new-pin + button")
    page.locator("[data-step=camera]").wait_for()
    assert serious(page) == []
    host.tap("#camera-virtual")
    host.tap(key("try-camera"))
    page.locator(".seen-board").first.wait_for(timeout=SLOW_MS)
    host.tap(key("next"))
    page.locator("[data-step=lights]").wait_for()
    host.tap(key("try-lights"))
    page.get_by_text("works", exact=True).wait_for(timeout=SLOW_MS)
    assert serious(page) == []
    host.tap(key("skip"))
    page.locator("[data-step=board] .seen-board").first.wait_for(timeout=SLOW_MS)
    with page.expect_download() as download:
        page.get_by_text("Download the frame to print").click()
    assert Path(download.value.path()).read_bytes()[:5] == b"%PDF-"
    host.tap(key("next"))
    assert serious(page) == []
    host.tap("[data-try=onirim]")
    page.locator("svg.board").wait_for()
    text = (tmp_path / "gloam.toml").read_text()
    assert text.startswith("# Ours") and 'language = "en"' in text
    assert house.people.is_owner_pin("2468")


def go_to_lights(host: Person) -> None:
    for name in ("pin", "camera", "lights"):
        host.tap(key("next"))
        host.page.locator(f"[data-step={name}]").wait_for()


@pytest.mark.parametrize(("has_white", "leds"), [(False, 600), (True, 52), (True, 600)])
def test_wled_is_set_up_by_asking_the_device(
    has_white: bool, leds: int, tmp_path: Path, house: House, person: Callable[..., Person]
) -> None:
    """52 LEDs and 600 (two packets a frame): the page says what the device says, and its light arrives."""
    pitch, limit_ma = (2.44, 0) if leds == 600 else (27.0, 1500)
    settings = f'[lights]\nmap = "around"\npitch_mm = {pitch}\nsupply_ma = 9000\n'
    (tmp_path / "gloam.toml").write_text(settings)
    house.workbench.use_again()
    host = person(phone=False)
    with WledReceiver(leds, has_white=has_white, limit_ma=limit_ma, name="Below") as wled:
        enter(host, house, "wizard")
        page = host.page
        go_to_lights(host)
        host.tap("#lights-ddp")
        page.fill("#lights-host", wled.host)
        host.tap(key("try-lights"))
        told = page.locator(".wled li")
        told.wait_for(timeout=SLOW_MS)
        strip = "colours and white" if has_white else "colours"
        limit = "its own limit: 1500 mA." if limit_ma else "it has no current limit of its own."
        assert told.inner_text() == f"Below (WLED 0.15.1): {leds} LEDs, {strip}; {limit}"
        page.get_by_text("works", exact=True).wait_for(timeout=SLOW_MS)
        written = (tmp_path / "gloam.toml").read_text()
        assert f'host = "{wled.host}"' in written and 'driver = "ddp"' in written
        assert f'order = "{"GRBW" if has_white else "GRB"}"' in written
        assert f"supply_ma = {limit_ma or 9000}" in written
        until = time.monotonic() + SLOW_MS / 1000
        while not any(any(pixel) for frame in list(wled.frames) for pixel in frame):
            assert time.monotonic() < until, "the rainbow did not arrive"
            time.sleep(0.05)
        house.workbench.close()
        wled.settle()
    assert wled.dropped == 0 and wled.taken > 0


def test_a_wled_that_does_not_answer_changes_no_setting(
    tmp_path: Path, house: House, person: Callable[..., Person]
) -> None:
    before = (tmp_path / "gloam.toml").read_text()
    host = person(phone=False, language="ru-RU")
    enter(host, house, "wizard")
    go_to_lights(host)
    host.tap("#lights-ddp")
    host.page.fill("#lights-host", "127.0.0.1:1")
    host.tap(key("try-lights"))
    host.page.get_by_text("WLED at 127.0.0.1:1 does not answer").wait_for()
    host.odd.remove("error: Failed to load resource: the server responded with a status of 409 (CONFLICT)")
    assert (tmp_path / "gloam.toml").read_text() == before


def test_the_first_shelf_offers_the_steps(
    tmp_path: Path, person: Callable[..., Person], house: House
) -> None:
    host = person(phone=False)
    (tmp_path / "gloam.toml").unlink()
    house.workbench.use_again()
    host.page.goto(house.setup_url())
    host.page.get_by_text("Set up step by step").click()
    host.page.locator(".wizard").wait_for()
    host.tap(key("lang-en"))
    host.page.get_by_text("Step 1 of 6").wait_for()
    host.page.goto(house.url)
    host.page.locator(".game-card").first.wait_for()
    assert host.page.get_by_text("Set up step by step").count() == 0


def test_corners_are_set_by_keyboard_and_by_dragging(
    tmp_path: Path, house: House, person: Callable[..., Person]
) -> None:
    host = person(phone=False)
    enter(host, house, "camera")
    page = host.page
    host.tap(key("by-hand"))
    assert page.evaluate("document.activeElement.dataset.corner") == "0"
    assert serious(page) == []
    place = (
        "i => document.querySelector(`[data-corner='${i}']`).getAttribute('transform')"
        ".match(/[\\d.]+/g).map(Number)"
    )
    before = page.evaluate(place, 0)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    assert page.evaluate(place, 0) == [before[0] + 2, before[1] + 20]
    box = page.locator("[data-corner='2']").bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] + 30, middle[1] + 10, steps=3)
    page.mouse.up()
    moved = page.evaluate(place, 2)
    host.tap(key("keep-corners"))
    page.get_by_text("The corners are set by hand.").wait_for(timeout=SLOW_MS)
    kept = next(iter(json.loads((tmp_path / "corners.json").read_text()).values()))["corners"]
    assert kept[0] == [before[0] + 2, before[1] + 20]
    assert kept[2] == pytest.approx(moved)
    host.tap(key("by-markers"))
    page.get_by_text("The board is found").wait_for(timeout=SLOW_MS)


def test_from_an_unprinted_sheet_to_the_first_board_that_is_read(
    tmp_path: Path, house: House, person: Callable[..., Person]
) -> None:
    """Six steps: print the sheet, lay the cards, measure them, set the board's corners, keep them, begin."""
    host = person(phone=False)
    enter(host, house, "camera", "night_cage")
    page = host.page
    with page.expect_download() as download:
        page.get_by_text("Download the cards").click()
    assert Path(download.value.path()).read_bytes()[:5] == b"%PDF-"
    host.tap(key("lay-cards"))
    page.get_by_text("8 marker cards in view").wait_for(timeout=SLOW_MS)
    host.tap(key("survey"))
    page.get_by_text("8 cards are measured").wait_for(timeout=SLOW_MS)
    host.tap(key("set-board"))
    bench = house.workbench._open()
    wide, high = bench.board.sheet_mm
    corners = bench.virtual.eye.pixels([(0, 0), (wide, 0), (wide, high), (0, high)])
    over = page.locator(".camera-over").bounding_box()
    for i, (x, y) in enumerate(corners):
        box = page.locator(f"[data-corner='{i}'] .corner-dot").bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(over["x"] + x * over["width"] / 1280, over["y"] + y * over["height"] / 720, steps=3)
        page.mouse.up()
    with page.expect_request("**/api/workshop/picture.jpg*"):
        page.route("**/api/workshop/picture.jpg*", lambda route: None)
    host.tap(key("keep-board"))
    page.get_by_text("Your board is kept").wait_for(timeout=SLOW_MS)
    assert page.locator(".corner").count() == 0  # at once, whenever the next picture comes
    page.unroute("**/api/workshop/picture.jpg*")
    page.locator(".seen-board").wait_for(timeout=SLOW_MS)
    assert serious(page) == []
    assert json.loads((tmp_path / "cards.json").read_text())["boards"]
    page.goto(house.url)
    host.fill_form("night_cage", deck="physical")
    house.desk.start()
    rig = wait_for(lambda: house.desk.sitting)
    wait_for(lambda: rig.seen)
    assert {card_of(marker.id) for marker in rig.glance.sight.pose.board.markers} == set(range(1, 9))
    expect(page.locator(".eyes")).to_have_count(0)  # all lies as it should
    cell = rig.board.cell("a1")
    rig.world.put("gate", rig.board.places[cell].x, rig.board.places[cell].y, 0.0)
    house.desk.touch()
    page.locator(".eyes-found").wait_for(timeout=SLOW_MS)
    assert rig.board.places[cell].name in page.locator(".eyes-found").inner_text()


def wait_for(what: Callable[[], Any]) -> Any:
    """What a question is answered with as soon as there is an answer."""
    until = time.monotonic() + SLOW_MS / 1000
    while not (found := what()):
        assert time.monotonic() < until, "nothing came"
        time.sleep(0.1)
    return found


def test_boards_before_their_players_are_found_without_measuring(
    house: House, person: Callable[..., Person]
) -> None:
    """Two steps: print the sheet, lay two cards at each board."""
    host = person(phone=False)
    enter(host, house, "camera")
    page = host.page
    page.locator(".seen-board").nth(1).wait_for(timeout=SLOW_MS)
    assert page.locator(".seen-board").count() == 2
    host.tap(key("set-board"))
    page.get_by_text("Nothing to measure").wait_for()
    assert page.locator(".corner").count() == 0 and serious(page) == []


def test_a_piece_is_taught_and_kept(tmp_path: Path, house: House, person: Callable[..., Person]) -> None:
    host = person(language="ru-RU")
    enter(host, house, "teach")
    page = host.page
    for taken in range(1, 4):
        host.tap(key("take"))
        page.locator(".faces button").first.get_by_text(f"{taken}/3").wait_for(timeout=SLOW_MS)
    page.locator(".faces [aria-pressed=true]").get_by_text("0/3").wait_for()
    host.tap(key("finish"))
    page.get_by_text("Эта игра уже изучена.").wait_for(timeout=SLOW_MS)
    assert serious(page) == []
    assert (tmp_path / "teach" / "bad_bones.teach").stat().st_size > 1000


def test_leds_are_mapped_by_blinking(tmp_path: Path, house: House, person: Callable[..., Person]) -> None:
    host = person(phone=False)
    enter(host, house, "leds")
    page = host.page
    real = page.locator(".led").count()
    page.fill("#led-count", str(real + 1))
    host.tap(key("blink"))
    page.get_by_text(f"Not seen: {real} (counted from 0)").wait_for(timeout=SLOW_MS)
    assert page.locator(".led").count() == real
    host.tap(key("keep-map"))
    page.get_by_text("The map is kept.").wait_for(timeout=SLOW_MS)
    assert (tmp_path / "leds-bad_bones-496x238.json").exists()
    assert "leds-{board}.json" in (tmp_path / "gloam.toml").read_text()


def test_every_part_can_be_tried(house: House, person: Callable[..., Person]) -> None:
    host = person(phone=False)
    enter(host, house, "test")
    page = host.page
    host.tap(key("show-red"))
    red = (
        "() => { const [r, g, b] = getComputedStyle(document.querySelector('.led')).fill"
        ".match(/\\d+/g).map(Number); return r > 150 && g < 20 && b < 20; }"
    )
    page.wait_for_function(red, timeout=SLOW_MS)
    for name in ("end-turn", "undo", "next", "shutdown"):
        host.tap(key(f"press-{name}"))
        expect(page.locator(f"[data-button='{name}']")).to_contain_text("seen", timeout=SLOW_MS)
    page.get_by_text("pictures a second").wait_for(timeout=SLOW_MS)
    page.get_by_text("by the data sheets").wait_for()


def test_a_game_is_put_away_before_the_parts_are_tried(house: House, person: Callable[..., Person]) -> None:
    host = person(phone=False)
    host.start(house, "onirim")
    host.page.goto(f"{house.url}/workshop#test")
    host.page.get_by_text("A game is on the table", exact=True).wait_for()
    assert serious(host.page) == []
    host.page.get_by_role("button", name="Put it away").click()
    host.page.locator(SECTIONS["test"]).first.wait_for(timeout=SLOW_MS)
    assert house.table.session is None


def test_a_backup_is_downloaded_and_restored(
    tmp_path: Path, house: House, person: Callable[..., Person]
) -> None:
    host = person(phone=False)
    house.table.start("onirim", {}, seed=1)
    house.table.clear()
    enter(host, house, "care")
    page = host.page
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    file = tmp_path / "kept.zip"
    download.value.save_as(file)
    house.table.start("night_cage", {}, seed=1)
    house.table.clear()
    page.set_input_files("#backup-file", file)
    host.tap(key("restore"))
    page.get_by_text("Restored: 1 stored game.").wait_for()
    assert [one.game for one in house.journal.games()] == ["onirim"]


def test_the_table_says_when_it_may_be_unplugged(house: House, person: Callable[..., Person]) -> None:
    host = person(language="ru-RU")
    session = house.table.start("onirim", {}, seed=1)
    session.submit(0, session.actions(0)[0])
    enter_care = f"{house.url}/workshop#care"
    host.page.goto(house.setup_url())
    host.page.locator("svg.board").wait_for()
    host.page.goto(enter_care)
    host.tap(key("unplug"))
    host.page.get_by_text("Теперь можно выключать.").wait_for()


def test_health_shows_each_trouble_with_what_helps(
    tmp_path: Path, house: House, person: Callable[..., Person]
) -> None:
    host = person(phone=False)
    host.page.goto(house.setup_url())
    host.page.locator(".game-card").first.wait_for()
    (tmp_path / "gloam.toml").write_text("[lights]\ndriver = 'laser'\n")
    house.workbench.use_again()
    host.page.goto(f"{house.url}/workshop")
    host.page.get_by_text("The settings file is broken: safe mode, no part is used.").wait_for()
    host.page.get_by_text("line 2: [lights] driver = 'laser' is none of").wait_for()
    host.page.locator(".health .bad .fix").get_by_text("Correct the lines named here").wait_for()
    assert serious(host.page) == []
    with host.page.expect_download() as download:
        host.page.get_by_text("Download the report").click()
    assert json.loads(Path(download.value.path()).read_text())["settings from"] == "safe"


def test_a_bot_and_an_overlay_are_let_in_and_dismissed(house: House, person: Callable[..., Person]) -> None:
    host = person(phone=False)
    house.table.start("onirim", {"players": 2}, seed=1)
    host.page.goto(house.setup_url())
    host.page.locator("svg.board").wait_for()
    host.page.goto(f"{house.url}/workshop#programs")
    host.page.fill("#program-name", "Overlay")
    host.tap(key("admit"))
    token = host.page.locator("output.token").inner_text()
    assert house.web.programs.find(token).kind == "spectator"
    host.page.fill("#program-name", "Robot")
    host.page.locator("#program-kind").select_option("1")
    host.tap(key("admit"))
    host.page.get_by_text("Robot: Player 2").wait_for()
    assert house.table.people.holders(house.table.session.number).keys() == {1}
    host.tap(key("dismiss-2"))
    host.page.get_by_text("Robot").wait_for(state="detached")
    assert serious(host.page) == [] and house.web.programs.find(token) is not None
