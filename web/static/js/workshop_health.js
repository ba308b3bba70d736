// The health card in plain words, each trouble with what helps; and the report for asking others.

import { h, replace } from "./dom.js";
import { get } from "./net.js";
import { language, t } from "./text.js";
import { every } from "./workshop_bench.js";

export function draw(box, visit) {
  const card = h("ul", { class: "health" });
  replace(
    box,
    h(
      "section",
      { class: "card" },
      h("h2", {}, t("health")),
      card,
      h("p", { class: "quiet" }, t("health.report.text")),
      h(
        "div",
        { class: "buttons" },
        h("a", { class: "button", href: `/api/report?lang=${language}`, download: true }, t("health.report")),
      ),
    ),
  );
  every(visit, 3000, async () => {
    const lines = await get("/api/health");
    replace(
      card,
      lines.map((line) =>
        h(
          "li",
          { class: line.state },
          h("b", {}, line.part, h("span", { class: "unseen" }, `: ${t(`health.${line.state}`)}`)),
          h(
            "div",
            {},
            h("span", {}, line.text),
            line.fix ? h("p", { class: "fix" }, line.fix) : null,
            line.detail ? h("p", { class: "quiet detail", lang: "en" }, line.detail) : null,
          ),
        ),
      ),
    );
    return true;
  });
}
