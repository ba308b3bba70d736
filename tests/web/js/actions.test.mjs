import assert from "node:assert/strict";
import { test } from "node:test";

import { groupBy, movesOf, verbName, waitingSeats } from "/static/js/actions.js";

test("an action is its seat, its verb and its words", () => {
  const frame = {
    moves: [
      { seat: 0, actions: [["move c3", "Go to c3"]] },
      { seat: -1, actions: [["roll", "Roll"]] },
    ],
  };
  assert.deepEqual(movesOf(frame), [
    { seat: 0, text: "move c3", label: "Go to c3", verb: "move", words: ["c3"] },
    { seat: -1, text: "roll", label: "Roll", verb: "roll", words: [] },
  ]);
});

test("things are grouped in the order in which they come", () => {
  assert.deepEqual(
    [...groupBy(["b1", "a1", "b2"], ([letter]) => letter)],
    [
      ["b", ["b1", "b2"]],
      ["a", ["a1"]],
    ],
  );
});

test("a seat that may only do something optional is not waited for", () => {
  const needs = [
    [0, ["note", "guess"]],
    [1, ["note", "move"]],
    [2, []],
    [1, ["roll"]],
  ];
  assert.deepEqual(waitingSeats(needs, ["note", "guess"]), [1, 2]);
  assert.deepEqual(waitingSeats(needs), [0, 1, 2]);
});

test("a verb is named without the blanks of its buttons", () => {
  assert.equal(verbName("lay", "Lay {card} on {cell}"), "Lay");
  assert.equal(verbName("play", "Play: {card}"), "Play");
  assert.equal(verbName("use", "{thing}"), "use");
  assert.equal(verbName("pass"), "pass");
});
