import type { FastifyPluginAsync } from 'fastify';
import { formatCents } from '../../contract/money.ts';
import type { Database } from '../database/tables.ts';
import type { ApiCall } from '../http/describe-calls.ts';
import { neutralize } from '../lib/csv.ts';
import { isoTime } from '../lib/time.ts';
import { signedInOnly } from '../pages/signed-in-only.ts';
import type { Mode } from '../payments/tables.ts';
import { listBookedPayouts } from '../payouts/list-booked-payouts.ts';
import { listPayouts } from '../payouts/list-payouts.ts';
import { sendTable } from './send-table.ts';

interface Context {
  db: Database;
  mode: Mode;
  now: () => number;
}

const COLUMNS = [
  ...['time', 'amount', 'cost', 'arrives', 'currency', 'mode', 'state', 'changed'],
  ...['bank_account', 'note', 'payout_id'],
];

const CALL: ApiCall = {
  name: 'getPayoutsTable',
  summary: 'All your payouts as a table; docs/api.md names its columns.',
  caller: 'session',
  answers: { 200: { says: 'Newest first.', mediaType: 'text/csv' } },
};

/** A creator's payouts as a table for spreadsheets and accountants, newest first. */
export const payoutsRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  app.get(
    '/dashboard/payouts.csv',
    { onRequest: signedInOnly, config: { api: CALL } },
    async (request, reply) => {
      const { user } = await request.viewer();
      const table = { name: 'payouts', madeAt: context.now(), columns: COLUMNS };
      return sendTable(reply, table, writePayouts(context, user?.id ?? ''));
    },
  );
};

async function* writePayouts({ db, mode }: Context, ownerId: string) {
  let token: string | null = null;
  do {
    const { payouts, nextToken } = await listPayouts(db, ownerId, mode, token);
    yield payouts.map(({ requestedAt, changedAt, state, ...payout }) => {
      const amounts = [payout.amountCents, payout.costCents, payout.arrivesCents];
      return [
        ...[isoTime(requestedAt), ...amounts.map(formatCents), 'usd', mode],
        ...[state, isoTime(changedAt)],
        ...[payout.bankAccount ?? '', payout.note ?? '', payout.id].map(neutralize),
      ];
    });
    token = nextToken;
  } while (token !== null);
  const limit = Number.MAX_SAFE_INTEGER;
  const booked = await listBookedPayouts(db, { ownerId, mode, limit });
  yield booked.map(({ amountCents, bookedAt, reference }) => {
    const [time, amount] = [isoTime(bookedAt), formatCents(amountCents)];
    return [
      ...[time, amount, formatCents(0), amount, 'usd', mode],
      ...[amountCents < 0 ? 'reversed' : 'paid', time, '', 'Booked by hand', neutralize(reference)],
    ];
  });
}
