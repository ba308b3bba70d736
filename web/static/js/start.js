// The shelf: choose a game, choose its options, start; or go on with a stored one.

import { dialog, h, replace, s, toast } from "./dom.js";
import { pageOf } from "./games.js";
import { faceOf } from "./faces.js";
import { openLobby } from "./lobby.js";
import { get, me, post } from "./net.js";
import { t } from "./text.js";

const FIRST = ["players", "mode", "deck", "killer", "level", "difficulty"];
/** What options are about; of those that are seen at once no more than some. */
const GROUPS = ["who", "hard", "readings"];
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
  const [games, stored, boxes] = await Promise.all([get("/api/games"), get("/api/saved"), get("/api/box")]);
  const faults = boxes.filter((box) => box.fault);
  const pages = await Promise.all(games.map((game) => pageOf(game.key)));
  const covers = new Map(games.map((game, i) => [game.key, pages[i].cover || plainCover]));
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
            s(
              "svg",
              { viewBox: "0 0 90 78", preserveAspectRatio: "xMidYMid slice", "aria-hidden": "true" },
              (pages[i].cover || plainCover)(),
            ),
            h("span", { class: "game-title" }, game.title),
            h(
              "span",
              { class: "game-facts" },
              h("span", {}, t("shelf.players", { n: game.players[1], range: range(game.players) })),
              h(
                "span",
                {},
                [
                  game.minutes && t("shelf.minutes", { n: game.minutes }),
                  game.age && t("shelf.age", { n: game.age }),
                ]
                  .filter(Boolean)
                  .join(" · "),
              ),
            ),
            h("span", { class: "game-about" }, game.about),
            lastPlayed(stored, game.key),
          ),
        ),
      ),
      faults.map((box) =>
        h(
          "section",
          { class: "card bad-words", role: "alert", "data-fault": box.key },
          h("b", {}, box.title),
          ". ",
          t("box.fault"),
          " ",
          box.fault,
          " ",
          h("a", { href: "/box" }, t("box")),
        ),
      ),
      h(
        "div",
        { class: "shelf-foot" },
        stored.length ? h("section", { class: "card" }, savedList(stored.slice(0, 1), covers)) : null,
        stored.length > 1
          ? h(
              "button",
              { "data-key": "all-saved", onclick: () => dialog(t("saved"), savedList(stored, covers)) },
              `${t("saved")} (${stored.length})`,
            )
          : null,
        h("a", { class: "button", href: "/box", "data-key": "my-box" }, t("box")),
        // Whoever has played here knows the way.
        me.fresh && !stored.length
          ? h(
              "section",
              { class: "card offer" },
              h("p", {}, t("wizard.offer")),
              h("a", { class: "button", href: "/workshop#wizard" }, t("wizard.offer.go")),
            )
          : null,
      ),
    ),
  );
}

const range = ([few, many]) => (few === many ? String(few) : `${few}–${many}`);

/** When a game was on the table last. */
function lastPlayed(stored, key) {
  const last = stored.find((one) => one.game === key);
  if (!last) return null;
  const day = new Date(last.started).toLocaleDateString(document.documentElement.lang);
  return h("span", { class: "game-last quiet" }, t("shelf.last", { day }));
}

/** Asks for another name of a stored game. */
function rename(one) {
  const title = h("input", { id: "title", maxlength: 24, value: one.called });
  const close = dialog(
    t("saved.name"),
    h(
      "form",
      {
        onsubmit: async (event) => {
          event.preventDefault();
          close();
          await change("/api/entitle", { number: one.number, title: title.value });
        },
      },
      h("label", { for: "title" }, one.title),
      title,
      h("div", { class: "buttons" }, h("button", { class: "go" }, t("owner.save"))),
    ),
  );
}

