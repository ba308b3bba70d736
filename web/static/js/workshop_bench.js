// What the sections share: a board on the workbench, the camera's picture with what is found drawn over it.

import { h, replace, s, toast } from "./dom.js";
import { get, post } from "./net.js";
import { t } from "./text.js";

/** Says what went wrong: the sentence of the page, and the part's own words. */
export function sayProblem(problem) {
  const detail = problem.answer?.detail;
  toast(detail ? `${problem.message} ${detail}` : problem.message, "bad");
}

/** Does something and says what went wrong; undefined then. */
export async function attempt(act) {
  try {
    return await act();
  } catch (problem) {
    sayProblem(problem);
    return undefined;
  }
}

const chosen = (games) => {
  const kept = localStorage.getItem("bench-game");
  return games.some((game) => game.key === kept) ? kept : games[0].key;
};

/** Opens the parts for the chosen game and calls `inner(box, state)`; asks for an empty table first. */
export async function withBench(box, visit, inner, { pick = true } = {}) {
  const again = () => withBench(box, visit, inner, { pick });
  const state = await get("/api/workshop/state");
  if (!visit.on) return;
  if (state.busy) {
    replace(
      box,
      h(
        "section",
        { class: "card" },
        h("h2", {}, t("bench.busy.head")),
        h("p", {}, t("bench.busy.text")),
        h(
          "div",
          { class: "buttons" },
          h(
            "button",
            {
              class: "go",
              onclick: async () => {
                await post("/api/clear");
                again();
              },
            },
            t("bench.busy.go"),
          ),
        ),
      ),
    );
    return;
  }
  if (state.source === "safe") {
    replace(box, h("section", { class: "card" }, h("p", {}, t("bench.safe"))));
    return;
  }
  const game = chosen(state.games);
  const { boards } = state.games.find((one) => one.key === game);
  const kept = localStorage.getItem(`bench-board-${game}`);
  const board = boards.some((one) => one.key === kept) ? kept : boards[0].key;
  const variant = h(
    "select",
    {
      id: "bench-board",
      "data-key": "bench-board",
      onchange: () => {
        localStorage.setItem(`bench-board-${game}`, variant.value);
        again();
      },
    },
    boards.map((one) => h("option", { value: one.key, selected: one.key === board }, one.label)),
  );
  const select = h(
    "select",
    {
      id: "bench-game",
      "data-key": "bench-game",
      onchange: () => {
        localStorage.setItem("bench-game", select.value);
        again();
      },
    },
    state.games.map((one) => h("option", { value: one.key, selected: one.key === game }, one.title)),
  );
  const body = h("div", { class: "bench" }, h("p", { class: "quiet", role: "status" }, t("bench.opening")));
  replace(
    box,
    pick
      ? h(
          "div",
          { class: "card pick" },
          h("label", { for: "bench-game" }, t("bench.game")),
          select,
          boards.length > 1 ? [h("label", { for: "bench-board" }, t("bench.board")), variant] : null,
        )
      : null,
    body,
  );
  if ((await attempt(() => post("/api/workshop/open", { game, board }))) === undefined) {
    replace(body, h("div", { class: "buttons" }, h("button", { onclick: again }, t("workshop.again"))));
    return;
  }
  if (visit.on) await inner(body, { ...state, game, board });
}

/** Calls `act` again and again, a pause apart, until the section is left or it returns false. */
export function every(visit, pause, act) {
  const round = async () => {
    if (!visit.on) return;
    let more = true;
    if (document.visibilityState === "visible") {
      try {
        more = await act();
      } catch (problem) {
        if (visit.on) sayProblem(problem);
        more = false;
      }
    }
    if (more !== false) setTimeout(round, pause);
  };
  round();
}

const points = (outline) => outline.map((point) => point.join(",")).join(" ");

/** The camera's picture, refreshed while the section is open; `seen(sight)` gets what was found in it. */
export class View {
  constructor(visit, seen = () => {}) {
    this.image = h("img", { class: "camera", alt: t("camera.view") });
    this.over = s("svg", { class: "camera-over", "aria-hidden": "true" });
    this.words = h("p", { class: "sight", role: "status" });
    this.detail = h("p", { class: "quiet detail", lang: "en" });
    this.box = h(
      "figure",
      { class: "camera-box" },
      h("div", { class: "camera-frame" }, this.image, this.over),
      h("figcaption", {}, this.words, this.detail),
    );
    this.paused = false;
    this.cell = -1; // a place to point at
    every(visit, 250, async () => {
      const loaded = await this.load();
      if (!visit.on) return false;
      const sight = await get("/api/workshop/sight");
      if (!visit.on) return false;
      this.sight = sight;
      if (!this.paused) this.draw();
      seen(sight);
      // A camera that is not there is asked for less often, until it comes back.
      if (!loaded) await new Promise((done) => setTimeout(done, 3000));
      return true;
    });
  }

  load() {
    return new Promise((done) => {
      this.image.onload = () => done(true);
      this.image.onerror = () => done(false);
      this.image.src = `/api/workshop/picture.jpg?t=${Date.now()}`;
    });
  }

  draw() {
    const { sight, over } = this;
    if (sight.width) over.setAttribute("viewBox", `0 0 ${sight.width} ${sight.height}`);
    replace(
      over,
      sight.found
        ? [
            sight.places.map((outline, cell) =>
              s("polygon", {
                class: cell === this.cell ? "seen-place here" : "seen-place",
                points: points(outline),
              }),
            ),
            sight.marks.map((outline) => s("polygon", { class: "seen-mark", points: points(outline) })),
            (sight.parts.length ? sight.parts : [sight.corners]).map((outline) =>
              s("polygon", { class: "seen-board", points: points(outline) }),
            ),
          ]
        : (sight.cards || []).map(({ number, outline }) => [
            s("polygon", { class: "seen-mark", points: points(outline) }),
            s("text", { class: "seen-card", x: outline[0][0], y: outline[0][1] - 6 }, String(number)),
          ]),
    );
    const inView = new Set((sight.cards || []).map(({ number }) => number)).size;
    const said = !sight.found
      ? inView
        ? t("cards.seen", { n: inView })
        : t("camera.lost")
      : sight.by_hand
        ? t("camera.by-hand")
        : t("camera.found", { seen: sight.seen, markers: sight.markers, mm: sight.error_mm });
    const more = sight.strayed?.length
      ? ` ${t("camera.strayed", { cards: sight.strayed.join(", ") })}`
      : sight.found && sight.outside
        ? ` ${t("camera.outside", { n: sight.outside })}`
        : sight.found && sight.turn
          ? ` ${t("camera.turned", { turn: sight.turn })}`
          : "";
    if (this.words.textContent !== said + more) this.words.textContent = said + more;
    this.words.className = `sight ${sight.found ? "good" : "watch"}`;
    this.detail.textContent = sight.found ? "" : sight.trouble;
  }
}
