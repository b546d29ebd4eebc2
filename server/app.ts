import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { DestinationStream, Logger } from 'pino';
import { openStampedCopies } from './adapters/stamps/stamped-copies.ts';
import { openStore } from './adapters/storage/open-store.ts';
import { registerRoutes } from './api/routes.ts';
import { ViewCounter } from './books/statistics/view-counter.ts';
import { createMailedTickets } from './delivery/buyers/mailed-tickets.ts';
import { ensureSigningKey } from './delivery/receipts/signing-keys.ts';
import type { SharedContext } from './edge/graphql/builder.ts';
import { createServer } from './edge/http/server.ts';
import type { Answer } from './edge/http/tell-answers.ts';
import { openBuiltWebApp, type WebApp } from './edge/pages/built-web-app.ts';
import { openDevWebApp } from './edge/pages/dev-web-app.ts';
import { siteStyles } from './edge/pages/site-styles.ts';
import { releaseKnownBlobs } from './files/sweep.ts';
import type { Config } from './ground/config/read-config.ts';
import { copyBeforeUpgrade } from './ground/database/copy-before-upgrade.ts';
import { migrate, refuseOtherSchema } from './ground/database/migrate.ts';
import { type OpenDatabase, openDatabase } from './ground/database/open-database.ts';
import type { LogStatement } from './ground/database/tables.ts';
import { noteBy } from './ground/database/transaction.ts';
import { derive } from './ground/lib/signer.ts';
import { createWorker, releaseLeases } from './ground/outbox/worker.ts';
import { isFinalPaymentFault } from './money/payments/jobs.ts';
import type { ReviewContext } from './money/payments/review-payment.ts';
import type { PayoutContext } from './money/payouts/context.ts';
import { openMailbox } from './notices/mails/mailbox.ts';
import { createSendLetter } from './notices/mails/send-letter.ts';
import { openSmtp, type SendMail } from './notices/mails/smtp.ts';
import { type Auth, createAuth } from './people/accounts/auth/create-auth.ts';
import { deliver } from './people/accounts/auth/mails.ts';
import { migrateAuth } from './people/accounts/auth/migrate-auth.ts';
import type { PasswordCost } from './people/accounts/auth/passwords.ts';
import { sweepExpired } from './people/accounts/auth/read-session.ts';
import { createMailAllowance } from './people/accounts/mail-allowance.ts';
import { findFirstOperatorUrl } from './people/operators/first-operator.ts';
import { loadAppSecret, lockDataFolder, makeDataFolder } from './running/data-folder.ts';
import { finishWithin } from './running/finish-within.ts';
import {
  holdsBlobs,
  matchSecret,
  matchStorage,
  wasSecretUsed,
} from './running/installation/match-installation.ts';
import { createJobHandlers } from './running/job-handlers.ts';
import { createAnswerLog, createLog } from './running/log.ts';
import type { Metrics } from './running/metrics/metrics.ts';
import { serveMetrics } from './running/metrics/routes.ts';
import type { Tracing } from './running/metrics/tracing.ts';
import { matchMove, openMovedFiles } from './running/move/move-site.ts';
import { openPayments, type Payments } from './running/open-payments.ts';
import {
  scheduleCatchUp,
  scheduleFlush,
  scheduleImport,
  scheduleSweep,
  scheduleWaysToPay,
} from './running/schedule.ts';
import { VERSION } from './running/version.ts';
import { watchClock } from './running/watch-clock.ts';
import { WaysToPay } from './selling/checkout/ways-to-pay.ts';
import { refuseMixedModes } from './selling/purchases/modes.ts';

export interface Overrides {
  /** The clock, UTC milliseconds. */
  now?: () => number;
  /** Serves the pages from their sources, reloading them as they change. */
  dev?: boolean;
  /** Where the card provider is asked instead of at the sandbox's own address. */
  providerUrl?: string;
  /** How long a request's body may take, in milliseconds. */
  bodyTimeoutMs?: number;
  /** How often what nobody needs is swept, and the provider's hour is looked at; milliseconds. */
  sweepEveryMs?: number;
  catchUpEveryMs?: number;
  passwordCost?: PasswordCost;
  /** Where the log's lines go instead of to standard output. */
  logTo?: DestinationStream;
  logStatement?: LogStatement;
  /** Whether pages can be had in the language that tests alone know. */
  trialLanguage?: boolean;
}

