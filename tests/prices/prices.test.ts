import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { putIntoEnglish } from '../../contract/fact.ts';
import { checkTypedPrice, type PriceTerms } from '../../contract/link-rules.ts';
import { dollarsToCents, formatCents, shareOut } from '../../contract/money.ts';
import { graphql, signUp } from '../factories/factories.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import type { Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

const TERMS = { minimumPriceCents: 1, providerMinimumCents: 1 };
const STRIPE = { minimumPriceCents: 50, providerMinimumCents: 50 };
const DEAR = { minimumPriceCents: 200, providerMinimumCents: 50 };
const anyPrice = fc.oneof(
  fc.integer({ min: 1, max: 100 }),
  fc.integer({ min: 1, max: 99_999_999 }),
);

describe('dollars to cents', () => {
  test.each([
    [0.29, 29],
    [19.99, 1999],
    [1.005, 100],
    [0.1 + 0.2, 30],
    [4.35, 435],
    [1e-9, 0],
    [1e9, 100_000_000_000],
  ])('rounds %d dollars to %d cents', (dollars, cents) => {
    expect(dollarsToCents(dollars)).toBe(cents);
  });

  test('is the dollar value times 100, rounded, and never a fraction', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e12, noNaN: true }), (dollars) => {
        const cents = dollarsToCents(dollars);
        expect(cents).toBe(Math.round(dollars * 100));
        expect(Number.isInteger(cents)).toBe(true);
      }),
    );
  });

  test('gives back every price that is typed with two decimals', () => {
    fc.assert(
      fc.property(anyPrice, (cents) => {
        expect(dollarsToCents(Number(formatCents(cents)))).toBe(cents);
      }),
    );
  });

  test('shows a price with exactly two decimals and no exponent', () => {
    fc.assert(
      fc.property(anyPrice, (cents) => {
        expect(formatCents(cents)).toMatch(/^\d+\.\d{2}$/);
        expect(formatCents(cents).replace('.', '').replace(/^0+/, '')).toBe(String(cents));
      }),
    );
  });
});

describe('the fee of the platform', () => {
  test.each([
    // price, rate in basis points and cents, fee
    [1, 500, 30, 1],
    [32, 500, 30, 32],
    [33, 500, 30, 32],
    [1000, 500, 30, 80],
    [109, 500, 30, 35],
    [110, 500, 30, 36],
    [50, 500, 48, 50],
    [50, 500, 47, 50],
    [50, 500, 46, 49],
    [99_999_999, 10_000, 0, 99_999_999],
    [99_999_999, 10_000, 1, 99_999_999],
  ])('of %d cents at %d basis points and %d cents is %d', (price, basisPoints, fixedCents, fee) => {
    expect(shareOut(price, { basisPoints, fixedCents })).toEqual({
      feeCents: fee,
      netCents: price - fee,
    });
  });

  test('is whole cents, never above the price, and half a cent away from its rate at most', () => {
    const rate = fc.record({
      basisPoints: fc.integer({ min: 0, max: 10_000 }),
      fixedCents: fc.integer({ min: 0, max: 100_000 }),
    });
    fc.assert(
      fc.property(anyPrice, rate, (price, { basisPoints, fixedCents }) => {
        const { feeCents: fee, netCents: net } = shareOut(price, { basisPoints, fixedCents });
        const exact = Math.min(price, (price * basisPoints) / 10_000 + fixedCents);
        expect(Number.isInteger(fee)).toBe(true);
        expect(fee).toBeLessThanOrEqual(price);
        expect(fee + net).toBe(price);
        expect(Math.abs(fee - exact)).toBeLessThanOrEqual(0.5);
      }),
    );
  });
});

function faultOf(typed: string, terms: PriceTerms): string | undefined {
  const fault = checkTypedPrice(typed, terms);
  return fault && putIntoEnglish(fault);
}

describe('the price that is typed', () => {
  test.each([
    ...['', '   ', 'abc', '5,00', '5 dollars', '0', '-0', '-1', '-0.01', 'NaN', '-Infinity'],
    ...['0.004', '1e-9'],
  ])('is no price: %j', (typed) => {
    for (const terms of [TERMS, STRIPE, DEAR]) {
      expect(faultOf(typed, terms)).toBe('Enter a valid price greater than $0.');
    }
  });

  test.each(['0.005', '0.01', '0.5', '0.99', '1', '1.00', '  5 ', '1e2', '4.99', '999999.99'])(
    'is a price: %j',
    (typed) => {
      expect(faultOf(typed, TERMS)).toBeUndefined();
    },
  );

  test.each(['0.01', '0.494'])('is less than Stripe charges a card: %j', (typed) => {
    expect(faultOf(typed, STRIPE)).toBe('Cards cannot be charged less than $0.50.');
    expect(faultOf('0.495', STRIPE)).toBeUndefined();
  });

  test.each(['0.01', '0.5', '1.99'])('is below the minimum price of the operator: %j', (typed) => {
    expect(faultOf(typed, DEAR)).toBe('The minimum price is $2.00.');
    expect(faultOf('2', DEAR)).toBeUndefined();
  });

  test.each(['1000000', '1e9', 'Infinity'])('is above the largest price: %j', (typed) => {
    expect(faultOf(typed, TERMS)).toBe('The maximum price is $999,999.99.');
  });
});

describeOnSqliteFirst('the price that is stored', (database) => {
  const app = useApp({ database });

  const create = `mutation ($price: Int!) {
    createPaywallLink(input: { type: "link", url: "https://example.com/", price: $price }) {
      id price
    }
  }`;
  type Created = { createPaywallLink: { id: string; price: number } };

  async function store(creator: Person, price: number): Promise<number> {
    return (await graphql<Created>(creator, create, { price })).createPaywallLink.price;
  }

  test('is what is shown again, from the smallest to the largest', async () => {
    const creator = await signUp(app);
    for (const typed of ['0.01', '0.5', '0.57', '1.005', '4.35', '19.99', '1e2', '999999.99']) {
      const cents = dollarsToCents(Number(typed));
      const stored = await store(creator, cents);
      expect(formatCents(stored)).toBe((Math.round(Number(typed) * 100) / 100).toFixed(2));
    }
  });

  async function expectRefusals(
    seller: Person,
    terms: PriceTerms,
    refusals: (readonly [string, string])[],
  ): Promise<void> {
    for (const [typed, message] of refusals) {
      expect(faultOf(typed, terms)).toBe(message);
      await expect(store(seller, dollarsToCents(Number(typed)))).rejects.toThrow(message);
    }
  }

  test('is refused beyond its bounds in the same words by the server and the form', async () => {
    await expectRefusals(await signUp(app), TERMS, [
      ['0', 'Enter a valid price greater than $0.'],
      ['0.004', 'Enter a valid price greater than $0.'],
      ['-1', 'Enter a valid price greater than $0.'],
      ['1000000', 'The maximum price is $999,999.99.'],
    ]);
  });

  describe('where the operator wants more', () => {
    const dear = useApp({ database, env: { MIN_PRICE_CENTS: '200' } });

    test('is refused below that', async () => {
      const seller = await signUp(dear);
      await expectRefusals(seller, DEAR, [['1.99', 'The minimum price is $2.00.']]);
      expect(await store(seller, 200)).toBe(200);
    });
  });
});
