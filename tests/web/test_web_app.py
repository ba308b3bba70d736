"""`gloam run` and `gloam demo`: settings, first start, bots that let people watch."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from web_tools import Room

from companion.engine.errors import ConfigError
from companion.games import REGISTRY
from companion.service.app import Bots, _address, _parser, _serving, demo, run
from web.server import lan_address


def place(*argv: str):
    return _serving(_parser("run", "").parse_args(list(argv)))


def test_no_config_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLOAM_DATA", str(tmp_path))
    usual = place()
    assert (usual.host, usual.port, usual.journal) == ("0.0.0.0", 8000, tmp_path / "gloam.db")
    assert usual.policy.allows_host("gloam.local:8000")


def test_a_config_names_hosts_and_networks(tmp_path: Path) -> None:
    config = tmp_path / "gloam.toml"
    config.write_text('[web]\nport = 8123\nnames = ["table.example"]\nnetworks = ["93.184.216.0/24"]\n')
    chosen = place("--config", str(config), "--journal", str(tmp_path / "a.db"))
    assert chosen.port == 8123
    assert chosen.policy.allows_host("table.example") and chosen.policy.allows_address("93.184.216.9")
    assert place("--config", str(config), "--port", "9000", "--journal", "a.db").port == 9000


def test_a_bad_config_is_said_on_the_console_and_the_table_is_served_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "gloam.toml"
    config.write_text("[web]\nprot = 1\n")
    safe = place("--config", str(config), "--journal", str(tmp_path / "a.db"))
    assert safe.config.is_safe and safe.port == 8000
    assert "line 2: [web] prot is unknown; did you mean 'port'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("host", "certified", "said"),
    [
        ("127.0.0.1", None, "http://127.0.0.1:8000"),
        ("::1", None, "http://[::1]:8000"),
        ("127.0.0.1", [], "https://127.0.0.1:8000"),
        ("0.0.0.0", ["table.example"], "https://table.example:8000"),
        ("0.0.0.0", None, f"http://{lan_address() or 'localhost'}:8000"),
    ],
)
def test_the_address_that_is_printed_is_one_that_is_listened_on(host, certified, said) -> None:
    assert _address(host, certified, 8000) == said


def test_a_taken_port_is_one_clear_sentence(tmp_path: Path) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError, match=f"cannot serve on 127.0.0.1 port {port}"):
            run(["--host", "127.0.0.1", "--port", str(port), "--journal", str(tmp_path / "a.db")])


def test_a_demo_of_an_unknown_game_says_which_there_are() -> None:
    with pytest.raises(ConfigError, match="night_cage"):
        demo(["nightcage"])
    with pytest.raises(ConfigError, match="name=value"):
        demo(["onirim", "--option", "players"])


@pytest.mark.slow
@pytest.mark.parametrize("game", REGISTRY)
def test_bots_play_a_whole_game_on_the_table(game: str, room: Room) -> None:
    seed = 1
    print(f"seed {seed}")
    bots = Bots(room.table, game, {}, bot="random", pause_s=0.0, seed=seed, wait=lambda stop, _: False)
    session = room.table.start(game, {}, seed=seed)
    for _ in range(20_000):
        if not bots.play_one(session):
            break
    assert session.update(-2).view["outcome"] is not None


def test_a_demo_goes_on_with_a_new_game_until_somebody_starts_another(room: Room) -> None:
    waits: list[float] = []

    def wait(stop: threading.Event, seconds: float) -> bool:
        waits.append(seconds)
        if room.table.session.number == 2:
            room.table.start("onirim", {}, seed=9)
        return False

    bots = Bots(room.table, "onirim", {}, bot="random", pause_s=1.0, seed=3, wait=wait)
    room.table.start("onirim", {}, seed=3)
    bots.run()
    assert waits.count(Bots.END_PAUSES * 1.0) == 1
    assert room.table.session.number == 3
