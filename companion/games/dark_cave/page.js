// The Dark Cave: tunnel cards drawn from their data, dwarves, creatures, webs; the hand and the hidden clan.

import { h, s } from "/static/js/dom.js";
import { t } from "/static/js/text.js";

const W = 56,
  H = 87;
const EDGE = { N: [0, -H / 2 + 1], E: [W / 2 - 1, 0], S: [0, H / 2 - 1], W: [-W / 2 + 1, 0] };
const NEAR = { n: [0, -18], e: [13, 0], s: [0, 18], w: [-13, 0], c: [0, 0], a: [0, 0], b: [6, 8] };
const CLAN = { yellow: "#f0cf56", blue: "#6fabe0" };
/** What a card does, as drawings around its middle. */
const DEED = {
  info: "M-15 0 Q0 -15 15 0 Q0 15 -15 0 Z M-5 0 a5 5 0 1 0 10 0 a5 5 0 1 0 -10 0",
  rockfall: "M-12 -12 l8 -3 6 5 -4 7 -9 0 Z M3 -2 l8 -2 4 6 -5 6 -8 -3 Z M-9 4 l7 0 3 6 -6 5 -7 -4 Z",
  swap: "M-13 -5 H9 M4 -10 L10 -5 L4 0 M13 6 H-9 M-4 1 L-10 6 L-4 11",
  web: "M-14 0 H14 M0 -14 V14 M-10 -10 L10 10 M-10 10 L10 -10 M-7 0 L-5 -5 L0 -7 L5 -5 L7 0 L5 5 L0 7 L-5 5 Z",
  boots: "M-8 -13 V4 L-13 9 V12 H2 V-13 Z M5 -9 L11 -4 L5 1 M9 -9 L15 -4 L9 1",
  axe: "M-9 13 L6 -6 M1 -13 Q9 -13 13 -5 Q6 -6 3 0 L-3 -6 Q-1 -10 1 -13 Z",
};

const FEATURE = {
  hole: () => s("g", {}, s("ellipse", { rx: 8, ry: 6.4, class: "dc-hole" })),
  ladder: () => s("path", { d: "M-4 -9 V9 M4 -9 V9 M-4 -5 H4 M-4 0 H4 M-4 5 H4", class: "dc-ladder" }),
  bridge: () =>
    s("path", { d: "M-9 -4 H9 M-9 4 H9 M-6 -4 V4 M-2 -4 V4 M2 -4 V4 M6 -4 V4", class: "dc-ladder" }),
  passage: () => s("path", { d: "M-7 6 V-1 A7 7 0 0 1 7 -1 V6 Z", class: "dc-arch" }),
  gold: () => s("path", { d: "M0 -8 L7 -2 L4 7 H-4 L-7 -2 Z", class: "dc-gold" }),
  exit: () => s("g", {}, s("path", { d: "M-9 9 V-2 A9 9 0 0 1 9 -2 V9 Z", class: "dc-exit" })),
};

/** Where a segment of a card lies: in the middle of its openings, so that two that cross stay apart. */
function middle(card, segment) {
  if (card.segments.length === 1) return [0, 0];
  const open = Object.entries(card.edges)
    .filter(([, one]) => one === segment)
    .map(([side]) => EDGE[side]);
  if (!open.length) return NEAR[segment] || [0, 0];
  const x = open.reduce((sum, point) => sum + point[0], 0) / open.length,
    y = open.reduce((sum, point) => sum + point[1], 0) / open.length;
  return [x * 0.45, y * 0.45];
}

