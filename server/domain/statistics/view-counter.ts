import type { Database } from '../tables.ts';
import { addCounts } from './add-counts.ts';
import { dayOf } from './day-of.ts';
import { type Visit, Visitors } from './visitors.ts';

/** Links with views that wait to be written. Beyond it views are not counted. */
const MAX_WAITING = 10_000;

interface Waiting {
  linkId: string;
  ownerId: string;
  day: number;
  views: number;
}

interface View extends Visit {
  ownerId: string;
}

/**
 * Counts views in memory, so that no page waits for it, and writes them when told to: what was not
 * written when the process dies is lost. Each process knows its own visitors.
 */
export class ViewCounter {
  readonly #db: Database;
  readonly #now: () => number;
  readonly #visitors = new Visitors();
  #waiting = new Map<string, Waiting>();

  constructor(db: Database, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  count(visit: View): void {
    const now = this.#now();
    if (!this.#visitors.isNew(visit, now)) return;
    this.#add({ linkId: visit.linkId, ownerId: visit.ownerId, day: dayOf(now), views: 1 });
  }

  /** Writes what was counted. What could not be written waits for the next time. */
  async flush(): Promise<void> {
    const written = [...this.#waiting.values()];
    if (written.length === 0) return;
    this.#waiting = new Map();
    try {
      await this.#db.transaction().execute((transaction) =>
        addCounts(
          transaction,
          sumOf(written, ({ linkId }) => linkId).map(({ linkId, views }) => ({
            link_id: linkId,
            views,
          })),
          sumOf(written, ({ ownerId, day }) => `${ownerId} ${day}`).map(
            ({ ownerId, day, views }) => ({ owner_id: ownerId, day, views }),
          ),
        ),
      );
    } catch (error) {
      for (const views of written) this.#add(views);
      throw error;
    }
  }

  #add({ views, ...of }: Waiting): void {
    const key = `${of.linkId} ${of.day}`;
    const known = this.#waiting.get(key);
    if (known) known.views += views;
    else if (this.#waiting.size < MAX_WAITING) this.#waiting.set(key, { ...of, views });
  }
}

/** The views of each key together. */
function sumOf(counted: Waiting[], keyOf: (counted: Waiting) => string): Waiting[] {
  const sums = new Map<string, Waiting>();
  for (const one of counted) {
    const key = keyOf(one);
    sums.set(key, { ...one, views: one.views + (sums.get(key)?.views ?? 0) });
  }
  return [...sums.values()];
}
