import { sign } from 'node:crypto';
import { formatCents } from '../../../contract/money.ts';
import {
  type ReceiptStatement,
  writeSignedReceipt,
  writeStatement,
} from '../../../contract/signed-receipt.ts';
import { filesOfVersion } from '../../catalog/links/queries.ts';
import type { Database } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { isoTime } from '../../ground/lib/time.ts';
import type { Viewer } from '../../ground/lib/viewer.ts';
import { findLinkWithAccess } from '../../selling/access/access.ts';
import { contentsOf } from '../../selling/purchases/sold-parts.ts';
import type { Purchase } from '../../selling/purchases/tables.ts';
import { openSigningKey, type SigningContext } from './signing-keys.ts';

/**
 * The purchase of a link whose content a viewer may have, the newest or a certain one. A payment
 * that was returned, or is disputed, is stated to its buyer no more than its content is delivered,
 * and none to whom it was given.
 */
export async function findBoughtPurchase(
  { db, viewer }: { db: Database; viewer: Viewer },
  linkId: string,
  purchaseId?: string,
): Promise<Purchase | null> {
  const found = await findLinkWithAccess({ db, viewer }, linkId);
  if (found?.access.kind !== 'granted') return null;
  const grantIds = found.access.rights.flatMap(({ right, isGift }) =>
    right.kind === 'grant' && !isGift ? [right.grantId] : [],
  );
  if (grantIds.length === 0) return null;
  const purchases = await db
    .selectFrom('access_grant')
    .innerJoin('purchase', 'purchase.id', 'access_grant.purchase_id')
    .where('access_grant.id', 'in', grantIds)
    .$if(purchaseId !== undefined, (query) => query.where('purchase.id', '=', purchaseId ?? ''))
    .selectAll('purchase')
    .select('access_grant.id as grant_id')
    .execute();
  const [newest] = purchases.sort(
    (a, b) => grantIds.indexOf(a.grant_id) - grantIds.indexOf(b.grant_id),
  );
  return newest ?? null;
}

/** A sale of the seller's own, whatever became of its payment since. */
export async function findOwnSale(
  db: Database,
  sellerId: string,
  purchaseId: string,
): Promise<Purchase | null> {
  const sale = await db
    .selectFrom('purchase')
    .selectAll()
    .where('id', '=', purchaseId)
    .where('seller_id', '=', sellerId)
    .where('settled_at', 'is not', null)
    .executeTakeFirst();
  return sale ?? null;
}

export interface ReceiptContext extends SigningContext {
  publicUrl: string;
  /** Who runs the site, as its settings say. */
  operator: { name: string | null; address: string | null };
}

/**
 * The signed receipt of a settled purchase: the same bytes each time while one key is in use and
 * the operator is the same. It says nothing of its buyer.
 * @throws DomainError RECEIPT_UNAVAILABLE
 */
export async function signReceipt(context: ReceiptContext, purchase: Purchase): Promise<string> {
  const { id: key, privateKey } = await openSigningKey(context);
  const statement = writeStatement({
    padlink: 'signed receipt',
    format: 2,
    site: context.publicUrl,
    mode: purchase.mode,
    purchase: purchase.id,
    paidAt: isoTime(purchase.settled_at ?? 0),
    price: formatCents(purchase.price_cents),
    tax: formatCents(purchase.tax_cents),
    total: formatCents(purchase.price_cents + purchase.tax_cents),
    currency: purchase.currency.toUpperCase(),
    seller: purchase.seller_name,
    operator: context.operator,
    title: purchase.title,
    link: purchase.link_id,
    ...(await stateContent(context.db, purchase)),
    verify: `${context.publicUrl}/verify`,
    key,
  });
  const signature = sign(null, Buffer.from(statement), privateKey);
  return writeSignedReceipt(statement, signature.toString('base64'));
}

type StatedContent = Pick<ReceiptStatement, 'version' | 'files' | 'address'>;

async function stateContent(
  db: Database,
  { id, content_version: version }: Purchase,
): Promise<StatedContent> {
  const contents = await db
    .selectFrom(contentsOf(db, [id]).as('bought'))
    .innerJoin('link_version', (join) =>
      join
        .onRef('link_version.link_id', '=', 'bought.link_id')
        .onRef('link_version.number', '=', 'bought.content_version'),
    )
    .orderBy('link_version.link_id')
    .selectAll('link_version')
    .execute();
  if (contents.some(({ files_deleted_at }) => files_deleted_at !== null))
    throw unavailable(DELETED);
  const files: Awaited<ReturnType<typeof filesOfVersion>> = [];
  for (const { link_id, number } of contents) {
    files.push(...(await filesOfVersion(db, link_id, number)));
  }
  return {
    version,
    files: files.map(({ name, size_bytes: bytes, sha256 }) => {
      if (sha256 === null) throw unavailable(NOT_HASHED);
      return { name, bytes, sha256 };
    }),
    // Of a bundle, those of all parts.
    address: contents.flatMap(({ url }) => url ?? []).join(' ') || null,
  };
}

const unavailable = (why: string) => new DomainError('RECEIPT_UNAVAILABLE', why);
const NOT_HASHED =
  'The SHA-256 of a file is not known yet, and a signed receipt states it. Please try again in a few minutes.';
const DELETED =
  'A file of this purchase was deleted, so that a signed receipt could not state all that was bought.';
