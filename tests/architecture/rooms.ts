/**
 * The house: which room may import which, and what each may use from outside. The first room whose
 * `path` holds is a file's own. Whatever is not said here is forbidden.
 */
export interface Room {
  /** A folder, ending in a slash, or a pattern. */
  path: string;
  /** Files of ours: folders, ending in a slash, or patterns. */
  imports: string[];
  /** Packages and builtins, as an import writes them; `name/` is every part of a package. */
  packages: string[];
  /** Those whose types alone may be imported. */
  types: string[];
  /** Whether the edges of features are open to it, as far as `imports` names them. */
  edges?: true;
}

/** A feature's files that speak HTTP or GraphQL. */
export const EDGES = [
  'server/accounts/routes/',
  'server/discovery/',
  'server/sharing/',
  'server/*/{routes,*-routes,graphql,*-graphql,subscriptions,present-link,select-columns,require-author}.ts',
  'server/*/{sales-csv,payouts-csv,sources-csv,send-table,send-blob,stream-blob,tus,receive-bytes}.ts',
];

/** What every room of the server may use. */
const GROUND = [
  'contract/',
  'server/lib/',
  'server/database/{tables,dialect,installation,prepare,transaction}.ts',
];

const OPERATION_PACKAGES = ['kysely', 'node:crypto', 'zod'];
/** Of which files and their archives need `crc32` alone. */
const CRC32 = 'node:zlib';

/**
 * The operations of a feature decide; they neither listen nor call out, and know no edge. Kysely,
 * which only describes queries, is their port to the database: the connection is handed in. Zod only
 * describes what they keep as text: tickets and the payloads of jobs.
 */
function feature(name: string, ...below: string[]): Room {
  return {
    path: `server/${name}/`,
    imports: [...GROUND, ...[name, ...below].map((room) => `server/${room}/`)],
    packages: OPERATION_PACKAGES,
    types: [],
  };
}

/** An adapter alone knows what it adapts, and none knows another. */
function adapter(name: string, below: string[], packages: string[], types: string[] = []): Room {
  return {
    path: `server/adapters/${name}/`,
    imports: [...GROUND, `server/adapters/${name}/`, ...below.map((room) => `server/${room}/`)],
    packages,
    types,
  };
}

function edge(path: string): Room {
  return {
    path,
    imports: [
      ...GROUND,
      'server/{access,accounts,back-office,checkout,dashboard,delivery,discounts,discovery}/**',
      'server/{files,graphql,hooks,http}/**',
      'server/{ledger,links,listing,mails,moderation,notifications,operators,outbox}/**',
      'server/{pages,payments,payouts}/**',
      'server/{paywall,sellers,signed-receipts,statistics,viewer}/**',
    ],
    packages: EDGE_PACKAGES,
    types: EDGE_TYPES,
    edges: true,
  };
}

const EDGE_PACKAGES = [
  'content-disposition',
  'node:crypto',
  'node:fs/promises',
  'node:stream',
  'node:stream/consumers',
  'sitemap',
  'zod',
];
const EDGE_TYPES = ['fastify', 'node:http'];

