"""The three engines that people's browsers are made of, driven by WebDriver: Chromium, Firefox and WebKit.

Each is Debian's own browser. Chromium and WebKit have a driver that speaks HTTP; Firefox is asked the same
commands over the socket that it opens by itself. What a page says that is odd is kept in the page, the same
way in all three: `watch` puts a script before every other.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol
from urllib.error import HTTPError

from flask import Flask, Response
from web_browser import ARGS, CHROMIUM, House

from companion.table.session import Session

ENGINES = ("chromium", "firefox", "webkit")
PATIENCE_S = 30.0
"""How long a page may take, on a machine that runs several of them at once."""
MINI_BROWSER = "webkit2gtk-4.1/MiniBrowser"
REQUESTS = {
    "Navigate": ("POST", "url"),
    "GetCurrentURL": ("GET", "url"),
    "Refresh": ("POST", "refresh"),
    "ExecuteScript": ("POST", "execute/sync"),
    "ExecuteAsyncScript": ("POST", "execute/async"),
    "PerformActions": ("POST", "actions"),
    "SetWindowRect": ("POST", "window/rect"),
    "DeleteAllCookies": ("DELETE", "cookie"),
    "TakeScreenshot": ("GET", "screenshot"),
    "DeleteSession": ("DELETE", ""),
}
"""WebDriver's commands, as Firefox names them, with their requests."""
PREFERENCES = {
    "marionette.port": 0,
    "app.update.auto": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.security.https_first": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
}
"""Firefox's: the port is its choice, and nobody is asked for anything."""
WATCH = """
const keep = (text) => {
  const odd = JSON.parse(sessionStorage.odd ?? "[]");
  sessionStorage.odd = JSON.stringify([...odd, text]);
};
addEventListener("error", (event) => keep(`error: ${event.message ?? event.target?.outerHTML}`), true);
const doubtful = new Set();
const weigh = () => {
  for (const { defaultPrevented, reason } of doubtful) {
    if (!defaultPrevented) keep(`not caught: ${reason} ${reason?.stack}`);
  }
  doubtful.clear();
};
addEventListener("unhandledrejection", (event) => { doubtful.add(event); setTimeout(weigh); });
addEventListener("pagehide", weigh);
document.addEventListener("securitypolicyviolation", (event) => keep(`policy: ${event.blockedURI}`));
const now = Date.now;
Date.now = () => now() + 1000 * Number(sessionStorage.later_s ?? 0);
for (const kind of ["error", "warn"]) {
  const say = console[kind];
  console[kind] = (...words) => {
    keep(`${kind}: ${words.map((word) => word?.stack ?? word).join(" ")}`);
    say(...words);
  };
}
"""

FOREIGN = """return performance.getEntriesByType("resource").map((one) => one.name)
    .filter((url) => /^https?:/.test(url) && !url.startsWith(location.origin));"""
"""The addresses of other machines that a page has asked."""
IN_SIGHT = "[...document.querySelectorAll(values[0])].some((e) => e.getClientRects().length)"
RESTING = """async (selector) => {
  const middle = () => {
    const one = [...document.querySelectorAll(selector)].find((e) => e.getClientRects().length);
    one?.scrollIntoView({ block: "center", behavior: "instant" });
    const box = one?.getBoundingClientRect();
    const at = box && [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
    return at && one.contains(document.elementFromPoint(...at)) ? at : null;
  };
  const first = middle();
  await new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });
  return first && String(first) === String(middle()) ? first : null;
}"""
"""The middle of the first thing in sight that a selector names, once it rests and nothing covers it."""


class Driver(Protocol):
    """What takes WebDriver's commands."""

    def call(self, command: str, **values: Any) -> Any: ...


class HttpDriver:
    """A driver that speaks HTTP."""

    def __init__(self, port: int, capabilities: dict[str, Any]) -> None:
        self._url = f"http://127.0.0.1:{port}/session"
        asked = {"capabilities": {"alwaysMatch": capabilities}}
        self._url += "/" + self._ask("POST", self._url, asked)["sessionId"]

    def call(self, command: str, **values: Any) -> Any:
        method, path = REQUESTS[command]
        return self._ask(method, f"{self._url}/{path}".rstrip("/"), values if method == "POST" else None)

    def _ask(self, method: str, url: str, body: Any) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=2 * PATIENCE_S) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            raise RuntimeError(f"{method} {url}: {error.read().decode()[:400]}") from error


