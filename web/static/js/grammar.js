// From the legal actions to what a hand may touch next: one grammar for every game, made from its verbs.
// An action becomes atoms (a place, a piece, somebody, a turn). Each touch chooses one atom, in any order;
// the actions that hold all chosen atoms are what is still meant.

import { groupBy } from "./actions.js";

/** Up to this number of actions are offered side by side; more are never a list. */
export const FEW = 5;

/** The atoms of an action. `game`: `verbs` as `/api/game` sends them, and `index` from names to places. */
export function atomsOf(move, game) {
  const { roles = [], rest = null } = game.verbs[move.verb] || {};
  return move.words.flatMap((word, i) => atomsOfWord(word, roles[i] ?? rest ?? "piece", game));
}

function atomsOfWord(word, role, { index }) {
  const place = (name) => (index.has(name) ? [`place:${index.get(name)}`] : [`piece:${name}`]);
  if (role === "place" || role === "target") return place(word);
  if (role !== "pair") return [`${role}:${word}`];
  const [from, to] = word.split("-");
  return [...place(from), ...place(to)];
}

/** The role and the word (for a place: its number) of an atom. */
export function splitAtom(atom) {
  const at = atom.indexOf(":");
  return [atom.slice(0, at), atom.slice(at + 1)];
}

export const roleOf = (atom) => splitAtom(atom)[0];

/** The actions of a frame with their atoms; one that needs a verb chosen first has it as an atom too. */
export function withAtoms(moves, game) {
  return moves.map((move) => ({
    ...move,
    atoms: atomsOf(move, game),
    aside: game.notes?.includes(move.verb) || false,
    held: game.verbs[move.verb]?.held || false,
  }));
}

const holds = (move, atom) => atom === `verb:${move.verb}` || move.atoms.includes(atom);

/** The actions that are still meant after these atoms were chosen. */
export function meant(moves, chosen) {
  if (!chosen.length) return moves.filter((move) => !move.aside);
  const named = chosen.some((atom) => roleOf(atom) === "verb");
  return moves.filter((move) => (named || !move.aside) && chosen.every((atom) => holds(move, atom)));
}

/** An action but for how a piece lies. */
const unturned = (move) =>
  [move.seat, move.verb, ...move.atoms.filter((atom) => roleOf(atom) !== "turn")].join(" ");

/** Whether an action is chosen by its name alone, as nothing of it lies on the board or in a hand. */
const isPlain = (move) => move.atoms.every((atom) => ["turn", "choice"].includes(roleOf(atom)));

/**
 * What may be touched next.
 *
 * `ready`: actions that differ only in their turn, the first of which lies there as a ghost until it is confirmed.
 * `places`, `pieces`: atoms on the board and in the tray, each with the actions that it leaves.
 * `buttons`: actions chosen by their name. `asides`: verbs for notes, whose places would only be in the way.
 */
export function ask(moves, chosen = []) {
  const left = meant(moves, chosen);
  const asides = chosen.length
    ? []
    : [
        ...groupBy(
          moves.filter((move) => move.aside),
          (move) => move.verb,
        ).values(),
      ];
  const none = { left, ready: [], places: new Map(), pieces: new Map(), buttons: [], asides };
  if (!left.length) return none;
  const turnsOnly = left.length > 1 && left[0].atoms.some((atom) => roleOf(atom) === "turn");
  const kinds = new Set(left.map(unturned)).size;
  if ((chosen.length || turnsOnly) && kinds === 1) return { ...none, ready: left };
  const open = (move) => move.atoms.filter((atom) => !left.every((one) => one.atoms.includes(atom)));
  const offered = { ...none };
  const hasPlaces = left.some((move) => open(move).some((atom) => roleOf(atom) === "place"));
  if (chosen.length && left.length <= FEW && kinds === left.length && !hasPlaces) {
    return { ...none, buttons: left };
  }
  for (const move of left) {
    if (isPlain(move) || !open(move).length) offered.buttons.push(move);
    for (const atom of isPlain(move) ? [] : open(move)) {
      const role = roleOf(atom);
      if (role === "turn" || role === "choice") continue;
      const into = role === "place" ? offered.places : offered.pieces;
      if (!into.has(atom)) into.set(atom, []);
      into.get(atom).push(move);
    }
  }
  if (!chosen.length) addCommon(offered, left);
  if (!offered.places.size && !offered.pieces.size && !offered.buttons.length) {
    for (const [verb, some] of groupBy(left, (move) => `verb:${move.verb}`)) offered.pieces.set(verb, some);
  }
  return offered;
}

/** With nothing chosen, also what all actions have in common can be touched: it is where a hand begins. */
function addCommon(offered, left) {
  for (const move of left) {
    if (isPlain(move)) continue;
    const at = offered.buttons.indexOf(move);
    if (at >= 0 && left.length === 1) offered.buttons.splice(at, 1);
    for (const atom of move.atoms) {
      const role = roleOf(atom);
      const into =
        role === "place" ? offered.places : ["piece", "seat"].includes(role) ? offered.pieces : null;
      if (!into || into.has(atom)) continue;
      into.set(
        atom,
        left.filter((one) => one.atoms.includes(atom)),
      );
    }
  }
}

/** Chooses an atom; a place takes the place of another where both cannot be meant: the ghost is moved. */
export function choose(moves, chosen, atom) {
  if (meant(moves, [...chosen, atom]).length) return [...chosen, atom];
  const others = chosen.filter((one) => roleOf(one) !== roleOf(atom));
  if (meant(moves, [...others, atom]).length) return [...others, atom];
  return meant(moves, [atom]).length ? [atom] : chosen;
}

/**
 * The actions that put things into an order or choose several of them, by seat and verb.
 *
 * `order`: the first `size` words of `pool`, in a row. `set`: any of `pool`, in any order.
 */
export function arrangements(moves, game) {
  return [...groupBy(moves, (move) => `${move.seat} ${move.verb}`).values()]
    .map((group) => arrangement(group, game))
    .filter((one) => one !== null);
}

function arrangement(moves, game) {
  const [{ seat, verb }] = moves;
  const { roles = [], rest = null } = game.verbs[verb] || {};
  const sizes = new Set(moves.map((move) => move.words.length));
  const most = Math.max(...sizes);
  const same = { seat, verb, moves, size: most };
  if (rest === "piece" && sizes.size > 1) return { ...same, kind: "set", pool: poolOf(moves) };
  const isRow = sizes.size === 1 && most > 2 && [...roles, rest].every((role) => !role || role === "piece");
  if (!isRow || moves.length <= FEW) return null;
  return { ...same, kind: "order", pool: poolOf(moves) };
}

/** Each word as often as one action holds it at most, the first action's words first. */
function poolOf(moves) {
  const most = new Map();
  for (const { words } of moves) {
    for (const [word, many] of groupBy(words, (one) => one)) {
      most.set(word, Math.max(most.get(word) || 0, many.length));
    }
  }
  const pool = [...moves[0].words];
  for (const [word, n] of most) {
    for (let have = pool.filter((one) => one === word).length; have < n; have += 1) pool.push(word);
  }
  return pool;
}

/** The action that an arrangement means: the first of a row, or the chosen of a set in any order. */
export function arranged(one, words) {
  if (one.kind === "order") {
    const wanted = words.slice(0, one.size).join(" ");
    return one.moves.find((move) => move.words.join(" ") === wanted);
  }
  const sorted = (list) => [...list].sort().join(" ");
  return one.moves.find((move) => sorted(move.words) === sorted(words));
}

/** A row with the card at `from` put to `to`. */
export function carried(row, from, to) {
  const next = [...row];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}
