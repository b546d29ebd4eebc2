import type { Said } from '../../../contract/fact.ts';
import type { Actor, OperatorContext } from '../../ground/acts/operator-of.ts';
import { recordAct } from '../../ground/acts/record-act.ts';
import { dialectOf } from '../../ground/database/dialect.ts';
import type { DatabaseContext, DatabaseTransaction } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { readReason } from '../../ground/lib/read-reason.ts';

/**
 * Makes an account that was made an operator an ordinary one, at once and in every process, and
 * withdraws the open invitations to operators.
 * @throws DomainError INVALID_INPUT without a reason, for the actor's own account, for one that
 * OPERATOR_EMAILS names, and for the last operator who can act; NOT_FOUND for no operator
 */
export async function removeOperator(
  { db, operatorEmails, now }: OperatorContext & DatabaseContext,
  actor: Actor,
  { userId, reason: words }: { userId: string; reason: string },
): Promise<void> {
  const reason = readReason(words);
  if (actor.kind === 'account' && actor.id === userId) {
    throw refused('You cannot remove yourself. Ask another operator.');
  }
  await transaction(db, async (trx) => {
    const operators = await findOperators(trx, operatorEmails);
    const operator = operators.find(({ id }) => id === userId);
    if (!operator) throw new DomainError('NOT_FOUND', 'This account is not an operator.');
    if (operator.isNamed) {
      throw refused(
        'OPERATOR_EMAILS names this operator: take the address out of it, and restart Padlink.',
      );
    }
    if (!operators.some(({ id, isSuspended }) => id !== userId && !isSuspended)) {
      throw refused('This is the last operator. Invite another one first.');
    }
    await trx.deleteFrom('operator').where('user_id', '=', userId).execute();
    // One may be to an address of theirs: whoever is to become an operator is invited anew.
    await trx
      .updateTable('invitation')
      .set({ revoked_at: now() })
      .where('role', '=', 'operator')
      .where('accepted_at', 'is', null)
      .where('revoked_at', 'is', null)
      .execute();
    const subject = { kind: 'account', id: userId } as const;
    await recordAct(trx, actor, { act: 'operator.removed', subject, reason }, now());
  });
}

const refused = (said: Said) => new DomainError('INVALID_INPUT', said);

/** All there are, and none more until the transaction ends: two may remove each other. */
async function findOperators(trx: DatabaseTransaction, operatorEmails: readonly string[]) {
  const made = await trx
    .selectFrom('operator')
    .orderBy('user_id')
    .select('user_id')
    .$if(dialectOf(trx) === 'postgres', (query) => query.forUpdate())
    .execute();
  const accounts = await trx
    .selectFrom('user')
    .leftJoin('suspension', 'suspension.user_id', 'user.id')
    .where(({ eb, or }) =>
      or([
        eb('user.id', 'in', ['', ...made.map(({ user_id }) => user_id)]),
        eb('user.email', 'in', ['', ...operatorEmails]),
      ]),
    )
    .select(['user.id', 'user.email', 'user.emailVerified', 'suspension.suspended_at'])
    .execute();
  return accounts
    .map(({ id, email, emailVerified, suspended_at }) => ({
      id,
      isNamed: Boolean(emailVerified) && operatorEmails.includes(email),
      isSuspended: suspended_at !== null,
    }))
    .filter(({ id, isNamed }) => isNamed || made.some(({ user_id }) => user_id === id));
}
