"""Who is at the table: devices, their names and seats, the owner's PIN, one-time codes.

A device is known by a random cookie; only its hash is kept. What must survive a restart is one small file,
kept as a `StateFile`. Codes live in memory and are worth nothing after one use or a minute.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import re
import secrets
import threading
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from companion.engine.errors import NotYourSeat
from companion.settings.state_file import NotStored, StateFile, json_object
from companion.table.pin import is_pin, pin_hash

log = logging.getLogger(__name__)

NAME_LENGTH = 24
MOST_NAMES = 500
"""How many people are known by name: of those who hold no seat the oldest are forgotten first."""
FACES = (*("fox", "cat", "owl", "bear", "hare", "wolf", "mouse", "frog", "raven", "pig", "ghost", "dragon"),)
"""The faces that people choose from; the pages draw them."""
SETUP = "setup"
"""The purpose of the one-time code that makes the first device the host."""
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Letters and digits that nobody mistakes for one another: five bits each."""

Device = str
"""A device: the hash of its cookie."""


KEPT = {
    "owner_pin": "_owner_pin",
    "hosts": "_hosts",
    "names": "_names",
    "faces": "_faces",
    "titles": "_titles",
    "seats": "_seats",
    "locked": "is_locked",
    "join_code": "join_code",
}
"""What is stored, with the attributes of `People` that hold it."""


class TooOften(NotYourSeat):
    """A PIN was wrong too often."""


class Holder(NamedTuple):
    """Who holds a seat; `pin` is the hash that lets it move to another device, or ""."""

    device: Device
    pin: str = ""


Seats = dict[str, dict[str, Holder]]
"""Who sits where: stored game → seat → holder."""
_NUMBER = re.compile(r"[0-9]{1,9}")
_DEVICE = re.compile(r"[\w-]{1,64}")


class Kept(NamedTuple):
    """What the file of the people holds."""

    secret: bytes
    owner_pin: str
    hosts: frozenset[Device]
    names: dict[Device, str]
    faces: dict[Device, str]
    titles: dict[str, str]
    seats: Seats
    is_locked: bool
    join_code: str


def read_people(content: bytes) -> Kept:
    """Reads the file of the people; raises `ValueError`, or what a damaged file leads to."""
    told = json_object(content)
    seats = {
        number: {seat: Holder(*map(_text, holder)) for seat, holder in held.items()}
        for number, held in told["seats"].items()
    }
    check_seats({number: {s: h.device for s, h in held.items()} for number, held in seats.items()})
    kept = Kept(
        bytes.fromhex(told["secret"]),
        _text(told["owner_pin"]),
        frozenset(map(_text, told["hosts"])),
        {_text(device): _text(name) for device, name in told["names"].items()},
        {_text(device): _text(face) for device, face in told.get("faces", {}).items()},
        {str(int(number)): _text(title) for number, title in told.get("titles", {}).items()},
        seats,
        told["locked"],
        _text(told["join_code"]),
    )
    if len(kept.secret) < 16 or not kept.join_code or not isinstance(kept.is_locked, bool):
        raise ValueError("the key, the code of the door or its lock is missing")
    return kept


def check_seats(seats: Mapping[str, Mapping[str, str]]) -> None:
    """Raises `ValueError` where seats are not: stored game → seat → device, the first two as numbers."""
    for number, held in seats.items():
        for seat, device in held.items():
            good = _NUMBER.fullmatch(number) and _NUMBER.fullmatch(seat) and _DEVICE.fullmatch(device)
            if not good:
                raise ValueError(f"no seat: game {number!r}, seat {seat!r}, device {device!r}")


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    value.encode("utf-8")  # half a character cannot be written again
    return value


def bot_device(strength: str, number: int) -> Device:
    """The device of a bot; no cookie has this one, for a phone's is a hash."""
    return f"bot-{strength}-{number}"


def bot_strength(device: Device) -> str:
    """How strong the bot with this device is; "" for a phone."""
    kind, _, rest = device.partition("-")
    return rest.partition("-")[0] if kind == "bot" else ""


