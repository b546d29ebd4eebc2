import { type Kysely, sql } from 'kysely';

/** What a page shows of a file before it is paid for. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  "alter table link add column preview text default 'none' not null",
  'alter table link add column preview_blob text',
  'alter table link add column preview_media_type text',
  'alter table link add column preview_width integer',
  'alter table link add column preview_height integer',
  'alter table link add column preview_failed integer default 0 not null',
  'create unique index link_preview on link (preview_blob) where preview_blob is not null',
];
