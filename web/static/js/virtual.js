// The virtual table: pieces to drag, the camera's picture, the LEDs as they are, buttons, and faults to try.

import { head } from "./chrome.js";
import { h, replace, s, toast } from "./dom.js";
import { eyesCard } from "./eyes.js";
import { prepare } from "./games.js";
import { arrowStep, placeAt, putDown, STANDING } from "./geometry.js";
import { get, Live, me, post } from "./net.js";
import { t } from "./text.js";

const LOOK_MS = 400,
  PICTURE_MS = 700,
  RIM = 44,
  STEP_MM = 5;
const FAULTS = ["unplugged", "frozen", "dark", "glare", "hand", "covered", "small", "late"];
const SWITCH_FAULTS = ["stuck-open", "stuck-closed", "bouncing", "swapped"];
const BUTTONS = ["end-turn", "undo", "next", "left", "right"]; // the last two: the knob
const main = document.getElementById("main");
const asked = new URLSearchParams(location.search).get("seat");
const seat = asked === null ? undefined : Number(asked);
const page = seat === undefined ? -2 : seat;

let game = null,
  facts = null,
  frame = null,
  chosen = 0,
  held = null,
  timer = 0;
const nodes = new Map();
const parts = {};

export async function open() {
  drawHead();
  if (!me.host && seat === undefined) return say(t("error.not-host"));
  new Live(seat, {
    room: () => look(),
    update: (news) => {
      frame = news;
      drawEyes();
    },
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") look();
  });
  return undefined;
}

function drawHead() {
  head(
    document.getElementById("top"),
    t("virtual"),
    async () => {
      drawHead();
      game = null;
      await look();
    },
    h("a", { href: seat === undefined ? "/" : "/seat" }, t(seat === undefined ? "table" : "my-seat")),
  );
}

function say(text) {
  game = null;
  replace(
    main,
    h(
      "div",
      { class: "card narrow" },
      h("h1", {}, t("virtual")),
      h("p", {}, text),
      h("p", {}, h("a", { class: "button", href: "/" }, t("table"))),
    ),
  );
}

/** Looks at the table again and again, as long as the page is seen. */
async function look() {
  clearTimeout(timer);
  if (document.visibilityState === "hidden") return;
  try {
    const news = await get("/api/virtual", { seat });
    if (!news.number) say(t("eyes.waking"));
    else {
      if (!game || !facts || news.number !== facts.number) await start(news);
      facts = news;
      draw();
    }
  } catch (problem) {
    if (problem.status === undefined) {
      /* the table is away for a moment */
    } else if (problem.code === "other-board") say(t("virtual.other-board"));
    else say(problem.status === 404 || problem.code === "no-game" ? t("virtual.none") : problem.message);
  }
  clearTimeout(timer);
  timer = setTimeout(look, LOOK_MS);
}

async function start(news) {
  game = prepare(await get("/api/game"));
  frame = await get("/api/frame", { seat });
  nodes.clear();
  chosen = 0;
  build(news);
}

const named = (face) => game.texts[`word.${face}`] || face;
const art = (face) => `/api/virtual/face/${game.key}/${encodeURIComponent(face)}`;

/** What lies on the table: one board, or several that each lie by themselves. */
const felt = ({ parts: several, size_mm }) => several || [{ corner_mm: [0, 0], size_mm, turn: 0 }];

