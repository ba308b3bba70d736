// What a hand does on a page: takes up a piece, puts it on a place that glows, turns it, confirms or lets go.
// The questions come from `grammar.js`; here they become a tray of pieces, a bar under the thumb and a ghost.

import { movesOf, verbName } from "./actions.js";
import { announce, dialog, h, onHold, replace, s } from "./dom.js";
import {
  arranged,
  arrangements,
  ask,
  carried,
  choose,
  FEW,
  roleOf,
  splitAtom,
  withAtoms,
} from "./grammar.js";
import { get, me } from "./net.js";
import { t } from "./text.js";

const HOLD_MS = 600;
const DRAG_PX = 10;
/** So many actions stand in the bar; the others are one tap away. */
const IN_BAR = 3;
/** The sign of a piece about which the rules use something that nobody has compared with a box. */
const doubt = (ctx, word) =>
  ctx.game.unchecked?.includes(word)
    ? h("span", { class: "doubt", "aria-hidden": "true", title: t("box.origin.unchecked") }, "?")
    : null;

/** How the words for directions look. */
const ARROW = { up: "↑", right: "→", down: "↓", left: "←", north: "↑", east: "→", south: "↓", west: "←" };

export class Touch {
  constructor(play) {
    this.play = play;
    this.tray = h("div", { class: "rack" });
    this.bar = h("div", { class: "bar" });
    this.moves = [];
    this.rows = [];
    this.seen = new Map();
    this.clear();
  }

  clear() {
    this.chosen = [];
    this.turn = 0;
    this.row = null;
    this.nth = -1;
    /** A card that is only read. */
    this.looked = "";
    /** An action that a hint has taken up. */
    this.suggested = undefined;
  }

  /** Takes the actions of a new frame; what was chosen stays as long as it still means something. */
  follow(frame, game) {
    const all = withAtoms(movesOf(frame), game);
    this.suggested = undefined;
    this.rows = arrangements(all, game);
    // One card of a set is taken up like any other.
    const inRows = new Set(
      this.rows.flatMap(({ kind, moves }) =>
        moves.filter(({ words }) => kind === "order" || words.length > 1),
      ),
    );
    this.moves = all.filter((move) => !inRows.has(move));
    this.seen.clear();
    if (!ask(this.moves, this.chosen).left.length) this.chosen = [];
    this.row = null;
    this.nth = -1;
    this.turn = 0;
    if (!this.moves.length && this.rows.length === 1) this.openRow(this.rows[0]);
    this.question = ask(this.moves, this.chosen);
  }

  get may() {
    return (this.play.seat !== undefined || me.host) && !this.play.isAnothers;
  }

  /** The action that lies there as a ghost, or undefined. */
  get ghost() {
    if (this.suggested) return this.suggested;
    const { ready } = this.question;
    return ready.length ? ready[this.turn % ready.length] : undefined;
  }

  /** The places that may be touched now, by cell: the atom that a touch chooses. */
  targets(ctx) {
    const found = new Map();
    if (!this.may || this.row) return found;
    for (const atom of this.question.places.keys()) found.set(Number(splitAtom(atom)[1]), atom);
    if (this.question.ready.length) {
      const before = ask(
        this.moves,
        this.chosen.filter((atom) => roleOf(atom) !== "place"),
      );
      for (const atom of before.places.keys()) found.set(Number(splitAtom(atom)[1]), atom);
    }
    for (const atom of this.question.pieces.keys()) {
      const cell = this.cellOf(ctx, atom);
      if (cell !== undefined && !found.has(cell)) found.set(cell, atom);
    }
    return found;
  }

  /** Where somebody or something stands, if it is in one place. */
  cellOf(ctx, atom) {
    const [, word] = splitAtom(atom);
    const own = ctx.art.at?.(ctx, word);
    if (own !== undefined) return own;
    const cells = Object.entries(ctx.frame.layout || {}).filter(([, stack]) =>
      stack.some(([face]) => face === word && ["pawn", "figure"].includes(ctx.game.faces.get(face)?.kind)),
    );
    return cells.length === 1 ? Number(cells[0][0]) : undefined;
  }

