// Teaching: each piece of the owner's own box is photographed a few times, and checked at once.

import { announce, h, replace, toast } from "./dom.js";
import { get, post } from "./net.js";
import { t } from "./text.js";
import { attempt, View, withBench } from "./workshop_bench.js";

export const draw = (box, visit) =>
  withBench(box, visit, (body) => {
    const view = new View(visit);
    const now = h("section", { class: "card lesson" });
    const list = h("section", { class: "card" });
    replace(
      body,
      h(
        "div",
        { class: "two" },
        h("section", { class: "card" }, view.box),
        h("div", { class: "stack" }, now, list),
      ),
    );
    return new Lesson(view, now, list).show();
  });

class Lesson {
  constructor(view, now, list) {
    Object.assign(this, { view, now, list, face: "", problems: null });
  }

  async show() {
    const state = (this.state = await get("/api/workshop/lesson"));
    const names = state.faces.map((face) => face.name);
    if (!names.includes(this.face)) this.face = state.next || names[0];
    this.drawNow();
    this.drawList();
  }

  /** Guides through the turns: upright first, then turned, where the game tells turns apart. */
  turn(face) {
    return face.turns === 4 ? [0, 90, 0][face.taken % 3] : 0;
  }

  drawNow() {
    const { state } = this;
    const face = state.faces.find((one) => one.name === this.face);
    const turn = this.turn(face);
    const isFull = face.taken >= state.enough;
    this.view.cell = isFull ? -1 : face.cell;
    replace(
      this.now,
      h("h2", {}, face.label),
      h("p", { class: "quiet" }, t("teach.text")),
      isFull
        ? null
        : [
            h("p", { class: "big" }, t("teach.place", { place: face.place, how: t(`teach.how.${turn}`) })),
            h("p", {}, t("teach.number", { n: face.taken + 1, enough: state.enough })),
            state.virtual ? h("p", { class: "quiet" }, t("bench.simulated")) : null,
          ],
      face.taken
        ? h("img", {
            class: "piece-picture",
            alt: t("teach.last", { face: face.label }),
            src: `/api/workshop/photograph.jpg?face=${encodeURIComponent(face.name)}&t=${Date.now()}`,
          })
        : null,
      this.problems
        ? h(
            "ul",
            { class: "problems" },
            this.problems.length
              ? this.problems.map((one) => h("li", { class: "watch" }, one.text))
              : h("li", { class: "good" }, t("teach.good")),
          )
        : null,
      h(
        "div",
        { class: "buttons" },
        h(
          "button",
          { class: "go", "data-key": "take", onclick: () => this.take(face, turn) },
          t("teach.take"),
        ),
        face.taken
          ? h("button", { "data-key": "drop", onclick: () => this.drop(face) }, t("teach.back"))
          : null,
        isFull && state.next
          ? h("button", { "data-key": "next", onclick: () => this.choose(state.next) }, t("teach.next"))
          : null,
      ),
    );
  }

  drawList() {
    const { state } = this;
    const any = state.faces.some((face) => face.taken);
    replace(
      this.list,
      h("h2", {}, t("teach.all")),
      state.kept ? h("p", { class: "good-line" }, t("teach.known")) : null,
      state.next ? null : h("p", { class: "good-line" }, t("teach.done")),
      h(
        "ul",
        { class: "faces" },
        state.faces.map((face) =>
          h(
            "li",
            {},
            h(
              "button",
              {
                class: "small",
                "data-key": `face-${face.name}`,
                "aria-pressed": String(face.name === this.face),
                onclick: () => this.choose(face.name),
              },
              `${face.label} `,
              h(
                "span",
                { class: face.taken >= state.enough ? "full" : "quiet" },
                `${face.taken}/${state.enough}`,
              ),
            ),
          ),
        ),
      ),
      h(
        "div",
        { class: "buttons" },
        h(
          "button",
          { class: "go", "data-key": "finish", disabled: !any, onclick: () => this.finish() },
          t("teach.finish"),
        ),
      ),
    );
  }

  choose(name) {
    this.face = name;
    this.problems = null;
    this.drawNow();
    this.drawList();
  }

  async take(face, turn) {
    const answer = await attempt(() => post("/api/workshop/photograph", { face: face.name, turn }));
    if (!answer) return;
    this.problems = answer.problems;
    announce(answer.problems.map((one) => one.text).join(" ") || t("teach.good"));
    await this.show();
    const now = this.state.faces.find((one) => one.name === face.name);
    if (!answer.problems.length && now.taken >= this.state.enough && this.state.next) {
      this.choose(this.state.next);
    }
  }

  async drop(face) {
    await attempt(() => post("/api/workshop/drop", { face: face.name }));
    this.problems = null;
    await this.show();
  }

  async finish() {
    const answer = await attempt(() => post("/api/workshop/finish"));
    if (!answer) return;
    toast(t("teach.kept"));
    this.problems = answer.problems.slice(0, 12);
    await this.show();
  }
}
