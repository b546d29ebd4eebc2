import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { AccountPageData } from '../../contract/account-details.ts';
import type { PersonalTicket } from '../access/personal-link.ts';
import { registerAccess } from '../access/routes.ts';
import type { MailAllowance } from '../accounts/mail-allowance.ts';
import type { AuthHandler } from '../accounts/routes/call-auth.ts';
import { createKnownDevices, type DeviceTicket } from '../accounts/routes/known-devices.ts';
import { registerAccounts } from '../accounts/routes/routes.ts';
import type { FindAccount } from '../accounts/routes/serve-account-route.ts';
import { createFindSeller } from '../accounts/seller.ts';
import { createRefreshCheckout } from '../checkout/refresh-checkout.ts';
import { registerCheckout } from '../checkout/routes.ts';
import { registerSalesCsv } from '../dashboard/sales-csv.ts';
import type { Database } from '../database/tables.ts';
import type { DownloadTicket } from '../delivery/download-url.ts';
import { registerDownloads } from '../delivery/routes.ts';
import { registerStorage } from '../delivery/storage-routes.ts';
import { registerDiscovery } from '../discovery/routes.ts';
import type { FileStore } from '../files/file-store.ts';
import { registerUploads } from '../files/upload-routes.ts';
import type { GraphqlServices } from '../graphql/builder.ts';
import { registerHealth } from '../health/routes.ts';
import { createRateLimits } from '../http/rate-limits.ts';
import { documentHeaders } from '../http/security-headers.ts';
import type { Changes } from '../lib/changes.ts';
import type { Signer } from '../lib/signer.ts';
import type { User } from '../lib/viewer.ts';
import type { DrawCard, PrepareCover } from '../links/cover.ts';
import { findLink, readPageVersion } from '../links/queries.ts';
import { assertLocalVisit, listMessages, registerMailbox } from '../mails/mailbox-routes.ts';
import { answerErrors, createRenderPaywall } from '../pages/error-pages.ts';
import { PageCache } from '../pages/kept-pages.ts';
import { createPageRenderer } from '../pages/render-page.ts';
import { registerAssets, registerPages } from '../pages/routes.ts';
import { type SiteSettings, toRuntimeConfig } from '../pages/runtime-config.ts';
import type { WebApp } from '../pages/web-app.ts';
import type { CardProvider } from '../payments/card-provider.ts';
import type { VerifyWebhook } from '../payments/receive-webhook.ts';
import { registerWebhooks } from '../payments/webhook-routes.ts';
import { registerCovers } from '../paywall/cover-routes.ts';
import { registerViews } from '../paywall/view-routes.ts';
import { registerCards } from '../sharing/card-routes.ts';
import { registerEmbed, registerOembed } from '../sharing/embed-routes.ts';
import type { ViewCounter } from '../statistics/view-counter.ts';
import { createClaimCookie } from '../viewer/claim-cookie.ts';
import { createFindKeyOwner, createFindViewer, identifyViewers } from '../viewer/find-viewer.ts';
import { registerGraphql } from './graphql-routes.ts';
import { registerLive } from './live-routes.ts';

/** The part of the configuration that the routes use. */
interface Settings extends SiteSettings {
  checkoutOrigin: string | null;
  accountQuotaBytes: number;
  downloadAccel: string | null;
  serviceKey: string | null;
}

export interface RouteServices {
  config: Settings;
  db: Database;
  changes: Changes;
  store: FileStore;
  web: WebApp;
  auth: AuthHandler;
  provider: CardProvider;
  drawCard: DrawCard;
  prepareCover: PrepareCover;
  verifyWebhook: VerifyWebhook;
  /** The sandbox's pages, or null with the real provider. */
  hostedPage: FastifyPluginAsync | null;
  readSession(headers: { authorization?: string; cookie?: string }): Promise<User | null>;
  findAccount: FindAccount;
  readAccount(user: User): Promise<AccountPageData>;
  /** Null where no mail leaves this machine. */
  mailAllowance: MailAllowance | null;
  publishableKey: string;
  deviceSigner: Signer<DeviceTicket>;
  downloadSigner: Signer<DownloadTicket>;
  personalSigner: Signer<PersonalTicket>;
  views: ViewCounter;
  wakeWorker(): void;
  /** Opens and closes a new connection, where the database is a server. */
  connectAnew(): Promise<void>;
  /** Tells the owner of an account of a new secret key. */
  secretKeyCreated(owner: User, name: string): void;
  /** Development: pages from their sources, introspection on. */
  dev: boolean;
  now: () => number;
}

