import type { Books } from './books.ts';
import { openDispute } from './operations/disputes.ts';
import { expireSession } from './operations/end-session.ts';
import { failSettlement, settlePayment } from './operations/finish-payment.ts';
import { finishPayout } from './operations/payouts.ts';
import { failRefund, settleRefund } from './operations/refunds.ts';
import type { SandboxLog, Scope } from './scope.ts';
import type { TaskName } from './store/schedule.ts';

const RETRY_MS = 60_000;

/**
 * Performs scheduled tasks as they fall due, each with its row's removal in one transaction.
 * Returns the function that ends it.
 */
export function runDueTasks(books: Books, log: SandboxLog): () => void {
  let timer: NodeJS.Timeout | undefined;

  function arm(): void {
    clearTimeout(timer);
    const next = books.schedule.next();
    if (next === undefined) return;
    timer = setTimeout(performDue, Math.max(0, next - Date.now()));
  }

  function performDue(): void {
    for (const { id, task, subject, account } of books.schedule.due(Date.now())) {
      try {
        books.transact((scope) => {
          books.schedule.remove(id);
          performTask(scope.forAccount(account), task, subject);
        });
        log.info({ task, subject }, 'sandbox: a scheduled task was performed');
      } catch (err) {
        log.error(
          { err, task, subject },
          'sandbox: a scheduled task failed and will be tried again',
        );
        books.schedule.postpone(id, Date.now() + RETRY_MS);
      }
    }
    arm();
  }

  const forget = books.onCommit(arm);
  arm();
  return () => {
    forget();
    clearTimeout(timer);
  };
}

const TASKS: Record<TaskName, (scope: Scope, subject: string) => void> = {
  expire_session: (scope, id) =>
    void expireSession(scope, scope.objects.get('checkout.session', id)),
  fail_refund: failRefund,
  fail_settlement: failSettlement,
  finish_payout: finishPayout,
  open_dispute: (scope, id) => void openDispute(scope, id),
  settle_payment: settlePayment,
  settle_refund: settleRefund,
};

/** Does what was put off until now, for the account that it was put off by. */
export function performTask(scope: Scope, task: TaskName, subject: string): void {
  TASKS[task](scope, subject);
}