  pick(atom, byKey = false) {
    if (!this.may) return;
    if (this.suggested) this.clear();
    const before = this.chosen;
    const isAgain = before.includes(atom);
    this.chosen =
      isAgain && roleOf(atom) !== "place"
        ? before.filter((one) => one !== atom)
        : choose(this.moves, before, atom);
    if (isAgain && roleOf(atom) === "place" && this.question.ready.length) this.turn += 1;
    else this.turn = 0;
    this.settle(byKey);
  }

  /** Takes up an action as a hint names it: its places are marked, and it is done only when it is confirmed. */
  suggest(text) {
    const move = [...this.moves, ...this.rows.flatMap((row) => row.moves)].find((one) => one.text === text);
    if (!move) return;
    this.clear();
    this.suggested = move;
    this.chosen = move.atoms.filter((atom) => roleOf(atom) !== "turn");
    this.play.marked = this.chosen
      .filter((atom) => roleOf(atom) === "place")
      .map((atom) => Number(splitAtom(atom)[1]));
    this.settle();
  }

  /** Draws the question anew, says the sentence of the bar, and fetches what the ghost would bring. */
  async settle(byKey = false) {
    this.question = ask(this.moves, this.chosen);
    const { ghost } = this;
    if (ghost) announce(ghost.label);
    if (ghost && !this.seen.has(ghost.text)) {
      this.seen.set(ghost.text, null);
      this.play.draw();
      this.focus(byKey);
      await this.look(ghost);
      if (this.ghost !== ghost) return;
    }
    this.play.draw();
    this.focus(byKey);
  }

  focus(byKey) {
    if (byKey && this.ghost) this.bar.querySelector("[data-confirm]")?.focus();
  }

  async look(move) {
    if (move.seat < 0) return;
    const version = this.play.frame.version;
    try {
      const seen = await get("/api/preview", { seat: this.play.seat, for: move.seat, action: move.text });
      if (this.play.frame.version === version) this.seen.set(move.text, seen);
    } catch {
      /* the position has changed meanwhile; the next frame asks anew */
    }
  }

  /** What the ghost would bring: a view, a layout and a scene, or null while that is not known. */
  get after() {
    const seen = this.ghost && this.seen.get(this.ghost.text);
    return seen && !seen.secret ? seen : null;
  }

  turnOn() {
    if (this.suggested || this.question.ready.length < 2) return;
    this.turn += 1;
    this.settle();
  }

  /** Takes back one step; before it is sent everything is free. */
  back(byKey = false) {
    const last = this.chosen[this.chosen.length - 1];
    if (this.suggested) this.clear();
    else if (this.row && (this.moves.length || this.rows.length > 1)) this.row = null;
    else this.chosen = this.chosen.slice(0, -1);
    this.turn = 0;
    this.nth = -1;
    this.settle();
    if (byKey) document.querySelector(`[data-atom="${CSS.escape(last ?? "")}"]`)?.focus();
  }

  send(move) {
    this.clear();
    this.question = ask(this.moves, []);
    this.play.act(move);
  }

  // Drawing -------------------------------------------------------------------------------------

  draw(ctx) {
    replace(this.tray, this.row ? this.drawRow(ctx) : this.drawTray(ctx));
    replace(this.bar, this.drawBar(ctx));
    this.tray.hidden = !this.tray.childNodes.length;
  }

  /** The name of an atom: a place, somebody at the table, a word of the game. */
  nameOf(ctx, atom) {
    const [role, word] = splitAtom(atom);
    if (role === "place") return ctx.game.places[Number(word)];
    if (role === "verb") return verbName(word, ctx.game.texts[`verb.${word}`]);
    const seat = ctx.room.seats.findIndex((one) => one.word === word);
    if (seat >= 0 && role === "seat") return ctx.name(seat);
    const info = ctx.game.faces.get(word);
    const owner = info?.kind === "pawn" ? ctx.art.owner?.(ctx, { face: word, info }) : undefined;
    return ctx.room.seats[owner] ? ctx.name(owner) : ctx.game.word(word);
  }