/** Asks once more before a stored game is gone. */
function askToDelete(one) {
  const close = dialog(
    t("saved.delete"),
    h("p", {}, t("saved.delete.text", { name: one.called || one.title })),
    h(
      "div",
      { class: "buttons" },
      h(
        "button",
        {
          class: "go",
          "data-key": "delete-now",
          onclick: async () => {
            close();
            await change("/api/delete", { number: one.number });
          },
        },
        t("saved.delete"),
      ),
    ),
  );
}

async function change(path, body) {
  try {
    await post(path, body);
    location.reload();
  } catch (problem) {
    toast(problem.message, "bad");
  }
}

/** The list of stored games, each with a picture, who played, and a button to go on. */
export function savedList(stored, covers = new Map()) {
  return h(
    "ul",
    { class: "saved" },
    stored.slice(0, 12).map((one) =>
      h(
        "li",
        {},
        covers.has(one.game)
          ? s(
              "svg",
              { class: "saved-cover", viewBox: "0 0 90 78", "aria-hidden": "true" },
              covers.get(one.game)(),
            )
          : null,
        h(
          "span",
          { class: "saved-about" },
          h("b", {}, one.called || one.title),
          one.called ? h("span", { class: "quiet" }, ` ${one.title}`) : null,
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
          h(
            "span",
            { class: "saved-people" },
            one.people.map(([name, face]) => [faceOf(face, { name }), name, " "]),
          ),
        ),
        h(
          "button",
          { class: "small", "data-key": `name-${one.number}`, onclick: () => rename(one) },
          t("saved.name"),
        ),
        one.on_table
          ? null
          : h(
              "button",
              { class: "small", "data-key": `delete-${one.number}`, onclick: () => askToDelete(one) },
              t("saved.delete"),
            ),
        one.old_rules || one.other_box
          ? h("span", { class: "quiet" }, t(one.old_rules ? "saved.old" : "saved.other-box"))
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

/** The options of one kind: who plays and how hard it is are seen at once, the readings of rules on demand. */
function drawGroup(group, options, drawn) {
  if (!options.length) return null;
  const seen = group === "readings" ? 0 : SHOWN;
  const more = options.slice(seen);
  return h(
    "fieldset",
    { class: "option-group", "data-group": group },
    h("legend", {}, t(`options.${group}`)),
    options.slice(0, seen).map(drawn),
    more.length
      ? h(
          "details",
          {},
          h("summary", {}, t("more-options", { n: more.length })),
          group === "readings" ? h("p", { class: "quiet" }, t("options.readings.text")) : null,
          more.map(drawn),
        )
      : null,
  );
}

/** Puts the first game of a game on the table. */
async function teach(game, close) {
  try {
    await post("/api/teach", { game: game.key });
    close();
  } catch (problem) {
    toast(problem.message, "bad");
  }
}

/** Asks for the options of a game; `suggested` are values where the rules leave it open, by option. */
function openForm(game, suggested) {
  const rank = (option) => {
    const at = FIRST.indexOf(option.name);
    return at < 0 ? FIRST.length : at;
  };
  const sorted = [...game.fields].sort((a, b) => rank(a) - rank(b));
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
          const { number } = await post("/api/start", { game: game.key, options });
          close();
          openLobby(number);
        } catch (problem) {
          toast(problem.answer?.detail || problem.message, "bad");
        }
      },
    },
    h("p", {}, game.about),
    game.lesson
      ? h(
          "button",
          { type: "button", "data-key": "teach", onclick: () => teach(game, () => close()) },
          t("lesson.teach", { n: game.lesson }),
        )
      : null,
    game.unchecked
      ? h(
          "p",
          { class: "quiet" },
          h("span", { class: "doubt", "aria-hidden": "true" }, "?"),
          " ",
          t("box.start", { n: game.unchecked }),
          " ",
          h("a", { href: `/box#${game.key}` }, t("box")),
        )
      : null,
    GROUPS.map((group) =>
      drawGroup(
        group,
        sorted.filter((option) => option.group === group),
        drawn,
      ),
    ),
    h("div", { class: "buttons" }, h("button", { class: "go" }, t("start"))),
  );
  const close = dialog(game.title, form);
}
