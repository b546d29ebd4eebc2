import { sql } from 'kysely';
import type { SharedCount, SharedCounts } from '../lib/processes.ts';
import type { Database, DatabaseContext } from './tables.ts';

/** How long a change waits for others, in milliseconds: all of that time make one statement. */
const GATHER_MS = 200;

interface SharedCountTable {
  name: string;
  taken: number;
  /** UTC milliseconds. */
  ends_at: number;
}

declare module './tables.ts' {
  interface Tables {
    shared_count: SharedCountTable;
  }
}

interface Change {
  by: number;
  count: SharedCount;
}

interface Context extends DatabaseContext {
  onFault(error: unknown): void;
}

/**
 * Adds what each process counts to one table, several times a second and all together, and learns
 * how far the others have come with the same. Nobody waits for it: while the database is away, each
 * process counts for itself.
 */
export function createSharedCounts({ db, now, onFault }: Context): SharedCounts & {
  close(): Promise<void>;
} {
  let changes = new Map<string, Change>();
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();

  // A count that was given back is forgotten by whoever counts, and the next one is another; what
  // waits for one whose time has ended is not part of the next.
  function changed(name: string, by: number, count: SharedCount): void {
    const at = now();
    if (count.endsAt <= at) return;
    const known = changes.get(name);
    const waiting = known && known.count.endsAt > at ? known.by : 0;
    changes.set(name, { by: by + waiting, count });
    timer ??= setTimeout(send, GATHER_MS);
  }

  function send(): void {
    sending = exchange()
      .catch(onFault)
      .finally(() => {
        timer = changes.size > 0 ? setTimeout(send, GATHER_MS) : undefined;
      });
  }

  async function exchange(): Promise<void> {
    const sent = changes;
    changes = new Map();
    try {
      for (const { name, taken, ends_at } of await add(sent)) {
        const later = changes.get(name);
        const count = (later ?? sent.get(name))?.count;
        if (!count || ends_at <= now()) continue;
        // What is given back may be more than a table holds that forgot a count.
        count.taken = Math.max(0, taken + (later?.by ?? 0));
        count.endsAt = ends_at;
      }
    } catch (error) {
      for (const [name, { by, count }] of sent) {
        if (count.endsAt > now()) changed(name, by, changes.get(name)?.count ?? count);
      }
      throw error;
    }
  }

  /** In the order of their names, so that no two processes wait for each other. */
  async function add(sent: Map<string, Change>): Promise<SharedCountTable[]> {
    const ordered = [...sent].sort(([one], [other]) => (one < other ? -1 : 1));
    const names = ordered.map(([name]) => name);
    const by = ordered.map(([, change]) => change.by);
    const ends = ordered.map(([, { count }]) => count.endsAt);
    const at = now();
    const { rows } = await sql<SharedCountTable>`
      insert into shared_count as kept (name, taken, ends_at)
      select name, taken, ends_at
      from unnest(${names}::text[], ${by}::integer[], ${ends}::bigint[])
        as sent (name, taken, ends_at)
      on conflict (name) do update set
        taken = greatest(0, excluded.taken + case when kept.ends_at > ${at} then kept.taken else 0 end),
        ends_at = case when kept.ends_at > ${at} then kept.ends_at else excluded.ends_at end
      returning name, taken, ends_at`.execute(db);
    return rows;
  }

  return {
    changed,
    async close() {
      clearTimeout(timer);
      await sending;
      if (changes.size > 0) await exchange().catch(onFault);
      clearTimeout(timer);
    },
  };
}

export async function sweepSharedCounts(db: Database, now: number): Promise<void> {
  await db.deleteFrom('shared_count').where('ends_at', '<=', now).execute();
}
