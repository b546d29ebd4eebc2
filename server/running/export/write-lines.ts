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
  for (const line of batch) if (line.kind === 'account') await writeAccount(trx, line);
  await writeFiles(
    trx,
    batch.filter((line) => line.kind === 'file'),
    here,
  );
  await writeLinks(
    trx,
    batch.filter((line) => line.kind === 'link'),
    here,
  );
  for (const line of batch) {
    if (line.kind === 'page') await writePage(trx, line, here);
    if (line.kind === 'discount') await writeDiscount(trx, line, here);
  }
  await writeSales(
    trx,
    batch.filter((line) => line.kind === 'sale'),
    here,
  );
  const days = batch.filter((line) => line.kind === 'day');
  await insert(
    trx,
    'imported_day',
    days.map(({ kind, ...day }) => ({ owner_id: here.ownerId, ...day })),
  );
}

async function insert(trx: DatabaseTransaction, table: string, rows: Row[]): Promise<void> {
  const each = async function* () {
    yield* rows;
  };
  await insertRows(trx, table, each());
}

async function writeAccount(trx: DatabaseTransaction, line: LineOf<'account'>): Promise<void> {
  // A sign-up that nobody has confirmed is nobody's.
  await trx
    .deleteFrom('user')
    .where('email', '=', line.email)
    .where(sql<boolean>`"emailVerified" = false`)
    .execute();
  const createdAt = new Date(line.created_at).toISOString();
  await insert(trx, 'user', [
    {
      id: line.id,
      name: line.first_name,
      firstName: line.first_name,
      email: line.email,
      language: line.language,
      emailVerified: true,
      createdAt,
      updatedAt: createdAt,
      twoFactorEnabled: false,
    },
  ]);
  if (line.notifications) {
    const { sales, weekly, told_week } = line.notifications;
    await insert(trx, 'notification_choice', [{ owner_id: line.id, sales, weekly, told_week }]);
  }
  if (line.seller_name === null) return;
  await insert(trx, 'seller', [{ owner_id: line.id, name: line.seller_name, version: 1 }]);
}

