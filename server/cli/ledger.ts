import { dollarsToCents, formatCents } from '../../contract/money.ts';
import { recordPayout, reversePayout, writeOff } from '../books/ledger/balance.ts';
import {
  type ExportRange,
  writeAmount,
  writeCsv,
  writeHledger,
} from '../books/ledger/export-entries.ts';
import type { CostBearers } from '../books/ledger/follow-payment.ts';
import { clearTransaction } from '../books/ledger/record-transaction.ts';
import type { Config } from '../ground/config/read-config.ts';
import { findMissingTriggers } from '../ground/database/append-only-triggers.ts';
import type { Database } from '../ground/database/tables.ts';
import { transaction } from '../ground/database/transaction.ts';
import { DAY_MS, isoTime } from '../ground/lib/time.ts';
import { checkLedger, findOverdue } from '../money/payments/check-ledger.ts';
import { compareDays, findWrongProviderBooks } from '../money/payments/check-provider-books.ts';
import { compareBalances, isEqual } from '../money/payments/compare-balances.ts';
import type { ImportContext } from '../money/payments/import-books.ts';
import { rebuildSums } from '../money/payments/rebuild-sums.ts';
import { quoteRefund, type RefundQuote, refundSale } from '../money/payments/refund-sale.ts';
import { findOverduePayouts, findWrongPayouts } from '../money/payouts/check-payouts.ts';
import { findAccountId } from '../people/accounts/find-account.ts';
import {
  type Commands,
  DONE,
  Misuse,
  type Output,
  readFirst,
  readOptions,
  readReasoned,
  readWords,
  tellProgress,
} from './command-line.ts';
import { withProvider } from './with-provider.ts';

export const USAGE = `  refund PURCHASE [--amount DOLLARS] --reason WORDS
                    gives a sale back to its buyer, all that is left of it or an amount such as
                    3.33; the reason is kept with the payment provider and shown to the seller
  ledger check      recomputes the books and reports every error; exit code 1 if there are any
  ledger rebuild    keeps every sum anew that differs from the lines and purchases it is kept of,
                    as ledger check reports it
  ledger payout USER DOLLARS REFERENCE
                    records money that you have sent to a creator, such as 9.20; USER is an id or an
                    email address
  ledger payout-reverse REFERENCE
                    takes back a payout recorded so, because the money did not arrive
  ledger write-off USER
                    books what a deleted account owes as the platform's loss; USER is its id
  ledger reconcile [--from YYYY-MM-DD] [--to YYYY-MM-DD]
                    imports the payment provider's books and compares them with these, day by day;
                    exit code 1 if they differ
  ledger clear ID|all
                    takes a transaction of the provider that no purchase explains out of suspense,
                    as none of Padlink's business
  ledger export --format hledger|csv|csv-comma|csv-semicolon [--from YYYY-MM-DD] [--to YYYY-MM-DD]
                    prints the books for an accountant or another program; csv-comma and
                    csv-semicolon are for spreadsheets that write 4.99 and 4,99`;

type WriteBooks = (db: Database, range: ExportRange) => AsyncGenerator<string>;

const BOOK_FORMATS: Record<string, WriteBooks> = {
  hledger: writeHledger,
  csv: (db, range) => writeCsv(db, range, 'plain'),
  'csv-comma': (db, range) => writeCsv(db, range, 'comma'),
  'csv-semicolon': (db, range) => writeCsv(db, range, 'semicolon'),
};

