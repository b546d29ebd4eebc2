import { sql } from 'kysely';
import { dialectOf } from '../../ground/database/dialect.ts';
import type {
  Database,
  DatabaseContext,
  DatabaseTransaction,
} from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import type { JobPayloads } from '../../ground/outbox/tables.ts';
import { ofVisitor, prepareOfVisitor, type Visitor } from './queries.ts';
import type { Purchase } from './tables.ts';

/**
 * One is paid: nobody may pay the visitor's other checkouts of the link any more, but for what they
 * give to others.
 */
export async function endRivals({ db, now }: DatabaseContext, settled: Purchase): Promise<void> {
  if (settled.gift_email !== null) return;
  if ((await readRivals(db, settled)).length === 0) return;
  await transaction(db, (trx) => end(trx, rivalsOf(trx, settled), now()));
}

const rivalsOf = (db: Database, visitor: Visitor) =>
  findOpen(db).where(ofVisitor(visitor)).where('gift_email', 'is', null);

const readRivals = prepareOfVisitor(rivalsOf);

/** Ended at once: the embedded database serves one at a time. */
const BATCH = 200;

/**
 * Ends the open checkouts of a creator's link, or of all their links, that could not begin as they
 * did any more: it is off sale, a part of it is, it has another price, or brings no license key since.
 * Whoever pays before the provider ends a checkout gets what was offered.
 */
export async function endOutdatedCheckouts(
  { db, now }: DatabaseContext,
  { ownerId, linkId, keysEndedAt }: JobPayloads['end-checkouts'],
): Promise<void> {
  const endSome = (trx: DatabaseTransaction) => {
    const withdrawnParts = partsOfPurchase(trx)
      .innerJoin('link as part', 'part.id', 'purchase_part.link_id')
      .where(({ eb, or }) =>
        or([eb('part.deleted_at', 'is not', null), eb('part.taken_down_at', 'is not', null)]),
      );
    const outdated = findOpen(trx)
      .innerJoin('link', 'link.id', 'purchase.link_id')
      .where('link.owner_id', '=', ownerId)
      .$if(linkId !== null, (query) =>
        query.where(({ eb, exists, or }) =>
          or([
            eb('link.id', '=', linkId),
            exists(partsOfPurchase(trx).where('purchase_part.link_id', '=', linkId)),
          ]),
        ),
      )
      .where(({ eb, and, exists, fn, or }) => {
        const asked = fn.coalesce('purchase.list_cents', 'purchase.price_cents');
        const isFixed = eb('link.least_cents', 'is', null);
        return or([
          eb('link.deleted_at', 'is not', null),
          eb('link.taken_down_at', 'is not', null),
          eb('link.paused', '=', 1),
          and([eb('link.unlocked', '=', 1), or([isFixed, eb('link.least_cents', '>', 0)])]),
          and([isFixed, eb('link.price_cents', '!=', asked)]),
          eb('link.least_cents', '>', asked),
          exists(withdrawnParts),
          ...(keysEndedAt === undefined ? [] : [eb('purchase.created_at', '<=', keysEndedAt)]),
        ]);
      })
      .limit(BATCH);
    return end(trx, outdated, now());
  };
  while ((await transaction(db, endSome)) === BATCH);
}

/** Of the purchase in a query around it. */
function partsOfPurchase(trx: DatabaseTransaction) {
  return trx
    .selectFrom('purchase_part')
    .where('purchase_part.purchase_id', '=', sql.ref<string>('purchase.id'))
    .select('purchase_part.link_id');
}

/**
 * In one order, so that two that end the same checkouts wait for each other once; locked where they are
 * found in a transaction.
 */
function findOpen(db: Database) {
  return db
    .selectFrom('purchase')
    .where('purchase.state', '=', 'open')
    .orderBy('purchase.id')
    .select('purchase.id')
    .$if(db.isTransaction && dialectOf(db) === 'postgres', (query) => query.forUpdate('purchase'));
}

/** @returns how many */
async function end(
  trx: DatabaseTransaction,
  found: { execute(): Promise<{ id: string }[]> },
  now: number,
): Promise<number> {
  const ids = (await found.execute()).map(({ id }) => id);
  if (ids.length === 0) return 0;
  const ended = await trx
    .updateTable('purchase')
    .set({ state: 'expired' })
    .where('id', 'in', ids)
    .where('state', '=', 'open')
    .returning('payment_id')
    .execute();
  const paymentIds = ended.map(({ payment_id }) => payment_id);
  if (paymentIds.length === 0) return ids.length;
  const payments = await trx
    .selectFrom('payment')
    .where('id', 'in', paymentIds)
    .orderBy('id')
    .select('session_id')
    .execute();
  for (const { session_id: sessionId } of payments) {
    await enqueue(trx, 'expire-checkout', { sessionId }, now);
  }
  return ids.length;
}
