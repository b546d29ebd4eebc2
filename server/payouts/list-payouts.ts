import { DEFAULT_PAGE_SIZE } from '../../contract/limits.ts';
import type { Database } from '../database/tables.ts';
import { DomainError } from '../lib/domain-error.ts';
import type { Mode } from '../payments/tables.ts';
import type { Payout, PayoutState } from './tables.ts';

export interface PayoutView {
  id: string;
  amountCents: number;
  costCents: number;
  /** What arrives at the bank. */
  arrivesCents: number;
  state: PayoutState;
  /** A sentence for the creator: what it waits for, or why it failed; null where nothing is to say. */
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
    .limit(DEFAULT_PAGE_SIZE + 1);
  if (token !== null) {
    const { requestedAt, id } = readToken(token);
    asked = asked.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('requested_at', 'id'), '<', tuple(requestedAt, id)),
    );
  }
  const rows = await asked.execute();
  const page = rows.slice(0, DEFAULT_PAGE_SIZE);
  const last = page.at(-1);
  const goesOn = rows.length > DEFAULT_PAGE_SIZE && last;
  return { payouts: page.map(viewPayout), nextToken: goesOn ? writeToken(last) : null };
}

export function viewPayout(payout: Payout): PayoutView {
  const { amount_cents: amountCents, cost_cents: costCents } = payout;
  return {
    id: payout.id,
    amountCents,
    costCents,
    arrivesCents: amountCents - costCents,
    state: payout.state,
    note: payout.note,
    requestedAt: payout.requested_at,
    changedAt: payout.changed_at,
    bankAccount: payout.bank_account,
  };
}

const writeToken = ({ requested_at, id }: Payout) =>
  Buffer.from(`payout.${requested_at}.${id}`).toString('base64url');

function readToken(token: string): { requestedAt: number; id: string } {
  const text = Buffer.from(token, 'base64url').toString();
  const [, time, id] = /^payout\.(\d{1,15})\.([0-9a-f-]{36})$/.exec(text) ?? [];
  if (time !== undefined && id !== undefined) return { requestedAt: Number(time), id };
  throw new DomainError('INVALID_INPUT', 'The nextToken does not belong to the list of payouts.');
}
