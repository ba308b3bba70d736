// Whisper: the mansion for everybody, the killer's hidden panel, the survivors' panel.

import { roll } from "/static/js/dice.js";
import { h, s } from "/static/js/dom.js";
import { fitType } from "/static/js/geometry.js";
import { language, t } from "/static/js/text.js";

const ZONE = { K: "red", C: "blue", Z: "green" };
/** What a room offers, as small drawings of ten by ten. */
const FEATURE = {
  radio: "M1 4 H9 V9 H1 Z M2.5 4 L7 0.8 M3.4 6.5 a1.3 1.3 0 1 0 0.1 0 M6.3 5.8 H8 M6.3 7.4 H8",
  search: "M4 1 a3 3 0 1 0 0.1 0 M6.2 6.2 L9.4 9.4",
  main_entrance: "M2.4 9.4 V1 H7.6 V9.4 Z M6.2 5.4 v0.4",
  secret_exit: "M2.4 9.4 V1 H7.6 V9.4 Z M4 3.4 H6 M4 5 H6",
  tool: "M1.5 9 L6 4.5 M5 2 L8 5 L9.2 3.8 L6.2 0.8 Z",
  information: "M2 9 H8 V1 H2 Z M3.6 3.4 H6.4 M3.6 5.2 H6.4 M3.6 7 H5.4",
  spirits: "M5 0.8 V9.4 M2.4 3.4 H7.6",
};
/**
 * What stands in each room, seen from above, in a box of sixty by thirty-four below its name:
 * `solid` throws a shadow, `drawn` are the lines on it.
 */
const RUG = "M-27 4 H27 V16 H-27 Z";
const FURNITURE = {
  K1: {
    rug: "M-28 1 H6 V17 H-28 Z",
    solid: "M11 -11 H29 V21 H11 Z",
    drawn:
      "M11 -6 H29 M11 -1 H29 M11 4 H29 M11 9 H29 M11 14 H29 M-25 4 H3 V14 H-25 Z M-17 9 l6 -4 6 4 -6 4 Z",
  },
  K2: {
    solid:
      "M-27 -10 h12 v9 h-12 Z M-11 -10 h14 v9 h-14 Z M8 -10 h11 v9 h-11 Z M-20 12 h18 v5 h-18 Z M24 2 a4 4 0 1 1 -0.1 0 Z",
    drawn:
      "M-26 -2.5 l3 -4 3 3 2 -2 2 3 M-10 -2.5 l4 -5 4 3 2 -2 2 4 M9 -2.5 l4 -4 5 4 M-17 12 V17 M-13 12 V17 M-9 12 V17 M-6 12 V17",
  },
  K3: {
    rug: RUG,
    drawn:
      "M-27 6.5 H27 M-27 13.5 H27 M-20 10 l5 -3 5 3 -5 3 Z M-5 10 l5 -3 5 3 -5 3 Z M10 10 l5 -3 5 3 -5 3 Z",
  },
  K4: {
    rug: "M-4 5 m-21 0 a21 12 0 1 0 42 0 a21 12 0 1 0 -42 0",
    solid: "M-20 -5 h26 v12 h-26 Z M-7 15 m-5 0 a5 4.4 0 1 0 10 0 a5 4.4 0 1 0 -10 0 M22 -10 h7 v31 h-7 Z",
    drawn:
      "M-16 -2 h7 v6 h-7 Z M-4 -3 l6 1 -1 6 -6 -1 Z M22 -6 h7 M22 -3.5 h7 M22 1 h7 M22 4 h7 M22 9 h7 M22 13 h7 M22 17 h7",
  },
  K5: {
    solid: "M-29 -10 h58 v6 h-58 Z M-29 2 h24 v6 h-24 Z M6 2 h23 v6 h-23 Z M-12 15 h24 v5 h-24 Z",
    drawn:
      "M-26 -10 V-4 M-22 -10 V-4 M-20 -10 V-4 M-15 -10 V-4 M-12 -10 V-4 M-7 -10 V-4 M-3 -10 V-4 M1 -10 V-4 M4 -10 V-4 M9 -10 V-4 M13 -10 V-4 M16 -10 V-4 M21 -10 V-4 M25 -10 V-4 M-25 2 V8 M-21 2 V8 M-18 2 V8 M-13 2 V8 M-9 2 V8 M10 2 V8 M14 2 V8 M17 2 V8 M22 2 V8 M26 2 V8",
  },
  C1: {
    rug: "M-2 7 m-19 0 a19 11 0 1 0 38 0 a19 11 0 1 0 -38 0",
    solid: "M-28 -9 h26 v6 h-20 v15 h-6 Z M21 -7 h8 v20 h-8 Z M-7 4 h12 v7 h-12 Z",
    drawn: "M-16 -9 V-3 M-28 4 H-22 M23.5 9 q-2 -5 1.6 -9 q0 4 2.4 5 q1 3 -1 4 M-4 6.5 h6",
  },
  C2: {
    solid:
      "M-20 -2 h40 v13 h-40 Z M-16 -9 h7 v5 h-7 Z M-4 -9 h7 v5 h-7 Z M8 -9 h7 v5 h-7 Z M-16 13 h7 v5 h-7 Z M-4 13 h7 v5 h-7 Z M8 13 h7 v5 h-7 Z",
    drawn:
      "M-12.5 1 m-2.4 0 a2.4 2.4 0 1 0 4.8 0 a2.4 2.4 0 1 0 -4.8 0 M0 1 m-2.4 0 a2.4 2.4 0 1 0 4.8 0 a2.4 2.4 0 1 0 -4.8 0 M12 1 m-2.4 0 a2.4 2.4 0 1 0 4.8 0 a2.4 2.4 0 1 0 -4.8 0 M-8 7 h16",
  },
  C3: {
    solid: "M-29 -10 h58 v8 h-58 Z M21 -2 h8 v23 h-8 Z M-14 6 h24 v9 h-24 Z",
    drawn:
      "M-25 -8 h9 v4 h-9 Z M-4 -8 m-1.7 2 a1.7 1.7 0 1 0 3.4 0 a1.7 1.7 0 1 0 -3.4 0 M2 -8 m-1.7 2 a1.7 1.7 0 1 0 3.4 0 a1.7 1.7 0 1 0 -3.4 0 M8 -8 h10 M23 3 h4 v5 h-4 Z M-10 8.5 l6 4 M-4 8.5 l-6 4 M2 10.5 h5",
  },
  C4: {
    solid:
      "M-27 -10 h13 v11 h-13 Z M-12 -10 h11 v9 h-11 Z M16 -9 h13 v13 h-13 Z M-26 8 m0 5 a5.4 5.4 0 1 0 10.8 0 a5.4 5.4 0 1 0 -10.8 0 M-13 8 m0 4 a4.6 4.6 0 1 0 9.2 0 a4.6 4.6 0 1 0 -9.2 0",
    drawn:
      "M-27 -10 l13 11 M-14 -10 l-13 11 M-12 -5.5 h11 M16 -9 l13 13 M29 -9 l-13 13 M-23.5 13 h6 M-11 12 h5",
  },
  C5: {
    solid: "M-2 6 m-7 0 a7 6 0 1 0 14 0 a7 6 0 1 0 -14 0 M-24 -4 h9 v9 h-9 Z M14 4 h9 v9 h-9 Z",
    drawn:
      "M-30 -8 H30 M-26 -11 V-8 M-18 -11 V-8 M-10 -11 V-8 M-2 -11 V-8 M6 -11 V-8 M14 -11 V-8 M22 -11 V-8 M-22 -2 h5 v5 h-5 Z M16 6 h5 v5 h-5 Z",
  },
  Z1: {
    rug: "M-28 20 Q-22 4 -6 8 T14 2 Q20 -4 28 -11 L20 -11 Q12 -4 6 -1 T-12 1 Q-26 2 -30 14 Z",
    drawn:
      "M-22 -7 v-4 M-20 -6 l2 -4 M-24 -6 l-2 -4 M18 14 v-4 M20 15 l2 -4 M16 15 l-2 -4 M-2 17 v-4 M0 18 l2 -4",
  },
  Z2: {
    solid:
      "M-24 3 v-7 a4.5 4.5 0 0 1 9 0 v7 Z M-6 -1 v-6 a4 4 0 0 1 8 0 v6 Z M10 5 v-8 a4.5 4.5 0 0 1 9 0 v8 Z M-10 18 v-6 a4 4 0 0 1 8 0 v6 Z",
    drawn:
      "M-19.5 -3 v4 M-21.5 -1.4 h4 M-2 -6 v4 M-4 -4.6 h4 M14.5 -1 v4 M12.5 0.6 h4 M-6 13 v3 M-26 5 h13 M8 7 h13",
  },
  Z3: {
    solid:
      "M-28 -9 h34 v8 h-34 Z M12 -8 h16 v6 h-16 Z M-26 12 m0 0 a4 4 0 1 0 8 0 a4 4 0 1 0 -8 0 M-17 12 a4 4 0 1 0 8 0 a4 4 0 1 0 -8 0 M-21 6 a4 4 0 1 0 8 0 a4 4 0 1 0 -8 0",
    drawn: "M-24 -7 l10 3 M-24 -4 h4 M-8 -7 l8 4 M15 -5 h10 M-23 12 h2 M-14 12 h2 M-18 6 h2",
  },
  Z4: {
    solid: "M-28 -9 h24 v9 h-24 Z M4 -9 h24 v9 h-24 Z M-28 8 h20 v9 h-20 Z",
    drawn:
      "M-24 -4 q2 -5 4 0 q2 -5 4 0 q2 -5 4 0 q2 -5 4 0 M8 -4 q2 -5 4 0 q2 -5 4 0 q2 -5 4 0 q2 -5 4 0 M-24 13 q2 -5 4 0 q2 -5 4 0 q2 -5 4 0 M0 -11 V22 M-30 4 H30",
  },
  Z5: {
    solid:
      "M2 5 m-9 0 a9 8 0 1 0 18 0 a9 8 0 1 0 -18 0 M-29 -8 q6 -5 12 0 t10 0 v5 h-22 Z M15 -8 q5 -5 13 0 v5 h-13 Z M-28 12 a5 4 0 1 0 10 0 a5 4 0 1 0 -10 0",
    drawn:
      "M2 5 m-4 0 a4 3.4 0 1 0 8 0 a4 3.4 0 1 0 -8 0 M2 1 v-5 M0 0 q-2 -3 -4 -1 M4 0 q2 -3 4 -1 M-23 12 h0.1 M20 14 v-4 M22 15 l2 -4",
  },
};
/** The walls of the mansion around its rooms. */
const HOUSE = "M122 52 H292 V40 H376 V52 H470 V126 H406 V240 H324 V364 H122 Z";

