import { randomUUID } from 'node:crypto';
import { texts } from '../../../contract/fact.ts';
import { type Entry, postEntry } from '../../books/ledger/post-entry.ts';
import type { DatabaseTransaction } from '../../ground/database/tables.ts';
import { announce } from '../../ground/database/transaction.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import type { Payout } from './tables.ts';

type NewPayout = Pick<
  Payout,
  | 'owner_id'
  | 'mode'
  | 'provider_account'
  | 'account_id'
  | 'bank_account'
  | 'amount_cents'
  | 'cost_cents'
>;

/**
 * Writes a payout with its entry and the job that follows it to its end. A creator's first one, and
 * each further one until the operator has approved one, waits for the operator, who is mailed.
 */
export async function bookPayout(
  trx: DatabaseTransaction,
  asked: NewPayout,
  now: number,
): Promise<Payout> {
  const approved = await trx
    .selectFrom('payout')
    .where('owner_id', '=', asked.owner_id)
    .where('mode', '=', asked.mode)
    .where('approved_at', 'is not', null)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  const payout = await trx
    .insertInto('payout')
    .values({
      ...asked,
      id: randomUUID(),
      state: 'requested',
      approved_at: approved ? now : null,
      note: approved ? null : texts('It is waiting for approval, as every first payout does.'),
      asked_at: null,
      transfer_id: null,
      sent_id: null,
      tries: 0,
      failures: 0,
      try_at: null,
      returning_because: null,
      requested_at: now,
      changed_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await postEntry(trx, entryOf(payout), now);
  await enqueue(trx, 'follow-payout', { payoutId: payout.id, once: false }, now);
  if (!approved) await enqueue(trx, 'send-payout-waits', { payoutId: payout.id }, now);
  return payout;
}

/**
 * Books a payout back, once, and ends it: nothing of it may be on its way any more.
 * @param tell whether the creator, who knows when it was their own wish, is mailed
 * @returns whether it was booked back now
 */
export async function bookBack(
  trx: DatabaseTransaction,
  id: string,
  { because, tell }: { because: string; tell: boolean },
  now: number,
): Promise<boolean> {
  const payout = await trx
    .updateTable('payout')
    .set({ state: 'reversed', note: because, changed_at: now })
    .where('id', '=', id)
    .where('state', '!=', 'reversed')
    .returningAll()
    .executeTakeFirst();
  if (!payout) return false;
  const { lines, ...entry } = entryOf(payout);
  const back = lines.map((line) => ({ ...line, amountCents: -line.amountCents }));
  const reversal = { kind: 'payout_reversal', cause: `payout_reversal:${id}` } as const;
  await postEntry(trx, { ...entry, ...reversal, lines: back }, now);
  if (tell) await enqueue(trx, 'send-payout-notice', { payoutId: id, notice: 'reversed' }, now);
  announcePayout(trx, payout);
  return true;
}

/** Open pages of the creator ask again, as for a change of the balance. */
export function announcePayout(
  db: Parameters<typeof announce>[0],
  { owner_id: ownerId }: Pick<Payout, 'owner_id'>,
): void {
  announce(db, { kind: 'balance-changed', id: ownerId, ownerId });
}

/** What it costs the creator is the platform's, which is charged for it by the provider. */
function entryOf(payout: Payout): Entry {
  const { owner_id: ownerId, amount_cents: amountCents, cost_cents: costCents } = payout;
  const cost = costCents === 0 ? [] : [{ account: 'payout_fee' as const, amountCents: costCents }];
  return {
    kind: 'payout',
    cause: `payout:${payout.id}`,
    mode: payout.mode,
    providerAccount: payout.provider_account,
    currency: 'usd',
    purchaseId: null,
    linkId: null,
    soldAt: null,
    lines: [
      { account: 'creator', ownerId, amountCents: -amountCents },
      { account: 'payout_in_transit', amountCents: amountCents - costCents },
      ...cost,
    ],
  };
}
