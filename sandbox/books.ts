import { join } from 'node:path';
import type Stripe from 'stripe';
import type { Scope } from './scope.ts';
import { createEventDeliveries, type EventDeliveries } from './store/event-deliveries.ts';
import { createIdempotentReplies, type IdempotentReplies } from './store/idempotent-replies.ts';
import { objectsOf } from './store/objects.ts';
import { inSavepoint, inTransaction, openDatabase } from './store/open-database.ts';
import { createSchedule, type Schedule } from './store/schedule.ts';

/** All the state of the sandbox, and the only way to change it. */
export interface Books {
  schedule: Schedule;
  deliveries: EventDeliveries;
  replies: IdempotentReplies;
  /** Runs the work in one transaction and then tells whoever waits for its consequences. */
  transact<T>(work: (scope: Scope) => T, request?: Stripe.Event.Request): T;
  /** Within `transact`: keeps nothing of the work when it throws, but all that came before it. */
  attempt<T>(work: () => T): T;
  /** @returns ends it */
  onCommit(listener: () => void): () => void;
  /** Tells the same listeners of what other processes commit to the same file. @returns ends it */
  hearOthers(): () => void;
  close(): void;
}

/** How often it is looked whether another process wrote, in milliseconds. */
const LOOK_EVERY_MS = 100;

export function openBooks(dataDir: string, publicUrl: string): Books {
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
  const countChanges = () => changes.get()?.count;

  function tell(): void {
    for (const listener of listeners) listener();
  }

  return {
    schedule,
    deliveries,
    replies: createIdempotentReplies(db),
    transact(work, request) {
      const before = countChanges();
      const result = inTransaction(db, () => work(scopeFor(null, request ?? null)));
      if (countChanges() !== before) tell();
      return result;
    },
    attempt: (work) => inSavepoint(db, work),
    onCommit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    hearOthers() {
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