/** Floors: boards, flagstones, grass. */
function floors() {
  const floor = (id, size, d) =>
    s(
      "pattern",
      { id: `ww-${id}`, width: size[0], height: size[1], patternUnits: "userSpaceOnUse" },
      s("rect", { width: size[0], height: size[1], class: `ww-floor ${id}` }),
      s("path", { d, class: `ww-joint ${id}` }),
    );
  return s(
    "defs",
    {},
    floor("red", [24, 12], "M0 0 H24 M0 6 H24 M6 0 V6 M18 6 V12"),
    floor("blue", [10, 10], "M0 0 H10 M0 0 V10"),
    floor("green", [16, 14], "M3 5 l1 -3 l1 3 M11 12 l1 -3 l1 3 M12 4 l0.6 -2 M4 11 l0.6 -2"),
  );
}

const featureOf = (name) =>
  FEATURE[name] || FEATURE[Object.keys(FEATURE).find((key) => name.startsWith(key))];
const COLOUR = {
  purple: "#b48cf0",
  violet: "#b48cf0",
  yellow: "#f2d04b",
  green: "#6fc26a",
  blue: "#62a8f0",
  red: "#f0695a",
  orange: "#f59a3c",
  white: "#f4efe6",
  pink: "#f29ac0",
  black: "#555",
  brown: "#b98a5c",
};
const QUESTIONS = new Set([
  "asked-zone",
  "asked-places",
  "sensed",
  "searched",
  "exposed",
  "nobody-exposed",
  "frightened",
  "panicked",
]);
const NOISES = new Set(["noise-reported", "silence-reported", "firecracker", "panicked", "made-noise"]);
const STEPS = ["reveal", "start", "instant", "main", "planning", "ending"];

