// What the eyes have to say: a sentence, the rule that stands against it, and what the players may answer.

import { announce, h, toast } from "./dom.js";
import { post } from "./net.js";
import { t } from "./text.js";

const ANSWERS = {
  wrong: ["meant", "overlook"],
  finish: ["meant", "overlook"],
  unsure: ["meant", "overlook"],
  lay: ["meant", "go-on"],
  choose: ["overlook"],
};
let said = "";

/** Draws the eyes' prompt as a card or nothing; `page` is the page's seat, -2 for the table's screen. */
export function eyesCard(eyes, places, page, may = true) {
  if (!eyes) {
    said = "";
    return null;
  }
  const all = [eyes.text, ...eyes.begun.flatMap(({ text, steps }) => (steps.length ? [text, ...steps] : []))];
  if (said !== all.join(" ")) announce((said = all.join(" ")));
  const send = async (body) => {
    try {
      await post("/api/word", { page, ...body });
    } catch (problem) {
      toast(problem.rule ? `${problem.message} (${problem.rule})` : problem.message, "bad");
    }
  };
  return h(
    "section",
    { class: `card eyes eyes-${eyes.code}`, "aria-label": t("eyes.head") },
    h("p", { class: "eyes-text" }, h("span", { class: "eyes-sign", "aria-hidden": "true" }), eyes.text),
    eyes.reason
      ? h("p", {}, eyes.reason.text, eyes.reason.rule ? h("span", { class: "rule" }, eyes.reason.rule) : null)
      : null,
    eyes.found.length
      ? h(
          "ul",
          { class: "eyes-found" },
          eyes.found.map(([cell, expected, seen]) =>
            h("li", {}, t("eyes.should", { place: places[cell], expected, seen })),
          ),
        )
      : null,
    eyes.begun.map(({ text, steps, done }) => [
      steps.length ? h("p", {}, text) : null,
      h(
        "ul",
        { class: "eyes-found" },
        steps.map((step) => h("li", { class: "to-do" }, step)),
        done.map((step) => h("li", { class: "quiet" }, "✓ ", step)),
      ),
    ]),
    may
      ? h(
          "div",
          { class: "buttons" },
          eyes.choices.map(([choice, label]) =>
            h(
              "button",
              {
                class: "move",
                "data-key": `choice-${choice}`,
                "data-choice": choice,
                onclick: () => send({ say: "choose", choice }),
              },
              label,
            ),
          ),
          (ANSWERS[eyes.code] || []).map((answer) =>
            h(
              "button",
              {
                class: "small",
                "data-key": `eyes-${answer}`,
                "data-answer": answer,
                onclick: () => send({ say: answer === "meant" ? "meant" : "overlook" }),
              },
              t(`eyes.${answer}`),
            ),
          ),
        )
      : null,
  );
}
