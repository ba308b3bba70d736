// A seat's private panel. A secret one shows nothing until it is held, and nothing once it is turned away.

import { head } from "./chrome.js";
import { h, replace, toast } from "./dom.js";
import { get, Live, me, post, whoAmI } from "./net.js";
import { Play } from "./play.js";
import { drawStory } from "./story.js";
import { t } from "./text.js";

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

function drawHead() {
  const label = room.seats[seat]?.label || "";
  head(
    document.getElementById("top"),
    label ? `${label} · ${me.name}` : t("my-seat"),
    redraw,
    me.seats
      .filter((one) => one !== seat)
      .map((one) => h("a", { href: `/seat#${one}` }, room.seats[one]?.label || String(one))),
    // Whoever sees the board may also reach for it, where it is a virtual one.
    play?.frame?.layout ? h("a", { href: `/virtual?seat=${seat}` }, t("virtual")) : null,
    h("a", { href: "/join" }, t("seats")),
  );
}

async function redraw() {
  await onRoom(await get("/api/room"));
  if (!room.number) return;
  play = new Play(seat);
  play.room = room;
  await onUpdate({ ...(await get("/api/frame", { seat })), log: [] });
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
    if (room.number && !me.seats.includes(seat)) return gone();
    play = room.number ? new Play(seat) : null;
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
  const tabs = play.art.tabs?.(play) || [];
  const body = h(
    "div",
    { class: `panel game-${play.game.key}` },
    parts.over,
    parts.eyes,
    parts.helper,
    h(
      "div",
      { class: "panel-main" },
      h(
        "section",
        { class: "stage", "aria-label": t("board") },
        parts.board,
        h("div", { class: "under" }, parts.tools, parts.legend),
      ),
      h("section", { class: "hand", "aria-label": t("hand") }, parts.own, parts.moves),
    ),
    parts.facts,
    tabs,
    h("section", { class: "card" }, h("h2", {}, t("log")), play.logFilter(), parts.log),
    h("p", {}, h("button", { class: "small", onclick: standUp }, t("seat.leave"))),
  );
  replace(main, body);
  parts.log.scrollTop = parts.log.scrollHeight;
  shield?.stop();
  if (room.seats[seat]?.secret && !play.frame.view.outcome) shield = new Shield(body);
}

async function standUp() {
  try {
    await post("/api/stand-up", { seat });
  } catch (problem) {
    toast(problem.message, "bad");
  }
}

const OPEN_S = 25;

/** Hides a panel until its cover is held, and again when the phone is put away, turned over or left alone. */
class Shield {
  constructor(body) {
    this.body = body;
    this.cover = h(
      "button",
      { class: "cover", "data-key": "cover" },
      h("span", { class: "eye", "aria-hidden": "true" }),
      h("b", {}, t("shield.hold")),
      h("span", {}, t("shield.text")),
    );
    this.bar = h("button", { class: "hide-now", onclick: () => this.hide() }, t("shield.hide"));
    main.prepend(this.cover);
    body.prepend(this.bar);
    const hold = (event) => {
      event.preventDefault();
      this.timer = setTimeout(() => this.show(), 350);
      this.cover.classList.add("held");
    };
    const release = () => {
      clearTimeout(this.timer);
      this.cover.classList.remove("held");
    };
    this.cover.addEventListener("pointerdown", hold);
    for (const kind of ["pointerup", "pointerleave", "pointercancel"]) {
      this.cover.addEventListener(kind, release);
    }
    this.cover.addEventListener("keydown", (event) => {
      if ((event.key === "Enter" || event.key === " ") && !event.repeat) hold(event);
    });
    this.cover.addEventListener("keyup", release);
    this.cover.addEventListener("contextmenu", (event) => event.preventDefault());
    this.onHide = () => {
      if (document.visibilityState === "hidden") this.hide();
    };
    this.onBlur = () => this.hide();
    this.onTilt = (event) => {
      if (event.beta !== null && (Math.abs(event.beta) > 110 || event.beta < -20)) this.hide();
    };
    this.onTouch = () => {
      this.touched = Date.now();
    };
    document.addEventListener("visibilitychange", this.onHide);
    addEventListener("blur", this.onBlur);
    addEventListener("deviceorientation", this.onTilt);
    body.addEventListener("pointerdown", this.onTouch);
    body.addEventListener("keydown", this.onTouch);
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
    this.cover.remove();
    this.bar.remove();
    this.body.hidden = false;
  }
}
