// The board's measures in millimetres: where pieces lie, how large their names are, which place a point is on.

/** The kinds of pieces that stand upright; all others lie flat. */
export const STANDING = ["pawn", "figure", "die"];
const ROUND = ["pawn", "figure", "token", "marker"];

/** The view of a whole board with a margin: left, top, right, bottom. */
export function viewBox([width, height], [left, top, right, bottom] = [6, 6, 6, 6]) {
  return `${-left} ${-top} ${width + left + right} ${height + top + bottom}`;
}

/** How far the i-th of several pieces on one place lies from its middle: [right, down]. */
export function stackShift(i, count, size) {
  if (count < 2) return [0, 0];
  const shift = (i - (count - 1) / 2) * Math.min(...size) * 0.16;
  return [shift, -shift * 0.4];
}

/** The corner radius of a piece drawn without art: round for what stands or is a token. */
export function cornerOf(kind, [width, height]) {
  return Math.min(width, height) * (ROUND.includes(kind) ? 0.5 : 0.1);
}

/** The type size at which a name fits into a box of this size, at most `share` of its height. */
export function typeSize(name, [width, height], { letters, stretch, share }) {
  return Math.min((width / Math.max(letters, name.length)) * stretch, height * share);
}

/** The type of a name in a box of some width: at least `least`, drawn narrower where it would be too long. */
export function fitType(name, width, size, least = 0) {
  const type = Math.max(size, least);
  return name.length * type * 0.58 > width
    ? { "font-size": type, textLength: width, lengthAdjust: "spacingAndGlyphs" }
    : { "font-size": type };
}

/** A vector turned clockwise by so many degrees. */
const turned = ([x, y], degrees) => {
  const c = Math.cos((degrees * Math.PI) / 180),
    s = Math.sin((degrees * Math.PI) / 180);
  return [x * c - y * s, x * s + y * c];
};

/** The index of the place under a point, or -1. */
export function placeAt(cells, x, y) {
  return cells.findIndex(({ centre_mm: [cx, cy], size_mm: [w, h], turn = 0 }) => {
    const [dx, dy] = turned([x - cx, y - cy], -turn);
    return Math.abs(dx) <= w / 2 && Math.abs(dy) <= h / 2;
  });
}

/** The board as whoever sits there sees it: of boards that each lie by themselves the own one is upright. */
export function seenFrom(board, seat) {
  const own = (board.parts || []).filter((part) => part.cards.length)[seat];
  if (!own?.turn) return board;
  const parts = board.parts.map((part) => ({
    ...part,
    corner_mm: turned(part.corner_mm, -own.turn),
    turn: (part.turn - own.turn + 360) % 360,
  }));
  const corners = parts.flatMap(({ corner_mm: [x, y], size_mm: [w, h], turn }) =>
    [
      [0, 0],
      [w, 0],
      [w, h],
      [0, h],
    ].map((corner) => turned(corner, turn).map((value, i) => value + [x, y][i])),
  );
  const [low, high] = [Math.min, Math.max].map((most) =>
    [0, 1].map((i) => most(...corners.map((corner) => corner[i]))),
  );
  const moved = (point) => point.map((value, i) => value - low[i]);
  return {
    ...board,
    size_mm: [high[0] - low[0], high[1] - low[1]],
    parts: parts.map((part) => ({ ...part, corner_mm: moved(part.corner_mm) })),
    cells: board.cells.map((cell) => ({
      ...cell,
      centre_mm: moved(turned(cell.centre_mm, -own.turn)),
      turn: ((cell.turn || 0) - own.turn + 360) % 360,
    })),
  };
}

/** Where a piece comes to lie: what lies flat is put straight on its place, as a tidy hand does. */
export function putDown(cells, kind, x, y, angle) {
  const cell = placeAt(cells, x, y);
  if (cell < 0 || STANDING.includes(kind)) return { x, y, angle };
  const { centre_mm: centre, turn = 0 } = cells[cell];
  return { x: centre[0], y: centre[1], angle: turn + 90 * Math.round((angle - turn) / 90) };
}

/** How far an arrow key moves a piece, given the width and height of one step; undefined for other keys. */
export function arrowStep(key, [width, height]) {
  return { ArrowLeft: [-width, 0], ArrowRight: [width, 0], ArrowUp: [0, -height], ArrowDown: [0, height] }[
    key
  ];
}

/** A box around some places with a margin, as large as needed to show at least a share of the whole board. */
export function boxAround(places, [left, top, width, height], { margin = 0.8, share = 0.5 } = {}) {
  const edge = (side, by) =>
    places.map(({ centre_mm, size_mm }) => centre_mm[side] + by * size_mm[side] * (0.5 + margin));
  const span = (side, from, size) => {
    const low = Math.max(from, Math.min(...edge(side, -1))),
      high = Math.min(from + size, Math.max(...edge(side, 1)));
    const wanted = Math.max(high - low, size * share);
    const start = Math.min(Math.max(from, (low + high - wanted) / 2), from + size - wanted);
    return [start, wanted];
  };
  const [x, w] = span(0, left, width),
    [y, hh] = span(1, top, height);
  return [x, y, w, hh];
}
