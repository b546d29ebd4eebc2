import type { Database } from '../database/tables.ts';
import type { Viewer } from '../lib/viewer.ts';
import type { Link } from '../links/tables.ts';
import type { AccessGrant } from '../payments/tables.ts';

/** Why a viewer may have the content of a link. */
export type Access =
  | { kind: 'owner'; userId: string }
  | { kind: 'operator' }
  | { kind: 'grant'; grantId: string }
  | { kind: 'free' };

/** The viewer's right to a link's content, or null. */
export async function findAccess(db: Database, viewer: Viewer, link: Link): Promise<Access | null> {
  const [strongest] = await findRights(db, viewer, link);
  return strongest ?? null;
}

/**
 * Every right of the viewer to a link's content, the strongest first, the newest purchase before
 * older ones: each brings files of its own. The one place that decides it.
 */
export async function findRights(db: Database, viewer: Viewer, link: Link): Promise<Access[]> {
  if (viewer.authority === 'operator') return [{ kind: 'operator' }];
  if (link.taken_down_at !== null) return [];
  if (viewer.creatorId === link.owner_id) {
    return link.deleted_at === null ? [{ kind: 'owner', userId: link.owner_id }] : [];
  }
  const rights: Access[] = await findGrants(db, viewer, link.id);
  if (link.unlocked && !link.paused && link.deleted_at === null) rights.push({ kind: 'free' });
  return rights;
}

/** Whether what this viewer bought rests while a dispute of its payment is open. */
export async function isAccessSuspended(
  db: Database,
  viewer: Viewer,
  link: Link,
): Promise<boolean> {
  if (await findAccess(db, viewer, link)) return false;
  return (await findGrants(db, viewer, link.id, 'suspended')).length > 0;
}

async function findGrants(
  db: Database,
  viewer: Viewer,
  linkId: string,
  state?: AccessGrant['state'],
): Promise<{ kind: 'grant'; grantId: string }[]> {
  if (!viewer.claimHash && !viewer.user) return [];
  const grants = await grantsOf(db, viewer, { linkId, state }).execute();
  return grants
    .sort((a, b) => b.created_at - a.created_at || a.id.localeCompare(b.id))
    .map(({ id }) => ({ kind: 'grant', grantId: id }));
}

/**
 * The grants that a viewer's browser and account hold, of one link or of all. Read from their own
 * rows, so that the cost does not grow with everybody else's.
 */
export function grantsOf(
  db: Pick<Database, 'selectFrom'>,
  { claimHash, user }: Pick<Viewer, 'claimHash' | 'user'>,
  { linkId, state = 'active' }: { linkId?: string; state?: AccessGrant['state'] } = {},
) {
  const columns = [
    'access_grant.id',
    'access_grant.purchase_id',
    'access_grant.link_id',
    'access_grant.created_at',
  ] as const;
  const grants = db
    .selectFrom('access_grant')
    .where('access_grant.state', '=', state)
    .$if(linkId !== undefined, (query) => query.where('access_grant.link_id', '=', linkId ?? ''))
    .select(columns);
  return grants
    .innerJoin('grant_claim', 'grant_claim.grant_id', 'access_grant.id')
    .where('grant_claim.claim_hash', '=', claimHash ?? '')
    .union(grants.where('access_grant.buyer_id', '=', user?.id ?? ''));
}

/**
 * Whether a right to a file given earlier still stands: asked at each request of a download.
 * `state` is what its grant has to be in.
 */
export async function accessStands(
  db: Database,
  access: Access,
  link: Link,
  fileKey: string,
  state: AccessGrant['state'] = 'active',
): Promise<boolean> {
  if (access.kind === 'operator') return true;
  if (link.taken_down_at !== null) return false;
  if (access.kind === 'owner') return link.owner_id === access.userId && link.deleted_at === null;
  if (access.kind === 'free') return Boolean(link.unlocked) && !link.paused && !link.deleted_at;
  const grant = await db
    .selectFrom('access_grant')
    .innerJoin('purchase_file', 'purchase_file.purchase_id', 'access_grant.purchase_id')
    .where('access_grant.id', '=', access.grantId)
    .where('access_grant.link_id', '=', link.id)
    .where('access_grant.state', '=', state)
    .where('purchase_file.file_key', '=', fileKey)
    .select('access_grant.id')
    .executeTakeFirst();
  return grant !== undefined;
}
