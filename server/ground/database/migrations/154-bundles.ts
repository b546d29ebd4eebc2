import { type Kysely, sql } from 'kysely';

/** Links that sell other links of their creator's. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'alter table link drop constraint link_target',
  `alter table link add constraint link_target check (
    (type = 'file' and key is not null and url is null)
    or (type = 'link' and url is not null and key is null)
    or (type = 'bundle' and key is null and url is null))`,
  `create table link_part (
    link_id text not null,
    version integer not null,
    position integer not null,
    part_id text not null references link (id),
    constraint link_part_key primary key (link_id, version, position),
    constraint link_part_version foreign key (link_id, version)
      references link_version (link_id, number)
  )`,
  'create index link_part_of_part on link_part (part_id)',
];
