"""Pages by HTTPS with the owner's certificate, on the port of the plain ones: real wake lock and tilt."""

from __future__ import annotations

import json
import os
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser
from web_browser import House
from web_tools import Room

from companion.engine.errors import ConfigError
from web.server import Server
from web.tls import tls_context

NAMES = "subjectAltName=DNS:localhost,IP:127.0.0.1"


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate that vouches for itself, as an owner makes one, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    found = folder / "table.pem", folder / "table.key"
    made = ["-keyout", found[1], "-out", found[0], "-days", "2", "-subj", "/CN=localhost", "-addext", NAMES]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *map(str, made)]
    subprocess.run(command, check=True, capture_output=True)
    return found


@pytest.fixture
def served(room: Room, certificate: tuple[Path, Path]) -> Iterator[Server]:
    server = Server(room.web, "127.0.0.1", 0, tls_context(*map(str, certificate)))
    server.start()
    yield server
    server.close()


@pytest.mark.parametrize("key", ["", "pipe"])
def test_a_pipe_in_the_place_of_a_certificate_is_not_waited_for(tmp_path: Path, key: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ConfigError, match="this is no file"):
        tls_context(str(tmp_path / "pipe"), key and str(tmp_path / key))


def connect(server: Server, certificate: tuple[Path, Path]) -> HTTPSConnection:
    trusting = ssl.create_default_context(cafile=str(certificate[0]))
    return HTTPSConnection("localhost", server.port, timeout=20, context=trusting)


def ask(line: HTTPConnection, path: str, **headers: str) -> tuple[int, bytes]:
    line.request("GET", path, headers=headers)
    answer = line.getresponse()
    return answer.status, answer.read()


def test_one_port_speaks_both(served: Server, certificate: tuple[Path, Path]) -> None:
    plain, safe = HTTPConnection("127.0.0.1", served.port, timeout=20), connect(served, certificate)
    for path in ("/api/room", "/static/js/seat.js", "/"):
        assert ask(safe, path) == ask(plain, path), path
        assert ask(safe, path)[0] == 200
    plain.close()
    safe.close()


def test_a_page_over_https_may_ask_for_changes_and_a_plain_one_of_that_name_may_not(
    served: Server, room: Room, certificate: tuple[Path, Path]
) -> None:
    room.table.start("onirim", {"players": 1})
    visitor = room.visitor()
    body = json.dumps({"code": room.people.join_code, "name": "Ann"})
    headers = {
        "Cookie": f"gloam={visitor.cookie()}",
        "Content-Type": "application/json",
        "X-Gloam-Token": visitor.token,
    }
    codes = []
    for scheme in ("http", "https"):
        safe = connect(served, certificate)
        safe.request("POST", "/api/join", body, {**headers, "Origin": f"{scheme}://localhost:{served.port}"})
        codes.append(json.loads(safe.getresponse().read()).get("code"))
        safe.close()
    assert codes == ["wrong-origin", None]


def test_a_stream_tells_its_news_at_once(served: Server, room: Room, certificate: tuple[Path, Path]) -> None:
    session = room.table.start("onirim", {"players": 1})
    safe = connect(served, certificate)
    safe.request("GET", "/api/stream?seat=public")
    answer = safe.getresponse()
    versions = (
        json.loads(line[6:])["version"]
        for line in iter(answer.readline, b"")
        if line.startswith(b"data: ") and b'"view"' in line
    )
    before = next(versions)
    session.submit(0, session.actions(0)[0])
    assert any(version > before for version in versions)
    safe.close()


def test_many_ask_at_once_and_get_whole_answers(served: Server, certificate: tuple[Path, Path]) -> None:
    wanted = ask(connect(served, certificate), "/static/js/seat.js")
    found: list[Any] = []

    def ask_some() -> None:
        line = connect(served, certificate)
        found.extend(ask(line, "/static/js/seat.js") for _ in range(10))
        line.close()

    threads = [Thread(target=ask_some) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert found == [wanted] * 80


@pytest.mark.parametrize("said", [b"\x16", b"\x16\x03\x01\x02\x00\x01" + b"x" * 600, b"\x16" * 90])
def test_a_handshake_that_leads_nowhere_hinders_nobody(
    served: Server, certificate: tuple[Path, Path], said: bytes
) -> None:
    with ExitStack() as stack:
        for _ in range(20):
            caller = socket.create_connection(("127.0.0.1", served.port), timeout=20)
            stack.enter_context(caller)
            caller.sendall(said)
        safe = connect(served, certificate)
        assert ask(safe, "/api/room")[0] == 200
        safe.close()
    assert served.is_turning(5)


def test_without_a_certificate_nothing_is_wrapped_and_a_wrong_one_is_named(tmp_path: Path) -> None:
    assert tls_context("", "") is None
    (tmp_path / "torn.pem").write_text("-----BEGIN CERTIFICATE-----\n")
    for path in ("nowhere.pem", "torn.pem"):
        with pytest.raises(ConfigError, match=r"\[web\] certificate = .*files in PEM"):
            tls_context(str(tmp_path / path), "")


@pytest.mark.browser
def test_a_phone_on_a_safe_address_stays_awake_by_itself_and_closes_when_turned_over(
    house: House, browser: Browser, certificate: tuple[Path, Path]
) -> None:
    safe = Server(house.web, "127.0.0.1", 0, tls_context(*map(str, certificate)))
    safe.start()
    house.table.start("whisper", {"players": 2})
    context = browser.new_context(ignore_https_errors=True, has_touch=True, is_mobile=True)
    # As Safari on iOS has it; the page must ask after a touch.
    context.add_init_script(
        "DeviceOrientationEvent.requestPermission = async () => {"
        " window.asked = navigator.userActivation.isActive; return 'granted'; }"
    )
    try:
        page = context.new_page()
        code = house.table.offer(0).long
        page.goto(f"https://127.0.0.1:{safe.port}/join#code={house.people.join_code}&seat=0&once={code}")
        page.fill("#secret-name", "Vera")
        page.fill("#secret-pin", "24682468")
        page.locator("button.go").tap()
        cover = page.locator(".cover")
        cover.wait_for()
        assert page.evaluate("[isSecureContext, 'wakeLock' in navigator]") == [True, True]
        box = cover.bounding_box()
        assert box is not None
        middle = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        touch = context.new_cdp_session(page)
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [middle]})
        page.locator(".panel").wait_for()
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_function("window.asked === true")
        page.wait_for_function("document.documentElement.dataset.awake === 'yes'")
        assert page.locator("video.awake-film").count() == 0
        for beta in (60, 150):
            assert page.locator(".panel").is_visible()
            page.evaluate(
                "beta => dispatchEvent(new DeviceOrientationEvent('deviceorientation', { beta }))", beta
            )
        assert not page.locator(".panel").is_visible()
    finally:
        context.close()
        safe.close()
