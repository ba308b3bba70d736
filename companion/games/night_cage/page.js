// The Night Cage: stone passages in the dark, candles that throw their light, things that eat wax.

import { h, s } from "/static/js/dom.js";
import { t } from "/static/js/text.js";

const N = 1,
  E = 2,
  S = 4,
  W = 8;
const OPEN = { start: S | W, straight: E | W, tee: N | E | S, "cracked-tee": N | E | S, omen: S };
const CRUMBLE = new Set(["start", "straight", "cracked-tee", "key", "spent-key"]);
const COLOUR = { red: "#f0695a", blue: "#62a8f0", green: "#6fc26a", yellow: "#f2d04b", purple: "#b48cf0" };
const HALF = 31.75,
  HALL = 11;

const ICON = {
  key: () =>
    s(
      "g",
      { class: "nc-gold" },
      s("circle", { cy: -6, r: 5.5, fill: "none", "stroke-width": 3 }),
      s("path", { d: "M0 -1 V13 M0 8 H5 M0 12.5 H4.5", fill: "none", "stroke-width": 3 }),
    ),
  gate: () =>
    s(
      "g",
      { class: "nc-iron" },
      s("path", { d: "M-13 15 V-4 A13 13 0 0 1 13 -4 V15 Z", "stroke-width": 2.4 }),
      s("path", { d: "M-6.5 15 V-14 M0 15 V-17 M6.5 15 V-14 M-13 4 H13", fill: "none", "stroke-width": 1.8 }),
    ),
  wax: () =>
    s(
      "g",
      {},
      s("path", {
        d: "M-15 14 Q-20 -16 0 -18 Q20 -16 15 14 Q8 8 5 15 Q0 8 -5 15 Q-8 8 -15 14 Z",
        class: "nc-beast",
      }),
      s("circle", { cx: -6, cy: -5, r: 3, class: "nc-eye" }),
      s("circle", { cx: 6, cy: -5, r: 3, class: "nc-eye" }),
      s("path", { d: "M-7 5 Q0 10 7 5", class: "nc-mouth" }),
    ),
  keeper: () =>
    s(
      "g",
      {},
      s("path", { d: "M-12 16 L-9 -10 Q0 -20 9 -10 L12 16 Z", class: "nc-beast amber" }),
      s("circle", { cy: -6, r: 3.4, class: "nc-eye" }),
      s("path", { d: "M0 -2 V10", class: "nc-mouth" }),
    ),
  fiend: () =>
    s(
      "g",
      {},
      s("path", {
        d: "M-16 -14 L-6 -6 L0 -16 L6 -6 L16 -14 L11 12 L0 18 L-11 12 Z",
        class: "nc-beast violet",
      }),
      s("circle", { cx: -5, r: 2.6, class: "nc-eye" }),
      s("circle", { cx: 5, r: 2.6, class: "nc-eye" }),
    ),
  pathless: () =>
    s(
      "g",
      {},
      s("path", { d: "M0 -19 L5 -5 L19 0 L5 5 L0 19 L-5 5 L-19 0 L-5 -5 Z", class: "nc-beast" }),
      s("circle", { r: 4, class: "nc-eye" }),
    ),
  omen: () =>
    s(
      "g",
      {},
      s("circle", { r: 11, class: "nc-beast violet" }),
      s("path", { d: "M-11 0 Q0 -9 11 0 Q0 9 -11 0 Z", class: "nc-white" }),
      s("circle", { r: 3, class: "nc-eye" }),
    ),
};

/** The joints between the flagstones of a hall that leads up. */
const FLAGS = "M-11 -25 H11 M-11 -18 H11 M-11 -11 H11 M-3 -31 V-25 M4 -25 V-18 M-5 -18 V-11";

/** The bricks of the walls, in courses of which every second one is shifted. */
const BRICKS = Array.from({ length: 8 }, (_, row) => {
  const y = -HALF + 1 + row * 7.7;
  const from = -HALF + 1 + (row % 2 ? 6 : 12);
  const joints = [0, 1, 2, 3, 4].map((i) => from + 12 * i).filter((x) => x < HALF - 1);
  return `M${-HALF + 1} ${y} H${HALF - 1} ${joints.map((x) => `M${x} ${y} v7.7`).join(" ")}`;
}).join(" ");

