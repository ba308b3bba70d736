// Calibration: the board found by marker cards, by its frame or by four corners set by hand; the measured lens.

import { h, replace, s, toast } from "./dom.js";
import { post } from "./net.js";
import { language, t } from "./text.js";
import { attempt, View, withBench } from "./workshop_bench.js";

const STEP = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export const draw = (box, visit) =>
  withBench(box, visit, (body, state) => {
    const view = new View(visit);
    replace(
      body,
      h(
        "div",
        { class: "two" },
        h("section", { class: "card" }, view.box, corners(view)),
        h(
          "div",
          { class: "stack" },
          cards(view),
          sheet(state),
          lens(state.lens, () => draw(box, visit)),
        ),
      ),
    );
  });

/** The link to the one sheet of cards that serves all games. */
export const cardSheet = () =>
  h(
    "section",
    { class: "card" },
    h("h2", {}, t("cards")),
    h("p", {}, t("cards.text")),
    h("p", {}, t("cards.free")),
    h("div", { class: "buttons" }, cardLink()),
  );

const cardLink = () =>
  h(
    "a",
    { class: "button", href: `/api/workshop/cards.pdf?lang=${language}`, download: true },
    t("cards.sheet"),
  );

/** The link to the frame that is printed. */
export function sheet({ game, board }) {
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("wizard.board")),
    h("p", {}, t("camera.sheet.text")),
    h(
      "div",
      { class: "buttons" },
      h(
        "a",
        {
          class: "button",
          href: `/api/workshop/sheet.pdf?game=${game}&board=${board}&lang=${language}`,
          download: true,
        },
        t("camera.sheet"),
      ),
    ),
  );
}

/** Four corners to drag, or to move with the arrow keys. */
function corners(view) {
  const tools = h("div", { class: "buttons" });
  const rest = () =>
    replace(
      tools,
      h(
        "button",
        {
          "data-key": "by-hand",
          onclick: () =>
            drag(view, tools, rest, {
              text: t("camera.hand.text"),
              label: t("camera.hand.keep"),
              key: "keep-corners",
              send: async (set) => {
                if ((await attempt(() => post("/api/workshop/corners", { corners: set }))) !== undefined) {
                  toast(t("camera.kept"));
                }
              },
            }),
        },
        t("camera.hand"),
      ),
      h(
        "button",
        {
          "data-key": "by-markers",
          onclick: async () => {
            await attempt(() => post("/api/workshop/forget-corners"));
          },
        },
        t("camera.markers"),
      ),
    );
  rest();
  return tools;
}

/** Lets people drag four corners over the picture and calls `send` with them. */
function drag(view, tools, rest, { text, label, key, send }) {
  const { width, height } = view.sight;
  if (!width) return;
  const now =
    view.sight.corners ||
    [
      [0.25, 0.2],
      [0.75, 0.2],
      [0.75, 0.8],
      [0.25, 0.8],
    ].map(([x, y]) => [x * width, y * height]);
  const set = now.map(([x, y]) => [x, y]);
  const shape = s("polygon", { class: "seen-board by-hand" });
  const handles = set.map((_, i) => handle(view.over, set, i, show));
  function show() {
    shape.setAttribute("points", set.map((point) => point.join(",")).join(" "));
    handles.forEach((one, i) => {
      one.setAttribute("transform", `translate(${set[i][0]} ${set[i][1]})`);
    });
  }
  function leave() {
    view.paused = false;
    view.draw(); // the handles go at once: nothing hidden from a screen reader may take the focus
    view.over.setAttribute("aria-hidden", "true");
    view.over.classList.remove("is-set");
    rest();
  }
  view.paused = true;
  view.over.removeAttribute("aria-hidden");
  view.over.classList.add("is-set");
  replace(view.over, shape, handles);
  show();
  replace(
    tools,
    h("p", {}, text),
    h(
      "button",
      {
        class: "go",
        "data-key": key,
        onclick: async () => {
          await send(set);
          leave();
        },
      },
      label,
    ),
    h("button", { onclick: leave }, t("camera.hand.cancel")),
  );
  handles[0].focus();
}

