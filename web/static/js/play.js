// A game on a page: its board, whose turn it is, what may be done, why, and what happened.
// The table screen and a seat's page are both made from these parts; `touch.js` is the hand on them.

import { waitingSeats } from "./actions.js";
import { drawBoard, legend } from "./board.js";
import { Player } from "./cues.js";
import { announce, dialog, h, replace, s, toast } from "./dom.js";
import { eyesCard } from "./eyes.js";
import { artOf, prepare } from "./games.js";
import { boxAround, seenFrom, viewBox } from "./geometry.js";
import { roleOf, splitAtom } from "./grammar.js";
import { hintButton } from "./hints.js";
import { Coach } from "./lesson.js";
import { ASKS } from "./lights.js";
import { get, me, post } from "./net.js";
import { pinchable } from "./pinch.js";
import { t } from "./text.js";
import { Touch } from "./touch.js";

const SKIP = "M3 3 L10 10 L3 17 Z M10 3 L17 10 L10 17 Z";
const AGAIN = "M10 3 V0 L4 5 L10 10 V6 a5 5 0 1 1 -5 5 H2 a8 8 0 1 0 8 -8 Z";
const LOG_SHOWN = 60;
/** So many numbers stand on the table's screen; the others are one tap away. */
const NUMBERS = 4;
/** So many letters of the largest type would fill a phone's board from side to side. */
const PHONE_LINE = 26;

export class Play {
  constructor(seat) {
    this.seat = seat;
    this.page = seat === undefined ? -2 : seat;
    this.touch = new Touch(this);
    this.attend();
    this.parts = {
      board: h("div", { class: "board-box", onpointerdown: (event) => this.touch.carry(event) }),
      task: h("div", { class: "task" }),
      tray: this.touch.tray,
      bar: this.touch.bar,
      facts: h("div", { class: "facts" }),
      numbers: h("div", { class: "facts numbers" }),
      log: h("ol", { class: "log", tabindex: "0", "aria-label": t("log") }),
      last: h("div", { class: "last" }),
      own: h("div", { class: "own" }),
      legend: h("div", {}),
      signs: h("div", { class: "signs-now" }),
      over: h("div", { class: "over-all" }),
      eyes: h("div", { class: "eyes-box" }),
      lesson: h("div", { class: "lesson-box" }),
    };
    this.unpinch = pinchable(this.parts.board);
    this.coach = new Coach(this);
    this.mode = "play";
    this.zooms = seat !== undefined;
    this.busy = false;
    /** Whose questions this seat answers now, though they are another's. */
    this.helps = "";
    this.lines = [];
    this.frame = null;
    this.room = { seats: [], names: [] };
    // The smallest type of a board depends on how large it is drawn.
    new ResizeObserver(() => this.frame && this.drawBoard()).observe(this.parts.board);
  }

  /** Takes up the part of playing out what happens; whoever had it falls silent. */
  attend() {
    this.player = new Player(this, (text, heard) => this.caption(text, heard));
  }

  /** Fetches what does not change, when another game comes onto the table or the language changes. */
  async load() {
    this.game = prepare(await get("/api/game"));
    this.game.board = seenFrom(this.game.board, this.seat);
    this.art = await artOf(this.game.key);
    this.lines = await get("/api/log", { seat: this.seat });
    this.number = this.room.number;
  }

  async update(frame) {
    if (frame.number !== this.room.number) return;
    if (!this.game || this.number !== frame.number) await this.load();
    const undone = frame.log.filter((line) => line.kind === "undone");
    for (const line of undone) toast(line.text);
    const before = this.frame;
    // Some lines were told while this page was away; or a new position comes without those that led there.
    const jumped = before && !frame.log.length && before.version !== frame.version;
    if (undone.length || jumped || this.lines.length < frame.heard) {
      this.lines = await get("/api/log", { seat: this.seat });
    } else this.lines.splice(frame.heard, Infinity, ...frame.log);
    this.frame = frame;
    this.sawEnd ||= Boolean(before && !before.view.outcome && frame.view.outcome);
    if (!frame.view.outcome) this.theatre?.close();
    this.marked = [];
    if (this.helps && this.helps !== this.waitingFor().join()) this.helps = "";
    this.busy = false;
    if (!before || before.version !== frame.version) {
      this.touch.clear();
      this.unpinch();
    }
    this.touch.follow(frame, this.game);
    if (before?.number === frame.number && frame.log.length) this.player.expect(frame, this.svg);
    this.draw();
    this.coach.follow();
    const { dataset } = document.documentElement;
    dataset.version = frame.version;
    dataset.drawn = Number(dataset.drawn || 0) + 1;
    this.tell(before);
  }

