// The board of any game: places and pieces in millimetres, with the lights on them.
// A game's own art replaces the parts that it draws better: ground, place, piece, over.

import { h, s } from "./dom.js";
import { cornerOf, fitType, STANDING, stackShift, typeSize, viewBox } from "./geometry.js";
import { fallsOnPieces, lightDefs, LOOK, overGlows, underGlow } from "./lights.js";
import { t } from "./text.js";

/** A name below a figure may be so many places wide where no other name is near, and no shorter than some letters. */
const NAME_PLACES = 2;
const LEAST_LETTERS = 3;
const NAME_BELOW = 12.8;
const LETTER_SHARE = 0.62;

/** Draws a piece that has no art of its own: a card, tile or token with its name. */
export function plainPiece(face, info, words) {
  const w = info?.width || 20,
    hh = info?.height || 20;
  const name = words[`word.${face}`] || face;
  return s(
    "g",
    { class: `piece plain ${info?.kind || ""}` },
    s("rect", { x: -w / 2, y: -hh / 2, width: w, height: hh, rx: cornerOf(info?.kind, [w, hh]) }),
    s(
      "text",
      {
        "text-anchor": "middle",
        "dominant-baseline": "central",
        "font-size": typeSize(name, [w, hh], { letters: 4, stretch: 1.6, share: 0.3 }),
      },
      name,
    ),
  );
}

/**
 * Draws the whole board. `ctx`: game, frame, art, mode ("play" | "why"), marked cells; `targets` are the places
 * that may be touched, each with the atom that a touch chooses; `before` is the layout under a ghost's.
 * `art.draws` are meanings that the art draws by itself, each with its sign in the legend.
 */
export function drawBoard(ctx) {
  const { game, frame, art, targets = new Map() } = ctx;
  const [width, height] = game.board.size_mm;
  const places = game.board.cells;
  const shows = (cell) => !art.shows || art.shows(ctx, places[cell]);
  const glows = frame.scene.glows.filter((glow) => shows(glow[0]));
  const svg = s(
    "svg",
    {
      class: `board game-${game.key} mood-${frame.scene.mood || "none"} ${ctx.asks ? "asking" : ""}`,
      viewBox: ctx.box || art.viewBox?.(ctx) || viewBox([width, height], art.margin),
      role: "group",
      "aria-label": game.title,
      preserveAspectRatio: "xMidYMid meet",
    },
    lightDefs(),
    art.defs?.(ctx),
  );
  svg.append(
    s(
      "g",
      { class: "ground" },
      art.ground ? art.ground(ctx) : s("rect", { x: -2, y: -2, width: width + 4, height: height + 4, rx: 4 }),
    ),
  );
  const below = s("g", { class: "places" });
  places.forEach((place, cell) => {
    const drawn = art.place ? art.place(ctx, place, cell) : plainPlace(ctx, place, cell);
    if (drawn) below.append(...[drawn].flat());
  });
  svg.append(below);
  svg.append(
    s(
      "g",
      { class: "lights", "aria-hidden": "true" },
      glows.filter((glow) => !fallsOnPieces(glow)).map((glow) => underGlow(glow, places[glow[0]])),
    ),
  );
  const pieces = s("g", { class: "pieces" });
  const stacks = Object.entries(art.ownPieces ? {} : frame.layout || {});
  const named = namesOn(ctx, stacks);
  for (const [cell, stack] of stacks) {
    const place = places[cell];
    stack.forEach(([face, turn, n], i) => {
      const info = game.faces.get(face);
      const node =
        art.piece?.(ctx, { face, turn, n, i, of: stack.length, place, cell: Number(cell), info }) ||
        plainPiece(face, info, game.texts);
      const [x, y] = place.centre_mm;
      const [right, down] = art.flat ? [0, 0] : stackShift(i, stack.length, place.size_mm);
      const angle = (turn || 0) + (place.turn || 0);
      pieces.append(
        s(
          "g",
          {
            class: isNew(ctx, cell, face, turn) ? "ghost" : undefined,
            "data-face": face,
            "data-on": cell,
            "data-stands": STANDING.includes(info?.kind) ? "yes" : undefined,
            transform: `translate(${x + right} ${y + down}) rotate(${angle})`,
          },
          node,
          nameTag(ctx, named, `${cell} ${i}`, angle),
          n > 1 && !art.stacks
            ? s(
                "text",
                {
                  class: "count",
                  "text-anchor": "end",
                  x: place.size_mm[0] * 0.42,
                  y: place.size_mm[1] * 0.42,
                  transform: `rotate(${-angle})`,
                  "font-size": Math.max(Math.min(...place.size_mm) * 0.24, ctx.least || 0),
                },
                `×${n}`,
              )
            : null,
        ),
      );
    });
  }
  if (ctx.laid) pieces.append(...ctx.laid.map(({ cell, node }) => standing(places[cell], node)));
  svg.append(
    pieces,
    s(
      "g",
      { class: "lights", "aria-hidden": "true" },
      glows.filter(fallsOnPieces).map((glow) => underGlow(glow, places[glow[0]])),
    ),
  );
  if (art.over) svg.append(s("g", { class: "over" }, art.over(ctx)));
  // What the art draws by itself needs no sign of ours.
  const signed = glows.filter(([, meaning]) => !art.draws?.[meaning]);
  svg.append(
    s("g", { class: "signs", "aria-hidden": "true" }, overGlows(signed, places, ctx.least, art.onCorner)),
  );
  const taps = s("g", { class: "taps" });
  places.forEach((place, cell) => {
    if (!shows(cell)) return;
    const atom = targets.get(cell);
    const active = atom !== undefined || ctx.mode === "why";
    const [x, y] = place.centre_mm,
      [w, hh] = place.size_mm;
    const label = game.places[cell];
    const marks = [atom && "can", ctx.marked?.includes(cell) && "marked", ctx.here?.includes(cell) && "here"];
    taps.append(
      s(
        "rect",
        {
          class: ["tap", ...marks.filter(Boolean)].join(" "),
          x: x - w / 2,
          y: y - hh / 2,
          width: w,
          height: hh,
          rx: Math.min(w, hh) * 0.12,
          "data-cell": cell,
          "data-atom": atom,
          "data-key": `cell-${cell}`,
          role: active ? "button" : undefined,
          tabindex: active ? 0 : undefined,
          "aria-label": active ? label : undefined,
          "aria-hidden": active ? undefined : "true",
          transform: place.turn ? `rotate(${place.turn} ${x} ${y})` : undefined,
          onclick: () => ctx.pick(cell, atom),
          onkeydown: (event) => {
            if (event.key === "Enter" || event.key === " ") {
              event.preventDefault();
              event.stopPropagation();
              ctx.pick(cell, atom, true);
            }
          },
          oncontextmenu: (event) => {
            event.preventDefault();
            ctx.why(cell);
          },
        },
        active ? s("title", {}, label) : null,
      ),
    );
  });
  svg.append(taps);
  if (art.taps) svg.append(s("g", { class: "own-taps" }, art.taps(ctx)));
  return svg;
}

