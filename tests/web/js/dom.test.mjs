import assert from "node:assert/strict";
import { test } from "node:test";

import { onHold } from "/static/js/dom.js";

/** A button whose events come with times of their own, on a page that is too busy to run any timer. */
function busyButton() {
  const marks = new Set();
  const heard = {};
  const button = {
    classList: { add: (one) => marks.add(one), remove: (one) => marks.delete(one) },
    addEventListener: (kind, act) => (heard[kind] = act),
  };
  const send = (kind, timeStamp, more = {}) => heard[kind]({ timeStamp, preventDefault() {}, ...more });
  return { button, marks, send };
}

test("what was held long enough counts, also on a page that was busy meanwhile", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { button, marks, send } = busyButton();
  let count = 0;
  onHold(button, 600, "holding", () => count++);
  send("pointerdown", 1000);
  assert.deepEqual([...marks], ["holding"]);
  send("pointerup", 1700);
  assert.deepEqual([count, marks.size], [1, 0]);
  context.mock.timers.tick(5000);
  assert.equal(count, 1);
});

test("a tap, a finger that slips off and a key that repeats are no hold", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { button, send } = busyButton();
  let count = 0;
  onHold(button, 600, "holding", () => count++);
  send("pointerdown", 1000);
  send("pointerup", 1500);
  send("pointerdown", 2000);
  send("pointerleave", 2700);
  send("pointerup", 2800);
  send("keydown", 3000, { key: "Enter", repeat: true });
  send("keyup", 3900, { key: "Enter" });
  context.mock.timers.tick(5000);
  assert.equal(count, 0);
  send("keydown", 4000, { key: "Enter" });
  context.mock.timers.tick(600);
  assert.equal(count, 1);
});
