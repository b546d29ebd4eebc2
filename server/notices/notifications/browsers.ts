import { ECDH } from 'node:crypto';
import { z } from 'zod';
import { putIntoEnglish } from '../../../contract/fact.ts';
import { checkUrl } from '../../../contract/link-rules.ts';
import { MAX_NOTIFIED_BROWSERS } from '../../../contract/notifications.ts';
import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { NotifiedBrowser } from './tables.ts';

interface Context extends DatabaseContext {
  /** Whether push services may be spoken to without TLS. */
  allowPrivate: boolean;
}

/** What a browser says of its subscription. */
type Subscription = Pick<NotifiedBrowser, 'endpoint' | 'p256dh' | 'auth'>;

/**
 * Has the browser of a session show each sale of its account from now on, or remembers its new
 * subscription. Of more browsers than an account can have, the one that was added first ends.
 * @throws DomainError INVALID_INPUT
 */
export async function notifyBrowser(
  { db, allowPrivate, now }: Context,
  { ownerId, sessionId }: { ownerId: string; sessionId: string },
  subscription: Subscription,
): Promise<void> {
  check(subscription, allowPrivate);
  const { endpoint, p256dh, auth } = subscription;
  const known = { owner_id: ownerId, endpoint, p256dh, auth, failing_since: null };
  await transaction(db, async (trx) => {
    // Holds the account's row: parallel additions count one after the other.
    await trx.updateTable('user').set({ id: ownerId }).where('id', '=', ownerId).execute();
    // A browser shows the sales of whoever turned it on last.
    await trx
      .deleteFrom('notified_browser')
      .where('endpoint', '=', endpoint)
      .where('session_id', '!=', sessionId)
      .execute();
    await trx
      .insertInto('notified_browser')
      .values({ ...known, session_id: sessionId, created_at: now() })
      .onConflict((conflict) => conflict.column('session_id').doUpdateSet(known))
      .execute();
    const surplus = await listNotifiedBrowsers(trx, ownerId);
    const others = surplus.filter(({ session_id }) => session_id !== sessionId);
    for (const { session_id } of others.slice(MAX_NOTIFIED_BROWSERS - 1)) {
      await trx.deleteFrom('notified_browser').where('session_id', '=', session_id).execute();
    }
  });
}

/** Ends it for a browser of the account's; for any other, nothing changes. */
export async function stopNotifying(
  db: Database,
  ownerId: string,
  sessionId: string,
): Promise<void> {
  await db
    .deleteFrom('notified_browser')
    .where('session_id', '=', sessionId)
    .where('owner_id', '=', ownerId)
    .execute();
}

/** The browsers of an account that are still signed in, the last one added first. */
export function listNotifiedBrowsers(db: Database, ownerId: string): Promise<NotifiedBrowser[]> {
  return db
    .selectFrom('notified_browser')
    .innerJoin('session', 'session.id', 'notified_browser.session_id')
    .where('owner_id', '=', ownerId)
    .orderBy('notified_browser.created_at', 'desc')
    .orderBy('session_id')
    .selectAll('notified_browser')
    .execute();
}

/** Forgets the browsers whose sessions have ended: nothing is sent to them any more. */
export async function sweepNotifiedBrowsers(db: Database): Promise<void> {
  await db
    .deleteFrom('notified_browser')
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('session')
            .whereRef('session.id', '=', 'notified_browser.session_id')
            .select('session.id'),
        ),
      ),
    )
    .execute();
}

const POINT_BYTES = 65;
const AUTH_BYTES = 16;
const BASE64URL = z.base64url();

function check({ endpoint, p256dh, auth }: Subscription, allowPrivate: boolean): void {
  const fault =
    checkUrl(endpoint) ??
    (allowPrivate || new URL(endpoint).protocol === 'https:'
      ? undefined
      : 'The address must begin with https://.');
  if (fault)
    throw refused(`The address of the push service is not valid. ${putIntoEnglish(fault)}`);
  if (bytesOf(auth)?.length !== AUTH_BYTES || !isPoint(bytesOf(p256dh))) {
    throw refused('The keys are not those of a push subscription.');
  }
}

const refused = (why: string) => new DomainError('INVALID_INPUT', why);

function bytesOf(text: string): Buffer | null {
  return BASE64URL.safeParse(text).success ? Buffer.from(text, 'base64url') : null;
}

/** Whether it is on the curve P-256, not compressed. */
function isPoint(bytes: Buffer | null): boolean {
  if (bytes?.length !== POINT_BYTES) return false;
  try {
    ECDH.convertKey(bytes, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}
