import { type Expression, sql } from 'kysely';
import { dialectOf } from '../../dialect.ts';
import type { Database } from '../../tables.ts';

/** Links that one page looks at when an index tells them apart from all others. */
export const MAX_CANDIDATES = 5_000;

/** A word of a search; `prefix` for the last one, which may not be typed to its end. */
export interface SearchWord {
  word: string;
  prefix: boolean;
}

/** At most MAX_CANDIDATES links with their words, in no order. */
export type Candidates = Expression<{ link_id: string; words: string | null }>;

/** The links that hold a word, by the database's full-text index. */
export function linksWithWord(db: Database, { word, prefix }: SearchWord): Candidates {
  // Words hold neither quotes nor operators. The limit is met by the count of the word already: it
  // tells the planner.
  return dialectOf(db) === 'sqlite'
    ? sql`(select link_words.link_id, link_words.words
        from link_text cross join link_words on link_words.number = link_text.rowid
        where link_text match ${`"${word}"${prefix ? '*' : ''}`}
        limit ${sql.lit(MAX_CANDIDATES)})`
    : sql`(select link_id, words from link_words
        where array_to_tsvector(string_to_array(trim(words), ' '))
          @@ cast(${`'${word}'${prefix ? ':*' : ''}`} as tsquery)
        limit ${sql.lit(MAX_CANDIDATES)})`;
}
