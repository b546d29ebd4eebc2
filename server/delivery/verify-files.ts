import type { Database } from '../database/tables.ts';
import type { FileStore } from '../files/file-store.ts';
import { findDamage } from '../files/file-store.ts';
import type { StoredFile } from '../files/tables.ts';

const PAGE_SIZE = 1_000;

/**
 * Compares every finished file with the stored bytes.
 * @returns a sentence for each that is missing or has another size
 */
export async function verifyFiles(
  db: Database,
  store: Pick<FileStore, 'sizeOf'>,
): Promise<string[]> {
  const faults: string[] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    const files = await db
      .selectFrom('file')
      .selectAll()
      .where('finished_at', 'is not', null)
      .where('key', '>', after)
      .orderBy('key')
      .limit(PAGE_SIZE)
      .execute();
    for (const file of files) {
      const damage = await findDamage(store, file);
      if (damage) faults.push(await describe(db, file, damage));
    }
    after = files.at(-1)?.key;
  }
  return faults;
}

async function describe(db: Database, file: StoredFile, damage: string): Promise<string> {
  const versions = db.selectFrom('link_file').where('file_key', '=', file.key);
  const links = await versions.select('link_id').distinct().orderBy('link_id').execute();
  const { buyers } = await versions
    .innerJoin('purchase', (join) =>
      join
        .onRef('purchase.link_id', '=', 'link_file.link_id')
        .onRef('purchase.content_version', '=', 'link_file.version'),
    )
    .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
    .where('access_grant.state', '!=', 'ended')
    .select(({ fn }) => fn.countAll<number>().as('buyers'))
    .executeTakeFirstOrThrow();
  const ids = links.map(({ link_id }) => link_id).join(', ');
  const whose = links.length === 0 ? 'On no link' : `Link${links.length > 1 ? 's' : ''} ${ids}`;
  const affected = Number(buyers) === 1 ? '1 buyer is' : `${buyers} buyers are`;
  return `${whose}: the file “${file.name}” (${file.key}, blob ${file.blob}) ${damage}; ${affected} affected.`;
}