  /** The picture of an atom, or null where it is only a word. */
  pictureOf(ctx, atom) {
    const [, word] = splitAtom(atom);
    const own = ctx.art.picture?.(ctx, word);
    if (own) return picture(own.node, own.size, own.isPlain);
    const info = ctx.game.faces.get(word);
    const node = info && ctx.art.piece?.(ctx, { face: word, turn: 0, n: 1, i: 0, of: 1, cell: -1, info });
    return node ? picture(node, [info.width, info.height]) : null;
  }

  item(ctx, atom, key, can = true) {
    const isChosen = this.chosen.includes(atom) && (this.nth < 0 || this.nth === key);
    const drawn = this.pictureOf(ctx, atom);
    const more = ctx.art.about?.(ctx, splitAtom(atom)[1]);
    // A card that cannot be played now can still be read.
    const lives = can && this.may;
    return h(
      "button",
      {
        class: `item ${drawn ? "drawn" : "worded"} ${isChosen || this.looked === atom ? "chosen" : ""} ${lives ? "" : "rests"}`,
        "data-atom": lives ? atom : undefined,
        "data-look": lives ? undefined : atom,
        "data-key": `item-${key}`,
        "aria-pressed": isChosen ? "true" : "false",
        disabled: this.play.busy || (!lives && !more?.text),
        onclick: (event) => {
          this.looked = "";
          this.nth = isChosen ? -1 : key;
          if (lives) this.pick(atom, event.detail === 0);
          else this.lookAt(atom);
        },
        onpointerdown: (event) => lives && this.lift(event, atom, key),
      },
      drawn,
      h("span", { class: "item-name" }, this.nameOf(ctx, atom), doubt(ctx, splitAtom(atom)[1])),
      more?.short ? h("span", { class: "item-more" }, more.short) : null,
    );
  }

  lookAt(atom) {
    this.looked = atom;
    this.play.draw();
  }

  drawTray(ctx) {
    const { pieces } = this.question;
    const groups = ctx.art.hand?.(ctx) || [];
    const inHand = new Set(groups.flatMap((group) => group.words.map((word) => `piece:${word}`)));
    const can = (atom) => pieces.has(atom) || this.chosen.includes(atom) || this.canSwitch(atom);
    const others = [
      ...new Set([
        ...this.chosen.filter((atom) => ["piece", "seat"].includes(roleOf(atom))),
        ...pieces.keys(),
      ]),
    ].filter((atom) => !inHand.has(atom));
    return [
      groups.map((group, g) =>
        group.words.length
          ? h(
              "div",
              { class: "items", role: "group", tabindex: 0, "aria-label": group.title },
              group.words.map((word, i) =>
                this.item(ctx, `piece:${word}`, `${g}-${i}`, can(`piece:${word}`)),
              ),
            )
          : null,
      ),
      others.length
        ? h(
            "div",
            { class: "items", role: "group", tabindex: 0, "aria-label": t("choose") },
            others.map((atom) => this.item(ctx, atom, atom)),
          )
        : null,
    ];
  }

  /** Whether another piece may be taken up instead of the chosen one. */
  canSwitch(atom) {
    return this.chosen.length > 0 && ask(this.moves, []).pieces.has(atom);
  }

  drawBar(ctx) {
    if (ctx.view.outcome) return [];
    const { ghost, question } = this;
    if (this.suggested) return this.drawConfirm(ctx, ghost, []);
    if (this.row) return this.drawRowBar(ctx);
    if (ghost) return this.drawConfirm(ctx, ghost, question.ready);
    if (!this.chosen.length) return this.drawIdle(ctx);
    return [
      h("p", { class: "says" }, this.sentence(ctx)),
      h(
        "div",
        { class: "bar-buttons" },
        this.backButton(),
        question.buttons.map((move) => this.button(ctx, move)),
      ),
    ];
  }

