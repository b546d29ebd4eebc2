import type { Mutant } from '../mutant.ts';

export const mutants: Mutant[] = [
  {
    fault: 'a price of half a cent is rounded down',
    file: 'contract/money.ts',
    find: 'return Math.round(dollars * 100);',
    replace: 'return Math.floor(dollars * 100);',
    tests: ['tests/prices.test.ts'],
  },
  {
    fault: 'the platform fee is above the price',
    file: 'contract/money.ts',
    find: 'return Math.min(priceCents, share + rate.fixedCents);',
    replace: 'return share + rate.fixedCents;',
    tests: ['tests/prices.test.ts'],
  },
  {
    fault: 'the platform fee is rounded down',
    file: 'contract/money.ts',
    find: '+ 5_000) / 10_000',
    replace: ') / 10_000',
    tests: ['tests/prices.test.ts'],
  },
];
