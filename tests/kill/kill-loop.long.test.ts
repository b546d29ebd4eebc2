import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { startFaultyLine } from '../harness/faulty-line.ts';
import { findFreePort } from '../harness/free-port.ts';
import { startMailServer } from '../harness/mail-server.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { type Cluster, startCluster } from '../harness/postgres-cluster.ts';
import { runCli } from '../harness/run-command.ts';
import { runFolder } from '../harness/run-folder.ts';
import { prepareApp, type SpawnedApp, spawnApp } from '../harness/spawn-app.ts';
import { stripeOf, webhookEnv } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';
import {
  describeSchema,
  expectDelivered,
  expectEqualBooks,
  expectWhole,
  waitUntilSettled,
} from './check-books.ts';
import { expectPaidOrBookedBack, readStages, skipWaits } from './payouts.ts';
import { createRandom } from './random.ts';
import { openShop } from './shop.ts';

/** Rounds on each database. PADLINK_KILL_ROUNDS=60 takes about ten minutes. */
const ROUNDS = Number(process.env.PADLINK_KILL_ROUNDS ?? 5);
const VICTIMS = ['database', 'product', 'mail', 'first start', 'product'] as const;
/** Within so many milliseconds of sales, or of the first start's migrations, falls the kill. */
const LONGEST_ROUND_MS = 1_200;
const LONGEST_MIGRATION_MS = 75;

const random = createRandom();

describeOnSqliteFirst('kill -9', (database) => {
  beforeAll(() => console.log(`PADLINK_KILL_SEED=${random.seed} repeats these kills.`));

  test(
    'of product, migrations, database and mail loses nothing that was paid for',
    async () => {
      const faults: string[] = [];
      const kills = createHistogram();
      const stages = createHistogram();
      const cluster = database === 'postgres' ? await openCluster() : null;
      const mailServer = await startMailServer();
      const mail = await startFaultyLine({
        host: '127.0.0.1',
        port: Number(new URL(mailServer.url).port),
      });
      const sandboxPort = await findFreePort();
      const stripe = stripeOf(sandboxPort);
      const app = await spawnApp({
        env: {
          ...webhookEnv(sandboxPort),
          // Each buyer is at an address of their own.
          TRUSTED_PROXIES: '127.0.0.1',
          PAYOUTS: 'connect',
          HOLD_DAYS: '0',
          PAYOUT_MIN_CENTS: '100',
          ...(cluster && { DATABASE_URL: cluster.url, APP_SECRET: 'tests-'.repeat(8) }),
        },
      });
      onTestFinished(async () => {
        await app.kill();
        await app.stop();
        mail.stop();
        await mailServer.stop();
        await cluster?.stop();
      });
      const shop = await openShop(app, stripe, random);
      const schema = await withDatabase(app, describeSchema);
      // The seller's code was read in the local mailbox; receipts go by SMTP.
      await app.terminate();
      Object.assign(app.env, {
        SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
        MAIL_FROM: 'shop@example.com',
      });
      await app.start();

      for (let round = 0; round < ROUNDS; round++) {
        const victim = VICTIMS[round % VICTIMS.length];
        const moment = random.next();
        const longest = victim === 'first start' ? LONGEST_MIGRATION_MS : LONGEST_ROUND_MS;
        kills.add(barOf(String(victim), moment * longest));
        await (victim === 'first start'
          ? killFirstStart(moment, schema)
          : killDuringSales(victim, moment)
        ).catch((error: unknown) => {
          faults.push(`Round ${round + 1}, ${victim} at ${moment.toFixed(3)}: ${endOf(error)}`);
        });
        mail.become('passes');
        await startAgain(app).catch((error: unknown) => {
          faults.push(`Round ${round + 1}, the product does not start: ${endOf(error)}`);
        });
      }

      await shop.sellUndisturbed();
      await withDatabase(app, async (db) => {
        await waitUntilSettled(stripe, db);
        // The provider's books say what has become of each transfer.
        expect(await runCli(app.env, 'ledger', 'reconcile')).toMatchObject({ status: 0 });
        const carts = await expectEqualBooks(stripe, db);
        const { paid, reversed } = await expectPaidOrBookedBack(stripe, db);
        const sales = await expectDelivered(stripe, shop.buyers);
        expect(Math.min(sales, carts, paid, reversed)).toBeGreaterThan(0);
        console.log(
          `On ${database}: ${sales} payments, ${carts} of them for a cart of two links; ${paid} payouts paid and ${reversed} booked back.`,
        );
      });
      const uploaded = await shop.finishUpload();
      await expectWhole(uploaded.person, uploaded.good);
      expect(await app.terminate()).toBe(0);
      console.log(`Kills on ${database} by milliseconds after the beginning:\n${kills.print()}`);
      console.log(`Payouts on ${database} under way at a kill:\n${stages.print()}`);
      expect(faults).toEqual([]);

      async function killDuringSales(victim: (typeof VICTIMS)[number] | undefined, moment: number) {
        if (victim === 'mail') mail.become(random.chance(0.5) ? 'is dead' : 'is silent');
        await withDatabase(app, skipWaits);
        const sales = shop.open();
        await sleep(moment * LONGEST_ROUND_MS);
        const server = victim === 'database' ? cluster : null;
        await (server ?? app).kill();
        await server?.start();
        for (const stage of await withDatabase(app, readStages)) stages.add(stage);
        if (server) await app.untilReady();
        await sales;
      }

      /** Kills the first start in a new installation while it migrates, and starts it again. */
      async function killFirstStart(moment: number, expected: string[]): Promise<void> {
        const fresh = await prepareApp({ database, empty: true });
        try {
          const starting = fresh.start().catch(() => {});
          await Promise.race([starting, untilMigrating(fresh)]);
          await sleep(moment * LONGEST_MIGRATION_MS);
          await fresh.kill();
          await starting;
          await fresh.start();
          expect(await withDatabase(fresh, describeSchema)).toEqual(expected);
        } finally {
          await fresh.kill();
          await fresh.stop();
        }
      }
    },
    300_000 + ROUNDS * 30_000,
  );
});

