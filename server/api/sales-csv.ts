import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { FastifyInstance } from 'fastify';
import { formatCents } from '../../contract/money.ts';
import { readSales, type SoldPurchase } from '../domain/purchases/read-sales.ts';
import type { Database } from '../domain/tables.ts';
import type { FindViewer } from './find-viewer.ts';
import { isoTime } from './iso-time.ts';
import { signedInOnly } from './signed-in-only.ts';

interface Deps {
  db: Database;
  findViewer: FindViewer;
  now: () => number;
}

const COLUMNS = [
  'time',
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
];

/** A creator's sales as a table for spreadsheets and accountants. */
export function registerSalesCsv(app: FastifyInstance, { db, findViewer, now }: Deps): void {
  app.get(
    '/dashboard/sales.csv',
    { onRequest: signedInOnly(findViewer) },
    async (request, reply) => {
      const { user } = await findViewer(request);
      const asOf = now();
      const day = isoTime(asOf).slice(0, 10);
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="padlink-sales-${day}.csv"`)
        .header('cache-control', 'private, no-store')
        .send(Readable.from(writeTable(db, user?.id ?? '', asOf)));
    },
  );
}

async function* writeTable(db: Database, sellerId: string, until: number) {
  // Spreadsheets know UTF-8 by the mark at its beginning.
  yield stringify([COLUMNS], { bom: true, record_delimiter: 'windows' });
  for await (const sales of readSales(db, sellerId, until)) {
    yield stringify(sales.map(toRow), { record_delimiter: 'windows' });
  }
}

function toRow(sale: SoldPurchase): string[] {
  const net = sale.grossCents - sale.feeCents;
  const earned = net - sale.refundedCents - sale.disputedCents;
  const amounts = [sale.grossCents, sale.feeCents, net, sale.refundedCents, sale.disputedCents];
  return [
    isoTime(sale.settledAt),
    sale.linkId,
    neutralize(sale.title ?? ''),
    ...[...amounts, earned].map(formatCents),
    sale.currency,
    sale.mode,
    sale.id,
  ];
}

/** What a spreadsheet would take for a formula is text. */
function neutralize(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
