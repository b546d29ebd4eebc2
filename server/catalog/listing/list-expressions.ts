import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { dialectOf } from '../../ground/database/dialect.ts';
import type { Database, Tables } from '../../ground/database/tables.ts';
import type { SearchWord } from '../links/candidates.ts';
import { MAX_LINE_BYTES } from '../links/index-words.ts';
import type { LinkCondition } from '../links/queries.ts';
import type { Bound, ListOrder } from './list-position.ts';
import type { Listing } from './listing.ts';

type LinkExpression = (eb: ExpressionBuilder<Tables, 'link'>) => Expression<SqlBool>;

/** Links on sale or paused that meet the conditions, either the listed or the unlisted ones. */
export function offeredLinks(db: Database, { unlisted }: Listing, conditions: LinkCondition[]) {
  return db
    .selectFrom('link')
    .where(isOffered)
    .where('link.unlisted', '=', unlisted)
    .where(meets(conditions));
}

/** Neither deleted nor taken down. */
export const isOffered: LinkExpression = (eb) =>
  eb.and([eb('link.deleted_at', 'is', null), eb('link.taken_down_at', 'is', null)]);

export function meets(conditions: LinkCondition[]): LinkExpression {
  return (eb) =>
    eb.and(
      conditions.map(({ column, operator, value }) =>
        operator === 'begins-with'
          ? sql<SqlBool>`substr(${sql.ref(`link.${column}`)}, 1, ${length(value)}) = ${value}`
          : eb(`link.${column}`, operator, value),
      ),
    );
}

/** The part of the order that a page is read from. */
export function isWithin({ order, low, high }: Listing): LinkExpression {
  const isBeyond = ({ operator, position }: Bound) =>
    sql<SqlBool>`(${sql.join(columnsOf(order))}) ${sql.raw(operator)}
      (${sql.join([...position.values, position.id])})`;
  return (eb) => eb.and([low, high].filter((bound) => bound !== null).map(isBeyond));
}

export function inOrder({ order }: Listing) {
  const direction = sql.raw(order.descending ? 'desc' : 'asc');
  return sql.join(columnsOf(order).map((column) => sql`${column} ${direction}`));
}

const columnsOf = ({ columns }: ListOrder) =>
  [...columns, 'id'].map((column) => sql.ref(`link.${column}`));

/** Whether the words of a link are among those of its line. */
export function holdsWords(db: Database, words: SearchWord[]): Expression<SqlBool> {
  // Words hold neither wildcards nor letters that have a case. SQLite's `like` costs several times
  // as much as comparing bytes; PostgreSQL's planner knows how few links meet a `like`, not a function.
  const text = sql.ref('link_words.words');
  const holds = (part: string) =>
    dialectOf(db) === 'sqlite'
      ? sql<SqlBool>`instr(${text}, ${part}) > 0`
      : sql<SqlBool>`${text} like ${`%${part}%`}`;
  const parts = words.map(({ word, prefix }) => ` ${word}${prefix ? '' : ' '}`);
  if (parts.length === 0) return sql`(1 = 1)`;
  // A line written before there was a limit is not read: its length is known without reading it.
  const isRead = sql`octet_length(${text}) <= ${sql.lit(MAX_LINE_BYTES)}`;
  return sql`(${sql.join([isRead, ...parts.map(holds)], sql` and `)})`;
}

/** Characters as the database counts them: code points, not UTF-16 units. */
const length = (value: string | number) => [...String(value)].length;
