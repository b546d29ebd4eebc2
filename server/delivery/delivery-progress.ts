import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { contentsOf } from '../payments/sold-parts.ts';

/** How far the files of a purchase went out to its buyer. */
export interface DeliveryProgress {
  /**
   * 'delivered' when every byte of every file was sent, 'partly' when some were, 'handed_over' when
   * nginx or the storage was told to send and nobody counted, 'unopened' when nobody asked.
   */
  state: 'delivered' | 'partly' | 'handed_over' | 'unopened';
  /** Bytes sent of 100, rounded down; 0 unless some were counted. */
  percent: number;
}

/** What was delivered of purchases, by their ids; of a web address nothing is. */
export async function readDeliveryProgress(
  db: Database,
  purchaseIds: string[],
): Promise<Map<string, DeliveryProgress>> {
  if (purchaseIds.length === 0) return new Map();
  const rows = await db
    .selectFrom(contentsOf(db, purchaseIds).as('held'))
    .innerJoin('access_grant', 'access_grant.purchase_id', 'held.purchase_id')
    .innerJoin('link_file', (join) =>
      join
        .onRef('link_file.link_id', '=', 'held.link_id')
        .onRef('link_file.version', '=', 'held.content_version'),
    )
    .innerJoin('file', 'file.key', 'link_file.file_key')
    .leftJoin('delivered_file', (join) =>
      join
        .onRef('delivered_file.grant_id', '=', 'access_grant.id')
        .onRef('delivered_file.file_key', '=', 'file.key'),
    )
    .groupBy(['held.purchase_id', 'access_grant.id'])
    .select(['held.purchase_id as id', sql<number | string>`sum(file.size_bytes)`.as('size')])
    .select(sql<number | string>`sum(coalesce(delivered_file.bytes, 0))`.as('sent'))
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('delivery')
          .whereRef('delivery.grant_id', '=', 'access_grant.id')
          .where('delivery.outcome', '=', 'handed_over')
          .select('delivery.id'),
      ).as('handed_over'),
    )
    .execute();
  return new Map(
    rows.map(({ id, size, sent, handed_over: isHandedOver }) => [
      id,
      describe(Number(sent), Number(size), Boolean(isHandedOver)),
    ]),
  );
}

function describe(sent: number, size: number, isHandedOver: boolean): DeliveryProgress {
  const percent = Math.floor((100 * sent) / size);
  if (sent >= size) return { state: 'delivered', percent: 100 };
  if (sent > 0) return { state: 'partly', percent };
  return { state: isHandedOver ? 'handed_over' : 'unopened', percent };
}
