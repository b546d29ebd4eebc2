import type { Logger } from 'pino';
import { sweepSalesInTime } from '../books/ledger/sales-in-time.ts';
import type { ViewCounter } from '../books/statistics/view-counter.ts';
import { sweepHandles } from '../catalog/sellers/change-page.ts';
import { sweepAccessCodes } from '../delivery/buyers/personal-link.ts';
import { sweepUnsoldFiles } from '../delivery/downloads/delete-file.ts';
import { watchDeliveries } from '../delivery/downloads/watch-deliveries.ts';
import type { FileStore } from '../files/file-store.ts';
import {
  countUnknownBlobs,
  type Swept,
  sweepAbandonedUploads,
  sweepUnneededBlobs,
} from '../files/sweep.ts';
import { findMove } from '../ground/database/close-writes.ts';
import type { Database } from '../ground/database/tables.ts';
import { BeingMovedError } from '../ground/lib/being-moved.ts';
import type { Processes } from '../ground/lib/processes.ts';
import { isoTime } from '../ground/lib/time.ts';
import { type CatchUpContext, catchUp } from '../money/payments/catch-up.ts';
import { sweepAddresses } from '../money/payments/dispute-evidence.ts';
import { type ImportContext, importBooks } from '../money/payments/import-books.ts';
import { sweepHooks } from '../notices/hooks/sweep-hooks.ts';
import { sweepMailbox } from '../notices/mails/mailbox.ts';
import { sweepNotifiedBrowsers } from '../notices/notifications/browsers.ts';
import { planWeeks } from '../notices/notifications/plan-weeks.ts';
import { sweepReports } from '../office/moderation/report-link.ts';
import { sweepMailAllowances } from '../people/accounts/mail-allowance.ts';
import { sweepUnconfirmed } from '../people/accounts/sweep-unconfirmed.ts';
import { sweepCarts } from '../selling/checkout/cart.ts';
import { sweepUnpaidCheckouts } from '../selling/checkout/sweep-unpaid-checkouts.ts';

const SWEEP_EVERY_MS = 60 * 60 * 1000;

/**
 * Whether this process is the one that does a thing this time. Each looks every `everyMs`, so that
 * the thing is done a little sooner where clocks drift, and by another process once one is gone.
 */
async function isOurTurn(
  processes: Processes | null,
  name: string,
  everyMs: number,
): Promise<boolean> {
  return processes === null || processes.leases.turn(name, everyMs * 0.9);
}

