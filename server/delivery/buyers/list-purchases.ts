import { sql } from 'kysely';
import type { LinkFace } from '../../../contract/drawn-cover.ts';
import { FACE, faceOf } from '../../catalog/links/cover.ts';
import type { Database } from '../../ground/database/tables.ts';
import { ROWS_OF_PAGE, readToken, toPage } from '../../ground/lib/newest-first.ts';
import type { Viewer } from '../../ground/lib/viewer.ts';
import { worthOf } from '../../selling/access/access.ts';
import type { AccessGrant } from '../../selling/purchases/tables.ts';

/** One that a viewer holds, or gave to somebody else, in the words of its checkout. */
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
  /** Whom the viewer gave it to, who alone has access; null for what they hold. */
  givenTo: string | null;
  /** Held or given by this browser, whoever is signed in. */
  isHere: boolean;
}

interface PurchaseList {
  purchases: HeldPurchase[];
  nextToken: string | null;
  /** Whether this browser holds any purchase, on whichever page. */
  isAnyHere: boolean;
}

/**
 * What this browser and this account bought, newest first, gifts to others and returned payments
 * included. Read from the viewer's own rows.
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
    .with('both', (query) => {
      const given = query
        .selectFrom('purchase')
        .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
        .where('gift_email', 'is not', null)
        // What a seller gives away costs nothing, and is on a page of theirs.
        .where('price_cents', '>', 0)
        .where('access_grant.id', 'not in', (held) => held.selectFrom('held').select('grant_id'))
        .select(['access_grant.id as grant_id', sql<number>`1`.as('is_given')]);
      return query
        .selectFrom('held')
        .select(['grant_id', sql<number>`0`.as('is_given')])
        .union(given.where('purchase.claim_hash', '=', claimHash ?? NOBODY))
        .union(given.where('purchase.buyer_id', '=', user?.id ?? NOBODY));
    })
    .selectFrom('both')
    .innerJoin('access_grant', 'access_grant.id', 'both.grant_id')
    .innerJoin('purchase', 'purchase.id', 'access_grant.purchase_id')
    .innerJoin('link', 'link.id', 'purchase.link_id')
    .leftJoin('grant_claim as here', (join) =>
      join.onRef('here.grant_id', '=', 'both.grant_id').on('here.claim_hash', '=', claimHash ?? ''),
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
    .select(['purchase.gift_email', 'purchase.claim_hash', 'both.is_given'])
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
  const purchases = page.map(({ state, grant_id, ...row }) => {
    const isGiven = row.is_given === 1;
    return {
      id: row.id,
      linkId: row.link_id,
      type: row.type,
      files: Number(row.files),
      title: row.title,
      face: faceOf(row),
      sellerName: row.seller_name,
      paidCents: isGiven || row.gift_email === null ? row.price_cents + row.tax_cents : null,
      paidAt: row.settled_at ?? 0,
      state: stateOf(
        state,
        worthOf({ right: { kind: 'grant', grantId: grant_id }, grantState: state }, row),
      ),
      givenTo: isGiven ? row.gift_email : null,
      isHere: row.claimed_at !== null || (isGiven && row.claim_hash === claimHash),
    };
  });
  return {
    purchases,
    nextToken,
    isAnyHere: purchases.some(({ isHere }) => isHere) || (await holdsAny(db, claimHash)),
  };
}

/** No hash, and no account's id. */
const NOBODY = '-';

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
