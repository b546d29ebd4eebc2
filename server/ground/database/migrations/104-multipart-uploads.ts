import { type Kysely, sql } from 'kysely';

/** A migration never changes once it is released: see docs/decisions/026. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table multipart_upload (
      blob text primary key,
      upload_id text,
      size_bytes bigint not null,
      part_bytes bigint not null,
      changed_at bigint not null
    )`.execute(db);
  await sql`create table moved_blob (blob text primary key, place text not null)`.execute(db);
}
