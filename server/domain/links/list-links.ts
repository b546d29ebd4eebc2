import {
  type Expression,
  type ExpressionBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../../contract/limits.ts';
import { DomainError } from '../domain-error.ts';
import type { Database, Tables } from '../tables.ts';
import type { LinkCondition } from './link-condition.ts';
import { type Position, readToken, takeBounds, writeToken } from './list-position.ts';
import type { Link } from './tables.ts';

export interface LinkPage {
  links: Link[];
  /** Present as long as there are links that were not looked at. */
  nextToken: string | null;
}

/** Links that one page looks at for conditions that no index answers. */
const LOOKED_AT = 2_000;

/**
 * Links on sale or paused, newest first, by keyset. Every page costs the same, at any depth and
 * with any condition: one whose conditions are seldom met holds fewer links than its limit, even
 * none, and leads on.
 * @throws DomainError INVALID_INPUT for a limit out of bounds or a foreign token
 */
export async function listLinks(
  db: Database,
  conditions: LinkCondition[],
  page: { limit?: number | null; nextToken?: string | null },
): Promise<LinkPage> {
  const limit = pageSize(page.limit);
  const token = page.nextToken ? readToken(page.nextToken) : null;
  const { from, before, rest } = takeBounds(conditions, token);
  const one = rest.filter(({ column, operator }) => column === 'id' && operator === '=');
  const owner = rest.filter(({ column, operator }) => column === 'owner_id' && operator === '=');
  const others = rest.filter((condition) => !one.includes(condition) && !owner.includes(condition));

  let listed = db
    .selectFrom('link')
    .where('deleted_at', 'is', null)
    .where('taken_down_at', 'is', null)
    .where(meets([...one, ...owner]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc');
  if (from) listed = listed.where(isBeyond('>=', from));
  if (before) listed = listed.where(isBeyond('<', before));
  if (one.length === 0 && others.length > 0) return lookThrough(db, listed, others, limit);

  const rows = await listed
    .where(meets(others))
    .selectAll()
    .limit(limit + 1)
    .execute();
  const links = rows.slice(0, limit);
  return { links, nextToken: rows.length > limit ? tokenAfter(links.at(-1)) : null };
}

/**
 * One statement, so that what is created meanwhile does not move the end of what is looked at. The
 * link at that end comes along whether it fits or not: there the next page begins.
 */
async function lookThrough(
  db: Database,
  listed: SelectQueryBuilder<Tables, 'link', object>,
  conditions: LinkCondition[],
  limit: number,
): Promise<LinkPage> {
  const end = listed
    .select('id as end_id')
    .offset(LOOKED_AT - 1)
    .limit(1);
  const rows = await db
    .selectFrom(listed.selectAll().limit(LOOKED_AT).as('link'))
    .leftJoin(end.as('end_of_page'), (join) => join.onTrue())
    .where((eb) => eb.or([meets(conditions)(eb), eb('id', '=', eb.ref('end_id'))]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .selectAll()
    .select((eb) => eb.case().when(meets(conditions)(eb)).then(1).else(0).end().as('fits'))
    .limit(limit + 1)
    .execute();
  const looked = rows.slice(0, limit);
  const last = looked.at(-1);
  const goesOn = rows.length > limit || last?.id === last?.end_id;
  const links = looked.filter(({ fits }) => fits === 1).map(({ fits, end_id, ...link }) => link);
  return { links, nextToken: goesOn ? tokenAfter(last) : null };
}

type LinkExpression = (eb: ExpressionBuilder<Tables, 'link'>) => Expression<SqlBool>;

function meets(conditions: LinkCondition[]): LinkExpression {
  return (eb) =>
    eb.and(
      conditions.map(({ column, operator, value }) =>
        operator === 'begins-with'
          ? sql<SqlBool>`substr(${sql.ref(column)}, 1, ${length(value)}) = ${value}`
          : eb(column, operator, value),
      ),
    );
}

function isBeyond(operator: '<' | '>=', { createdAt, id }: Position): LinkExpression {
  return ({ eb, refTuple, tuple }) =>
    eb(refTuple('created_at', 'id'), operator, tuple(createdAt, id));
}

function pageSize(limit: number | null | undefined): number {
  if (limit == null) return DEFAULT_PAGE_SIZE;
  if (limit < 1 || limit > MAX_PAGE_SIZE) {
    throw new DomainError('INVALID_INPUT', `The limit of a page is 1 to ${MAX_PAGE_SIZE}.`);
  }
  return limit;
}

/** Characters as the database counts them: code points, not UTF-16 units. */
const length = (value: string | number) => [...String(value)].length;

function tokenAfter(link: Pick<Link, 'created_at' | 'id'> | undefined): string | null {
  return link ? writeToken({ createdAt: link.created_at, id: link.id }) : null;
}
