// The table screen: set-up, the shelf of games, and the public view of the game that is played.

import { stayAwake } from "./awake.js";
import { head, NARROW } from "./chrome.js";
import { dialog, h, replace, toast } from "./dom.js";
import { closeLobby, drawLobby, isLobby } from "./lobby.js";
import { faceOf } from "./faces.js";
import { rulesButton } from "./hints.js";
import { get, Live, me, post, whoAmI } from "./net.js";
import { Play } from "./play.js";
import { drawShelf } from "./start.js";
import { drawStory } from "./story.js";
import { t } from "./text.js";
import { listenToKeys } from "./touch.js";

const top = document.getElementById("top");
const main = document.getElementById("main");
let room = { number: 0, seats: [], notices: [] };
let play = null;
let shown = "";
let live = null;
let lastNotice = Infinity;

export async function open() {
  if (location.hash === "#watch") sessionStorage.setItem("watch", "yes");
  await takeCode();
  // The table's own screen is the host's; anybody else who comes wants to sit down, or says that he watches.
  if (me.owned && !me.host && !sessionStorage.getItem("watch")) {
    location.replace(me.seats.length ? "/seat" : "/join");
    return;
  }
  addEventListener("hashchange", async () => {
    if (await takeCode()) redraw();
  });
  drawHead();
  NARROW.addEventListener("change", drawHead);
  stayAwake();
  addEventListener("lobby", () => play?.frame && drawSeats());
  listenToKeys(() => (isLobby(room) ? null : play?.touch));
  live = new Live(undefined, { room: onRoom, update: onUpdate });
}

/** Uses the console's code from the address, and takes it out of the address and the history. */
async function takeCode() {
  const code = new URLSearchParams(location.hash.slice(1)).get("setup");
  if (location.hash) history.replaceState(null, "", location.pathname);
  if (!code || me.owned) return false;
  try {
    await post("/api/setup", { code });
  } catch (problem) {
    toast(problem.message, "bad");
  }
  await whoAmI();
  return true;
}

/** Forgets what is drawn: the stream brings everything again, in the language of now. */
function redraw() {
  room = { number: 0, seats: [], notices: [] };
  play = null;
  shown = "";
  lastNotice = Infinity;
  replace(inviteBox);
  drawHead();
  live?.open();
}

function drawHead() {
  head(
    top,
    play?.game?.title || t("table"),
    redraw,
    play?.frame ? sheetButtons() : null,
    play?.frame ? null : links(),
    me.seats.length ? h("a", { href: "/seat" }, t("my-seat")) : null,
    // A table whose owner was forgotten during a game takes the console's code here.
    room.number && !me.owned
      ? h("button", { class: "quiet-button", "data-key": "setup", onclick: openSetup }, t("setup.head"))
      : null,
  );
}

function openSetup() {
  const close = dialog(
    t("setup.head"),
    setupForm(() => close()),
  );
}

function links(kind = "") {
  return [
    me.club ? h("a", { class: kind, href: "/overview" }, t("overview")) : null,
    me.host && room.number ? h("a", { class: kind, href: "/virtual" }, t("virtual")) : null,
    me.host ? h("a", { class: kind, href: "/workshop" }, t("workshop")) : null,
  ];
}

async function onRoom(news) {
  const fresh = news.notices.filter((notice) => notice.number > lastNotice);
  if (fresh.some((notice) => notice.code === "new-code")) replace(inviteBox);
  for (const notice of fresh) toast(notice.text, notice.code.endsWith("refused") ? "bad" : "");
  lastNotice = Math.max(news.version, 0);
  room = news;
  await whoAmI();
  if (!room.number && !me.owned) {
    play = null;
    return show("setup", drawSetup);
  }
  if (!room.number) {
    play = null;
    return show(me.host ? "shelf" : "waiting", me.host ? drawShelf : drawWaiting);
  }
  if (play && play.number && play.number !== room.number) play = null;
  if (!play) {
    play = new Play();
    play.handing = handing;
    play.onTools = drawHead;
    shown = "";
  }
  play.room = room;
  drawHead();
  if (play.frame) {
    play.draw();
    drawSeats();
  }
  return undefined;
}