export const COMMANDS: Commands = {
  async refund({ db, out, config, words }) {
    const { reason, ...asked } = readRefund(words);
    const { publicUrl, costBearers } = config;
    const sold = { by: { kind: 'operator', actor: { kind: 'cli' } }, ...asked } as const;
    return withProvider(config, out, async ({ provider }) => {
      const quote = await quoteRefund({ db, refundCost: costBearers.refundCost }, sold);
      const now = Date.now;
      await refundSale({ db, provider, publicUrl, costBearers, now }, { ...sold, reason });
      out.log(describeRefund(quote, costBearers.refundCost));
      return DONE;
    });
  },
  async 'ledger check'({ db, out }) {
    let checks = 0;
    const tell = tellProgress(out, () => `${checks} checks`);
    const faults = await findLedgerFaults(db, () => {
      checks += 1;
      tell();
    });
    out.log(faults.length === 0 ? 'The ledger is in order.' : faults.join('\n'));
    return { ok: faults.length === 0, faults };
  },
  async 'ledger rebuild'({ db, out }) {
    const { rebuilt, left } = await rebuildSums(db, Date.now);
    for (const wrong of rebuilt) out.error(wrong);
    out.log(
      rebuilt.length === 0
        ? 'Every sum is right: nothing was changed.'
        : `Sums that were wrong and are kept anew: ${rebuilt.length}.`,
    );
    for (const wrong of left) out.error(`Still: ${wrong}`);
    return { ok: left.length === 0, rebuilt, left };
  },
  async 'ledger payout'({ db, out, config, words }) {
    const [user = '', dollars, ...reference] = readWords(words, {}).positionals;
    const amountCents = readDollars(dollars);
    if (amountCents === null || reference.length === 0) {
      throw new Misuse(
        'USER comes first, then dollars such as 3.33, then a REFERENCE of your own.',
      );
    }
    const ownerId = await findAccountId(db, user);
    const payout = { ownerId, mode: modeOf(config), amountCents, reference: reference.join(' ') };
    const booked = await recordPayout(
      { db, now: Date.now, holdMs: config.payouts.holdDays * DAY_MS },
      payout,
    );
    const done = `The payout of $${formatCents(amountCents)} was recorded.`;
    out.log(booked ? done : 'This payout had already been recorded.');
    return DONE;
  },
  async 'ledger payout-reverse'({ db, out, config, words }) {
    const reference = readWords(words, {}).positionals.join(' ');
    if (reference === '') throw new Misuse('Which payout? Give the REFERENCE it was recorded by.');
    const cents = await reversePayout({ db, now: Date.now }, { mode: modeOf(config), reference });
    const done = `The payout was taken back: $${formatCents(cents)} are owed again.`;
    out.log(cents === 0 ? 'This payout had already been taken back.' : done);
    return DONE;
  },
  async 'ledger write-off'({ db, out, config, words }) {
    const user = readFirst(words, 'Which account? Give its id, as “ledger check” shows it.');
    const ownerId = await findAccountId(db, user);
    const cents = await writeOff({ db, now: Date.now }, { ownerId, mode: modeOf(config) });
    out.log(cents === 0 ? 'The account owes nothing.' : `$${formatCents(cents)} were written off.`);
    return DONE;
  },
  async 'ledger reconcile'({ db, out, config, words }) {
    const range = readRange(readOptions(words, RANGE));
    const { publicUrl, costBearers } = config;
    const warn = (fault: unknown, id: string) => out.error(`Transaction ${id}: ${String(fault)}`);
    return withProvider(config, out, async ({ provider }) => {
      const context = { db, provider, publicUrl, costBearers, now: Date.now, warn };
      return { ok: await tellComparison(context, range, out) };
    });
  },
  async 'ledger clear'({ db, out, words }) {
    const request = 'Which transaction? Give its ID, as “ledger reconcile” shows it, or all.';
    const id = readFirst(words, request);
    const open = await db
      .selectFrom('provider_transaction')
      .where('state', '=', 'suspense')
      .$if(id !== 'all', (query) => query.where('id', '=', id))
      .select('id')
      .execute();
    for (const { id: found } of open) {
      await transaction(db, (trx) => clearTransaction(trx, found, Date.now()));
    }
    const isKnown = id === 'all' || open.length > 0;
    out.log(
      isKnown
        ? `Transactions taken out of suspense: ${open.length}.`
        : 'There is no transaction with this ID in suspense.',
    );
    return { ok: isKnown };
  },
  async 'ledger export'({ db, out, config, words }) {
    const { format = '', ...days } = readOptions(words, { ...RANGE, format: { type: 'string' } });
    const range = readRange(days);
    const write = BOOK_FORMATS[format];
    if (!write) {
      throw new Misuse(`--format needs one of ${Object.keys(BOOK_FORMATS).join(', ')}.`);
    }
    for await (const text of write(db, { ...range, mode: modeOf(config) })) {
      out.log(text.replace(/\r?\n$/, ''));
    }
    return DONE;
  },
};

/**
 * A sentence for each error of the books, and for what should long be over.
 * @param onChecked told after each of the long checks
 */
export async function findLedgerFaults(db: Database, onChecked = () => {}): Promise<string[]> {
  return [
    ...(await findMissingTriggers(db)),
    ...(await checkLedger(db, onChecked)),
    ...(await findWrongPayouts(db)),
    ...(await findOverdue(db, Date.now())),
    ...(await findOverduePayouts(db, Date.now())),
  ];
}

