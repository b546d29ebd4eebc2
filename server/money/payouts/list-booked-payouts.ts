import { DEFAULT_PAGE_SIZE } from '../../../contract/limits.ts';
import { selectLines } from '../../books/ledger/select-lines.ts';
import type { Database } from '../../ground/database/tables.ts';
import type { Mode } from '../../selling/purchases/tables.ts';

/** A payout that the operator made outside the product. */
interface BookedPayout {
  id: string;
  /** Below 0 for one that came back. */
  amountCents: number;
  /** The bank's or the operator's name for it. */
  reference: string;
  /** UTC milliseconds. */
  bookedAt: number;
}

/** What the operator booked by hand for a creator, newest first: as many as fit a page, unless given. */
export async function listBookedPayouts(
  db: Database,
  { ownerId, mode, limit = DEFAULT_PAGE_SIZE }: { ownerId: string; mode: Mode; limit?: number },
): Promise<BookedPayout[]> {
  const rows = await selectLines(db)
    .where('ledger_line.owner_id', '=', ownerId)
    // No sale is behind them: the index of an owner's lines has few of these.
    .where('ledger_line.sold_at', 'is', null)
    .where('ledger_entry.mode', '=', mode)
    .where('ledger_entry.provider_account', '=', 'operator')
    .where('ledger_entry.kind', 'in', ['payout', 'payout_reversal'])
    .orderBy('ledger_entry.created_at', 'desc')
    .orderBy('ledger_entry.id', 'desc')
    .limit(limit)
    .select(['ledger_entry.id', 'ledger_entry.cause', 'ledger_entry.created_at'])
    .select('ledger_line.amount_cents')
    .execute();
  return rows.map(({ id, cause, created_at, amount_cents }) => ({
    id,
    amountCents: -amount_cents,
    reference: cause.slice(cause.indexOf(':') + 1),
    bookedAt: created_at,
  }));
}
