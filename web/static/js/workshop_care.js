// Keeping things safe: the owner's PIN, sleep, backup and restore, records, stored games.

import { h, replace, toast } from "./dom.js";
import { get, post, postFile } from "./net.js";
import { savedList } from "./start.js";
import { t } from "./text.js";
import { attempt } from "./workshop_bench.js";

export async function draw(box, visit) {
  const stored = await get("/api/saved");
  if (!visit.on) return;
  replace(
    box,
    h(
      "div",
      { class: "two" },
      h(
        "div",
        { class: "stack" },
        sleep(),
        backup(),
        restore(() => draw(box, visit)),
      ),
      h(
        "div",
        { class: "stack" },
        pinForm(),
        recordForm(),
        h(
          "section",
          { class: "card" },
          h("h2", {}, t("saved")),
          stored.length ? savedList(stored) : h("p", { class: "quiet" }, t("saved.none")),
        ),
      ),
    ),
  );
}

function sleep() {
  const said = h("p", { class: "big", role: "status" });
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("unplug")),
    h("p", {}, t("unplug.text")),
    said,
    h(
      "div",
      { class: "buttons" },
      h(
        "button",
        {
          "data-key": "unplug",
          onclick: async () => {
            const answer = await attempt(() => post("/api/unplug"));
            if (answer) said.textContent = t("unplug.done");
          },
        },
        t("unplug.go"),
      ),
    ),
  );
}

const backup = () =>
  h(
    "section",
    { class: "card" },
    h("h2", {}, t("backup")),
    h("p", {}, t("backup.text")),
    h(
      "div",
      { class: "buttons" },
      h("a", { class: "button", href: "/api/backup", download: true }, t("backup.go")),
    ),
  );

function restore(again) {
  const file = h("input", {
    id: "backup-file",
    type: "file",
    accept: ".zip,application/zip",
    required: true,
  });
  return h(
    "form",
    {
      class: "card",
      onsubmit: async (event) => {
        event.preventDefault();
        const answer = await attempt(() => postFile("/api/restore", file.files[0]));
        if (answer) {
          toast(t("restore.done", { n: answer.games }));
          if (answer.left_out.length) toast(t("restore.left-out", { keys: answer.left_out.join(", ") }));
          again();
        }
      },
    },
    h("h2", {}, t("restore")),
    h("p", {}, t("restore.text")),
    h("label", { for: "backup-file" }, t("restore.file")),
    file,
    h("button", { "data-key": "restore" }, t("restore.go")),
  );
}

/** The form for the owner's PIN; `after` is called when it is set. */
export function pinForm(after = () => {}) {
  const pin = h("input", {
    id: "new-pin",
    inputmode: "numeric",
    autocomplete: "new-password",
    pattern: "[0-9]{4,8}",
    minlength: 4,
    maxlength: 8,
    required: true,
  });
  return h(
    "form",
    {
      class: "card",
      onsubmit: async (event) => {
        event.preventDefault();
        if ((await attempt(() => post("/api/pin", { pin: pin.value }))) === undefined) return;
        toast(t("owner.saved"));
        pin.value = "";
        after();
      },
    },
    h("h2", {}, t("owner.head")),
    h("p", {}, t("owner.text")),
    h("label", { for: "new-pin" }, t("owner.new")),
    pin,
    h("button", {}, t("owner.save")),
  );
}

function recordForm() {
  const file = h("input", { id: "record-file", type: "file", accept: ".txt,text/plain", required: true });
  return h(
    "form",
    {
      class: "card",
      onsubmit: async (event) => {
        event.preventDefault();
        const text = await file.files[0].text();
        if ((await attempt(() => post("/api/open-record", { text }))) !== undefined) location.assign("/");
      },
    },
    h("h2", {}, t("record")),
    h("p", {}, t("record.text")),
    h("label", { for: "record-file" }, t("record.file")),
    file,
    h("button", {}, t("record.go")),
  );
}
