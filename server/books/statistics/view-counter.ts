import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { dayOf } from '../../ground/lib/time.ts';
import { addCounts } from './counts.ts';
import { admitSources } from './sources.ts';
import type { SourceCounts } from './tables.ts';

/** Links and sources with views that wait to be written. Beyond it views are not counted. */
const MAX_WAITING = 10_000;

type Waiting = SourceCounts & { views: number };

interface View extends Visit {
  ownerId: string;
}

/**
 * Counts views in memory, so that no page waits for them, and writes them when told to: what was
 * not written when the process dies is lost. Each process recognizes its own visitors.
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
    const { linkId: link_id, ownerId: owner_id, source } = visit;
    this.#add({ link_id, owner_id, source, day: dayOf(now), views: 1 });
  }

  /**
   * How many views are written with a checkout that begins, so that a link never shows more checkouts
   * than views: the one that led to it, unless it is written already. Whoever loaded no image has
   * seen the page all the same.
   */
  ofCheckout(visit: Visit): number {
    const now = this.#now();
    if (!this.#visitors.isLooking(visit, now)) return 1;
    const { linkId: link_id, source } = visit;
    const key = keyOf({ link_id, source, day: dayOf(now) });
    const waiting = this.#waiting.get(key);
    if (!waiting) return 0;
    waiting.views -= 1;
    if (waiting.views === 0) this.#waiting.delete(key);
    return 1;
  }

  /** Writes what was counted. What could not be written waits for the next time. */
  async flush(): Promise<void> {
    const written = [...this.#waiting.values()];
    if (written.length === 0) return;
    this.#waiting = new Map();
    try {
      await transaction(this.#db, async (trx) =>
        addCounts(
          trx,
          written.map(({ link_id, views }) => ({ link_id, views })),
          written.map(({ owner_id, day, views }) => ({ owner_id, day, views })),
          await admitSources(trx, written),
        ),
      );
    } catch (error) {
      for (const views of written) this.#add(views);
      throw error;
    }
  }

  #add({ views, ...of }: Waiting): void {
    const key = keyOf(of);
    const known = this.#waiting.get(key);
    if (known) known.views += views;
    else if (this.#waiting.size < MAX_WAITING) this.#waiting.set(key, { ...of, views });
  }
}

const keyOf = ({ link_id, day, source }: Pick<Waiting, 'link_id' | 'day' | 'source'>) =>
  `${link_id} ${day} ${source}`;

const HALF_HOUR_MS = 30 * 60 * 1000;
/** A household or a classroom: whoever asks chooses the user agent, but not the address. */
const MOST_OF_ADDRESS = 20;
/** About 6 MB of each kind. Beyond it the oldest are forgotten, and counted again. */
const MOST_REMEMBERED = 50_000;

interface Visit {
  linkId: string;
  /** Network address and user agent: neither is kept. */
  address: string;
  agent: string;
  /** As `contract/sources.ts` writes it. */
  source: string;
}

/**
 * Remembers whose views were counted: each visitor of a link once in half an hour, and at most 20
 * from one address. They are recognized by hashes whose salt changes daily and is never stored.
 */
class Visitors {
  #salt = randomBytes(32);
  #saltDay = -1;
  /** When visitors were counted, oldest first. */
  readonly #visitors = new Map<string, number>();
  /** Those whose view no checkout has followed, with where they came from, oldest first. */
  readonly #looking = new Map<string, number>();
  /** What addresses added to a link since the first of it, oldest first. */
  readonly #addresses = new Map<string, { since: number; views: number }>();

  /** Whether a view counts at `now`, in UTC milliseconds; it is remembered if so. */
  isNew({ linkId, address, agent, source }: Visit, now: number): boolean {
    this.#changeSalt(dayOf(now));
    const visitor = this.#hash(linkId, address, agent);
    if (isRecent(this.#visitors.get(visitor), now)) return false;
    const place = this.#hash(linkId, address);
    const known = this.#addresses.get(place);
    const added = known && isRecent(known.since, now) ? known : { since: now, views: 0 };
    if (added.views >= MOST_OF_ADDRESS) return false;
    added.views += 1;
    if (added !== known) putLast(this.#addresses, place, added);
    putLast(this.#visitors, visitor, now);
    putLast(this.#looking, this.#hash(linkId, address, agent, source), now);
    return true;
  }

  /** Whether a counted view led to this checkout, and to none before; if not, it counts as seen now. */
  isLooking({ linkId, address, agent, source }: Visit, now: number): boolean {
    this.#changeSalt(dayOf(now));
    if (this.#looking.delete(this.#hash(linkId, address, agent, source))) return true;
    putLast(this.#visitors, this.#hash(linkId, address, agent), now);
    return false;
  }

  #changeSalt(day: number): void {
    if (day === this.#saltDay) return;
    this.#salt = randomBytes(32);
    this.#saltDay = day;
    this.#visitors.clear();
    this.#looking.clear();
    this.#addresses.clear();
  }

  #hash(...parts: string[]): string {
    const hash = createHash('sha256').update(this.#salt).update(JSON.stringify(parts));
    return hash.digest('base64url').slice(0, 22);
  }
}

function isRecent(time: number | undefined, now: number): boolean {
  return time !== undefined && now - time < HALF_HOUR_MS;
}

function putLast<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  if (map.size >= MOST_REMEMBERED) map.delete(map.keys().next().value as string);
  map.set(key, value);
}
