import type { JobHandlers } from '../../ground/outbox/worker.ts';
import type { ReviewContext } from '../../money/payments/review-payment.ts';
import { followTakeDown, refundTakenDown } from './follow-take-down.ts';

/** What follows a take-down. */
export function createModerationJobs(
  context: ReviewContext,
): Pick<JobHandlers, 'follow-take-down' | 'refund-taken-down'> {
  return {
    async 'follow-take-down'({ takeDownId }, again) {
      if (await followTakeDown(context, takeDownId)) again(context.now());
    },
    'refund-taken-down': ({ purchaseId }) => refundTakenDown(context, purchaseId),
  };
}
