import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { DestinationStream } from 'pino';
import { createMailedTickets, type MailedTickets } from './access/mailed-tickets.ts';
import { purchasesRoutes } from './access/purchases-routes.ts';
import { accessRoutes } from './access/routes.ts';
import { updatesRoutes } from './access/updates-routes.ts';
import { type Auth, createAuth } from './accounts/auth/create-auth.ts';
import { deliver } from './accounts/auth/mails.ts';
import { migrateAuth } from './accounts/auth/migrate-auth.ts';
import type { PasswordCost } from './accounts/auth/passwords.ts';
import { readAccount } from './accounts/auth/read-account.ts';
import { accountReader, sessionReader, sweepExpired } from './accounts/auth/read-session.ts';
import { createMailAllowance, type MailAllowance } from './accounts/mail-allowance.ts';
import { createKnownDevices, DEVICE_TICKET } from './accounts/routes/known-devices.ts';
import { accountRoutes } from './accounts/routes/routes.ts';
import { createFindSeller } from './accounts/seller.ts';
import { createSellerGuard } from './accounts/sellers.ts';
import { openScanner } from './adapters/clamd/open-scanner.ts';
import { readFacts } from './adapters/facts/read-facts.ts';
import { drawCard } from './adapters/images/draw-card.ts';
import { prepareCover } from './adapters/images/sharp.ts';
import { drawPreview } from './adapters/previews/draw-preview.ts';
import { openStore } from './adapters/storage/open-store.ts';
import { registerGraphql } from './api/graphql-routes.ts';
import { registerLive } from './api/live-routes.ts';
import { createRefreshCheckout } from './checkout/refresh-checkout.ts';
import { checkoutRoutes } from './checkout/routes.ts';
import type { Config } from './config/read-config.ts';
import { payoutsRoutes } from './dashboard/payouts-csv.ts';
import { salesRoutes } from './dashboard/sales-csv.ts';
import { loadAppSecret, lockDataFolder, makeDataFolder } from './data-folder.ts';
import { migrate, refuseNewerSchema } from './database/migrate.ts';
import { type OpenDatabase, openDatabase } from './database/open-database.ts';
import type { Database, LogStatement } from './database/tables.ts';
import { DOWNLOAD_TICKET } from './delivery/download-url.ts';
import { downloadRoutes } from './delivery/routes.ts';
import { storageRoutes } from './delivery/storage-routes.ts';
import { discoveryRoutes } from './discovery/routes.ts';
import { readRoom } from './files/admit-upload.ts';
import type { FileStore } from './files/file-store.ts';
import { createFileJobs } from './files/jobs.ts';
import { releaseKnownBlobs } from './files/sweep.ts';
import { uploadRoutes } from './files/upload-routes.ts';
import { finishWithin } from './finish-within.ts';
import type { SharedContext } from './graphql/builder.ts';
import { healthRoutes } from './health/routes.ts';
import { guardRoutes } from './http/guard-routes.ts';
import { createRateLimits } from './http/rate-limits.ts';
import { documentHeaders } from './http/security-headers.ts';
import { createServer } from './http/server.ts';
import {
  holdsBlobs,
  matchSecret,
  matchStorage,
  wasSecretUsed,
} from './installation/match-installation.ts';
import { createSigner, derive } from './lib/signer.ts';
import { makePreview } from './links/preview.ts';
import { createFindFiles } from './links/queries.ts';
import { createLog } from './log.ts';
import { createMailJobs } from './mails/jobs.ts';
import { openMailbox } from './mails/mailbox.ts';
import { mailboxRoutes } from './mails/mailbox-routes.ts';
import { openSmtp, type SendMail } from './mails/smtp.ts';
import { openPayments, type Payments } from './open-payments.ts';
import { createWorker, releaseLeases } from './outbox/worker.ts';
import { openBuiltWebApp, type WebApp } from './pages/built-web-app.ts';
import { openDevWebApp } from './pages/dev-web-app.ts';
import { answerErrors, createRenderPaywall } from './pages/error-pages.ts';
import { createPageRenderer } from './pages/render-page.ts';
import { assetRoutes, pageRoutes } from './pages/routes.ts';
import { toRuntimeConfig } from './pages/runtime-config.ts';
import { createPaymentJobs, isFinalPaymentFault } from './payments/jobs.ts';
import { refuseMixedModes } from './payments/modes.ts';
import { refundSale } from './payments/refund-sale.ts';
import { webhookRoutes } from './payments/webhook-routes.ts';
import type { PayoutContext } from './payouts/context.ts';
import { createPayoutJobs } from './payouts/jobs.ts';
import { coverRoutes } from './paywall/cover-routes.ts';
import { viewRoutes } from './paywall/view-routes.ts';
import { scheduleCatchUp, scheduleFlush, scheduleImport, scheduleSweep } from './schedule.ts';
import { cardRoutes } from './sharing/card-routes.ts';
import { embedRoutes } from './sharing/embed-routes.ts';
import { signedReceiptRoutes } from './signed-receipts/routes.ts';
import { signReceipt } from './signed-receipts/sign-receipt.ts';
import { ensureSigningKey, listReceiptKeys } from './signed-receipts/signing-keys.ts';
import { ViewCounter } from './statistics/view-counter.ts';
import { createClaimCookie } from './viewer/claim-cookie.ts';
import { createFindViewer, identifyViewers } from './viewer/find-viewer.ts';
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
  /** How often what nobody needs is swept, and the provider's hour is looked at; milliseconds. */
  sweepEveryMs?: number;
  catchUpEveryMs?: number;
  passwordCost?: PasswordCost;
  /** Where the log's lines go instead of to standard output. */
  logTo?: DestinationStream;
  logStatement?: LogStatement;
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
  }: Overrides = {},
): App {
  const closers: Closers = [];
  const log = createLog(config.logLevel, logTo);
  let server: FastifyInstance | undefined;

  async function start() {
    const { publicUrl, supportEmail } = config;
    // A proxy that sends the files itself is let in by a group or an access list of the operator.
    const groupReads = config.downloadAccel !== null;
    await makeDataFolder(config.dataDir, { groupReads, log });
    const isFile = config.database.kind === 'sqlite';
    if (isFile) closers.push(await lockDataFolder(config.dataDir, log));
    const store = await openStore({ ...config, groupReads, db: () => database.db, now });
    const database: OpenDatabase = await openDatabase(config.database, {
      holdsBlobs: () => holdsBlobs(store),
      log,
      logStatement,
      closers,
    });
    const { db } = database;
    const secret =
      config.appSecret ?? (await loadAppSecret(config.dataDir, () => wasSecretUsed(db)));
    const { trustedProxies } = config;
    const http = await createServer({ publicUrl, trustedProxies, log, bodyTimeoutMs });
    server = http;
    const web = dev ? await openDevWebApp(http) : await openBuiltWebApp();
    closers.push(() => web.close());
    const { mails } = web;
    const sendMail = openMail(config, db);
    const accountMails = createAccountMails({ sendMail, mails, origin: publicUrl, supportEmail });
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
      log,
      mails: accountMails,
      mailAllowance,
      passwordCost,
    });
    await database.patiently(async (patient) => {
      await refuseNewerSchema(patient);
      await migrateAuth(auth, patient);
      await migrate(patient);
    });
    await matchStorage(db, store, config.database);
    await matchSecret(db, secret);
    await ensureSigningKey({ db, secret, now });
    const released = await releaseKnownBlobs({ db, store });
    if (released > 0) log.info({ released }, 'files were restored from quarantine');
    // Kept, because the sandbox may have something to deliver while the server is being closed.
    let { port } = config;
    const payments = await openPayments(config, {
      ...{ secret, providerUrl, log, closers },
      port: () => port,
    });
    await refuseMixedModes(db, payments.provider.mode);
    const tickets = createMailedTickets(secret);
    const openScan = config.clamd === null ? null : openScanner(config.clamd);
    const { provider } = payments;
    const payoutContext: PayoutContext = {
      ...{ db, provider: payments.payoutProvider, terms: config.payouts, now },
      account: () => provider.account(),
      wakeWorker: () => worker.wake(),
    };
    const paymentContext = { db, provider, costBearers: config.costBearers, publicUrl, now };
    const receiptContext = { db, secret, publicUrl, operator: config.operator, now };
    const worker = createWorker({
      db,
      now,
      log,
      isFinal: isFinalPaymentFault,
      handlers: {
        ...createPaymentJobs(
          { ...paymentContext, signReceipt: (sale) => signReceipt(receiptContext, sale) },
          log,
        ),
        ...createPayoutJobs(payoutContext),
        ...createMailJobs({
          ...{ db, sendMail, mails, publicUrl, supportEmail, now, ...tickets },
          operatorEmails: config.operatorEmails,
          operator: config.operator,
        }),
        ...createFileJobs({ db, store, openScan, readFacts, now }, log),
        'make-preview': ({ linkId }, again) =>
          makePreview({ db, store, drawPreview, now }, linkId, again),
      },
    });
    const views = new ViewCounter(db, now);
    closers.push(scheduleFlush(views, log));
    await registerRoutes(http, {
      ...{ config, dev, now, database, store, web, auth, mailAllowance },
      ...{ payments, views, secret, tickets, payouts: payoutContext },
      wakeWorker: () => worker.wake(),
      secretKeyCreated: ({ email, firstName }, name) => {
        const notice = { kind: 'secret-key-created', name } as const;
        void deliver(() => accountMails.sendNotice(email, notice, firstName), log);
      },
    });
    await http.listen({ host: config.host, port: config.port });
    port = (http.server.address() as AddressInfo).port;
    if (isFile) await releaseLeases(db);
    worker.start();
    closers.push(() => worker.stop());
    closers.push(
      scheduleSweep({
        ...{ db, store, now, log },
        sweepExpired: (at) => sweepExpired(auth, at),
        everyMs: sweepEveryMs,
      }),
    );
    closers.push(scheduleCatchUp({ db, now, log, ...payments, everyMs: catchUpEveryMs }));
    closers.push(
      scheduleImport({
        ...paymentContext,
        log,
        warn: (error, transaction) =>
          log.warn({ err: error, transaction }, 'the books could not follow a payment'),
        everyMs: sweepEveryMs,
      }),
    );
    payments.sandbox?.deliverWebhooks();
    return { port, sandboxUrl: payments.sandbox?.apiUrl ?? null };
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

