import { hash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../../domain/tables.ts';
import { dialectOf } from '../dialect.ts';

/** Sessions are known by hashes of their tokens, and mails to unproven addresses are counted. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('mails_of_day')
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('visitor', 'text', (column) => column.notNull())
    .addColumn('mails', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('mails_of_day_key', ['day', 'visitor'])
    .execute();
  const tables = (await db.introspection.getTables()).map(({ name }) => name);
  // The account library's own, which it makes before; none where it is not used.
  if (!tables.includes('session')) return;
  await hashTokens(db);
  // What began before and is not done in ten minutes: a second step, a passkey, a way to a provider.
  await sql`delete from verification where identifier not like '%-otp-%'`.execute(db);
  await sql`
    create index user_unconfirmed on "user" ("createdAt")
    where "emailVerified" = false`.execute(db);
}

/** People stay signed in. */
async function hashTokens(db: Kysely<Tables>): Promise<void> {
  if (dialectOf(db) === 'postgres') {
    await sql`update session set token = encode(sha256(convert_to(token, 'UTF8')), 'hex')`.execute(
      db,
    );
    return;
  }
  const { rows } = await sql<{ id: string; token: string }>`select id, token from session`.execute(
    db,
  );
  for (const { id, token } of rows) {
    await sql`update session set token = ${hash('sha256', token)} where id = ${id}`.execute(db);
  }
}
