import { failRefund, settleRefund } from '../operations/decide-refund.ts';
import { expireSession } from '../operations/expire-session.ts';
import { finishPayout } from '../operations/finish-payout.ts';
import { openDispute } from '../operations/open-dispute.ts';
import { failSettlement, settlePayment } from '../operations/settle-payment.ts';
import type { Scope } from '../scope.ts';
import type { TaskName } from '../store/schedule.ts';

const TASKS: Record<TaskName, (scope: Scope, subject: string) => void> = {
  expire_session(scope, id) {
    expireSession(scope, scope.objects.get('checkout.session', id));
  },
  fail_refund: failRefund,
  fail_settlement: failSettlement,
  finish_payout: finishPayout,
  open_dispute: openDispute,
  settle_payment: settlePayment,
  settle_refund: settleRefund,
};

/** Does what was put off until now, for the account that it was put off by. */
export function performTask(scope: Scope, task: TaskName, subject: string): void {
  TASKS[task](scope, subject);
}
