// How the lights' meanings look on the screen: colour, rhythm and a sign, so that colour is never alone.

import { s } from "./dom.js";

/**
 * What each meaning shows: its sign, and whether it fills the place with light, faintly or not, or draws a ring.
 * No two share both: tints may give any of them any colour.
 */
export const LOOK = {
  lit: ["", "fill"],
  dim: ["", "faint"],
  fading: ["◌", "ring"],
  pit: ["●", "ring"],
  threat: ["!", "ring"],
  attack: ["➤", "ring"],
  path: ["•", "ring"],
  legal: ["", "ring"],
  choose: ["?", "ring"],
  wrong: ["✕", "ring"],
  place: ["+", "ring"],
  remove: ["−", "ring"],
  turn: ["▸", "fill"],
  progress: ["▪", "fill"],
  low: ["▾", "ring"],
  safe: ["✓", "ring"],
  noise: ["♪", "ring"],
  fear: ["☁", "ring"],
  won: ["★", "fill"],
  lost: ["☠", "fill"],
};

/**
 * Meanings that ask somebody for something. Whose turn it is stands elsewhere: in a player's colour a question
 * looks like an alarm, and the legend could not show it. They shine softly, as they may cover the whole board.
 */
export const ASKS = new Set(["legal", "choose", "place", "remove"]);
const SOFTLY = 0.3;

const colourOf = (meaning, tint) => `m-${meaning} ${tint && !ASKS.has(meaning) ? `t-${tint}` : ""}`;

/** Gradients that the glows use; once per board. */
export function lightDefs() {
  return s(
    "defs",
    {},
    s(
      "radialGradient",
      { id: "fade" },
      s("stop", { offset: "0", "stop-color": "#fff" }),
      s("stop", { offset: "0.5", "stop-color": "#777" }),
      s("stop", { offset: "1", "stop-color": "#000" }),
    ),
    s(
      "mask",
      { id: "glow", maskContentUnits: "objectBoundingBox" },
      s("rect", { width: 1, height: 1, fill: "url(#fade)" }),
    ),
  );
}

/** Light that falls onto the pieces lies above them; all other light shines from below. */
export const fallsOnPieces = (glow) => glow[1] === "lit";

/** The light under the pieces of one place. */
export function underGlow(glow, place) {
  const [, meaning, tint, , level] = glow;
  const [x, y] = place.centre_mm,
    [w, h] = place.size_mm;
  const spread = LOOK[meaning]?.[1] === "ring" ? 0.62 : 0.72;
  return s("ellipse", {
    class: `glow ${colourOf(meaning, tint)}`,
    cx: x,
    cy: y,
    rx: w * spread,
    ry: h * spread,
    fill: "currentColor",
    mask: "url(#glow)",
    opacity: ASKS.has(meaning) ? SOFTLY : 0.35 + 0.65 * Math.max(0, Math.min(1, level)),
    style: { "--beat": `${((glow[0] * 137) % 1000) - 1000}ms` },
  });
}

/** How many rings fit into one place, and how large and how far apart signs are. */
const ROOM = 5;
const SIGN_SHARE = 0.24;
const SIGN_STEP = 0.95;

/** The size of a sign: a share of its place, and no smaller than can be read. */
const signSize = ({ size_mm: size }, least) => Math.max(Math.min(...size) * SIGN_SHARE, least / 0.72);

/** How many signs stand side by side on a place without reaching into the next one. */
const roomOn = (place, least) =>
  Math.min(ROOM, Math.max(2, Math.floor(place.size_mm[0] / (SIGN_STEP * signSize(place, least)))));

/** The glows in the order of drawing: each kind of a place once, then those that repeat one. */
export function firstOfEach(glows) {
  const known = new Set(),
    first = [],
    again = [];
  for (const glow of glows) {
    const kind = glow.slice(0, 3).join(" ");
    (known.has(kind) ? again : first).push(glow);
    known.add(kind);
  }
  return [...first, ...again];
}

/** The rings and signs above the pieces; in a crowded place every meaning is shown before one is repeated. */
export function overGlows(glows, places, least = 0, onCorner = false) {
  const nths = new Map();
  return firstOfEach(glows).flatMap((glow) => {
    const nth = nths.get(glow[0]) || 0;
    const nodes = nth < ROOM ? overGlow(glow, places[glow[0]], nth, least, onCorner) : [];
    if (nodes.length) nths.set(glow[0], nth + 1);
    return nodes;
  });
}

/** The ring and the sign above the pieces of one place; `nth` stacks signs that share a place. */
function overGlow(glow, place, nth, least, onCorner) {
  const [, meaning, tint, order] = glow;
  const [x, y] = place.centre_mm,
    [w, h] = place.size_mm;
  const [sign, kind] = LOOK[meaning] || ["", "ring"];
  const nodes = [];
  const colour = colourOf(meaning, tint);
  const unit = Math.min(w, h);
  if (kind === "ring") {
    const inset = unit * (0.03 + 0.05 * nth);
    nodes.push(
      s("rect", {
        class: `ring ${colour}`,
        x: x - w / 2 + inset,
        y: y - h / 2 + inset,
        width: w - 2 * inset,
        height: h - 2 * inset,
        rx: unit * 0.12,
        "stroke-width": unit * 0.035,
        style: { "--order": order },
      }),
    );
  }
  const text = sign && (meaning === "attack" || meaning === "path") && order ? String(order) : sign;
  if (text && nth < roomOn(place, least)) {
    const size = signSize(place, least);
    const [left, down] = onCorner ? [-0.1, -0.12] : [0.4, 0.36];
    const at = [x + w / 2 - size * (left + SIGN_STEP * nth), y - h / 2 + size * down];
    nodes.push(
      s(
        "g",
        { class: `sign ${colour}` },
        s("circle", { cx: at[0], cy: at[1], r: size * 0.5 }),
        s(
          "text",
          {
            x: at[0],
            y: at[1],
            "font-size": size * 0.72,
            "text-anchor": "middle",
            "dominant-baseline": "central",
          },
          text,
        ),
      ),
    );
  }
  return nodes;
}

const DARK_LED = "#3a2f26";

/** The colour in which a LED's bytes are drawn: brighter than they are, and a dark LED is still seen. */
export function ledColour(rgb) {
  if (!rgb) return DARK_LED;
  const [r, g, b] = rgb.map((level) => Math.round(255 * Math.min(1, level / 100) ** (1 / 2.2)));
  return r + g + b < 30 ? DARK_LED : `rgb(${r} ${g} ${b})`;
}
