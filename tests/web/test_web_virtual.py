"""The virtual table over the web: pieces, faults and the eyes' questions, each only for those who may."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from web_tools import Room, Visitor

from companion.engine.action import TABLE
from companion.engine.layout import Piece
from companion.engine.state import Refusal
from companion.service.rig_service import RigService
from companion.settings.config import Config
from companion.table.prompt import ALL_RIGHT, Difference, Prompt
from hardware.fakes import FakeClock
from hardware.projector import Screen
from hardware.wiring import SCHEMA
from web.app import create_app


class Played(Room):
    """A room whose table has a physical side, on a clock that stands still."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        config = Config({name: kind() for name, kind in SCHEMA.items()})
        self.desk = self.web.rig = RigService(self.table, config, folder, FakeClock())
        self.app = create_app(self.web)

    def start(self, game: str, **options: str) -> Visitor:
        host = self.host()
        assert host.post("/api/start", game=game, options=options).status_code == 200
        self.desk.follow()
        return host

    @property
    def sitting(self):
        assert self.desk.sitting is not None
        return self.desk.sitting

    def close(self) -> None:
        self.desk.close()
        super().close()


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Played]:
    room = Played(tmp_path)
    yield room
    room.close()


def test_a_piece_is_put_moved_turned_over_and_taken(played: Played) -> None:
    host = played.start("onirim", players="1")
    world = played.sitting.world
    number = host.post("/api/virtual", do="put", face="Rs", x=40, y=50).json["id"]
    assert host.post("/api/virtual", do="move", id=number, x=60, y=70, angle=90).status_code == 200
    assert world.thing(number)[1:5] == ("Rs", 60, 70, 90)
    assert host.post("/api/virtual", do="turn-over", id=number, face="Bs").status_code == 200
    assert [number, "Bs", 60, 70, 90, 1] in host.get("/api/virtual").json["things"]
    assert host.post("/api/virtual", do="take", id=number).status_code == 200
    assert number not in [thing.id for thing in world.things()]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"do": "move", "id": 999}, 409),
        ({"do": "put", "face": "no-such-face"}, 409),
        ({"do": "put", "face": "Rs", "x": 1e9}, 400),
        ({"do": "put", "face": "Rs", "x": "nan"}, 400),
        ({"do": "fault", "name": "__class__"}, 400),
        ({"do": "press", "name": "self-destruct"}, 400),
        ({"do": "explode"}, 400),
        ({}, 400),
    ],
)
def test_what_cannot_be_done_is_refused(played: Played, body: dict[str, object], status: int) -> None:
    host = played.start("onirim", players="1")
    before = played.sitting.world.things()
    assert host.post("/api/virtual", **body).status_code == status
    assert played.sitting.world.things() == before


def test_a_fault_is_set_and_shown(played: Played) -> None:
    host = played.start("onirim", players="1")
    host.post("/api/virtual", do="fault", name="glare", on=True)
    host.post("/api/virtual", do="fault", name="late", on=True)
    assert host.get("/api/virtual").json["faults"] == ["glare", "late"]
    assert played.sitting.virtual.faults.glare and played.sitting.device.late
    host.post("/api/virtual", do="fault", name="glare", on=False)
    assert host.get("/api/virtual").json["faults"] == ["late"]


def test_the_leds_are_shown_as_they_are(played: Played) -> None:
    host = played.start("night_cage", players="2")
    session = played.table.session
    for _ in range(2):
        seat = session.state().needs()[0].seat
        session.submit(seat, session.actions(seat)[0])
    played.desk.shine()
    facts = host.get("/api/virtual").json
    lights = played.sitting.parts.lights
    lit = {i for i, colour in enumerate(facts["colours"]) if colour != "#000000"}
    assert (
        lit == {i for i in range(len(lights.led_map.leds)) if any(lights.frame[3 * i : 3 * i + 3])} != set()
    )


def test_buttons_reach_the_table(played: Played) -> None:
    host = played.start("onirim", players="1")
    assert host.post("/api/virtual", do="press", name="undo").status_code == 200
    assert [press.name for press in played.sitting.parts.buttons.presses()] == ["undo"]


def test_faces_are_our_own_drawings_and_nothing_else(played: Played) -> None:
    host = played.start("onirim", players="1")
    answer = host.get("/api/virtual/face/onirim/Rs")
    assert answer.mimetype == "image/svg+xml" and b"<polygon" in answer.data
    assert host.get("/api/virtual/face/onirim/..%2F..%2Fsecrets").status_code == 404
    assert host.get("/api/virtual/face/whisper/Rs").status_code == 404