/** Marker cards step by step: print, lay, measure, then the owner's own board among them. */
function cards(view) {
  const said = h("p", { role: "status" });
  const tools = h("div", { class: "buttons" });
  const does = (key, text, act, more = {}) => h("button", { "data-key": key, onclick: act, ...more }, text);

  async function survey() {
    const found = await attempt(() => post("/api/workshop/survey"));
    if (found) said.textContent = t("cards.surveyed", { n: found.cards.length, mm: found.error_mm });
  }
  function board() {
    if (view.sight.alone) {
      said.textContent = t("cards.alone");
      return;
    }
    const [width, height] = view.sight.sheet.map(Math.round);
    drag(view, tools, rest, {
      text: t("cards.board.text", { width, height }),
      label: t("cards.board.keep"),
      key: "keep-board",
      send: async (set) => {
        const found = await attempt(() => post("/api/workshop/board", { corners: set }));
        if (found) said.textContent = t("cards.board.done", { width: found.width, height: found.height });
      },
    });
  }
  function grid() {
    const zone = view.sight.zones[0];
    if (!zone) return;
    drag(view, tools, rest, {
      text: t("cards.grid.text"),
      label: t("cards.grid.keep"),
      key: "keep-grid",
      send: async (set) => {
        if ((await attempt(() => post("/api/workshop/zone", { zone, corners: set }))) !== undefined) {
          toast(t("camera.kept"));
        }
      },
    });
  }
  function rooms() {
    const which = h(
      "select",
      { id: "cards-place", "data-key": "cards-place" },
      view.sight.names.map((name) => h("option", { value: name }, name)),
    );
    const tap = async (event) => {
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(
        view.over.getScreenCTM().inverse(),
      );
      const place = { place: which.value, x: at.x, y: at.y };
      if ((await attempt(() => post("/api/workshop/place", place))) !== undefined) {
        which.selectedIndex = Math.min(which.selectedIndex + 1, which.options.length - 1);
      }
    };
    const leave = () => {
      view.over.classList.remove("is-set");
      view.over.removeEventListener("click", tap);
      rest();
    };
    view.over.classList.add("is-set");
    view.over.addEventListener("click", tap);
    replace(
      tools,
      h("label", { for: "cards-place" }, t("cards.rooms.text")),
      which,
      does("rooms-done", t("cards.rooms.done"), leave, { class: "go" }),
    );
  }
  function rest() {
    replace(
      tools,
      cardLink(),
      does("lay-cards", t("cards.lay"), () => attempt(() => post("/api/workshop/lay-cards"))),
      does("survey", t("cards.survey"), survey),
      does("set-board", t("cards.board"), board),
      does("set-grid", t("cards.grid"), grid),
      does("set-rooms", t("cards.rooms"), rooms),
      does("forget-cards", t("cards.forget"), () => attempt(() => post("/api/workshop/forget-cards"))),
    );
  }
  rest();
  return h("section", { class: "card" }, h("h2", {}, t("cards")), h("p", {}, t("cards.text")), said, tools);
}

function handle(over, set, i, show) {
  const clamp = (x, y) => {
    const { width, height } = over.viewBox.baseVal;
    set[i] = [Math.min(Math.max(x, 0), width), Math.min(Math.max(y, 0), height)];
    show();
  };
  let held = false;
  return s(
    "g",
    {
      class: "corner",
      tabindex: 0,
      role: "button",
      "aria-label": t(`camera.corner.${i}`),
      "data-corner": i,
      onpointerdown: (event) => {
        held = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        event.preventDefault();
      },
      onpointerup: () => {
        held = false;
      },
      onpointermove: (event) => {
        if (!held) return;
        const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(over.getScreenCTM().inverse());
        clamp(at.x, at.y);
      },
      onkeydown: (event) => {
        const step = STEP[event.key];
        if (!step) return;
        event.preventDefault();
        const far = event.shiftKey ? 20 : 2;
        clamp(set[i][0] + far * step[0], set[i][1] + far * step[1]);
      },
    },
    s("circle", { r: 26, class: "corner-reach" }),
    s("circle", { r: 11 }),
    s("circle", { r: 2.5, class: "corner-dot" }),
  );
}

function lens(isKnown, again) {
  const said = h("p", { role: "status" });
  const detail = h("p", { class: "quiet detail", lang: "en" });
  const measure = h(
    "button",
    {
      class: "go",
      disabled: true,
      onclick: async () => {
        const answer = await attempt(() => post("/api/workshop/lens"));
        if (answer) {
          toast(t("lens.done", { px: answer.error_px }));
          again();
        }
      },
    },
    t("lens.measure"),
  );
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("lens")),
    isKnown ? h("p", { class: "good-line" }, t("lens.known")) : null,
    h("p", {}, t("lens.text")),
    said,
    detail,
    h(
      "div",
      { class: "buttons" },
      h(
        "button",
        {
          "data-key": "take-view",
          onclick: async () => {
            const view = await attempt(() => post("/api/workshop/view"));
            if (!view) return;
            said.textContent = view.taken
              ? t("lens.taken", { n: view.views, enough: view.enough })
              : t("lens.not-taken");
            detail.textContent = view.detail;
            measure.disabled = !view.ready;
          },
        },
        t("lens.take"),
      ),
      measure,
      h(
        "button",
        {
          onclick: async () => {
            await attempt(() => post("/api/workshop/forget-views"));
            said.textContent = detail.textContent = "";
            measure.disabled = true;
          },
        },
        t("lens.again"),
      ),
    ),
  );
}
