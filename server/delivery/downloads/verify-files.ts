import { putIntoEnglish } from '../../../contract/fact.ts';
import { sumBlob } from '../../files/check-file.ts';
import { type FileStore, findDamage } from '../../files/file-store.ts';
import type { StoredFile } from '../../files/tables.ts';
import type { Database } from '../../ground/database/tables.ts';
import { purchasesWith } from './delete-file.ts';

const PAGE_SIZE = 1_000;

type ReadableStore = Pick<FileStore, 'sizeOf' | 'openForReading'>;

/**
 * Reads every finished file and compares it with what was uploaded, byte for byte by its hash.
 * @param onRead told of each file that was read, with its bytes
 * @returns a sentence for each that is missing, has another size or other bytes
 */
export async function verifyFiles(
  db: Database,
  store: ReadableStore,
  onRead: (bytes: number) => void,
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
      const damage = (await findDamage(store, file)) ?? (await findChange(store, file));
      if (damage) faults.push(await describe(db, file, putIntoEnglish(damage)));
      onRead(file.size_bytes);
    }
    after = files.at(-1)?.key;
  }
  return faults;
}

/** One whose hash is not known yet is read all the same: the disk may be unable to. */
async function findChange(
  store: ReadableStore,
  { blob, sha256 }: StoredFile,
): Promise<string | null> {
  try {
    const { sha256: found } = await sumBlob(store, blob);
    return sha256 === null || found === sha256
      ? null
      : `was changed: its SHA-256 is ${found} instead of ${sha256}`;
  } catch (error) {
    return `cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`;
  }
}

async function describe(db: Database, file: StoredFile, damage: string): Promise<string> {
  const links = await db
    .selectFrom('link_file')
    .where('file_key', '=', file.key)
    .select('link_id')
    .distinct()
    .orderBy('link_id')
    .execute();
  const { buyers } = await db
    .selectFrom('access_grant')
    .where('access_grant.purchase_id', 'in', purchasesWith(db, file.key))
    .where('access_grant.state', '!=', 'ended')
    .select(({ fn }) => fn.countAll<number>().as('buyers'))
    .executeTakeFirstOrThrow();
  const ids = links.map(({ link_id }) => link_id).join(', ');
  const whose = links.length === 0 ? 'On no link' : `Link${links.length > 1 ? 's' : ''} ${ids}`;
  const affected = Number(buyers) === 1 ? '1 buyer is' : `${buyers} buyers are`;
  return `${whose}: the file “${file.name}” (${file.key}, blob ${file.blob}) ${damage}; ${affected} affected.`;
}
