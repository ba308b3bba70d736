// The faces that people choose: twelve small drawings of our own, on a disc.

import { h, s } from "./dom.js";
import { t } from "./text.js";

const eyes = (y = 12, dx = 3.6, fill = "#1a120c") => [
  s("circle", { cx: 12 - dx, cy: y, r: 1.3, fill }),
  s("circle", { cx: 12 + dx, cy: y, r: 1.3, fill }),
];
const path = (d, fill, more = {}) => s("path", { d, fill, ...more });
const line = (d, stroke) =>
  s("path", { d, fill: "none", stroke, "stroke-width": 1.1, "stroke-linecap": "round" });
const NOSE = "M10.6 15 H13.4 L12 16.8 Z";

const DRAWN = {
  fox: () => [
    path("M4 4 L9 8 H15 L20 4 L20 13 L12 21 L4 13 Z", "#e07a34"),
    path("M4 13 L10 13 L12 21 Z M20 13 L14 13 L12 21 Z", "#fbeedb"),
    eyes(11.5),
    path("M10.7 18.6 H13.3 L12 20.8 Z", "#1a120c"),
  ],
  cat: () => [
    path("M4.5 3.5 L9 7 H15 L19.5 3.5 V13 A7.5 7.5 0 0 1 4.5 13 Z", "#8d8794"),
    eyes(11.5, 3.4, "#ffe07a"),
    path(NOSE, "#e9a3a3"),
    line("M3 14.5 L8 15 M3.5 17.5 L8 16.4 M21 14.5 L16 15 M20.5 17.5 L16 16.4", "#e9e2d4"),
  ],
  owl: () => [
    path("M4.5 4 L8.5 6 H15.5 L19.5 4 V14 A7.5 7.5 0 0 1 4.5 14 Z", "#7d5b3c"),
    s("circle", { cx: 8.7, cy: 11, r: 3.7, fill: "#f6e7c4" }),
    s("circle", { cx: 15.3, cy: 11, r: 3.7, fill: "#f6e7c4" }),
    eyes(11, 3.3),
    path("M10.9 13.4 H13.1 L12 16.6 Z", "#f0a63a"),
  ],
  bear: () => [
    s("circle", { cx: 6, cy: 6.6, r: 3, fill: "#5f412a" }),
    s("circle", { cx: 18, cy: 6.6, r: 3, fill: "#5f412a" }),
    s("circle", { cx: 12, cy: 13, r: 8, fill: "#7a5436" }),
    s("ellipse", { cx: 12, cy: 16, rx: 4, ry: 3.2, fill: "#d8b48a" }),
    eyes(11.2),
    path("M10.4 14.4 H13.6 L12 16.4 Z", "#1a120c"),
  ],
  hare: () => [
    s("ellipse", { cx: 8.6, cy: 6, rx: 2.1, ry: 5.4, fill: "#d9cfc0" }),
    s("ellipse", { cx: 15.4, cy: 6, rx: 2.1, ry: 5.4, fill: "#d9cfc0" }),
    s("ellipse", { cx: 12, cy: 14.6, rx: 7, ry: 6.6, fill: "#e8dfd2" }),
    eyes(13.4),
    path("M10.8 16 H13.2 L12 17.6 Z", "#e08f96"),
  ],
  wolf: () => [
    path("M4.5 3 L9.4 7.6 H14.6 L19.5 3 V13 L12 21.5 L4.5 13 Z", "#6b7480"),
    path("M7 14.5 L12 12.6 L17 14.5 L12 21.5 Z", "#d5dbe2"),
    eyes(11, 3.5, "#ffd257"),
    path("M10.6 17.6 H13.4 L12 19.6 Z", "#12151a"),
  ],
  mouse: () => [
    s("circle", { cx: 5.8, cy: 7.4, r: 4, fill: "#b9a3a0" }),
    s("circle", { cx: 18.2, cy: 7.4, r: 4, fill: "#b9a3a0" }),
    path("M5 11 Q12 4.6 19 11 Q17 20 12 21 Q7 20 5 11 Z", "#cbbab4"),
    eyes(12.6, 3),
    s("circle", { cx: 12, cy: 20, r: 1.5, fill: "#e08f96" }),
  ],
  frog: () => [
    s("circle", { cx: 7.4, cy: 7.4, r: 3.3, fill: "#5fa04e" }),
    s("circle", { cx: 16.6, cy: 7.4, r: 3.3, fill: "#5fa04e" }),
    s("ellipse", { cx: 12, cy: 14, rx: 8.6, ry: 6.8, fill: "#6fb35b" }),
    eyes(7.4, 4.6),
    line("M6.6 15.6 Q12 19.6 17.4 15.6", "#23401c"),
  ],
  raven: () => [
    path("M5 12 A7 7.6 0 0 1 19 11 L20 20 H6 Z", "#2c2f3c"),
    eyes(11, 3, "#e9e2d4"),
    path("M9.4 13.4 H14.6 L12 19.4 Z", "#c9a24a"),
  ],
  pig: () => [
    path("M5 5 L9.6 7 L6 10 Z M19 5 L14.4 7 L18 10 Z", "#d98a8f"),
    s("circle", { cx: 12, cy: 13, r: 7.8, fill: "#eaa7aa" }),
    eyes(11.2),
    s("ellipse", { cx: 12, cy: 15.4, rx: 3.4, ry: 2.5, fill: "#d98a8f" }),
    s("circle", { cx: 10.8, cy: 15.4, r: 0.7, fill: "#7a4146" }),
    s("circle", { cx: 13.2, cy: 15.4, r: 0.7, fill: "#7a4146" }),
  ],
  ghost: () => [
    path("M5 21 V11 A7 7 0 0 1 19 11 V21 L16.6 19 L14.3 21 L12 19 L9.7 21 L7.4 19 Z", "#efeaf6"),
    eyes(11.6),
    s("ellipse", { cx: 12, cy: 15.6, rx: 1.5, ry: 2, fill: "#1a120c" }),
  ],
  dragon: () => [
    path("M6.5 2.5 L9.5 7 H14.5 L17.5 2.5 L18 8 L20 11 L16 21 H8 L4 11 L6 8 Z", "#2f8f79"),
    path("M8.6 16 H15.4 L14.6 21 H9.4 Z", "#8fd6b8"),
    eyes(11.4, 3.4, "#ffe07a"),
    path("M10 17.6 L10.8 16.8 M14 17.6 L13.2 16.8", "none", { stroke: "#12302a" }),
  ],
};

