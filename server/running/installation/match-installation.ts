import { createHmac, randomUUID } from 'node:crypto';
import type { FileStore } from '../../files/file-store.ts';
import { isKnownBlob } from '../../files/unneeded-blobs.ts';
import { hasTable } from '../../ground/database/dialect.ts';
import {
  findInstallationId,
  readInstallation,
  readInstallationId,
  writeInstallation,
} from '../../ground/database/installation.ts';
import type { Database } from '../../ground/database/tables.ts';
import { isThere } from '../../ground/lib/is-there.ts';

/** Whether anything that was signed with this installation's secret may be in somebody's hands. */
export async function wasSecretUsed(db: Database): Promise<boolean> {
  // Asked before the schema is brought up to date.
  if ((await hasTable(db, 'installation')) && (await readFingerprint(db))) return true;
  if (!(await hasTable(db, 'purchase'))) return false;
  return isThere(db.selectFrom('purchase').select('id').limit(1));
}

/**
 * Makes sure that the secret is the one of the last start; the first one is remembered, as a
 * fingerprint that it cannot be told from.
 * @throws Error that says what would break and how to go on
 */
export async function matchSecret(db: Database, secret: string): Promise<void> {
  const known = await readFingerprint(db);
  if (known === fingerprint(secret)) return;
  if (known === null) {
    await db
      .insertInto('installation')
      .values({ name: 'secret', value: fingerprint(secret) })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    return matchSecret(db, secret);
  }
  throw new Error(`APP_SECRET is not the one that this database was used with. Nothing was changed.
With another secret, the personal links in all receipts stop working, everyone is signed out, two-factor sign-in with an app fails, and the publishable key changes. What to do:
- Set APP_SECRET to its previous value, or restore the file app-secret in DATA_DIR from a backup.
- Changed on purpose, or permanently lost? npm run cli -- secret accept`);
}

/** Whether the secret is the one of the last start, or is remembered now as the first one. */
export const isOwnSecret = (db: Database, secret: string): Promise<boolean> =>
  matchSecret(db, secret).then(
    () => true,
    () => false,
  );

/** Takes another secret for this installation's from now on. */
export async function acceptSecret(db: Database, secret: string): Promise<void> {
  await writeInstallation(db, 'secret', fingerprint(secret));
}

const readFingerprint = (db: Database) => readInstallation(db, 'secret');

function fingerprint(secret: string): string {
  return createHmac('sha256', secret).update('fingerprint').digest('base64url');
}

type Store = Pick<FileStore, 'place' | 'list' | 'readOwner' | 'writeOwner'>;

/** Where the database is. */
type Place = { kind: 'sqlite'; file: string } | { kind: 'postgres' };

/**
 * Makes sure that database and blobs belong together: both carry one id, made on the first start.
 * A crash between the two writes is mended by the next start.
 * @throws Error that says what was found, what it means and how to go on
 */
export async function matchStorage(db: Database, store: Store, place: Place): Promise<void> {
  const known = await findInstallationId(db);
  const marked = await store.readOwner();
  if (known !== null && known === marked) return;
  const isStored = await holdsBlobs(store);
  const isBare = !isStored && !(await knowsFiles(db));
  // The names of blobs are random: one that both know proves what an id would.
  const isOwn = !(known && marked) && (await knowsAnyBlob(db, store));
  if (known && marked?.startsWith(`${known} `)) throw new Error(refuseHalf(store));
  if (!(isBare || isOwn)) throw new Error(refusal(place, store, isStored, known && marked));
  await tie(db, store, known ?? (isOwn ? marked : null));
}

/** What the blobs of a store are to an installation that moves them to another one. */
export const MOVES = {
  arriving: (id: string) => `${id} arriving`,
  moved: (id: string) => `${id} moved`,
};

const refuseHalf = ({
  place,
}: Store) => `The files in ${place} are no longer this installation’s, or not yet: npm run cli -- storage move has begun to move them. Nothing was changed. What to do:
- Not finished? Start with the settings of the place that they come from, and repeat the command until it says that it is done.
- Finished? Start with the settings of the place that they went to.`;

/** Makes the blobs those of this database, whatever they were before. */
export async function adoptStorage(db: Database, store: Store): Promise<void> {
  await tie(db, store, await findInstallationId(db));
}

/** The database goes first: of several processes that start at once, one decides the id. */
async function tie(db: Database, store: Store, id: string | null): Promise<void> {
  await db
    .insertInto('installation')
    .values({ name: 'id', value: id ?? randomUUID() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  await store.writeOwner(await readInstallationId(db));
}

export async function holdsBlobs(store: Pick<FileStore, 'list'>): Promise<boolean> {
  for await (const _blob of store.list()) return true;
  return false;
}

const knowsFiles = (db: Database) =>
  isThere(db.selectFrom('file').select('key').where('finished_at', 'is not', null).limit(1));

async function knowsAnyBlob(db: Database, store: Store): Promise<boolean> {
  for await (const blob of store.list()) if (await isKnownBlob(db, blob)) return true;
  return false;
}

function refusal(
  place: Place,
  { place: blobs }: Store,
  isStored: boolean,
  areBothMarked: unknown,
): string {
  const database = place.kind === 'sqlite' ? place.file : 'The database of DATABASE_URL';
  let found = `${database} lists files, but ${blobs} contains none.`;
  if (isStored) found = `${database} does not know any of the files in ${blobs}.`;
  if (areBothMarked)
    found = `${database} and the files in ${blobs} belong to different installations.`;
  return `${found}
What was sold could not be delivered. Nothing was changed. What to do:
- Started with different settings? Set DATABASE_URL, DATA_DIR and S3_BUCKET as before.
- Restored a backup? Restore the database and the files from the same one: docs/backup.md.
- Should this database use these files? npm run cli -- storage adopt`;
}
