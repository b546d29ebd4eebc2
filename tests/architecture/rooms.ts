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

/** The floors of the server, from the bottom up: no file imports one of a floor above its own. */
export const FLOORS = [
  ...['ground', 'edge', 'files', 'books', 'notices', 'catalog', 'selling', 'money', 'delivery'],
  ...['people', 'office', 'adapters', 'running', 'cli', 'api'],
];

/** The imports that do so all the same: at most three, each with its reason. */
export const ARROWS_BACK = [
  {
    from: 'server/notices/mails/',
    to: 'server/selling/purchases/bought-twice.ts',
    because: 'a receipt offers to give back what the buyer had bought before',
  },
];

const EDGE_FILES =
  '{routes,*-routes,graphql,*-graphql,*-csv,subscriptions,present-link,select-columns,require-author}.ts';

/** A feature's files that speak HTTP or GraphQL. */
export const EDGES = [
  `server/*/*/${EDGE_FILES}`,
  'server/catalog/discovery/',
  'server/files/{*-routes,send-blob,stream-blob,tus,receive-bytes}.ts',
  'server/people/accounts/routes/',
  'server/selling/sharing/',
];

/** What every room of the server may use. */
const GROUND = [
  'contract/',
  'server/ground/lib/',
  'server/ground/database/{dialect,installation,mailbox-of,prepare,tables,transaction}.ts',
];

/** What counts against the limits of links and of discount codes. */
const MAY_BE_PAID = 'server/selling/may-be-paid.ts';

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

