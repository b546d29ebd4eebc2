import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { type Announcer, type Change, type Changes, createLocalChanges } from '../lib/changes.ts';
import { gather } from '../lib/gather.ts';
import { CONNECTION } from './postgres.ts';
import { connectToPrimary } from './primary.ts';
import type { Tables } from './tables.ts';

const CHANNEL = 'padlink_change';
const RECONNECT_MS = 1_000;

interface Options {
  url: string;
  db: Kysely<Tables>;
  onFault(error: Error): void;
}

interface Notice {
  /** The process it comes from, which has told its own listeners already. */
  from: string;
  change: Change;
}

/** Tells every process that listens on one PostgreSQL, but for the one it is `from`. */
export function announceByNotify(
  { db, onFault }: Pick<Options, 'db' | 'onFault'>,
  from = randomUUID(),
): Announcer {
  const send = gather((notices: Notice[]) => {
    const texts = notices.map((notice) => JSON.stringify(notice));
    return sql`select pg_notify(${CHANNEL}, notice) from unnest(${texts}::text[]) notice`
      .execute(db)
      .catch(onFault);
  });
  let last: Promise<unknown> = Promise.resolve();
  return {
    publish(change) {
      last = send({ from, change });
    },
    told: async () => void (await last),
  };
}

/** The changes of every process on one PostgreSQL, by LISTEN and NOTIFY. */
export async function openPostgresChanges({
  url,
  db,
  onFault,
}: Options): Promise<Changes & { close(): Promise<void> }> {
  const local = createLocalChanges();
  const from = randomUUID();
  const others = announceByNotify({ db, onFault }, from);
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let listening = await listen();

  async function listen(): Promise<pg.Client> {
    const client = await connectToPrimary(url, {
      ...CONNECTION,
      query_timeout: CONNECTION.connectionTimeoutMillis,
    });
    client.on('notification', ({ payload }) => {
      const notice = JSON.parse(payload ?? '') as Notice;
      if (notice.from !== from) local.publish(notice.change);
    });
    client.once('end', () => reconnectSoon());
    client.on('error', onFault);
    try {
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      client.removeAllListeners('end');
      await client.end().catch(() => {});
      throw error;
    }
    return client;
  }

  function reconnectSoon(): void {
    if (closed) return;
    timer = setTimeout(() => void reconnect(), RECONNECT_MS);
  }

  async function reconnect(): Promise<void> {
    try {
      listening = await listen();
    } catch (error) {
      onFault(error as Error);
      reconnectSoon();
      return;
    }
    if (closed) await listening.end();
    else local.missed();
  }

  return {
    publish(change) {
      local.publish(change);
      others.publish(change);
    },
    subscribe: local.subscribe,
    async close() {
      closed = true;
      clearTimeout(timer);
      await listening.end();
      await others.told();
    },
  };
}
