import type { Mutant } from '../mutant.ts';

const MIGRATE = 'server/ground/database/migrate.ts';
const BEGIN = 'server/ground/database/migrations/164-begin.ts';
const INTERRUPTED = 'tests/installation/interrupted-migrations.test.ts';

const COPY = 'server/ground/database/copy-before-upgrade.ts';
const UPGRADES = 'tests/installation/upgrades.test.ts';

export const mutants: Mutant[] = [
  {
    fault: 'a database is upgraded without a copy of it',
    file: 'server/app.ts',
    find: 'const copy = await copyBeforeUpgrade(patient, config.database.file);',
    replace: 'const copy = await copyBeforeUpgrade(patient, config.database.file, {});',
    tests: [UPGRADES],
  },
  {
    fault: 'copies of the database fill the disk',
    file: COPY,
    find: 'for (const name of copies.toSorted().slice(0, -KEPT_COPIES)) rmSync(join(folder, name));',
    replace: '',
    tests: [UPGRADES],
  },
  {
    fault: 'a database is copied where there is no room',
    file: COPY,
    find: 'await requireRoom(db, folder);',
    replace: '',
    tests: [UPGRADES],
  },
  {
    fault: 'a migration of SQLite that is killed leaves half of itself behind',
    file: 'server/ground/database/sqlite.ts',
    find: 'get supportsTransactionalDdl(): boolean {\n    return true;',
    replace: 'get supportsTransactionalDdl(): boolean {\n    return false;',
    tests: [INTERRUPTED],
    titles: 'on sqlite.*upgrade',
  },
  {
    fault: 'a database of another version is written to',
    file: MIGRATE,
    find: 'if (unknown.length === 0) return;',
    replace: 'return;',
    tests: [INTERRUPTED],
    titles: 'on sqlite.*another version',
  },
  {
    fault: 'a database that was made in steps is taken for one of another version',
    file: MIGRATE,
    find: '!(name in MIGRATIONS) && !isStep(name)',
    replace: '!(name in MIGRATIONS)',
    tests: [INTERRUPTED],
    titles: 'on sqlite.*made in steps',
  },
  {
    fault: 'whoever has not taken all the steps is not told how to upgrade',
    file: MIGRATE,
    find: 'if (isAmongSteps(applied)) {',
    replace: 'if (false) {',
    tests: [INTERRUPTED],
    titles: 'on sqlite.*all the steps',
  },
  {
    fault: 'a backup of an earlier version loses what refers to a table that is made anew',
    file: 'server/running/backup/restore.ts',
    find: 'withoutReferences(db, () => transaction(db, work))',
    replace: 'transaction(db, work)',
    tests: [UPGRADES],
    titles: 'a backup of version',
  },
  {
    fault: 'a database of a development build is taken for one of the release',
    file: MIGRATE,
    find: '[LAST_STEP]: {',
    replace: "'001-begin': {",
    tests: [INTERRUPTED],
    titles: 'on sqlite.*development build',
  },
  {
    fault: 'deliveries of no day are as many rows as somebody asks for',
    file: BEGIN,
    find: 'day integer not null,\n    responses',
    replace: 'day integer,\n    responses',
    tests: ['tests/http/bounded-rows.test.ts'],
    titles: 'on sqlite.*ended alike',
  },
  {
    fault: 'a database without a record of its version is refused in the words of SQL alone',
    file: MIGRATE,
    find: 'throw explain(error, results[0]?.migrationName);',
    replace: 'throw error;',
    tests: [INTERRUPTED],
    titles: 'on sqlite.*lost the record',
  },
  {
    fault: 'the hourly sweep reads every account to find the unconfirmed ones',
    file: 'server/people/accounts/auth/migrate-auth.ts',
    find: "if (toBeCreated.some(({ table }) => table === 'user')) await indexUnconfirmed(trx);",
    replace: '',
    tests: ['server/people/accounts/auth/migrate-auth.test.ts'],
  },
  {
    fault: 'a reset of the test data leaves the books open to changes',
    file: 'server/ground/database/reset-test-data.ts',
    find: 'await createAppendOnlyTriggers(trx as never);',
    replace: '',
    tests: ['tests/books/ledger.test.ts'],
    titles: 'sqlite.*until it was reset',
  },
  {
    fault: 'what guards the books of SQLite after a reset refuses nothing',
    file: 'server/ground/database/append-only-triggers.ts',
    find: "select raise(abort, 'the ledger is append-only');",
    replace: 'select 1;',
    tests: ['tests/books/ledger.test.ts'],
    titles: 'sqlite.*until it was reset',
  },
  {
    fault: 'a browser opens two checkouts of a link at once',
    file: BEGIN,
    find: 'create unique index purchase_open_of_claim_hash',
    replace: 'create index purchase_open_of_claim_hash',
    tests: ['tests/checkout/one-payment.test.ts'],
    titles: 'on sqlite.*second open checkout',
  },
  {
    fault: 'an account opens two checkouts of a link at once',
    file: BEGIN,
    find: 'create unique index purchase_open_of_buyer_id',
    replace: 'create index purchase_open_of_buyer_id',
    tests: ['tests/checkout/one-payment.test.ts'],
    titles: 'on sqlite.*second open checkout',
  },
  {
    fault: 'a migration may use code that will change',
    file: 'tests/architecture/rooms.ts',
    find: "imports: ['server/ground/database/migrations/'],",
    replace: "imports: ['server/'],",
    tests: ['tests/architecture/architecture.test.ts'],
    titles: '002-x',
  },
];
