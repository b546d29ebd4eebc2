import { randomUUID } from 'node:crypto';
import { postEntry } from '../../server/books/ledger/post-entry.ts';
import { transaction } from '../../server/ground/database/transaction.ts';
import { readUserId, sellFile, signUp, waitUntilUnlocked } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { createPerson, type Person } from '../harness/person.ts';
import type { App } from '../harness/start-app.ts';
import { withDatabase } from '../harness/with-database.ts';

type Place = Pick<App, 'origin' | 'env'>;

/** Creators whose money stands differently. */
export interface MoneyScene {
  /** Has money of every kind, and payouts in every state. */
  earner: Person;
  /** Has begun to open a payout account. */
  beginner: Person;
  /** Owes more than was earned. */
  debtor: Person;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const BANK_ACCOUNT = 'STRIPE TEST BANK ••6789';

export async function openMoneyScene(shop: Place): Promise<MoneyScene> {
  const [earner, beginner, debtor] = [await signUp(shop), await signUp(shop), await signUp(shop)];
  const { id } = await sellFile(earner, { name: 'Notes.pdf', price: 1_000 });
  for (const buyer of [createPerson(shop), createPerson(shop)]) {
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
  }
  await earnBefore(shop, earner, 123_456_789);
  await earnBefore(shop, debtor, -500);
  await reserveSale(shop, id);
  await openAccount(shop, earner, { isReady: true, missing: [] });
  await openAccount(shop, debtor, { isReady: true, missing: [] });
  await openAccount(shop, beginner, {
    isReady: false,
    missing: ['a bank account', 'proof of identity'],
  });
  await bookPayouts(shop, earner);
  return { earner, beginner, debtor };
}

/** Money that is older than any hold; below 0 what refunds took back. */
async function earnBefore(shop: Place, person: Person, amountCents: number): Promise<void> {
  const ownerId = await readUserId(person);
  await withDatabase(shop, (db) =>
    transaction(db, (trx) =>
      postEntry(
        trx,
        {
          kind: 'write_off',
          cause: `write_off:${randomUUID()}`,
          mode: 'test',
          providerAccount: 'operator',
          currency: 'usd',
          purchaseId: null,
          linkId: null,
          soldAt: 1,
          lines: [
            { account: 'creator', ownerId, amountCents },
            { account: 'bad_debt', amountCents: -amountCents },
          ],
        },
        Date.now(),
      ),
    ),
  );
}

/** As while a refund of one sale is under way. */
async function reserveSale(shop: Place, linkId: string): Promise<void> {
  await withDatabase(shop, async (db) => {
    const sales = db.selectFrom('purchase').where('link_id', '=', linkId).selectAll();
    const { id, seller_id, mode, settled_at } = await sales.executeTakeFirstOrThrow();
    await db
      .insertInto('reserve')
      .values({
        purchase_id: id,
        owner_id: seller_id,
        mode,
        amount_cents: 920,
        sold_at: settled_at ?? 0,
      })
      .execute();
  });
}

async function openAccount(
  shop: Place,
  person: Person,
  { isReady, missing }: { isReady: boolean; missing: string[] },
): Promise<void> {
  const owner_id = await readUserId(person);
  const at = Date.now();
  await withDatabase(shop, (db) =>
    db
      .insertInto('payout_account')
      .values({
        owner_id,
        mode: 'test',
        account_id: `acct_${randomUUID()}`,
        is_ready: isReady ? 1 : 0,
        missing: JSON.stringify(missing),
        bank_account: isReady ? BANK_ACCOUNT : null,
        changed_at: null,
        created_at: at,
        updated_at: at,
      })
      .execute(),
  );
}

const PAYOUTS = [
  { state: 'requested', note: 'It is waiting for approval, as every first payout does.' },
  { state: 'sent', note: null },
  { state: 'paid', note: null },
  {
    state: 'failed',
    note: 'The bank account was closed. It is tried again once you have changed the bank account, or in a day.',
  },
  { state: 'reversed', note: 'The bank account was closed.' },
] as const;

async function bookPayouts(shop: Place, person: Person): Promise<void> {
  const owner_id = await readUserId(person);
  await withDatabase(shop, async (db) => {
    for (const [index, { state, note }] of PAYOUTS.entries()) {
      const at = Date.now() - index * 9 * DAY_MS;
      await db
        .insertInto('payout')
        .values({
          id: randomUUID(),
          owner_id,
          mode: 'test',
          provider_account: 'acct',
          state,
          note,
          account_id: 'acct',
          bank_account: BANK_ACCOUNT,
          amount_cents: 3_950 + 1_375 * index ** 5,
          cost_cents: 25,
          approved_at: null,
          asked_at: null,
          transfer_id: null,
          sent_id: null,
          tries: 0,
          failures: 0,
          try_at: null,
          returning_because: null,
          requested_at: at,
          changed_at: at,
        })
        .execute();
    }
  });
}
