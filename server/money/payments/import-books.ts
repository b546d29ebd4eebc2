import {
  isBooked,
  isKept,
  matchTransaction,
  type ProviderAccount,
  type ProviderTransaction,
  recordTransaction,
  type TransactionSubject,
} from '../../books/ledger/record-transaction.ts';
import type { Database } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { followCheckout } from '../../selling/purchases/begin-purchase.ts';
import { findPaid } from '../../selling/purchases/queries.ts';
import { type ReviewContext, reviewPayment } from './review-payment.ts';

export interface ImportContext extends ReviewContext {
  /** Told of what keeps a transaction from being matched; it is imported all the same. */
  warn(fault: unknown, transactionId: string): void;
}

/** The provider lists a transaction a little after its time, and clocks differ. */
const OVERLAP_MS = 3 * 60 * 60 * 1000;

/**
 * Imports what moved the provider's balance since the last time: one row for each transaction, and
 * one entry that explains it. What our books should know of it and do not is asked for first, so
 * that a sale, refund or dispute is found here whose event never came.
 * @returns how many are new
 */
export async function importBooks(context: ImportContext): Promise<number> {
  const { db, provider, now } = context;
  const books = { mode: provider.mode, account: await provider.account() };
  const startedAt = now();
  const since = Math.max(0, (await readImportedUntil(db, books)) - OVERLAP_MS);
  let imported = 0;
  for await (const moved of provider.listTransactions(since)) {
    if (await isKept(db, moved.id)) continue;
    if (!(await isBooked(db, moved))) await catchUp(context, moved);
    const isNew = await transaction(db, (trx) => recordTransaction(trx, books, moved, now()));
    if (isNew) imported += 1;
  }
  await matchOpen(context, books);
  const row = { provider_account: books.account, mode: books.mode, imported_until: startedAt };
  await db
    .insertInto('provider_books')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['provider_account', 'mode']).doUpdateSet({ imported_until: startedAt }),
    )
    .execute();
  return imported;
}

/** Up to when the provider's books are here, UTC milliseconds; 0 where they never were imported. */
async function readImportedUntil(
  db: Database,
  { mode, account }: ProviderAccount,
): Promise<number> {
  const books = await db
    .selectFrom('provider_books')
    .where('provider_account', '=', account)
    .where('mode', '=', mode)
    .select('imported_until')
    .executeTakeFirst();
  return books?.imported_until ?? 0;
}

/** Lets the books follow the payment behind a transaction, if it is of a purchase here. */
async function catchUp(context: ImportContext, { id, subject }: ProviderTransaction) {
  try {
    await follow(context, subject);
  } catch (error) {
    context.warn(error, id);
  }
}

async function follow(context: ReviewContext, subject: TransactionSubject): Promise<void> {
  if (subject.kind === 'other' || subject.paymentIntentId === null) return;
  const { db } = context;
  const purchases = await findPaid(db, subject.paymentIntentId);
  if (purchases.length === 0 && subject.kind === 'sale' && subject.purchaseId !== null) {
    await followCheckout(context, subject.purchaseId);
  }
  await reviewPayment(context, subject.paymentIntentId);
}

/** Looks again for entries of what was imported before our books knew of it. */
async function matchOpen(context: ImportContext, { mode, account }: ProviderAccount) {
  const { db, now } = context;
  const open = await db
    .selectFrom('provider_transaction')
    .where('state', '!=', 'explained')
    .where('matched', '=', 0)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('ledger_entry')
          .whereRef('ledger_entry.cause', '=', 'provider_transaction.cause')
          .select('ledger_entry.id'),
      ),
    )
    .where('provider_transaction.mode', '=', mode)
    .where('provider_transaction.provider_account', '=', account)
    .select('provider_transaction.id')
    .execute();
  for (const { id } of open) await transaction(db, (trx) => matchTransaction(trx, id, now()));
}
