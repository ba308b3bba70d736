// Where pieces go between two positions, and when: made from what lay there, what lies there now, and the cues.
// Everything here is pure; `stage.js` moves the drawings.

/**
 * The cues of a page's lines on its own clock: `offset_ms` is how far that is ahead of the table's. A page that has
 * not heard the table's time yet plays nothing.
 */
export function timed(lines, offset_ms) {
  if (!Number.isFinite(offset_ms)) return [];
  return lines
    .filter((line) => line.cue)
    .map(({ cue, ...line }) => {
      const begin = 1000 * cue.begin_s + offset_ms;
      return { ...cue, line, begin, end: begin + 1000 * cue.seconds };
    });
}

/**
 * How far this page's clock is ahead of the table's, from every message that told the table's time. A message can
 * only come late, never early: so the smallest difference of all is the best, and one late message delays no cue.
 */
export class TableClock {
  offset_ms = Infinity;

  /** Hears that the table's clock showed `now_s` when something was sent that came at `heard_ms`. */
  hear(now_s, heard_ms) {
    if (now_s !== undefined) this.offset_ms = Math.min(this.offset_ms, heard_ms - 1000 * now_s);
  }
}

/** However short a cue is, its light stays so long, as it does on the lamps. */
export const LIT_MS = 500;
/** Lights that follow each other faster would be flashes: what comes sooner waits for the next beat. */
const BEAT_MS = 400;
/** So long after the end of a cue its light may still be seen. */
export const AFTERGLOW_MS = LIT_MS + BEAT_MS;

/**
 * When the lights of cues begin and end, and whether one runs along its way: many at once light up together, never
 * more than three times a second, and what is too short to run lights its whole way.
 */
export function litTimes(cues) {
  let last = -Infinity;
  return cues
    .filter((cue) => cue.light)
    .map((cue) => {
      if (cue.begin > last) last = Math.max(cue.begin, last + BEAT_MS);
      const length = cue.end - cue.begin;
      return { cue, begin: last, end: last + Math.max(length, LIT_MS), runs: length >= LIT_MS };
    });
}

/** When each place of a cue lights up, as a share of its time: along its way, or all at once. */
export function beats(cue, runs = true) {
  return cue.ways.flatMap((way) =>
    way.map((cell, i) => ({ cell, from: runs && cue.shape === "run" ? i / way.length : 0 })),
  );
}

const takes = (list, test) => {
  const i = list.findIndex(test);
  return i < 0 ? undefined : list.splice(i, 1)[0];
};
const isOn = (cue, cell) => cue.ways.some((way) => way.includes(cell));
const names = (cue, face) =>
  Object.values(cue.line.data || {}).some((one) => one === face || one?.[0] === face);

/** The ways that lead on from a place, one cue after the other: [{way, begin, end}]. */
function follow(cell, cues) {
  const legs = [];
  let here = cell;
  for (const { ways, begin, end } of cues) {
    const way = ways.find((one) => one.length > 1 && one[0] === here && one[one.length - 1] !== here);
    if (!way) continue;
    legs.push({ way, begin, end });
    here = way[way.length - 1];
  }
  return { legs, here };
}

/**
 * What became of the pieces: `moves` from one place to another by legs, `came` and `gone` by a cue.
 * A piece is {face, cell, …}; what stays where it is is not named.
 */
export function journeys(before, after, cues) {
  const cueOf = (cell, face, list, last = list[0]) =>
    list.find((one) => isOn(one, cell)) || list.find((one) => names(one, face)) || last || list[0];
  const old = [...before];
  const fresh = after.filter(
    (piece) => !takes(old, (one) => one.face === piece.face && one.cell === piece.cell),
  );
  const moves = [];
  const left = old.filter((from) => {
    const { legs, here } = follow(from.cell, cues);
    const to = legs.length && takes(fresh, (one) => one.face === from.face && one.cell === here);
    if (to) moves.push({ from, to, legs });
    return !to;
  });
  const gone = left.filter((from) => {
    const to = takes(fresh, (one) => one.face === from.face);
    if (!to) return true;
    // A monster that goes back to the box stays until it has attacked: it leaves with the last word of its place.
    const cue = cueOf(
      to.cell,
      from.face,
      cues,
      cues.findLast((one) => isOn(one, from.cell)),
    );
    if (cue) moves.push({ from, to, legs: [{ way: [from.cell, to.cell], begin: cue.begin, end: cue.end }] });
    return false;
  });
  return {
    moves,
    came: fresh.map((to) => ({ to, cue: cueOf(to.cell, to.face, cues) })).filter(({ cue }) => cue),
    gone: gone
      .map((from) => ({ from, cue: cueOf(from.cell, from.face, [...cues].reverse()) }))
      .filter(({ cue }) => cue),
  };
}

/** How far a step may go before it is no walk but a leap through the dark: over the edge of a torus. */
const LEAP = 2.6;

export const isLeap = ([x0, y0], [x1, y1], [w, h]) =>
  Math.abs(x1 - x0) > LEAP * w || Math.abs(y1 - y0) > LEAP * h;

/**
 * The way of a piece as moments: {at (ms), x, y, seen}. `place(cell)` gives {centre_mm, size_mm}; a figure that
 * walks is lifted by `lift` between two places.
 */
export function moments(legs, place, lift = 0) {
  const found = [];
  for (const { way, begin, end } of legs) {
    const step = (0.9 * (end - begin)) / (way.length - 1);
    way.slice(1).forEach((cell, i) => {
      const [a, b] = [place(way[i]), place(cell)];
      const [[x0, y0], [x1, y1]] = [a.centre_mm, b.centre_mm];
      const at = begin + i * step;
      found.push({ at, x: x0, y: y0, seen: 1 });
      if (isLeap(a.centre_mm, b.centre_mm, a.size_mm)) {
        found.push(
          { at: at + 0.45 * step, x: x0, y: y0, seen: 0 },
          { at: at + 0.55 * step, x: x1, y: y1, seen: 0 },
        );
      } else if (lift) {
        found.push({ at: at + 0.5 * step, x: (x0 + x1) / 2, y: (y0 + y1) / 2 - lift, seen: 1 });
      }
      found.push({ at: at + step, x: x1, y: y1, seen: 1 });
    });
  }
  // The page may have learnt the table's clock better between two legs: time goes on all the same.
  found.forEach((moment, i) => {
    if (i) moment.at = Math.max(moment.at, found[i - 1].at);
  });
  return found;
}
