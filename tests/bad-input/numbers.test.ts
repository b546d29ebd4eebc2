import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLInputType, getNamedType, isInputObjectType } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  MAX_COPIES,
  MAX_DISCOUNT_USES,
  MAX_LICENSE_DEVICES,
  MAX_PAGE_SIZE,
  PROVIDER_MAX_CENTS,
} from '../../contract/limits.ts';
import { MAX_REFUND_DAYS } from '../../contract/moderation.ts';
import { askGraphql, sellFile, signUp, waitUntilUnlocked } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { signUpOperator } from '../factories/sign-up-operator.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const INT = { least: -(2 ** 31), most: 2 ** 31 - 1 };
/** Cents, and what stands for none. */
const PRICE = { least: 1, most: PROVIDER_MAX_CENTS };
/** Of prices that are compared: any number says something. */
const ANY = INT;

/** Of every number that the API takes: the least and the most that it may be. */
const RANGES: Record<string, { least: number; most: number }> = {
  'CreateDiscountInput.amount': PRICE,
  'CreateDiscountInput.minimum': PRICE,
  'CreateDiscountInput.percent': { least: 1, most: 100 },
  'CreateDiscountInput.uses': { least: 1, most: MAX_DISCOUNT_USES },
  'CreateDiscountInput.usesOfBuyer': { least: 1, most: MAX_DISCOUNT_USES },
  'CreatePaywallLinkInput.copies': { least: 0, most: MAX_COPIES },
  'CreatePaywallLinkInput.least': { least: 0, most: 500 },
  'CreatePaywallLinkInput.price': PRICE,
  'ModelIntInput.between': ANY,
  'ModelIntInput.eq': ANY,
  'ModelIntInput.ge': ANY,
  'ModelIntInput.gt': ANY,
  'ModelIntInput.le': ANY,
  'ModelIntInput.lt': ANY,
  'ModelIntInput.ne': ANY,
  'Mutation.refundSale.amount': { least: 1, most: 500 },
  'Mutation.takeDownLink.refundDays': { least: 1, most: MAX_REFUND_DAYS },
  'Query.getSalesByDay.days': { least: 1, most: 366 },
  'Query.listDeletedPaywallLinks.limit': { least: 1, most: MAX_PAGE_SIZE },
  'Query.listPaywallLinks.limit': { least: 1, most: MAX_PAGE_SIZE },
  'Query.listSources.days': { least: 1, most: 366 },
  'Query.quoteRefund.amount': { least: 1, most: 500 },
  // Nothing has been earned.
  'RequestPayoutInput.amount': { least: 2_500, most: 0 },
  'UpdatePaywallLinkInput.copies': { least: 0, most: MAX_COPIES },
  'UpdatePaywallLinkInput.devices': { least: 0, most: MAX_LICENSE_DEVICES },
  // -1 makes the price fixed.
  'UpdatePaywallLinkInput.least': { least: -1, most: 500 },
  'UpdatePaywallLinkInput.price': PRICE,
  'UpdatePaywallLinkInput.version': { least: 1, most: 1 },
};

const schema = buildSchema(readFileSync('contract/schema.graphql', 'utf8'));
const isInt = (type: GraphQLInputType) => getNamedType(type).name === 'Int';
const NUMBERS = Object.values(schema.getTypeMap()).flatMap((type) => {
  if (type.name.startsWith('__')) return [];
  if (isInputObjectType(type)) {
    return Object.values(type.getFields())
      .filter((field) => isInt(field.type))
      .map((field) => `${type.name}.${field.name}`);
  }
  if (!('getFields' in type)) return [];
  return Object.values(type.getFields()).flatMap((field) =>
    ('args' in field ? field.args : [])
      .filter((argument) => isInt(argument.type))
      .map((argument) => `${type.name}.${field.name}.${argument.name}`),
  );
});

test('the range of every number that the API takes is known', () => {
  expect(Object.keys(RANGES).sort()).toEqual(NUMBERS.sort());
});

describe('a number out of its range', () => {
  const app = useApp();
  let seller: Person;
  let operator: Person;
  let link: { id: string; key: string | null };
  let purchaseId: string;

  beforeAll(async () => {
    [seller, operator] = await Promise.all([signUp(app), signUpOperator(app)]);
    const sold = await sellFile(seller);
    link = { id: sold.id, key: sold.key ?? null };
    const buyer = createPerson(app);
    await payFor(buyer, link.id);
    await waitUntilUnlocked(buyer, link.id);
    purchaseId = await withDatabase(app, async (db) => {
      const { id } = await db.selectFrom('purchase').select('id').executeTakeFirstOrThrow();
      return id;
    });
  });

  /** What takes it, with everything else as it should be. */
  function ask(owner: string, field: string, value: number): string {
    const list = `${field}: ${value}`;
    const one = `id: "${link.id}", ${list}`;
    const created = `type: "file", key: "${link.key}"`;
    const sale = `purchaseId: "${purchaseId}", ${list}`;
    const questions: Record<string, string> = {
      CreateDiscountInput: `mutation { createDiscount(input: { code: "ODD", ${field === 'percent' || field === 'amount' ? '' : 'percent: 10, '}${list} }) }`,
      CreatePaywallLinkInput: `mutation { createPaywallLink(input: { ${created}, ${field === 'price' ? '' : 'price: 500, '}${list} }) { id } }`,
      'Mutation.refundSale': `mutation { refundSale(${sale}, reason: "They asked.") { __typename } }`,
      'Mutation.takeDownLink': `mutation { takeDownLink(id: "${link.id}", reason: "fraud", words: "Stop.", ${list}) }`,
      'Query.getSalesByDay': `{ getSalesByDay(${list}) { day } }`,
      'Query.listDeletedPaywallLinks': `{ listDeletedPaywallLinks(${list}) { nextToken } }`,
      'Query.listPaywallLinks': `{ listPaywallLinks(${list}) { nextToken } }`,
      'Query.listSources': `{ listSources(${list}) { source } }`,
      'Query.quoteRefund': `{ quoteRefund(${sale}) { amount } }`,
      RequestPayoutInput: `mutation { requestPayout(input: { ${list} }) { id } }`,
      UpdatePaywallLinkInput: `mutation { updatePaywallLink(input: { ${one} }) { id } }`,
    };
    return questions[owner] ?? '';
  }

  const outside = Object.entries(RANGES).flatMap(([path, { least, most }]) => {
    const wrong =
      least > most
        ? [INT.least, -1, 0, 1, least, INT.most]
        : [INT.least, least - 1, most + 1, INT.most];
    return wrong
      .filter((value) => (value < least || value > most) && value >= INT.least && value <= INT.most)
      .map((value) => ({ path, value }));
  });

  test.each(outside)('$path: $value is refused', async ({ path, value }) => {
    const [, owner = '', field = ''] = /^(.+)\.(\w+)$/.exec(path) ?? [];
    const { errors } = await askGraphql(
      path.includes('takeDown') ? operator : seller,
      ask(owner, field, value),
    );
    expect(errors?.[0]?.extensions?.code).toMatch(/^(INVALID_\w+|NOT_FOUND|PAYOUT_\w+)$/);
  });
});
