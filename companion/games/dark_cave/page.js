// The Dark Cave: tunnel cards drawn from their data, dwarves, creatures, webs; the hand and the hidden clan.

import { h, s } from "/static/js/dom.js";
import { t } from "/static/js/text.js";

const W = 56,
  H = 87;
const EDGE = { N: [0, -H / 2 + 1], E: [W / 2 - 1, 0], S: [0, H / 2 - 1], W: [-W / 2 + 1, 0] };
const NEAR = { n: [0, -18], e: [13, 0], s: [0, 18], w: [-13, 0], c: [0, 0], a: [0, 0], b: [6, 8] };
const CLAN = { yellow: "#f0cf56", blue: "#6fabe0" };
const SIGN = {
  info: "👁",
  rockfall: "☄",
  swap: "⇄",
  web: "✳",
  boots: "»",
  axe: "⚒",
  rat: "R",
  lindworm: "L",
  goblin: "G",
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
  return s(
    "g",
    {},
    s("rect", { x: -W / 2, y: -H / 2, width: W, height: H, rx: 4, class: "dc-rock" }),
    s("path", { d: ways.join(" "), class: "dc-wall" }),
    s("path", { d: ways.join(" "), class: "dc-way" }),
    hub(card),
    links.length ? s("path", { d: links.join(" "), class: "dc-link" }) : null,
    Object.entries(card.features || {}).map(([segment, feature]) =>
      s("g", { transform: `translate(${middle(card, segment).join(" ")})` }, FEATURE[feature]?.()),
    ),
  );
}

/** The floor where the ways of a segment meet. */
function hub(card) {
  return card.segments.map((segment) => {
    const [x, y] = middle(card, segment);
    return s("circle", { cx: x, cy: y, r: 7, class: "dc-hub" });
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
  return s(
    "g",
    {},
    s("rect", { x: -W / 2, y: -H / 2, width: W, height: H, rx: 4, class: "dc-deed" }),
    s(
      "text",
      { "font-size": 26, "text-anchor": "middle", "dominant-baseline": "central", class: "dc-sign" },
      SIGN[kind] || kind.slice(0, 2),
    ),
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
      "text",
      { "font-size": 11, "text-anchor": "middle", "dominant-baseline": "central", class: "dc-letter" },
      SIGN[name],
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

export default {
  cover: () => [
    s("path", { d: "M6 46 H34 V20 H58 V56 H84", class: "p-hall" }),
    s("path", { d: "M70 20 l8 8 -8 8 -8 -8 Z", class: "p-lamp" }),
    s("path", { d: "M20 66 q4 -12 8 0 Z", class: "p-stone" }),
    s("path", { d: "M62 70 q6 -16 12 0 Z", class: "p-stone" }),
  ],
  flat: true,
  /** What is played, and the goals that it has come near; the others are pointed at from the edge. */
  viewBox(ctx) {
    const [x0, y0, x1, y1] = played(ctx);
    return `${x0} ${y0} ${x1 - x0} ${y1 - y0}`;
  },
  over(ctx) {
    const [x0, y0, x1, y1] = played(ctx);
    const size = Math.max(15, ctx.least || 0);
    return ctx.view.goals
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
          { y: -24, "font-size": Math.max(9, ctx.least || 0), "text-anchor": "middle", class: "dc-webs" },
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
  hand: ({ view, seat }) =>
    seat === undefined ? [] : [{ title: t("cave.hand"), words: view.dwarves[seat].hand || [] }],
  picture({ game }, word) {
    if (/^(yellow|blue)-\d$/.test(word)) return { node: dwarf(word.split("-")[0]), size: [22, 30] };
    if (shape(game, word)) return { node: cardFace(game, word), size: [W, H], isPlain: true };
    if (SIGN[word.split("-")[0]]) return { node: cardFace(game, word), size: [W, H] };
    return null;
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
