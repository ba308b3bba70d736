// Moments that take the table's whole screen: somebody falls, a Door opens, a creature comes, an encounter.
// Nothing here is in the way of a hand: a touch goes through to what lies below, and closes it.

import { isCalm } from "./calm.js";
import { h, replace, s } from "./dom.js";
import { animateAt, onScreen } from "./stage.js";

/** Whatever is shorter than this would be a flash and is left to the board. */
const LEAST_MS = 500;
/** How the large picture moves, by what is heard with it. */
const ENTRANCES = {
  creature: [
    { transform: "scale(0.4)", opacity: 0, filter: "brightness(0.2)" },
    { transform: "scale(1.02)", opacity: 1, filter: "brightness(1)", offset: 0.35 },
    { transform: "scale(1.05) rotate(-1.2deg)", offset: 0.45 },
    { transform: "scale(1.08) rotate(1.2deg)", offset: 0.55 },
    { transform: "scale(1.12)", opacity: 1, offset: 0.8 },
    { transform: "scale(1.5)", opacity: 0 },
  ],
  fall: [
    { transform: "translateY(-30vh) rotate(0deg)", opacity: 0 },
    { transform: "translateY(-6vh) rotate(10deg)", opacity: 1, offset: 0.2 },
    { transform: "translateY(4vh) rotate(60deg) scale(0.8)", opacity: 1, offset: 0.5 },
    { transform: "translateY(16vh) rotate(200deg) scale(0.1)", opacity: 0 },
  ],
  door: [
    { transform: "perspective(90vh) rotateY(0deg) scale(0.9)", opacity: 0 },
    { transform: "perspective(90vh) rotateY(0deg) scale(1)", opacity: 1, offset: 0.25 },
    { transform: "perspective(90vh) rotateY(-70deg) scale(1.04)", opacity: 1, offset: 0.8 },
    { transform: "perspective(90vh) rotateY(-84deg) scale(1.06)", opacity: 0 },
  ],
  "": [
    { transform: "scale(0.8)", opacity: 0 },
    { transform: "scale(1)", opacity: 1, offset: 0.25 },
    { transform: "scale(1.04)", opacity: 1, offset: 0.75 },
    { transform: "scale(1.1)", opacity: 0 },
  ],
};

export class Moments {
  /** `play` draws the pictures. */
  constructor(play) {
    this.play = play;
    this.facts = {};
    this.box = h("div", { class: "moment", hidden: true, "aria-hidden": "true" });
    document.body.append(this.box);
    this.listening = new AbortController();
    const { signal } = this.listening;
    addEventListener("pointerdown", () => this.close(), { capture: true, signal });
    addEventListener("keydown", (event) => event.key === "Escape" && this.close(), { capture: true, signal });
  }

  /** Plays the large part of a cue, `late` ms after its beginning. */
  begin(cue, late) {
    const left = cue.end - cue.begin - late;
    if (cue.show === "encounter") this.meet(cue, left);
    else if (cue.show === "whole" && left >= LEAST_MS && !isCalm()) this.appear(cue, late);
    else if (cue.show === "close" && left >= LEAST_MS && !isCalm()) this.dim(cue, late);
  }

  open(kind, ...children) {
    clearTimeout(this.timer);
    this.box.className = `moment ${kind}`;
    this.box.hidden = false;
    replace(this.box, ...children);
  }

  /** The large picture of a word: as the game draws it for this, else as it lies on the table. */
  portrait(word) {
    const ctx = this.play.context();
    const own = ctx.art.portrait?.(ctx, word);
    if (!own) return this.play.touch.pictureOf(ctx, `piece:${word}`);
    const [w, hh] = own.size;
    return s("svg", { viewBox: `${-w / 2} ${-hh / 2} ${w} ${hh}` }, own.node);
  }

  /** A large picture, its sentence below it. */
  appear(cue, late) {
    const picture = h("div", { class: "moment-picture" }, cue.about ? this.portrait(cue.about) : null);
    this.open(`whole of-${cue.sound}`, h("div", { class: "moment-light" }), picture, words(cue));
    const how = { fill: "both", easing: "ease-in-out" };
    animateAt(picture, ENTRANCES[cue.sound] || ENTRANCES[""], cue.begin, cue.end, how);
    const around = [
      { opacity: 0 },
      { opacity: 1, offset: 0.15 },
      { opacity: 1, offset: 0.85 },
      { opacity: 0 },
    ];
    animateAt(this.box, around, cue.begin, cue.end, how);
    this.timer = setTimeout(() => this.close(), cue.end - cue.begin - late);
  }

  /** The board comes close: its edges grow dark, and the sentence stands large below. */
  dim(cue, late) {
    if (!this.box.hidden && this.box.classList.contains("meeting")) return;
    this.open("near", words(cue));
    const [x, y] = onScreen(this.play.svg, cue, this.play.game.board.cells) || ["50%", "50%"];
    this.box.style.setProperty("--x", x);
    this.box.style.setProperty("--y", y);
    const around = [
      { opacity: 0 },
      { opacity: 1, offset: 0.25 },
      { opacity: 1, offset: 0.75 },
      { opacity: 0 },
    ];
    animateAt(this.box, around, cue.begin, cue.end, { fill: "both" });
    this.timer = setTimeout(() => this.close(), cue.end - cue.begin - late);
  }

  /** An encounter stays until it is over, and grows with everything that happens in it. */
  meet(cue, left) {
    const { kind, data } = cue.line;
    this.facts = kind === "encounter-began" ? { ...data } : { ...this.facts, ...data };
    this.facts.kind = kind;
    const drawn = this.play.art.encounter?.(this.play.context(), this.facts);
    if (!drawn) return;
    this.open(`meeting now-${kind}`, drawn, words(cue));
    const look = () => {
      const { view, moves } = this.play.frame;
      if (!view.encounter || moves.length) this.close();
      else this.timer = setTimeout(look, 400);
    };
    this.timer = setTimeout(look, Math.max(0, left) + 1200);
  }

  close() {
    clearTimeout(this.timer);
    this.box.hidden = true;
    replace(this.box);
  }

  leave() {
    this.close();
    this.listening.abort();
    this.box.remove();
  }
}

const words = ({ line: { text } }) => h("p", { class: "moment-words" }, text);
