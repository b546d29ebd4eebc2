import { sql } from 'kysely';
import { fact } from '../../../contract/fact.ts';
import type {
  Database,
  DatabaseContext,
  DatabaseTransaction,
} from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { isThere } from '../../ground/lib/is-there.ts';
import { DAY_MS } from '../../ground/lib/time.ts';
import { type Entry, postEntry } from './post-entry.ts';
import { LENGTHS_MS, SHORTEST_MS } from './sales-in-time.ts';
import { selectLines } from './select-lines.ts';

export interface Balance {
  /** Cents owed to the creator; pending + available. */
  balanceCents: number;
  /** What is released later, and what is reserved. */
  pendingCents: number;
  availableCents: number;
  /** Reserved for refunds under way, and for claims that are undecided. */
  reservedCents: number;
  /** What the money of young sales is worth without their reserves, earliest first. */
  releases: Release[];
  createdAt: number;
  updatedAt: number;
}

/** What becomes available on one day in UTC. */
interface Release {
  /** When all of it is; UTC milliseconds. */
  availableOn: number;
  amountCents: number;
  sales: number;
}

interface BalanceRow {
  balance_cents: number;
  created_at: number;
  updated_at: number;
  reserved_cents: number | string | null;
  release_at: number | null;
  held_cents: number | string | null;
  sales: number | string | null;
}

const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * What is owed to a creator, or undefined while nothing was ever booked for them. A sale's money is
 * held until the sale is older than the hold and the provider has made the payment available; of a
 * sale that a dispute made cost more than it brought, the loss is missing from what is available.
 * @param holdMs how long a sale, and what is taken back of it, is pending
 */
