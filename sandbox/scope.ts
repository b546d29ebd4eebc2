import type Stripe from 'stripe';
import type { EventDeliveries } from './store/event-deliveries.ts';
import type { Objects } from './store/objects.ts';
import type { TaskName } from './store/schedule.ts';

export const PLATFORM = 'acct_sandbox';

/** What one request or one due task works with: one transaction, one account, one moment. */
export interface Scope {
  /** The connected account acted for; null for the platform itself. */
  account: string | null;
  /** Unix seconds, the unit of every time in the provider's JSON. */
  now: number;
  /** The API request that events are the consequence of; null for what happens by itself. */
  request: Stripe.Event.Request | null;
  /** The origin under which people reach the hosted pages. */
  publicUrl: string;
  objects: Objects;
  deliveries: EventDeliveries;
  /** Lets a task about an object of this account happen after some milliseconds. */
  later(task: TaskName, subject: string, delayMs: number): void;
  forAccount(account: string | null): Scope;
}

/** Where the sandbox says what happens to it; the product's pino logger fits. */
export interface SandboxLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
