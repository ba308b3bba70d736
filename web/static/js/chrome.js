// What every page wears: the head with name, language and comfort settings.

import { dialog, h, replace } from "./dom.js";
import { change, SETTINGS as SOUND_SETTINGS } from "./speaker.js";
import { language, setLanguage, t } from "./text.js";

const SETTINGS = {
  size: ["normal", "large", "huge"],
  palette: ["candle", "clear", "contrast"],
  calm: ["no", "yes"],
  sound: SOUND_SETTINGS,
  voice: ["off", "on"],
};

/** Puts the remembered comfort settings on the page. */
export function comfort() {
  const root = document.documentElement;
  for (const [name, values] of Object.entries(SETTINGS)) {
    const kept = localStorage.getItem(name);
    root.dataset[name] = values.includes(kept) ? kept : values[0];
  }
  if (!localStorage.getItem("calm") && matchMedia("(prefers-reduced-motion: reduce)").matches) {
    root.dataset.calm = "yes";
  }
}

function openComfort() {
  const pick = (name) =>
    h(
      "fieldset",
      {},
      h("legend", {}, t(`comfort.${name}`)),
      SETTINGS[name].map((value) => {
        const id = `${name}-${value}`;
        return h(
          "span",
          { class: "choice" },
          h("input", {
            type: "radio",
            name,
            id,
            checked: document.documentElement.dataset[name] === value,
            onchange: () => {
              localStorage.setItem(name, value);
              if (name === "sound") change(value);
              comfort();
            },
          }),
          h("label", { for: id }, t(`comfort.${name}.${value}`)),
        );
      }),
    );
  dialog(t("comfort"), Object.keys(SETTINGS).map(pick));
}

/** A button that changes the language of this page at once; `redraw` is called then. */
export function languageButton(redraw) {
  const other = language === "ru" ? "en" : "ru";
  return h(
    "button",
    {
      class: "quiet-button",
      "data-key": "language",
      lang: other,
      onclick: async () => {
        for (const sheet of document.querySelectorAll("dialog[open]")) sheet.close();
        document.getElementById("toasts").replaceChildren();
        await setLanguage(other);
        redraw();
      },
    },
    other === "en" ? "English" : "Русский",
  );
}

export const comfortButton = () =>
  h("button", { class: "quiet-button", "data-key": "comfort", onclick: openComfort }, t("comfort"));

/** Builds the head of a page; `redraw` is called after the language has changed. */
export function head(element, title, redraw, ...links) {
  replace(
    element,
    h("a", { class: "brand", href: "/" }, h("span", { class: "flame", "aria-hidden": "true" }), "Gloam"),
    h("span", { class: "where" }, title),
    h("span", { class: "old", role: "status" }, t("old-news")),
    h("nav", { "aria-label": t("menu") }, links, languageButton(redraw), comfortButton()),
  );
}
