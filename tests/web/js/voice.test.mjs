import assert from "node:assert/strict";
import { test } from "node:test";

import "./fake_document.mjs";

globalThis.window = {};
const { Voice } = await import("/static/js/voice.js");

/** Audio whose end the test decides; every one is kept. */
const audios = [];
globalThis.Audio = class {
  constructor(address) {
    this.address = address;
    this.isPlaying = false;
    audios.push(this);
  }

  play() {
    this.isPlaying = true;
    return new Promise((_, fail) => {
      this.fail = () => {
        this.isPlaying = false;
        this.onerror();
        fail(new Error("no sound"));
      };
    });
  }

  pause() {
    this.isPlaying = false;
  }

  end() {
    this.isPlaying = false;
    this.onended();
  }
};
const playing = () => audios.filter((one) => one.isPlaying).length;
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

test("a line waits for the one before it, even where that fails twice or ends after it was stopped", async () => {
  const voice = new Voice(() => 1);
  for (const number of [1, 2, 3]) voice.say({ number, text: "x" });
  assert.equal(playing(), 1);
  audios[0].fail();
  await settled();
  assert.equal(playing(), 1, "an error and a refused play are one end");
  const old = audios[1];
  voice.stop();
  voice.say({ number: 4, text: "x" });
  voice.say({ number: 5, text: "x" });
  old.onended();
  await settled();
  assert.equal(playing(), 1, "what was stopped ends nothing");
  audios[2].end();
  assert.equal(playing(), 1);
  assert.match(audios[3].address, /line=5/);
});

test("of many lines only the newest wait, and what cannot be said is passed over", () => {
  audios.length = 0;
  const voice = new Voice(() => 1);
  for (let number = 1; number < 9; number++) voice.say({ number, text: "x" });
  audios[0].end();
  assert.match(audios[1].address, /line=7/);
  voice.stop();
  voice.say({ text: "of another viewer" });
  assert.equal(playing(), 0);
});
