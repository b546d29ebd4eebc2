import type { Change } from './changes.ts';

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

/**
 * The same for all links of a list, say: one reader for each request.
 * @param read of the request's context
 */
export function batchByRequest<Context extends object, Value>(
  read: (context: Context, keys: string[]) => Promise<Map<string, Value>>,
): (context: Context, key: string) => Promise<Value | undefined> {
  const readers = new WeakMap<Context, (key: string) => Promise<Value | undefined>>();
  return (context, key) => {
    const reader = readers.get(context) ?? batchReads((keys) => read(context, keys));
    readers.set(context, reader);
    return reader(key);
  };
}

/** A slow subscriber reads again: what it gets is what a query would say about now. */
const SHARED_FOR_MS = 1_000;

interface Shared {
  until: number;
  result: unknown;
}

const reads = new WeakMap<Change, Map<string, Shared>>();

/**
 * Reads what many subscribers need of one change once for all of them. `key` names what is read and
 * every authority it depends on.
 */
export function readOnce<Result>(
  change: Change,
  key: string,
  read: () => Promise<Result>,
): Promise<Result> {
  const ofChange = reads.get(change) ?? new Map<string, Shared>();
  reads.set(change, ofChange);
  const known = ofChange.get(key);
  const now = performance.now();
  if (known && now < known.until) return known.result as Promise<Result>;
  const result = read();
  ofChange.set(key, { until: now + SHARED_FOR_MS, result });
  return result;
}
