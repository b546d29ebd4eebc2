import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../ground/lib/time.ts';
import type { JobHandlers } from '../../ground/outbox/worker.ts';
import type { PayoutContext } from './context.ts';
import { followPayout } from './follow-payout.ts';
import { followAccount } from './payout-account.ts';

/** An account that nobody has completed by then is asked after only when an event comes. */
const ONBOARDING_MS = 30 * DAY_MS;

/** What payouts and the accounts they go to lead to. */
export function createPayoutJobs(
  context: PayoutContext,
): Pick<JobHandlers, 'follow-payout' | 'follow-payout-account'> {
  return {
    async 'follow-payout'({ payoutId, once }, again) {
      const at = await followPayout(context, payoutId);
      if (at !== null && !once) again(at);
    },
    async 'follow-payout-account'({ accountId, once }, again) {
      const account = await followAccount(context, accountId);
      if (once || !account || account.is_ready) return;
      const now = context.now();
      const age = now - account.created_at;
      if (age < ONBOARDING_MS) again(now + (age < HOUR_MS ? 5 * MINUTE_MS : 6 * HOUR_MS));
    },
  };
}
