"""A WS2812 strip on one pin: PIO shapes the bits, DMA feeds it, two buffers keep pictures whole."""

import time

import rp2
from machine import Pin


@rp2.asm_pio(sideset_init=rp2.PIO.OUT_LOW, out_shiftdir=rp2.PIO.SHIFT_LEFT, autopull=True, pull_thresh=8)
def ws2812():
    """Ten cycles of 125 ns per bit: high for two, for seven when the bit is set."""
    # fmt: off
    wrap_target()  # noqa: F821
    label("bit")  # noqa: F821
    out(x, 1)               .side(0)    [2]  # noqa: F821
    jmp(not_x, "zero")      .side(1)    [1]  # noqa: F821
    jmp("bit")              .side(1)    [4]  # noqa: F821
    label("zero")  # noqa: F821
    nop()                   .side(0)    [4]  # noqa: F821
    wrap()  # noqa: F821
    # fmt: on


BYTE_US = 10
LATCH_US = 300
"""Silence after which the LEDs show what they got; current parts want 280 us."""


class Strip:
    """The strip. A frame is written into the buffer that is not being sent."""

    def __init__(self, pin: int):
        self.machine = rp2.StateMachine(0, ws2812, freq=8_000_000, sideset_base=Pin(pin))
        self.machine.active(1)
        self.dma = rp2.DMA()
        # Bytes, always to the same address, at the pace of the state machine's queue.
        self.control = self.dma.pack_ctrl(size=0, inc_write=False, treq_sel=0)
        self.buffers = [bytearray(), bytearray()]
        self.until = time.ticks_us()

    def ready(self) -> bool:
        """Says whether the last frame is out and latched."""
        return not self.dma.active() and time.ticks_diff(time.ticks_us(), self.until) >= 0

    def show(self, frame: bytes) -> None:
        """Starts sending a frame and returns at once."""
        buffer = self.buffers[0]
        if len(buffer) != len(frame):
            buffer = bytearray(len(frame))
        buffer[:] = frame
        self.buffers = [self.buffers[1], buffer]
        self.until = time.ticks_add(time.ticks_us(), len(frame) * BYTE_US + LATCH_US)
        self.dma.config(read=buffer, write=self.machine, count=len(frame), ctrl=self.control, trigger=True)