export type App = ReturnType<typeof createApp>;

type Closers = (() => Promise<void> | void)[];

/** What everything that is opened may use. */
interface Surroundings extends Overrides {
  config: Config;
  now: () => number;
  log: Logger;
  closers: Closers;
}

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

/**
 * Connections that may wait to be accepted; the system may allow fewer. With Node's own 511, every fifth
 * buyer of a rush beyond what the machine can do was reset in place of waiting.
 */
const BACKLOG = 4_096;

const BEING_MOVED =
  'this site is being moved and can only be read: wait for the command, or repeat it if it was killed, or end the move with npm run cli -- move --undo';
const MAILS_USED_UP =
  'the daily allowance of emails to unconfirmed addresses is used up: no sign-ups until midnight UTC';

/** The composition root: the one place that sees every part. Creating it opens nothing. */
export function createApp(
  config: Config,
  { now = () => Date.now(), ...overrides }: Overrides = {},
) {
  const closers: Closers = [];
  const log = createLog(config.logLevel, overrides.logTo);
  const surroundings = { ...overrides, config, now, log, closers };
  let server: FastifyInstance | undefined;

  /** Opens everything, migrates the database and listens. */
  async function start() {
    const opened = await openData(surroundings);
    const { db, database, metrics, secret, store } = opened;
    const http = await openServer(surroundings, opened);
    server = http;
    const look = siteStyles(config);
    const web = overrides.dev ? await openDevWebApp(http, look) : await openBuiltWebApp(look);
    closers.push(() => web.close());
    const people = openAccounts(surroundings, opened, web);
    const isClosed = await prepareData(surroundings, opened, people.auth);
    // Kept, because the sandbox may have something to deliver while the server is being closed.
    let { port } = config;
    const payments = await openPayments(config, {
      secret,
      providerUrl: overrides.providerUrl,
      log,
      processes: database.processes,
      closers,
      port: () => port,
    });
    const { provider } = payments;
    const waysToPay = new WaysToPay(provider);
    await refuseMixedModes(db, provider.mode);
    const { costBearers, publicUrl, operatorEmails } = config;
    const books = { db, provider, costBearers, publicUrl, now };
    const payouts: PayoutContext = {
      db,
      provider: payments.payoutProvider,
      terms: config.payouts,
      now,
      account: () => provider.account(),
    };
    const tickets = createMailedTickets(secret);
    const parts = { ...opened, ...people, web, payments, payouts, books, tickets, waysToPay };
    const worker = createWorker({
      db,
      now,
      log,
      isFinal: isFinalPaymentFault,
      tellRun: metrics?.jobRan,
      traceJob: opened.tracing?.runJob,
      handlers: createJobHandlers({ ...surroundings, ...parts }),
    });
    const views = new ViewCounter(db, now);
    closers.push(scheduleFlush(views, log));
    const { countConnections } = database;
    metrics?.observe({ db, store, countConnections, version: VERSION, now });
    await registerRoutes(http, { ...surroundings, ...parts, views });
    await http.listen({ host: config.host, port: config.port, backlog: BACKLOG });
    port = (http.server.address() as AddressInfo).port;
    if (config.database.kind === 'sqlite' && !isClosed) await releaseLeases(db);
    worker.start();
    closers.push(() => worker.stop());
    closers.push(...schedule(surroundings, parts));
    payments.sandbox?.lead();
    return {
      port,
      sandboxUrl: payments.sandbox?.apiUrl ?? null,
      /** What makes whoever opens it the first operator; null where there is one. */
      firstOperatorUrl: await findFirstOperatorUrl(
        { db, operatorEmails, secret },
        publicUrl,
        now(),
      ),
    };
  }

  return {
    start,
    /** Says from now on that it is not ready, and serves as ever. @returns whether it serves */
    leave(): boolean {
      if (!server?.server.listening) return false;
      server.leaving = true;
      return true;
    },
    /** Finishes what runs and closes everything that was opened; also after a start that failed. */
    async stop(): Promise<void> {
      const end = performance.now() + STOP_MS;
      // First, because what is in flight still needs everything else.
      await finishWithin(STOP_SERVER_MS, () => server?.close(), log);
      for (const close of closers.splice(0).reverse()) {
        await finishWithin(Math.min(STOP_PART_MS, end - performance.now()), close, log);
      }
    },
  };
}

