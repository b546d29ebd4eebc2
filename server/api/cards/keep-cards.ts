import { createHash } from 'node:crypto';

interface KeptCard {
  png: Buffer;
  etag: string;
}

interface Entry {
  version: number;
  card: Promise<KeptCard>;
}

/** About 20 MB. */
const CAPACITY = 200;

export interface CardKeeper {
  /** The card of this version, once it was asked for. */
  find(id: string, version: number): Promise<KeptCard> | undefined;
  /** The card of this version, drawn if there is none. */
  keep(id: string, version: number, draw: () => Promise<Buffer>): Promise<KeptCard>;
}

/**
 * Keeps cards by the version of what they show, the last used ones, and draws one at a time: a
 * drawing takes the processor for a while.
 */
export function createCardKeeper(): CardKeeper {
  const kept = new Map<string, Entry>();
  let last: Promise<unknown> = Promise.resolve();

  function find(id: string, version: number): Promise<KeptCard> | undefined {
    const entry = kept.get(id);
    if (entry?.version !== version) return undefined;
    kept.delete(id);
    kept.set(id, entry);
    return entry.card;
  }

  function begin(draw: () => Promise<Buffer>): Promise<KeptCard> {
    const card = last.then(async () => {
      const png = await draw();
      return { png, etag: `"${createHash('sha256').update(png).digest('base64url')}"` };
    });
    last = card.catch(() => {});
    return card;
  }

  return {
    find,
    keep(id, version, draw) {
      const known = find(id, version);
      if (known !== undefined) return known;
      const entry = { version, card: begin(draw) };
      kept.delete(id);
      kept.set(id, entry);
      if (kept.size > CAPACITY) kept.delete(kept.keys().next().value as string);
      entry.card.catch(() => {
        if (kept.get(id) === entry) kept.delete(id);
      });
      return entry.card;
    },
  };
}
