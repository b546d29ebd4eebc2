import { type Expression, sql } from 'kysely';
import type { Link } from '../../catalog/links/tables.ts';
import { dialectOf } from '../../ground/database/dialect.ts';
import type { Database, DatabaseTransaction } from '../../ground/database/tables.ts';
import type { Purchase } from './tables.ts';

/**
 * Keeps bundles, their parts and all that is paid for with them as they are until the purchases are
 * written: at once and in one order, because two bundles may share parts.
 * @returns whether everything in them is still offered
 */
export async function holdParts(trx: DatabaseTransaction, links: Link[]): Promise<boolean> {
  const bundles = links.filter(({ type }) => type === 'bundle').map(({ id }) => id);
  if (bundles.length === 0) return true;
  const parts = trx
    .selectFrom('link_part')
    .innerJoin('link as bundle', (join) =>
      join
        .onRef('bundle.id', '=', 'link_part.link_id')
        .onRef('bundle.content_version', '=', 'link_part.version'),
    )
    .where('bundle.id', 'in', bundles)
    .select('link_part.part_id');
  const ids = links.map(({ id }) => id);
  const held = await trx
    .selectFrom('link')
    .where(({ eb, or }) => or([eb('link.id', 'in', ids), eb('link.id', 'in', parts)]))
    .orderBy('link.owner_id')
    .orderBy('link.id')
    .select(['link.deleted_at', 'link.taken_down_at'])
    // As an update would: whoever changes the parts of a bundle holds the bundle, and refers to them.
    .$if(dialectOf(trx) === 'postgres', (query) => query.forNoKeyUpdate())
    .execute();
  return held.every((link) => link.deleted_at === null && link.taken_down_at === null);
}

/** Writes down what the purchase of a bundle brings: itself, and its parts as they are on sale now. */
export async function writeParts(
  trx: DatabaseTransaction,
  { id, link_id: linkId, content_version: version }: Purchase,
): Promise<void> {
  await trx
    .insertInto('purchase_part')
    .columns(['purchase_id', 'link_id', 'content_version'])
    .expression(({ selectFrom, val }) =>
      selectFrom('link_part')
        .innerJoin('link', 'link.id', 'link_part.part_id')
        .where('link_part.link_id', '=', linkId)
        .where('link_part.version', '=', version)
        .select([val(id).as('purchase_id'), 'link.id', 'link.content_version']),
    )
    .execute();
  await trx
    .insertInto('purchase_part')
    .values({ purchase_id: id, link_id: linkId, content_version: version })
    .execute();
}

/** The links that purchases of bundles brought, each once, also those that are no longer offered. */
export function soldParts(db: Database, grantIds: string[]): Promise<Link[]> {
  return db
    .selectFrom('link')
    .where('link.id', 'in', (query) =>
      query
        .selectFrom('access_grant')
        .innerJoin('purchase_part', 'purchase_part.purchase_id', 'access_grant.purchase_id')
        .where('access_grant.id', 'in', grantIds)
        .select('purchase_part.link_id'),
    )
    .where('link.type', '!=', 'bundle')
    .orderBy('link.created_at')
    .orderBy('link.id')
    .selectAll()
    .execute();
}

/**
 * The versions of links that purchases brought: of what was bought alone its own, of a bundle those
 * of its parts too. A query to go on from.
 */
export function contentsOf(db: Database, purchaseIds: string[]) {
  return db
    .selectFrom('purchase')
    .leftJoin('purchase_part', 'purchase_part.purchase_id', 'purchase.id')
    .where('purchase.id', 'in', purchaseIds)
    .select(['purchase.id as purchase_id'])
    .select([SOLD_LINK.as('link_id'), SOLD_VERSION.as('content_version')]);
}

/**
 * Keeps the grants of purchases as they are until the transaction ends: in one order, which is that of a
 * cart whose dispute is followed at the same time.
 */
export async function holdGrants(
  trx: DatabaseTransaction,
  purchaseIds: Expression<string>,
): Promise<void> {
  if (dialectOf(trx) !== 'postgres') return;
  await trx
    .selectFrom('access_grant')
    .innerJoin('purchase', 'purchase.id', 'access_grant.purchase_id')
    .where('purchase.id', 'in', purchaseIds)
    .orderBy('purchase.payment_id')
    .orderBy('purchase.line')
    .select('access_grant.id')
    .forNoKeyUpdate('access_grant')
    .execute();
}

/** Bytes of the files that a purchase brought, each once; null where it brought none. */
export const sizeOfSoldFiles = (purchaseId: Expression<string>) =>
  sql<number | null>`(
    select cast(sum(size_bytes) as bigint) from file where key in (${soldFiles(purchaseId)}))`;

/** 1 where the purchase behind a grant brought a file, otherwise 0. */
export function wasFileSold(grantId: Expression<string>, fileKey: Expression<string>) {
  const purchaseId = sql<string>`(select purchase_id from access_grant where id = ${grantId})`;
  return sql<number>`case when ${fileKey} in (${soldFiles(purchaseId)}) then 1 else 0 end`;
}

const soldFiles = (purchaseId: Expression<string>) => sql<string>`
  select link_file.file_key from purchase
  left join purchase_part on purchase_part.purchase_id = purchase.id
  join link_file on link_file.link_id = ${SOLD_LINK} and link_file.version = ${SOLD_VERSION}
  where purchase.id = ${purchaseId}`;

const SOLD_LINK = sql<string>`coalesce(purchase_part.link_id, purchase.link_id)`;
const SOLD_VERSION = sql<number>`coalesce(purchase_part.content_version, purchase.content_version)`;
