import { sql } from 'kysely';
import { daysOf } from '../../books/statistics/counts.ts';
import type { Database } from '../../ground/database/tables.ts';
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

/** Rows page by page, so that they are never all in memory. */
async function* pages<Found>(
  read: (after: Found | undefined) => Promise<Found[]>,
): AsyncGenerator<Found[]> {
  let after: Found | undefined;
  for (;;) {
    const found = await read(after);
    if (found.length === 0) return;
    yield found;
    after = found.at(-1);
  }
}

/**
 * The files of an account, without those that only a link that was taken down sells.
 * @param db a snapshot
 */
export async function* readFiles(db: Database, ownerId: string): AsyncGenerator<FileRow> {
  const found = pages<Omit<FileRow, 'kind'>>((after) =>
    db
      .selectFrom('file')
      .where('owner_id', '=', ownerId)
      .where('finished_at', 'is not', null)
      .where('key', '>', after?.key ?? '')
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
  const found = pages((after: { id: string } | undefined) =>
    db
      .selectFrom('link')
      .leftJoin('link_statistics', 'link_statistics.link_id', 'link.id')
      .where('owner_id', '=', ownerId)
      .where('taken_down_at', 'is', null)
      .where('type', isBundle, 'bundle')
      .where('id', '>', after?.id ?? '')
      .orderBy('id')
      .limit(AT_ONCE)
      .select(['id', 'type', 'title', 'description', 'price_cents', 'least_cents', 'unlocked'])
      .select(['copies', 'sold_until', 'short_name'])
      .select(['paused', 'noindex', 'unlisted', 'cover', 'cover_width', 'cover_height', 'preview'])
      .select(['preview_blob', 'preview_media_type', 'preview_width', 'preview_height'])
      .select(['preview_failed', 'size_bytes', 'media_type', 'content_version', 'created_at'])
      .select(['updated_at', 'deleted_at', 'views', 'checkouts', 'sales'])
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
    const refunds = await db
      .selectFrom('refund')
      .innerJoin('purchase', 'purchase.id', 'refund.purchase_id')
      .where('purchase.link_id', 'in', ids)
      .where('refund.state', '=', 'succeeded')
      .groupBy('purchase.link_id')
      .select(({ fn }) => ['purchase.link_id', fn.countAll<number | string>().as('refunds')])
      .execute();
    const refundsOf = new Map(refunds.map((row) => [row.link_id, Number(row.refunds)]));
    const filesOf = Map.groupBy(files, ({ link_id, version }) => `${link_id} ${version}`);
    const partsOf = Map.groupBy(parts, ({ link_id, version }) => `${link_id} ${version}`);
    const versionsOf = Map.groupBy(versions, ({ link_id }) => link_id);
    for (const { deleted_at, views, checkouts, sales, ...link } of links) {
      yield {
        kind: 'link',
        ...asFlags(link),
        deleted_at: deleted_at === suspendedAt ? null : deleted_at,
        views: views ?? 0,
        checkouts: checkouts ?? 0,
        sales: sales ?? 0,
        refunds: refundsOf.get(link.id) ?? 0,
        versions: (versionsOf.get(link.id) ?? []).map(({ link_id, ...version }) => ({
          ...version,
          file_keys: (filesOf.get(`${link_id} ${version.number}`) ?? []).map(
            ({ file_key }) => file_key,
          ),
          parts: (partsOf.get(`${link_id} ${version.number}`) ?? []).map(({ part_id }) => part_id),
        })),
      };
    }
  }
}

type Flag = 0 | 1;

/** Their columns are numbers to the compiler. */
const asFlags = <
  Found extends Record<'unlocked' | 'paused' | 'noindex' | 'unlisted' | 'preview_failed', number>,
>(
  found: Found,
) =>
  found as Found & Record<'unlocked' | 'paused' | 'noindex' | 'unlisted' | 'preview_failed', Flag>;

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
 * The discount codes that can still be used, with what is left of their uses.
 * @param now UTC milliseconds
 */
export async function* readDiscounts(
  db: Database,
  ownerId: string,
  now: number,
): AsyncGenerator<LineOf<'discount'>> {
  const found = pages((after: { id: string } | undefined) =>
    db
      .selectFrom('discount')
      .where('owner_id', '=', ownerId)
      .where('ended_at', 'is', null)
      .where(({ eb, or }) => or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]))
      .where('id', '>', after?.id ?? '')
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
      yield { kind: 'discount', ...discount, max_uses: left, link_ids };
    }
  }
}

/**
 * The settled purchases of an account's links, with what their buyers have.
 * @param hashOfLink the SHA-256 of the personal link of a grant
 */
