import type { Database } from '../database/tables.ts';
import { DomainError } from '../lib/domain-error.ts';
import { requireFreshSignIn, type User, type Viewer } from '../lib/viewer.ts';

/** Who acts with an operator's authority. */
export type Actor =
  | { kind: 'account'; id: string; email: string }
  | { kind: 'service-key' | 'cli' };

export interface OperatorContext {
  db: Database;
  /** In lower case: whoever confirmed one of these addresses is an operator. */
  operatorEmails: readonly string[];
}

/** The viewer as an operator; null for everybody else. Asks the database for who is signed in alone. */
export async function operatorOf(
  { db, operatorEmails }: OperatorContext,
  { authority, user }: Pick<Viewer, 'authority'> & { user: Pick<User, 'id'> | null },
): Promise<Actor | null> {
  if (authority === 'operator') return { kind: 'service-key' };
  if (!user) return null;
  const account = await db
    .selectFrom('user')
    .leftJoin('operator', 'operator.user_id', 'user.id')
    .where('user.id', '=', user.id)
    .select(['user.email', 'user.emailVerified', 'operator.granted_at'])
    .executeTakeFirst();
  if (!account) return null;
  const isOne = isOperator(account, operatorEmails);
  return isOne ? { kind: 'account', id: user.id, email: account.email } : null;
}

interface Account {
  email: string;
  emailVerified: number | boolean;
  /** When it was made an operator's. */
  granted_at: number | null;
}

export function isOperator(
  { email, emailVerified, granted_at }: Account,
  operatorEmails: readonly string[],
): boolean {
  return granted_at !== null || (Boolean(emailVerified) && operatorEmails.includes(email));
}

type Asked = OperatorContext & { viewer: Viewer };

/**
 * Lets operators read what only they may.
 * @throws DomainError NOT_FOUND for everybody else: nobody learns that there is such a thing
 */
export async function requireOperator(asked: Asked): Promise<Actor> {
  const actor = await operatorOf(asked, asked.viewer);
  if (actor) return actor;
  throw new DomainError('NOT_FOUND', 'This does not exist.');
}

/**
 * Lets operators act, by an account only for a day after its sign-in.
 * @throws DomainError NOT_FOUND for everybody else, SESSION_NOT_FRESH
 */
export async function requireActingOperator(asked: Asked & { now: () => number }): Promise<Actor> {
  const actor = await requireOperator(asked);
  const { user } = asked.viewer;
  if (actor.kind === 'account' && user) requireFreshSignIn(user, asked.now());
  return actor;
}
