import { type Kysely, sql } from 'kysely';

/** A key is looked for among all links: a seller may have very many, and sells none on two of them. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index license_key_lookups on license_key (lookup) where lookup is not null`.execute(
    db,
  );
}
