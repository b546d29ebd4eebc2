import { type Kysely, sql } from 'kysely';

/** How each seller wants to be told of sales, and the sales that the next email tells together. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table notification_choice (
    owner_id text primary key,
    sales text default 'each' not null,
    hour_from bigint default 0 not null,
    hour_sales integer default 0 not null,
    gathering_id text
  )`,
  `create table gathered_sale (
    purchase_id text primary key,
    gathering_id text not null
  )`,
  'create index gathered_sale_of_gathering on gathered_sale (gathering_id)',
];
