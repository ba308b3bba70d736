// What every page wears: the head with name, language and comfort settings.

import { canFill, fillScreen } from "./awake.js";
import { dialog, h, replace, s, toast } from "./dom.js";
import { change, changeVolume, loudness, SETTINGS as SOUND_SETTINGS } from "./speaker.js";
import { language, setLanguage, t } from "./text.js";

const SETTINGS = {
  size: ["normal", "large", "huge"],
  palette: ["candle", "day", "clear", "contrast"],
  calm: ["no", "yes"],
  lies: ["stands", "flat"],
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
  const volume = h(
    "fieldset",
    {},
    h("legend", {}, h("label", { for: "volume" }, t("comfort.volume"))),
    h("input", {
      type: "range",
      id: "volume",
      min: 0,
      max: 100,
      step: 5,
      value: Math.round(100 * loudness()),
      oninput: (event) => changeVolume(event.target.value),
    }),
  );
  dialog(t("comfort"), Object.keys(SETTINGS).map(pick), volume);
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

const CORNERS = "M3 7 V3 H7 M13 3 H17 V7 M17 13 V17 H13 M7 17 H3 V13";

/** A button that gives a page the whole screen, where the browser can. */
export const fillButton = () =>
  canFill()
    ? h(
        "button",
        {
          class: "quiet-button fill-button",
          "data-key": "fill",
          "aria-label": t("fill-screen"),
          title: t("fill-screen"),
          onclick: () => fillScreen().catch(() => toast(t("fill-screen.no"), "bad")),
        },
        s("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, s("path", { d: CORNERS })),
      )
    : null;

/** A head of this width has room for so many buttons; more of them are behind one. */
export const NARROW = matchMedia("(max-width: 44rem)");
const IN_HEAD = 4;

function menuButton(items) {
  const unfold = () => {
    const close = dialog(
      t("menu"),
      h(
        "div",
        { class: "sheet-buttons", onclick: (event) => event.target.closest("a, button") && close() },
        items,
      ),
    );
  };
  return h("button", { class: "quiet-button", "data-key": "sheet-menu", onclick: unfold }, t("sheet.menu"));
}

/** Builds the head of a page; `redraw` is called after the language has changed. */
export function head(element, title, redraw, ...links) {
  const items = [links, languageButton(redraw), comfortButton(), fillButton()].flat(Infinity).filter(Boolean);
  replace(
    element,
    h("a", { class: "brand", href: "/" }, h("span", { class: "flame", "aria-hidden": "true" }), "Gloam"),
    h("span", { class: "where" }, title),
    h("span", { class: "old", role: "status" }, t("old-news")),
    h(
      "nav",
      { "aria-label": t("menu") },
      NARROW.matches && items.length > IN_HEAD ? menuButton(items) : items,
    ),
  );
}
