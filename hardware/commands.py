"""`gloam lights` and `gloam flash`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from companion.engine.errors import ConfigError, DeviceError
from companion.engine.layout import SPREAD_BUILDS, Board, built
from companion.engine.options import Options
from companion.engine.scene import Scene
from hardware import ledmap, showcase
from hardware.arrays import Photo
from hardware.clock import SystemClock
from hardware.flasher import Repl, files, install
from hardware.guard import FlashGuard
from hardware.lights import FRAME_S
from hardware.ports import LedStrip
from hardware.render import LightStyle, compose
from hardware.themes import THEMES
from hardware.wiring import LightSettings, PartSettings, build, build_of, led_map_for, load, settings_from

GIF_FPS = 12
Frames = Callable[[float], tuple[bytes, str]]
"""The frame at a time, and what there is to say about it."""


def lights(argv: list[str]) -> int:
    """`gloam lights`: shows a scene or a test pattern on the configured strip, or writes it as a picture."""
    args = _parser().parse_args(argv)
    settings = _settings(args)
    board = built(_board(args.game, build_of(settings)), build_of(settings))
    if args.what == "list":
        print("scenes:  ", " ".join(showcase.SCENES), "\npatterns:", " ".join(showcase.PATTERNS))
        return 0
    led_map = led_map_for(settings, board)
    look = LightStyle(settings.theme, settings.brightness)
    frames = _frames(args, led_map, look)
    if args.out is not None:
        return _picture(args, board, led_map, frames)
    if settings.driver == "virtual":
        raise ConfigError(
            "no strip is configured: name a --config with [lights], or write a picture with --out F.png"
        )
    strip = build(PartSettings(lights=settings), board, SystemClock()).lights.strip
    return _play(strip, frames, args.seconds)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gloam lights",
        description="Shows a scene or a test pattern on the configured strip, or writes it as a picture. "
        "LEDs are mapped before the camera in the workshop: gloam run, then /workshop.",
    )
    parser.add_argument("what", nargs="?", default="candles", help="a scene, a pattern or `list`")
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="settings as TOML, with a section [lights]"
    )
    parser.add_argument("--game", metavar="GAME", help="take the board of a game instead of 6 × 6 cells")
    parser.add_argument("--theme", choices=sorted(THEMES), help="how meanings look")
    parser.add_argument("--brightness", type=float, metavar="B", help="0.01 to 1")
    parser.add_argument(
        "--map", metavar="MAP", help="rails, halo, glass, projector, cells, groups, around, or a map file"
    )
    parser.add_argument("--across", type=int, metavar="N", help="LEDs across a cell")
    parser.add_argument("--time", type=float, default=1.1, metavar="S", help="the moment of a picture (1.1)")
    parser.add_argument(
        "--seconds", type=float, default=3.0, metavar="S", help="how long to show or film (3)"
    )
    parser.add_argument("--width", type=int, default=720, metavar="PX", help="the width of a picture (720)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="F.png or F.gif")
    return parser


def _settings(args: argparse.Namespace) -> LightSettings:
    settings = (
        load(args.config).lights if args.config else LightSettings(map="groups", across=2, supply_ma=6000)
    )
    given = {"theme": args.theme, "brightness": args.brightness, "map": args.map, "across": args.across}
    changes = {key: value for key, value in given.items() if value is not None}
    settings_from({"lights": changes})
    return replace(settings, **changes)


def _board(game: str | None, laid_for: str) -> Board:
    """The board of a game; without one 6 × 6 cells, for lights between the pieces those of The Night Cage."""
    if game is None and laid_for not in SPREAD_BUILDS:
        return showcase.BOARD
    from companion.games import load as load_game

    chosen = load_game(game or "night_cage")
    options: Options = chosen.resolve({})
    return chosen.board(options)


def _frames(args: argparse.Namespace, led_map: ledmap.LedMap, look: LightStyle) -> Frames:
    guard = FlashGuard(led_map, look.full)
    if args.what in showcase.SCENES:
        if args.game is not None:
            raise ConfigError(f"scene {args.what!r} is drawn on 6 × 6 cells; with --game show a pattern")
        scene: Scene = showcase.SCENES[args.what]()

        def drawn(t: float) -> tuple[bytes, str]:
            picture = compose(scene, led_map, t, look)
            return guard.calm(picture.frame, t), picture.words()

        return drawn
    if args.what not in showcase.PATTERNS:
        known = ", ".join([*showcase.SCENES, *showcase.PATTERNS, "list"])
        raise ConfigError(f"{args.what!r} is no scene and no pattern; known: {known}")

    def painted(t: float) -> tuple[bytes, str]:
        picture = showcase.painted(args.what, led_map, t, look.brightness)
        return guard.calm(picture.frame, t), picture.words()

    return painted


def _picture(args: argparse.Namespace, board: Board, led_map: ledmap.LedMap, frames: Frames) -> int:
    from hardware.picture import LedPainter, save_gif, save_png

    if not 16 <= args.width <= 4096:
        raise ConfigError(f"--width {args.width} is not between 16 and 4096")
    painter = LedPainter(board, led_map, args.width)
    if args.out.suffix == ".png":
        frame, words = frames(args.time)
        save_png(painter.paint(frame), args.out)
    elif args.out.suffix == ".gif":
        words = ""

        def film() -> Iterator[Photo]:
            nonlocal words
            for i in range(max(1, round(args.seconds * GIF_FPS))):
                frame, words = frames(i / GIF_FPS)
                yield painter.paint(frame)

        save_gif(film(), args.out, 1 / GIF_FPS)
    else:
        raise ConfigError(f"--out {args.out}: write F.png for a picture or F.gif for a film")
    print(f"Wrote {args.out}. {words}".rstrip())
    return 0


def _play(strip: LedStrip, frames: Frames, seconds: float) -> int:
    clock = SystemClock()
    start, said = clock.now(), ""
    try:
        while (now := clock.now() - start) < seconds:
            frame, words = frames(now)
            strip.show(frame)
            words = strip.status.words or words
            if words and words != said:
                print(words)
            said = words
            clock.sleep(max(0.0, FRAME_S - (clock.now() - start - now)))
        status = strip.status
    finally:
        strip.close()
    if not status.is_up:
        raise DeviceError(status.words)
    return 0


def flash(argv: list[str]) -> int:
    """`gloam flash`: puts the firmware onto the microcontroller."""
    parser = argparse.ArgumentParser(
        prog="gloam flash",
        description="Copies the firmware onto a Raspberry Pi Pico that runs MicroPython. "
        "A new Pico gets that first: hold BOOTSEL while plugging it in, and drop MicroPython's .uf2 file "
        "onto the drive that appears.",
    )
    parser.add_argument(
        "--port", default="auto", help="the Pico's serial port (the first Pico that is found)"
    )
    parser.add_argument(
        "--dry-run", "--list", action="store_true", help="only list the files that would be copied"
    )
    args = parser.parse_args(argv)
    if args.dry_run:
        for name, path in files().items():
            print(f"{name:12} {path.stat().st_size:6} bytes")
        return 0
    repl = Repl.open(args.port)
    try:
        install(repl, print)
    finally:
        repl.close()
    print("Done: the Pico starts the firmware now.")
    return 0
