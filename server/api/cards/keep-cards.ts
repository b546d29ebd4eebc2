import { createHash } from 'node:crypto';
import { ByteBoundedMap } from '../byte-bounded-map.ts';

interface KeptCard {
  png: Buffer;
  etag: string;
}

interface Entry {
  version: number;
  card: Promise<KeptCard>;
}

/** A card takes from 30 KB to, with a cover, 900 KB. */
const CAPACITY_BYTES = 24 * 1024 * 1024;

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
  const kept = new ByteBoundedMap<Entry>(CAPACITY_BYTES);
  let last: Promise<unknown> = Promise.resolve();

  function find(id: string, version: number): Promise<KeptCard> | undefined {
    const entry = kept.get(id);
    return entry?.version === version ? entry.card : undefined;
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
      kept.setSoon(
        id,
        entry,
        entry.card.then(({ png }) => png.length),
      );
      return entry.card;
    },
  };
}
