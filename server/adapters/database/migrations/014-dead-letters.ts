import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../../domain/tables.ts';

/** For the readiness check, which counts them: all other jobs may be many. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createIndex('job_died_at')
    .on('job')
    .column('died_at')
    .where(sql<boolean>`died_at is not null`)
    .execute();
}
