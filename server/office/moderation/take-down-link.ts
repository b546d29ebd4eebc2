import { randomUUID } from 'node:crypto';
import { fact } from '../../../contract/fact.ts';
import { MAX_REFUND_DAYS } from '../../../contract/moderation.ts';
import { TEXTS } from '../../../contract/texts.ts';
import type { Link } from '../../catalog/links/tables.ts';
import { tellLink } from '../../catalog/links/tell-link.ts';
import { blockFiles } from '../../files/blocked-files.ts';
import type { Actor } from '../../ground/acts/operator-of.ts';
import { recordAct } from '../../ground/acts/record-act.ts';
import type { DatabaseContext, DatabaseTransaction } from '../../ground/database/tables.ts';
import { announce, transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { DAY_MS } from '../../ground/lib/time.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { parseReason, parseWords } from './parse-words.ts';

interface TakeDownInput {
  actor: Actor;
  /** Of the link. */
  id: string;
  /** One of MODERATION_REASONS. */
  reason: string;
  /** For the seller. */
  words: string;
  /** Refunds in full whoever bought it in so many days; null for nobody. */
  refundDays?: number | null | undefined;
}

/**
 * Takes a link from everybody but the operator, at once and on every process: its page, its
 * content, downloads that run, and checkouts. The bytes of its files are refused from then on,
 * whoever uploads them. Seller and buyers are told by jobs.
 * @throws DomainError LINK_NOT_FOUND, INVALID_INPUT
 */
export async function takeDownLink(
  { db, now }: DatabaseContext,
  { actor, id: linkId, refundDays = null, ...input }: TakeDownInput,
): Promise<void> {
  const reason = parseReason(input.reason);
  const words = parseWords(input.words);
  if (refundDays !== null && !(refundDays >= 1 && refundDays <= MAX_REFUND_DAYS)) {
    throw new DomainError(
      'INVALID_INPUT',
      fact('Refund the last 1 to {limit} days.', { limit: MAX_REFUND_DAYS }),
    );
  }
  const takenDownAt = now();
  await transaction(db, async (trx) => {
    const link = await close(trx, linkId, takenDownAt);
    const { owner_id: ownerId } = link;
    const id = randomUUID();
    await trx
      .insertInto('take_down')
      .values({
        id,
        link_id: linkId,
        reason,
        words,
        taken_down_at: takenDownAt,
        refunded_from: refundDays === null ? null : takenDownAt - refundDays * DAY_MS,
        objection: null,
        objected_at: null,
        answer: null,
        answered_at: null,
        undone_at: null,
      })
      .execute();
    await blockFiles(trx, { linkId, takeDownId: id });
    await trx
      .updateTable('report')
      .set({ closed_at: takenDownAt })
      .where('link_id', '=', linkId)
      .where('closed_at', 'is', null)
      .execute();
    await enqueue(trx, 'end-checkouts', { ownerId, linkId }, takenDownAt);
    await enqueue(trx, 'send-take-down', { takeDownId: id, notice: 'taken-down' }, takenDownAt);
    await enqueue(trx, 'follow-take-down', { takeDownId: id }, takenDownAt);
    const act = { act: 'link.taken-down', subject: { kind: 'link', id: linkId } } as const;
    const details = { takeDownId: id, category: reason, refundDays };
    await recordAct(trx, actor, { ...act, reason: words, details }, takenDownAt);
    announce(trx, { kind: 'link-taken-down', id: linkId, ownerId });
    await tellLink(trx, 'link.updated', link, takenDownAt);
  });
}

/** @returns the link as it is now */
async function close(trx: DatabaseTransaction, linkId: string, now: number): Promise<Link> {
  const link = await trx
    .updateTable('link')
    .set((update) => ({ taken_down_at: now, version: update('version', '+', 1) }))
    .where('id', '=', linkId)
    .where('taken_down_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (link) return link;
  const known = await trx
    .selectFrom('link')
    .select('id')
    .where('id', '=', linkId)
    .executeTakeFirst();
  if (!known) throw new DomainError('LINK_NOT_FOUND', TEXTS.linkNotFound);
  throw new DomainError('INVALID_INPUT', 'This link is already taken down.');
}