/** Builds what stays for the whole game. */
function build(news) {
  const [width, height] = game.board.size_mm;
  parts.leds = news.leds.map(([x, y, r]) =>
    s("circle", { class: "led-light", cx: x, cy: y, r, fill: "#000", mask: "url(#led-mask)" }),
  );
  parts.pieces = s("g", {});
  parts.asks = s("g", { class: "asks", "aria-hidden": "true" });
  parts.board = s(
    "svg",
    {
      class: "virtual-board",
      viewBox: `${-RIM} ${-RIM} ${width + 2 * RIM} ${height + 2 * RIM}`,
      role: "group",
      "aria-label": t("virtual.board"),
    },
    s(
      "defs",
      {},
      s(
        "radialGradient",
        { id: "led-fade" },
        s("stop", { offset: "0", "stop-color": "#fff" }),
        s("stop", { offset: "1", "stop-color": "#000" }),
      ),
      s(
        "mask",
        { id: "led-mask", maskContentUnits: "objectBoundingBox" },
        s("rect", { width: 1, height: 1, fill: "url(#led-fade)" }),
      ),
    ),
    s("rect", { class: "wood", x: -RIM, y: -RIM, width: width + 2 * RIM, height: height + 2 * RIM, rx: 14 }),
    felt(game.board).map(({ corner_mm: corner, size_mm: [w, hh], turn }) =>
      s("rect", {
        class: "felt",
        width: w,
        height: hh,
        rx: 5,
        transform: `translate(${corner}) rotate(${turn})`,
      }),
    ),
    game.board.cells.map((place, cell) => {
      const [x, y] = place.centre_mm,
        [w, hh] = place.size_mm;
      return s(
        "g",
        { transform: place.turn ? `rotate(${place.turn} ${x} ${y})` : undefined },
        s(
          "rect",
          {
            class: "spot",
            "data-cell": cell,
            x: x - w / 2 + 0.8,
            y: y - hh / 2 + 0.8,
            width: w - 1.6,
            height: hh - 1.6,
            rx: 3,
          },
          s("title", {}, game.places[cell]),
        ),
      );
    }),
    parts.pieces,
    s("g", { class: "led-lights", "aria-hidden": "true" }, parts.leds),
    parts.asks,
  );
  parts.eyes = h("div", { class: "eyes-box" });
  parts.tools = h("div", { class: "virtual-tools" });
  parts.troubles = h("ul", { class: "troubles" });
  parts.faults = new Map(
    FAULTS.map((name) => [name, toggle(`virtual.fault.${name}`, (on) => change({ do: "fault", name, on }))]),
  );
  parts.helps = toggle("virtual.helps", (on) => change({ do: "help", on }));
  replace(
    main,
    h(
      "div",
      { class: "virtual" },
      h(
        "section",
        { class: "stage", "aria-label": t("virtual.board") },
        news.is_virtual ? parts.board : h("p", { class: "card" }, t("virtual.real")),
        parts.tools,
        news.is_virtual ? tray() : null,
      ),
      h(
        "aside",
        { class: "side" },
        parts.eyes,
        camera(),
        news.is_virtual
          ? h(
              "section",
              { class: "card" },
              h(
                "div",
                { class: "buttons" },
                h("button", { "data-key": "lay", onclick: () => change({ do: "lay" }) }, t("virtual.lay")),
              ),
              parts.helps,
            )
          : null,
        h(
          "section",
          { class: "card" },
          h("h2", {}, t("virtual.buttons")),
          h(
            "div",
            { class: "buttons" },
            BUTTONS.map((name) =>
              h(
                "button",
                { "data-key": `press-${name}`, onclick: () => change({ do: "press", name }) },
                t(`virtual.button.${name}`),
              ),
            ),
          ),
        ),
        news.is_virtual
          ? h(
              "section",
              { class: "card" },
              h("h2", {}, t("virtual.faults")),
              h("div", { class: "faults" }, [...parts.faults.values()]),
            )
          : null,
        news.is_virtual ? switchPanel() : null,
        h(
          "section",
          { class: "card" },
          h("h2", {}, t("virtual.parts")),
          h("div", { role: "status" }, parts.troubles),
        ),
        h("p", { class: "quiet" }, t("virtual.help")),
      ),
    ),
  );
}

function toggle(key, act) {
  const id = key.replaceAll(".", "-");
  return h(
    "span",
    { class: "choice" },
    h("input", { type: "checkbox", id, onchange: (event) => act(event.target.checked) }),
    h("label", { for: id }, t(key)),
  );
}

/** Breaks switches under the places, and mends them. */
function switchPanel() {
  const select = (id, key, words) =>
    h(
      "span",
      { class: "choice" },
      h("label", { for: id }, t(key)),
      h(
        "select",
        { id },
        words.map((word, i) => h("option", { value: i }, word)),
      ),
    );
  const place = select("switch-place", "virtual.switch.place", game.places);
  const other = select("switch-other", "virtual.switch.other", game.places);
  const fault = select(
    "switch-fault",
    "virtual.switch.fault",
    SWITCH_FAULTS.map((name) => t(`virtual.switch.${name}`)),
  );
  const value = (box) => Number(box.lastChild.value);
  parts.switches = h("div", { class: "buttons" });
  return h(
    "details",
    { class: "card", "data-key": "switches" },
    h("summary", {}, t("virtual.switches")),
    place,
    fault,
    other,
    h(
      "div",
      { class: "buttons" },
      h(
        "button",
        {
          "data-key": "break-switch",
          onclick: () =>
            change({
              do: "switch",
              id: value(place),
              other: value(other),
              name: SWITCH_FAULTS[value(fault)],
            }),
        },
        t("virtual.switch.break"),
      ),
    ),
    parts.switches,
  );
}