class Marionette:
    """Firefox's own socket: the same commands, each message with its length before it."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=2 * PATIENCE_S)
        self._stream = self._socket.makefile("rb")
        self._number = 0
        self._hear()
        self.call("NewSession")

    def call(self, command: str, **values: Any) -> Any:
        self._number += 1
        name = f"WebDriver:{command}"
        message = json.dumps([0, self._number, name, values]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._hear()
        if error is not None:
            raise RuntimeError(f"{name}: {error['message']}")
        return result["value"] if set(result) == {"value"} else result

    def _hear(self) -> Any:
        length = b""
        while (byte := self._stream.read(1)) != b":":
            assert byte, "Firefox is gone"
            length += byte
        return json.loads(self._stream.read(int(length)))


class EnginePage:
    """A page in one of the engines."""

    def __init__(self, engine: str, driver: Driver) -> None:
        self.engine = engine
        self._driver = driver

    def goto(self, url: str) -> None:
        self._driver.call("Navigate", url=url)

    def reload(self) -> None:
        self._driver.call("Refresh")

    def url(self) -> str:
        return str(self._driver.call("GetCurrentURL"))

    def resize(self, width: int, height: int) -> None:
        self._driver.call("SetWindowRect", width=width, height=height)

    def run(self, script: str, *values: Any) -> Any:
        """What a function's body returns, or the promise that it returns."""
        text = (
            "const done = arguments[arguments.length - 1];"
            f"const one = async (...values) => {{ {script} }};"
            "one(...[...arguments].slice(0, -1))"
            ".then((value) => done({ value }), (e) => done({ e: String(e) }));"
        )
        answer = self._driver.call("ExecuteAsyncScript", script=text, args=list(values))
        if not isinstance(answer, dict) or "e" in answer:
            raise RuntimeError(f"{self.engine}: {script}: {answer}")
        return answer.get("value")

    def until(self, expression: str, *values: Any) -> None:
        """Waits until an expression is true."""
        end = time.monotonic() + PATIENCE_S
        while not self.attempt(f"return Boolean({expression});", *values):
            assert time.monotonic() < end, f"{self.engine}: {expression} {values} stays false at {self.url()}"
            time.sleep(0.05)

    def attempt(self, script: str, *values: Any) -> Any:
        """What a script returns; None while one page is left for another."""
        try:
            return self.run(script, *values)
        except RuntimeError:
            return None

    def count(self, selector: str) -> int:
        return int(self.run("return document.querySelectorAll(values[0]).length;", selector))

    def wait_for(self, selector: str) -> None:
        """Waits until something that a selector names is there to be seen."""
        self.until(IN_SIGHT, selector)

    def is_seen(self, selector: str) -> bool:
        return bool(self.run(f"return {IN_SIGHT};", selector))

    def text(self, selector: str) -> str:
        return str(self.run("return document.querySelector(values[0])?.textContent ?? '';", selector))

    def fill(self, selector: str, text: str) -> None:
        self.wait_for(selector)
        self.run(
            "const field = document.querySelector(values[0]); field.focus(); field.value = values[1];"
            "for (const kind of ['input', 'change'])"
            " field.dispatchEvent(new Event(kind, { bubbles: true }));",
            selector,
            text,
        )

    def tap(self, selector: str, hold_s: float = 0.0) -> None:
        """Presses the first thing in sight that a selector names, for some time."""
        end = time.monotonic() + PATIENCE_S
        while (middle := self.attempt(f"return ({RESTING})(values[0]);", selector)) is None:
            assert time.monotonic() < end, f"{self.engine}: {selector} cannot be pressed at {self.url()}"
        x, y = middle
        self.point([("move", x, y), ("down", 0, 0), ("wait", hold_s, 0), ("up", 0, 0)])

    def point(self, steps: list[tuple[str, float, float]], kind: str = "mouse") -> None:
        """Moves a pointer: to places, down, up; a wait is in seconds."""
        acts: list[dict[str, Any]] = []
        for step, x, y in steps:
            if step == "move":
                acts += [{"type": "pointerMove", "duration": 0, "x": int(x), "y": int(y)}]
            elif step == "wait":
                acts += [{"type": "pause", "duration": int(1000 * x)}]
            else:
                acts += [{"type": f"pointer{step.title()}", "button": 0}]
        source = {"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": acts}
        self._driver.call("PerformActions", actions=[source])

    def odd(self) -> list[str]:
        """What was odd since this was last asked, on all pages of the same address."""
        take = "const odd = sessionStorage.odd; delete sessionStorage.odd; return JSON.parse(odd ?? '[]');"
        return list(self.run(take))

    def forget(self) -> None:
        """Comes to the next house as a stranger."""
        with suppress(RuntimeError, AssertionError):
            self.run("sessionStorage.clear(); localStorage.clear();")
        self._driver.call("DeleteAllCookies")
        self.goto("about:blank")


