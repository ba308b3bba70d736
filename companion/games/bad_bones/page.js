// Bad Bones: a tower to defend on a board of five by five, skeletons that march, traps that turn them.

import { h, s } from "/static/js/dom.js";
import { t } from "/static/js/text.js";

const SYMBOL = {
  G: ["#7cc27f", "■"],
  B: ["#6fabe0", "▲"],
  R: ["#e8695c", "●"],
  Y: ["#f0cf56", "◆"],
  P: ["#b48cf0", "★"],
};
const TIP = { L: 90, T: 180, R: 270 };
/** Where a token's tip points when its picture stands upright, clockwise from up. */

function skeleton(face) {
  const [kind, colour] = face.split(/-(?=white$|black$)/);
  const type = kind.match(/[GBRYP][LTR]/)?.[0] || "GT";
  const [tint, sign] = SYMBOL[type[0]];
  const dark = colour === "black";
  const commander = !/^[GBRYP][LTR]$/.test(kind);
  return s(
    "g",
    { class: `bb-bone ${dark ? "dark" : ""}` },
    s("g", { transform: `rotate(${TIP[type[1]]})` }, s("path", { d: "M0 -14.5 L7 -9 H-7 Z", fill: tint })),
    s("circle", { r: 10.5, class: "bb-disc", stroke: tint, "stroke-width": commander ? 2.6 : 1.4 }),
    s("path", { d: "M-6 -1 A6 6 0 1 1 6 -1 L4 3.6 H-4 Z", class: "bb-skull" }),
    s("circle", { cx: -2.3, cy: -1.6, r: 1.5, class: "bb-eye" }),
    s("circle", { cx: 2.3, cy: -1.6, r: 1.5, class: "bb-eye" }),
    s("text", { x: 8, y: 11, "font-size": 9.4, "text-anchor": "middle", class: "bb-sign", fill: tint }, sign),
    commander
      ? s("path", { d: "M-5 -9 L-2.5 -6 L0 -10 L2.5 -6 L5 -9 L4 -5 H-4 Z", class: "bb-crown" })
      : null,
  );
}

const TRAP = {
  wall: () =>
    s(
      "g",
      {},
      s("path", { d: "M-13 13 L13 -13", class: "bb-wall" }),
      s("path", { d: "M-9 13 L13 -9 M-13 9 L9 -13", class: "bb-wall thin" }),
    ),
  catapult: () => s("path", { d: "M-10 9 H10 M-7 9 L8 -8 M8 -8 l3 -3", class: "bb-wood" }),
  dragon: () =>
    s("path", {
      d: "M-11 8 Q-12 -6 0 -8 Q6 -13 11 -9 Q8 -6 9 -2 Q8 8 -2 8 Q4 3 0 0 Q-6 0 -5 8 Z",
      class: "bb-dragon",
    }),
  treasure: () =>
    s(
      "g",
      {},
      s("path", { d: "M-10 8 V-3 A10 7 0 0 1 10 -3 V8 Z", class: "bb-chest" }),
      s("path", { d: "M-10 0 H10 M0 -2 V3", class: "bb-gold" }),
    ),
  palisade: () =>
    s("path", {
      d: "M-10 9 V-6 L-7 -10 L-4 -6 V9 M-3 9 V-6 L0 -10 L3 -6 V9 M4 9 V-6 L7 -10 L10 -6 V9",
      class: "bb-wood",
    }),
  hearse: () =>
    s(
      "g",
      {},
      s("path", { d: "M-11 5 V-6 H6 L10 0 V5 Z", class: "bb-chest" }),
      s("circle", { cx: -6, cy: 7, r: 3, class: "bb-eye" }),
      s("circle", { cx: 5, cy: 7, r: 3, class: "bb-eye" }),
    ),
  dynamite: () =>
    s(
      "g",
      {},
      s("rect", { x: -4, y: -6, width: 8, height: 15, rx: 1.5, class: "bb-red" }),
      s("path", { d: "M0 -6 Q2 -12 7 -10", class: "bb-gold" }),
    ),
  crater: () => s("ellipse", { rx: 12, ry: 9, class: "bb-crater" }),
  "maze-white": () => s("path", { d: "M-9 -9 H9 V9 H-5 V-4 H4 V4 H0", class: "bb-maze" }),
  "maze-black": () => s("path", { d: "M-9 -9 H9 V9 H-5 V-4 H4 V4 H0", class: "bb-maze black" }),
  portal: () =>
    s("g", {}, s("circle", { r: 10, class: "bb-portal" }), s("circle", { r: 5.5, class: "bb-portal" })),
  spring: () => s("path", { d: "M-8 9 H8 L-8 4 L8 0 L-8 -4 L8 -8", class: "bb-wood" }),
};

