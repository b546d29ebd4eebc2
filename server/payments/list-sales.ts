import { DEFAULT_PAGE_SIZE } from '../../contract/limits.ts';
import type { Database } from '../database/tables.ts';
import { DomainError } from '../lib/domain-error.ts';
import type { AccessGrant } from './tables.ts';

/** A settled purchase as its seller sees it: who bought is not told. */
interface ListedSale {
  id: string;
  linkId: string;
  /** As it was when the checkout began. */
  title: string | null;
  /** Of the first file that was sold; null for a web address. */
  key: string | null;
  /** The web address that was sold; null for files. */
  url: string | null;
  grossCents: number;
  feeCents: number;
  /** UTC milliseconds. */
  paidAt: number;
  state: AccessGrant['state'];
  /** Whether an address is known that the receipt can be sent to. */
  hasMailbox: boolean;
  /** Whether the mail server refused the buyer's address. */
  isRefused: boolean;
}

/**
 * A creator's sales, newest first, by an index of their own.
 * @param ids of those that are wanted; all unless given
 * @throws DomainError INVALID_INPUT for a token of another list
 */
export async function listSales(
  db: Database,
  sellerId: string,
  token: string | null | undefined,
  ids?: string[],
): Promise<{ sales: ListedSale[]; nextToken: string | null }> {
  if (ids?.length === 0) return { sales: [], nextToken: null };
  const after = token == null ? null : readPosition(token);
  const rows = await db
    .selectFrom('purchase')
    .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
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
      query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('purchase.settled_at', 'purchase.id'),
          '<',
          tuple<number | null, string>(after?.paidAt ?? 0, after?.id ?? ''),
        ),
      ),
    )
    .orderBy('purchase.settled_at', 'desc')
    .orderBy('purchase.id', 'desc')
    .limit(DEFAULT_PAGE_SIZE + 1)
    .select(['purchase.id', 'purchase.link_id', 'purchase.title', 'purchase.price_cents'])
    .select(['purchase.fee_cents', 'purchase.settled_at', 'purchase.buyer_email'])
    .select(['purchase.receipt_refused_at', 'link_version.url', 'link_file.file_key'])
    .select('access_grant.state')
    .execute();
  const sales = rows.slice(0, DEFAULT_PAGE_SIZE).map((row) => ({
    id: row.id,
    linkId: row.link_id,
    title: row.title,
    key: row.file_key,
    url: row.url,
    grossCents: row.price_cents,
    feeCents: row.fee_cents,
    paidAt: row.settled_at ?? 0,
    state: row.state,
    hasMailbox: row.buyer_email !== null,
    isRefused: row.receipt_refused_at !== null,
  }));
  const last = sales.at(-1);
  const goesOn = rows.length > DEFAULT_PAGE_SIZE;
  return { sales, nextToken: last && goesOn ? writePosition(last) : null };
}

/** Where a page of settled purchases ends, in the order of their payment. */
interface Position {
  paidAt: number;
  id: string;
}

export const writePosition = ({ paidAt, id }: Position) =>
  Buffer.from(`${paidAt}.${id}`).toString('base64url');

/** @throws DomainError INVALID_INPUT */
export function readPosition(token: string): Position {
  const text = Buffer.from(token, 'base64url').toString();
  const [, paidAt, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(text) ?? [];
  if (paidAt !== undefined && id !== undefined) return { paidAt: Number(paidAt), id };
  throw new DomainError(
    'INVALID_INPUT',
    'The nextToken does not belong to this list. Start without one.',
  );
}
