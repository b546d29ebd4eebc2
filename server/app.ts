import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { DestinationStream } from 'pino';
import { openScanner } from './adapters/clamd/open-scanner.ts';
import { readFacts } from './adapters/facts/read-facts.ts';
import { createPostHook } from './adapters/hooks/post-hook.ts';
import { drawPreview } from './adapters/previews/draw-preview.ts';
import { createSendPush } from './adapters/push/send-push.ts';
import { openStore } from './adapters/storage/open-store.ts';
import { registerRoutes } from './api/routes.ts';
import { ViewCounter } from './books/statistics/view-counter.ts';
import { indexOldWords } from './catalog/links/index-old-words.ts';
import { makePreview } from './catalog/links/preview.ts';
import { createMailedTickets } from './delivery/buyers/mailed-tickets.ts';
import { signReceipt } from './delivery/receipts/sign-receipt.ts';
import { ensureSigningKey } from './delivery/receipts/signing-keys.ts';
import { createServer } from './edge/http/server.ts';
import type { Answer } from './edge/http/tell-answers.ts';
import { openBuiltWebApp } from './edge/pages/built-web-app.ts';
import { openDevWebApp } from './edge/pages/dev-web-app.ts';
import { createFileJobs } from './files/jobs.ts';
import { releaseKnownBlobs } from './files/sweep.ts';
import type { Config } from './ground/config/read-config.ts';
import { copyBeforeUpgrade } from './ground/database/copy-before-upgrade.ts';
import { migrate, refuseNewerSchema } from './ground/database/migrate.ts';
import { type OpenDatabase, openDatabase } from './ground/database/open-database.ts';
import type { Database, LogStatement } from './ground/database/tables.ts';
import { noteBy } from './ground/database/transaction.ts';
import { derive } from './ground/lib/signer.ts';
import { DAY_MS } from './ground/lib/time.ts';
import { createWorker, releaseLeases } from './ground/outbox/worker.ts';
import { createPaymentJobs, isFinalPaymentFault } from './money/payments/jobs.ts';
import type { PayoutContext } from './money/payouts/context.ts';
import { createPayoutJobs } from './money/payouts/jobs.ts';
import { serveHook } from './notices/hooks/serve-hook.ts';
import { createMailJobs } from './notices/mails/jobs.ts';
import { createMailLinks } from './notices/mails/links.ts';
import { openMailbox } from './notices/mails/mailbox.ts';
import { createSendLetter } from './notices/mails/send-letter.ts';
import { openSmtp, type SendMail } from './notices/mails/smtp.ts';
import { createSellerSigner } from './notices/notifications/choice.ts';
import { tellBrowser, tellBrowsers } from './notices/notifications/tell-browsers.ts';
import { createModerationJobs } from './office/moderation/jobs.ts';
import { createAuth } from './people/accounts/auth/create-auth.ts';
import { deliver } from './people/accounts/auth/mails.ts';
import { migrateAuth } from './people/accounts/auth/migrate-auth.ts';
import type { PasswordCost } from './people/accounts/auth/passwords.ts';
import { sweepExpired } from './people/accounts/auth/read-session.ts';
import { createInvitationSigner } from './people/accounts/invitations.ts';
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
import { createAnswerLog, createLog } from './running/log.ts';
import type { Metrics } from './running/metrics/metrics.ts';
import { serveMetrics } from './running/metrics/routes.ts';
import type { Tracing } from './running/metrics/tracing.ts';
import { matchMove, openMovedFiles } from './running/move/move-site.ts';
import { openPayments } from './running/open-payments.ts';
import {
  scheduleCatchUp,
  scheduleFlush,
  scheduleImport,
  scheduleSweep,
} from './running/schedule.ts';
import { VERSION } from './running/version.ts';
import { watchClock } from './running/watch-clock.ts';
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