/** Entries of a data file by id. */
function printed(game, file, list = file) {
  const key = `by_${file}`;
  game[key] ||= new Map((game.data[file][list] || game.data[file].cards).map((one) => [one.id, one]));
  return game[key];
}
const said = (entry, part) => entry?.[`${part}_${language}`] || entry?.[`${part}_en`] || "";
const label = (entry) => entry?.[language] || entry?.en || entry?.id || "";
const first = (text) => [...text][0];

function figure(colour, mark, extra = "", least = 0) {
  return s(
    "g",
    { class: `ww-figure ${extra}`, fill: colour },
    s("ellipse", { cy: 10, rx: 8, ry: 3, fill: "#0009" }),
    s("path", { d: "M-7.5 10 Q-7 0 -3 -3 A5.2 5.2 0 1 1 3 -3 Q7 0 7.5 10 Z" }),
    s("text", { y: 6.4, "font-size": Math.max(7.5, least), "text-anchor": "middle", class: "ww-mark" }, mark),
  );
}

function hunter(kind) {
  return s(
    "g",
    { class: `ww-hunter ${kind}` },
    s("ellipse", { cy: 13, rx: 11, ry: 4, fill: "#0009" }),
    s("path", { d: "M-11 13 Q-12 -4 -6 -10 Q0 -19 6 -10 Q12 -4 11 13 Z" }),
    s("path", { d: "M-5 -6 Q0 -12 5 -6 Q4 1 0 2 Q-4 1 -5 -6 Z", class: "ww-hood" }),
    s("circle", { cx: -2, cy: -4, r: 1.2, class: "ww-eye" }),
    s("circle", { cx: 2, cy: -4, r: 1.2, class: "ww-eye" }),
  );
}

/** Who plays a survivor: they are dealt in turn to the seats after the killer's. */
const playerOf = (view, i) => 1 + (i % (view.players - 1));

const hearts = (tile) =>
  tile.state === "in"
    ? "♥".repeat(tile.health) + "♡".repeat(Math.max(0, 2 - tile.health))
    : t(`whisper.${tile.state}`);

/** What a killer's card is for, as drawings of twenty by twenty. */
const TIMING = {
  fast: "M11 1 L4 11 H9 L7 19 L16 8 H11 Z",
  boost: "M10 2 L18 11 H13 V18 H7 V11 H2 Z",
  plan: "M4 2 H16 L11 10 L16 18 H4 L9 10 Z",
  attack: "M3 17 L13 5 L18 2 L16 7 L5 18 Z M2 13 L7 18",
};

/** What lies behind the emblem: somebody who comes, or a thing in the light of a lamp. */
const BEHIND = {
  killer: [
    ["M-18 27 Q-17 12 -8 8 Q-6 1 0 0 Q6 1 8 8 Q17 12 18 27 Z", "cloak"],
    ["M-4.4 10 L-1.2 11.6 L-4 12.6 Z M4.4 10 L1.2 11.6 L4 12.6 Z", "glare"],
    ["M-14 -20 L-9 -26 M-10 -18 L-4 -25 M9 -26 L14 -19", "scratch"],
  ],
  item: [
    ["M-18 13 H18 V27 H-18 Z", "board"],
    ["M-18 18 H18 M-18 23 H18 M-7 13 V18 M8 18 V23 M-2 23 V27", "scratch"],
  ],
};

function framed(frame, emblem, corner) {
  const [kind] = frame.split(" ");
  return s(
    "g",
    { class: `ww-card ${frame}` },
    s("rect", { x: -21, y: -30, width: 42, height: 60, rx: 4 }),
    s("rect", { x: -18, y: -27, width: 36, height: 54, rx: 2.5, class: "ww-card-inner" }),
    s("circle", { cy: -6, r: 15, class: "ww-card-lamp" }),
    BEHIND[kind].map(([d, part]) => s("path", { d, class: `ww-card-${part}` })),
    s("path", { d: emblem, class: "ww-emblem", transform: "translate(-11.5 -17.5) scale(1.15)" }),
    corner === ""
      ? null
      : [
          s("circle", { cx: -13, cy: -22, r: 6.4, class: "ww-price" }),
          s("text", { x: -13, y: -19, "font-size": 9, "text-anchor": "middle" }, corner),
        ],
  );
}

const killerCard = (one) =>
  framed("killer", TIMING[one.timing.find((name) => TIMING[name])] || TIMING.attack, String(one.cost));

/** What an item is for, as drawings of twenty by twenty. */
const USE = {
  key: "M6 10 a4 4 0 1 1 0.1 0 M10 8 H19 M16 8 V12 M13 8 V11",
  weapon: "M2 18 L12 8 M9 5 L15 11 M12 8 L18 2",
  special: "M3 8 H17 V17 H3 Z M7 8 V4 H13 V8 M10 10 V15 M7.5 12.5 H12.5",
  extra: "M8 2 H12 V7 L15 11 V18 H5 V11 L8 7 Z",
  defence: "M10 2 L17 5 V10 Q17 16 10 19 Q3 16 3 10 V5 Z",
};
const itemCard = (one) => {
  const use = one.weapon ? "weapon" : one.uses.map((name) => name.split(/[_:]/)[0]).find((name) => USE[name]);
  return framed(`item ${one.noise_icon ? "loud" : ""}`, USE[use || "special"], "");
};

/** What stands in a room; its shadow falls to the right, away from the window. */
function furniture({ rug, solid, drawn } = {}, transform) {
  return s(
    "g",
    { class: "ww-inside", transform },
    rug ? s("path", { d: rug, class: "ww-rug" }) : null,
    solid
      ? [
          s("path", { d: solid, class: "ww-shadow", transform: "translate(1.2 1.6)" }),
          s("path", { d: solid, class: "ww-solid" }),
        ]
      : null,
    drawn ? s("path", { d: drawn, class: "ww-drawn" }) : null,
  );
}

function rooms(ctx) {
  return ctx.game.board.cells.filter((place) => place.zone === "map");
}

