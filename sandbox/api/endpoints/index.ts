import type { Endpoint } from '../endpoint.ts';
import { accounts } from './accounts.ts';
import { balance } from './balance.ts';
import { charges } from './charges.ts';
import { checkoutSessions } from './checkout-sessions.ts';
import { disputes } from './disputes.ts';
import { events } from './events.ts';
import { payouts } from './payouts.ts';
import { refunds } from './refunds.ts';
import { transfers } from './transfers.ts';

/** All that the sandbox can do. */
export const ENDPOINTS: Endpoint[] = [
  ...accounts,
  ...balance,
  ...charges,
  ...checkoutSessions,
  ...disputes,
  ...events,
  ...payouts,
  ...refunds,
  ...transfers,
];