def test_guests_may_neither_look_nor_touch(played: Played) -> None:
    played.start("onirim", players="1")
    guest = played.guest("Ann")
    assert guest.get("/api/virtual").status_code == 403
    assert guest.get("/api/virtual/picture").status_code == 403
    assert guest.post("/api/virtual", do="lay").status_code == 403
    assert guest.post("/api/word", say="overlook").status_code == 403


@pytest.mark.slow
def test_a_board_behind_a_screen_is_only_for_its_seat(played: Played) -> None:
    host = played.start("whisper", players="2", killer="butcher")
    assert host.get("/api/virtual").json["code"] == "other-board"
    assert host.get("/api/virtual/picture").json["code"] == "other-board"
    assert host.post("/api/virtual", do="lay").json["code"] == "other-board"
    survivor = played.guest("Ann")
    assert survivor.post("/api/claim", seat=1).status_code == 200
    assert survivor.get("/api/virtual?seat=1").status_code == 200
    assert survivor.post("/api/virtual", do="lay", page=1).status_code == 200
    assert survivor.post("/api/virtual", do="lay", page=0).status_code == 403


def test_what_the_eyes_say_is_told_only_to_those_who_see_the_board(played: Played) -> None:
    host = played.start("whisper", players="2", killer="butcher")
    survivor = played.guest("Ann")
    survivor.post("/api/claim", seat=1)
    before = host.get("/api/frame").data
    lit = played.sitting.parts.lights.scene
    played.sitting.loop.say(Prompt("wrong", (4, 5)))
    assert host.get("/api/frame").data == before
    assert played.sitting.parts.lights.scene == lit, "the lights keep it to themselves as well"
    assert survivor.get("/api/frame?seat=1").json["eyes"]["cells"] == [4, 5]


@pytest.mark.slow
@pytest.mark.parametrize(("language", "text"), [("en", "This does not fit: a2, c1."), ("ru", "a2, c1")])
def test_a_mismatch_is_said_with_its_rule_and_lit(played: Played, language: str, text: str) -> None:
    host = played.start("night_cage", players="2")
    played.sitting.loop.say(Prompt("wrong", (6, 2), Refusal("not-adjacent", (6, 2), "NC-BOARD-03")))
    frame = host.get(f"/api/frame?lang={language}").json
    assert text in frame["eyes"]["text"]
    assert frame["eyes"]["reason"]["rule"] == "NC-BOARD-03" and frame["eyes"]["reason"]["text"]
    assert [glow[:2] for glow in frame["scene"]["glows"][-2:]] == [[6, "wrong"], [2, "wrong"]]


def test_what_must_be_put_right_is_listed_piece_by_piece(played: Played) -> None:
    host = played.start("night_cage", players="2")
    found = (Difference(3, (Piece("tee", 90),), ()), Difference(4, (), (Piece("red"),)))
    played.sitting.loop.say(Prompt("lay", (3, 4), found=found))
    eyes = host.get("/api/frame?lang=en").json["eyes"]
    assert [cell for cell, _, _ in eyes["found"]] == [3, 4]
    assert "90" in eyes["found"][0][1] and eyes["found"][0][2] == "nothing"
    assert host.post("/api/word", say="overlook").status_code == 200
    assert played.table.word == ALL_RIGHT


@pytest.mark.slow
def test_of_two_explanations_the_players_choose_one(played: Played) -> None:
    host = played.start("night_cage", players="2")
    session = played.table.session
    seat = session.state().needs()[0].seat
    one, other = session.actions(seat)[:2]
    played.sitting.loop.say(Prompt("choose", (1,), choices=(((seat, one),), ((seat, other),))))
    lines = len(session.lines())
    assert [number for number, _ in host.get("/api/frame").json["eyes"]["choices"]] == [0, 1]
    assert host.post("/api/word", say="choose", choice=2).json["code"] == "stale"
    assert len(session.lines()) == lines, "nothing is played by guessing"
    assert host.post("/api/word", say="choose", choice=1).status_code == 200
    assert session.lines()[lines] == (seat, other)


@pytest.mark.slow
def test_choices_of_a_hidden_hand_are_offered_to_its_seat_alone(played: Played) -> None:
    host = played.start("onirim", players="2")
    ann = played.guest("Ann")
    ann.post("/api/claim", seat=0)
    session = played.table.session
    line = ((0, session.actions(0)[0]),)
    played.sitting.loop.say(Prompt("choose", (1,), choices=(line, line)))
    assert host.get("/api/frame").json["eyes"]["choices"] == []
    assert host.post("/api/word", say="choose", choice=0).status_code == 409
    assert len(ann.get("/api/frame?seat=0").json["eyes"]["choices"]) == 2


