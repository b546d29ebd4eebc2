import { MAX_PAGE_SIZE } from '../../../contract/limits.ts';
import type { StoredFile } from '../../files/tables.ts';
import type { Database } from '../../ground/database/tables.ts';

/** A version of a link, with all that it holds. */
export interface Version {
  number: number;
  /** Null for files. */
  url: string | null;
  files: StoredFile[];
  createdAt: number;
  /** False once one of its files was deleted: it cannot be sold again. */
  isWhole: boolean;
}

/** The last versions of a link, newest first, or a certain one. */
export async function readVersions(
  db: Database,
  linkId: string,
  number?: number,
): Promise<Version[]> {
  const versions = await db
    .selectFrom('link_version')
    .selectAll()
    .where('link_id', '=', linkId)
    .$if(number !== undefined, (query) => query.where('number', '=', number ?? 0))
    .orderBy('number', 'desc')
    .limit(MAX_PAGE_SIZE)
    .execute();
  const files = await db
    .selectFrom('link_file')
    .innerJoin('file', 'file.key', 'link_file.file_key')
    .where('link_file.link_id', '=', linkId)
    .where('link_file.version', '>=', versions.at(-1)?.number ?? 0)
    .where('link_file.version', '<=', versions[0]?.number ?? 0)
    .orderBy('link_file.position')
    .selectAll('file')
    .select('link_file.version')
    .execute();
  const filesOf = Map.groupBy(files, ({ version }) => version);
  return versions.map((version) => ({
    number: version.number,
    url: version.url,
    files: filesOf.get(version.number) ?? [],
    createdAt: version.created_at,
    isWhole: version.files_deleted_at === null,
  }));
}