export default {
  /** Each room bears its name along its upper edge: signs lie on the corner, where they cover none of it. */
  onCorner: true,
  /** A wooden house that creaks. */
  room: {
    pitch: 1.26,
    interval: 1.42,
    wind: 420,
    sharp: 2.4,
    every: 2.4,
    grains: [
      { wave: "sawtooth", from: 96, to: 60, gain: 0.1, decay: 0.4, attack: 0.1, bend: 9 },
      { wave: "sawtooth", from: 118, to: 60, gain: 0.1, decay: 0.4, attack: 0.1, bend: 9 },
      { wave: "sawtooth", from: 140, to: 60, gain: 0.1, decay: 0.4, attack: 0.1, bend: 9 },
    ],
  },
  cover: () => [
    s("circle", { cx: 70, cy: 15, r: 9, class: "p-moon" }),
    s("path", { d: "M0 68 Q20 60 45 65 T90 62 V78 H0 Z", class: "p-ground" }),
    s("path", {
      d: "M8 64 V30 L20 20 L26 25 V14 H31 V21 L45 10 L66 27 V23 H71 V31 L82 40 V64 Z",
      class: "p-house",
    }),
    s("path", { d: "M4 33 L20 18 L45 6 L71 24 L86 42 L80 42 L45 14 L21 25 L9 36 Z", class: "p-roof" }),
    s("path", { d: "M16 34 h9 v12 h-9 Z M56 34 h9 v12 h-9 Z M68 46 h8 v10 h-8 Z", class: "p-night" }),
    s("path", { d: "M31 30 h10 v13 h-10 Z", class: "p-lamp" }),
    s("path", {
      d: "M36 30 V43 M31 36 H41 M20.5 34 V46 M16 40 H25 M60.5 34 V46 M56 40 H65",
      class: "p-frame",
    }),
    s("path", { d: "M41 66 V50 a6.5 6.5 0 0 1 13 0 V66 Z", class: "p-night" }),
    s("path", { d: "M43.5 66 Q43 54 47.5 52 Q52 54 51.5 66 Z", class: "p-shade" }),
    s("circle", { cx: 46.2, cy: 55.5, r: 0.9, class: "p-eye" }),
    s("circle", { cx: 48.8, cy: 55.5, r: 0.9, class: "p-eye" }),
    s("path", { d: "M4 72 q4 -14 2 -20 q6 4 4 20 Z M84 74 q-5 -10 -1 -18 q4 6 4 18 Z", class: "p-bush" }),
  ],
  /** The phones make these two easy. */
  suggested: { notes: "yes", confirm: "yes" },
  ownPieces: true,
  optional: ["note", "guess"],
  meanings: {
    wrong: "whisper.barricade",
    dim: "whisper.last-noise",
    lit: "whisper.healthy",
    threat: "whisper.killer",
  },
  shows: (ctx, place) => place.zone === "map" || place.zone === "passage",
  viewBox(ctx) {
    const xs = rooms(ctx).map((place) => place.centre_mm[0]),
      ys = rooms(ctx).map((place) => place.centre_mm[1]);
    const x0 = Math.min(...xs) - 48,
      y0 = Math.min(...ys) - 38;
    return `${x0} ${y0} ${Math.max(...xs) + 38 - x0} ${Math.max(...ys) + 32 - y0}`;
  },
  defs: floors,
  ground(ctx) {
    const { game } = ctx;
    const [w, hh] = game.board.size_mm;
    const at = (id) => game.board.cells[game.index.get(id)].centre_mm;
    const line = (edge, kind) => {
      const door = game.index.get([edge.a, edge.b].sort().join("-"));
      const points = [
        at(edge.a),
        ...(door === undefined ? [] : [game.board.cells[door].centre_mm]),
        at(edge.b),
      ];
      return s("polyline", { points: points.map((point) => point.join(",")).join(" "), class: kind });
    };
    const { map } = game.data;
    return [
      s("rect", { x: -6, y: -6, width: w + 12, height: hh + 12, rx: 14, class: "ww-night" }),
      s("path", { d: HOUSE, class: "ww-house" }),
      map.passages.map((edge) => line(edge, "ww-wall")),
      map.passages.map((edge) => line(edge, "ww-way")),
      map.open_links.map((edge) => line(edge, "ww-dots")),
      (map.secret_passages || []).map((edge, i) => {
        const ends = [edge.a, edge.b];
        return ends.map((id) => {
          const [x, y] = at(id);
          return s(
            "text",
            {
              x: x + 24,
              y: y - 14,
              "font-size": Math.max(10, ctx.least || 0),
              "text-anchor": "middle",
              class: "ww-secret",
            },
            i ? "II" : "I",
          );
        });
      }),
    ];
  },
  place(ctx, place) {
    const [x, y] = place.centre_mm,
      [w, hh] = place.size_mm;
    const { game } = ctx;
    if (place.zone === "map") {
      const info = game.data.map.locations.find((one) => one.id === place.name);
      const name = label(info);
      const signs = (info.features || []).map(featureOf).filter(Boolean);
      const size = Math.min(8.6, 104 / name.length);
      return s(
        "g",
        { class: `ww-room ${ZONE[info.zone] || info.zone}` },
        s("rect", {
          x: x - w / 2,
          y: y - hh / 2,
          width: w,
          height: hh,
          rx: info.zone === "Z" ? 9 : 2,
          fill: `url(#ww-${ZONE[info.zone]})`,
        }),
        furniture(FURNITURE[info.id], `translate(${x} ${y})`),
        s(
          "text",
          {
            x,
            y: y - hh / 2 + 3 + Math.max(size, ctx.least || 0) * 0.82,
            "text-anchor": "middle",
            ...fitType(name, w - 5, size, ctx.least),
          },
          name,
        ),
        s(
          "text",
          { x: x - w / 2 + 4, y: y + hh / 2 - 4, "font-size": Math.max(7, ctx.least || 0), class: "ww-code" },
          info[`code_${language}`] || place.name,
        ),
        signs.map((d, i) =>
          s("path", {
            d,
            class: "ww-sign",
            transform: `translate(${x + w / 2 - 13 - 12 * i} ${y + hh / 2 - 13})`,
          }),
        ),
      );
    }
    if (place.zone === "passage") {
      return s(
        "g",
        {},
        s("rect", { x: x - 8, y: y - 5, width: 16, height: 10, rx: 1.4, class: "ww-door" }),
        s("path", {
          d: `M${x - 5.6} ${y - 2.8} h5 v5.6 h-5 Z M${x + 0.6} ${y - 2.8} h5 v5.6 h-5 Z`,
          class: "ww-panel",
        }),
        s("circle", { cx: x + 6.6, cy: y, r: 0.8, class: "ww-knob" }),
      );
    }
    return null;
  },
  over(ctx) {
    const { view, game } = ctx;
    const middle = (cell) => game.board.cells[cell].centre_mm;
    const nodes = view.barricades.map((cell) => {
      const [x, y] = middle(cell);
      return s("path", {
        d: `M${x - 12} ${y - 6} L${x + 12} ${y + 6} M${x - 12} ${y + 6} L${x + 12} ${y - 6} M${x - 13} ${y} H${x + 13}`,
        class: "ww-bars",
      });
    });
    const here = new Map();
    const put = (cell, node, face) => {
      const n = here.get(cell) || 0;
      here.set(cell, n + 1);
      const [x, y] = middle(cell);
      nodes.push(
        s(
          "g",
          {
            transform: `translate(${x - 20 + (n % 4) * 14} ${y + 7 + Math.floor(n / 4) * 10})`,
            "data-face": face,
            "data-on": cell,
            "data-stands": "yes",
          },
          node,
        ),
      );
    };
    view.survivors.forEach((tile, i) => {
      if (view.places && tile.state !== "escaped" && view.places[i] !== undefined && view.places[i] >= 0) {
        put(
          view.places[i],
          figure(
            COLOUR[tile.colour] || tile.colour,
            first(label(printed(game, "survivors").get(tile.id))),
            tile.state === "dead" ? "dead" : "",
            ctx.least,
          ),
          tile.id,
        );
      }
    });
    (view.possible || []).forEach((cells, i) =>
      cells.forEach((cell) => {
        const [x, y] = middle(cell),
          tile = view.survivors[i];
        if (tile) {
          nodes.push(
            s("circle", {
              cx: x - 9 + i * 9,
              cy: y + 18.5,
              r: 3.4,
              fill: COLOUR[tile.colour],
              class: "ww-maybe",
            }),
          );
        }
      }),
    );
    for (const [token, id] of Object.entries(view.notes || {})) {
      const tile = view.survivors.find((one) => one.id === token);
      put(
        game.index.get(id),
        s(
          "g",
          {},
          s("rect", {
            x: -6,
            y: -6,
            width: 12,
            height: 12,
            rx: 3,
            class: "ww-note",
            fill: tile ? COLOUR[tile.colour] : "#efe2c8",
          }),
          s(
            "text",
            { y: 3, "font-size": Math.max(8, ctx.least || 0), "text-anchor": "middle", class: "ww-mark" },
            tile ? first(label(printed(game, "survivors").get(token))) : "?",
          ),
        ),
      );
    }
    if (view.trap !== null && view.trap !== undefined) {
      put(view.trap, s("path", { d: "M-7 4 L-4 -4 L-1 4 L2 -4 L5 4 L8 -4", class: "ww-trap" }));
    }
    if (view.killer) {
      const known = view.killer.hidden ? view.killer.last_cell : view.killer.cell;
      const [x, y] = middle(known);
      nodes.push(
        s(
          "g",
          {
            transform: `translate(${x + 16} ${y + 2})`,
            class: view.killer.hidden ? "ww-ghost" : "",
            "data-face": view.killer.id,
            "data-on": known,
            "data-stands": "yes",
          },
          hunter(view.killer.id),
        ),
      );
      if (view.killer.hidden && view.at !== undefined && view.at >= 0) {
        const [hx, hy] = middle(view.at);
        nodes.push(
          s(
            "g",
            { transform: `translate(${hx + 16} ${hy + 2})` },
            hunter(view.killer.id),
            s("circle", { r: 19, class: "ww-you" }),
          ),
        );
      }
    }
    return nodes;
  },
  belongs({ view }) {
    const i =
      view.active && !view.crossroads ? view.survivors.findIndex((tile) => tile.id === view.active) : -1;
    return i < 0 ? undefined : playerOf(view, i);
  },
  players(ctx) {
    const { view, game } = ctx;
    const names = printed(game, "survivors");
    return ctx.room.seats.map((_, seat) => {
      if (!seat) {
        return {
          colour: "#c0392b",
          text: view.killer ? label(printed(game, "killers").get(view.killer.id)) : "",
        };
      }
      const own = view.survivors.filter((tile, i) => playerOf(view, i) === seat);
      return {
        colour: own.length ? COLOUR[own[0].colour] : undefined,
        gifts: own.flatMap((tile) => names.get(tile.id).advantages.map(label)).join(" · "),
        who: own.map((tile) => label(names.get(tile.id)).split(" ")[0]).join(", "),
        text: own.map((tile) => `${label(names.get(tile.id)).split(" ")[0]} ${hearts(tile)}`).join(" · "),
      };
    });
  },
  /** The tracks of the roof, each with its name. */
  tracks({ view, game }) {
    if (!view.killer) return [];
    return [
      { name: t("whisper.keys"), n: view.keys, of: 5, kind: "gold" },
      view.gears !== undefined ? { name: t("whisper.gears"), n: view.gears, of: 5, kind: "blue" } : null,
      { name: t("whisper.level"), n: view.killer.level, of: 5, kind: "red" },
      { name: t("whisper.strength"), n: view.killer.strength, of: 10, kind: "red" },
      view.rescue !== null ? { name: t("whisper.rescue"), n: 5 - view.rescue, of: 5, kind: "green" } : null,
      ...view.survivors
        .filter((tile) => tile.state === "in" && tile.fear)
        .map((tile) => ({
          name: t("whisper.fear-of", { name: label(printed(game, "survivors").get(tile.id)).split(" ")[0] }),
          n: tile.fear,
          of: 2,
          kind: "fear",
        })),
    ].filter(Boolean);
  },
  close({ view }) {
    const least = Math.min(...view.survivors.map((tile) => (tile.state === "dead" ? 0 : tile.health)));
    return [
      t("whisper.close.keys", { n: view.keys }),
      view.gears !== undefined ? t("whisper.close.gears", { n: view.gears }) : null,
      least === 1 ? t("whisper.close.wound") : null,
    ];
  },
  encounter: drawEncounter,
  at(ctx, word) {
    const { view } = ctx;
    const i = view.places ? view.survivors.findIndex((tile) => tile.id === word) : -1;
    return i >= 0 && view.places[i] >= 0 ? view.places[i] : undefined;
  },
  hand({ view, seat }) {
    if (view.hand) return [{ title: t("hand"), words: view.hand }];
    // A survivor's player holds the things of his own figures.
    const bags = view.bags?.filter((bag, i) => bag && playerOf(view, i) === seat) || [];
    return bags.length ? [{ title: t("hand"), words: bags.flat() }] : [];
  },
  portrait({ game, view }, word) {
    const one = printed(game, "survivors").get(word);
    if (one) return { node: bust(COLOUR[one.colour] || one.colour, word), size: [120, 130] };
    return view.killer?.id === word ? { node: looming(word), size: [140, 170] } : null;
  },
  picture({ game }, word) {
    const one = printed(game, "survivors").get(word);
    if (one) return { node: figure(COLOUR[one.base_colour], first(label(one))), size: [20, 24] };
    if (printed(game, "killers").has(word)) return { node: hunter(word), size: [28, 36] };
    const card = printed(game, "killer_cards", "cards").get(word);
    if (card) return { node: killerCard(card), size: [44, 62] };
    const item = printed(game, "items").get(word);
    if (item) return { node: itemCard(item), size: [44, 62] };
    return null;
  },
  about({ game, view }, word) {
    const card = printed(game, "killer_cards", "cards").get(word);
    const facts = view.cards?.[word];
    const short = facts
      ? `${facts.steps.map((name) => t(`whisper.timing.${name}`)).join(" · ")} · ${t("whisper.price", { n: facts.cost })}`
      : "";
    const who = printed(game, "survivors").get(word);
    if (who) {
      const gifts = who.advantages.map((gift) => `${label(gift)}: ${said(gift, "text")}`);
      return { text: gifts.join(" "), short: who.advantages.map(label).join(" · ") };
    }
    const one = card || printed(game, "items").get(word) || printed(game, "plans").get(word);
    return one ? { text: said(one, "text"), short } : undefined;
  },
  helper(ctx) {
    const { view } = ctx;
    const nodes = [];
    if (view.active && ctx.seat !== undefined) {
      nodes.push(h("p", {}, t("whisper.acts"), " ", h("b", {}, ctx.word(view.active))));
    }
    if (view.playing) {
      nodes.push(
        h(
          "p",
          {},
          h("b", {}, label(printed(ctx.game, "killer_cards", "cards").get(view.playing))),
          " ",
          said(printed(ctx.game, "killer_cards", "cards").get(view.playing), "text"),
        ),
      );
    }
    if (view.encounter) nodes.push(encounter(ctx));
    if (view.answer) {
      nodes.push(
        h(
          "p",
          { class: "answer" },
          t("whisper.answer"),
          " ",
          h("b", {}, view.answer.survivors.map(ctx.word).join(", ") || t("whisper.nobody")),
        ),
      );
    }
    if (view.phase === "reporting" && view.pending) {
      nodes.push(
        h(
          "p",
          { class: "answer" },
          t("whisper.report"),
          " ",
          h(
            "b",
            {},
            view.firecracker_lit
              ? t("whisper.everywhere")
              : view.pending.map((cell) => ctx.game.places[cell]).join(", ") || t("whisper.silence"),
          ),
        ),
      );
    }
    return nodes;
  },
  panel(ctx) {
    if (ctx.view.hand) return killersPanel(ctx);
    if (ctx.view.bags) return teamsPanel(ctx);
    return [];
  },
  filters(ctx) {
    const about = (id) => (line) =>
      line.data.survivor === id || line.data.other === id || line.data.survivors?.includes(id);
    return [
      [t("whisper.questions"), (line) => QUESTIONS.has(line.kind)],
      [t("whisper.noises"), (line) => NOISES.has(line.kind)],
      ...ctx.view.survivors.map((tile) => [
        label(printed(ctx.game, "survivors").get(tile.id)),
        about(tile.id),
      ]),
    ];
  },
  tabs: (play) => [dossiers(play.context())],
  facts(ctx) {
    const { view } = ctx;
    if (!view.killer) return [];
    return [
      [t("whisper.round"), view.round],
      [t("whisper.level"), view.killer.level],
      [t("whisper.strength"), view.killer.strength],
      [t("whisper.keys"), `${view.keys} / 5`],
      view.rescue !== null ? [t("whisper.rescue"), view.rescue] : null,
      view.gears !== undefined ? [t("whisper.gears"), `${view.gears} / 5`] : null,
      view.equipment_left !== undefined ? [t("whisper.equipment"), view.equipment_left] : null,
      view.search_left !== undefined ? [t("whisper.search"), view.search_left] : null,
      view.hand_size !== null && view.hand_size !== undefined
        ? [t("whisper.hand-size"), view.hand_size]
        : null,
      h(
        "ul",
        { class: "roster" },
        view.survivors.map((tile) =>
          h(
            "li",
            {},
            h("span", { class: "dot", style: { background: COLOUR[tile.colour] }, "aria-hidden": "true" }),
            h("b", {}, label(printed(ctx.game, "survivors").get(tile.id))),
            h("span", { "aria-label": t("whisper.health", { n: tile.health }) }, hearts(tile)),
            h("span", {}, t("whisper.fear", { n: tile.fear })),
          ),
        ),
      ),
    ].filter(Boolean);
  },
};