export const rooms: Room[] = [
  // What a page asks for is a query of GraphQL.
  { path: 'contract/', imports: ['contract/'], packages: [], types: ['graphql'] },
  {
    path: 'web/',
    imports: ['contract/', 'web/'],
    packages: [
      '@noble/hashes/sha2.js',
      'gql.tada',
      'qrcode',
      'react',
      'react-dom/client',
      'tus-js-client',
    ],
    types: [],
  },
  // A package of its own, for programs far from here.
  { path: 'client/', imports: ['client/'], packages: [], types: [] },
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
    path: 'server/config/',
    imports: ['contract/', 'server/config/', 'server/lib/{canonical-address,database-servers}.ts'],
    packages: ['@fastify/proxy-addr', 'node:fs', 'node:path', 'zod'],
    types: [],
  },
  {
    path: 'server/lib/',
    imports: ['contract/', 'server/lib/'],
    packages: ['node:crypto', 'node:url'],
    types: ['fastify', 'zod'],
  },
  // A migration that was released contains all it needs: docs/decisions/026.
  {
    path: 'server/database/migrations/',
    imports: ['server/database/migrations/'],
    packages: ['kysely', 'node:url'],
    types: [],
  },
  {
    path: 'server/database/',
    imports: ['server/lib/', 'server/database/'],
    packages: [
      'kysely',
      'kysely/migration',
      'node:crypto',
      'node:fs',
      'node:fs/promises',
      'node:path',
      'node:sqlite',
      'node:timers/promises',
      'node:worker_threads',
      'pg',
    ],
    types: [],
  },
  {
    path: 'server/http/',
    imports: ['contract/', 'server/lib/', 'server/http/'],
    packages: [
      // An address's network, as the accounts' own limits cut it.
      '@better-auth/core/utils/ip',
      '@fastify/cookie',
      '@fastify/proxy-addr',
      'fastify',
      'node:async_hooks',
      'node:crypto',
      'node:fs',
      'node:net',
      'node:stream',
      'node:timers/promises',
      'secure-json-parse',
      'zod',
    ],
    types: ['node:http', 'pino'],
  },
  {
    path: 'server/graphql/',
    imports: [
      ...GROUND,
      'server/graphql/',
      'server/http/',
      'server/files/file-store.ts',
      'server/hooks/tables.ts',
      'server/links/queries.ts',
      'server/payments/refund-sale.ts',
      'server/payouts/context.ts',
    ],
    packages: ['@pothos/core', '@pothos/plugin-simple-objects', 'graphql', 'graphql-jit'],
    types: [],
  },
  {
    path: 'server/pages/',
    imports: [
      ...GROUND,
      'server/http/',
      'server/operators/operator-of.ts',
      'server/pages/',
      'server/links/short-names.ts',
      'server/{files,links,sellers}/queries.ts',
    ],
    packages: [
      '@fastify/middie',
      '@fastify/static',
      'fastify',
      'graphql',
      'node:crypto',
      'node:fs/promises',
      'node:url',
      'node:util',
      'node:zlib',
      'vite',
      'zod',
    ],
    types: [],
  },
  {
    path: 'server/viewer/',
    imports: [...GROUND, 'server/viewer/', 'server/http/', 'server/accounts/', 'server/payments/'],
    packages: ['node:crypto'],
    types: ['fastify', 'node:http'],
  },
  {
    path: 'server/health/',
    imports: [
      ...GROUND,
      'server/database/migrate.ts',
      'server/files/',
      'server/http/',
      'server/pages/',
    ],
    packages: ['node:timers/promises', 'zod'],
    types: ['fastify'],
  },
  // It writes a folder of its own, beside whatever keeps the files.
  {
    path: 'server/backup/',
    imports: [
      'server/adapters/storage/durable.ts',
      'server/backup/',
      'server/database/{carry-rows,installation,migrate,tables,transaction}.ts',
      'server/files/file-store.ts',
      'server/installation/',
    ],
    packages: [
      'age-encryption',
      'kysely',
      'node:crypto',
      'node:events',
      'node:fs',
      'node:fs/promises',
      'node:path',
      'node:readline',
      'node:stream',
      'node:stream/consumers',
      'node:stream/web',
      'node:zlib',
      'zod',
    ],
    types: [],
  },
  {
    path: 'server/move/',
    imports: [
      'server/database/{carry-rows,close-writes,dialect,installation}.ts',
      'server/database/{migrate,tables,transaction}.ts',
      'server/files/file-store.ts',
      'server/installation/',
      'server/lib/',
      'server/move/',
    ],
    packages: ['kysely', 'node:crypto'],
    types: [],
  },
  {
    path: 'server/account-export/',
    imports: [
      ...GROUND,
      'server/account-export/',
      'server/accounts/first-name.ts',
      'server/accounts/seller.ts',
      'server/adapters/storage/durable.ts',
      'server/backup/',
      'server/database/carry-rows.ts',
      'server/discounts/{count-uses,create-discount}.ts',
      'server/files/',
      'server/installation/',
      'server/links/',
      'server/operators/',
      'server/outbox/',
      'server/payments/',
      'server/statistics/',
    ],
    packages: [
      'kysely',
      'node:crypto',
      'node:fs',
      'node:fs/promises',
      'node:path',
      'node:readline',
      'zod',
    ],
    types: [],
  },
  {
    path: 'server/metrics/',
    imports: [
      ...GROUND,
      'server/metrics/',
      'server/files/',
      'server/http/{credentials,tell-answers}.ts',
      'server/outbox/worker.ts',
    ],
    packages: [
      ...['node:async_hooks', 'node:diagnostics_channel', 'node:http'],
      ...['prom-client', '@opentelemetry/'],
    ],
    types: ['fastify', 'kysely'],
  },
  // It looks at everything as the operator's machine and the people outside see it.
  {
    path: 'server/doctor/',
    imports: [
      ...GROUND,
      'server/config/read-config.ts',
      'server/database/{close-writes,migrate}.ts',
      'server/doctor/',
      'server/files/',
      'server/health/routes.ts',
      'server/installation/',
      'server/mails/smtp.ts',
    ],
    packages: [
      'kysely',
      'node:crypto',
      'node:fs/promises',
      'node:http',
      'node:https',
      'node:net',
      'node:tls',
    ],
    types: [],
    edges: true,
  },
  // All that answers a query, put together.
  {
    path: 'server/api/',
    imports: [
      ...GROUND,
      'server/{accounts,api,back-office,dashboard,graphql,http,moderation,payouts,paywall}/**',
      'server/pages/render-page.ts',
    ],
    packages: ['graphql', 'graphql-ws', 'node:events', 'node:http', 'ws', 'zod'],
    types: ['fastify', 'node:net'],
    edges: true,
  },
  ...EDGES.map(edge),
  // What runs by itself may say what went wrong.
  {
    path: 'server/{files,mails,outbox,payments}/{jobs,worker}.ts',
    imports: [
      ...GROUND,
      'server/{files,ledger,mails,notifications,operators,outbox,payments}/*.ts',
    ],
    packages: ['node:crypto'],
    types: ['pino', 'zod'],
  },
  feature('operators'),
  feature('outbox', 'operators'),
  // What it is told of happens in the transactions of others.
  {
    ...feature('hooks', 'operators', 'outbox'),
    packages: ['kysely', 'node:crypto', 'standardwebhooks'],
  },
  // Sellers are told of sales in the transactions of those.
  feature('notifications', 'outbox'),
  feature('statistics'),
  { ...feature('files', 'outbox'), packages: [...OPERATION_PACKAGES, CRC32] },
  feature('installation', 'files'),
  // A new version may be told to buyers, by a job that exists exactly when the version does.
  feature('links', 'files', 'hooks', 'operators', 'outbox'),
  feature('listing', 'links'),
  feature('sellers', 'files', 'links', 'listing'),
  feature('ledger', 'statistics'),
  feature('discounts', 'links', 'sellers'),
  feature(
    'payments',
    'discounts',
    'files',
    'hooks',
    'installation',
    'ledger',
    'links',
    'notifications',
    'operators',
    'outbox',
    'statistics',
  ),
  feature('payouts', 'hooks', 'ledger', 'operators', 'outbox', 'payments'),
  feature('moderation', 'files', 'links', 'operators', 'outbox', 'payments'),
  feature('access', 'files', 'links', 'outbox', 'payments'),
  {
    ...feature('delivery', 'access', 'files', 'links', 'outbox', 'payments'),
    packages: [...OPERATION_PACKAGES, CRC32],
  },
  feature('back-office', 'files', 'links', 'listing', 'operators', 'outbox', 'payments', 'payouts'),
  feature('signed-receipts', 'access', 'links', 'payments'),
  feature(
    'checkout',
    'access',
    'discounts',
    'files',
    'installation',
    'links',
    'outbox',
    'payments',
    'statistics',
  ),
  {
    path: 'server/mails/smtp.ts',
    imports: ['contract/', 'server/lib/canonical-address.ts'],
    packages: ['nodemailer'],
    types: [],
  },
  feature('mails', 'ledger', 'notifications', 'outbox', 'payments', 'statistics'),
  // The account library, as it is set up for this product.
  {
    path: 'server/accounts/auth/',
    imports: [
      ...GROUND,
      'server/accounts/*.ts',
      'server/accounts/auth/',
      'server/links/cover.ts',
      'server/notifications/',
      'server/operators/',
      'server/sellers/queries.ts',
    ],
    packages: [
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
    types: ['node:http'],
  },
  feature('accounts', 'ledger', 'links', 'operators', 'outbox', 'sellers'),
  adapter('clamd', ['files'], ['node:net']),
  adapter('facts', ['files'], ['node:worker_threads', 'node:zlib']),
  adapter('hooks', ['hooks'], ['ipaddr.js', 'node:dns', 'node:http', 'node:https', 'node:net']),
  adapter(
    'images',
    ['links'],
    [
      'bidi-js',
      'harfbuzzjs',
      'linebreak',
      'node:fs/promises',
      'node:module',
      'node:path',
      'sharp',
      'woff2-encoder/decompress',
    ],
  ),
  adapter(
    'previews',
    ['files', 'links'],
    [
      '@hyzyla/pdfium',
      'node:child_process',
      'node:os',
      'node:stream/consumers',
      'node:url',
      'sharp',
      'zod',
    ],
  ),
  adapter('push', ['hooks', 'notifications'], ['web-push']),
  adapter(
    'storage',
    ['files'],
    [
      'aws4',
      'node:crypto',
      'node:fs',
      'node:fs/promises',
      'node:http',
      'node:https',
      'node:path',
      'node:stream/consumers',
      'node:timers/promises',
    ],
    ['kysely'],
  ),
  adapter('stripe', ['ledger', 'payments', 'payouts'], ['stripe', 'zod'], ['pino']),
  {
    path: 'server/{app,open-payments,register-routes}.ts',
    edges: true,
    imports: ['contract/', 'sandbox/', 'server/'],
    packages: [],
    types: ['fastify', 'node:net', 'pino'],
  },
  {
    path: 'server/{commands,open-provider}.ts',
    imports: ['contract/', 'sandbox/', 'server/'],
    packages: ['node:fs', 'node:readline', 'pino'],
    types: [],
  },
  {
    // It asks a shop from outside, and opens nothing of one.
    path: 'server/mcp-command.ts',
    imports: ['server/{command-line,version}.ts'],
    packages: ['@modelcontextprotocol/', 'zod'],
    types: [],
  },
  {
    path: 'server/main.mjs',
    imports: ['server/run.ts', 'dist/program/run.mjs', 'server/keep-heap-small.mjs'],
    packages: ['node:fs', 'node:module'],
    types: [],
  },
  {
    path: 'server/keep-heap-small.mjs',
    imports: [],
    packages: ['node:v8', 'node:vm'],
    types: [],
  },
  {
    path: 'server/*.ts',
    imports: ['contract/', 'package.json', 'server/'],
    packages: [
      'close-with-grace',
      'node:crypto',
      'node:fs',
      'node:fs/promises',
      'node:module',
      'node:path',
      'node:sqlite',
      'node:stream/promises',
      'node:timers/promises',
      'node:util',
      'pino',
      'pino-pretty',
    ],
    types: [],
  },
];

/** What single files use that is forbidden in their room. */
export const exceptions: Record<string, string[]> = {
  // It reads of a query which fields it asks for.
  'server/paywall/select-columns.ts': ['graphql'],
  // It says to SQLite when to plan.
  'server/outbox/worker.ts': ['kysely'],
  // It waits for a provider that has too much to do.
  'server/adapters/stripe/limit-calls.ts': ['node:timers/promises'],
  // It waits for the provider, for two seconds.
  'server/checkout/refresh-checkout.ts': ['node:timers/promises'],
  // Documents and mails are drawn on the server.
  'web/entry-server.tsx': ['react-dom/server'],
  'web/mails/mail-layout.tsx': ['react-dom/server'],
  // The page that the document names.
  'web/client.tsx': ['import(…)'],
  // The web app as it was built.
  'server/pages/built-web-app.ts': ['import(…)'],
};

/** Tests and what they share, beside the code: nothing holds for them, and the product knows none. */
export function isTestCode(path: string): boolean {
  return /\.test\./.test(path) || path.startsWith('sandbox/testing/');
}
