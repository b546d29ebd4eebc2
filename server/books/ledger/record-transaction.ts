import type { Selectable } from 'kysely';
import type { Database, DatabaseTransaction, Tables } from '../../ground/database/tables.ts';
import { isThere } from '../../ground/lib/is-there.ts';
import { disputeCause } from './follow-payment.ts';
import { type Account, type Entry, type Line, postEntry } from './post-entry.ts';
import { refundCause, refundReversalCause } from './record-refund.ts';
import { processingCostCause, saleCause } from './record-sale.ts';
import { moveToAvailability } from './sales-in-time.ts';
import { selectLines } from './select-lines.ts';

/** What moved the money of a transaction, as far as the books have entries of their own for it. */
export type TransactionSubject =
  | { kind: 'sale'; paymentIntentId: string; purchaseId: string | null }
  /** Its money leaves at once, though it may be pending for weeks, and fail. */
  | {
      kind: 'refund';
      refundId: string;
      paymentIntentId: string | null;
      state: 'pending' | 'succeeded' | 'failed';
    }
  | { kind: 'refund_reversal'; refundId: string; paymentIntentId: string | null }
  | { kind: 'dispute'; disputeId: string; paymentIntentId: string | null }
  | { kind: 'other' };

/** A balance transaction as the provider reports it. */
export interface ProviderTransaction {
  id: string;
  type: string;
  /** In the smallest unit of its currency, signed: positive came in. Net is amount less fee. */
  amountCents: number;
  feeCents: number;
  netCents: number;
  currency: string;
  /** From the currency of the payment to this one; null where it is the same. */
  exchangeRate: number | null;
  sourceId: string | null;
  subject: TransactionSubject;
  /** UTC milliseconds. */
  availableOn: number;
  createdAt: number;
}

/** Whose books they are at the provider. */
export interface ProviderAccount {
  mode: 'test' | 'live';
  account: string;
}

type Row = Selectable<Tables['provider_transaction']>;

/** The account on the other side of what no purchase explains; of all other types, suspense. */
const ACCOUNTS: Record<string, Account> = {
  stripe_fee: 'provider_fee',
  stripe_fx_fee: 'provider_fee',
  tax_fee: 'provider_fee',
  payout: 'bank',
  payout_cancel: 'bank',
  payout_failure: 'bank',
  topup: 'bank',
  topup_reversal: 'bank',
  transfer: 'payout_in_transit',
  transfer_cancel: 'payout_in_transit',
  transfer_failure: 'payout_in_transit',
  transfer_refund: 'payout_in_transit',
  reserve_transaction: 'reserve',
  reserved_funds: 'reserve',
  reserve_hold: 'reserve',
  reserve_release: 'reserve',
  payment_network_reserve_hold: 'reserve',
  payment_network_reserve_release: 'reserve',
  payout_minimum_balance_hold: 'reserve',
  payout_minimum_balance_release: 'reserve',
};

/**
 * Keeps a transaction and books what is new in it, so that the account `provider` moves by exactly
 * its net: nothing, where entries of ours say the same already; what they do not say, where its
 * currency is another; and all of it, where there is none. A transaction that is kept changes
 * nothing.
 * @returns whether it was kept now
 */
export async function recordTransaction(
  trx: DatabaseTransaction,
  { mode, account }: ProviderAccount,
  transaction: ProviderTransaction,
  now: number,
): Promise<boolean> {
  if (await isKept(trx, transaction.id)) return false;
  const cause = await findFreeCause(trx, transaction);
  const row: Omit<Row, 'entry_id'> = {
    id: transaction.id,
    mode,
    provider_account: account,
    type: transaction.type,
    amount_cents: transaction.amountCents,
    fee_cents: transaction.feeCents,
    net_cents: transaction.netCents,
    currency: transaction.currency,
    exchange_rate: transaction.exchangeRate,
    source_id: transaction.sourceId,
    subject: transaction.subject.kind,
    cause,
    matched: 0,
    state: 'explained',
    available_on: transaction.availableOn,
    created_at: transaction.createdAt,
    imported_at: now,
  };
  const own = await findOwnEntry(trx, row);
  const explained = own
    ? await matchEntry(trx, row, own, now)
    : await explainAlone(trx, row, transaction.subject, now);
  // Another process may have imported it meanwhile.
  const kept = await trx
    .insertInto('provider_transaction')
    .values({ ...row, ...explained })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (kept) await followAvailability(trx, row);
  return kept !== undefined;
}

