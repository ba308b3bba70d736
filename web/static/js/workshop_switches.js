// Which switch lies under which place, found by touch: the magnet goes where it glows.

import { h, replace, s, toast } from "./dom.js";
import { get, post } from "./net.js";
import { t } from "./text.js";
import { attempt, every, withBench } from "./workshop_bench.js";

function picture(now) {
  const { width, height } = now.board;
  return s(
    "svg",
    {
      class: "led-map",
      viewBox: `-5 -5 ${width + 10} ${height + 10}`,
      role: "img",
      "aria-label": t("switches.picture"),
    },
    now.places.map((place, cell) =>
      s("rect", {
        class:
          cell === now.next ? "led-place glows" : now.closed.includes(cell) ? "led-place felt" : "led-place",
        x: place.x - place.width / 2,
        y: place.y - place.height / 2,
        width: place.width,
        height: place.height,
        rx: 3,
      }),
    ),
  );
}

function words(now) {
  if (!now.there) return t("switches.none");
  const found = Object.keys(now.found).length;
  if (now.again !== null) return t("switches.again", { n: now.again });
  if (now.next >= 0) return t("switches.next", { place: now.places[now.next].name, n: found });
  if (now.fresh) {
    const skipped = now.skipped.map((cell) => now.places[cell].name).join(", ") || "–";
    return t("switches.done", { n: found, skipped });
  }
  return now.closed.length
    ? t("switches.felt", { cells: now.closed.map((cell) => now.places[cell].name).join(", ") })
    : t("switches.quiet");
}

export const draw = (box, visit) =>
  withBench(box, visit, async (body) => {
    const board = h("div", {});
    const said = h("p", { role: "status" });
    const troubles = h("ul", { class: "troubles" });
    const act = (name, what = "") =>
      h(
        "button",
        {
          type: "button",
          class: what,
          "data-key": `touch-${name}`,
          onclick: async () => {
            if ((await attempt(() => post("/api/workshop/touch", { do: name }))) === undefined) return;
            if (name === "keep") toast(t("switches.kept"));
            if (name === "keep") draw(box, visit);
          },
        },
        t(`switches.${name}`),
      );
    const buttons = {
      start: act("start", "go"),
      skip: act("skip"),
      put: act("put"),
      keep: act("keep", "go"),
    };
    replace(
      body,
      h(
        "div",
        { class: "two" },
        h("section", { class: "card" }, board),
        h(
          "section",
          { class: "card" },
          h("h2", {}, t("workshop.switches")),
          h("p", {}, t("switches.text")),
          said,
          h("div", { class: "buttons" }, Object.values(buttons)),
          troubles,
        ),
      ),
    );
    every(visit, 300, async () => {
      const now = await get("/api/workshop/switches");
      if (!visit.on) return false;
      replace(board, picture(now));
      said.textContent = words(now);
      buttons.start.disabled = !now.there;
      buttons.skip.disabled = now.next < 0;
      buttons.put.hidden = !now.virtual;
      buttons.put.disabled = now.next < 0;
      buttons.keep.disabled = !now.fresh;
      replace(
        troubles,
        now.troubles.map((line) => h("li", { class: "bad-line", lang: "en" }, line)),
      );
      return true;
    });
  });