  /** What happens now, in words, with what is heard; a tap plays it once more, or ends it. */
  caption(text, heard = "") {
    const { player } = this;
    replace(
      this.parts.last,
      text ? h("span", {}, text) : null,
      heard ? h("span", { class: "heard" }, `♪ ${heard}`) : null,
      player.canRepeat
        ? h(
            "button",
            {
              class: "again",
              "data-key": "replay",
              "aria-label": t(player.isPlaying ? "cue.skip" : "cue.again"),
              title: t(player.isPlaying ? "cue.skip" : "cue.again"),
              onclick: () => player.toggle(),
            },
            s(
              "svg",
              { viewBox: "0 0 20 20", "aria-hidden": "true" },
              s("path", { d: player.isPlaying ? SKIP : AGAIN }),
            ),
          )
        : null,
    );
  }

  /** Says aloud whose turn it is, and buzzes the phone when it is this seat's. */
  tell(before) {
    const said = this.headline();
    announce(said);
    const mine = this.seat !== undefined && this.waitingFor().includes(this.seat);
    // A page that nobody has touched yet may not buzz; the browser would only complain.
    if (mine && !this.wasMine && before && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(120);
    if (mine && !this.wasMine && before) this.player.chime(said);
    this.wasMine = mine;
  }

  name(seat) {
    if (seat === -1) return this.game.texts["seat.table"] || t("seat.table");
    return this.room.names?.[seat] || this.room.seats[seat]?.label || String(seat);
  }

  /** Who must act; a question about a figure that belongs to somebody at the table is that person's. */
  waitingFor() {
    const seats = waitingSeats(this.frame.view.needs, this.art.optional);
    const owner = this.art.belongs?.(this.context());
    return seats.includes(owner) && this.room.seats[owner]?.taken ? [owner] : seats;
  }

  /** Whether another person should answer what this seat could answer too. */
  get isAnothers() {
    if (this.seat === undefined || this.helps) return false;
    const could = waitingSeats(this.frame.view.needs, this.art.optional).includes(this.seat);
    return could && !this.waitingFor().includes(this.seat);
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
      mode: this.mode,
      marked: this.marked,
      name: (seat) => this.name(seat),
      word: this.game.word,
      why: (cell) => this.why(cell),
      pick: (cell, atom, byKey) => this.pick(cell, atom, byKey),
      ...more,
    };
  }

  /** What the board shows: the position, or what the ghost would make of it. */
  boardContext() {
    const ctx = this.context();
    const { ghost, after, chosen } = this.touch;
    const targets = this.touch.targets(ctx);
    const here = chosen.filter((atom) => roleOf(atom) === "place").map((atom) => Number(splitAtom(atom)[1]));
    const shown = { targets, here, asks: chosen.length > 0 };
    if (after) {
      // What would be asked next is not what the ghost brings.
      const glows = after.scene.glows.filter(([, meaning]) => meaning !== "turn" && !ASKS.has(meaning));
      const scene = { ...after.scene, glows };
      const frame = { ...this.frame, view: after.view, scene, layout: after.layout };
      Object.assign(shown, { frame, view: after.view, before: this.frame.layout });
    } else if (ghost) shown.laid = this.layGhost(ctx, ghost, here);
    const full = this.context(shown);
    const whole = this.art.viewBox?.(full) || viewBox(this.game.board.size_mm, this.art.margin);
    const box = this.zooms ? this.box(full, whole) : whole;
    return { ...full, box, least: this.leastType(box) };
  }

  /** The smallest type of the board in millimetres: what is read on the table's screen is as large as its text. */
  leastType(box) {
    const { clientWidth, clientHeight } = this.parts.board;
    const [, , width, height] = box.split(" ").map(Number);
    const scale = Math.min(clientWidth / width, clientHeight / height);
    const px = parseFloat(getComputedStyle(document.documentElement).fontSize);
    // On a phone very large type would cover the board that it names; there the board can be zoomed.
    const least =
      this.seat === undefined
        ? px * 1.01
        : Math.min(px * 0.7, Math.min(clientWidth, clientHeight) / PHONE_LINE);
    return scale ? least / scale : 0;
  }

  /** The piece of an action on its place, where nobody may know yet what it brings. */
  layGhost(ctx, ghost, here) {
    const atom = ghost.atoms.find((one) => roleOf(one) === "piece");
    const node = atom && this.touch.pictureOf(ctx, atom);
    return node && here.length
      ? here.slice(-1).map((cell) => ({ cell, node: onPlace(node, ctx.game.board.cells[cell]) }))
      : [];
  }

  /** The part of the board that matters now: the places in question and whoever acts. */
  box(ctx, whole) {
    const { game, art } = ctx;
    const cells = [...ctx.targets.keys(), ...ctx.here];
    if (!cells.length) return whole;
    for (const [cell, meaning] of this.frame.scene.glows) if (meaning === "turn") cells.push(cell);
    const places = cells
      .map((cell) => game.board.cells[cell])
      .filter((place) => !art.shows || art.shows(ctx, place));
    return places.length ? boxAround(places, whole.split(" ").map(Number)).join(" ") : whole;
  }

