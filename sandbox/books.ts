import { join } from 'node:path';
import type Stripe from 'stripe';
import type { Scope } from './scope.ts';
import { createEventDeliveries } from './store/event-deliveries.ts';
import { createIdempotentReplies } from './store/idempotent-replies.ts';
import { objectsOf } from './store/objects.ts';
import { inSavepoint, inTransaction, openDatabase } from './store/open-database.ts';
import { createSchedule } from './store/schedule.ts';

export type Books = ReturnType<typeof openBooks>;

/** How often it is looked whether another process wrote, in milliseconds. */
const LOOK_EVERY_MS = 100;

/** All the state of the sandbox, and the only way to change it. */
export function openBooks(dataDir: string, publicUrl: string) {
  const db = openDatabase(join(dataDir, 'sandbox.sqlite'));
  const schedule = createSchedule(db);
  const deliveries = createEventDeliveries(db);
  const listeners = new Set<() => void>();

  function scopeFor(account: string | null, request: Stripe.Event.Request | null): Scope {
    const now = Math.floor(Date.now() / 1000);
    return {
      account,
      now,
      request,
      publicUrl,
      objects: objectsOf(db, account, now),
      deliveries,
      later(task, subject, delayMs) {
        schedule.add({ task, subject, account }, Date.now() + delayMs);
      },
      forAccount: (other) => scopeFor(other, request),
    };
  }

  const changes = db.prepare('SELECT total_changes() AS count');
  /** What was written outside `transact`, or taken back, is told with the next: once too often does no harm. */
  let counted = changes.get()?.count;

  function tell(): void {
    for (const listener of listeners) listener();
  }

  return {
    schedule,
    deliveries,
    replies: createIdempotentReplies(db),
    /** Runs the work in one transaction and then tells whoever waits for its consequences. */
    transact<T>(work: (scope: Scope) => T, request?: Stripe.Event.Request): T {
      const result = inTransaction(db, () => work(scopeFor(null, request ?? null)));
      const before = counted;
      counted = changes.get()?.count;
      if (counted !== before) tell();
      return result;
    },
    /** Runs work that changes nothing. */
    read: <T>(work: (scope: Scope) => T): T => work(scopeFor(null, null)),
    /** Within `transact`: keeps nothing of the work when it throws, but all that came before it. */
    attempt: <T>(work: () => T): T => inSavepoint(db, work),
    /** @returns ends it */
    onCommit(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Tells the same listeners of what other processes commit to the same file. @returns ends it */
    hearOthers(): () => void {
      const version = db.prepare('PRAGMA data_version');
      const read = () => version.get()?.data_version;
      let seen = read();
      const timer = setInterval(() => {
        const found = read();
        if (found !== seen) tell();
        seen = found;
      }, LOOK_EVERY_MS);
      return () => clearInterval(timer);
    },
    close: () => db.close(),
  };
}
