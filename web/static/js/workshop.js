// The workshop: the owner's PIN, health, stored games, backup.

import { head } from "./chrome.js";
import { h, replace, toast } from "./dom.js";
import { get, me, post, whoAmI } from "./net.js";
import { savedList } from "./start.js";
import { t } from "./text.js";

const main = document.getElementById("main");

export async function open() {
  await whoAmI();
  head(document.getElementById("top"), t("workshop"), open, h("a", { href: "/" }, t("table")));
  if (!me.host) return replace(main, h("div", { class: "card narrow" }, h("h1", {}, t("workshop")), h("p", {}, t("error.not-host")), h("p", {}, h("a", { href: "/" }, t("table")))));
  const [health, stored] = await Promise.all([get("/api/health"), get("/api/saved")]);
  return replace(main, h("div", { class: "workshop" }, h("h1", {}, t("workshop")),
    h("section", { class: "card" }, h("h2", {}, t("health")), h("ul", { class: "health" }, health.map((line) =>
      h("li", { class: line.state }, h("b", {}, line.part), h("span", {}, line.text)))),
    h("div", { class: "buttons" }, h("button", { onclick: () => copy(health) }, t("health.copy")))),
    pinForm(),
    h("section", { class: "card" }, h("h2", {}, t("backup")), h("p", {}, t("backup.text")),
      h("div", { class: "buttons" }, h("a", { class: "button", href: "/api/backup", download: true }, t("backup.go")))),
    recordForm(),
    h("section", { class: "card" }, h("h2", {}, t("saved")), stored.length ? savedList(stored) : h("p", { class: "quiet" }, t("saved.none")))));
}

function pinForm() {
  const pin = h("input", { id: "new-pin", inputmode: "numeric", autocomplete: "new-password", pattern: "[0-9]{4,8}", minlength: 4, maxlength: 8, required: true });
  return h("form", { class: "card", onsubmit: async (event) => {
    event.preventDefault();
    try { await post("/api/pin", { pin: pin.value }); toast(t("owner.saved")); open(); } catch (problem) { toast(problem.message, "bad"); }
  } }, h("h2", {}, t("owner.head")), h("p", {}, t("owner.text")), h("label", { for: "new-pin" }, t("owner.new")), pin, h("button", {}, t("owner.save")));
}

function recordForm() {
  const file = h("input", { id: "record-file", type: "file", accept: ".txt,text/plain", required: true });
  return h("form", { class: "card", onsubmit: async (event) => {
    event.preventDefault();
    try { await post("/api/open-record", { text: await file.files[0].text() }); location.assign("/"); } catch (problem) { toast(problem.answer?.detail || problem.message, "bad"); }
  } }, h("h2", {}, t("record")), h("p", {}, t("record.text")), h("label", { for: "record-file" }, t("record.file")), file, h("button", {}, t("record.go")));
}

async function copy(health) {
  const text = health.map((line) => `${line.state}: ${line.part}: ${line.text}`).join("\n");
  const box = h("textarea", { class: "report", readonly: true, rows: health.length + 1, "aria-label": t("health") }, text);
  // The clipboard needs a secure page; on plain HTTP the text is shown to be copied by hand.
  if (navigator.clipboard) { await navigator.clipboard.writeText(text); toast(t("health.copied")); }
  else document.querySelector(".health").after(box);
}