function show(name, draw) {
  drawHead();
  if (shown === name) return;
  shown = name;
  document.documentElement.dataset.view = name;
  draw(main, { after: whoAmI });
}

function drawSetup() {
  replace(main, setupForm());
}

/** Asks for the console's code; `after` is called once it was taken. */
function setupForm(after = () => {}) {
  const code = h("input", {
    id: "code",
    autocomplete: "off",
    autocapitalize: "characters",
    required: true,
    maxlength: 26,
  });
  const pin = h("input", {
    id: "pin",
    inputmode: "numeric",
    autocomplete: "new-password",
    pattern: "[0-9]{4,8}",
    maxlength: 8,
  });
  return h(
    "form",
    {
      class: "card narrow",
      onsubmit: async (event) => {
        event.preventDefault();
        try {
          await post("/api/setup", { code: code.value, pin: pin.value });
          await whoAmI();
          after();
          redraw();
        } catch (problem) {
          toast(problem.message, "bad");
        }
      },
    },
    h("h1", {}, t("setup.head")),
    h("p", {}, t("setup.text")),
    h("label", { for: "code" }, t("setup.code")),
    code,
    h("label", { for: "pin" }, t("setup.pin")),
    pin,
    h("button", { class: "go" }, t("setup.go")),
  );
}

function drawWaiting() {
  const pin = h("input", {
    id: "pin",
    inputmode: "numeric",
    autocomplete: "current-password",
    pattern: "[0-9]{4,8}",
    maxlength: 8,
    required: true,
  });
  replace(
    main,
    h(
      "div",
      { class: "card narrow" },
      h("h1", {}, t("waiting.head")),
      h("p", {}, t("waiting.text")),
      h("p", {}, h("a", { class: "button", href: "/join" }, t("join.head"))),
      me.pin
        ? h(
            "form",
            {
              onsubmit: async (event) => {
                event.preventDefault();
                try {
                  await post("/api/host", { pin: pin.value });
                  await whoAmI();
                  redraw();
                } catch (problem) {
                  toast(problem.message, "bad");
                }
              },
            },
            h("label", { for: "pin" }, t("owner.pin")),
            pin,
            h("button", {}, t("owner.go")),
          )
        : null,
    ),
  );
}

async function onUpdate(frame) {
  if (!play || frame.number !== room.number) return;
  const before = play.frame;
  const first = !before;
  await play.update(frame);
  if (!play?.frame) return;
  // Whoever moves on a phone has begun the game.
  if (before && frame.version > before.version && isLobby(room)) closeLobby();
  if (first || shown !== "play") drawPlay();
  else drawSeats();
  drawEnd();
}

const playersBox = h("div", { class: "players" });
const inviteBox = h("div", { class: "standing-invite" });
const lobbyBox = h("div", { class: "lobby-box" });

/** What is one tap away on the table screen: the tools, the log, who sits where. */
function sheetButtons() {
  const sheet = (name, unfold) =>
    h("button", { class: "quiet-button", "data-key": `sheet-${name}`, onclick: unfold }, t(`sheet.${name}`));
  return [
    play.tools(),
    sheet("log", () => play.openLog()),
    sheet("facts", () =>
      dialog(t("facts"), rulesButton(play), play.parts.facts, h("h3", {}, t("legend")), play.parts.legend),
    ),
    sheet("seats", openSeats),
  ];
}

function drawPlay() {
  shown = "play";
  document.documentElement.dataset.view = "play";
  drawHead();
  const { parts } = play;
  replace(
    main,
    h(
      "div",
      { class: `layout game-${play.game.key}` },
      h("section", { class: "stage", "aria-label": t("board") }, parts.board),
      h(
        "aside",
        { class: "side" },
        parts.task,
        parts.lesson,
        playersBox,
        parts.numbers,
        parts.eyes,
        parts.tray,
        parts.bar,
        inviteBox,
      ),
      h("footer", { class: "foot" }, parts.last, parts.signs),
      parts.over,
      lobbyBox,
    ),
  );
  play.drawBoard();
  drawSeats();
}

