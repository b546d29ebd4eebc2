import { sql } from 'kysely';
import { isInReach, LENGTHS_MS } from '../../books/ledger/sales-in-time.ts';
import { IMPORTED } from '../../selling/purchases/tables.ts';

/** What sums are kept of is read as a whole by a check, and of one seller or link to keep it anew. */
const only = (column: string, id: string | undefined) =>
  id === undefined ? sql`${sql.ref(column)} is not null` : sql`${sql.ref(column)} = ${id}`;

/** When the provider makes the money of a settled purchase available, where that is later. */
export const availableOn = (purchase: 'p' | 'purchase') => sql`(
  select t.available_on from payment y
  join provider_transaction t on t.cause = 'sale:' || y.payment_intent_id
  where y.id = ${sql.ref(`${purchase}.payment_id`)}
    and t.available_on > ${sql.ref(`${purchase}.settled_at`)})`;

/** The cents of each seller's lines. */
export const sumBalances = (ownerId?: string) => sql`
  select l.owner_id, e.mode, cast(sum(l.amount_cents) as bigint) as sum
  from ledger_line l join ledger_entry e on e.id = l.entry_id
  where ${only('l.owner_id', ownerId)} group by l.owner_id, e.mode`;

/** What the sales of each time are worth, of every length; without what may have been swept. */
export const sumTimes = (ownerId?: string) => sql`
  select owner_id, mode, length_ms, sold_at / length_ms as number,
    coalesce(available_on, 0) as available_on,
    cast(sum(cents) as bigint) as cents, count(*) as sales, max(sold_at) as last_sold_at
  from (
    select l.owner_id, e.mode, l.sold_at, ${availableOn('p')} as available_on, sum(l.amount_cents) - coalesce(max(r.amount_cents), 0) as cents
    from ledger_line l
    join ledger_entry e on e.id = l.entry_id
    join purchase p on p.id = e.purchase_id
    left join reserve r on r.purchase_id = p.id
    where l.sold_at is not null and ${only('l.owner_id', ownerId)}
    group by p.id, l.owner_id, e.mode, l.sold_at
  ) sale cross join (
    ${sql.join(
      LENGTHS_MS.map((length) => sql`select ${sql.lit(length)} as length_ms`),
      sql` union all `,
    )}
  ) t
  where cents > 0 and ${isInReach(sql`length_ms`, sql`sold_at / length_ms`, sql`coalesce(available_on, 0)`)}
  group by owner_id, mode, length_ms, sold_at / length_ms, coalesce(available_on, 0)`;

/** The checkouts, sales, refunds and cents of each seller's days; without checkouts that were swept. */
export const countDays = (ownerId?: string) => sql`
  select owner_id, day, sum(checkouts) as checkouts, sum(sales) as sales,
    sum(refunds) as refunds, cast(sum(net) as bigint) as net,
    cast(sum(returned) as bigint) as returned
  from (
    select seller_id as owner_id, created_at / 86400000 as day, 1 as checkouts, 0 as sales,
      0 as refunds, 0 as net, 0 as returned
    from purchase where provider_account <> ${IMPORTED} and ${only('seller_id', ownerId)}
    union all
    select owner_id, day, 0, case kind when 'sale' then 1 else 0 end,
      case kind when 'refund' then 1 when 'refund_reversal' then -1 else 0 end,
      case kind when 'sale' then cents else 0 end, case kind when 'sale' then 0 else -cents end
    from (
      select l.owner_id, e.kind,
        case when e.kind = 'sale' then min(l.sold_at) else e.created_at end / 86400000 as day,
        sum(l.amount_cents) as cents
      from ledger_entry e join ledger_line l on l.entry_id = e.id
      where ${only('l.owner_id', ownerId)}
        and e.kind not in ('payout', 'payout_reversal', 'write_off')
      group by e.id, e.kind, e.created_at, l.owner_id
    ) moved
  ) happened group by owner_id, day`;

/** The checkouts, sales and refunds of each link; without checkouts that were swept. */
export const countLinks = (linkId?: string) => sql`
  select p.link_id, count(*) as checkouts, count(p.settled_at) as sales,
    cast(coalesce(sum(r.refunds), 0) as bigint) as refunds
  from purchase p left join (
    select purchase_id, sum(counted) as refunds from (
      select e.purchase_id, case e.kind when 'refund' then 1 else -1 end as counted
      from ledger_entry e join purchase p on p.id = e.purchase_id
      where e.kind in ('refund', 'refund_reversal') and ${only('p.link_id', linkId)}
      union all
      select r.purchase_id, 1 from refund r join purchase p on p.id = r.purchase_id
      where p.provider_account = ${IMPORTED} and ${only('p.link_id', linkId)}
    ) one group by purchase_id
  ) r on r.purchase_id = p.id
  where ${only('p.link_id', linkId)} group by p.link_id`;

/** The checkouts and sales of each link's sources and days; without checkouts that were swept. */
export const countSources = (linkId?: string) => sql`
  select link_id, day, source, owner_id, sum(checkouts) as checkouts, sum(sales) as sales,
    cast(sum(net) as bigint) as net
  from (
    select link_id, created_at / 86400000 as day, source, seller_id as owner_id, 1 as checkouts,
      0 as sales, 0 as net
    from purchase where source is not null and ${only('link_id', linkId)}
    union all
    select p.link_id, min(l.sold_at) / 86400000, p.source, p.seller_id, 0, 1, sum(l.amount_cents)
    from purchase p
    join ledger_entry e on e.purchase_id = p.id
    join ledger_line l on l.entry_id = e.id
    where e.kind = 'sale' and l.owner_id is not null and p.source is not null
      and ${only('p.link_id', linkId)}
    group by e.id, p.link_id, p.source, p.seller_id
  ) happened group by link_id, day, source, owner_id`;

/** What each account's files use. */
export const sumFiles = (ownerId?: string) => sql`
  select owner_id, cast(sum(used) as bigint) as used_bytes,
    cast(sum(open) as bigint) as open_uploads, cast(sum(deleted) as bigint) as deleted_bytes
  from (
    select owner_id, size_bytes as used, case when finished_at is null then 1 else 0 end as open,
      0 as deleted
    from file where ${only('owner_id', ownerId)}
    union all
    select owner_id, 0, 0, size_bytes from unneeded_blob
    where size_bytes is not null and ${only('owner_id', ownerId)}
  ) one group by owner_id`;
