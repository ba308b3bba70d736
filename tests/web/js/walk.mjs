// Walks the grammar to every legal action of many positions: `node walk.mjs FILE` prints one line of JSON.
// The file holds [{game, frames}] as the table sends them; used by tests/web/test_web_grammar.py.

import fs from "node:fs";

const { movesOf } = await import("/static/js/actions.js");
const { prepare } = await import("/static/js/games.js");
const { arrangements, ask, FEW, withAtoms } = await import("/static/js/grammar.js");

/** So many buttons stand in the bar before the others go behind "more", as in `touch.js`. */
const IN_BAR = 3;

/** The fewest touches that send an action: each piece, place and turn, and the confirm. 0: there is no way. */
function touches(moves, move) {
  let level = [[]];
  for (let n = 0; n <= move.atoms.length + 1; n += 1) {
    const next = [];
    for (const chosen of level) {
      const question = ask(moves, chosen);
      const ready = question.ready.indexOf(move);
      if (ready >= 0) return n + (ready ? 2 : 1);
      const at = question.buttons.indexOf(move);
      if (at >= 0) return n + (!chosen.length && at > IN_BAR ? 2 : 1);
      const open = [...question.places.keys(), ...question.pieces.keys()];
      for (const [{ verb }] of question.asides) open.push(`verb:${verb}`);
      const own = [...move.atoms, `verb:${move.verb}`];
      next.push(...open.filter((atom) => own.includes(atom)).map((atom) => [...chosen, atom]));
    }
    level = next;
  }
  return 0;
}

/** How many sentences a question lists at most on the way to an action, the first question among them. */
function longest(moves, move) {
  return Math.max(
    ask(moves, []).buttons.length,
    ...move.atoms.map((atom) => ask(moves, [atom]).buttons.length),
  );
}

const result = { actions: 0, lost: [], touches: [], rows: 0, list: 0 };
for (const { game, frames } of JSON.parse(fs.readFileSync(process.argv[2], "utf-8"))) {
  prepare(game);
  for (const frame of frames) {
    const all = withAtoms(movesOf(frame), game);
    const rows = arrangements(all, game);
    const inRows = new Set(
      rows.flatMap(({ kind, moves }) => moves.filter(({ words }) => kind === "order" || words.length > 1)),
    );
    const moves = all.filter((move) => !inRows.has(move));
    result.rows += inRows.size;
    for (const move of moves) {
      const n = touches(moves, move);
      result.actions += 1;
      result.touches.push(n);
      result.list = Math.max(result.list, longest(moves, move));
      if (!n || n > FEW) result.lost.push(`${game.key}: ${move.text}`);
    }
  }
}
console.log(JSON.stringify(result));
