import { formatCents } from '../../../contract/money.ts';
import { DomainError } from '../domain-error.ts';
import type { Database } from '../tables.ts';
import { postEntry } from './post-entry.ts';
import { findBalance } from './queries.ts';

interface Payout {
  ownerId: string;
  mode: 'test' | 'live';
  amountCents: number;
  /** The bank's or the operator's name for the transfer: each is booked once. */
  reference: string;
}

/**
 * Books money that the operator sent to a creator outside the product.
 * @returns whether it was booked now: the same payout is not booked twice
 * @throws DomainError INVALID_INPUT when it is more than what is available
 * @throws EntryConflictError when the reference is booked for another payout
 */
export async function recordPayout(
  db: Database,
  { ownerId, mode, amountCents, reference }: Payout,
  now: number,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const booked = await postEntry(
      transaction,
      {
        kind: 'payout',
        cause: `payout:${reference}`,
        mode,
        providerAccount: 'operator',
        currency: 'usd',
        purchaseId: null,
        linkId: null,
        soldAt: null,
        lines: [
          { account: 'bank', amountCents },
          { account: 'creator', ownerId, amountCents: -amountCents },
        ],
      },
      now,
    );
    // Read after the booking, which holds the balance: no other payout can slip in between.
    const left = await findBalance(transaction, ownerId, mode, now);
    if (booked && (!left || left.availableCents < 0)) {
      const available = (left?.availableCents ?? 0) + amountCents;
      throw new DomainError(
        'INVALID_INPUT',
        `$${formatCents(amountCents)} is more than the $${formatCents(available)} that is available.`,
      );
    }
    return booked;
  });
}
