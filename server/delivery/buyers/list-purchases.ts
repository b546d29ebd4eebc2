import type { LinkFace } from '../../../contract/drawn-cover.ts';
import { FACE, faceOf } from '../../catalog/links/cover.ts';
import type { Database } from '../../ground/database/tables.ts';
import { ROWS_OF_PAGE, readToken, toPage } from '../../ground/lib/newest-first.ts';
import type { Viewer } from '../../ground/lib/viewer.ts';
import { worthOf } from '../../selling/access/access.ts';
import type { AccessGrant } from '../../selling/purchases/tables.ts';

/** One that a viewer holds, in the words of its checkout. */
interface HeldPurchase {
  id: string;
  linkId: string;
  title: string | null;
  /** As the link is now. */
  face: LinkFace;
  sellerName: string | null;
  /** Cents; null for what somebody else paid for. */
  paidCents: number | null;
  /** UTC milliseconds. */
  paidAt: number;
  type: 'file' | 'link' | 'bundle';
  /** How many files were bought. */
  files: number;
  /** 'unavailable' while what was bought is taken down. */
  state: AccessGrant['state'] | 'unavailable';
  /** Held by this browser, whoever is signed in. */
  isHere: boolean;
}

interface PurchaseList {
  purchases: HeldPurchase[];
  nextToken: string | null;
  /** Whether this browser holds any purchase, on whichever page. */
  isAnyHere: boolean;
}

/**
 * What this browser and this account bought, newest first, returned payments included. Read from
 * the viewer's own rows.
 * @throws DomainError INVALID_INPUT for a token of another list
 */
export async function listPurchases(
  { db, viewer }: { db: Database; viewer: Viewer },
  token: string | null | undefined,
): Promise<PurchaseList> {
  const { claimHash, user } = viewer;
  const after = token == null ? null : readToken('purchases', token);
  if (!claimHash && !user) return { purchases: [], nextToken: null, isAnyHere: false };
  const rows = await db
    .with('held', (query) =>
      query
        .selectFrom('grant_claim')
        .where('claim_hash', '=', claimHash ?? '')
        .select('grant_id')
        .union(
          query
            .selectFrom('access_grant')
            .where('buyer_id', '=', user?.id ?? '')
            .select('id as grant_id'),
        ),
    )
    .selectFrom('held')
    .innerJoin('access_grant', 'access_grant.id', 'held.grant_id')
    .innerJoin('purchase', 'purchase.id', 'access_grant.purchase_id')
    .innerJoin('link', 'link.id', 'purchase.link_id')
    .leftJoin('grant_claim as here', (join) =>
      join.onRef('here.grant_id', '=', 'held.grant_id').on('here.claim_hash', '=', claimHash ?? ''),
    )
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('purchase.settled_at', 'purchase.id'),
          '<',
          tuple<number | null, string>(after?.time ?? 0, after?.id ?? ''),
        ),
      ),
    )
    .select(['access_grant.id as grant_id', 'access_grant.state', 'here.claimed_at'])
    .select(['purchase.id', 'purchase.link_id', 'purchase.title', 'purchase.seller_name'])
    .select(['purchase.price_cents', 'purchase.tax_cents', 'purchase.settled_at'])
    .select('purchase.gift_email')
    .select(['link.owner_id', 'link.deleted_at', 'link.unlocked', 'link.paused'])
    .select(FACE)
    .select(({ selectFrom }) =>
      selectFrom('link_file')
        .whereRef('link_id', '=', 'purchase.link_id')
        .whereRef('version', '=', 'purchase.content_version')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .as('files'),
    )
    .orderBy('purchase.settled_at', 'desc')
    .orderBy('purchase.id', 'desc')
    .limit(ROWS_OF_PAGE)
    .execute();
  const { page, nextToken } = toPage('purchases', rows, ({ settled_at, id }) => ({
    time: settled_at ?? 0,
    id,
  }));
  const purchases = page.map(({ state, grant_id, ...row }) => ({
    id: row.id,
    linkId: row.link_id,
    type: row.type,
    files: Number(row.files),
    title: row.title,
    face: faceOf(row),
    sellerName: row.seller_name,
    paidCents: row.gift_email === null ? row.price_cents + row.tax_cents : null,
    paidAt: row.settled_at ?? 0,
    state: stateOf(
      state,
      worthOf({ right: { kind: 'grant', grantId: grant_id }, grantState: state }, row),
    ),
    isHere: row.claimed_at !== null,
  }));
  return {
    purchases,
    nextToken,
    isAnyHere: purchases.some(({ isHere }) => isHere) || (await holdsAny(db, claimHash)),
  };
}

/** An active grant that is worth nothing is one of a link that was taken down. */
function stateOf(
  state: AccessGrant['state'],
  worth: ReturnType<typeof worthOf>,
): HeldPurchase['state'] {
  return state !== 'ended' && worth === 'none' ? 'unavailable' : state;
}

async function holdsAny(db: Database, claimHash: string | null): Promise<boolean> {
  if (!claimHash) return false;
  const held = await db
    .selectFrom('grant_claim')
    .where('claim_hash', '=', claimHash)
    .select('grant_id')
    .limit(1)
    .executeTakeFirst();
  return held !== undefined;
}