function trap(face) {
  const worn = face.endsWith("-damaged");
  const name = worn ? face.slice(0, -8) : face;
  return s(
    "g",
    { class: worn ? "bb-worn" : "" },
    s("rect", { x: -15.5, y: -15.5, width: 31, height: 31, rx: 4, class: "bb-tile" }),
    TRAP[name]?.(),
    worn ? s("path", { d: "M-12 -12 L-3 -2 L-7 3 L3 12", class: "bb-crack" }) : null,
  );
}

function tower(floors) {
  return s(
    "g",
    {},
    Array.from({ length: floors }, (_, i) =>
      s("rect", { x: -11 + i, y: 8 - 7 * i, width: 22 - 2 * i, height: 6.5, class: "bb-stone" }),
    ),
    s("path", {
      d: `M${-11 + floors} ${9 - 7 * floors} v-5 h4 v3 h3 v-3 h6 v3 h3 v-3 h4 v5 Z`,
      class: "bb-stone",
      transform: `scale(0.9) translate(0 1)`,
    }),
  );
}

const house = (standing) =>
  s(
    "g",
    { class: standing ? "" : "bb-burnt" },
    s("path", { d: "M-11 11 V-1 L0 -11 L11 -1 V11 Z", class: "bb-house" }),
    s("rect", { x: -3, y: 2, width: 6, height: 9, class: standing ? "bb-window" : "bb-eye" }),
  );
const hero = (i) =>
  s(
    "g",
    { class: "bb-hero", fill: SEATS[i % SEATS.length] },
    s("ellipse", { cy: 9, rx: 8, ry: 3, fill: "#0008" }),
    s("path", { d: "M-6.5 9 L-4 -3 H4 L6.5 9 Z" }),
    s("circle", { cy: -6.5, r: 4.4 }),
    s("path", { d: "M7 3 V-12 M4.4 -6 H9.6", class: "bb-sword" }),
  );
const SEATS = ["#f4b860", "#6fabe0", "#7cc27f", "#e8695c", "#b48cf0", "#f29ac0"];
const PLACES = 49;
const HARM = new Set(["tower", "village", "goal"]);

/** What belongs to one seat, out of a view that lists everything seat by seat. */
function own(view, seat) {
  const one = {};
  for (const key of [
    "hero",
    "floors",
    "houses",
    "fallen",
    "points",
    "weapon",
    "supply",
    "cemetery",
    "forecast",
    "skeletons",
  ]) {
    one[key] = view[key][seat];
  }
  return one;
}
const seatsOf = (view) => Array.from({ length: view.players }, (_, seat) => own(view, seat));

/** A skeleton that comes, on the box's cover. */
function bones(x, y, way) {
  return s(
    "g",
    { transform: `translate(${x} ${y}) scale(${way} 1)` },
    s("path", { d: "M-4.6 -1 A4.6 4.6 0 1 1 4.6 -1 L3 2.6 H-3 Z", class: "p-bone" }),
    s("path", {
      d: "M-2.8 -2 h2 v2 h-2 Z M1 -2 h2 v2 h-2 Z M-2 2.6 v1.6 M0 2.6 v1.6 M2 2.6 v1.6",
      class: "p-dark",
    }),
    s("path", { d: "M0 3 V9 M-3.4 5 H3.4 M-2.6 7 H2.6 M3.4 5 L7 2", class: "p-ribs" }),
  );
}

