import type { FastifyPluginAsync } from 'fastify';
import { formatCents } from '../../../contract/money.ts';
import { nameLink } from '../../../contract/name-link.ts';
import { readDeliveryProgress } from '../../delivery/downloads/delivery-progress.ts';
import type { ApiCall } from '../../edge/http/describe-calls.ts';
import { sendTable, TABLE_QUERY } from '../../edge/http/send-table.ts';
import { signedInOnly } from '../../edge/pages/signed-in-only.ts';
import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import type { Cell } from '../../ground/lib/csv.ts';

export interface TableContext extends DatabaseContext {
  publicUrl: string;
}

const COLUMNS: Cell[] = [
  { timesOf: 'time' },
  'link_id',
  'title',
  'gross',
  'fee',
  'net',
  'refunded',
  'disputed',
  'earned',
  'currency',
  'mode',
  'purchase_id',
  'signed_receipt',
  'delivery',
  'discount_code',
  'gift',
];

const CALL: ApiCall = {
  name: 'getSalesTable',
  summary: 'All your sales as a table; docs/api.md names its columns.',
  caller: 'session',
  query: TABLE_QUERY,
  answers: { 200: { says: 'Oldest first.', mediaType: 'text/csv' } },
};

/** A creator's sales as a table for spreadsheets and accountants. */
export const salesRoutes: FastifyPluginAsync<TableContext> = async (app, context) => {
  app.get(
    '/dashboard/sales.csv',
    { onRequest: signedInOnly, config: { api: CALL } },
    async (request, reply) => {
      const { user } = await request.viewer();
      const madeAt = context.now();
      const table = { name: 'sales', madeAt, columns: COLUMNS, publicUrl: context.publicUrl };
      return sendTable(request, reply, table, writeSales(context, user?.id ?? '', madeAt));
    },
  );
};

async function* writeSales({ db, publicUrl }: TableContext, sellerId: string, until: number) {
  for await (const sales of readSales(db, sellerId, until)) {
    yield sales.map((sale) => toRow(sale, publicUrl));
  }
}

function toRow(sale: Awaited<ReturnType<typeof readPiece>>[number], publicUrl: string): Cell[] {
  const net = sale.grossCents - sale.feeCents;
  const earned = net - sale.refundedCents - sale.disputedCents;
  const amounts = [sale.grossCents, sale.feeCents, net, sale.refundedCents, sale.disputedCents];
  return [
    { time: sale.settledAt },
    { text: sale.linkId },
    { text: nameLink({ id: sale.linkId, title: sale.title }) },
    ...[...amounts, earned].map((cents) => ({ amount: formatCents(cents) })),
    sale.currency,
    sale.mode,
    sale.id,
    `${publicUrl}/dashboard/sales/${sale.id}/receipt`,
    sale.delivery?.state === 'partly' ? `${sale.delivery.percent}%` : (sale.delivery?.state ?? ''),
    { text: sale.code ?? '' },
    sale.isGift ? 'yes' : '',
  ];
}

/** Some five milliseconds' work, during which nobody else is answered. */
const PIECE = 200;

/** A creator's sales up to a time, oldest first, in batches: they are never all in memory. */
export async function* readSales(db: Database, sellerId: string, until: number) {
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
) {
  const rows = await db
    .selectFrom('purchase')
    .leftJoin('purchase_discount', 'purchase_discount.purchase_id', 'purchase.id')
    .leftJoin('discount', 'discount.id', 'purchase_discount.discount_id')
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
    .select(['purchase.id', 'purchase.link_id as linkId', 'purchase.title', 'discount.code'])
    .select(['purchase.price_cents as grossCents', 'purchase.fee_cents as feeCents'])
    .select(['purchase.currency', 'purchase.mode', 'purchase.settled_at', 'purchase.gift_email'])
    .execute();
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const returned = await findReturned(db, ids);
  const progress = await readDeliveryProgress(db, ids);
  return rows.map(({ settled_at, gift_email, ...sale }) => ({
    ...(returned.get(sale.id) ?? { refundedCents: 0, disputedCents: 0 }),
    ...sale,
    settledAt: settled_at ?? 0,
    delivery: progress.get(sale.id),
    // The address is not the seller's to know.
    isGift: gift_email !== null,
  }));
}

/** Cents that a creator returned of a sale, less what was restored. */
interface Returned {
  refundedCents: number;
  disputedCents: number;
}

/** What refunds and disputes took back of sales, by purchase; purchases without any are missing. */
async function findReturned(db: Database, purchaseIds: string[]): Promise<Map<string, Returned>> {
  const rows = await db
    .selectFrom('ledger_entry')
    .innerJoin('ledger_line', 'ledger_line.entry_id', 'ledger_entry.id')
    .where('ledger_entry.purchase_id', 'in', purchaseIds)
    .where('ledger_entry.kind', '!=', 'sale')
    .where('ledger_line.owner_id', 'is not', null)
    .select(['ledger_entry.purchase_id', 'ledger_entry.kind', 'ledger_line.amount_cents'])
    .execute();
  const returned = new Map<string, Returned>();
  for (const { purchase_id: id, kind, amount_cents: cents } of rows) {
    if (id === null) continue;
    const sums = returned.get(id) ?? { refundedCents: 0, disputedCents: 0 };
    if (kind.startsWith('refund')) sums.refundedCents -= cents;
    else sums.disputedCents -= cents;
    returned.set(id, sums);
  }
  return returned;
}
