// Trying every part: each colour, each button, the camera, the current.

import { h, replace } from "./dom.js";
import { ledColour } from "./lights.js";
import { get, post } from "./net.js";
import { t } from "./text.js";
import { attempt, every, View, withBench } from "./workshop_bench.js";
import { drawMap } from "./workshop_leds.js";

const PATTERNS = ["red", "green", "blue", "white", "chase", "rainbow", "off"];

export const draw = (box, visit) =>
  withBench(box, visit, async (body) => {
    const map = await get("/api/workshop/leds");
    const view = new View(visit);
    const picture = h("div", {});
    const lights = h("p", {});
    const current = h("meter", { min: 0, "aria-label": t("test.lights") });
    const amount = h("p", { class: "quiet" });
    const detail = h("p", { class: "quiet detail", lang: "en" });
    const buttons = h("ul", { class: "presses" });
    const speed = h("p", { class: "quiet" });
    const switches = h("p", { role: "status" });
    const faulty = h("ul", { class: "troubles" });
    const colours = h("div", { class: "buttons", role: "group", "aria-label": t("test.lights") });
    const status = (works) =>
      h("span", { class: works ? "good" : "bad" }, t(works ? "test.works" : "test.fails"));

    replace(
      body,
      h(
        "div",
        { class: "two" },
        h(
          "section",
          { class: "card" },
          h("h2", {}, t("test.lights")),
          lights,
          h("p", {}, t("test.lights.text")),
          colours,
          picture,
          current,
          amount,
          detail,
        ),
        h(
          "div",
          { class: "stack" },
          h("section", { class: "card" }, h("h2", {}, t("test.buttons")), buttons),
          h("section", { class: "card" }, h("h2", {}, t("workshop.switches")), switches, faulty),
          h("section", { class: "card" }, h("h2", {}, t("test.camera")), view.box, speed),
        ),
      ),
    );

    every(visit, 300, async () => {
      const now = await get("/api/workshop/test");
      if (!visit.on) return false;
      replace(lights, status(now.lights));
      detail.textContent = now.lights_detail;
      replace(
        colours,
        PATTERNS.map((name) =>
          h(
            "button",
            {
              "data-key": `show-${name}`,
              class: "small",
              "aria-pressed": String(name === now.pattern),
              onclick: () => attempt(() => post("/api/workshop/show", { pattern: name })),
            },
            t(`test.${name}`),
          ),
        ),
      );
      replace(
        picture,
        drawMap(map, (i) => ledColour(now.frame[i])),
      );
      Object.assign(current, { max: now.supply_ma, high: now.supply_ma * 0.9, value: now.current_ma });
      amount.textContent = t("test.current", { ma: now.current_ma, supply: now.supply_ma });
      speed.textContent = now.camera ? t("test.fps", { n: now.fps }) : now.camera_detail;
      switches.textContent = !now.switches
        ? t("switches.none")
        : now.switches.length
          ? t("switches.felt", { cells: now.switches.map((cell) => map.places[cell].name).join(", ") })
          : t("switches.quiet");
      replace(
        faulty,
        now.switches_detail.map((line) => h("li", { class: "bad-line", lang: "en" }, line)),
      );
      replace(
        buttons,
        now.buttons.length
          ? [
              h("li", { class: "quiet" }, t("test.buttons.text")),
              now.buttons.map((name) =>
                h(
                  "li",
                  { "data-button": name },
                  h(
                    "span",
                    { class: name in now.pressed ? "good" : "quiet" },
                    `${name in now.pressed ? "✓" : "○"} ${t(`test.button.${name}`)}: `,
                    t(name in now.pressed ? "test.seen" : "test.unseen"),
                  ),
                  now.virtual_buttons
                    ? h(
                        "button",
                        {
                          class: "small",
                          "data-key": `press-${name}`,
                          onclick: () => attempt(() => post("/api/workshop/press", { name })),
                        },
                        t("test.press"),
                      )
                    : null,
                ),
              ),
            ]
          : h("li", { class: "quiet" }, t("test.buttons.none")),
      );
      return true;
    });
  });
