import { seenText } from '../../../contract/characters.ts';
import type { Database } from '../../ground/database/tables.ts';
import { readPage } from '../../ground/lib/newest-first.ts';

interface Asked {
  /** Where the last page ended; null for the first one. */
  token: string | null;
  /** Those of an account's links that still stand, in place of all. */
  ownerId?: string;
  /** Those alone whose seller waits for an answer. */
  isWaiting?: boolean;
}

/**
 * Take-downs, newest first.
 * @throws DomainError INVALID_INPUT for a token of another list
 */
export async function listTakeDowns(db: Database, { token, ownerId, isWaiting = false }: Asked) {
  let asked = db
    .selectFrom('take_down')
    .innerJoin('link', 'link.id', 'take_down.link_id')
    .select(['take_down.id', 'link_id as linkId', 'link.title', 'reason', 'words'])
    .select(['take_down.taken_down_at as takenDownAt', 'objection', 'objected_at as objectedAt'])
    .select(['answer', 'answered_at as answeredAt', 'undone_at as undoneAt']);
  if (ownerId !== undefined) {
    asked = asked
      .where('link.owner_id', '=', ownerId)
      // As long as a take-down stands: the index of these links has few of a seller.
      .where('link.taken_down_at', 'is not', null);
  }
  if (ownerId !== undefined || isWaiting) asked = asked.where('undone_at', 'is', null);
  if (isWaiting) {
    asked = asked.where('objected_at', 'is not', null).where('answered_at', 'is', null);
  }
  const { items, nextToken } = await readPage(asked, {
    list: 'take-downs',
    by: ['take_down.taken_down_at', 'take_down.id'],
    placeOf: ({ takenDownAt: time, id }) => ({ time, id }),
    token,
  });
  return { items: items.map((row) => ({ ...row, title: seenText(row.title) })), nextToken };
}
