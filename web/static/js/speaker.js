// The speaker of a page: plays the cues that it is told, the room tone and, if wanted, a voice. Off until it is tapped.

import { MOODS, noiseBuffer, play, roomTone } from "./sound.js";

const KEY = "sound";
const VOLUMES = { off: 0, night: 0.25, on: 1 };
export const SETTINGS = Object.keys(VOLUMES);

/** What this device was set to: "off" until somebody wants it otherwise. */
export const setting = () =>
  SETTINGS.includes(localStorage.getItem(KEY)) ? localStorage.getItem(KEY) : "off";
export const voiceIsOn = () => localStorage.getItem("voice") === "on";

let context;
let volume;
let buffer;
let room;
let mood = "";
let beating;

/** Changes the volume; browsers let a page sound only after a tap, so this is called by one. */
export function change(to) {
  localStorage.setItem(KEY, to);
  if (to === "off") {
    close();
    return;
  }
  if (!context) open();
  volume.gain.setTargetAtTime(VOLUMES[to], context.currentTime, 0.1);
  context.resume();
}

/** Begins to sound as it was set before, as soon as the page is touched for the first time. */
export function wakeOnTouch() {
  if (setting() !== "off") addEventListener("pointerdown", () => change(setting()), { once: true });
}

function open() {
  context = new AudioContext();
  volume = new GainNode(context, { gain: 0 });
  volume.connect(context.destination);
  buffer = noiseBuffer(context);
  room = roomTone(context, volume, mood);
  beat();
}

function close() {
  clearTimeout(beating);
  context?.close();
  context = undefined;
}

function beat() {
  const { beat_s: pause } = MOODS[mood] ?? MOODS[""];
  if (context && pause) play(context, "heart", context.currentTime + 0.01, volume, buffer);
  beating = setTimeout(beat, 1000 * (pause || 1));
}

/** Follows the danger that everybody can see. */
export function setMood(name) {
  if (name === mood) return;
  mood = name;
  if (context) room.set(name);
}

/** Plays a sound after some seconds. */
export function sound(name, wait_s = 0) {
  if (context && name) play(context, name, context.currentTime + wait_s, volume, buffer);
}

/** Says a sentence in the page's language, if a voice is wanted and nothing is being said. */
export function speak(text, language) {
  if (!voiceIsOn() || !window.speechSynthesis || speechSynthesis.speaking) return;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = language;
  words.volume = VOLUMES[setting()] || 1;
  speechSynthesis.speak(words);
}