type Opened = Awaited<ReturnType<typeof openData>>;

/** Opens files and database, and what is told of their work. */
async function openData(surroundings: Surroundings) {
  const { config, now, log, closers, logStatement } = surroundings;
  const { dataDir } = config;
  // A proxy that sends the files itself is let in by a group or an access list of the operator.
  const groupReads = config.downloadAccel !== null;
  await makeDataFolder(dataDir, { groupReads, log });
  if (config.database.kind === 'sqlite') closers.push(await lockDataFolder(dataDir, log));
  const store = await openStore({ ...config, groupReads, db: () => database.db, now });
  const copies = openStampedCopies({ dataDir, store, minFree: config.minFreeDiskBytes });
  const [metrics, tracing] = await Promise.all([
    openMetrics(surroundings),
    openTraces(surroundings),
  ]);
  const tellStatement: LogStatement = (event) => {
    metrics?.statementRan(event.queryDurationMillis, event.level === 'error');
    tracing?.statementRan(event);
    logStatement?.(event);
  };
  const database: OpenDatabase = await openDatabase(config.database, {
    holdsBlobs: () => holdsBlobs(store),
    log,
    logStatement: metrics || tracing ? tellStatement : logStatement,
    now,
    closers,
  });
  const { db } = database;
  noteBy(db, (note) => {
    const { kind, ...fields } = note;
    log.info(fields, kind);
    metrics?.noted(note);
  });
  const secret = config.appSecret ?? (await loadAppSecret(dataDir, () => wasSecretUsed(db)));
  return { store, copies, metrics, tracing, database, db, secret };
}

/** Only where they are asked for, because their library would take memory. */
async function openMetrics({ config, log, closers }: Surroundings): Promise<Metrics | null> {
  const { token, port } = config.metrics;
  if (token === null && port === null) return null;
  const { createMetrics } = await import('./running/metrics/metrics.ts');
  const metrics = createMetrics();
  if (port === null) return metrics;
  const onFault = (error: unknown) => log.error({ err: error }, 'the figures could not be read');
  const served = await serveMetrics(metrics, port, onFault);
  closers.push(() => served.close());
  return metrics;
}

/** Loaded only where a collector is named, for the same reason. */
async function openTraces({ config, log, closers }: Surroundings): Promise<Tracing | null> {
  if (config.tracing === null) return null;
  const { openTracing } = await import('./running/metrics/tracing.ts');
  const onFault = (said: string) => log.warn({ said }, 'the collector took no traces');
  const tracing = openTracing({ ...config.tracing, version: VERSION, onFault });
  closers.push(() => tracing.close());
  return tracing;
}

function openServer(
  { config, log, logTo, bodyTimeoutMs }: Surroundings,
  { metrics, tracing }: Opened,
): Promise<FastifyInstance> {
  const { publicUrl, trustedProxies } = config;
  const logAnswer = createAnswerLog(config.logLevel, logTo);
  const tellAnswer = (answer: Answer) => {
    logAnswer(answer);
    metrics?.answered(answer);
    tracing?.answered(answer);
  };
  return createServer({
    publicUrl,
    trustedProxies,
    log,
    bodyTimeoutMs,
    tellAnswer: metrics || tracing || log.isLevelEnabled('info') ? tellAnswer : undefined,
    traceAnswer: tracing?.answer,
  });
}

