/**
 * A line of callers: each waits until it is its turn, one a round of the event loop, so that
 * requests are answered between them, however many they are.
 */
export function createTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return last;
  };
}
