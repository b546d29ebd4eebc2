import { createLink } from '../server/catalog/links/create-link.ts';
import { publishableKey, signUp } from '../tests/factories/factories.ts';
import { residentMemory } from '../tests/harness/resident-memory.ts';
import { runCli } from '../tests/harness/run-command.ts';
import { type SpawnedApp, spawnApp } from '../tests/harness/spawn-app.ts';
import { withDatabase } from '../tests/harness/with-database.ts';
import {
  CHECKOUT,
  type Findings,
  keepBuying,
  keepReading,
  keepSelling,
  percentile,
  putUpForSale,
} from './honest.ts';
import { HOSTILE_WORDS, type Orders } from './hostile.ts';
import { startAttack, startBareServer } from './processes.ts';

const MEBIBYTE = 1024 * 1024;
/**
 * What must hold meanwhile: how many times a bare server's time the buyer's pages take; bytes; bytes a
 * minute. On machines busy with other work the pages took 2 to 11 times as long, and 50 to 100 times
 * where one kind of request held the process up for a second of the processor's time.
 */
const BOUNDS = { pages: 25, memory: 420 * MEBIBYTE, log: MEBIBYTE };
/** Of some hundred pages, p99 would be the one that had the worst luck. */
const PERCENT = 95;
/**
 * What a bare server is taken to need at least, in milliseconds: two of the rounds of which the product
 * gives 6 ms to the requests of others (`server/edge/http/fair-turns.ts`), however fast the machine.
 */
const FLOOR_MS = 12;
/** How long the product is attacked, and half as long the bare server, before it is its turn again. */
const TURN_MS = 15_000;
const HOSTILE_LINKS = 500;
const ENVIRONMENT = {
  LOG_LEVEL: 'info',
  // Little, so that five minutes are enough to reach it.
  ACCOUNT_QUOTA_BYTES: String(256 * MEBIBYTE),
  // As the image and the systemd unit set it.
  MALLOC_ARENA_MAX: '2',
};

/**
 * `npm run soak`, `npm run soak -- 1` for one minute: six hostile clients do all that a stranger or
 * one free account can do, while a buyer buys and a seller uploads. In turn with the product, they
 * attack a bare server, which sends pages as large. Prints its figures, and exits with 1 when a bound
 * is passed. Needs Linux, where each client has a loopback address of its own.
 */
