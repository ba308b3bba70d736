// The LED map on the board; blink-to-map finds every LED with the camera.

import { h, replace, s, toast } from "./dom.js";
import { get, post } from "./net.js";
import { t } from "./text.js";
import { attempt, every, withBench } from "./workshop_bench.js";

/** Draws LEDs on their board; `fill(i)` gives a colour. */
export function drawMap(map, fill = () => undefined) {
  const { width, height } = map.board;
  const near = Math.min(...map.places.map((place) => place.width)) / 9;
  return s(
    "svg",
    {
      class: "led-map",
      viewBox: `${-2 * near} ${-2 * near} ${width + 4 * near} ${height + 4 * near}`,
      role: "img",
      "aria-label": t("leds.picture"),
    },
    map.places.map((place) =>
      s("rect", {
        class: "led-place",
        x: place.x - place.width / 2,
        y: place.y - place.height / 2,
        width: place.width,
        height: place.height,
        rx: 3,
      }),
    ),
    map.leds.map((led, i) =>
      led.dead
        ? null
        : s(
            "g",
            {},
            s("circle", { class: "led", cx: led.x, cy: led.y, r: near, style: { fill: fill(i) || "" } }),
            s(
              "text",
              { class: "led-number", x: led.x, y: led.y + near * 2.1, "font-size": near * 1.25 },
              String(i),
            ),
          ),
    ),
  );
}

/** Finds the board on the projector's screen. */
function projector() {
  return [
    h("h2", {}, t("projector.head")),
    h("p", {}, t("projector.text")),
    h(
      "button",
      {
        type: "button",
        "data-key": "find-screen",
        onclick: async () => {
          if ((await attempt(() => post("/api/workshop/screen"))) !== undefined) toast(t("projector.found"));
        },
      },
      t("projector.find"),
    ),
  ];
}

export const draw = (box, visit) =>
  withBench(box, visit, async (body, state) => {
    const picture = h("div", {});
    const said = h("p", { role: "status" });
    const detail = h("p", { class: "quiet detail", lang: "en" });
    const bar = h("progress", { max: 1, value: 0, hidden: true, "aria-label": t("leds.go") });
    const keep = h(
      "button",
      {
        type: "button",
        class: "go",
        "data-key": "keep-map",
        disabled: true,
        onclick: async () => {
          if ((await attempt(() => post("/api/workshop/keep-map"))) === undefined) return;
          toast(t("leds.kept"));
          draw(box, visit);
        },
      },
      t("leds.keep"),
    );
    let map = await get("/api/workshop/leds");
    const count = h("input", {
      id: "led-count",
      type: "number",
      min: 1,
      max: 2000,
      required: true,
      value: map.leds.length || 49,
    });
    const form = h(
      "form",
      {
        onsubmit: async (event) => {
          event.preventDefault();
          if (
            (await attempt(() => post("/api/workshop/blink", { leds: Number(count.value) }))) !== undefined
          ) {
            watch();
          }
        },
      },
      h("label", { for: "led-count" }, t("leds.count")),
      count,
      h("div", { class: "buttons" }, h("button", { "data-key": "blink" }, t("leds.go")), keep),
    );

    function show() {
      replace(picture, drawMap(map));
      bar.hidden = !map.blinking;
      bar.max = map.total || 1;
      bar.value = map.done;
      keep.disabled = !map.fresh || map.blinking;
      said.textContent = map.blinking
        ? t("leds.running", { n: map.done, total: map.total })
        : !map.fresh
          ? ""
          : map.missing.length
            ? t("leds.dead", { numbers: map.missing.join(", ") })
            : t("leds.found", { n: map.leds.length });
      detail.textContent = map.trouble;
    }

    const watch = () =>
      every(visit, 400, async () => {
        map = await get("/api/workshop/leds");
        show();
        return map.blinking;
      });
    replace(
      body,
      h(
        "div",
        { class: "two" },
        h("section", { class: "card" }, picture),
        h(
          "section",
          { class: "card" },
          h("h2", {}, t("workshop.leds")),
          h("p", {}, t("leds.text")),
          state.lights.driver === "virtual" ? h("p", { class: "quiet" }, t("bench.simulated")) : null,
          form,
          bar,
          said,
          detail,
          state.lights.map === "projector" ? projector() : null,
        ),
      ),
    );
    show();
    if (map.blinking) watch();
  });
