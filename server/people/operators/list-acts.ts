import type { ActorKind, OperatorAct, SubjectKind } from '../../ground/acts/tables.ts';
import type { Database } from '../../ground/database/tables.ts';
import { ROWS_OF_PAGE, readToken, toPage } from '../../ground/lib/newest-first.ts';

export interface ActView {
  id: string;
  /** UTC milliseconds. */
  actedAt: number;
  actorKind: ActorKind;
  /** Email address, as it is now; null for no account, and for one that was deleted. */
  actorEmail: string | null;
  act: string;
  subjectKind: SubjectKind;
  subjectId: string;
  reason: string | null;
  /** JSON. */
  details: string | null;
}

/**
 * What operators did, newest first, by keyset: all of it, or what was done to one subject.
 * @param token where the last page ended; null for the first one
 * @throws DomainError INVALID_INPUT for a token of another list
 */
export async function listActs(
  db: Database,
  { token, subject }: { token: string | null; subject?: { kind: SubjectKind; id: string } },
): Promise<{ acts: ActView[]; nextToken: string | null }> {
  let asked = db
    .selectFrom('operator_act')
    .leftJoin('user', 'user.id', 'operator_act.actor_id')
    .selectAll('operator_act')
    .select('user.email as actor_email')
    .orderBy('operator_act.acted_at', 'desc')
    .orderBy('operator_act.id', 'desc')
    .limit(ROWS_OF_PAGE);
  if (subject) {
    asked = asked
      .where('operator_act.subject_kind', '=', subject.kind)
      .where('operator_act.subject_id', '=', subject.id);
  }
  if (token !== null) {
    const { time, id } = readToken('acts', token);
    asked = asked.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('operator_act.acted_at', 'operator_act.id'), '<', tuple(time, id)),
    );
  }
  const rows = await asked.execute();
  const { page, nextToken } = toPage('acts', rows, ({ acted_at: time, id }) => ({ time, id }));
  return { acts: page.map(viewAct), nextToken };
}

function viewAct(row: OperatorAct & { actor_email: string | null }): ActView {
  return {
    id: row.id,
    actedAt: row.acted_at,
    actorKind: row.actor_kind,
    actorEmail: row.actor_email,
    act: row.act,
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    reason: row.reason,
    details: row.details,
  };
}
