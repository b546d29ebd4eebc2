import type { Database } from '../database/tables.ts';
import type { Link } from '../links/tables.ts';
import { isOffered } from './list-expressions.ts';

/** Links that one file of a sitemap may name. */
const MAX_SITEMAP_LINKS = 50_000;
const BATCH = 1_000;
/**
 * The newest public ones are taken from this many: a flood of paused and hidden links costs no
 * more.
 */
const LOOKED_AT = 2_000;

/** For search engines and feed readers: on sale, and not hidden from them by its creator. */
const publicLinks = (db: Database) =>
  db
    .selectFrom('link')
    .where(isOffered)
    .where('link.unlisted', '=', 0)
    .where('link.paused', '=', 0)
    .where('link.noindex', '=', 0);

/** The newest links that may be announced elsewhere. */
export function newestPublicLinks(db: Database, count: number): Promise<Link[]> {
  const newest = db
    .selectFrom('link')
    .where(isOffered)
    .where('link.unlisted', '=', 0)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .selectAll('link')
    .limit(LOOKED_AT);
  return db
    .selectFrom(newest.as('link'))
    .where('link.paused', '=', 0)
    .where('link.noindex', '=', 0)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .selectAll()
    .limit(count)
    .execute();
}

export async function isPublicLink(db: Database, id: string): Promise<boolean> {
  const link = await publicLinks(db).select('id').where('id', '=', id).executeTakeFirst();
  return link !== undefined;
}

/** Whether all links ever created fit in one file of a sitemap. */
export async function fitsOneSitemap(db: Database): Promise<boolean> {
  const beyond = await db
    .selectFrom('link')
    .select('id')
    .orderBy('id')
    .offset(MAX_SITEMAP_LINKS)
    .limit(1)
    .executeTakeFirst();
  return beyond === undefined;
}

/** The public links whose ids begin with `prefix`, hex digits or none, in batches by id. */
export async function* readPublicLinks(
  db: Database,
  prefix: string,
): AsyncGenerator<Pick<Link, 'id' | 'updated_at'>> {
  const end = endOf(prefix);
  let after = prefix;
  for (let left = MAX_SITEMAP_LINKS; left > 0; left -= BATCH) {
    let batch = publicLinks(db)
      .select(['id', 'updated_at'])
      .where('id', '>=', after)
      .orderBy('id')
      .limit(BATCH);
    if (end) batch = batch.where('id', '<', end);
    const links = await batch.execute();
    yield* links;
    const last = links.at(-1);
    if (!last || links.length < BATCH) return;
    after = `${last.id}0`;
  }
}

/** The prefix that follows; null for the last one. */
function endOf(prefix: string): string | null {
  if (prefix === '' || /^f+$/.test(prefix)) return null;
  return (Number.parseInt(prefix, 16) + 1).toString(16).padStart(prefix.length, '0');
}
