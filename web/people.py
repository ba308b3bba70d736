"""Who is at the table: devices, their names and seats, the owner's PIN, one-time codes.

A device is known by a random cookie; only its hash is kept. What must survive a restart is one small file,
written whole or not at all. Codes live in memory and are worth nothing after one use or a minute.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import threading
import unicodedata
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from werkzeug.security import check_password_hash, generate_password_hash

NAME_LENGTH = 24
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Letters and digits that nobody mistakes for one another: five bits each."""

Device = str
"""A device: the hash of its cookie."""


class Holder(NamedTuple):
    """Who holds a seat; `pin` is the hash that lets it move to another device, or ""."""

    device: Device
    pin: str = ""


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


class People:
    """Devices and seats, kept across restarts; safe to use from several threads."""

    def __init__(self, path: Path | None = None, clock: Callable[[], float] = monotonic) -> None:
        self._path = path
        self._lock = threading.RLock()
        self.codes = Codes(clock)
        kept: dict[str, Any] = {}
        if path is not None and path.exists():
            kept = json.loads(path.read_text("utf-8"))
        self._secret = bytes.fromhex(kept.get("secret") or secrets.token_hex(32))
        self._owner_pin: str = kept.get("owner_pin", "")
        self._hosts: set[Device] = set(kept.get("hosts", []))
        self._names: dict[Device, str] = dict(kept.get("names", {}))
        self._seats: dict[str, dict[str, Holder]] = {
            game: {seat: Holder(*holder) for seat, holder in seats.items()}
            for game, seats in kept.get("seats", {}).items()
        }
        self.is_locked: bool = kept.get("locked", False)
        self.join_code: str = kept.get("join_code") or new_code(6)
        self._keep()

    def _keep(self) -> None:
        """Writes the file whole: a power cut leaves the old one or the new one."""
        if self._path is None:
            return
        text = json.dumps(
            {
                "secret": self._secret.hex(),
                "owner_pin": self._owner_pin,
                "hosts": sorted(self._hosts),
                "names": self._names,
                "seats": self._seats,
                "locked": self.is_locked,
                "join_code": self.join_code,
            },
            ensure_ascii=False,
        )
        fresh = self._path.with_name(self._path.name + ".new")
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._path)

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

    def call(self, device: Device, name: str) -> None:
        """Gives the person with this device a name."""
        with self._lock:
            self._names[device] = name
            self._keep()

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
            self._hosts.add(device)
            if pin:
                self._owner_pin = generate_password_hash(pin)
            self._keep()

    def is_owner_pin(self, pin: str) -> bool:
        """Checks the owner's PIN."""
        return bool(self._owner_pin) and check_password_hash(self._owner_pin, pin)

    def forget_owner(self) -> None:
        """Forgets every host and the PIN, so that set-up can be done again at the console."""
        with self._lock:
            self._hosts.clear()
            self._owner_pin = ""
            self._keep()

    def renew_join_code(self) -> None:
        """Makes the old QR code useless."""
        with self._lock:
            self.join_code = new_code(6)
            self._keep()

    def lock(self, locked: bool) -> None:
        """Closes or opens the door for new people."""
        with self._lock:
            self.is_locked = locked
            self._keep()

    # Seats -------------------------------------------------------------------------------------

    def holders(self, game: int) -> dict[int, Holder]:
        """Who sits where in a stored game."""
        with self._lock:
            return {int(seat): holder for seat, holder in self._seats.get(str(game), {}).items()}

    def sit(self, game: int, seat: int, device: Device, pin: str = "") -> bool:
        """Takes a free seat; False where somebody was faster."""
        with self._lock:
            seats = self._seats.setdefault(str(game), {})
            holder = seats.get(str(seat))
            if holder is not None and holder.device != device:
                return False
            kept = holder.pin if holder is not None and not pin else ""
            seats[str(seat)] = Holder(device, generate_password_hash(pin) if pin else kept)
            self._keep()
            return True

    def move(self, game: int, seat: int, device: Device, pin: str) -> bool:
        """Moves a held seat to another device by its PIN."""
        with self._lock:
            holder = self.holders(game).get(seat)
            if holder is None or not holder.pin or not check_password_hash(holder.pin, pin):
                return False
            self._seats[str(game)][str(seat)] = Holder(device, holder.pin)
            self._keep()
            return True

    def stand_up(self, game: int, seat: int) -> None:
        """Frees a seat."""
        with self._lock:
            if self._seats.get(str(game), {}).pop(str(seat), None) is not None:
                self._keep()

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
            self._seats = {
                str(game): {str(seat): Holder(str(device)) for seat, device in seats.items()}
                for game, seats in kept["seats"].items()
            }
            self._names = {str(d): clean_name(str(name)) for d, name in kept["names"].items()} | self._names
            self._keep()