interface Context {
  db: Database;
  processes: Processes | null;
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
export function scheduleSweep(context: Context): () => Promise<void> {
  const { db, processes, sweepExpired, everyMs = SWEEP_EVERY_MS, now, log } = context;
  let running: Promise<void> = Promise.resolve();
  let unknownBefore = 0;
  const sweeps: [name: string, run: () => Promise<void>][] = [
    ['abandoned uploads', async () => tell(await sweepAbandonedUploads(context))],
    ['files of deleted links', async () => tell(await sweepUnsoldFiles(context))],
    ['unneeded files', sweepUnneeded],
    ['access codes', () => sweepAccessCodes(db, now())],
    ['carts', () => sweepCarts(db, now())],
    ['unpaid checkouts', () => sweepUnpaidCheckouts(db, now())],
    ['sums of sales', () => sweepSalesInTime(db, now())],
    ['addresses of buyers', () => sweepAddresses(db, now())],
    ['expired sessions', () => sweepExpired(now())],
    ['unconfirmed sign-ups', () => sweepUnconfirmed(db, now())],
    ['email allowances', () => sweepMailAllowances(db, now())],
    ['reports', () => sweepReports(db, now())],
    ['addresses of sellers', () => sweepHandles(db, now())],
    ['undelivered purchases', tellUndelivered],
    ['what webhooks were told', () => sweepHooks(db, now())],
    ['browsers that show sales', () => sweepNotifiedBrowsers(db)],
    ['summaries of the week', () => planWeeks(db, now())],
    ['the local mailbox', () => sweepMailbox(db, now())],
    ['counts and leases', async () => processes?.sweep()],
  ];
  const timer = setInterval(() => {
    running = running.then(sweepInTurn);
  }, everyMs);

  async function sweepInTurn(): Promise<void> {
    try {
      if (!(await findMove(db)) && (await isOurTurn(processes, 'sweep', everyMs))) await sweepAll();
    } catch (error) {
      log.error({ err: error }, 'Nothing was swept');
    }
  }

  /** What one sweep cannot remove keeps no other from its work. */
  async function sweepAll(): Promise<void> {
    for (const [name, run] of sweeps) {
      try {
        await run();
      } catch (error) {
        log.error({ err: error }, `Sweeping ${name} failed`);
      }
    }
  }

  function tell(swept: Partial<Swept>): void {
    if (Object.values(swept).some((count) => count > 0))
      log.info(swept, 'unneeded files were swept');
  }

  async function tellUndelivered(): Promise<void> {
    const undelivered = await watchDeliveries(context);
    if (undelivered === 0) return;
    log.warn({ undelivered }, 'purchases have not arrived: npm run cli -- undelivered lists them');
  }

  async function sweepUnneeded(): Promise<void> {
    tell(await sweepUnneededBlobs(context));
    const unknown = await countUnknownBlobs(context);
    if (unknown !== unknownBefore)
      log.warn({ unknown }, 'files are unknown to this database and were kept');
    unknownBefore = unknown;
  }

  return async () => {
    clearInterval(timer);
    await running;
  };
}

/** How often it is looked whether an hour is over since the provider was last asked. */
const LOOK_EVERY_MS = 5 * 60 * 1000;

type CatchUpOptions = CatchUpContext & { everyMs?: number | undefined; log: Logger };

/** Catches up with the provider every hour, and says what had been missed. @returns stops it */
export function scheduleCatchUp({
  everyMs = LOOK_EVERY_MS,
  log,
  ...context
}: CatchUpOptions): () => Promise<void> {
  async function run(): Promise<void> {
    try {
      const caughtUp = (await findMove(context.db)) ? null : await catchUp(context);
      if (!caughtUp) return;
      const { missed, unlistedSince, ...others } = caughtUp;
      if (unlistedSince !== null) {
        log.error(
          { since: isoTime(unlistedSince) },
          'the payment provider listed no events for so long that it lists no more what happened: run npm run cli -- reconcile --since with that day',
        );
      }
      if (missed > 0) {
        log.warn(
          { missed, ...others },
          'events of the payment provider had not arrived and were fetched: run npm run cli -- stripe check, and compare STRIPE_WEBHOOK_SECRET with the endpoint at the provider',
        );
      }
    } catch (error) {
      log.error({ err: error }, 'the payment provider could not be asked for missed events');
    }
  }
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= run().finally(() => {
      running = undefined;
    });
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}

interface BooksContext extends ImportContext {
  processes: Processes | null;
  everyMs?: number | undefined;
  log: Logger;
}

/** Imports the provider's books every hour. @returns stops it */
export function scheduleImport(context: BooksContext): () => Promise<void> {
  const { processes, everyMs = SWEEP_EVERY_MS, log } = context;
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = running
      .then(() => findMove(context.db))
      .then((move) => !move && isOurTurn(processes, 'import of books', everyMs))
      .then((isOurs) => (isOurs ? importBooks(context) : 0))
      .catch((error: unknown) =>
        log.error({ err: error }, "the provider's books could not be imported"),
      );
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}

const FLUSH_EVERY_MS = 3_000;

/** Writes counted views every few seconds. @returns writes the last ones and stops */
export function scheduleFlush(views: ViewCounter, log: Logger): () => Promise<void> {
  const flush = () =>
    views.flush().catch((error: unknown) => {
      if (error instanceof BeingMovedError) return;
      log.error({ err: error }, 'views could not be written');
    });
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(flush);
  }, FLUSH_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await running;
    await flush();
  };
}