function encounter(ctx) {
  const { encounter: one, killer } = ctx.view;
  return h(
    "div",
    { class: "encounter" },
    h(
      "p",
      {},
      h("b", {}, t("whisper.encounter")),
      ` ${ctx.game.places[one.cell]}: ${one.met.map(ctx.word).join(", ")}`,
    ),
    one.defender
      ? h(
          "p",
          {},
          `${ctx.word(one.defender)}: ${t("whisper.against", { n: killer.strength })}`,
          one.thing ? ` · ${ctx.word(one.thing)} (+${one.defence})` : "",
        )
      : null,
    one.dice.length
      ? h(
          "p",
          { class: "dice", "aria-label": t("whisper.dice") },
          one.dice.map((n) => h("span", { class: "die" }, String(n))),
        )
      : one.to_roll
        ? h("p", { class: "quiet" }, t("whisper.to-roll", { n: one.to_roll }))
        : null,
  );
}

/** The whole screen of an encounter, from what happened in it so far: who, against whom, how strong, the dice. */
function drawEncounter(ctx, { survivor, survivors = [], n, dice, more, total, kind }) {
  const { view, game } = ctx;
  const met = survivor ? [survivor] : survivors;
  const tiles = met.map((id) => view.survivors.find((tile) => tile.id === id)).filter(Boolean);
  const strength = n && kind !== "repelled" ? n : view.killer?.strength;
  return h(
    "div",
    { class: "ww-clash" },
    h("div", { class: "ww-mist" }),
    h(
      "div",
      { class: "ww-side ww-prey" },
      tiles.map((tile) =>
        h(
          "div",
          { class: "ww-one" },
          portrait(bust(COLOUR[tile.colour] || tile.colour, tile.id), "-60 -60 120 130"),
          h("b", {}, label(printed(game, "survivors").get(tile.id))),
          h("span", { class: "ww-hearts" }, hearts(tile)),
        ),
      ),
    ),
    h(
      "div",
      { class: "ww-between" },
      dice ? roll(dice, kind === "rolled") : h("span", { class: "ww-against" }, "⚔"),
      dice
        ? h(
            "p",
            { class: `ww-sum ${total >= strength ? "good" : "bad"}` },
            more ? h("small", {}, `+${more} = `) : null,
            `${total} : ${strength}`,
          )
        : null,
    ),
    h(
      "div",
      { class: "ww-side ww-killer" },
      portrait(looming(view.killer?.id || ""), "-70 -80 140 170"),
      h("b", {}, label(printed(game, "killers").get(view.killer?.id))),
      h("span", { class: "ww-strength" }, String(strength ?? "")),
    ),
  );
}

