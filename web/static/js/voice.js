// The voice of a page: the browser's own where it has one for the language, else the table's (espeak-ng on the Pi).

import { address } from "./net.js";
import { language } from "./text.js";

/** So many lines wait at most; older ones are left out, for they are on the screen anyway. */
const WAITING = 2;

export class Voice {
  /** `loudness` says how loud it is now, 0 to 1. */
  constructor(loudness) {
    this.loudness = loudness;
    this.queue = [];
    this.isTalking = false;
    this.said = 0;
  }

  /** Says a line after those before it: never two at once. */
  say(line) {
    this.queue.push(line);
    if (this.queue.length > WAITING) this.queue.shift();
    if (!this.isTalking) this.next();
  }

  stop() {
    this.queue = [];
    window.speechSynthesis?.cancel();
    this.audio?.pause();
    this.isTalking = false;
    this.said += 1;
  }

  next() {
    const line = this.queue.shift();
    this.isTalking = line !== undefined;
    if (!line) return;
    // A line may end more than once (it fails, and its audio fails), or long after it was stopped: once counts.
    const number = ++this.said;
    const done = () => number === this.said && this.next();
    const own = window.speechSynthesis?.getVoices().find((voice) => voice.lang.startsWith(language));
    if (own) this.byBrowser(line, own, done);
    else this.byTable(line, done);
  }

  byBrowser({ text }, own, done) {
    const words = new SpeechSynthesisUtterance(text);
    Object.assign(words, { voice: own, lang: own.lang, volume: this.loudness(), onend: done, onerror: done });
    speechSynthesis.speak(words);
  }

  byTable({ number, seat }, done) {
    if (number === undefined) return done();
    this.audio = new Audio(address("/api/say", { line: number, seat }));
    Object.assign(this.audio, { volume: this.loudness(), onended: done, onerror: done });
    return this.audio.play().catch(done);
  }
}
