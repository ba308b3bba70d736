"""Access: which requests are answered at all, the headers of every answer, and the rate limit on guessing."""

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
    "default-src 'self'; img-src 'self' data:; media-src 'self' blob:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)

Network = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class AccessPolicy:
    """Which requests are answered: our own host names, private networks and those of the settings."""

    names: frozenset[str] = frozenset({"localhost"})
    networks: tuple[Network, ...] = ()
    max_streams: int = 32
    streams_each: int = 8
    """How many of them one address may have; a host and who holds a seat are not counted."""
    connections_each: int = 48
    """How many connections one address may have: more than eight browsers open."""

    @classmethod
    def of(cls, names: Iterable[str], networks: Iterable[str] = (), max_streams: int = 32) -> AccessPolicy:
        """Makes a policy from settings; raises `ValueError` for what is no network."""
        ours = frozenset(name.lower().rstrip(".") for name in names) | {"localhost"}
        return cls(ours, tuple(ip_network(text) for text in networks), max_streams)

    def allows_host(self, host: str) -> bool:
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
        return self.allows_address(str(address))

    def allows_address(self, peer: str) -> bool:
        """Says whether the client is near: loopback, a private network, or one of the settings."""
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


def add_security_headers(response: Response) -> Response:
    """Adds the headers that keep a page from loading, embedding or telling anything elsewhere."""
    headers = response.headers
    headers["Content-Security-Policy"] = POLICY
    headers["X-Content-Type-Options"] = "nosniff"
    headers["X-Frame-Options"] = "DENY"
    headers["Referrer-Policy"] = "no-referrer"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"
    headers["Permissions-Policy"] = "camera=(), microphone=(), geolocation=()"
    headers.setdefault("Cache-Control", "no-store")
    return response


def let_programs_read(response: Response) -> Response:
    """Lets pages of other sites read an answer that only a token gets; no cookie is ever taken from them."""
    headers = response.headers
    headers["Access-Control-Allow-Origin"] = "*"
    headers["Access-Control-Allow-Headers"] = "Authorization, Content-Type"
    headers["Access-Control-Allow-Methods"] = "GET, POST"
    headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def neighbour(peer: str) -> str:
    """Whose share a client's address belongs to: itself, or its network of 64 bits where it has IPv6."""
    try:
        address = ip_address(peer.split("%")[0])
    except ValueError:
        return peer
    mapped = getattr(address, "ipv4_mapped", None)
    if mapped is not None or address.version == 4:
        return str(mapped or address)
    return str(ip_network((address, 64), strict=False))


class RateLimiter:
    """Slows guessing with token buckets that refill within a minute.

    One per address comes first: a try that it refuses costs nobody else anything. Then one for all strangers,
    or one for all who are known at the table, so that strangers never use up what players need.
    """

    PER_ADDRESS = 8
    IN_ALL = 60
    MAX_ADDRESSES = 1000
    KNOWN, STRANGERS = "known", "strangers"

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._tries: dict[tuple[str, str], tuple[float, float]] = {}

    def allow(self, what: str, who: str, *, is_known: bool = False) -> bool:
        """Counts one try; False where there were too many in the last minute."""
        group = self.KNOWN if is_known else self.STRANGERS
        with self._lock:
            if len(self._tries) > self.MAX_ADDRESSES:
                groups = (self.KNOWN, self.STRANGERS)
                self._tries = {key: tries for key, tries in self._tries.items() if key[1] in groups}
            each = (what, neighbour(who))
            return self._take(each, self.PER_ADDRESS) and self._take((what, group), self.IN_ALL)

    def _take(self, key: tuple[str, str], burst: int) -> bool:
        now = self._clock()
        left, then = self._tries.get(key, (float(burst), now))
        left = min(burst, left + (now - then) * burst / 60)
        allowed = left >= 1
        self._tries[key] = (left - 1 if allowed else left, now)
        return allowed
