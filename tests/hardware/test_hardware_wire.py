"""The wire format: what is written is read, what is broken is dropped."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
from binascii import crc32
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware import wire
from hardware.fakes import firmware
from hardware.flasher import FIRMWARE, files

VECTORS = json.loads(Path(__file__).with_name("wire_vectors.json").read_text())
KINDS = {row[0]: kind for kind, row in wire.MESSAGES.items()}


def test_host_and_chip_have_the_same_file():
    (on_chip,) = firmware("wire")
    assert files()["wire.py"] == Path(wire.__file__) == Path(on_chip.__file__)
    assert on_chip is not wire and not (FIRMWARE / "wire.py").exists()


def test_a_module_called_micropython_does_not_make_a_chip_of_a_pi(tmp_path):
    """Adafruit's Blinka, which drives strips on a Pi's pins, brings one."""
    (tmp_path / "micropython.py").write_text("def viper(function):\n    return function\n")
    done = subprocess.run(
        [sys.executable, "-c", "import hardware.wire"],
        cwd=FIRMWARE.parent,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("row", VECTORS, ids=[row["message"] for row in VECTORS])
def test_bytes_on_the_wire_are_as_written_down(row):
    kind, seq, body, data = (
        KINDS[row["message"]],
        row["seq"],
        bytes.fromhex(row["body"]),
        bytes.fromhex(row["wire"]),
    )
    assert wire.encode(kind, seq, body) == data
    assert wire.Decoder().feed(data) == [(kind, seq, body)]


def test_a_written_down_message_is_cobs_and_crc32_by_their_definitions():
    row = VECTORS[0]
    raw = bytes((KINDS[row["message"]], row["seq"])) + bytes.fromhex(row["body"])
    raw += crc32(raw).to_bytes(4, "big")
    # COBS: in place of each zero, the distance to the next
    stuffed = b"".join(bytes((len(piece) + 1,)) + piece for piece in raw.split(b"\0"))
    assert bytes.fromhex(row["wire"]) == (stuffed + b"\0").ljust(wire.BLOCK, b"\0")


@given(st.binary(max_size=wire.MAX_BODY), st.integers(0, 255), st.sampled_from(sorted(wire.MESSAGES)))
@settings(deadline=None)
def test_a_message_comes_back_as_sent(body, seq, kind):
    data = wire.encode(kind, seq, body)
    assert len(data) % wire.BLOCK == 0
    assert wire.Decoder().feed(data) == [(kind, seq, body)]


@given(st.binary(max_size=600))
@settings(deadline=None)
def test_stuffed_data_has_no_zero_and_grows_by_one_in_254(body):
    stuffed = wire.stuff(body)
    assert 0 not in stuffed
    assert len(stuffed) <= len(body) + len(body) // 254 + 1
    buffer = bytearray(stuffed)
    assert buffer[: wire.unstuff(buffer, len(stuffed))] == body


@given(st.lists(st.binary(max_size=80), max_size=6), st.data())
@settings(deadline=None)
@pytest.mark.slow
def test_portions_of_any_size_make_the_same_messages(bodies, data):
    stream = b"".join(wire.encode(wire.KEYFRAME, i, body) for i, body in enumerate(bodies))
    decoder, got = wire.Decoder(), []
    while stream:
        n = data.draw(st.integers(1, len(stream)))
        got += decoder.feed(stream[:n])
        stream = stream[n:]
    assert [body for _, _, body in got] == bodies


@given(st.binary(max_size=64), st.data())
@settings(deadline=None)
def test_one_changed_bit_never_makes_another_message(body, data):
    good = bytearray(wire.encode(wire.DELTA, 9, body))
    good[data.draw(st.integers(0, len(good) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    got = wire.Decoder().feed(bytes(good) + b"\0")
    assert got in ([], [(wire.DELTA, 9, body)])


def test_endless_noise_without_a_delimiter_takes_no_memory():
    decoder = wire.Decoder()
    room = len(decoder.buffer)
    for _ in range(100):
        decoder.feed(b"\x55" * 4096)
    assert (len(decoder.buffer), decoder.feed(b"\0"), decoder.overrun) == (room, [], 1)


def test_every_message_names_as_many_fields_as_it_has():
    for name, _, layout, fields in wire.MESSAGES.values():
        values = struct.unpack(layout, bytes(struct.calcsize(layout)))
        assert len(fields.split()) == len(values), name