/** The camera's picture, taken only while somebody looks at it. */
function camera() {
  const picture = h("img", {
    class: "virtual-picture",
    alt: t("virtual.camera.alt"),
    width: 960,
    height: 540,
  });
  const none = h("p", { class: "quiet", hidden: true }, t("virtual.camera.none"));
  const overlay = toggle("virtual.overlay", () => {});
  overlay.firstChild.checked = true;
  const box = h(
    "details",
    { class: "card", open: true, "data-key": "camera", ontoggle: () => next() },
    h("summary", {}, t("virtual.camera")),
    picture,
    none,
    overlay,
  );
  let waits = 0;
  const next = () => {
    clearTimeout(waits);
    if (!box.isConnected && picture.src) return;
    if (!box.open || document.visibilityState === "hidden") {
      waits = setTimeout(next, PICTURE_MS);
      return;
    }
    const query = new URLSearchParams({
      overlay: overlay.firstChild.checked ? "yes" : "no",
      t: Date.now(),
      ...(seat === undefined ? {} : { seat }),
    });
    picture.src = `/api/virtual/picture?${query}`;
  };
  const after = (isThere) => {
    picture.hidden = !isThere;
    none.hidden = isThere;
    waits = setTimeout(next, PICTURE_MS);
  };
  picture.addEventListener("load", () => after(true));
  picture.addEventListener("error", () => after(false));
  waits = setTimeout(next, 50);
  return box;
}

async function change(body) {
  try {
    return await post("/api/virtual", { page, ...body });
  } catch (problem) {
    toast(problem.message, "bad");
    return {};
  } finally {
    look();
  }
}

// Pieces --------------------------------------------------------------------------------------------

/** A point of the screen in millimetres of the board. */
function millimetres(event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(
    parts.board.getScreenCTM().inverse(),
  );
  return [point.x, point.y];
}

const restOf = (face, x, y, angle) => putDown(game.board.cells, game.faces.get(face)?.kind, x, y, angle);
const transform = (x, y, angle) => `translate(${x} ${y}) rotate(${angle})`;

function piece([id, face]) {
  const { width, height, kind } = game.faces.get(face);
  const node = s(
    "g",
    {
      class: `thing ${STANDING.includes(kind) ? "stands" : ""}`,
      tabindex: 0,
      role: "button",
      "data-id": id,
      "data-key": `thing-${id}`,
    },
    STANDING.includes(kind)
      ? s("ellipse", { class: "shade", cx: 2, cy: 3, rx: width * 0.52, ry: height * 0.5 })
      : null,
    s("image", { href: art(face), x: -width / 2, y: -height / 2, width, height }),
    s("rect", { class: "edge", x: -width / 2, y: -height / 2, width, height, rx: 2 }),
    s("text", {
      class: "pile",
      x: width / 2 - 2,
      y: height / 2 - 2,
      "text-anchor": "end",
      "font-size": Math.min(width, height) * 0.3,
    }),
  );
  const now = () => facts.things.find((thing) => thing[0] === id);
  node.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    event.preventDefault();
    node.focus();
    const [, , x, y, angle] = now(),
      [px, py] = millimetres(event);
    held = { id, face, angle, x, y, dx: x - px, dy: y - py, moved: false };
    node.setPointerCapture(event.pointerId);
    node.classList.add("held");
  });
  node.addEventListener("pointermove", (event) => {
    if (held?.id !== id) return;
    const [px, py] = millimetres(event);
    const [x, y] = [px + held.dx, py + held.dy];
    if (Math.hypot(x - held.x, y - held.y) > 2) held.moved = true;
    if (held.moved) {
      [held.x, held.y] = [x, y];
      node.setAttribute("transform", transform(x, y, held.angle));
    }
  });
  const drop = async (event) => {
    if (held?.id !== id) return;
    const one = held;
    node.classList.remove("held");
    choose(id);
    if (!one.moved) held = null;
    else if (document.elementFromPoint(event.clientX, event.clientY)?.closest(".tray")) await take(id);
    else await move(id, restOf(face, one.x, one.y, one.angle));
    held = null;
  };
  node.addEventListener("pointerup", drop);
  node.addEventListener("pointercancel", () => {
    node.classList.remove("held");
    held = null;
    draw();
  });
  node.addEventListener("keydown", (event) => keys(event, now()));
  node.addEventListener("focus", () => choose(id));
  return node;
}

