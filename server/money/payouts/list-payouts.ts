import { type Fact, putIntoEnglish, readFact } from '../../../contract/fact.ts';
import type { Database } from '../../ground/database/tables.ts';
import { ROWS_OF_PAGE, readToken, toPage } from '../../ground/lib/newest-first.ts';
import type { Mode } from '../../selling/purchases/tables.ts';
import { type Payout, type PayoutState, UNDER_WAY } from './tables.ts';

export interface PayoutView {
  id: string;
  amountCents: number;
  costCents: number;
  /** What arrives at the bank. */
  arrivesCents: number;
  state: PayoutState;
  /** For the creator: what it waits for, or why it failed; null where nothing is to say. */
  noteFact: Fact | null;
  /** In English. */
  note: string | null;
  /** UTC milliseconds. */
  requestedAt: number;
  changedAt: number;
  bankAccount: string | null;
}

/**
 * A creator's payouts, newest first, by keyset.
 * @param token where the last page ended; null for the first one
 * @throws DomainError INVALID_INPUT for a token of another list
 */
export async function listPayouts(
  db: Database,
  ownerId: string,
  mode: Mode,
  token: string | null,
): Promise<{ payouts: PayoutView[]; nextToken: string | null }> {
  let asked = db
    .selectFrom('payout')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('mode', '=', mode)
    .orderBy('requested_at', 'desc')
    .orderBy('id', 'desc')
    .limit(ROWS_OF_PAGE);
  if (token !== null) {
    const { time, id } = readToken('payouts', token);
    asked = asked.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('requested_at', 'id'), '<', tuple(time, id)),
    );
  }
  const rows = await asked.execute();
  const { page, nextToken } = toPage('payouts', rows, ({ requested_at: time, id }) => ({
    time,
    id,
  }));
  return { payouts: page.map(viewPayout), nextToken };
}

const MAX_WAITING = 50;

/**
 * The payouts that wait for an operator, the oldest first. Of a creator whose account was deleted
 * there is no email address.
 */
export async function listWaitingPayouts(db: Database, mode: Mode) {
  const rows = await db
    .selectFrom('payout')
    .leftJoin('user', 'user.id', 'payout.owner_id')
    .where('state', 'in', UNDER_WAY)
    .where('mode', '=', mode)
    .where('approved_at', 'is', null)
    .orderBy('requested_at')
    .orderBy('payout.id')
    .limit(MAX_WAITING)
    .select(['payout.id', 'amount_cents', 'bank_account', 'requested_at', 'user.email'])
    .execute();
  return rows.map(({ id, email, ...row }) => ({
    id,
    email,
    amountCents: row.amount_cents,
    bankAccount: row.bank_account,
    requestedAt: row.requested_at,
  }));
}

export function viewPayout(payout: Payout): PayoutView {
  const { amount_cents: amountCents, cost_cents: costCents } = payout;
  const noteFact = payout.note === null ? null : readFact(payout.note);
  return {
    id: payout.id,
    amountCents,
    costCents,
    arrivesCents: amountCents - costCents,
    state: payout.state,
    noteFact,
    note: noteFact && putIntoEnglish(noteFact),
    requestedAt: payout.requested_at,
    changedAt: payout.changed_at,
    bankAccount: payout.bank_account,
  };
}
