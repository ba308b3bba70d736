import assert from "node:assert/strict";
import { test } from "node:test";

import { beats, journeys, litTimes, moments, TableClock, timed } from "/static/js/motion.js";

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

test("lights that come too fast wait for the next beat together, and none is lost", () => {
  const lit = (begin, end, light = "lit") => ({ begin, end, light });
  const cues = [lit(0, 60), lit(60, 120), lit(90, 120, ""), lit(120, 180), lit(700, 2000)];
  assert.deepEqual(
    litTimes(cues).map(({ begin, end, runs }) => [begin, end, runs]),
    [
      [0, 500, false],
      [400, 900, false],
      [400, 900, false],
      [800, 2100, true],
    ],
  );
});

const cue = (begin_s, seconds, ways, more = {}) => ({
  kind: "moved",
  text: "",
  data: {},
  cue: { begin_s, seconds, ways, shape: "run", sound: "step", light: "path", show: "", about: "" },
  ...more,
});

test("a message that comes late delays no cue", () => {
  const clock = new TableClock();
  clock.hear(10, 5_020);
  clock.hear(11, 6_400);
  clock.hear(12, 7_005);
  assert.equal(clock.offset_ms, -4_995);
  const [first] = timed([cue(12.5, 0.8, [[1, 2]])], clock.offset_ms);
  assert.deepEqual([first.begin, first.end], [7_505, 8_305]);
});

test("a piece follows its ways from cue to cue, and its like goes another", () => {
  const cues = timed([cue(0, 1, [[1, 2, 3]]), cue(1, 1, [[3, 4]]), cue(1, 1, [[7, 8]])], 0);
  const before = [
    { face: "bone", cell: 7 },
    { face: "bone", cell: 1 },
    { face: "bone", cell: 9 },
  ];
  const after = [
    { face: "bone", cell: 4 },
    { face: "bone", cell: 8 },
    { face: "bone", cell: 9 },
  ];
  const { moves, came, gone } = journeys(before, after, cues);
  const ways = moves.map(({ from, to, legs }) => [from.cell, to.cell, legs.map((leg) => leg.way)]);
  assert.deepEqual(ways, [
    [7, 8, [[7, 8]]],
    [
      1,
      4,
      [
        [1, 2, 3],
        [3, 4],
      ],
    ],
  ]);
  assert.deepEqual([came, gone], [[], []]);
});

test("what comes and what goes waits for the cue of its place", () => {
  const cues = timed([cue(0, 1, [[5]]), cue(1, 1, [[6]]), cue(2, 1, [[6]])], 0);
  const { moves, came, gone } = journeys([{ face: "tile", cell: 6 }], [{ face: "pit", cell: 5 }], cues);
  assert.deepEqual(moves, []);
  assert.deepEqual([came[0].to.cell, came[0].cue.begin], [5, 0]);
  assert.deepEqual([gone[0].from.cell, gone[0].cue.begin], [6, 2000]);
});

test("what goes to a place that no cue names stays until the last cue of its own", () => {
  const cues = timed([cue(0, 1, [[6, 7]]), cue(1, 1, [[6]]), cue(2, 1, [[8]])], 0);
  const { moves } = journeys([{ face: "eater", cell: 6 }], [{ face: "eater", cell: 40 }], cues);
  assert.deepEqual(
    moves[0].legs.map(({ way, begin }) => [way, begin]),
    [[[6, 40], 1000]],
  );
});

test("a card that is named finds its cue without a place", () => {
  const named = cue(1, 1, [], { data: { card: "RD" } });
  const cues = timed([cue(0, 1, []), named], 0);
  const { came } = journeys([], [{ face: "RD", cell: 3 }], cues);
  assert.equal(came[0].cue.begin, 1000);
});

test("a walk goes place by place, and over the edge of the board through the dark", () => {
  const place = (cell) => ({ centre_mm: [10 * cell, 0], size_mm: [10, 10] });
  const way = moments([{ way: [1, 2, 3], begin: 0, end: 1000 }], place);
  assert.deepEqual(
    way.map(({ at, x, seen }) => [at, x, seen]),
    [
      [0, 10, 1],
      [450, 20, 1],
      [450, 20, 1],
      [900, 30, 1],
    ],
  );
  const leap = moments([{ way: [0, 5], begin: 0, end: 1000 }], place);
  assert.deepEqual(
    leap.map(({ x, seen }) => [x, seen]),
    [
      [0, 1],
      [0, 0],
      [50, 0],
      [50, 1],
    ],
  );
});

test("time goes on, though the second leg was timed by a better clock", () => {
  const place = (cell) => ({ centre_mm: [10 * cell, 0], size_mm: [10, 10] });
  const legs = [
    { way: [1, 2], begin: 500, end: 1500 },
    { way: [2, 3], begin: 900, end: 1900 },
  ];
  const times = moments(legs, place).map(({ at }) => at);
  assert.deepEqual(
    times,
    [...times].sort((a, b) => a - b),
  );
});
