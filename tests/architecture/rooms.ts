/**
 * The house: which room may import which, and what each may use from outside. The longest `path`
 * holds for a file. Whatever is not said here is forbidden.
 */
export interface Room {
  /** A folder, or what its files' paths begin with. */
  path: string;
  /** Files of ours: folders, ending in a slash, or patterns. */
  imports: string[];
  /** Packages and builtins, as an import writes them; `name/` is every part of a package. */
  packages: string[];
  /** Those whose types alone may be imported. */
  types: string[];
}

// The domain decides; it neither listens nor calls out. Kysely, which only describes queries, is
// its port to the database: the connection is handed in.
const DOMAIN_PACKAGES = ['kysely', 'node:crypto', 'node:path'];

function domainRoom(name: string, ...siblings: string[]): Room {
  const shared = ['contract/', 'server/domain/*.ts', 'server/domain/outbox/'];
  return {
    path: `server/domain/${name}/`,
    imports: [...shared, ...[name, ...siblings].map((sibling) => `server/domain/${sibling}/`)],
    packages: DOMAIN_PACKAGES,
    types: [],
  };
}

/** An adapter alone knows what it adapts, and none knows another. */
function adapterRoom(name: string, packages: string[], types: string[] = []): Room {
  return {
    path: `server/adapters/${name}/`,
    imports: ['contract/', 'server/domain/', `server/adapters/${name}/`],
    packages,
    types,
  };
}

export const rooms: Room[] = [
  { path: 'contract/', imports: ['contract/'], packages: [], types: [] },
  {
    path: 'web/',
    imports: ['contract/', 'web/'],
    packages: [
      'gql.tada',
      'graphql-ws/client',
      'qrcode',
      'react',
      'react-dom/client',
      'tus-js-client',
    ],
    types: [],
  },
  {
    path: 'sandbox/',
    imports: ['contract/', 'sandbox/'],
    packages: [
      'fastify',
      'node:crypto',
      'node:fs',
      'node:path',
      'node:sqlite',
      'node:util',
      'qs',
      'stripe',
      'zod',
    ],
    types: [],
  },
  {
    path: 'server/domain/',
    imports: ['contract/', 'server/domain/*.ts', 'server/domain/*/tables.ts'],
    packages: DOMAIN_PACKAGES,
    types: [],
  },
  domainRoom('outbox'),
  domainRoom('accounts'),
  domainRoom('statistics'),
  domainRoom('ledger', 'statistics'),
  domainRoom('files', 'accounts'),
  domainRoom('installation', 'files'),
  domainRoom('links', 'accounts', 'files'),
  domainRoom('purchases', 'accounts', 'files', 'installation', 'ledger', 'links', 'statistics'),
  domainRoom('deletion', 'accounts', 'ledger', 'links'),
  domainRoom('notifications'),
  adapterRoom(
    'auth',
    [
      '@better-auth/core/',
      '@better-auth/kysely-adapter',
      '@better-auth/passkey',
      '@zxcvbn-ts/language-common',
      'better-auth/',
      'better-call',
      'kysely',
      'node:async_hooks',
      'node:crypto',
      'node:timers/promises',
      'node:util',
      'qrcode',
      'zod',
    ],
    ['node:http'],
  ),
  {
    ...adapterRoom('cards', ['node:fs/promises', 'satori']),
    imports: ['contract/', 'server/domain/', 'server/adapters/cards/', 'server/adapters/images/'],
  },
  adapterRoom('database', [
    'kysely',
    'kysely/migration',
    'node:crypto',
    'node:fs',
    'node:path',
    'node:sqlite',
    'pg',
  ]),
  // What was released stays as it is, whatever the product becomes.
  {
    path: 'server/adapters/database/migrations/',
    imports: ['server/adapters/database/migrations/'],
    packages: ['kysely'],
    types: [],
  },
  adapterRoom('images', ['sharp']),
  adapterRoom('mail', ['node:crypto', 'nodemailer']),
  adapterRoom('storage', ['node:crypto', 'node:fs', 'node:fs/promises', 'node:path']),
  adapterRoom('stripe', ['stripe'], ['pino']),
  {
    path: 'server/api/',
    imports: ['contract/', 'server/api/', 'server/domain/'],
    packages: [
      // An address's network, as the accounts' own limits cut it.
      '@better-auth/core/utils/ip',
      '@fastify/cookie',
      '@fastify/middie',
      '@fastify/proxy-addr',
      '@fastify/static',
      '@pothos/core',
      '@pothos/plugin-simple-objects',
      'content-disposition',
      'csv-stringify/sync',
      'fastify',
      'feed',
      'graphql',
      'graphql-ws',
      'mercurius',
      'node:crypto',
      'node:events',
      'node:fs',
      'node:fs/promises',
      'node:http',
      'node:net',
      'node:stream',
      'node:stream/consumers',
      'node:timers/promises',
      'node:url',
      'node:util',
      'node:zlib',
      'qs',
      'sitemap',
      'vite',
      'ws',
      'zod',
    ],
    types: ['pino'],
  },
  {
    path: 'server/jobs/',
    imports: ['contract/', 'server/domain/', 'server/jobs/'],
    packages: ['node:crypto'],
    types: ['pino'],
  },
  {
    path: 'server/config',
    imports: ['contract/', 'server/config/'],
    packages: ['@fastify/proxy-addr', 'node:fs', 'node:path', 'zod'],
    types: [],
  },
  {
    path: 'server/app.ts',
    imports: ['contract/', 'sandbox/', 'server/'],
    packages: ['node:crypto', 'node:timers/promises'],
    types: ['fastify', 'node:net', 'pino'],
  },
  {
    path: 'server/commands.ts',
    imports: ['contract/', 'sandbox/', 'server/'],
    packages: ['node:fs', 'pino'],
    types: [],
  },
  {
    path: 'server/',
    imports: ['contract/', 'server/'],
    packages: [
      'close-with-grace',
      'node:crypto',
      'node:fs',
      'node:fs/promises',
      'node:module',
      'node:path',
      'node:sqlite',
      'node:timers/promises',
      'node:util',
      'node:v8',
      'pino',
      'pino-pretty',
    ],
    types: [],
  },
];

/** What single files use that is forbidden in their room. */
export const exceptions: Record<string, string[]> = {
  // Documents and mails are drawn on the server.
  'web/entry-server.tsx': ['react-dom/server'],
  'web/mails/mail-layout.tsx': ['react-dom/server'],
  // The web app as it was built.
  'server/api/pages/built-web-app.ts': ['import(…)'],
};

/** Tests and what they share, beside the code: nothing holds for them, and the product knows none. */
export function isTestCode(path: string): boolean {
  return /\.test\./.test(path) || path.startsWith('sandbox/testing/');
}
