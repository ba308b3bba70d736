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
    this.slot = undefined;
  }

  /** Queues a task; the promise is kept once it has run. Data that comes later waits behind it. */
  add(task) {
    this.slot = undefined;
    this.last = this.last.then(task).catch(this.report);
    return this.last;
  }

  /**
   * Queues data for `task`, replacing data that waits at the end of the queue: of several positions only the last is
   * drawn. `merge` may take over what the replaced one brought.
   */
  addLatest(data, task, merge = (_, latest) => latest) {
    if (this.slot) {
      this.slot.data = merge(this.slot.data, data);
      return this.last;
    }
    const slot = { data };
    this.add(() => {
      if (this.slot === slot) this.slot = undefined;
      return task(slot.data);
    });
    this.slot = slot;
    return this.last;
  }
}
