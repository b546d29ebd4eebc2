import { formatCents } from '../../contract/money.ts';
import type { Database } from '../database/tables.ts';
import { transaction } from '../database/transaction.ts';
import { DomainError } from '../lib/domain-error.ts';
import { postEntry } from './post-entry.ts';

/** A sale, and what is taken back of it, is pending for 7 days before it may be paid out. */
const HOLD_MS = 7 * 24 * 60 * 60 * 1000;

interface Balance {
  /** Cents owed to the creator; pending + available. */
  balanceCents: number;
  /** Younger than the hold, or reserved for a refund or a claim that is undecided. */
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
  const heldSince = now - HOLD_MS;
  const row = await db
    .selectFrom('user_balance')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('mode', '=', mode)
    .select((select) => {
      const reserved = select
        .selectFrom('reserve')
        .whereRef('reserve.owner_id', '=', 'user_balance.owner_id')
        .whereRef('reserve.mode', '=', 'user_balance.mode')
        .select(({ fn }) => fn.sum<number | string | null>('amount_cents').as('cents'));
      return [
        reserved.as('reserved_cents'),
        reserved.where('sold_at', '>', heldSince).as('reserved_of_held_cents'),
      ];
    })
    .executeTakeFirst();
  if (!row) return undefined;
  const held = await db
    .selectFrom('ledger_line')
    .innerJoin('ledger_entry', 'ledger_entry.id', 'ledger_line.entry_id')
    .where('ledger_line.owner_id', '=', ownerId)
    .where('ledger_line.sold_at', '>', heldSince)
    .where('ledger_entry.mode', '=', mode)
    .select((select) =>
      select.fn.sum<number | string | null>('ledger_line.amount_cents').as('cents'),
    )
    .executeTakeFirstOrThrow();
  // A disputed sale may cost more than it brought: what is missing is missing from what is available.
  const heldCents = Math.max(0, Number(held.cents ?? 0) - Number(row.reserved_of_held_cents ?? 0));
  const pendingCents = heldCents + Number(row.reserved_cents ?? 0);
  return {
    balanceCents: row.balance_cents,
    pendingCents,
    availableCents: row.balance_cents - pendingCents,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

interface Payout {
  ownerId: string;
  mode: 'test' | 'live';
  amountCents: number;
  /** The bank's or the operator's name for the transfer: each is booked once. */
  reference: string;
}

/** What the operator books by hand: no sale and no account at the provider is behind it. */
const BY_OPERATOR = {
  providerAccount: 'operator',
  currency: 'usd',
  purchaseId: null,
  linkId: null,
  soldAt: null,
};

/**
 * Books money that the operator sent to a creator outside the product.
 * @returns whether it was booked now: the same payout is not booked twice
 * @throws DomainError INVALID_INPUT if it is more than is available
 * @throws EntryConflictError if the reference is booked for another payout
 */
export async function recordPayout(
  { db, now }: { db: Database; now: () => number },
  { ownerId, mode, amountCents, reference }: Payout,
): Promise<boolean> {
  const bookedAt = now();
  return transaction(db, async (trx) => {
    const booked = await postEntry(
      trx,
      {
        kind: 'payout',
        cause: `payout:${reference}`,
        mode,
        ...BY_OPERATOR,
        lines: [
          { account: 'bank', amountCents },
          { account: 'creator', ownerId, amountCents: -amountCents },
        ],
      },
      bookedAt,
    );
    // Read after the booking, which holds the balance: no other payout can slip in between.
    const left = await findBalance(trx, ownerId, mode, bookedAt);
    if (booked && (!left || left.availableCents < 0)) {
      const available = (left?.availableCents ?? 0) + amountCents;
      throw new DomainError(
        'INVALID_INPUT',
        `$${formatCents(amountCents)} is more than the $${formatCents(available)} available.`,
      );
    }
    return booked;
  });
}

/**
 * Books what a deleted account owes as the platform's loss.
 * @returns the cents, 0 where it owes nothing
 * @throws DomainError INVALID_INPUT where the account still exists
 */
export async function writeOff(
  { db, now }: { db: Database; now: () => number },
  { ownerId, mode }: Pick<Payout, 'ownerId' | 'mode'>,
): Promise<number> {
  return transaction(db, async (trx) => {
    const account = await trx
      .selectFrom('user')
      .where('id', '=', ownerId)
      .select('id')
      .executeTakeFirst();
    if (account) {
      throw new DomainError('INVALID_INPUT', 'Only what a deleted account owes is written off.');
    }
    const balance = await trx
      .selectFrom('user_balance')
      .where('owner_id', '=', ownerId)
      .where('mode', '=', mode)
      .where('balance_cents', '<', 0)
      // Another balance is another cause: nothing is written off twice.
      .select(['balance_cents', 'updated_at'])
      .executeTakeFirst();
    if (!balance) return 0;
    const owedCents = -balance.balance_cents;
    await postEntry(
      trx,
      {
        kind: 'write_off',
        cause: `write_off:${ownerId}:${balance.updated_at}`,
        mode,
        ...BY_OPERATOR,
        lines: [
          { account: 'creator', ownerId, amountCents: owedCents },
          { account: 'bad_debt', amountCents: -owedCents },
        ],
      },
      now(),
    );
    return owedCents;
  });
}

/** Cents owed to a creator, pending ones included; negative when the creator owes them. */
export async function sumOwed(db: Database, ownerId: string): Promise<number> {
  const balances = await db
    .selectFrom('user_balance')
    .where('owner_id', '=', ownerId)
    .select('balance_cents')
    .execute();
  return balances.reduce((sum, { balance_cents }) => sum + balance_cents, 0);
}
