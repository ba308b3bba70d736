// The first script of every page: language and comfort, who this device is, then the page itself.

import { comfort } from "./chrome.js";
import { whoAmI } from "./net.js";
import { Backoff } from "./retry.js";
import { wakeOnTouch } from "./speaker.js";
import { firstLanguage, setLanguage } from "./text.js";

const PAGES = {
  table: () => import("./table.js"),
  join: () => import("./join.js"),
  seat: () => import("./seat.js"),
  workshop: () => import("./workshop.js"),
  virtual: () => import("./virtual.js"),
  overview: () => import("./overview.js"),
  lost: () => import("./lost.js"),
};

comfort();
wakeOnTouch();
await setLanguage(firstLanguage());
const backoff = new Backoff(300, 2, 4000);
while (!(await isKnown())) await new Promise((done) => setTimeout(done, backoff.next()));
(await PAGES[document.documentElement.dataset.page]()).open();

async function isKnown() {
  try {
    await whoAmI();
    return true;
  } catch {
    return false;
  }
}
