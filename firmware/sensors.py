"""What the chip feels: buttons, places of the board, the beam of the dice tower.

A reader has `first`, the number of its first sensor, `count`, and `read()`, a mask of what is closed now.
`Sensors` asks them all and tells changes that have lasted.
"""


class Pins:
    """Switches from pins to ground, one pin each."""

    def __init__(self, first: int, pins: list):
        self.first = first
        self.count = len(pins)
        self.pins = pins

    def read(self) -> int:
        mask = 0
        for i, pin in enumerate(self.pins):
            if not pin.value():
                mask |= 1 << i
        return mask


class Matrix:
    """Reed or hall switches in rows and columns, a diode at each; sensors are numbered row by row."""

    def __init__(self, first: int, rows: list, columns: list):
        self.first = first
        self.count = len(rows) * len(columns)
        self.rows = rows
        self.columns = columns

    def read(self) -> int:
        mask, bit = 0, 1
        for row in self.rows:
            row.value(0)
            for column in self.columns:
                if not column.value():
                    mask |= bit
                bit <<= 1
            row.value(1)
        return mask


class Shift:
    """Switches to ground on a chain of 74HC165: three pins for any number of sensors."""

    def __init__(self, first: int, count: int, load, clock, data):
        self.first = first
        self.count = count
        self.load, self.clock, self.data = load, clock, data

    def read(self) -> int:
        self.load.value(0)
        self.load.value(1)
        mask = 0
        for i in range(self.count):
            if not self.data.value():
                mask |= 1 << i
            self.clock.value(1)
            self.clock.value(0)
        return mask


class Beam:
    """A light barrier: a die breaks it for milliseconds, so an interrupt catches it.

    It stays closed for 200 ms after the last die, so a tumbling handful is one roll.
    """

    def __init__(self, first: int, now_ms):
        self.first = first
        self.count = 1
        self.now_ms = now_ms
        self.broken_at = None

    def caught(self, pin) -> None:
        self.broken_at = self.now_ms()

    def read(self) -> int:
        if self.broken_at is not None and self.now_ms() - self.broken_at > 200:
            self.broken_at = None
        return 0 if self.broken_at is None else 1


class Sensors:
    """Tells changes that have lasted for `debounce_ms`."""

    def __init__(self, readers: list):
        self.readers = readers
        self.debounce_ms = 20
        self.state = [0] * len(readers)
        self.since = [{} for _ in readers]

    def scan(self, now: int) -> list:
        """Looks at everything; returns what changed for good as (sensor, closed)."""
        told = []
        for i, reader in enumerate(self.readers):
            changed = reader.read() ^ self.state[i]
            since = self.since[i]
            for bit in list(since):
                if not changed >> bit & 1:
                    del since[bit]
            bit = 0
            while changed:
                if changed & 1 and now - since.setdefault(bit, now) >= self.debounce_ms:
                    del since[bit]
                    self.state[i] ^= 1 << bit
                    told.append((reader.first + bit, self.state[i] >> bit & 1))
                changed >>= 1
                bit += 1
        return told

    def closed(self) -> list:
        """Every sensor that is closed now."""
        return [
            reader.first + bit
            for reader, state in zip(self.readers, self.state)  # noqa: B905
            for bit in range(reader.count)
            if state >> bit & 1
        ]
