import { createSellerGuard } from '../../catalog/sellers/seller-guard.ts';
import { isSuspended } from '../../ground/acts/is-suspended.ts';
import { recordAct } from '../../ground/acts/record-act.ts';
import type { Database } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import type { Mode } from '../../selling/purchases/tables.ts';
import { BackupRefused } from '../backup/backup-refused.ts';
import { requireOwnStore } from '../export/import-account.ts';
import { ensureLink, type Linked, type LinkingContext } from './ensure-link.ts';
import { openContent } from './find-content.ts';
import type { Skipped, Source } from './read-sale.ts';
import { type Product, readSales, readShop, type Shop } from './read-shop.ts';
import { findKnown, identifySales, type SoldLink, writeSales } from './write-sales.ts';

interface Context extends LinkingContext {
  /** Of payments here. */
  mode: Mode;
  /** The addresses of those who may sell; null for everyone. */
  sellers: readonly string[] | null;
}

interface Input {
  source: Source;
  /** A table of sales, or a folder with tables of sales and products. */
  path: string;
  ownerId: string;
  /** Where the files of products are. */
  folder: string | null;
  /** Writes nothing. */
  isDry: boolean;
  /** Told of each product. */
  onLinked(product: Product, linked: Linked): void;
  /** Told how many sales were gone through. */
  onSales(sales: number): void;
}

/** What became of the sales. */
export interface Imported {
  imported: number;
  /** Imported earlier, or there twice. */
  known: number;
  /** Of products without a link, and how many of each. */
  waiting: Map<Product, number>;
  /** Those that give access to nobody, by the reason. */
  skipped: Map<Skipped, number>;
  /** Sentences of which only the first ones are kept, and how many there are. */
  faults: { told: string[]; count: number };
}

const AT_ONCE = 200;
const TOLD_FAULTS = 20;

/**
 * Brings the products and sales of another shop to a seller here: links, and settled purchases whose
 * buyers find them by email. Their money stays where it was paid, and nobody is mailed. Repeated, it
 * does what is left.
 * @throws BackupRefused, DomainError NOT_A_SELLER, INVALID_INPUT before anything is written
 */
export async function importShop(context: Context, input: Input): Promise<Imported> {
  const { db, now, store } = context;
  const { source, path, ownerId, folder, isDry } = input;
  await requireSeller(db, ownerId, context.sellers);
  await requireOwnStore(db, store);
  const shop = await readShop(source, path, now());
  const content = await openContent(folder, shop.products);
  const links = new Map<Product, Linked>();
  for (const product of shop.products) {
    const linked = await ensureLink(context, { source, ownerId, product, content, isDry });
    links.set(product, linked);
    input.onLinked(product, linked);
  }
  const done = await importSales(context, input, shop, links);
  const created = [...links.values()].filter(({ kind }) => kind === 'created').length;
  if (!isDry && created + done.imported > 0) {
    const subject = { kind: 'account', id: ownerId } as const;
    const details = { source, links: created, sales: done.imported };
    const act = { act: 'shop.imported', subject, details };
    await transaction(db, (trx) => recordAct(trx, { kind: 'cli' }, act, now()));
  }
  return done;
}

async function requireSeller(
  db: Database,
  ownerId: string,
  sellers: Context['sellers'],
): Promise<void> {
  const owner = await db
    .selectFrom('user')
    .where('id', '=', ownerId)
    .select('emailVerified')
    .executeTakeFirst();
  if (!owner?.emailVerified) {
    throw new BackupRefused('The owner has no account here whose email address is confirmed.');
  }
  if (await isSuspended(db, ownerId)) {
    throw new BackupRefused('The account of the owner is suspended. Restore it first.');
  }
  await createSellerGuard(db, sellers)(ownerId);
}

async function importSales(
  context: Context,
  { source, ownerId, isDry, onSales }: Input,
  shop: Shop,
  links: Map<Product, Linked>,
): Promise<Imported> {
  const { db, now, mode } = context;
  const done: Imported = {
    imported: 0,
    known: 0,
    waiting: new Map(),
    skipped: new Map(),
    faults: { told: [], count: 0 },
  };
  let batch: SoldLink[] = [];
  const flush = async () => {
    const sales = identifySales({ source, ownerId }, batch);
    const written = isDry
      ? sales.size - (await findKnown(db, sales.keys())).size
      : await writeSales(context, { source, ownerId, mode }, sales);
    done.imported += written;
    done.known += batch.length - written;
    onSales(batch.length);
    batch = [];
  };
  const fail = (place: { table: string; line: number }, fault: string) => {
    done.faults.count += 1;
    if (done.faults.told.length >= TOLD_FAULTS) return;
    done.faults.told.push(`${place.table}, line ${place.line}: ${fault}.`);
  };
  for await (const { sale, skipped, fault, ...place } of readSales(shop, now())) {
    if (fault !== undefined) fail(place, fault);
    if (skipped !== undefined) count(done.skipped, skipped);
    if (!sale) continue;
    const product = shop.find(sale.names);
    const linked = product && links.get(product);
    if (!product || !linked || linked.kind === 'unlisted') {
      fail(place, `there is no product “${sale.names[0]}”: list it in a table of products`);
    } else if ('linkId' in linked) {
      batch.push({ sale, linkId: linked.linkId });
    } else count(done.waiting, product);
    if (batch.length === AT_ONCE) await flush();
  }
  if (batch.length > 0) await flush();
  return done;
}

const count = <Key>(counts: Map<Key, number>, key: Key) =>
  counts.set(key, (counts.get(key) ?? 0) + 1);