/** Whether an entry of ours says already what a transaction moved. */
export async function isBooked(
  db: Database,
  { id, subject, feeCents }: ProviderTransaction,
): Promise<boolean> {
  const cause = causeOf(id, subject);
  const own = await findOwnEntry(db, { cause, subject: subject.kind, fee_cents: feeCents });
  return own !== undefined;
}

/**
 * Takes an entry of ours that was booked since for a transaction, and clears what stood in for it.
 * @returns whether there is one
 */
export async function matchTransaction(
  trx: DatabaseTransaction,
  id: string,
  now: number,
): Promise<boolean> {
  const row = await trx
    .selectFrom('provider_transaction')
    .selectAll()
    .where('id', '=', id)
    .where('state', '!=', 'explained')
    .where('matched', '=', 0)
    .executeTakeFirst();
  const own = row && (await findOwnEntry(trx, row));
  if (!own) return false;
  const explained = await matchEntry(trx, row, own, now);
  await trx.updateTable('provider_transaction').set(explained).where('id', '=', id).execute();
  await followAvailability(trx, row);
  return true;
}

async function followAvailability(
  trx: DatabaseTransaction,
  { subject, cause, available_on }: Pick<Row, 'subject' | 'cause' | 'available_on'>,
): Promise<void> {
  if (subject !== 'sale' || cause === null) return;
  await moveToAvailability(trx, cause, available_on);
}

/**
 * Books what is in suspense for a transaction as business that is not this product's.
 * @returns whether there was anything
 */
export async function clearTransaction(
  trx: DatabaseTransaction,
  id: string,
  now: number,
): Promise<boolean> {
  const row = await trx
    .updateTable('provider_transaction')
    .set({ state: 'explained' })
    .where('id', '=', id)
    .where('state', '=', 'suspense')
    .returningAll()
    .executeTakeFirst();
  if (!row) return false;
  const held = await sumSuspense(trx, row);
  const lines: Line[] = [
    { account: 'suspense', amountCents: -held },
    { account: 'other_business', amountCents: held },
  ];
  const entry = { ...entryOf(row), cause: `${importCause(id)}:cleared`, lines };
  await postEntry(trx, entry, now);
  return true;
}

const importCause = (id: string) => `balance_transaction:${id}`;
const matchCause = (id: string) => `${importCause(id)}:matched`;
const sumSuspense = (trx: Database, { id, currency }: Pick<Row, 'id' | 'currency'>) =>
  sumOf(trx, [importCause(id), matchCause(id)], 'suspense', currency);

/** Of two transactions that would be the same entry's, the second one is a riddle. */
async function findFreeCause(
  trx: DatabaseTransaction,
  { id, subject }: ProviderTransaction,
): Promise<string | null> {
  const cause = causeOf(id, subject);
  if (cause === null) return null;
  const same = trx.selectFrom('provider_transaction').where('cause', '=', cause);
  return (await isThere(same.select('id'))) ? null : cause;
}

function causeOf(id: string, subject: TransactionSubject): string | null {
  switch (subject.kind) {
    case 'sale':
      return saleCause(subject);
    case 'refund':
      return refundCause(subject.refundId);
    case 'refund_reversal':
      return refundReversalCause(subject.refundId);
    case 'dispute':
      return disputeCause({ disputeId: subject.disputeId, id });
    case 'other':
      return null;
  }
}

