import { daysOf } from '../../books/statistics/counts.ts';
import type { Database } from '../../ground/database/tables.ts';
import { readPages } from '../../ground/lib/read-pages.ts';
import { countUses } from '../../selling/discounts/count-uses.ts';
import type { LineOf } from './format.ts';

/** A file's line before its bytes were read. */
export type FileRow = Omit<LineOf<'file'>, 'sha256'> & { sha256: string | null };
/** A link's before its pictures were. */
export type LinkRow = Omit<LineOf<'link'>, 'pictures'>;
/** A page's before its picture was. */
export type PageRow = Omit<LineOf<'page'>, 'pictures'>;
export type Row = LineOf<'account' | 'discount' | 'sale' | 'day'> | FileRow | LinkRow | PageRow;

const AT_ONCE = 200;

type LinkFlag =
  | 'unlocked'
  | 'paused'
  | 'noindex'
  | 'unlisted'
  | 'preview_failed'
  | 'stamp'
  | 'stamp_failed';

/** Flags are numbers to the compiler. */
type Flags<Name extends string> = Record<Name, 0 | 1>;

/** The rows that name an id, without it. */
const ownOf = <Part extends object, Key extends keyof Part>(
  parts: Part[],
  key: Key,
  id: Part[Key],
) => parts.filter((part) => part[key] === id).map(({ [key]: _id, ...own }) => own);

/**
 * The files of an account, without those that only a link that was taken down sells.
 * @param db a snapshot
 */
export async function* readFiles(db: Database, ownerId: string): AsyncGenerator<FileRow> {
  const found = readPages({ key: '' }, ({ key }) =>
    db
      .selectFrom('file')
      .where('owner_id', '=', ownerId)
      .where('finished_at', 'is not', null)
      .where('key', '>', key)
      .where(({ exists, not, or, selectFrom }) => {
        const sold = selectFrom('link_file')
          .innerJoin('link', 'link.id', 'link_file.link_id')
          .whereRef('link_file.file_key', '=', 'file.key')
          .select('link.id');
        const isUp = exists(sold.where('link.taken_down_at', 'is', null));
        return or([isUp, not(exists(sold))]);
      })
      .orderBy('key')
      .limit(AT_ONCE)
      .select(['key', 'blob', 'link_id', 'name', 'size_bytes', 'media_type', 'created_at'])
      .select(['sha256', 'crc32', 'checked_at', 'refused_because', 'facts'])
      .select(({ fn }) => fn.coalesce('finished_at', 'created_at').as('finished_at'))
      .execute(),
  );
  for await (const files of found) for (const file of files) yield { kind: 'file', ...file };
}

/** The links of an account with all their versions, without those that were taken down. */
export async function* readLinks(db: Database, ownerId: string): AsyncGenerator<LinkRow> {
  // A suspension takes links off sale at its moment, and its end puts them back.
  const suspension = await db
    .selectFrom('suspension')
    .where('user_id', '=', ownerId)
    .select('suspended_at')
    .executeTakeFirst();
  yield* readLinksOf(db, ownerId, suspension?.suspended_at, '!=');
  // After all that may be in them.
  yield* readLinksOf(db, ownerId, suspension?.suspended_at, '=');
}

