import type { LinkFace } from '../../../contract/drawn-cover.ts';
import { DEFAULT_PAGE_SIZE } from '../../../contract/limits.ts';
import { SALE_SORTS, type SaleSort } from '../../../contract/links.ts';
import { FACE, faceOf } from '../../catalog/links/cover.ts';
import type { Database } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { type Place, readPageToken, writePageToken } from '../../ground/lib/page-token.ts';
import type { AccessGrant } from './tables.ts';

/** A settled purchase as its seller sees it: who bought is not told. */
export interface ListedSale {
  id: string;
  linkId: string;
  /** As it was when the checkout began. */
  title: string | null;
  /** Of the first file that was sold; null for a web address. */
  key: string | null;
  /** The web address that was sold; null for files. */
  url: string | null;
  /** As the link is now. */
  face: LinkFace;
  grossCents: number;
  feeCents: number;
  /** UTC milliseconds. */
  paidAt: number;
  state: AccessGrant['state'];
  /** Whether an address is known that the receipt can be sent to. */
  hasMailbox: boolean;
  /** Whether the mail server refused the buyer's address, or the recipient's of a gift. */
  isRefused: boolean;
  /** Whether it was given to somebody else. */
  isGift: boolean;
}

interface Wanted {
  /** One of SALE_SORTS; the first unless given. */
  sort?: string | null | undefined;
  token?: string | null | undefined;
  /** Of those that are wanted; all unless given. */
  ids?: string[] | undefined;
}

const BY_TIME = ['purchase.settled_at', 'purchase.id'] as const;
const BY_PRICE = ['purchase.price_cents', ...BY_TIME] as const;

/**
 * A creator's sales, each order by an index of its own.
 * @throws DomainError INVALID_INPUT for a token of another list, or an unknown order
 */
export async function listSales(
  db: Database,
  sellerId: string,
  { sort: wantedSort, token, ids }: Wanted = {},
): Promise<{ sales: ListedSale[]; nextToken: string | null }> {
  const sort = readSort(wantedSort);
  const after =
    token == null ? null : readPageToken(nameOf(sort), token, sort === 'dearest' ? 2 : 1);
  if (ids?.length === 0) return { sales: [], nextToken: null };
  const direction = sort === 'oldest' ? 'asc' : 'desc';
  const comparison = sort === 'oldest' ? '>' : '<';
  const rows = await db
    .selectFrom('purchase')
    .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
    .innerJoin('link', 'link.id', 'purchase.link_id')
    .leftJoin('link_version', (join) =>
      join
        .onRef('link_version.link_id', '=', 'purchase.link_id')
        .onRef('link_version.number', '=', 'purchase.content_version'),
    )
    .leftJoin('link_file', (join) =>
      join
        .onRef('link_file.link_id', '=', 'purchase.link_id')
        .onRef('link_file.version', '=', 'purchase.content_version')
        .on('link_file.position', '=', 0),
    )
    .where('purchase.seller_id', '=', sellerId)
    .where('purchase.settled_at', 'is not', null)
    .$if(ids !== undefined, (query) => query.where('purchase.id', 'in', ids ?? []))
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) => {
        const { values, id } = after ?? NOWHERE;
        const [first = 0, second = 0] = values;
        return sort === 'dearest'
          ? eb(
              refTuple(...BY_PRICE),
              comparison,
              tuple<number, number | null, string>(first, second, id),
            )
          : eb(refTuple(...BY_TIME), comparison, tuple<number | null, string>(first, id));
      }),
    )
    .$if(sort === 'dearest', (query) => query.orderBy('purchase.price_cents', direction))
    .orderBy('purchase.settled_at', direction)
    .orderBy('purchase.id', direction)
    .limit(DEFAULT_PAGE_SIZE + 1)
    .select(['purchase.id', 'purchase.link_id', 'purchase.title', 'purchase.price_cents'])
    .select(['purchase.fee_cents', 'purchase.settled_at', 'purchase.buyer_email'])
    .select(['purchase.receipt_refused_at', 'link_version.url', 'link_file.file_key'])
    .select(['access_grant.state', 'purchase.gift_email', ...FACE])
    .execute();
  const sales = rows.slice(0, DEFAULT_PAGE_SIZE).map((row) => ({
    id: row.id,
    linkId: row.link_id,
    title: row.title,
    key: row.file_key,
    url: row.url,
    face: faceOf(row),
    grossCents: row.price_cents,
    feeCents: row.fee_cents,
    paidAt: row.settled_at ?? 0,
    state: row.state,
    hasMailbox: row.buyer_email !== null,
    isRefused: row.receipt_refused_at !== null,
    isGift: row.gift_email !== null,
  }));
  const last = sales.at(-1);
  const goesOn = rows.length > DEFAULT_PAGE_SIZE;
  return {
    sales,
    nextToken: last && goesOn ? writePageToken(nameOf(sort), placeOf(last, sort)) : null,
  };
}

function readSort(sort: string | null | undefined): SaleSort {
  const known = SALE_SORTS.find((one) => one === (sort ?? SALE_SORTS[0]));
  if (known) return known;
  throw new DomainError('INVALID_INPUT', `sort must be one of ${SALE_SORTS.join(', ')}.`);
}

const NOWHERE: Place = { values: [], id: '' };

const placeOf = ({ paidAt, id, grossCents }: ListedSale, sort: SaleSort): Place => ({
  values: sort === 'dearest' ? [grossCents, paidAt] : [paidAt],
  id,
});

const nameOf = (sort: SaleSort) => `sales.${sort}`;
