import type { Actor } from '../../ground/acts/operator-of.ts';
import { recordAct } from '../../ground/acts/record-act.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { parseWords } from './parse-words.ts';

/**
 * Mails a seller who objected why the link stays down.
 * @throws DomainError NOT_FOUND where no objection waits, INVALID_INPUT
 */
export async function answerObjection(
  { db, now }: DatabaseContext,
  { actor, id: linkId, words }: { actor: Actor; id: string; words: string },
): Promise<void> {
  const answer = parseWords(words);
  const answeredAt = now();
  await transaction(db, async (trx) => {
    const answered = await trx
      .updateTable('take_down')
      .set({ answer, answered_at: answeredAt })
      .where('link_id', '=', linkId)
      .where('undone_at', 'is', null)
      .where('objected_at', 'is not', null)
      .where('answered_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!answered) throw new DomainError('NOT_FOUND', 'No objection is waiting for an answer.');
    const notice = { takeDownId: answered.id, notice: 'answered' } as const;
    await enqueue(trx, 'send-take-down', notice, answeredAt);
    const act = { act: 'objection.answered', subject: { kind: 'link', id: linkId } } as const;
    await recordAct(trx, actor, { ...act, reason: answer }, answeredAt);
  });
}
