import { expect } from 'vitest';
import type { Database } from '../../server/ground/database/tables.ts';
import { checkLedger } from '../../server/money/payments/check-ledger.ts';
import { eventually } from '../harness/eventually.ts';
import { createPerson, type Person } from '../harness/person.ts';
import type { App } from '../harness/start-app.ts';
import { letHappen, stripeOf } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';
import { graphql, readUserId, sellFile, updateLink, waitUntilUnlocked } from './factories.ts';
import { CARDS, checkOut, payAt } from './payment.ts';

type Balance = { balance: number; pending: number; available: number };
type Accounts = Record<string, number>;

/** Everything that the balance call says of a creator, in cents. */
export async function readWholeBalance(person: Person): Promise<Balance> {
  const { getUserBalance } = await graphql<{ getUserBalance: Balance }>(
    person,
    'query ($id: ID!) { getUserBalance(id: $id) { balance pending available } }',
    { id: await readUserId(person) },
  );
  return getUserBalance;
}

/** A file of the seller's that a new buyer paid with the card, and the provider's payment. */
export async function sellOnce(
  seller: Person,
  sandboxPort: number,
  { card = CARDS.pays, price = 1000, title = '' } = {},
) {
  const { id } = await sellFile(seller, { price });
  if (title) await updateLink(seller, { id, title });
  return { id, ...(await buyOnce(seller, sandboxPort, id, card)) };
}

/**
 * The same, which the buyer's bank contests once the file was handed over. The card that is contested
 * by itself leaves two seconds for that.
 */
export async function sellDisputed(seller: Person, sandboxPort: number, { price = 1000 } = {}) {
  const sale = await sellOnce(seller, sandboxPort, { price });
  await letHappen(sandboxPort, 'disputes', { payment_intent: sale.payment });
  return sale;
}

/** A new buyer who paid for a link with the card, and the provider's payment. */
export async function buyOnce(seller: Person, sandboxPort: number, id: string, card = CARDS.pays) {
  const buyer = createPerson(seller);
  const answer = await payAt(buyer, await checkOut(buyer, id), card);
  const success = new URL(answer.headers.get('location') ?? '');
  const session = success.searchParams.get('session_id') ?? '';
  await waitUntilUnlocked(buyer, id);
  const { payment_intent } = await stripeOf(sandboxPort).checkout.sessions.retrieve(session);
  return { buyer, payment: String(payment_intent) };
}

/** Waits until the accounts of the link's sales hold this, and the books are in order. */
export async function expectBooks(
  app: Pick<App, 'env'>,
  linkId: string,
  accounts: Accounts,
): Promise<void> {
  await withDatabase(app, async (db) => {
    await eventually(async () => {
      const rows = await db
        .selectFrom('ledger_line')
        .innerJoin('ledger_entry', 'ledger_entry.id', 'ledger_line.entry_id')
        .innerJoin('purchase', 'purchase.id', 'ledger_entry.purchase_id')
        .where('purchase.link_id', '=', linkId)
        .groupBy('account')
        .select(({ fn }) => ['account', fn.sum<number | string>('amount_cents').as('cents')])
        .execute();
      const held = Object.fromEntries(rows.map(({ account, cents }) => [account, Number(cents)]));
      expect(held).toEqual(accounts);
    });
    expect(await checkLedger(db)).toEqual([]);
  });
}

/** Of a job that failed and is tried again; milliseconds. */
const SOON_MS = 30_000;

/** Waits until the provider's latest events have all arrived, and no job is due, or soon tried again. */
export function waitUntilIdle(db: Database, sandboxPort: number, now = Date.now): Promise<void> {
  return eventually(
    async () => {
      const { data } = await stripeOf(sandboxPort).events.list({ limit: 10 });
      expect(data.every((event) => event.pending_webhooks === 0)).toBe(true);
      const due = db
        .selectFrom('job')
        .select('kind')
        .where(({ eb, or, and }) =>
          or([
            eb('run_at', '<=', now()),
            and([eb('attempts', '>', 0), eb('run_at', '<=', now() + SOON_MS)]),
          ]),
        )
        .where('died_at', 'is', null);
      expect(await due.execute()).toEqual([]);
    },
    { intervalMs: 5 },
  );
}

/** Waits until every event that the provider sent was acted on. */
export async function waitUntilHandled(app: Pick<App, 'env'>): Promise<void> {
  await withDatabase(app, (db) =>
    eventually(async () => {
      const waiting = await db
        .selectFrom('webhook_event')
        .where('handled_at', 'is', null)
        .select(['id', 'type'])
        .execute();
      expect(waiting).toEqual([]);
    }),
  );
}
