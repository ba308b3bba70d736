// Small makers of elements. Text is always text, never markup.

import { t } from "./text.js";

const SVG = "http://www.w3.org/2000/svg";

const isChild = (child) => child !== null && child !== undefined && child !== false;

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [k, v] of Object.entries(value)) element.style.setProperty(k, v);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "selected") {
      element[name] = value;
    } else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter(isChild));
  return element;
}

/** Makes an HTML element: h("button", {class: "big", onclick}, "Text"). */
export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

/** Makes an SVG element. */
export const s = (tag, attributes, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

/** The button under a finger or a key, and what waits to be drawn around it. */
let pressed = null;
const waiting = new Map();
/** How long after a finger is lifted its click may come, and how long a press may keep a part of the page as it is. */
const CLICK_MS = 100,
  PRESS_MS = 3000;
/** A finger that has moved by this many pixels drags something: no click will come of it. */
const DRAG_PX = 8;
let lifted, pressedAt;

function press(event) {
  const isKey = event.type === "keydown";
  if (isKey && (event.repeat || !["Enter", " "].includes(event.key))) return;
  pressed = event.target.closest?.("button") ?? null;
  pressedAt = isKey ? null : [event.clientX, event.clientY];
  clearTimeout(lifted);
  lifted = setTimeout(letGo, PRESS_MS);
}

function drag({ clientX, clientY }) {
  if (!pressed || !pressedAt) return;
  if (Math.hypot(clientX - pressedAt[0], clientY - pressedAt[1]) >= DRAG_PX) letGo();
}

function lift() {
  clearTimeout(lifted);
  lifted = setTimeout(letGo, CLICK_MS);
}

/** Whatever waited is drawn, unless it was drawn anew meanwhile. */
function letGo() {
  pressed = null;
  clearTimeout(lifted);
  for (const [element, children] of waiting) replace(element, ...children);
}

if (typeof addEventListener === "function") {
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, press, { capture: true });
  for (const kind of ["pointerup", "pointercancel", "keyup"]) {
    addEventListener(kind, lift, { capture: true });
  }
  addEventListener("pointermove", drag, { capture: true, passive: true });
  const click = () => {
    pressed = null;
    setTimeout(letGo);
  };
  addEventListener("click", click, { capture: true });
}

/**
 * Puts new children into an element and keeps the keyboard where it was. While a button in it is pressed the new ones
 * wait: a browser makes no click of a press that began on one button and ended on another.
 */
export function replace(element, ...children) {
  if (pressed && element.contains(pressed)) {
    waiting.set(element, children);
    return;
  }
  waiting.delete(element);
  const active = document.activeElement;
  const key = element.contains(active) ? active.dataset.key : undefined;
  const open = new Set(
    [...element.querySelectorAll("details[open][data-key]")].map((one) => one.dataset.key),
  );
  element.replaceChildren(...children.flat(Infinity).filter(isChild));
  for (const one of element.querySelectorAll("details[data-key]")) {
    if (open.has(one.dataset.key)) one.open = true;
  }
  if (key === undefined) return;
  const again = [...element.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
  again?.focus({ preventScroll: true });
}

/**
 * Calls `act` when an element was held for some time, by a finger or a key; it bears the class `mark` meanwhile. How long
 * it was held is read from the events' own times, so that a page that is busy does not miss it.
 */
export function onHold(element, hold_ms, mark, act) {
  let begun, timer;
  const end = () => {
    clearTimeout(timer);
    begun = undefined;
    element.classList.remove(mark);
  };
  const finish = () => {
    end();
    letGo();
    act();
  };
  const start = (event) => {
    event.preventDefault();
    if (event.repeat) return;
    end();
    begun = event.timeStamp;
    element.classList.add(mark);
    timer = setTimeout(finish, hold_ms);
  };
  const release = (event) => {
    if (begun !== undefined && event.timeStamp - begun >= hold_ms) finish();
    else end();
  };
  element.addEventListener("pointerdown", start);
  element.addEventListener("keydown", (event) => ["Enter", " "].includes(event.key) && start(event));
  for (const kind of ["pointerup", "keyup"]) element.addEventListener(kind, release);
  for (const kind of ["pointerleave", "pointercancel", "blur"]) element.addEventListener(kind, end);
  element.addEventListener("contextmenu", (event) => event.preventDefault());
}

/** Says something to a screen reader without moving anything. */
export function announce(text) {
  const live = document.getElementById("live");
  if (live.textContent !== text) live.textContent = text;
}

/** Shows a short message that goes by itself. */
export function toast(text, kind = "") {
  const box = document.getElementById("toasts");
  const one = h("div", { class: `toast ${kind}`, role: kind === "bad" ? "alert" : "status" }, text);
  box.append(one);
  while (box.children.length > 3) box.firstChild.remove();
  setTimeout(() => one.remove(), 6000);
}

/** Opens a dialog; returns a function that closes it. */
export function dialog(title, ...content) {
  const close = () => {
    box.close();
    box.remove();
  };
  const box = h(
    "dialog",
    { class: "sheet", "aria-label": title, onclose: () => box.remove() },
    h(
      "div",
      { class: "sheet-head" },
      h("h2", {}, title),
      h("button", { class: "icon", "aria-label": t("close"), title: t("close"), onclick: close }, "×"),
    ),
    ...content,
  );
  box.addEventListener("click", (event) => {
    if (event.target === box) close();
  });
  document.body.append(box);
  box.showModal();
  return close;
}
