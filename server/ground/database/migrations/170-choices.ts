import { type Kysely, sql } from 'kysely';

/** Links that are choices of one thing: a group, and each link's name and place in it. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table link add column choice_group text`.execute(db);
  await sql`alter table link add column choice text`.execute(db);
  await sql`alter table link add column choice_place integer`.execute(db);
  await sql`create index link_of_choice_group on link (choice_group, choice_place)
    where choice_group is not null`.execute(db);
}
