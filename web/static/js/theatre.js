// The theatre: a finished game once more, step by step or by its turning points, played out by its cues as it was.

import { drawBoard } from "./board.js";
import { isCalm } from "./calm.js";
import { Player } from "./cues.js";
import { h, replace } from "./dom.js";
import { get } from "./net.js";
import { t } from "./text.js";

const PUBLIC = -2;
/** How long a position stands before it is played on from, and how long its end stays. */
const LOOK_MS = 700;
const STAY_MS = 1300;
/** How long a step stands in which nothing is played out. */
const STEP_MS = 500;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The board as it was after a step: nothing on it can be touched. */
export function still(play, seen, step) {
  const board = drawBoard({
    ...play.context(),
    frame: { ...seen, version: step, moves: [] },
    view: seen.view,
    moves: [],
    mode: "play",
    marked: [],
    pick: () => {},
    why: () => {},
  });
  board.querySelector(".taps")?.remove();
  return board;
}

export class Theatre {
  /** Takes the place of the story of `play` in `box`; `told` are the steps of the game. */
  constructor(box, play, told) {
    play.theatre?.close();
    play.theatre = this;
    this.box = box;
    this.play = play;
    this.told = told;
    this.viewer = PUBLIC;
    this.run = 0;
    // To its player the theatre is a page that shows another position of the same game.
    this.scene = Object.assign(Object.create(play), { seat: undefined, drawBoard: () => this.drawBoard() });
    this.player = new Player(this.scene, (text, heard) => this.say(text, heard));
    this.board = h("div", { class: "board-box", "data-key": "skip-scene", onclick: () => this.skip() });
    this.line = h("p", { class: "story-line", role: "status" });
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: told.lines.length,
      "aria-label": t("story.step"),
      oninput: () => this.show(Number(this.slider.value)),
    });
    this.runner = h("button", { "data-key": "run", onclick: () => this.toggle() });
    this.setRunning(false);
    const who = h(
      "select",
      {
        "aria-label": t("story.as"),
        onchange: () => {
          this.viewer = Number(who.value);
          this.show(Number(this.slider.value));
        },
      },
      h("option", { value: PUBLIC }, t("story.public")),
      told.viewers.map(([seat, name]) => h("option", { value: seat }, name)),
    );
    const close = h(
      "button",
      { class: "icon", "data-key": "close", "aria-label": t("story.back"), onclick: () => this.close() },
      "×",
    );
    replace(
      box,
      h("div", { class: "story-bar" }, this.runner, this.slider, who, close),
      this.board,
      this.line,
    );
    box.parentElement.classList.add("played");
    this.escape = new AbortController();
    addEventListener("keydown", (event) => event.key === "Escape" && this.close(), {
      signal: this.escape.signal,
    });
  }

  /** Whether a performance still has the stage: a newer one, or a closed theatre, ends it. */
  has(run) {
    return run === this.run && this.box.isConnected;
  }

  setRunning(is) {
    this.isRunning = is;
    this.runner.textContent = t(is ? "story.pause" : "story.play");
  }

  async fetch(step) {
    const seen = await get(`/api/story/${step}`, { as: this.viewer });
    // The table can say the lines that all have heard; what another viewer heard is read.
    const isPublic = this.viewer === PUBLIC;
    const log = seen.log.map((line, i) => ({ ...line, number: isPublic ? seen.heard + i : undefined }));
    return { ...seen, log, version: step, moves: [] };
  }

  /** Puts a position onto the stage; what was played there ends. */
  async show(step) {
    const run = ++this.run;
    this.setRunning(false);
    const frame = await this.fetch(step);
    if (this.has(run)) this.put(frame);
  }

  put(frame) {
    this.player.skip();
    this.set(frame);
    this.drawBoard();
    this.say();
  }

  set(frame) {
    Object.assign(this.scene, { frame, lines: frame.log });
    this.slider.value = frame.version;
    this.player.hearRoom(frame.scene);
  }

  drawBoard() {
    this.scene.svg = still(this.scene, this.scene.frame, this.scene.frame.version);
    replace(this.board, this.scene.svg);
    this.player.dress(this.scene.svg);
  }

  /** What happens in these words, or what was done at this step; and what is heard. */
  say(text = "", heard = "") {
    this.line.dataset.heard = heard && `♪ ${heard}`;
    const n = this.scene.frame.version;
    const [, who, label] = n ? this.told.lines[n - 1] : [0, "", t("story.begin")];
    this.line.textContent = text || `${n} / ${this.told.lines.length}  ${who ? `${who}: ` : ""}${label}`;
  }

  /** Plays a step out, from the position that is on the stage. */
  async perform(frame) {
    const before = this.scene.svg;
    this.set(frame);
    this.player.perform(frame.log, before, performance.now() + 50);
    this.drawBoard();
    this.say(frame.log[0]?.text);
    if (!this.player.isPlaying || isCalm()) await pause(STEP_MS);
    await this.player.over();
  }

  /** Plays the steps out one after the other, from where the slider is. */
  async toggle() {
    const run = ++this.run;
    if (this.isRunning) {
      this.player.skip();
      return this.setRunning(false);
    }
    this.setRunning(true);
    const last = this.told.lines.length;
    if (Number(this.slider.value) >= last) this.put(await this.fetch(0));
    while (this.has(run) && Number(this.slider.value) < last) {
      const frame = await this.fetch(Number(this.slider.value) + 1);
      if (this.has(run)) await this.perform(frame);
    }
    return this.has(run) && this.setRunning(false);
  }

  /** Plays some steps out, each from the position before it; then the stage is empty again. */
  async tell(steps) {
    const run = ++this.run;
    this.setRunning(true);
    for (const step of steps) {
      const [before, after] = await Promise.all([this.fetch(step - 1), this.fetch(step)]);
      if (!this.has(run)) return;
      this.put(before);
      this.say(after.log.find((line) => line.cue.light)?.text);
      await pause(LOOK_MS);
      if (!this.has(run)) return;
      await this.perform(after);
      await pause(STAY_MS);
    }
    if (this.has(run)) this.close();
  }

  /** Ends what is being played: the next step, or turning point, begins. */
  skip() {
    this.player.skip();
    this.drawBoard();
  }

  close() {
    this.run += 1;
    this.escape.abort();
    this.box.parentElement?.classList.remove("played");
    replace(this.box);
    this.play.theatre = undefined;
    this.play.attend();
  }
}
