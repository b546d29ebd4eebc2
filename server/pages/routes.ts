import { fileURLToPath } from 'node:url';
import serveStatic from '@fastify/static';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AccountPageData } from '../../contract/account-details.ts';
import { LINK_ID_PATTERN } from '../../contract/limits.ts';
import type { LinkContent } from '../../contract/page-context.ts';
import type { PageName } from '../../contract/pages.ts';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import type { ReceiptKey } from '../../contract/signed-receipt.ts';
import type { Database } from '../database/tables.ts';
import type { ApiCall } from '../http/describe-calls.ts';
import type { MethodsAt } from '../http/refuse-methods.ts';
import type { Changes } from '../lib/changes.ts';
import { GUEST, type User, type Viewer } from '../lib/viewer.ts';
import { filesOfVersion, findLink, isOffered, readPageVersion } from '../links/queries.ts';
import { findShortLink } from '../links/short-names.ts';
import { requireOperator } from '../operators/operator-of.ts';
import { findSellerPage, readSellerPageVersion } from '../sellers/queries.ts';
import { DIST } from './built-web-app.ts';
import { findReady, isGuest, type KeptPageContext, PageCache, sendKeptPage } from './kept-pages.ts';
import { meantAddress } from './meant-address.ts';
import { signedInOnly } from './signed-in-only.ts';
import { sourceOfVisit } from './visit-source.ts';

interface Context extends Omit<KeptPageContext, 'cache' | 'origin'> {
  db: Database;
  changes: Changes;
  runtimeConfig: RuntimeConfig;
  /** How many bytes of files an account may still upload now. */
  readRoom(userId: string): Promise<number>;
  /** @throws DomainError NOT_A_SELLER for an account that may not sell */
  requireSeller(accountId: string): Promise<void>;
  /** Whether a checkout of the link is open to the viewer and not paid. */
  findOpenCheckout(
    viewer: Viewer,
    linkId: string,
  ): Promise<{ gift: { email: string; message: string | null } | null } | null>;
  /** Those by which signed receipts are verified. */
  listReceiptKeys(): Promise<ReceiptKey[]>;
  /** The account of who is signed in. */
  readAccount(user: User): Promise<AccountPageData>;
  operatorEmails: readonly string[];
  methodsAt: MethodsAt;
}

type UploadRequest = FastifyRequest<{ Querystring: { link?: string } }>;
type SellerRequest = FastifyRequest<{ Params: { handle: string } }>;
type ShortRequest = FastifyRequest<{ Params: { handle: string; name: string } }>;
type PaywallRequest = FastifyRequest<{
  Params: { id: string };
  Querystring: Record<string, unknown>;
}>;

/** The same for every guest until the next start. */
const KEPT_PAGES = {
  '/': 'landing',
  '/terms': 'terms',
  '/privacy': 'privacy',
  // What the service worker shows without a connection.
  '/offline': 'offline',
} as const satisfies Record<string, PageName>;

const OPEN_PAGES = {
  '/explore': 'explore',
  '/success': 'success',
  '/failed': 'failed',
  '/purchases': 'purchases',
} as const satisfies Record<string, PageName>;

/** Everybody else gets 404, as for pages that do not exist. */
const OPERATOR_PAGES = {
  '/operator': 'operator',
  '/operator/acts': 'operator-acts',
  '/operator/links': 'operator-links',
  '/operator/purchases': 'operator-purchases',
  '/operator/reports': 'operator-reports',
  '/operator/sellers': 'operator-sellers',
  '/operator/undelivered': 'operator-undelivered',
} as const satisfies Record<string, PageName>;

const CONFIG: ApiCall = {
  name: 'getConfig',
  summary: 'The endpoints, the publishable key and the terms of this installation.',
  answers: {
    200: {
      says: 'What every page has.',
      json: z.looseObject({
        origin: z.string(),
        graphqlEndpoint: z.string(),
        checkoutApiEndpoint: z.string(),
        apiKey: z.string().describe('The publishable key.'),
      }),
    },
  },
};

