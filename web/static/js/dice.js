// Dice that roll across the screen and lie with what was rolled in front.

import { isCalm } from "./calm.js";
import { h } from "./dom.js";

const SIDES = [
  "",
  "rotateY(180deg)",
  "rotateY(90deg)",
  "rotateY(-90deg)",
  "rotateX(90deg)",
  "rotateX(-90deg)",
];

/** One row of dice; they roll once where `rolls` says so, and lie still where nothing may move. */
export function roll(values, rolls) {
  const row = h("div", { class: "roll" });
  values.forEach((value, i) => {
    const cube = h(
      "div",
      { class: "cube", role: "img", "aria-label": String(value) },
      SIDES.map((side, n) =>
        h(
          "span",
          { style: { transform: `${side} translateZ(5.5vmin)` } },
          String(n ? (value + n) % 3 : value),
        ),
      ),
    );
    row.append(cube);
    if (rolls && !isCalm()) tumble(cube, i);
  });
  return row;
}

function tumble(cube, i) {
  const turn = (share) => `rotateX(${share * (720 + 90 * i)}deg) rotateY(${share * (540 - 60 * i)}deg)`;
  cube.animate(
    [
      { transform: `translate(${-60 - 14 * i}vw, ${-30 + 8 * i}vh) ${turn(1)}`, easing: "ease-out" },
      { transform: `translate(${4 - 2 * i}vw, 0) ${turn(0.25)}`, offset: 0.6, easing: "ease-in" },
      { transform: `translate(${2 - i}vw, -6vh) ${turn(0.12)}`, offset: 0.75, easing: "ease-in" },
      { transform: `translate(0, 0) ${turn(0)}` },
    ],
    { duration: 950 + 120 * i, fill: "backwards" },
  );
}