const BAR_MS = 200;

/** What was killed when. */
function barOf(victim: string, ms: number): string {
  const from = Math.floor(ms / BAR_MS) * BAR_MS;
  return `${victim.padEnd(12)}${String(from).padStart(5)}–${from + BAR_MS}`;
}

/** How many there were of what. */
function createHistogram() {
  const bars = new Map<string, number>();
  return {
    add(bar: string): void {
      bars.set(bar, (bars.get(bar) ?? 0) + 1);
    },
    print: () =>
      [...bars]
        .toSorted(([one], [other]) => one.localeCompare(other))
        .map(([bar, count]) => `${bar.padEnd(20)} ${'█'.repeat(count)} ${count}`)
        .join('\n'),
  };
}

async function openCluster(): Promise<Cluster> {
  // PostgreSQL's account may enter the folder of the run, and none inside it.
  return startCluster(join(runFolder(), `killed-postgres-${process.pid}`));
}

/** Waits until the first table is written. A look into SQLite would lock it. */
async function untilMigrating(app: SpawnedApp): Promise<void> {
  const isServer = app.env.DATABASE_URL !== undefined;
  const log = join(app.dataDir, 'padlink.sqlite-wal');
  for (;;) {
    const begun = isServer
      ? await withDatabase(app, async (db) => (await describeSchema(db)).length > 0)
      : existsSync(log) && statSync(log).size > 0;
    if (begun) return;
    await sleep(5);
  }
}

/** Starts the product if it has ended. */
async function startAgain(app: SpawnedApp): Promise<void> {
  await app.untilReady().catch(() => app.start());
}

/** The last of what a product printed says why it ended. */
function endOf(error: unknown): string {
  return String(error).trim().slice(-400);
}
