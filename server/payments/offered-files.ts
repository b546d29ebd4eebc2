import { createHash } from 'node:crypto';
import type { Database, DatabaseTransaction } from '../database/tables.ts';
import type { Purchase } from './tables.ts';

/** Gives a new purchase the files that its link has now, in their order. */
export async function writeOfferedFiles(
  trx: DatabaseTransaction,
  { id, link_id }: Pick<Purchase, 'id' | 'link_id'>,
): Promise<void> {
  await trx
    .insertInto('purchase_file')
    .columns(['purchase_id', 'position', 'file_key'])
    .expression((select) =>
      select
        .selectFrom('link_file')
        .where('link_id', '=', link_id)
        .select((eb) => [eb.val(id).as('purchase_id'), 'position', 'file_key']),
    )
    .execute();
}

/** The keys of the files that were offered, in their order. */
export async function readOfferedFiles(db: Database, purchaseId: string): Promise<string[]> {
  const files = await db
    .selectFrom('purchase_file')
    .where('purchase_id', '=', purchaseId)
    .orderBy('position')
    .select('file_key')
    .execute();
  return files.map(({ file_key }) => file_key);
}

/** Tells one list of files from another: short enough for a note at the provider. */
export function fingerprintFiles(keys: string[]): string {
  return createHash('sha256').update(keys.join('\n')).digest('base64url').slice(0, 22);
}