/** Every document of the specification's route table. */
export const pageRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  const { db, renderer } = context;
  const { origin } = context.runtimeConfig;
  const kept = { ...context, origin, cache: keepByChanges(context.changes) };
  app.answerReady((request) => findReady(kept, request));
  app.get('/config.json', { config: { api: CONFIG } }, async () => context.runtimeConfig);
  for (const [path, name] of Object.entries(KEPT_PAGES)) {
    app.get(path, (request, reply) =>
      sendKeptPage(kept, request, reply, { name }, { path, readVersion: async () => 0 }),
    );
  }
  for (const [path, name] of Object.entries(OPEN_PAGES)) {
    app.get(path, (request, reply) => renderer.send(request, reply, { name }));
  }
  app.get('/dashboard', { onRequest: signedInOnly }, (request, reply) =>
    renderer.send(request, reply, { name: 'dashboard' }),
  );
  app.get('/dashboard/sales', { onRequest: signedInOnly }, (request, reply) =>
    renderer.send(request, reply, { name: 'sales' }),
  );
  app.get('/dashboard/money', { onRequest: signedInOnly }, (request, reply) =>
    renderer.send(request, reply, { name: 'money' }),
  );
  app.get('/dashboard/codes', { onRequest: signedInOnly }, (request, reply) =>
    renderer.send(request, reply, { name: 'codes' }),
  );
  app.get('/dashboard/bundle', { onRequest: signedInOnly }, (request, reply) =>
    renderer.send(request, reply, { name: 'bundle' }),
  );
  app.get('/dashboard/sources', { onRequest: signedInOnly }, (request, reply) =>
    renderer.send(request, reply, { name: 'sources' }),
  );
  app.get('/account/webhooks', { onRequest: signedInOnly }, (request, reply) =>
    renderer.send(request, reply, { name: 'webhooks' }),
  );
  app.get('/upload', { onRequest: signedInOnly }, async (request: UploadRequest, reply) => {
    const { id } = await findUser(request);
    await context.requireSeller(id);
    const { link: linkId } = request.query;
    const link = linkId === undefined ? null : await readOwnContent(db, id, linkId);
    if (link === undefined)
      return renderer.send(request, reply, { name: 'not-found', status: 404 });
    const roomBytes = await context.readRoom(id);
    return renderer.send(request, reply, { name: 'upload', data: { roomBytes, link } });
  });
  app.get('/account', { onRequest: signedInOnly }, async (request, reply) => {
    const data = await context.readAccount(await findUser(request));
    return renderer.send(request, reply, { name: 'account', data });
  });
  const operatorsOnly = async (request: FastifyRequest) => {
    await requireOperator({ ...context, viewer: await request.viewer() });
  };
  for (const [path, name] of Object.entries(OPERATOR_PAGES)) {
    app.get(path, { onRequest: operatorsOnly }, (request, reply) =>
      renderer.send(request, reply, { name }),
    );
  }
  app.get('/verify', async (request, reply) =>
    renderer.send(request, reply, {
      name: 'verify',
      data: { keys: await context.listReceiptKeys() },
    }),
  );
  app.get('/s/:handle', async (request: SellerRequest, reply) => {
    const { handle } = request.params;
    const seller = await findSellerPage(db, handle);
    const meant = seller ? null : meantAddress(request.url, context.methodsAt);
    if (meant !== null) return reply.redirect(meant, 301);
    if (!seller) return renderer.send(request, reply, { name: 'not-found', status: 404 });
    const path = `/s/${seller.handle}`;
    if (seller.handle !== handle) {
      // Not for ever: one day, the address may be somebody else's.
      return reply.header('cache-control', 'no-cache').redirect(path + searchOf(request), 308);
    }
    return sendKeptPage(
      kept,
      request,
      reply,
      { name: 'seller' },
      { path, readVersion: () => readSellerPageVersion(db, seller) },
    );
  });
  app.get('/s/:handle/:name', async (request: ShortRequest, reply) => {
    const { handle, name } = request.params;
    const seller = await findSellerPage(db, handle);
    const id = seller && (await findShortLink(db, seller.ownerId, name));
    const meant = id ? null : meantAddress(request.url, context.methodsAt);
    if (meant !== null) return reply.redirect(meant, 301);
    if (!id) return renderer.send(request, reply, { name: 'not-found', status: 404 });
    // One day, the address may lead to another link.
    return reply.header('cache-control', 'no-cache').redirect(`/p/${id}${searchOf(request)}`, 302);
  });
  app.get('/p/:id', async (request: PaywallRequest, reply) => {
    const { id } = request.params;
    const meant = LINK_ID_PATTERN.test(id) ? null : meantAddress(request.url, context.methodsAt);
    if (meant !== null) return reply.redirect(meant, 301);
    const from = sourceOfVisit(request.headers, request.query, origin);
    const whenMissing = async () => {
      const link = await findLink(db, id);
      return link && link.taken_down_at !== null ? ({ name: 'taken-down' } as const) : null;
    };
    if (!isGuest(request, context.personalCookies)) {
      const viewer = await request.viewer();
      if (request.query.preview === 'buyer' && (await isOwner(db, viewer, id))) {
        return renderer.send(request, reply, { name: 'paywall', preview: true }, GUEST);
      }
      // A page that cannot read this says itself what failed.
      const open = await context.findOpenCheckout(viewer, id).catch(() => null);
      // Whoever came back from the checkout of a gift need not type it again.
      const gift = request.query.gift === undefined ? undefined : (open?.gift ?? undefined);
      return renderer.send(
        request,
        reply,
        { name: 'paywall', from, openCheckout: open !== null, gift, whenMissing },
        viewer,
      );
    }
    return sendKeptPage(
      kept,
      request,
      reply,
      { name: 'paywall', from, whenMissing },
      // A page that cannot be read is not kept: it says itself what failed.
      {
        ...{ path: `/p/${id}`, from, isVersionAll: true },
        readVersion: () => readPageVersion(db, id).catch(() => null),
      },
    );
  });
};

