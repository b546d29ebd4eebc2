import type { FastifyInstance } from 'fastify';
import { giftRoutes } from './access/gift-routes.ts';
import type { MailedTickets } from './access/mailed-tickets.ts';
import { purchasesRoutes } from './access/purchases-routes.ts';
import { returnRoutes } from './access/return-routes.ts';
import { accessRoutes } from './access/routes.ts';
import { updatesRoutes } from './access/updates-routes.ts';
import type { Auth } from './accounts/auth/create-auth.ts';
import { readAccount } from './accounts/auth/read-account.ts';
import { accountReader, sessionReader } from './accounts/auth/read-session.ts';
import { requireAccount } from './accounts/find-account.ts';
import { createInvitationSigner } from './accounts/invitations.ts';
import type { MailAllowance } from './accounts/mail-allowance.ts';
import { invitationRoutes } from './accounts/routes/invitation-routes.ts';
import { createKnownDevices, DEVICE_TICKET } from './accounts/routes/known-devices.ts';
import { languageRoutes } from './accounts/routes/language-routes.ts';
import { loginRoutes, STEP_TICKET } from './accounts/routes/login-routes.ts';
import { accountRoutes } from './accounts/routes/routes.ts';
import { createFindSeller } from './accounts/seller.ts';
import { createSellerGuard } from './accounts/sellers.ts';
import { drawCard } from './adapters/images/draw-card.ts';
import { prepareCover } from './adapters/images/sharp.ts';
import { registerGraphql } from './api/graphql-routes.ts';
import { registerLive } from './api/live-routes.ts';
import { schema } from './api/schema.ts';
import { cartRoutes } from './checkout/cart-routes.ts';
import { createRefreshCheckout } from './checkout/refresh-checkout.ts';
import { checkoutRoutes } from './checkout/routes.ts';
import type { Config } from './config/read-config.ts';
import { payoutsRoutes } from './dashboard/payouts-csv.ts';
import { salesRoutes } from './dashboard/sales-csv.ts';
import { sourcesRoutes } from './dashboard/sources-csv.ts';
import type { OpenDatabase } from './database/open-database.ts';
import { DOWNLOAD_TICKET } from './delivery/download-url.ts';
import { downloadRoutes } from './delivery/routes.ts';
import { storageRoutes } from './delivery/storage-routes.ts';
import { discoveryRoutes } from './discovery/routes.ts';
import { readRoom } from './files/admit-upload.ts';
import type { FileStore } from './files/file-store.ts';
import { uploadRoutes } from './files/upload-routes.ts';
import type { SharedContext } from './graphql/builder.ts';
import { healthRoutes } from './health/routes.ts';
import { hookSecret } from './hooks/hook-secret.ts';
import { describeRoutes } from './http/describe-calls.ts';
import { guardRoutes } from './http/guard-routes.ts';
import { createRateLimits } from './http/rate-limits.ts';
import { refuseMethods } from './http/refuse-methods.ts';
import { documentHeaders } from './http/security-headers.ts';
import { createSigner, derive, publishableKeyOf } from './lib/signer.ts';
import { createFindParts } from './links/bundles.ts';
import { createFindFiles } from './links/queries.ts';
import { readOwnContent } from './links/read-own-content.ts';
import { mailboxRoutes } from './mails/mailbox-routes.ts';
import type { Metrics } from './metrics/metrics.ts';
import { metricsRoutes } from './metrics/routes.ts';
import { moderationRoutes } from './moderation/routes.ts';
import { createSellerSigner } from './notifications/choice.ts';
import { pushKeys } from './notifications/push-keys.ts';
import { notificationRoutes } from './notifications/routes.ts';
import type { Payments } from './open-payments.ts';
import type { WebApp } from './pages/built-web-app.ts';
import { answerErrors, createRenderPaywall } from './pages/error-pages.ts';
import { keepByChanges } from './pages/kept-pages.ts';
import { createPageRenderer } from './pages/render-page.ts';
import { assetRoutes, pageRoutes } from './pages/routes.ts';
import { toRuntimeConfig } from './pages/runtime-config.ts';
import { refundSale } from './payments/refund-sale.ts';
import { webhookRoutes } from './payments/webhook-routes.ts';
import type { PayoutContext } from './payouts/context.ts';
import { coverRoutes } from './paywall/cover-routes.ts';
import { paywallPageRoutes } from './paywall/page-routes.ts';
import { viewRoutes } from './paywall/view-routes.ts';
import { sellerPageRoutes } from './sellers/page-routes.ts';
import { sellerRoutes } from './sellers/routes.ts';
import { cardRoutes } from './sharing/card-routes.ts';
import { embedRoutes } from './sharing/embed-routes.ts';
import { signedReceiptRoutes } from './signed-receipts/routes.ts';
import { listReceiptKeys } from './signed-receipts/signing-keys.ts';
import type { ViewCounter } from './statistics/view-counter.ts';
import { VERSION } from './version.ts';
import { createClaimCookie } from './viewer/claim-cookie.ts';
import { createFindViewer, identifyViewers } from './viewer/find-viewer.ts';

