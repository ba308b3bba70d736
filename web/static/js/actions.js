// What may be done, as lists: the legal actions of a frame, grouped and asked for step by step.

/** Up to this number of choices of one kind stand as buttons; more are asked for word by word. */
export const MAX_BUTTONS = 14;

/** Splits the moves of a frame into single actions. */
export function movesOf(frame) {
  return frame.moves.flatMap(({ seat, actions }) =>
    actions.map(([text, label]) => {
      const [verb, ...words] = text.split(" ");
      return { seat, text, label, verb, words };
    }),
  );
}

/** A map from each key to its items; keys and items stay in the order in which they come. */
export function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return groups;
}

/** The actions by seat and verb, as they stand in the panel. */
export const byVerb = (moves) => [...groupBy(moves, (move) => `${move.seat} ${move.verb}`).values()];

/** The places that an action names. */
export function cellsOf(action, game) {
  return action.words.map((word) => game.index.get(word)).filter((cell) => cell !== undefined);
}

/**
 * The next question that tells several actions apart: few are listed by their text, many by the first word in
 * which they differ, counted from `from`. Returns the position of that word, and the actions by answer.
 */
export function nextQuestion(moves, from = 0) {
  if (moves.length <= MAX_BUTTONS) return { at: from, groups: groupBy(moves, (move) => move.text) };
  const longest = Math.max(...moves.map((move) => move.words.length));
  let at = from;
  while (at < longest && moves.every((move) => move.words[at] === moves[0].words[at])) at += 1;
  const keyOf = at < longest ? (move) => move.words[at] ?? "" : (move) => move.text;
  return { at, groups: groupBy(moves, keyOf) };
}

/** The seats that must act: those that need more than what the game calls optional. */
export function waitingSeats(needs, optional = []) {
  const must = needs.filter(([, verbs]) => !verbs.length || verbs.some((verb) => !optional.includes(verb)));
  return [...new Set(must.map(([seat]) => seat))];
}

/** Names a verb from the text of its buttons, without the blanks; `verb` itself where nothing is left. */
export function verbName(verb, text = verb) {
  const name = text.replace(/\{[^}]*\}/g, "…").replace(/[\s:…,.]+$/, "");
  return name.trim() || verb;
}
