// The end: how it went and what turned it; `theatre.js` plays it out once more.

import { isCalm } from "./calm.js";
import { h, replace, toast } from "./dom.js";
import { faceOf } from "./faces.js";
import { get, me, post } from "./net.js";
import { t } from "./text.js";
import { still, Theatre } from "./theatre.js";

/** Draws the ending of a finished game: who, how, how close, what turned it, and what comes next. */
export async function drawStory(box, play) {
  const { outcome } = play.frame.view;
  const good = outcome.winners.length > 0;
  const stage = h("div", { class: "story-stage" });
  const told = h("div", { class: "story-told" });
  const dear = h("div", { class: "story-costs", role: "status" });
  const ctx = play.context();
  replace(
    box,
    h(
      "section",
      { class: `ending card ${good ? "good" : "bad"}`, "aria-label": t("story") },
      h("h2", {}, play.game.texts[`outcome.${outcome.code}`] || outcome.code),
      h(
        "p",
        { class: "story-who" },
        good
          ? t("story.winners", { names: outcome.winners.map((seat) => play.name(seat)).join(", ") })
          : t("story.lost"),
      ),
      howClose(ctx).map((text) => h("p", { class: "story-close" }, text)),
      h(
        "div",
        { class: "buttons" },
        me.host && play.seat === undefined
          ? [
              h(
                "button",
                { class: "go", "data-key": "again", onclick: () => playAgain(play.game, false) },
                t("story.again"),
              ),
              play.room.seats.filter((seat) => seat.taken && !seat.secret).length > 1
                ? h(
                    "button",
                    { "data-key": "swap", onclick: () => playAgain(play.game, true) },
                    t("story.swap"),
                  )
                : null,
              h("button", { "data-key": "another", onclick: () => post("/api/clear") }, t("other-game")),
            ]
          : null,
        h(
          "button",
          {
            "data-key": "story",
            onclick: () => watch(stage, play),
          },
          t("story.watch"),
        ),
        h("button", { "data-key": "costs", onclick: () => tellCosts(dear, stage, play) }, t("story.costs")),
        h("a", { class: "button", href: "/api/record", download: true }, t("story.record")),
      ),
      told,
      dear,
      stage,
    ),
  );
  try {
    const story = await get("/api/story");
    replace(told, tell(story, play, stage));
    await retell(stage, play, story);
  } catch (problem) {
    toast(problem.message, "bad");
  }
}

/** Tells the moves that cost most; each can be watched. */
async function tellCosts(box, stage, play) {
  replace(box, h("p", { class: "quiet" }, t("hint.thinking")));
  try {
    const found = await get("/api/costs");
    replace(
      box,
      found.length
        ? h(
            "ol",
            {},
            found.map(({ step, text }) =>
              h(
                "li",
                {},
                h("button", { "data-key": `cost-${step}`, onclick: () => watch(stage, play, step) }, text),
              ),
            ),
          )
        : h("p", { class: "quiet" }, t("story.costs.none")),
    );
  } catch (problem) {
    replace(box);
    toast(problem.message, "bad");
  }
}

/** Plays the turning points out on the table's screen that saw the game end, after its last cue. */
async function retell(stage, play, story) {
  if (play.seat !== undefined || !play.sawEnd || isCalm() || !story.turning.length) return;
  await play.player.over();
  if (!stage.isConnected || play.theatre) return;
  await new Theatre(stage, play, story).tell(story.turning.map(([step]) => step));
}

/** Opens the theatre at the beginning, or plays one turning point out; where nothing may move, its picture stands. */
async function watch(stage, play, step = 0) {
  try {
    const theatre = new Theatre(stage, play, await get("/api/story"));
    if (step && !isCalm()) await theatre.tell([step]);
    else await theatre.show(step);
  } catch (problem) {
    toast(problem.message, "bad");
  }
}

/** How close it was, as the game says it of its last position, or by the points. */
function howClose(ctx) {
  const own = ctx.art.close?.(ctx);
  if (own) return [own].flat().filter(Boolean);
  const points = [...ctx.view.outcome.points].sort((a, b) => b - a);
  if (points.length < 2) return [];
  return [points[0] === points[1] ? t("story.tied") : t("story.by", { n: points[0] - points[1] })];
}

/** Everybody's numbers, the turning points, and the evenings so far. */
function tell(story, play, stage) {
  const { outcome } = play.frame.view;
  const own = play.art.players?.(play.context()) || [];
  const evening = new Map(story.evenings.people.map(([seat, played, won]) => [seat, { played, won }]));
  const row = (seat, i) =>
    h(
      "li",
      { class: outcome.winners.includes(i) ? "won" : "" },
      faceOf(seat.face, { colour: own[i]?.colour, name: seat.name || seat.label }),
      h("b", {}, seat.name || seat.label),
      outcome.points.length ? h("span", { class: "story-points" }, String(outcome.points[i] ?? "")) : null,
      h("span", { class: "quiet" }, t("story.moves", { n: story.moves[i] })),
      evening.has(i) ? h("span", { class: "quiet" }, t("story.evenings.one", evening.get(i))) : null,
    );
  return [
    h("ul", { class: "story-people" }, play.room.seats.map(row)),
    story.turning.length
      ? h(
          "ol",
          { class: "turning", "aria-label": t("story.turning") },
          story.turning.map(([step, text]) =>
            h(
              "li",
              {},
              h(
                "button",
                { "data-key": `turning-${step}`, onclick: () => watch(stage, play, step) },
                h("span", { class: "turning-board", "data-step": step }),
                h("span", { class: "turning-text" }, text),
              ),
            ),
          ),
        )
      : null,
    h(
      "p",
      { class: "quiet story-evenings" },
      t("story.evenings", { n: story.evenings.games, won: story.evenings.won }),
    ),
    pictures(story, play),
  ];
}

/** Small pictures of the turning points, drawn when they come. */
function pictures(story, play) {
  for (const [step] of story.turning) {
    get(`/api/story/${step}`, { as: -2 }).then((seen) => {
      const frame = document.querySelector(`.turning-board[data-step="${step}"]`);
      if (frame) replace(frame, still(play, seen, step));
    });
  }
  return null;
}

/** Starts the same game once more; everybody keeps the seat, or moves on by one. */
async function playAgain({ key, values }, swap) {
  try {
    await post("/api/start", { game: key, options: values, swap });
  } catch (problem) {
    toast(problem.message, "bad");
  }
}
