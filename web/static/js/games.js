// The art of each game; a game without its own is drawn from its board and pieces alone.

const cache = new Map();
const OWN = ["onirim", "night_cage", "bad_bones", "whisper", "dark_cave"];

/** Loads a game's art. */
export async function artOf(key) {
  if (!cache.has(key)) cache.set(key, OWN.includes(key) ? (await import(`../games/${key}.js`)).default : {});
  return cache.get(key);
}

/** Makes what `/api/game` sends handy: places by name, faces by name. */
export function prepare(game) {
  game.index = new Map(game.board.cells.map((place, i) => [place.name, i]));
  game.faces = new Map(game.board.faces.map((face) => [face.name, face]));
  game.word = (word) => game.texts[`word.${word}`] || word;
  return game;
}

/** Splits the moves of a frame into single actions. */
export function movesOf(frame) {
  return frame.moves.flatMap(({ seat, actions }) => actions.map(([text, label]) => {
    const words = text.split(" ");
    return { seat, text, label, verb: words[0], words: words.slice(1) };
  }));
}