function tunnel(card) {
  const ways = Object.entries(card.edges).map(([side, segment]) => {
    const [x, y] = EDGE[side],
      [mx, my] = middle(card, segment);
    return `M${x} ${y} Q${x * 0.45} ${y * 0.45} ${mx} ${my}`;
  });
  const links = (card.links || []).map(
    ([a, b]) => `M${middle(card, a).join(" ")} L${middle(card, b).join(" ")}`,
  );
  const d = ways.join(" ");
  return s(
    "g",
    {},
    rock(card.id),
    ["rim", "wall", "chips", "way", "worn", "gravel"].map((name) => s("path", { d, class: `dc-${name}` })),
    hub(card),
    Object.keys(card.edges).map((side) => timber(side)),
    links.length ? s("path", { d: links.join(" "), class: "dc-link" }) : null,
    Object.entries(card.features || {}).map(([segment, feature]) =>
      s("g", { transform: `translate(${middle(card, segment).join(" ")})` }, FEATURE[feature]?.()),
    ),
  );
}

/** Stone as nobody has dug it yet: cracks and chips, the same for every card of one name. */
function rock(name) {
  let seed = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7);
  const next = (span) => {
    seed = (seed * 137 + 59) % 9973;
    return ((seed / 9973) * 2 - 1) * span;
  };
  const stones = Array.from({ length: 16 }, () => {
    const [x, y, size] = [next(W / 2 - 7), next(H / 2 - 7), 3.5 + next(1.8)];
    const corners = [0, 1, 2, 3, 4].map((i) => {
      const angle = (i * 2 * Math.PI) / 5 + next(0.5);
      return `${(x + size * Math.cos(angle)).toFixed(1)} ${(y + size * 0.8 * Math.sin(angle)).toFixed(1)}`;
    });
    return `M${corners.join(" L")} Z`;
  });
  return [
    s("rect", { x: -W / 2, y: -H / 2, width: W, height: H, rx: 4, class: "dc-rock" }),
    s("path", { d: stones.slice(0, 9).join(" "), class: "dc-stone" }),
    s("path", { d: stones.slice(9).join(" "), class: "dc-stone deep" }),
  ];
}

/** The props that hold up the mouth of a tunnel. */
function timber(side) {
  const [x, y] = EDGE[side];
  const turn = { N: 0, E: 90, S: 180, W: 270 }[side];
  return s(
    "g",
    { transform: `translate(${x} ${y}) rotate(${turn})`, class: "dc-timber" },
    s("path", { d: "M-8.4 0.4 V6 M8.4 0.4 V6 M-9.4 1.6 H9.4" }),
  );
}

/** The floor where the ways of a segment meet. */
function hub(card) {
  return card.segments.map((segment) => {
    const [x, y] = middle(card, segment);
    return [
      s("circle", { cx: x, cy: y, r: 7, class: "dc-hub" }),
      s("circle", { cx: x, cy: y, r: 4, class: "dc-hub worn" }),
    ];
  });
}

/** All drawings by name, made once per game. */
function drawings(game) {
  if (!game.cards) {
    const { tunnels, goals, start, actions } = game.data.cards;
    game.cards = new Map([...tunnels, ...goals, start].map((card) => [card.id, card]));
    game.deeds = new Map(actions.map((card) => [card.id, card]));
  }
  return game;
}

function shape(game, name) {
  return (
    drawings(game).cards.get(name) ||
    [...game.cards.values()].find((card) => name && (card.name === name || name.startsWith(card.id)))
  );
}

function cardFace(game, name) {
  const drawn = shape(game, name);
  if (drawn) return tunnel(drawn);
  const kind = drawings(game).deeds.get(name)?.kind || name.split("-")[0];
  const beast = CREATURE[kind];
  return s(
    "g",
    {},
    s("rect", { x: -W / 2, y: -H / 2, width: W, height: H, rx: 4, class: "dc-deed" }),
    s("rect", { x: -W / 2 + 4, y: -H / 2 + 4, width: W - 8, height: H - 8, rx: 2.5, class: "dc-deed-inner" }),
    s("path", { d: "M-24 30 L-14 20 L-6 27 L4 16 L13 25 L24 18 V39.5 H-24 Z", class: "dc-deed-hill" }),
    s("circle", { r: 20, cy: -4, class: "dc-deed-lamp" }),
    beast
      ? s(
          "g",
          { transform: "translate(0 -4) scale(0.36)" },
          beast.map(([tag, look]) => s(tag, look)),
        )
      : s("path", { d: DEED[kind] || DEED.info, class: "dc-deed-sign", transform: "translate(0 -4)" }),
  );
}

