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

/** Two figures on one place and one beside it, whose seats are taken by people with long names. */
function named(seats, places = 2) {
  const ctx = context({ room: { seats } });
  const { cells } = ctx.game.board;
  cells.length = places;
  for (const one of ["red", "blue", "green"]) {
    ctx.game.faces.set(one, { name: one, kind: "pawn", width: 12, height: 12 });
  }
  ctx.frame.layout = {
    0: [
      ["red", 90, 1],
      ["blue", 0, 1],
    ],
    1: [["green", 0, 1]],
  };
  ctx.art = { owner: (_, { face }) => ["red", "blue", "green"].indexOf(face) };
  return drawBoard(ctx)
    .all("text")
    .filter((node) => node.attributes.class === "name-tag");
}

test("names of one place stand below each other and none reaches into the next place", () => {
  const tags = named([{ name: "Konstantin" }, { name: "Ann" }, { name: "Alexandra" }]);
  // The second figure stands in front of the first: its name lies above the other's, which it would cover.
  assert.deepEqual(
    tags.map((tag) => Number(tag.attributes.y) - Number(tags[1].attributes.y)),
    [8, 0, 0],
  );
  for (const tag of tags) assert.ok(tag.text.length * 0.62 * 8 <= 40, tag.text);
  assert.equal(tags[0].attributes.transform, "rotate(-90)");
});

test("a figure whose seat is free bears the number of its seat", () => {
  assert.deepEqual(
    named([{ name: "Ann" }, { name: "" }, { name: "" }]).map((tag) => tag.text),
    ["Ann", "2", "3"],
  );
});

test("a count stands upright on a turned piece", () => {
  const ctx = context();
  ctx.frame.layout = { 0: [["stone", 90, 2]] };
  const [count] = drawBoard(ctx)
    .all("text")
    .filter((node) => node.attributes.class === "count");
  assert.equal(count.attributes.transform, "rotate(-90)");
});

test("what the art draws by itself has no sign of ours", () => {
  const signs = (art) =>
    drawBoard({
      ...context(),
      art,
      frame: { scene: { mood: "", glows: [[1, "path", "", 2, 1]] }, layout: {} },
    })
      .all("g")
      .filter((node) => node.attributes.class?.startsWith("sign "));
  assert.deepEqual([signs({}).length, signs({ draws: { path: "→" } }).length], [1, 0]);
});
