import { type Kysely, sql } from 'kysely';

/** What the purchase of a bundle brings: its parts, each in the version that was sold. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table purchase_part (
    purchase_id text not null references purchase (id) on delete cascade,
    link_id text not null references link (id),
    content_version integer not null,
    constraint purchase_part_key primary key (purchase_id, link_id)
  )`,
  // Whether a version was bought is asked of its files.
  'create index purchase_part_of_version on purchase_part (link_id, content_version)',
];
