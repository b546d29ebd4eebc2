import type { DatabaseSync } from 'node:sqlite';

export type TaskName =
  | 'expire_session'
  | 'fail_refund'
  | 'fail_settlement'
  | 'finish_payout'
  | 'open_dispute'
  | 'settle_payment'
  | 'settle_refund';

interface Task {
  id: number;
  task: TaskName;
  /** The id of the object that the task is about. */
  subject: string;
  account: string | null;
}

/** What is to happen later, kept as rows, so that a restart forgets nothing. */
export function createSchedule(db: DatabaseSync) {
  const insert = db.prepare(
    'INSERT INTO schedule (task, subject, account, due_ms) VALUES (?, ?, ?, ?)',
  );
  const selectDue = db.prepare(
    'SELECT id, task, subject, account FROM schedule WHERE due_ms <= ? ORDER BY due_ms LIMIT 100',
  );
  const selectNext = db.prepare('SELECT min(due_ms) AS due_ms FROM schedule');
  const update = db.prepare('UPDATE schedule SET due_ms = ? WHERE id = ?');
  const remove = db.prepare('DELETE FROM schedule WHERE id = ?');
  return {
    add({ task, subject, account }: Omit<Task, 'id'>, dueMs: number) {
      insert.run(task, subject, account, dueMs);
    },
    due: (nowMs: number) => selectDue.all(nowMs) as unknown as Task[],
    /** When the next task is due, in unix milliseconds. */
    next: () => (selectNext.get()?.due_ms as number | null) ?? undefined,
    postpone(id: number, dueMs: number) {
      update.run(dueMs, id);
    },
    remove(id: number) {
      remove.run(id);
    },
  };
}
