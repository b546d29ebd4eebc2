import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import { prepare } from '../../ground/database/prepare.ts';
import type { DatabaseTransaction, Tables } from '../../ground/database/tables.ts';
import { beforeCommit, note } from '../../ground/database/transaction.ts';
import { pick } from '../../ground/lib/pick.ts';
import { dayOf } from '../../ground/lib/time.ts';
import { addCounts } from '../statistics/counts.ts';
import { addSaleToSource } from '../statistics/sources.ts';
import { addWorth, moveWorth } from './sales-in-time.ts';
import { selectLines } from './select-lines.ts';
import type { EntryKind } from './tables.ts';

/** A cause is booked already, with other lines: one of the two is wrong, so neither is taken. */
export class EntryConflictError extends Error {
  override name = 'EntryConflictError';
}

/**
 * Books one balanced entry and keeps the balances and statistics of its creators, in the
 * caller's transaction.
 * An entry that is already booked changes nothing.
 * @returns whether the entry was booked now
 * @throws RangeError when the lines are not integer cents that sum to zero in each currency
 * @throws EntryConflictError when its cause is booked with other lines
 */
export async function postEntry(
  trx: DatabaseTransaction,
  entry: Entry,
  now: number,
): Promise<boolean> {
  assertBalanced(entry);
  const [booked] = await insertEntry(trx, {
    id: randomUUID(),
    kind: entry.kind,
    cause: entry.cause,
    mode: entry.mode,
    provider_account: entry.providerAccount,
    currency: entry.currency,
    purchase_id: entry.purchaseId,
    line_count: entry.lines.length,
    created_at: now,
  });
  if (!booked) {
    await assertSame(trx, entry);
    return false;
  }
  await insertLines(
    trx,
    entry.lines.map((line, position) => ({
      entry_id: booked.id,
      position,
      account: line.account,
      owner_id: line.ownerId ?? null,
      amount_cents: line.amountCents,
      currency: line.currency ?? entry.currency,
      sold_at: line.ownerId ? entry.soldAt : null,
    })),
  );
  const keepSums = async () => {
    for (const { ownerId, amountCents } of entry.lines) {
      if (ownerId) await addToBalance(trx, { ownerId, mode: entry.mode, amountCents }, now);
    }
    await moveSale(trx, entry);
  };
  // Sales of one seller at the same time queue for these rows, so they are written last. Nothing that settles
  // with a sale reads them; whoever books anything else may do so at once.
  if (entry.kind === 'sale') beforeCommit(trx, 'sums', keepSums);
  else await keepSums();
  countEntry(trx, entry, now);
  noteEntry(trx, entry);
  return true;
}