async function* readLinksOf(
  db: Database,
  ownerId: string,
  suspendedAt: number | undefined,
  isBundle: '=' | '!=',
): AsyncGenerator<LinkRow> {
  const found = readPages({ id: '' }, ({ id }) =>
    db
      .selectFrom('link')
      .leftJoin('link_statistics', 'link_statistics.link_id', 'link.id')
      .where('owner_id', '=', ownerId)
      .where('taken_down_at', 'is', null)
      .where('type', isBundle, 'bundle')
      .where('id', '>', id)
      .orderBy('id')
      .limit(AT_ONCE)
      .select(['id', 'type', 'title', 'description', 'price_cents', 'least_cents', 'unlocked'])
      .select(['copies', 'sold_until', 'short_name', 'license_keys', 'license_devices'])
      .select(['paused', 'noindex', 'unlisted', 'cover', 'cover_width', 'cover_height', 'preview'])
      .select(['preview_blob', 'preview_media_type', 'preview_width', 'preview_height'])
      .select(['preview_failed', 'stamp', 'stamp_failed', 'size_bytes', 'media_type'])
      .select(['choice_group', 'choice', 'choice_place'])
      .select(['content_version', 'created_at', 'updated_at', 'deleted_at'])
      .select(['views', 'checkouts', 'sales'])
      .$narrowType<Flags<LinkFlag>>()
      .execute(),
  );
  for await (const links of found) {
    const ids = links.map(({ id }) => id);
    const versions = await db
      .selectFrom('link_version')
      .where('link_id', 'in', ids)
      .orderBy('number')
      .selectAll()
      .execute();
    const files = await db
      .selectFrom('link_file')
      .where('link_id', 'in', ids)
      .orderBy('position')
      .selectAll()
      .execute();
    const parts = await db
      .selectFrom('link_part')
      .innerJoin('link', 'link.id', 'link_part.part_id')
      .where('link_part.link_id', 'in', ids)
      .where('link.taken_down_at', 'is', null)
      .orderBy('link_part.position')
      .selectAll('link_part')
      .execute();
    const names = await db
      .selectFrom('short_name')
      .where('link_id', 'in', ids)
      .orderBy('name')
      .select(['link_id', 'name'])
      .execute();
    const refunds = await db
      .selectFrom('refund')
      .innerJoin('purchase', 'purchase.id', 'refund.purchase_id')
      .where('purchase.link_id', 'in', ids)
      .where('refund.state', '=', 'succeeded')
      .groupBy('purchase.link_id')
      .select(({ fn }) => ['purchase.link_id', fn.countAll<number | string>().as('refunds')])
      .execute();
    const refundsOf = new Map(refunds.map((row) => [row.link_id, Number(row.refunds)]));
    for (const { deleted_at, views, checkouts, sales, ...link } of links) {
      const filesOf = Map.groupBy(ownOf(files, 'link_id', link.id), ({ version }) => version);
      const partsOf = Map.groupBy(ownOf(parts, 'link_id', link.id), ({ version }) => version);
      yield {
        kind: 'link',
        ...link,
        earlier_short_names: ownOf(names, 'link_id', link.id)
          .map(({ name }) => name)
          .filter((name) => name !== link.short_name),
        deleted_at: deleted_at === suspendedAt ? null : deleted_at,
        views: views ?? 0,
        checkouts: checkouts ?? 0,
        sales: sales ?? 0,
        refunds: refundsOf.get(link.id) ?? 0,
        free_license_keys: await readFreeKeys(db, link.id),
        versions: ownOf(versions, 'link_id', link.id).map((version) => ({
          ...version,
          file_keys: (filesOf.get(version.number) ?? []).map(({ file_key }) => file_key),
          parts: (partsOf.get(version.number) ?? []).map(({ part_id }) => part_id),
        })),
      };
    }
  }
}

