import { sql } from 'kysely';
import type { Database } from '../../ground/database/tables.ts';
import { isThere } from '../../ground/lib/is-there.ts';
import { type Line, objectsOf } from './format.ts';

const AT_ONCE = 200;

/** What of an export is here already, as a sentence; null where nothing is. */
export async function findTaken(db: Database, lines: AsyncIterable<Line>): Promise<string | null> {
  let batch: Line[] = [];
  for await (const line of lines) {
    batch.push(line);
    if (batch.length < AT_ONCE) continue;
    const taken = await findInBatch(db, batch);
    if (taken) return taken;
    batch = [];
  }
  return findInBatch(db, batch);
}

async function findInBatch(db: Database, batch: Line[]): Promise<string | null> {
  for (const line of batch) {
    if (line.kind !== 'account') continue;
    const user = await db
      .selectFrom('user')
      .where(({ eb, or }) => or([eb('id', '=', line.id), eb('email', '=', line.email)]))
      .select(['email', 'emailVerified'])
      .executeTakeFirst();
    if (user?.emailVerified) return `The account ${user.email} is here already.`;
    // What an account that was deleted here had sold or bought is not for whoever has its id.
    const purchases = db.selectFrom('purchase').select('id').limit(1);
    const ids = db.selectFrom('link_id').select('id').limit(1);
    for (const left of [
      purchases.where('seller_id', '=', line.id),
      purchases.where('buyer_id', '=', line.id),
      ids.where('owner_id', '=', line.id),
    ]) {
      if (await isThere(left)) return `The account ${line.id} was here, and has been deleted.`;
    }
  }
  const files = batch.filter((line) => line.kind === 'file');
  const sales = batch.filter((line) => line.kind === 'sale');
  const links = batch.filter((line) => line.kind === 'link');
  const linkIds = [...links.map(({ id }) => id), ...files.map(({ link_id }) => link_id)];
  const find = async (
    table: 'link_id' | 'purchase' | 'access_grant' | 'refund',
    ids: string[],
  ): Promise<string | undefined> => {
    if (ids.length === 0) return undefined;
    const found = await db
      .selectFrom(table)
      .where('id', 'in', ids)
      .select('id')
      .limit(1)
      .executeTakeFirst();
    return found?.id;
  };
  const link = await find('link_id', linkIds);
  if (link) return `The link id ${link} is in use here.`;
  const sale =
    (await find(
      'purchase',
      sales.map(({ id }) => id),
    )) ??
    (await find(
      'access_grant',
      sales.map(({ grant }) => grant.id),
    ));
  if (sale) return `The id ${sale} of a sale is in use here.`;
  const keys = files.map(({ key }) => key);
  const blobs = batch.flatMap(objectsOf).map(({ blob }) => blob);
  for (const [table, column, wanted] of [
    ['file', 'key', keys],
    ['file', 'blob', blobs],
    ['link', 'cover', blobs],
    ['link', 'preview_blob', blobs],
    ['seller_page', 'picture', blobs],
    ['unneeded_blob', 'blob', blobs],
  ] as const) {
    if (wanted.length === 0) continue;
    const { rows } = await sql<{ name: string }>`
      select ${sql.ref(column)} as name from ${sql.table(table)}
      where ${sql.ref(column)} in (${sql.join(wanted)}) limit 1`.execute(db);
    if (rows[0]) return `The file “${rows[0].name}” is here already.`;
  }
  return null;
}
