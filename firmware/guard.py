"""The chip's last word on light: never too much current, never more than three flashes in a second.

Both only ever make light weaker, so neither undoes the other. A flash is a rise of luminance by a tenth of
full brightness, or of redness (R - G - B) by a sixteenth, after as large a fall; see WCAG 2.3.1. It is
counted for every LED and for the mean of all. Once three rises are spent, light stays low until the oldest
of them is a second old.
"""

import sys

if sys.implementation.name == "micropython":
    import micropython
else:
    from wire import micropython, ptr8

NOTE = 5
"""Bytes of memory for a signal: its last turning point, whether it rises, the ages of three rises in 4 ms."""

SECOND = 251


def cap(frame: bytearray, leds: int, budget_ma: int, idle_ua: int, channel_ua: int) -> int:
    """Scales a frame down into the budget; returns the scale, 255 when nothing had to change."""
    allowed = max(0, budget_ma * 1000 - leds * idle_ua) * 255 // channel_ua
    total = sum(frame)
    if total <= allowed:
        return 255
    scale = allowed * 255 // total
    dim(frame, len(frame), scale, 255)
    return scale


class Guard:
    """Remembers how the LEDs turned brighter and darker, and holds back what would flash."""

    def __init__(self, leds: int, form: int):
        """`form` packs an LED: its number of bytes, the places of red, green, blue; three bits each."""
        self.leds = leds
        self.form = form
        self.values = bytearray(2 * leds + 1)
        self.notes = bytearray((2 * leds + 1) * NOTE)
        for i in range(0, len(self.notes), NOTE):
            self.notes[i + 2 : i + NOTE] = b"\xff\xff\xff"

    def calm(self, frame: bytearray, full: int, ticks: int) -> None:
        """Weakens a frame where it would flash, in place, `ticks` of 4 ms after the one before.

        `full` is the level that counts as full brightness.
        """
        leds, form, values, notes = self.leds, self.form, self.values, self.notes
        step, red_step = max(1, full // 10), max(1, full // 16)
        older(notes, len(notes), min(ticks, 255))
        measure(frame, values, leds, form)
        mean = notes[-NOTE:]
        if mean[1] == 0 and mean[4] < SECOND and values[-1] > mean[0] + step - 1:
            dim(frame, len(frame), mean[0] + step - 1, values[-1] + 1)
        hold(frame, notes, leds, form | step << 12 | red_step << 20)
        measure(frame, values, leds, form)
        note(notes, values, len(values), step | red_step << 8)


@micropython.viper
def dim(frame: ptr8, size: int, share: int, whole: int):
    """Makes every byte weaker, in place."""
    i = 0
    while i < size:
        frame[i] = frame[i] * share // whole
        i += 1


@micropython.viper
def blend(frame: ptr8, glow: ptr8, size: int, share: int):
    """Blends a glow into a frame, in place: a share of 255 leaves the glow alone."""
    i = 0
    while i < size:
        frame[i] = (frame[i] * (255 - share) + glow[i] * share) // 255
        i += 1


@micropython.viper
def older(notes: ptr8, size: int, ticks: int):
    """Lets the rises grow older."""
    at = 0
    while at < size:
        k = at + 2
        while k < at + 5:
            age = int(notes[k]) + ticks
            if age > 255:
                age = 255
            notes[k] = age
            k += 1
        at += 5


@micropython.viper
def measure(frame: ptr8, values: ptr8, leds: int, form: int):
    """Writes luminance and redness of each LED, then the mean luminance."""
    size = form & 7
    r = (form >> 3) & 7
    g = (form >> 6) & 7
    b = (form >> 9) & 7
    w = 6 - r - g - b
    total = 0
    i = 0
    while i < leds:
        at = i * size
        bright = 54 * frame[at + r] + 183 * frame[at + g] + 19 * frame[at + b]
        if size == 4:
            bright = (bright + 256 * frame[at + w]) >> 1
        bright = bright >> 8
        total += bright
        redness = int(frame[at + r]) - int(frame[at + g]) - int(frame[at + b])
        if redness < 0:
            redness = 0
        values[2 * i] = bright
        values[2 * i + 1] = redness
        i += 1
    values[2 * leds] = total // leds


@micropython.viper
def hold(frame: ptr8, notes: ptr8, leds: int, form: int):
    """Weakens each LED that has spent its rises; `form` also carries the two steps, eight bits each."""
    size = form & 7
    r = (form >> 3) & 7
    g = (form >> 6) & 7
    b = (form >> 9) & 7
    w = 6 - r - g - b
    step = (form >> 12) & 255
    red_step = (form >> 20) & 255
    i = 0
    while i < leds:
        at = i * size
        own = i * 10
        if notes[own + 1] == 0 and notes[own + 4] < 251:
            most = int(notes[own]) + step - 1
            bright = 54 * frame[at + r] + 183 * frame[at + g] + 19 * frame[at + b]
            if size == 4:
                bright = (bright + 256 * frame[at + w]) >> 1
            bright = bright >> 8
            if bright > most:
                k = at
                while k < at + size:
                    frame[k] = frame[k] * most // (bright + 1)
                    k += 1
        if notes[own + 6] == 0 and notes[own + 9] < 251:
            most = int(notes[own + 5]) + red_step - 1 + int(frame[at + g]) + int(frame[at + b])
            if int(frame[at + r]) > most:
                frame[at + r] = most
        i += 1


@micropython.viper
def note(notes: ptr8, values: ptr8, count: int, steps: int):
    """Notes where each signal turned: values at even places are luminance, at odd ones redness."""
    i = 0
    while i < count:
        at = i * 5
        value = int(values[i])
        edge = int(notes[at])
        need = steps & 255
        if i & 1:
            need = steps >> 8
        if notes[at + 1] != 0:  # rising: the turning point is the top
            if value > edge:  # it is as old as its top
                notes[at] = value
                notes[at + 2] = 0
            elif value <= edge - need:
                notes[at] = value
                notes[at + 1] = 0
        elif value < edge:
            notes[at] = value
        elif value >= edge + need:
            notes[at] = value
            notes[at + 1] = 1
            notes[at + 4] = notes[at + 3]
            notes[at + 3] = notes[at + 2]
            notes[at + 2] = 0
        i += 1
