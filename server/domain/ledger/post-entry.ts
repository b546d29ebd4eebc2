import { randomUUID } from 'node:crypto';
import type { DatabaseTransaction } from '../tables.ts';
import { addToBalance } from './add-to-balance.ts';
import { countEntry } from './count-entry.ts';
import type { Entry, Line } from './entry.ts';

/** A cause is booked already, with other lines: one of the two is wrong, so neither is taken. */
export class EntryConflictError extends Error {
  override name = 'EntryConflictError';
}

/**
 * Books one balanced entry and keeps the balances and statistics of its creators, in the
 * caller's transaction.
 * An entry that is already booked changes nothing.
 * @returns whether the entry was booked now
 * @throws RangeError when the lines are not integer cents that sum to zero
 * @throws EntryConflictError when its cause is booked with other lines
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
  if (!booked) {
    await assertSame(transaction, entry);
    return false;
  }
  await transaction
    .insertInto('ledger_line')
    .values(
      entry.lines.map((line, position) => ({
        entry_id: booked.id,
        position,
        account: line.account,
        owner_id: line.ownerId ?? null,
        amount_cents: line.amountCents,
        sold_at: line.ownerId ? entry.soldAt : null,
      })),
    )
    .execute();
  for (const { ownerId, amountCents } of entry.lines) {
    if (ownerId) await addToBalance(transaction, { ownerId, mode: entry.mode, amountCents }, now);
  }
  await countEntry(transaction, entry, now);
  return true;
}

function assertBalanced(lines: Line[]): void {
  const sum = lines.reduce((total, line) => total + line.amountCents, 0);
  if (sum !== 0 || !lines.every((line) => Number.isSafeInteger(line.amountCents))) {
    throw new RangeError('The lines of a ledger entry are integer cents that sum to zero');
  }
}

async function assertSame(transaction: DatabaseTransaction, entry: Entry): Promise<void> {
  const booked = await transaction
    .selectFrom('ledger_entry')
    .innerJoin('ledger_line', 'ledger_line.entry_id', 'ledger_entry.id')
    .where('ledger_entry.cause', '=', entry.cause)
    .select(['kind', 'mode', 'provider_account', 'currency', 'purchase_id'])
    .select(['account', 'owner_id', 'amount_cents'])
    .orderBy('position')
    .execute();
  const asked = entry.lines.map((line) => ({
    kind: entry.kind,
    mode: entry.mode,
    provider_account: entry.providerAccount,
    currency: entry.currency,
    purchase_id: entry.purchaseId,
    account: line.account,
    owner_id: line.ownerId ?? null,
    amount_cents: line.amountCents,
  }));
  if (JSON.stringify(asked) === JSON.stringify(booked)) return;
  throw new EntryConflictError(`${entry.cause} is already booked with other lines`);
}
