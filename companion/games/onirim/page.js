// Onirim: painted cards on a dark mat, the hand, and the odds of the next draw.

import { h, s } from "/static/js/dom.js";
import { fitType } from "/static/js/geometry.js";
import { t } from "/static/js/text.js";

const COLOUR = {
  R: ["#8f2f2a", "#d9695c"],
  B: ["#23507f", "#6fabe0"],
  G: ["#2d6137", "#7cc27f"],
  W: ["#6a4a2c", "#c99a63"],
};

function symbol(kind) {
  if (kind === "s") {
    return s(
      "g",
      {},
      s("circle", { r: 8, class: "on-gold" }),
      Array.from({ length: 12 }, (_, i) =>
        s("path", { d: "M0 -11 L1.6 -15.5 L-1.6 -15.5 Z", class: "on-gold", transform: `rotate(${i * 30})` }),
      ),
    );
  }
  if (kind === "m") {
    return s("path", { d: "M4 -13 A13.5 13.5 0 1 0 12 7 A11 11 0 0 1 4 -13 Z", class: "on-silver" });
  }
  return s(
    "g",
    { class: "on-key" },
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
      s("circle", { cx: 11, cy: 8, r: 2.6, class: "on-gold" }),
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
    s(
      "text",
      { x: -28, y: -29, "font-size": 17, fill: "#fff", "fill-opacity": 0.9 },
      code[0] === "W" ? "◆" : code[0] === "R" ? "●" : code[0] === "B" ? "▲" : "■",
    ),
  );
}

const ZONES = ["deck", "limbo", "discard", "reveal", "strip"];

export default {
  cover: () => [
    s("rect", {
      x: 14,
      y: 22,
      width: 22,
      height: 34,
      rx: 3,
      class: "p-card",
      transform: "rotate(-12 25 39)",
    }),
    s("rect", { x: 30, y: 18, width: 22, height: 34, rx: 3, class: "p-card", transform: "rotate(3 41 35)" }),
    s("path", { d: "M52 58 V30 a12 12 0 0 1 24 0 V58 Z", class: "p-door" }),
    s("circle", { cx: 71, cy: 45, r: 2, class: "p-lamp" }),
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
    const label = ZONES.includes(place.zone)
      ? t(`onirim.${place.zone}`)
      : place.zone.startsWith("door")
        ? ""
        : place.zone.startsWith("seat")
          ? ctx.name(Number(place.name.slice(-1)) - 1)
          : "";
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
      label
        ? s(
            "text",
            {
              x,
              y: ZONES.includes(place.zone) ? y + hh / 2 - 4 : y,
              "text-anchor": "middle",
              ...fitType(label, w * 0.94, Math.min(9, (w / label.length) * 1.7), ctx.least),
            },
            label,
          )
        : null,
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
  over({ game, view, least = 0 }) {
    const numbers = [
      ["deck", view.deck],
      ["limbo1", view.limbo.length],
      ["discard1", view.discard.length],
    ];
    return numbers
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
      });
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