/** A room to which single files of others are open as well. */
function also(room: Room, ...files: string[]): Room {
  return { ...room, imports: [...room.imports, ...files] };
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

/** The edges of a floor may use every operation up to it. */
function edges(floor: string, ...paths: string[]): Room[] {
  const floors = FLOORS.slice(FLOORS.indexOf('edge'), FLOORS.indexOf(floor) + 1);
  const below = floors.map((name) => `server/${name}/**`);
  const imports = [...GROUND, 'server/ground/{acts,outbox}/*.ts', ...below];
  return paths.map((path) => ({
    path,
    imports,
    packages: EDGE_PACKAGES,
    types: EDGE_TYPES,
    edges: true,
  }));
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
    path: 'server/ground/config/',
    imports: [
      'contract/',
      'server/ground/config/',
      'server/ground/lib/{canonical-address,database-servers}.ts',
    ],
    packages: ['@fastify/proxy-addr', 'node:fs', 'node:path', 'zod'],
    types: [],
  },
  {
    path: 'server/ground/lib/',
    imports: ['contract/', 'server/ground/lib/'],
    packages: ['kysely', 'node:crypto', 'node:url'],
    types: ['fastify', 'zod'],
  },
  // A migration that was released contains all it needs: docs/decisions/026.
  {
    path: 'server/ground/database/migrations/',
    imports: ['server/ground/database/migrations/'],
    packages: ['kysely'],
    types: [],
  },
  {
    path: 'server/ground/database/',
    imports: ['server/ground/lib/', 'server/ground/database/'],
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
    path: 'server/edge/http/',
    imports: ['contract/', 'server/ground/lib/', 'server/edge/http/'],
    packages: [
      // An address's network, as the accounts' own limits cut it.
      '@better-auth/core/utils/ip',
      '@fastify/cookie',
      '@fastify/proxy-addr',
      'fastify',
      'node:async_hooks',
      'node:crypto',
      'node:fs',
      'node:http',
      'node:net',
      'node:stream',
      'node:timers/promises',
      'secure-json-parse',
      'zod',
    ],
    types: ['pino'],
  },
  {
    path: 'server/edge/pages/',
    imports: [
      ...GROUND,
      'server/edge/http/',
      'server/edge/pages/',
      'server/ground/acts/operator-of.ts',
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
    path: 'server/edge/graphql/',
    imports: [
      ...GROUND,
      'server/edge/graphql/',
      'server/edge/http/',
      'server/edge/pages/render-page.ts',
    ],
    packages: [
      '@pothos/core',
      '@pothos/plugin-simple-objects',
      'graphql',
      'graphql-jit',
      'graphql-ws',
      'node:events',
      'node:http',
      'ws',
      'zod',
    ],
    types: ['fastify', 'node:net'],
  },
  // All that answers a query, put together.
  {
    path: 'server/api/schema.ts',
    imports: ['server/edge/graphql/builder.ts', 'server/*/*/{graphql,*-graphql,subscriptions}.ts'],
    packages: [],
    types: [],
    edges: true,
  },
  {
    path: 'server/running/health/',
    imports: [
      ...GROUND,
      'server/edge/http/',
      'server/edge/pages/',
      'server/files/',
      'server/ground/database/migrate.ts',
    ],
    packages: ['node:timers/promises', 'zod'],
    types: ['fastify'],
  },
  // It writes a folder of its own, beside whatever keeps the files.
  {
    path: 'server/running/backup/',
    imports: [
      'server/files/{file-store,read-blob}.ts',
      'server/ground/database/{carry-rows,installation,migrate,tables,transaction}.ts',
      'server/ground/lib/durable.ts',
      'server/running/backup/',
      'server/running/installation/',
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
    path: 'server/running/move/',
    imports: [
      'server/files/file-store.ts',
      'server/ground/database/{carry-rows,close-writes,dialect,installation}.ts',
      'server/ground/database/{migrate,tables,transaction}.ts',
      'server/ground/lib/',
      'server/running/installation/',
      'server/running/move/',
    ],
    packages: ['kysely', 'node:crypto'],
    types: [],
  },
  {
    path: 'server/running/export/',
    imports: [
      ...GROUND,
      'server/books/ledger/balance.ts',
      'server/books/statistics/',
      'server/catalog/links/',
      'server/catalog/sellers/seller-name.ts',
      'server/files/',
      'server/ground/acts/',
      'server/ground/database/carry-rows.ts',
      'server/ground/outbox/',
      'server/people/accounts/first-name.ts',
      'server/running/backup/',
      'server/running/export/',
      'server/selling/discounts/{count-uses,create-discount}.ts',
      'server/selling/purchases/',
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
    path: 'server/running/import/',
    imports: [
      ...GROUND,
      'server/books/statistics/counts.ts',
      'server/catalog/links/{create-link,queries,validate}.ts',
      'server/catalog/sellers/seller-guard.ts',
      'server/delivery/buyers/find-purchases.ts',
      'server/delivery/downloads/delete-file.ts',
      'server/files/{append-to-upload,check-file,file-store,start-upload}.ts',
      'server/ground/acts/',
      'server/running/backup/backup-refused.ts',
      'server/running/export/{format,import-account,write-lines}.ts',
      'server/running/import/',
      'server/selling/purchases/tables.ts',
    ],
    packages: [
      'csv-parse',
      'node:crypto',
      'node:fs',
      'node:fs/promises',
      'node:path',
      'node:stream/promises',
    ],
    types: [],
  },
  {
    path: 'server/running/metrics/',
    imports: [
      ...GROUND,
      'server/edge/http/{credentials,tell-answers}.ts',
      'server/files/',
      'server/ground/outbox/worker.ts',
      'server/running/metrics/',
    ],
    packages: [
      ...['node:async_hooks', 'node:diagnostics_channel', 'node:http'],
      ...['prom-client', '@opentelemetry/'],
    ],
    types: ['fastify', 'kysely'],
  },
  // It looks at everything as the operator's machine and the people outside see it.
  {
    path: 'server/running/doctor/',
    imports: [
      ...GROUND,
      'server/files/',
      'server/ground/config/{read-config,settings}.ts',
      'server/ground/database/{close-writes,migrate}.ts',
      'server/notices/mails/smtp.ts',
      'server/running/doctor/',
      'server/running/health/routes.ts',
      'server/running/installation/',
    ],
    packages: [
      'kysely',
      'node:crypto',
      'node:fs/promises',
      'node:http',
      'node:https',
      'node:net',
      'node:timers/promises',
      'node:tls',
    ],
    types: [],
    edges: true,
  },
  ...edges('files', 'server/files/{*-routes,send-blob,stream-blob,tus,receive-bytes}.ts'),
  ...edges('books', `server/books/*/${EDGE_FILES}`),
  ...edges('notices', `server/notices/*/${EDGE_FILES}`),
  ...edges('catalog', `server/catalog/*/${EDGE_FILES}`, 'server/catalog/discovery/'),
  ...edges('selling', `server/selling/*/${EDGE_FILES}`, 'server/selling/sharing/'),
  ...edges('money', `server/money/*/${EDGE_FILES}`),
  ...edges('delivery', `server/delivery/*/${EDGE_FILES}`),
  ...edges('people', `server/people/*/${EDGE_FILES}`, 'server/people/accounts/routes/'),
  ...edges('office', `server/office/*/${EDGE_FILES}`),
  // What runs by itself may say what went wrong.
  {
    path: 'server/{files,ground/outbox,money/payments,notices/mails}/{jobs,worker}.ts',
    imports: [
      ...GROUND,
      'server/{files,ground/acts,ground/outbox}/*.ts',
      'server/{books/ledger,money/payments,notices/mails,notices/notifications}/*.ts',
      'server/selling/purchases/*.ts',
    ],
    packages: ['node:crypto'],
    types: ['pino', 'zod'],
  },
  feature('ground/acts'),
  feature('ground/outbox', 'ground/acts'),
  { ...feature('files', 'ground/outbox'), packages: [...OPERATION_PACKAGES, CRC32] },
  feature('books/statistics'),
  feature('books/ledger', 'books/statistics'),
  // What it is told of happens in the transactions of others.
  {
    ...feature('notices/hooks', 'ground/acts', 'ground/outbox'),
    packages: ['kysely', 'node:crypto', 'standardwebhooks'],
  },
  // Sellers are told of sales in the transactions of those.
  feature('notices/notifications', 'ground/outbox'),
  {
    path: 'server/notices/mails/smtp.ts',
    imports: ['contract/', 'server/ground/lib/canonical-address.ts'],
    packages: ['nodemailer'],
    types: [],
  },
  also(
    feature(
      'notices/mails',
      'books/ledger',
      'books/statistics',
      'ground/outbox',
      'notices/notifications',
    ),
    'server/selling/purchases/bought-twice.ts',
  ),
  // A new version may be told to buyers, by a job that exists exactly when the version does.
  feature('catalog/links', 'files', 'ground/outbox', 'notices/hooks'),
  feature('catalog/listing', 'catalog/links'),
  feature('catalog/sellers', 'catalog/links', 'catalog/listing', 'files'),
  { path: MAY_BE_PAID, imports: GROUND, packages: [], types: ['kysely'] },
  also(feature('selling/discounts', 'catalog/links', 'catalog/sellers'), MAY_BE_PAID),
  also(
    feature(
      'selling/purchases',
      'books/ledger',
      'books/statistics',
      'catalog/links',
      'files',
      'ground/acts',
      'ground/outbox',
      'notices/hooks',
      'notices/notifications',
      'selling/discounts',
    ),
    MAY_BE_PAID,
  ),
  // The cookie by which a browser holds what it bought.
  {
    path: 'server/selling/access/claim-cookie.ts',
    imports: [...GROUND, 'server/selling/purchases/'],
    packages: ['node:crypto'],
    types: ['fastify'],
  },
  feature('selling/access', 'catalog/links', 'files', 'selling/purchases'),
  feature('selling/licenses', 'catalog/links', 'selling/access', 'selling/purchases'),
  feature(
    'selling/checkout',
    'books/statistics',
    'catalog/links',
    'files',
    'ground/outbox',
    'selling/access',
    'selling/discounts',
    'selling/purchases',
  ),
  feature(
    'money/payments',
    'books/ledger',
    'catalog/links',
    'ground/acts',
    'ground/outbox',
    'selling/purchases',
  ),
  feature(
    'money/payouts',
    'books/ledger',
    'ground/acts',
    'ground/outbox',
    'notices/hooks',
    'selling/purchases',
  ),
  feature(
    'delivery/buyers',
    'catalog/links',
    'ground/outbox',
    'money/payments',
    'selling/access',
    'selling/purchases',
  ),
  {
    ...feature(
      'delivery/downloads',
      'catalog/links',
      'files',
      'ground/outbox',
      'selling/access',
      'selling/purchases',
    ),
    packages: [...OPERATION_PACKAGES, CRC32],
  },
  feature('delivery/receipts', 'catalog/links', 'selling/access', 'selling/purchases'),
  feature('people/operators', 'ground/acts'),
  // The account library, as it is set up for this product.
  {
    path: 'server/people/accounts/auth/',
    imports: [
      ...GROUND,
      'server/catalog/links/cover.ts',
      'server/catalog/sellers/queries.ts',
      'server/ground/acts/',
      'server/notices/notifications/',
      'server/people/accounts/*.ts',
      'server/people/accounts/auth/',
      'server/people/operators/',
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
  {
    path: 'server/people/accounts/write-account-mails.ts',
    imports: [
      'contract/',
      'server/ground/lib/',
      'server/notices/mails/smtp.ts',
      'server/people/accounts/auth/mails.ts',
    ],
    packages: [],
    types: [],
  },
  feature(
    'people/accounts',
    'books/ledger',
    'catalog/links',
    'catalog/sellers',
    'ground/acts',
    'ground/outbox',
    'people/operators',
  ),
  {
    path: 'server/people/viewer/',
    imports: [
      ...GROUND,
      'server/edge/http/',
      'server/people/accounts/',
      'server/people/viewer/',
      'server/selling/access/claim-cookie.ts',
    ],
    packages: [],
    types: ['fastify', 'node:http'],
  },
  feature(
    'office/moderation',
    'catalog/links',
    'files',
    'ground/acts',
    'ground/outbox',
    'money/payments',
  ),
  feature(
    'office/back-office',
    'catalog/links',
    'catalog/listing',
    'files',
    'money/payouts',
    'selling/purchases',
  ),
  adapter('clamd', ['files'], ['node:net']),
  adapter('facts', ['files'], ['node:worker_threads', 'node:zlib']),
  adapter(
    'hooks',
    ['notices/hooks'],
    ['ipaddr.js', 'node:dns', 'node:http', 'node:https', 'node:net'],
  ),
  adapter(
    'images',
    ['catalog/links'],
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
    ['catalog/links', 'files'],
    ['@hyzyla/pdfium', 'node:os', 'node:stream/consumers', 'node:url', 'sharp', 'zod'],
  ),
  adapter('push', ['notices/hooks', 'notices/notifications'], ['web-push']),
  adapter(
    'stamps',
    ['catalog/links', 'files'],
    [
      '@cantoo/pdf-lib',
      'node:crypto',
      'node:fs',
      'node:fs/promises',
      'node:os',
      'node:path',
      'node:stream/consumers',
      'node:url',
    ],
  ),
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
  adapter(
    'stripe',
    ['books/ledger', 'money/payments', 'money/payouts', 'selling/purchases'],
    ['stripe', 'zod'],
    ['pino'],
  ),
  feature('running/installation', 'files'),
  {
    path: 'server/running/keep-heap-small.mjs',
    imports: [],
    packages: ['node:v8', 'node:vm'],
    types: [],
  },
  {
    path: 'server/running/settle-shapes.mjs',
    imports: [],
    packages: ['node:async_hooks', 'node:http', 'node:net'],
    types: [],
  },
  // Stripe, or what stands in for it.
  {
    path: 'server/{running/open-payments,cli/with-provider}.ts',
    imports: ['sandbox/', 'server/'],
    packages: ['pino'],
    types: [],
  },
  {
    path: 'server/running/*.ts',
    imports: ['contract/', 'package.json', 'server/'],
    packages: [
      'node:crypto',
      'node:fs',
      'node:fs/promises',
      'node:path',
      'node:sqlite',
      'node:timers/promises',
      'node:util',
      'pino',
      'pino-pretty',
    ],
    types: [],
  },
  {
    // It asks a shop from outside, and opens nothing of one.
    path: 'server/cli/mcp.ts',
    imports: ['server/cli/command-line.ts', 'server/running/version.ts'],
    packages: ['@modelcontextprotocol/', 'zod'],
    types: [],
  },
  {
    path: 'server/cli/',
    imports: ['contract/', 'package.json', 'server/'],
    packages: [
      'node:crypto',
      'node:fs',
      'node:fs/promises',
      'node:module',
      'node:path',
      'node:readline',
      'node:sqlite',
      'node:stream/promises',
      'node:util',
      'pino',
    ],
    types: [],
  },
  {
    path: 'server/main.mjs',
    imports: [
      'server/run.ts',
      'dist/program/run.mjs',
      'server/running/keep-heap-small.mjs',
      'server/running/settle-shapes.mjs',
    ],
    packages: ['node:fs', 'node:module'],
    types: [],
  },
  {
    path: 'server/run.ts',
    imports: ['server/app.ts', 'server/ground/config/read-config.ts'],
    packages: ['close-with-grace', 'node:timers/promises'],
    types: [],
  },
  {
    path: 'server/{app,api/routes}.ts',
    edges: true,
    imports: ['contract/', 'sandbox/', 'server/'],
    packages: [],
    types: ['fastify', 'node:net', 'pino'],
  },
];

/** What single files use that is forbidden in their room. */
export const exceptions: Record<string, string[]> = {
  // It reads of a query which fields it asks for.
  'server/selling/paywall/select-columns.ts': ['graphql'],
  // It says to SQLite when to plan.
  'server/ground/outbox/worker.ts': ['kysely'],
  // What several rooms write to the disk so that no failure of power undoes it.
  'server/ground/lib/durable.ts': ['node:fs/promises'],
  // What reads pictures and documents of strangers can take down no more than itself.
  'server/ground/lib/confined-process.ts': ['node:child_process'],
  // It waits for a provider that has too much to do.
  'server/adapters/stripe/limit-calls.ts': ['node:timers/promises'],
  // It waits for the provider, for two seconds.
  'server/selling/checkout/refresh-checkout.ts': ['node:timers/promises'],
  // Documents and mails are drawn on the server.
  'web/entry-server.tsx': ['react-dom/server'],
  'web/notices/mails/mail-layout.tsx': ['react-dom/server'],
  // The page that the document names.
  'web/client.tsx': ['import(…)'],
  // The web app as it was built.
  'server/edge/pages/built-web-app.ts': ['import(…)'],
};

/** Tests and what they share, beside the code: nothing holds for them, and the product knows none. */
export function isTestCode(path: string): boolean {
  return /\.test\./.test(path) || path.startsWith('sandbox/testing/');
}
