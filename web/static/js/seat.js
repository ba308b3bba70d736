// A seat's private panel. A secret one shows nothing until it is held, and nothing once it is turned away.

import { stayAwake } from "./awake.js";
import { comfortButton, fillButton, head, languageButton } from "./chrome.js";
import { dialog, h, onHold, replace, s, toast } from "./dom.js";
import { faceOf } from "./faces.js";
import { rulesButton } from "./hints.js";
import { Live, me, post, whoAmI } from "./net.js";
import { Play } from "./play.js";
import { drawStory } from "./story.js";
import { t } from "./text.js";
import { listenToKeys } from "./touch.js";

const main = document.getElementById("main");
let room = { number: 0, seats: [], notices: [] };
let play = null;
let seat = 0;
let live = null;
let shield = null;
let lastNotice = Infinity;

export async function open() {
  const asked = location.hash.slice(1);
  seat = me.seats.includes(Number(asked)) && asked !== "" ? Number(asked) : me.seats[0];
  if (seat === undefined) return gone();
  addEventListener("hashchange", () => location.reload());
  stayAwake();
  listenToKeys(() => (shield?.isHidden ? null : play?.touch));
  live = new Live(seat, { room: onRoom, update: onUpdate, gone });
  return drawHead();
}

function gone() {
  live?.stop();
  shield?.stop();
  drawHead();
  replace(
    main,
    h(
      "div",
      { class: "card narrow" },
      h("h1", {}, t("seat.gone")),
      h("p", {}, h("a", { class: "button go", href: "/join" }, t("join.head"))),
    ),
  );
}

/** One line: who I am, and what is one tap away. */
function drawHead() {
  const top = document.getElementById("top");
  const label = room.seats[seat]?.label || "";
  if (!play?.frame) return head(top, label ? `${label} · ${me.name}` : t("my-seat"), redraw);
  const sheet = (name, show) =>
    h("button", { class: "quiet-button", "data-key": `sheet-${name}`, onclick: show }, t(`sheet.${name}`));
  const own = play.art.players?.(play.context())?.[seat] || {};
  const who = own.who || (room.seats[seat]?.secret ? label : "");
  return replace(
    top,
    h(
      "span",
      { class: "where" },
      faceOf(room.seats[seat]?.face, {
        colour: own.colour,
        name: me.name,
      }),
      h("b", {}, me.name || label),
      me.name && who ? ` · ${who}` : "",
    ),
    h("span", { class: "old", role: "status" }, t("old-news")),
    h(
      "nav",
      { "aria-label": t("menu") },
      shield?.bar,
      sheet("log", () => play.openLog()),
      sheet("facts", openFacts),
      sheet("menu", openMenu),
    ),
  );
}

function openFacts() {
  dialog(t("facts"), rulesButton(play), play.parts.own, play.parts.facts, play.art.tabs?.(play) || []);
}

function openMenu() {
  const tools = h("div", { class: "tools" }, play.tools());
  play.onTools = () => replace(tools, play.tools());
  dialog(
    t("menu"),
    tools,
    h("h3", {}, t("legend")),
    play.parts.legend,
    h(
      "div",
      { class: "sheet-buttons" },
      me.seats
        .filter((one) => one !== seat)
        .map((one) =>
          h("a", { class: "button", href: `/seat#${one}` }, room.seats[one]?.label || String(one)),
        ),
      // Whoever sees the board may also reach for it, where it is a virtual one.
      play.frame.layout ? h("a", { class: "button", href: `/virtual?seat=${seat}` }, t("virtual")) : null,
      h("a", { class: "button", href: "/join" }, t("seats")),
      me.host ? h("a", { class: "button", href: "/" }, t("table")) : null,
      languageButton(redraw),
      comfortButton(),
      fillButton(),
      h("button", { class: "small", onclick: standUp }, t("seat.leave")),
      h("button", { class: "small", "data-key": "bot", onclick: handToBot }, t("seat.bot.mine")),
    ),
  );
}

/** Forgets what is drawn: the stream brings everything again, in the language of now. */
function redraw() {
  room = { number: 0, seats: [], notices: [] };
  play = null;
  lastNotice = Infinity;
  live?.open();
}

async function onRoom(news) {
  for (const notice of news.notices) {
    if (notice.number > lastNotice) toast(notice.text, notice.code.endsWith("refused") ? "bad" : "");
  }
  lastNotice = news.version;
  const changed = news.number !== room.number;
  room = news;
  if (changed) {
    await whoAmI();
    if (room.number && !me.seats.includes(seat)) {
      if (!me.seats.length) return gone();
      location.hash = me.seats[0];
    }
    play = room.number ? new Play(seat) : null;
    if (play) play.handing = handing;
  }
  drawHead();
  if (!room.number) return replace(main, h("div", { class: "card narrow" }, h("p", {}, t("join.no-game"))));
  play.room = room;
  if (play.frame) play.draw();
  return undefined;
}

async function onUpdate(frame) {
  if (!play || frame.number !== room.number) return;
  const first = !play.frame || !play.parts.board.isConnected;
  await play.update(frame);
  if (!play?.frame) return;
  if (first) {
    drawHead();
    drawPanel();
  }
  const { over } = play.parts;
  if (!play.frame.view.outcome) replace(over);
  else if (over.dataset.number !== String(play.number) || !over.childNodes.length) {
    over.dataset.number = String(play.number);
    shield?.stop();
    drawStory(over, play);
  }
}

