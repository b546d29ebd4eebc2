import { ByteBoundedMap } from '../byte-bounded-map.ts';

const KEPT_MS = 10 * 60_000;
const KEPT_BYTES = 32 * 1024 * 1024;

interface Kept {
  text: Promise<Buffer>;
  /** UTC milliseconds. */
  until: number;
}

export interface KeptTexts {
  /** @throws what writing the text throws; it is tried anew for the next who asks */
  keep(name: string, write: () => Promise<Buffer>): Promise<Buffer>;
  /** Changes a text for as long as it is kept. */
  change(name: string, change: (text: Buffer) => Buffer): void;
  clear(): void;
}

/**
 * Keeps public texts that take many rows to write, so that whoever asks often costs no more. One is
 * written at a time.
 */
export function createKeptTexts(now: () => number): KeptTexts {
  const kept = new ByteBoundedMap<Kept>(KEPT_BYTES);
  let last: Promise<unknown> = Promise.resolve();
  const keep = (name: string, entry: Kept) =>
    kept.setSoon(
      name,
      entry,
      entry.text.then(({ length }) => length),
    );
  return {
    keep(name, write) {
      const known = kept.get(name);
      if (known && now() < known.until) return known.text;
      const text = last.then(write);
      last = text.catch(() => {});
      keep(name, { text, until: now() + KEPT_MS });
      return text;
    },
    change(name, change) {
      const known = kept.get(name);
      if (known) keep(name, { ...known, text: known.text.then(change) });
    },
    clear: () => kept.clear(),
  };
}
