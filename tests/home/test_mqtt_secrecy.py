"""No hidden fact on the broker: two games that differ only in secrets are told with the same bytes."""

from __future__ import annotations

import shutil
from functools import partial
from random import Random

import pytest
from mosquitto_broker import is_known, is_told, play_on

from companion.engine.action import PUBLIC

pytestmark = pytest.mark.debian("mosquitto")

CANARY = "Canary"


def put(session, state, mailbox):
    """Makes another state the truth of a session, and tells it as another's mailbox was told of it."""
    told = [update for update in iter(lambda: mailbox.get(0), None) if update.events]
    session._state = state
    session._views = {viewer: session.game.view(state, viewer) for viewer in session.viewers}
    session._versions = {viewer: version + len(told) for viewer, version in session._versions.items()}
    for subscription in session._subscriptions:
        now = session.update(subscription.viewer)
        for update in told or [now]:
            subscription.put(now._replace(events=update.events, cues=update.cues))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "options"),
    [("whisper", {}), ("dark_cave", {}), ("onirim", {"players": 2}), ("whisper", {"players": 3})],
)
def test_every_message_is_the_same_whatever_is_hidden(house, key, options):
    seed = 20261116
    print(f"seed {seed}")
    rng = Random(f"{seed} {key} {options}")
    names = ("one", "two")
    brokers = [house.mosquitto(name) for name in names]
    house.memory("one").keep(None)
    shutil.copy(house.folder / "one.json", house.folder / "two.json")
    tables = [house.table(), house.table()]
    listeners = [house.listener(broker) for broker in brokers]
    heralds = [house.herald(*pair, memory=name) for *pair, name in zip(tables, brokers, names, strict=True)]

    def wait_until(is_so):
        for listener, herald in zip(listeners, heralds, strict=True):
            listener.wait(is_so(herald))

    wait_until(is_known)
    truth, other = (table.start(key, options, seed=5) for table in tables)
    for table in tables:
        table.people.call("phone", CANARY)
        table.claim("phone", 1)
    game, hidden, mailbox = truth.game, 0, truth.subscribe(PUBLIC)
    for _ in range(40):
        wait_until(partial(is_told, truth))
        play_on(truth, rng, 1)
        if truth.state().outcome() is not None:
            put(other, truth.state(), mailbox)  # a game that is over keeps no secrets
            break
        disguised = game.disguise(truth.state(), PUBLIC, rng)
        hidden += any(
            game.view(disguised, seat) != truth.update(seat).view for seat in range(len(truth.seats))
        )
        put(other, disguised, mailbox)
    wait_until(partial(is_told, truth))
    for one, two in (listeners, listeners[::-1]):
        one.wait(lambda now, one=one, two=two: len(one.log) >= len(two.log))
    assert hidden > 10
    assert any(topic.endswith("/event") for topic, _ in listeners[0].log)
    for listener in listeners:  # an event is told before the state that it has led to
        states = [(topic, payload) for topic, payload in listener.log if not topic.endswith("/event")]
        events = [(topic, payload) for topic, payload in listener.log if topic.endswith("/event")]
        listener.log = states + events
    assert listeners[0].log == listeners[1].log
    assert not any(CANARY.encode() in payload for _, payload in listeners[0].log)
