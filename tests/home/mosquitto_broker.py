"""A real broker (Debian's mosquitto) on a free port of this machine, who listens to it, and who plays."""

from __future__ import annotations

import getpass
import json
import signal
import socket
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import paho.mqtt.client as paho

from companion.engine.action import PUBLIC, TABLE
from companion.engine.chance import weighted
from companion.service.home_facts import Facts, facts
from companion.service.mqtt import MqttBridge
from companion.table.session import Session

MOSQUITTO = "/usr/sbin/mosquitto"
SOON_S = 60.0


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def play_on(session: Session, rng: Random, actions: int) -> None:
    """Takes random actions; chance that real cards would decide is decided here."""
    for _ in range(actions):
        state = session.state()
        if not state.needs():
            return
        if state.is_chance():
            seat, action = TABLE, weighted(state.outcomes(), rng)
        else:
            seat = rng.choice(state.needs()).seat
            wanted = [action for action in state.actions(seat) if action.verb != "concede"]
            action = rng.choice(wanted or state.actions(seat))
        session.submit(seat, state.notation.text(action))


def state_of(now: dict[str, bytes], herald: MqttBridge) -> Facts:
    """What a table tells of itself now."""
    told: Facts = json.loads(now.get(herald.topics.state, b"{}"))
    return told


def is_told(session: Session, herald: MqttBridge) -> Callable[[dict[str, bytes]], bool]:
    """Says whether the broker shows a game as everybody may know it."""
    wanted = facts(session.game, session.options, session.update(PUBLIC).view)
    return lambda now: {**wanted, "name": herald.settings.name} == state_of(now, herald)


def is_known(herald: MqttBridge) -> Callable[[dict[str, bytes]], bool]:
    """Says whether the broker shows all that a table tells."""
    return lambda now: herald.topics.all() <= set(now)


class Mosquitto:
    """The broker's process: can be killed, held still and started again on the same port."""

    def __init__(self, folder: Path, *, password: str = "", tls: bool = False) -> None:
        folder.mkdir(exist_ok=True)
        self.port = free_port()
        self.certificate = folder / "broker.pem"
        self._config = folder / "mosquitto.conf"
        lines = [f"listener {self.port} 127.0.0.1", f"user {getpass.getuser()}", "persistence false"]
        if tls:
            self._certify(folder / "broker.key")
            lines += [f"certfile {self.certificate}", f"keyfile {folder / 'broker.key'}"]
        if password:
            users = folder / "users"
            subprocess.run(
                ["/usr/bin/mosquitto_passwd", "-b", "-c", users, "table", password],
                check=True,
                capture_output=True,
            )
            lines += ["allow_anonymous false", f"password_file {users}"]
        else:
            lines.append("allow_anonymous true")
        self._config.write_text("\n".join(lines) + "\n", "utf-8")
        self.start()

    def _certify(self, key: Path) -> None:
        """Makes a certificate that vouches for itself."""
        made = ["-keyout", key, "-out", self.certificate, "-days", "2", "-subj", "/CN=127.0.0.1"]
        names = ["-addext", "subjectAltName=IP:127.0.0.1"]
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *made, *names]
        subprocess.run(command, check=True, capture_output=True)

    def start(self) -> None:
        self._process = subprocess.Popen(
            [MOSQUITTO, "-c", self._config], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = monotonic() + SOON_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                assert monotonic() < deadline and self._process.poll() is None, "mosquitto does not start"

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def hold_still(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._process.send_signal(signal.SIGCONT)


class Listener:
    """Hears everything that a broker tells, in order."""

    def __init__(self, port: int, user: str = "", password: str = "") -> None:
        self.log: list[tuple[str, bytes]] = []
        self._news = threading.Condition()
        self._client = paho.Client(paho.CallbackAPIVersion.VERSION2)
        self._client.reconnect_delay_set(1, 1)
        if user:
            self._client.username_pw_set(user, password)
        self._client.on_connect = lambda client, *_: client.subscribe("#")
        self._client.on_message = self._heard
        self._subscribed = threading.Event()
        self._client.on_subscribe = lambda *_: self._subscribed.set()
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        assert self._subscribed.wait(SOON_S)

    def _heard(self, client: Any, userdata: Any, message: Any) -> None:
        with self._news:
            self.log.append((message.topic, message.payload))
            self._news.notify_all()

    @property
    def now(self) -> dict[str, bytes]:
        """What stands in each topic; emptied ones are gone."""
        with self._news:
            return {topic: payload for topic, payload in dict(self.log).items() if payload}

    def wait(self, is_so: Callable[[dict[str, bytes]], object], seconds: float = SOON_S) -> dict[str, bytes]:
        """Waits until it is so; fails with what stands there instead."""

        def now() -> dict[str, bytes]:
            return {topic: payload for topic, payload in dict(self.log).items() if payload}

        with self._news:
            assert self._news.wait_for(lambda: is_so(now()), seconds), now()
            return now()

    def say(self, topic: str, payload: bytes) -> None:
        self._client.publish(topic, payload, qos=1, retain=True).wait_for_publish(SOON_S)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()
