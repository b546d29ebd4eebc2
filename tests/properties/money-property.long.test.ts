import { randomInt, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readConfig } from '../../server/ground/config/read-config.ts';
import { openPostgres } from '../../server/ground/database/postgres.ts';
import { openSqlite } from '../../server/ground/database/sqlite.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createTestEnvironment } from '../harness/test-environment.ts';
import { Market, type World } from './market.ts';
import { startProvider } from './provider.ts';
import { ARRIVALS, anyStep, KINDS, take } from './steps.ts';

/** Sequences on each database. PADLINK_MONEY_SEQUENCES=300 takes some minutes. */
const SEQUENCES = Number(process.env.PADLINK_MONEY_SEQUENCES ?? 5);
const seed = Number(process.env.PADLINK_MONEY_SEED ?? randomInt(2 ** 31));
/** For the sequences and, after a fault, for the shortest one that shows it; milliseconds. */
const LONGEST_MS = 60_000 + SEQUENCES * 30_000;
/** What so many sequences have to try each kind of step for. */
const MANY = 300;

describeOnSqliteFirst('money', (database) => {
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
      const taken = new Map([...KINDS, ...ARRIVALS].map((kind) => [kind, 0]));
      const lengths: number[] = [];
      let begun = 0;
      // A few steps of each find nothing that they could happen to.
      const sequence = fc.array(anyStep, { minLength: 23, maxLength: 28, size: 'max' });
      const property = fc.asyncProperty(sequence, async (steps) => {
        begun += 1;
        const world = await openWorld();
        try {
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
        } finally {
          await world.stop();
        }
      });
      await fc.assert(property, {
        numRuns: SEQUENCES,
        seed,
        // What was found by then is told.
        interruptAfterTimeLimit: LONGEST_MS,
        markInterruptAsFailure: true,
      });
      const median = lengths.toSorted((a, b) => a - b)[lengths.length >> 1] ?? 0;
      const counts = [...taken].map(([kind, times]) => `${times} × ${kind}`).join(', ');
      console.log(`${lengths.length} sequences, median of ${median} steps: ${counts}.`);
      expect(median).toBeGreaterThanOrEqual(20);
      if (SEQUENCES >= MANY) expect(Math.min(...taken.values())).toBeGreaterThanOrEqual(50);
    },
    LONGEST_MS + 60_000,
  );

  async function openWorld(): Promise<World & { stop(): Promise<void> }> {
    const environment = await createTestEnvironment({ database });
    const { database: place } = readConfig(environment.env);
    const db =
      place.kind === 'sqlite'
        ? openSqlite(place.file)
        : openPostgres(place.url, { onLost: () => {}, patient: true });
    // Processes die here, and no machine.
    if (place.kind === 'sqlite') await sql`pragma synchronous = off`.execute(db);
    // What a first start does beside the migrations, as far as money needs it.
    await db.insertInto('installation').values({ name: 'id', value: randomUUID() }).execute();
    const provider = await startProvider(environment.dataDir, environment.origin);
    return {
      db,
      provider,
      advance: (ms) => vi.setSystemTime(Date.now() + ms),
      async stop() {
        await provider.stop();
        await db.destroy();
        await environment.remove();
      },
    };
  }
});
