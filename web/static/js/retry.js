// Waiting and order in talk with the table: back-off between retries, and a queue of news.

/** Pauses between retries in milliseconds: each longer than the one before, up to a limit. */
export class Backoff {
  constructor(first, factor, limit) {
    Object.assign(this, { first, factor, limit });
    this.reset();
  }

  /** The pause before the next retry. */
  next() {
    const pause = this.pause;
    this.pause = Math.min(pause * this.factor, this.limit);
    return pause;
  }

  /** To be called once something has worked. */
  reset() {
    this.pause = this.first;
  }
}

/** Runs tasks one after the other; one that fails is reported and stops none of the others. */
export class TaskQueue {
  constructor(report = (error) => console.error(error)) {
    this.report = report;
    this.last = Promise.resolve();
    this.waiting = undefined;
  }

  /** Queues a task; the promise is kept once it has run. */
  add(task) {
    this.last = this.last.then(task).catch(this.report);
    return this.last;
  }

  /** Queues data for `task`, replacing data that still waits: of several positions only the last is drawn. */
  addLatest(data, task) {
    const waits = this.waiting !== undefined;
    this.waiting = data;
    if (waits) return this.last;
    return this.add(() => {
      const latest = this.waiting;
      this.waiting = undefined;
      return task(latest);
    });
  }
}
