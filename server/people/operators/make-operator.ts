import type { Actor } from '../../ground/acts/operator-of.ts';
import { recordAct } from '../../ground/acts/record-act.ts';
import type { DatabaseTransaction } from '../../ground/database/tables.ts';

/**
 * Makes an account an operator; one that is stays one.
 * @param now UTC milliseconds
 */
export async function makeOperator(
  trx: DatabaseTransaction,
  actor: Actor,
  userId: string,
  now: number,
): Promise<void> {
  const made = await trx
    .insertInto('operator')
    .values({ user_id: userId, granted_at: now })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .returning('user_id')
    .executeTakeFirst();
  if (!made) return;
  await recordAct(
    trx,
    actor,
    { act: 'operator.made', subject: { kind: 'account', id: userId } },
    now,
  );
}