/** Whether a piece lies there only as a ghost: the position before it does not have it. */
function isNew(ctx, cell, face, turn) {
  return ctx.before && !(ctx.before[cell] || []).some(([one, way]) => one === face && way === turn);
}

/**
 * The names below the figures, by place and number in its stack: who plays it, or the seat's number while it is free.
 * Names of one place stand below each other, and none reaches into another's.
 */
function namesOn(ctx, stacks) {
  const { art, game, room } = ctx;
  const tags = stacks.flatMap(([cell, stack]) =>
    stack.flatMap(([face], i) => {
      const info = game.faces.get(face);
      const piece = { face, cell: Number(cell), info };
      const seat = ["pawn", "figure"].includes(info?.kind) ? art.owner?.(ctx, piece) : undefined;
      const text = room?.seats[seat] && (room.seats[seat].name || String(seat + 1));
      return text ? [{ key: `${cell} ${i}`, text, place: game.board.cells[cell] }] : [];
    }),
  );
  const size = Math.max(8, ctx.least || 0);
  const rows = new Map();
  // The last of a stack stands in front of the others: its name comes first, where it would cover theirs.
  tags.reverse();
  return new Map(
    tags.map(({ key, text, place }) => {
      const row = rows.get(place) || 0;
      rows.set(place, row + 1);
      const width = Math.min(
        NAME_PLACES * place.size_mm[0],
        ...tags.filter((one) => one.place !== place).map((one) => apart(one.place, place)),
      );
      const letters = Math.max(LEAST_LETTERS, Math.floor(width / (LETTER_SHARE * size)));
      const short = text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
      return [key, { text: short, size, row }];
    }),
  );
}

/** How far two places of one line are apart. */
function apart(one, other) {
  const [x, y] = [0, 1].map((side) => Math.abs(one.centre_mm[side] - other.centre_mm[side]));
  return y < other.size_mm[1] / 2 ? x : Infinity;
}

/** The name below a figure, upright. */
function nameTag(ctx, named, key, turn) {
  const tag = named.get(key);
  if (!tag) return null;
  return s(
    "text",
    {
      class: "name-tag",
      y: NAME_BELOW + (tag.row + 0.9) * tag.size,
      "text-anchor": "middle",
      "font-size": tag.size,
      transform: `rotate(${-turn || 0})`,
    },
    tag.text,
  );
}

/** A piece in the middle of a place. */
function standing({ centre_mm: [x, y] }, node) {
  return s("g", { class: "ghost", transform: `translate(${x} ${y})` }, node);
}

function plainPlace(ctx, place, cell) {
  const [x, y] = place.centre_mm,
    [w, hh] = place.size_mm;
  const label = ctx.game.places[cell];
  return s(
    "g",
    { class: "place", transform: place.turn ? `rotate(${place.turn} ${x} ${y})` : undefined },
    s("rect", {
      x: x - w / 2 + 0.6,
      y: y - hh / 2 + 0.6,
      width: w - 1.2,
      height: hh - 1.2,
      rx: Math.min(w, hh) * 0.08,
    }),
    s(
      "text",
      {
        x,
        y,
        "text-anchor": "middle",
        "dominant-baseline": "central",
        ...fitType(
          label,
          w * 0.9,
          typeSize(label, [w, hh], { letters: 3, stretch: 1.4, share: 0.22 }),
          ctx.least,
        ),
      },
      label,
    ),
  );
}

/** The meanings that the lights of a page show now, in words. */
export function legend(ctx) {
  const { frame, art, game } = ctx;
  const own = (meaning) => (art.meanings?.[meaning] ? t(art.meanings[meaning]) : t(`meaning.${meaning}`));
  const shown = frame.scene.glows.filter(([cell]) => !art.shows || art.shows(ctx, game.board.cells[cell]));
  const seen = [...new Map(shown.map((glow) => [glow[1], glow])).values()];
  return h(
    "ul",
    { class: "legend", "aria-label": t("legend") },
    seen.map((glow) =>
      h(
        "li",
        {},
        h(
          "span",
          {
            class: `chip ${LOOK[glow[1]]?.[1] || "ring"} m-${glow[1]}`,
            "aria-hidden": "true",
          },
          art.draws?.[glow[1]] || LOOK[glow[1]]?.[0],
        ),
        own(glow[1]),
      ),
    ),
  );
}
