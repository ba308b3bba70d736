// The first script of every page: language and comfort, who this device is, then the page itself.

import { comfort } from "./chrome.js";
import { whoAmI } from "./net.js";
import { firstLanguage, setLanguage } from "./text.js";

const PAGES = {
  table: () => import("./table.js"), join: () => import("./join.js"), seat: () => import("./seat.js"), workshop: () => import("./workshop.js"),
  virtual: () => import("./virtual.js"), overview: () => import("./overview.js"),
};

comfort();
await setLanguage(firstLanguage());
for (let wait = 300; ; wait = Math.min(wait * 2, 4000)) {
  try { await whoAmI(); break; } catch { await new Promise((done) => setTimeout(done, wait)); }
}
(await PAGES[document.documentElement.dataset.page]()).open();
