// Scan, say your name, take a place.

import { head } from "./chrome.js";
import { h, replace, toast } from "./dom.js";
import { Live, me, post, whoAmI } from "./net.js";
import { t } from "./text.js";

const main = document.getElementById("main");
let room = { number: 0, seats: [] };
let code = "";
let once = null;

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
    update: () => {},
  });
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
          try {
            await post("/api/join", { name: name.value, code: letters.value });
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
  const offered = once && room.number && !room.seats[once.seat]?.taken ? once.seat : -1;
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
    return h("a", { class: `button seat-${i}`, href: `/seat#${i}` }, `${seat.label}: ${t("join.yours")}`);
  }
  if (seat.taken) {
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
    { class: `seat-${i}`, "data-take": i, "data-key": `take-${i}`, onclick: () => claim({ seat: i }) },
    seat.label,
  );
}

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
