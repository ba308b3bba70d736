// A first game: says one rule at a time when it is needed, lights the place, and shows one way to go on.

import { h, replace } from "./dom.js";
import { get, me } from "./net.js";
import { t } from "./text.js";

export class Coach {
  constructor(play) {
    this.play = play;
    this.told = new Set();
    this.advised = "";
    this.hasStrayed = false;
  }

  get isOn() {
    const { frame } = this.play;
    return frame?.standing?.includes(t("standing.lesson")) && (this.play.seat !== undefined || me.host);
  }

  /** Keeps which rules were said, so that a page that comes back does not begin anew. */
  get key() {
    return `lesson-${this.play.number}-${this.play.seat ?? "table"}`;
  }

  /** An action is sent: whether it is the one that was shown. */
  saw(text) {
    this.hasStrayed = Boolean(this.advised) && text !== this.advised;
    this.advised = "";
  }

  /** Asks what is to be said in the position that the page shows now. */
  async follow() {
    const { play } = this;
    if (!this.isOn) return replace(play.parts.lesson);
    this.told = new Set(JSON.parse(sessionStorage.getItem(this.key) || "[]"));
    const { version } = play.frame;
    const acting = play.seat ?? play.frame.moves.find(({ seat }) => seat >= 0)?.seat;
    try {
      this.now = await get("/api/lesson", { seat: play.seat, for: acting });
    } catch {
      return undefined; // the next position asks again
    }
    if (play.frame.version === version) this.draw();
    return undefined;
  }

  draw() {
    const { play, now } = this;
    const step = now.steps.find(({ number }) => !this.told.has(number));
    this.advised = step ? "" : now.action;
    replace(
      play.parts.lesson,
      h(
        "section",
        {
          class: "lesson",
          role: "status",
          "aria-label": t("lesson.head"),
          "data-version": play.frame.version,
        },
        this.hasStrayed ? h("p", { class: "quiet" }, t("lesson.other")) : null,
        step ? this.rule(step) : this.advice(),
      ),
    );
    if (step?.cells.length) {
      play.marked = step.cells;
      play.drawBoard();
    }
  }

  rule(step) {
    return [
      h(
        "p",
        { class: "lesson-head quiet" },
        `${t("lesson.head")} · ${this.told.size + 1} / ${this.now.of} · `,
        t("lesson.rule", { rule: step.rule }),
      ),
      h("p", { class: "lesson-text" }, step.text),
      h(
        "button",
        { class: "go", "data-key": "lesson-next", "data-step": step.number, onclick: () => this.goOn(step) },
        t("lesson.next"),
      ),
    ];
  }

  goOn(step) {
    this.told.add(step.number);
    sessionStorage.setItem(this.key, JSON.stringify([...this.told]));
    this.hasStrayed = false;
    this.play.marked = [];
    this.play.drawBoard();
    this.draw();
  }

  advice() {
    const { play, now } = this;
    if (!now.action) {
      const isHidden = play.handing?.(play)?.length;
      return h("p", { class: "quiet" }, t(isHidden ? "lesson.seat" : "lesson.wait"));
    }
    return [
      h("p", { class: "lesson-text" }, t("lesson.try", { label: now.label })),
      h(
        "button",
        { "data-key": "lesson-show", onclick: () => play.touch.suggest(now.action) },
        t("lesson.show"),
      ),
    ];
  }
}
