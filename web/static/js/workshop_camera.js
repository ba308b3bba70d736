// Calibration: the board found by its frame or by four corners set by hand, and the measured lens.

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
          sheet(state),
          lens(state.lens, () => draw(box, visit)),
        ),
      ),
    );
  });

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
      h("button", { "data-key": "by-hand", onclick: begin }, t("camera.hand")),
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

  function begin() {
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
      h("p", {}, t("camera.hand.text")),
      h(
        "button",
        {
          class: "go",
          "data-key": "keep-corners",
          onclick: async () => {
            if ((await attempt(() => post("/api/workshop/corners", { corners: set }))) !== undefined) {
              toast(t("camera.kept"));
            }
            leave();
          },
        },
        t("camera.hand.keep"),
      ),
      h("button", { onclick: leave }, t("camera.hand.cancel")),
    );
    handles[0].focus();
  }
  rest();
  return tools;
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
