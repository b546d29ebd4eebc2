import type { Endpoint } from '../endpoint.ts';
import { accounts } from './accounts.ts';
import { charges, disputes, refunds } from './charges.ts';
import { checkoutSessions } from './checkout-sessions.ts';
import { events } from './events.ts';
import { paymentMethodConfigurations } from './payment-method-configurations.ts';
import { testHelpers } from './test-helpers.ts';
import { balance, payouts, transfers } from './transfers.ts';

/** All that the sandbox can do. */
export const ENDPOINTS: Endpoint[] = [
  ...accounts,
  ...balance,
  ...charges,
  ...checkoutSessions,
  ...disputes,
  ...events,
  ...paymentMethodConfigurations,
  ...payouts,
  ...refunds,
  ...testHelpers,
  ...transfers,
];