interface Parts {
  config: Config;
  dev: boolean;
  now: () => number;
  database: OpenDatabase;
  store: FileStore;
  web: WebApp;
  auth: Auth;
  mailAllowance: MailAllowance | null;
  payments: Payments;
  payouts: PayoutContext;
  views: ViewCounter;
  secret: string;
  tickets: MailedTickets;
  wakeWorker(): void;
  secretKeyCreated: SharedContext['secretKeyCreated'];
}

/** Gives every feature's routes what they need. */
async function registerRoutes(http: FastifyInstance, parts: Parts): Promise<void> {
  const { config, dev, now, store, web, auth, payments, views, secret, tickets, wakeWorker } =
    parts;
  const { db, changes, connectAnew } = parts.database;
  const { publicUrl, supportEmail, costBearers } = config;
  const { mode } = payments.provider;
  const provider = payments.providerOfPages;
  const limits = createRateLimits(now);
  const publishableKey = `pk_${derive(secret, 'publishable key').slice(0, 32)}`;
  const warn = (message: string) => (error: unknown) => http.log.warn({ err: error }, message);

  const claimCookie = createClaimCookie(db, publicUrl);
  const findViewer = createFindViewer({
    db,
    now,
    claimCookie,
    readSession: sessionReader(auth, db),
    publishableKey,
    serviceKey: config.serviceKey,
    notRecorded: warn("a key's last use was not recorded"),
  });
  identifyViewers(http, findViewer);
  guardRoutes(http, limits);

  const { refreshCheckout, hasOpenCheckout } = createRefreshCheckout(
    { db, provider, now },
    warn('the provider could not be asked about a checkout'),
  );
  const findSeller = createFindSeller(db);
  const requireSeller = createSellerGuard(db, config.sellers);
  const readers = { db, store, findSeller, findFiles: createFindFiles(db) };
  const shared: SharedContext = {
    ...{ ...readers, changes, limits, now, mode, refreshCheckout, publicUrl },
    ...{ minimumPriceCents: config.minimumPriceCents, fee: config.fee, requireSeller },
    payouts: { ...parts.payouts, provider: payments.payoutProviderOfPages },
    receiptWanted: wakeWorker,
    refundSale: (refund) =>
      refundSale({ ...{ db, provider, publicUrl, now }, costBearers }, refund),
    refundCost: costBearers.refundCost,
    secretKeyCreated: parts.secretKeyCreated,
  };
  registerLive(http, { shared, findViewer, publicUrl, introspection: dev });
  const runQuery = registerGraphql(http, { shared, introspection: dev });

  const runtimeConfig = toRuntimeConfig(config, mode, publishableKey);
  const { styleSources, scriptSources } = web;
  const headers = documentHeaders({
    ...{ ...config, styleSources, scriptSources },
    uploadOrigin: config.s3?.direct ? config.s3.endpoint : null,
  });
  const renderer = createPageRenderer({
    ...{ web, runtimeConfig, runQuery, headers },
    sellers: config.sellers,
  });
  answerErrors(http, renderer);
  const renderPaywall = createRenderPaywall(renderer);
  const { sessionToken } = (await auth.$context).authCookies;
  const { maxFileBytes, accountQuotaBytes } = config;
  await http.register(pageRoutes, {
    ...{ db, changes, renderer, runtimeConfig, hasOpenCheckout, requireSeller, now },
    readRoom: (userId) => readRoom({ db, store, accountQuotaBytes }, userId),
    keepPages: !dev,
    personalCookies: [claimCookie.name, sessionToken.name].map((name) => `${name}=`),
    listReceiptKeys: () => listReceiptKeys(db),
    readAccount: (user) => readAccount({ auth, db, findSeller }, user),
  });
  const { serviceWorker } = web;
  if (serviceWorker) await http.register(assetRoutes, { serviceWorker });
  if (runtimeConfig.mailbox) await http.register(mailboxRoutes, { db, renderer });

  await http.register(healthRoutes, { db, store, connectAnew, now });
  await http.register(discoveryRoutes, {
    ...{ ...readers, changes, publicUrl, supportEmail, now },
  });
  await http.register(accountRoutes, {
    ...{ auth, publicUrl, limits, publishableKey },
    findAccount: accountReader(auth),
    knownDevices: createKnownDevices(
      createSigner(secret, 'known device', DEVICE_TICKET),
      publicUrl,
      now,
    ),
    mailAllowance: parts.mailAllowance,
    onlyPool: config.userPool?.only ? config.userPool.name : null,
  });
  await http.register(uploadRoutes, {
    ...{ db, store, maxFileBytes, accountQuotaBytes, requireSeller, now },
    scans: config.clamd !== null,
    arrived: wakeWorker,
  });
  await http.register(coverRoutes, { db, store, limits, prepareCover, now });
  await http.register(viewRoutes, { db, limits, views });
  await http.register(salesRoutes, { db, publicUrl, now });
  await http.register(payoutsRoutes, { db, mode, now });
  await http.register(cardRoutes, { ...readers, limits, drawCard });
  await http.register(embedRoutes, { ...readers, publicUrl });

  await http.register(checkoutRoutes, {
    ...{ db, store, provider, publicUrl, now },
    ...{ claimCookie, limits, renderPaywall },
    ...{ fee: config.fee, tax: config.tax, requireSeller },
    configured: config.checkoutApiEndpoint !== '',
  });
  const { verifyWebhook, sandbox } = payments;
  await http.register(webhookRoutes, { db, provider, verifyWebhook, stored: wakeWorker, now });
  const signer = createSigner(secret, 'download', DOWNLOAD_TICKET);
  const accel = config.downloadAccel;
  await http.register(downloadRoutes, { db, store, signer, renderPaywall, accel, now });
  await http.register(storageRoutes, { db, store, signer, publicUrl, limits, now });
  await http.register(signedReceiptRoutes, {
    ...{ db, secret, publicUrl, now },
    operator: config.operator,
  });
  await http.register(accessRoutes, {
    ...{ db, claimCookie, renderer, limits, now },
    signer: tickets.personalSigner,
    hashCode: tickets.hashCode,
    mailWanted: wakeWorker,
  });
  await http.register(updatesRoutes, { db, renderer, signer: tickets.updatesSigner });
  await http.register(purchasesRoutes, {
    ...{ db, claimCookie, renderer, limits, now },
    signer: tickets.purchasesSigner,
    mailWanted: wakeWorker,
  });
  if (sandbox) await http.register(sandbox.hostedPage);
}