@pytest.mark.slow
def test_choices_of_a_secret_draw_are_not_offered_to_others_who_see_the_board(played: Played) -> None:
    played.start("whisper", deck="physical")
    survivor = played.guest("Ann")
    survivor.post("/api/claim", seat=1)
    session = played.table.session
    session.submit(0, session.actions(0)[0])
    session.submit(1, session.actions(1)[0])
    draws = [session.state().notation.text(action) for action, _ in session.state().outcomes()]
    assert draws[0].startswith("draw")
    played.sitting.loop.say(Prompt("choose", (1,), choices=tuple(((TABLE, text),) for text in draws)))
    assert survivor.get("/api/frame?seat=1").json["eyes"]["choices"] == []
    assert survivor.post("/api/word", say="choose", choice=0, page=1).status_code in (403, 409)


@pytest.mark.slow
def test_choices_that_a_tap_has_overtaken_are_offered_no_longer(played: Played) -> None:
    host = played.start("night_cage", players="2")
    session = played.table.session
    seat = session.state().needs()[0].seat
    lines = tuple(((seat, text),) for text in session.actions(seat)[:2])
    played.sitting.loop.say(Prompt("choose", (1,), choices=lines))
    session.submit(*lines[0][0])
    asked = host.get("/api/frame")
    assert asked.status_code == 200
    still = set(session.actions(seat))
    assert all(lines[number][0][1] in still for number, _ in asked.json["eyes"]["choices"])


@pytest.mark.slow
def test_we_meant_that_says_when_no_way_leads_there(played: Played) -> None:
    host = played.start("night_cage", players="2")
    assert host.post("/api/word", say="meant").json["code"] == "no-way"


@pytest.mark.slow
def test_a_board_that_is_about_to_be_laid_is_waited_for(played: Played) -> None:
    host = played.start("onirim", players="1")
    host.post("/api/start", game="night_cage", options={"players": "2"})
    assert host.get("/api/virtual").json == {"number": 0}
    assert host.post("/api/virtual", do="lay").json["code"] == "no-desk"
    played.desk.follow()
    assert host.get("/api/virtual").json["game"] == "night_cage"


def test_a_switch_is_broken_shown_and_mended(played: Played) -> None:
    host = played.start("night_cage")
    assert host.post("/api/virtual", do="switch", id=3, name="swapped", other=5).status_code == 200
    assert host.get("/api/virtual").json["switch_faults"] == [[3, "swapped"], [5, "swapped"]]
    host.post("/api/virtual", do="switch", id=5, name="")
    assert host.get("/api/virtual").json["switch_faults"] == []
    for wrong in ({"id": 9999, "name": "bouncing"}, {"id": 1, "name": "melted"}):
        assert host.post("/api/virtual", do="switch", **wrong).status_code == 400


def test_without_a_desk_the_page_says_so(room: Room) -> None:
    host = room.host()
    host.post("/api/start", game="onirim", options={"players": "1"})
    assert host.get("/api/virtual").json["code"] == "no-desk"


@pytest.mark.slow
def test_the_page_learns_nothing_that_the_camera_could_not_see(played: Played) -> None:
    host = played.start("dark_cave", players="3")
    session = played.table.session
    seen = session.game.layout(session.game.view(session.state(), session.game.camera(session.options)))
    faces = sorted(piece.face for pieces in seen.values() for piece in pieces)
    assert sorted(thing[1] for thing in host.get("/api/virtual").json["things"]) == faces
    assert set(host.get("/api/virtual").json) == {
        *("game", "number", "is_virtual", "things", "leds", "colours", "faults", "helps", "troubles"),
        *("felt", "switch_faults"),
    }


def test_a_projector_shows_the_light_of_the_table_on_the_cells(played: Played) -> None:
    host = played.start("night_cage")
    rig = played.sitting
    rig.screen = Screen(rig.board)
    rig.screen.set_corners(
        [(100, 100), (1800, 100), (1800, 1000), (100, 1000)], (rig.board.width, rig.board.height)
    )
    dots = host.get("/api/projector?drawn=0").json["parts"]
    assert len(dots) == 4 and all(colour != "#000000" for _, colour in dots)
    rig.parts.lights.frame = bytes([200] * rig.led_map.size)
    parts = host.get("/api/projector").json["parts"]
    assert len(parts) == 4 + len(rig.led_map.leds)
    assert all(0 <= value <= 1920 for points, _ in parts[4:] for value in points)
    assert host.get("/projector").status_code == 200
