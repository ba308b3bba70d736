// The speaker of a page: plays the cues that it is told, the room tone and, if wanted, a voice. Off until it is tapped.

import { MOODS, noiseBuffer, PLAIN_ROOM, play, roomTone } from "./sound.js";
import { Voice } from "./voice.js";

const KEY = "sound";
const VOLUMES = { off: 0, night: 0.25, on: 1 };
export const SETTINGS = Object.keys(VOLUMES);
/** Late by more than this, a sound would only disturb the next one. */
const LATE_S = 0.25;

/** What this device was set to: "off" until somebody wants it otherwise. */
export const setting = () =>
  SETTINGS.includes(localStorage.getItem(KEY)) ? localStorage.getItem(KEY) : "off";
export const voiceIsOn = () => localStorage.getItem("voice") === "on";

/** How loud this device was set, 0 to 1. */
export function loudness() {
  const kept = localStorage.getItem("volume");
  return kept === null ? 1 : Math.min(1, Math.max(0, Number(kept) / 100));
}

let context;
let volume;
let effects;
let buffer;
let room;
let around = { room: PLAIN_ROOM, mood: "", fear: 0 };
let beating;
const voice = new Voice(() => (setting() === "off" ? 1 : VOLUMES[setting()]) * loudness());

/** Changes how this device sounds; browsers let a page sound only after a tap, so this is called by one. */
export function change(to) {
  localStorage.setItem(KEY, to);
  if (to === "off") {
    close();
    return;
  }
  if (!context) open();
  setVolume();
  context.resume();
}

/** Changes the volume, 0 to 100. */
export function changeVolume(percent) {
  localStorage.setItem("volume", percent);
  setVolume();
}

function setVolume() {
  volume?.gain.setTargetAtTime(VOLUMES[setting()] * loudness(), context.currentTime, 0.1);
}

/** Begins to sound as it was set before, as soon as the page is touched for the first time. */
export function wakeOnTouch() {
  if (setting() !== "off") addEventListener("pointerdown", () => change(setting()), { once: true });
}

function open() {
  context = new AudioContext();
  volume = new GainNode(context, { gain: 0 });
  // At night nothing is much louder than the rest: whoever sleeps next door hears no blast.
  const even = new DynamicsCompressorNode(
    context,
    setting() === "night" ? { threshold: -40, ratio: 12 } : {},
  );
  volume.connect(even).connect(context.destination);
  buffer = noiseBuffer(context);
  openEffects();
  room = roomTone(context, volume, around.room, around.mood);
  beat();
}

function openEffects() {
  effects = new GainNode(context, { gain: 1 });
  effects.connect(volume);
}

function close() {
  clearTimeout(beating);
  context?.close();
  context = undefined;
  volume = undefined;
}

function beat() {
  const pause = heartbeat(around);
  if (context && pause) play(context, "heart", context.currentTime + 0.01, volume, buffer);
  beating = setTimeout(beat, 1000 * (pause || 1));
}

/** Seconds between two heartbeats: by the mood of the table, and faster by the fear that everybody can see; 0: none. */
export function heartbeat({ mood, fear }) {
  const { beat_s: pause } = MOODS[mood] ?? MOODS[""];
  if (!fear) return pause;
  return Math.max(0.45, (pause || 1.5) - 0.15 * fear);
}

/** What is heard while nothing happens, as keys of words. */
export function heardAround() {
  if (setting() === "off") return [];
  const { beat_s: beats } = MOODS[around.mood] ?? MOODS[""];
  return [`room.${around.mood}`, ...(heartbeat(around) && !beats ? ["heard.heart"] : [])];
}

/** Follows the game's room, the danger that everybody can see, and how much fear there is: the number of its lights. */
export function setRoom(now = PLAIN_ROOM, mood = "", fear = 0) {
  if (now === around.room && mood === around.mood && fear === around.fear) return;
  around = { room: now, mood, fear };
  if (context) room.set(now, mood);
}

/** Plays a sound at a time of the page's clock, in ms: then it is heard, however long the way to the speaker is. */
export function sound(name, at = performance.now()) {
  if (!context || !name) return;
  const { contextTime, performanceTime } = context.getOutputTimestamp();
  const wanted =
    performanceTime > 0
      ? contextTime + (at - performanceTime) / 1000
      : context.currentTime + (at - performance.now()) / 1000;
  if (wanted < context.currentTime - LATE_S) return;
  play(context, name, Math.max(wanted, context.currentTime), effects, buffer);
}

/** Ends what sounds or is said; the room goes on. */
export function hush() {
  voice.stop();
  if (!context) return;
  effects.disconnect();
  openEffects();
}

/** Says a line of the log, if a voice is wanted; lines wait for each other. */
export function speak(line, seat) {
  if (voiceIsOn()) voice.say({ ...line, seat });
}
