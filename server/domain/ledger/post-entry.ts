import { randomUUID } from 'node:crypto';
import type { DatabaseTransaction } from '../tables.ts';
import type { EntryKind } from './tables.ts';

/** Every account of the journal. Creators' accounts carry their owner. */
type Account = 'provider' | 'creator' | 'platform_fee';

interface Line {
  account: Account;
  ownerId?: string;
  /** Signed cents: positive credits the account. */
  amountCents: number;
}

export interface Entry {
  kind: EntryKind;
  /** What happened, uniquely: the same cause is never booked twice. */
  cause: string;
  mode: 'test' | 'live';
  providerAccount: string;
  currency: string;
  purchaseId: string | null;
  lines: Line[];
}

/**
 * Books one balanced entry and keeps the balances of its creators, in the caller's transaction.
 * A cause that is already booked changes nothing.
 * @returns whether the entry was booked now
 * @throws RangeError when the lines are not integer cents that sum to zero
 */
export async function postEntry(
  transaction: DatabaseTransaction,
  entry: Entry,
  now: number,
): Promise<boolean> {
  assertBalanced(entry.lines);
  const booked = await transaction
    .insertInto('ledger_entry')
    .values({
      id: randomUUID(),
      kind: entry.kind,
      cause: entry.cause,
      mode: entry.mode,
      provider_account: entry.providerAccount,
      currency: entry.currency,
      purchase_id: entry.purchaseId,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('cause').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!booked) return false;
  await transaction
    .insertInto('ledger_line')
    .values(
      entry.lines.map((line, position) => ({
        entry_id: booked.id,
        position,
        account: line.account,
        owner_id: line.ownerId ?? null,
        amount_cents: line.amountCents,
      })),
    )
    .execute();
  for (const line of entry.lines) {
    if (line.ownerId) await addToBalance(transaction, line.ownerId, entry.mode, line, now);
  }
  return true;
}

function assertBalanced(lines: Line[]): void {
  const sum = lines.reduce((total, line) => total + line.amountCents, 0);
  if (sum !== 0 || !lines.every((line) => Number.isSafeInteger(line.amountCents))) {
    throw new RangeError('The lines of a ledger entry are integer cents that sum to zero');
  }
}

async function addToBalance(
  transaction: DatabaseTransaction,
  ownerId: string,
  mode: Entry['mode'],
  line: Line,
  now: number,
): Promise<void> {
  await transaction
    .insertInto('user_balance')
    .values({
      owner_id: ownerId,
      mode,
      balance_cents: line.amountCents,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['owner_id', 'mode']).doUpdateSet((update) => ({
        balance_cents: update('user_balance.balance_cents', '+', line.amountCents),
        updated_at: now,
      })),
    )
    .execute();
}