const dwarf = (colour, lying) =>
  s(
    "g",
    { class: "dc-dwarf", fill: CLAN[colour] || "#cbb896", transform: lying ? "rotate(90)" : "" },
    s("ellipse", { cy: 10, rx: 8, ry: 3.2, fill: "#0008" }),
    s("path", { d: "M-7 10 L-5 -1 H5 L7 10 Z" }),
    s("path", { d: "M-5.5 -1 Q0 7 5.5 -1 Z", fill: "#efe6d4" }),
    s("circle", { cy: -3.5, r: 4.2, fill: "#e9c8a0" }),
    s("path", { d: "M-5.5 -5 L0 -14 L5.5 -5 Z" }),
  );
const creature = (name) =>
  s(
    "g",
    {},
    s("circle", { r: 10, class: `dc-beast ${name}` }),
    s(
      "g",
      { transform: "scale(0.16)" },
      CREATURE[name].map(([tag, look]) => s(tag, look)),
    ),
  );

/** How far from what is played a place still belongs to the picture, in places. */
const NEAR_BY = 1.6;

/** The box around the laid cards, what may be touched, and what is near: left, top, right, bottom. */
function played(ctx) {
  const at = (cell) => ctx.game.board.cells[cell];
  const laid = [...ctx.view.laid.map((one) => one.cell), ...(ctx.targets?.keys() || [])]
    .map(at)
    .filter((place) => place?.zone === "field")
    .map((place) => place.centre_mm);
  const isNear = ([x, y]) =>
    laid.some((spot) => Math.abs(x - spot[0]) < NEAR_BY * W && Math.abs(y - spot[1]) < NEAR_BY * H);
  const goals = ctx.view.goals.map((one) => at(one.cell)?.centre_mm).filter((spot) => spot && isNear(spot));
  const xs = [...laid, ...goals].map((spot) => spot[0]),
    ys = [...laid, ...goals].map((spot) => spot[1]);
  if (!xs.length) return [0, 0, ...ctx.game.board.size_mm];
  return [
    Math.min(...xs) - 1.6 * W,
    Math.min(...ys) - 1.3 * H,
    Math.max(...xs) + 1.6 * W,
    Math.max(...ys) + 1.3 * H,
  ];
}

/** Letters above the columns and numbers beside the rows: what the table calls a place stands there. */
function edgeNames(ctx, size) {
  const [x0, y0, x1, y1] = played(ctx);
  const names = new Map();
  ctx.game.board.cells.forEach(({ zone, centre_mm: [x, y] }, cell) => {
    if (zone !== "field" || x < x0 || x > x1 || y < y0 || y > y1) return;
    const [, column, row] = ctx.game.places[cell].match(/^(\D+)(\d+)$/);
    if (x > x0 + size * 2) names.set(column, [x, y0 + size * 0.7]);
    if (y > y0 + size * 2) names.set(row, [x0 + size, y]);
  });
  return [...names].map(([name, [x, y]]) =>
    s(
      "text",
      { x, y, "font-size": size, "text-anchor": "middle", "dominant-baseline": "central", class: "dc-name" },
      name,
    ),
  );
}

