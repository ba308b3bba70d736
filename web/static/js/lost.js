// A page for an address at which there is nothing.

import { head } from "./chrome.js";
import { h, replace } from "./dom.js";
import { t } from "./text.js";

export function open() {
  head(document.getElementById("top"), "", open);
  replace(
    document.getElementById("main"),
    h(
      "div",
      { class: "card narrow" },
      h("h1", {}, t("error.not-found")),
      h("p", {}, h("a", { class: "button go", href: "/" }, t("table"))),
    ),
  );
}