/** Of one link at a time: there may be very many. */
async function readFreeKeys(db: Database, linkId: string): Promise<string[]> {
  const keys = await db
    .selectFrom('license_key')
    .where('link_id', '=', linkId)
    .where('purchase_id', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .select('key')
    .$narrowType<{ key: string }>()
    .execute();
  return keys.map(({ key }) => key);
}

/** What the page of a seller shows, where they have one. */
export async function* readPage(db: Database, ownerId: string): AsyncGenerator<PageRow> {
  const page = await db
    .selectFrom('seller_page')
    .leftJoin('seller_handle', (join) =>
      join.onRef('seller_handle.owner_id', '=', 'seller_page.owner_id').on('left_at', 'is', null),
    )
    .where('seller_page.owner_id', '=', ownerId)
    .select(['handle', 'about', 'links', 'picture', 'picture_width', 'picture_height'])
    .executeTakeFirst();
  if (!page) return;
  const pinned = await db
    .selectFrom('pinned_link')
    .innerJoin('link', 'link.id', 'pinned_link.link_id')
    .where('pinned_link.owner_id', '=', ownerId)
    .where('link.taken_down_at', 'is', null)
    .orderBy('pinned_at', 'desc')
    .orderBy('link.id')
    .select('link.id')
    .execute();
  yield {
    kind: 'page',
    ...page,
    links: JSON.parse(page.links),
    pinned: pinned.map(({ id }) => id),
  };
}

/**
 * The discount codes that can still be used, with what is left of their uses, and their ids here.
 * @param now UTC milliseconds
 */
export async function* readDiscounts(
  db: Database,
  ownerId: string,
  now: number,
): AsyncGenerator<LineOf<'discount'> & { id: string }> {
  const found = readPages({ id: '' }, ({ id }) =>
    db
      .selectFrom('discount')
      .where('owner_id', '=', ownerId)
      .where('ended_at', 'is', null)
      .where(({ eb, or }) => or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]))
      .where('id', '>', id)
      .orderBy('id')
      .limit(AT_ONCE)
      .select(['id', 'code', 'percent', 'amount_cents', 'minimum_cents', 'starts_at', 'ends_at'])
      .select(['max_uses', 'max_uses_of_buyer', 'chosen_links', 'created_at'])
      .execute(),
  );
  for await (const discounts of found) {
    const ids = discounts.map(({ id }) => id);
    const chosen = await db
      .selectFrom('discount_link')
      .innerJoin('link', 'link.id', 'discount_link.link_id')
      .where('discount_id', 'in', ids)
      .where('link.taken_down_at', 'is', null)
      .select(['discount_id', 'link_id'])
      .execute();
    const uses = await countUses(db, ids, now);
    for (const { id, chosen_links, max_uses, ...discount } of discounts) {
      const own = chosen.filter(({ discount_id }) => discount_id === id);
      const left = max_uses === null ? null : max_uses - (uses.get(id)?.paid ?? 0);
      if (left !== null && left <= 0) continue;
      if (chosen_links === 1 && own.length === 0) continue;
      const link_ids = chosen_links === 1 ? own.map(({ link_id }) => link_id) : null;
      yield { kind: 'discount', id, ...discount, max_uses: left, link_ids };
    }
  }
}

/**
 * The settled purchases of an account's links, with what their buyers have.
 * @param codeOf the exported discount codes by their ids
 * @param hashOfLink the SHA-256 of the personal link of a grant
 */
export async function* readSales(
  db: Database,
  ownerId: string,
  codeOf: ReadonlyMap<string, string>,
  hashOfLink: (grantId: string) => string,
): AsyncGenerator<LineOf<'sale'>> {
  const found = readPages({ settled_at: 0, id: '' }, ({ settled_at, id }) =>
    selectSales(db, ownerId)
      .where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('purchase.settled_at', 'purchase.id'),
          '>',
          tuple<number | null, string>(settled_at, id),
        ),
      )
      .execute(),
  );
  for await (const sales of found) yield* completeSales(db, sales, codeOf, hashOfLink);
}

type SaleRow = Awaited<ReturnType<ReturnType<typeof selectSales>['execute']>>[number];

const selectSales = (db: Database, ownerId: string) =>
  db
    .selectFrom('purchase')
    .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
    .innerJoin('link', 'link.id', 'purchase.link_id')
    .leftJoin('user', 'user.id', 'access_grant.buyer_id')
    .leftJoin('purchase_discount', 'purchase_discount.purchase_id', 'purchase.id')
    .where('purchase.seller_id', '=', ownerId)
    .where('link.taken_down_at', 'is', null)
    .where('purchase.settled_at', 'is not', null)
    .orderBy('purchase.settled_at')
    .orderBy('purchase.id')
    .limit(AT_ONCE)
    .select(['purchase.id', 'purchase.link_id', 'purchase.content_version'])
    .select(['purchase.claim_hash', 'purchase.price_cents', 'purchase.fee_cents'])
    .select(['purchase.taxed', 'purchase.tax_cents', 'purchase.currency'])
    .select(['purchase.buyer_email', 'user.email as buyer_account', 'gift_email', 'gift_message'])
    .select(['gift_opened_at', 'purchase.created_at', 'purchase.settled_at', 'purchase.title'])
    .select(['purchase.seller_name', 'access_grant.id as grant_id', 'access_grant.state'])
    .select(['access_grant.created_at as granted_at', 'access_grant.updated_at'])
    .select(['wants_versions', 'told_version', 'purchase.language', 'discount_id'])
    .$narrowType<{ settled_at: number } & Flags<'taxed' | 'wants_versions'>>();

