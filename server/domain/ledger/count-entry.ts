import { addCounts } from '../statistics/add-counts.ts';
import { dayOf } from '../statistics/day-of.ts';
import type { DatabaseTransaction } from '../tables.ts';
import type { Entry } from './entry.ts';

const REFUNDS: Partial<Record<Entry['kind'], number>> = { refund: 1, refund_reversal: -1 };

/**
 * Counts what an entry says of a creator's sales: a sale on the day it was made, what was taken
 * back of it on the day that is booked.
 */
export async function countEntry(
  transaction: DatabaseTransaction,
  { kind, linkId, soldAt, lines }: Entry,
  now: number,
): Promise<void> {
  const ownerId = lines.find((line) => line.ownerId)?.ownerId;
  if (linkId === null || soldAt === null || !ownerId) return;
  const cents = lines.reduce((sum, line) => sum + (line.ownerId ? line.amountCents : 0), 0);
  const sales = kind === 'sale' ? 1 : 0;
  const refunds = REFUNDS[kind] ?? 0;
  const money = sales ? { net_cents: cents } : { returned_cents: -cents };
  const day = dayOf(sales ? soldAt : now);
  await addCounts(
    transaction,
    [{ link_id: linkId, sales, refunds }],
    [{ owner_id: ownerId, day, sales, refunds, ...money }],
  );
}
