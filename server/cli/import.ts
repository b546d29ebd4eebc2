import { join, resolve } from 'node:path';
import { formatCents } from '../../contract/money.ts';
import { findAccountId } from '../people/accounts/find-account.ts';
import { BackupRefused } from '../running/backup/backup-refused.ts';
import { tryToLock } from '../running/data-folder.ts';
import type { Linked } from '../running/import/ensure-link.ts';
import { type Imported, importShop } from '../running/import/import-shop.ts';
import { SKIPPED, type Source } from '../running/import/read-sale.ts';
import type { Product } from '../running/import/read-shop.ts';
import {
  type Call,
  type Commands,
  Misuse,
  type Outcome,
  type Output,
  readWords,
  tellProgress,
} from './command-line.ts';
import { modeOf } from './ledger.ts';
import { openConfiguredStore } from './open-configured.ts';

export const USAGE = `  import gumroad PATH --owner USER [--files FOLDER] [--dry-run]
                    brings what a seller sold at Gumroad: PATH is the CSV file of its sales, or a
                    folder of such files and one of products. Products become links; whoever bought
                    one finds it by email, and nobody is mailed. FOLDER has their files: each is
                    called as the product or its permalink, and so is a folder of several. Run it
                    again for what is left, or with --dry-run to write nothing
  import csv PATH --owner USER [--files FOLDER] [--dry-run]
                    the same from any shop. Sales have the columns product, email and date, and may
                    have price and refunded; products have product, title and price, and may have
                    description, and file or url: a path in FOLDER, or a web address to sell`;

export const COMMANDS: Commands = {
  'import gumroad': (call) => run(call, 'gumroad'),
  'import csv': (call) => run(call, 'csv'),
};

async function run(call: Call, source: Source): Promise<Outcome> {
  const { db, config, out, words } = call;
  const { positionals, values } = readWords(words, {
    owner: { type: 'string' },
    files: { type: 'string' },
    'dry-run': { type: 'boolean' },
  });
  const [path, ...more] = positionals;
  if (!path || more.length > 0 || !values.owner) {
    throw new Misuse(
      'Give the PATH of the tables, and with --owner the account that gets the links.',
    );
  }
  const isDry = values['dry-run'] === true;
  const ownerId = await findAccountId(db, values.owner);
  const release = tryToLock(join(config.dataDir, 'padlink-import.lock'));
  if (!release) throw new BackupRefused('An import is under way: wait for it, or end its command.');
  try {
    const store = await openConfiguredStore(config, db);
    const mode = modeOf(config);
    const context = { ...config, db, store, now: Date.now, mode, scans: config.clamd !== null };
    if (isDry) out.log('This is a dry run: nothing is written.');
    let sales = 0;
    const tell = tellProgress(out, () => `${sales.toLocaleString('en')} sales`);
    const products: { product: Product; linked: Linked }[] = [];
    const done = await importShop(context, {
      source,
      path: resolve(path),
      ownerId,
      folder: values.files === undefined ? null : resolve(values.files),
      isDry,
      onLinked(product, linked) {
        products.push({ product, linked });
        describeProduct(out, product, linked);
      },
      onSales(more) {
        sales += more;
        tell();
      },
    });
    describeSales(out, done);
    if (mode === 'test' && done.imported > 0) {
      out.log(
        'Payments here are test payments, and so are these sales: reset-test-data removes them. To keep them, import them once payments are live.',
      );
    }
    out.log(
      `Earlier buyers find what they bought at ${config.publicUrl}/purchases, by email. Delete the tables: they contain personal data.`,
    );
    return summarize(products, done, isDry);
  } finally {
    release();
  }
}

function describeProduct(out: Output, { title }: Product, linked: Linked): void {
  if (linked.kind === 'created') {
    const changes = linked.says.map((change) => `; ${change}`).join('');
    const sells = linked.sells.map((name) => `“${name}”`).join(', ');
    out.log(
      `“${title}” is the new link ${linked.linkId}, which sells ${sells} for $${formatCents(linked.price)}${changes}.`,
    );
  }
  if (linked.kind === 'refused') out.log(`“${title}” was left out. ${linked.says}`);
  if (linked.kind === 'waiting') {
    out.log(
      `“${title}” still needs its content: put ${linked.says} into the folder of --files, or its web address into a table of products, and run this again.`,
    );
  }
}

function describeSales(out: Output, { imported, known, waiting, skipped, faults }: Imported): void {
  const write = (count: number) => count.toLocaleString('en');
  out.log(`Sales imported: ${write(imported)}. Here already: ${write(known)}.`);
  for (const [{ title }, count] of waiting) {
    out.log(`Sales that wait for “${title}”: ${write(count)}.`);
  }
  for (const [skip, count] of skipped) {
    out.log(`Sales not imported because ${SKIPPED[skip]}: ${write(count)}.`);
  }
  for (const fault of faults.told) out.log(fault);
  const others = faults.count - faults.told.length;
  if (others > 0) out.log(`Further rows that cannot be imported: ${write(others)}.`);
}

/** What --json prints; it is ok where nothing is left to be done. */
function summarize(
  products: { product: Product; linked: Linked }[],
  { imported, known, waiting, skipped, faults }: Imported,
  isDry: boolean,
): Outcome {
  const left = products.filter(({ linked }) => ['waiting', 'refused'].includes(linked.kind));
  return {
    ok: left.length === 0 && faults.count === 0,
    isDry,
    links: products.flatMap(({ linked }) => (linked.kind === 'created' ? [linked.linkId] : [])),
    left: left.map(({ product, linked }) => ({
      title: product.title,
      kind: linked.kind,
      sales: waiting.get(product) ?? 0,
    })),
    sales: { imported, known, ...Object.fromEntries(skipped) },
    faults: faults.count,
  };
}
