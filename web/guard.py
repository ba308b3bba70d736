"""The door: which requests are let in at all, and how often somebody may guess."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from time import monotonic
from urllib.parse import urlsplit

from flask import Request, Response

HEADER = "X-Gloam-Token"
COOKIE = "gloam"
POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)

Network = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class Door:
    """Who may knock: host names that are ours, and networks beyond the private ones."""

    names: frozenset[str] = frozenset({"localhost"})
    networks: tuple[Network, ...] = ()
    max_streams: int = 32

    @classmethod
    def of(cls, names: Iterable[str], networks: Iterable[str] = (), max_streams: int = 32) -> Door:
        """Makes a door from words; raises `ValueError` for what is no network."""
        ours = frozenset(name.lower().rstrip(".") for name in names) | {"localhost"}
        return cls(ours, tuple(ip_network(text) for text in networks), max_streams)

    def knows_host(self, host: str) -> bool:
        """Says whether the page was asked for under a name of ours.

        A foreign site can make its own name point at us, but never an address: any private one will do,
        so the table goes on when the router gives it another.
        """
        name = (urlsplit(f"//{host}").hostname or "").lower().rstrip(".")
        if name in self.names:
            return True
        try:
            address = ip_address(name)
        except ValueError:
            return False
        return self.lets_in(str(address))

    def lets_in(self, peer: str) -> bool:
        """Says whether the other end is near: loopback, a private network, or one that was configured."""
        try:
            address = ip_address(peer.split("%")[0])
        except ValueError:
            return False
        mapped = getattr(address, "ipv4_mapped", None)
        address = mapped or address
        if address.is_loopback or address.is_private or address.is_link_local:
            return True
        return any(address in network for network in self.networks)


def is_own_origin(request: Request) -> bool:
    """Says whether a change was asked for by a page of ours."""
    return request.headers.get("Origin", "") == f"{request.scheme}://{request.host}"


def seal(response: Response) -> Response:
    """Adds the headers that keep pages to themselves."""
    headers = response.headers
    headers["Content-Security-Policy"] = POLICY
    headers["X-Content-Type-Options"] = "nosniff"
    headers["X-Frame-Options"] = "DENY"
    headers["Referrer-Policy"] = "no-referrer"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"
    headers["Permissions-Policy"] = "camera=(), microphone=(), geolocation=()"
    headers.setdefault("Cache-Control", "no-store")
    return response


class Limits:
    """Slows guessing: so many tries a minute per address, and so many in all."""

    EACH = 8
    ALL = 60
    REMEMBERED = 1000

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._tries: dict[tuple[str, str], tuple[float, float]] = {}

    def allow(self, what: str, who: str) -> bool:
        """Counts one try; False where there were too many in the last minute."""
        with self._lock:
            if len(self._tries) > self.REMEMBERED:
                self._tries = {key: tries for key, tries in self._tries.items() if not key[1]}
            # Both are asked, so that neither runs dry unseen.
            each, everyone = self._take((what, who), self.EACH), self._take((what, ""), self.ALL)
            return each and everyone

    def _take(self, key: tuple[str, str], burst: int) -> bool:
        now = self._clock()
        left, then = self._tries.get(key, (float(burst), now))
        left = min(burst, left + (now - then) * burst / 60)
        allowed = left >= 1
        self._tries[key] = (left - 1 if allowed else left, now)
        return allowed
