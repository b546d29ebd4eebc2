import type { Database } from '../../ground/database/tables.ts';
import { mayBePaid } from '../may-be-paid.ts';

/** How often each discount was used: by purchases that are paid, and by those that may still be. */
export async function countUses(
  db: Database,
  ids: string[],
  now: number,
): Promise<Map<string, { paid: number; open: number }>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('purchase_discount')
    .innerJoin('purchase', 'purchase.id', 'purchase_discount.purchase_id')
    .where('discount_id', 'in', ids)
    .where(mayBePaid(now))
    .groupBy('discount_id')
    .select(({ fn }) => [
      'discount_id',
      fn.count<number | string>('settled_at').as('paid'),
      fn.countAll<number | string>().as('uses'),
    ])
    .execute();
  return new Map(
    rows.map(({ discount_id, paid, uses }) => [
      discount_id,
      { paid: Number(paid), open: Number(uses) - Number(paid) },
    ]),
  );
}
