import type { Mutant } from '../mutant.ts';

const tests = ['tests/screens/site-look.test.ts'];

export const mutants: Mutant[] = [
  {
    fault: 'words on a dark color of the operator are black',
    file: 'contract/accent.ts',
    find: "? '#000000' : '#ffffff'",
    replace: "? '#000000' : '#000000'",
    tests,
    titles: 'words on|can be read',
  },
  {
    fault: 'a logo that is opened by itself can run scripts',
    file: 'server/catalog/discovery/routes.ts',
    find: "'content-security-policy'",
    replace: "'x-content-security-policy'",
    tests,
    titles: 'nothing in it can run',
  },
];
