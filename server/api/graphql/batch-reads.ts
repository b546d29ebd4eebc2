/**
 * Reads by key what several fields of one answer ask for at the same moment, in one query. Nothing
 * is kept afterwards: a subscription asks again and again.
 */
export function batchReads<Value>(
  read: (keys: string[]) => Promise<Map<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  let keys: Set<string> | null = null;
  let values: Promise<Map<string, Value>>;
  return async (key) => {
    if (!keys) {
      keys = new Set();
      values = Promise.resolve().then(() => {
        const asked = [...(keys ?? [])];
        keys = null;
        return read(asked);
      });
    }
    keys.add(key);
    return (await values).get(key);
  };
}
