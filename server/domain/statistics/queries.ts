import type { Database } from '../tables.ts';
import { dayOf } from './day-of.ts';
import type { LinkStatistics, SellerDay } from './tables.ts';

/** The statistics of links by their ids; those to which nothing happened yet are missing. */
export async function findLinkStatistics(
  db: Database,
  linkIds: string[],
): Promise<Map<string, LinkStatistics>> {
  const rows = await db
    .selectFrom('link_statistics')
    .selectAll()
    .where('link_id', 'in', linkIds)
    .execute();
  return new Map(rows.map((row) => [row.link_id, row]));
}

/** A creator's last days, oldest first and today last; quiet days are among them. */
export async function listSellerDays(
  db: Database,
  ownerId: string,
  days: number,
  now: number,
): Promise<SellerDay[]> {
  const first = dayOf(now) - days + 1;
  const rows = await db
    .selectFrom('seller_day')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('day', '>=', first)
    .execute();
  const known = new Map(rows.map((row) => [row.day, row]));
  const nothing = {
    owner_id: ownerId,
    ...{ views: 0, checkouts: 0, sales: 0, refunds: 0 },
    ...{ net_cents: 0, returned_cents: 0 },
  };
  return Array.from({ length: days }, (_, index) => {
    const day = first + index;
    return known.get(day) ?? { ...nothing, day };
  });
}