def wait_until(is_so: Callable[[], bool], otherwise: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end, otherwise
        time.sleep(0.02)


def join(page: EnginePage, house: House, seat: int) -> None:
    """Scans the invitation, says a name, takes a place."""
    page.goto(f"{house.url}/join#code={house.people.join_code}")
    page.fill("#name", "Ann")
    page.tap("button.go")
    page.tap(f"[data-take='{seat}']")
    page.until("location.pathname === '/seat'")
    page.wait_for("svg.board")


def claim(page: EnginePage, house: House, seat: int) -> None:
    """Scans the one-time code of a secret seat; its panel is covered."""
    code = house.table.offer(seat)
    page.goto(f"{house.url}/join#code={house.people.join_code}&seat={seat}&once={code.long}")
    page.fill("#secret-name", "Vera")
    page.fill("#secret-pin", "24682468")
    page.tap("button.go")
    page.until("location.pathname === '/seat'")
    page.wait_for(".cover")


def watch(app: Flask) -> None:
    """Has every page of an app keep what is odd: errors, warnings, refused sources.

    A page's clock is set on by `sessionStorage.later_s` seconds.
    """
    app.add_url_rule("/watch.js", "watch", lambda: Response(WATCH, mimetype="text/javascript"))

    def put_first(response: Response) -> Response:
        if response.mimetype == "text/html" and not response.is_streamed:
            page = response.get_data(as_text=True)
            response.set_data(page.replace("<head>", '<head><script src="/watch.js"></script>', 1))
        return response

    app.after_request(put_first)


NEXT = r"""
const [action, places] = values;
const [verb, ...words] = action.split(" ");
const seen = (one) => one.getClientRects().length > 0 && !one.disabled;
const all = (selector) => [...document.querySelectorAll(selector)].filter(seen);
const one = (name, value) => all(`[${name}="${CSS.escape(value)}"]`)[0];
const fresh = (name, value) => all(`[${name}="${CSS.escape(value)}"]:not(.chosen):not(.here)`)[0];
for (const old of document.querySelectorAll("[data-next], [data-onto]")) {
  old.removeAttribute("data-next");
  old.removeAttribute("data-onto");
}
const touch = (node, kind = "tap") => {
  node.dataset.next = "";
  return node.classList.contains("held") ? "hold" : kind;
};
const cover = all(".cover")[0];
if (cover) { cover.dataset.next = ""; return "hold"; }
const sends = one("data-action", action) || one("data-confirm", action);
if (sends) return touch(sends);
if (all(".row").length) {
  const items = all(".row .item");
  if (all(".row.set").length) {
    const left = [...words];
    const free = items.find((item) => {
      const at = left.indexOf(item.dataset.word);
      if (at >= 0) left.splice(at, 1);
      return at >= 0 && !item.classList.contains("in");
    });
    return free ? touch(free) : "";
  }
  const at = words.findIndex((word, i) => items[i].dataset.word !== word);
  if (at < 0) return "";
  items[items.findIndex((item, i) => i > at && item.dataset.word === words[at])].dataset.next = "";
  items[at].dataset.onto = "";
  return "drag";
}
const turn = one("data-turn", action);
if (turn) return touch(turn);
if (words.length > 1 && one("data-row", verb)) return touch(one("data-row", verb));
for (const atom of [...words.flatMap((word) => [`seat:${word}`, `piece:${word}`]), `verb:${verb}`]) {
  const item = all(`.item:not(.chosen)[data-atom="${CSS.escape(atom)}"]`)[0];
  if (item) return touch(item);
}
for (const word of words.flatMap((one) => [one, ...one.split("-")])) {
  const place = word in places ? fresh("data-atom", `place:${places[word]}`) : undefined;
  if (place) return touch(place);
}
const leads = one("data-row", verb) || one("data-aside", verb);
if (leads) return touch(leads);
const more = document.querySelector("dialog[open]") ? undefined : one("data-key", "more");
return more ? touch(more) : "";
"""
"""Marks what to touch next on the way to an action; says how: tap, hold, drag; "" if nothing leads there."""


SENT = "document.querySelector('[data-next]:is([data-action], [data-confirm])')"


def take(page: EnginePage, session: Session, seat: int, action: str) -> int:
    """Touches what leads to exactly one action, until it is in the journal; returns the number of touches."""
    board = session.game.board(session.options)
    places = {place.name: i for i, place in enumerate(board.places)}
    lines = len(session.lines())
    page.until("document.documentElement.dataset.version === values[0]", str(session.update(seat).version))
    touches, end = 0, time.monotonic() + 2 * PATIENCE_S
    while len(session.lines()) == lines:
        assert time.monotonic() < end, f"{page.engine}: nothing leads to {action!r}"
        how = page.attempt(NEXT, action, places)
        middle = how and page.attempt(f"return ({RESTING})('[data-next]');")
        if not middle:
            time.sleep(0.05)
            continue
        steps: list[tuple[str, float, float]] = [("move", *middle), ("down", 0, 0)]
        if how == "drag":
            onto = page.run(
                "const box = document.querySelector('[data-onto]').getBoundingClientRect();"
                "return [box.x + box.width / 2, box.y + box.height / 2];"
            )
            steps += [("move", middle[0] + 15, middle[1]), ("move", *onto)]
        page.point([*steps, ("wait", 0.8 if how == "hold" else 0.0, 0), ("up", 0, 0)])
        touches += not page.attempt("return document.querySelector('.panel')?.hidden ?? false;")
        if page.attempt(f"return {SENT} !== null;"):
            settle = time.monotonic() + 3
            while len(session.lines()) == lines and time.monotonic() < settle:
                time.sleep(0.02)
    return touches


@contextmanager
def open_engine(engine: str, folder: Path) -> Iterator[EnginePage]:
    """Starts a browser and gives its page."""
    opened = {"chromium": _chromium, "firefox": _firefox, "webkit": _webkit}[engine]
    with opened(folder) as driver:
        page = EnginePage(engine, driver)
        yield page
        with suppress(OSError, RuntimeError):
            driver.call("DeleteSession")


@contextmanager
def _running(*command: str, **more: Any) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True, **more
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()


@contextmanager
def _chromium(folder: Path) -> Iterator[Driver]:
    # Without a mobile device's emulation: what is tested is the engine.
    options = {"binary": CHROMIUM, "args": ["--headless=new", "--window-size=1280,800", *ARGS]}
    with _running("chromedriver", "--port=0", cwd=folder) as process:
        assert process.stdout is not None
        listens = (re.search(r"successfully on port (\d+)", line) for line in process.stdout)
        port = next(int(found[1]) for found in listens if found)
        yield HttpDriver(port, {"goog:chromeOptions": options})


@contextmanager
def _firefox(folder: Path) -> Iterator[Driver]:
    profile = folder / "firefox"
    profile.mkdir()
    lines = [f"user_pref({json.dumps(key)}, {json.dumps(value)});" for key, value in PREFERENCES.items()]
    (profile / "user.js").write_text("\n".join(lines))
    command = ("firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", str(profile))
    with _running(*command, env=os.environ | {"HOME": str(folder), "MOZ_HEADLESS_WIDTH": "1280"}):
        yield Marionette(_wait_for(profile / "MarionetteActivePort"))


def _wait_for(path: Path) -> int:
    """The port that a browser writes into a file when it listens."""
    end = time.monotonic() + 2 * PATIENCE_S
    while not path.exists() or not path.read_text().strip():
        assert time.monotonic() < end, f"{path} was not written"
        time.sleep(0.05)
    return int(path.read_text())


@contextmanager
def _webkit(folder: Path) -> Iterator[Driver]:
    mini_browser = next(Path("/usr/lib").glob(f"*/{MINI_BROWSER}"))
    reading, writing = os.pipe()
    screen = ("Xvfb", "-displayfd", str(writing), "-screen", "0", "1300x900x24", "-nolisten", "tcp")
    with _running(*screen, pass_fds=(writing,)), os.fdopen(reading) as told:
        os.close(writing)
        display = f":{told.readline().strip()}"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        environment = os.environ | {
            "DISPLAY": display,
            "HOME": str(folder),
            "XDG_RUNTIME_DIR": str(folder),
            "GDK_BACKEND": "x11",
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "WEBKIT_DISABLE_DMABUF_RENDERER": "1",
        }
        with _running("WebKitWebDriver", f"--port={port}", env=environment):
            _wait_until_listening(port)
            options = {"binary": str(mini_browser), "args": ["--automation"]}
            yield HttpDriver(port, {"webkitgtk:browserOptions": options})


def _wait_until_listening(port: int) -> None:
    end = time.monotonic() + PATIENCE_S
    while True:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        assert time.monotonic() < end
        time.sleep(0.05)
