// Whisper: the mansion for everybody, the killer's hidden panel, the survivors' panel.

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

function rooms(ctx) {
  return ctx.game.board.cells.filter((place) => place.zone === "map");
}

export default {
  cover: () => [
    s("path", { d: "M12 66 V36 L45 12 L78 36 V66 Z", class: "p-house" }),
    s("rect", { x: 24, y: 40, width: 10, height: 12, class: "p-lamp" }),
    s("rect", { x: 56, y: 40, width: 10, height: 12, class: "p-night" }),
    s("path", { d: "M40 66 V46 a5 5 0 0 1 10 0 V66 Z", class: "p-night" }),
    s("circle", { cx: 45, cy: 52, r: 2.2, class: "p-eye" }),
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
  shows: (ctx, place) => ctx.seat === undefined || place.zone === "map" || place.zone === "passage",
  viewBox(ctx) {
    const shown = ctx.game.board.cells.filter(
      (place) => place.zone === "map" || (ctx.seat === undefined && place.zone === "roof"),
    );
    const xs = shown.map((place) => place.centre_mm[0]),
      ys = shown.map((place) => place.centre_mm[1]);
    const room = rooms(ctx).map((place) => place.centre_mm[0]);
    const x0 = Math.min(...xs, Math.min(...room) - 22) - 16,
      y0 = ctx.seat === undefined ? -2 : Math.min(...ys) - 32;
    return `${x0} ${y0} ${Math.max(...xs, Math.max(...room) + 22) + 16 - x0} ${Math.max(...ys) + 32 - y0}`;
  },
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
    const { view, game } = ctx;
    if (place.zone === "map") {
      const info = game.data.map.locations.find((one) => one.id === place.name);
      const name = label(info);
      const signs = (info.features || []).map(featureOf).filter(Boolean);
      const size = Math.min(8.6, 104 / name.length);
      return s(
        "g",
        { class: `ww-room ${ZONE[info.zone] || info.zone}` },
        s("rect", { x: x - w / 2, y: y - hh / 2, width: w, height: hh, rx: 5 }),
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
      return s("rect", { x: x - 8, y: y - 5, width: 16, height: 10, rx: 2, class: "ww-door" });
    }
    if (ctx.seat !== undefined) return null;
    if (place.zone === "roof" && view.killer) return roof(ctx, place);
    if (["gears", "tray", "deck", "stealth"].includes(place.zone) && !view.places) return null;
    return place.zone === "deck" || place.zone === "stealth" || place.zone === "gears"
      ? s("rect", { x: x - w / 2, y: y - hh / 2, width: w, height: hh, rx: 4, class: "ww-slot" })
      : null;
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
    const put = (cell, node) => {
      const n = here.get(cell) || 0;
      here.set(cell, n + 1);
      const [x, y] = middle(cell);
      nodes.push(
        s("g", { transform: `translate(${x - 20 + (n % 4) * 14} ${y + 7 + Math.floor(n / 4) * 10})` }, node),
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
              cx: x - 18 + i * 9,
              cy: y + 19,
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
          { transform: `translate(${x + 16} ${y + 2})`, class: view.killer.hidden ? "ww-ghost" : "" },
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
  at(ctx, word) {
    const { view } = ctx;
    const i = view.places ? view.survivors.findIndex((tile) => tile.id === word) : -1;
    return i >= 0 && view.places[i] >= 0 ? view.places[i] : undefined;
  },
  hand: (ctx) => (ctx.view.hand ? [{ title: t("hand"), words: ctx.view.hand }] : []),
  picture({ game }, word) {
    const one = printed(game, "survivors").get(word);
    if (one) return { node: figure(COLOUR[one.colour] || one.colour, first(label(one))), size: [20, 24] };
    if (printed(game, "killers").has(word)) return { node: hunter(word), size: [28, 36] };
    return null;
  },
  about({ game, view }, word) {
    const card = printed(game, "killer_cards", "cards").get(word);
    const facts = view.cards?.[word];
    const short = facts
      ? `${facts.steps.map((name) => t(`whisper.timing.${name}`)).join(" · ")} · ${t("whisper.price", { n: facts.cost })}`
      : "";
    const one = card || printed(game, "items").get(word) || printed(game, "plans").get(word);
    return one ? { text: said(one, "text"), short } : undefined;
  },
  helper(ctx) {
    const { view } = ctx;
    const nodes = [];
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
    const hearts = (tile) =>
      tile.state === "in"
        ? "♥".repeat(tile.health) + "♡".repeat(Math.max(0, 2 - tile.health))
        : t(`whisper.${tile.state}`);
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

function roof(ctx, place) {
  const { view, game } = ctx;
  const [x, y] = place.centre_mm;
  const [, kind, rest] = place.name.match(/^(\D+?)([\d.]*)$/) || [];
  const n = Number(rest);
  const tile = view.survivors[Math.floor(n) - 1];
  const show = {
    tile: () => [
      first(label(printed(game, "survivors").get(tile?.id))) || "",
      tile ? COLOUR[tile.colour] : "",
    ],
    fear: () => ["~", tile && tile.fear >= Math.round((n % 1) * 10) ? "#c9a0ff" : ""],
    key: () => ["✦", n <= view.keys ? "#ffd36b" : ""],
    rescue: () => [n ? String(n) : "✓", view.rescue === n ? "#8fd18a" : ""],
    level: () => [String(n), view.killer.level >= n ? "#f4b860" : ""],
    strength: () => [String(n), view.killer.strength === n ? "#ff6a55" : ""],
  }[kind]?.();
  if (!show) return null;
  return s(
    "g",
    { class: "ww-track" },
    s("rect", { x: x - 10, y: y - 10, width: 20, height: 20, rx: 4, fill: show[1] || "#1c1511" }),
    s(
      "text",
      {
        x,
        y,
        "font-size": Math.max(10.5, ctx.least || 0),
        "text-anchor": "middle",
        "dominant-baseline": "central",
        class: show[1] ? "on" : "",
      },
      show[0],
    ),
  );
}

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
