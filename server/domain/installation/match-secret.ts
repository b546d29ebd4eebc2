import { createHmac } from 'node:crypto';
import type { Database } from '../tables.ts';

/** Whether anything that was signed with this installation's secret may be in somebody's hands. */
export async function wasSecretUsed(db: Database): Promise<boolean> {
  // Asked before the schema is brought up to date.
  const tables = new Set((await db.introspection.getTables()).map(({ name }) => name));
  if (tables.has('installation') && (await readFingerprint(db))) return true;
  if (!tables.has('purchase')) return false;
  const purchase = await db.selectFrom('purchase').select('id').limit(1).executeTakeFirst();
  return purchase !== undefined;
}

/**
 * Makes sure that the secret is the one of the last start; the first one is remembered, as a
 * fingerprint that it cannot be told from.
 * @throws Error that says what would break and how to go on
 */
export async function matchSecret(db: Database, secret: string): Promise<void> {
  const known = await readFingerprint(db);
  if (known === fingerprint(secret)) return;
  if (known === undefined) {
    await db
      .insertInto('installation')
      .values({ name: 'secret', value: fingerprint(secret) })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    return matchSecret(db, secret);
  }
  throw new Error(`APP_SECRET is not the one that this database was used with. Nothing was changed.
With another secret the personal links in all receipts stop working, everybody is signed out, two-factor sign-in by an app fails, and the publishable key changes. To go on:
- Set APP_SECRET as it was, or restore the file app-secret in DATA_DIR from the backup.
- Is the secret changed on purpose, or lost for good? npm run cli -- secret accept`);
}

/** Takes another secret for this installation's from now on. */
export async function acceptSecret(db: Database, secret: string): Promise<void> {
  await db
    .insertInto('installation')
    .values({ name: 'secret', value: fingerprint(secret) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: fingerprint(secret) }))
    .execute();
}

async function readFingerprint(db: Database): Promise<string | undefined> {
  const row = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', 'secret')
    .executeTakeFirst();
  return row?.value;
}

function fingerprint(secret: string): string {
  return createHmac('sha256', secret).update('fingerprint').digest('base64url');
}
