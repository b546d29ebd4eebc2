import type { FastifyInstance } from 'fastify';
import { drawCard } from '../adapters/images/draw-card.ts';
import { prepareCover } from '../adapters/images/sharp.ts';
import type { ViewCounter } from '../books/statistics/view-counter.ts';
import { discoveryRoutes } from '../catalog/discovery/routes.ts';
import { createFindParts } from '../catalog/links/bundles.ts';
import { createFindFiles } from '../catalog/links/queries.ts';
import { readOwnContent } from '../catalog/links/read-own-content.ts';
import { sellerPageRoutes } from '../catalog/sellers/page-routes.ts';
import { sellerRoutes } from '../catalog/sellers/routes.ts';
import { createSellerGuard } from '../catalog/sellers/seller-guard.ts';
import { createFindSeller } from '../catalog/sellers/seller-name.ts';
import { giftRoutes } from '../delivery/buyers/gift-routes.ts';
import type { MailedTickets } from '../delivery/buyers/mailed-tickets.ts';
import { purchasesRoutes } from '../delivery/buyers/purchases-routes.ts';
import { returnRoutes } from '../delivery/buyers/return-routes.ts';
import { accessRoutes } from '../delivery/buyers/routes.ts';
import { updatesRoutes } from '../delivery/buyers/updates-routes.ts';
import { DOWNLOAD_TICKET } from '../delivery/downloads/download-url.ts';
import { downloadRoutes } from '../delivery/downloads/routes.ts';
import { storageRoutes } from '../delivery/downloads/storage-routes.ts';
import { signedReceiptRoutes } from '../delivery/receipts/routes.ts';
import { listReceiptKeys } from '../delivery/receipts/signing-keys.ts';
import type { SharedContext } from '../edge/graphql/builder.ts';
import { registerGraphql } from '../edge/graphql/graphql-routes.ts';
import { registerLive } from '../edge/graphql/live-routes.ts';
import { describeRoutes } from '../edge/http/describe-calls.ts';
import { guardRoutes } from '../edge/http/guard-routes.ts';
import { createRateLimits } from '../edge/http/rate-limits.ts';
import { refuseMethods } from '../edge/http/refuse-methods.ts';
import { documentHeaders } from '../edge/http/security-headers.ts';
import type { WebApp } from '../edge/pages/built-web-app.ts';
import { answerErrors, createRenderPaywall } from '../edge/pages/error-pages.ts';
import { keepByChanges } from '../edge/pages/kept-pages.ts';
import { createPageRenderer } from '../edge/pages/render-page.ts';
import { assetRoutes, pageRoutes } from '../edge/pages/routes.ts';
import { toRuntimeConfig } from '../edge/pages/runtime-config.ts';
import { readRoom } from '../files/admit-upload.ts';
import type { FileStore } from '../files/file-store.ts';
import { uploadRoutes } from '../files/upload-routes.ts';
import type { Config } from '../ground/config/read-config.ts';
import type { OpenDatabase } from '../ground/database/open-database.ts';
import { createSigner, derive, publishableKeyOf } from '../ground/lib/signer.ts';
import { refundSale } from '../money/payments/refund-sale.ts';
import { webhookRoutes } from '../money/payments/webhook-routes.ts';
import type { PayoutContext } from '../money/payouts/context.ts';
import { payoutsRoutes } from '../money/payouts/payouts-csv.ts';
import { hookSecret } from '../notices/hooks/hook-secret.ts';
import { mailboxRoutes } from '../notices/mails/mailbox-routes.ts';
import { createSellerSigner } from '../notices/notifications/choice.ts';
import { pushKeys } from '../notices/notifications/push-keys.ts';
import { notificationRoutes } from '../notices/notifications/routes.ts';
import { salesRoutes } from '../office/dashboard/sales-csv.ts';
import { sourcesRoutes } from '../office/dashboard/sources-csv.ts';
import { moderationRoutes } from '../office/moderation/routes.ts';
import type { Auth } from '../people/accounts/auth/create-auth.ts';
import { readAccount } from '../people/accounts/auth/read-account.ts';
import { accountReader, sessionReader } from '../people/accounts/auth/read-session.ts';
import { requireAccount } from '../people/accounts/find-account.ts';
import { createInvitationSigner } from '../people/accounts/invitations.ts';
import type { MailAllowance } from '../people/accounts/mail-allowance.ts';
import { invitationRoutes } from '../people/accounts/routes/invitation-routes.ts';
import { createKnownDevices, DEVICE_TICKET } from '../people/accounts/routes/known-devices.ts';
import { languageRoutes } from '../people/accounts/routes/language-routes.ts';
import { loginRoutes, STEP_TICKET } from '../people/accounts/routes/login-routes.ts';
import { accountRoutes } from '../people/accounts/routes/routes.ts';
import { createFindViewer, identifyViewers } from '../people/viewer/find-viewer.ts';
import { healthRoutes } from '../running/health/routes.ts';
import type { Metrics } from '../running/metrics/metrics.ts';
import { metricsRoutes } from '../running/metrics/routes.ts';
import type { Payments } from '../running/open-payments.ts';
import { VERSION } from '../running/version.ts';
import { createClaimCookie } from '../selling/access/claim-cookie.ts';
import { cartRoutes } from '../selling/checkout/cart-routes.ts';
import { createRefreshCheckout } from '../selling/checkout/refresh-checkout.ts';
import { checkoutRoutes } from '../selling/checkout/routes.ts';
import { coverRoutes } from '../selling/paywall/cover-routes.ts';
import { paywallPageRoutes } from '../selling/paywall/page-routes.ts';
import { viewRoutes } from '../selling/paywall/view-routes.ts';
import { cardRoutes } from '../selling/sharing/card-routes.ts';
import { embedRoutes } from '../selling/sharing/embed-routes.ts';
import { schema } from './schema.ts';

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
    db,
    publicUrl,
    now,
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
    db,
    store,
    findSeller,
    findFiles: createFindFiles(db),
    findParts: createFindParts(db),
  };
  const shared: SharedContext = {
    ...readers,
    changes,
    limits,
    now,
    mode,
    refreshCheckout,
    publicUrl,
    version: VERSION,
    minimumPriceCents: config.minimumPriceCents,
    providerMinimumCents,
    fee: config.fee,
    requireSeller,
    requireAccount: (id) => requireAccount(db, id),
    operatorEmails: config.operatorEmails,
    signUp: config.signUp,
    sellers: config.sellers,
    quotaLinks: config.quotaLinks,
    payouts: { ...parts.payouts, provider: payments.payoutProviderOfPages },
    giftUrl: (purchaseId) => `${publicUrl}/gifts/${tickets.giftSigner.sign({ purchaseId })}`,
    returnUrl: (purchaseId) =>
      `${publicUrl}/returns/${tickets.returnSigner.sign({ purchaseId, mailed: false })}`,
    refundSale: (refund) => refundSale({ db, provider, publicUrl, now, costBearers }, refund),
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
    ...config,
    styleSources,
    scriptSources,
    uploadOrigin: config.s3?.direct ? config.s3.endpoint : null,
  });
  const renderer = createPageRenderer({
    web,
    runtimeConfig,
    runQuery,
    headers,
    sellers: config.sellers,
    trial,
  });
  answerErrors(http, renderer, methodsAt);
  const renderPaywall = createRenderPaywall(renderer);
  const { sessionToken } = (await auth.$context).authCookies;
  const { maxFileBytes, accountQuotaBytes } = config;
  const pushKey = pushKeys(secret).publicKey;
  const kept = {
    renderer,
    now,
    keepPages: !dev,
    origin: runtimeConfig.origin,
    cache: keepByChanges(changes),
    personalCookies: [claimCookie.name, sessionToken.name].map((name) => `${name}=`),
  };
  await http.register(pageRoutes, {
    db,
    kept,
    runtimeConfig,
    requireSeller,
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
    ...readers,
    changes,
    publicUrl,
    supportEmail,
    now,
  });
  const accounts = {
    auth,
    publicUrl,
    limits,
    methodsAt,
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
    ...accounts,
    renderer,
    signer: createSigner(secret, 'step of a sign-in', STEP_TICKET),
  });
  await http.register(invitationRoutes, {
    db,
    auth,
    publicUrl,
    renderer,
    now,
    signer: createInvitationSigner(secret),
  });
  await http.register(uploadRoutes, {
    db,
    store,
    maxFileBytes,
    accountQuotaBytes,
    requireSeller,
    now,
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
    ...readers,
    publicUrl,
    supportEmail,
    now,
    checkoutApiEndpoint: config.checkoutApiEndpoint,
    tax: config.tax,
    providerMinimumCents,
  });

  await http.register(checkoutRoutes, {
    db,
    store,
    provider,
    publicUrl,
    now,
    claimCookie,
    limits,
    renderPaywall,
    fee: config.fee,
    tax: config.tax,
    providerMinimumCents,
    requireSeller,
    configured: config.checkoutApiEndpoint !== '',
  });
  await http.register(cartRoutes, {
    db,
    store,
    provider,
    publicUrl,
    now,
    claimCookie,
    limits,
    renderer,
    renderPaywall,
    findSeller,
    fee: config.fee,
    tax: config.tax,
    providerMinimumCents,
    requireSeller,
    configured: config.checkoutApiEndpoint !== '',
  });
  const { verifyWebhook, sandbox } = payments;
  await http.register(webhookRoutes, { db, provider, verifyWebhook, now });
  const signer = createSigner(secret, 'download', DOWNLOAD_TICKET);
  const accel = config.downloadAccel;
  await http.register(downloadRoutes, {
    db,
    changes,
    store,
    signer,
    renderPaywall,
    accel,
    now,
  });
  await http.register(storageRoutes, { db, store, signer, publicUrl, limits, now });
  await http.register(moderationRoutes, {
    db,
    renderer,
    limits,
    now,
  });
  await http.register(signedReceiptRoutes, {
    db,
    secret,
    publicUrl,
    now,
    operator: config.operator,
  });
  await http.register(accessRoutes, {
    db,
    claimCookie,
    renderer,
    limits,
    now,
    signer: tickets.personalSigner,
    hashCode: tickets.hashCode,
  });
  await http.register(updatesRoutes, { db, renderer, signer: tickets.updatesSigner });
  await http.register(giftRoutes, {
    db,
    renderer,
    limits,
    now,
    signer: tickets.giftSigner,
  });
  await http.register(returnRoutes, {
    db,
    provider,
    publicUrl,
    costBearers,
    claimCookie,
    renderer,
    limits,
    now,
    signer: tickets.returnSigner,
  });
  await http.register(notificationRoutes, {
    db,
    renderer,
    now,
    signer: createSellerSigner(secret),
  });
  await http.register(purchasesRoutes, {
    db,
    claimCookie,
    renderer,
    limits,
    now,
    signer: tickets.purchasesSigner,
  });
  if (sandbox) await http.register(sandbox.hostedPage);
}
