import { timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { dialectOf } from '../database/dialect.ts';
import { transaction } from '../database/transaction.ts';
import { derive } from '../lib/signer.ts';
import { makeOperator } from './make-operator.ts';
import type { OperatorContext } from './operator-of.ts';

/** Any number that no other user of PostgreSQL's advisory locks takes. */
const LOCK = 7_203_115;

export interface FirstOperatorContext extends OperatorContext {
  secret: string;
}

/**
 * What makes the first account that brings it an operator; null once there is an operator. It is
 * stored nowhere: every process and every start finds the same one, and another one if all
 * operators are gone later.
 */
async function findFirstOperatorToken({
  db,
  operatorEmails,
  secret,
}: FirstOperatorContext): Promise<string | null> {
  if (operatorEmails.length > 0) return null;
  const operator = await db.selectFrom('operator').select('user_id').limit(1).executeTakeFirst();
  if (operator) return null;
  const last = await db
    .selectFrom('operator_act')
    .where('act', '=', 'operator.made')
    .orderBy('acted_at', 'desc')
    .orderBy('id', 'desc')
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return derive(secret, `first operator ${last?.id ?? ''}`);
}

/** Whether this token would make whoever brings it the first operator now. */
export async function opensForFirstOperator(
  context: FirstOperatorContext,
  token: string,
): Promise<boolean> {
  const expected = await findFirstOperatorToken(context);
  if (expected === null) return false;
  const [given, wanted] = [Buffer.from(token), Buffer.from(expected)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/**
 * Makes an account the first operator, if the token says so: of several that bring it, one.
 * @param now UTC milliseconds
 * @returns whether it did
 */
export function makeFirstOperator(
  context: FirstOperatorContext,
  { user, token }: { user: { id: string; email: string }; token: string },
  now: number,
): Promise<boolean> {
  return transaction(context.db, async (trx) => {
    if (dialectOf(trx) === 'postgres')
      await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
    if (!(await opensForFirstOperator({ ...context, db: trx }, token))) return false;
    const { id, email } = user;
    await makeOperator(trx, { kind: 'account', id, email }, id, now);
    return true;
  });
}

/** The address that makes whoever opens it and signs in the first operator; null once there is one. */
export async function findFirstOperatorUrl(
  context: FirstOperatorContext,
  publicUrl: string,
): Promise<string | null> {
  const token = await findFirstOperatorToken(context);
  return token && `${publicUrl}/operator/welcome?token=${token}`;
}
