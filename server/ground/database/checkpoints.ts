import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';

/** A page of the database each, 4 KiB: from here on the log is brought into the file. */
const LONG_FRAMES = 2_000;
/** Milliseconds, after which the thread ends. */
const QUIET_MS = 10_000;
/** Milliseconds between looks at a short log, each of which costs as much as a read. */
const LOOK_EVERY_MS = 20;
/** Milliseconds, where somebody who reads needs the log as it is. */
const LOOK_AGAIN_MS = 1_000;

/** In MiB: a thread that only says what SQLite has to do. */
const MEMORY = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 };

/**
 * Brings SQLite's log into the database file in a thread of its own, which waits for the disk in place
 * of the one that serves everybody. The thread ends when there is nothing to do for a while.
 */
export class Checkpoints {
  #file: string;
  #readLength: () => number;
  #worker: Worker | null = null;
  #rest: NodeJS.Timeout | undefined;
  /** Until when nothing is to be done: the log is short, or it is being done, or in vain. */
  #until = 0;

  /** @param connection the one that writes */
  constructor(file: string, connection: DatabaseSync) {
    this.#file = file;
    const look = connection.prepare('PRAGMA wal_checkpoint(NOOP)');
    this.#readLength = () => Number(look.get()?.log);
  }

  /** To be called after a commit that is on the disk, while there is no transaction. */
  look(): void {
    if (performance.now() < this.#until) return;
    try {
      if (this.#readLength() < LONG_FRAMES) {
        this.#until = performance.now() + LOOK_EVERY_MS;
        return;
      }
      this.#until = Number.POSITIVE_INFINITY;
      clearTimeout(this.#rest);
      this.#worker ??= this.#start();
      this.#worker.postMessage(null);
    } catch {
      // Without a thread, the log is left to SQLite.
    }
  }

  /** For good. */
  close(): Promise<void> {
    this.#until = Number.POSITIVE_INFINITY;
    clearTimeout(this.#rest);
    return this.#end();
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./bring-in-log.ts', import.meta.url), {
      workerData: this.#file,
      resourceLimits: MEMORY,
      env: {},
    });
    worker.unref();
    worker.on('message', (isDone: boolean) => {
      if (worker !== this.#worker) return;
      this.#until = isDone ? 0 : performance.now() + LOOK_AGAIN_MS;
      this.#rest = setTimeout(() => this.#end(), QUIET_MS).unref();
    });
    // Not tried again, for the disk may have refused a flush. SQLite, which then writes those pages
    // anew, brings the log in by itself once it is far longer.
    worker.on('error', () => {});
    return worker;
  }
}