async function* completeSales(
  db: Database,
  sales: SaleRow[],
  codeOf: ReadonlyMap<string, string>,
  hashOfLink: (grantId: string) => string,
): AsyncGenerator<LineOf<'sale'>> {
  const grantIds = sales.map(({ grant_id }) => grant_id);
  const claims = await db
    .selectFrom('grant_claim')
    .where('grant_id', 'in', grantIds)
    .select(['grant_id', 'claim_hash', 'claimed_at', 'proven'])
    .$narrowType<Flags<'proven'>>()
    .execute();
  const delivered = await db
    .selectFrom('delivered_file')
    .innerJoin('file', 'file.key', 'delivered_file.file_key')
    .where('grant_id', 'in', grantIds)
    .select(['grant_id', 'file_key', 'ranges', 'bytes'])
    .execute();
  const earlier = await db
    .selectFrom('earlier_personal_link')
    .where('grant_id', 'in', grantIds)
    .selectAll()
    .execute();
  const saleIds = sales.map(({ id }) => id);
  const refunds = await db
    .selectFrom('refund')
    .where('purchase_id', 'in', saleIds)
    .where('state', '=', 'succeeded')
    .select(['id', 'purchase_id', 'amount_cents', 'reason', 'requested_by', 'created_at'])
    .execute();
  const parts = await db
    .selectFrom('purchase_part')
    .innerJoin('link', 'link.id', 'purchase_part.link_id')
    .where('purchase_part.purchase_id', 'in', saleIds)
    .where('link.taken_down_at', 'is', null)
    .where('link.type', '!=', 'bundle')
    .orderBy('purchase_part.link_id')
    .select(['purchase_id', 'purchase_part.link_id', 'purchase_part.content_version'])
    .execute();
  const keys = await db
    .selectFrom('license_key')
    .innerJoin('link', 'link.id', 'license_key.link_id')
    .where('license_key.purchase_id', 'in', saleIds)
    .where('link.taken_down_at', 'is', null)
    .orderBy('license_key.link_id')
    .select(['license_key.id', 'license_key.purchase_id', 'license_key.link_id'])
    .select(['license_key.key', 'license_key.lookup', 'license_key.created_at', 'given_at'])
    .$narrowType<{ purchase_id: string; given_at: number }>()
    .execute();
  const activations = await db
    .selectFrom('license_activation')
    .innerJoin('license_key', 'license_key.id', 'license_activation.key_id')
    .where('license_key.purchase_id', 'in', saleIds)
    .orderBy('activated_at')
    .selectAll('license_activation')
    .execute();
  for (const { id, link_id, content_version, claim_hash, ...sale } of sales) {
    const { grant_id, granted_at, state, updated_at, wants_versions, told_version, ...rest } = sale;
    const { discount_id, ...own } = rest;
    const standing = { state, created_at: granted_at, updated_at, wants_versions, told_version };
    yield {
      kind: 'sale',
      id,
      link_id,
      content_version,
      claim_hash,
      parts: ownOf(parts, 'purchase_id', id),
      ...own,
      code: codeOf.get(discount_id ?? '') ?? null,
      grant: { id: grant_id, ...standing },
      claims: ownOf(claims, 'grant_id', grant_id),
      personal_links: [
        hashOfLink(grant_id),
        ...ownOf(earlier, 'grant_id', grant_id).map(({ hash }) => hash),
      ],
      delivered: ownOf(delivered, 'grant_id', grant_id),
      license_keys: ownOf(keys, 'purchase_id', id).map(({ id: keyId, ...key }) => ({
        ...key,
        activations: ownOf(activations, 'key_id', keyId),
      })),
      refunds: ownOf(refunds, 'purchase_id', id),
    };
  }
}

/** What happened on each day: the chart of the dashboard. */
export async function* readDays(db: Database, ownerId: string): AsyncGenerator<LineOf<'day'>> {
  const found = readPages({ day: -1 }, ({ day }) =>
    daysOf(db, ownerId).where('day', '>', day).orderBy('day').limit(AT_ONCE).execute(),
  );
  for await (const days of found) for (const day of days) yield { kind: 'day', ...day };
}
