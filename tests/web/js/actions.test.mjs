import assert from "node:assert/strict";
import { test } from "node:test";

import {
  byVerb,
  cellsOf,
  MAX_BUTTONS,
  movesOf,
  nextQuestion,
  verbName,
  waitingSeats,
} from "/static/js/actions.js";

const moves = (...texts) =>
  movesOf({ moves: [{ seat: 0, actions: texts.map((text) => [text, text.toUpperCase()]) }] });
const grid = (verb) =>
  [..."abcd"].flatMap((column) => [1, 2, 3, 4, 5].map((row) => `${verb} p1 ${column}${row} up`));

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

test("actions are grouped by seat and verb in the order in which they come", () => {
  const two = [...moves("move a1", "pass", "move b1"), { seat: 1, text: "move a1", verb: "move", words: [] }];
  assert.deepEqual(
    byVerb(two).map((group) => group.map((move) => `${move.seat} ${move.text}`)),
    [["0 move a1", "0 move b1"], ["0 pass"], ["1 move a1"]],
  );
});

test("an action names the places that the board knows", () => {
  const game = {
    index: new Map([
      ["a1", 0],
      ["b2", 7],
    ]),
  };
  assert.deepEqual(cellsOf({ words: ["b2", "rope", "a1"] }, game), [7, 0]);
});

test("few actions are listed by their text", () => {
  const { groups } = nextQuestion(moves("move a1", "move b1", "pass"));
  assert.deepEqual([...groups.keys()], ["move a1", "move b1", "pass"]);
});

test("many actions are asked for by the first word in which they differ", () => {
  const many = moves(...grid("lay"));
  assert.ok(many.length > MAX_BUTTONS);
  const { at, groups } = nextQuestion(many);
  assert.equal(at, 1);
  assert.equal(groups.size, 20);
});

test("the question after that looks at the words behind it", () => {
  const many = moves(...grid("lay"), ...grid("lay").map((text) => text.replace("up", "down")));
  const { at, groups } = nextQuestion(many);
  assert.equal(at, 1);
  assert.deepEqual(
    [...nextQuestion(groups.get("a1"), at + 1).groups.keys()],
    ["lay p1 a1 up", "lay p1 a1 down"],
  );
});

test("many actions with the same words are told apart by their verbs", () => {
  const many = moves(...Array.from({ length: MAX_BUTTONS + 1 }, (_, i) => `verb${i} a1`));
  assert.equal(nextQuestion(many).groups.size, MAX_BUTTONS + 1);
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
  assert.equal(verbName("lay", "Lay {card} on {cell}"), "Lay … on");
  assert.equal(verbName("play", "Play: {card}"), "Play");
  assert.equal(verbName("use", "{thing}"), "use");
  assert.equal(verbName("pass"), "pass");
});
