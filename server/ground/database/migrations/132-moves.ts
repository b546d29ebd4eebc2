import { type Kysely, sql } from 'kysely';

/** That the installation is moved to another database or store, so that this one takes no writes. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table move (
    name text not null,
    place text not null,
    takes_database integer not null,
    begun_at bigint not null,
    moved_at bigint,
    constraint move_key primary key (name)
  )`.execute(db);
}