/** Puts every route on the server. */
export async function registerRoutes(app: FastifyInstance, services: RouteServices): Promise<void> {
  const { config, db, changes, store, web, provider, publishableKey, now } = services;
  const { publicUrl } = config;
  const limits = createRateLimits();
  const claimCookie = createClaimCookie(db, publicUrl);
  const findViewer = createFindViewer({
    claimCookie,
    readSession: services.readSession,
    publishableKey,
    serviceKey: config.serviceKey,
    findKeyOwner: createFindKeyOwner({
      db,
      now,
      notRecorded: (error) => app.log.warn({ err: error }, "a key's last use was not recorded"),
    }),
  });
  identifyViewers(app, findViewer);
  const runtimeConfig = toRuntimeConfig(config, provider.mode, publishableKey);
  const cache = new PageCache();
  changes.subscribe({
    changed({ kind, id }) {
      if (kind === 'seller-changed') cache.recheck();
      else cache.delete(`/p/${id}`);
    },
    missed: () => cache.clear(),
  });

  const { refreshCheckout, hasOpenCheckout } = createRefreshCheckout(
    { db, provider, now, publish: changes.publish },
    (error) => app.log.warn({ err: error }, 'the provider could not be asked for a checkout'),
  );
  const graphqlServices: GraphqlServices = {
    db,
    store,
    findSeller: createFindSeller(db),
    mode: provider.mode,
    minimumPriceCents: config.minimumPriceCents,
    now,
    changes,
    refreshCheckout,
    limits,
    receiptWanted: services.wakeWorker,
    secretKeyCreated: services.secretKeyCreated,
  };
  const graphqlDeps = { services: graphqlServices, introspection: services.dev };
  registerLive(app, {
    ...graphqlDeps,
    findViewer,
    publicUrl,
  });
  const runQuery = await registerGraphql(app, graphqlDeps);
  const renderer = createPageRenderer({
    web,
    runtimeConfig,
    runQuery,
    headers: documentHeaders({
      styleSources: web.styleSources,
      scriptSources: web.scriptSources,
      publicUrl,
      checkoutOrigin: config.checkoutOrigin,
      checkoutApiEndpoint: config.checkoutApiEndpoint,
    }),
  });
  answerErrors(app, renderer);
  const renderPaywall = createRenderPaywall(renderer);

  registerHealth(app, { db, store, connectAnew: services.connectAnew });
  const { supportEmail } = config;
  await registerDiscovery(app, {
    readers: graphqlServices,
    changes,
    publicUrl,
    supportEmail,
    now,
  });
  app.get('/config.json', async () => runtimeConfig);
  if (web.serviceWorker) await registerAssets(app, web.serviceWorker);
  registerPages(app, {
    renderer,
    cache,
    keepPages: !services.dev,
    now,
    personalCookies: ['padlink_claim=', 'padlink.session_token='],
    // A page that cannot read this says itself what failed.
    hasOpenCheckout: (viewer, id) => hasOpenCheckout(viewer, id).catch(() => false),
    // A page that cannot be read is not kept: it says itself what failed.
    linkVersion: (id) => readPageVersion(db, id).catch(() => null),
    async isOwner({ creatorId }, id) {
      return creatorId !== null && (await findLink(db, id))?.owner_id === creatorId;
    },
    readAccount: services.readAccount,
  });
  registerSalesCsv(app, { db, now });
  registerViews(app, {
    db,
    views: services.views,
    limits,
  });
  registerAccounts(app, {
    auth: services.auth,
    publicUrl,
    limits,
    findAccount: services.findAccount,
    knownDevices: createKnownDevices(services.deviceSigner, publicUrl, now),
    mailAllowance: services.mailAllowance,
    publishableKey,
    onlyPool: config.userPool?.only ? config.userPool.name : null,
  });
  registerUploads(app, {
    db,
    store,
    maxFileBytes: config.maxFileBytes,
    accountQuotaBytes: config.accountQuotaBytes,
    limits,
    now,
  });
  registerCheckout(app, {
    context: { db, store, provider, fee: config.fee, publicUrl, now, publish: changes.publish },
    configured: config.checkoutApiEndpoint !== '',
    claimCookie,
    limits,
    renderPaywall,
  });
  registerCards(app, {
    readers: graphqlServices,
    store,
    drawCard: services.drawCard,
    limits,
  });
  await registerCovers(app, {
    db,
    store,
    changes,
    prepareCover: services.prepareCover,
    limits,
    now,
  });
  await registerEmbed(app, graphqlServices);
  registerOembed(app, { readers: graphqlServices, publicUrl });
  registerWebhooks(app, {
    db,
    verifyWebhook: services.verifyWebhook,
    stored: services.wakeWorker,
    now,
  });
  const delivery = { db, store, signer: services.downloadSigner, publicUrl, now };
  registerDownloads(app, { ...delivery, renderPaywall, accel: config.downloadAccel });
  registerStorage(app, { ...delivery, limits });
  registerAccess(app, {
    db,
    signer: services.personalSigner,
    claimCookie,
    renderer,
    limits,
    now,
  });
  if (runtimeConfig.mailbox) {
    registerMailbox(app, db);
    app.get('/mailbox', async (request, reply) => {
      assertLocalVisit(request);
      return renderer.send(request, reply, {
        name: 'mailbox',
        data: { messages: await listMessages(db) },
      });
    });
  }
  if (services.hostedPage) await app.register(services.hostedPage);
}
