import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Leadership, Leases } from '../lib/processes.ts';
import { unavailable } from './dialect.ts';
import type { Database } from './tables.ts';

/** A lease is renewed while it is held, so that a killed process's are free soon after. */
const LEASE_MS = 6_000;
const RENEW_MS = 2_000;
/** Between two tries to get a lease that another process holds. */
const TRY_AGAIN_MS = 100;
/** Longer than a holder needs that was killed, or that has to end its work first. */
const PATIENCE_MS = 15_000;

interface LeaseTable {
  name: string;
  /** Of whoever holds it: a new one each time. */
  holder: string;
  /** Where its holder keeps what it leads in. */
  place: string | null;
  /** Whether another process waits for it. */
  wanted: boolean;
  expires_at: Date;
}

declare module './tables.ts' {
  interface Tables {
    lease: LeaseTable;
  }
}

interface Context {
  db: Database;
  /** Told why a lease could not be renewed or given back. */
  onFault(error: unknown): void;
}

type Held = { release(): Promise<void> };

export function createLeases(db: Database, onFault: Context['onFault']): Leases {
  const context = { db, onFault };
  return {
    turn: async (name, ms) => (await take(db, name, ms)) !== null,
    acquire: (name, giveBack) => acquire(context, name, giveBack),
    lead: (name, place) => lead(context, name, place),
  };
}

/** @returns who holds it from now on; null while another process does */
async function take(db: Database, name: string, ms: number, place: string | null = null) {
  const holder = randomUUID();
  const { rows } = await sql<{ name: string }>`
    insert into lease (name, holder, place, expires_at)
    values (${name}, ${holder}, ${place}, ${fromNow(ms)})
    on conflict (name) do update set holder = excluded.holder,
      place = coalesce(excluded.place, lease.place), wanted = false,
      expires_at = excluded.expires_at
    where lease.expires_at <= clock_timestamp()
    returning name`.execute(db);
  return rows.length > 0 ? holder : null;
}

/** Null while another process holds it. */
async function hold(context: Context, name: string, giveBack: () => void, place?: string) {
  const { db, onFault } = context;
  const holder = await take(db, name, LEASE_MS, place);
  if (holder === null) return null;
  let renewedAt = performance.now();
  const timer = setInterval(() => {
    // A database that swallows what it is asked fails no statement for long.
    if (performance.now() - renewedAt > LEASE_MS) giveBack();
    void renew();
  }, RENEW_MS);
  async function renew(): Promise<void> {
    const began = performance.now();
    try {
      const { rows } = await sql<{ wanted: boolean }>`
        update lease set expires_at = ${fromNow(LEASE_MS)}
        where name = ${name} and holder = ${holder} returning wanted`.execute(db);
      renewedAt = began;
      if (rows[0]?.wanted !== false) giveBack();
    } catch (error) {
      onFault(error);
    }
  }
  return {
    async release() {
      clearInterval(timer);
      await sql`delete from lease where name = ${name} and holder = ${holder}`
        .execute(db)
        .catch(onFault);
    },
  };
}

async function acquire(context: Context, name: string, giveBack: () => void) {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const held = await hold(context, name, giveBack);
    if (held) return { [Symbol.asyncDispose]: held.release };
    if (performance.now() > end) throw unavailable(new Error(`The lease ${name} is not free`));
    await sql`update lease set wanted = true where name = ${name}`.execute(context.db);
    await sleep(TRY_AGAIN_MS);
  }
}

async function lead(context: Context, name: string, ownPlace: string): Promise<Leadership> {
  const { db, onFault } = context;
  let held: Held | null = null;
  let begin: (() => () => Promise<void>) | undefined;
  let end: (() => Promise<void>) | undefined;
  let closed = false;
  let looking: Promise<void> = Promise.resolve();
  const next = (step: () => Promise<void>) => {
    looking = looking.then(step).catch(onFault);
  };

  async function stopLeading(): Promise<void> {
    const [was, ending] = [held, end];
    held = null;
    end = undefined;
    await ending?.();
    await was?.release();
  }

  async function look(): Promise<void> {
    if (closed) return;
    held ??= await hold(context, name, () => next(stopLeading), place);
    if (held) end ??= begin?.();
  }

  let place = ownPlace;
  await look();
  if (!held) place = (await readPlace(db, name)) ?? ownPlace;
  const timer = setInterval(() => next(look), RENEW_MS);
  return {
    place,
    work(beginning) {
      begin = beginning;
      next(look);
    },
    async close() {
      closed = true;
      clearInterval(timer);
      await looking;
      await stopLeading();
    },
  };
}

async function readPlace(db: Database, name: string): Promise<string | null> {
  const row = await db
    .selectFrom('lease')
    .where('name', '=', name)
    .select('place')
    .executeTakeFirst();
  return row?.place ?? null;
}

const fromNow = (ms: number) => sql`clock_timestamp() + ${`${ms} milliseconds`}::interval`;

/** What a killed process held and nobody asked for since. */
export async function sweepLeases(db: Database): Promise<void> {
  await sql`delete from lease where expires_at < clock_timestamp() - interval '1 day'`.execute(db);
}
