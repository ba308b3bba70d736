// My box: leads the owner through what nobody has checked, card by card, with pictures.

import { head } from "./chrome.js";
import { announce, h, replace, s, toast } from "./dom.js";
import { get, me, post, postFile, whoAmI } from "./net.js";
import { t } from "./text.js";
import { attempt } from "./workshop_bench.js";

const main = document.getElementById("main");
const PHOTO_EDGE = 1200;
const FEW = 6;
/** Open sides as the page draws them: where a way leaves a card of 60 × 90. */
const EDGE = { N: [30, 0], E: [60, 45], S: [30, 90], W: [0, 45] };
const RUNS = {
  together: ["NESW"],
  "north-east": ["NE", "SW"],
  "north-west": ["ES", "NW"],
  crossing: ["NS", "EW"],
};

export async function open() {
  addEventListener("hashchange", draw);
  await draw();
}

async function draw() {
  await whoAmI();
  head(
    document.getElementById("top"),
    t("box"),
    draw,
    h("a", { href: "/" }, t("table")),
    h("a", { href: "/workshop" }, t("workshop")),
  );
  if (!me.host) {
    replace(main, h("div", { class: "card narrow" }, h("h1", {}, t("box")), h("p", {}, t("error.not-host"))));
    return;
  }
  const [key, subject] = location.hash.slice(1).split("/");
  try {
    if (!key) await drawGames();
    else await drawBox(key, subject && decodeURIComponent(subject));
  } catch (problem) {
    if (!key) throw problem;
    toast(problem.answer?.detail || problem.message, "bad");
    location.hash = "";
  }
}

// The boxes ------------------------------------------------------------------------------------------

async function drawGames() {
  const games = await get("/api/box");
  replace(
    main,
    h(
      "div",
      { class: "boxes" },
      h("h1", {}, t("box")),
      h("p", { class: "quiet" }, t("box.text")),
      h("ul", { class: "box-list" }, games.map(oneGame)),
    ),
  );
}

function oneGame(game) {
  if (game.fault) {
    return h(
      "li",
      { class: "card" },
      h("h2", {}, game.title),
      h("p", { class: "bad-words", role: "alert" }, t("box.fault"), " ", game.fault),
      h(
        "div",
        { class: "buttons" },
        h(
          "button",
          {
            "data-key": `aside-${game.key}`,
            onclick: async () => {
              if (await attempt(() => post("/api/box/forget", { game: game.key }))) await drawGames();
            },
          },
          t("box.aside"),
        ),
      ),
    );
  }
  const checked = game.facts - game.unchecked;
  return h(
    "li",
    {},
    h(
      "a",
      { class: "card box-card", href: `#${game.key}`, "data-box": game.key },
      h("h2", {}, game.title),
      h("progress", { max: game.facts, value: checked, "aria-label": t("box.checked") }),
      h(
        "span",
        { class: "quiet" },
        game.unchecked ? t("box.unchecked", { n: game.unchecked }) : `✓ ${t("box.all-checked")}`,
      ),
    ),
  );
}

// One box --------------------------------------------------------------------------------------------

const isDoubtful = (subject) => subject.facts.some((fact) => fact.plays && fact.origin === "unchecked");

