import { randomUUID } from 'node:crypto';
import type { DatabaseTransaction } from '../database/tables.ts';
import type { Actor } from './operator-of.ts';
import type { SubjectKind } from './tables.ts';

/** What an operator did, to what, and why. */
interface Act {
  /** Such as 'link.taken-down'. */
  act: string;
  subject: { kind: SubjectKind; id: string };
  reason?: string | null;
  /** Kept as JSON. No secrets, and no address that is not an operator's to keep. */
  details?: Record<string, unknown>;
}

/**
 * Records what an operator does, in the transaction that does it.
 * @param now UTC milliseconds
 */
export async function recordAct(
  trx: DatabaseTransaction,
  actor: Actor,
  { act, subject, reason = null, details }: Act,
  now: number,
): Promise<void> {
  await trx
    .insertInto('operator_act')
    .values({
      id: randomUUID(),
      acted_at: now,
      actor_kind: actor.kind,
      actor_id: actor.kind === 'account' ? actor.id : null,
      act,
      subject_kind: subject.kind,
      subject_id: subject.id,
      reason,
      details: details ? JSON.stringify(details) : null,
    })
    .execute();
}
