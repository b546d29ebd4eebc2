import { randomUUID } from 'node:crypto';
import { isSuspended } from '../../ground/acts/is-suspended.ts';
import { operatorOf } from '../../ground/acts/operator-of.ts';
import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { retryDelay } from '../../ground/outbox/retry-delay.ts';
import { HEALTHY } from './change-hook.ts';
import { signMessage } from './hook-secret.ts';
import type { Hook, HookMessage } from './tables.ts';

/** What a receiver answered; `status` is null where it did not. */
export interface HookAnswer {
  status: number | null;
  /** The beginning of its body, or why there was none: a fact, as one is kept. */
  answer: string;
}

/**
 * Posts to an address, JSON where no header says otherwise. Never throws: whatever goes wrong there
 * is an answer.
 */
export type PostHook = (
  url: string,
  message: { headers: Record<string, string | number>; body: string | Uint8Array },
) => Promise<HookAnswer>;

export interface ServeContext extends DatabaseContext {
  post: PostHook;
  /** The installation's. */
  secret: string;
  operatorEmails: readonly string[];
}

/** An attempt ends before. */
const BUSY_MS = 15_000;
/** A receiver that is slow lets others have its place after so long. */
const RUN_MS = 10_000;
/** When it is looked again for a receiver that another run sends to. */
const LOOK_AGAIN_MS = 1_000;
const SUSPENDED_MS = 60 * 60 * 1000;
/** How long a message is tried, and how long a receiver may fail. */
const PATIENCE_MS = 3 * 24 * 60 * 60 * 1000;

/**
 * Sends a webhook what waits for it, one message after the other. One that fails rests, longer each
 * time, with all its messages: so that it takes a place of the lane for one attempt at a time. A
 * message that alone is refused waits behind the others.
 *
 * Each message comes with a job of its own; a run does what is left to do for all of them, and
 * removes the others that wait. @param again runs the job once more, at a time in UTC milliseconds
 */
export async function serveHook(
  context: ServeContext,
  hookId: string,
  again: (at: number) => void,
): Promise<void> {
  const { db, now } = context;
  await db
    .deleteFrom('job')
    .where('kind', '=', 'serve-hook')
    .where('payload', '=', JSON.stringify({ hookId }))
    .where('locked_until', '<=', now())
    .execute();
  const hook = await findHook(db, hookId);
  if (hook?.state !== 'on') return;
  const standing = await standingOf(context, hook);
  if (standing === 'suspended') return again(now() + SUSPENDED_MS);
  if (standing === 'ended') return endHook(db, hook.id);
  if (hook.rest_until > now()) return again(hook.rest_until);
  if (!(await takeTurn(db, hookId, now()))) return again(now() + LOOK_AGAIN_MS);
  try {
    await sendAll(context, hookId);
  } finally {
    await db.updateTable('hook').set({ busy_until: 0 }).where('id', '=', hookId).execute();
  }
  const next = await db
    .selectFrom('hook_message')
    .innerJoin('hook', 'hook.id', 'hook_message.hook_id')
    .where('hook_id', '=', hookId)
    .where('hook.state', '=', 'on')
    .where('hook_message.state', '=', 'waiting')
    .orderBy('due_at')
    .select(['due_at', 'rest_until'])
    .limit(1)
    .executeTakeFirst();
  if (next) again(Math.max(next.due_at, next.rest_until, now()));
}

/** Of all runs for one receiver, one at a time sends. */
async function takeTurn(db: Database, hookId: string, now: number): Promise<boolean> {
  const taken = await db
    .updateTable('hook')
    .set({ busy_until: now + BUSY_MS })
    .where('id', '=', hookId)
    .where('busy_until', '<=', now)
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

async function sendAll(context: ServeContext, hookId: string): Promise<void> {
  const { db, now } = context;
  const end = now() + RUN_MS;
  do {
    const hook = await findHook(db, hookId);
    if (hook?.state !== 'on' || (await standingOf(context, hook)) !== 'told') return;
    const message = await db
      .selectFrom('hook_message')
      .selectAll()
      .where('hook_id', '=', hookId)
      .where('state', '=', 'waiting')
      .where('due_at', '<=', now())
      .orderBy('due_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (!message) return;
    const busy = { busy_until: now() + BUSY_MS };
    await db.updateTable('hook').set(busy).where('id', '=', hookId).execute();
    if (!(await attempt(context, hook, message))) return;
  } while (now() < end);
}

/** @returns whether the receiver took the message */
async function attempt(
  { db, post, secret, now }: ServeContext,
  hook: Hook,
  message: HookMessage,
): Promise<boolean> {
  const began = now();
  const headers = signMessage(secret, hook, message, began);
  const { status, answer } = await post(hook.url, { headers, body: message.body });
  const isTaken = status !== null && status >= 200 && status < 300;
  const at = now();
  await transaction(db, async (trx) => {
    const still = await trx
      .updateTable('hook')
      .set(isTaken ? HEALTHY : failed(hook, began, at))
      .where('id', '=', hook.id)
      .where('state', '=', hook.state)
      .returning('state')
      .executeTakeFirst();
    const known = await trx
      .updateTable('hook_message')
      .set(isTaken ? { state: 'delivered' } : postponed(message, at))
      .where('id', '=', message.id)
      .returning('id')
      .executeTakeFirst();
    if (!known) return;
    await trx
      .insertInto('hook_attempt')
      .values({
        id: randomUUID(),
        message_id: message.id,
        began_at: began,
        ms: Math.max(0, at - began),
        status,
        answer,
      })
      .execute();
    if (still?.state !== 'ended') return;
    await giveUpWaiting(trx, hook.id);
    await enqueue(trx, 'send-hook-ended', { hookId: hook.id }, at);
  });
  return isTaken;
}

function failed({ failures, failing_since }: Hook, began: number, at: number) {
  const since = failing_since ?? began;
  return {
    failures: failures + 1,
    failing_since: since,
    rest_until: at + retryDelay(failures),
    state: at - since >= PATIENCE_MS ? ('ended' as const) : ('on' as const),
  };
}

function postponed({ attempts, wanted_at: wantedAt }: HookMessage, at: number) {
  return {
    attempts: attempts + 1,
    due_at: at + retryDelay(attempts),
    state: at - wantedAt >= PATIENCE_MS ? ('given_up' as const) : ('waiting' as const),
  };
}

/** An operator's webhook ends with the operator's rights. */
async function endHook(db: Database, hookId: string): Promise<void> {
  await transaction(db, async (trx) => {
    await trx.updateTable('hook').set({ state: 'ended' }).where('id', '=', hookId).execute();
    await giveUpWaiting(trx, hookId);
  });
}

async function giveUpWaiting(db: Database, hookId: string): Promise<void> {
  await db
    .updateTable('hook_message')
    .set({ state: 'given_up' })
    .where('hook_id', '=', hookId)
    .where('state', '=', 'waiting')
    .execute();
}

function findHook(db: Database, id: string): Promise<Hook | undefined> {
  return db.selectFrom('hook').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Asked before each message: a run goes on for a while. */
async function standingOf(
  context: ServeContext,
  { owner_id: id, all_sellers }: Hook,
): Promise<'told' | 'suspended' | 'ended'> {
  if (await isSuspended(context.db, id)) return 'suspended';
  if (all_sellers === 0) return 'told';
  const operator = await operatorOf(context, { authority: 'creator', user: { id } });
  return operator ? 'told' : 'ended';
}
