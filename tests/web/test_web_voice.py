"""The table's own voice: lines of the listener's own log, said by espeak-ng, and nothing else."""

from __future__ import annotations

import io
import threading
import time
import wave
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from web_tools import Room

from companion.engine.action import PUBLIC
from companion.service.speech import PATIENCE_S, WAITING, Speech
from companion.table.session import Session


class Heard:
    """A voice that keeps what it was asked to say."""

    def __init__(self) -> None:
        self.said: list[tuple[str, str, int]] = []

    def wav(self, text: str, language: str, whose: int) -> bytes:
        self.said.append((text, language, whose))
        return b"RIFF"


def play(session: Session, actions: int) -> None:
    for _ in range(actions):
        need = session.state().needs()[0]
        session.submit(need.seat, session.actions(need.seat)[0])


@pytest.mark.debian("espeak-ng")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "short", "long"),
    [
        ("en", "Red moves.", "A wax eater has seen Green along the third row."),
        ("ru", "Красный идёт.", "Пожиратель воска увидел Зелёного в третьем ряду."),
    ],
)
def test_the_table_says_sentences_in_both_languages(language: str, short: str, long: str) -> None:
    speech = Speech()
    seconds = []
    for text in (short, long):
        said = speech.wav(text, language, PUBLIC)
        assert said is not None and said == speech.wav(text, language, 0) == Speech().wav(text, language, 0)
        with wave.open(io.BytesIO(said)) as sound:
            samples = np.frombuffer(sound.readframes(10_000_000), np.int16)
            seconds.append(len(samples) / sound.getframerate())
        assert 1000 < np.abs(samples.astype(int)).max() < 32767
    assert 0.4 < seconds[0] < seconds[1] < 8


def test_without_the_program_the_table_is_silent() -> None:
    speech = Speech("no-such-program")
    assert not speech.is_there and speech.wav("Red moves.", "en", PUBLIC) is None


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    yield room
    room.close()


def test_a_line_of_the_own_log_is_said_in_the_page_s_language(room: Room) -> None:
    room.web.voice = voice = Heard()
    session = room.table.start("night_cage", {}, seed=1)
    play(session, 6)
    host = room.host()
    n = len(session.history(PUBLIC)) - 1
    answer = host.get(f"/api/say?line={n}&lang=ru")
    assert (answer.status_code, answer.mimetype, answer.data) == (200, "audio/wav", b"RIFF")
    assert voice.said == [(host.get("/api/log?lang=ru").json[n]["text"], "ru", PUBLIC)]


@pytest.mark.parametrize("line", ["-1", "100000", ""])
def test_what_nobody_has_heard_of_is_not_said(room: Room, line: str) -> None:
    room.web.voice = voice = Heard()
    play(room.table.start("night_cage", {}, seed=1), 3)
    assert room.host().get(f"/api/say?line={line}").status_code in (400, 404)
    assert voice.said == []


def test_the_public_hears_no_line_of_a_hidden_seat(room: Room) -> None:
    room.web.voice = voice = Heard()
    session = room.table.start("whisper", {"killer": "butcher"}, seed=3)
    play(session, 30)
    host = room.host()
    public = session.history(PUBLIC)
    hidden = [event for event in session.history(0) if event not in public]
    assert hidden, "nothing is hidden yet"
    for line in range(len(session.history(0)) + 5):
        host.get(f"/api/say?line={line}")
    assert [text for text, _, _ in voice.said] == [line["text"] for line in host.get("/api/log").json]
    assert host.get("/api/say?line=0&seat=0").status_code == 403


def test_a_line_that_only_one_seat_has_heard_is_said_to_that_seat_alone(room: Room) -> None:
    """Who asks for the same words later must not find them made: the time would tell who has heard them."""
    room.web.voice = voice = Heard()
    session = room.table.start("whisper", {"killer": "butcher"}, seed=3)
    play(session, 30)
    ann = room.guest("Ann")
    assert ann.post("/api/claim", seat=0, code=room.table.offer(0).short).status_code == 200
    public, own = session.history(PUBLIC), session.history(0)
    assert len(own) > len(public), "nothing is hidden yet"
    for line in range(len(own)):
        ann.get(f"/api/say?seat=0&line={line}")
    assert [whose for _, _, whose in voice.said] == [PUBLIC if one in public else 0 for one in own]


def speaker(tmp_path: Path, seconds: float) -> Speech:
    """A voice that takes its time for each sentence, and notes it."""
    program = tmp_path / "slow-voice"
    program.write_text(f"#!/bin/sh\necho one >>{tmp_path}/said\nsleep {seconds}\nprintf RIFF\n")
    program.chmod(0o755)
    return Speech(str(program))


def test_what_one_listener_has_heard_is_made_anew_for_another(tmp_path: Path) -> None:
    speech = speaker(tmp_path, 0)
    for whose in (0, 0, 1, PUBLIC, PUBLIC):
        assert speech.wav("You draw the red Sun.", "en", whose) == b"RIFF"
    assert (tmp_path / "said").read_text().count("one") == 3


def test_a_crowd_that_asks_for_sentences_neither_waits_nor_holds_up_a_seat(tmp_path: Path) -> None:
    speech = speaker(tmp_path, 1.0)
    begun, answers = threading.Barrier(9), []

    def ask(n: int) -> None:
        begun.wait()
        began = time.monotonic()
        answers.append((speech.wav(f"Line {n}.", "en", PUBLIC), time.monotonic() - began))

    crowd = [threading.Thread(target=ask, args=(n,)) for n in range(8)]
    for one in crowd:
        one.start()
    begun.wait()
    assert speech.wav("Your turn.", "en", 0) == b"RIFF", "a seat is not kept waiting by the crowd"
    for one in crowd:
        one.join()
    assert sum(said is not None for said, _ in answers) == 1
    assert sum(seconds < PATIENCE_S for said, seconds in answers if said is None) >= 8 - WAITING
