import type { Generated, Selectable } from 'kysely';
import type { HookEvent } from '../../../contract/hooks.ts';

/** An address of an account's own that is told of events: a webhook, as pages call it. */
interface HookTable {
  id: string;
  owner_id: string;
  /** 1 for an operator's, which is told of what happens to all sellers. */
  all_sellers: number;
  url: string;
  /** 'ended' by itself, after three days of failures. */
  state: 'on' | 'paused' | 'ended';
  /** Which of its secrets it has: each is derived, and none is stored. From 1. */
  generation: number;
  /** Until when the secret before is signed with as well. */
  earlier_until: Generated<number>;
  /** Since the last time it took something. */
  failures: Generated<number>;
  /** The first of them; null after a success. */
  failing_since: number | null;
  /** Nothing is sent before. */
  rest_until: Generated<number>;
  /** Until then, one run of a job alone sends to it. */
  busy_until: Generated<number>;
  created_at: number;
}

/** One event for one hook. */
interface HookMessageTable {
  /** The receiver's `webhook-id`, the same at each attempt. */
  id: string;
  hook_id: string;
  type: HookEvent;
  /** JSON, as it is sent. */
  body: string;
  state: 'waiting' | 'delivered' | 'given_up';
  /** Since it was wanted. */
  attempts: Generated<number>;
  /** When it happened, or was last asked to be sent again. */
  wanted_at: number;
  due_at: number;
  created_at: number;
}

interface HookAttemptTable {
  id: string;
  message_id: string;
  began_at: number;
  ms: number;
  /** Null where nothing was answered. */
  status: number | null;
  /** The beginning of what was answered, or why nothing was. */
  answer: string;
}

declare module '../../ground/database/tables.ts' {
  interface Tables {
    hook: HookTable;
    hook_message: HookMessageTable;
    hook_attempt: HookAttemptTable;
  }
}

export type Hook = Selectable<HookTable>;
export type HookMessage = Selectable<HookMessageTable>;
export type HookAttempt = Selectable<HookAttemptTable>;