/** Moves a piece here at once and on the table as soon as it answers. */
function move(id, { x, y, angle }) {
  const thing = facts.things.find((one) => one[0] === id);
  if (thing) [thing[2], thing[3], thing[4]] = [x, y, angle];
  nodes.get(id)?.setAttribute("transform", transform(x, y, angle));
  return change({ do: "move", id, x, y, angle: angle % 360 });
}

function take(id) {
  chosen = 0;
  return change({ do: "take", id });
}

function keys(event, thing) {
  if (!thing) return;
  const [id, , x, y, angle] = thing;
  const cell = placeAt(game.board.cells, x, y);
  const step = event.shiftKey && cell >= 0 ? game.board.cells[cell].size_mm : [STEP_MM, STEP_MM];
  const to = arrowStep(event.key, step);
  if (to) move(id, { x: x + to[0], y: y + to[1], angle });
  else if (event.key === "r" || event.key === "R") {
    move(id, { x, y, angle: angle + (event.shiftKey ? -90 : 90) });
  } else if (event.key === "Delete" || event.key === "Backspace") take(id);
  else return;
  event.preventDefault();
}

function choose(id) {
  if (chosen === id) return;
  chosen = id;
  drawTools();
  for (const [other, node] of nodes) node.classList.toggle("chosen", other === id);
}

/** What may be done with the chosen piece. */
function drawTools() {
  const thing = facts?.things.find((one) => one[0] === chosen);
  if (!thing) {
    replace(parts.tools);
    return;
  }
  const [id, face, x, y, angle] = thing,
    info = game.faces.get(face);
  const sides = game.board.faces.filter(
    (one) => one.kind === info.kind && one.width === info.width && one.height === info.height,
  );
  replace(
    parts.tools,
    h("b", {}, t("virtual.chosen", { name: named(face) })),
    h(
      "button",
      { class: "small", "data-key": "turn-left", onclick: () => move(id, { x, y, angle: angle - 90 }) },
      `↺ ${t("virtual.turn-left")}`,
    ),
    h(
      "button",
      { class: "small", "data-key": "turn-right", onclick: () => move(id, { x, y, angle: angle + 90 }) },
      `↻ ${t("virtual.turn-right")}`,
    ),
    sides.length > 1
      ? h(
          "select",
          {
            "aria-label": t("virtual.side"),
            "data-key": "side",
            onchange: (event) => change({ do: "turn-over", id, face: event.target.value }),
          },
          sides.map((one) => h("option", { value: one.name, selected: one.name === face }, named(one.name))),
        )
      : null,
    h("button", { class: "small", "data-key": "away", onclick: () => take(id) }, t("virtual.away")),
  );
}

