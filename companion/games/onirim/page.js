// Onirim: painted cards on a dark mat, the hand, and the odds of the next draw.

import { h, s } from "/static/js/dom.js";
import { t } from "/static/js/text.js";

const COLOUR = {
  R: ["#8f2f2a", "#d9695c"],
  B: ["#23507f", "#6fabe0"],
  G: ["#2d6137", "#7cc27f"],
  W: ["#6a4a2c", "#c99a63"],
};

const GOLD = "#ffd36b";
/** The sign of each colour, so that colour is never alone. */
const SIGN = {
  R: "M-5.5 0 a5.5 5.5 0 1 0 11 0 a5.5 5.5 0 1 0 -11 0",
  B: "M0 -6 L6 5 H-6 Z",
  G: "M-5 -5 H5 V5 H-5 Z",
  W: "M0 -6.5 L6.5 0 L0 6.5 L-6.5 0 Z",
};

function symbol(kind) {
  if (kind === "s") {
    return s(
      "g",
      {},
      s("circle", { r: 8, fill: GOLD }),
      Array.from({ length: 12 }, (_, i) =>
        s("path", { d: "M0 -11 L1.6 -15.5 L-1.6 -15.5 Z", fill: GOLD, transform: `rotate(${i * 30})` }),
      ),
    );
  }
  if (kind === "m") {
    return s("path", { d: "M4 -13 A13.5 13.5 0 1 0 12 7 A11 11 0 0 1 4 -13 Z", fill: "#e6ebf5" });
  }
  return s(
    "g",
    { stroke: GOLD, "stroke-linecap": "round" },
    s("circle", { cy: -8, r: 6, fill: "none", "stroke-width": 3.2 }),
    s("path", { d: "M0 -2 V15 M0 9 H6 M0 14 H5", fill: "none", "stroke-width": 3.2 }),
  );
}

/** One card, centred, in millimetres. */
export function card(code, w = 63, hh = 88) {
  const scale = Math.min(w / 63, hh / 88);
  const base = (...inside) => s("g", { class: "on-card", transform: `scale(${scale})` }, inside);
  if (code === "back") {
    return base(
      s("rect", { x: -31, y: -43.5, width: 62, height: 87, rx: 5, fill: "#241d33", stroke: "#7b6a9c" }),
      s("circle", { r: 17, fill: "none", stroke: "#8d7bb0", "stroke-width": 1.4 }),
      s("path", {
        d: "M-17 0 Q0 -15 17 0 Q0 15 -17 0 Z",
        fill: "none",
        stroke: "#8d7bb0",
        "stroke-width": 1.4,
      }),
      s("circle", { r: 5, fill: "#8d7bb0" }),
    );
  }
  if (code === "NM") {
    return base(
      s("rect", {
        x: -31,
        y: -43.5,
        width: 62,
        height: 87,
        rx: 5,
        fill: "#120d18",
        stroke: "#8b5fb5",
        "stroke-width": 1.6,
      }),
      s("path", {
        d: "M-20 22 Q-24 -24 0 -27 Q24 -24 20 22 L13 15 L7 23 L0 15 L-7 23 L-13 15 Z",
        fill: "#3a2450",
      }),
      s("ellipse", { cx: -8, cy: -7, rx: 4.5, ry: 7, fill: "#e9c8ff" }),
      s("ellipse", { cx: 8, cy: -7, rx: 4.5, ry: 7, fill: "#e9c8ff" }),
    );
  }
  const [dark, bright] = COLOUR[code[0]];
  if (code[1] === "D") {
    return base(
      s("rect", {
        x: -31,
        y: -43.5,
        width: 62,
        height: 87,
        rx: 5,
        fill: "#17110d",
        stroke: bright,
        "stroke-width": 1.6,
      }),
      s("path", {
        d: "M-19 34 V-10 A19 19 0 0 1 19 -10 V34 Z",
        fill: dark,
        stroke: bright,
        "stroke-width": 2.4,
      }),
      s("path", { d: "M0 -28 V34 M-19 6 H19", stroke: "#0007", "stroke-width": 1.4 }),
      s("circle", { cx: 11, cy: 8, r: 2.6, fill: GOLD }),
    );
  }
  return base(
    s("rect", {
      x: -31,
      y: -43.5,
      width: 62,
      height: 87,
      rx: 5,
      fill: dark,
      stroke: bright,
      "stroke-width": 1.4,
    }),
    s("rect", {
      x: -25.5,
      y: -38,
      width: 51,
      height: 76,
      rx: 3,
      fill: "none",
      stroke: bright,
      "stroke-opacity": 0.45,
      "stroke-width": 0.9,
    }),
    s("path", { d: "M-25 30 Q-8 16 0 26 T25 22 V38 H-25 Z", fill: bright, "fill-opacity": 0.18 }),
    s("g", { transform: "scale(1.35)" }, symbol(code[1])),
    s("path", { d: SIGN[code[0]], transform: "translate(-20.5 -33)", fill: "#fff", "fill-opacity": 0.92 }),
  );
}

