// The thread of checkpoints.ts.
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** Milliseconds. Nobody writes while the rest waits for those who read. */
const PATIENCE_MS = 20;
/** Frames that are brought in while nobody writes. */
const FEW_FRAMES = 500;
const MAX_ROUNDS = 5;

const connection = new DatabaseSync(workerData, { timeout: PATIENCE_MS });
const bringIn = connection.prepare('PRAGMA wal_checkpoint(PASSIVE)');
const bringInRest = connection.prepare('PRAGMA wal_checkpoint(FULL)');
const look = connection.prepare('PRAGMA wal_checkpoint(NOOP)');

parentPort?.on('message', () => {
  // What is written meanwhile lengthens the log, which begins anew only when all of it is brought in.
  for (let round = 0; round < MAX_ROUNDS && framesLeft() > FEW_FRAMES; round += 1) bringIn.get();
  // Not while somebody reads what the log held before, such as a backup.
  if (framesLeft() <= FEW_FRAMES) bringInRest.get();
  parentPort?.postMessage(framesLeft() <= FEW_FRAMES);
});

function framesLeft(): number {
  const { log, checkpointed } = look.get() ?? {};
  return Number(log) - Number(checkpointed);
}
