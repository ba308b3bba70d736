// Sounds, made from noise and tones by the browser itself: one recipe per name that a cue may ask for, and a room
// tone that follows the danger. A recipe is a list of layers; a layer is a tone or filtered noise with an envelope.

/**
 * A layer: `at` s after the beginning, rising within `attack` s and gone after `decay` s, as loud as `gain`.
 * A tone glides from `from` to `to` Hz as a `wave`; noise is filtered from `from` to `to` Hz with the sharpness `q`.
 */
const tone = (wave, from, to, gain, decay, more = {}) => ({ wave, from, to, gain, decay, ...more });
const noise = (from, to, gain, decay, more = {}) => ({ from, to, gain, decay, q: 1, ...more });

const bell = (pitch, decay, at) => tone("triangle", pitch, pitch, 0.35, decay, { at });

const steps = (count, apart, make) => Array.from({ length: count }, (_, i) => make(i, i * apart)).flat();

export const RECIPES = {
  step: steps(2, 0.26, (i, at) => [
    noise(180 + 40 * i, 90, 0.9, 0.11, { at, q: 2 }),
    tone("sine", 95, 55, 0.5, 0.1, { at }),
  ]),
  card: [noise(2600, 5200, 0.5, 0.09, { attack: 0.02 }), noise(900, 500, 0.4, 0.06, { at: 0.08, q: 3 })],
  tile: [noise(1400, 700, 0.7, 0.05, { q: 4 }), tone("sine", 220, 150, 0.5, 0.09)],
  stone: steps(5, 0.09, (i, at) => [
    noise(420 - 55 * i, 90, 0.8 - 0.1 * i, 0.22, { at, q: 1.5 }),
    tone("triangle", 70 - 6 * i, 38, 0.5, 0.25, { at }),
  ]),
  door: [
    tone("sawtooth", 92, 61, 0.28, 0.75, { attack: 0.12, bend: 7 }),
    noise(700, 300, 0.25, 0.7, { attack: 0.1, q: 6 }),
    noise(160, 70, 0.9, 0.3, { at: 0.7, q: 2 }),
  ],
  key: steps(3, 0.11, (i, at) => bell(2093 * [1, 1.26, 1.5][i], 0.5, at)),
  lock: [noise(2200, 1200, 0.6, 0.04, { q: 6 }), noise(320, 150, 0.9, 0.2, { at: 0.14, q: 4 })],
  wax: [noise(5200, 1800, 0.35, 0.5, { attack: 0.05, q: 2 }), tone("sine", 330, 160, 0.2, 0.5)],
  light: [
    tone("sine", 523, 784, 0.4, 0.7, { attack: 0.12 }),
    tone("sine", 1046, 1568, 0.18, 0.6, { at: 0.1 }),
  ],
  bone: steps(4, 0.12, (i, at) => [
    tone("square", 540 + 90 * (i % 2), 480, 0.22, 0.05, { at }),
    noise(1900, 1500, 0.4, 0.05, { at, q: 8 }),
  ]),
  blade: [noise(3800, 7600, 0.6, 0.3, { attack: 0.06, q: 5 }), tone("sawtooth", 1240, 620, 0.16, 0.22)],
  blast: [noise(900, 60, 1.1, 0.9, { q: 0.7 }), tone("sine", 74, 30, 0.9, 0.8)],
  creature: [
    tone("sawtooth", 78, 46, 0.45, 1.1, { attack: 0.15, bend: 11 }),
    noise(260, 120, 0.6, 1.1, { attack: 0.2, q: 4 }),
  ],
  coin: steps(2, 0.09, (i, at) => bell(2637 + 700 * i, 0.35, at)),
  dice: steps(7, 0.085, (i, at) => noise(1500 + 300 * (i % 3), 900, 0.7 - 0.07 * i, 0.05, { at, q: 5 })),
  noise: [noise(500, 240, 0.8, 0.25, { q: 3 }), noise(330, 120, 0.6, 0.5, { at: 0.2, q: 2 })],
  heart: steps(2, 0.2, (i, at) => tone("sine", 62 - 8 * i, 38, 1.0 - 0.25 * i, 0.24, { at, attack: 0.02 })),
  hush: [
    noise(2900, 3900, 0.35, 0.5, { attack: 0.2, q: 9 }),
    noise(4300, 3100, 0.3, 0.5, { at: 0.3, attack: 0.2, q: 9 }),
  ],
  breath: [noise(900, 420, 0.4, 0.6, { attack: 0.25, q: 1.5 })],
  turn: [tone("sine", 659, 659, 0.4, 0.5), tone("sine", 880, 880, 0.35, 0.7, { at: 0.14 })],
  rise: [
    tone("sawtooth", 110, 233, 0.25, 0.9, { attack: 0.4 }),
    tone("sine", 55, 116, 0.5, 0.9, { attack: 0.4 }),
  ],
  won: steps(4, 0.16, (i, at) =>
    tone("triangle", [392, 494, 587, 784][i], [392, 494, 587, 784][i], 0.4, 0.9, { at }),
  ),
  lost: steps(3, 0.28, (i, at) =>
    tone("triangle", [294, 247, 175][i], [290, 240, 165][i], 0.45, 1.1, { at }),
  ),
  end: [tone("sine", 196, 196, 0.5, 1.8), tone("sine", 294, 294, 0.3, 1.8, { at: 0.05 })],
};

