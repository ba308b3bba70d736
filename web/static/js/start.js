// The shelf: choose a game, choose its options, start; or go on with a stored one.

import { dialog, h, replace, s, toast } from "./dom.js";
import { pageOf } from "./games.js";
import { get, me, post } from "./net.js";
import { t } from "./text.js";

const FIRST = ["players", "mode", "deck", "killer", "level", "difficulty"];
const SHOWN = 4;

/** The picture on the card of a game that brings none: four places and a light. */
const plainCover = () =>
  [
    [27, 21],
    [47, 21],
    [27, 41],
    [47, 41],
  ].map(([x, y], i) => s("rect", { x, y, width: 16, height: 16, rx: 2, class: i ? "p-stone" : "p-lamp" }));

/** Draws the shelf into an element. */
export async function drawShelf(main) {
  const [games, stored] = await Promise.all([get("/api/games"), get("/api/saved")]);
  const pages = await Promise.all(games.map((game) => pageOf(game.key)));
  replace(
    main,
    h(
      "div",
      { class: "shelf" },
      h("h1", {}, t("shelf.head")),
      h(
        "div",
        { class: "games" },
        games.map((game, i) =>
          h(
            "button",
            { class: "game-card", "data-game": game.key, onclick: () => openForm(game, pages[i].suggested) },
            s("svg", { viewBox: "0 0 90 78", "aria-hidden": "true" }, (pages[i].cover || plainCover)()),
            h("span", { class: "game-title" }, game.title),
            h("span", { class: "game-about" }, game.about),
          ),
        ),
      ),
      me.fresh
        ? h(
            "section",
            { class: "card offer" },
            h("p", {}, t("wizard.offer")),
            h("a", { class: "button", href: "/workshop#wizard" }, t("wizard.offer.go")),
          )
        : null,
      stored.length ? h("section", { class: "card" }, h("h2", {}, t("saved")), savedList(stored)) : null,
    ),
  );
}

/** The list of stored games, each with a button to go on. */
export function savedList(stored) {
  return h(
    "ul",
    { class: "saved" },
    stored.slice(0, 12).map((one) =>
      h(
        "li",
        {},
        h(
          "span",
          {},
          h("b", {}, one.title),
          " ",
          h(
            "time",
            { datetime: one.started },
            new Date(one.started).toLocaleString(document.documentElement.lang),
          ),
          h(
            "span",
            { class: "quiet" },
            " ",
            one.options.map(([name, value]) => `${name}: ${value}`).join(" · "),
          ),
        ),
        one.old_rules
          ? h("span", { class: "quiet" }, t("saved.old"))
          : h(
              "button",
              {
                class: "small",
                "data-number": one.number,
                disabled: one.on_table,
                onclick: async () => {
                  try {
                    await post("/api/resume", { number: one.number });
                    location.assign("/");
                  } catch (problem) {
                    toast(problem.message, "bad");
                  }
                },
              },
              t(one.on_table ? "saved.now" : "saved.go"),
            ),
      ),
    ),
  );
}

function field(option, suggested) {
  const chosen = suggested ?? option.default;
  const id = `option-${option.name}`;
  const control = option.switch
    ? h("input", { type: "checkbox", id, name: option.name, checked: chosen === "yes" })
    : h(
        "select",
        { id, name: option.name },
        option.choices.map(([word, label]) => h("option", { value: word, selected: word === chosen }, label)),
      );
  return h(
    "div",
    { class: `field ${option.switch ? "switch" : ""}` },
    h("label", { for: id, title: option.rule }, option.label),
    control,
  );
}

/** Asks for the options of a game; `suggested` are values where the rules leave it open, by option. */
function openForm(game, suggested) {
  const rank = (option) => {
    const at = FIRST.indexOf(option.name);
    return at < 0 ? FIRST.length : at;
  };
  const sorted = [...game.fields].sort((a, b) => rank(a) - rank(b));
  const more = sorted.slice(SHOWN);
  const drawn = (option) => field(option, suggested?.[option.name]);
  const form = h(
    "form",
    {
      class: "options",
      onsubmit: async (event) => {
        event.preventDefault();
        const options = {};
        for (const one of game.fields) {
          const control = form.elements[one.name];
          options[one.name] = one.switch ? (control.checked ? "yes" : "no") : control.value;
        }
        try {
          await post("/api/start", { game: game.key, options });
          close();
        } catch (problem) {
          toast(problem.answer?.detail || problem.message, "bad");
        }
      },
    },
    h("p", {}, game.about),
    sorted.slice(0, SHOWN).map(drawn),
    more.length
      ? h("details", {}, h("summary", {}, t("more-options", { n: more.length })), more.map(drawn))
      : null,
    h("div", { class: "buttons" }, h("button", { class: "go" }, t("start"))),
  );
  const close = dialog(game.title, form);
}
