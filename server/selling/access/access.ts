import { sql } from 'kysely';
import { LINK_ID_PATTERN } from '../../../contract/limits.ts';
import { findLink } from '../../catalog/links/queries.ts';
import type { Link } from '../../catalog/links/tables.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database } from '../../ground/database/tables.ts';
import type { Viewer } from '../../ground/lib/viewer.ts';
import type { AccessGrant } from '../purchases/tables.ts';

/** Why somebody may have the content of a link. */
export type Right =
  | { kind: 'owner'; userId: string }
  | { kind: 'operator' }
  | { kind: 'grant'; grantId: string }
  | { kind: 'free' };

/** A right to a link, and the version of its content that it brings. */
export interface GivenRight {
  right: Right;
  version: number;
  /** Whether somebody else paid for it: what they paid is not told. */
  isGift?: boolean;
}

/** Whether a viewer may have the content of a link. */
export type Access =
  /** By which rights, the newest purchase before older ones: each brings a version of its own. */
  | { kind: 'granted'; rights: [GivenRight, ...GivenRight[]] }
  /** What was bought is on hold while a dispute of its payment is open. */
  | { kind: 'suspended' }
  | { kind: 'none' };

interface AccessContext {
  db: Database;
  viewer: Viewer;
}

/** Whether the viewer may have the content of a link: pages, checkouts and downloads all ask here. */
export async function accessTo({ db, viewer }: AccessContext, link: Link): Promise<Access> {
  const isFree = unboughtRight(viewer, link).kind === 'free';
  return decideAccess(viewer, link, isFree ? await findGrants(db, viewer, link.id) : []);
}

/** A link, and whether the viewer may have its content, in one trip to the database. */
export async function findLinkWithAccess(
  { db, viewer }: AccessContext,
  linkId: string,
): Promise<{ link: Link; access: Access } | undefined> {
  if (!LINK_ID_PATTERN.test(linkId)) return undefined;
  const [link, bought] = await Promise.all([findLink(db, linkId), findGrants(db, viewer, linkId)]);
  return link && { link, access: decideAccess(viewer, link, bought) };
}

function decideAccess(viewer: Viewer, link: Link, bought: (HeldRight & GivenRight)[]): Access {
  const right = unboughtRight(viewer, link);
  const grants = right.kind === 'free' ? bought : [];
  const held = [...grants, { right, version: link.content_version }];
  const [first, ...others] = held.filter((one) => worthOf(one, link) === 'granted');
  if (first) return { kind: 'granted', rights: [first, ...others] };
  const isOnHold = held.some((one) => worthOf(one, link) === 'suspended');
  return { kind: isOnHold ? 'suspended' : 'none' };
}

/** Whether the viewer may have the content of each of these links. */
export async function hasAll(context: AccessContext, links: Link[]): Promise<boolean> {
  for (const link of links) {
    if ((await accessTo(context, link)).kind !== 'granted') return false;
  }
  return true;
}

/** A right as it was found or given earlier, whatever it is worth now. */
export interface HeldRight {
  right: Right;
  /** Of the grant that the right names. */
  grantState?: AccessGrant['state'] | undefined;
}

/** What the worth of a right depends on. */
type SoldLink = Pick<Link, 'owner_id' | 'taken_down_at' | 'deleted_at' | 'unlocked' | 'paused'>;

/** What a right to a link is worth now. The one place that decides it. */
export function worthOf({ right, grantState }: HeldRight, link: SoldLink): Access['kind'] {
  if (right.kind === 'operator') return 'granted';
  if (link.taken_down_at !== null) return 'none';
  if (right.kind === 'grant') return worthOfGrant(grantState);
  if (link.deleted_at !== null) return 'none';
  if (right.kind === 'owner') return right.userId === link.owner_id ? 'granted' : 'none';
  return link.unlocked && !link.paused ? 'granted' : 'none';
}

function worthOfGrant(state: HeldRight['grantState']): Access['kind'] {
  if (state === 'active') return 'granted';
  return state === 'suspended' ? 'suspended' : 'none';
}

/** By what a viewer who bought nothing may have the content of a link, if at all. */
export function unboughtRight(viewer: Viewer, link: Link): Right {
  if (viewer.authority === 'operator') return { kind: 'operator' };
  if (viewer.creatorId === link.owner_id) return { kind: 'owner', userId: link.owner_id };
  return { kind: 'free' };
}

async function findGrants(
  db: Database,
  viewer: Viewer,
  linkId: string,
): Promise<(HeldRight & GivenRight)[]> {
  if (!viewer.claimHash && !viewer.user) return [];
  const { claimHash, user } = viewer;
  const grants = await (user
    ? readGrants(db, claimHash ?? '', user.id, linkId)
    : readGrantsOfBrowser(db, claimHash ?? '', linkId));
  return grants
    .sort((a, b) => b.created_at - a.created_at || a.id.localeCompare(b.id))
    .map(({ id, state, content_version: version, gift_email }) => ({
      right: { kind: 'grant', grantId: id },
      grantState: state,
      version,
      isGift: gift_email !== null,
    }));
}

const readGrants = prepare((db, claimHash: string, buyerId: string, linkId: string) =>
  grantsOf(db, { claimHash, user: { id: buyerId } }, linkId),
);
const readGrantsOfBrowser = prepare((db, claimHash: string, linkId: string) =>
  grantsOf(db, { claimHash, user: null }, linkId),
);

/**
 * The grants, active or suspended, that a viewer's browser and account hold, of one link or of all:
 * that of a bundle is one of each of its parts too, in the version that was sold.
 * Read from their own rows, so that the cost does not grow with everybody else's.
 */
export function grantsOf(
  db: Pick<Database, 'selectFrom'>,
  { claimHash, user }: Pick<Viewer, 'claimHash'> & { user: { id: string } | null },
  linkId?: string,
) {
  const grants = db
    .selectFrom('access_grant')
    .innerJoin('purchase', 'purchase.id', 'access_grant.purchase_id')
    .leftJoin('purchase_part', 'purchase_part.purchase_id', 'access_grant.purchase_id')
    .where('access_grant.state', '!=', 'ended')
    .$if(linkId !== undefined, (query) => query.where(BROUGHT_LINK, '=', linkId ?? ''))
    .select(['access_grant.id', 'access_grant.state', 'access_grant.created_at'])
    .select('purchase.gift_email')
    .select([BROUGHT_LINK.as('link_id'), BROUGHT_VERSION.as('content_version')]);
  const ofBrowser = grants
    .innerJoin('grant_claim', 'grant_claim.grant_id', 'access_grant.id')
    .where('grant_claim.claim_hash', '=', claimHash ?? '');
  return user ? ofBrowser.union(grants.where('access_grant.buyer_id', '=', user.id)) : ofBrowser;
}

/** Of a bundle, itself and each part; of what was bought alone, that. */
const BROUGHT_LINK = sql<string>`coalesce(purchase_part.link_id, access_grant.link_id)`;
const BROUGHT_VERSION = sql<number>`coalesce(purchase_part.content_version, purchase.content_version)`;