/** What was opened, for the routes. */
interface Parts {
  config: Config;
  dev: boolean;
  /** Whether pages can be had in the language that tests alone know. */
  trial: boolean;
  metrics: Metrics | null;
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
  secretKeyCreated: SharedContext['secretKeyCreated'];
}

/** Gives every feature's routes what they need. */
export async function registerRoutes(http: FastifyInstance, parts: Parts): Promise<void> {
  const { config, dev, trial, now, store, web, auth, payments, views, secret, tickets } = parts;
  const { db, changes, processes, connectAnew } = parts.database;
  const { publicUrl, supportEmail, costBearers, providerMinimumCents } = config;
  const { mode } = payments.provider;
  const provider = payments.providerOfPages;
  const limits = createRateLimits(now, processes?.counts);
  const publishableKey = publishableKeyOf(secret);
  const warn = (message: string) => (error: unknown) => http.log.warn({ err: error }, message);

  const claimCookie = createClaimCookie({
    ...{ db, publicUrl, now },
    secret: derive(secret, 'first checkouts'),
  });
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
  const methodsAt = refuseMethods(http);
  describeRoutes(http, { publicUrl, version: VERSION });

  const { refreshCheckout, findOpenCheckout } = createRefreshCheckout(
    { db, provider, now },
    changes,
    warn('the provider could not be asked about a checkout'),
  );
  const findSeller = createFindSeller(db);
  const requireSeller = createSellerGuard(db, config.sellers);
  const readers = {
    ...{ db, store, findSeller },
    ...{ findFiles: createFindFiles(db), findParts: createFindParts(db) },
  };
  const shared: SharedContext = {
    ...{ ...readers, changes, limits, now, mode, refreshCheckout, publicUrl },
    version: VERSION,
    ...{ minimumPriceCents: config.minimumPriceCents, providerMinimumCents },
    ...{ fee: config.fee, requireSeller },
    requireAccount: (id) => requireAccount(db, id),
    operatorEmails: config.operatorEmails,
    ...{ signUp: config.signUp, sellers: config.sellers, quotaLinks: config.quotaLinks },
    payouts: { ...parts.payouts, provider: payments.payoutProviderOfPages },
    giftUrl: (purchaseId) => `${publicUrl}/gifts/${tickets.giftSigner.sign({ purchaseId })}`,
    returnUrl: (purchaseId) =>
      `${publicUrl}/returns/${tickets.returnSigner.sign({ purchaseId, mailed: false })}`,
    refundSale: (refund) =>
      refundSale({ ...{ db, provider, publicUrl, now }, costBearers }, refund),
    refundCost: costBearers.refundCost,
    secretKeyCreated: parts.secretKeyCreated,
    hooks: {
      secretOf: (hook) => hookSecret(secret, hook),
      allowPrivate: config.webhookAllowPrivate,
    },
  };
  registerLive(http, { schema, shared, findViewer, publicUrl, introspection: dev });
  const runQuery = registerGraphql(http, { schema, shared, findViewer, introspection: dev });

  const runtimeConfig = toRuntimeConfig(config, mode, publishableKey);
  const { styleSources, scriptSources } = web;
  const headers = documentHeaders({
    ...{ ...config, styleSources, scriptSources },
    uploadOrigin: config.s3?.direct ? config.s3.endpoint : null,
  });
  const renderer = createPageRenderer({
    ...{ web, runtimeConfig, runQuery, headers },
    sellers: config.sellers,
    trial,
  });
  answerErrors(http, renderer, methodsAt);
  const renderPaywall = createRenderPaywall(renderer);
  const { sessionToken } = (await auth.$context).authCookies;
  const { maxFileBytes, accountQuotaBytes } = config;
  const pushKey = pushKeys(secret).publicKey;
  const kept = {
    ...{ renderer, now, keepPages: !dev, origin: runtimeConfig.origin },
    cache: keepByChanges(changes),
    personalCookies: [claimCookie.name, sessionToken.name].map((name) => `${name}=`),
  };
  await http.register(pageRoutes, {
    ...{ db, kept, runtimeConfig, requireSeller },
    readRoom: (userId) => readRoom({ db, store, accountQuotaBytes }, userId),
    readOwnContent: (ownerId, linkId) => readOwnContent(db, ownerId, linkId),
    operatorEmails: config.operatorEmails,
    listReceiptKeys: () => listReceiptKeys(db),
    readAccount: (user) =>
      readAccount({ auth, db, operatorEmails: config.operatorEmails, pushKey }, user),
  });
  await http.register(sellerPageRoutes, { db, kept, methodsAt });
  await http.register(paywallPageRoutes, { db, kept, methodsAt, findOpenCheckout });
  const { serviceWorker } = web;
  if (serviceWorker) await http.register(assetRoutes, { serviceWorker });
  await http.register(languageRoutes, { db, publicUrl });
  if (runtimeConfig.mailbox) await http.register(mailboxRoutes, { db, renderer });

  const { metrics } = parts;
  const { token } = config.metrics;
  if (metrics && token !== null) await http.register(metricsRoutes, { metrics, token });
  await http.register(healthRoutes, { db, store, connectAnew, version: VERSION, now });
  await http.register(discoveryRoutes, {
    ...{ ...readers, changes, publicUrl, supportEmail, now },
  });
  const accounts = {
    ...{ auth, publicUrl, limits, publishableKey, methodsAt },
    findAccount: accountReader(auth),
    knownDevices: createKnownDevices(
      createSigner(secret, 'known device', DEVICE_TICKET),
      publicUrl,
      now,
    ),
    mailAllowance: parts.mailAllowance,
    onlyPool: config.userPool?.only ? config.userPool.name : null,
  };
  await http.register(accountRoutes, accounts);
  await http.register(loginRoutes, {
    ...{ ...accounts, renderer },
    signer: createSigner(secret, 'step of a sign-in', STEP_TICKET),
  });
  await http.register(invitationRoutes, {
    ...{ db, auth, publicUrl, renderer, now },
    signer: createInvitationSigner(secret),
  });
  await http.register(uploadRoutes, {
    ...{ db, store, maxFileBytes, accountQuotaBytes, requireSeller, now },
    leases: processes?.leases ?? null,
    quotaUploadsADay: config.quotaUploadsADay,
    scans: config.clamd !== null,
  });
  await http.register(coverRoutes, { db, store, limits, prepareCover, now });
  await http.register(viewRoutes, { db, limits, views });
  await http.register(salesRoutes, { db, publicUrl, now });
  await http.register(payoutsRoutes, { db, mode, publicUrl, now });
  await http.register(sourcesRoutes, { db, publicUrl, now });
  await http.register(cardRoutes, { ...readers, limits, drawCard, publicUrl });
  await http.register(sellerRoutes, { db, now });
  await http.register(embedRoutes, {
    ...{ ...readers, publicUrl, supportEmail, now },
    ...{ checkoutApiEndpoint: config.checkoutApiEndpoint, tax: config.tax, providerMinimumCents },
  });

  await http.register(checkoutRoutes, {
    ...{ db, store, provider, publicUrl, now },
    ...{ claimCookie, limits, renderPaywall },
    ...{ fee: config.fee, tax: config.tax, providerMinimumCents, requireSeller },
    configured: config.checkoutApiEndpoint !== '',
  });
  await http.register(cartRoutes, {
    ...{ db, store, provider, publicUrl, now },
    ...{ claimCookie, limits, renderer, renderPaywall, findSeller },
    ...{ fee: config.fee, tax: config.tax, providerMinimumCents, requireSeller },
    configured: config.checkoutApiEndpoint !== '',
  });
  const { verifyWebhook, sandbox } = payments;
  await http.register(webhookRoutes, { db, provider, verifyWebhook, now });
  const signer = createSigner(secret, 'download', DOWNLOAD_TICKET);
  const accel = config.downloadAccel;
  await http.register(downloadRoutes, {
    ...{ db, changes, store, signer, renderPaywall, accel, now },
  });
  await http.register(storageRoutes, { db, store, signer, publicUrl, limits, now });
  await http.register(moderationRoutes, {
    ...{ db, renderer, limits, now },
  });
  await http.register(signedReceiptRoutes, {
    ...{ db, secret, publicUrl, now },
    operator: config.operator,
  });
  await http.register(accessRoutes, {
    ...{ db, claimCookie, renderer, limits, now },
    signer: tickets.personalSigner,
    hashCode: tickets.hashCode,
  });
  await http.register(updatesRoutes, { db, renderer, signer: tickets.updatesSigner });
  await http.register(giftRoutes, {
    ...{ db, renderer, limits, now },
    signer: tickets.giftSigner,
  });
  await http.register(returnRoutes, {
    ...{ db, provider, publicUrl, costBearers, claimCookie, renderer, limits, now },
    signer: tickets.returnSigner,
  });
  await http.register(notificationRoutes, {
    ...{ db, renderer, now },
    signer: createSellerSigner(secret),
  });
  await http.register(purchasesRoutes, {
    ...{ db, claimCookie, renderer, limits, now },
    signer: tickets.purchasesSigner,
  });
  if (sandbox) await http.register(sandbox.hostedPage);
}
