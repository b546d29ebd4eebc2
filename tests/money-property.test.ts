import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readConfig } from '../server/config/read-config.ts';
import { openPostgres } from '../server/database/postgres.ts';
import { openSqlite } from '../server/database/sqlite.ts';
import { Market, type World } from './money-property/market.ts';
import { startProvider } from './money-property/provider.ts';
import { ARRIVALS, anyStep, KINDS, take } from './money-property/steps.ts';
import { describeOnBothDatabases } from './on-both-databases.ts';
import { startApp } from './start-app.ts';

/** Sequences on each database. PADLINK_MONEY_SEQUENCES=300 takes some minutes. */
const SEQUENCES = Number(process.env.PADLINK_MONEY_SEQUENCES ?? 8);
const seed = Number(process.env.PADLINK_MONEY_SEED ?? randomInt(2 ** 31));
/** For the sequences and, after a fault, for the shortest one that shows it; milliseconds. */
const LONGEST_MS = 60_000 + SEQUENCES * 15_000;
/** What so many sequences have to try each kind of step for. */
const MANY = 300;

describeOnBothDatabases('money', (database) => {
  beforeAll(() => {
    console.log(`PADLINK_MONEY_SEED=${seed} repeats these sequences.`);
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterAll(() => {
    vi.useRealTimers();
  });

  test(
    'is where it belongs, to the cent, whatever happens in whatever order',
    async () => {
      let world = await openWorld();
      const taken = new Map([...KINDS, ...ARRIVALS].map((kind) => [kind, 0]));
      const lengths: number[] = [];
      let begun = 0;
      let isWhole = true;
      const sequence = fc.array(anyStep, { minLength: 18, maxLength: 28, size: 'max' });
      const property = fc.asyncProperty(sequence, async (steps) => {
        begun += 1;
        if (!isWhole) {
          await world.stop();
          world = await openWorld();
        }
        isWhole = false;
        const market = new Market(world, `m${begun}`);
        await market.open();
        let length = 0;
        for (const step of steps) {
          if (await take(market, step)) {
            length += 1;
            for (const kind of [step.does, step.arrives]) {
              taken.set(kind, (taken.get(kind) ?? 0) + 1);
            }
          }
          await market.check();
        }
        await market.close();
        lengths.push(length);
        isWhole = true;
      });
      try {
        await fc.assert(property, {
          ...{ numRuns: SEQUENCES, seed },
          // What was found by then is told.
          ...{ interruptAfterTimeLimit: LONGEST_MS, markInterruptAsFailure: true },
        });
      } finally {
        await world.stop();
      }
      const median = lengths.toSorted((a, b) => a - b)[lengths.length >> 1] ?? 0;
      const counts = [...taken].map(([kind, times]) => `${times} × ${kind}`).join(', ');
      console.log(`${lengths.length} sequences, median of ${median} steps: ${counts}.`);
      expect(median).toBeGreaterThanOrEqual(18);
      if (SEQUENCES >= MANY) expect(Math.min(...taken.values())).toBeGreaterThanOrEqual(50);
    },
    LONGEST_MS + 60_000,
  );

  async function openWorld(): Promise<World & { stop(): Promise<void> }> {
    // It makes the database; from then on its parts are started and killed without it.
    const app = await startApp({ database, env: { PAYMENTS: 'sandbox' } });
    await app.pause();
    const { database: place } = readConfig(app.env);
    const db =
      place.kind === 'sqlite'
        ? openSqlite(place.file)
        : openPostgres(place.url, { onLost: () => {}, patient: true });
    const provider = await startProvider(app.dataDir, app.origin);
    return {
      db,
      provider,
      advance: (ms) => vi.setSystemTime(Date.now() + ms),
      async stop() {
        await provider.stop();
        await db.destroy();
        await app.stop();
      },
    };
  }
});
