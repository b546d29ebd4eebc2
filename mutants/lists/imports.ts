import type { Mutant } from '../mutant.ts';

const tests = ['tests/import/import-shop.test.ts'];

export const mutants: Mutant[] = [
  {
    fault: 'a sale that was refunded at another shop gives access here',
    file: 'server/running/import/read-sale.ts',
    find: 'if (holds && readFlag(cellOf(unless)) !== true) return { skipped };',
    replace: 'if (holds && unless && readFlag(cellOf(unless)) !== true) return { skipped };',
    tests,
    titles: 'sqlite.+gives the content to whoever bought it',
  },
  {
    fault: 'a dispute that was won at another shop takes the access',
    file: 'server/running/import/read-sale.ts',
    find: 'if (holds && readFlag(cellOf(unless)) !== true) return { skipped };',
    replace: 'if (holds) return { skipped };',
    tests,
    titles: 'sqlite.+brings links and sales',
  },
  {
    fault: 'a shop that is imported again brings its sales twice',
    file: 'server/running/import/write-sales.ts',
    find: 'const said = JSON.stringify([source, ownerId, one.sale.key]);',
    replace: 'const said = JSON.stringify([source, ownerId, one.sale.key, randomUUID()]);',
    tests,
    titles: 'sqlite.+brings nothing twice',
  },
  {
    fault: 'a shop that is imported again makes its links twice',
    file: 'server/running/import/ensure-link.ts',
    find: 'const said = JSON.stringify([source, ownerId, foldName(name), attempt]);',
    replace: 'const said = JSON.stringify([source, ownerId, foldName(name), attempt, Date.now()]);',
    tests,
    titles: 'sqlite.+brings nothing twice',
  },
  {
    fault: 'a dry run of an import puts links on sale',
    file: 'server/running/import/ensure-link.ts',
    find: 'if (!input.isDry) await makeLink',
    replace: 'await makeLink',
    tests,
    titles: 'sqlite.+writes nothing',
  },
  {
    fault: 'an import sells what a symbolic link leads to',
    file: 'server/running/import/find-content.ts',
    find: '.filter((entry) => entry.isFile())',
    replace: '.filter((entry) => !entry.isDirectory())',
    tests,
    titles: 'sqlite.+takes tables of any shop',
  },
  {
    fault: 'who gave an imported gift away has it, and its recipient has not',
    file: 'server/running/import/write-sales.ts',
    find: 'gift_email: sale.giftEmail,',
    replace: 'gift_email: null,',
    tests,
    titles: 'sqlite.+gives the content to whoever bought it',
  },
  {
    fault: 'imported sales are missing in the figures of their links',
    file: 'server/running/import/write-sales.ts',
    find: 'const counted = { views: 1, checkouts: 1, sales: 1 };',
    replace: 'const counted = { views: 1, checkouts: 1, sales: 0 };',
    tests,
    titles: 'sqlite.+brings links and sales',
  },
  {
    fault: 'a shop is imported for a seller who is suspended',
    file: 'server/running/import/import-shop.ts',
    find: 'if (await isSuspended(db, ownerId)) {',
    replace: 'if (!ownerId) {',
    tests,
    titles: 'sqlite.+is exported with the account',
  },
];