class Code(NamedTuple):
    """A one-time code: long for a QR code, short for typing, and when it ends."""

    long: str
    short: str
    until_s: float


def clean_name(text: str) -> str:
    """Makes a name of what somebody typed: no control or invisible characters, not too long.

    >>> clean_name("  Anna\\u202e\\n  K. ")
    'Anna K.'
    """
    spaced = " ".join(unicodedata.normalize("NFC", text).split())
    visible = "".join(c for c in spaced if unicodedata.category(c)[0] != "C")
    return " ".join(visible.split())[:NAME_LENGTH].strip()


def new_code(letters: int) -> str:
    """Draws a code."""
    return "".join(secrets.choice(LETTERS) for _ in range(letters))


def same(a: str, b: str) -> bool:
    """Compares two secrets in a time that tells nothing."""
    return hmac.compare_digest(a.encode(), b.encode())


class Codes:
    """One-time codes by purpose: a new one replaces the old, one use or its time ends it."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._codes: dict[str, Code] = {}
        self._lock = threading.Lock()

    def offer(self, purpose: str, seconds: float, short: int = 8) -> Code:
        """Makes the code for a purpose: 130 bits to scan, `short` letters to type."""
        with self._lock:
            code = Code(new_code(26), new_code(short), self._clock() + seconds)
            self._codes[purpose] = code
            return code

    def current(self, purpose: str) -> Code | None:
        """The code as long as it is good."""
        with self._lock:
            code = self._codes.get(purpose)
            return code if code is not None and self._clock() < code.until_s else None

    def redeem(self, purpose: str, given: str) -> bool:
        """Uses a code up; False where it is wrong, used or too old."""
        with self._lock:
            code = self._codes.get(purpose)
            if code is None or self._clock() >= code.until_s:
                return False
            typed = given.strip().upper()
            fits_long, fits_short = same(typed, code.long), same(typed, code.short)
            if fits_long or fits_short:
                del self._codes[purpose]
            return fits_long or fits_short

    def left_s(self, purpose: str) -> float:
        """Seconds until the code ends."""
        code = self.current(purpose)
        return 0.0 if code is None else code.until_s - self._clock()


OWNER = (0, 0)
"""What is guessed at with the owner's PIN; stored games begin with number 1."""


class Backoff:
    """Makes whoever guesses at a PIN wait, twice as long after every wrong one, whoever it was.

    A PIN is that of a seat (stored game, seat) or of the owner.
    """

    FREE = 3
    """How many wrong PINs cost nothing: people mistype."""
    FIRST_S = 10.0
    LONGEST_S = 900.0

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._wrong: dict[tuple[int, int], tuple[int, float]] = {}

    def demand(self, seat: tuple[int, int]) -> None:
        """Raises `TooOften` while it has to wait."""
        _, until_s = self._wrong.get(seat, (0, 0.0))
        if self._clock() < until_s:
            raise TooOften("too many wrong PINs; wait a while")

    def fail(self, seat: tuple[int, int]) -> None:
        """Notes a wrong PIN."""
        wrong = self._wrong.get(seat, (0, 0.0))[0] + 1
        doubled = min(wrong - self.FREE, 16)
        wait_s = 0.0 if doubled < 0 else min(self.LONGEST_S, self.FIRST_S * 2**doubled)
        self._wrong[seat] = (wrong, self._clock() + wait_s)

    def forget(self, seat: tuple[int, int]) -> None:
        """Begins anew: the right PIN came, or the seat is free."""
        self._wrong.pop(seat, None)


