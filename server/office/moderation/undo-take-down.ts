import { TEXTS } from '../../../contract/texts.ts';
import { tellLink } from '../../catalog/links/tell-link.ts';
import { unblockFiles } from '../../files/blocked-files.ts';
import type { Actor } from '../../ground/acts/operator-of.ts';
import { recordAct } from '../../ground/acts/record-act.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { announce, transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { parseWords } from './parse-words.ts';

/**
 * Gives a link that was taken down back as it was: to its seller, to buyers who were not refunded,
 * and, unless it was deleted or paused, to everybody.
 * @throws DomainError LINK_NOT_FOUND for one that is not taken down, INVALID_INPUT
 */
export async function undoTakeDown(
  { db, now }: DatabaseContext,
  { actor, id: linkId, words }: { actor: Actor; id: string; words: string },
): Promise<void> {
  const reason = parseWords(words);
  const undoneAt = now();
  await transaction(db, async (trx) => {
    const link = await trx
      .updateTable('link')
      .set((update) => ({ taken_down_at: null, version: update('version', '+', 1) }))
      .where('id', '=', linkId)
      .where('taken_down_at', 'is not', null)
      .returningAll()
      .executeTakeFirst();
    if (!link) throw new DomainError('LINK_NOT_FOUND', TEXTS.linkNotFound);
    const undone = await trx
      .updateTable('take_down')
      .set({ undone_at: undoneAt })
      .where('link_id', '=', linkId)
      .where('undone_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (undone) {
      await unblockFiles(trx, undone.id);
      await enqueue(trx, 'send-take-down', { takeDownId: undone.id, notice: 'undone' }, undoneAt);
    }
    const act = { act: 'link.restored', subject: { kind: 'link', id: linkId } } as const;
    await recordAct(trx, actor, { ...act, reason }, undoneAt);
    const { owner_id: ownerId } = link;
    if (link.deleted_at === null) announce(trx, { kind: 'link-created', id: linkId, ownerId });
    announce(trx, { kind: 'link-updated', id: linkId, ownerId });
    await tellLink(trx, 'link.updated', link, undoneAt);
  });
}
