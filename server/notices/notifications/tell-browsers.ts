import { sql } from 'kysely';
import type { Language } from '../../../contract/languages.ts';
import type { PushText, PushTexts } from '../../../contract/mails.ts';
import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../ground/lib/time.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import type { JobPayloads } from '../../ground/outbox/tables.ts';
import { listNotifiedBrowsers } from './browsers.ts';
import type { NotifiedBrowser } from './tables.ts';

/** What a browser shows. */
interface PushMessage extends PushText {
  /** One that is shown again takes the place of the one before. */
  tag: string;
  /** What a click opens. */
  path: string;
}

/**
 * Hands a message to a browser's push service: 'gone' where that knows the browser no more. Never
 * throws for what goes wrong there.
 */
export type SendPush = (
  browser: Pick<NotifiedBrowser, 'endpoint' | 'p256dh' | 'auth'>,
  message: PushMessage,
) => Promise<'taken' | 'gone' | 'failed'>;

interface Context extends DatabaseContext {
  sendPush: SendPush;
  pushTexts: PushTexts;
}

/** How long a message is worth showing, and how long a push service may fail. */
export const PUSH_PATIENCE_MS = DAY_MS;

/** Writes a job for each browser of a seller, so that each is told by itself. */
export async function tellBrowsers(
  { db, now }: DatabaseContext,
  sales: JobPayloads['tell-browsers'],
): Promise<void> {
  await transaction(db, async (trx) => {
    for (const { session_id: sessionId } of await listNotifiedBrowsers(trx, sales.ownerId)) {
      await enqueue(trx, 'tell-browser', { ...sales, sessionId }, now());
    }
  });
}

/**
 * Tells one browser of a sale or of an hour's sales. What its push service does not take is tried
 * for a day, ever less often; a browser that fails for a day, or is gone, is told no more.
 * @param again runs the job once more, at a time in UTC milliseconds
 */
export async function tellBrowser(
  { db, sendPush, pushTexts, now }: Context,
  { sessionId, ...sales }: JobPayloads['tell-browser'],
  again: (at: number) => void,
): Promise<void> {
  const browser = await findBrowser(db, sales.ownerId, sessionId);
  const soldBy = sales.purchaseId === null ? sales.from + HOUR_MS : sales.from;
  if (!browser || now() - soldBy >= PUSH_PATIENCE_MS) return;
  const message = await writeMessage({ db, pushTexts }, browser.language, sales);
  if (!message) return;
  const outcome = await sendPush(browser, message);
  // As it was: a browser that subscribed anew meanwhile is another one.
  const { session_id, endpoint } = browser;
  const same = { session_id, endpoint };
  if (outcome === 'gone') return forget(db, same);
  if (outcome === 'taken') {
    if (browser.failing_since !== null) await noteFailing(db, same, null);
    return;
  }
  const at = now();
  const since = browser.failing_since ?? at;
  if (at - since >= PUSH_PATIENCE_MS) return forget(db, same);
  if (browser.failing_since === null) await noteFailing(db, same, at);
  again(at + Math.max(MINUTE_MS, at - soldBy));
}

type Same = Pick<NotifiedBrowser, 'session_id' | 'endpoint'>;

async function forget(db: Database, same: Same): Promise<void> {
  await db
    .deleteFrom('notified_browser')
    .where(({ and }) => and(same))
    .execute();
}

/** @param since when it first took nothing, UTC milliseconds; null for one that takes messages again */
async function noteFailing(db: Database, same: Same, since: number | null) {
  await db
    .updateTable('notified_browser')
    .set({ failing_since: since })
    .where(({ and }) => and(same))
    // Another message may have failed first.
    .$if(since !== null, (query) => query.where('failing_since', 'is', null))
    .execute();
}

/** Undefined where it was turned off, or its session has ended, as all of a suspended account do. */
function findBrowser(db: Database, ownerId: string, sessionId: string) {
  return db
    .selectFrom('notified_browser')
    .innerJoin('session', 'session.id', 'notified_browser.session_id')
    .innerJoin('user', 'user.id', 'notified_browser.owner_id')
    .where('session_id', '=', sessionId)
    .where('owner_id', '=', ownerId)
    .selectAll('notified_browser')
    .select('user.language')
    .executeTakeFirst();
}

/** Of the buyer it says nothing. Null where nothing is left to say. */
async function writeMessage(
  { db, pushTexts }: Pick<Context, 'db' | 'pushTexts'>,
  language: Language,
  { ownerId, purchaseId, from }: JobPayloads['tell-browsers'],
): Promise<PushMessage | null> {
  const settled = db.selectFrom('purchase').where('seller_id', '=', ownerId);
  const path = '/dashboard';
  if (purchaseId !== null) {
    const sale = await settled
      .where('id', '=', purchaseId)
      .select(['link_id', 'title', 'price_cents', 'fee_cents'])
      .executeTakeFirst();
    if (!sale) return null;
    const { title, link_id: linkId } = sale;
    const netCents = sale.price_cents - sale.fee_cents;
    const text = pushTexts.sale({ language, title, linkId, netCents });
    return { ...text, tag: purchaseId, path };
  }
  const { sales, net } = await settled
    .where('settled_at', '>=', from)
    .where('settled_at', '<', from + HOUR_MS)
    .select(({ fn }) => fn.countAll<number | string>().as('sales'))
    .select(sql<number | string | null>`sum(price_cents - fee_cents)`.as('net'))
    .executeTakeFirstOrThrow();
  if (Number(sales) === 0) return null;
  const text = pushTexts.sales({ language, sales: Number(sales), netCents: Number(net) });
  return { ...text, tag: `${ownerId} ${from}`, path };
}
