import type { LinkContent } from '../../../contract/page-context.ts';
import type { Database } from '../../ground/database/tables.ts';
import { filesOfVersion, findLink, isOffered } from './queries.ts';

/** What a link of this owner sells now; undefined where there is none, and of a bundle. */
export async function readOwnContent(
  db: Database,
  ownerId: string,
  linkId: string,
): Promise<LinkContent | undefined> {
  const link = await findLink(db, String(linkId));
  if (!link || link.owner_id !== ownerId || !isOffered(link)) return undefined;
  const { id, type, title, url } = link;
  if (type === 'bundle') return undefined;
  const files = await filesOfVersion(db, id, link.content_version);
  const named = files.map(({ key, name, size_bytes: size }) => ({ key, name, size }));
  return { id, type, title, url, files: named };
}
