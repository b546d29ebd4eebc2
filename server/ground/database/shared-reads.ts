import type { DatabaseSync } from 'node:sqlite';

/**
 * Lets the reads of one turn share a transaction: beginning and ending one locks SQLite's log and lets
 * go of it, which takes longer than a read by id. It ends with the turn, before anybody can be heard
 * of who has committed since, and before anything is written.
 */
export class SharedReads {
  #count = 0;
  #isOpen: () => boolean;
  #begin: () => void;
  #commit: () => void;

  constructor(connection: DatabaseSync) {
    const begin = connection.prepare('BEGIN');
    const commit = connection.prepare('COMMIT');
    this.#begin = () => begin.run();
    this.#commit = () => commit.run();
    this.#isOpen = () => connection.isTransaction;
  }

  /** To be called before each read. One that is alone needs no transaction. */
  join(): void {
    this.#count += 1;
    // It runs when all promises that go on without waiting for anything outside have gone on.
    if (this.#count === 1) process.nextTick(this.end);
    if (this.#count === 2) this.#begin();
  }

  end = (): void => {
    // SQLite itself ends one in which the disk failed.
    if (this.#count > 1 && this.#isOpen()) this.#commit();
    this.#count = 0;
  };
}