/** Entries of ours that move the money of a transaction: one of each purchase that it paid. */
interface OwnEntry {
  /** The first one's. */
  id: string;
  purchaseId: string | null;
  /** By how many cents they, with what the sales cost, moved the account `provider`; in US dollars. */
  movedCents: number;
}

type Explanation = Pick<Row, 'entry_id' | 'state' | 'matched'>;

/** A sale is complete with what the provider kept of it. */
async function findOwnEntry(
  trx: Database,
  { cause, subject, fee_cents: fee }: Pick<Row, 'cause' | 'subject' | 'fee_cents'>,
): Promise<OwnEntry | undefined> {
  if (cause === null) return undefined;
  const paymentIntentId = cause.slice(saleCause({ paymentIntentId: '' }).length);
  const costCause = subject === 'sale' ? processingCostCause({ paymentIntentId }) : cause;
  const entries = await trx
    .selectFrom('ledger_entry')
    .leftJoin('purchase', 'purchase.id', 'ledger_entry.purchase_id')
    .where('cause', 'in', [cause, costCause])
    .orderBy('line')
    .select(['ledger_entry.id', 'cause', 'purchase_id'])
    .execute();
  const mains = entries.filter((entry) => entry.cause === cause);
  const [main] = mains;
  const needsCost = subject === 'sale' && fee !== 0;
  if (!main || (needsCost && entries.length !== 2 * mains.length)) return undefined;
  const movedCents = await sumOf(trx, [cause, costCause], 'provider', 'usd');
  return { id: main.id, purchaseId: main.purchase_id, movedCents };
}

async function sumOf(
  trx: Database,
  causes: string[],
  account: Account,
  currency: string,
): Promise<number> {
  const { cents } = await selectLines(trx)
    .where('ledger_entry.cause', 'in', causes)
    .where('ledger_line.account', '=', account)
    .where('ledger_line.currency', '=', currency)
    .select(({ fn }) => fn.sum<number | string | null>('amount_cents').as('cents'))
    .executeTakeFirstOrThrow();
  return Number(cents ?? 0);
}

/**
 * Books by how much the provider's money differs from what our entry says: nothing as a rule; all
 * of it, changed into the currency of the account, where that is another one.
 */
async function matchEntry(
  trx: DatabaseTransaction,
  row: Omit<Row, 'entry_id'>,
  own: OwnEntry,
  now: number,
): Promise<Explanation> {
  const standIn = await findStandIn(trx, row.id);
  const lines = balance(
    [
      { account: 'provider', currency: 'usd', amountCents: -own.movedCents },
      { account: standIn ?? 'provider', currency: row.currency, amountCents: -row.net_cents },
    ],
    row.currency === 'usd' ? 'suspense' : 'exchange',
  );
  if (lines.length > 0) {
    const { purchaseId } = own;
    await postEntry(trx, { ...entryOf(row), purchaseId, cause: matchCause(row.id), lines }, now);
  }
  const state = (await sumSuspense(trx, row)) === 0 ? 'explained' : 'suspense';
  return { entry_id: own.id, matched: 1, state };
}

/** The account that a transaction was booked to while no entry of ours was there; null for none. */
async function findStandIn(trx: DatabaseTransaction, id: string): Promise<Account | null> {
  const line = await selectLines(trx)
    .where('ledger_entry.cause', '=', importCause(id))
    .where('ledger_line.account', 'in', ['suspense', 'pending_refund'])
    .select('ledger_line.account')
    .executeTakeFirst();
  return (line?.account as Account | undefined) ?? null;
}