async function drawBox(key, wanted) {
  const box = await get("/api/box/facts", { game: key });
  const doubtful = box.subjects.filter(isDoubtful);
  const subject = box.subjects.find((one) => one.id === wanted) || doubtful[0] || box.subjects[0];
  replace(
    main,
    h(
      "div",
      { class: "box-page" },
      h("p", {}, h("a", { href: "#" }, `‹ ${t("box")}`)),
      h(
        "div",
        { class: "box-head" },
        h("h1", {}, box.title),
        h(
          "span",
          { class: "quiet", "data-left": doubtful.length },
          doubtful.length ? t("box.cards-left", { n: doubtful.length }) : `✓ ${t("box.all-checked")}`,
        ),
      ),
      h("progress", {
        max: box.subjects.length,
        value: box.subjects.length - doubtful.length,
        "aria-label": t("box.checked"),
      }),
      question(box, subject),
      h(
        "details",
        { "data-key": "all" },
        h("summary", {}, t("box.all")),
        h(
          "ul",
          { class: "box-subjects" },
          box.subjects.map((one) =>
            h(
              "li",
              {},
              h(
                "a",
                {
                  href: `#${key}/${encodeURIComponent(one.id)}`,
                  "aria-current": one === subject ? "true" : undefined,
                },
                sign(one),
                ` ${one.about} `,
                h("span", { class: "quiet" }, one.id.split(".")[1]),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

/** How much is known about a card: checked by the owner, from the book, or by nobody. */
function sign(subject) {
  if (isDoubtful(subject)) return h("span", { class: "doubt", title: t("box.origin.unchecked") }, "?");
  const own = subject.facts.some((fact) => fact.origin === "owner");
  return h(
    "span",
    { class: "sure", title: t(own ? "box.origin.owner" : "box.origin.book") },
    own ? "✓" : "·",
  );
}

function question(box, subject) {
  const values = Object.fromEntries(subject.facts.map((fact) => [fact.id, fact.value]));
  const shown = { ...values };
  const picture = h("div", { class: "box-picture" });
  const redraw = () => replace(picture, pictureOf(box, subject, values, redraw));
  const after = [...box.subjects.slice(box.subjects.indexOf(subject) + 1), ...box.subjects].find(
    (one) => one !== subject && isDoubtful(one),
  );
  const form = h(
    "form",
    {
      class: "card box-question",
      "data-subject": subject.id,
      onsubmit: async (event) => {
        event.preventDefault();
        if (!(await keep(box, subject, values, shown))) return;
        announce(t("box.kept"));
        const next = after ? `#${box.key}/${encodeURIComponent(after.id)}` : `#${box.key}`;
        if (location.hash === next) await draw();
        else location.hash = next;
      },
    },
    picture,
    h(
      "div",
      { class: "box-facts" },
      h("h2", {}, subject.about),
      subject.facts
        .filter((fact) => fact.kind !== "sides")
        .map((fact) => control(fact, subject.about, values, redraw)),
      h(
        "div",
        { class: "buttons" },
        h("button", { class: "go", "data-key": "as-in-my-box" }, t("box.yes")),
        after
          ? h("a", { class: "button", href: `#${box.key}/${encodeURIComponent(after.id)}` }, t("box.later"))
          : null,
        subject.facts.some((fact) => fact.origin === "owner")
          ? h(
              "button",
              {
                type: "button",
                class: "quiet-button",
                "data-key": "forget",
                onclick: async () => {
                  const asked = { game: box.key, subject: subject.id };
                  if (await attempt(() => post("/api/box/forget", asked))) await draw();
                },
              },
              t("box.forget"),
            )
          : null,
      ),
    ),
  );
  redraw();
  return form;
}

/** Sends what the page shows: all that the rules use is confirmed, words only where they were changed. */
async function keep(box, subject, values, shown) {
  const entered = {};
  for (const fact of subject.facts) {
    // What belonged to another effect goes with it.
    const parent = fact.id.replace(/\.\d+$/, "");
    if (parent !== fact.id && values[parent] !== shown[parent]) continue;
    if (fact.plays || values[fact.id] !== shown[fact.id]) entered[fact.id] = values[fact.id];
  }
  try {
    return await post("/api/box", { game: box.key, values: entered });
  } catch (problem) {
    toast(problem.answer?.detail || problem.message, "bad");
    return undefined;
  }
}

// How a fact is asked --------------------------------------------------------------------------------

function control(fact, about, values, redraw) {
  const id = `fact-${fact.id}`;
  const set = (value) => {
    values[fact.id] = value;
    redraw();
  };
  const label = [fact.ask, " ", origin(fact)];
  if (fact.kind === "number") {
    return h("div", { class: "field" }, h("span", { id }, label), stepper(fact, id, set));
  }
  if (fact.kind === "choice") return choices(fact, id, label, set);
  if (fact.kind === "order") return order(fact, id, label, set);
  if (fact.kind === "cells") return cells(fact, id, label, set);
  return h(
    "div",
    { class: "field wide" },
    h("label", { for: id }, label),
    h("input", {
      id,
      value: fact.value,
      maxlength: fact.high,
      placeholder: fact.id.endsWith(".name") ? about : "",
      autocomplete: "off",
      oninput: (event) => (values[fact.id] = event.target.value),
    }),
  );
}

const origin = (fact) =>
  fact.plays && fact.origin === "unchecked"
    ? h("span", { class: "doubt", title: t("box.origin.unchecked") }, "?")
    : null;

function stepper(fact, id, set) {
  let value = fact.value;
  const shown = h("output", { "data-fact": fact.id, "aria-labelledby": id }, String(value));
  const step = (by) =>
    h(
      "button",
      {
        type: "button",
        "data-step": `${fact.id}${by > 0 ? "+" : "-"}`,
        "aria-label": `${fact.ask}: ${by > 0 ? "+1" : "−1"}`,
        onclick: () => {
          value = Math.min(fact.high, Math.max(fact.low, value + by));
          shown.textContent = String(value);
          set(value);
        },
      },
      by > 0 ? "+" : "−",
    );
  return h("span", { class: "stepper" }, step(-1), shown, step(1));
}

function choices(fact, id, label, set) {
  if (fact.choices.length > FEW) {
    return h(
      "div",
      { class: "field wide" },
      h("label", { for: id }, label),
      h(
        "select",
        { id, "data-fact": fact.id, onchange: (event) => set(event.target.value) },
        fact.choices.map(([word, said]) => h("option", { value: word, selected: word === fact.value }, said)),
      ),
    );
  }
  return h(
    "fieldset",
    { class: "box-choices" },
    h("legend", {}, label),
    fact.choices.map(([word, said], i) =>
      h(
        "span",
        { class: "choice" },
        h("input", {
          type: "radio",
          name: id,
          id: `${id}-${i}`,
          value: word,
          checked: word === fact.value,
          onchange: () => set(word),
        }),
        h("label", { for: `${id}-${i}` }, said),
      ),
    ),
  );
}

/** Things in a row: tapping one and then another changes their places. */
function order(fact, id, label, set) {
  const words = fact.value.split(" ");
  const said = new Map(fact.choices);
  const row = h("span", { class: "box-order", role: "group", "aria-labelledby": id });
  let first = -1;
  const fill = () =>
    replace(
      row,
      words.map((word, i) =>
        h(
          "button",
          {
            type: "button",
            "data-key": `${id}-${i}`,
            "data-word": word,
            "aria-pressed": first === i ? "true" : "false",
            onclick: () => {
              if (first < 0) first = i;
              else {
                [words[first], words[i]] = [words[i], words[first]];
                first = -1;
                set(words.join(" "));
              }
              fill();
            },
          },
          said.get(word),
        ),
      ),
    );
  fill();
  return h("div", { class: "field wide" }, h("span", { id }, label), row);
}

const GRID = 6;

/** A shape of cells: tapping one covers it or lets it free. */
function cells(fact, id, label, set) {
  const rows = fact.value.split("/");
  const on = new Set();
  rows.forEach((row, y) => [...row].forEach((one, x) => one === "#" && on.add(y * GRID + x)));
  const write = () =>
    Array.from({ length: GRID }, (_row, y) =>
      Array.from({ length: GRID }, (_cell, x) => (on.has(y * GRID + x) ? "#" : ".")).join(""),
    ).join("/");
  return h(
    "fieldset",
    { class: "box-choices" },
    h("legend", { id }, label),
    h(
      "div",
      { class: "box-cells" },
      Array.from({ length: GRID * GRID }, (_, i) =>
        h("button", {
          type: "button",
          "data-cell": i,
          "aria-label": `${(i % GRID) + 1}, ${Math.floor(i / GRID) + 1}`,
          "aria-pressed": on.has(i) ? "true" : "false",
          onclick: (event) => {
            if (on.has(i)) on.delete(i);
            else on.add(i);
            event.currentTarget.setAttribute("aria-pressed", on.has(i) ? "true" : "false");
            set(write());
          },
        }),
      ),
    ),
  );
}

// Pictures -------------------------------------------------------------------------------------------

function pictureOf(box, subject, values, redraw) {
  const sides = subject.facts.find((fact) => fact.kind === "sides");
  const ours = sides
    ? tunnel(subject, sides, values, redraw)
    : h("img", {
        class: "box-drawing",
        alt: "",
        src: `/api/box/picture.svg?game=${box.key}&face=${encodeURIComponent(subject.id)}&lang=${document.documentElement.lang}`,
        onerror: (event) => event.target.remove(),
      });
  return [ours, photograph(box, subject, redraw)];
}

/** A tunnel card: its edges are tapped open and shut. */
function tunnel(subject, fact, values, redraw) {
  const value = (name) => values[`${subject.id}.${name}`];
  const isOpen = (side) => values[fact.id].includes(side);
  const runs = (RUNS[value("ways")] || RUNS.together)
    .map((run) => [...run].filter(isOpen))
    .filter((run) => run.length);
  const ways = runs.flatMap((run) => {
    const bend = runs.length > 1 && !["NS", "EW"].includes(run.join(""));
    const middle = bend
      ? [
          30 + 0.4 * run.reduce((sum, side) => sum + EDGE[side][0] - 30, 0),
          45 + 0.4 * run.reduce((sum, side) => sum + EDGE[side][1] - 45, 0),
        ]
      : [30, 45];
    return run.map((side) => s("path", { d: `M${EDGE[side]} L${middle}`, class: "box-way" }));
  });
  const feature = value("feature");
  const at = EDGE[value("at")] || [30, 45];
  const spot = [30 + (at[0] - 30) * 0.55, 45 + (at[1] - 45) * 0.55];
  const marks = { hole: "●", ladder: "≡", bridge: "▤", passage: "∩", gold: "◆" };
  return h(
    "div",
    { class: "box-tunnel" },
    h("p", { class: "quiet" }, fact.ask, " ", origin(fact)),
    h(
      "div",
      { class: "box-tunnel-card" },
      s(
        "svg",
        { viewBox: "0 0 60 90", "aria-hidden": "true" },
        s("rect", { width: 60, height: 90, rx: 4, class: "box-rock" }),
        ways,
        marks[feature]
          ? s("text", { x: spot[0], y: spot[1] + 4.5, class: `box-mark ${feature}` }, marks[feature])
          : null,
      ),
      Object.keys(EDGE).map((side) =>
        h("button", {
          type: "button",
          class: `box-edge ${side}`,
          "data-side": side,
          "data-key": `side-${side}`,
          "aria-label": t(`box.side.${side}`),
          "aria-pressed": isOpen(side) ? "true" : "false",
          onclick: () => {
            values[fact.id] = Object.keys(EDGE)
              .filter((one) => isOpen(one) !== (one === side))
              .join("");
            redraw();
          },
        }),
      ),
    ),
  );
}

/** The owner's own photograph beside the question. */
function photograph(box, subject, redraw) {
  const query = `game=${box.key}&face=${encodeURIComponent(subject.id)}`;
  const file = h("input", {
    id: "box-photo",
    class: "unseen",
    type: "file",
    accept: "image/*",
    onchange: () => keepPhoto(file.files[0]),
  });
  const keepPhoto = async (picture) => {
    const small = await attempt(() => shrink(picture));
    const asked = { game: box.key, face: subject.id };
    if (!small || !(await attempt(() => postFile("/api/box/photo", small, "image/jpeg", asked)))) return;
    subject.has_photo = true;
    redraw();
  };
  return h(
    "div",
    { class: "box-photo" },
    subject.has_photo
      ? h("img", { src: `/api/box/photo.jpg?${query}&t=${Date.now()}`, alt: t("box.photo.alt") })
      : null,
    file,
    h(
      "label",
      { class: "button small", for: "box-photo" },
      t(subject.has_photo ? "box.photo.again" : "box.photo"),
    ),
    h(
      "button",
      {
        type: "button",
        class: "small",
        "data-key": "table-camera",
        onclick: async () => {
          const picture = await attempt(() => fromTable(box.key));
          if (picture) await keepPhoto(picture);
        },
      },
      t("box.photo.table"),
    ),
  );
}

/** What the table's own camera sees now. */
async function fromTable(game) {
  await post("/api/workshop/open", { game });
  const answer = await fetch("/api/workshop/picture.jpg", { cache: "no-store" });
  if (!answer.ok) throw new Error((await answer.json()).text);
  return answer.blob();
}

/** A photograph small enough to keep. */
async function shrink(file) {
  const image = await createImageBitmap(file);
  const scale = Math.min(1, PHOTO_EDGE / Math.max(image.width, image.height));
  const canvas = h("canvas", {
    width: Math.round(image.width * scale),
    height: Math.round(image.height * scale),
  });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.8));
}