const portrait = (node, viewBox) => s("svg", { viewBox, class: "ww-portrait" }, node);

const SKIN = ["#f1d7b8", "#c98f62", "#8d5a3b", "#e6bd93"];
const HAIR = [
  "M-25 -2 Q-30 -46 0 -47 Q30 -46 25 -2 Q22 -22 10 -28 Q-10 -18 -20 -22 Q-23 -14 -25 -2 Z",
  "M-27 26 Q-34 -48 0 -48 Q34 -48 27 26 Q24 30 20 24 Q26 -18 6 -29 Q-4 -16 -21 -18 Q-25 8 -20 24 Q-24 30 -27 26 Z",
  "M-23 -14 Q-28 -45 0 -47 Q28 -45 23 -14 Q18 -30 0 -30 Q-18 -30 -23 -14 Z",
];
const DARK = ["#3a2418", "#1d1512", "#7a4a22", "#5a5048"];
/** Skin, hair and its colour, and a beard for some; whoever is in no box of ours looks like one of them. */
const LOOKS = {
  sophia: [0, 1, 2],
  anna: [3, 1, 0],
  marco: [1, 2, 1, true],
  johnson: [2, 0, 1, true],
  william: [0, 2, 2],
};
const BEARD = "M-22 -4 Q-20 22 0 27 Q20 22 22 -4 Q16 8 9 5 Q0 1 -9 5 Q-16 8 -22 -4 Z";

