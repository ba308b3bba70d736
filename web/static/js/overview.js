// All tables of a club: what is played where, and whose turn it is.

import { head } from "./chrome.js";
import { h, replace } from "./dom.js";
import { get } from "./net.js";
import { t } from "./text.js";

const LOOK_MS = 3000;
const main = document.getElementById("main");
let shown = "";

export async function open() {
  await look();
  setInterval(() => {
    if (document.visibilityState === "visible") look();
  }, LOOK_MS);
}

async function look() {
  let club;
  try {
    club = await get("/api/overview");
  } catch {
    document.documentElement.dataset.live = "no";
    return;
  }
  document.documentElement.dataset.live = "yes";
  const now = JSON.stringify([club, document.documentElement.lang]);
  if (now !== shown) {
    shown = now;
    draw(club);
  }
}

function draw(club) {
  head(document.getElementById("top"), t("overview"), look, h("a", { href: "/" }, t("table")));
  const playing = club.tables.filter((one) => one.there && one.playing).length;
  replace(
    main,
    h(
      "div",
      { class: "overview" },
      h("h1", {}, t("overview")),
      !club.on ? h("p", { class: "card" }, t("overview.off")) : null,
      club.trouble
        ? h(
            "p",
            { class: "card trouble", role: "alert" },
            t("overview.trouble"),
            " ",
            h("small", { lang: "en" }, club.trouble),
          )
        : null,
      club.on ? h("p", { class: "quiet" }, t("overview.count", { n: club.tables.length, playing })) : null,
      h("ul", { class: "club" }, club.tables.map(card)),
    ),
  );
}

function card(one) {
  const state = !one.there ? t("overview.away") : one.result || (one.playing ? "" : t("overview.free"));
  return h(
    "li",
    {
      class: `card ${one.there ? "" : "away"}`,
      style: { "--room": (one.there && one.colour) || "transparent" },
    },
    h("h2", {}, one.name),
    one.there && one.title
      ? h("p", { class: "title" }, one.title, h("small", {}, t("overview.players", { n: one.players })))
      : null,
    one.there && one.playing
      ? [h("p", { class: "turn" }, one.turn), h("p", { class: "quiet" }, one.phase)]
      : null,
    state ? h("p", {}, state) : null,
  );
}