/** Adds up lines of one account and currency, and lets an account take what is left in each. */
function balance(lines: Required<Omit<Line, 'ownerId'>>[], rest: Account): Line[] {
  const sums = new Map<string, Required<Omit<Line, 'ownerId'>>>();
  const add = (line: Required<Omit<Line, 'ownerId'>>) => {
    const key = `${line.account} ${line.currency}`;
    const sum = (sums.get(key)?.amountCents ?? 0) + line.amountCents;
    sums.set(key, { ...line, amountCents: sum });
  };
  for (const line of lines) add(line);
  for (const line of lines) add({ ...line, account: rest, amountCents: -line.amountCents });
  return [...sums.values()].filter(({ amountCents }) => amountCents !== 0);
}

/** Books a transaction that no entry of ours says anything about, or not yet. */
async function explainAlone(
  trx: DatabaseTransaction,
  row: Omit<Row, 'entry_id'>,
  subject: TransactionSubject,
  now: number,
): Promise<Explanation> {
  const failed = await takeOtherHalf(trx, subject);
  const isPending = await isRefundUnderWay(trx, subject);
  const account = failed ?? (isPending ? 'pending_refund' : (ACCOUNTS[row.type] ?? 'suspense'));
  const isCost = account !== 'suspense' && account !== 'pending_refund' && row.fee_cents !== 0;
  const lines: Line[] = [
    { account: 'provider', amountCents: -row.net_cents },
    { account, amountCents: isCost ? row.amount_cents : row.net_cents },
    ...(isCost ? [{ account: 'provider_fee' as const, amountCents: -row.fee_cents }] : []),
  ];
  await postEntry(trx, { ...entryOf(row), cause: importCause(row.id), lines }, now);
  const { id } = await trx
    .selectFrom('ledger_entry')
    .where('cause', '=', importCause(row.id))
    .select('id')
    .executeTakeFirstOrThrow();
  const states = { suspense: 'suspense', pending_refund: 'waiting' } as const;
  const isOpen = failed === null && account in states;
  const state = isOpen ? states[account as keyof typeof states] : 'explained';
  return { entry_id: id, matched: 0, state };
}

/** Of a sale that is booked: another's refund is nothing to wait for. */
async function isRefundUnderWay(
  trx: DatabaseTransaction,
  subject: TransactionSubject,
): Promise<boolean> {
  const isHalf = subject.kind === 'refund' && subject.state !== 'succeeded';
  if (!isHalf && subject.kind !== 'refund_reversal') return false;
  const cause = saleCause({ paymentIntentId: subject.paymentIntentId ?? '' });
  return isThere(trx.selectFrom('ledger_entry').where('cause', '=', cause).select('id'));
}

/**
 * What came back of a refund that was never booked explains where its money was meanwhile. The
 * provider lists the newest first, so that either may come before the other.
 * @returns the account that the other half was booked to; null where our books know of it, or it is
 * not here yet
 */
async function takeOtherHalf(
  trx: DatabaseTransaction,
  subject: TransactionSubject,
): Promise<Account | null> {
  const cause = otherHalfOf(subject);
  if (cause === null) return null;
  const half = await trx
    .updateTable('provider_transaction')
    .set({ state: 'explained' })
    .where('cause', '=', cause)
    .where('matched', '=', 0)
    .where('state', '!=', 'explained')
    .returning('id')
    .executeTakeFirst();
  return half ? findStandIn(trx, half.id) : null;
}

function otherHalfOf(subject: TransactionSubject): string | null {
  if (subject.kind === 'refund_reversal') return refundCause(subject.refundId);
  return subject.kind === 'refund' ? refundReversalCause(subject.refundId) : null;
}

/** Whether a transaction of the provider was imported. */
export const isKept = (db: Database, id: string) =>
  isThere(db.selectFrom('provider_transaction').where('id', '=', id).select('id'));

function entryOf(row: Omit<Row, 'entry_id'>): Omit<Entry, 'cause' | 'lines'> {
  return {
    kind: 'provider_transaction',
    mode: row.mode,
    providerAccount: row.provider_account,
    currency: row.currency,
    purchaseId: null,
    linkId: null,
    soldAt: null,
  };
}