  /** What is asked while something is chosen: its name, what it does, and what to touch next. */
  sentence(ctx) {
    const atom = this.chosen[this.chosen.length - 1];
    const about = ctx.art.about?.(ctx, splitAtom(atom)[1]);
    return [
      h("b", {}, this.nameOf(ctx, atom)),
      about?.text ? ` ${about.text}` : null,
      " ",
      h("span", { class: "quiet" }, t(this.question.places.size ? "touch.where" : "touch.what")),
    ];
  }

  /** What a card says that is only read. */
  reading(ctx) {
    const about = ctx.art.about?.(ctx, splitAtom(this.looked)[1]);
    return [h("b", {}, this.nameOf(ctx, this.looked)), ` ${about?.text || ""}`];
  }

  backButton() {
    return h(
      "button",
      {
        class: "icon back",
        "data-key": "back",
        "aria-label": t("touch.back"),
        title: t("touch.back"),
        onclick: () => this.back(),
      },
      "✕",
    );
  }

  drawConfirm(ctx, ghost, ready) {
    const turns = ready.length > 1;
    const about = this.chosen.map((atom) => ctx.art.about?.(ctx, splitAtom(atom)[1])?.text).find(Boolean);
    return [
      h(
        "p",
        { class: "says", role: "status" },
        h("b", {}, this.saying(ctx, ghost)),
        about ? ` ${about}` : null,
        this.warning(),
      ),
      h(
        "div",
        { class: "bar-buttons" },
        this.chosen.length ? this.backButton() : null,
        turns ? this.drawTurns(ctx, ghost, ready) : null,
        this.confirmButton(ghost, t("touch.confirm")),
      ),
    ];
  }

  /** The ways in which a piece may lie, side by side; a tap on the ghost goes on to the next. */
  drawTurns(ctx, ghost, ready) {
    const face = this.newFace(ghost);
    return h(
      "div",
      { class: "turns", role: "group", "aria-label": t("touch.turn") },
      ready.slice(0, FEW).map((move, i) => {
        const turn = splitAtom(move.atoms.find((atom) => roleOf(atom) === "turn"))[1];
        const drawn = face && Number.isFinite(Number(turn)) && this.pictureOf(ctx, `piece:${face}`);
        if (drawn) drawn.style.rotate = `${turn}deg`;
        return h(
          "button",
          {
            "data-turn": move.text,
            "data-key": `turn-${i}`,
            "aria-pressed": move === ghost ? "true" : "false",
            "aria-label": move.label,
            onclick: () => {
              this.turn = i;
              this.settle();
            },
          },
          drawn || ARROW[turn] || ctx.game.word(turn),
        );
      }),
    );
  }

  /** The piece that the ghost is: what it names, or what it would bring onto the board. */
  newFace(ghost) {
    const named = ghost.atoms.find((atom) => roleOf(atom) === "piece");
    if (named) return splitAtom(named)[1];
    const before = this.play.frame.layout || {};
    for (const [cell, stack] of Object.entries(this.after?.layout || {})) {
      const fresh = stack.find(([face]) => !(before[cell] || []).some(([one]) => one === face));
      if (fresh) return fresh[0];
    }
    return undefined;
  }

  /** What the ghost would bring, in a few words. */
  warning() {
    const lines = this.after?.log || [];
    return lines.length > 1 ? h("span", { class: "quiet" }, ` ${lines[lines.length - 1].text}`) : null;
  }

  saying(ctx, move) {
    const several = new Set(this.moves.map((one) => one.seat)).size > 1;
    return several && move.seat >= 0 ? `${ctx.name(move.seat)}: ${move.label}` : move.label;
  }

  confirmButton(move, label) {
    return this.held(
      move,
      {
        class: "go confirm",
        "data-key": "confirm",
        "data-confirm": move.text,
        "data-seat": move.seat,
        "aria-label": `${label}: ${move.label}`,
      },
      "✓ ",
      label,
    );
  }

