// Sounds, made from noise and tones by the browser itself: one recipe per name that a cue may ask for, and a room
// tone for each game that follows the danger. A recipe is a list of layers; a layer is a tone or filtered noise with an envelope.

/**
 * A layer: `at` s after the beginning, rising within `attack` s and gone after `decay` s, as loud as `gain`.
 * A tone glides from `from` to `to` Hz as a `wave`; noise is filtered from `from` to `to` Hz with the sharpness `q`.
 */
const tone = (wave, from, to, gain, decay, more = {}) => ({ wave, from, to, gain, decay, ...more });
const noise = (from, to, gain, decay, more = {}) => ({ from, to, gain, decay, q: 1, ...more });

const steps = (count, apart, make) => Array.from({ length: count }, (_, i) => make(i, i * apart)).flat();

/** What rings when it is struck: overtones as its stuff and form have them, the higher ones softer and shorter. */
const struck =
  (overtones) =>
  (pitch, gain, decay, at = 0) =>
    overtones.map((by, i) =>
      tone("sine", by * pitch, 0.995 * by * pitch, gain / (1 + 0.6 * i), decay / (1 + 0.7 * i), {
        at,
        attack: 0.002,
      }),
    );
const wood = struck([1, 2.57, 4.95]);
const bone = struck([1, 1.81, 3.42, 5.1]);
const metal = struck([1, 2.76, 5.4]);
const bell = struck([0.5, 1, 1.19, 1.5, 2, 2.74]);
const string = struck([1, 2, 3, 4]);