/** Who plays, in turn order, and the standing invitation while seats are free. */
function drawSeats() {
  if (!play) return;
  const needs = new Set(play.frame ? play.waitingFor() : []);
  const own = play.frame ? play.art.players?.(play.context()) || [] : [];
  // Around a screen that lies flat every second seat is on the far side.
  const [acts] = [...needs].filter((seat) => seat >= 0);
  document.documentElement.dataset.toward = needs.size === 1 && acts % 2 ? "far" : "near";
  if (play.frame && me.host && isLobby(room)) {
    drawLobby(lobbyBox, {
      play,
      room,
      offer,
      seatBot: (seat) => seatBot(seat, "good"),
      begin: () => {
        closeLobby();
        drawSeats();
      },
    });
  } else replace(lobbyBox);
  replace(
    playersBox,
    h(
      "ul",
      { class: "player-list" },
      room.seats.map((seat, i) =>
        h(
          "li",
          { class: needs.has(i) ? "acts" : "" },
          seat.taken
            ? faceOf(seat.face, { colour: own[i]?.colour, name: seat.name })
            : h("span", {
                class: "dot",
                style: { background: own[i]?.colour || "#7a6a55" },
                "aria-hidden": "true",
              }),
          h("b", {}, seat.name || seat.label),
          h("span", { class: "quiet" }, own[i]?.text || (seat.taken ? "" : t("seat.free"))),
        ),
      ),
    ),
  );
  const isFree = room.seats.some((seat) => !seat.taken && !seat.secret);
  if (!me.host || !isFree || play.frame?.view.outcome) replace(inviteBox);
  else if (!inviteBox.childNodes.length) {
    replace(
      inviteBox,
      h("img", { class: "qr-small", src: `/api/invite.svg?t=${Date.now()}`, alt: t("invite.alt") }),
      h("span", {}, t("invite.scan")),
    );
  }
}

/** Lets the host free a seat, show the code of a secret one, invite, or take another game. */
function openSeats() {
  const close = dialog(
    t("seats"),
    h(
      "ul",
      { class: "seat-list" },
      room.seats.map((seat, i) =>
        h(
          "li",
          {},
          h(
            "span",
            { class: "seat-name" },
            seat.label,
            seat.name ? h("b", {}, ` ${seat.name}`) : h("span", { class: "quiet" }, ` ${t("seat.free")}`),
          ),
          me.host && seat.taken
            ? h(
                "button",
                { class: "small", "data-key": `kick-${i}`, onclick: () => [close(), kick(i)] },
                t("seat.kick"),
              )
            : null,
          me.host && !seat.taken
            ? ["good", "beginner", ...(play?.game?.open ? ["strong"] : [])].map((strength) =>
                h(
                  "button",
                  {
                    class: "small",
                    "data-key": `bot-${strength}-${i}`,
                    onclick: () => [close(), seatBot(i, strength)],
                  },
                  t(`seat.bot.${strength}`),
                ),
              )
            : null,
          me.host && seat.secret && (!seat.taken || seat.bot)
            ? h(
                "button",
                { class: "small", "data-key": `offer-${i}`, onclick: () => [close(), offer(i)] },
                t("seat.offer"),
              )
            : null,
        ),
      ),
    ),
    h(
      "div",
      { class: "buttons" },
      me.host
        ? [
            h("button", { "data-key": "invite", onclick: () => [close(), invite()] }, t("invite")),
            h("button", { "data-key": "other", onclick: () => [close(), otherGame()] }, t("other-game")),
            links("button"),
          ]
        : h("a", { class: "button", href: "/join" }, t("join.head")),
    ),
  );
}

