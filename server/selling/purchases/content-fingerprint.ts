import { createHash } from 'node:crypto';
import { partsOfVersion } from '../../catalog/links/bundles.ts';
import { findUrl } from '../../catalog/links/queries.ts';
import type { Link } from '../../catalog/links/tables.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database } from '../../ground/database/tables.ts';

/** Tells the content of one version from another's: short enough for a note at the provider. */
export async function fingerprintContent(
  db: Database,
  link: Link,
  version: number,
): Promise<string> {
  if (link.type === 'bundle') {
    const parts = await partsOfVersion(db, link.id, version);
    return digest(parts.map(({ id }) => id));
  }
  const files = await readKeys(db, link.id, version);
  const url = await findUrl(db, link, version);
  const content = url === null ? files.map(({ file_key }) => file_key) : [url];
  return digest(content);
}

const readKeys = prepare((db, linkId: string, version: number) =>
  db
    .selectFrom('link_file')
    .where('link_id', '=', linkId)
    .where('version', '=', version)
    .orderBy('position')
    .select('file_key'),
);

const digest = (content: string[]) =>
  createHash('sha256').update(content.join('\n')).digest('base64url').slice(0, 22);

/** The newest version of a link that has the content with this fingerprint. */
export async function findVersionWith(
  db: Database,
  link: Link,
  fingerprint: string | null,
): Promise<number | undefined> {
  for (let version = link.content_version; version > 0; version -= 1) {
    if ((await fingerprintContent(db, link, version)) === fingerprint) return version;
  }
  return undefined;
}
