import type { DatabaseSync } from 'node:sqlite';
import type Stripe from 'stripe';
import type { ThinEvent } from './kinds.ts';

export interface Delivery {
  event: Stripe.EventBase | ThinEvent;
  /** Attempts made so far. */
  attempts: number;
  createdMs: number;
}

export type EventDeliveries = ReturnType<typeof createEventDeliveries>;

/** The events that the product has not taken yet. */
export function createEventDeliveries(db: DatabaseSync) {
  const insert = db.prepare(
    'INSERT INTO event_delivery (event, created_ms, due_ms) VALUES (?, ?, ?)',
  );
  const selectDue = db.prepare(
    'SELECT event FROM event_delivery WHERE due_ms <= ? ORDER BY due_ms, rowid LIMIT ?',
  );
  const select = db.prepare(
    `SELECT json, attempts, created_ms FROM event_delivery JOIN object ON object.id = event
     WHERE event = ?`,
  );
  const selectNext = db.prepare(
    'SELECT min(due_ms) AS due_ms FROM event_delivery WHERE due_ms > ?',
  );
  const hurry = db.prepare('UPDATE event_delivery SET due_ms = min(due_ms, ?)');
  const retry = db.prepare(
    'UPDATE event_delivery SET attempts = attempts + 1, due_ms = ? WHERE event = ?',
  );
  const remove = db.prepare('DELETE FROM event_delivery WHERE event = ?');
  return {
    add(eventId: string, nowMs: number) {
      insert.run(eventId, nowMs, nowMs);
    },
    /** The ids of events that are due, those that have waited longest first, at most so many. */
    due: (nowMs: number, limit: number) =>
      selectDue.all(nowMs, limit).map(({ event }) => event as string),
    find(eventId: string): Delivery | undefined {
      const row = select.get(eventId);
      return (
        row && {
          event: JSON.parse(row.json as string),
          attempts: row.attempts as number,
          createdMs: row.created_ms as number,
        }
      );
    },
    /** When the next delivery after a moment is due, in unix milliseconds. */
    nextAfter: (nowMs: number) => (selectNext.get(nowMs)?.due_ms as number | null) ?? undefined,
    /** Makes every delivery due at once, whatever it was waiting for. */
    hurry(nowMs: number) {
      hurry.run(nowMs);
    },
    retryAt(eventId: string, dueMs: number) {
      retry.run(dueMs, eventId);
    },
    remove(eventId: string) {
      remove.run(eventId);
    },
  };
}
