import "./fake_document.mjs";

import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";

const FOLDER = new URL("../../../companion/games/", import.meta.url);
const GAMES = fs.readdirSync(FOLDER).filter((key) => fs.existsSync(new URL(`${key}/page.js`, FOLDER)));
/** What a page module may bring, as web/README.md lists it. */
const PARTS = new Set(
  [
    ["cover", "suggested", "meanings", "optional"],
    ["margin", "viewBox", "defs", "ground", "place", "piece", "over", "taps", "shows"],
    ["hand", "picture", "about", "at", "players", "owner"],
    ["flat", "stacks", "ownPieces", "draws", "onCorner"],
    ["facts", "tracks", "panel", "helper", "filters", "tabs"],
    ["belongs", "close", "portrait", "encounter", "room"],
  ].flat(),
);

for (const key of GAMES) {
  test(`the page of ${key} brings only parts that the pages know`, async () => {
    const { default: page } = await import(`/games/${key}/page.js`);
    assert.deepEqual(
      Object.keys(page).filter((part) => !PARTS.has(part)),
      [],
    );
  });

  test(`the cover of ${key} is drawn inside the card`, async () => {
    const { default: page } = await import(`/games/${key}/page.js`);
    const drawn = page.cover();
    assert.ok(drawn.length > 2);
    for (const node of drawn.filter((one) => one.tag === "circle")) {
      assert.ok(node.attributes.cx > 0 && node.attributes.cx < 90 && node.attributes.cy < 78);
    }
  });
}
