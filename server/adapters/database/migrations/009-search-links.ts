import { type Kysely, sql } from 'kysely';
import { indexWords } from '../../../domain/links/search/index-words.ts';
import type { Tables } from '../../../domain/tables.ts';
import { dialectOf } from '../dialect.ts';

/** Links are found by their words, and listed by time and price, also of one type or owner. */
export async function up(db: Kysely<Tables>): Promise<void> {
  if (dialectOf(db) === 'sqlite') await createSqliteIndex(db);
  else await createPostgresIndex(db);
  await createOrders(db);
  await indexKnownLinks(db);
}

/** The words are cut by the product: the index takes what stands between two spaces. */
async function createSqliteIndex(db: Kysely<Tables>): Promise<void> {
  const statements = [
    sql`create table link_words (
      number integer primary key, link_id text not null unique references link (id),
      words text not null)`,
    sql`create table search_word (
      word text primary key, links integer not null) without rowid`,
    sql`create virtual table link_text using fts5 (
      words, content = '', contentless_delete = 1, tokenize = 'ascii', detail = none)`,
    sql`create trigger link_words_added after insert on link_words begin
      insert into link_text (rowid, words) values (new.number, new.words); end`,
    sql`create trigger link_words_changed after update on link_words begin
      delete from link_text where rowid = old.number;
      insert into link_text (rowid, words) values (new.number, new.words); end`,
  ];
  for (const statement of statements) await statement.execute(db);
}

/** Collated by bytes: the beginnings of words are one range. */
async function createPostgresIndex(db: Kysely<Tables>): Promise<void> {
  const statements = [
    sql`create table link_words (
      link_id text primary key references link (id), words text not null)`,
    sql`create table search_word (
      word text collate "C" primary key, links integer not null)`,
    sql`create index link_text on link_words
      using gin (array_to_tsvector(string_to_array(trim(words), ' '))) with (fastupdate = off)`,
  ];
  for (const statement of statements) await statement.execute(db);
}

async function createOrders(db: Kysely<Tables>): Promise<void> {
  const orders = {
    link_of_type: ['type', 'created_at', 'id'],
    link_price: ['price_cents', 'created_at', 'id'],
    link_price_of_owner: ['owner_id', 'price_cents', 'created_at', 'id'],
    link_price_of_type: ['type', 'price_cents', 'created_at', 'id'],
  } as const;
  for (const [name, columns] of Object.entries(orders)) {
    await db.schema
      .createIndex(name)
      .on('link')
      .columns([...columns])
      .where(sql<boolean>`deleted_at is null and taken_down_at is null`)
      .execute();
  }
}

async function indexKnownLinks(db: Kysely<Tables>): Promise<void> {
  let after = '';
  for (;;) {
    const links = await db
      .selectFrom('link')
      .select(['id', 'title', 'description'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(1_000)
      .execute();
    for (const link of links) await indexWords(db, link);
    const last = links.at(-1);
    if (!last) return;
    after = last.id;
  }
}
