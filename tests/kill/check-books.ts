import { sql } from 'kysely';
import type Stripe from 'stripe';
import { expect } from 'vitest';
import { dialectOf } from '../../server/ground/database/dialect.ts';
import type { Database } from '../../server/ground/database/tables.ts';
import type { JobKind } from '../../server/ground/outbox/tables.ts';
import { checkLedger } from '../../server/money/payments/check-ledger.ts';
import { seeLink, storageUrl } from '../factories/factories.ts';
import { eventually } from '../harness/eventually.ts';
import type { Person } from '../harness/person.ts';
import { readStages, skipWaits } from './payouts.ts';
import { type Buyer, sha256 } from './shop.ts';

/** What is looked at again minutes or days later, however it went. */
const BY_THE_CLOCK: JobKind[] = [
  ...(['follow-checkout', 'follow-payout', 'follow-payout-account'] as const),
  // Of more than ten within an hour.
  'send-sales',
];

/** Waits until the provider has told everything and all of it was acted on. */
export async function waitUntilSettled(stripe: Stripe, db: Database): Promise<void> {
  await eventually(
    async () => {
      await skipWaits(db);
      for await (const event of stripe.events.list({ limit: 100 })) {
        expect(event).toMatchObject({ pending_webhooks: 0 });
      }
      const waiting = await db
        .selectFrom('job')
        .where('lane', '!=', 'mail')
        .where((is) => is.or([is('kind', 'not in', BY_THE_CLOCK), is('run_at', '<=', Date.now())]))
        .selectAll()
        .execute();
      expect(waiting).toEqual([]);
      expect(await readStages(db)).toEqual([]);
      const unhandled = db.selectFrom('webhook_event').where('handled_at', 'is', null);
      expect(await unhandled.select(['id', 'type']).execute()).toEqual([]);
    },
    { timeoutMs: 120_000, intervalMs: 500 },
  );
}

/**
 * Everything that was paid was granted once, and both books hold the same cents.
 * @returns how many carts were paid
 */
export async function expectEqualBooks(stripe: Stripe, db: Database): Promise<number> {
  const paid: string[] = [];
  let paidCents = 0;
  for await (const session of stripe.checkout.sessions.list({ limit: 100 })) {
    if (session.payment_status !== 'paid') continue;
    paid.push(session.id);
    paidCents += session.amount_total ?? 0;
  }
  const grants = await db
    .selectFrom('purchase')
    .leftJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
    .innerJoin('payment', 'payment.id', 'purchase.payment_id')
    .where('purchase.state', '=', 'settled')
    .select(['session_id', 'price_cents', 'access_grant.id as grant_id'])
    .execute();
  const granted = new Set(grants.map(({ session_id }) => session_id));
  expect([...granted].toSorted()).toEqual(paid.toSorted());
  expect(grants.filter(({ grant_id }) => grant_id === null)).toEqual([]);
  expect(grants.reduce((sum, { price_cents }) => sum + price_cents, 0)).toBe(paidCents);

  const { available, pending } = await stripe.balance.retrieve();
  const held = [...available, ...pending].reduce((sum, { amount }) => sum + amount, 0);
  const { booked } = await db
    .selectFrom('ledger_line')
    .where('account', '=', 'provider')
    .select(({ fn }) => fn.sum<number | string | null>('amount_cents').as('booked'))
    .executeTakeFirstOrThrow();
  expect(Number(booked) + held).toBe(0);
  expect(await checkLedger(db)).toEqual([]);
  const dead = db.selectFrom('job').where('died_at', 'is not', null).selectAll();
  expect(await dead.execute()).toEqual([]);
  return grants.length - paid.length;
}

/** Whoever paid and was not refunded in full downloads what the seller uploaded. */
export async function expectDelivered(stripe: Stripe, buyers: Buyer[]): Promise<number> {
  const refunded = new Set<unknown>();
  for await (const charge of stripe.charges.list({ limit: 100 })) {
    if (charge.refunded) refunded.add(charge.payment_intent);
  }
  const paid = new Map<string, boolean>();
  for await (const session of stripe.checkout.sessions.list({ limit: 100 })) {
    if (session.payment_status === 'paid') {
      paid.set(session.id, !refunded.has(session.payment_intent));
    }
  }
  for (const { person, goods, sessions } of buyers) {
    const kept = [...sessions].flatMap((session) => paid.get(session) ?? []);
    if (kept.length === 0) continue;
    for (const good of goods) {
      expect(await seeLink(person, good.id)).toMatchObject({ unlocked: kept.includes(true) });
      if (kept.includes(true)) await expectWhole(person, good);
    }
  }
  return paid.size;
}

export async function expectWhole(
  person: Person,
  { id, sha256: expected }: Buyer['goods'][number],
): Promise<void> {
  const key = (await seeLink(person, id))?.key ?? '';
  const answer = await fetch(await storageUrl(person, key));
  expect(sha256(new Uint8Array(await answer.arrayBuffer()))).toBe(expected);
}

/** Every table, column, index and trigger, as text to be compared. */
export async function describeSchema(db: Database): Promise<string[]> {
  const query =
    dialectOf(db) === 'sqlite'
      ? sql<{ line: string }>`select type || ' ' || name || ' ' || coalesce(sql, '') as line
          from sqlite_master where name not like 'sqlite_stat%'`
      : sql<{ line: string }>`select 'index ' || indexdef as line from pg_indexes
          where schemaname = 'public'
          union all select 'trigger ' || tgname from pg_trigger where not tgisinternal
          union all select 'column ' || table_name || ' ' || column_name || ' ' || data_type
          from information_schema.columns where table_schema = 'public'`;
  const { rows } = await query.execute(db);
  return rows.map(({ line }) => line).toSorted();
}
