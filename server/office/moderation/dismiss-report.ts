import type { Actor } from '../../ground/acts/operator-of.ts';
import { recordAct } from '../../ground/acts/record-act.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { parseWords } from './parse-words.ts';

/**
 * Closes a report without a take-down.
 * @throws DomainError NOT_FOUND for one that is not open, INVALID_INPUT
 */
export async function dismissReport(
  { db, now }: DatabaseContext,
  { actor, id, words }: { actor: Actor; id: string; words: string },
): Promise<void> {
  const reason = parseWords(words);
  const closedAt = now();
  await transaction(db, async (trx) => {
    const dismissed = await trx
      .updateTable('report')
      .set({ closed_at: closedAt })
      .where('id', '=', id)
      .where('closed_at', 'is', null)
      .returning('link_id')
      .executeTakeFirst();
    if (!dismissed) throw new DomainError('NOT_FOUND', 'There is no such open report.');
    const act = { act: 'report.dismissed', subject: { kind: 'report', id } } as const;
    const details = { linkId: dismissed.link_id };
    await recordAct(trx, actor, { ...act, reason, details }, closedAt);
  });
}