/**
 * What the empty places are for: a zone of several says it once, across those that are free. A seat's name stands on
 * its place, word by word.
 */
function labels(ctx) {
  const { game, frame, least = 0 } = ctx;
  const { cells } = game.board;
  const size = Math.max(9, least);
  const text = (x, y, said, room) => {
    const letters = Math.max(3, Math.floor(room / (0.58 * size)));
    const short = said.length > letters ? `${said.slice(0, letters - 1)}…` : said;
    return s("text", { x, y, "font-size": size, class: "on-label" }, short);
  };
  const isFree = (place) => !frame.layout?.[cells.indexOf(place)]?.length;
  const zones = ZONES.flatMap((zone) => {
    const places = cells.filter((place) => place.zone === zone);
    const at = places.findIndex(isFree);
    if (at < 0) return [];
    const taken = places.slice(at).findIndex((place) => !isFree(place));
    const run = taken < 0 ? places.slice(at) : places.slice(at, at + taken);
    const [x, y] = run[0].centre_mm,
      [w, hh] = run[0].size_mm;
    const right = run[run.length - 1].centre_mm[0];
    return [text(x - w / 2 + 4, y + hh / 2 - 5, t(`onirim.${zone}`), right - x + w - 8)];
  });
  const seats = cells
    .filter((place) => place.zone.startsWith("seat"))
    .flatMap(({ name, centre_mm: [x, y], size_mm: [w] }) =>
      ctx
        .name(Number(name.slice(-1)) - 1)
        .split(" ")
        .map((word, i) => text(x - w / 2 + 4, y + i * 1.2 * size, word, w - 6)),
    );
  return [...zones, ...seats];
}

const ZONES = ["deck", "limbo", "discard", "reveal", "strip"];

