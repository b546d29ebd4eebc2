import type { SubjectKind } from '../../ground/acts/tables.ts';
import type { Database } from '../../ground/database/tables.ts';
import { readPage } from '../../ground/lib/newest-first.ts';

/**
 * What operators did, newest first: all of it, or what was done to one subject.
 * @param token where the last page ended; null for the first one
 * @throws DomainError INVALID_INPUT for a token of another list
 */
export function listActs(
  db: Database,
  { token, subject }: { token: string | null; subject?: { kind: SubjectKind; id: string } },
) {
  let acts = db
    .selectFrom('operator_act')
    .leftJoin('user', 'user.id', 'operator_act.actor_id')
    .select(['operator_act.id', 'acted_at as actedAt', 'actor_kind as actorKind', 'act'])
    // As it is now; null for no account, and for one that was deleted.
    .select('user.email as actorEmail')
    .select(['subject_kind as subjectKind', 'subject_id as subjectId', 'reason', 'details']);
  if (subject) {
    acts = acts.where('subject_kind', '=', subject.kind).where('subject_id', '=', subject.id);
  }
  return readPage(acts, {
    list: 'acts',
    by: ['operator_act.acted_at', 'operator_act.id'],
    placeOf: ({ actedAt: time, id }) => ({ time, id }),
    token,
  });
}
