import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { DestinationStream, Logger } from 'pino';
import { type Sandbox, startSandbox } from '../sandbox/start-sandbox.ts';
import type { PersonalTicket } from './access/personal-link.ts';
import { type Auth, createAuth } from './accounts/auth/create-auth.ts';
import { deliver } from './accounts/auth/mails.ts';
import { migrateAuth } from './accounts/auth/migrate-auth.ts';
import { readAccount } from './accounts/auth/read-account.ts';
import { accountReader, sessionReader, sweepExpired } from './accounts/auth/read-session.ts';
import { createMailAllowance } from './accounts/mail-allowance.ts';
import type { DeviceTicket } from './accounts/routes/known-devices.ts';
import { createFindSeller } from './accounts/seller.ts';
import { drawCard } from './adapters/images/draw-card.ts';
import { prepareCover } from './adapters/images/sharp.ts';
import { openDiskStore } from './adapters/storage/disk-store.ts';
import {
  openStripe,
  type StripeAdapter,
  type StripeTarget,
  WHILE_SOMEBODY_WAITS,
} from './adapters/stripe/open-stripe.ts';
import { registerRoutes } from './api/register-routes.ts';
import type { Config } from './config/read-config.ts';
import { loadAppSecret, lockDataFolder, makeDataFolder } from './data-folder.ts';
import { migrate, refuseNewerSchema } from './database/migrate.ts';
import { connectAnew, openPostgres, reachPostgres } from './database/postgres.ts';
import { openPostgresChanges } from './database/postgres-changes.ts';
import { examineSqlite, openSqlite } from './database/sqlite.ts';
import type { Database } from './database/tables.ts';
import type { DownloadTicket } from './delivery/download-url.ts';
import type { FileStore } from './files/file-store.ts';
import { releaseKnownBlobs } from './files/sweep.ts';
import { createServer } from './http/server.ts';
import {
  holdsBlobs,
  matchSecret,
  matchStorage,
  wasSecretUsed,
} from './installation/match-installation.ts';
import { type Changes, createLocalChanges } from './lib/changes.ts';
import type { SendMail } from './lib/mail.ts';
import { createSigner } from './lib/signer.ts';
import { createLog } from './log.ts';
import { createMailJobs } from './mails/jobs.ts';
import { openMailbox } from './mails/mailbox.ts';
import { openSmtp } from './mails/smtp.ts';
import { createWorker, releaseLeases } from './outbox/worker.ts';
import { openBuiltWebApp } from './pages/built-web-app.ts';
import { openDevWebApp } from './pages/dev-web-app.ts';
import type { CardProvider } from './payments/card-provider.ts';
import { createPaymentJobs, isFinalPaymentFault } from './payments/jobs.ts';
import { refuseMixedModes } from './payments/modes.ts';
import { scheduleFlush, scheduleSweep } from './schedule.ts';
import { ViewCounter } from './statistics/view-counter.ts';
import { createAccountMails } from './write-account-mails.ts';

export interface Overrides {
  /** The clock, UTC milliseconds. */
  now?: () => number;
  /** Serves the pages from their sources, reloading them as they change. */
  dev?: boolean;
  /** Where the card provider is asked instead of at the sandbox's own address. */
  providerUrl?: string;
  /** How long a request's body may take, in milliseconds. */
  bodyTimeoutMs?: number;
  /** How often files that nobody needs are swept, in milliseconds. */
  sweepEveryMs?: number;
  /** Where the log's lines go instead of to standard output. */
  logTo?: DestinationStream;
}

export interface App {
  /** Opens everything, migrates the database and listens. */
  start(): Promise<{ port: number; sandboxUrl: string | null }>;
  /** Finishes what runs and closes everything that was opened; also after a start that failed. */
  stop(): Promise<void>;
}

type Closers = (() => Promise<void> | void)[];

/**
 * A stop waits so long for the server, which is done within 5 s unless the database is silent as
 * well, and so long for each other part; then it goes on without it, as a silent provider, mail
 * server or database may never answer. Milliseconds; a job that is left is taken up again when
 * its lease ends.
 */
const STOP_SERVER_MS = 6_500;
const STOP_PART_MS = 2_000;
/** A stop as a whole, in milliseconds: container engines kill after ten seconds. */
const STOP_MS = 9_000;

