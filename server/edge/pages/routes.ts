import { fileURLToPath } from 'node:url';
import serveStatic from '@fastify/static';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AccountPageData } from '../../../contract/account-details.ts';
import type { LinkContent, UploadRoom } from '../../../contract/page-context.ts';
import type { PageName } from '../../../contract/pages.ts';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import type { ReceiptKey } from '../../../contract/signed-receipt.ts';
import { requireOperator } from '../../ground/acts/operator-of.ts';
import type { Database } from '../../ground/database/tables.ts';
import type { User } from '../../ground/lib/viewer.ts';
import type { ApiCall } from '../http/describe-calls.ts';
import { DIST } from './built-web-app.ts';
import { findReady, type KeptPageContext, sendKeptPage } from './kept-pages.ts';
import { signedInOnly } from './signed-in-only.ts';

interface Context {
  db: Database;
  kept: KeptPageContext;
  runtimeConfig: RuntimeConfig;
  readRoom(userId: string): Promise<UploadRoom>;
  /** Whether an account has yet to say who buyers are told they buy from. */
  asksSellerName(accountId: string): Promise<boolean>;
  /** @throws DomainError NOT_A_SELLER for an account that may not sell */
  requireSeller(accountId: string): Promise<void>;
  /** What a link of this owner sells now; undefined where there is none, and of a bundle. */
  readOwnContent(ownerId: string, linkId: string): Promise<LinkContent | undefined>;
  /** Those by which signed receipts are verified. */
  listReceiptKeys(): Promise<ReceiptKey[]>;
  /** The account of who is signed in. */
  readAccount(user: User): Promise<AccountPageData>;
  operatorEmails: readonly string[];
}

type UploadRequest = FastifyRequest<{ Querystring: { link?: string } }>;

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

/** Whoever is not signed in is led to the login page. */
const SIGNED_IN_PAGES = {
  '/dashboard': 'dashboard',
  '/dashboard/sales': 'sales',
  '/dashboard/money': 'money',
  '/dashboard/codes': 'codes',
  '/dashboard/licenses': 'licenses',
  '/dashboard/bundle': 'bundle',
  '/dashboard/choices': 'choices',
  '/dashboard/sources': 'sources',
  '/account/webhooks': 'webhooks',
} as const satisfies Record<string, PageName>;

/** The account page: its own address, and those of its sections. */
const ACCOUNT_PATHS = [
  '/account',
  '/account/profile',
  '/account/security',
  '/account/notifications',
  '/account/programs',
];

/** Everybody else gets 404, as for pages that do not exist. */
const OPERATOR_PAGES = {
  '/operator': 'operator',
  '/operator/acts': 'operator-acts',
  '/operator/links': 'operator-links',
  '/operator/purchases': 'operator-purchases',
  '/operator/reports': 'operator-reports',
  '/operator/sellers': 'operator-sellers',
  '/operator/setup': 'operator-setup',
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

/** Every document of the specification's route table but those of a link and of its seller. */
export const pageRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  const { kept } = context;
  const { renderer } = kept;
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
  for (const [path, name] of Object.entries(SIGNED_IN_PAGES)) {
    app.get(path, { onRequest: signedInOnly }, (request, reply) =>
      renderer.send(request, reply, { name }),
    );
  }
  app.get('/upload', { onRequest: signedInOnly }, async (request: UploadRequest, reply) => {
    const { id } = await findUser(request);
    await context.requireSeller(id);
    const { link: linkId } = request.query;
    const link = linkId === undefined ? null : await context.readOwnContent(id, linkId);
    if (link === undefined)
      return renderer.send(request, reply, { name: 'not-found', status: 404 });
    const room = await context.readRoom(id);
    const asksSellerName = !link && (await context.asksSellerName(id));
    const data = { room, link, asksSellerName };
    return renderer.send(request, reply, { name: 'upload', data });
  });
  for (const path of ACCOUNT_PATHS) {
    app.get(path, { onRequest: signedInOnly }, async (request, reply) => {
      const user = await findUser(request);
      // They are of sales.
      if (path === '/account/notifications') await context.requireSeller(user.id);
      const data = await context.readAccount(user);
      return renderer.send(request, reply, { name: 'account', data });
    });
  }
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
};

/** Who is signed in, on routes that `signedInOnly` guards. */
async function findUser(request: FastifyRequest): Promise<User> {
  const { user } = await request.viewer();
  if (!user) throw new Error('Redirected before');
  return user;
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
