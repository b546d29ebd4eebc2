import type { FastifyInstance } from 'fastify';
import { drawCard } from '../adapters/images/draw-card.ts';
import { prepareCover } from '../adapters/images/sharp.ts';
import type { ViewCounter } from '../books/statistics/view-counter.ts';
import { discoveryRoutes } from '../catalog/discovery/routes.ts';
import { createFindParts } from '../catalog/links/bundles.ts';
import { createFindFiles } from '../catalog/links/queries.ts';
import { readOwnContent } from '../catalog/links/read-own-content.ts';
import type { StampedCopies } from '../catalog/links/stamp.ts';
import { sellerPageRoutes } from '../catalog/sellers/page-routes.ts';
import { sellerRoutes } from '../catalog/sellers/routes.ts';
import { createSellerGuard } from '../catalog/sellers/seller-guard.ts';
import { asksSellerName, createFindSeller } from '../catalog/sellers/seller-name.ts';
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
import { createPageRenderer, type RunQuery } from '../edge/pages/render-page.ts';
import { assetRoutes, pageRoutes } from '../edge/pages/routes.ts';
import { toRuntimeConfig } from '../edge/pages/runtime-config.ts';
import { readRoom } from '../files/admit-upload.ts';
import type { FileStore } from '../files/file-store.ts';
import { uploadRoutes } from '../files/upload-routes.ts';
import type { Config } from '../ground/config/read-config.ts';
import type { OpenDatabase } from '../ground/database/open-database.ts';
import type { SendLetter } from '../ground/lib/letter.ts';
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
import { createMailProof } from '../office/back-office/mail-proof.ts';
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
import { examineSetup } from '../running/doctor/examine-setup.ts';
import { healthRoutes } from '../running/health/routes.ts';
import type { Metrics } from '../running/metrics/metrics.ts';
import { metricsRoutes } from '../running/metrics/routes.ts';
import { type Payments, webhookSecretOf, webhookUrlOf } from '../running/open-payments.ts';
import { VERSION } from '../running/version.ts';
import { createClaimCookie } from '../selling/access/claim-cookie.ts';
import { countCart } from '../selling/checkout/cart.ts';
import { cartRoutes } from '../selling/checkout/cart-routes.ts';
import { giveLink } from '../selling/checkout/give-link.ts';
import { createRefreshCheckout } from '../selling/checkout/refresh-checkout.ts';
import { checkoutRoutes } from '../selling/checkout/routes.ts';
import type { WaysToPay } from '../selling/checkout/ways-to-pay.ts';
import { licenseRoutes } from '../selling/licenses/routes.ts';
import { coverRoutes } from '../selling/paywall/cover-routes.ts';
import { paywallPageRoutes } from '../selling/paywall/page-routes.ts';
import { viewRoutes } from '../selling/paywall/view-routes.ts';
import { cardRoutes } from '../selling/sharing/card-routes.ts';
import { embedRoutes } from '../selling/sharing/embed-routes.ts';
import { schema } from './schema.ts';

/** What was opened, for the routes. */
interface Parts {
  config: Config;
  dev?: boolean | undefined;
  /** Whether pages can be had in the language that tests alone know. */
  trialLanguage?: boolean | undefined;
  metrics: Metrics | null;
  now: () => number;
  database: OpenDatabase;
  store: FileStore;
  copies: StampedCopies;
  web: WebApp;
  auth: Auth;
  mailAllowance: MailAllowance | null;
  payments: Payments;
  waysToPay: WaysToPay;
  payouts: PayoutContext;
  views: ViewCounter;
  secret: string;
  tickets: MailedTickets;
  sendLetter: SendLetter;
  secretKeyCreated: SharedContext['secretKeyCreated'];
}

/** Gives every feature's routes what they need. */
export async function registerRoutes(http: FastifyInstance, parts: Parts): Promise<void> {
  const common = guardAllRoutes(http, parts);
  const runQuery = registerSchema(http, parts, common);
  const context = { ...common, ...openPages(http, parts, common, runQuery) };
  await registerPages(http, parts, context);
  await registerAccounts(http, parts, context);
  await registerSelling(http, parts, context);
  await registerDelivery(http, parts, context);
  if (parts.payments.sandbox) await http.register(parts.payments.sandbox.hostedPage);
}

/** What many routes use. Secrets, and what signs with them, are handed to their own routes alone. */
type Common = ReturnType<typeof guardAllRoutes>;

