import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, startApp } from '../harness/start-app.ts';

/** What is no call for programs. */
const OTHERS = `
GET / /account /account/notifications /account/profile /account/programs /account/security
GET /account/webhooks /cart /dashboard /dashboard/bundle /dashboard/choices /dashboard/codes /dashboard/licenses
GET /dashboard/money
GET /dashboard/sales /dashboard/sources /dashboard/sources.csv
GET /explore /failed /login /offline /operator /operator/acts /operator/links /operator/purchases
GET /operator/reports /operator/sellers /operator/setup /operator/undelivered /operator/welcome /p/:id /p/:id/report
GET /privacy /purchases /s/:handle /s/:handle/:name /success /terms /upload /verify
Addresses in emails, and forms that work without a script
GET /access/:token /access/:token/code /gifts/:token /invitations/:token /notifications/:token
GET /purchases/open/:token /returns/:token /updates/:token
POST /cart/add /cart/checkout /cart/remove /gifts/:token /notifications/:token /operator/welcome
POST /access/:token /access/:token/code /language /login /logout /p/:id /p/:id/report /purchases /purchases/forget
POST /purchases/open/:token /purchases/receipt /purchases/receipts /returns/:token /s/:handle/pin
POST /updates/:token
What browsers and search engines fetch by themselves, and where a call leads
GET /apple-touch-icon.png /favicon.ico /icon-192.png /icon-512.png /service-worker.js
GET /site.webmanifest /robots.txt /sitemap.xml /sitemap/links-:prefix(^[0-9a-f]{1,3}$).xml
GET /sitemap/links.xml /sitemap/pages.xml /sitemap/sellers.xml /covers/:name /previews/:name
GET /p/:id/view.gif /embed.js /download/:token /download/:token/:name
GET /api/auth/callback/:provider
The sandbox's pages and its mailbox
GET /sandbox/checkout/:session /sandbox/checkout/:session/confirm /sandbox/connect/:link
GET /sandbox/express/:link /mailbox /mailbox.json
POST /sandbox/checkout/:session /sandbox/checkout/:session/confirm /sandbox/connect/:link
POST /sandbox/express/:link
Methods that are refused
GET /graphql /uploads /uploads/:blob
POST /uploads/:blob
PUT /uploads /uploads/:blob
PATCH /uploads
DELETE /uploads
`
  .split('\n')
  .flatMap((line) => {
    const [method, ...urls] = line.split(' ');
    return urls[0]?.startsWith('/') ? urls.map((url) => `${method} ${url}`) : [];
  });

let app: App;
const servers: string[][] = [];

const collect = (message: unknown) => {
  const { fastify } = message as { fastify: FastifyInstance };
  const routes: string[] = [];
  servers.push(routes);
  fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
    for (const one of [method].flat()) routes.push(`${one} ${url}`);
  });
};

beforeAll(async () => {
  subscribe('fastify.initialization', collect);
  app = await startApp();
  unsubscribe('fastify.initialization', collect);
});
afterAll(() => app?.stop());

interface Description {
  openapi: string;
  paths: Record<string, Record<string, Call>>;
}
interface Call {
  operationId: string;
  security: object[];
  requestBody?: { content: Record<string, { schema?: { properties?: object } }> };
  responses: Record<string, { description: string }>;
}

const read = async () => {
  const answer = await fetch(`${app.origin}/openapi.json`);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  return (await answer.json()) as Description;
};

test('GET /openapi.json is valid OpenAPI 3.1 of what the routes say', async () => {
  const description = await read();
  expect(
    await new Validator().validate(structuredClone<object>(description) as Record<string, unknown>),
  ).toMatchObject({
    valid: true,
  });
  expect(description.openapi).toMatch(/^3\.1\./);
  const { paths } = description;
  const names = Object.values(paths).flatMap((calls) =>
    Object.values(calls).map(({ operationId }) => operationId),
  );
  expect(new Set(names).size).toBe(names.length);
  expect(paths['/prod/checkout']?.post?.requestBody?.content).toMatchObject({
    'application/json': { schema: { required: ['paywallId'] } },
  });
  const upload = paths['/uploads']?.post;
  expect(upload?.security).toEqual([{ secretKey: [] }, { session: [] }]);
  expect(upload?.responses).toMatchObject({
    401: { description: 'Sign in to upload files.' },
    403: { description: expect.stringContaining('“sell”') },
    429: { description: expect.any(String) },
  });
  const offer = paths['/p/{id}/offer.json']?.get;
  expect(JSON.stringify(offer)).toContain('"terms"');
});

test('every route is a call in it, or among those that are none', async () => {
  const { paths } = await read();
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const routes = servers.find((known) => known.includes('POST /prod/checkout')) ?? [];
  // HEAD comes with GET; OPTIONS says which methods there are; the account library has the rest.
  const asked = routes.filter(
    (route) => !/^(HEAD|OPTIONS|TRACE|QUERY) |^GET \/assets\/| \/api\/auth\/\*$/.test(route),
  );
  const untold = asked.filter((route) => !calls.includes(route.replace(/:(\w+)/g, '{$1}')));
  expect(untold.toSorted()).toEqual(OTHERS.toSorted());
});
