import { type Fact, fact } from '../../../contract/fact.ts';
import { MAX_PARTS, MIN_PARTS } from '../../../contract/limits.ts';
import type { Database } from '../../ground/database/tables.ts';
import { batchReads } from '../../ground/lib/batch-reads.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { isOffered, type LinkReaders } from './queries.ts';
import type { Link } from './tables.ts';

/**
 * The ids of links as the parts of a bundle, in their order.
 * @throws DomainError INVALID_PARTS unless they are 2 to 20 different links on offer of this owner's,
 *   none of them a bundle
 */
export async function requireParts(
  db: Database,
  ownerId: string,
  ids: string[],
): Promise<string[]> {
  if (ids.length < MIN_PARTS || ids.length > MAX_PARTS || new Set(ids).size < ids.length) {
    throw refused(
      fact('A bundle contains {min} to {max} different links of yours.', {
        min: MIN_PARTS,
        max: MAX_PARTS,
      }),
    );
  }
  const found = await db
    .selectFrom('link')
    .where('id', 'in', ids)
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .where('taken_down_at', 'is', null)
    .select(['id', 'type'])
    .execute();
  const typeOf = new Map(found.map(({ id, type }) => [id, type]));
  for (const id of ids) {
    const type = typeOf.get(id);
    if (!type)
      throw refused(fact('You have no link with the ID “{id}”. Choose another part.', { id }));
    if (type === 'bundle') {
      throw refused(fact('The link {id} is a bundle itself. Choose its parts instead.', { id }));
    }
  }
  return ids;
}

const refused = (why: Fact) => new DomainError('INVALID_PARTS', why);

/**
 * A bundle is bought: without a purchase nothing would say which parts somebody has a right to.
 * @param unlocked of its row
 * @throws DomainError INVALID_PRICE for one that is free, or may be had for nothing
 */
export function requirePrice(unlocked: number): void {
  if (!unlocked) return;
  const why = 'A bundle cannot be free. Make the links in it free instead.';
  throw new DomainError('INVALID_PRICE', why);
}

/** Why a bundle is not sold: to anybody, or to somebody who has its parts. */
export const INCOMPLETE = fact('A part of this bundle is not on sale at the moment.');
export const ALL_OWNED = fact('You have all parts of this bundle already.');

/** Whether these parts of a bundle can be sold: all, as the page says. A paused one is sold with it. */
export const isComplete = (parts: Link[]) => parts.length > 0 && parts.every(isOffered);

/** The parts of a version of a bundle, in order, also those that are no longer offered. */
export function partsOfVersion(db: Database, linkId: string, version: number): Promise<Link[]> {
  return db
    .selectFrom('link_part')
    .innerJoin('link', 'link.id', 'link_part.part_id')
    .where('link_part.link_id', '=', linkId)
    .where('link_part.version', '=', version)
    .orderBy('link_part.position')
    .selectAll('link')
    .execute();
}

/** Finds the parts of the bundles on sale: those of a list by one query. */
export function createFindParts(db: Database): LinkReaders['findParts'] {
  const read = batchReads(async (linkIds) => {
    const rows = await db
      .selectFrom('link as bundle')
      .innerJoin('link_part', (join) =>
        join
          .onRef('link_part.link_id', '=', 'bundle.id')
          .onRef('link_part.version', '=', 'bundle.content_version'),
      )
      .innerJoin('link', 'link.id', 'link_part.part_id')
      .where('bundle.id', 'in', linkIds)
      .orderBy('link_part.position')
      .selectAll('link')
      .select('bundle.id as part_of')
      .execute();
    return Map.groupBy(rows, ({ part_of }) => part_of);
  });
  return async (linkId) => (await read(linkId)) ?? [];
}
