import { type Kysely, sql } from 'kysely';

/** Counters that the dashboard reads, filled from the books; and what its lists are read by. */
export async function up(db: Kysely<never>): Promise<void> {
  await createCounters(db);
  await countLinks(db);
  await countDays(db);
  await createIndexes(db);
}

async function createCounters(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('link_statistics')
    .addColumn('link_id', 'text', (column) => column.primaryKey())
    .addColumn('views', 'bigint', (column) => column.notNull())
    .addColumn('checkouts', 'bigint', (column) => column.notNull())
    .addColumn('sales', 'bigint', (column) => column.notNull())
    .addColumn('refunds', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('seller_day')
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('views', 'bigint', (column) => column.notNull())
    .addColumn('checkouts', 'bigint', (column) => column.notNull())
    .addColumn('sales', 'bigint', (column) => column.notNull())
    .addColumn('refunds', 'bigint', (column) => column.notNull())
    .addColumn('net_cents', 'bigint', (column) => column.notNull())
    .addColumn('returned_cents', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('seller_day_key', ['owner_id', 'day'])
    .execute();
}

async function countLinks(db: Kysely<never>): Promise<void> {
  await sql`
    insert into link_statistics (link_id, views, checkouts, sales, refunds)
    select p.link_id, 0, count(*), count(p.settled_at), coalesce(sum(r.refunds), 0)
    from purchase p left join (
      select purchase_id, sum(case kind when 'refund' then 1 else -1 end) as refunds
      from ledger_entry where kind in ('refund', 'refund_reversal') group by purchase_id
    ) r on r.purchase_id = p.id
    group by p.link_id`.execute(db);
}

async function countDays(db: Kysely<never>): Promise<void> {
  await sql`
    insert into seller_day
      (owner_id, day, views, checkouts, sales, refunds, net_cents, returned_cents)
    select owner_id, day, 0, sum(checkouts), sum(sales), sum(refunds), sum(net), sum(returned)
    from (
      select seller_id as owner_id, created_at / 86400000 as day, 1 as checkouts, 0 as sales,
        0 as refunds, 0 as net, 0 as returned
      from purchase
      union all
      select l.owner_id, case when e.kind = 'sale' then min(l.sold_at) else e.created_at end
          / 86400000, 0, case e.kind when 'sale' then 1 else 0 end,
        case e.kind when 'refund' then 1 when 'refund_reversal' then -1 else 0 end,
        case e.kind when 'sale' then sum(l.amount_cents) else 0 end,
        case e.kind when 'sale' then 0 else -sum(l.amount_cents) end
      from ledger_entry e join ledger_line l on l.entry_id = e.id
      where l.owner_id is not null and e.kind <> 'payout'
      group by e.id, e.kind, e.created_at, l.owner_id
    ) happened
    group by owner_id, day`.execute(db);
}

async function createIndexes(db: Kysely<never>): Promise<void> {
  await db.schema
    .createIndex('purchase_of_seller')
    .on('purchase')
    .columns(['seller_id', 'settled_at', 'id'])
    .where(sql<boolean>`settled_at is not null`)
    .execute();
  await db.schema
    .createIndex('link_deleted_of_owner')
    .on('link')
    .columns(['owner_id', 'deleted_at', 'id'])
    .where(sql<boolean>`deleted_at is not null`)
    .execute();
}
