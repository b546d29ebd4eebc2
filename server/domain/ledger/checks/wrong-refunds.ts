import { sql } from 'kysely';
import type { Database } from '../../tables.ts';

/**
 * Purchases refunded beyond their price or with another part of the fee than their share, and
 * refunds that were reversed without having been booked.
 */
export async function findWrongRefunds(db: Database): Promise<string[]> {
  return [...(await wrongSums(db)), ...(await wrongReversals(db))];
}

async function wrongSums(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; price: number; refunded: number; fee: number }>`
    with refunded as (
      select p.id, p.price_cents as price, p.fee_cents,
        cast(sum(case when l.account = 'provider' then l.amount_cents else 0 end) as bigint)
          as refunded,
        cast(sum(case when l.account = 'platform_fee' then -l.amount_cents else 0 end) as bigint)
          as fee
      from ledger_entry e
      join purchase p on p.id = e.purchase_id
      join ledger_line l on l.entry_id = e.id
      where e.kind in ('refund', 'refund_reversal')
      group by p.id, p.price_cents, p.fee_cents
    )
    select id, price, refunded, fee from refunded
    where refunded < 0 or refunded > price
      or fee <> (2 * fee_cents * refunded + price) / (2 * price)`.execute(db);
  return rows.map(({ id, price, refunded, fee }) =>
    refunded < 0 || refunded > price
      ? `Purchase ${id} is refunded by ${refunded} of ${price} cents.`
      : `Purchase ${id}, refunded by ${refunded} of ${price} cents, gave back ${fee} of its fee.`,
  );
}

async function wrongReversals(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select e.id from ledger_entry e
    left join ledger_entry refund
      on refund.cause = 'refund:' || substr(e.cause, 17) and refund.purchase_id = e.purchase_id
    where e.kind = 'refund_reversal' and refund.id is null`.execute(db);
  return rows.map(({ id }) => `Entry ${id} reverses a refund that is not booked.`);
}