/** The ids of links, which are never given out again. */
async function reserve(
  trx: DatabaseTransaction,
  rows: { id: string; reserved_at: number }[],
  ownerId: string,
): Promise<void> {
  if (rows.length === 0) return;
  await trx
    .insertInto('link_id')
    .values(rows.map((row) => ({ ...row, owner_id: ownerId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function writeFiles(
  trx: DatabaseTransaction,
  files: LineOf<'file'>[],
  { ownerId, importedAt, hasScanner }: Here,
): Promise<void> {
  if (files.length === 0) return;
  await reserve(
    trx,
    files.map(({ link_id, created_at }) => ({ id: link_id, reserved_at: created_at })),
    ownerId,
  );
  const blocked = await trx
    .selectFrom('blocked_file')
    .where(
      'sha256',
      'in',
      files.map(({ sha256 }) => sha256),
    )
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
  await insert(trx, 'file', rows);
  for (const { blob, checked_at } of rows) {
    if (checked_at === null) await enqueue(trx, 'check-file', { blob }, importedAt);
  }
}

async function writeLinks(
  trx: DatabaseTransaction,
  links: LineOf<'link'>[],
  { ownerId, importedAt }: Here,
): Promise<void> {
  await reserve(
    trx,
    links.map(({ id, created_at }) => ({ id, reserved_at: created_at })),
    ownerId,
  );
  await insert(
    trx,
    'link',
    links.map(
      ({ kind, versions, pictures, views, checkouts, sales, refunds, deleted_at, ...link }) => ({
        ...link,
        owner_id: ownerId,
        version: 1,
        taken_down_at: null,
        key: versions.at(-1)?.file_keys[0] ?? null,
        url: versions.at(-1)?.url ?? null,
        deleted_at: deleted_at ?? importedAt,
      }),
    ),
  );
  await insert(
    trx,
    'short_name',
    links.flatMap(({ id, short_name: name }) =>
      name === null ? [] : [{ owner_id: ownerId, name, link_id: id }],
    ),
  );
  await insert(
    trx,
    'link_version',
    links.flatMap(({ id, versions }) =>
      versions.map(({ file_keys, parts, ...version }) => ({ link_id: id, ...version })),
    ),
  );
  await insert(
    trx,
    'link_file',
    links.flatMap(({ id, versions }) =>
      versions.flatMap(({ number, file_keys }) =>
        file_keys.map((file_key, position) => ({
          link_id: id,
          version: number,
          position,
          file_key,
        })),
      ),
    ),
  );
  await insert(
    trx,
    'link_part',
    links.flatMap(({ id, versions }) =>
      versions.flatMap(({ number, parts }) =>
        parts.map((part_id, position) => ({ link_id: id, version: number, position, part_id })),
      ),
    ),
  );
  await insert(
    trx,
    'link_statistics',
    links.map(({ id, views, checkouts, sales, refunds }) => ({
      // What nobody paid is not imported, as what was swept is not kept.
      link_id: id,
      views,
      checkouts,
      swept_checkouts: checkouts - sales,
      sales,
      refunds,
    })),
  );
  for (const { id, preview, preview_blob, preview_failed } of links) {
    if (preview === 'none' || preview_blob !== null || preview_failed) continue;
    await enqueue(trx, 'make-preview', { linkId: id }, importedAt);
  }
}

/** Where somebody else has its address here, the seller chooses another one. */
async function writePage(
  trx: DatabaseTransaction,
  { kind, handle, pinned, pictures, ...page }: LineOf<'page'>,
  { ownerId, importedAt }: Here,
): Promise<void> {
  await insert(trx, 'seller_page', [
    { ...page, owner_id: ownerId, links: JSON.stringify(page.links) },
  ]);
  // The last pinned one comes first.
  const rows = pinned.map((link_id, index) => ({ link_id, pinned_at: importedAt - index }));
  await insert(
    trx,
    'pinned_link',
    rows.map((row) => ({ ...row, owner_id: ownerId })),
  );
  if (handle === null) return;
  await trx
    .insertInto('seller_handle')
    .values({ handle, owner_id: ownerId, left_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function writeDiscount(
  trx: DatabaseTransaction,
  { kind, link_ids, ...discount }: LineOf<'discount'>,
  { ownerId }: Here,
): Promise<void> {
  const id = randomUUID();
  await insert(trx, 'discount', [
    { ...discount, id, owner_id: ownerId, chosen_links: Number(link_ids !== null) },
  ]);
  await insert(
    trx,
    'discount_link',
    (link_ids ?? []).map((link_id) => ({ discount_id: id, link_id })),
  );
}

async function writeSales(
  trx: DatabaseTransaction,
  sales: LineOf<'sale'>[],
  { ownerId, mode }: Here,
): Promise<void> {
  if (sales.length === 0) return;
  const accountOf = ({ buyer_account }: LineOf<'sale'>) =>
    buyer_account === null ? null : canonicalAddress(buyer_account);
  const accounts = [...new Set(sales.flatMap((sale) => accountOf(sale) ?? []))];
  const buyers =
    accounts.length === 0
      ? []
      : await trx
          .selectFrom('user')
          .where('email', 'in', accounts)
          .select(['id', 'email', 'emailVerified'])
          .execute();
  const idOf = new Map(
    buyers.filter(({ emailVerified }) => emailVerified).map(({ id, email }) => [email, id]),
  );
  const buyerOf = (sale: LineOf<'sale'>) => idOf.get(accountOf(sale) ?? '') ?? null;
  await insert(
    trx,
    'purchase',
    sales.map((sale) => {
      const { kind, parts, grant, claims, personal_links, delivered, refunds, ...rest } = sale;
      const { buyer_account, ...own } = rest;
      return {
        ...own,
        seller_id: ownerId,
        state: 'settled',
        mode,
        ...addressOfBuyer(sale.buyer_email),
        ...addressOfRecipient(sale.gift_email),
        // Of a gift, that account holds it, and somebody else bought it.
        buyer_id: sale.gift_email === null ? buyerOf(sale) : null,
        provider_account: IMPORTED,
        expires_at: own.settled_at,
        payment_id: sale.id,
        line: 1,
      };
    }),
  );
  await insert(
    trx,
    'purchase_part',
    sales.flatMap(({ id, link_id, content_version, parts }) =>
      (parts.length > 0 ? [{ link_id, content_version }, ...parts] : []).map((part) => ({
        purchase_id: id,
        ...part,
      })),
    ),
  );
  await insert(
    trx,
    'access_grant',
    sales.map((sale) => ({
      ...sale.grant,
      purchase_id: sale.id,
      link_id: sale.link_id,
      buyer_id: buyerOf(sale),
    })),
  );
  await trx
    .updateTable('access_grant')
    .set(({ ref }) => ({ size_bytes: sizeOfSoldFiles(ref('access_grant.purchase_id')) }))
    .where(
      'purchase_id',
      'in',
      sales.map(({ id }) => id),
    )
    .execute();
  await insert(
    trx,
    'awaited_purchase',
    sales.flatMap((sale) => {
      const email = accountOf(sale);
      return email !== null && buyerOf(sale) === null ? [{ purchase_id: sale.id, email }] : [];
    }),
  );
  const ofGrants = (list: (sale: LineOf<'sale'>) => Row[]) =>
    sales.flatMap((sale) => list(sale).map((row) => ({ grant_id: sale.grant.id, ...row })));
  await insert(
    trx,
    'grant_claim',
    ofGrants(({ claims }) => claims),
  );
  await insert(
    trx,
    'delivered_file',
    ofGrants(({ delivered }) => delivered),
  );
  await trx
    .updateTable('delivered_file')
    .set(({ ref }) => ({
      bought: wasFileSold(ref('delivered_file.grant_id'), ref('delivered_file.file_key')),
    }))
    .where(
      'grant_id',
      'in',
      sales.map(({ grant }) => grant.id),
    )
    .execute();
  await insert(
    trx,
    'earlier_personal_link',
    ofGrants(({ personal_links }) => personal_links.map((hash) => ({ hash }))),
  );
  await insert(
    trx,
    'refund',
    sales.flatMap(({ id, refunds }) =>
      refunds.map((refund) => ({ ...refund, purchase_id: id, state: 'succeeded' })),
    ),
  );
}
