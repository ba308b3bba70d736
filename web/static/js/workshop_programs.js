// Programs of others: bots on a seat and overlays; the host lets them in and dismisses them.

import { h, replace } from "./dom.js";
import { get, post } from "./net.js";
import { t } from "./text.js";
import { attempt } from "./workshop_bench.js";

export async function draw(box, visit, token = "") {
  const [programs, room] = await Promise.all([get("/api/programs"), get("/api/room")]);
  if (!visit.on) return;
  const again = (shown) => draw(box, visit, shown);
  const free = room.seats.map((seat, number) => ({ ...seat, number })).filter((seat) => !seat.taken);
  replace(
    box,
    h(
      "div",
      { class: "two" },
      h("div", { class: "stack" }, admitForm(free, again), token ? tokenCard(token) : null),
      listed(programs, room, again),
    ),
  );
}

function admitForm(free, again) {
  const name = h("input", { id: "program-name", maxlength: 24, required: true });
  const kind = h(
    "select",
    { id: "program-kind" },
    h("option", { value: "spectator" }, t("programs.spectator")),
    free.map((seat) => h("option", { value: seat.number }, t("programs.bot", { seat: seat.label }))),
  );
  return h(
    "form",
    {
      class: "card",
      onsubmit: async (event) => {
        event.preventDefault();
        const asked =
          kind.value === "spectator" ? { kind: "spectator" } : { kind: "bot", seat: Number(kind.value) };
        const answer = await attempt(() => post("/api/programs", { ...asked, name: name.value }));
        if (answer) again(answer.token);
      },
    },
    h("h2", {}, t("programs.head")),
    h("p", {}, t("programs.text")),
    h("label", { for: "program-name" }, t("programs.name")),
    name,
    h("label", { for: "program-kind" }, t("programs.kind")),
    kind,
    h("button", { "data-key": "admit" }, t("programs.admit")),
  );
}

const tokenCard = (token) =>
  h(
    "section",
    { class: "card", role: "status" },
    h("h2", {}, t("programs.token")),
    h("p", {}, t("programs.once")),
    h("output", { class: "token" }, token),
  );

const listed = (programs, room, again) =>
  h(
    "section",
    { class: "card" },
    h("h2", {}, t("programs.listed")),
    programs.length
      ? h(
          "ul",
          { class: "plain" },
          programs.map((one) =>
            h(
              "li",
              {},
              one.kind === "bot"
                ? `${one.name}: ${one.seats.map((seat) => room.seats[seat].label).join(", ") || "–"}`
                : `${one.name}: ${t("programs.looks")}`,
              " ",
              h(
                "button",
                {
                  "data-key": `dismiss-${one.number}`,
                  onclick: async () => {
                    const answer = await attempt(() => post("/api/programs/dismiss", { number: one.number }));
                    if (answer) again();
                  },
                },
                t("programs.dismiss"),
              ),
            ),
          ),
        )
      : h("p", { class: "quiet" }, t("programs.none")),
  );
