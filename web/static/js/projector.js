// The light of the table for a projector above it, or for a screen below glass: nothing else is on the page.
// K shows the four corners of the board, to be pulled where they belong by finger, mouse or arrow keys.

import { replace, s, toast } from "./dom.js";
import { get, post } from "./net.js";
import { t } from "./text.js";

const LOOK_MS = 60;
const STEP = 2;
let drawn = 0;
let shown = "";
let corners = null; // while the corners are being set
let picture;
let handles;

export async function open() {
  document.documentElement.dataset.projector = "yes";
  picture = s("g", {});
  handles = s("g", {});
  replace(
    document.body,
    s(
      "svg",
      {
        class: "projector",
        viewBox: "0 0 1920 1080",
        preserveAspectRatio: "none",
        role: "img",
        "aria-label": t("projector.light"),
      },
      picture,
      handles,
    ),
    document.getElementById("toasts"),
  );
  addEventListener("keydown", (event) => event.key.toLowerCase() === "k" && keystone());
  addEventListener("dblclick", () => document.documentElement.requestFullscreen?.());
  await look();
}

async function look() {
  try {
    const now = await get(`/api/projector?drawn=${drawn}`);
    const parts = JSON.stringify(now.parts);
    if (parts !== shown) {
      shown = parts;
      replace(
        picture,
        now.parts.map(([points, fill]) => s("polygon", { points: points.join(" "), fill })),
      );
    }
    drawn = now.number;
    document.documentElement.dataset.live = "yes";
  } catch {
    document.documentElement.dataset.live = "no";
  }
  setTimeout(() => requestAnimationFrame(look), LOOK_MS);
}

function keystone() {
  corners = corners
    ? null
    : [
        [300, 100],
        [1620, 100],
        [1620, 980],
        [300, 980],
      ];
  drawHandles();
}

function drawHandles() {
  replace(
    handles,
    corners
      ? [
          s("polygon", { points: corners.flat().join(" "), fill: "none", stroke: "#fff", "stroke-width": 3 }),
          corners.map(handle),
        ]
      : [],
  );
}

function handle([x, y], i) {
  return s("circle", {
    cx: x,
    cy: y,
    r: 28,
    fill: "#fff8",
    stroke: "#fff",
    tabindex: 0,
    role: "slider",
    "aria-label": t("projector.corner", { n: i + 1 }),
    "aria-valuetext": `${x}, ${y}`,
    onpointerdown: (event) => event.target.setPointerCapture(event.pointerId),
    onpointermove: (event) => {
      if (!event.target.hasPointerCapture(event.pointerId)) return;
      corners[i] = [
        Math.round((event.clientX / innerWidth) * 1920),
        Math.round((event.clientY / innerHeight) * 1080),
      ];
      event.target.setAttribute("cx", corners[i][0]);
      event.target.setAttribute("cy", corners[i][1]);
    },
    onpointerup: keep,
    onkeydown: (event) => {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!way) return;
      event.preventDefault();
      corners[i] = [x + STEP * way[0], y + STEP * way[1]];
      keep().then(() => handles.querySelectorAll("circle")[i]?.focus());
    },
  });
}

async function keep() {
  drawHandles();
  try {
    await post("/api/workshop/screen", { corners });
  } catch (error) {
    toast(error.message);
  }
}
