import { createWorker, type JobHandlers } from '../../server/ground/outbox/worker.ts';
import { withDatabase } from './with-database.ts';

/**
 * A process of its own, which takes the jobs of the database in its environment and does nothing
 * with them. It prints a line for each that it began, and is there to be killed.
 * Its clock is ahead by the milliseconds of its argument.
 */
const ahead = Number(process.argv[2]);

await withDatabase({ env: process.env as Record<string, string> }, async (db) => {
  const never = () => {
    console.log('begun');
    return new Promise<never>(() => {});
  };
  const log = { warn: console.error, error: console.error, info() {} };
  createWorker({
    db,
    handlers: { 'follow-settlement': never } as unknown as JobHandlers,
    isFinal: () => false,
    now: () => Date.now() + ahead,
    log: log as never,
  }).start();
  await new Promise(() => {});
});
