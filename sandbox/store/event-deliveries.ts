import type { DatabaseSync } from 'node:sqlite';
import type Stripe from 'stripe';
import type { ThinEvent } from './kinds.ts';

export interface Delivery {
  event: Stripe.EventBase | ThinEvent;
  /** Attempts made so far. */
  attempts: number;
  createdMs: number;
}

/** The events that the product has not taken yet. */
export interface EventDeliveries {
  add(eventId: string, nowMs: number): void;
  /** The ids of events that are due, those that have waited longest first, at most so many. */
  due(nowMs: number, limit: number): string[];
  find(eventId: string): Delivery | undefined;
  /** When the next delivery after a moment is due, in unix milliseconds. */
  nextAfter(nowMs: number): number | undefined;
  /** Makes every delivery due at once, whatever it was waiting for. */
  hurry(nowMs: number): void;
  retryAt(eventId: string, dueMs: number): void;
  remove(eventId: string): void;
}

export function createEventDeliveries(db: DatabaseSync): EventDeliveries {
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
    add(eventId, nowMs) {
      insert.run(eventId, nowMs, nowMs);
    },
    due: (nowMs, limit) => selectDue.all(nowMs, limit).map(({ event }) => event as string),
    find(eventId) {
      const row = select.get(eventId);
      return (
        row && {
          event: JSON.parse(row.json as string),
          attempts: row.attempts as number,
          createdMs: row.created_ms as number,
        }
      );
    },
    nextAfter: (nowMs) => (selectNext.get(nowMs)?.due_ms as number | null) ?? undefined,
    hurry(nowMs) {
      hurry.run(nowMs);
    },
    retryAt(eventId, dueMs) {
      retry.run(dueMs, eventId);
    },
    remove(eventId) {
      remove.run(eventId);
    },
  };
}
