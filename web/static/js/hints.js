// Hints on demand: the best three things to do, how good each is and why; each can be shown on the board.

import { dialog, h, replace, toast } from "./dom.js";
import { get, me, post } from "./net.js";
import { t } from "./text.js";

/** The seat for which a page may ask: its own, or the open one that the table's screen plays. */
function asking(play) {
  const found = play.frame?.moves.find(({ seat }) => seat >= 0);
  return play.seat ?? (me.host ? found?.seat : undefined);
}

/** The button that asks for a hint, or null where nothing is asked of this page. */
export function hintButton(play) {
  const isAsked = play.frame?.moves.some(({ seat }) => seat >= 0) && !play.frame.view.outcome;
  const isOff = play.frame?.standing?.includes(t("standing.hints-off"));
  if (!isAsked || isOff || asking(play) === undefined) return null;
  return h(
    "button",
    { class: "tool", "data-key": "tool.hint", onclick: () => openHints(play) },
    t("tool.hint"),
  );
}

async function openHints(play) {
  for (const sheet of document.querySelectorAll("dialog[open]")) sheet.close();
  const told = h("div", { class: "hints", role: "status" }, h("p", {}, t("hint.thinking")));
  const close = dialog(t("hint.head"), told, me.host ? offButton(() => close()) : null);
  const { version } = play.frame;
  try {
    const found = await get("/api/hints", { seat: play.seat, for: asking(play) });
    if (play.frame.version !== version) return close();
    return replace(told, found.length ? list(play, found, close) : h("p", {}, t("hint.none")));
  } catch (problem) {
    close();
    return toast(problem.message, "bad");
  }
}

function list(play, found, close) {
  const [best] = found;
  return [
    h(
      "ol",
      { class: "hint-list" },
      found.map((hint) =>
        h(
          "li",
          { "data-hint": hint.action },
          h("b", {}, hint.label),
          h("p", { class: "hint-chances" }, chances(hint, best, found)),
          hint.reasons.length
            ? hint.reasons.map((text) => h("p", { class: "quiet" }, text))
            : found.length > 1 && !hint.guess
              ? h("p", { class: "quiet" }, t("hint.alike"))
              : null,
          h(
            "button",
            {
              class: "small",
              "data-key": `hint-${hint.action}`,
              onclick: () => {
                close();
                play.touch.suggest(hint.action);
              },
            },
            t("hint.show"),
          ),
        ),
      ),
    ),
    h("p", { class: "quiet" }, t("hint.text")),
  ];
}

/** "about 62 in 100 against 48": the best beside the next one, the others beside the best. */
function chances(hint, best, found) {
  if (hint.guess) return t("hint.guess");
  const other = hint === best ? found[1] : best;
  return [
    t("hint.chances", { n: hint.chances }),
    other ? ` ${t("hint.against", { n: other.chances })}` : "",
    hint.close ? ` (${t("hint.close")})` : hint === best ? ` (${t("hint.best")})` : "",
  ];
}

function offButton(close) {
  return h(
    "details",
    { "data-key": "hint-off-more" },
    h("summary", {}, t("hint.off")),
    h("p", { class: "quiet" }, t("hint.off.text")),
    h(
      "button",
      {
        class: "small",
        "data-key": "hint-off",
        onclick: async () => {
          close();
          try {
            await post("/api/no-hints");
          } catch (problem) {
            toast(problem.message, "bad");
          }
        },
      },
      t("hint.off"),
    ),
  );
}

/** The button that tells the rules in short, with the phase of now on top. */
export function rulesButton(play) {
  if (!play.game?.rules?.length) return null;
  return h(
    "button",
    { class: "tool", "data-key": "tool.rules", onclick: () => openRules(play) },
    t("tool.rules"),
  );
}

function openRules({ game, frame }) {
  for (const sheet of document.querySelectorAll("dialog[open]")) sheet.close();
  const phase = game.texts[`phase.${frame.view.phase}`];
  dialog(
    t("tool.rules"),
    phase ? h("p", {}, h("b", {}, `${t("rules.now")}: `), phase) : null,
    h(
      "ul",
      { class: "reasons rules-list" },
      game.rules.map(([rule, text]) => h("li", {}, text, h("span", { class: "rule" }, rule))),
    ),
  );
}
