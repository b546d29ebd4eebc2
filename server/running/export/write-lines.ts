import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { BLOCKED } from '../../files/blocked-files.ts';
import { insertRows, type Row } from '../../ground/database/carry-rows.ts';
import { addressOfBuyer, addressOfRecipient } from '../../ground/database/mailbox-of.ts';
import type { DatabaseTransaction } from '../../ground/database/tables.ts';
import { canonicalAddress } from '../../ground/lib/canonical-address.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { sizeOfSoldFiles, wasFileSold } from '../../selling/purchases/sold-parts.ts';
import { IMPORTED, type Mode } from '../../selling/purchases/tables.ts';
import type { Line, LineOf } from './format.ts';

interface Here {
  ownerId: string;
  /** As which links are off sale until everything is there; UTC milliseconds. */
  importedAt: number;
  mode: Mode;
  hasScanner: boolean;
}

/** Writes some lines of an export, in their order, none of which is here yet. */
export async function writeLines(
  trx: DatabaseTransaction,
  batch: Line[],
  here: Here,
): Promise<void> {
  const ofKind = <Kind extends Line['kind']>(kind: Kind) =>
    batch.filter((line): line is LineOf<Kind> => line.kind === kind);
  for (const line of ofKind('account')) await writeAccount(trx, line);
  await writeFiles(trx, ofKind('file'), here);
  await writeLinks(trx, ofKind('link'), here);
  for (const line of ofKind('page')) await writePage(trx, line, here);
  for (const line of ofKind('discount')) await writeDiscount(trx, line, here);
  await writeSales(trx, ofKind('sale'), here);
  const { ownerId: owner_id } = here;
  await insert(trx, {
    imported_day: ofKind('day').map(({ kind, ...day }) => ({ owner_id, ...day })),
  });
}

/** Inserts rows by their tables, in that order. */
async function insert(trx: DatabaseTransaction, tables: Record<string, Row[]>): Promise<void> {
  for (const [table, rows] of Object.entries(tables)) await insertRows(trx, table, rows);
}

async function writeAccount(trx: DatabaseTransaction, line: LineOf<'account'>): Promise<void> {
  // A sign-up that nobody has confirmed is nobody's.
  await trx
    .deleteFrom('user')
    .where('email', '=', line.email)
    .where(sql<boolean>`"emailVerified" = false`)
    .execute();
  const { id: owner_id, first_name: name, email, language, notifications, seller_name } = line;
  const createdAt = new Date(line.created_at).toISOString();
  const updatedAt = createdAt;
  const own = { emailVerified: true, createdAt, updatedAt, twoFactorEnabled: false };
  await insert(trx, { user: [{ id: owner_id, name, firstName: name, email, language, ...own }] });
  if (notifications) {
    const { browsers, ...choice } = notifications;
    await insert(trx, { notification_choice: [{ owner_id, ...choice }] });
  }
  if (seller_name === null) return;
  await insert(trx, { seller: [{ owner_id, name: seller_name, version: 1 }] });
}

