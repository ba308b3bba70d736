// What a game brings to the pages, and what `/api/game` sends of it.

const pages = new Map();
const styles = new Map();

/** A game's own drawing (`page.js` of its folder); {} where it has none: then `board.js` draws what it can. */
export async function pageOf(key) {
  if (!pages.has(key)) {
    try {
      pages.set(key, (await import(`/games/${key}/page.js`)).default);
    } catch (error) {
      // A fault in one game's drawing stops neither the shelf nor the game.
      console.error(error);
      return {};
    }
  }
  return pages.get(key);
}

/** A game's own drawing with its style sheet, ready to draw a board. */
export async function artOf(key) {
  if (!styles.has(key)) styles.set(key, loadStyle(key));
  const [page] = await Promise.all([pageOf(key), styles.get(key)]);
  return page;
}

function loadStyle(key) {
  return new Promise((done) => {
    const link = document.createElement("link");
    Object.assign(link, { rel: "stylesheet", href: `/games/${key}/page.css`, onload: done, onerror: done });
    document.head.append(link);
  });
}

/** Makes what `/api/game` sends handy: places by name, faces by name. */
export function prepare(game) {
  game.index = new Map(game.board.cells.map((place, i) => [place.name, i]));
  game.faces = new Map(game.board.faces.map((face) => [face.name, face]));
  game.word = (word) => game.texts[`word.${word}`] || word;
  return game;
}
