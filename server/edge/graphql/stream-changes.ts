import type { Change, Changes } from '../../ground/lib/changes.ts';
import { createTurns } from '../../ground/lib/turns.ts';

const takeTurn = createTurns();

interface Options<Item> {
  isWanted(change: Change): boolean;
  /** What a subscriber gets of a change; null for nothing. Ends the stream by throwing. */
  read(change: Change): Promise<Item | null>;
}

/**
 * What a subscriber reads of the changes from now on, in order. One that comes again while it
 * waits for a slow subscriber is read once.
 */
export function streamChanges<Item>(
  changes: Changes,
  { isWanted, read }: Options<Item>,
): AsyncIterableIterator<Item> {
  const waiting = new Map<string, Change>();
  let ended = false;
  let wake = () => {};
  const unsubscribe = changes.subscribe({
    changed(change) {
      if (!isWanted(change)) return;
      waiting.set(JSON.stringify(change), change);
      wake();
    },
  });

  function end(): void {
    ended = true;
    unsubscribe();
    wake();
  }

  async function next(): Promise<IteratorResult<Item>> {
    while (!ended) {
      if (waiting.size > 0) {
        await takeTurn();
        const [first] = waiting;
        // It may have ended meanwhile.
        if (!first || ended) continue;
        const [key, change] = first;
        waiting.delete(key);
        const item = await read(change);
        if (item !== null) return { done: false, value: item };
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    return { done: true, value: undefined };
  }

  return {
    async next() {
      try {
        return await next();
      } catch (error) {
        end();
        throw error;
      }
    },
    async return() {
      end();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
