import type { Books } from '../books.ts';
import type { SandboxLog } from '../sandbox-log.ts';
import { performTask } from './perform-task.ts';

const RETRY_MS = 60_000;

/**
 * Performs scheduled tasks as they fall due, each with its row's removal in one transaction.
 * Returns the function that ends it.
 */
export function runDueTasks(books: Books, log: SandboxLog): () => void {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  function arm(): void {
    clearTimeout(timer);
    const next = books.schedule.next();
    if (stopped || next === undefined) return;
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
        log.error({ err, task, subject }, 'sandbox: a scheduled task failed and is tried again');
        books.schedule.postpone(id, Date.now() + RETRY_MS);
      }
    }
    arm();
  }

  books.onCommit(arm);
  arm();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