/** So far from the middle of its place an arrow begins and ends, so that skeleton and sign stay free. */
const ARROW_BEGINS = 13,
  ARROW_ENDS = 5;

/** Where a skeleton goes next: an arrow along its way in the colour of its symbol; red where it does harm. */
function march(points, [tint], harm) {
  const short = (from, to, by) => {
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const share = by / Math.hypot(dx, dy);
    return [from[0] + dx * share, from[1] + dy * share];
  };
  const last = points.length - 1;
  const line = [...points];
  line[0] = short(points[0], points[1], ARROW_BEGINS);
  line[last] = short(points[last], points[last - 1], ARROW_ENDS);
  const [x, y] = line[last],
    [px, py] = last === 1 ? line[0] : points[last - 1];
  const d = `M${line.map((point) => point.join(" ")).join(" L")}`;
  const colour = harm ? "#ff5a45" : tint;
  return s(
    "g",
    { class: `bb-next ${harm ? "harm" : ""}`, stroke: colour, fill: colour },
    s("path", { d, class: "bb-next-edge" }),
    s("path", { d, class: "bb-next-line" }),
    s("path", {
      d: "M3.5 0 L-4 -4.4 L-2 0 L-4 4.4 Z",
      class: "bb-next-tip",
      transform: `translate(${x} ${y}) rotate(${(Math.atan2(y - py, x - px) * 180) / Math.PI})`,
    }),
  );
}

function boardOf(ctx, seat) {
  const cells = ctx.game.board.cells.slice(seat * PLACES, seat * PLACES + 45);
  const xs = cells.map((one) => one.centre_mm[0]),
    ys = cells.map((one) => one.centre_mm[1]);
  return [Math.min(...xs) - 17, Math.min(...ys) - 17, Math.max(...xs) + 17, Math.max(...ys) + 17];
}

/** The letters and numbers of the places, as the words say them: along two sides of the field, as on a chessboard. */
function lines(ctx, column, row) {
  const size = Math.min(9, Math.max(6, ctx.least || 0));
  const mark = (text, x, y, anchor) =>
    s("text", { x, y, class: "bb-line", "font-size": size, "text-anchor": anchor }, text);
  return [
    column === 1 ? mark(String(row), -15, -15.5 + 0.85 * size, "start") : null,
    row === 5 ? mark("abcde"[column - 1], 15, 15, "end") : null,
  ];
}