export const FACES = Object.keys(DRAWN);

/** Somebody's face on a disc of the own colour; the first letter of the name where no face was chosen. */
export function faceOf(word, { colour = "#3a2e24", name = "" } = {}) {
  return s(
    "svg",
    { class: "face", viewBox: "-2 -2 28 28", "aria-hidden": "true" },
    s("circle", { cx: 12, cy: 12, r: 13, fill: colour, class: "face-disc" }),
    DRAWN[word]
      ? s("g", { transform: "translate(2.6 2.6) scale(0.78)" }, DRAWN[word]())
      : s(
          "text",
          { x: 12, y: 12, "text-anchor": "middle", "dominant-baseline": "central", "font-size": 14 },
          [...name][0] || "?",
        ),
  );
}

/** A row of faces to choose from; one is chosen already, so that nobody has to. */
export function pickFace(chosen) {
  const first = FACES.includes(chosen) ? chosen : FACES[Math.floor(Math.random() * FACES.length)];
  return h(
    "fieldset",
    { class: "faces-row" },
    h("legend", {}, t("join.face")),
    FACES.map((word) =>
      h(
        "label",
        { class: "face-choice" },
        h("input", {
          type: "radio",
          name: "face",
          value: word,
          checked: word === first,
          "aria-label": t(`face.${word}`),
        }),
        faceOf(word),
      ),
    ),
  );
}

export const chosenFace = (form) => form.querySelector("input[name=face]:checked")?.value || "";
