import type { Database } from '../../ground/database/tables.ts';
import { ROWS_OF_PAGE, readToken, toPage } from '../../ground/lib/newest-first.ts';
import type { TakeDown } from './tables.ts';

interface Asked {
  /** Where the last page ended; null for the first one. */
  token: string | null;
  /** Those of an account's links that still stand, in place of all. */
  ownerId?: string;
  /** Those alone whose seller waits for an answer. */
  isWaiting?: boolean;
}

type TakeDownView = TakeDown & { title: string | null };

/**
 * Take-downs, newest first, by keyset.
 * @throws DomainError INVALID_INPUT for a token of another list
 */
export async function listTakeDowns(
  db: Database,
  { token, ownerId, isWaiting = false }: Asked,
): Promise<{ takeDowns: TakeDownView[]; nextToken: string | null }> {
  let asked = db
    .selectFrom('take_down')
    .innerJoin('link', 'link.id', 'take_down.link_id')
    .selectAll('take_down')
    .select('link.title')
    .orderBy('take_down.taken_down_at', 'desc')
    .orderBy('take_down.id', 'desc')
    .limit(ROWS_OF_PAGE);
  if (ownerId !== undefined) {
    asked = asked
      .where('link.owner_id', '=', ownerId)
      // As long as a take-down stands: the index of these links has few of a seller.
      .where('link.taken_down_at', 'is not', null);
  }
  if (ownerId !== undefined || isWaiting) asked = asked.where('take_down.undone_at', 'is', null);
  if (isWaiting) {
    asked = asked
      .where('take_down.objected_at', 'is not', null)
      .where('take_down.answered_at', 'is', null);
  }
  if (token !== null) {
    const { time, id } = readToken('take-downs', token);
    asked = asked.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('take_down.taken_down_at', 'take_down.id'), '<', tuple(time, id)),
    );
  }
  const rows = await asked.execute();
  const place = ({ taken_down_at: time, id }: TakeDownView) => ({ time, id });
  const { page, nextToken } = toPage('take-downs', rows, place);
  return { takeDowns: page, nextToken };
}