export async function* readSales(
  db: Database,
  ownerId: string,
  hashOfLink: (grantId: string) => string,
): AsyncGenerator<LineOf<'sale'>> {
  const found = pages((after: { settled_at: number; id: string } | undefined) =>
    db
      .selectFrom('purchase')
      .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
      .innerJoin('link', 'link.id', 'purchase.link_id')
      .leftJoin('user', 'user.id', 'access_grant.buyer_id')
      .where('purchase.seller_id', '=', ownerId)
      .where('link.taken_down_at', 'is', null)
      .where('purchase.settled_at', 'is not', null)
      .where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('purchase.settled_at', 'purchase.id'),
          '>',
          tuple<number | null, string>(after?.settled_at ?? 0, after?.id ?? ''),
        ),
      )
      .orderBy('purchase.settled_at')
      .orderBy('purchase.id')
      .limit(AT_ONCE)
      .select(['purchase.id', 'purchase.link_id', 'purchase.content_version'])
      .select(['purchase.claim_hash', 'purchase.price_cents', 'purchase.fee_cents'])
      .select(['purchase.taxed', 'purchase.tax_cents', 'purchase.currency'])
      .select(['purchase.buyer_email', 'purchase.created_at', 'purchase.title'])
      .select(['purchase.seller_name', 'user.email as buyer_account', 'access_grant.state'])
      .select(sql<number>`purchase.settled_at`.as('settled_at'))
      .select(['access_grant.id as grant_id', 'access_grant.created_at as granted_at'])
      .select(['access_grant.updated_at', 'wants_versions', 'told_version'])
      .select(['gift_email', 'gift_message', 'gift_opened_at'])
      .execute(),
  );
  for await (const sales of found) {
    const grantIds = sales.map(({ grant_id }) => grant_id);
    const claims = await db
      .selectFrom('grant_claim')
      .where('grant_id', 'in', grantIds)
      .selectAll()
      .execute();
    const delivered = await db
      .selectFrom('delivered_file')
      .innerJoin('file', 'file.key', 'delivered_file.file_key')
      .where('grant_id', 'in', grantIds)
      .selectAll('delivered_file')
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
      .selectAll('purchase_part')
      .execute();
    for (const sale of sales) {
      const { grant_id, state, granted_at, updated_at, wants_versions, told_version } = sale;
      const ofGrant = <Own extends { grant_id: string }>(rows: Own[]) =>
        rows.filter((row) => row.grant_id === grant_id);
      yield {
        kind: 'sale',
        id: sale.id,
        link_id: sale.link_id,
        content_version: sale.content_version,
        claim_hash: sale.claim_hash,
        parts: parts
          .filter(({ purchase_id }) => purchase_id === sale.id)
          .map(({ link_id, content_version }) => ({ link_id, content_version })),
        price_cents: sale.price_cents,
        fee_cents: sale.fee_cents,
        taxed: sale.taxed as Flag,
        tax_cents: sale.tax_cents,
        currency: sale.currency,
        buyer_email: sale.buyer_email,
        buyer_account: sale.buyer_account,
        gift_email: sale.gift_email,
        gift_message: sale.gift_message,
        gift_opened_at: sale.gift_opened_at,
        created_at: sale.created_at,
        settled_at: sale.settled_at,
        title: sale.title,
        seller_name: sale.seller_name,
        grant: {
          id: grant_id,
          state,
          created_at: granted_at,
          updated_at,
          wants_versions: wants_versions as Flag,
          told_version,
        },
        claims: ofGrant(claims).map(({ claim_hash, claimed_at, proven }) => ({
          claim_hash,
          claimed_at,
          proven: proven as Flag,
        })),
        personal_links: [hashOfLink(grant_id), ...ofGrant(earlier).map(({ hash }) => hash)],
        delivered: ofGrant(delivered).map(({ file_key, ranges, bytes }) => ({
          file_key,
          ranges,
          bytes,
        })),
        refunds: refunds
          .filter(({ purchase_id }) => purchase_id === sale.id)
          .map(({ purchase_id, ...refund }) => refund),
      };
    }
  }
}

/** What happened on each day: the chart of the dashboard. */
export async function* readDays(db: Database, ownerId: string): AsyncGenerator<LineOf<'day'>> {
  const found = pages((after: { day: number } | undefined) =>
    daysOf(db, ownerId)
      .where('day', '>', after?.day ?? -1)
      .orderBy('day')
      .limit(AT_ONCE)
      .execute(),
  );
  for await (const days of found) for (const day of days) yield { kind: 'day', ...day };
}
