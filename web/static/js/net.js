// Talking to the table: ordinary requests, and one stream per page that comes back by itself.

import { askToMove } from "./handover.js";
import { Backoff, TaskQueue } from "./retry.js";
import { language, t } from "./text.js";

export let me = {
  token: "",
  name: "",
  host: false,
  owned: false,
  pin: false,
  fresh: false,
  seats: [],
  number: 0,
};

/** What the table answered when it said no. */
export class Problem extends Error {
  constructor(status, answer) {
    super(answer.text || String(status));
    Object.assign(this, {
      status,
      code: answer.code || "",
      rule: answer.rule || "",
      cells: answer.cells || [],
      answer,
    });
  }
}

async function answerOf(response) {
  let said;
  try {
    said = await response.json();
  } catch {
    // A gateway's page; or the answer was cut off, as when the page is left meanwhile.
    if (response.ok) throw unreachable();
    said = {};
  }
  if (!response.ok) throw new Problem(response.status, said);
  return said;
}

/** Fetches; a table that cannot be reached is a problem with words of its own. */
async function reach(path, options) {
  try {
    return await fetch(path, options);
  } catch {
    throw unreachable();
  }
}

const unreachable = () => new Problem(0, { code: "offline", text: t("error.offline") });

/** A path with its query, in the language of the page. */
export function address(path, params = {}) {
  const query = new URLSearchParams({ lang: language });
  for (const [name, value] of Object.entries(params)) if (value !== undefined) query.set(name, value);
  return `${path}?${query}`;
}

export const get = async (path, params) =>
  answerOf(await reach(address(path, params), { cache: "no-store" }));

export async function post(path, body = {}) {
  const send = async () =>
    answerOf(
      await reach(address(path), {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "Content-Type": "application/json", "X-Gloam-Token": me.token },
      }),
    );
  try {
    return await send();
  } catch (problem) {
    if (problem.code !== "wrong-token") throw problem;
    await whoAmI();
    return send();
  }
}

/** Sends a file as it is. */
export const postFile = async (path, file, type = "application/zip", params = {}) =>
  answerOf(
    await reach(address(path, params), {
      method: "POST",
      body: file,
      headers: { "Content-Type": type, "X-Gloam-Token": me.token },
    }),
  );

/** Asks who this device is; the answer is `me`. */
export async function whoAmI() {
  me = await get("/api/me");
  return me;
}

/** A position that was never drawn leaves its lines to the one that is: nothing that happened is lost. */
const withMissed = (missed, latest) => ({
  ...latest,
  heard: missed.heard,
  log: [...missed.log, ...latest.log],
});

/** A beat comes every second: after so long without a word what the page shows may be old, and it says so. */
const STALE_MS = 2000;
/** After so long it asks anew. */
const SILENCE_MS = 13000;
const PAGE = crypto.getRandomValues(new Uint32Array(3)).join("-");

/** The stream of one page. Sleeps with the page, wakes with it, and says when its news are old. */
export class Live {
  constructor(seat, handlers) {
    this.seat = seat;
    this.handlers = handlers;
    this.source = null;
    this.isLive = undefined;
    this.backoff = new Backoff(500, 1.6, 4000);
    // That the table cannot be reached is shown by `say`; the stream brings everything anew.
    this.queue = new TaskQueue((error) => {
      if (error.code !== "offline") console.error(error);
    });
    document.addEventListener("visibilitychange", () => this.look());
    addEventListener("pageshow", () => this.look());
    addEventListener("online", () => this.open());
    addEventListener("offline", () => this.say(false));
    this.watch = setInterval(() => {
      const silence = this.source ? Date.now() - this.heard : 0;
      if (silence > STALE_MS) this.say(false);
      if (silence > SILENCE_MS) this.open();
    }, 250);
    this.open();
  }

  look() {
    if (document.visibilityState === "hidden") this.close();
    else if (!this.source) this.open();
  }

  open() {
    this.close();
    if (document.visibilityState === "hidden") return;
    this.heard = Date.now();
    const source = (this.source = new EventSource(address("/api/stream", { seat: this.seat, page: PAGE })));
    const on = (kind, act, latest) =>
      source.addEventListener(kind, (event) => {
        if (source !== this.source) return;
        this.heard = Date.now();
        this.backoff.reset();
        this.say(true);
        const data = JSON.parse(event.data);
        data.heard_ms = performance.now();
        if (latest) this.queue.addLatest(data, act, withMissed);
        else this.queue.add(() => act(data));
      });
    on("room", (data) => this.handlers.room(data));
    on("update", (data) => this.handlers.update(data), true);
    on("asked", (data) => askToMove(data, post));
    on("beat", () => {});
    on("gone", () => {
      this.stop();
      this.handlers.gone?.();
    });
    source.onerror = () => {
      if (source !== this.source) return;
      this.say(false);
      this.close();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.retry(), this.backoff.next());
    };
  }

  /** Looks by an ordinary request first: it tells a lost seat from a lost table. */
  async retry() {
    if (this.stopped || document.visibilityState === "hidden") return;
    try {
      const room = await get("/api/room");
      const seen = room.number ? await get("/api/frame", { seat: this.seat }) : null;
      const frame = seen && { ...seen, heard: Infinity, log: [] };
      this.queue.add(() => this.handlers.room(room));
      if (frame) this.queue.add(() => this.handlers.update(frame));
    } catch (problem) {
      if (problem.status === 403 && this.seat !== undefined) {
        this.stop();
        this.handlers.gone?.();
        return;
      }
    }
    this.open();
  }

  say(isLive) {
    if (isLive === this.isLive) return;
    this.isLive = isLive;
    document.documentElement.dataset.live = isLive ? "yes" : "no";
    this.handlers.live?.(isLive);
  }

  close() {
    this.source?.close();
    this.source = null;
  }

  stop() {
    this.stopped = true;
    clearInterval(this.watch);
    this.close();
  }
}
