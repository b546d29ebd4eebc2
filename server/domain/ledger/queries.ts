import type { Database } from '../tables.ts';

/** A sale, and what is taken back of it, is pending for 7 days before it may be paid out. */
const HOLD_MS = 7 * 24 * 60 * 60 * 1000;

export interface Balance {
  /** Cents owed to the creator; pending + available. */
  balanceCents: number;
  pendingCents: number;
  availableCents: number;
  createdAt: number;
  updatedAt: number;
}

/** What is owed to a creator, or undefined while nothing was ever booked for them. */
export async function findBalance(
  db: Database,
  ownerId: string,
  mode: 'test' | 'live',
  now: number,
): Promise<Balance | undefined> {
  const row = await db
    .selectFrom('user_balance')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('mode', '=', mode)
    .executeTakeFirst();
  if (!row) return undefined;
  const held = await db
    .selectFrom('ledger_line')
    .innerJoin('ledger_entry', 'ledger_entry.id', 'ledger_line.entry_id')
    .where('ledger_line.owner_id', '=', ownerId)
    .where('ledger_line.sold_at', '>', now - HOLD_MS)
    .where('ledger_entry.mode', '=', mode)
    .select((select) =>
      select.fn.sum<number | string | null>('ledger_line.amount_cents').as('cents'),
    )
    .executeTakeFirstOrThrow();
  // A disputed sale may cost more than it brought: what is missing is missing from what is available.
  const pendingCents = Math.max(0, Number(held.cents ?? 0));
  return {
    balanceCents: row.balance_cents,
    pendingCents,
    availableCents: row.balance_cents - pendingCents,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
