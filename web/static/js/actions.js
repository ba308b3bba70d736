// What may be done: the legal actions of a frame, and who must act.

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

/** The seats that must act: those that need more than what the game calls optional. */
export function waitingSeats(needs, optional = []) {
  const must = needs.filter(([, verbs]) => !verbs.length || verbs.some((verb) => !optional.includes(verb)));
  return [...new Set(must.map(([seat]) => seat))];
}

/** Names a verb from the text of its buttons: what stands before its first blank, or all but the blanks. */
export function verbName(verb, text = verb) {
  const [begin] = text.split("{");
  if (/[^\s(«]{3}/.test(begin)) return begin.replace(/[\s:(«,.]+$/, "");
  const name = text.replace(/\{[^}]*\}/g, "…").replace(/[\s:…,.]+$/, "");
  return name.trim() || verb;
}
