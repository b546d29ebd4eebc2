import { BackupRefused } from '../backup/backup-refused.ts';
import { isOfSales, readSale, type Sale, type Skipped, type Source } from './read-sale.ts';
import { openTables, readRows, requireColumns, type Table, type TableRow } from './read-table.ts';
import { foldName, readCents } from './read-values.ts';

/** What another shop sold. */
export interface Product {
  /** What it is called in sales; first the name that never changes. */
  names: [string, ...string[]];
  title: string;
  /** Null where no sale tells it. */
  cents: number | null;
  description: string;
  /** The path of a file or folder in the folder of files; '' where none is named. */
  file: string;
  /** The web address that it sells; '' for files. */
  url: string;
  /** Whether somebody paid for it. */
  isPaid: boolean;
  /** What is wrong with its row; null where nothing is. */
  fault: string | null;
  /** Only sales name it, and these tell nothing else of it. */
  isUnlisted: boolean;
}

export interface Shop {
  source: Source;
  /** Of sales. */
  tables: Table[];
  products: Product[];
  find(names: string[]): Product | undefined;
}

/** The columns of products, in lower case, each by all of its names. */
const NAMES = ['product', 'product id', 'permalink', 'id'];
const TITLE = ['title', 'name', 'product name', 'item name'];
const PRICE = ['price', 'price ($)'];

/**
 * Reads what was sold, from a table of products or from the sales themselves, before anything is written.
 * @param now UTC milliseconds
 * @throws BackupRefused for files that are no such tables
 */
export async function readShop(source: Source, path: string, now: number): Promise<Shop> {
  const tables = await openTables(path);
  const ofSales = tables.filter((table) => isOfSales(source, table));
  const byKey = new Map<string, Product>();
  /** By their other names; null for one that several have. */
  const byName = new Map<string, Product | null>();
  const products: Product[] = [];
  const add = (product: Product) => {
    products.push(product);
    const [key, ...others] = product.names.map(foldName);
    if (key !== undefined && !byKey.has(key)) byKey.set(key, product);
    // In sales alone, two products may have one title.
    if (product.isUnlisted) return;
    for (const name of others) {
      const isTaken = byName.has(name) && byName.get(name) !== product;
      byName.set(name, isTaken ? null : product);
    }
  };
  const findOne = (name: string) => byKey.get(foldName(name)) ?? byName.get(foldName(name));
  const find = (names: string[]) => names.map(findOne).find((product) => product) ?? undefined;
  for (const table of tables) {
    if (ofSales.includes(table)) continue;
    if (![...TITLE, ...PRICE].some((column) => table.columns.includes(column))) {
      throw new BackupRefused(
        `${table.path} is a table neither of sales nor of products, by the names in its first line. Correct these, or take it out of the folder.`,
      );
    }
    requireColumns(table, NAMES, TITLE, PRICE);
    for await (const row of readRows(table)) add(readProduct(table, row, find));
  }
  for (const product of products) {
    const [key, ...others] = product.names;
    product.names = [key, ...others.filter((name) => findOne(name) === product)];
  }
  const unlisted = new Map<Product, { isFull: boolean; soldAt: number }>();
  for await (const { sale } of readSales({ source, tables: ofSales }, now)) {
    if (!sale) continue;
    let product = find(sale.names);
    if (!product) {
      product = createUnlisted(sale);
      add(product);
      unlisted.set(product, { isFull: false, soldAt: -1 });
    }
    product.isPaid ||= sale.cents > 0;
    const last = unlisted.get(product);
    if (source !== 'gumroad' || !last) continue;
    // The price of the last sale counts, but of one with a discount only where there is no other.
    const isFull = sale.listCents !== null;
    const isBetter = isFull === last.isFull ? sale.soldAt >= last.soldAt : isFull;
    if (!isBetter) continue;
    unlisted.set(product, { isFull, soldAt: sale.soldAt });
    const cents = sale.listCents ?? sale.cents;
    Object.assign(product, { cents: cents || null });
  }
  return { source, tables: ofSales, products, find };
}

function readProduct(table: Table, row: TableRow, find: Shop['find']): Product {
  const cellsOf = (columns: string[]) => columns.map(row.cell).filter((cell) => cell !== '');
  const [title = ''] = cellsOf(TITLE);
  const [name = title, ...otherNames] = cellsOf(NAMES);
  const [price = ''] = cellsOf(PRICE);
  const cents = readCents(price);
  const at = `${table.name}, line ${row.line}`;
  const faults = [
    name === '' && `${at}: the product has no name.`,
    find([name]) && `${at}: the product is there twice.`,
    cents === null && `${at}: the price is not written as 9.99.`,
    row.cell('file') !== '' &&
      row.cell('url') !== '' &&
      `${at}: the product has both a file and a web address. Give the one that is sold.`,
  ];
  return {
    names: [name, ...otherNames, title],
    title: title || name,
    cents,
    description: row.cell('description'),
    file: row.cell('file'),
    url: row.cell('url'),
    isPaid: false,
    fault: faults.find((fault) => typeof fault === 'string') ?? null,
    isUnlisted: false,
  };
}

const createUnlisted = ({ names }: Sale): Product => ({
  names,
  title: names.at(-1) ?? names[0],
  cents: null,
  description: '',
  file: '',
  url: '',
  isPaid: false,
  fault: null,
  isUnlisted: true,
});

/** Where a sale stands. */
interface Place {
  table: string;
  line: number;
}

type SaleRow = Place & { sale?: Sale; skipped?: Skipped; fault?: string };

/** All sales, one at a time. @param now UTC milliseconds */
export async function* readSales(
  { source, tables }: Pick<Shop, 'source' | 'tables'>,
  now: number,
): AsyncGenerator<SaleRow> {
  for (const table of tables) {
    for await (const row of readRows(table)) {
      const read = readSale(source, row, now);
      if (read) yield { table: table.name, line: row.line, ...read };
    }
  }
}