  drawBoard() {
    this.svg = drawBoard(this.boardContext());
    replace(this.parts.board, this.svg);
    if (!this.touch.ghost) this.player.dress(this.svg);
  }

  draw() {
    const ctx = this.context();
    const { parts } = this;
    this.drawBoard();
    replace(parts.legend, legend(ctx));
    replace(parts.signs, legend(ctx));
    replace(parts.task, this.task());
    replace(
      parts.eyes,
      eyesCard(this.frame.eyes, this.game.places, this.page, this.seat !== undefined || me.host) || [],
    );
    replace(parts.own, this.art.panel?.(ctx) || []);
    this.touch.draw(ctx);
    const rows = this.art.facts?.(ctx) || [];
    replace(parts.facts, facts(rows));
    const ways = this.art.tracks?.(ctx) || [];
    replace(parts.numbers, ways.length ? tracks(ways) : facts(rows.filter(Array.isArray).slice(0, NUMBERS)));
    const atEnd = parts.log.scrollTop + parts.log.clientHeight >= parts.log.scrollHeight - 24;
    const shown = this.filter === undefined ? this.lines : this.lines.filter(this.filter);
    replace(
      parts.log,
      shown.slice(-LOG_SHOWN).map((line) => h("li", { class: `event-${line.kind}` }, line.text)),
    );
    if (atEnd || !this.drawn) parts.log.scrollTop = parts.log.scrollHeight;
    this.drawn = true;
    this.player.rest();
    this.onDraw?.(ctx);
  }

  /** Shows what happened, the last of it first in sight. */
  openLog() {
    const { log } = this.parts;
    dialog(t("log"), this.logFilter(), log);
    log.scrollTop = log.scrollHeight;
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

  /** Whose turn it is and what to do, in two lines. */
  task() {
    const view = this.frame.view;
    const mine = this.seat !== undefined && this.waitingFor().includes(this.seat);
    const phase = view.phase && this.game.texts[`phase.${view.phase}`];
    return [
      h("p", { class: `whose ${mine ? "mine" : ""}` }, this.headline()),
      phase ? h("p", { class: "phase" }, phase) : null,
      this.art.helper?.(this.context()) || null,
      (this.frame.standing || []).map((text) => h("p", { class: "standing", role: "status" }, text)),
    ];
  }

  /** Why, the whole board, and undo. */
  tools() {
    const tool = (name, on, act) =>
      h("button", { class: "tool", "aria-pressed": on, "data-key": name, onclick: act }, t(name));
    const toggle = (name, field, values) =>
      tool(name, String(this[field] === values[1]), () => {
        this[field] = this[field] === values[1] ? values[0] : values[1];
        this.unpinch();
        this.draw();
        this.onTools?.();
      });
    return [
      toggle("tool.why", "mode", ["play", "why"]),
      hintButton(this),
      this.seat !== undefined ? toggle("tool.zoom", "zooms", [false, true]) : null,
      this.seat !== undefined || me.host ? tool("tool.undo", undefined, () => this.undo()) : null,
    ];
  }

  /** Lets this seat answer for another person, until the next person is asked. */
  help() {
    this.helps = this.waitingFor().join();
    this.draw();
  }

  waitingText() {
    if (this.isAnothers) return t("wait.belongs", { name: this.name(this.waitingFor()[0]) });
    const seats = this.waitingFor().filter((seat) => seat >= 0);
    if (this.seat === undefined && !me.host) return t("wait.others");
    if (this.seat === undefined && seats.some((seat) => !this.room.seats[seat]?.taken)) return t("wait.seat");
    return t("wait.others");
  }

  pick(cell, atom, byKey) {
    if (this.mode === "why") return this.why(cell);
    if (this.touch.ghost && this.touch.chosen.includes(`place:${cell}`)) return this.touch.turnOn();
    if (atom !== undefined) return this.touch.pick(atom, byKey);
    return this.touch.chosen.length ? this.touch.back() : undefined;
  }

  async act(move) {
    if (this.busy) return;
    this.busy = true;
    this.coach.saw(move.text);
    this.draw();
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

/** A picture of a piece, as large as its place. */
function onPlace(node, { size_mm: [w, hh] }) {
  for (const [name, value] of Object.entries({ x: -w / 2, y: -hh / 2, width: w, height: hh })) {
    node.setAttribute(name, value);
  }
  return node;
}

/** Tracks with their names: how far each token has come. */
function tracks(ways) {
  return h(
    "ul",
    { class: "tracks" },
    ways.map(({ name, n, of, kind }) =>
      h(
        "li",
        { class: `track ${kind}` },
        h("span", {}, name),
        h(
          "span",
          { class: "pips", role: "img", "aria-label": `${n} / ${of}` },
          Array.from({ length: of }, (_, i) => h("i", { class: i < n ? "on" : "" })),
        ),
        h("b", {}, `${n} / ${of}`),
      ),
    ),
  );
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
