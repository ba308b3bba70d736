// The first script of every page: language and comfort, who this device is, then the page itself.

import { comfort } from "./chrome.js";
import { toast } from "./dom.js";
import { Problem, whoAmI } from "./net.js";
import { Backoff } from "./retry.js";
import { wakeOnTouch } from "./speaker.js";
import { firstLanguage, setLanguage } from "./text.js";

const PAGES = {
  table: () => import("./table.js"),
  join: () => import("./join.js"),
  seat: () => import("./seat.js"),
  workshop: () => import("./workshop.js"),
  box: () => import("./box.js"),
  virtual: () => import("./virtual.js"),
  projector: () => import("./projector.js"),
  overview: () => import("./overview.js"),
  lost: () => import("./lost.js"),
};

// What the table refused, or could not be asked, is said even where nobody waits for the answer.
addEventListener("unhandledrejection", (event) => {
  if (!(event.reason instanceof Problem)) return;
  event.preventDefault();
  toast(event.reason.message, "bad");
});

comfort();
wakeOnTouch();
const backoff = new Backoff(300, 2, 4000);
while (!(await isReady())) await new Promise((done) => setTimeout(done, backoff.next()));
(await PAGES[document.documentElement.dataset.page]()).open();

/** Whether the table could be asked for the words and for who this device is. */
async function isReady() {
  try {
    await setLanguage(firstLanguage());
    await whoAmI();
    return true;
  } catch {
    return false;
  }
}
