import type { TableForm } from '../../../contract/tables.ts';
import type { Database, Tables } from '../../ground/database/tables.ts';
import { type Cell, writeRow } from '../../ground/lib/csv.ts';
import { readPages } from '../../ground/lib/read-pages.ts';
import { isoTime } from '../../ground/lib/time.ts';
import type { Account } from './post-entry.ts';
import { selectLines } from './select-lines.ts';
import type { EntryKind } from './tables.ts';

/** Whole days, from the first moment to the last, in UTC milliseconds. */
export interface ExportRange {
  mode: 'test' | 'live';
  from: number;
  until: number;
}

type ExportedLine = Pick<
  Tables['ledger_line'],
  'account' | 'owner_id' | 'currency' | 'amount_cents'
>;

interface ExportedEntry
  extends Pick<Tables['ledger_entry'], 'id' | 'cause' | 'purchase_id' | 'created_at'> {
  kind: EntryKind | 'opening';
  lines: ExportedLine[];
}

/** How accountants sort the accounts. What is owed to a creator is the creator's own account. */
const NAMES: Record<Account, string> = {
  provider: 'assets:provider',
  reserve: 'assets:reserve',
  bank: 'assets:bank',
  payout_in_transit: 'assets:payout_in_transit',
  pending_refund: 'assets:pending_refund',
  creator: 'liabilities:creators',
  tax_payable: 'liabilities:tax_payable',
  platform_fee: 'income:platform_fee',
  payout_fee: 'income:payout_fee',
  processing_cost: 'expenses:processing_cost',
  dispute_fee: 'expenses:dispute_fee',
  provider_fee: 'expenses:provider_fee',
  bad_debt: 'expenses:bad_debt',
  exchange: 'equity:exchange',
  suspense: 'equity:suspense',
  other_business: 'equity:other_business',
};

/** The entries of a range as hledger's journal, beginning with the balances before it. */
export async function* writeHledger(db: Database, range: ExportRange): AsyncGenerator<string> {
  const accounts = await db
    .selectFrom('ledger_line')
    .select(['account', 'owner_id'])
    .distinct()
    .orderBy('account')
    .orderBy('owner_id')
    .execute();
  const currencies = await db
    .selectFrom('ledger_line')
    .select('currency')
    .distinct()
    .orderBy('currency')
    .execute();
  for (const { currency } of currencies) {
    const digits = '0'.repeat(digitsOf(currency));
    yield `commodity 1000.${digits} ${currency.toUpperCase()}\n`;
  }
  for (const line of accounts) yield `account ${nameOf(line)}\n`;
  for await (const entry of readEntries(db, range)) {
    const purchase = entry.purchase_id === null ? '' : `, purchase: ${entry.purchase_id}`;
    // What follows a semicolon would be a comment.
    const cause = entry.cause.replace(/[;\s]+/g, ' ');
    yield `\n${isoTime(entry.created_at).slice(0, 10)} * ${cause}  ; entry: ${entry.id}${purchase}\n`;
    for (const line of entry.lines) {
      const amount = writeAmount(-line.amount_cents, line.currency);
      yield `    ${nameOf(line)}  ${amount} ${line.currency.toUpperCase()}\n`;
    }
  }
}

const COLUMNS: Cell[] = [
  ...[{ timesOf: 'time' }, 'entry', 'kind', 'cause', 'purchase', 'account', 'currency'],
  ...['debit', 'credit'],
];

/**
 * The lines of the entries of a range as a table, beginning with the balances before it. For
 * spreadsheets it begins with the mark by which they know UTF-8.
 */
export async function* writeCsv(
  db: Database,
  range: ExportRange,
  form: TableForm,
): AsyncGenerator<string> {
  yield `${form === 'plain' ? '' : '\ufeff'}${writeRow(COLUMNS, form)}`;
  for await (const { id, kind, cause, purchase_id, created_at, lines } of readEntries(db, range)) {
    const entry = [{ time: created_at }, id, kind, { text: cause }, purchase_id ?? ''];
    for (const line of lines) {
      const amount = { amount: writeAmount(Math.abs(line.amount_cents), line.currency) };
      const sides = line.amount_cents > 0 ? ['', amount] : [amount, ''];
      yield writeRow([...entry, nameOf(line), line.currency, ...sides], form);
    }
  }
}

function nameOf({ account, owner_id }: Pick<ExportedLine, 'account' | 'owner_id'>): string {
  const name = NAMES[account as Account] ?? `equity:${account}`;
  return owner_id === null ? name : `${name}:${owner_id}`;
}

const PIECE = 500;

/** The balances before a range, and its entries, oldest first: they are never all in memory. */
async function* readEntries(db: Database, range: ExportRange): AsyncGenerator<ExportedEntry> {
  const opening = await readOpening(db, range);
  if (opening.lines.length > 0) yield opening;
  const pages = readPages({ created_at: range.from, id: '' }, ({ created_at, id }) =>
    db
      .selectFrom('ledger_entry')
      .where('mode', '=', range.mode)
      .where('created_at', '<', range.until)
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'id'), '>', tuple(created_at, id)),
      )
      .orderBy('created_at')
      .orderBy('id')
      .limit(PIECE)
      .select(['id', 'kind', 'cause', 'purchase_id', 'created_at'])
      .execute(),
  );
  for await (const entries of pages) {
    const ids = entries.map(({ id }) => id);
    const lines = await db
      .selectFrom('ledger_line')
      .where('entry_id', 'in', ids)
      .orderBy('position')
      .select(['entry_id', 'account', 'owner_id', 'currency', 'amount_cents'])
      .execute();
    const linesOf = Map.groupBy(lines, ({ entry_id }) => entry_id);
    for (const entry of entries) yield { ...entry, lines: linesOf.get(entry.id) ?? [] };
  }
}

async function readOpening(db: Database, { mode, from }: ExportRange): Promise<ExportedEntry> {
  const sums = await selectLines(db)
    .where('ledger_entry.mode', '=', mode)
    .where('ledger_entry.created_at', '<', from)
    .groupBy(['account', 'owner_id', 'ledger_line.currency'])
    .orderBy('account')
    .orderBy('owner_id')
    .orderBy('ledger_line.currency')
    .select(({ fn }) => [
      ...(['account', 'owner_id', 'ledger_line.currency'] as const),
      fn.sum<number | string>('amount_cents').as('cents'),
    ])
    .execute();
  const lines = sums
    .map(({ cents, ...line }) => ({ ...line, amount_cents: Number(cents) }))
    .filter(({ amount_cents }) => amount_cents !== 0);
  const named = { id: '', kind: 'opening', cause: 'opening balances' } as const;
  return { ...named, purchase_id: null, created_at: from, lines };
}

/** How many digits a currency has behind the point. */
function digitsOf(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

/** "-12.34" of -1234 cents, with as many digits as the currency has. */
export function writeAmount(cents: number, currency: string): string {
  const digits = digitsOf(currency);
  const written = String(Math.abs(cents)).padStart(digits + 1, '0');
  const whole = written.slice(0, written.length - digits);
  const point = digits === 0 ? '' : `.${written.slice(-digits)}`;
  return `${cents < 0 ? '-' : ''}${whole}${point}`;
}