/** Everything that is left unless an amount is given. @throws Misuse */
function readRefund(words: string[]) {
  const request = 'Which purchase, and why? Give its ID, and end with --reason and the reason.';
  const { first, values, reason } = readReasoned(words, { amount: { type: 'string' } }, request);
  const amountCents = values.amount === undefined ? null : readDollars(values.amount);
  if (values.amount !== undefined && amountCents === null) {
    throw new Misuse('--amount needs dollars such as 3.33.');
  }
  // Read as a part of the reason, it would give back everything instead.
  if (/(^| )--amount/.test(reason)) throw new Misuse('--amount must come before --reason.');
  return { purchaseId: first, amountCents, reason };
}

/** "3.33" -> 333 cents; null for anything but an amount above 0. */
function readDollars(written = ''): number | null {
  const cents = /^\d{1,9}(\.\d\d)?$/.test(written) ? dollarsToCents(Number(written)) : 0;
  return cents > 0 ? cents : null;
}

function describeRefund(quote: RefundQuote, bearer: CostBearers['refundCost']): string {
  const { amountCents, creatorCents, feeCents, taxCents, costCents, balanceCents } = quote;
  const tax = taxCents === 0 ? '' : `, $${formatCents(taxCents)} of the tax`;
  const kept = costCents === null ? 'not known yet' : `$${formatCents(costCents)}`;
  return [
    `The buyer gets $${formatCents(amountCents)} back: $${formatCents(creatorCents)} from the creator, $${formatCents(feeCents)} of the fee${tax}.`,
    `What the provider keeps of it for processing is ${kept}, borne by the ${bearer}.`,
    `The creator's balance is then $${formatCents(balanceCents)}.`,
    ...(quote.isWhole ? ["The buyer's access ends."] : []),
  ].join(' ');
}

export function modeOf({ payments }: Config): 'test' | 'live' {
  return payments.kind === 'stripe' && payments.live ? 'live' : 'test';
}

const RANGE = { from: { type: 'string' }, to: { type: 'string' } } as const;

/** Whole days in UTC, both included; everything unless told otherwise. @throws Misuse */
function readRange(days: { from?: string | undefined; to?: string | undefined }) {
  const from = days.from === undefined ? 0 : readDay('--from', days.from);
  const until = days.to === undefined ? Number.MAX_SAFE_INTEGER : readDay('--to', days.to) + DAY_MS;
  if (from >= until) throw new Misuse('--from must not be after --to.');
  return { from, until };
}

/** UTC milliseconds. @throws Misuse */
function readDay(option: string, date: string): number {
  const day = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(day)) throw new Misuse(`${option} needs a day such as 2026-01-31.`);
  return day;
}

const COLUMN = 16;

/** @returns whether the two books are the same, but for what is still on its way */
async function tellComparison(
  context: ImportContext,
  range: { from: number; until: number },
  out: Output,
): Promise<boolean> {
  const { db, provider } = context;
  const { imported, onTheWay, balances } = await compareBalances(context);
  out.log(`Transactions imported: ${imported}.`);
  const books = { mode: provider.mode, account: await provider.account() };
  const tell = (day: string, currency: string, ...cells: (number | string)[]) => {
    const written = cells.map((cell) =>
      (typeof cell === 'number' ? writeAmount(cell, currency) : cell).padStart(COLUMN),
    );
    out.log(`${day.padEnd(12)}${currency.toUpperCase()}${written.join('')}`);
  };
  tell('Day', '   ', 'Provider', 'Books', 'Difference');
  for (const { day, currency, ...cents } of await compareDays(db, books, range)) {
    const { providerCents, bookedCents } = cents;
    const date = isoTime(day * DAY_MS).slice(0, 10);
    tell(date, currency, providerCents, bookedCents, providerCents - bookedCents);
  }
  for (const { cause, cents, currency, created_at } of onTheWay) {
    const amount = `${writeAmount(cents, currency)} ${currency.toUpperCase()}`;
    out.log(
      `On its way: ${amount}, booked at ${isoTime(created_at)} as ${cause}, not at the provider yet.`,
    );
  }
  for (const { currency, heldCents, bookedCents } of balances) {
    tell('Balance', currency, heldCents, bookedCents, heldCents - bookedCents);
  }
  const faults = await findWrongProviderBooks(db);
  for (const fault of faults) out.log(fault);
  return balances.every(isEqual) && faults.length === 0;
}