/** Sets up what each request passes before its route. */
function guardAllRoutes(http: FastifyInstance, parts: Parts) {
  const { config, now, store, auth, payments, secret } = parts;
  const { db, changes, processes } = parts.database;
  const { publicUrl } = config;
  const provider = payments.providerOfPages;
  const limits = createRateLimits(now, processes?.counts);
  const publishableKey = publishableKeyOf(secret);
  const warn = (message: string) => (error: unknown) => http.log.warn({ err: error }, message);
  const claimSecret = derive(secret, 'first checkouts');
  const claimCookie = createClaimCookie({ db, publicUrl, now, secret: claimSecret });
  const findViewer = createFindViewer({
    db,
    now,
    claimCookie,
    readSession: sessionReader(auth, db, config.operatorEmails),
    publishableKey,
    serviceKey: config.serviceKey,
    notRecorded: warn("a key's last use was not recorded"),
  });
  identifyViewers(http, findViewer);
  guardRoutes(http, limits);
  const methodsAt = refuseMethods(http);
  describeRoutes(http, { publicUrl, version: VERSION });
  const { readCheckout, findOpenCheckout } = createRefreshCheckout(
    { db, provider, now },
    changes,
    warn('the provider could not be asked about a checkout'),
  );
  return {
    db,
    changes,
    store,
    now,
    publicUrl,
    siteName: config.siteName,
    provider,
    limits,
    publishableKey,
    claimCookie,
    findViewer,
    methodsAt,
    readCheckout,
    findOpenCheckout,
    findSeller: createFindSeller(db),
    findFiles: createFindFiles(db),
    findParts: createFindParts(db),
    requireSeller: createSellerGuard(db, config.sellers),
    mode: payments.provider.mode,
    version: VERSION,
    supportEmail: config.supportEmail,
    operatorEmails: config.operatorEmails,
    costBearers: config.costBearers,
    fee: config.fee,
    tax: config.tax,
    providerMinimumCents: config.providerMinimumCents,
    checkoutApiEndpoint: config.checkoutApiEndpoint,
    accountQuotaBytes: config.accountQuotaBytes,
  };
}

/** The schema by POST, by WebSocket, and for the pages in process. */
function registerSchema(http: FastifyInstance, parts: Parts, common: Common): RunQuery {
  const { config, payments, secret, tickets, dev: introspection = false } = parts;
  const { db, publicUrl, costBearers, findViewer, now } = common;
  const { mail } = config;
  const mailProof = createMailProof({ db, now, secret, mail, sendLetter: parts.sendLetter });
  const shared: SharedContext = {
    ...common,
    minimumPriceCents: config.minimumPriceCents,
    requireAccount: (id) => requireAccount(db, id),
    signUp: config.signUp,
    sellers: config.sellers,
    quotaLinks: config.quotaLinks,
    payouts: { ...parts.payouts, provider: payments.payoutProviderOfPages },
    giftUrl: (purchaseId) => `${publicUrl}/gifts/${tickets.giftSigner.sign({ purchaseId })}`,
    returnUrl: (purchaseId) =>
      `${publicUrl}/returns/${tickets.returnSigner.sign({ purchaseId, mailed: false })}`,
    refundSale: (refund) => refundSale(common, refund),
    waysToPay: parts.waysToPay,
    giveLink: (given) => giveLink({ ...common, views: parts.views }, given),
    refundCost: costBearers.refundCost,
    secretKeyCreated: parts.secretKeyCreated,
    mailProof,
    examineSetup: async () =>
      examineSetup({
        config,
        db,
        secret,
        webhookSecret: webhookSecretOf(config.payments, secret),
        mailProvenAt: await mailProof.provenAt(),
        findProviderFaults: () => payments.findFaults(webhookUrlOf(config)),
        now,
      }),
    hooks: {
      secretOf: (hook) => hookSecret(secret, hook),
      allowPrivate: config.webhookAllowPrivate,
    },
  };
  const served = { schema, shared, findViewer, introspection };
  registerLive(http, served);
  return registerGraphql(http, served);
}

type Context = Common & ReturnType<typeof openPages>;

/** Opens what shows pages, those of errors included. */
function openPages(http: FastifyInstance, parts: Parts, common: Common, runQuery: RunQuery) {
  const { config, web, trialLanguage: trial = false } = parts;
  const runtimeConfig = toRuntimeConfig(config, common.mode, common.publishableKey);
  const storeOrigin = config.s3?.direct ? config.s3.endpoint : null;
  const headers = documentHeaders({ ...config, ...web, storeOrigin });
  const { sellers } = config;
  const renderer = createPageRenderer({
    web,
    runtimeConfig,
    runQuery,
    headers,
    sellers,
    trial,
    countCart: (claimHash) => countCart(common.db, claimHash),
  });
  answerErrors(http, renderer, common.methodsAt);
  return { runtimeConfig, renderer, renderPaywall: createRenderPaywall(renderer) };
}