  button(ctx, move) {
    const atom = move.atoms.find(
      (one) => !this.chosen.includes(one) && ["piece", "seat"].includes(roleOf(one)),
    );
    return this.held(
      move,
      {
        class: "move",
        "data-action": move.text,
        "data-seat": move.seat,
        "data-key": `${move.seat} ${move.text}`,
      },
      atom ? this.pictureOf(ctx, atom) : null,
      h("span", {}, this.saying(ctx, move)),
    );
  }

  /** A button that sends an action: tapped, or held where the action loses something. */
  held(move, attributes, ...content) {
    const more = { disabled: this.play.busy || !this.may };
    if (!move.held) {
      return h("button", { ...attributes, ...more, onclick: () => this.send(move) }, ...content);
    }
    const node = h(
      "button",
      {
        ...attributes,
        ...more,
        class: `${attributes.class} held`,
        title: t("touch.hold"),
      },
      ...content,
      h("span", { class: "hold-hint" }, t("touch.hold")),
    );
    onHold(node, HOLD_MS, "holding", () => this.send(move));
    return node;
  }

  drawIdle(ctx) {
    const { question } = this;
    const rows = this.rows.map((row) =>
      h(
        "button",
        {
          "data-key": `row-${row.verb}`,
          "data-row": row.verb,
          disabled: this.play.busy || !this.may,
          onclick: () => this.openRow(row, true),
        },
        `${verbName(row.verb, ctx.game.texts[`verb.${row.verb}`])} …`,
      ),
    );
    const asides = question.asides.map(([{ verb }]) =>
      h(
        "button",
        {
          "data-key": `aside-${verb}`,
          "data-aside": verb,
          disabled: this.play.busy || !this.may,
          onclick: () => this.pick(`verb:${verb}`),
        },
        `${verbName(verb, ctx.game.texts[`verb.${verb}`])} …`,
      ),
    );
    // What is held stands last: it is wanted least.
    const plain = [...question.buttons].sort((a, b) => a.held - b.held).map((move) => this.button(ctx, move));
    const all = [...rows, ...plain, ...asides];
    const shown = all.length > IN_BAR + 1 ? all.slice(0, IN_BAR) : all;
    const hidden = all.slice(shown.length);
    const handing = this.play.isAnothers
      ? [
          h(
            "button",
            { class: "help", "data-key": "help", "data-help": "", onclick: () => this.play.help() },
            t("touch.help"),
          ),
        ]
      : this.play.handing?.(this.play) || [];
    if (!all.length && !handing.length && !question.places.size && !question.pieces.size) {
      const text = this.looked ? this.reading(ctx) : this.play.waitingText();
      return [h("p", { class: "says quiet", role: "status" }, text)];
    }
    const says = this.looked
      ? this.reading(ctx)
      : !this.may
        ? this.play.waitingText()
        : question.places.size
          ? t("touch.glows")
          : question.pieces.size
            ? t("touch.take")
            : "";
    return [
      says ? h("p", { class: "says quiet" }, says) : null,
      all.length || handing.length
        ? h(
            "div",
            { class: "bar-buttons" },
            shown,
            handing,
            hidden.length
              ? h(
                  "button",
                  {
                    class: "more",
                    "data-key": "more",
                    title: t("choices", { n: hidden.length }),
                    onclick: () => {
                      const close = dialog(t("touch.more"), h("div", { class: "sheet-buttons" }, hidden));
                      for (const one of hidden) {
                        one.addEventListener("click", () => one.classList.contains("held") || close());
                      }
                      this.sheet = close;
                    },
                  },
                  t("touch.more"),
                )
              : null,
          )
        : null,
    ];
  }

  // Orders and sets -----------------------------------------------------------------------------

  openRow(row, redraw = false) {
    this.row = { ...row, words: row.kind === "order" ? [...row.pool] : [] };
    this.at = -1;
    if (redraw) this.settle();
  }

