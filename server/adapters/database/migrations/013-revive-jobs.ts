import { type Kysely, sql } from 'kysely';

/** Jobs get lanes, leases and a count of runs that never ended; open purchases are asked after. */
export async function up(db: Kysely<never>): Promise<void> {
  // A process of the version before, which still runs beside this one, names none of these.
  await db.schema
    .alterTable('job')
    .addColumn('lane', 'text', (column) => column.notNull().defaultTo('payments'))
    .execute();
  await db.schema
    .alterTable('job')
    .addColumn('unended', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('job').addColumn('lease_id', 'text').execute();
  await sql`update job set lane = 'mail' where kind like 'send-%'`.execute(db);
  await sql`
    update job set lane = 'follow-ups'
    where kind in ('review-payment', 'expire-checkout')`.execute(db);
  await db.schema.dropIndex('job_due').execute();
  await db.schema
    .createIndex('job_due')
    .on('job')
    .columns(['lane', 'run_at'])
    .where(sql<boolean>`died_at is null`)
    .execute();
  await db.schema.createIndex('job_of_payload').on('job').column('payload').execute();
  await followUnfinishedPurchases(db);
}

const MONTH_MS = 30 * 24 * 60 * 60 * 1000;

/** Any of them may have been paid without our being told. Four a second are asked after. */
async function followUnfinishedPurchases(db: Kysely<never>): Promise<void> {
  const now = Date.now();
  await sql`
    insert into job (id, kind, payload, lane, run_at, attempts, locked_until, created_at)
    select 'follow-' || id, 'follow-checkout', '{"purchaseId":"' || id || '"}', 'follow-ups',
      ${now} + 250 * row_number() over (order by created_at desc), 0, 0, ${now}
    from purchase where state in ('open', 'processing')
      or (state = 'expired' and created_at > ${now - MONTH_MS})`.execute(db);
}
