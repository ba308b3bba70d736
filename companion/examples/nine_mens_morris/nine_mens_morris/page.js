// The board on the pages: its lines, the men, and how many of them are left. A game without this file is drawn
// from its places and faces alone.

import { s } from "/static/js/dom.js";
import { t } from "/static/js/text.js";

const MAN = 14;

export default {
  /** The picture on the shelf, 90 by 78 units: a mill. */
  cover: () => [
    s("line", { x1: 12, y1: 40, x2: 78, y2: 40, stroke: "#b08a55", "stroke-width": 2 }),
    ...[18, 45, 72].map((cx) => s("circle", { cx, cy: 40, r: 10, fill: "#efe3c8" })),
  ],

  /** What lies beneath the places, in millimetres. `game.data` holds what `printed` names. */
  ground({ game }) {
    const at = (point) => game.board.cells[game.index.get(point)].centre_mm.join(",");
    const [width, height] = game.board.size_mm;
    return [
      s("rect", { width, height, rx: 6, class: "nm-wood" }),
      ...game.data.board.lines.map((line) =>
        s("polyline", { points: line.map(at).join(" "), class: "nm-line" }),
      ),
    ];
  },

  /** A place: a dot where lines meet. */
  place(ctx, place) {
    const [x, y] = place.centre_mm;
    return s("circle", { cx: x, cy: y, r: 3.5, class: "nm-point" });
  },

  /** A man, around the origin. */
  piece(ctx, { face }) {
    return s(
      "g",
      { class: `nm-man nm-${face}` },
      s("circle", { r: MAN }),
      s("circle", { r: 0.85 * MAN, class: "nm-groove" }),
      s("circle", { r: 0.5 * MAN, class: "nm-groove" }),
    );
  },

  /** Numbers worth knowing, beside the board. */
  facts({ view, name }) {
    return [0, 1].flatMap((seat) => [
      [t("morris.hand", { name: name(seat) }), view.hand[seat]],
      [t("morris.taken", { name: name(seat) }), view.taken[seat]],
    ]);
  },
};