class People:
    """Devices and seats, kept across restarts; safe to use from several threads."""

    def __init__(self, path: Path | None = None, clock: Callable[[], float] = monotonic) -> None:
        self._file = None if path is None else StateFile(path, read_people, mode=0o600)
        self._lock = threading.RLock()
        self.clock = clock
        self.codes = Codes(clock)
        self._backoff = Backoff(clock)
        kept = None if self._file is None else self._file.load()
        if kept is None:
            kept = Kept(secrets.token_bytes(32), "", frozenset(), {}, {}, {}, {}, False, new_code(6))
        self._secret = kept.secret
        self._owner_pin = kept.owner_pin
        self._hosts = set(kept.hosts)
        self._names = kept.names
        self._faces = kept.faces
        self._titles = kept.titles
        self._seats = kept.seats
        self.is_locked = kept.is_locked
        self.join_code = kept.join_code
        try:
            self._keep()
        except NotStored as error:  # the pages can be reached all the same, and say what is wrong
            log.warning("%s", error)

    def _keep(self, **new: Any) -> None:
        """Writes the file with what is new, and only then takes that over: what is not stored is not so.

        A power cut leaves the old file or the new one. Raises `NotStored`, as where the disk is full.
        """
        if self._file is not None:
            now = {key: new.get(key, getattr(self, attribute)) for key, attribute in KEPT.items()}
            now |= {"secret": self._secret.hex(), "hosts": sorted(now["hosts"])}
            self._file.save(json.dumps(now, ensure_ascii=False).encode("utf-8"))
        for key, value in new.items():
            setattr(self, KEPT[key], value)

    # Devices -----------------------------------------------------------------------------------

    def device(self, cookie: str) -> Device:
        """Knows a device by its cookie."""
        return hmac.new(self._secret, b"device " + cookie.encode(), hashlib.sha256).hexdigest()

    def header_token(self, device: Device) -> str:
        """The token that the device's own pages put into a header, and no other page can know."""
        return hmac.new(self._secret, b"header " + device.encode(), hashlib.sha256).hexdigest()

    def name(self, device: Device) -> str:
        """What the person with this device is called, or ""."""
        return self._names.get(device, "")

    def face(self, device: Device) -> str:
        """The face that the person with this device has chosen, or ""."""
        return self._faces.get(device, "")

    def call(self, device: Device, name: str, face: str = "") -> None:
        """Gives the person with this device a name, and a face where one was chosen."""
        with self._lock:
            faces = {**self._faces, device: face} if face in FACES else self._faces
            names = {**self._names, device: name}
            known = {*self._hosts, *(who.device for held in self._seats.values() for who in held.values())}
            strangers = [one for one in names if one not in known]
            gone = set(strangers[: max(0, len(names) - MOST_NAMES)])
            self._keep(
                names={one: said for one, said in names.items() if one not in gone},
                faces={one: chosen for one, chosen in faces.items() if one not in gone},
            )

    def title(self, game: int) -> str:
        """What people call a stored game, or ""."""
        return self._titles.get(str(game), "")

    def entitle(self, game: int, title: str) -> None:
        """Gives a stored game a name of its own; "" takes it away."""
        with self._lock:
            titles = {number: one for number, one in self._titles.items() if number != str(game)}
            self._keep(titles={**titles, str(game): title} if title else titles)

    # The owner ---------------------------------------------------------------------------------

    @property
    def has_owner(self) -> bool:
        return bool(self._hosts)

    @property
    def has_owner_pin(self) -> bool:
        return bool(self._owner_pin)

    def is_host(self, device: Device) -> bool:
        """Says whether the device may start, undo, lock and invite."""
        return device in self._hosts

    def make_host(self, device: Device, pin: str = "") -> None:
        """Makes the device one of the owner's; sets the owner's PIN where one is given."""
        with self._lock:
            self._keep(hosts={*self._hosts, device}, owner_pin=pin_hash(pin) if pin else self._owner_pin)

    def is_owner_pin(self, pin: str) -> bool:
        """Checks the owner's PIN; raises `TooOften` while whoever guesses has to wait."""
        with self._lock:
            return bool(self._owner_pin) and self._is_right(OWNER, self._owner_pin, pin)

    def _is_right(self, what: tuple[int, int], kept: str, pin: str) -> bool:
        """Checks a PIN against its hash, ever more slowly."""
        self._backoff.demand(what)
        if not is_pin(kept, pin):
            self._backoff.fail(what)
            return False
        self._backoff.forget(what)
        return True

    def forget_owner(self) -> None:
        """Forgets every host and the PIN, so that set-up can be done again at the console."""
        with self._lock:
            self._keep(hosts=set(), owner_pin="")

    def renew_join_code(self) -> None:
        """Makes the old QR code useless."""
        with self._lock:
            self._keep(join_code=new_code(6))

    def lock(self, locked: bool) -> None:
        """Closes or opens the door for new people."""
        with self._lock:
            self._keep(locked=locked)

    # Seats -------------------------------------------------------------------------------------

    def holders(self, game: int) -> dict[int, Holder]:
        """Who sits where in a stored game."""
        with self._lock:
            return {int(seat): holder for seat, holder in self._seats.get(str(game), {}).items()}

    def sit(self, game: int, seat: int, device: Device, pin: str = "") -> bool:
        """Takes a free seat; False where somebody was faster."""
        with self._lock:
            holder = self._seats.get(str(game), {}).get(str(seat))
            if holder is not None and holder.device != device:
                return False
            kept = holder.pin if holder is not None and not pin else ""
            self._keep(seats=self._with(game, seat, Holder(device, pin_hash(pin) if pin else kept)))
            return True

    def _with(self, game: int, seat: int, holder: Holder | None) -> dict[str, dict[str, Holder]]:
        """The seats with one of them changed; None frees it."""
        held = {one: who for one, who in self._seats.get(str(game), {}).items() if one != str(seat)}
        if holder is not None:
            held[str(seat)] = holder
        return {**self._seats, str(game): held}

    def is_seat_pin(self, game: int, seat: int, pin: str) -> bool:
        """Checks the PIN of a held seat; raises `TooOften` while the seat has to wait."""
        with self._lock:
            holder = self.holders(game).get(seat)
            if holder is None or not holder.pin:
                return False
            return self._is_right((game, seat), holder.pin, pin)

    def move(self, game: int, seat: int, device: Device) -> None:
        """Moves a held seat to another device; its PIN stays."""
        with self._lock:
            self._keep(seats=self._with(game, seat, Holder(device, self.holders(game)[seat].pin)))

    def stand_up(self, game: int, seat: int) -> None:
        """Frees a seat."""
        with self._lock:
            if str(seat) in self._seats.get(str(game), {}):
                self._keep(seats=self._with(game, seat, None))
                self._backoff.forget((game, seat))

    def forget_game(self, game: int) -> None:
        """Forgets who sat at a stored game and what it was called."""
        with self._lock:
            seats = {number: held for number, held in self._seats.items() if number != str(game)}
            titles = {number: title for number, title in self._titles.items() if number != str(game)}
            self._keep(seats=seats, titles=titles)

    def last_game(self) -> int:
        """The largest number of a stored game for which a seat or a name is kept, or 0."""
        with self._lock:
            return max(map(int, [*self._seats, *self._titles]), default=0)

    def keep_seats(self, game: int, most: int) -> None:
        """Forgets the seats of a stored game that it has not."""
        with self._lock:
            held = self._seats.get(str(game), {})
            true = {seat: holder for seat, holder in held.items() if int(seat) < most}
            if true != held:
                self._keep(seats={**self._seats, str(game): true})

    def seats(self) -> dict[str, Any]:
        """Who sits where in every stored game, with their names, for a backup: no PIN, no key, no cookie."""
        with self._lock:
            held = {
                game: {seat: h.device for seat, h in seats.items()} for game, seats in self._seats.items()
            }
            devices = {device for seats in held.values() for device in seats.values()}
            return {"seats": held, "names": {d: name for d, name in self._names.items() if d in devices}}

    def replace_seats(self, kept: dict[str, Any]) -> None:
        """Takes the seats of a backup: of the stored games that come with it, nobody else may hold one."""
        with self._lock:
            held = {
                str(game): {str(seat): Holder(str(device)) for seat, device in seats.items()}
                for game, seats in kept["seats"].items()
            }
            names = {str(d): clean_name(str(name)) for d, name in kept["names"].items()}
            self._keep(seats=held, names=names | self._names)
