/**
 * The arrows of the house: which folder may import which. The rule with the longest matching
 * `from` holds for a file; folders without a rule (tests, bench, scripts) are free.
 */
export type Rule = {
  from: string;
  mayImport: string[];
  /** Packages and builtins whose values may be imported. Absent: all of them. */
  mayUse?: string[];
  /** Packages and builtins that may be imported as types only. */
  mayUseTypesOf?: string[];
};

// The domain decides; it neither listens nor calls out. Kysely, which only describes queries, is
// its port to the database: the connection is handed in.
const domainPackages = {
  mayUse: ['kysely', 'node:crypto', 'node:path'],
  mayUseTypesOf: ['node:stream'],
};

function domainFolder(name: string, siblings: string[]): Rule {
  const shared = ['contract/', 'server/domain/*.ts', 'server/domain/outbox/'];
  return {
    from: `server/domain/${name}/`,
    mayImport: [...shared, ...[name, ...siblings].map((sibling) => `server/domain/${sibling}/`)],
    ...domainPackages,
  };
}

export const rules: Rule[] = [
  { from: 'contract/', mayImport: ['contract/'], mayUse: [] },
  { from: 'web/', mayImport: ['contract/', 'web/'] },
  { from: 'sandbox/', mayImport: ['contract/', 'sandbox/'] },
  {
    from: 'server/domain/',
    mayImport: ['contract/', 'server/domain/*.ts', 'server/domain/*/tables.ts'],
    ...domainPackages,
  },
  domainFolder('outbox', []),
  domainFolder('accounts', []),
  domainFolder('statistics', []),
  domainFolder('ledger', ['statistics']),
  domainFolder('files', ['accounts']),
  domainFolder('installation', ['files']),
  domainFolder('links', ['accounts', 'files']),
  domainFolder('purchases', ['accounts', 'files', 'installation', 'ledger', 'links', 'statistics']),
  domainFolder('payouts', ['accounts', 'ledger']),
  domainFolder('deletion', ['accounts', 'ledger', 'links']),
  domainFolder('notifications', ['accounts', 'files', 'ledger', 'links', 'payouts', 'purchases']),
  { from: 'server/adapters/', mayImport: ['contract/', 'server/domain/', 'server/adapters/'] },
  { from: 'server/api/', mayImport: ['contract/', 'server/domain/', 'server/api/'] },
  { from: 'server/jobs/', mayImport: ['contract/', 'server/domain/', 'server/jobs/'] },
  { from: 'server/config', mayImport: ['contract/', 'server/config/'] },
  { from: 'server/app.ts', mayImport: ['contract/', 'server/', 'sandbox/'] },
  { from: 'server/commands.ts', mayImport: ['contract/', 'server/', 'sandbox/'] },
  { from: 'server/', mayImport: ['contract/', 'server/'] },
];
