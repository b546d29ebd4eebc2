import type { Database } from '../tables.ts';
import type { AccessGrant } from './tables.ts';

/** An ended grant stays ended; a suspended one may be restored. */
const CHANGES_FROM: Record<AccessGrant['state'], AccessGrant['state'][]> = {
  active: ['suspended'],
  suspended: ['active'],
  ended: ['active', 'suspended'],
};

/** Follows what the provider says of a payment; a payment that is not ours changes nothing. */
export async function changeGrant(
  db: Database,
  paymentIntentId: string,
  state: AccessGrant['state'],
  now: number,
): Promise<void> {
  await db
    .updateTable('access_grant')
    .set({ state, updated_at: now })
    .where('state', 'in', CHANGES_FROM[state])
    .where('purchase_id', 'in', (select) =>
      select.selectFrom('purchase').select('id').where('payment_intent_id', '=', paymentIntentId),
    )
    .execute();
}
