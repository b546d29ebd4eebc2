import { type Expression, sql } from 'kysely';
import { dialectOf } from '../../ground/database/dialect.ts';
import type { Database } from '../../ground/database/tables.ts';

/** Links that one page looks at when an index tells them apart from all others. */
export const MAX_CANDIDATES = 5_000;

/** A word of a search; `prefix` for the last one, which may not be typed to its end. */
export interface SearchWord {
  word: string;
  prefix: boolean;
}

/** The ids of at most MAX_CANDIDATES links, in no order. */
type LinkIds = Expression<{ link_id: string }>;

export interface Candidates {
  links: LinkIds;
  /** Words of the search that nobody knows yet of these links: their texts have to be read. */
  words: SearchWord[];
}

/** The links that hold each of some rare words, by the database's full-text index. */
export function linksWithWords(db: Database, words: SearchWord[]): LinkIds {
  // Words hold neither quotes nor operators. The limit is met by the count of the words already: it
  // tells the planner.
  const inSqlite = words.map(({ word, prefix }) => `"${word}"${prefix ? '*' : ''}`).join(' AND ');
  const inPostgres = words.map(({ word, prefix }) => `'${word}'${prefix ? ':*' : ''}`).join(' & ');
  return dialectOf(db) === 'sqlite'
    ? sql`(select link_words.link_id
        from link_text cross join link_words on link_words.number = link_text.rowid
        where link_text match ${inSqlite}
        limit ${sql.lit(MAX_CANDIDATES)})`
    : sql`(select link_id from link_words
        where array_to_tsvector(string_to_array(trim(words), ' '))
          @@ cast(${inPostgres} as tsquery)
        limit ${sql.lit(MAX_CANDIDATES)})`;
}