/** How much each is turned up so that all are about as loud: measured, the loudest twentieth of a second at 0.2. */
const LEVELS = {
  ...{
    step: 3.2,
    card: 3.2,
    tile: 3.2,
    stone: 2.5,
    door: 3.9,
    key: 3.4,
    lock: 8,
    wax: 3.9,
    light: 1.8,
    bone: 6.2,
  },
  ...{
    blade: 4.1,
    blast: 1.1,
    creature: 2.6,
    coin: 2.7,
    dice: 8,
    noise: 6.6,
    heart: 1.2,
    hush: 6.5,
    breath: 4.5,
  },
  ...{ turn: 2.2, rise: 1.4, won: 2.4, lost: 2.2, end: 1.5 },
};

/** How a room sounds by its mood: the pitch of its hum, how loud hum and wind are, how often its heart beats. */
export const MOODS = {
  "": { hum: 55, loud: 0.04, wind: 0.024, beat_s: 0 },
  tense: { hum: 52, loud: 0.056, wind: 0.04, beat_s: 1.3 },
  "last-light": { hum: 44, loud: 0.064, wind: 0.056, beat_s: 0.9 },
  won: { hum: 65, loud: 0.04, wind: 0.016, beat_s: 0 },
  lost: { hum: 37, loud: 0.056, wind: 0.048, beat_s: 0 },
};

const LOUDEST = 0.8;

/** The same noise every time: what is heard never depends on anything but the recipe. */
export function noiseBuffer(context, seconds = 2) {
  const buffer = context.createBuffer(1, Math.round(seconds * context.sampleRate), context.sampleRate);
  const samples = buffer.getChannelData(0);
  let seed = 20261118;
  for (let i = 0; i < samples.length; i++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    samples[i] = seed / 2 ** 31 - 1;
  }
  return buffer;
}

/** How long a recipe is heard. */
export const lengthOf = (name) =>
  Math.max(0, ...(RECIPES[name] ?? []).map(({ at = 0, attack = 0.004, decay }) => at + attack + decay));

/** Plays a recipe into a node of any audio context, beginning at a time of its clock. */
export function play(context, name, begin, target, buffer = noiseBuffer(context)) {
  const level = new GainNode(context, { gain: LEVELS[name] ?? 1 });
  level.connect(target);
  for (const layer of RECIPES[name] ?? []) playLayer(context, layer, begin, level, buffer);
}

function playLayer(context, layer, begin, target, buffer) {
  const { wave, from, to, gain, decay, at = 0, attack = 0.004, q = 1, bend = 0 } = layer;
  const start = begin + at;
  const end = start + attack + decay;
  const envelope = context.createGain();
  envelope.gain.setValueAtTime(0, start);
  envelope.gain.linearRampToValueAtTime(gain * LOUDEST * (wave ? 0.5 : 0.9), start + attack);
  envelope.gain.exponentialRampToValueAtTime(0.0005, end);
  envelope.connect(target);
  if (wave) {
    const source = new OscillatorNode(context, { type: wave, frequency: from });
    source.frequency.setValueAtTime(from, start);
    source.frequency.exponentialRampToValueAtTime(to, end);
    if (bend) shiver(context, source, bend, start, end);
    source.connect(envelope);
    source.start(start);
    source.stop(end + 0.02);
  } else {
    const source = new AudioBufferSourceNode(context, { buffer, loop: true });
    const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: from, Q: q });
    filter.frequency.setValueAtTime(from, start);
    filter.frequency.exponentialRampToValueAtTime(to, end);
    source.connect(filter).connect(envelope);
    source.start(start, 0.37 * at);
    source.stop(end + 0.02);
  }
}

/** Lets a tone tremble, as a throat or an old hinge does. */
function shiver(context, source, bend, start, end) {
  const trembling = new OscillatorNode(context, { frequency: bend });
  const depth = new GainNode(context, { gain: 9 });
  trembling.connect(depth).connect(source.frequency);
  trembling.start(start);
  trembling.stop(end);
}

/** The tone of a room, for as long as it is needed; `set` changes its mood within seconds, `stop` ends it. */
export function roomTone(context, target, mood = "") {
  const buffer = noiseBuffer(context, 4);
  const hum = new OscillatorNode(context, { type: "sine" });
  const fifth = new OscillatorNode(context, { type: "triangle" });
  const low = new GainNode(context, { gain: 0 });
  const high = new GainNode(context, { gain: 0 });
  const wind = new AudioBufferSourceNode(context, { buffer, loop: true });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: 320, Q: 0.8 });
  const air = new GainNode(context, { gain: 0 });
  hum.connect(low).connect(target);
  fifth.connect(high).connect(target);
  wind.connect(filter).connect(air).connect(target);
  const set = (name, now = context.currentTime) => {
    const { hum: pitch, loud, wind: breeze } = MOODS[name] ?? MOODS[""];
    hum.frequency.setTargetAtTime(pitch, now, 0.8);
    fifth.frequency.setTargetAtTime(1.5 * pitch, now, 0.8);
    low.gain.setTargetAtTime(loud, now, 0.8);
    high.gain.setTargetAtTime(0.25 * loud, now, 0.8);
    air.gain.setTargetAtTime(breeze, now, 0.8);
  };
  hum.frequency.value = MOODS[mood]?.hum ?? 55;
  fifth.frequency.value = 1.5 * hum.frequency.value;
  set(mood);
  for (const source of [hum, fifth, wind]) source.start();
  return { set, stop: () => [hum, fifth, wind].forEach((source) => source.stop()) };
}
