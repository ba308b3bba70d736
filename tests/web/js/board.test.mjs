import "./fake_document.mjs";

import assert from "node:assert/strict";
import { test } from "node:test";

import { drawBoard } from "/static/js/board.js";
import { prepare } from "/static/js/games.js";

/** A game of two places that brings no drawing of its own. */
function context(more = {}) {
  const place = (name, x) => ({ name, centre_mm: [x, 20], size_mm: [30, 30], zone: "", turn: 0 });
  const game = prepare({
    key: "sixth",
    title: "A sixth game",
    board: {
      size_mm: [80, 40],
      cells: [place("a1", 20), place("b1", 60)],
      faces: [{ name: "stone", kind: "token", width: 12, height: 12 }],
    },
    places: ["left", "right"],
    texts: { "word.stone": "white stone" },
  });
  return {
    game,
    frame: { scene: { mood: "", glows: [[1, "legal", "", 0, 1]] }, layout: { 0: [["stone", 0, 2]] } },
    art: {},
    targets: new Map([[1, "place:1"]]),
    mode: "play",
    marked: [],
    ...more,
  };
}
const labels = (svg) => svg.all("text").map((node) => node.text);

test("a game without a drawing shows its places by name and its pieces as labels", () => {
  const svg = drawBoard(context());
  assert.equal(svg.attributes.viewBox, "-6 -6 92 52");
  assert.deepEqual(labels(svg).slice(0, 4), ["left", "right", "white stone", "×2"]);
});

test("a piece that the board does not list is shown by its face", () => {
  const ctx = context();
  ctx.frame.layout = { 1: [["ghost", 90, 1]] };
  assert.ok(labels(drawBoard(ctx)).includes("ghost"));
});

test("a place where something may be done can be tapped and has a name", () => {
  const picked = [];
  const svg = drawBoard(context({ pick: (cell, atom) => picked.push([cell, atom]) }));
  const taps = svg.all("rect").filter((node) => "data-cell" in node.attributes);
  assert.deepEqual(
    taps.map((node) => node.attributes["aria-label"]),
    [undefined, "right"],
  );
  taps[1].listeners.click();
  assert.deepEqual(picked, [[1, "place:1"]]);
});

test("a game's own drawing replaces the parts that it draws", () => {
  const art = { place: () => null, piece: (_, { face }) => document.createElement(`own-${face}`) };
  const svg = drawBoard(context({ art }));
  assert.equal(svg.all("own-stone").length, 1);
  assert.deepEqual(labels(svg).slice(0, 1), ["×2"]);
});

test("a board that the viewer may not see is drawn without pieces", () => {
  const ctx = context();
  ctx.frame.layout = null;
  assert.deepEqual(labels(drawBoard(ctx)), ["left", "right"]);
});

test("what a ghost would bring is drawn as a ghost, what lies there is not", () => {
  const ctx = context({ before: { 0: [["stone", 0, 2]] } });
  ctx.frame.layout = { 0: [["stone", 0, 2]], 1: [["stone", 90, 1]] };
  const pieces = drawBoard(ctx)
    .all("g")
    .filter((node) => node.attributes.transform?.startsWith("translate"));
  assert.deepEqual(
    pieces.map((node) => node.attributes.class),
    [undefined, "ghost"],
  );
});