/** The pieces beside the board: dragged onto it, or put there with the keyboard. */
function tray() {
  return h(
    "section",
    { class: "tray card", "aria-label": t("virtual.tray") },
    h("h2", {}, t("virtual.tray")),
    h("p", { class: "quiet" }, t("virtual.tray.text")),
    h(
      "div",
      { class: "tray-row" },
      game.board.faces.map((face) => {
        const picture = h("img", { src: art(face.name), alt: "", draggable: "false", loading: "lazy" });
        const ghost = h("img", { class: "carried", src: art(face.name), alt: "" });
        const button = h(
          "button",
          {
            class: "tray-piece",
            title: named(face.name),
            "aria-label": t("virtual.take", { name: named(face.name) }),
            "data-face": face.name,
          },
          picture,
        );
        let drags = false;
        const put = async (x, y) => {
          const done = await change({ do: "put", face: face.name, ...restOf(face.name, x, y, 0) });
          if (done.id) {
            await look();
            choose(done.id);
          }
        };
        button.addEventListener("pointerdown", (event) => {
          if (!event.button) {
            drags = false;
            button.setPointerCapture(event.pointerId);
          }
        });
        button.addEventListener("pointermove", (event) => {
          if (!button.hasPointerCapture(event.pointerId)) return;
          if (!drags) {
            drags = true;
            document.body.append(ghost);
          }
          Object.assign(ghost.style, { left: `${event.clientX}px`, top: `${event.clientY}px` });
        });
        const end = (event) => {
          ghost.remove();
          const box = parts.board.getBoundingClientRect();
          const isOver =
            event.clientX >= box.left &&
            event.clientX <= box.right &&
            event.clientY >= box.top &&
            event.clientY <= box.bottom;
          if (drags && isOver && event.type === "pointerup") put(...millimetres(event));
        };
        button.addEventListener("pointerup", end);
        button.addEventListener("pointercancel", end);
        button.addEventListener("click", () => {
          if (!drags) put(game.board.size_mm[0] / 2, game.board.size_mm[1] + RIM / 2);
          drags = false;
        });
        return button;
      }),
    ),
  );
}

// Drawing -------------------------------------------------------------------------------------------

function draw() {
  if (!game || !facts) return;
  facts.colours.forEach((colour, i) => {
    parts.leds[i].setAttribute("fill", colour);
    parts.leds[i].setAttribute("opacity", colour === "#000000" ? 0 : 1);
  });
  const there = new Set();
  for (const thing of facts.things) {
    const [id, face, x, y, angle, stack] = thing;
    let node = nodes.get(id);
    if (node && node.dataset.face !== face) {
      node.remove();
      node = undefined;
    }
    if (!node) {
      node = piece(thing);
      node.dataset.face = face;
      nodes.set(id, node);
    }
    there.add(id);
    if (held?.id !== id) node.setAttribute("transform", transform(x, y, angle));
    const cell = placeAt(game.board.cells, x, y);
    node.setAttribute(
      "aria-label",
      t("virtual.piece", { name: named(face), place: cell < 0 ? t("virtual.beside") : game.places[cell] }),
    );
    node.lastChild.textContent = stack > 1 ? `×${stack}` : "";
    node.classList.toggle("chosen", id === chosen);
  }
  for (const [id, node] of nodes) {
    if (!there.has(id)) {
      node.remove();
      nodes.delete(id);
    }
  }
  // What was put down last lies on top; an element that is in its place already keeps the keyboard.
  facts.things.forEach(([id], i) => {
    if (parts.pieces.children[i] !== nodes.get(id) && held?.id !== id) {
      parts.pieces.insertBefore(nodes.get(id), parts.pieces.children[i] || null);
    }
  });
  for (const [name, node] of parts.faults) node.firstChild.checked = facts.faults.includes(name);
  parts.helps.firstChild.checked = facts.helps;
  if (parts.switches) {
    replace(
      parts.switches,
      facts.switch_faults.map(([cell, name]) =>
        h(
          "button",
          { class: "small", onclick: () => change({ do: "switch", id: cell, name: "" }) },
          t("virtual.switch.mend", { place: game.places[cell], fault: t(`virtual.switch.${name}`) }),
        ),
      ),
    );
  }
  replace(
    parts.troubles,
    facts.troubles.length
      ? facts.troubles.map((line) => h("li", { class: "bad-line" }, line))
      : h("li", { class: "quiet" }, t("virtual.parts.fine")),
  );
  if (!parts.tools.contains(document.activeElement)) drawTools();
  drawEyes();
}

function drawEyes() {
  if (!game || !parts.eyes) return;
  replace(parts.eyes, eyesCard(frame?.eyes, game.places, page) || []);
  replace(
    parts.asks,
    (frame?.eyes?.cells || []).map((cell) => {
      const {
        centre_mm: [x, y],
        size_mm: [w, hh],
        turn,
      } = game.board.cells[cell];
      return s("rect", {
        x: x - w / 2,
        y: y - hh / 2,
        width: w,
        height: hh,
        rx: 4,
        transform: turn ? `rotate(${turn} ${x} ${y})` : undefined,
      });
    }),
  );
}
