import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../tables.ts';
import { addCounts } from './add-counts.ts';
import { dayOf } from './day-of.ts';

/** The same visitor of the same link is counted once in this time. */
const ONE_VISIT_MS = 30 * 60 * 1000;
/** About 6 MB. Beyond it the oldest visitors are forgotten, and counted again when they return. */
const MAX_VISITORS = 50_000;
/** Links with views that wait to be written. Beyond it views are not counted. */
const MAX_WAITING = 10_000;

export interface Visit {
  linkId: string;
  ownerId: string;
  /** Network address and user agent: neither is kept. */
  address: string;
  agent: string;
}

interface Waiting {
  linkId: string;
  ownerId: string;
  day: number;
  views: number;
}

/**
 * Counts views in memory, so that no page waits for it, and writes them when told to: what was not
 * written when the process dies is lost. A visitor is known by a hash whose salt changes daily and
 * is never stored; each process knows its own.
 */
export class ViewCounter {
  readonly #db: Database;
  readonly #now: () => number;
  #salt = randomBytes(32);
  #saltDay = -1;
  /** Visitors and when they were counted, oldest first. */
  readonly #seen = new Map<string, number>();
  #waiting = new Map<string, Waiting>();

  constructor(db: Database, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  count(visit: Visit): void {
    const now = this.#now();
    const day = dayOf(now);
    if (!this.#isNew(visit, now, day)) return;
    this.#add({ linkId: visit.linkId, ownerId: visit.ownerId, day, views: 1 });
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

  #isNew({ linkId, address, agent }: Visit, now: number, day: number): boolean {
    if (day !== this.#saltDay) {
      this.#salt = randomBytes(32);
      this.#saltDay = day;
      this.#seen.clear();
    }
    const visitor = createHash('sha256')
      .update(this.#salt)
      .update(JSON.stringify([linkId, address, agent]))
      .digest('base64url')
      .slice(0, 22);
    const countedAt = this.#seen.get(visitor);
    if (countedAt !== undefined && now - countedAt < ONE_VISIT_MS) return false;
    this.#seen.delete(visitor);
    if (this.#seen.size >= MAX_VISITORS) {
      this.#seen.delete(this.#seen.keys().next().value as string);
    }
    this.#seen.set(visitor, now);
    return true;
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