export const RECIPES = {
  step: steps(2, 0.26, (i, at) => [
    noise(180 + 40 * i, 90, 0.9, 0.11, { at, q: 2 }),
    tone("sine", 95, 55, 0.5, 0.1, { at }),
    ...wood(260 + 35 * i, 0.12, 0.07, at),
  ]),
  card: [noise(2600, 5200, 0.5, 0.09, { attack: 0.02 }), noise(900, 500, 0.4, 0.06, { at: 0.08, q: 3 })],
  tile: [noise(1400, 700, 0.7, 0.04, { q: 3 }), ...wood(310, 0.45, 0.13), ...wood(265, 0.2, 0.1, 0.07)],
  stone: steps(5, 0.09, (i, at) => [
    noise(420 - 55 * i, 90, 0.8 - 0.1 * i, 0.22, { at: at + 0.013 * (i % 3), q: 1.5 }),
    noise(1900 - 260 * i, 700, 0.3, 0.05, { at, q: 2 }),
    tone("triangle", 70 - 6 * i, 38, 0.5, 0.25, { at }),
  ]),
  fall: [
    tone("sine", 620, 70, 0.45, 1.2, { attack: 0.05 }),
    noise(1400, 160, 0.6, 1.2, { attack: 0.2, q: 2 }),
    noise(120, 60, 0.9, 0.35, { at: 1.15, q: 1 }),
  ],
  // An old hinge sticks and slips, faster and faster; then the leaf meets its frame.
  door: [
    ...[0, 0.13, 0.24, 0.34, 0.42, 0.49, 0.55, 0.6, 0.64].flatMap((at, i) => [
      tone("sawtooth", 150 + 14 * i, 118 + 12 * i, 0.2, 0.09, { at, attack: 0.015, bend: 23 }),
      noise(640 + 60 * i, 900, 0.35, 0.07, { at, q: 9 }),
    ]),
    noise(160, 70, 0.9, 0.3, { at: 0.74, q: 2 }),
    ...wood(120, 0.35, 0.2, 0.74),
  ],
  key: [0, 0.09, 0.16, 0.29].flatMap((at, i) => metal(1980 + [0, 460, 190, 730][i], 0.22, 0.34, at)),
  lock: [
    ...metal(1150, 0.2, 0.08),
    noise(2200, 1200, 0.6, 0.04, { q: 6 }),
    noise(320, 150, 0.9, 0.2, { at: 0.14, q: 4 }),
    ...wood(170, 0.4, 0.14, 0.14),
    ...metal(830, 0.12, 0.12, 0.15),
  ],
  wax: [
    noise(5200, 1800, 0.35, 0.5, { attack: 0.05, q: 2 }),
    noise(7400, 6200, 0.2, 0.35, { at: 0.1, attack: 0.1, q: 3 }),
    ...[0.16, 0.38].map((at) => tone("sine", 1250, 520, 0.25, 0.07, { at, attack: 0.003 })),
  ],
  // A match: struck, it catches, it breathes.
  light: [
    noise(3600, 6800, 0.5, 0.16, { attack: 0.06, q: 1.5 }),
    noise(420, 900, 0.6, 0.35, { at: 0.14, attack: 0.12, q: 1 }),
    ...string(523, 0.12, 0.7, 0.2),
  ],
  bone: [0, 0.09, 0.21, 0.29, 0.42].flatMap((at, i) => [
    ...bone(610 + [0, 170, 60, 240, 110][i], 0.36, 0.1, at),
    noise(2600 + 300 * (i % 2), 2000, 0.18, 0.03, { at, q: 5 }),
  ]),
  blade: [noise(3800, 7600, 0.6, 0.3, { attack: 0.06, q: 5 }), ...metal(1710, 0.16, 0.42, 0.1)],
  blast: [noise(900, 60, 1.1, 0.9, { q: 0.7 }), tone("sine", 74, 30, 0.9, 0.8)],
  creature: [
    tone("sawtooth", 78, 46, 0.35, 1.1, { attack: 0.15, bend: 11 }),
    tone("sawtooth", 83, 52, 0.25, 1.0, { attack: 0.2, bend: 17 }),
    noise(260, 120, 0.6, 1.1, { attack: 0.2, q: 4 }),
    noise(780, 420, 0.3, 0.8, { attack: 0.25, q: 6 }),
  ],
  coin: [0, 0.07, 0.19].flatMap((at, i) => metal(3100 + [0, 420, 180][i], 0.2, 0.26, at)),
  // Two cubes: thrown, knocking on wood and on each other, ever closer, and at rest.
  dice: [0, 0.03, 0.14, 0.19, 0.29, 0.35, 0.42, 0.47, 0.51, 0.54].flatMap((at, i) => [
    noise(1500 + 300 * (i % 3), 900, 0.35 - 0.03 * i, 0.04, { at, q: 5 }),
    ...(i % 2 ? bone(1250, 0.16 - 0.012 * i, 0.03, at) : wood(290, 0.3 - 0.02 * i, 0.07, at)),
  ]),
  // Through a wall only what is low can be heard.
  noise: [
    noise(500, 240, 0.8, 0.25, { q: 3 }),
    noise(330, 120, 0.6, 0.5, { at: 0.2, q: 2 }),
    ...wood(105, 0.4, 0.25, 0.02),
  ],
  heart: steps(2, 0.2, (i, at) => tone("sine", 62 - 8 * i, 38, 1.0 - 0.25 * i, 0.24, { at, attack: 0.02 })),
  hush: [0, 0.17, 0.3, 0.52].flatMap((at, i) => [
    noise(2900 + 500 * (i % 3), 3900, 0.3, 0.2, { at, attack: 0.07, q: 7 }),
    noise(1500 + 300 * (i % 2), 1300, 0.2, 0.18, { at, attack: 0.06, q: 9 }),
  ]),
  breath: [
    noise(700, 1100, 0.25, 0.25, { attack: 0.2, q: 1.5 }),
    noise(900, 420, 0.4, 0.6, { at: 0.4, attack: 0.15, q: 1.5 }),
  ],
  turn: [...bell(659, 0.2, 0.7), ...bell(880, 0.18, 0.9, 0.16)],
  rise: [
    tone("sawtooth", 110, 233, 0.25, 0.9, { attack: 0.4 }),
    tone("sine", 55, 116, 0.5, 0.9, { attack: 0.4 }),
  ],
  won: steps(4, 0.16, (i, at) => string([392, 494, 587, 784][i], 0.3, 0.9, at)),
  lost: steps(3, 0.28, (i, at) => [
    ...string([294, 247, 175][i], 0.25, 1.1, at),
    tone("triangle", [147, 123, 87][i], [145, 120, 82][i], 0.25, 1.1, { at }),
  ]),
  end: [...bell(196, 0.35, 2.2), ...bell(98, 0.3, 2.2, 0.02)],
};

/** How much each is turned up so that all are about as loud: measured, the loudest twentieth of a second at 0.2. */
const LEVELS = {
  ...{ step: 3.1, card: 3.2, tile: 2.3, stone: 2.5, fall: 1.7, door: 2.8, key: 3.8, lock: 3 },
  ...{ wax: 5, light: 3.1, bone: 2.6, blade: 4.2, blast: 0.88, creature: 2.2, coin: 4.8, dice: 4.5 },
  ...{ noise: 2.6, heart: 1.1, hush: 9.4, breath: 5.9, turn: 3.5, rise: 1.4, won: 2.2, lost: 2.2 },
  ...{ end: 1.1 },
};

