import { ByteBoundedMap } from '../byte-bounded-map.ts';

const KEPT_MS = 10 * 60_000;
const KEPT_BYTES = 32 * 1024 * 1024;

interface Kept {
  text: Promise<Buffer>;
  /** UTC milliseconds. */
  until: number;
}

/** @throws what writing the text throws; it is tried anew for the next who asks */
export type KeepText = (name: string, write: () => Promise<Buffer>) => Promise<Buffer>;

/**
 * Keeps public texts that take many rows to write, so that whoever asks often costs no more. One is
 * written at a time.
 */
export function createKeepText(now: () => number): KeepText {
  const kept = new ByteBoundedMap<Kept>(KEPT_BYTES);
  let last: Promise<unknown> = Promise.resolve();
  return (name, write) => {
    const known = kept.get(name);
    if (known && now() < known.until) return known.text;
    const text = last.then(write);
    last = text.catch(() => {});
    const entry = { text, until: now() + KEPT_MS };
    kept.setSoon(
      name,
      entry,
      text.then(({ length }) => length),
    );
    return text;
  };
}
