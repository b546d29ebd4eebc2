import type { Logger } from 'pino';
import type { KeptCopies } from '../adapters/stamps/stamped-copies.ts';
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
import type { DatabaseContext } from '../ground/database/tables.ts';
import { BeingMovedError } from '../ground/lib/being-moved.ts';
import type { Processes } from '../ground/lib/processes.ts';
import { HOUR_MS, isoTime, MINUTE_MS } from '../ground/lib/time.ts';
import { catchUp } from '../money/payments/catch-up.ts';
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
import type { WaysToPay } from '../selling/checkout/ways-to-pay.ts';
import type { FulfilmentContext } from '../selling/purchases/fulfil-purchase.ts';

/**
 * Runs again and again, and leaves a turn out that comes while it still runs.
 * @returns stops it, and waits for what still runs
 */
function repeat(everyMs: number, run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= run().finally(() => {
      running = null;
    });
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}

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

interface Context extends DatabaseContext {
  processes: Processes | null;
  store: FileStore;
  copies: KeptCopies;
  /** Removes the sessions and codes that have expired at a time in UTC milliseconds. */
  sweepExpired(now: number): Promise<void>;
  everyMs?: number | undefined;
  log: Logger;
}

/**
 * Removes files, checkouts, sign-ups and sessions that nobody needs, every hour. Not at the start:
 * who has started with the wrong settings has time to notice. @returns stops it
 */
export function scheduleSweep(context: Context): () => Promise<void> {
  const { db, processes, copies, sweepExpired, everyMs = HOUR_MS, now, log } = context;
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

  async function sweepInTurn(): Promise<void> {
    try {
      // Each process has its own.
      await copies.sweep(now());
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

  return repeat(everyMs, sweepInTurn);
}

/** How often it is looked whether an hour is over since the provider was last asked. */
const LOOK_EVERY_MS = 5 * MINUTE_MS;

type CatchUpOptions = FulfilmentContext & { everyMs?: number | undefined; log: Logger };

/** Catches up with the provider every hour, and says what had been missed. @returns stops it */
export function scheduleCatchUp({
  everyMs = LOOK_EVERY_MS,
  log,
  ...context
}: CatchUpOptions): () => Promise<void> {
  return repeat(everyMs, async () => {
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
  });
}

interface BooksContext extends ImportContext {
  processes: Processes | null;
  everyMs?: number | undefined;
  log: Logger;
}

/** Imports the provider's books every hour. @returns stops it */
export function scheduleImport(context: BooksContext): () => Promise<void> {
  const { db, processes, everyMs = HOUR_MS, log } = context;
  return repeat(everyMs, async () => {
    try {
      if (await findMove(db)) return;
      if (await isOurTurn(processes, 'import of books', everyMs)) await importBooks(context);
    } catch (error) {
      log.error({ err: error }, "the provider's books could not be imported");
    }
  });
}

/** Asks how buyers may pay, now and every hour. @returns stops it */
export function scheduleWaysToPay(
  ways: WaysToPay,
  log: Logger,
  everyMs = HOUR_MS,
): () => Promise<void> {
  const read = () =>
    ways.read().catch((error: unknown) => {
      log.warn({ err: error }, 'the payment provider did not say how buyers may pay');
    });
  void read();
  return repeat(everyMs, read);
}

const FLUSH_EVERY_MS = 3_000;

/** Writes counted views every few seconds. @returns writes the last ones and stops */
export function scheduleFlush(views: ViewCounter, log: Logger): () => Promise<void> {
  const flush = () =>
    views.flush().catch((error: unknown) => {
      if (error instanceof BeingMovedError) return;
      log.error({ err: error }, 'views could not be written');
    });
  const stop = repeat(FLUSH_EVERY_MS, flush);
  return async () => {
    await stop();
    await flush();
  };
}