/** The creatures as they come out of the dark, 120 by 120: [tag, attributes]. */
const CREATURE = {
  rat: [
    [
      "path",
      {
        d: "M-50 44 Q-58 10 -30 -6 Q-34 -34 -14 -36 Q-6 -36 -2 -26 Q0 -27 2 -26 Q6 -36 14 -36 Q34 -34 30 -6 Q58 10 50 44 Z",
        fill: "#4a3b38",
      },
    ],
    [
      "path",
      {
        d: "M-27 -12 Q-29 -31 -14 -31 Q-8 -30 -6 -22 Z M27 -12 Q29 -31 14 -31 Q8 -30 6 -22 Z",
        fill: "#8a5a55",
      },
    ],
    ["path", { d: "M-22 -8 Q0 -24 22 -8 Q20 20 0 34 Q-20 20 -22 -8 Z", fill: "#6b5751" }],
    ["path", { d: "M-19 -4 L-5 3 L-17 6 Z M19 -4 L5 3 L17 6 Z", fill: "#ff4a2a" }],
    ["circle", { cx: "-12", cy: "2.2", r: "1.6", fill: "#200" }],
    ["circle", { cx: "12", cy: "2.2", r: "1.6", fill: "#200" }],
    ["path", { d: "M-6 22 Q0 17 6 22 Q4 29 0 30 Q-4 29 -6 22 Z", fill: "#241312" }],
    ["path", { d: "M-4 30 L-2.6 42 L-0.4 31 Z M4 30 L2.6 42 L0.4 31 Z", fill: "#f2e3c0" }],
    [
      "path",
      {
        d: "M-8 24 L-40 18 M-8 27 L-38 30 M8 24 L40 18 M8 27 L38 30",
        stroke: "#c9b0a0",
        "stroke-width": "0.8",
        fill: "none",
      },
    ],
    [
      "path",
      { d: "M-36 44 l3 -9 3 9 3 -10 3 10 3 -9 3 9 M18 44 l3 -9 3 9 3 -10 3 10 3 -9 3 9", fill: "#e6d2ae" },
    ],
  ],
  lindworm: [
    [
      "path",
      {
        d: "M-48 56 Q-66 18 -34 10 Q-6 4 -14 -12 Q-22 -22 -12 -36 Q4 -54 30 -42 Q48 -32 42 -16 L22 -10 Q8 -8 14 6 Q22 30 -6 34 Q-26 38 -18 56 Z",
        fill: "#2f5a45",
      },
    ],
    [
      "path",
      {
        d: "M-40 56 Q-52 26 -28 20 Q0 14 -4 -4",
        stroke: "#8fc49a",
        "stroke-width": "5",
        "stroke-dasharray": "3 3",
        fill: "none",
        opacity: ".6",
      },
    ],
    ["path", { d: "M42 -16 L22 -10 L40 -6 Q48 -8 42 -16 Z", fill: "#1b382b" }],
    ["path", { d: "M24 -11 l2 6 2.5 -6 2.5 5 2.5 -6 2.5 4 2 -5", fill: "#f4ecd0" }],
    ["path", { d: "M8 -32 L22 -27 L9 -24 Z", fill: "#ffcf3a" }],
    ["path", { d: "M15 -30 V-25", stroke: "#200", "stroke-width": "2" }],
    ["path", { d: "M-10 -34 L-22 -50 L-4 -42 L-6 -58 L6 -45 L14 -58 L17 -45 Z", fill: "#3f7a5c" }],
    [
      "path",
      {
        d: "M42 -10 Q54 -6 50 2 M50 2 l6 -1 M50 2 l-1 6",
        stroke: "#ff4a3a",
        "stroke-width": "1.8",
        fill: "none",
      },
    ],
  ],
  goblin: [
    ["path", { d: "M-44 58 Q-42 24 -16 18 L16 18 Q42 24 44 58 Z", fill: "#3b2c1a" }],
    ["path", { d: "M-26 -6 L-58 -22 L-28 10 Z M26 -6 L58 -22 L28 10 Z", fill: "#5f8a3a" }],
    ["path", { d: "M-30 -4 L-50 -16 L-29 5 Z M30 -4 L50 -16 L29 5 Z", fill: "#3f6427" }],
    ["path", { d: "M-28 -4 Q-28 -40 0 -40 Q28 -40 28 -4 Q28 26 0 30 Q-28 26 -28 -4 Z", fill: "#76a648" }],
    [
      "path",
      {
        d: "M-20 -12 Q-10 -18 -4 -8 L-6 -2 Q-16 0 -20 -12 Z M20 -12 Q10 -18 4 -8 L6 -2 Q16 0 20 -12 Z",
        fill: "#ffe45a",
      },
    ],
    ["circle", { cx: "-10", cy: "-8", r: "2.4", fill: "#210" }],
    ["circle", { cx: "10", cy: "-8", r: "2.4", fill: "#210" }],
    ["path", { d: "M-24 -18 L-4 -11 M24 -18 L4 -11", stroke: "#2c4518", "stroke-width": "3.4" }],
    ["path", { d: "M-3 -6 Q-10 10 0 11 Q10 10 3 -6 Z", fill: "#5f8a3a" }],
    ["path", { d: "M-17 15 Q0 24 17 15 Q10 28 0 27 Q-10 28 -17 15 Z", fill: "#24120c" }],
    ["path", { d: "M-12 17 l2 6 3 -5 M12 17 l-2 6 -3 -5", fill: "#f2e9c8" }],
    ["path", { d: "M30 58 L38 30 L44 58 Z", fill: "#c9a227" }],
    ["circle", { cx: "38", cy: "26", r: "7", fill: "#f2cc45" }],
  ],
};

