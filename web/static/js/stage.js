// The stage: what happened is played out on a board that already shows how it ended. Pieces walk their ways, tiles
// crumble, doors open, light runs, and the picture moves close; every drawing of the board is dressed anew, so that
// a touch in the middle of it stops nothing.

import { s } from "./dom.js";
import { isCalm } from "./calm.js";
import { AFTERGLOW_MS, beats, isLeap, journeys, LIT_MS, litTimes, moments } from "./motion.js";

/** Whatever is shorter than this is shown as done. */
const LEAST_MS = 60;
/** A picture moves close only where it has time to; anything faster would be a flash. */
const CLOSE_MS = 500;
const LIFT_MM = 5;
const SHARDS = [
  "0 0, 46% 0, 38% 44%, 0 52%",
  "46% 0, 100% 0, 100% 40%, 58% 50%, 38% 44%",
  "0 52%, 38% 44%, 52% 70%, 40% 100%, 0 100%",
  "58% 50%, 100% 40%, 100% 100%, 70% 100%, 52% 70%",
  "38% 44%, 58% 50%, 52% 70%",
  "52% 70%, 70% 100%, 40% 100%",
];

export class Stage {
  constructor() {
    this.acts = [];
  }

  /** Keeps what lies on the board before it is drawn anew, and the cues that lead from there. */
  expect(svg, cues) {
    if (cues.length) this.acts.push({ before: svg ? pieces(svg) : [], cues });
  }

  /** The last act once more, beginning now. */
  repeat(act, by_ms) {
    const later = (cue) => ({ ...cue, begin: cue.begin + by_ms, end: cue.end + by_ms });
    this.acts = [{ before: act.before, cues: act.cues.map(later) }];
    return this.acts[0].cues;
  }

  get last() {
    return this.acts[this.acts.length - 1];
  }

  clear() {
    this.acts = [];
  }

  /** Whether something is being played at a time of the page's clock. */
  isPlaying(now) {
    return this.acts.some(({ cues }) => cues.some((cue) => cue.end > now));
  }

  /** Puts a board that was just drawn back to where the play is, and lets it go on from there. */
  dress(svg, { cells }, closes) {
    const now = performance.now();
    this.acts = this.acts.filter(({ cues }) => cues.some((cue) => cue.end + AFTERGLOW_MS > now));
    if (!this.acts.length || isCalm()) return;
    const cues = this.acts.flatMap((act) => act.cues);
    const { moves, came, gone } = journeys(this.acts[0].before, pieces(svg), cues);
    const pile = svg.querySelector("g.pieces");
    for (const one of moves) walk(one, cells, now);
    for (const one of came) arrive(one, cells, now);
    for (const one of gone) leave(one, pile, now);
    svg.append(
      s(
        "g",
        { class: "cue-lights", "aria-hidden": "true" },
        litTimes(cues).flatMap((lit) => lights(lit, cells, now)),
      ),
    );
    if (closes) for (const cue of cues) if (cue.show === "close") moveClose(svg, cue, cells, now);
  }
}

/** The pieces of a drawn board: every element that says which face it shows and where it lies. */
function pieces(svg) {
  return [...svg.querySelectorAll("[data-face]")].map((node) => ({
    face: node.dataset.face,
    cell: Number(node.dataset.on),
    stands: node.dataset.stands === "yes",
    node,
    rest: node.getAttribute("transform") || "",
  }));
}

/**
 * Animates between two times of the page's clock. The beginning may have passed already: however long the drawing
 * took, the animation is where it would be, for its clock is the page's.
 */
export function animateAt(node, frames, begin, end, more = {}) {
  const shown = node.animate(frames, { duration: end - begin, fill: "backwards", ...more });
  shown.startTime = begin;
  return shown;
}

/** Animates what is neither over nor too short to be seen. */
function animate(node, frames, begin, end, now, more = {}) {
  if (end > now && end - begin >= LEAST_MS) animateAt(node, frames, begin, end, more);
}

/** A transform of SVG as CSS knows it: numbers of a list become lengths and angles. */
export function cssTransform(text) {
  return text.replace(/(\w+)\(([^)]*)\)/g, (_, name, list) => {
    const unit = name === "rotate" ? "deg" : name === "translate" ? "px" : "";
    const numbers = list.trim().split(/[\s,]+/);
    return name === "rotate" && numbers.length > 1
      ? ""
      : `${name}(${numbers.map((n) => n + unit).join(", ")})`;
  });
}

function centre(cells, cell) {
  return cells[cell].centre_mm;
}

