import type { Viewer } from '../accounts/viewer.ts';
import type { Link } from '../links/tables.ts';
import type { Database } from '../tables.ts';

/** Why a viewer may have the content of a link. */
export type Access =
  | { kind: 'owner'; userId: string }
  | { kind: 'operator' }
  | { kind: 'grant'; grantId: string }
  | { kind: 'free' };

/** The viewer's right to a link's content, or null. The one place that decides it. */
export async function findAccess(db: Database, viewer: Viewer, link: Link): Promise<Access | null> {
  if (viewer.authority === 'operator') return { kind: 'operator' };
  if (link.taken_down_at !== null) return null;
  if (viewer.creatorId === link.owner_id) {
    return link.deleted_at === null ? { kind: 'owner', userId: link.owner_id } : null;
  }
  const grantId = await findGrant(db, viewer, link.id);
  if (grantId) return { kind: 'grant', grantId };
  if (link.unlocked && !link.paused && link.deleted_at === null) return { kind: 'free' };
  return null;
}

/** Whether what this viewer bought rests while a dispute of its payment is open. */
export async function isAccessSuspended(
  db: Database,
  viewer: Viewer,
  link: Link,
): Promise<boolean> {
  if (await findAccess(db, viewer, link)) return false;
  return (await findGrant(db, viewer, link.id, 'suspended')) !== null;
}

async function findGrant(
  db: Database,
  viewer: Viewer,
  linkId: string,
  state: 'active' | 'suspended' = 'active',
): Promise<string | null> {
  if (viewer.claimHash) {
    const held = await db
      .selectFrom('grant_claim')
      .innerJoin('access_grant', 'access_grant.id', 'grant_claim.grant_id')
      .where('grant_claim.claim_hash', '=', viewer.claimHash)
      .where('access_grant.link_id', '=', linkId)
      .where('access_grant.state', '=', state)
      .select('access_grant.id')
      .executeTakeFirst();
    if (held) return held.id;
  }
  if (!viewer.user) return null;
  const bought = await db
    .selectFrom('access_grant')
    .where('buyer_id', '=', viewer.user.id)
    .where('link_id', '=', linkId)
    .where('state', '=', state)
    .select('id')
    .executeTakeFirst();
  return bought?.id ?? null;
}

/** Whether a right given earlier still stands: asked again at each request of a download. */
export async function accessStands(db: Database, access: Access, link: Link): Promise<boolean> {
  if (access.kind === 'operator') return true;
  if (link.taken_down_at !== null) return false;
  if (access.kind === 'owner') return link.owner_id === access.userId && link.deleted_at === null;
  if (access.kind === 'free') return Boolean(link.unlocked) && !link.paused && !link.deleted_at;
  const grant = await db
    .selectFrom('access_grant')
    .where('id', '=', access.grantId)
    .where('link_id', '=', link.id)
    .where('state', '=', 'active')
    .select('id')
    .executeTakeFirst();
  return grant !== undefined;
}
