import type { Database } from '../../tables.ts';
import type { SecretKey } from '../tables.ts';

/** Reading a key must stay a read: its last use is exact to a minute. */
const PRECISION_MS = 60_000;

/** Notes that a key was used at `now` (UTC milliseconds), at most once a minute. */
export async function recordKeyUse(
  db: Database,
  key: Pick<SecretKey, 'id' | 'last_used_at'>,
  now: number,
): Promise<void> {
  if (key.last_used_at !== null && now - key.last_used_at < PRECISION_MS) return;
  await db
    .updateTable('secret_key')
    .set({ last_used_at: now })
    .where('id', '=', key.id)
    .where(({ eb, or }) =>
      or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', now - PRECISION_MS)]),
    )
    .execute();
}