export async function findBalance(
  db: Database,
  { ownerId, mode, holdMs }: { ownerId: string; mode: 'test' | 'live'; holdMs: number },
  now: number,
): Promise<Balance | undefined> {
  const heldSince = now - holdMs;
  // Of the time in which the hold ends, some sales are held and some are not.
  const lastTime = Math.floor(heldSince / SHORTEST_MS);
  /** The shortest times to the next longer one, these to the next, and the days from there on. */
  const sumsSince = (time: number) =>
    LENGTHS_MS.map((length, index) => {
      const longer = LENGTHS_MS[index - 1];
      const end = longer ? ((Math.floor(time / longer) + 1) * longer) / length : NEVER;
      return sql`
        select last_sold_at, available_on, cents, sales from sales_in_time
        where owner_id = ${ownerId} and mode = ${mode} and length_ms = ${length}
          and number > ${Math.floor(time / length)} and number < ${end}`;
    });
  // One statement, so that all of it is of one moment. Of the times before, an index has those that
  // are not available; they are not walked through.
  const { rows } = await sql<BalanceRow>`
    with last_sale as (
      select e.purchase_id, l.sold_at, sum(l.amount_cents) as cents
      from ledger_line l join ledger_entry e on e.id = l.entry_id
      where l.owner_id = ${ownerId} and e.mode = ${mode}
        and l.sold_at > ${heldSince} and l.sold_at < ${(lastTime + 1) * SHORTEST_MS}
      group by e.purchase_id, l.sold_at
    ), sum_of_sales as (
      ${sql.join(sumsSince(heldSince), sql` union all `)}
      union all
      select last_sold_at, available_on, cents, sales from sales_in_time
      where owner_id = ${ownerId} and mode = ${mode} and length_ms = ${SHORTEST_MS}
        and number + 0 <= ${lastTime} and available_on > 0 and available_on > ${now}
      union all
      select s.sold_at, coalesce(p.available_on, 0), s.cents - coalesce(r.amount_cents, 0), 1
      from last_sale s join purchase p on p.id = s.purchase_id
      left join reserve r on r.purchase_id = p.id
      where p.available_on is null or p.available_on <= ${now}
    ), held as (
      select case when last_sold_at + ${holdMs} > available_on
        then last_sold_at + ${holdMs} else available_on end as at, cents, sales
      from sum_of_sales where cents > 0
    ), held_day as (
      select max(at) as at, sum(cents) as cents, sum(sales) as sales
      from held group by cast(at as bigint) / cast(${DAY_MS} as bigint)
    ), own as materialized (
      select balance_cents, created_at, updated_at, (
          select sum(r.amount_cents) from reserve r
          where r.owner_id = b.owner_id and r.mode = b.mode
        ) as reserved_cents
      from user_balance b where owner_id = ${ownerId} and mode = ${mode}
    )
    select own.*, at as release_at, cents as held_cents, sales
    from own left join held_day on true
    order by at`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const releases = rows.flatMap(({ release_at: availableOn, held_cents, sales }) =>
    availableOn === null
      ? []
      : [{ availableOn, amountCents: Number(held_cents), sales: Number(sales) }],
  );
  const reservedCents = Number(row.reserved_cents ?? 0);
  const pendingCents = releases.reduce((sum, { amountCents }) => sum + amountCents, reservedCents);
  return {
    balanceCents: row.balance_cents,
    pendingCents,
    availableCents: row.balance_cents - pendingCents,
    reservedCents,
    releases,
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

const OPERATOR = 'operator';

/** Books by hand what no sale and no account at the provider is behind. */
function postByOperator(
  trx: DatabaseTransaction,
  now: number,
  entry: Pick<Entry, 'kind' | 'cause' | 'mode' | 'lines'>,
): Promise<boolean> {
  const money = { providerAccount: OPERATOR, currency: 'usd' };
  const unsold = { purchaseId: null, linkId: null, soldAt: null };
  return postEntry(trx, { ...money, ...unsold, ...entry }, now);
}

/**
 * Books money that the operator sent to a creator outside the product.
 * @returns whether it was booked now: the same payout is not booked twice
 * @throws DomainError INVALID_INPUT if it is more than is available
 * @throws EntryConflictError if the reference is booked for another payout
 */
export async function recordPayout(
  { db, now, holdMs }: { db: Database; now: () => number; holdMs: number },
  { ownerId, mode, amountCents, reference }: Payout,
): Promise<boolean> {
  const bookedAt = now();
  return transaction(db, async (trx) => {
    const booked = await postByOperator(trx, bookedAt, {
      kind: 'payout',
      cause: `payout:${reference}`,
      mode,
      lines: [
        { account: 'bank', amountCents },
        { account: 'creator', ownerId, amountCents: -amountCents },
      ],
    });
    // Read after the booking, which holds the balance: no other payout can slip in between.
    const left = await findBalance(trx, { ownerId, mode, holdMs }, bookedAt);
    if (booked && (!left || left.availableCents < 0)) {
      const available = (left?.availableCents ?? 0) + amountCents;
      throw new DomainError(
        'INVALID_INPUT',
        fact('{amount} is more than the {available} available.', {
          amount: { cents: amountCents },
          available: { cents: available },
        }),
      );
    }
    return booked;
  });
}

/**
 * Takes back a payout that was booked by hand: the money did not arrive, or came back.
 * @returns the cents, 0 where it was taken back before
 * @throws DomainError INVALID_INPUT where no payout was booked by hand under the reference
 */
export async function reversePayout(
  { db, now }: DatabaseContext,
  { mode, reference }: Pick<Payout, 'mode' | 'reference'>,
): Promise<number> {
  return transaction(db, async (trx) => {
    const lines = await selectLines(trx)
      .where('cause', '=', `payout:${reference}`)
      .where('mode', '=', mode)
      .where('provider_account', '=', OPERATOR)
      .select(['owner_id', 'amount_cents'])
      .execute();
    const ofCreator = lines.find(({ owner_id }) => owner_id !== null);
    if (!ofCreator?.owner_id) {
      throw new DomainError('INVALID_INPUT', `No payout was recorded as “${reference}”.`);
    }
    const amountCents = -ofCreator.amount_cents;
    const booked = await postByOperator(trx, now(), {
      kind: 'payout_reversal',
      cause: `payout_reversal:${reference}`,
      mode,
      lines: [
        { account: 'bank', amountCents: -amountCents },
        { account: 'creator', ownerId: ofCreator.owner_id, amountCents },
      ],
    });
    return booked ? amountCents : 0;
  });
}

/**
 * Books what a deleted account owes as the platform's loss.
 * @returns the cents, 0 where it owes nothing
 * @throws DomainError INVALID_INPUT where the account still exists
 */
export async function writeOff(
  { db, now }: DatabaseContext,
  { ownerId, mode }: Pick<Payout, 'ownerId' | 'mode'>,
): Promise<number> {
  return transaction(db, async (trx) => {
    if (await isThere(trx.selectFrom('user').where('id', '=', ownerId).select('id'))) {
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
    await postByOperator(trx, now(), {
      kind: 'write_off',
      cause: `write_off:${ownerId}:${balance.updated_at}`,
      mode,
      lines: [
        { account: 'creator', ownerId, amountCents: owedCents },
        { account: 'bad_debt', amountCents: -owedCents },
      ],
    });
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