  drawRow(ctx) {
    const { row } = this;
    const list = row.kind === "order" ? row.words : row.pool;
    const used = [...row.words];
    return h(
      "div",
      { class: `items row ${row.kind}`, role: "group", "aria-label": t(`touch.${row.kind}`) },
      list.map((word, i) => {
        const at = used.indexOf(word);
        const isIn = row.kind === "order" ? i < row.size : at >= 0;
        if (row.kind === "set" && isIn) used.splice(at, 1);
        const atom = `piece:${word}`;
        return h(
          "button",
          {
            class: `item ${isIn ? "in" : "out"} ${this.at === i || (row.kind === "set" && isIn) ? "chosen" : ""}`,
            "data-word": word,
            "data-nth": i,
            "data-key": `row-${i}`,
            "aria-pressed": isIn ? "true" : "false",
            disabled: this.play.busy || !this.may,
            onclick: () => this.tapRow(i, word),
            onkeydown: (event) => this.keyRow(event, i),
            onpointerdown: (event) => row.kind === "order" && this.slide(event, i),
          },
          row.kind === "order" ? h("span", { class: "nth" }, isIn ? String(i + 1) : "–") : null,
          this.pictureOf(ctx, atom),
          h("span", { class: "item-name" }, this.nameOf(ctx, atom)),
        );
      }),
    );
  }

  tapRow(i, word) {
    const { row } = this;
    if (row.kind === "set") {
      const at = row.words.indexOf(word);
      if (at >= 0) row.words.splice(at, 1);
      else row.words.push(word);
    } else if (this.at < 0) this.at = i;
    else {
      row.words = carried(row.words, this.at, i);
      this.at = -1;
    }
    this.settle();
  }

  keyRow(event, i) {
    const to = { ArrowLeft: i - 1, ArrowRight: i + 1 }[event.key];
    if (this.row.kind !== "order" || to === undefined || to < 0 || to >= this.row.words.length) return;
    event.preventDefault();
    event.stopPropagation();
    this.row.words = carried(this.row.words, i, to);
    this.settle();
    this.tray.querySelector(`[data-nth="${to}"]`)?.focus();
  }

  drawRowBar(ctx) {
    const { row } = this;
    const move = arranged(row, row.words);
    if (move) announce(move.label);
    return [
      h(
        "p",
        { class: "says", role: "status" },
        move ? h("b", {}, this.saying(ctx, move)) : t(`touch.${row.kind}`),
      ),
      h(
        "div",
        { class: "bar-buttons" },
        this.moves.length || this.rows.length > 1 ? this.backButton() : null,
        move
          ? this.confirmButton(move, t("touch.confirm"))
          : h("button", { class: "go confirm", disabled: true }, t("touch.confirm")),
      ),
    ];
  }

  // Dragging ------------------------------------------------------------------------------------

  /** Follows a finger from a piece of the tray; let go over a place that glows, the piece lies there. */
  lift(event, atom, key) {
    if (event.currentTarget.disabled || event.button > 0) return;
    const node = event.currentTarget;
    follow(event, node, {
      begin: () => {
        this.nth = key;
        if (!this.chosen.includes(atom)) {
          this.chosen = choose(this.moves, this.chosen, atom);
          this.settle();
        }
      },
      end: (under) => this.drop(under),
    });
  }

  /** Puts what is chosen onto the place under a finger. */
  drop(under) {
    const tap = under.find((one) => one.matches?.(".tap.can"));
    if (tap) this.pick(tap.dataset.atom);
  }

  /** Follows a finger over the board: a figure or the ghost is carried to another place. */
  carry(event) {
    if (event.button > 0) return;
    const from = event.target.closest?.(".tap");
    follow(event, null, {
      begin: () => {},
      end: (under) => {
        const to = under.find((one) => one.matches?.(".tap.can"));
        if (to && to !== from) this.pick(to.dataset.atom);
      },
    });
  }