async function registerPages(http: FastifyInstance, parts: Parts, context: Context): Promise<void> {
  const { config, dev, auth, web, secret, database, metrics } = parts;
  const { db, now, renderer, runtimeConfig } = context;
  const { sessionToken } = (await auth.$context).authCookies;
  const pushKey = pushKeys(secret).publicKey;
  const kept = {
    renderer,
    now,
    keepPages: !dev,
    origin: runtimeConfig.origin,
    cache: keepByChanges(context.changes),
    personalCookies: [context.claimCookie.name, sessionToken.name].map((name) => `${name}=`),
  };
  parts.waysToPay.whenChanged(() => kept.cache.clear());
  await http.register(pageRoutes, {
    ...context,
    kept,
    readRoom: (userId) => readRoom(context, userId),
    asksSellerName: (accountId) => asksSellerName(db, accountId),
    readOwnContent: (ownerId, linkId) => readOwnContent(db, ownerId, linkId),
    listReceiptKeys: () => listReceiptKeys(db),
    readAccount: (user) => readAccount({ ...context, auth, pushKey }, user),
  });
  await http.register(sellerPageRoutes, { ...context, kept });
  await http.register(paywallPageRoutes, { ...context, kept });
  const { serviceWorker } = web;
  if (serviceWorker) await http.register(assetRoutes, { serviceWorker });
  await http.register(languageRoutes, context);
  if (runtimeConfig.mailbox) await http.register(mailboxRoutes, context);
  const { token } = config.metrics;
  if (metrics && token !== null) await http.register(metricsRoutes, { metrics, token });
  await http.register(healthRoutes, { ...context, connectAnew: database.connectAnew });
  await http.register(discoveryRoutes, { ...context, logo: config.logo });
}

async function registerAccounts(
  http: FastifyInstance,
  { config, auth, secret, mailAllowance }: Parts,
  context: Context,
): Promise<void> {
  const device = createSigner(secret, 'known device', DEVICE_TICKET);
  const accounts = {
    ...context,
    auth,
    findAccount: accountReader(auth),
    knownDevices: createKnownDevices(device, context.publicUrl, context.now),
    mailAllowance,
    onlyPool: config.userPool?.only ? config.userPool.name : null,
  };
  const step = createSigner(secret, 'step of a sign-in', STEP_TICKET);
  await http.register(accountRoutes, accounts);
  await http.register(loginRoutes, { ...accounts, signer: step });
  const signer = createInvitationSigner(secret);
  await http.register(invitationRoutes, { ...accounts, signer });
}

/** What creators sell, and the way to its payment. */
async function registerSelling(
  http: FastifyInstance,
  { config, database, payments, views }: Parts,
  context: Context,
): Promise<void> {
  const { processes } = database;
  await http.register(uploadRoutes, {
    ...context,
    maxFileBytes: config.maxFileBytes,
    leases: processes?.leases ?? null,
    quotaUploadsADay: config.quotaUploadsADay,
    scans: config.clamd !== null,
  });
  await http.register(coverRoutes, { ...context, prepareCover });
  await http.register(viewRoutes, { ...context, views });
  await http.register(salesRoutes, context);
  await http.register(payoutsRoutes, context);
  await http.register(sourcesRoutes, context);
  await http.register(cardRoutes, { ...context, drawCard });
  await http.register(sellerRoutes, context);
  await http.register(embedRoutes, context);
  const checkout = { ...context, views, configured: context.checkoutApiEndpoint !== '' };
  await http.register(checkoutRoutes, checkout);
  await http.register(licenseRoutes, context);
  await http.register(cartRoutes, checkout);
  await http.register(webhookRoutes, { ...context, verifyWebhook: payments.verifyWebhook });
}

/** What buyers have after their payment. */
async function registerDelivery(
  http: FastifyInstance,
  { config, secret, tickets, copies }: Parts,
  context: Context,
): Promise<void> {
  const { operator, downloadAccel: accel } = config;
  const download = createSigner(secret, 'download', DOWNLOAD_TICKET);
  await http.register(downloadRoutes, { ...context, signer: download, accel, copies });
  await http.register(storageRoutes, { ...context, signer: download });
  await http.register(moderationRoutes, context);
  await http.register(signedReceiptRoutes, { ...context, secret, operator });
  const { personalSigner, updatesSigner, purchasesSigner, giftSigner, returnSigner } = tickets;
  const { hashCode } = tickets;
  await http.register(accessRoutes, { ...context, signer: personalSigner, hashCode });
  await http.register(updatesRoutes, { ...context, signer: updatesSigner });
  await http.register(giftRoutes, { ...context, signer: giftSigner });
  await http.register(returnRoutes, { ...context, signer: returnSigner });
  await http.register(notificationRoutes, { ...context, signer: createSellerSigner(secret) });
  await http.register(purchasesRoutes, { ...context, signer: purchasesSigner });
}
