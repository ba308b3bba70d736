// Cues: what happened is played out on the page, as the lamps do it, at the same time: picture, sound, words, voice.

import { Moments } from "./moments.js";
import { TableClock, timed } from "./motion.js";
import { heardAround, hush, setRoom, setting, sound, speak } from "./speaker.js";
import { Stage } from "./stage.js";
import { t } from "./text.js";

/** A page that was away hears of all that it has missed, but plays only what is not long over. */
const STALE_MS = 1000;

let current;

/** Plays the cues of one page; the one before it falls silent. */
export class Player {
  /** `caption` is told each line's words when its turn comes. */
  constructor(play, caption) {
    current?.leave();
    current = this;
    this.play = play;
    this.caption = caption;
    this.clock = new TableClock();
    this.stage = new Stage();
    this.moments = play.seat === undefined ? new Moments(play) : null;
    this.timers = new Set();
    this.waiting = [];
    this.lastAct = null;
  }

  /** Hears of a new position before it is drawn: what lies on the board now is where the cues begin. */
  expect(frame, board) {
    this.hearRoom(frame.scene);
    this.clock.hear(frame.now_s, frame.heard_ms);
    const lines = frame.log.map((line, i) => ({ ...line, number: frame.heard + i }));
    this.perform(lines, board, this.clock.offset_ms);
  }

  /** Follows the danger that everybody can see. */
  hearRoom({ glows, mood }) {
    setRoom(this.play.art.room, mood, glows.filter(([, meaning]) => meaning === "fear").length);
  }

  /** Plays lines out whose cues are timed by a clock that is `offset_ms` behind the page's; `board` is as before. */
  perform(lines, board, offset_ms) {
    const now = performance.now();
    const cues = timed(lines, offset_ms).filter((cue) => cue.end > now - STALE_MS);
    this.stage.expect(board, cues);
    if (cues.length) this.lastAct = this.stage.last;
    this.start(cues);
  }

  start(cues) {
    if (cues.length) this.at(Math.max(...cues.map((cue) => cue.end)), () => this.rest());
    for (const cue of cues) {
      sound(cue.sound, cue.begin);
      this.at(cue.begin, () => {
        this.caption(cue.line.text, cue.sound && t(`heard.${cue.sound}`));
        speak(cue.line, this.play.seat);
        this.moments?.begin(cue, performance.now() - cue.begin);
      });
    }
  }

  /** All is played: the last words stay, and what the room sounds like. */
  rest() {
    if (this.isPlaying) return;
    this.finish();
    const heard = heardAround().map((key) => t(key));
    this.caption(this.play.lines[this.play.lines.length - 1]?.text, heard.join("; "));
  }

  /** Ends when nothing is being played any more. */
  over() {
    return new Promise((resolve) => {
      if (this.isPlaying) this.waiting.push(resolve);
      else resolve();
    });
  }

  finish() {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  /** Tells this seat that it is its turn. */
  chime(words) {
    sound("turn");
    if (setting() !== "off" && !this.isPlaying) this.caption(words, t("heard.turn"));
  }

  /** Does something at a time of the page's clock, never before it: timers drop parts of a millisecond. */
  at(begin, act) {
    const timer = setTimeout(
      () => {
        this.timers.delete(timer);
        act();
      },
      Math.ceil(begin - performance.now()),
    );
    this.timers.add(timer);
  }

  /** Puts a board that was just drawn where the play is. */
  dress(svg) {
    this.stage.dress(svg, this.play.game.board, this.moments !== null);
  }

  get isPlaying() {
    return this.timers.size > 0 || this.stage.isPlaying(performance.now());
  }

  /** Ends everything that is being played: the board shows how it ended, the last words stay. */
  skip() {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    this.stage.clear();
    this.moments?.close();
    hush();
    const cues = this.lastAct?.cues || [];
    if (cues.length) this.caption(cues[cues.length - 1].line.text);
    this.finish();
  }

  /** Ends what is being played; where nothing is, plays the last once more. */
  toggle() {
    if (this.isPlaying) {
      this.skip();
      this.play.drawBoard();
    } else this.again();
  }

  get canRepeat() {
    return this.lastAct !== null;
  }

  /** Plays once more what happened last. */
  again() {
    if (!this.lastAct) return;
    const act = this.lastAct;
    this.skip();
    const first = Math.min(...act.cues.map((cue) => cue.begin));
    this.start(this.stage.repeat(act, performance.now() + 50 - first));
    this.play.drawBoard();
  }

  /** Lets go of a game that is not on the page any more. */
  leave() {
    this.skip();
    this.moments?.leave();
  }
}
