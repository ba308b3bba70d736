// The shelf: choose a game, choose its options, start; or go on with a stored one.

import { dialog, h, replace, s, toast } from "./dom.js";
import { get, me, post } from "./net.js";
import { t } from "./text.js";

const FIRST = ["players", "mode", "deck", "killer", "level", "difficulty"];
const SHOWN = 4;
/** What the table suggests where the rules leave it open: the phones make it easy. */
const SUGGESTED = { whisper: { notes: "yes", confirm: "yes" } };

/** A small picture for each game's card: drawn, so that nothing is fetched. */
const PICTURES = {
  onirim: () => [
    s("rect", { x: 14, y: 22, width: 22, height: 34, rx: 3, class: "p-card", transform: "rotate(-12 25 39)" }),
    s("rect", { x: 30, y: 18, width: 22, height: 34, rx: 3, class: "p-card", transform: "rotate(3 41 35)" }),
    s("path", { d: "M52 58 V30 a12 12 0 0 1 24 0 V58 Z", class: "p-door" }), s("circle", { cx: 71, cy: 45, r: 2, class: "p-lamp" }),
  ],
  night_cage: () => [
    s("path", { d: "M10 40 H80 M45 8 V72", class: "p-hall" }), s("circle", { cx: 45, cy: 40, r: 22, class: "p-halo" }),
    s("rect", { x: 41, y: 38, width: 8, height: 18, rx: 2, class: "p-wax" }), s("path", { d: "M45 22 q7 9 0 15 q-7 -6 0 -15", class: "p-lamp" }),
  ],
  bad_bones: () => [
    s("path", { d: "M32 62 V34 h-5 v-9 h6 v5 h5 v-5 h14 v5 h5 v-5 h6 v9 h-5 V62 Z", class: "p-stone" }),
    s("circle", { cx: 72, cy: 52, r: 9, class: "p-bone" }), s("circle", { cx: 69, cy: 51, r: 2 }), s("circle", { cx: 75, cy: 51, r: 2 }),
    s("path", { d: "M69 57 h6", class: "p-line" }), s("circle", { cx: 16, cy: 52, r: 9, class: "p-bone" }), s("circle", { cx: 13, cy: 51, r: 2 }), s("circle", { cx: 19, cy: 51, r: 2 }),
  ],
  whisper: () => [
    s("path", { d: "M12 66 V36 L45 12 L78 36 V66 Z", class: "p-house" }), s("rect", { x: 24, y: 40, width: 10, height: 12, class: "p-lamp" }),
    s("rect", { x: 56, y: 40, width: 10, height: 12, class: "p-night" }), s("path", { d: "M40 66 V46 a5 5 0 0 1 10 0 V66 Z", class: "p-night" }),
    s("circle", { cx: 45, cy: 52, r: 2.2, class: "p-eye" }),
  ],
  dark_cave: () => [
    s("path", { d: "M6 46 H34 V20 H58 V56 H84", class: "p-hall" }), s("path", { d: "M70 20 l8 8 -8 8 -8 -8 Z", class: "p-lamp" }),
    s("path", { d: "M20 66 q4 -12 8 0 Z", class: "p-stone" }), s("path", { d: "M62 70 q6 -16 12 0 Z", class: "p-stone" }),
  ],
};

/** Draws the shelf into an element. */
export async function drawShelf(main) {
  const [games, stored] = await Promise.all([get("/api/games"), get("/api/saved")]);
  replace(main, h("div", { class: "shelf" }, h("h1", {}, t("shelf.head")),
    h("div", { class: "games" }, games.map((game) => h("button", { class: "game-card", "data-game": game.key, onclick: () => openForm(game) },
      s("svg", { viewBox: "0 0 90 78", "aria-hidden": "true" }, PICTURES[game.key]?.() || []),
      h("span", { class: "game-title" }, game.title), h("span", { class: "game-about" }, game.about)))),
    me.fresh ? h("section", { class: "card offer" }, h("p", {}, t("wizard.offer")), h("a", { class: "button", href: "/workshop#wizard" }, t("wizard.offer.go"))) : null,
    stored.length ? h("section", { class: "card" }, h("h2", {}, t("saved")), savedList(stored)) : null));
}

/** The list of stored games, each with a button to go on. */
export function savedList(stored) {
  return h("ul", { class: "saved" }, stored.slice(0, 12).map((one) => h("li", {},
    h("span", {}, h("b", {}, one.title), " ", h("time", { datetime: one.started }, new Date(one.started).toLocaleString(document.documentElement.lang)),
      h("span", { class: "quiet" }, " ", one.options.map(([name, value]) => `${name}: ${value}`).join(" · "))),
    one.old_rules ? h("span", { class: "quiet" }, t("saved.old"))
      : h("button", { class: "small", "data-number": one.number, disabled: one.on_table, onclick: async () => {
        try { await post("/api/resume", { number: one.number }); location.assign("/"); } catch (problem) { toast(problem.message, "bad"); }
      } }, t(one.on_table ? "saved.now" : "saved.go")))));
}

function field(option, suggested) {
  const chosen = suggested ?? option.default;
  const id = `option-${option.name}`;
  const control = option.switch
    ? h("input", { type: "checkbox", id, name: option.name, checked: chosen === "yes" })
    : h("select", { id, name: option.name }, option.choices.map(([word, label]) => h("option", { value: word, selected: word === chosen }, label)));
  return h("div", { class: `field ${option.switch ? "switch" : ""}` }, h("label", { for: id, title: option.rule }, option.label), control);
}

function openForm(game) {
  const rank = (option) => { const at = FIRST.indexOf(option.name); return at < 0 ? FIRST.length : at; };
  const sorted = [...game.fields].sort((a, b) => rank(a) - rank(b));
  const more = sorted.slice(SHOWN);
  const drawn = (option) => field(option, SUGGESTED[game.key]?.[option.name]);
  const form = h("form", { class: "options", onsubmit: async (event) => {
    event.preventDefault();
    const options = {};
    for (const one of game.fields) {
      const control = form.elements[one.name];
      options[one.name] = one.switch ? (control.checked ? "yes" : "no") : control.value;
    }
    try { await post("/api/start", { game: game.key, options }); close(); } catch (problem) { toast(problem.answer?.detail || problem.message, "bad"); }
  } }, h("p", {}, game.about), sorted.slice(0, SHOWN).map(drawn),
  more.length ? h("details", {}, h("summary", {}, t("more-options", { n: more.length })), more.map(drawn)) : null,
  h("div", { class: "buttons" }, h("button", { class: "go" }, t("start"))));
  const close = dialog(game.title, form);
}
