import type { Database } from '../tables.ts';
import { ofVisitor } from './rival-purchases.ts';
import type { Purchase } from './tables.ts';

/** The earlier payment of the same visitor for the same link that still stands, if there is one. */
export async function findDoublePayment(
  db: Database,
  purchaseId: string,
): Promise<{ purchase: Purchase; earlier: Purchase } | null> {
  const purchase = await db
    .selectFrom('purchase')
    .selectAll()
    .where('id', '=', purchaseId)
    .executeTakeFirstOrThrow();
  const earlier = await db
    .selectFrom('purchase')
    .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
    .selectAll('purchase')
    .where(ofVisitor(purchase))
    .where('purchase.state', '=', 'settled')
    .where('access_grant.state', '!=', 'ended')
    .where(({ eb, or, and }) =>
      or([
        eb('purchase.settled_at', '<', purchase.settled_at),
        and([
          eb('purchase.settled_at', '=', purchase.settled_at),
          eb('purchase.id', '<', purchase.id),
        ]),
      ]),
    )
    .executeTakeFirst();
  return earlier ? { purchase, earlier } : null;
}
