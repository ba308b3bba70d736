"""The table's microcontroller: MicroPython on a Raspberry Pi Pico. Runs by itself after power-up."""

import gc
import os
import select
import sys
import time

import micropython
import pins
from leds import Strip
from machine import WDT, Pin, Timer, reset
from node import Node
from sensors import Beam, Matrix, Pins, Sensors, Shift
from wire import BEAM, BLOCK, FIRST_BUTTON, FIRST_CELL

STOP = "stop"
"""A file that keeps the firmware from starting."""


class Milliseconds:
    """Time since the start; unlike the chip's own ticks it never wraps."""

    def __init__(self):
        self.last = time.ticks_ms()
        self.sum = 0

    def __call__(self) -> int:
        ticks = time.ticks_ms()
        self.sum += time.ticks_diff(ticks, self.last)
        self.last = ticks
        return self.sum


def inputs(now_ms) -> Sensors:
    """Makes the readers for what `pins.py` names."""

    def switch(pin: int) -> Pin:
        return Pin(pin, Pin.IN, Pin.PULL_UP)

    readers = [Pins(FIRST_BUTTON, [switch(pin) for pin in pins.BUTTONS])]
    if pins.ROWS:
        rows = [Pin(pin, Pin.OPEN_DRAIN, value=1) for pin in pins.ROWS]
        readers.append(Matrix(FIRST_CELL, rows, [switch(pin) for pin in pins.COLUMNS]))
    if pins.SHIFT:
        count, load, clock, data = pins.SHIFT
        load, clock = Pin(load, Pin.OUT, value=1), Pin(clock, Pin.OUT, value=0)
        readers.append(Shift(FIRST_CELL, count, load, clock, Pin(data, Pin.IN)))
    if pins.BEAM is not None:
        beam = Beam(BEAM, now_ms)
        switch(pins.BEAM).irq(beam.caught, Pin.IRQ_FALLING)
        readers.append(beam)
    return Sensors(readers)


def run() -> None:
    """Listens and ticks for ever; the watchdog restarts the chip when this loop hangs."""
    gc.threshold(32_768)  # many short pauses instead of a long one
    micropython.kbd_intr(-1)  # a byte 3 is data here, not an interrupt
    now_ms = Milliseconds()
    boot = int.from_bytes(os.urandom(2), "big")
    node = Node(Strip(pins.DATA), inputs(now_ms), sys.stdout.buffer.write, boot, gc.mem_free)
    poll = select.poll()
    poll.register(sys.stdin, select.POLLIN)
    watchdog = WDT(timeout=8000)
    block, single = bytearray(BLOCK), bytearray(1)
    reading_since = [None]

    def lonely(timer) -> None:
        # Reading a block waits for all of it. Should the rest never come, the lights go on from here.
        if reading_since[0] is not None and now_ms() - reading_since[0] > 100:
            watchdog.feed()
            node.tick(now_ms())

    timer = Timer(period=50, mode=Timer.PERIODIC, callback=lonely)  # without a name it would be collected
    node.greet()
    aligned = True
    while True:
        watchdog.feed()
        for _ in range(40):  # a longest message; then the lights want their turn
            if not poll.poll(0):
                aligned = aligned or node.decoder.between
                break
            # The host sends whole blocks. Once out of step, bytes come singly until the line is quiet.
            part = block if aligned else single
            reading_since[0] = now_ms()
            sys.stdin.buffer.readinto(part)
            reading_since[0] = None
            data = bytes(part)
            node.receive(data, now_ms())
            if data[-1] and b"\0" in data:
                aligned = False
        node.tick(now_ms())
        if node.is_stopped:
            timer.deinit()
            open(STOP, "w").close()
            reset()


if __name__ == "__main__":
    if STOP in os.listdir():  # asked for by `gloam flash`: stay at the prompt, once
        os.remove(STOP)
    else:
        run()
