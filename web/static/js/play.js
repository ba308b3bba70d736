// A game on a page: its board, whose turn it is, what may be done, why, and what happened.
// The table screen and a seat's panel are both made from these parts.

import { byVerb, MAX_BUTTONS, movesOf, nextQuestion, verbName, waitingSeats } from "./actions.js";
import { drawBoard, legend } from "./board.js";
import { announce, dialog, h, replace, toast } from "./dom.js";
import { eyesCard } from "./eyes.js";
import { artOf, prepare } from "./games.js";
import { get, me, post } from "./net.js";
import { t } from "./text.js";

const LOG_SHOWN = 60;

export class Play {
  constructor(seat) {
    this.seat = seat;
    this.page = seat === undefined ? -2 : seat;
    this.parts = {
      board: h("div", { class: "board-box" }),
      helper: h("div", { class: "helper card" }),
      moves: h("div", { class: "moves" }),
      facts: h("div", { class: "facts" }),
      log: h("ol", { class: "log", tabindex: "0", "aria-label": t("log") }),
      own: h("div", { class: "own" }),
      tools: h("div", { class: "tools" }),
      legend: h("div", {}),
      over: h("div", {}),
      eyes: h("div", { class: "eyes-box" }),
    };
    this.mode = "play";
    this.asks = false;
    this.busy = false;
    this.lines = [];
    this.frame = null;
    this.room = { seats: [], names: [] };
  }

  /** Fetches what does not change, when another game comes onto the table or the language changes. */
  async load() {
    this.game = prepare(await get("/api/game"));
    this.art = await artOf(this.game.key);
    this.lines = await get("/api/log", { seat: this.seat });
    this.number = this.room.number;
  }

  async update(frame) {
    if (frame.number !== this.room.number) return;
    if (!this.game || this.number !== frame.number) await this.load();
    else if (
      this.frame &&
      (frame.log.some((line) => line.kind === "undone") || frame.version > this.frame.version + 1)
    ) {
      this.lines = await get("/api/log", { seat: this.seat });
      for (const line of frame.log) if (line.kind === "undone") toast(line.text);
    } else if (this.frame && frame.version > this.frame.version) this.lines.push(...frame.log);
    if (this.frame && frame.version < this.frame.version && this.number === frame.number) {
      this.lines = await get("/api/log", { seat: this.seat });
    }
    const before = this.frame;
    this.frame = frame;
    this.marked = [];
    this.busy = false;
    this.draw();
    document.documentElement.dataset.version = frame.version;
    this.tell(before);
  }

