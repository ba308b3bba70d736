"""WLED: what it is asked, what it answers, and light that arrives at a receiver written after its source."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from random import Random, SystemRandom
from typing import Any

import pytest

from companion.engine.errors import ConfigError, DeviceError
from hardware.ddp import DdpStrip, ask, packets
from hardware.fake_wled import WledReceiver


@pytest.fixture
def wled() -> Iterator[WledReceiver]:
    with WledReceiver() as receiver:
        yield receiver


def wait_for(strip: DdpStrip, is_up: bool, frame: bytes | None = None, patience_s: float = 8.0) -> str:
    """Shows frames until the strip is up or down, and says its words then."""
    until = time.monotonic() + patience_s
    while strip.status.is_up != is_up and time.monotonic() < until:
        strip.show(bytes(strip.size) if frame is None else frame)
        time.sleep(0.02)
    assert strip.status.is_up == is_up, strip.status
    return strip.status.words


@pytest.mark.parametrize("order", ["RGB", "RGBW"])
@pytest.mark.parametrize("leds", [52, 132, 360, 481, 600])
def test_every_frame_arrives_whole_and_nothing_is_dropped(leds: int, order: str) -> None:
    """More than 480 LEDs in RGB and 360 in RGBW take several packets a frame."""
    seed = SystemRandom().randrange(10**6)
    print("seed", seed)
    rng, channels = Random(seed), len(order)
    with WledReceiver(leds, has_white=order == "RGBW") as wled:
        strip = DdpStrip(wled.host, leds, order)
        for _ in range(20):
            frame = rng.randbytes(leds * channels)
            strip.show(frame)
            shown = b"".join(bytes(pixel[:channels]) for pixel in wled.settle().shown)
            assert shown == frame
        each = len(packets(frame, order))
        assert (wled.taken, wled.dropped) == (20 * each, 0)
        # Until it has seen a push WLED shows every packet by itself.
        assert len(wled.frames) == 20 + each - 1
        assert each == -(-leds * channels // 1440)
        strip.close()


def test_a_host_that_was_restarted_loses_no_frame(wled: WledReceiver) -> None:
    """WLED may drop what has a lower number than the last push; our frames have none."""
    wled._last_push = 4
    for level in range(12):
        strip = DdpStrip(wled.host, 60, "RGB")
        strip.show(bytes([level] * 180))
        assert wled.settle().shown[-1] == (level, level, level, 0)
        strip.close()
    assert wled.settle().dropped == 0


def test_numbers_of_another_sender_are_refused_when_they_come_late(wled: WledReceiver) -> None:
    """The receiver is as strict as WLED: numbers of which none is late are taken, late ones are not."""
    strip = DdpStrip(wled.host, 60, "RGB")
    wled._last_push = 9
    packet = bytearray(packets(bytes([7] * 180), "RGB")[0])
    packet[1] = 7
    strip._socket.send(packet)
    assert wled.settle().dropped == 1
    packet[1] = 10
    strip._socket.send(packet)
    assert wled.settle().taken == 1
    strip.close()


def test_it_is_asked_what_it_drives() -> None:
    with WledReceiver(132, has_white=True, limit_ma=4000, name="Below the table") as wled:
        told = ask(wled.host)
    assert told == ("Below the table", "0.15.1", 132, True, 4000, "")
    assert told.order == "GRBW"
    with WledReceiver(limit_ma=0) as wled:
        assert (ask(wled.host).order, ask(wled.host).limit_ma) == ("GRB", 0)


def test_health_is_what_it_answers(wled: WledReceiver) -> None:
    strip = DdpStrip(wled.host, 60, "RGB", ask_s=0.1)
    assert strip.status == (True, "")
    host = wled.host
    wled.close()
    words = wait_for(strip, False)
    assert words.startswith(f"WLED at {host} does not answer") and words.endswith("in this network.")
    for _ in range(50):  # nobody listens: it stays bad, whatever sending says
        strip.show(bytes(180))
        assert not strip.status.is_up
    strip.close()


def test_light_that_does_not_arrive_is_said_though_it_answers(wled: WledReceiver) -> None:
    strip = DdpStrip(wled.host, 60, "RGB", ask_s=0.1)
    wled.is_deaf = True
    words = wait_for(strip, False)
    assert words == f"WLED at {wled.host} answers but shows its own light: UDP port 4048 does not reach it."
    wled.is_deaf = False
    assert wait_for(strip, True) == ""
    strip.close()


def test_a_table_that_sleeps_blames_nobody(wled: WledReceiver) -> None:
    strip = DdpStrip(wled.host, 60, "RGB", ask_s=0.1)
    strip.show(bytes(180))
    time.sleep(0.4)
    assert strip.status == (True, "")
    strip.close()


@pytest.mark.parametrize(
    ("given", "leds", "order", "words"),
    [
        ({"leds": 52}, 132, "RGB", "WLED drives 52 LEDs, the map has 132: set the length in WLED."),
        ({"leds": 60}, 60, "RGBW", 'WLED drives a strip without white: choose  order = "GRB"  in [lights].'),
        ({"leds": 300, "has_white": True}, 60, "RGB", ""),
    ],
)
def test_what_does_not_fit_the_map_is_said(given: Any, leds: int, order: str, words: str) -> None:
    with WledReceiver(**given) as wled:
        strip = DdpStrip(wled.host, leds, order)
        assert strip.status == (True, words)
        strip.close()


@pytest.mark.parametrize(
    "told",
    [
        {"name": "printer"},
        *({"leds": {"count": count}} for count in (float("inf"), float("nan"), 10**4000, -1, "9", None)),
        *({"leds": {"count": 60, "maxpwr": limit}} for limit in (float("inf"), 10**9, [])),
        {"leds": [60]},
    ],
    ids=lambda told: repr(told)[:50],
)
def test_what_is_no_wled_is_named(wled: WledReceiver, told: dict[str, Any]) -> None:
    wled.info = lambda: {"name": "WLED", "ver": "0.15.1", **told}  # type: ignore[method-assign]
    with pytest.raises(DeviceError, match="there is no WLED"):
        ask(wled.host)


def test_an_answer_that_comes_byte_by_byte_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.ddp.PATIENCE_S", 0.3)
    over = threading.Event()

    def trickle(listening: socket.socket) -> None:
        caller, _ = listening.accept()
        with caller, suppress(OSError):
            caller.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n")
            while not over.wait(0.05):
                caller.sendall(b" ")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=trickle, args=(listening,), daemon=True)
        thread.start()
        asking = threading.Thread(
            target=_refused, args=(f"127.0.0.1:{listening.getsockname()[1]}",), daemon=True
        )
        asking.start()
        asking.join(10)
        is_waiting = asking.is_alive()
        over.set()
        thread.join(10)
    assert not is_waiting


def _refused(host: str) -> None:
    with pytest.raises(DeviceError):
        ask(host)


def test_a_wled_that_is_not_there_is_named() -> None:
    with pytest.raises(DeviceError, match="does not answer"):
        ask("127.0.0.1:1")


@pytest.mark.parametrize(
    "host", ["", "a b", "http://wled.local", "host/path", "x:123456", "x:65536", "a@b", "ü" * 70]
)
def test_what_is_no_address_is_refused(host: str) -> None:
    with pytest.raises(ConfigError, match="is no address"):
        ask(host)
