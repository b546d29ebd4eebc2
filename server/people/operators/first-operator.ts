import { sql } from 'kysely';
import { z } from 'zod';
import type { OperatorContext } from '../../ground/acts/operator-of.ts';
import { dialectOf } from '../../ground/database/dialect.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { createSigner } from '../../ground/lib/signer.ts';
import { makeOperator } from './make-operator.ts';

/** Any number that no other user of PostgreSQL's advisory locks takes. */
const LOCK = 7_203_115;

export interface FirstOperatorContext extends OperatorContext {
  secret: string;
}

/** Milliseconds: what is forgotten in a log or a terminal opens nothing later. */
const LIFETIME = 24 * 60 * 60 * 1_000;

/**
 * Signs what makes the first account that brings it an operator; null once there is an operator. It is
 * stored nowhere: every process reads what another gave out, and none does if all operators are
 * gone later.
 */
async function findSigner({ db, operatorEmails, secret }: FirstOperatorContext) {
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
  return createSigner(secret, `first operator ${last?.id ?? ''}`, z.object({ until: z.number() }));
}

/**
 * Whether this token would make whoever brings it the first operator now.
 * @param now UTC milliseconds
 */
export async function opensForFirstOperator(
  context: FirstOperatorContext,
  token: string,
  now: number,
): Promise<boolean> {
  const ticket = (await findSigner(context))?.read(token);
  return ticket ? now < ticket.until : false;
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
    if (!(await opensForFirstOperator({ ...context, db: trx }, token, now))) return false;
    const { id, email } = user;
    await makeOperator(trx, { kind: 'account', id, email }, id, now);
    return true;
  });
}

/**
 * The address that makes whoever opens it, confirms it and signs in the first operator, for a day from
 * now; null once there is one.
 * @param now UTC milliseconds
 */
export async function findFirstOperatorUrl(
  context: FirstOperatorContext,
  publicUrl: string,
  now: number,
): Promise<string | null> {
  const signer = await findSigner(context);
  return signer && `${publicUrl}/operator/welcome?token=${signer.sign({ until: now + LIFETIME })}`;
}
