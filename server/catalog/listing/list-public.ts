import type { SelectQueryBuilder } from 'kysely';
import type { Database, Tables } from '../../ground/database/tables.ts';
import { createTurns } from '../../ground/lib/turns.ts';
import type { Link } from '../links/tables.ts';
import { isOffered } from './list-expressions.ts';

/** Links that one file of a sitemap may name. */
const MAX_SITEMAP_LINKS = 50_000;
/** Others are served between two of these. */
const BATCH = 250;
/** Ids are random: with one digit more, a part has a sixteenth of the links. */
const MAX_PART_LINKS = 1_000;
/** Of the beginnings of ids that name the parts: with more, an index would have too many. */
const MAX_PART_DIGITS = 3;
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

/** The newest links that may be announced elsewhere, of one seller or of all. */
export function newestPublicLinks(
  db: Database,
  count: number,
  ownerId: string | null = null,
): Promise<Link[]> {
  const newest = db
    .selectFrom('link')
    .where(isOffered)
    .where('link.unlisted', '=', 0)
    .$if(ownerId !== null, (query) => query.where('link.owner_id', '=', ownerId ?? ''))
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

/**
 * The beginnings of ids by which the sitemap is divided, so that no part takes long to write: one
 * that is empty for few links, and up to 4,096 of three hex digits.
 */
export async function listSitemapParts(db: Database): Promise<string[]> {
  // From the smallest part on: however many links there are, few of them are counted.
  for (let digits = MAX_PART_DIGITS; digits > 0; digits -= 1) {
    if (!(await fitsOnePart(db, '0'.repeat(digits - 1)))) return partsOf(digits);
  }
  return [''];
}

const made = new Map<number, string[]>();

/** All beginnings of so many hex digits. */
function partsOf(digits: number): string[] {
  const parts =
    made.get(digits) ??
    Array.from({ length: 16 ** digits }, (_, number) => number.toString(16).padStart(digits, '0'));
  made.set(digits, parts);
  return parts;
}

/** Of all links that were ever created. */
async function fitsOnePart(db: Database, prefix: string): Promise<boolean> {
  const beyond = await withinPart(db.selectFrom('link'), prefix)
    .select('id')
    .orderBy('id')
    .offset(MAX_PART_LINKS)
    .limit(1)
    .executeTakeFirst();
  return beyond === undefined;
}

const takeTurn = createTurns();

/** The public links whose ids begin with `prefix`, hex digits or none, in batches by id. */
export async function* readPublicLinks(
  db: Database,
  prefix: string,
): AsyncGenerator<Pick<Link, 'id' | 'updated_at'>> {
  let after = prefix;
  for (let left = MAX_SITEMAP_LINKS; left > 0; left -= BATCH) {
    await takeTurn();
    const links = await withinPart(publicLinks(db), prefix)
      .select(['id', 'updated_at'])
      .where('id', '>=', after)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    yield* links;
    const last = links.at(-1);
    if (!last || links.length < BATCH) return;
    after = `${last.id}0`;
  }
}

function withinPart<Output>(links: SelectQueryBuilder<Tables, 'link', Output>, prefix: string) {
  const end = endOf(prefix);
  return links
    .where('id', '>=', prefix)
    .$if(end !== null, (query) => query.where('id', '<', end ?? ''));
}

/** The prefix that follows; null for the last one. */
function endOf(prefix: string): string | null {
  if (prefix === '' || /^f+$/.test(prefix)) return null;
  return (Number.parseInt(prefix, 16) + 1).toString(16).padStart(prefix.length, '0');
}
