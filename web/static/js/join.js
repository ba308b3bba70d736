// Scan, say your name, take a place.

import { head } from "./chrome.js";
import { h, replace, toast } from "./dom.js";
import { chosenFace, pickFace } from "./faces.js";
import { artOf, prepare } from "./games.js";
import { get, Live, me, post, whoAmI } from "./net.js";
import { t } from "./text.js";

const main = document.getElementById("main");
let room = { number: 0, seats: [] };
let code = "";
let once = null;
let colours = [];

export async function open() {
  const given = new URLSearchParams(location.hash.slice(1));
  code = given.get("code") || "";
  if (given.has("once")) once = { seat: Number(given.get("seat")), code: given.get("once") };
  history.replaceState(null, "", location.pathname);
  new Live(undefined, {
    room: (news) => {
      room = news;
      draw();
    },
    update: async (frame) => {
      colours = await coloursOf(frame);
      if (document.querySelector(".pick-seats")) draw();
    },
  });
  // Another code that is scanned while the page is open is another visit.
  addEventListener("hashchange", () => location.reload());
}

let known = { number: 0 };

/** What the game says of each seat: its colour, and a few words. */
async function coloursOf(frame) {
  if (known.number !== frame.number) {
    const game = prepare(await get("/api/game"));
    known = { number: frame.number, game, art: await artOf(game.key) };
  }
  const { game, art } = known;
  const ctx = { game, frame, view: frame.view, room, art, seat: undefined, word: game.word };
  return art.players?.(ctx) || [];
}

async function draw() {
  await whoAmI();
  head(document.getElementById("top"), t("join.head"), draw);
  if (!me.name && !once) return drawName();
  return drawSeats();
}

function drawName() {
  if (document.getElementById("name")) return;
  const name = h("input", {
    id: "name",
    autocomplete: "nickname",
    required: true,
    maxlength: 24,
    value: me.name,
  });
  const letters = h("input", {
    id: "join-code",
    autocomplete: "off",
    autocapitalize: "characters",
    required: true,
    maxlength: 8,
    value: code,
  });
  replace(
    main,
    h(
      "form",
      {
        class: "card narrow",
        onsubmit: async (event) => {
          event.preventDefault();
          const face = chosenFace(event.currentTarget);
          try {
            await post("/api/join", { name: name.value, code: letters.value, face });
            await whoAmI();
            replace(main);
            draw();
          } catch (problem) {
            toast(problem.message, "bad");
          }
        },
      },
      h("h1", {}, t("join.head")),
      h("label", { for: "name" }, t("join.name")),
      name,
      pickFace(me.face),
      code || me.host ? null : [h("label", { for: "join-code" }, t("join.code")), letters],
      h("button", { class: "go" }, t("join.go")),
      h("p", { class: "quiet" }, h("a", { href: "/#watch" }, t("join.watch"))),
    ),
  );
}

function drawSeats() {
  if (!room.number) {
    return replace(
      main,
      h(
        "div",
        { class: "card narrow" },
        h("h1", {}, t("join.hello", { name: me.name })),
        h("p", {}, t("join.no-game")),
      ),
    );
  }
  const own = new Set(me.seats);
  const offered = once && room.number && isFree(room.seats[once.seat]) ? once.seat : -1;
  // What somebody types stays while others sit down.
  if (offered >= 0 && document.getElementById("secret-pin")?.dataset.seat === String(offered)) {
    return undefined;
  }
  return replace(
    main,
    h(
      "div",
      { class: "card narrow" },
      h("h1", {}, me.name ? t("join.hello", { name: me.name }) : t("join.head")),
      offered >= 0 ? secretForm(offered) : null,
      own.size ? h("p", {}, h("a", { class: "button go", href: "/seat" }, t("join.back"))) : null,
      me.name && offered < 0
        ? [
            h("p", {}, t("join.pick")),
            h(
              "ul",
              { class: "pick-seats" },
              room.seats.map((seat, i) => h("li", {}, seatButton(seat, i, own))),
            ),
          ]
        : null,
      h("p", { class: "quiet" }, h("a", { href: "/#watch" }, t("join.watch"))),
    ),
  );
}