export default {
  /** A cave: drops of water. */
  room: {
    pitch: 1.06,
    interval: 2,
    wind: 180,
    sharp: 0.7,
    every: 1.1,
    grains: [
      { wave: "sine", from: 1300, to: 700, gain: 0.12, decay: 0.12 },
      { wave: "sine", from: 1560, to: 700, gain: 0.12, decay: 0.12 },
      { wave: "sine", from: 1820, to: 700, gain: 0.12, decay: 0.12 },
    ],
  },
  cover: () => [
    s("path", { d: "M0 0 H90 V78 H0 Z", class: "p-rock" }),
    s("path", {
      d: "M6 8 l9 -4 7 6 -4 8 -10 0 Z M72 58 l9 -3 5 8 -7 7 -9 -4 Z M64 6 l10 2 -2 8 -9 1 Z M10 60 l8 -4 5 8 -8 6 -7 -4 Z",
      class: "p-chip",
    }),
    s("path", {
      d: "M-4 50 H26 Q36 50 36 40 V32 Q36 22 46 22 H54 Q62 22 62 32 V44 Q62 54 72 54 H94",
      class: "p-dug",
    }),
    s("path", {
      d: "M-4 50 H26 Q36 50 36 40 V32 Q36 22 46 22 H54 Q62 22 62 32 V44 Q62 54 72 54 H94",
      class: "p-floor",
    }),
    s("path", {
      d: "M12 41 V59 M10 42 H20 M19 41 V59 M57 34 H67 M75 45 V63 M73 46 H83 M82 45 V63",
      class: "p-beam",
    }),
    s("circle", { cx: 46, cy: 22, r: 15, class: "p-halo" }),
    s("path", { d: "M41 31 L42.5 20 H50.5 L52 31 Z", class: "p-coat" }),
    s("path", { d: "M42 21 Q46.5 30 51 21 Z", class: "p-wax" }),
    s("circle", { cx: 46.5, cy: 17.5, r: 3.6, class: "p-face" }),
    s("path", { d: "M42 16.5 L46.5 7 L51 16.5 Z", class: "p-coat" }),
    s("path", { d: "M53 29 L58 18 M54.6 16.6 q4 -1.6 6.4 2", class: "p-pick" }),
    s("path", {
      d: "M62 68 l5 -4 5 4 -2 6 h-6 Z M18 24 l4 -3 4 3 -2 5 h-4 Z M78 30 l3.6 -3 3.6 3 -1.6 4 h-4 Z",
      class: "p-gold",
    }),
  ],
  flat: true,
  shows: (ctx, place) => place.zone === "field",
  /** What is played, and the goals that it has come near; the others are pointed at from the edge. */
  viewBox(ctx) {
    const [x0, y0, x1, y1] = played(ctx);
    return `${x0} ${y0} ${x1 - x0} ${y1 - y0}`;
  },
  over(ctx) {
    const [x0, y0, x1, y1] = played(ctx);
    const size = Math.max(15, ctx.least || 0);
    const far = ctx.view.goals
      .map((goal) => ctx.game.board.cells[goal.cell]?.centre_mm)
      .filter((spot) => spot && (spot[0] < x0 || spot[0] > x1 || spot[1] < y0 || spot[1] > y1))
      .map(([x, y]) => {
        const at = [Math.min(Math.max(x, x0 + size), x1 - size), Math.min(Math.max(y, y0 + size), y1 - size)];
        return s(
          "g",
          { class: "dc-far", transform: `translate(${at.join(" ")})` },
          s("circle", { r: size * 0.85 }),
          s("path", {
            d: `M${size * 1.25} 0 l${-size * 0.35} ${-size * 0.3} v${size * 0.6} Z`,
            transform: `rotate(${(Math.atan2(y - at[1], x - at[0]) * 180) / Math.PI})`,
          }),
          s("text", { "font-size": size, "text-anchor": "middle", "dominant-baseline": "central" }, "?"),
        );
      });
    return [...edgeNames(ctx, size), ...far];
  },
  ground: ({ game }) =>
    s("rect", {
      x: -400,
      y: -400,
      width: game.board.size_mm[0] + 800,
      height: game.board.size_mm[1] + 800,
      class: "dc-ground",
    }),
  place: (ctx, place) =>
    place.zone === "field"
      ? s("circle", { cx: place.centre_mm[0], cy: place.centre_mm[1], r: 1, class: "dc-dot" })
      : null,
  piece(ctx, { face, info, i, of }) {
    if (face === "goal-back") {
      return s(
        "g",
        {},
        s("rect", { x: -W / 2, y: -H / 2, width: W, height: H, rx: 4, class: "dc-goal" }),
        s("path", {
          d: "M-18 30 L-8 4 L-12 -8 L-2 -30 L6 -12 L2 0 L16 30 Z M6 30 L14 10 L20 30 Z",
          class: "dc-crystal",
        }),
        s(
          "text",
          { "font-size": 34, "text-anchor": "middle", "dominant-baseline": "central", class: "dc-sign" },
          "?",
        ),
      );
    }
    if (face.startsWith("back-")) {
      return s(
        "g",
        {},
        s("rect", { x: -W / 2, y: -H / 2, width: W, height: H, rx: 4, class: "dc-deed" }),
        s(
          "text",
          {
            "font-size": Math.max(26, ctx.least || 0),
            "text-anchor": "middle",
            "dominant-baseline": "central",
            class: "dc-sign",
          },
          "I".repeat(Number(face.slice(5))),
        ),
      );
    }
    if (info?.kind === "card") return cardFace(ctx.game, face);
    const shift = `${of > 2 ? `translate(${(((i - 1) % 3) - 1) * 17} ${i > 3 ? 20 : 0})` : ""} scale(1.5)`;
    if (face === "nugget") return s("g", { transform: "translate(14 -24)" }, FEATURE.gold());
    if (face.startsWith("web-")) {
      return s(
        "g",
        {},
        s("path", { d: "M0 -36 m-12 0 h24 m-20 -8 l16 16 m0 -16 l-16 16 m8 -20 v24", class: "dc-web" }),
        s(
          "text",
          {
            y: -24,
            "font-size": Math.max(9, 1.25 * (ctx.least || 0)),
            "text-anchor": "middle",
            class: "dc-webs",
          },
          face.slice(-1),
        ),
      );
    }
    if (["rat", "lindworm", "goblin"].includes(face)) return s("g", { transform: shift }, creature(face));
    const lying = face.endsWith("-lying");
    return s("g", { transform: shift }, dwarf(face.split("-")[0], lying), s("title", {}, ctx.word(face)));
  },
  owner: ({ view }, { face }) => view.dwarves.findIndex((one) => one.figure && face.startsWith(one.figure)),
  players: ({ view }) =>
    view.dwarves.map((one) => ({
      colour: CLAN[one.clan] || "#7a6a55",
      text: `${t("cave.gold", { n: one.gold })}${one.lying ? ` · ${t("cave.lying")}` : ""}`,
    })),
  close: ({ view, name }) => {
    const best = [...view.dwarves.keys()].sort((a, b) => view.dwarves[b].gold - view.dwarves[a].gold);
    if (!view.dwarves[best[0]].gold) return [];
    return [t("cave.close", { name: name(best[0]), n: view.dwarves[best[0]].gold, left: view.supply })];
  },
  hand: ({ view, seat }) =>
    seat === undefined ? [] : [{ title: t("cave.hand"), words: view.dwarves[seat].hand || [] }],
  portrait(ctx, word) {
    const drawn = CREATURE[word];
    return (
      drawn && {
        node: s(
          "g",
          {},
          drawn.map(([tag, look]) => s(tag, look)),
        ),
        size: [120, 120],
      }
    );
  },
  picture({ game }, word) {
    if (/^(yellow|blue)-\d$/.test(word)) return { node: dwarf(word.split("-")[0]), size: [22, 30] };
    if (shape(game, word)) return { node: cardFace(game, word), size: [W, H], isPlain: true };
    const [kind] = word.split("-");
    return DEED[kind] || CREATURE[kind] ? { node: cardFace(game, word), size: [W, H] } : null;
  },
  panel(ctx) {
    const { view, seat } = ctx;
    if (seat === undefined) return [];
    const own = view.dwarves[seat];
    const parts = [];
    if (own.card) {
      const text = h("span", {}, "• • •");
      const show = () => {
          text.textContent = ctx.word(own.card);
        },
        hide = () => {
          text.textContent = "• • •";
        };
      parts.push(
        h(
          "button",
          {
            class: "clan",
            "data-key": "clan",
            onpointerdown: show,
            onpointerup: hide,
            onpointerleave: hide,
            onkeydown: (event) => {
              if (event.key === "Enter" || event.key === " ") show();
            },
            onkeyup: hide,
            onblur: hide,
          },
          h("span", { class: "quiet" }, t("cave.clan")),
          " ",
          text,
        ),
      );
    }
    if (view.set_aside.length) {
      parts.push(
        h("p", { class: "quiet" }, `${t("cave.set-aside")}: ${view.set_aside.map(ctx.word).join(", ")}`),
      );
    }
    return parts;
  },
  facts(ctx) {
    const { view } = ctx;
    return [
      [t("cave.deck"), view.deck.n],
      [t("cave.level"), view.deck.level],
      [t("cave.supply"), view.supply],
      view.steps ? [t("cave.steps"), view.steps] : null,
      view.off_table ? [t("cave.off"), view.off_table] : null,
      h(
        "ul",
        { class: "roster" },
        view.dwarves.map((one, seat) =>
          h(
            "li",
            { class: view.turn === seat ? "acts" : "" },
            h("span", {
              class: "dot",
              style: { background: CLAN[one.clan] || "#7a6a55" },
              "aria-hidden": "true",
            }),
            h("b", {}, ctx.name(seat)),
            h("span", {}, t("cave.gold", { n: one.gold })),
            h("span", {}, t("cave.cards", { n: one.backs.length })),
            one.front.length ? h("span", {}, one.front.map(ctx.word).join(", ")) : null,
            one.open && one.card ? h("span", {}, ctx.word(one.card)) : null,
            one.lying ? h("span", {}, t("cave.lying")) : null,
            view.left.includes(seat) ? h("span", {}, t("cave.out")) : null,
          ),
        ),
      ),
    ].filter(Boolean);
  },
};
