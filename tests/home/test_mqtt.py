"""The table on a real broker: Home Assistant's discovery, leaving, brokers that die."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from time import monotonic

import pytest
import yaml
from jinja2 import Environment, StrictUndefined
from mosquitto_broker import free_port, is_known, is_told, play_on, state_of

from companion.engine.action import PUBLIC
from companion.engine.errors import ConfigError
from companion.engine.scene import MOODS
from companion.games import REGISTRY, load
from companion.service import home_facts
from companion.service.home_commands import COMMANDS, HomeCommands
from companion.service.home_facts import EVENTS, NOTHING, ROOM, discovery, events, facts, moment, topics
from companion.service.mqtt import MOST_TABLES, MqttBridge, MqttState, Seen, clear_retained, read_state
from companion.settings.config import MqttSettings
from web.routes.overview import _row as overview_row
from web.routes.overview import broker_health

pytestmark = pytest.mark.debian("mosquitto")


def entities(told):
    """What Home Assistant shows; it takes away what has nothing but a platform."""
    return {key: one for key, one in told["components"].items() if set(one) != {"platform"}}


def test_every_mood_has_a_light_for_the_room():
    assert {mood or "calm" for mood in MOODS} | {"idle"} == set(ROOM)


def test_the_table_appears_as_one_device_that_is_there(house, mosquitto, listener):
    herald = house.herald(house.table(), mosquitto, name="Long table")
    now = listener.wait(is_known(herald))
    assert now[herald.topics.available] == b"online"
    assert state_of(now, herald)["playing"] is False
    told = json.loads(now[herald.topics.config])
    assert told["device"]["name"] == "Long table"
    assert told["origin"]["name"] == "gloam"
    assert told["state_topic"] == herald.topics.state
    assert told["availability"] == [{"topic": herald.topics.available}]
    shown = entities(told)
    assert len({one["unique_id"] for one in shown.values()}) == len(shown) == 13
    assert {one["platform"] for one in shown.values()} == {"sensor", "binary_sensor", "event"}


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_value_that_home_assistant_takes_is_in_the_state(house, language):
    session = house.table().start("onirim", {"players": 2}, seed=2)
    state = facts(session.game, session.options, session.update(PUBLIC).view)
    components = entities(discovery("Table", topics("gloam-1", ""), language))
    shown = {
        key: Environment(undefined=StrictUndefined)
        .from_string(component["value_template"])
        .render(value_json=state)
        for key, component in components.items()
        if key != "event"
    }
    words = state[language]
    assert shown == {
        "game": words["title"],
        "phase": words["phase"],
        "turn": words["turn"],
        "result": "None",
        "game_key": "onirim",
        "phase_key": "draft",
        "turn_key": "p1",
        "result_key": "None",
        "players": "2",
        "mood": "calm",
        "room": ",".join(map(str, state["rgb_color"])),
        "playing": "ON",
    }


def test_a_language_changes_no_key_and_no_id(house):
    session = house.table().start("onirim", {"players": 2}, seed=2)
    state = facts(session.game, session.options, session.update(PUBLIC).view)
    one, other = (entities(discovery("T", topics("gloam-1", ""), language)) for language in ("en", "ru"))
    for key in one:
        for part in ("unique_id", "default_entity_id", "event_types", "options"):
            assert one[key].get(part) == other[key].get(part), key
    keys = [key for key in one if key.endswith("_key")]
    assert len(keys) == 4 and all(one[key]["value_template"] == other[key]["value_template"] for key in keys)
    assert one["phase"]["value_template"] != other["phase"]["value_template"]
    assert state["key"] == {"game": "onirim", "phase": "draft", "turn": "p1", "result": ""}
    assert one["turn_key"]["default_entity_id"] == "sensor.gloam_1_turn_key"


def test_nothing_known_is_unknown_to_home_assistant():
    """Home Assistant takes the payload "None" for a state that nobody knows."""
    components = discovery("T", topics("gloam-1", ""), "en")["components"]
    for key in ("game", "phase", "turn", "result", "game_key", "phase_key", "turn_key", "result_key"):
        template = Environment(undefined=StrictUndefined).from_string(components[key]["value_template"])
        assert template.render(value_json=facts(None, {}, {})) == "None", key


# Events ------------------------------------------------------------------------------------------


def happened(listener, herald):
    return [json.loads(payload) for topic, payload in listener.log if topic == herald.topics.event]


@pytest.mark.slow
@pytest.mark.parametrize("key", REGISTRY)
def test_a_game_is_told_as_events_from_start_to_end(house, mosquitto, listener, key):
    seed = 12
    print(f"seed {seed}")
    table, rng = house.table(), Random(seed)
    herald = house.herald(table, mosquitto)
    listener.wait(is_known(herald))
    session = table.start(key, {}, seed=seed)
    before, expected, mailbox = NOTHING, [], session.subscribe(PUBLIC)
    while True:
        listener.wait(is_told(session, herald))
        while (update := mailbox.get(0)) is not None:
            now = moment(session.number, session.game, session.options, update)
            expected += events(before, now)
            before = now
        if not session.state().needs():
            break
        play_on(session, rng, 1)
    listener.wait(lambda now: len(happened(listener, herald)) >= len(expected))
    assert happened(listener, herald) == expected
    kinds = [one["event_type"] for one in expected]
    assert kinds[0] == "started" and kinds[-1] == "ended" and kinds.count("ended") == 1
    assert "turn" in kinds and set(kinds) <= set(EVENTS)


def test_an_attack_is_told_once(house):
    """A monster sees a prisoner: the places of its way are lit, and the house may darken the room."""
    table = house.table()
    rng, kinds = Random(4), []
    for seed in range(40):
        session = table.start("night_cage", {}, seed=seed)
        before, mailbox = NOTHING, session.subscribe(PUBLIC)
        while session.state().needs():
            play_on(session, rng, 1)
            while (update := mailbox.get(0)) is not None:
                now = moment(session.number, session.game, session.options, update)
                told = events(before, now)
                kinds += [one["event_type"] for one in told]
                if "attack" in kinds:
                    places = next(one["places"] for one in told if one["event_type"] == "attack")
                    assert places == len(now.attacked) > 0
                    assert events(now, now) == []
                    return
                before = now
    raise AssertionError("no attack in forty games")


def test_events_are_not_retained(house, mosquitto, listener):
    table = house.table()
    herald = house.herald(table, mosquitto)
    listener.wait(is_known(herald))
    table.start("onirim", {}, seed=1)
    listener.wait(lambda now: "turn" in str(now.get(herald.topics.event)))
    later = house.listener(mosquitto)
    assert herald.topics.event not in later.wait(is_known(herald))


def test_a_prefix_of_the_house_is_used_and_left_clean(house, mosquitto, listener):
    old = house.herald(house.table(), mosquitto, prefix="ha/#")
    assert old.topics.config.startswith("ha/-/device/")
    listener.wait(is_known(old))
    house.leave(old)
    assert clear_retained(house.memory(), house.settings(mosquitto)) == ""
    listener.wait(lambda now: not now)


def test_a_broker_is_spoken_to_by_tls_and_only_if_its_certificate_is_vouched_for(house, tmp_path, until):
    mosquitto = house.mosquitto(tls=True)
    trusting = house.herald(house.table(), mosquitto, tls=True, ca_file=str(mosquitto.certificate))
    until(lambda: trusting.trouble == "")
    wary = house.herald(house.table(), mosquitto, memory="other", tls=True)
    plain = house.herald(house.table(), mosquitto, memory="third")
    until(lambda: wary._client._state is not None and not wary._client.is_connected())
    assert wary.trouble and plain.trouble


def test_a_home_that_starts_later_finds_the_table_too(house, mosquitto, listener):
    herald = house.herald(house.table(), mosquitto)
    listener.wait(is_known(herald))
    house.listener(mosquitto).wait(is_known(herald))


@pytest.mark.slow
@pytest.mark.parametrize("key", REGISTRY)
def test_the_house_hears_of_a_game_from_start_to_end(house, mosquitto, listener, key):
    seed = 11
    print(f"seed {seed}")
    table, rng = house.table(), Random(seed)
    herald = house.herald(table, mosquitto)
    session = table.start(key, {}, seed=seed)
    now = listener.wait(is_told(session, herald))
    assert state_of(now, herald)["playing"] is True
    assert state_of(now, herald)["ru"]["title"] == load(key).texts.say("game.title", "ru")
    while session.state().needs():
        play_on(session, rng, 1)
    now = listener.wait(is_told(session, herald))
    assert state_of(now, herald)["playing"] is False
    assert state_of(now, herald)["en"]["result"]
    table.clear()
    listener.wait(lambda now: state_of(now, herald)["game"] == "")


def test_a_table_that_is_switched_off_stays_known_as_not_there(house, mosquitto, listener):
    herald = house.herald(house.table(), mosquitto)
    listener.wait(is_known(herald))
    house.leave(herald)
    now = listener.wait(lambda now: now.get(herald.topics.available) == b"offline")
    assert is_known(herald)(now)


CHILD = """
import signal, sys
from pathlib import Path
from companion.engine.action import PUBLIC
from companion.settings.config import MqttSettings
from companion.table.journal import Journal
from companion.service.mqtt import MqttBridge, MqttState
from companion.table.people import People
from companion.table.table import Table
settings = MqttSettings(enabled=True, host="127.0.0.1", port=int(sys.argv[1]))
MqttBridge(Table(Journal(":memory:"), People()), settings, MqttState(Path(sys.argv[2]))).start()
signal.pause()
"""


@pytest.mark.slow
def test_a_table_whose_plug_is_pulled_is_not_there(mosquitto, listener, tmp_path):
    child = subprocess.Popen([sys.executable, "-c", CHILD, str(mosquitto.port), tmp_path / "mqtt.json"])
    try:
        now = listener.wait(lambda now: b"online" in now.values())
    finally:
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
    available = next(topic for topic, payload in now.items() if payload == b"online")
    listener.wait(lambda now: now.get(available) == b"offline")


def test_nothing_is_left_when_mqtt_is_switched_off(house, mosquitto, listener):
    herald = house.herald(house.table(), mosquitto)
    listener.wait(is_known(herald))
    house.leave(herald)
    assert clear_retained(house.memory(), MqttSettings()) == ""
    listener.wait(lambda now: not now)
    assert house.listener(mosquitto).now == {}
    assert house.memory().stale_broker is None


def test_a_table_that_changes_its_club_leaves_nothing_in_the_old_one(house, mosquitto, listener):
    old = house.herald(house.table(), mosquitto, club="old")
    listener.wait(is_known(old))
    house.leave(old)
    assert clear_retained(house.memory(), house.settings(mosquitto, club="new")) == ""
    new = house.herald(house.table(), mosquitto, club="new")
    assert set(listener.wait(is_known(new))) == new.topics.all()


def test_a_renamed_table_is_the_same_device(house, mosquitto, listener):
    old = house.herald(house.table(), mosquitto, name="Old")
    listener.wait(is_known(old))
    house.leave(old)
    assert clear_retained(house.memory(), house.settings(mosquitto, name="New")) == ""
    new = house.herald(house.table(), mosquitto, name="New")
    assert new.topics == old.topics
    listener.wait(lambda now: json.loads(now[new.topics.config])["device"]["name"] == "New")


def test_what_is_left_at_a_broker_that_is_off_is_remembered(house, mosquitto, listener):
    herald = house.herald(house.table(), mosquitto)
    listener.wait(is_known(herald))
    house.leave(herald)
    mosquitto.kill()
    assert f"127.0.0.1:{mosquitto.port} still shows this table" in clear_retained(
        house.memory(), MqttSettings()
    )
    assert house.memory().stale_broker == herald.settings


def test_a_broker_that_dies_mid_game_disturbs_nothing_and_is_told_when_it_is_back(house, mosquitto, listener):
    seed = 3
    print(f"seed {seed}")
    table, rng = house.table(), Random(seed)
    herald = house.herald(table, mosquitto)
    session = table.start("night_cage", {}, seed=seed)
    listener.wait(is_told(session, herald))
    mosquitto.kill()
    slowest = 0.0
    for _ in range(30):
        begin = monotonic()
        play_on(session, rng, 1)
        slowest = max(slowest, monotonic() - begin)
    assert slowest < 3.0
    listener.log.clear()
    mosquitto.start()
    now = listener.wait(lambda now: is_known(herald)(now) and is_told(session, herald)(now))
    assert now[herald.topics.available] == b"online"
    assert herald.trouble == ""


@pytest.mark.slow
def test_a_broker_that_hangs_disturbs_nothing_and_gets_the_newest_state(house, mosquitto, listener):
    seed = 4
    print(f"seed {seed}")
    table, rng = house.table(), Random(seed)
    herald = house.herald(table, mosquitto)
    table.start("onirim", {}, seed=seed)
    listener.wait(is_told(table.session, herald))
    mosquitto.hold_still()
    for _ in range(20):
        table.start("onirim", {}, seed=rng.getrandbits(32))
        play_on(table.session, rng, 40)
    mosquitto.go_on()
    listener.wait(is_told(table.session, herald))


@pytest.mark.parametrize("text", ["", "[]", "{", '{"left": {"hots": 1}}'])
def test_a_spoilt_memory_is_begun_anew(tmp_path, text):
    (tmp_path / "mqtt.json").write_text(text)
    memory = MqttState(tmp_path / "mqtt.json")
    assert memory.table_id.startswith("gloam-")
    assert memory.stale_broker is None


def test_without_a_broker_the_table_starts_at_once_and_says_what_is_missing(house):
    table, port = house.table(), free_port()
    begin = monotonic()
    herald = house.herald(table, port)
    session = table.start("onirim", {}, seed=1)
    play_on(session, Random(1), 5)
    assert monotonic() - begin < 4.0
    assert f"127.0.0.1:{port}" in herald.trouble


def test_a_wrong_password_is_named(house, tmp_path, until):
    mosquitto = house.mosquitto(password="sesame")
    (tmp_path / "secret").write_text("barley\n")
    herald = house.herald(house.table(), mosquitto, user="table", password_file=str(tmp_path / "secret"))
    until(lambda: "refuses us: Not authorized" in herald.trouble)


def test_the_right_password_lets_the_table_in_and_is_told_to_nobody(house, tmp_path):
    mosquitto = house.mosquitto(password="sesame")
    listener = house.listener(mosquitto, user="table", password="sesame")
    (tmp_path / "secret").write_text("sesame\n")
    herald = house.herald(house.table(), mosquitto, user="table", password_file=str(tmp_path / "secret"))
    now = listener.wait(is_known(herald))
    assert not any(b"sesame" in payload for payload in now.values())
    assert "sesame" not in (tmp_path / "mqtt.json").read_text()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"host": ""}, r"\[mqtt\] enabled = true needs the broker's address"),
        ({"user": "x", "password_file": "nowhere"}, r"\[mqtt\] password_file = 'nowhere': No such file"),
        ({"tls": True, "ca_file": "nowhere"}, r"\[mqtt\] ca_file = 'nowhere': .*No such file"),
    ],
)
def test_settings_that_cannot_work_are_a_config_error(house, settings, words):
    with pytest.raises(ConfigError, match=words):
        MqttBridge(house.table(), replace(house.settings(1883), **settings), house.memory())


@pytest.mark.parametrize("key", ["password_file", "ca_file"])
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(house, tmp_path, key):
    os.mkfifo(tmp_path / "pipe")
    settings = replace(house.settings(1883), user="x", tls=True, **{key: str(tmp_path / "pipe")})
    with pytest.raises(ConfigError, match=rf"\[mqtt\] {key} = .*: this is no file"):
        MqttBridge(house.table(), settings, house.memory())


# What a house may ask for --------------------------------------------------------------------------


class Bulbs:
    """Lights that remember how they were turned."""

    def __init__(self):
        self.level, self.slept_at = 1.0, None

    def dim(self, level):
        self.level = level

    def sleep(self):
        self.slept_at = 0

    def wake(self):
        self.slept_at = None

    def sleeps_at(self, version):
        return self.slept_at == version


@pytest.fixture
def asking(house, mosquitto, listener):
    """A table that hears what its house asks."""
    table, bulbs = house.table(), Bulbs()
    table.start("onirim", {"players": 1}, seed=1)
    bulbs.version = table.session.update(PUBLIC).version
    bulbs.sleep = lambda: setattr(bulbs, "slept_at", bulbs.version)
    herald = house.herald(table, mosquitto, commands=HomeCommands(table, bulbs))
    listener.wait(lambda now: state_of(now, herald).get("light_level") == 100)
    return table, bulbs, herald


def test_a_house_sets_light_pause_and_reminder_and_sees_what_came_of_it(asking, listener):
    table, bulbs, herald = asking
    listener.say(f"{herald.topics.commands}/light_level", b"40")
    listener.wait(lambda now: state_of(now, herald)["light_level"] == 40)
    assert bulbs.level == 0.4
    listener.say(f"{herald.topics.commands}/pause", b"ON")
    listener.wait(lambda now: state_of(now, herald)["pause"] is True)
    assert [one.code for one in table.notices] == ["house-pause"]
    play_on(table.session, Random(1), 1)
    listener.wait(lambda now: state_of(now, herald)["pause"] is False)


def test_a_house_that_says_too_much_is_not_heard(house):
    table, now_s = house.table(), [0.0]
    table.start("onirim", {"players": 1}, seed=1)
    commands = HomeCommands(table, Bulbs(), lambda: now_s[0])
    for _ in range(20):
        now_s[0] += 1
        commands.take("next_game", b"PRESS")
    assert [one.code for one in table.notices] == ["house-next"] * 2


@pytest.mark.parametrize(
    ("what", "payload"),
    [
        ("light_level", b"nan"),
        ("light_level", b"1e9"),
        ("light_level", b""),
        ("light_level", b"-3"),
        ("pause", b"on"),
        ("next_game", b""),
        ("act", b"play Rs"),
        ("", b"ON"),
        ("undo", b"PRESS"),
    ],
)
def test_what_is_no_command_does_nothing(house, what, payload):
    table, bulbs = house.table(), Bulbs()
    session = table.start("onirim", {"players": 1}, seed=1)
    before = session.update(PUBLIC).version
    HomeCommands(table, bulbs).take(what, payload)
    assert (bulbs.level, bulbs.slept_at, list(table.notices)) == (1.0, None, [])
    assert session.update(PUBLIC).version == before


def test_no_command_is_ever_a_move(house):
    """Whatever is sent to every command, the game stays as it is; and no house turns the light off."""
    table, bulbs, rng = house.table(), Bulbs(), Random(8)
    session = table.start("night_cage", {}, seed=1)
    before, commands = session.lines(), HomeCommands(table, bulbs)
    texts = [text for seat in range(len(session.seats)) for text in session.actions(seat)]
    for _ in range(300):
        payload = rng.choice([rng.randbytes(4), b"ON", b"0", b"100", b"PRESS", *(t.encode() for t in texts)])
        commands.take(rng.choice([*COMMANDS, "set", "act"]), payload)
    assert session.lines() == before
    assert 0.05 <= bulbs.level <= 1.0


def test_an_old_command_that_a_broker_kept_is_not_done_again(house, mosquitto, listener, until):
    table, bulbs = house.table(), Bulbs()
    listener.say(topics(house.memory().table_id, "").commands + "/light_level", b"5")
    herald = house.herald(table, mosquitto, commands=HomeCommands(table, bulbs))
    listener.wait(is_known(herald))
    listener._client.publish(f"{herald.topics.commands}/light_level", b"70", qos=1)
    until(lambda: bulbs.level != 1.0)
    assert bulbs.level == 0.7


def test_without_the_switch_nothing_is_heard_and_nothing_can_be_asked(house, mosquitto, listener, until):
    table, bulbs = house.table(), Bulbs()
    herald = MqttBridge(table, house.settings(mosquitto), house.memory(), "en", HomeCommands(table, bulbs))
    herald.start()
    try:
        now = listener.wait(is_known(herald))
        components = json.loads(now[herald.topics.config])["components"]
        assert {key: components[key] for key in COMMANDS} == {
            "light_level": {"platform": "number"},
            "pause": {"platform": "switch"},
            "next_game": {"platform": "button"},
        }
        listener.say(f"{herald.topics.commands}/light_level", b"5")
        table.start("onirim", {}, seed=1)
        listener.wait(lambda now: state_of(now, herald)["game"] == "onirim")
        assert bulbs.level == 1.0 and "light_level" not in state_of(listener.now, herald)
    finally:
        herald.stop()


def test_what_a_house_may_ask_has_stable_ids_in_both_languages():
    one, other = (
        entities(discovery("T", topics("gloam-1", ""), language, commands=True)) for language in ("en", "ru")
    )
    for key in COMMANDS:
        assert one[key]["unique_id"] == other[key]["unique_id"] == f"gloam-1-{key}"
        assert one[key]["command_topic"] == other[key]["command_topic"] == f"gloam/home/gloam-1/set/{key}"
        assert one[key]["name"] != other[key]["name"]


# What is shipped for a house -------------------------------------------------------------------

SHIPPED = Path(home_facts.__file__).parent / "home_assistant"


class Loader(yaml.SafeLoader):
    """Reads what Home Assistant reads: `!input NAME` stands for something that people choose."""


Loader.add_constructor("!input", lambda loader, node: f"input {node.value}")


def mentioned(thing):
    """Every text in a file, however deep."""
    if isinstance(thing, dict):
        return [text for part in (*thing, *thing.values()) for text in mentioned(part)]
    if isinstance(thing, list):
        return [text for part in thing for text in mentioned(part)]
    return [str(thing)]


@pytest.mark.parametrize("name", ["room_follows_table.yaml", "automations.yaml"])
def test_what_is_shipped_uses_entities_and_events_that_the_table_has(name):
    shipped = yaml.load((SHIPPED / name).read_text("utf-8"), Loader)
    known = entities(discovery("T", topics("gloam-1", ""), "en")).values()
    ours = {one["default_entity_id"] for one in known}
    used = {text for text in mentioned(shipped) if ".gloam_1_" in text}
    assert used <= ours
    assert used or "input room" in mentioned(shipped)
    states = {text for text in mentioned(shipped) if text in ("attack", "turn", "started", "ended")}
    assert states <= set(EVENTS)


def test_the_blueprint_takes_what_the_state_has(house):
    session = house.table().start("onirim", {}, seed=2)
    state = facts(session.game, session.options, session.update(PUBLIC).view)
    room = discovery("T", topics("gloam-1", ""), "en")["components"]["room"]
    attributes = json.loads(
        Environment(undefined=StrictUndefined)
        .from_string(room["json_attributes_template"])
        .render(value_json=state)
    )
    blueprint = yaml.load((SHIPPED / "room_follows_table.yaml").read_text("utf-8"), Loader)
    (action,) = blueprint["actions"]
    trigger = {"to_state": {"state": "calm", "attributes": attributes}}
    for key in ("rgb_color", "brightness"):
        template = Environment(undefined=StrictUndefined).from_string(action["data"][key])
        assert template.render(trigger=trigger) == str(attributes[key])


# Several tables ---------------------------------------------------------------------------------


def test_tables_of_a_club_see_each_other_and_who_has_left(house, mosquitto, until):
    one = house.herald(house.table(), mosquitto, memory="a", name="One", club="café")
    two = house.herald(house.table(), mosquitto, memory="b", name="Two", club="café")
    house.herald(house.table(), mosquitto, memory="c", name="Other", club="elsewhere")
    until(lambda: [(seen.name, seen.is_there) for seen in one.tables()] == [("One", True), ("Two", True)])
    house.leave(two)
    until(lambda: [(seen.name, seen.is_there) for seen in one.tables()] == [("One", True), ("Two", False)])


def test_a_table_that_was_taken_away_is_gone_from_the_list(house, mosquitto, listener, until):
    one = house.herald(house.table(), mosquitto, name="One")
    state = topics("gloam-2", "").state
    listener.say(state, json.dumps({"name": "Two", **facts(None, {}, {})}).encode())
    until(lambda: [seen.name for seen in one.tables()] == ["One", "Two"])
    listener.say(state, b"")
    until(lambda: [seen.name for seen in one.tables()] == ["One"])


GOOD = {"name": "T", **{key: fact for key, fact in facts(None, {}, {}).items() if key != "key"}}
"""What the overview shows of a table; keys are for automations."""


@pytest.mark.parametrize(
    "payload",
    [b"", b"nonsense", b"[]", b"\xff", b'"' + b"x" * 5000 + b'"']
    + [json.dumps(GOOD | change).encode() for change in ({"name": 3}, {"mood": "<b>"}, {"en": {}}, {"ru": 1})]
    + [json.dumps(GOOD | {"rgb_color": colour}).encode() for colour in ([1], [1, 2, "x"], [1, 2, 999])],
)
def test_what_is_no_state_of_a_table_is_not_believed(payload):
    assert read_state(payload) is None


def test_a_state_of_a_table_is_believed():
    assert read_state(json.dumps(GOOD).encode()) == GOOD


def test_foreign_words_override_no_field_of_the_overview():
    words = {"id": "evil", "name": "evil", "there": True, "colour": "red;", "title": "T" * 900}
    told = GOOD | {"more": 1, "en": GOOD["en"] | words, "ru": GOOD["ru"] | {"phase": "a\u202e\ud800b"}}
    heard = read_state(json.dumps(told).encode())
    assert heard.keys() == GOOD.keys()
    assert heard["en"] == GOOD["en"] | {"title": "T" * 120}
    assert heard["ru"]["phase"] == "ab"
    row = overview_row(Seen("gloam-1", heard["name"], False, told), "en")
    assert (row["id"], row["name"], row["there"]) == ("gloam-1", heard["name"], False)
    assert row["colour"] == "#" + bytes(GOOD["rgb_color"]).hex()


@pytest.mark.parametrize("payload", [b"[" * 4000, b'{"a":' * 800, b"9" * 4090, b"\xff" * 99])
def test_a_retained_message_does_not_end_the_thread_that_listens(house, mosquitto, listener, until, payload):
    herald = house.herald(house.table(), mosquitto, name="Z")
    until(lambda: len(herald.tables()) == 1)
    listener.say(f"{herald.topics.group}/evil/state", payload)
    listener.say(f"{herald.topics.group}/{'e' * 900}/available", b"online")
    listener.say(f"{herald.topics.group}/kind/available", b"online")
    until(lambda: "kind" in [seen.id for seen in herald.tables()])
    assert len(herald.tables()) == 2
    assert herald.trouble == "" and herald._client._thread.is_alive()


def test_a_message_that_fails_in_an_unknown_way_ends_nothing(house, mosquitto, listener, until, monkeypatch):
    def fail(payload):
        raise MemoryError("unforeseen")

    herald = house.herald(house.table(), mosquitto, name="Z")
    until(lambda: len(herald.tables()) == 1)
    monkeypatch.setattr("companion.service.mqtt.read_state", fail)
    listener.say(f"{herald.topics.group}/evil/state", b"{}")
    listener.say(f"{herald.topics.group}/kind/available", b"online")
    until(lambda: "kind" in [seen.id for seen in herald.tables()])


@pytest.mark.parametrize("which", ["own", "client"])
def test_a_thread_that_has_ended_is_said(house, mosquitto, until, which):
    class Ended:
        def is_alive(self):
            return False

    herald = house.herald(house.table(), mosquitto)
    until(lambda: not herald.trouble)
    holder = herald if which == "own" else herald._client
    alive, holder._thread = holder._thread, Ended()
    said, (line,) = herald.trouble, broker_health(herald)
    holder._thread = alive
    assert "has ended" in said
    assert line.state == "watch" and "has ended" in line.detail


@pytest.mark.slow
def test_a_flood_of_tables_is_cut_off(house, mosquitto, listener, until):
    herald = house.herald(house.table(), mosquitto, name="Z")
    until(lambda: len(herald.tables()) == 1)
    for i in range(MOST_TABLES + 20):
        listener.say(f"{herald.topics.group}/flood-{i}/available", b"online")
    until(lambda: len(herald.tables()) >= MOST_TABLES)
    assert len(herald.tables()) == MOST_TABLES
