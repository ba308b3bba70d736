// The question to the phone that holds a seat, before the seat moves to another phone.

import { dialog, h, toast } from "./dom.js";
import { t } from "./text.js";

let close = null;

/** Shows the first of the questions as long as it may be answered; none of them takes it away. */
export function askToMove(questions, post) {
  close?.();
  close = null;
  if (!questions.length) return;
  const [{ seat, text, left_s: left }] = questions;
  const answer = async (agree) => {
    close?.();
    close = null;
    try {
      await post("/api/move-answer", { seat, agree });
    } catch (problem) {
      toast(problem.message, "bad");
    }
  };
  const shut = dialog(
    t("move.head"),
    h("p", {}, text),
    h(
      "div",
      { class: "buttons" },
      h("button", { class: "go", "data-key": "move-deny", onclick: () => answer(false) }, t("move.deny")),
      h("button", { "data-key": "move-agree", onclick: () => answer(true) }, t("move.agree")),
    ),
  );
  const timer = setTimeout(shut, left * 1000);
  close = () => {
    clearTimeout(timer);
    shut();
  };
}
