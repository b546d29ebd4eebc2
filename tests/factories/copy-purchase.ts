import type { Insertable, Selectable } from 'kysely';
import type { Database, Tables } from '../../server/ground/database/tables.ts';

interface Original {
  purchase: Selectable<Tables['purchase']>;
  grant: Selectable<Tables['access_grant']>;
}

/** The latest settled purchase of a link, and its grant. @throws where there is none */
export async function findOriginal(db: Database, linkId: string): Promise<Original> {
  const purchase = await db
    .selectFrom('purchase')
    .where('link_id', '=', linkId)
    .where('settled_at', 'is not', null)
    .orderBy('settled_at', 'desc')
    .selectAll()
    .executeTakeFirstOrThrow();
  const grant = await db
    .selectFrom('access_grant')
    .where('purchase_id', '=', purchase.id)
    .selectAll()
    .executeTakeFirstOrThrow();
  return { purchase, grant };
}

/** Writes another like it, with a payment and a grant of its own, all by this id. */
export async function copyPurchase(
  db: Database,
  { purchase, grant }: Original,
  id: string,
  columns: Partial<Insertable<Tables['purchase']>> = {},
): Promise<void> {
  await db
    .insertInto('payment')
    .values({ id, session_id: `cs_${id}`, payment_intent_id: `pi_${id}` })
    .execute();
  await db
    .insertInto('purchase')
    .values({ ...purchase, ...columns, id, payment_id: id })
    .execute();
  await db
    .insertInto('access_grant')
    .values({ ...grant, id, purchase_id: id })
    .execute();
}
