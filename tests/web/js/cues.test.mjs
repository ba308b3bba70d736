import assert from "node:assert/strict";
import { test } from "node:test";

import { beats } from "/static/js/cues.js";

test("a cue runs along its ways, all of them at once", () => {
  const cue = {
    shape: "run",
    ways: [
      [3, 4],
      [3, 9, 15, 21],
    ],
  };
  assert.deepEqual(beats(cue), [
    { cell: 3, from: 0 },
    { cell: 4, from: 0.5 },
    { cell: 3, from: 0 },
    { cell: 9, from: 0.25 },
    { cell: 15, from: 0.5 },
    { cell: 21, from: 0.75 },
  ]);
});

test("a cue that does not run lights all its places at once", () => {
  assert.deepEqual(beats({ shape: "all", ways: [[1, 2]] }), [
    { cell: 1, from: 0 },
    { cell: 2, from: 0 },
  ]);
  assert.deepEqual(beats({ shape: "out", ways: [] }), []);
});
