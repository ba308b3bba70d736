import assert from "node:assert/strict";
import { test } from "node:test";

import {
  arrowStep,
  boxAround,
  cornerOf,
  placeAt,
  putDown,
  seenFrom,
  stackShift,
  typeSize,
  viewBox,
} from "/static/js/geometry.js";

const CELLS = [
  { centre_mm: [10, 10], size_mm: [20, 20] },
  { centre_mm: [40, 10], size_mm: [20, 20], turn: 30 },
];

test("a board is seen with its margin", () => {
  assert.equal(viewBox([300, 200]), "-6 -6 312 212");
  assert.equal(viewBox([300, 200], [1, 2, 3, 4]), "-1 -2 304 206");
});

test("one piece lies in the middle, several lie around it", () => {
  assert.deepEqual(stackShift(0, 1, [50, 30]), [0, 0]);
  const shifts = [0, 1, 2].map((i) => stackShift(i, 3, [50, 30])[0]);
  assert.deepEqual(shifts, [-4.8, 0, 4.8]);
});

test("pawns and tokens are round, cards have small corners", () => {
  assert.equal(cornerOf("token", [20, 30]), 10);
  assert.equal(cornerOf("card", [20, 30]), 2);
  assert.equal(cornerOf(undefined, [20, 30]), 2);
});

test("a longer name is written smaller, a short one no larger than its share of the height", () => {
  const measure = { letters: 4, stretch: 1.6, share: 0.3 };
  assert.equal(typeSize("ab", [40, 20], measure), 6);
  assert.equal(typeSize("abcdefghijklmnop", [40, 20], measure), 4);
});

test("a point is on a place up to its edge", () => {
  assert.equal(placeAt(CELLS, 20, 20), 0);
  assert.equal(placeAt(CELLS, 40, 0.5), 1);
  assert.equal(placeAt(CELLS, 25, 10), -1);
  assert.equal(placeAt(CELLS, 31, 1), -1, "the corner of a place that lies turned is elsewhere");
});

test("whoever sits before a board sees it upright, and the others around it", () => {
  const part = (x, y, turn) => ({ corner_mm: [x, y], size_mm: [10, 10], turn, cards: [1, 2] });
  const board = {
    size_mm: [30, 10],
    parts: [part(0, 0, 0), part(30, 0, 90), { ...part(0, 0, 0), cards: [] }],
    cells: [{ centre_mm: [2, 2] }, { centre_mm: [28, 2], turn: 90 }],
  };
  assert.equal(seenFrom(board, 0), board);
  assert.equal(seenFrom(board, undefined), board);
  assert.equal(seenFrom({ cells: [] }, 0).parts, undefined);
  const seen = seenFrom(board, 1);
  assert.deepEqual(seen.size_mm.map(Math.round), [10, 30]);
  assert.deepEqual(seen.parts[1].corner_mm.map(Math.round), [0, 0]);
  assert.deepEqual([seen.parts[1].turn, seen.parts[0].turn], [0, 270]);
  assert.deepEqual(
    seen.cells.map((cell) => [...cell.centre_mm.map(Math.round), cell.turn]),
    [
      [2, 28, 270],
      [2, 2, 0],
    ],
  );
});

test("what lies flat is put straight on its place", () => {
  assert.deepEqual(putDown(CELLS, "tile", 13, 8, 50), { x: 10, y: 10, angle: 90 });
  assert.deepEqual(putDown(CELLS, "tile", 45, 8, 100), { x: 40, y: 10, angle: 120 });
});

test("what stands, and what is beside the board, stays where it was put", () => {
  assert.deepEqual(putDown(CELLS, "pawn", 13, 8, 50), { x: 13, y: 8, angle: 50 });
  assert.deepEqual(putDown(CELLS, "tile", 70, 8, 50), { x: 70, y: 8, angle: 50 });
});

test("arrow keys move by one step, other keys by none", () => {
  assert.deepEqual(arrowStep("ArrowUp", [5, 7]), [0, -7]);
  assert.deepEqual(arrowStep("ArrowLeft", [5, 7]), [-5, 0]);
  assert.equal(arrowStep("x", [5, 7]), undefined);
});

test("a box lies around its places, inside the board, and not too close", () => {
  const at = (x, y) => ({ centre_mm: [x, y], size_mm: [10, 10] });
  assert.deepEqual(boxAround([at(50, 50)], [0, 0, 100, 100], { margin: 0.5, share: 0.1 }), [40, 40, 20, 20]);
  assert.deepEqual(boxAround([at(5, 95)], [0, 0, 100, 100], { margin: 0.5, share: 0.5 }), [0, 50, 50, 50]);
  assert.deepEqual(boxAround([at(5, 5), at(95, 95)], [0, 0, 100, 100]), [0, 0, 100, 100]);
});