/** Opens the mail and, with it, the accounts. */
function openAccounts(
  { config, now, log, closers, passwordCost }: Surroundings,
  { db, secret }: Opened,
  { mails }: WebApp,
) {
  const { publicUrl, siteName, accent, supportEmail, operator, mail, signUp, operatorEmails } =
    config;
  const isSolo = config.payouts.kind === 'solo';
  const site = { origin: publicUrl, siteName, accent, supportEmail, operator, isSolo };
  const sendLetter = createSendLetter({ sendMail: openMail(), mails, site });
  // The local mailbox mails nobody.
  const mailAllowance =
    mail.kind === 'smtp' ? createMailAllowance(db, now, () => log.warn(MAILS_USED_UP)) : null;
  const auth = createAuth({
    db,
    databaseKind: config.database.kind,
    publicUrl,
    siteName,
    secret: derive(secret, 'sessions'),
    userPool: config.userPool,
    socialSignIn: config.socialSignIn,
    door: { signUp, operatorEmails, secret },
    log,
    sendLetter,
    mailAllowance,
    passwordCost,
  });
  const secretKeyCreated: SharedContext['secretKeyCreated'] = (owner, key) => {
    const { email: to, firstName, language } = owner;
    const facts = { firstName, language, key };
    void deliver(() => sendLetter({ to, mail: 'secretKeyCreated', facts }), log);
  };
  return { sendLetter, mailAllowance, auth, secretKeyCreated };

  function openMail(): SendMail {
    if (mail.kind === 'mailbox') return openMailbox({ db, log, now });
    const smtp = openSmtp(mail);
    closers.push(() => smtp.close());
    return smtp;
  }
}

/**
 * Migrates the database, and sees that it, the files and the secret belong together.
 * @returns whether the site is being moved and can only be read
 */
async function prepareData(
  { config, now, log }: Surroundings,
  { db, database, store, secret }: Opened,
  auth: Auth,
): Promise<boolean> {
  const move = await database.patiently(async (patient) => {
    await refuseOtherSchema(patient);
    const unfinished = await matchMove(patient);
    if (config.database.kind === 'sqlite') {
      const copy = await copyBeforeUpgrade(patient, config.database.file);
      if (copy) log.info({ copy }, 'the database was copied before its upgrade');
    }
    await migrateAuth(auth, patient);
    await migrate(patient);
    return unfinished;
  });
  database.hearCommands();
  await matchStorage(db, store, config.database);
  const isClosed = move !== null && !(await openMovedFiles(db, move));
  if (isClosed) log.warn({ place: move.place }, BEING_MOVED);
  await matchSecret(db, secret);
  await ensureSigningKey({ db, secret, now });
  const released = await releaseKnownBlobs({ db, store });
  if (released > 0) log.info({ released }, 'files were restored from quarantine');
  return isClosed;
}

interface Parts extends Opened {
  auth: Auth;
  payments: Payments;
  books: ReviewContext;
  waysToPay: WaysToPay;
}

/** Begins what is done by the clock. @returns what stops it */
function schedule(
  { config, now, log, sweepEveryMs, catchUpEveryMs }: Surroundings,
  { db, database, store, copies, auth, payments, books, waysToPay }: Parts,
): Closers {
  const { processes } = database;
  return [
    scheduleSweep({
      db,
      processes,
      store,
      copies,
      now,
      log,
      sweepExpired: (at) => sweepExpired(auth, at),
      everyMs: sweepEveryMs,
    }),
    scheduleCatchUp({ db, now, log, ...payments, everyMs: catchUpEveryMs }),
    scheduleImport({
      ...books,
      processes,
      log,
      warn: (error, transaction) =>
        log.warn({ err: error, transaction }, 'the books could not follow a payment'),
      everyMs: sweepEveryMs,
    }),
    // The sandbox takes test cards alone.
    ...(payments.sandbox ? [] : [scheduleWaysToPay(waysToPay, log, sweepEveryMs)]),
    // The provider's clock is compared with each of its events.
    ...(config.s3 ? [watchClock({ url: config.s3.endpoint, now, log })] : []),
  ];
}
