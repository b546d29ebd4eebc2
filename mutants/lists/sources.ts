import type { Mutant } from '../mutant.ts';

const tests = ['tests/sellers/sources.test.ts'];

export const mutants: Mutant[] = [
  {
    fault: 'a link has any number of sources a day',
    file: 'server/books/statistics/sources.ts',
    find: 'const MAX_SOURCES = 20;',
    replace: 'const MAX_SOURCES = 200;',
    tests,
    titles: 'is at most twenty sources',
  },
  {
    fault: 'whoever checks out without loading the image is no view',
    file: 'server/books/statistics/view-counter.ts',
    find: 'if (!this.#visitors.isLooking(visit, now)) return 1;',
    replace: 'return 0;',
    tests: ['tests/sellers/statistics.test.ts'],
    titles: 'sqlite.+more checkouts than views',
  },
  {
    fault: 'a campaign keeps the address of a mailbox',
    file: 'contract/sources.ts',
    find: '._~+-]{1,40}$/u',
    replace: '._~+@-]{1,40}$/u',
    tests,
    titles: 'is told by the page',
  },
  {
    fault: 'a seller sees where the visitors of others come from',
    file: 'server/books/statistics/sources.ts',
    find: ".where('owner_id', '=', ownerId)\n    .where('day', '>', dayOf(now) - days)",
    replace: ".where('day', '>', dayOf(now) - days)",
    tests,
    titles: 'leads from views',
  },
  {
    fault: 'the page of one source is sent to those of others',
    file: 'server/edge/pages/kept-pages.ts',
    find: 'const key = { path, from, language: renderer.languageOf(request.headers) };',
    replace:
      "const key = { path, from: 'direct', language: renderer.languageOf(request.headers) };",
    tests,
    titles: 'is told by the page',
  },
];