const rock = () => [
  s("rect", { x: -HALF + 1, y: -HALF + 1, width: 61.5, height: 61.5, rx: 3, class: "nc-rock" }),
  s("path", { d: BRICKS, class: "nc-joint" }),
];

/** A tile of the labyrinth, centred. */
function tile(name) {
  if (name === "pit" || name === "dirge") {
    return s(
      "g",
      {},
      rock(),
      s("path", {
        d: "M-24 -3 L-19 -15 L-6 -21 L9 -19 L21 -11 L25 3 L17 16 L2 21 L-14 18 Z",
        class: "nc-pit",
      }),
      s("path", { d: "M-17 -1 L-12 -10 L-2 -14 L10 -11 L17 -2 L12 10 L0 14 L-12 11 Z", class: "nc-deep" }),
      s("path", { d: "M-24 -3 L-17 -1 M9 -19 L10 -11 M17 16 L12 10 M-14 18 L-12 11", class: "nc-crack" }),
      name === "dirge" ? ICON.omen() : null,
    );
  }
  const open = OPEN[name] ?? 15;
  const arms = [
    [N, 0],
    [E, 90],
    [S, 180],
    [W, 270],
  ]
    .filter(([side]) => open & side)
    .map(([, turn]) => turn);
  const along = (d, kind) => arms.map((turn) => s("path", { d, class: kind, transform: `rotate(${turn})` }));
  return s(
    "g",
    {},
    rock(),
    along(`M${-HALL - 1.6} ${-HALF + 1} H${HALL + 1.6} V0 H${-HALL - 1.6} Z`, "nc-kerb"),
    s("rect", {
      x: -HALL - 1.6,
      y: -HALL - 1.6,
      width: 2 * HALL + 3.2,
      height: 2 * HALL + 3.2,
      rx: 2,
      class: "nc-kerb",
    }),
    along(`M${-HALL} ${-HALF + 1} H${HALL} V0 H${-HALL} Z`, "nc-floor"),
    s("rect", { x: -HALL, y: -HALL, width: 2 * HALL, height: 2 * HALL, rx: 2, class: "nc-floor" }),
    along(FLAGS, "nc-flag"),
    s("path", { d: "M-11 -3.6 H11 M-11 3.8 H11 M-4 -11 V-3.6 M5 -3.6 V3.8 M-5 3.8 V11", class: "nc-flag" }),
    CRUMBLE.has(name)
      ? s("path", { d: "M-9 -4 L-3 1 L-6 6 L1 10 M9 -7 L4 -2 L8 3", class: "nc-crack" })
      : null,
    ICON[name]?.(),
  );
}

function pawn(name, lit, hasKey) {
  return s(
    "g",
    { class: "nc-pawn", fill: COLOUR[name] },
    s("ellipse", { cy: 10, rx: 10, ry: 4.5, fill: "#0008" }),
    s("path", {
      d: "M-8.5 10 Q-7 -2 -3.4 -4 A5 5 0 1 1 3.4 -4 Q7 -2 8.5 10 Z",
      stroke: "#14100c",
      "stroke-width": 1.4,
    }),
    lit
      ? s("path", { d: "M0 -22 q4.6 6 0 10 q-4.6 -4 0 -10", class: "nc-flame" })
      : s("path", { d: "M0 -20 q3 3 0 6", class: "nc-smoke" }),
    hasKey ? s("g", { transform: "translate(10 -6) scale(0.5)" }, ICON.key()) : null,
  );
}

function prisoners(ctx) {
  return h(
    "ul",
    { class: "roster" },
    ctx.view.prisoners.map((one, i) =>
      h(
        "li",
        { class: one.name === ctx.view.turn ? "acts" : "" },
        h("span", { class: "dot", style: { background: COLOUR[one.name] }, "aria-hidden": "true" }),
        h("b", {}, ctx.view.prisoners.length === ctx.room.seats.length ? ctx.name(i) : ctx.word(one.name)),
        h("span", {}, t(one.candle ? "cage.lit" : "cage.unlit")),
        one.key ? h("span", {}, t("cage.has-key")) : null,
        h("span", {}, t("cage.nerve", { n: one.nerve })),
        one.line !== null ? h("span", {}, t("cage.falls")) : null,
      ),
    ),
  );
}

