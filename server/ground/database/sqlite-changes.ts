import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import type { Announcer, Change, Publish } from '../lib/changes.ts';
import type { Tables } from './tables.ts';

/** What commands changed. Empty on PostgreSQL, whose processes tell each other by NOTIFY. */
interface OutsideChangeTable {
  id: string;
  /** JSON. */
  change: string;
  announced_at: number;
}

declare module './tables.ts' {
  interface Tables {
    outside_change: OutsideChangeTable;
  }
}

/** Milliseconds. A look takes some microseconds. */
const LOOK_EVERY_MS = 250;
/** Milliseconds. Longer than a server that is alive takes to look. */
const KEPT_MS = 60_000;

interface Options {
  db: Kysely<Tables>;
  onFault(error: Error): void;
}

/** Tells the server that has the same file open, if there is one. */
export function announceByFile({ db, onFault }: Options): Announcer {
  let telling = Promise.resolve();
  async function tell(change: Change): Promise<void> {
    const announced_at = Date.now();
    await db
      .deleteFrom('outside_change')
      .where('announced_at', '<', announced_at - KEPT_MS)
      .execute();
    const told = { id: randomUUID(), change: JSON.stringify(change), announced_at };
    await db.insertInto('outside_change').values(told).execute();
  }
  return {
    publish(change) {
      telling = telling.then(() => tell(change)).catch(onFault);
    },
    told: () => telling,
  };
}

/**
 * Publishes what commands announce in a file that is migrated. It looks on a connection of its own,
 * so that it waits for nobody's transaction.
 * @returns ends it
 */
export function hearByFile(
  file: string,
  { publish, onFault }: Pick<Options, 'onFault'> & { publish: Publish },
): () => void {
  const connection = new DatabaseSync(file, { readOnly: true });
  const statement = connection.prepare(
    'select id, change from outside_change order by announced_at',
  );
  const read = () => statement.all() as { id: string; change: string }[];
  let heard = new Set(read().map(({ id }) => id));
  const timer = setInterval(() => {
    try {
      const rows = read();
      const news = rows.filter(({ id }) => !heard.has(id));
      heard = new Set(rows.map(({ id }) => id));
      for (const { change } of news) publish(JSON.parse(change) as Change);
    } catch (error) {
      onFault(error as Error);
    }
  }, LOOK_EVERY_MS);
  return () => {
    clearInterval(timer);
    connection.close();
  };
}