function drawPanel() {
  const { parts } = play;
  document.documentElement.dataset.view = "seat";
  const body = h(
    "div",
    { class: `panel game-${play.game.key}` },
    parts.task,
    parts.lesson,
    h("section", { class: "stage", "aria-label": t("board") }, parts.board, parts.eyes),
    h("section", { class: "hand", "aria-label": t("hand") }, parts.last, parts.tray, parts.bar),
    parts.over,
  );
  replace(main, body);
  shield?.stop();
  const isShared = me.seats.length > 1;
  if ((room.seats[seat]?.secret || isShared) && !play.frame.view.outcome) {
    shield = new Shield(body, isShared ? t("hand-over.cover", { name: room.seats[seat].label }) : "");
    drawHead();
  }
}

/** Buttons that hand this device to another of its seats, or back to the table. */
function handing(of) {
  const waiting = of.waitingFor();
  if (waiting.includes(seat)) return [];
  const other = me.seats.find((one) => one !== seat && waiting.includes(one));
  if (other !== undefined) {
    return [
      h(
        "a",
        { class: "button go", href: `/seat#${other}`, "data-hand": other },
        t("hand-over", { name: room.seats[other].label }),
      ),
    ];
  }
  return me.host && me.seats.length
    ? [h("a", { class: "button", href: "/", "data-hand": "table" }, t("table"))]
    : [];
}

async function standUp() {
  try {
    await post("/api/stand-up", { seat });
  } catch (problem) {
    toast(problem.message, "bad");
  }
}

async function handToBot() {
  try {
    await post("/api/bot", { seat });
  } catch (problem) {
    toast(problem.message, "bad");
  }
}

const CLOSED_EYE = "M2 8 Q10 16 18 8 M5 11.2 L3.4 13.6 M10 12.4 V15.4 M15 11.2 L16.6 13.6";
const READING = ["pointerdown", "pointermove", "keydown", "scroll", "wheel"];
const OPEN_S = 90;
const UNCOVER_MS = 350;
/** A phone that turns by this many degrees is in a hand, and somebody reads. */
const IN_HAND_DEGREES = 0.6;

/** Hides a panel until its cover is held, and again when the phone is put away, turned over or laid aside. */
class Shield {
  constructor(body, whose) {
    this.body = body;
    this.cover = h(
      "button",
      { class: "cover", "data-key": "cover" },
      h("span", { class: "eye", "aria-hidden": "true" }),
      whose ? h("b", {}, whose) : null,
      h("b", {}, t("shield.hold")),
      h("span", {}, t("shield.text")),
    );
    // It stands in the head, where it covers nothing that is read or touched.
    this.bar = h(
      "button",
      {
        class: "hide-now",
        "data-key": "hide",
        "aria-label": t("shield.hide"),
        title: t("shield.hide"),
        onclick: () => this.hide(),
      },
      s("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, s("path", { d: CLOSED_EYE })),
    );
    main.prepend(this.cover);
    onHold(this.cover, UNCOVER_MS, "held", () => this.show());
    this.onHide = () => {
      if (document.visibilityState === "hidden") this.hide();
    };
    this.onBlur = () => this.hide();
    this.onTilt = (event) => {
      if (event.beta === null) return;
      if (Math.abs(event.beta) > 110 || event.beta < -20) this.hide();
      if (Math.abs(event.beta - (this.beta ?? 0)) > IN_HAND_DEGREES) this.onTouch();
      this.beta = event.beta;
    };
    // A phone with iOS tells its tilt to whoever was let after a touch, on a safe address alone.
    this.onLift = () => {
      globalThis.DeviceOrientationEvent?.requestPermission?.().catch(() => {});
      removeEventListener("touchend", this.onLift);
    };
    this.onTouch = () => {
      this.touched = Date.now();
    };
    document.addEventListener("visibilitychange", this.onHide);
    addEventListener("blur", this.onBlur);
    addEventListener("deviceorientation", this.onTilt);
    addEventListener("touchend", this.onLift, { passive: true });
    for (const kind of READING) addEventListener(kind, this.onTouch, { capture: true, passive: true });
    this.watch = setInterval(() => {
      if (!this.isHidden && Date.now() - this.touched > OPEN_S * 1000) this.hide();
    }, 1000);
    this.hide();
  }

  show() {
    this.isHidden = false;
    this.touched = Date.now();
    this.body.hidden = false;
    this.cover.hidden = true;
  }

  hide() {
    // Sheets and messages lie above the cover, so they go first.
    for (const sheet of document.querySelectorAll("dialog[open]")) sheet.close();
    document.getElementById("toasts").replaceChildren();
    this.isHidden = true;
    this.body.hidden = true;
    this.cover.hidden = false;
    this.cover.classList.remove("held");
  }

  stop() {
    clearInterval(this.watch);
    document.removeEventListener("visibilitychange", this.onHide);
    removeEventListener("blur", this.onBlur);
    removeEventListener("deviceorientation", this.onTilt);
    removeEventListener("touchend", this.onLift);
    for (const kind of READING) removeEventListener(kind, this.onTouch, { capture: true });
    this.cover.remove();
    this.bar.remove();
    this.body.hidden = false;
  }
}
