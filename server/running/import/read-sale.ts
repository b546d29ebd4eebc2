import { MAILBOX } from '../../delivery/buyers/find-purchases.ts';
import { canonicalAddress } from '../../ground/lib/canonical-address.ts';
import { DAY_MS } from '../../ground/lib/time.ts';
import { requireColumns, type Table, type TableRow } from './read-table.ts';
import { foldName, readCents, readFlag, readTime } from './read-values.ts';

/** Where the tables of a shop come from. */
export type Source = 'gumroad' | 'csv';

/** Why sales give access to nobody, in words that follow "because". */
export const SKIPPED = {
  refunded: 'they were refunded',
  disputed: 'they were disputed',
  ended: 'their access has ended',
  repeated: 'they renew a subscription',
  unpaid: 'they were ordered in advance, and not paid',
};

export type Skipped = keyof typeof SKIPPED;

export interface Sale {
  /** What tells it from all others of its source and seller. */
  key: string;
  /** What its product is called; first the name that never changes. */
  names: [string, ...string[]];
  email: string;
  /** Whom it was given to. */
  giftEmail: string | null;
  /** UTC milliseconds. */
  soldAt: number;
  cents: number;
  /** What one copy cost; null with a discount. */
  listCents: number | null;
}

/** The columns of sales, in lower case. */
interface Columns {
  /** Null where a sale is told from others by all that is known of it. */
  key: string | null;
  names: string[];
  email: string;
  giftEmail?: string;
  /** Which of its versions was bought. */
  version?: string;
  /** The first that can be read counts. */
  times: string[];
  price: string;
  copies?: string;
  discount?: string;
  /** Those of them that must be there. */
  needed: string[];
  flags: { skipped: Skipped; column: string; unless?: string }[];
}

const COLUMNS: Record<Source, Columns> = {
  gumroad: {
    key: 'purchase id',
    names: ['product id', 'item name'],
    email: 'purchase email',
    giftEmail: 'giftee email',
    version: 'variants',
    times: ['purchase time (utc timezone)', 'purchase date'],
    price: 'sale price ($)',
    copies: 'quantity',
    discount: 'discount code',
    needed: [
      ...['purchase id', 'item name', 'purchase email', 'purchase date', 'sale price ($)'],
      ...['fully refunded?', 'disputed?'],
    ],
    flags: [
      { skipped: 'refunded', column: 'fully refunded?' },
      { skipped: 'disputed', column: 'disputed?', unless: 'dispute won?' },
      { skipped: 'ended', column: 'access revoked?' },
      { skipped: 'repeated', column: 'recurring charge?' },
      { skipped: 'unpaid', column: 'pre-order authorization?' },
    ],
  },
  csv: {
    key: null,
    names: ['product'],
    email: 'email',
    times: ['date'],
    price: 'price',
    needed: ['product', 'email', 'date'],
    flags: [{ skipped: 'refunded', column: 'refunded' }],
  },
};

/** Whether a table is one of sales. @throws BackupRefused where a column of them is missing */
export function isOfSales(source: Source, table: Table): boolean {
  const { key, email, needed } = COLUMNS[source];
  if (![key, email].some((column) => column && table.columns.includes(column))) return false;
  for (const column of needed) requireColumns(table, [column]);
  return true;
}

/** @returns what a row of sales says; null for the sums below them. @param now UTC milliseconds */
export function readSale(
  source: Source,
  row: TableRow,
  now: number,
): { sale: Sale } | { skipped: Skipped } | { fault: string } | null {
  const columns = COLUMNS[source];
  const cellOf = (column?: string | null) => (column ? row.cell(column) : '');
  const id = cellOf(columns.key);
  if (source === 'gumroad' && id === 'Totals') return null;
  for (const { skipped, column, unless } of columns.flags) {
    const holds = readFlag(row.cell(column));
    if (holds === null) return { fault: `“${column}” is neither yes nor no` };
    if (holds && readFlag(cellOf(unless)) !== true) return { skipped };
  }
  // Of a membership. One that cannot be read has no time that is over.
  const endsAt = source === 'gumroad' ? readTime(row.cell('subscription end date')) : null;
  if (endsAt !== null && endsAt <= now) return { skipped: 'ended' };
  if (columns.key !== null && id === '') return { fault: `“${columns.key}” is blank` };
  // Each version of a product is a product of its own: it costs and brings something else.
  const version = cellOf(columns.version).replace(/^\((.*)\)$/, '$1');
  const [name, ...otherNames] = columns.names
    .map(row.cell)
    .filter((cell) => cell !== '')
    .map((cell) => (version === '' ? cell : `${cell} (${version})`));
  if (name === undefined) return { fault: 'its product is not named' };
  const email = row.cell(columns.email);
  if (!isMailbox(email)) return { fault: 'its email address is not valid' };
  const giftEmail = cellOf(columns.giftEmail) || null;
  if (giftEmail !== null && !isMailbox(giftEmail)) {
    return { fault: 'the email address that it was given to is not valid' };
  }
  const times = columns.times.map((column) => readTime(row.cell(column)));
  const soldAt = times.find((time) => time !== null);
  if (soldAt == null) return { fault: 'its date is not written as 2024-03-05' };
  if (soldAt > now + DAY_MS) return { fault: 'its date is in the future' };
  const cents = readCents(row.cell(columns.price) || '0');
  if (cents === null) return { fault: 'its price is not written as 9.99' };
  const key = id || JSON.stringify([foldName(name), canonicalAddress(email), soldAt, cents]);
  const copies = Number(cellOf(columns.copies) || 1);
  const isFull = cellOf(columns.discount) === '' && copies >= 1;
  const listCents = isFull ? Math.round(cents / copies) : null;
  return {
    sale: { key, names: [name, ...otherNames], email, giftEmail, soldAt, cents, listCents },
  };
}

const isMailbox = (email: string) => MAILBOX.safeParse(canonicalAddress(email)).success;
