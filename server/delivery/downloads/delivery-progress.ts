import type { Database } from '../../ground/database/tables.ts';

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

/** What was delivered of purchases, by their ids; of those that brought no file nothing is. */
export async function readDeliveryProgress(
  db: Database,
  purchaseIds: string[],
): Promise<Map<string, DeliveryProgress>> {
  if (purchaseIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('access_grant')
    .where('purchase_id', 'in', purchaseIds)
    .where('size_bytes', 'is not', null)
    .select(['purchase_id', 'size_bytes'])
    .select(({ exists, selectFrom }) => [
      selectFrom('delivered_file')
        .whereRef('delivered_file.grant_id', '=', 'access_grant.id')
        .where('delivered_file.bought', '=', 1)
        .select(({ fn }) => fn.sum<number | string | null>('delivered_file.bytes').as('bytes'))
        .as('sent'),
      exists(
        selectFrom('delivery')
          .whereRef('delivery.grant_id', '=', 'access_grant.id')
          .where('delivery.outcome', '=', 'handed_over')
          .select('delivery.id'),
      ).as('handed_over'),
    ])
    .execute();
  return new Map(
    rows.map(({ purchase_id: id, size_bytes: size, sent, handed_over: isHandedOver }) => [
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
