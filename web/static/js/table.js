// The table screen: set-up, the shelf of games, and the public view of the game that is played.

import { head } from "./chrome.js";
import { dialog, h, replace, toast } from "./dom.js";
import { get, Live, me, post, whoAmI } from "./net.js";
import { Play } from "./play.js";
import { drawShelf } from "./start.js";
import { drawStory } from "./story.js";
import { t } from "./text.js";

const top = document.getElementById("top");
const main = document.getElementById("main");
let room = { number: 0, seats: [], notices: [] };
let play = null;
let shown = "";
let lastNotice = Infinity;

export async function open() {
  await takeCode();
  addEventListener("hashchange", async () => {
    if (await takeCode()) redraw();
  });
  drawHead();
  new Live(undefined, { room: onRoom, update: onUpdate });
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

async function redraw() {
  drawHead();
  shown = "";
  room = await get("/api/room");
  play = null;
  await onRoom(room);
  if (room.number) await onUpdate({ ...(await get("/api/frame")), log: [] });
}

function drawHead() {
  head(
    top,
    play?.game?.title || t("table"),
    redraw,
    me.club ? h("a", { href: "/overview" }, t("overview")) : null,
    me.host && room.number ? h("a", { href: "/virtual" }, t("virtual")) : null,
    me.host ? h("a", { href: "/workshop" }, t("workshop")) : null,
    me.seats.length ? h("a", { href: "/seat" }, t("my-seat")) : null,
  );
}

async function onRoom(news) {
  const fresh = news.notices.filter((notice) => notice.number > lastNotice);
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
  replace(
    main,
    h(
      "form",
      {
        class: "card narrow",
        onsubmit: async (event) => {
          event.preventDefault();
          try {
            await post("/api/setup", { code: code.value, pin: pin.value });
            await whoAmI();
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
    ),
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
  const first = !play.frame;
  await play.update(frame);
  if (!play?.frame) return;
  if (first || shown !== "play") drawPlay();
  else drawSeats();
  drawEnd();
}

const seatsBox = h("div", { class: "seats" });

function drawPlay() {
  shown = "play";
  document.documentElement.dataset.view = "play";
  drawHead();
  const { parts } = play;
  replace(
    main,
    h(
      "div",
      { class: "layout" },
      h(
        "section",
        { class: "stage", "aria-label": t("board") },
        parts.over,
        parts.board,
        h("div", { class: "under" }, parts.tools, parts.legend),
      ),
      h(
        "aside",
        { class: "side" },
        parts.eyes,
        parts.helper,
        parts.own,
        parts.moves,
        parts.facts,
        h("section", { class: "card" }, h("h2", {}, t("seats")), seatsBox),
        h("section", { class: "card" }, h("h2", {}, t("log")), parts.log),
      ),
    ),
  );
  parts.log.scrollTop = parts.log.scrollHeight;
  drawSeats();
}

function drawSeats() {
  if (!play) return;
  const needs = new Set(play.frame ? play.waitingFor() : []);
  replace(
    seatsBox,
    h(
      "ul",
      { class: "seat-list" },
      room.seats.map((seat, i) =>
        h(
          "li",
          { class: needs.has(i) ? "acts" : "" },
          h(
            "span",
            { class: "seat-name" },
            seat.label,
            seat.name ? h("b", {}, ` ${seat.name}`) : h("span", { class: "quiet" }, ` ${t("seat.free")}`),
          ),
          me.host && seat.taken
            ? h("button", { class: "small", "data-key": `kick-${i}`, onclick: () => kick(i) }, t("seat.kick"))
            : null,
          me.host && !seat.taken && seat.secret
            ? h(
                "button",
                { class: "small", "data-key": `offer-${i}`, onclick: () => offer(i) },
                t("seat.offer"),
              )
            : null,
        ),
      ),
    ),
    me.host
      ? h(
          "div",
          { class: "buttons" },
          h("button", { "data-key": "invite", onclick: invite }, t("invite")),
          h("button", { "data-key": "other", onclick: otherGame }, t("other-game")),
        )
      : null,
  );
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
