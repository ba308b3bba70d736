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
  let said = {};
  try {
    said = await response.json();
  } catch {
    /* a gateway's page, or nothing */
  }
  if (!response.ok) throw new Problem(response.status, said);
  return said;
}

/** Fetches; a table that cannot be reached is a problem with words of its own. */
async function reach(path, options) {
  try {
    return await fetch(path, options);
  } catch {
    throw new Problem(0, { code: "offline", text: t("error.offline") });
  }
}

function address(path, params = {}) {
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
export const postFile = async (path, file) =>
  answerOf(
    await reach(address(path), {
      method: "POST",
      body: file,
      headers: { "Content-Type": "application/zip", "X-Gloam-Token": me.token },
    }),
  );

/** Asks who this device is; the answer is `me`. */
export async function whoAmI() {
  me = await get("/api/me");
  return me;
}

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
    this.queue = new TaskQueue();
    document.addEventListener("visibilitychange", () => this.look());
    addEventListener("pageshow", () => this.look());
    addEventListener("online", () => this.open());
    addEventListener("offline", () => this.say(false));
    this.watch = setInterval(() => {
      if (this.source && Date.now() - this.heard > SILENCE_MS) this.open();
    }, 1000);
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
        if (latest) this.queue.addLatest(data, act);
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
      const frame = room.number ? { ...(await get("/api/frame", { seat: this.seat })), log: [] } : null;
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
