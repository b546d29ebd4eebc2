/**
 * One request at a time works on an upload. A newer one takes over: its client has most likely
 * lost the older connection, which the server may not notice for minutes.
 */
export class UploadLocks {
  readonly #held = new Map<string, { yieldNow: () => void; released: Promise<void> }>();

  /** Resolves with what gives the lock back. `yieldNow` is called when another one wants it. */
  async acquire(blob: string, yieldNow: () => void = () => {}): Promise<Disposable> {
    for (let held = this.#held.get(blob); held; held = this.#held.get(blob)) {
      held.yieldNow();
      await held.released;
    }
    const { promise: released, resolve } = Promise.withResolvers<void>();
    this.#held.set(blob, { yieldNow, released });
    return {
      [Symbol.dispose]: () => {
        this.#held.delete(blob);
        resolve();
      },
    };
  }
}
