import { fileURLToPath } from 'node:url';
import serveStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AccountPageData } from '../../contract/account-details.ts';
import type { PageName } from '../../contract/page-context.ts';
import { GUEST, type User, type Viewer } from '../lib/viewer.ts';
import { DIST } from './built-web-app.ts';
import { isGuest, type KeptPageDeps, sendKeptPage } from './kept-pages.ts';
import { signedInOnly } from './signed-in-only.ts';

interface PageDeps extends KeptPageDeps {
  /** The version of a link on sale; null when there is none. */
  linkVersion(id: string): Promise<number | null>;
  isOwner(viewer: Viewer, linkId: string): Promise<boolean>;
  /** Whether a checkout of the link is open to the viewer and not paid. */
  hasOpenCheckout(viewer: Viewer, linkId: string): Promise<boolean>;
  /** The account of who is signed in. */
  readAccount(user: User): Promise<AccountPageData>;
}

type PaywallRequest = FastifyRequest<{ Params: { id: string }; Querystring: { preview?: string } }>;

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
} as const satisfies Record<string, PageName>;

const CREATOR_PAGES = {
  '/dashboard': 'dashboard',
  '/upload': 'upload',
} as const satisfies Record<string, PageName>;

/** Every document of the specification's route table. */
export function registerPages(app: FastifyInstance, deps: PageDeps): void {
  const { renderer } = deps;
  for (const [path, name] of Object.entries(KEPT_PAGES)) {
    app.get(path, (request, reply) =>
      sendKeptPage(deps, request, reply, { name }, { path, readVersion: async () => 0 }),
    );
  }
  for (const [path, name] of Object.entries(OPEN_PAGES)) {
    app.get(path, (request, reply) => renderer.send(request, reply, { name }));
  }
  for (const [path, name] of Object.entries(CREATOR_PAGES)) {
    app.get(path, { onRequest: signedInOnly }, (request, reply) =>
      renderer.send(request, reply, { name }),
    );
  }
  app.get('/account', { onRequest: signedInOnly }, async (request, reply) => {
    const { user } = await request.viewer();
    return renderer.send(request, reply, {
      name: 'account',
      data: user && (await deps.readAccount(user)),
    });
  });
  app.get('/login', async (request, reply) => {
    const viewer = await request.viewer();
    // Who came by a provider that knows no first name is asked for it here.
    if (viewer.user?.firstName) return reply.redirect('/dashboard', 302);
    return renderer.send(request, reply, { name: 'login' });
  });
  app.get('/p/:id', async (request: PaywallRequest, reply) => {
    const { id } = request.params;
    if (!isGuest(request, deps.personalCookies)) {
      const viewer = await request.viewer();
      if (request.query.preview === 'buyer' && (await deps.isOwner(viewer, id))) {
        return renderer.send(request, reply, { name: 'paywall', preview: true }, GUEST);
      }
      const openCheckout = await deps.hasOpenCheckout(viewer, id);
      return renderer.send(request, reply, { name: 'paywall', openCheckout }, viewer);
    }
    return sendKeptPage(
      deps,
      request,
      reply,
      { name: 'paywall' },
      { path: `/p/${id}`, readVersion: () => deps.linkVersion(id) },
    );
  });
}

/** Scripts, styles and fonts under names that hold a hash of their content, and the service worker. */
export async function registerAssets(app: FastifyInstance, serviceWorker: string): Promise<void> {
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
}