function seatButton(seat, i, own) {
  if (own.has(i)) {
    return h(
      "a",
      {
        class: `button seat-pick seat-${i}`,
        href: `/seat#${i}`,
        style: { "--own": colours[i]?.colour || "" },
      },
      `${seat.label}: ${t("join.yours")}`,
    );
  }
  if (!isFree(seat)) {
    return h(
      "div",
      { class: "taken" },
      h("span", {}, `${seat.label}: ${seat.name}`),
      seat.movable
        ? h(
            "button",
            { class: "small", "data-key": `move-${i}`, onclick: () => drawMove(seat, i) },
            t("join.move"),
          )
        : null,
    );
  }
  if (seat.secret) {
    return h(
      "div",
      { class: "taken" },
      h("span", {}, seat.label),
      h(
        "button",
        {
          class: "small",
          "data-key": `code-${i}`,
          onclick: () => {
            once = { seat: i, code: "" };
            draw();
          },
        },
        t("join.with-code"),
      ),
    );
  }
  return h(
    "button",
    {
      class: `seat-pick seat-${i}`,
      style: { "--own": colours[i]?.colour || "#7a6a55" },
      "data-take": i,
      "data-key": `take-${i}`,
      onclick: () => claim({ seat: i }),
    },
    h("span", { class: "seat-dot", "aria-hidden": "true" }),
    seat.bot ? `${seat.label} (${seat.name})` : seat.label,
    colours[i]?.who
      ? h(
          "span",
          {},
          h("b", {}, colours[i].who),
          colours[i].gifts ? h("span", { class: "quiet seat-gifts" }, colours[i].gifts) : null,
        )
      : null,
  );
}

/** Whether a person may take a seat: a bot makes room. */
const isFree = (seat) => Boolean(seat) && (!seat.taken || seat.bot);

async function claim(body) {
  try {
    await post("/api/claim", body);
    location.assign(`/seat#${body.seat}`);
  } catch (problem) {
    toast(problem.message, "bad");
    draw();
  }
}

/** The one-time code gives the seat; the PIN lets it move to another phone later. */
function secretForm(seat) {
  const name = h("input", {
    id: "secret-name",
    autocomplete: "nickname",
    required: true,
    maxlength: 24,
    value: me.name,
  });
  const letters = h("input", {
    id: "secret-code",
    autocomplete: "off",
    autocapitalize: "characters",
    required: true,
    maxlength: 26,
    value: once.code,
  });
  const pin = h("input", {
    id: "secret-pin",
    "data-seat": seat,
    inputmode: "numeric",
    autocomplete: "off",
    pattern: "[0-9]{6,8}",
    minlength: 6,
    maxlength: 8,
    required: true,
  });
  return h(
    "form",
    {
      onsubmit: async (event) => {
        event.preventDefault();
        try {
          if (name.value !== me.name) await post("/api/join", { name: name.value, code });
          await claim({ seat, code: letters.value, pin: pin.value });
        } catch (problem) {
          toast(problem.message, "bad");
        }
      },
    },
    h("h2", {}, room.seats[seat].label),
    h("p", {}, t("secret.text")),
    h("label", { for: "secret-name" }, t("join.name")),
    name,
    once.code ? null : [h("label", { for: "secret-code" }, t("secret.code")), letters],
    h("label", { for: "secret-pin" }, t("secret.pin")),
    pin,
    h("button", { class: "go" }, t("secret.go")),
  );
}

/** Moves a seat to this phone; asks again once the phone that holds it has had time to answer. */
async function moveHere(seat, pin) {
  const { left_s: left } = await post("/api/move-seat", { seat, pin });
  if (!left) return location.assign(`/seat#${seat}`);
  toast(t("move.wait", { n: Math.ceil(left) }));
  setTimeout(() => moveHere(seat, pin).catch((problem) => toast(problem.message, "bad")), left * 1000 + 200);
  return undefined;
}

function drawMove(seat, i) {
  const pin = h("input", {
    id: "move-pin",
    inputmode: "numeric",
    autocomplete: "off",
    pattern: "[0-9]{4,8}",
    minlength: 4,
    maxlength: 8,
    required: true,
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
            await moveHere(i, pin.value);
          } catch (problem) {
            toast(problem.message, "bad");
          }
        },
      },
      h("h1", {}, seat.label),
      h("label", { for: "move-pin" }, t("move.pin")),
      pin,
      h("button", { class: "go" }, t("join.move")),
    ),
  );
}
