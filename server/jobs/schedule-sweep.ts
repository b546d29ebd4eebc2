import type { Logger } from 'pino';
import { sweepMailAllowances } from '../domain/accounts/mail-allowance.ts';
import { sweepUnconfirmed } from '../domain/accounts/sweep-unconfirmed.ts';
import type { FileStore } from '../domain/files/file-store.ts';
import { sweepAbandonedUploads } from '../domain/files/sweep-abandoned-uploads.ts';
import { countUnknownBlobs, sweepUnneededBlobs } from '../domain/files/sweep-unneeded-blobs.ts';
import { sweepMailbox } from '../domain/outbox/sweep-mailbox.ts';
import { sweepUnpaidCheckouts } from '../domain/purchases/sweep-unpaid-checkouts.ts';
import { sweepUnsoldFiles } from '../domain/purchases/sweep-unsold-files.ts';
import type { Database } from '../domain/tables.ts';

const EVERY_MS = 60 * 60 * 1000;

interface Deps {
  db: Database;
  store: FileStore;
  /** Removes the sessions and codes that have expired at a time in UTC milliseconds. */
  sweepExpired(now: number): Promise<void>;
  everyMs?: number | undefined;
  now: () => number;
  log: Logger;
}

/**
 * Removes files, checkouts, sign-ups and sessions that nobody needs, every hour. Not at the start:
 * who has started with the wrong settings has time to notice. @returns stops it
 */
export function scheduleSweep({
  db,
  store,
  sweepExpired,
  everyMs = EVERY_MS,
  now,
  log,
}: Deps): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let unknownBefore = 0;
  const timer = setInterval(() => {
    running = running.then(removeUnneeded).catch((error: unknown) => {
      log.error({ err: error }, 'what nobody needs could not be removed');
    });
  }, everyMs);

  async function removeUnneeded(): Promise<void> {
    const abandoned = await sweepAbandonedUploads(db, store, now());
    const unsold = await sweepUnsoldFiles(db, store, now());
    const swept = await sweepUnneededBlobs(db, store, now());
    swept.quarantined += unsold.quarantined;
    swept.quarantinedBytes += unsold.quarantinedBytes;
    swept.removed += abandoned.removed;
    swept.removedBytes += abandoned.removedBytes;
    if (swept.quarantined + swept.removed > 0) log.info(swept, 'unneeded files were swept');
    const unknown = await countUnknownBlobs(db, store);
    if (unknown !== unknownBefore)
      log.warn({ unknown }, 'files are unknown to this database: kept');
    unknownBefore = unknown;
    await sweepUnpaidCheckouts(db, now());
    await sweepExpired(now());
    await sweepUnconfirmed(db, now());
    await sweepMailAllowances(db, now());
    await sweepMailbox(db, now());
  }

  return async () => {
    clearInterval(timer);
    await running;
  };
}
