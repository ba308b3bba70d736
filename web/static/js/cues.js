// Cues: what happened is played out on the page, as the lamps and the speaker do it, at the same time.

import { s } from "./dom.js";
import { setMood, sound, speak } from "./speaker.js";

/** A page that was away gets many lines at once; it hears of all, but plays only what is new. */
const STALE_S = 5;

/** Whether this device wants nothing to move. */
const isCalm = () =>
  document.documentElement.dataset.calm === "yes" || matchMedia("(prefers-reduced-motion: reduce)").matches;

/** When each place of a cue lights up, as a share of its time: along its way, or all at once. */
export function beats(cue) {
  return cue.ways.flatMap((way) =>
    way.map((cell, i) => ({ cell, from: cue.shape === "run" ? i / way.length : 0 })),
  );
}

/**
 * Plays the lines of an update. `stage` is what the board stands in, `cells` are the places of the board, and
 * `caption` is told each line's words when its turn comes; `language` is that of the words.
 */
export function playOut(lines, { stage, cells, mood, language, caption = () => {} }) {
  setMood(mood);
  const cues = lines.filter((line) => line.cue && line.cue.wait_s < STALE_S);
  for (const { cue, text } of cues) {
    sound(cue.sound, cue.wait_s);
    setTimeout(() => {
      caption(text);
      speak(text, language);
      if (cue.light && !isCalm()) shine(stage, cells, cue);
    }, 1000 * cue.wait_s);
  }
}

/** Lights the places of a cue for as long as it lasts, on a layer above the board as it is then. */
function shine(stage, cells, cue) {
  const board = stage.querySelector("svg.board");
  if (!board || cue.seconds < 0.05) return;
  const layer = board.cloneNode(false);
  layer.setAttribute("class", "cue-layer");
  layer.setAttribute("aria-hidden", "true");
  for (const name of ["role", "aria-label"]) layer.removeAttribute(name);
  const [here, around] = [board.getBoundingClientRect(), stage.getBoundingClientRect()];
  Object.assign(layer.style, {
    left: `${here.left - around.left}px`,
    top: `${here.top - around.top}px`,
    width: `${here.width}px`,
    height: `${here.height}px`,
  });
  for (const { cell, from } of beats(cue)) layer.append(spot(cells[cell], cue, from));
  stage.append(layer);
  setTimeout(() => layer.remove(), 1000 * cue.seconds + 300);
}

function spot(place, cue, from) {
  const [x, y] = place.centre_mm,
    [w, h] = place.size_mm;
  const node = s("rect", {
    class: `cue-spot m-${cue.light}`,
    x: x - w / 2,
    y: y - h / 2,
    width: w,
    height: h,
    rx: Math.min(w, h) * 0.12,
  });
  const frames =
    cue.shape === "out"
      ? [{ opacity: 0.9 }, { opacity: 0 }]
      : [{ opacity: 0 }, { opacity: 0.9, offset: 0.25 }, { opacity: 0 }];
  node.animate(frames, {
    duration: 1000 * Math.max(cue.seconds * (1 - from), 0.1),
    delay: 1000 * cue.seconds * from,
    fill: "both",
    easing: "ease-out",
  });
  return node;
}
