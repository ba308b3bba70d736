"""PINs at rest: scrypt with a salt, in the text form that Werkzeug writes too (older files stay good)."""

from __future__ import annotations

import hashlib
import hmac
import secrets

COST, BLOCK, PARALLEL = 2**15, 8, 1
MAX_MEMORY = 132 * COST * BLOCK * PARALLEL


def pin_hash(pin: str) -> str:
    """The hash of a PIN with a fresh salt: `scrypt:N:r:p$salt$hex`.

    >>> is_pin(pin_hash("2718"), "2718"), is_pin(pin_hash("2718"), "2719")
    (True, False)
    """
    salt = secrets.token_hex(8)
    return f"scrypt:{COST}:{BLOCK}:{PARALLEL}${salt}${_digest(pin, salt, COST, BLOCK, PARALLEL)}"


def is_pin(kept: str, pin: str) -> bool:
    """Whether a PIN is the one whose hash was kept; False for a hash that is not ours."""
    try:
        method, salt, digest = kept.split("$")
        name, *numbers = method.split(":")
        cost, block, parallel = (int(number) for number in numbers)
        if name != "scrypt" or 132 * cost * block * parallel > MAX_MEMORY:
            return False
        return hmac.compare_digest(_digest(pin, salt, cost, block, parallel), digest)
    except ValueError:
        return False


def _digest(pin: str, salt: str, cost: int, block: int, parallel: int) -> str:
    return hashlib.scrypt(
        pin.encode(), salt=salt.encode(), n=cost, r=block, p=parallel, maxmem=MAX_MEMORY
    ).hex()