  /** Moves a card of a row to where it is let go. */
  slide(event, i) {
    if (event.button > 0) return;
    follow(event, event.currentTarget, {
      begin: () => {},
      end: (under) => {
        const to = under.find((one) => one.matches?.(".row .item"));
        if (!to) return;
        this.row.words = carried(this.row.words, i, Number(to.dataset.nth));
        this.at = -1;
        this.settle();
      },
    });
  }
}

/** A drawing in millimetres as a picture of its own; one that is plain needs no name below it. */
function picture(node, [w, hh], isPlain = false) {
  return s(
    "svg",
    { class: isPlain ? "is-plain" : "", viewBox: `${-w / 2} ${-hh / 2} ${w} ${hh}`, "aria-hidden": "true" },
    node,
  );
}

/** Follows one pointer; what is dragged floats under it. A touch that does not move far stays a tap. */
function follow(event, node, { begin, end }) {
  const [x0, y0] = [event.clientX, event.clientY];
  let floating = null,
    moved = false;
  const move = (now) => {
    if (!moved && Math.hypot(now.clientX - x0, now.clientY - y0) < DRAG_PX) return;
    if (!moved) {
      moved = true;
      if (node) {
        floating = node.cloneNode(true);
        floating.className += " floating";
        floating.removeAttribute("data-atom");
        floating.style.width = `${node.offsetWidth}px`;
        document.body.append(floating);
      }
      begin();
    }
    floating?.style.setProperty(
      "transform",
      `translate(${now.clientX}px, ${now.clientY}px) translate(-50%, -70%)`,
    );
  };
  const stop = (last) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", stop);
    removeEventListener("pointercancel", stop);
    floating?.remove();
    if (!moved || last.type === "pointercancel") return;
    // The tap that a browser makes of a drag is not meant.
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    end(document.elementsFromPoint(last.clientX, last.clientY));
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", stop);
  addEventListener("pointercancel", stop);
}

function swallow(event) {
  event.stopPropagation();
  event.preventDefault();
}

const DIRECTION = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The nearest of some boxes in a direction, from another box; undefined where there is none. */
export function nearest(from, boxes, [dx, dy]) {
  const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];
  const [x, y] = middle(from);
  let best,
    least = Infinity;
  for (const box of boxes) {
    const [bx, by] = middle(box);
    const along = (bx - x) * dx + (by - y) * dy,
      across = Math.abs((bx - x) * dy) + Math.abs((by - y) * dx);
    const far = along + 2 * across;
    if (along > 1 && far < least) [best, least] = [box, far];
  }
  return best;
}

/** Lets the keyboard do what a hand does: arrows walk the places, R turns, Enter confirms, Escape lets go. */
export function listenToKeys(touchOf) {
  document.addEventListener("keydown", (event) => {
    const touch = touchOf();
    if (
      !touch?.question ||
      document.querySelector("dialog[open]") ||
      event.target.matches("input, select, textarea")
    ) {
      return;
    }
    const { ghost } = touch;
    const step = DIRECTION[event.key];
    if (step) walk(touch, step, event);
    else if (event.key === "Escape" && (touch.chosen.length || touch.row)) touch.back(true);
    else if (/^[rк]$/i.test(event.key) && ghost) touch.turnOn();
    else if (event.key === "Enter" && ghost && !event.target.closest("button, a, .tap")) touch.send(ghost);
  });
}

function walk(touch, step, event) {
  const taps = [...touch.play.parts.board.querySelectorAll(".tap.can")];
  if (!taps.length || event.target.closest(".log, .row")) return;
  event.preventDefault();
  const here = document.activeElement?.closest?.(".tap");
  if (!here) {
    taps[0].focus();
    return;
  }
  const boxes = new Map(taps.filter((one) => one !== here).map((one) => [one.getBoundingClientRect(), one]));
  boxes.get(nearest(here.getBoundingClientRect(), boxes.keys(), step))?.focus();
}
