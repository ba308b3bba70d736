import assert from "node:assert/strict";
import { test } from "node:test";

import { Backoff, TaskQueue } from "/static/js/retry.js";

test("each pause is longer than the one before, up to the limit", () => {
  const backoff = new Backoff(500, 2, 3000);
  assert.deepEqual(
    [1, 2, 3, 4, 5].map(() => backoff.next()),
    [500, 1000, 2000, 3000, 3000],
  );
});

test("after something has worked the first pause is short again", () => {
  const backoff = new Backoff(500, 2, 3000);
  backoff.next();
  backoff.next();
  backoff.reset();
  assert.equal(backoff.next(), 500);
});

test("tasks run one after the other, in order", async () => {
  const queue = new TaskQueue();
  const done = [];
  let release;
  queue.add(async () => {
    await new Promise((ready) => (release = ready));
    done.push("slow");
  });
  const last = queue.add(() => done.push("fast"));
  await Promise.resolve();
  release();
  await last;
  assert.deepEqual(done, ["slow", "fast"]);
});

test("a task that fails is reported and the next one runs", async () => {
  const failed = [];
  const done = [];
  const queue = new TaskQueue((error) => failed.push(error.message));
  queue.add(() => {
    throw new Error("no");
  });
  await queue.add(() => done.push("next"));
  assert.deepEqual([failed, done], [["no"], ["next"]]);
});

test("of several positions that wait only the last is drawn", async () => {
  const queue = new TaskQueue();
  const drawn = [];
  const draw = (frame) => drawn.push(frame);
  for (const frame of [1, 2, 3]) queue.addLatest(frame, draw);
  await queue.last;
  queue.addLatest(4, draw);
  await queue.last;
  assert.deepEqual(drawn, [3, 4]);
});

test("what happened between two positions that are drawn is told with the later one", async () => {
  const queue = new TaskQueue();
  const drawn = [];
  for (const line of ["a", "b", "c"]) {
    queue.addLatest(
      { log: [line] },
      (frame) => drawn.push(frame.log.join("")),
      (missed, latest) => ({ log: [...missed.log, ...latest.log] }),
    );
  }
  await queue.last;
  assert.deepEqual(drawn, ["abc"]);
});

test("a position that comes after other news is drawn after them", async () => {
  const queue = new TaskQueue();
  const done = [];
  const draw = (frame) => done.push(frame);
  queue.addLatest("old frame", draw);
  queue.add(() => done.push("room"));
  queue.addLatest("new frame", draw);
  await queue.last;
  assert.deepEqual(done, ["old frame", "room", "new frame"]);
});
