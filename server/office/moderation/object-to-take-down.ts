import { TEXTS } from '../../../contract/texts.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { noticeOperators } from './notice-operators.ts';
import { parseWords } from './parse-words.ts';

/**
 * Keeps what a seller says against the take-down of a link, once, and tells the operators.
 * @throws DomainError LINK_NOT_FOUND unless it is the seller's and taken down, INVALID_INPUT
 */
export async function objectToTakeDown(
  { db, now }: DatabaseContext,
  { ownerId, id: linkId, ...input }: { ownerId: string; id: string; words: string },
): Promise<void> {
  const objection = parseWords(input.words);
  const objectedAt = now();
  await transaction(db, async (trx) => {
    const link = await trx
      .selectFrom('link')
      .where('id', '=', linkId)
      .where('owner_id', '=', ownerId)
      .where('taken_down_at', 'is not', null)
      .select('id')
      .executeTakeFirst();
    if (!link) throw new DomainError('LINK_NOT_FOUND', TEXTS.linkNotFound);
    const objected = await trx
      .updateTable('take_down')
      .set({ objection, objected_at: objectedAt })
      .where('link_id', '=', linkId)
      .where('undone_at', 'is', null)
      .where('objected_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!objected) throw new DomainError('INVALID_INPUT', 'You have already objected.');
    await noticeOperators(trx, objectedAt);
  });
}