/**
 * How a room sounds by its mood: the pitch of its hum, how far its second voice is out of tune, how loud hum and
 * wind are, how often its heart beats.
 */
export const MOODS = {
  "": { hum: 55, clash: 1, loud: 0.04, wind: 0.024, beat_s: 0 },
  tense: { hum: 49, clash: 1.07, loud: 0.056, wind: 0.04, beat_s: 1.3 },
  "last-light": { hum: 41, clash: 0.93, loud: 0.064, wind: 0.056, beat_s: 0.9 },
  won: { hum: 65, clash: 1, loud: 0.04, wind: 0.016, beat_s: 0 },
  lost: { hum: 46, clash: 0.8, loud: 0.056, wind: 0.048, beat_s: 0 },
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
  // Of more than two sounds in one node the sum depends on their order, which is the browser's: so they meet in pairs.
  let meeting = level;
  for (const layer of RECIPES[name] ?? []) {
    playLayer(context, layer, begin, meeting, buffer);
    const next = new GainNode(context);
    next.connect(meeting);
    meeting = next;
  }
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

/**
 * A room, which a game's page may bring as its `room`: `pitch` and `interval` of its two low voices, what its wind is
 * like, and the small sounds that come and go in it: `every` s on average one of `grains`, layers as in a recipe.
 */
export const PLAIN_ROOM = {
  pitch: 1,
  interval: 1.5,
  wind: 320,
  sharp: 0.8,
  every: 2,
  grains: [noise(900, 500, 0.12, 0.08), noise(1200, 500, 0.12, 0.08)],
};

/** How long the small sounds of a room go on before they come again. */
const GRAINS_S = 16;

/** The tone of a room, for as long as it is needed; `set` changes room and mood within seconds, `stop` ends it. */
export function roomTone(context, target, first = PLAIN_ROOM, mood = "") {
  const buffer = noiseBuffer(context, 4);
  const hum = new OscillatorNode(context, { type: "sine" });
  const fifth = new OscillatorNode(context, { type: "triangle" });
  const low = new GainNode(context, { gain: 0 });
  const high = new GainNode(context, { gain: 0 });
  const wind = new AudioBufferSourceNode(context, { buffer, loop: true });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: 320, Q: 0.8 });
  const air = new GainNode(context, { gain: 0 });
  const grains = new GainNode(context, { gain: 1 });
  hum.connect(low).connect(target);
  fifth.connect(high).connect(target);
  wind.connect(filter).connect(air).connect(target);
  grains.connect(target);
  let playing;
  const set = (room, name, now = context.currentTime, glide = 0.8) => {
    const { hum: pitch, clash, loud, wind: breeze } = MOODS[name] ?? MOODS[""];
    const { pitch: by, interval, wind: howl, sharp } = room;
    hum.frequency.setTargetAtTime(by * pitch, now, glide);
    fifth.frequency.setTargetAtTime(clash * interval * by * pitch, now, glide);
    filter.frequency.setTargetAtTime(howl, now, glide);
    filter.Q.setTargetAtTime(sharp, now, glide);
    low.gain.setTargetAtTime(loud, now, glide);
    high.gain.setTargetAtTime(0.4 * loud, now, glide);
    air.gain.setTargetAtTime(breeze * Math.sqrt(Math.max(1, sharp)), now, glide);
    if (playing?.room !== room) {
      playing?.source.then((source) => source.stop());
      playing = { room, source: smallSounds(context, room, grains) };
    }
  };
  set(first, mood, context.currentTime, 0.05);
  for (const source of [hum, fifth, wind]) source.start();
  const stop = () => {
    for (const source of [hum, fifth, wind]) source.stop();
    playing.source.then((source) => source.stop());
  };
  return { set, stop, ready: () => playing.source };
}

/** The small sounds of a room, rendered once and played round and round. */
async function smallSounds(context, room, target) {
  const { every, grains } = room;
  const offline = new OfflineAudioContext(1, GRAINS_S * context.sampleRate, context.sampleRate);
  const buffer = noiseBuffer(offline);
  let seed = 7;
  const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  for (let at = 0.2; at < GRAINS_S - 2; at += every * (0.3 + 1.4 * random())) {
    playLayer(offline, grains[Math.floor(grains.length * random())], at, offline.destination, buffer);
  }
  const source = new AudioBufferSourceNode(context, { buffer: await offline.startRendering(), loop: true });
  source.connect(target);
  source.start();
  return source;
}
