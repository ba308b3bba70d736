"""The virtual table in a real browser: dragging, the keyboard, both languages, open to everybody."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from test_web_pages import serious
from web_browser import House, Person

from companion.service.rig_service import RigService
from companion.table.prompt import Prompt

pytestmark = pytest.mark.browser


@pytest.fixture
def desk(house: House) -> RigService:
    """The physical side of the house's table; its eyes stay closed, so that only the page is tried here."""
    return house.desk


def arrive(house: House, desk: RigService, one: Person, game: str = "night_cage", **options: str) -> None:
    """Starts a game and opens the virtual table."""
    one.page.goto(house.setup_url())
    one.page.locator(".game-card").first.wait_for()
    house.table.start(game, options or {"players": "2"}, seed=4)
    session = house.table.session
    for _ in range(8):
        seat = session.state().needs()[0].seat
        if seat >= 0:
            session.submit(seat, session.actions(seat)[0])
    desk.follow()
    desk.sitting.look()
    desk.shine()
    one.page.goto(f"{house.url}/virtual")
    one.page.locator("svg.virtual-board .thing").first.wait_for()


def middle(node) -> tuple[float, float]:
    box = node.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("phone", [False, True])
def test_a_piece_is_dragged_onto_another_place(house, desk, person: Callable[..., Person], phone) -> None:
    one = person(phone=phone)
    arrive(house, desk, one)
    world = desk.sitting.world
    pawn = next(thing for thing in world.things() if world.faces[thing.face].kind == "pawn")
    mouse, goal = one.page.mouse, one.page.locator(".spot").nth(20)
    goal.scroll_into_view_if_needed()
    mouse.move(*middle(one.page.locator(f"[data-id='{pawn.id}']")))
    mouse.down()
    mouse.move(*middle(goal), steps=4)
    with one.page.expect_response("**/api/virtual?*"):
        mouse.up()
    one.page.wait_for_function("() => !document.querySelector('.thing.held')")
    moved = world.thing(pawn.id)
    assert world.cell_at(moved.x, moved.y) == 20


def test_a_piece_is_taken_from_beside_the_board_and_put_back(
    house, desk, person: Callable[..., Person]
) -> None:
    one = person(phone=False)
    arrive(house, desk, one)
    world, before = desk.sitting.world, len(desk.sitting.world.things())
    mouse = one.page.mouse
    mouse.move(*middle(one.page.locator(".tray [data-face='cross']")))
    mouse.down()
    mouse.move(*middle(one.page.locator(".spot").nth(14)), steps=4)
    mouse.up()
    one.page.wait_for_function(f"() => document.querySelectorAll('.thing').length === {before + 1}")
    new = world.things()[-1]
    assert (new.face, world.cell_at(new.x, new.y)) == ("cross", 14)
    node = one.page.locator(f"[data-id='{new.id}']")
    mouse.move(*middle(node))
    mouse.down()
    mouse.move(*middle(one.page.locator(".tray h2")), steps=4)
    mouse.up()
    one.page.wait_for_function(f"() => document.querySelectorAll('.thing').length === {before}")
    assert new.id not in [thing.id for thing in world.things()]


def test_everything_can_be_done_with_the_keyboard(house, desk, person: Callable[..., Person]) -> None:
    one = person(phone=False)
    arrive(house, desk, one)
    world, page = desk.sitting.world, one.page
    page.locator(".tray [data-face='tee']").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.thing.chosen')")
    new = world.things()[-1]
    page.locator(f"[data-id='{new.id}']").focus()
    for key in ("ArrowUp", "Shift+ArrowUp", "r"):
        with page.expect_response("**/api/virtual?*"):
            page.keyboard.press(key)
    page.wait_for_timeout(300)
    moved = world.thing(new.id)
    assert moved.y < new.y and moved.angle == new.angle + 90
    page.keyboard.press("Delete")
    page.wait_for_function(f"() => !document.querySelector('[data-id=\"{new.id}\"]')")


@pytest.mark.parametrize("language", ["en-GB", "ru-RU"])
def test_the_page_is_open_to_everybody(house, desk, person: Callable[..., Person], language) -> None:
    one = person(phone=False, language=language)
    arrive(house, desk, one)
    desk.sitting.loop.say(Prompt("wrong", (3,)))
    one.page.locator(".eyes-wrong").wait_for()
    assert serious(one.page) == []
    one.page.goto(house.url)
    one.page.locator(".eyes-wrong").wait_for()
    assert serious(one.page) == []
    one.tap("[data-answer=overlook]")
    one.page.locator(".eyes-wrong").wait_for(state="detached")
    assert desk.sitting.loop.prompt.code == "fine"


def test_a_fault_and_a_button_reach_the_table(house, desk, person: Callable[..., Person]) -> None:
    one = person(phone=False)
    arrive(house, desk, one)
    one.page.locator("#virtual-fault-glare").check()
    one.tap("[data-key=press-next]")
    one.page.wait_for_timeout(500)
    assert desk.sitting.faults() == ["glare"]
    assert [press.name for press in desk.sitting.parts.buttons.presses()] == ["next"]