const searchOf = ({ url }: FastifyRequest) => url.slice(url.split('?', 1)[0]?.length);

/** Who is signed in, on routes that `signedInOnly` guards. */
async function findUser(request: FastifyRequest): Promise<User> {
  const { user } = await request.viewer();
  if (!user) throw new Error('Redirected before');
  return user;
}

/** What a link of this owner sells now; undefined where there is none, and of a bundle. */
async function readOwnContent(
  db: Database,
  ownerId: string,
  linkId: string,
): Promise<LinkContent | undefined> {
  const link = await findLink(db, String(linkId));
  if (!link || link.owner_id !== ownerId || !isOffered(link)) return undefined;
  const { id, type, title, url } = link;
  if (type === 'bundle') return undefined;
  const files = await filesOfVersion(db, id, link.content_version);
  const named = files.map(({ key, name, size_bytes: size }) => ({ key, name, size }));
  return { id, type, title, url, files: named };
}

/** The pages that change with their links are forgotten as they change. */
function keepByChanges(changes: Changes): PageCache {
  const cache = new PageCache();
  changes.subscribe({
    changed({ kind, id }) {
      if (kind === 'seller-changed') cache.recheck('/');
      else {
        cache.delete(`/p/${id}`);
        // Which of them show the link is not known here: each compares what it shows.
        if (kind.startsWith('link-')) cache.recheck('/s/');
      }
    },
    missed: () => cache.clear(),
  });
  return cache;
}

async function isOwner(db: Database, { creatorId }: Viewer, linkId: string): Promise<boolean> {
  return creatorId !== null && (await findLink(db, linkId))?.owner_id === creatorId;
}

/** Scripts, styles and fonts under names that hold a hash of their content, and the service worker. */
export const assetRoutes: FastifyPluginAsync<{ serviceWorker: string }> = async (
  app,
  { serviceWorker },
) => {
  // At the root: a worker answers for the addresses below its own.
  app.get('/service-worker.js', (_request, reply) =>
    reply.type('text/javascript').header('cache-control', 'no-cache').send(serviceWorker),
  );
  await app.register(serveStatic, {
    root: fileURLToPath(new URL('client/assets/', DIST)),
    prefix: '/assets/',
    wildcard: false,
    index: false,
    decorateReply: false,
    // The set-up step writes .br and .gz files beside them.
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    setHeaders: (response) => {
      response.header('cross-origin-resource-policy', 'same-origin');
    },
  });
};