export interface App {
  /** Opens everything, migrates the database and listens. */
  start(): Promise<{
    port: number;
    sandboxUrl: string | null;
    /** What makes whoever opens it the first operator; null where there is one. */
    firstOperatorUrl: string | null;
  }>;
  /** Says from now on that it is not ready, and serves as ever. @returns whether it serves */
  leave(): boolean;
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

const BEING_MOVED =
  'this site is being moved and can only be read: wait for the command, or repeat it if it was killed, or end the move with npm run cli -- move --undo';

/** The composition root: the one place that sees every part. Creating it opens nothing. */
export function createApp(
  config: Config,
  {
    now = () => Date.now(),
    dev = false,
    providerUrl,
    bodyTimeoutMs,
    sweepEveryMs,
    catchUpEveryMs,
    passwordCost,
    logTo,
    logStatement,
    trialLanguage = false,
  }: Overrides = {},
): App {
  const closers: Closers = [];
  const log = createLog(config.logLevel, logTo);
  let server: FastifyInstance | undefined;

  async function start() {
    const { publicUrl, supportEmail, operator } = config;
    // A proxy that sends the files itself is let in by a group or an access list of the operator.
    const groupReads = config.downloadAccel !== null;
    await makeDataFolder(config.dataDir, { groupReads, log });
    const isFile = config.database.kind === 'sqlite';
    if (isFile) closers.push(await lockDataFolder(config.dataDir, log));
    const store = await openStore({ ...config, groupReads, db: () => database.db, now });
    const [metrics, tracing] = await Promise.all([openMetrics(), traceTo(config.tracing)]);
    const database: OpenDatabase = await openDatabase(config.database, {
      holdsBlobs: () => holdsBlobs(store),
      log,
      logStatement:
        metrics || tracing
          ? (event) => {
              metrics?.statementRan(event.queryDurationMillis, event.level === 'error');
              tracing?.statementRan(event);
              logStatement?.(event);
            }
          : logStatement,
      now,
      closers,
    });
    const { db, processes } = database;
    noteBy(db, (note) => {
      const { kind, ...fields } = note;
      log.info(fields, kind);
      metrics?.noted(note);
    });
    const secret =
      config.appSecret ?? (await loadAppSecret(config.dataDir, () => wasSecretUsed(db)));
    const { trustedProxies } = config;
    const logAnswer = createAnswerLog(config.logLevel, logTo);
    const tellAnswer = (answer: Answer) => {
      logAnswer(answer);
      metrics?.answered(answer);
      tracing?.answered(answer);
    };
    const http = await createServer({
      publicUrl,
      trustedProxies,
      log,
      bodyTimeoutMs,
      tellAnswer: metrics || tracing || log.isLevelEnabled('info') ? tellAnswer : undefined,
      traceAnswer: tracing?.answer,
    });
    server = http;
    const web = dev ? await openDevWebApp(http) : await openBuiltWebApp();
    closers.push(() => web.close());
    const { mails, pushTexts } = web;
    const isSolo = config.payouts.kind === 'solo';
    const site = { origin: publicUrl, supportEmail, operator, isSolo };
    const sendLetter = createSendLetter({ sendMail: openMail(config, db), mails, site });
    // The local mailbox mails nobody.
    const mailAllowance =
      config.mail.kind === 'smtp' ? createMailAllowance(db, now, tellMailsUsedUp) : null;
    const auth = createAuth({
      db,
      databaseKind: config.database.kind,
      publicUrl,
      secret: derive(secret, 'sessions'),
      userPool: config.userPool,
      socialSignIn: config.socialSignIn,
      door: { signUp: config.signUp, operatorEmails: config.operatorEmails, secret },
      log,
      sendLetter,
      mailAllowance,
      passwordCost,
    });
    const move = await database.patiently(async (patient) => {
      await refuseNewerSchema(patient);
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
    // Kept, because the sandbox may have something to deliver while the server is being closed.
    let { port } = config;
    const payments = await openPayments(config, {
      secret,
      providerUrl,
      log,
      processes,
      closers,
      port: () => port,
    });
    await refuseMixedModes(db, payments.provider.mode);
    const tickets = createMailedTickets(secret);
    const openScan = config.clamd === null ? null : openScanner(config.clamd);
    const { provider } = payments;
    const payoutContext: PayoutContext = {
      db,
      provider: payments.payoutProvider,
      terms: config.payouts,
      now,
      account: () => provider.account(),
    };
    const paymentContext = { db, provider, costBearers: config.costBearers, publicUrl, now };
    const receiptContext = { db, secret, publicUrl, operator, now };
    const postHook = createPostHook({
      allowPrivate: config.webhookAllowPrivate,
      version: VERSION,
    });
    const sendPush = createSendPush({ secret, publicUrl, post: postHook });
    const worker = createWorker({
      db,
      now,
      log,
      isFinal: isFinalPaymentFault,
      tellRun: metrics?.jobRan,
      traceJob: tracing?.runJob,
      handlers: {
        ...createPaymentJobs(
          { ...paymentContext, signReceipt: (sale) => signReceipt(receiptContext, sale) },
          payments.providerOfPages,
          log,
        ),
        ...createPayoutJobs(payoutContext),
        ...createModerationJobs(paymentContext),
        ...createMailJobs({
          db,
          sendLetter,
          links: createMailLinks(publicUrl, {
            ...tickets,
            invitationSigner: createInvitationSigner(secret),
            sellerSigner: createSellerSigner(secret),
          }),
          hashCode: tickets.hashCode,
          operatorEmails: config.operatorEmails,
          mode: provider.mode,
          holdMs: isSolo ? null : config.payouts.holdDays * DAY_MS,
          now,
        }),
        ...createFileJobs({ db, store, openScan, readFacts, now }, log),
        'index-old-words': ({ after }) => indexOldWords({ db, now }, after),
        'serve-hook': ({ hookId }, again) =>
          serveHook(
            { db, post: postHook, secret, operatorEmails: config.operatorEmails, now },
            hookId,
            again,
          ),
        'tell-browsers': (sales) => tellBrowsers({ db, now }, sales),
        'tell-browser': (sales, again) =>
          tellBrowser({ db, sendPush, pushTexts, now }, sales, again),
        'make-preview': ({ linkId }, again) =>
          makePreview({ db, store, drawPreview, now }, linkId, again),
      },
    });
    const views = new ViewCounter(db, now);
    closers.push(scheduleFlush(views, log));
    const { countConnections } = database;
    metrics?.observe({ db, store, countConnections, version: VERSION, now });
    await registerRoutes(http, {
      config,
      metrics,
      dev,
      now,
      database,
      store,
      web,
      auth,
      mailAllowance,
      trial: trialLanguage,
      payments,
      views,
      secret,
      tickets,
      payouts: payoutContext,
      secretKeyCreated: ({ email: to, firstName, language }, key) => {
        const facts = { firstName, language, key };
        void deliver(() => sendLetter({ to, mail: 'secretKeyCreated', facts }), log);
      },
    });
    await http.listen({ host: config.host, port: config.port });
    port = (http.server.address() as AddressInfo).port;
    if (isFile && !isClosed) await releaseLeases(db);
    worker.start();
    closers.push(() => worker.stop());
    closers.push(
      scheduleSweep({
        db,
        processes,
        store,
        now,
        log,
        sweepExpired: (at) => sweepExpired(auth, at),
        everyMs: sweepEveryMs,
      }),
    );
    closers.push(scheduleCatchUp({ db, now, log, ...payments, everyMs: catchUpEveryMs }));
    closers.push(
      scheduleImport({
        ...paymentContext,
        processes,
        log,
        warn: (error, transaction) =>
          log.warn({ err: error, transaction }, 'the books could not follow a payment'),
        everyMs: sweepEveryMs,
      }),
    );
    // The provider's clock is compared with each of its events.
    if (config.s3) closers.push(watchClock({ url: config.s3.endpoint, now, log }));
    payments.sandbox?.lead();
    const { operatorEmails } = config;
    return {
      port,
      sandboxUrl: payments.sandbox?.apiUrl ?? null,
      firstOperatorUrl: await findFirstOperatorUrl(
        { db, operatorEmails, secret },
        publicUrl,
        now(),
      ),
    };
  }

  /** Only where they are asked for, because their library would take memory. */
  async function openMetrics(): Promise<Metrics | null> {
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
  async function traceTo(collector: Config['tracing']): Promise<Tracing | null> {
    if (collector === null) return null;
    const { openTracing } = await import('./running/metrics/tracing.ts');
    const onFault = (said: string) => log.warn({ said }, 'the collector took no traces');
    const tracing = openTracing({ ...collector, version: VERSION, onFault });
    closers.push(() => tracing.close());
    return tracing;
  }

  function openMail({ mail }: Config, db: Database): SendMail {
    if (mail.kind === 'mailbox') return openMailbox({ db, log, now });
    const smtp = openSmtp(mail);
    closers.push(() => smtp.close());
    return smtp;
  }

  function tellMailsUsedUp(): void {
    log.warn(
      'the daily allowance of emails to unconfirmed addresses is used up: no sign-ups until midnight UTC',
    );
  }

  return {
    start,
    leave() {
      if (!server?.server.listening) return false;
      server.leaving = true;
      return true;
    },
    async stop() {
      const end = performance.now() + STOP_MS;
      // First, because what is in flight still needs everything else.
      await finishWithin(STOP_SERVER_MS, () => server?.close(), log);
      for (const close of closers.splice(0).reverse()) {
        await finishWithin(Math.min(STOP_PART_MS, end - performance.now()), close, log);
      }
    },
  };
}
