"""Draws the spectrograms of every sound and of every game's room, for `web/README.md`: `draw_sounds.py`."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from make_film import FOLDER
from PIL import Image, ImageDraw
from playwright.sync_api import sync_playwright
from test_web_sound import RATE, Studio
from web_browser import ARGS, CHROMIUM, House

from companion.engine.cue import SOUNDS
from companion.games import REGISTRY

SECONDS, STEPS, PITCHES, WINDOW = 2.0, 190, 80, 512
COLUMNS, WORDS = 6, 14
FLOOR_DB, RANGE_DB = -60, 90


def spectrogram(samples: np.ndarray) -> Image.Image:
    """Two seconds from the left to the right, 40 Hz to 11 kHz from below; the brighter, the louder."""
    hop = int(RATE * SECONDS / STEPS)
    whole = np.concatenate([samples, np.zeros(int(RATE * SECONDS) + WINDOW)])
    heard = [np.fft.rfft(whole[i * hop : i * hop + WINDOW] * np.hanning(WINDOW)) for i in range(STEPS)]
    loud = 20 * np.log10(np.abs(heard).T + 1e-4)
    pitches = np.geomspace(40, RATE / 2, PITCHES) / (RATE / 2) * (WINDOW // 2)
    level = np.clip((loud[np.minimum(pitches.astype(int), WINDOW // 2)][::-1] - FLOOR_DB) / RANGE_DB, 0, 1)
    colours = np.stack(
        [2 * level, 2 * level - 0.7, np.where(level < 0.3, 2 * level, 1.2 - 2 * level)], axis=-1
    )
    return Image.fromarray((255 * np.clip(colours, 0, 1)).astype(np.uint8))


def main() -> None:
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        house = House(Path(folder))
        page = browser.new_page()
        page.goto(f"{house.url}/join")
        studio = Studio(page)
        heard = {name: studio.render("sound", name) for name in SOUNDS if name}
        heard |= {f"room: {game}": studio.render("room", game)[RATE:] for game in REGISTRY}
        browser.close()
        house.close()
    width, height = STEPS + 6, PITCHES + WORDS + 4
    sheet = Image.new("RGB", (COLUMNS * width, -(-len(heard) // COLUMNS) * height))
    draw = ImageDraw.Draw(sheet)
    for i, (name, samples) in enumerate(heard.items()):
        x, y = i % COLUMNS * width, i // COLUMNS * height
        sheet.paste(spectrogram(samples), (x, y + WORDS))
        draw.text((x + 2, y), name, fill="white")
    sheet.quantize(64).save(FOLDER / "sounds.png", optimize=True)


if __name__ == "__main__":
    main()
