import { findReturned, type Returned } from '../ledger/find-returned.ts';
import type { Database } from '../tables.ts';
import type { Mode } from './tables.ts';

export interface SoldPurchase extends Returned {
  id: string;
  linkId: string;
  title: string | null;
  grossCents: number;
  feeCents: number;
  currency: string;
  mode: Mode;
  /** UTC milliseconds. */
  settledAt: number;
}

const PIECE = 500;

/** A creator's sales up to a time, oldest first, piece by piece: at no size are all in memory. */
export async function* readSales(
  db: Database,
  sellerId: string,
  until: number,
): AsyncGenerator<SoldPurchase[]> {
  let after = { settledAt: 0, id: '' };
  for (;;) {
    const piece = await readPiece(db, sellerId, after, until);
    const last = piece.at(-1);
    if (!last) return;
    yield piece;
    after = last;
  }
}

async function readPiece(
  db: Database,
  sellerId: string,
  after: { settledAt: number; id: string },
  until: number,
): Promise<SoldPurchase[]> {
  const rows = await db
    .selectFrom('purchase')
    .innerJoin('link', 'link.id', 'purchase.link_id')
    .where('purchase.seller_id', '=', sellerId)
    .where('purchase.settled_at', '<=', until)
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('purchase.settled_at', 'purchase.id'),
        '>',
        tuple<number | null, string>(after.settledAt, after.id),
      ),
    )
    .orderBy('purchase.settled_at')
    .orderBy('purchase.id')
    .limit(PIECE)
    .select(['purchase.id', 'purchase.link_id', 'link.title', 'purchase.price_cents'])
    .select(['purchase.fee_cents', 'purchase.currency', 'purchase.mode', 'purchase.settled_at'])
    .execute();
  if (rows.length === 0) return [];
  const returned = await findReturned(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    ...(returned.get(row.id) ?? { refundedCents: 0, disputedCents: 0 }),
    id: row.id,
    linkId: row.link_id,
    title: row.title,
    grossCents: row.price_cents,
    feeCents: row.fee_cents,
    currency: row.currency,
    mode: row.mode,
    settledAt: row.settled_at ?? 0,
  }));
}