/** Lets a piece walk: its own drawing at rest is what it comes to, so only the difference is animated. */
function walk({ from, to, legs }, cells, now) {
  const way = moments(legs, (cell) => cells[cell], to.stands ? LIFT_MM : 0);
  const [begin, end] = [way[0].at, way[way.length - 1].at];
  const [ex, ey] = centre(cells, to.cell);
  const rest = cssTransform(to.rest);
  const turned = /rotate\((-?[\d.]+)/;
  const [before, after] = [from.rest, to.rest].map((text) => Number(turned.exec(text)?.[1] || 0));
  const by = ((((before - after + 180) % 360) + 360) % 360) - 180;
  const frames = way.map(({ at, x, y, seen }) => {
    const share = end > begin ? (at - begin) / (end - begin) : 1;
    return {
      offset: Math.min(1, Math.max(0, share)),
      transform: `translate(${x - ex}px, ${y - ey}px) ${rest} rotate(${by * (1 - share)}deg)`,
      opacity: seen,
      easing: "ease-in-out",
    };
  });
  animate(to.node, frames, begin, end, now);
}

/** A new piece is set down; a card comes flying from where cards are drawn. */
function arrive({ to, cue }, cells, now) {
  const rest = cssTransform(to.rest);
  const deck = to.stands ? undefined : cells.find((place) => place.zone === "deck" || place.zone === "draw");
  const [ex, ey] = centre(cells, to.cell);
  const end = Math.min(cue.end, cue.begin + 700);
  const flown = deck && deck !== cells[to.cell] && cue.sound === "card";
  const first = flown
    ? `translate(${deck.centre_mm[0] - ex}px, ${deck.centre_mm[1] - ey}px) ${rest} scale(0.8)`
    : `${rest} scale(1.35)`;
  animate(
    to.node,
    [
      { transform: first, opacity: 0, easing: "ease-out" },
      { offset: 0.25, opacity: 1 },
      { transform: `${rest} scale(1)`, opacity: 1 },
    ],
    cue.begin,
    Math.max(end, cue.begin + LEAST_MS),
    now,
  );
}

/** What is gone lies there until its cue comes; then it crumbles into the deep, or is taken away. */
function leave({ from, cue }, pile, now) {
  if (cue.end <= now || cue.end - cue.begin < LEAST_MS) return;
  const rest = cssTransform(from.rest);
  const put = (clip) => {
    const node = from.node.cloneNode(true);
    node.removeAttribute("data-face");
    node.classList.add("leaving");
    if (clip) node.style.clipPath = `polygon(${clip})`;
    pile.append(node);
    return node;
  };
  const away = (node, transform) => {
    const frames = [
      { transform: rest, opacity: 1, easing: "ease-in" },
      { offset: 0.15, transform: `${rest} rotate(1.5deg)`, opacity: 1, easing: "ease-in" },
      { transform: `${rest} ${transform}`, opacity: 0 },
    ];
    const shown = animateAt(node, frames, cue.begin, cue.end, { fill: "both" });
    shown.onfinish = () => node.remove();
  };
  if (cue.shape !== "out") away(put(), from.stands ? "translate(0px, -6px) scale(0.9)" : "scale(0.92)");
  else {
    SHARDS.forEach((clip, i) => {
      const [x, turn] = [(i % 3) * 9 - 9, (i % 2 ? 1 : -1) * (25 + 9 * i)];
      away(put(clip), `translate(${x}px, ${14 + 7 * i}px) rotate(${turn}deg) scale(0.25)`);
    });
  }
}

/** The light of a cue: its places, the line along its way, a door that opens. */
function lights({ cue, ...time }, cells, now) {
  if (time.end + LIT_MS <= now) return [];
  const nodes = beats(cue, time.runs).map(({ cell, from }) => spot(cells[cell], cue, time, from, now));
  if (cue.shape === "run") {
    for (const way of cue.ways) if (way.length > 1) nodes.push(...trail(way, cue, time, cells, now));
  }
  if (cue.sound === "door") {
    for (const way of cue.ways) nodes.push(...door(cells[way[way.length - 1]], time, now));
  }
  return nodes;
}

function spot({ centre_mm: [x, y], size_mm: [w, h] }, cue, { begin, end }, from, now) {
  const node = s("ellipse", {
    class: `cue-spot m-${cue.light}`,
    cx: x,
    cy: y,
    rx: 0.78 * w,
    ry: 0.78 * h,
    mask: "url(#glow)",
  });
  const frames =
    cue.shape === "out"
      ? [{ opacity: 1 }, { opacity: 0 }]
      : [{ opacity: 0 }, { opacity: 1, offset: 0.2 }, { opacity: 0.6, offset: 0.7 }, { opacity: 0 }];
  const first = begin + (end - begin) * from;
  animate(node, frames, first, Math.max(end, first + LIT_MS), now, { fill: "none" });
  return node;
}

/** A line of light that runs along a way, a spark at its head. */
function trail(way, cue, { begin, end, runs }, cells, now) {
  const points = way.map((cell) => cells[cell]);
  const leaps = points.map(
    ({ centre_mm }, i) => i > 0 && isLeap(points[i - 1].centre_mm, centre_mm, points[i].size_mm),
  );
  const d = points.map(({ centre_mm: [x, y] }, i) => `${!i || leaps[i] ? "M" : "L"}${x} ${y}`).join(" ");
  const unit = Math.min(...points[0].size_mm);
  const line = (kind, width) =>
    s("path", { class: `cue-trail ${kind} m-${cue.light}`, d, pathLength: 1, "stroke-width": unit * width });
  const drawn = [
    { strokeDashoffset: runs ? 1 : 0, opacity: 1, easing: "ease-in" },
    { strokeDashoffset: 0, opacity: 1, offset: 0.7 },
    { strokeDashoffset: 0, opacity: 0 },
  ];
  const spark = s("circle", { class: `cue-spark m-${cue.light}`, r: unit * 0.16 });
  const last = points.length - 1;
  const run = points.map(({ centre_mm: [x, y] }, i) => ({
    offset: (0.7 * i) / last,
    transform: `translate(${x}px, ${y}px)`,
    opacity: leaps[i] ? 0 : 1,
  }));
  const lines = [line("wide", 0.3), line("", 0.07)];
  for (const one of lines) animate(one, drawn, begin, end, now, { fill: "none" });
  if (!runs) return lines;
  const arrived = { ...run[last], transform: `${run[last].transform} scale(3)`, opacity: 0, offset: 1 };
  animate(spark, [...run, arrived], begin, end, now, { fill: "none" });
  return [...lines, spark];
}

function door({ centre_mm: [x, y], size_mm: [w, h] }, { begin, end }, now) {
  const [dw, dh] = [w * 0.5, h * 0.72];
  const shine = s("rect", {
    class: "cue-doorway",
    x: x - dw / 2,
    y: y - dh / 2,
    width: dw,
    height: dh,
    rx: dw * 0.1,
  });
  animate(shine, [{ opacity: 0 }, { opacity: 1, offset: 0.4 }, { opacity: 0 }], begin, end, now, {
    fill: "none",
  });
  const leaves = [-1, 1].map((side) => {
    const leaf = s("rect", {
      class: "cue-leaf",
      x: side < 0 ? x - dw / 2 : x,
      y: y - dh / 2,
      width: dw / 2,
      height: dh,
    });
    leaf.style.transformOrigin = `${x + (side * dw) / 2}px ${y}px`;
    const frames = [
      { transform: "scaleX(1)", opacity: 0 },
      { transform: "scaleX(1)", opacity: 1, offset: 0.15, easing: "ease-in-out" },
      { transform: "scaleX(0.12)", opacity: 1, offset: 0.75 },
      { transform: "scaleX(0.12)", opacity: 0 },
    ];
    animate(leaf, frames, begin, end, now, { fill: "none" });
    return leaf;
  });
  return [shine, ...leaves];
}

/** Where the middle of a cue's places is drawn, in px from the corner of the board's drawing. */
function middle(svg, cue, cells) {
  const places = cue.ways.flat().map((cell) => cells[cell]);
  if (!places.length) return null;
  const [left, top, width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const { clientWidth, clientHeight } = svg;
  const scale = Math.min(clientWidth / width, clientHeight / height);
  const between = (side) => {
    const all = places.map((place) => place.centre_mm[side]);
    return (Math.min(...all) + Math.max(...all)) / 2;
  };
  return [
    (clientWidth - width * scale) / 2 + (between(0) - left) * scale,
    (clientHeight - height * scale) / 2 + (between(1) - top) * scale,
  ];
}

/** Where the middle of a cue's places is on the screen, as lengths of CSS; null for a cue without places. */
export function onScreen(svg, cue, cells) {
  const inside = middle(svg, cue, cells);
  if (!inside) return null;
  const { left, top } = svg.parentElement.getBoundingClientRect();
  return [`${left + inside[0]}px`, `${top + inside[1]}px`];
}

/** Moves the whole picture close to the places of a cue, and back. */
function moveClose(svg, cue, cells, now) {
  if (cue.end <= now || cue.end - cue.begin < CLOSE_MS) return;
  const inside = middle(svg, cue, cells);
  if (!inside) return;
  svg.style.transformOrigin = inside.map((px) => `${px}px`).join(" ");
  const frames = [
    { transform: "scale(1)", easing: "ease-in-out" },
    { transform: "scale(1.22)", offset: 0.3 },
    { transform: "scale(1.22)", offset: 0.7, easing: "ease-in-out" },
    { transform: "scale(1)" },
  ];
  animate(svg, frames, cue.begin, cue.end, now, { fill: "none" });
}
