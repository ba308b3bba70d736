// The workshop: one page with sections; the section is named after the # of the address.

import { head } from "./chrome.js";
import { h, replace } from "./dom.js";
import { me, whoAmI } from "./net.js";
import { t } from "./text.js";

const SECTIONS = {
  health: () => import("./workshop_health.js"),
  wizard: () => import("./workshop_wizard.js"),
  camera: () => import("./workshop_camera.js"),
  teach: () => import("./workshop_teach.js"),
  leds: () => import("./workshop_leds.js"),
  switches: () => import("./workshop_switches.js"),
  test: () => import("./workshop_test.js"),
  care: () => import("./workshop_care.js"),
  programs: () => import("./workshop_programs.js"),
};
const main = document.getElementById("main");
let visit = { on: false };

export async function open() {
  addEventListener("hashchange", draw);
  await draw();
}

async function draw() {
  visit.on = false;
  const here = (visit = { on: true });
  await whoAmI();
  head(
    document.getElementById("top"),
    t("workshop"),
    draw,
    h("a", { href: "/box" }, t("box")),
    h("a", { href: "/" }, t("table")),
  );
  if (!me.host) {
    replace(
      main,
      h(
        "div",
        { class: "card narrow" },
        h("h1", {}, t("workshop")),
        h("p", {}, t("error.not-host")),
        h("p", {}, h("a", { href: "/" }, t("table"))),
      ),
    );
    return;
  }
  const name = location.hash.slice(1) in SECTIONS ? location.hash.slice(1) : "health";
  const box = h("div", { class: "section", "data-section": name });
  replace(
    main,
    h(
      "div",
      { class: "workshop" },
      h("h1", {}, t("workshop")),
      h(
        "nav",
        { class: "tabs", "aria-label": t("workshop.sections") },
        Object.keys(SECTIONS).map((one) =>
          h(
            "a",
            { href: `#${one}`, "data-key": `tab-${one}`, "aria-current": one === name ? "page" : undefined },
            t(`workshop.${one}`),
          ),
        ),
      ),
      box,
    ),
  );
  const section = await SECTIONS[name]();
  if (here.on) await section.draw(box, here);
}