export default {
  /** A dream: glass. */
  room: {
    pitch: 1.5,
    interval: 1.26,
    wind: 1400,
    sharp: 4,
    every: 1.4,
    grains: [
      { wave: "sine", from: 880, to: 880, gain: 0.07, decay: 1.1, attack: 0.05 },
      { wave: "sine", from: 1109, to: 1109, gain: 0.07, decay: 1.1, attack: 0.05 },
      { wave: "sine", from: 1397, to: 1397, gain: 0.07, decay: 1.1, attack: 0.05 },
    ],
  },
  cover: () => [
    s("path", { d: "M0 0 H90 V78 H0 Z", class: "p-dream" }),
    s("path", { d: "M30 6 A16 16 0 1 0 40 30 A13 13 0 0 1 30 6 Z", class: "p-moon" }),
    s("path", { d: "M0 64 Q24 52 45 62 T90 58 V78 H0 Z", class: "p-mist" }),
    s("path", { d: "M45 70 L48 56 H66 L72 70 Z", class: "p-path" }),
    s("path", { d: "M46 58 V30 a12 12 0 0 1 24 0 V58 Z", class: "p-door" }),
    s("path", { d: "M49.5 56 V31 a8.5 8.5 0 0 1 8.5 -8.5 V56 Z", class: "p-lamp" }),
    s("path", { d: "M58 22.5 L66 26 V60 L58 56 Z", class: "p-leaf" }),
    s("circle", { cx: 63.6, cy: 43, r: 1.3, class: "p-lamp" }),
    s("g", { transform: "translate(24 58) rotate(-14) scale(0.3)" }, card("Rs")),
    s("g", { transform: "translate(36 62) rotate(4) scale(0.3)" }, card("Bm")),
    s("path", {
      d: "M78 12 l1.2 3 3 1.2 -3 1.2 -1.2 3 -1.2 -3 -3 -1.2 3 -1.2 Z M12 34 l0.8 2 2 0.8 -2 0.8 -0.8 2 -0.8 -2 -2 -0.8 2 -0.8 Z M84 40 l0.8 2 2 0.8 -2 0.8 -0.8 2 -0.8 -2 -2 -0.8 2 -0.8 Z",
      class: "p-moon",
    }),
  ],
  flat: true,
  stacks: false,
  ground: ({ game }) =>
    s("rect", {
      x: -3,
      y: -3,
      width: game.board.size_mm[0] + 6,
      height: game.board.size_mm[1] + 6,
      rx: 10,
      class: "on-mat",
    }),
  place(ctx, place) {
    const [x, y] = place.centre_mm,
      [w, hh] = place.size_mm;
    return s(
      "g",
      { class: "place" },
      s("rect", {
        x: x - w / 2,
        y: y - hh / 2,
        width: w,
        height: hh,
        rx: 5,
        class: place.zone.startsWith("seat") ? "bare" : "",
      }),
      place.zone.startsWith("door")
        ? s("path", {
            d: `M${x - 19} ${y + 34} V${y - 10} a19 19 0 0 1 38 0 V${y + 34} Z`,
            fill: "none",
            stroke: COLOUR[place.name.slice(-1)][1],
            "stroke-opacity": 0.45,
            "stroke-dasharray": "3 3",
          })
        : null,
    );
  },
  piece: (ctx, { face }) => card(face),
  over(ctx) {
    const { game, view, least = 0 } = ctx;
    const numbers = [
      ["deck", view.deck],
      ["limbo1", view.limbo.length],
      ["discard1", view.discard.length],
    ];
    return [
      ...labels(ctx),
      ...numbers
        .filter(([, n]) => n)
        .map(([name, n]) => {
          const [x, y] = game.board.cells[game.index.get(name)].centre_mm;
          return s(
            "g",
            {},
            s("circle", { cx: x, cy: y + 26, r: Math.max(12, least * 0.9), class: "on-disc" }),
            s(
              "text",
              {
                x,
                y: y + 26,
                "text-anchor": "middle",
                "dominant-baseline": "central",
                "font-size": Math.max(13, least),
                class: "on-number",
              },
              String(n),
            ),
          );
        }),
    ];
  },
  hand(ctx) {
    const { view } = ctx;
    const own = view.hands[ctx.seat ?? view.seat]?.cards || [];
    return [
      { title: t("onirim.hand"), words: own },
      { title: t("onirim.shared"), words: view.shared },
      { title: t("onirim.prophecy"), words: view.looked.cards || [] },
    ];
  },
  close: ({ view }) => [
    t("onirim.close.doors", { n: view.doors.flat().reduce((a, b) => a + b, 0) }),
    t("onirim.close.deck", { n: view.deck }),
  ],
  players: ({ view }) =>
    view.doors.map((own, seat) => ({
      colour: ["#c9734f", "#6a8fd0"][seat],
      text: t("onirim.close.own", { n: own.reduce((a, b) => a + b, 0) }),
    })),
  facts({ view, word }) {
    const doors = view.doors.flat().reduce((a, b) => a + b, 0);
    const unseen = Object.values(view.left).reduce((a, b) => a + b, 0);
    const odds = (test) => {
      const n = Object.entries(view.left)
        .filter(([code]) => test(code))
        .reduce((a, [, k]) => a + k, 0);
      return unseen ? `${Math.round((100 * n) / unseen)} %` : "—";
    };
    return [
      [t("onirim.doors"), `${doors} / 8`],
      [t("onirim.deck"), view.deck],
      [t("onirim.next-door"), odds((code) => code[1] === "D"), t("onirim.odds")],
      [t("onirim.next-nightmare"), odds((code) => code === "NM"), t("onirim.odds")],
      h(
        "details",
        { class: "left", "data-key": "left" },
        h("summary", {}, t("onirim.left")),
        h(
          "ul",
          {},
          Object.entries(view.left)
            .filter(([, n]) => n)
            .map(([code, n]) => h("li", {}, `${word(code)}: ${n}`)),
        ),
      ),
    ];
  },
};