export default {
  /** Open fields at night: wind, and far bones. */
  room: {
    pitch: 1.12,
    interval: 1.335,
    wind: 560,
    sharp: 0.6,
    every: 1.6,
    grains: [
      { wave: "square", from: 420, to: 390, gain: 0.06, decay: 0.05 },
      { wave: "square", from: 480, to: 390, gain: 0.06, decay: 0.05 },
      { wave: "square", from: 540, to: 390, gain: 0.06, decay: 0.05 },
    ],
  },
  cover: () => [
    s("circle", { cx: 18, cy: 16, r: 8, class: "p-moon" }),
    s("path", { d: "M0 60 Q22 50 45 54 T90 52 V78 H0 Z", class: "p-ground" }),
    s("path", { d: "M4 58 l6 -15 6 15 Z M74 56 l7 -18 7 18 Z M66 57 l5 -12 5 12 Z", class: "p-bush" }),
    s("path", { d: "M33 58 V28 h-4 V17 h6 v5 h5 v-5 h10 v5 h5 v-5 h6 v11 h-4 V58 Z", class: "p-stone" }),
    s("path", {
      d: "M33 34 h24 M33 41 h24 M33 48 h24 M40 28 v6 M50 34 v7 M41 41 v7 M51 48 v10",
      class: "p-frame",
    }),
    s("path", { d: "M41 58 v-8 a4 4 0 0 1 8 0 v8 Z", class: "p-night" }),
    s("path", { d: "M43 33 h4 v5 h-4 Z", class: "p-lamp" }),
    s("path", { d: "M45 17 V8 l9 3 -9 3", class: "p-flag" }),
    ...[
      [14, 62, 1],
      [74, 63, -1],
      [60, 68, -1],
      [29, 69, 1],
    ].map(([x, y, way]) => bones(x, y, way)),
  ],
  margin: [6, 12, 6, 6],
  viewBox(ctx) {
    if (ctx.seat === undefined || ctx.view.players < 2) return undefined;
    const [x0, y0, x1, y1] = boardOf(ctx, ctx.seat);
    return `${x0 - 6} ${y0 - 14} ${x1 - x0 + 12} ${y1 - y0 + 20}`;
  },
  ground(ctx) {
    const nodes = [
      s("rect", {
        x: -6,
        y: -12,
        width: ctx.game.board.size_mm[0] + 12,
        height: ctx.game.board.size_mm[1] + 18,
        rx: 10,
        class: "bb-table",
      }),
    ];
    for (let seat = 0; seat < ctx.view.players; seat += 1) {
      const [x0, y0, x1] = boardOf(ctx, seat);
      const { corner_mm: corner, size_mm: size, turn } = ctx.game.board.parts[seat];
      nodes.push(
        s(
          "g",
          { transform: `translate(${corner}) rotate(${turn})` },
          s("rect", {
            width: size[0],
            height: size[1],
            rx: 12,
            class: `bb-forest ${ctx.view.fallen[seat] ? "fallen" : ""}`,
          }),
          s("rect", { x: 34, y: 34, width: 170, height: 170, rx: 5, class: "bb-field" }),
        ),
        s(
          "text",
          {
            x: (x0 + x1) / 2,
            y: y0 - 3,
            "font-size": Math.max(9, ctx.least || 0),
            "text-anchor": "middle",
            fill: SEATS[seat],
          },
          ctx.name(seat),
        ),
      );
    }
    return nodes;
  },
  place(ctx, place) {
    const [x, y] = place.centre_mm;
    const side = ctx.game.data.printed.sides[ctx.view.coop ? "coop" : "standard"];
    if (place.zone === "field") {
      const column = place.name.charCodeAt(1) - 96,
        row = Number(place.name[2]);
      const ways = new Set(
        (side.arrows || [])
          .filter((arrow) => arrow.enabled !== false && arrow.cell[0] === column && arrow.cell[1] === row)
          .map((arrow) => arrow.out),
      );
      return s(
        "g",
        { transform: `translate(${x} ${y}) rotate(${place.turn})` },
        s("rect", { x: -16.5, y: -16.5, width: 33, height: 33, rx: 2, class: "bb-cell" }),
        lines(ctx, column, row),
        [...ways].map((out) =>
          s("path", {
            d: "M0 -13 L6 -6 H2.5 V0 H-2.5 V-6 H-6 Z",
            class: "bb-arrow",
            transform: `rotate(${{ U: 0, R: 90, D: 180, L: 270 }[out]})`,
          }),
        ),
      );
    }
    if (place.zone === "cemetery") {
      return s("path", {
        d: `M${x - 8} ${y + 11} V${y - 4} a8 8 0 0 1 16 0 V${y + 11} Z`,
        class: "bb-grave",
      });
    }
    if (place.zone !== "forest") return null;
    const edge = { L: "left", T: "top", R: "right", B: "bottom" }[place.name[1]];
    const letter = side?.edges?.[edge]?.symbols?.value?.[Number(place.name[2]) - 1];
    const [tint, sign] = SYMBOL[letter] || ["#6b7f55", "·"];
    return s(
      "g",
      {},
      s("path", {
        d: `M${x} ${y - 12} L${x + 9} ${y + 4} H${x - 9} Z M${x} ${y - 5} L${x + 11} ${y + 11} H${x - 11} Z`,
        class: "bb-tree",
      }),
      s(
        "text",
        { x, y: y + 6, "font-size": Math.max(9, ctx.least || 0), "text-anchor": "middle", fill: tint },
        sign,
      ),
    );
  },
  piece(ctx, { face, info, cell }) {
    if (info?.kind === "token") return skeleton(face);
    if (info?.kind === "trap") return trap(face);
    if (face.startsWith("tower-")) return tower(Number(face.slice(6)));
    if (face.startsWith("house")) return house(face === "house");
    if (face === "hero") return hero(Math.floor(cell / PLACES));
    return null;
  },
  /** The next steps are arrows, not signs: a dozen skeletons march at once. */
  draws: { path: "→" },
  over({ game, view, seat }) {
    const middle = (cell) => game.board.cells[cell]?.centre_mm;
    return seatsOf(view).flatMap((one, i) =>
      seat !== undefined && i !== seat
        ? []
        : one.forecast.flatMap((step, n) => {
            const [cell, kind] = one.skeletons[n];
            const way = [cell, ...step.path, step.to].filter((at, k, all) => at !== all[k - 1]);
            const points = way.map(middle).filter(Boolean);
            return points.length > 1
              ? march(points, SYMBOL[kind.match(/[GBRYP]/)?.[0]], HARM.has(step.end))
              : [];
          }),
    );
  },
  owner: (ctx, { face, cell }) => (face === "hero" ? Math.floor(cell / PLACES) : undefined),
  players: ({ view }) =>
    seatsOf(view).map((one, seat) => ({
      colour: SEATS[seat],
      text: `${t("bones.floors")} ${one.floors} · ${t("bones.points")} ${one.points}`,
    })),
  picture(ctx, word) {
    if (/^wall[/\\]$/.test(word)) {
      const turned = s("g", { transform: word.endsWith("/") ? "" : "rotate(90)" }, trap("wall"));
      return { node: turned, size: [34, 34] };
    }
    if (TRAP[word]) return { node: trap(word), size: [34, 34] };
    const [, kind, way, colour] =
      word.match(/^(.*[GBRYP][LTR])(?:-(up|right|down|left)-(white|black))?$/) || [];
    if (!kind) return null;
    const tip = kind.match(/[GBRYP]([LTR])$/)[1];
    const turn = way ? { up: 0, right: 90, down: 180, left: 270 }[way] - TIP[tip] : 0;
    return {
      node: s("g", { transform: `rotate(${turn})` }, skeleton(`${kind}-${colour || "white"}`)),
      size: [32, 32],
    };
  },
  panel(ctx) {
    if (ctx.seat === undefined) return [];
    const mine = own(ctx.view, ctx.seat);
    return [
      h(
        "p",
        { class: "quiet" },
        `${t("bones.supply")}: ${
          Object.entries(mine.supply)
            .map(([name, n]) => `${ctx.word(name)} ×${n}`)
            .join(", ") || "—"
        }`,
      ),
      mine.weapon ? h("p", {}, `${t("bones.weapon")}: ${ctx.word(mine.weapon)}`) : null,
    ];
  },
  facts(ctx) {
    const { view } = ctx;
    return [
      [t("bones.round"), view.rounds ? `${view.round} / ${view.rounds}` : view.round],
      [t("bones.bag"), view.bag],
      [t("bones.marker"), ctx.word(view.marker)],
      h(
        "table",
        { class: "scores" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["", t("bones.floors"), t("bones.houses"), t("bones.cemetery"), t("bones.points")].map((text) =>
              h("th", { scope: "col" }, text || h("span", { class: "unseen" }, t("seats"))),
            ),
          ),
        ),
        h(
          "tbody",
          {},
          seatsOf(view).map((one, seat) =>
            h(
              "tr",
              { class: one.fallen ? "fallen" : "" },
              h(
                "th",
                { scope: "row" },
                h("span", { class: "dot", style: { background: SEATS[seat] }, "aria-hidden": "true" }),
                " ",
                ctx.name(seat),
              ),
              h("td", {}, one.floors),
              h("td", {}, one.houses),
              h("td", {}, one.cemetery.length),
              h("td", {}, one.points),
            ),
          ),
        ),
      ),
    ];
  },
};