/** The ids of links, which are never given out again. */
async function reserve(
  trx: DatabaseTransaction,
  links: { id: string; created_at: number }[],
  owner_id: string,
): Promise<void> {
  if (links.length === 0) return;
  await trx
    .insertInto('link_id')
    .values(links.map(({ id, created_at: reserved_at }) => ({ id, reserved_at, owner_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function writeFiles(
  trx: DatabaseTransaction,
  files: LineOf<'file'>[],
  { ownerId, importedAt, hasScanner }: Here,
): Promise<void> {
  if (files.length === 0) return;
  const links = files.map(({ link_id: id, created_at }) => ({ id, created_at }));
  await reserve(trx, links, ownerId);
  const sums = files.map(({ sha256 }) => sha256);
  const blocked = await trx
    .selectFrom('blocked_file')
    .where('sha256', 'in', sums)
    .select('sha256')
    .execute();
  const rows = files.map(({ kind, ...file }) => ({
    ...file,
    owner_id: ownerId,
    checked_at: hasScanner ? null : file.checked_at,
    refused_because: blocked.some(({ sha256 }) => sha256 === file.sha256)
      ? BLOCKED
      : file.refused_because,
  }));
  await insert(trx, { file: rows });
  for (const { blob, checked_at } of rows) {
    if (checked_at === null) await enqueue(trx, 'check-file', { blob }, importedAt);
  }
}

async function writeLinks(
  trx: DatabaseTransaction,
  links: LineOf<'link'>[],
  { ownerId: owner_id, importedAt }: Here,
): Promise<void> {
  await reserve(trx, links, owner_id);
  const versions = links.flatMap(({ id: link_id, versions }) =>
    versions.map((version) => ({ link_id, ...version })),
  );
  await insert(trx, {
    link: links.map((line) => linkOf(line, owner_id, importedAt)),
    short_name: links.flatMap(({ id: link_id, short_name, earlier_short_names }) =>
      [short_name, ...earlier_short_names].flatMap((name) =>
        name === null ? [] : [{ owner_id, name, link_id }],
      ),
    ),
    link_version: versions.map(({ file_keys, parts, ...version }) => version),
    link_file: versions.flatMap(({ link_id, number: version, file_keys }) =>
      file_keys.map((file_key, position) => ({ link_id, version, position, file_key })),
    ),
    link_part: versions.flatMap(({ link_id, number: version, parts }) =>
      parts.map((part_id, position) => ({ link_id, version, position, part_id })),
    ),
    license_key: links.flatMap(({ id: link_id, free_license_keys: keys }) => {
      // They are handed out in the order of their ids.
      const ids = keys.map(() => randomUUID()).sort();
      const row = { link_id, purchase_id: null, created_at: importedAt, given_at: null };
      return keys.map((key, at) => ({ ...row, id: ids[at], key, lookup: key }));
    }),
    link_statistics: links.map(({ id: link_id, views, checkouts, sales, refunds }) => {
      // What nobody paid is not imported, as what was swept is not kept.
      const swept_checkouts = checkouts - sales;
      return { link_id, views, checkouts, swept_checkouts, sales, refunds };
    }),
  });
  for (const { id, preview, preview_blob, preview_failed } of links) {
    if (preview === 'none' || preview_blob !== null || preview_failed) continue;
    await enqueue(trx, 'make-preview', { linkId: id }, importedAt);
  }
}

function linkOf(line: LineOf<'link'>, owner_id: string, importedAt: number): Row {
  const { kind, versions, pictures, deleted_at, free_license_keys, ...others } = line;
  const { views, checkouts, sales, refunds, earlier_short_names, ...link } = others;
  return {
    ...link,
    owner_id,
    version: 1,
    taken_down_at: null,
    key: versions.at(-1)?.file_keys[0] ?? null,
    url: versions.at(-1)?.url ?? null,
    deleted_at: deleted_at ?? importedAt,
  };
}

/** Where somebody else has its address here, the seller chooses another one. */
async function writePage(
  trx: DatabaseTransaction,
  { kind, handle, pinned, pictures, ...page }: LineOf<'page'>,
  { ownerId: owner_id, importedAt }: Here,
): Promise<void> {
  await insert(trx, {
    seller_page: [{ ...page, owner_id, links: JSON.stringify(page.links) }],
    // The last pinned one comes first.
    pinned_link: pinned.map((link_id, at) => ({ link_id, pinned_at: importedAt - at, owner_id })),
  });
  if (handle === null) return;
  await trx
    .insertInto('seller_handle')
    .values({ handle, owner_id, left_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function writeDiscount(
  trx: DatabaseTransaction,
  { kind, link_ids, ...discount }: LineOf<'discount'>,
  { ownerId: owner_id }: Here,
): Promise<void> {
  const id = randomUUID();
  await insert(trx, {
    discount: [{ ...discount, id, owner_id, chosen_links: Number(link_ids !== null) }],
    discount_link: (link_ids ?? []).map((link_id) => ({ discount_id: id, link_id })),
  });
}

type Sale = LineOf<'sale'>;

async function writeSales(
  trx: DatabaseTransaction,
  sales: Sale[],
  { ownerId, mode }: Here,
): Promise<void> {
  if (sales.length === 0) return;
  const idOf = await findBuyers(trx, sales);
  const buyerOf = (sale: Sale) => idOf.get(accountOf(sale) ?? '') ?? null;
  const keys = sales.flatMap(({ id: purchase_id, license_keys }) =>
    license_keys.map((key) => ({ id: randomUUID(), purchase_id, ...key })),
  );
  const ofGrants = (list: (sale: Sale) => Row[]) =>
    sales.flatMap((sale) => list(sale).map((row) => ({ grant_id: sale.grant.id, ...row })));
  await insert(trx, {
    purchase: sales.map((sale) => ({
      ...purchaseOf(sale),
      seller_id: ownerId,
      mode,
      // Of a gift, that account holds it, and somebody else bought it.
      buyer_id: sale.gift_email === null ? buyerOf(sale) : null,
    })),
    purchase_part: sales.flatMap(({ id: purchase_id, link_id, content_version, parts }) => {
      const all = parts.length > 0 ? [{ link_id, content_version }, ...parts] : [];
      return all.map((part) => ({ purchase_id, ...part }));
    }),
    access_grant: sales.map((sale) => ({
      ...sale.grant,
      purchase_id: sale.id,
      link_id: sale.link_id,
      buyer_id: buyerOf(sale),
    })),
    awaited_purchase: sales.flatMap((sale) => {
      const email = accountOf(sale);
      return email !== null && buyerOf(sale) === null ? [{ purchase_id: sale.id, email }] : [];
    }),
    grant_claim: ofGrants(({ claims }) => claims),
    delivered_file: ofGrants(({ delivered }) => delivered),
    earlier_personal_link: ofGrants(({ personal_links: links }) => links.map((hash) => ({ hash }))),
    license_key: keys.map(({ activations, ...key }) => key),
    license_activation: keys.flatMap(({ id: key_id, activations }) =>
      activations.map((activation) => ({ key_id, ...activation })),
    ),
    refund: sales.flatMap(({ id: purchase_id, refunds }) =>
      refunds.map((refund) => ({ ...refund, purchase_id, state: 'succeeded' })),
    ),
  });
  await addUses(trx, sales, ownerId);
  await sumSold(trx, sales);
}

/** Their codes came with what is left of the uses: those that were made, and not given back, are added. */
async function addUses(trx: DatabaseTransaction, sales: Sale[], ownerId: string): Promise<void> {
  const kept = sales.filter(
    ({ refunds }) => !refunds.some(({ requested_by }) => requested_by === 'buyer'),
  );
  for (const [code, users] of Map.groupBy(kept, (sale) => sale.code)) {
    if (code === null) continue;
    const discount = await trx
      .updateTable('discount')
      .set(({ eb }) => ({ max_uses: eb('max_uses', '+', users.length) }))
      .where('owner_id', '=', ownerId)
      .where('code', '=', code)
      .where('ended_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    // It may have been ended while the import was interrupted.
    if (!discount) continue;
    await insert(trx, {
      purchase_discount: users.map(({ id }) => ({ purchase_id: id, discount_id: discount.id })),
    });
  }
}

const accountOf = ({ buyer_account }: Sale) =>
  buyer_account === null ? null : canonicalAddress(buyer_account);

/** The ids of accounts here by their addresses, which they have proven to be theirs. */
async function findBuyers(trx: DatabaseTransaction, sales: Sale[]): Promise<Map<string, string>> {
  const accounts = [...new Set(sales.flatMap((sale) => accountOf(sale) ?? []))];
  if (accounts.length === 0) return new Map();
  const buyers = await trx
    .selectFrom('user')
    .where('email', 'in', accounts)
    .select(['id', 'email', 'emailVerified'])
    .execute();
  const proven = buyers.filter(({ emailVerified }) => emailVerified);
  return new Map(proven.map(({ id, email }) => [email, id]));
}

function purchaseOf(sale: Sale): Row {
  const { kind, parts, grant, claims, personal_links, delivered, ...others } = sale;
  const { refunds, license_keys, ...rest } = others;
  const { buyer_account, code, ...own } = rest;
  return {
    ...own,
    state: 'settled',
    ...addressOfBuyer(sale.buyer_email),
    ...addressOfRecipient(sale.gift_email),
    provider_account: IMPORTED,
    expires_at: own.settled_at,
    payment_id: sale.id,
    line: 1,
  };
}

/** What their grants include, and what was sent of it. */
async function sumSold(trx: DatabaseTransaction, sales: Sale[]): Promise<void> {
  const ids = sales.map(({ id }) => id);
  await trx
    .updateTable('access_grant')
    .set(({ ref }) => ({ size_bytes: sizeOfSoldFiles(ref('access_grant.purchase_id')) }))
    .where('purchase_id', 'in', ids)
    .execute();
  const grantIds = sales.map(({ grant }) => grant.id);
  await trx
    .updateTable('delivered_file')
    .set(({ ref }) => ({
      bought: wasFileSold(ref('delivered_file.grant_id'), ref('delivered_file.file_key')),
    }))
    .where('grant_id', 'in', grantIds)
    .execute();
}
