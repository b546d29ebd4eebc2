import { ByteBoundedMap } from '../byte-bounded-map.ts';

const KEPT_MS = 10 * 60_000;
const KEPT_BYTES = 32 * 1024 * 1024;

interface Kept {
  text: Promise<Buffer>;
  /** UTC milliseconds. */
  until: number;
  /** Names of entries that the text is to lose before it is sent again. */
  leftOut: Set<string>;
}

export interface KeptTexts {
  /** @throws what writing the text throws; it is tried anew for the next who asks */
  keep(name: string, write: () => Promise<Buffer>): Promise<Buffer>;
  /** Leaves an entry out of a text for as long as that is kept. */
  leaveOut(name: string, entry: string): void;
  clear(): void;
}

/**
 * Keeps public texts that take many rows to write, so that whoever asks often costs no more. One is
 * written at a time.
 * @param without goes through a whole text: not for each entry, but once for all when it is sent
 */
export function createKeptTexts(
  now: () => number,
  without: (text: Buffer, entries: ReadonlySet<string>) => Buffer,
): KeptTexts {
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
      if (known && now() < known.until) {
        const { leftOut, until } = known;
        if (leftOut.size === 0) return known.text;
        const shorter = known.text.then((text) => without(text, leftOut));
        keep(name, { text: shorter, until, leftOut: new Set() });
        return shorter;
      }
      const text = last.then(write);
      last = text.catch(() => {});
      keep(name, { text, until: now() + KEPT_MS, leftOut: new Set() });
      return text;
    },
    leaveOut: (name, entry) => kept.get(name)?.leftOut.add(entry),
    clear: () => kept.clear(),
  };
}