/** The composition root: the one place that sees every part. Creating it opens nothing. */
export function createApp(
  config: Config,
  { now = Date.now, dev = false, providerUrl, bodyTimeoutMs, sweepEveryMs, logTo }: Overrides = {},
): App {
  const closers: Closers = [];
  const log = createLog(config.logLevel, logTo);
  let server: FastifyInstance | undefined;

  async function start() {
    // A proxy that sends the files itself is let in by a group or an access list of the operator.
    const groupReads = config.downloadAccel !== null;
    await makeDataFolder(config.dataDir, { groupReads, log });
    if (config.database.kind === 'sqlite') closers.push(await lockDataFolder(config.dataDir, log));
    const store = await openDiskStore(config.dataDir, { groupReads });
    const db = await openDatabase(config, store, log, closers);
    const secret =
      config.appSecret ?? (await loadAppSecret(config.dataDir, () => wasSecretUsed(db)));
    const http = await createServer({
      publicUrl: config.publicUrl,
      trustedProxies: config.trustedProxies,
      log,
      bodyTimeoutMs,
    });
    server = http;
    const web = dev ? await openDevWebApp(http) : await openBuiltWebApp();
    closers.push(() => web.close());
    const sendMail = openMail(config, db, log, closers);
    const changes = await openChanges(config, db, log, closers);
    const { mails } = web;
    const origin = config.publicUrl;
    const accountMails = createAccountMails({
      sendMail,
      mails,
      origin,
      supportEmail: config.supportEmail,
    });
    const tellMailsUsedUp = () =>
      log.warn(
        'the mails of the day to unproven addresses are used up: no sign-ups until midnight UTC',
      );
    // The local mailbox mails nobody.
    const mailAllowance =
      config.mail.kind === 'smtp' ? createMailAllowance(db, now, tellMailsUsedUp) : null;
    const auth = createAuth({
      db,
      databaseKind: config.database.kind,
      publicUrl: config.publicUrl,
      secret: derive(secret, 'sessions'),
      userPool: config.userPool,
      socialSignIn: config.socialSignIn,
      log,
      mails: accountMails,
      mailAllowance,
      publish: changes.publish,
    });
    await migrateAll(config, db, auth, log);
    await matchStorage(db, store, config);
    await matchSecret(db, secret);
    const released = await releaseKnownBlobs(db, store);
    if (released > 0) log.info({ released }, 'files came back from quarantine');
    const { sandbox, stripe, providerOfPages } = await openPayments(
      { ...config, providerUrl },
      secret,
      http,
      log,
      closers,
    );
    await refuseMixedModes(db, stripe.provider.mode);
    const personalSigner = createSigner<PersonalTicket>(secret, 'personal link');

    const payments = {
      db,
      provider: stripe.provider,
      refundCost: config.refundCost,
      publicUrl: config.publicUrl,
      now,
      publish: changes.publish,
    };
    const worker = createWorker({
      db,
      now,
      log,
      isFinal: isFinalPaymentFault,
      handlers: {
        ...createPaymentJobs(payments, log),
        ...createMailJobs({
          db,
          sendMail,
          mails,
          personalSigner,
          publicUrl: config.publicUrl,
          supportEmail: config.supportEmail,
        }),
      },
    });
    const views = new ViewCounter(db, now);
    closers.push(scheduleFlush(views, log));
    await registerRoutes(http, {
      config,
      db,
      changes,
      store,
      web,
      auth,
      provider: providerOfPages,
      drawCard,
      prepareCover,
      verifyWebhook: stripe.verifyWebhook,
      hostedPage: sandbox?.hostedPage ?? null,
      now,
      readSession: sessionReader(auth),
      findAccount: accountReader(auth),
      readAccount: (user) => readAccount({ auth, db, findSeller: createFindSeller(db) }, user),
      mailAllowance,
      publishableKey: `pk_${derive(secret, 'publishable key').slice(0, 32)}`,
      deviceSigner: createSigner<DeviceTicket>(secret, 'known device'),
      downloadSigner: createSigner<DownloadTicket>(secret, 'download'),
      personalSigner,
      views,
      wakeWorker: () => worker.wake(),
      async connectAnew() {
        if (config.database.kind === 'postgres') await connectAnew(config.database.url);
      },
      secretKeyCreated: ({ email, firstName }, name) => {
        const notice = { kind: 'secret-key-created', name } as const;
        void deliver(() => accountMails.sendNotice(email, notice, firstName), log);
      },
      dev,
    });
    await http.listen({ host: config.host, port: config.port });
    if (config.database.kind === 'sqlite') await releaseLeases(db);
    worker.start();
    closers.push(() => worker.stop());
    closers.push(
      scheduleSweep({
        ...{ db, store, now, log },
        sweepExpired: (at) => sweepExpired(auth, at),
        everyMs: sweepEveryMs,
      }),
    );
    sandbox?.deliverWebhooks();
    const { port } = http.server.address() as AddressInfo;
    return { port, sandboxUrl: sandbox?.apiUrl ?? null };
  }

  return {
    start,
    async stop() {
      const end = performance.now() + STOP_MS;
      // First, because what is in flight still needs everything else.
      await finish(() => server?.close(), STOP_SERVER_MS);
      for (const close of closers.splice(0).reverse()) {
        await finish(close, Math.min(STOP_PART_MS, end - performance.now()));
      }
    },
  };

  /** Waits at most so many milliseconds. What cannot be closed must not keep the rest open. */
  async function finish(close: () => unknown, patienceMs: number): Promise<void> {
    const finished = new AbortController();
    const closing = (async () => close())().catch((error: unknown) =>
      log.error({ err: error }, 'a part could not be closed'),
    );
    const patience = sleep(Math.max(patienceMs, 0), undefined, finished).then(
      () => log.warn('a part did not close in time and was left'),
      () => {},
    );
    await Promise.race([closing, patience]);
    finished.abort();
  }
}

