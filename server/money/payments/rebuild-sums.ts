import { type RawBuilder, sql } from 'kysely';
import { dialectOf } from '../../ground/database/dialect.ts';
import type { Database, DatabaseTransaction } from '../../ground/database/tables.ts';
import { announce, transaction } from '../../ground/database/transaction.ts';
import { holdGrants, sizeOfSoldFiles, wasFileSold } from '../../selling/purchases/sold-parts.ts';
import { listWrongBalances } from './check-ledger.ts';
import { listWrongStatistics, type WrongSum } from './check-statistics.ts';
import {
  availableOn,
  countDays,
  countLinks,
  countSources,
  sumBalances,
  sumFiles,
  sumTimes,
} from './kept-sums.ts';

/**
 * Keeps every sum anew that differs from the lines, purchases and reserves that it is kept of: those
 * of one seller or link at a time, for which nobody can buy meanwhile.
 * @param now UTC milliseconds
 * @returns what was wrong, and what still is, a sentence each
 */
export async function rebuildSums(
  db: Database,
  now: () => number,
): Promise<{ rebuilt: string[]; left: string[] }> {
  const wrong = await listWrongSums(db);
  for (const ownerId of distinct(wrong, (of) => ('ownerId' in of ? of.ownerId : null))) {
    await rebuildSeller(db, ownerId, now());
  }
  for (const linkId of distinct(wrong, (of) => ('linkId' in of ? of.linkId : null))) {
    await rebuildLink(db, linkId);
    await rebuildGrants(db, linkId);
  }
  const left = wrong.length === 0 ? [] : await listWrongSums(db);
  return { rebuilt: wrong.map(({ says }) => says), left: left.map(({ says }) => says) };
}

async function listWrongSums(db: Database): Promise<WrongSum[]> {
  return [...(await listWrongBalances(db)), ...(await listWrongStatistics(db))];
}

const distinct = (wrong: WrongSum[], idOf: (of: WrongSum['of']) => string | null) =>
  new Set(wrong.map(({ of }) => idOf(of)).filter((id) => id !== null));

async function rebuildSeller(db: Database, ownerId: string, now: number): Promise<void> {
  await transaction(db, async (trx) => {
    await keepOut(trx);
    await run(
      trx,
      sql`update user_balance set balance_cents = 0, updated_at = ${now}
        where owner_id = ${ownerId}`,
      sql`insert into user_balance (owner_id, mode, balance_cents, created_at, updated_at)
        select owner_id, mode, sum, cast(${now} as bigint), cast(${now} as bigint)
        from (${sumBalances(ownerId)}) found where true
        on conflict (owner_id, mode) do update set balance_cents = excluded.balance_cents`,
      // Which sum a sale is in.
      sql`update purchase set available_on = ${AVAILABLE_ON}
        where seller_id = ${ownerId} and settled_at is not null
          and coalesce(available_on, 0) <> coalesce(${AVAILABLE_ON}, 0)`,
      sql`delete from sales_in_time where owner_id = ${ownerId}`,
      sql`insert into sales_in_time
        (owner_id, mode, length_ms, number, available_on, cents, sales, last_sold_at)
        ${sumTimes(ownerId)}`,
      sql`update seller_day set checkouts = swept_checkouts, sales = 0, refunds = 0,
        net_cents = 0, returned_cents = 0 where owner_id = ${ownerId}`,
      sql`insert into seller_day (owner_id, day, views, checkouts, swept_checkouts, sales, refunds,
          net_cents, returned_cents)
        select owner_id, day, 0, checkouts, 0, sales, refunds, net, returned
        from (${countDays(ownerId)}) found where true
        on conflict (owner_id, day) do update set
          checkouts = seller_day.swept_checkouts + excluded.checkouts, sales = excluded.sales,
          refunds = excluded.refunds, net_cents = excluded.net_cents,
          returned_cents = excluded.returned_cents`,
      sql`delete from file_usage where owner_id = ${ownerId}`,
      sql`insert into file_usage (owner_id, used_bytes, open_uploads, deleted_bytes)
        ${sumFiles(ownerId)}`,
    );
    announce(trx, { kind: 'balance-changed', id: ownerId, ownerId });
  });
}

const AVAILABLE_ON = availableOn('purchase');

async function rebuildLink(db: Database, linkId: string): Promise<void> {
  await transaction(db, async (trx) => {
    await keepOut(trx);
    await run(
      trx,
      sql`update link_statistics set checkouts = swept_checkouts, sales = 0, refunds = 0
        where link_id = ${linkId}`,
      sql`insert into link_statistics (link_id, views, checkouts, swept_checkouts, sales, refunds)
        select link_id, 0, checkouts, 0, sales, refunds
        from (${countLinks(linkId)}) found where true
        on conflict (link_id) do update set
          checkouts = link_statistics.swept_checkouts + excluded.checkouts,
          sales = excluded.sales, refunds = excluded.refunds`,
      sql`update link_source set checkouts = swept_checkouts, sales = 0, net_cents = 0
        where link_id = ${linkId}`,
      sql`insert into link_source (link_id, day, source, owner_id, views, checkouts,
          swept_checkouts, sales, net_cents)
        select link_id, day, source, owner_id, 0, checkouts, 0, sales, net
        from (${countSources(linkId)}) found where true
        on conflict (link_id, day, source) do update set
          checkouts = link_source.swept_checkouts + excluded.checkouts,
          sales = excluded.sales, net_cents = excluded.net_cents`,
    );
  });
}

/** Apart from the sums: whoever changes a grant takes it before them. */
async function rebuildGrants(db: Database, linkId: string): Promise<void> {
  await transaction(db, async (trx) => {
    const grants = trx.selectFrom('access_grant').where('link_id', '=', linkId);
    await holdGrants(trx, grants.select('purchase_id').$asScalar());
    await run(
      trx,
      sql`update access_grant set size_bytes = ${SIZE_BYTES}
        where link_id = ${linkId} and coalesce(size_bytes, 0) <> coalesce(${SIZE_BYTES}, 0)`,
      sql`update delivered_file set bought = ${BOUGHT}
        where grant_id in (select id from access_grant where link_id = ${linkId})
          and bought <> ${BOUGHT}`,
    );
  });
}

const SIZE_BYTES = sizeOfSoldFiles(sql.ref('access_grant.purchase_id'));
const BOUGHT = wasFileSold(sql.ref('delivered_file.grant_id'), sql.ref('delivered_file.file_key'));

/** Whoever books has one of these first: in this order, nobody waits for two who wait for each other. */
async function keepOut(trx: DatabaseTransaction): Promise<void> {
  if (dialectOf(trx) === 'sqlite') return;
  await sql`lock table user_balance, sales_in_time, link_statistics, seller_day, link_source,
    file_usage
    in share row exclusive mode`.execute(trx);
}

async function run(trx: DatabaseTransaction, ...statements: RawBuilder<unknown>[]): Promise<void> {
  for (const statement of statements) await statement.execute(trx);
}
