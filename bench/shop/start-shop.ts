import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type Stripe from 'stripe';
import { EVENTS } from '../../server/adapters/stripe/read-events.ts';
import { publishableKey, sellFile, signUp } from '../../tests/factories/factories.ts';
import { findFreePort } from '../../tests/harness/free-port.ts';
import type { Person } from '../../tests/harness/person.ts';
import { startCluster } from '../../tests/harness/postgres-cluster.ts';
import { runCli } from '../../tests/harness/run-command.ts';
import { stripeOf, WEBHOOK_SECRET } from '../../tests/harness/webhook.ts';
import { cpuSeconds } from '../cpu-seconds.ts';
import { startProcess } from '../start-process.ts';

export type DatabaseKind = 'SQLite' | 'PostgreSQL';

const MEBIBYTE = 1024 ** 2;
const PRICE_CENTS = 300;
/** A quarter more than Stripe allows a live account unasked, of which new checkouts get nine tenths. */
const CALLS_PER_SECOND = 125;

/** What a database does that keeps what it was told through a power failure. */
const DURABLE = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  autovacuum: 'on',
};

export interface Shop extends AsyncDisposable {
  origin: string;
  linkId: string;
  /** The publishable key, which every page has. */
  key: Record<string, string>;
  /** What is sold. */
  content: Buffer;
  seller: Person;
  stripe: Stripe;
  /** Seconds of processor time so far, by whose they are. */
  readCpu(): Record<string, number>;
  /** Whether the books are right. */
  checkLedger(): Promise<boolean>;
}

/**
 * Padlink with a file of 1 MiB on sale, and its provider and database as processes beside it.
 * @param delayMs how far away the provider is
 */
export async function startShop(
  kind: DatabaseKind,
  folder: string,
  delayMs: number,
): Promise<Shop> {
  await using stack = new AsyncDisposableStack();
  const data = join(folder, 'postgres');
  const cluster =
    kind === 'PostgreSQL'
      ? await startCluster(data, { ...DURABLE, unix_socket_directories: data })
      : null;
  if (cluster) stack.defer(() => cluster.stop());
  const [port, providerPort] = [await findFreePort(), await findFreePort()];
  const origin = `http://127.0.0.1:${port}`;
  const folders = { provider: join(folder, 'provider'), padlink: join(folder, 'padlink') };
  for (const path of Object.values(folders)) await mkdir(path);
  const start = (file: string, origin: string, env: Record<string, string>) =>
    startProcess([process.execPath, join(import.meta.dirname, file)], {
      origin,
      readyPath: '/readyz',
      env: {
        PATH: process.env.PATH,
        ...env,
      },
    });
  const providerUrl = `http://127.0.0.1:${providerPort}`;
  const provider = stack.use(
    await start('provider.ts', providerUrl, {
      PORT: String(providerPort),
      DATA_DIR: folders.provider,
      WEBHOOK_URL: `${origin}/webhooks/stripe`,
      DELAY_MS: String(delayMs),
    }),
  );
  const stripe = stripeOf(providerPort);
  await stripe.webhookEndpoints.update('we_sandbox', {
    enabled_events: EVENTS.platform(false) as Stripe.WebhookEndpointUpdateParams.EnabledEvent[],
  });
  const env = {
    PORT: String(port),
    PUBLIC_URL: origin,
    DATA_DIR: folders.padlink,
    STRIPE_SECRET_KEY: 'sk_test_padlink',
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_CALLS_PER_SECOND: String(CALLS_PER_SECOND),
    TRUSTED_PROXIES: '127.0.0.1',
    ...(cluster && { DATABASE_URL: socketOf(cluster.url, data), APP_SECRET: 'bench-'.repeat(8) }),
  };
  const padlink = stack.use(
    await start('padlink.mjs', origin, { ...env, PROVIDER_URL: providerUrl }),
  );
  const file = { name: 'song.flac', size: MEBIBYTE, price: PRICE_CENTS };
  const seller = await signUp({ origin });
  const { id: linkId, bytes } = await sellFile(seller, file);
  const running = stack.move();
  return {
    origin,
    linkId,
    content: Buffer.from(bytes),
    key: await publishableKey({ origin }),
    seller,
    stripe,
    readCpu: () => ({
      Padlink: cpuSeconds(padlink.pid) ?? 0,
      ...(cluster && { PostgreSQL: cpuOfCluster(data) }),
      'the provider': cpuSeconds(provider.pid) ?? 0,
      'the buyers': cpuSeconds(process.pid) ?? 0,
    }),
    checkLedger: async () => (await runCli(env, 'ledger', 'check')).status === 0,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The address of the same database by way of the server's socket, which is quicker on one machine. */
function socketOf(url: string, folder: string): string {
  const { username: user, port, pathname } = new URL(url);
  return `postgres://${pathname}?${new URLSearchParams({ host: folder, port, user })}`;
}

/** Of a server's process for each connection, and of its own. */
function cpuOfCluster(data: string): number {
  const [first] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  const children = readFileSync(`/proc/${first}/task/${first}/children`, 'utf8').trim();
  const pids = [first, ...children.split(' ')].filter(Boolean).map(Number);
  return pids.reduce((sum, pid) => sum + (cpuSeconds(pid) ?? 0), 0);
}