/** Buttons for seats that must act and keep secrets: this screen is handed over, or the seat's code is shown. */
function handing(of) {
  if (!me.host) return [];
  return of
    .waitingFor()
    .filter((seat) => seat >= 0 && !of.frame.moves.some((one) => one.seat === seat))
    .map((seat) => {
      const { label, taken, secret } = room.seats[seat];
      if (me.seats.includes(seat)) {
        return h(
          "a",
          { class: "button go", href: `/seat#${seat}`, "data-hand": seat },
          t("hand-over", { name: label }),
        );
      }
      if (taken) return null;
      if (secret) {
        return h("button", { "data-hand": seat, onclick: () => offer(seat) }, `${label}: ${t("seat.offer")}`);
      }
      return h(
        "button",
        { "data-hand": seat, onclick: () => takeOver(seat) },
        t("hand-over", { name: label }),
      );
    })
    .filter(Boolean);
}

/** Takes a seat on this very screen, which is then covered until its player holds it. */
async function takeOver(seat) {
  try {
    if (!me.name) await post("/api/join", { name: t("hand-over.name") });
    await post("/api/claim", { seat });
    location.assign(`/seat#${seat}`);
  } catch (problem) {
    toast(problem.message, "bad");
  }
}

async function seatBot(seat, strength) {
  try {
    await post("/api/bot", { seat, strength });
  } catch (problem) {
    toast(problem.message, "bad");
  }
}

function kick(seat) {
  const close = dialog(
    t("seat.kick"),
    h("p", {}, t("seat.kick.text", { name: room.seats[seat].name || room.seats[seat].label })),
    h(
      "div",
      { class: "buttons" },
      h(
        "button",
        {
          class: "go",
          onclick: async () => {
            close();
            await post("/api/kick", { seat });
          },
        },
        t("seat.kick"),
      ),
    ),
  );
}

async function offer(seat) {
  try {
    const made = await post("/api/offer", { seat });
    const left = h("b", {}, String(made.of_s));
    const picture = h("img", {
      class: "qr",
      src: `/api/offer.svg?seat=${seat}&of=${made.short.length}&t=${Date.now()}`,
      alt: t("offer.alt"),
    });
    const close = dialog(
      t("offer.head", { seat: room.seats[seat].label }),
      h("p", {}, t("offer.text")),
      picture,
      h("p", { class: "code" }, made.short),
      h("p", { class: "quiet" }, t("offer.left"), " ", left, " ", t("offer.seconds")),
    );
    const timer = setInterval(() => {
      const n = Number(left.textContent) - 1;
      left.textContent = String(n);
      if (n <= 0 || room.seats[seat]?.taken || !left.isConnected) {
        clearInterval(timer);
        if (left.isConnected) close();
      }
    }, 1000);
  } catch (problem) {
    toast(problem.message, "bad");
  }
}

async function invite() {
  const made = await get("/api/invite");
  const close = dialog(
    t("invite"),
    h("p", {}, t("invite.text")),
    h("img", { class: "qr", src: `/api/invite.svg?t=${Date.now()}`, alt: t("invite.alt") }),
    h("p", { class: "code" }, made.code),
    h("p", { class: "url" }, made.url),
    h(
      "div",
      { class: "buttons" },
      h(
        "button",
        {
          onclick: async () => {
            await post("/api/new-code");
            close();
            invite();
          },
        },
        t("invite.new"),
      ),
      h(
        "button",
        {
          onclick: async () => {
            await post("/api/lock", { locked: !made.locked });
            close();
          },
        },
        t(made.locked ? "invite.unlock" : "invite.lock"),
      ),
      h("a", { class: "button", href: `/join#code=${made.code}` }, t("invite.here")),
    ),
  );
}

function otherGame() {
  const close = dialog(
    t("other-game"),
    h("p", {}, t("other-game.text")),
    h(
      "div",
      { class: "buttons" },
      h(
        "button",
        {
          class: "go",
          onclick: async () => {
            close();
            await post("/api/clear");
          },
        },
        t("other-game.go"),
      ),
    ),
  );
}

function drawEnd() {
  const { over } = play.parts;
  const outcome = play.frame.view.outcome;
  if (!outcome) {
    if (over.childNodes.length) replace(over);
    return;
  }
  if (over.dataset.number === String(play.number) && over.childNodes.length) return;
  over.dataset.number = String(play.number);
  drawStory(over, play);
}