  /** Says aloud whose turn it is, and buzzes the phone when it is this seat's. */
  tell(before) {
    const said = this.headline();
    announce(said);
    const mine = this.seat !== undefined && this.waitingFor().includes(this.seat);
    // A page that nobody has touched yet may not buzz; the browser would only complain.
    if (mine && !this.wasMine && before && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(120);
    this.wasMine = mine;
  }

  name(seat) {
    if (seat === -1) return this.game.texts["seat.table"] || t("seat.table");
    return this.room.names?.[seat] || this.room.seats[seat]?.label || String(seat);
  }

  waitingFor() {
    return waitingSeats(this.frame.view.needs, this.art.optional);
  }

  headline() {
    const view = this.frame.view;
    if (view.outcome) return this.game.texts[`outcome.${view.outcome.code}`] || view.outcome.code;
    const seats = this.waitingFor();
    if (this.seat !== undefined && seats.includes(this.seat)) return t("turn.yours");
    if (seats.length === 1 && seats[0] === -1) return t("turn.table");
    if (!seats.length) return t("turn.wait");
    return t("turn.of", {
      name: seats
        .filter((seat) => seat >= 0)
        .map((seat) => this.name(seat))
        .join(", "),
    });
  }

  context(more = {}) {
    return {
      game: this.game,
      frame: this.frame,
      view: this.frame.view,
      art: this.art,
      seat: this.seat,
      room: this.room,
      play: this,
      moves: movesOf(this.frame),
      mode: this.mode,
      marked: this.marked,
      name: (seat) => this.name(seat),
      word: this.game.word,
      pick: (cell, moves) => this.pick(cell, moves),
      why: (cell) => this.why(cell),
      choose: (moves, title) => this.choose(moves, title),
      act: (move) => this.act(move),
      ...more,
    };
  }

  draw() {
    const ctx = this.context();
    const { parts } = this;
    replace(parts.board, drawBoard(ctx));
    replace(parts.legend, legend(this.frame, this.art));
    replace(parts.helper, this.helper());
    replace(
      parts.eyes,
      eyesCard(this.frame.eyes, this.game.places, this.page, this.seat !== undefined || me.host) || [],
    );
    replace(parts.own, this.art.panel?.(ctx) || []);
    replace(parts.moves, this.choices(ctx));
    replace(parts.facts, facts(this.art.facts?.(ctx) || []));
    const atEnd = parts.log.scrollTop + parts.log.clientHeight >= parts.log.scrollHeight - 24;
    const shown = this.filter === undefined ? this.lines : this.lines.filter(this.filter);
    replace(
      parts.log,
      shown.slice(-LOG_SHOWN).map((line) => h("li", { class: `event-${line.kind}` }, line.text)),
    );
    if (atEnd || !this.drawn) parts.log.scrollTop = parts.log.scrollHeight;
    this.drawn = true;
    replace(parts.tools, this.tools());
    this.onDraw?.(ctx);
  }

  /** A choice of what the log shows, where the art offers one. */
  logFilter() {
    const filters = this.art.filters?.(this.context()) || [];
    if (!filters.length) return null;
    return h(
      "select",
      {
        "aria-label": t("log.filter"),
        onchange: (event) => {
          this.filter = filters[Number(event.target.value)]?.[1];
          this.draw();
        },
      },
      h("option", { value: -1 }, t("log.all")),
      filters.map(([name], i) => h("option", { value: i }, name)),
    );
  }

  helper() {
    const view = this.frame.view;
    const mine = this.seat !== undefined && this.waitingFor().includes(this.seat);
    const phase = view.phase && this.game.texts[`phase.${view.phase}`];
    return [
      h("p", { class: `whose ${mine ? "mine" : ""}` }, this.headline()),
      (this.frame.standing || []).map((text) => h("p", { class: "standing", role: "status" }, text)),
      phase ? h("p", { class: "phase" }, phase) : null,
      this.art.helper?.(this.context()) || null,
    ];
  }

  tools() {
    const toggle = (name, on, act) =>
      h(
        "button",
        { class: "tool", "aria-pressed": on ? "true" : "false", "data-key": name, onclick: act },
        t(name),
      );
    return [
      toggle("tool.why", this.mode === "why", () => {
        this.mode = this.mode === "why" ? "play" : "why";
        this.draw();
      }),
      toggle("tool.preview", this.asks, () => {
        this.asks = !this.asks;
        this.draw();
      }),
      this.seat !== undefined || me.host
        ? h("button", { class: "tool", "data-key": "undo", onclick: () => this.undo() }, t("tool.undo"))
        : null,
    ];
  }

  /** All that may be done now, as buttons grouped by verb; what the art shows itself is left to it. */
  choices(ctx) {
    if (this.frame.view.outcome) return [];
    const may = this.seat !== undefined || me.host;
    if (!ctx.moves.length) return [h("p", { class: "quiet" }, this.waitingText())];
    const several = new Set(ctx.moves.map((move) => move.seat)).size > 1;
    return byVerb(ctx.moves).map((moves) => {
      if (this.art.hides?.(ctx, moves)) return null;
      const buttons = h(
        "div",
        { class: "buttons" },
        moves.map((move) =>
          h(
            "button",
            {
              class: "move",
              "data-action": move.text,
              "data-seat": move.seat,
              "data-key": `${move.seat} ${move.text}`,
              disabled: this.busy || !may,
              onclick: () => this.take(move),
              onpointerenter: () => this.mark(move, true),
              onpointerleave: () => this.mark(move, false),
              onfocus: () => this.mark(move, true),
              onblur: () => this.mark(move, false),
            },
            several ? `${this.name(move.seat)}: ${move.label}` : move.label,
          ),
        ),
      );
      if (moves.length <= MAX_BUTTONS) return buttons;
      const { verb } = moves[0];
      const name = verbName(verb, this.game.texts[`verb.${verb}`]);
      return h(
        "button",
        {
          class: "many",
          "data-many": verb,
          "data-key": `${moves[0].seat} ${verb}`,
          disabled: this.busy || !may,
          onclick: () => this.choose(moves, name),
        },
        `${name}: `,
        h("span", { class: "quiet" }, t("choices", { n: moves.length })),
      );
    });
  }

  waitingText() {
    const seats = this.waitingFor().filter((seat) => seat >= 0);
    if (this.seat === undefined && seats.some((seat) => !this.room.seats[seat]?.taken)) return t("wait.seat");
    return t("wait.others");
  }

  /** Shows on the board where an action would happen. */
  mark(move, on) {
    for (const cell of (this.art.cells || (() => []))(move, this.game).concat(
      move.words.map((word) => this.game.index.get(word)),
    )) {
      if (cell !== undefined) {
        this.parts.board.querySelector(`.tap[data-cell="${cell}"]`)?.classList.toggle("marked", on);
      }
    }
  }

  pick(cell, moves) {
    if (this.mode === "why") return this.why(cell);
    if (!moves.length) return undefined;
    if (this.seat === undefined && !me.host) return toast(t("error.not-host"));
    return moves.length === 1 ? this.take(moves[0]) : this.choose(moves, this.game.places[cell]);
  }

  /** Asks which of several actions is meant; many are asked for word by word. */
  choose(moves, title = t("choose"), from = 0) {
    const { at, groups } = nextQuestion(moves, from);
    const close = dialog(
      title,
      h(
        "div",
        { class: "buttons" },
        [...groups].map(([key, some]) =>
          h(
            "button",
            {
              class: "move",
              "data-action": some.length === 1 ? some[0].text : undefined,
              "data-word": some.length === 1 ? undefined : `${at} ${key}`,
              "data-seat": some[0].seat,
              onclick: () => {
                close();
                if (some.length === 1) this.take(some[0]);
                else this.choose(some, `${title} · ${this.wordName(key)}`, at + 1);
              },
            },
            some.length === 1 ? some[0].label : this.wordName(key),
          ),
        ),
      ),
    );
  }

  wordName(word) {
    const cell = this.game.index.get(word);
    return cell !== undefined ? this.game.places[cell] : this.game.word(word) || "—";
  }

  async take(move) {
    if (!this.asks || move.seat === -1) return this.act(move);
    let lines;
    try {
      const seen = await get("/api/preview", { seat: this.seat, for: move.seat, action: move.text });
      lines = seen.secret
        ? [t("preview.secret")]
        : seen.log.length
          ? seen.log.map((line) => line.text)
          : [t("preview.nothing")];
    } catch (problem) {
      return this.refuse(problem);
    }
    const close = dialog(
      move.label,
      h("p", { class: "quiet" }, t("preview.head")),
      h(
        "ul",
        { class: "preview" },
        lines.map((line) => h("li", {}, line)),
      ),
      h(
        "div",
        { class: "buttons" },
        h(
          "button",
          {
            class: "go",
            "data-confirm": move.text,
            onclick: () => {
              close();
              this.act(move);
            },
          },
          t("do-it"),
        ),
      ),
    );
    return undefined;
  }

  async act(move) {
    if (this.busy) return;
    this.busy = true;
    for (const button of this.parts.moves.querySelectorAll("button")) button.disabled = true;
    try {
      await post("/api/act", {
        action: move.text,
        version: this.frame.version,
        seat: move.seat,
        page: this.page,
      });
    } catch (problem) {
      this.refuse(problem);
    } finally {
      // The stream brings the new position; a refusal or a lost stream gives the buttons back.
      setTimeout(() => {
        if (this.busy) {
          this.busy = false;
          this.draw();
        }
      }, 1500);
    }
  }

  refuse(problem) {
    this.busy = false;
    this.marked = problem.cells || [];
    this.draw();
    toast(problem.rule ? `${problem.message} (${problem.rule})` : problem.message, "bad");
  }

  async why(cell) {
    try {
      const reasons = await get("/api/why", { seat: this.seat, cell });
      this.marked = reasons.flatMap((reason) => reason.cells);
      this.draw();
      dialog(
        `${t("tool.why")} ${this.game.places[cell]}`,
        reasons.length
          ? h(
              "ul",
              { class: "reasons" },
              reasons.map((reason) =>
                h("li", {}, reason.text, reason.rule ? h("span", { class: "rule" }, reason.rule) : null),
              ),
            )
          : h("p", { class: "quiet" }, t("why.nothing")),
      );
    } catch (problem) {
      this.refuse(problem);
    }
  }

  async undo(force = false) {
    try {
      await post("/api/undo", this.seat === undefined ? { force } : { seat: this.seat });
    } catch (problem) {
      if (problem.code === "undo-reveals" && this.seat === undefined) {
        const close = dialog(
          t("tool.undo"),
          h("p", {}, t("undo.reveals")),
          h(
            "div",
            { class: "buttons" },
            h(
              "button",
              {
                class: "go",
                onclick: () => {
                  close();
                  this.undo(true);
                },
              },
              t("undo.anyway"),
            ),
          ),
        );
      } else this.refuse(problem);
    }
  }
}

/** Numbers worth knowing: [label, value, hint?] rows, or ready elements. */
function facts(rows) {
  const plain = rows.filter(Array.isArray);
  return [
    plain.length
      ? h(
          "dl",
          {},
          plain.map(([label, value, hint]) =>
            h("div", { title: hint }, h("dt", {}, label), h("dd", {}, value)),
          ),
        )
      : null,
    rows.filter((row) => !Array.isArray(row)),
  ];
}
