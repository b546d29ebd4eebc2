import type { Database } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { readDeliveryProgress } from './delivery-progress.ts';

const BATCH = 200;

/**
 * Looks at each purchase once, two days after it was paid: where the files have not all been sent,
 * and the receipt was refused or its personal link never opened, the buyer is mailed a reminder and
 * the purchase counts as undelivered; of a gift nobody is reminded. Those that arrived since no longer do.
 * @returns how many newly do
 */
export async function watchDeliveries({
  db,
  now,
}: {
  db: Database;
  now: () => number;
}): Promise<number> {
  await forgetArrived(db);
  let found = 0;
  for (;;) {
    const due = await unarrived(db)
      .where('purchase.watch_at', '<=', now())
      .orderBy('purchase.watch_at')
      .limit(BATCH)
      .select(['purchase.buyer_email', 'purchase.gift_email', 'access_grant.state'])
      .execute();
    if (due.length === 0) return found;
    const lacking = new Set((await withoutFiles(db, due.filter(isOwed))).map(({ id }) => id));
    for (const { id, buyer_email, gift_email } of due) {
      const isLacking = lacking.has(id);
      const at = now();
      await transaction(db, async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('purchase')
          .set({ watch_at: null, undelivered_at: isLacking ? at : null })
          .where('id', '=', id)
          .where('watch_at', 'is not', null)
          .executeTakeFirst();
        if (!isLacking || numUpdatedRows === 0n) return;
        found += 1;
        // The recipient of a gift gets one email.
        if (buyer_email && gift_email === null) {
          await enqueue(trx, 'send-reminder', { purchaseId: id }, at);
        }
      });
    }
  }
}

/** What arrived, or was given back, would hide others among those that are listed. */
async function forgetArrived(db: Database): Promise<void> {
  for (let after = ''; ; ) {
    const reminded = await unarrived(db)
      .where('purchase.undelivered_at', 'is not', null)
      // What is held back may be owed again.
      .where('access_grant.state', '!=', 'suspended')
      .where('purchase.id', '>', after)
      .orderBy('purchase.id')
      .limit(BATCH)
      .select('access_grant.state')
      .execute();
    const last = reminded.at(-1);
    if (!last) return;
    after = last.id;
    const lacking = new Set((await withoutFiles(db, reminded.filter(isOwed))).map(({ id }) => id));
    const arrived = reminded.filter(({ id }) => !lacking.has(id)).map(({ id }) => id);
    if (arrived.length === 0) continue;
    await db
      .updateTable('purchase')
      .set({ undelivered_at: null })
      .where('id', 'in', arrived)
      .execute();
  }
}

/** A purchase that has not arrived, though its buyer was reminded. */
export interface UndeliveredPurchase {
  id: string;
  linkId: string;
  sellerId: string;
  /** UTC milliseconds. */
  paidAt: number;
  /** When it was found not to have arrived. */
  undeliveredAt: number;
  /** Whether the mail server refused the buyer's address. */
  isRefused: boolean;
}

/** More than anybody looks after one by one. */
const MAX_LISTED = 1_000;

/** Those that still have not arrived, the latest first, of one seller or of all. */
export async function listUndelivered(
  db: Database,
  sellerId?: string,
): Promise<UndeliveredPurchase[]> {
  const reminded = await unarrived(db)
    .where('purchase.undelivered_at', 'is not', null)
    .where('access_grant.state', '=', 'active')
    .select('access_grant.state')
    .$if(sellerId !== undefined, (query) => query.where('purchase.seller_id', '=', sellerId ?? ''))
    .orderBy('purchase.undelivered_at', 'desc')
    .orderBy('purchase.id', 'desc')
    .limit(MAX_LISTED)
    .execute();
  const lacking = await withoutFiles(db, reminded.filter(isOwed));
  return lacking.map((row) => ({
    id: row.id,
    linkId: row.link_id,
    sellerId: row.seller_id,
    paidAt: row.settled_at ?? 0,
    undeliveredAt: row.undelivered_at ?? 0,
    isRefused: row.receipt_refused_at !== null,
  }));
}

function unarrived(db: Database) {
  return db
    .selectFrom('purchase')
    .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
    .select(['purchase.id', 'purchase.link_id', 'purchase.seller_id', 'purchase.settled_at'])
    .select(['purchase.receipt_refused_at', 'purchase.undelivered_at'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('grant_claim')
          .whereRef('grant_claim.grant_id', '=', 'access_grant.id')
          .where('grant_claim.claimed_at', '>', 0)
          .select('grant_claim.grant_id'),
      ).as('is_opened'),
    );
}

/** What is not held back, and of which no sign came that the buyer has the personal link. */
const isOwed = (row: {
  state: string;
  receipt_refused_at: number | null;
  is_opened: unknown;
}): boolean => row.state === 'active' && (row.receipt_refused_at !== null || !row.is_opened);

async function withoutFiles<Row extends { id: string }>(db: Database, rows: Row[]): Promise<Row[]> {
  const progress = await readDeliveryProgress(
    db,
    rows.map(({ id }) => id),
  );
  return rows.filter(({ id }) => ['unopened', 'partly'].includes(progress.get(id)?.state ?? ''));
}
