import type { FastifyPluginAsync } from 'fastify';
import { formatCents } from '../../../contract/money.ts';
import type { ApiCall } from '../../edge/http/describe-calls.ts';
import { sendTable, TABLE_QUERY } from '../../edge/http/send-table.ts';
import { signedInOnly } from '../../edge/pages/signed-in-only.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import type { Cell } from '../../ground/lib/csv.ts';
import type { Mode } from '../../selling/purchases/tables.ts';
import { listBookedPayouts } from './list-booked-payouts.ts';
import { listPayouts } from './list-payouts.ts';

interface Context extends DatabaseContext {
  mode: Mode;
  publicUrl: string;
}

const COLUMNS: Cell[] = [
  ...[{ timesOf: 'time' }, 'amount', 'cost', 'arrives', 'currency', 'mode', 'state'],
  ...[{ timesOf: 'changed' }, 'bank_account', 'note', 'payout_id'],
];

const CALL: ApiCall = {
  name: 'getPayoutsTable',
  summary: 'All your payouts as a table; docs/api.md names its columns.',
  caller: 'session',
  query: TABLE_QUERY,
  answers: { 200: { says: 'Newest first.', mediaType: 'text/csv' } },
};

/** A creator's payouts as a table for spreadsheets and accountants, newest first. */
export const payoutsRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  app.get(
    '/dashboard/payouts.csv',
    { onRequest: signedInOnly, config: { api: CALL } },
    async (request, reply) => {
      const { user } = await request.viewer();
      const { now, publicUrl } = context;
      const table = { name: 'payouts', madeAt: now(), columns: COLUMNS, publicUrl };
      return sendTable(request, reply, table, writePayouts(context, user?.id ?? ''));
    },
  );
};

async function* writePayouts({ db, mode }: Context, ownerId: string): AsyncGenerator<Cell[][]> {
  let token: string | null = null;
  do {
    const { payouts, nextToken } = await listPayouts(db, ownerId, mode, token);
    yield payouts.map(({ requestedAt, changedAt, state, ...payout }) => {
      const amounts = [payout.amountCents, payout.costCents, payout.arrivesCents];
      return [
        ...[{ time: requestedAt }, ...amounts.map(asAmount), 'usd', mode],
        ...[state, { time: changedAt }],
        ...[payout.bankAccount ?? '', payout.note ?? '', payout.id].map((text) => ({ text })),
      ];
    });
    token = nextToken;
  } while (token !== null);
  const limit = Number.MAX_SAFE_INTEGER;
  const booked = await listBookedPayouts(db, { ownerId, mode, limit });
  yield booked.map(({ amountCents, bookedAt, reference }) => {
    const [time, amount] = [{ time: bookedAt }, asAmount(amountCents)];
    return [
      ...[time, amount, asAmount(0), amount, 'usd', mode],
      ...[amountCents < 0 ? 'reversed' : 'paid', time, '', 'Booked by hand', { text: reference }],
    ];
  });
}

const asAmount = (cents: number) => ({ amount: formatCents(cents) });
