// Before the first move: the invitation a third of the screen, and the seats that fill around the table.

import { h, replace } from "./dom.js";
import { faceOf } from "./faces.js";
import { get } from "./net.js";
import { t } from "./text.js";

const OPEN = "lobby";

/** Opens the lobby of a game that this screen has just put on the table. */
export function openLobby(number) {
  sessionStorage.setItem(OPEN, String(number));
  dispatchEvent(new Event("lobby"));
}

/** Whether people still take their seats for this game. */
export const isLobby = (room) =>
  room.seats.length > 1 && sessionStorage.getItem(OPEN) === String(room.number);

export function closeLobby() {
  sessionStorage.removeItem(OPEN);
}

/** One seat as a place at the table: who sits there, or that it is free; `more` is what the host may do. */
export function placeCard(seat, { colour, text = "", more = null } = {}) {
  return h(
    "li",
    { class: `place-card ${seat.taken ? "is-taken" : "is-free"}`, style: { "--own": colour || "#7a6a55" } },
    faceOf(seat.taken ? seat.face : "", { colour: seat.taken ? colour : "#2b221b", name: seat.name || "+" }),
    h("b", {}, seat.name || t("lobby.free")),
    h("span", { class: "quiet" }, seat.label),
    text ? h("span", { class: "quiet" }, text) : null,
    more,
  );
}

let invitation = null;

/** Draws the lobby; `offer` shows the code of a secret seat, `begin` closes the lobby. */
export async function drawLobby(box, { play, room, offer, seatBot, begin }) {
  if (invitation?.number !== room.number) {
    invitation = { number: room.number, ...(await get("/api/invite")) };
    invitation.picture = h("img", {
      class: "lobby-qr",
      src: `/api/invite.svg?t=${Date.now()}`,
      alt: t("invite.alt"),
    });
  }
  const own = play.art.players?.(play.context()) || [];
  const free = room.seats.filter((seat) => !seat.taken).length;
  replace(
    box,
    h(
      "section",
      { class: "lobby", "aria-label": t("lobby.head") },
      h(
        "div",
        { class: "lobby-invite" },
        invitation.picture,
        h("p", { class: "lobby-scan" }, t("invite.scan")),
        h("p", { class: "code" }, invitation.code),
        h("p", { class: "url" }, invitation.url.split("#")[0]),
      ),
      h(
        "div",
        { class: "lobby-seats" },
        h("h1", {}, t("lobby.head")),
        h("p", { class: "lobby-goal" }, play.game.texts["game.about"]),
        h(
          "ul",
          { class: "place-cards" },
          room.seats.map((seat, i) =>
            placeCard(seat, {
              colour: own[i]?.colour,
              text: seat.taken ? "" : seat.secret ? t("lobby.secret") : "",
              more:
                seat.secret && !seat.taken
                  ? h(
                      "button",
                      { class: "small", "data-key": `lobby-offer-${i}`, onclick: () => offer(i) },
                      t("seat.offer"),
                    )
                  : seat.taken
                    ? null
                    : h(
                        "button",
                        { class: "small", "data-key": `lobby-bot-${i}`, onclick: () => seatBot(i) },
                        t("seat.bot.good"),
                      ),
            }),
          ),
        ),
        h("p", { class: "quiet" }, free ? t("lobby.on-screen") : t("lobby.all")),
        h("button", { class: "go begin", "data-key": "begin", onclick: begin }, t("lobby.begin")),
      ),
    ),
  );
}