const insertEntry = prepare((db, row: Insertable<Tables['ledger_entry']>) =>
  db
    .insertInto('ledger_entry')
    .values({
      ...pick(row, 'id', 'kind', 'cause', 'mode', 'provider_account', 'currency', 'purchase_id'),
      ...pick(row, 'line_count', 'created_at'),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
);

const insertLines = prepare((db, lines: Insertable<Tables['ledger_line']>[]) =>
  db.insertInto('ledger_line').values(
    lines.map((line) => ({
      ...pick(line, 'entry_id', 'position', 'account', 'owner_id', 'amount_cents', 'currency'),
      ...pick(line, 'sold_at'),
    })),
  ),
);

function noteEntry(trx: DatabaseTransaction, entry: Entry): void {
  const cents: Record<string, number> = {};
  for (const { account, amountCents } of entry.lines) {
    cents[account] = (cents[account] ?? 0) + amountCents;
  }
  const { cause, mode, purchaseId: purchase, linkId: link, currency } = entry;
  note(trx, { kind: 'booked', entry: entry.kind, cause, mode, purchase, link, cents, currency });
}

function assertBalanced({ currency, lines }: Entry): void {
  const sums = new Map<string, number>();
  for (const line of lines) {
    const counted = line.currency ?? currency;
    sums.set(counted, (sums.get(counted) ?? 0) + line.amountCents);
  }
  const isWhole = lines.every((line) => Number.isSafeInteger(line.amountCents));
  if (!isWhole || [...sums.values()].some((sum) => sum !== 0)) {
    throw new RangeError('The lines of a ledger entry must be integer cents that sum to zero');
  }
}

async function assertSame(trx: DatabaseTransaction, entry: Entry): Promise<void> {
  const booked = await selectLines(trx)
    .where('ledger_entry.cause', '=', entry.cause)
    .where('ledger_entry.purchase_id', 'is not distinct from', entry.purchaseId)
    .select(['kind', 'mode', 'provider_account', 'ledger_entry.currency', 'purchase_id'])
    .select(['account', 'owner_id', 'amount_cents', 'ledger_line.currency as line_currency'])
    .orderBy('position')
    .execute();
  const asked = entry.lines.map((line) => ({
    kind: entry.kind,
    mode: entry.mode,
    provider_account: entry.providerAccount,
    currency: entry.currency,
    purchase_id: entry.purchaseId,
    account: line.account,
    owner_id: line.ownerId ?? null,
    amount_cents: line.amountCents,
    line_currency: line.currency ?? entry.currency,
  }));
  if (JSON.stringify(asked) === JSON.stringify(booked)) return;
  throw new EntryConflictError(`${entry.cause} is already booked with other lines`);
}

/** Every account of the journal. Creators' accounts carry their owner. */
export type Account =
  | 'provider'
  | 'bank'
  | 'creator'
  | 'platform_fee'
  | 'processing_cost'
  /** Paid by buyers, and owed to tax authorities. */
  | 'tax_payable'
  | 'dispute_fee'
  /** What a deleted account owed and nobody will pay. */
  | 'bad_debt'
  /** What the provider takes for anything but one payment. */
  | 'provider_fee'
  /** Sent to a creator's account at the provider, or on its way back. */
  | 'payout_in_transit'
  /** What creators bear of what payouts cost. */
  | 'payout_fee'
  /** The provider's, and not at anybody's disposal. */
  | 'reserve'
  /** Left the provider for a refund that may still fail. */
  | 'pending_refund'
  /** Two sides of money that was changed from one currency into another. */
  | 'exchange'
  /** Moved at the provider, and nobody has said yet what for. */
  | 'suspense'
  /** Moved at the provider for business that is not this product's. */
  | 'other_business';

export interface Line {
  account: Account;
  ownerId?: string;
  /** Signed cents: positive credits the account. */
  amountCents: number;
  /** Where it is not the entry's. What is owed to creators is in US dollars. */
  currency?: string;
}

export interface Entry {
  kind: EntryKind;
  /** What happened: the same cause is never booked twice of one purchase, or without any. */
  cause: string;
  mode: 'test' | 'live';
  providerAccount: string;
  currency: string;
  purchaseId: string | null;
  /** The link that was sold. Null where there is none. */
  linkId: string | null;
  /** When the sale behind the entry was made, UTC ms. Null where there is none. */
  soldAt: number | null;
  lines: Line[];
}

interface Change {
  ownerId: string;
  mode: 'test' | 'live';
  /** Signed cents. */
  amountCents: number;
}

/** Moves a creator's balance by a line, in the transaction that books the line. */
const addToBalance = prepare((db, { ownerId, mode, amountCents }: Change, now: number) =>
  db
    .insertInto('user_balance')
    .values({
      owner_id: ownerId,
      mode,
      balance_cents: amountCents,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['owner_id', 'mode']).doUpdateSet((update) => ({
        balance_cents: update('user_balance.balance_cents', '+', amountCents),
        updated_at: now,
      })),
    ),
);

/** An entry of a sale changes what the sale is worth to its seller. */
async function moveSale(
  trx: DatabaseTransaction,
  { kind, purchaseId, mode, soldAt, lines }: Entry,
): Promise<void> {
  const ownerId = lines.find((line) => line.ownerId)?.ownerId;
  if (purchaseId === null || soldAt === null || !ownerId) return;
  const sale = { purchaseId, ownerId, mode, soldAt };
  const cents = sumOfCreator(lines);
  if (kind === 'sale') await addWorth(trx, sale, cents);
  else await moveWorth(trx, sale, cents);
}

/** Cents that lines bring to a creator. */
const sumOfCreator = (lines: Line[]) =>
  lines.reduce((sum, line) => sum + (line.ownerId ? line.amountCents : 0), 0);

const REFUNDS: Partial<Record<Entry['kind'], number>> = { refund: 1, refund_reversal: -1 };

/**
 * Counts what an entry says of a creator's sales: a sale on the day it was made, what was taken
 * back of it on the day that is booked.
 */
function countEntry(
  trx: DatabaseTransaction,
  { kind, linkId, purchaseId, soldAt, lines }: Entry,
  now: number,
): void {
  const ownerId = lines.find((line) => line.ownerId)?.ownerId;
  if (linkId === null || soldAt === null || !ownerId) return;
  const cents = sumOfCreator(lines);
  const sales = kind === 'sale' ? 1 : 0;
  const refunds = REFUNDS[kind] ?? 0;
  const money = sales ? { net_cents: cents } : { returned_cents: -cents };
  const day = dayOf(sales ? soldAt : now);
  addCounts(
    trx,
    [{ link_id: linkId, sales, refunds }],
    [{ owner_id: ownerId, day, sales, refunds, ...money }],
  );
  if (sales && purchaseId !== null) {
    addSaleToSource(trx, { purchaseId, soldAt, netCents: cents });
  }
}