/** Somebody with a lantern who has seen what comes: 120 by 130. */
function bust(colour, id) {
  const path = (d, fill, more = {}) => s("path", { d, fill, ...more });
  const [face, hair, shade, hasBeard] = LOOKS[id] || Object.values(LOOKS)[id.length % 5];
  const [skin, dark] = [SKIN[face], DARK[shade]];
  return s(
    "g",
    {},
    s("circle", { cx: 34, cy: 40, r: 60, class: "ww-lamp" }),
    path("M-46 70 Q-46 28 -16 20 L16 20 Q46 28 46 70 Z", colour),
    path("M-16 20 L0 44 L16 20 L9 16 H-9 Z", skin),
    path("M-16 20 L0 46 L-6 70 H-16 Z M16 20 L0 46 L6 70 H16 Z", "#0004"),
    path("M-22 -12 Q-22 -40 0 -40 Q22 -40 22 -12 Q22 16 0 22 Q-22 16 -22 -12 Z", skin),
    path(HAIR[hair], dark),
    hasBeard ? path(BEARD, dark) : null,
    [-8.5, 8.5].map((cx) => s("ellipse", { cx, cy: -6, rx: 4, ry: 4.8, fill: "#fff" })),
    [-7, 10].map((cx) => s("circle", { cx, cy: -5.4, r: 2, fill: "#24160e" })),
    path("M-14 -15 Q-9 -19 -4 -16 M4 -16 Q9 -19 14 -15", "none", { stroke: dark, "stroke-width": 1.8 }),
    path("M-5 10 Q0 6 5 10 Q0 14 -5 10", "#7a2e24"),
    path("M28 30 H44 L46 54 H26 Z M30 30 Q36 20 42 30", "#2b2018"),
    path("M30 33 H42 V50 H30 Z", "#ffd98a"),
    path("M36 36 q4 6 0 11 q-4 -5 0 -11", "#ff9a2a"),
  );
}

/** What comes out of the dark: 140 by 170; its colours are its own. */
function looming(kind) {
  const path = (d, name) => s("path", { d, class: `ww-${name}` });
  return s(
    "g",
    { class: `ww-looming ${kind}` },
    path("M-62 90 Q-66 10 -34 -22 Q-24 -64 0 -70 Q24 -64 34 -22 Q66 10 62 90", "cloak"),
    path("M-24 -24 Q-20 -56 0 -58 Q20 -56 24 -24 Q20 2 0 8 Q-20 2 -24 -24 Z", "void"),
    path("M-15 -28 L-4 -22 L-13 -18 Z M15 -28 L4 -22 L13 -18 Z", "glare"),
    path("M-8 -6 l2 3 2 -3 2 3 2 -3 2 3 2 -3 2 3 2 -3", "grin"),
    path("M-20 8 Q0 26 20 8 M-30 30 Q0 48 30 30 M-36 56 Q0 70 36 56", "folds"),
    s(
      "g",
      { transform: "translate(50 22) rotate(18)" },
      s("rect", { x: -2.6, width: 5.2, height: 34, rx: 2, fill: "#4a2f1c" }),
      s("path", { d: "M-3 2 L-3 -34 Q10 -36 20 -28 L18 2 Z", fill: "#c9c4bd" }),
      s("path", { d: "M18 2 L20 -28 L15 -30 L14 2 Z", fill: "#fff9" }),
      s("path", { d: "M2 -20 q6 6 3 12 q8 2 6 8", fill: "none", stroke: "#8f1610", "stroke-width": 3 }),
    ),
    s("path", { d: "M38 34 q8 -4 14 2 q2 8 -4 12 q-10 2 -12 -6 Z", fill: "#2a1210" }),
  );
}

