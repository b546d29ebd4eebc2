import type { Selectable } from 'kysely';
import type { Database } from '../tables.ts';
import type { DeliveryTable } from './tables.ts';

/** Keeps what really left for a grant: the proof of delivery in a dispute. */
export async function recordDelivery(
  db: Database,
  delivery: Selectable<DeliveryTable>,
): Promise<void> {
  await db.insertInto('delivery').values(delivery).execute();
}
