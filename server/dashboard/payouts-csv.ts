import { Readable } from 'node:stream';
import type { FastifyPluginAsync } from 'fastify';
import { formatCents } from '../../contract/money.ts';
import type { Database } from '../database/tables.ts';
import { neutralize, writeRow } from '../lib/csv.ts';
import { isoTime } from '../lib/time.ts';
import { signedInOnly } from '../pages/signed-in-only.ts';
import type { Mode } from '../payments/tables.ts';
import { listBookedPayouts } from '../payouts/list-booked-payouts.ts';
import { listPayouts } from '../payouts/list-payouts.ts';

interface Context {
  db: Database;
  mode: Mode;
  now: () => number;
}

const COLUMNS = [
  ...['time', 'amount', 'cost', 'arrives', 'currency', 'mode', 'state', 'changed'],
  ...['bank_account', 'note', 'payout_id'],
];

/** A creator's payouts as a table for spreadsheets and accountants, newest first. */
export const payoutsRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  app.get('/dashboard/payouts.csv', { onRequest: signedInOnly }, async (request, reply) => {
    const { user } = await request.viewer();
    const day = isoTime(context.now()).slice(0, 10);
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="padlink-payouts-${day}.csv"`)
      .header('cache-control', 'private, no-store')
      .send(Readable.from(writeTable(context, user?.id ?? '')));
  });
};

async function* writeTable({ db, mode }: Context, ownerId: string) {
  // Spreadsheets know UTF-8 by the mark at its beginning.
  yield `\ufeff${writeRow(COLUMNS)}`;
  let token: string | null = null;
  do {
    const { payouts, nextToken } = await listPayouts(db, ownerId, mode, token);
    for (const { requestedAt, changedAt, state, ...payout } of payouts) {
      const amounts = [payout.amountCents, payout.costCents, payout.arrivesCents];
      yield writeRow([
        ...[isoTime(requestedAt), ...amounts.map(formatCents), 'usd', mode],
        ...[state, isoTime(changedAt)],
        ...[payout.bankAccount ?? '', payout.note ?? '', payout.id].map(neutralize),
      ]);
    }
    token = nextToken;
  } while (token !== null);
  for (const { amountCents, bookedAt, reference } of await listBookedPayouts(db, {
    ...{ ownerId, mode },
    limit: Number.MAX_SAFE_INTEGER,
  })) {
    const [time, amount] = [isoTime(bookedAt), formatCents(amountCents)];
    yield writeRow([
      ...[time, amount, formatCents(0), amount, 'usd', mode],
      ...[amountCents < 0 ? 'reversed' : 'paid', time, '', 'Booked by hand', neutralize(reference)],
    ]);
  }
}
