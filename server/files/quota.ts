import { fact } from '../../contract/fact.ts';
import { prepare } from '../ground/database/prepare.ts';
import type { Database } from '../ground/database/tables.ts';
import { DomainError } from '../ground/lib/domain-error.ts';
import { dayOf } from '../ground/lib/time.ts';
import type { AccountQuota } from './tables.ts';

/** What the operator allows this account in place of the settings; undefined where nothing is set. */
export async function findOwnQuota(
  db: Database,
  userId: string,
): Promise<AccountQuota | undefined> {
  const [quota] = await readQuota(db, userId);
  return quota;
}

const readQuota = prepare((db, userId: string) =>
  db.selectFrom('account_quota').where('user_id', '=', userId).selectAll(),
);

/**
 * Counts an upload of today, in the transaction that opens it, where there is a limit.
 * @param limit uploads a UTC day; null for any number
 * @param now UTC milliseconds
 * @throws DomainError QUOTA_EXCEEDED
 */
export async function countUpload(
  trx: Database,
  userId: string,
  limit: number | null,
  now: number,
): Promise<void> {
  if (limit === null) return;
  const day = dayOf(now);
  const { uploads } = await trx
    .insertInto('uploads_of_day')
    .values({ user_id: userId, day, uploads: 1 })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(({ eb }) => ({
        day,
        uploads: eb
          .case()
          .when('uploads_of_day.day', '=', day)
          .then(eb('uploads_of_day.uploads', '+', 1))
          .else(1)
          .end(),
      })),
    )
    .returning('uploads')
    .executeTakeFirstOrThrow();
  if (uploads <= limit) return;
  throw new DomainError(
    'QUOTA_EXCEEDED',
    fact(
      limit === 1
        ? 'Your account can start {limit} upload a day and has reached that limit today. Please continue after midnight UTC, or ask the operator of this site for more.'
        : 'Your account can start {limit} uploads a day and has reached that limit today. Please continue after midnight UTC, or ask the operator of this site for more.',
      { limit },
    ),
  );
}
