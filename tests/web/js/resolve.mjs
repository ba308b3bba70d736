// Finds in the tree what a browser gets from the server: `/static/…` from web, `/games/KEY/…` from the game.

import { register } from "node:module";

const ROOT = new URL("../../../", import.meta.url);
const FOLDERS = { "/static/": "web/static/", "/games/": "companion/games/" };

const hooks = `
  const FOLDERS = ${JSON.stringify(Object.entries(FOLDERS).map(([path, folder]) => [path, new URL(folder, ROOT).href]))};
  export async function resolve(specifier, context, next) {
    const found = FOLDERS.find(([path]) => specifier.startsWith(path));
    return next(found ? found[1] + specifier.slice(found[0].length) : specifier, context);
  }
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
