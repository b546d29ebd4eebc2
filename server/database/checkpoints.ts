import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';

/** A page of the database each, 4 KiB: from here on the log is brought into the file. */
const LONG_FRAMES = 2_000;
const QUIET_MS = 10_000;

/** In MiB: a thread that only says what SQLite has to do. */
const MEMORY = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };

/**
 * Brings SQLite's log into the database file in a thread of its own, which waits for the disk in place
 * of the one that serves everybody. The thread ends when there is nothing to do for a while.
 */
export class Checkpoints {
  #file: string;
  #readLength: () => number;
  #worker: Worker | null = null;
  #isRunning = false;
  #quiet: NodeJS.Timeout | undefined;

  /** @param connection the one that writes, and is in no transaction when this is told of a commit */
  constructor(file: string, connection: DatabaseSync) {
    this.#file = file;
    const look = connection.prepare('PRAGMA wal_checkpoint(NOOP)');
    this.#readLength = () => Number(look.get()?.log);
  }

  /** To be called after a commit. */
  look(): void {
    if (this.#isRunning || this.#readLength() < LONG_FRAMES) return;
    this.#isRunning = true;
    clearTimeout(this.#quiet);
    this.#worker ??= this.#start();
    this.#worker.postMessage(null);
  }

  close(): Promise<void> {
    clearTimeout(this.#quiet);
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
    worker.on('message', () => {
      this.#isRunning = false;
      this.#quiet = setTimeout(() => this.#end(), QUIET_MS).unref();
    });
    // What fails is not tried again: a disk that refused a flush would say nothing the second time.
    // The log is left to SQLite, which brings it in by itself once it is far longer.
    worker.on('error', () => {});
    return worker;
  }
}