export default {
  /** A dungeon: one candle that crackles. */
  room: {
    pitch: 1,
    interval: 1.5,
    wind: 260,
    sharp: 1.2,
    every: 0.7,
    grains: [
      { from: 3800, to: 2600, gain: 0.16, decay: 0.02, q: 3 },
      { from: 4700, to: 2600, gain: 0.16, decay: 0.02, q: 3 },
      { from: 5600, to: 2600, gain: 0.16, decay: 0.02, q: 3 },
    ],
  },
  cover: () => [
    s("path", { d: "M0 0 H90 V78 H0 Z", class: "p-rock" }),
    s("path", {
      d: "M0 8 H90 M0 18 H90 M0 28 H90 M0 50 H90 M0 60 H90 M0 70 H90 M10 8 v10 M34 8 v10 M62 8 v10 M20 18 v10 M74 18 v10 M8 28 v10 M84 28 v10 M14 50 v10 M70 50 v10 M24 60 v10 M80 60 v10 M10 70 v8 M66 70 v8",
      class: "p-joint",
    }),
    s("path", { d: "M0 39 H90 M45 0 V78", class: "p-dug" }),
    s("path", { d: "M0 39 H90 M45 0 V78", class: "p-floor" }),
    s("circle", { cx: 45, cy: 39, r: 31, class: "p-halo" }),
    s("circle", { cx: 45, cy: 39, r: 19, class: "p-halo" }),
    s("path", { d: "M37 60 Q39 45 42 43 a4.6 4.6 0 1 1 6 0 Q51 45 53 60 Z", class: "p-coat" }),
    s("rect", { x: 52, y: 34, width: 5, height: 13, rx: 1.4, class: "p-wax" }),
    s("path", { d: "M54.5 22 q5 7 0 11.5 q-5 -4.5 0 -11.5", class: "p-lamp" }),
    s("path", { d: "M4 36 q3 -8 8 -3 q5 -5 8 3 v9 l-4 -3 -4 4 -4 -4 -4 3 Z", class: "p-shade" }),
    s("circle", { cx: 9, cy: 36.5, r: 1.3, class: "p-eye" }),
    s("circle", { cx: 15, cy: 36.5, r: 1.3, class: "p-eye" }),
  ],
  flat: true,
  /**
   * The letters and numbers of the lines need less than the tiles that lie there in a fall. A phone held upright
   * shows the labyrinth alone, as large as it can, as long as nothing beside it is asked for.
   */
  viewBox({ game, frame, seat, targets }) {
    const { cells } = game.board;
    const edge = (side, by, some) =>
      some.map(({ centre_mm, size_mm }) => centre_mm[side] + (by * size_mm[side]) / 2);
    const isInside = (place) => place.zone !== "draw" && place.zone !== "burnt";
    const alone =
      seat !== undefined &&
      globalThis.matchMedia?.("(orientation: portrait)").matches &&
      [...(targets?.keys() || [])].every((cell) => isInside(cells[cell]));
    const shown = cells.filter((place) => place.zone !== "fall" && (!alone || isInside(place)));
    const fall = cells.filter((place) => place.zone === "fall");
    const falls = Object.keys(frame.layout || {}).some((cell) => cells[cell].zone === "fall");
    const before = falls ? 28 : 14;
    const x = Math.min(...fall.map((place) => place.centre_mm[0])) - before,
      y = Math.min(...fall.map((place) => place.centre_mm[1])) - before;
    const right = Math.max(...edge(0, 1, shown)) + 8,
      bottom = Math.max(...edge(1, 1, shown)) + 8;
    return `${x} ${y} ${right - x} ${bottom - y}`;
  },
  ground: ({ game }) => [
    s("rect", {
      x: -8,
      y: -8,
      width: game.board.size_mm[0] + 10,
      height: game.board.size_mm[1] + 16,
      rx: 14,
      class: "nc-ground",
    }),
  ],
  place(ctx, place) {
    const [x, y] = place.centre_mm,
      [w, hh] = place.size_mm;
    if (place.zone === "fall") {
      return s(
        "text",
        {
          x,
          y,
          class: "nc-line",
          "text-anchor": "middle",
          "dominant-baseline": "central",
          "font-size": Math.max(14, ctx.least || 0),
        },
        place.name.split("-")[1].toUpperCase(),
      );
    }
    return s("rect", {
      x: x - w / 2 + 1.5,
      y: y - hh / 2 + 1.5,
      width: w - 3,
      height: hh - 3,
      rx: 6,
      class: place.zone === "draw" ? "nc-draw" : place.zone === "burnt" ? "nc-burnt" : "nc-void",
    });
  },
  piece(ctx, { face, info, i, of }) {
    if (info?.kind !== "pawn") return tile(face);
    const one = ctx.view.prisoners.find((prisoner) => prisoner.name === face);
    const nth = i - (of - ctx.view.prisoners.filter((p) => p.cell === one.cell && one.cell !== null).length);
    const several = of > 2;
    return s(
      "g",
      { transform: several ? `translate(${(nth % 2 ? 1 : -1) * 11} ${nth > 1 ? 9 : -3})` : "" },
      pawn(face, one.candle, one.key),
    );
  },
  over({ game, view }) {
    const drawn = game.board.cells[game.index.get("drawn")];
    const [x] = drawn.centre_mm;
    const share = Math.min(1, view.stack / 66),
      full = 130;
    return s(
      "g",
      { class: "nc-candle" },
      s("rect", {
        x: x - 17,
        y: 50 + full * (1 - share),
        width: 34,
        height: full * share,
        rx: 5,
        class: "nc-wax",
      }),
      view.stack
        ? s("path", { d: `M${x} ${24 + full * (1 - share)} q11 14 0 25 q-11 -11 0 -25`, class: "nc-flame" })
        : null,
      s("text", { x, y: 205, "text-anchor": "middle", "font-size": 24 }, String(view.stack)),
    );
  },
  owner: ({ view, room }, { face }) =>
    view.prisoners.length === room.seats.length
      ? view.prisoners.findIndex((one) => one.name === face)
      : undefined,
  players: ({ view, room }) =>
    view.prisoners.length === room.seats.length
      ? view.prisoners.map((one) => ({
          colour: COLOUR[one.name],
          text: [t(one.candle ? "cage.lit" : "cage.unlit"), one.key && t("cage.has-key")]
            .filter(Boolean)
            .join(", "),
        }))
      : [],
  close: ({ view }) => [
    t("cage.close.keys", { n: view.prisoners.filter((one) => one.key).length, of: view.prisoners.length }),
    t("cage.close.stack", { n: view.stack }),
  ],
  hand({ frame, game, seat }) {
    if (seat === undefined) return [];
    const drawn = frame.layout?.[game.index.get("drawn")] || [];
    return [{ title: t("cage.drawn"), words: drawn.map(([face]) => face) }];
  },
  panel: prisoners,
  facts({ view, game, word }) {
    const odds = (name) => view.odds[name].map((share) => `${Math.round(100 * share)} %`).join(" · ");
    return [
      [t("cage.stack"), view.stack],
      [t("cage.gates"), view.gates],
      [t("cage.keys"), view.keys],
      [t("cage.monster"), odds("monster")],
      [t("cage.gate"), odds("gate")],
      [t("cage.key"), odds("key")],
      view.warnings.length
        ? h(
            "ul",
            { class: "warnings" },
            view.warnings.map((code) =>
              h("li", {}, game.texts[`why.${code}`]?.replace(/\{.*?\}/g, "") || code),
            ),
          )
        : null,
      h(
        "details",
        { class: "left", "data-key": "left" },
        h("summary", {}, t("cage.unseen")),
        h(
          "ul",
          {},
          Object.entries(view.unseen).map(([name, n]) => h("li", {}, `${word(name)}: ${n}`)),
        ),
      ),
    ].filter(Boolean);
  },
};
