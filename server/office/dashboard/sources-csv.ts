import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { formatCents } from '../../../contract/money.ts';
import { nameSource } from '../../../contract/sources.ts';
import { readSourceDays } from '../../books/statistics/sources.ts';
import { sendTable } from '../../edge/http/send-table.ts';
import { signedInOnly } from '../../edge/pages/signed-in-only.ts';
import type { Database } from '../../ground/database/tables.ts';
import type { Cell } from '../../ground/lib/csv.ts';
import { DAY_MS, isoTime } from '../../ground/lib/time.ts';
import type { TableContext } from './sales-csv.ts';

const COLUMNS: Cell[] = [
  { timesOf: 'day' },
  ...['link_id', 'source', 'views', 'checkouts', 'sales', 'net'],
];

type SourcesRequest = FastifyRequest<{ Querystring: { link?: unknown } }>;

/** Where visitors of a creator's links came from, day by day. */
export const sourcesRoutes: FastifyPluginAsync<TableContext> = async (
  app,
  { db, publicUrl, now },
) => {
  app.get(
    '/dashboard/sources.csv',
    { onRequest: signedInOnly },
    async (request: SourcesRequest, reply) => {
      const { user } = await request.viewer();
      const { link } = request.query;
      const table = { name: 'sources', madeAt: now(), columns: COLUMNS, publicUrl };
      const linkId = typeof link === 'string' ? link : null;
      return sendTable(request, reply, table, writeSources(db, user?.id ?? '', linkId));
    },
  );
};

async function* writeSources(
  db: Database,
  ownerId: string,
  linkId: string | null,
): AsyncGenerator<Cell[][]> {
  for await (const rows of readSourceDays(db, ownerId, linkId)) {
    yield rows.map(({ day, link_id, source, views, checkouts, sales, net_cents }) => [
      ...[isoTime(day * DAY_MS).slice(0, 10), { text: link_id }, { text: nameSource(source) }],
      ...[views, checkouts, sales].map(String),
      { amount: formatCents(net_cents) },
    ]);
  }
}