async function soak(minutes: number): Promise<void> {
  const product = await spawnApp({ env: ENVIRONMENT });
  try {
    const faults = await measure(product, minutes * 60_000);
    const books = await runCli(product.env, 'ledger', 'check');
    if (books.status !== 0) faults.push(`the books: ${books.stdout}${books.stderr}`);
    for (const fault of faults) console.log(`✗ ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
  } finally {
    await product.stop();
  }
}

/** @returns what did not hold, in words. */
async function measure(product: SpawnedApp, duration: number): Promise<string[]> {
  const seller = await signUp(product);
  const sale = await putUpForSale(seller, MEBIBYTE);
  const stranger = await signUp(product);
  await seedHostileLinks(product);
  // Once through everything: what is loaded late is not what an attack costs.
  const warmUp = startFindings();
  await keepBuying(product.origin, sale, Date.now() + 5_000, warmUp);
  const sizes = [...warmUp.sizes.values()];
  const logged = product.output().length;

  const bare = await startBareServer();
  const orders: Orders = {
    origin: product.origin,
    apiKey: (await publishableKey(product))['x-api-key'],
    linkId: sale.linkId,
    sellerEmail: seller.email,
    account: [...stranger.cookies],
  };
  const attack = startAttack(orders);
  const bareAttack = startAttack({ ...orders, origin: bare.origin });
  const findings = startFindings();
  const bareTimes: number[] = [];
  let peak = 0;
  using _sampling = setInterval(() => {
    peak = Math.max(peak, residentMemory(product.pid()));
  }, 250);
  // In short turns, so that whatever else the machine does slows down both.
  for (let attacked = 0; attacked < duration; attacked += TURN_MS) {
    const until = Date.now() + TURN_MS;
    await attack.during(() =>
      Promise.all([
        keepBuying(product.origin, sale, until, findings),
        keepSelling(product, until, findings),
      ]),
    );
    const bareUntil = Date.now() + TURN_MS / 2;
    await bareAttack.during(() => keepReading(bare.origin, sizes, bareUntil, bareTimes));
  }
  const statuses = await attack.end();
  await bareAttack.end();
  bare.end();

  console.log('What the hostile clients were answered, by status (0: nothing):');
  for (const [client, counts] of Object.entries(statuses)) {
    const told = Object.entries(counts).map(([status, count]) => `${count} × ${status}`);
    console.log(`  ${client}: ${told.join(', ')}`);
  }
  console.log('What the buyer waited for:');
  for (const [page, times] of findings.pages) tellTimes(page, times);
  findings.pages.delete(CHECKOUT);
  const times = [...findings.pages.values()].flat();
  tellTimes('all pages', times);
  tellTimes('as large ones of a bare server', bareTimes);
  console.log(`${findings.bought} purchases, ${findings.uploaded} uploads`);
  const yardstick = Math.max(FLOOR_MS, percentile(bareTimes, PERCENT));
  const faults = [
    ...warmUp.failures,
    ...findings.failures,
    hold('Pages', percentile(times, PERCENT) / yardstick, BOUNDS.pages, "times a bare server's"),
    hold('Memory', peak, BOUNDS.memory, 'bytes'),
    hold('Log', bytesOfFullestMinute(product.output().slice(logged)), BOUNDS.log, 'bytes a minute'),
  ];
  if (findings.bought === 0 || findings.uploaded === 0) faults.push('nothing was sold');
  return faults.filter((fault) => fault !== null);
}

function startFindings(): Findings {
  return { pages: new Map(), sizes: new Map(), bought: 0, uploaded: 0, failures: [] };
}

/** Links whose texts take the most work to search, as an account may create them in some days. */
async function seedHostileLinks(product: SpawnedApp): Promise<void> {
  const description = Array.from({ length: 90 }, (_, number) => HOSTILE_WORDS[number % 8])
    .concat(Array.from({ length: 200 }, (_, number) => `\uFDFA${number}`))
    .join(' ')
    .slice(0, 2_000);
  await withDatabase(product, async (db) => {
    for (let number = 0; number < HOSTILE_LINKS; number++) {
      const url = `https://example.com/${number}`;
      const title = HOSTILE_WORDS.join(' ');
      await createLink(
        { db, minimumPriceCents: 1, providerMinimumCents: 1, now: Date.now },
        { ownerId: 'a-stranger', type: 'link', url, price: 100, title, description },
      );
    }
  });
}

function tellTimes(what: string, times: number[]): void {
  const [middle, high] = [percentile(times, 50), percentile(times, PERCENT)].map(Math.round);
  const figures = `${middle} ms at the median, ${high} ms at p${PERCENT}, ${times.length} times`;
  console.log(`  ${what}: ${figures}`);
}

/** The lines of answers are bounded by the minute, and so are repeated warnings. */
function bytesOfFullestMinute(log: string): number {
  const minutes = Map.groupBy(log.split('\n'), (line) => {
    const [, time] = /"time":(\d+)/.exec(line) ?? [];
    return Math.floor(Number(time) / 60_000);
  });
  return Math.max(...minutes.values().map((lines) => lines.join('\n').length));
}

function hold(what: string, value: number, bound: number, unit: string): string | null {
  const figures = `${what}: ${Math.round(value * 10) / 10} ${unit}, at most ${bound}`;
  console.log(figures);
  return value <= bound ? null : figures;
}

// Or what it started would go on attacking.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await soak(Number(process.argv[2] ?? 5));
