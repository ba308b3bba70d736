// The end: how it went, and the whole game once more, step by step, from any side.

import { drawBoard } from "./board.js";
import { h, replace, toast } from "./dom.js";
import { get, me, post } from "./net.js";
import { t } from "./text.js";

/** Draws the ending of a finished game. */
export async function drawStory(box, play) {
  const { outcome } = play.frame.view;
  const good = outcome.winners.length > 0;
  const stage = h("div", { class: "story-stage" });
  replace(
    box,
    h(
      "section",
      { class: `ending card ${good ? "good" : "bad"}`, "aria-label": t("story") },
      h("h2", {}, play.game.texts[`outcome.${outcome.code}`] || outcome.code),
      good
        ? h("p", {}, t("story.winners", { names: outcome.winners.map((seat) => play.name(seat)).join(", ") }))
        : h("p", {}, t("story.lost")),
      outcome.points.length
        ? h(
            "ol",
            { class: "points" },
            outcome.points.map((n, seat) => h("li", {}, `${play.name(seat)}: ${n}`)),
          )
        : null,
      h(
        "div",
        { class: "buttons" },
        me.host && play.seat === undefined
          ? [
              h(
                "button",
                { class: "go", "data-key": "again", onclick: () => playAgain(play.game) },
                t("story.again"),
              ),
              h("button", { "data-key": "another", onclick: () => post("/api/clear") }, t("other-game")),
            ]
          : null,
        h(
          "button",
          {
            "data-key": "story",
            onclick: (event) => {
              event.target.disabled = true;
              replay(stage, play);
            },
          },
          t("story.watch"),
        ),
        h("a", { class: "button", href: "/api/record", download: true }, t("story.record")),
      ),
      stage,
    ),
  );
}

/** Starts the same game once more; everybody keeps the seat. */
async function playAgain({ key, values }) {
  try {
    await post("/api/start", { game: key, options: values });
  } catch (problem) {
    toast(problem.message, "bad");
  }
}

async function replay(stage, play) {
  const told = await get("/api/story");
  let viewer = -2,
    timer = null;
  const board = h("div", { class: "board-box" });
  const line = h("p", { class: "story-line", role: "status" });
  const slider = h("input", {
    type: "range",
    min: 0,
    max: told.lines.length,
    value: 0,
    "aria-label": t("story.step"),
    oninput: () => draw(),
  });
  let wanted = 0;
  const draw = async () => {
    const n = Number(slider.value),
      mine = ++wanted;
    const step = await get(`/api/story/${n}`, { as: viewer });
    if (mine !== wanted) return;
    const frame = { ...step, version: n, moves: [] };
    replace(
      board,
      drawBoard({
        ...play.context(),
        frame,
        view: step.view,
        moves: [],
        mode: "play",
        marked: [],
        pick: () => {},
        why: () => {},
      }),
    );
    const [, who, label] = n ? told.lines[n - 1] : [0, "", t("story.begin")];
    line.textContent = `${n} / ${told.lines.length}  ${who ? `${who}: ` : ""}${label}`;
  };
  const stop = () => {
    clearInterval(timer);
    timer = null;
    run.textContent = t("story.play");
  };
  const run = h(
    "button",
    {
      onclick: () => {
        if (timer) return stop();
        run.textContent = t("story.pause");
        timer = setInterval(() => {
          if (Number(slider.value) >= told.lines.length || !slider.isConnected) return stop();
          slider.value = Number(slider.value) + 1;
          return draw();
        }, 900);
        return undefined;
      },
    },
    t("story.play"),
  );
  const who = h(
    "select",
    {
      "aria-label": t("story.as"),
      onchange: () => {
        viewer = Number(who.value);
        draw();
      },
    },
    h("option", { value: -2 }, t("story.public")),
    told.viewers.map(([seat, name]) => h("option", { value: seat }, name)),
  );
  replace(stage, h("div", { class: "story-bar" }, run, slider, who), line, board);
  draw();
}