/** The killer's side: where in the turn, and what the deck can hold. */
function killersPanel(ctx) {
  const { view, game } = ctx;
  const cards = printed(game, "killer_cards", "cards");
  const step = STEPS.includes(view.phase) ? view.phase : "";
  return [
    view.my_killer
      ? h(
          "ol",
          { class: "guide", "aria-label": t("whisper.guide") },
          ["reveal", "instant", "main", "planning", "draw"].map((name) =>
            h(
              "li",
              { class: step === name ? "now" : "", "aria-current": step === name ? "step" : undefined },
              t(`whisper.step.${name}`),
            ),
          ),
        )
      : null,
    view.killer?.hidden
      ? h("p", { class: "stealth" }, t("whisper.you-hide", { place: game.places[view.at] }))
      : null,
    view.my_killer
      ? h(
          "details",
          { class: "left", "data-key": "deck" },
          h("summary", {}, t("whisper.deck", { n: view.deck_size })),
          h(
            "ul",
            {},
            Object.entries(view.deck).map(([id, n]) => h("li", {}, `${label(cards.get(id))}: ${n}`)),
          ),
          h(
            "p",
            { class: "quiet" },
            `${t("whisper.discarded")}: ${view.discard.map((id) => label(cards.get(id))).join(", ") || "—"}`,
          ),
          view.locked
            ? h("p", { class: "quiet" }, `${t("whisper.locked")}: ${label(cards.get(view.locked))}`)
            : null,
        )
      : null,
    view.my_skills.length
      ? h("p", {}, `${t("whisper.skills")}: ${view.my_skills.map(ctx.word).join(", ")}`)
      : null,
    view.guess ? h("p", { class: "quiet" }, `${t("whisper.guess")}: ${view.guess}`) : null,
    view.possible ? h("p", { class: "quiet" }, t("whisper.possible")) : null,
  ].filter(Boolean);
}

/** The survivors' side: who acts, what each carries, what must be told. */
function teamsPanel(ctx) {
  const { view, game } = ctx;
  const items = printed(game, "items");
  return [
    view.drawn?.length
      ? h(
          "div",
          { class: "drawn" },
          h("h3", {}, t("whisper.drawn")),
          view.drawn.map((id) =>
            h("p", {}, h("b", {}, label(items.get(id))), " ", said(items.get(id), "text")),
          ),
        )
      : null,
    h(
      "ul",
      { class: "team" },
      view.survivors.map((tile, i) =>
        h(
          "li",
          { class: view.active === tile.id ? "acts" : "", style: { "--own": COLOUR[tile.colour] } },
          h(
            "div",
            { class: "team-head" },
            h("b", {}, label(printed(game, "survivors").get(tile.id))),
            h("span", {}, tile.state === "in" ? game.places[view.places[i]] : t(`whisper.${tile.state}`)),
            view.acted.includes(tile.id) ? h("span", { class: "quiet" }, t("whisper.acted")) : null,
          ),
          h(
            "ul",
            { class: "bag" },
            view.bags[i] === null
              ? h("li", {}, t("whisper.items", { n: view.bag_sizes[i] }))
              : view.bags[i].map((id) =>
                  h("li", { title: said(items.get(id), "text") }, label(items.get(id))),
                ),
          ),
          view.own_keys[i] ? h("span", {}, `${t("whisper.keys")}: ${view.own_keys[i]}`) : null,
          view.skills[i]?.length
            ? h("span", { class: "quiet" }, view.skills[i].map(ctx.word).join(", "))
            : null,
        ),
      ),
    ),
    view.plans.length
      ? h(
          "details",
          { class: "left", "data-key": "plans" },
          h("summary", {}, t("whisper.plans")),
          view.plans.map((id) =>
            h(
              "p",
              {},
              h("b", {}, label(printed(game, "plans").get(id))),
              ` ${id === view.plan ? `(${view.line})` : ""} `,
              said(printed(game, "plans").get(id), "text"),
            ),
          ),
        )
      : null,
    view.pending.length
      ? h(
          "p",
          { class: "quiet" },
          `${t("whisper.pending")}: ${view.pending.map((cell) => game.places[cell]).join(", ")}`,
        )
      : null,
    view.pile?.length
      ? h(
          "details",
          { class: "left", "data-key": "pile" },
          h("summary", {}, t("whisper.pile")),
          h(
            "ul",
            {},
            view.pile.map((id) => h("li", {}, label(items.get(id)))),
          ),
        )
      : null,
  ].filter(Boolean);
}

/** Who the survivors are and what the killer becomes: printed, and known to both sides. */
function dossiers(ctx) {
  const { game, view } = ctx;
  if (!view.killer) return null;
  const killer = printed(game, "killers").get(view.killer.id);
  return h(
    "details",
    { class: "card dossiers" },
    h("summary", {}, t("whisper.dossiers")),
    view.survivors.map((tile) => {
      const one = printed(game, "survivors").get(tile.id);
      return h(
        "div",
        {},
        h("h3", {}, label(one)),
        h(
          "ul",
          {},
          one.advantages.map((gift) => h("li", {}, h("b", {}, label(gift)), ": ", said(gift, "text"))),
          h("li", {}, t("whisper.slots", { n: tile.slots })),
        ),
      );
    }),
    h("h3", {}, label(killer)),
    h(
      "ol",
      {},
      killer.levels.map((level) =>
        h(
          "li",
          {},
          said(level, "text") || level.effects.map((effect) => effectText(game, effect)).join("; ") || "—",
        ),
      ),
    ),
  );
}

function effectText(game, effect) {
  if (effect.op === "strength") return t("whisper.effect.strength", { n: effect.n });
  if (effect.card) {
    return `${t(effect.op === "unlock" ? "whisper.effect.unlock" : "whisper.effect.fast")}: ${label(printed(game, "killer_cards", "cards").get(effect.card))}`;
  }
  if (effect.op === "wound") return t("whisper.effect.wound");
  if (effect.op === "fear") return t("whisper.effect.fear");
  if (effect.op === "barricade") return t("whisper.effect.barricade", { n: effect.n });
  if (effect.op === "may") return t("whisper.effect.may", { n: effect.pay });
  return effect.op;
}
