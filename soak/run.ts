import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createLink } from '../server/links/create-link.ts';
import { publishableKey, signUp } from '../tests/factories/factories.ts';
import { residentMemory } from '../tests/harness/resident-memory.ts';
import { runCli } from '../tests/harness/run-command.ts';
import { type SpawnedApp, spawnApp } from '../tests/harness/spawn-app.ts';
import { withDatabase } from '../tests/harness/with-database.ts';
import {
  CHECKOUT,
  type Findings,
  keepBuying,
  keepSelling,
  percentile,
  putUpForSale,
} from './honest.ts';
import { HOSTILE_WORDS, type Orders, type Statuses } from './hostile.ts';

const MEBIBYTE = 1024 * 1024;
/** What must hold meanwhile: milliseconds of the buyer's pages at p99, bytes, bytes. */
const BOUNDS = { pages: 300, memory: 420 * MEBIBYTE, log: MEBIBYTE };
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
 * one free account can do, while a buyer buys and a seller uploads. Prints its figures, and exits
 * with 1 when a bound is passed. Needs Linux, where each client has a loopback address of its own.
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
  await keepBuying(product.origin, sale, Date.now() + 5_000, startFindings());
  const idle = residentMemory(product.pid());
  const logged = product.output().length;

  const attack = await startAttack({
    origin: product.origin,
    apiKey: (await publishableKey(product))['x-api-key'],
    linkId: sale.linkId,
    sellerEmail: seller.email,
    account: [...stranger.cookies],
  });
  const findings = startFindings();
  let peak = idle;
  const sampling = setInterval(() => {
    peak = Math.max(peak, residentMemory(product.pid()));
  }, 250);
  const until = Date.now() + duration;
  await Promise.all([
    keepBuying(product.origin, sale, until, findings),
    keepSelling(() => signUp(product), until, findings),
  ]);
  clearInterval(sampling);
  const statuses = await attack.end();

  console.log('What the hostile clients were answered, by status (0: nothing):');
  for (const [client, counts] of Object.entries(statuses)) {
    const told = Object.entries(counts).map(([status, count]) => `${count} × ${status}`);
    console.log(`  ${client}: ${told.join(', ')}`);
  }
  console.log('What the buyer waited for:');
  for (const [page, times] of findings.pages) {
    const [middle, high] = [percentile(times, 50), percentile(times, 99)].map(Math.round);
    console.log(`  ${page}: ${middle} ms at the median, ${high} ms at p99, ${times.length} times`);
  }
  findings.pages.delete(CHECKOUT);
  console.log(`${findings.bought} purchases, ${findings.uploaded} uploads`);
  const faults = [
    ...findings.failures,
    hold('Pages at p99', percentile([...findings.pages.values()].flat(), 99), BOUNDS.pages, 'ms'),
    hold('Memory', peak, BOUNDS.memory, 'bytes'),
    hold('Log', product.output().length - logged, BOUNDS.log, 'bytes'),
  ];
  if (findings.bought === 0 || findings.uploaded === 0) faults.push('nothing was sold');
  return faults.filter((fault) => fault !== null);
}

function startFindings(): Findings {
  return { pages: new Map(), bought: 0, uploaded: 0, failures: [] };
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

async function startAttack(orders: Orders): Promise<{ end(): Promise<Statuses> }> {
  const attackers = fork(join(import.meta.dirname, 'hostile.ts'));
  const killIfLeft = () => attackers.kill('SIGKILL');
  process.once('exit', killIfLeft);
  await once(attackers, 'spawn');
  attackers.send(orders);
  return {
    async end() {
      attackers.send('end');
      const [statuses] = await once(attackers, 'message');
      attackers.kill('SIGKILL');
      process.off('exit', killIfLeft);
      return statuses;
    },
  };
}

function hold(what: string, value: number, bound: number, unit: string): string | null {
  const figures = `${what}: ${Math.round(value)} ${unit}, at most ${bound}`;
  console.log(figures);
  return value <= bound ? null : figures;
}

// Or what it started would go on attacking.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await soak(Number(process.argv[2] ?? 5));