async function openDatabase(
  { database }: Config,
  store: FileStore,
  log: Logger,
  closers: Closers,
): Promise<Database> {
  if (database.kind === 'sqlite') await examineSqlite(database.file, () => holdsBlobs(store));
  const db =
    database.kind === 'sqlite'
      ? openSqlite(database.file)
      : openPostgres(database.url, { onLost: logLost(log) });
  closers.push(() => db.destroy());
  if (database.kind === 'postgres') await reachPostgres(db, database.url);
  return db;
}

const logLost = (log: Logger) => (error: Error) => log.error({ err: error }, 'lost the database');

/** On PostgreSQL by a pool of its own: a migration takes longer than a request may. */
async function migrateAll({ database }: Config, db: Database, auth: Auth, log: Logger) {
  const patient =
    database.kind === 'sqlite'
      ? db
      : openPostgres(database.url, { onLost: logLost(log), patient: true });
  try {
    await refuseNewerSchema(patient);
    await migrateAuth(auth, patient);
    await migrate(patient);
  } finally {
    if (patient !== db) await patient.destroy();
  }
}

async function openChanges(
  { database }: Config,
  db: Database,
  log: Logger,
  closers: Closers,
): Promise<Changes> {
  if (database.kind === 'sqlite') return createLocalChanges();
  const changes = await openPostgresChanges({
    url: database.url,
    db,
    onFault: (error) => log.error({ err: error }, 'lost the changes of other processes'),
  });
  closers.push(() => changes.close());
  return changes;
}

function openMail({ mail }: Config, db: Database, log: Logger, closers: Closers): SendMail {
  if (mail.kind === 'mailbox') return openMailbox(db, log);
  const smtp = openSmtp(mail);
  closers.push(() => smtp.close());
  return smtp;
}

async function openPayments(
  config: Config & Pick<Overrides, 'providerUrl'>,
  secret: string,
  http: FastifyInstance,
  log: Logger,
  closers: Closers,
): Promise<{ sandbox: Sandbox | null; stripe: StripeAdapter; providerOfPages: CardProvider }> {
  const { payments } = config;
  const open = (target: StripeTarget) => ({
    stripe: openStripe(target, log),
    providerOfPages: openStripe(target, log, WHILE_SOMEBODY_WAITS).provider,
  });
  if (payments.kind === 'stripe') return { sandbox: null, ...open(payments) };
  const webhookSecret = payments.webhookSecret ?? `whsec_${derive(secret, 'sandbox webhooks')}`;
  const sandbox = await startSandbox({
    dataDir: config.dataDir,
    port: payments.port,
    publicUrl: config.publicUrl,
    webhookUrl: () => `http://127.0.0.1:${listeningPort(http)}/webhooks/stripe`,
    webhookSecret,
    log,
  });
  closers.push(() => sandbox.stop());
  return {
    sandbox,
    ...open({
      kind: 'sandbox',
      apiUrl: config.providerUrl ?? sandbox.apiUrl,
      webhookSecret,
    }),
  };
}

function listeningPort(http: FastifyInstance): number {
  return (http.server.address() as AddressInfo).port;
}

/** One secret per use, so that none of them tells another. */
function derive(secret: string, use: string): string {
  return createHmac('sha256', secret).update(use).digest('hex');
}
