import { DomainError } from '../../domain/domain-error.ts';
import type { LinkCondition } from '../../domain/links/link-condition.ts';
import { builder } from './builder.ts';

const StringFilter = builder.inputType('ModelStringInput', {
  fields: (t) => ({
    eq: t.string(),
    ne: t.string(),
    gt: t.string(),
    ge: t.string(),
    lt: t.string(),
    le: t.string(),
    between: t.stringList(),
    beginsWith: t.string(),
  }),
});

const IntFilter = builder.inputType('ModelIntInput', {
  fields: (t) => ({
    eq: t.int(),
    ne: t.int(),
    gt: t.int(),
    ge: t.int(),
    lt: t.int(),
    le: t.int(),
    between: t.intList(),
  }),
});

/** Only columns that everyone may read: a filter on key or url would leak them. */
export const LinkFilter = builder.inputType('ModelPaywallLinkFilterInput', {
  fields: (t) => ({
    id: t.field({ type: StringFilter }),
    type: t.field({ type: StringFilter }),
    owner: t.field({ type: StringFilter }),
    price: t.field({ type: IntFilter }),
    createdAt: t.field({ type: StringFilter }),
  }),
});

const COLUMNS = {
  id: 'id',
  type: 'type',
  owner: 'owner_id',
  price: 'price_cents',
  createdAt: 'created_at',
} as const;

const OPERATORS = {
  eq: '=',
  ne: '!=',
  gt: '>',
  ge: '>=',
  lt: '<',
  le: '<=',
  beginsWith: 'begins-with',
} as const;

type Filter = typeof LinkFilter.$inferInput;
type FieldFilter = Record<
  string,
  string | number | readonly (string | number)[] | null | undefined
>;

/** @throws DomainError INVALID_INPUT for a date or range that cannot be compared */
export function toConditions(filter: Filter | null | undefined): LinkCondition[] {
  return Object.entries(filter ?? {}).flatMap(([field, given]) => {
    const name = field as keyof typeof COLUMNS;
    return Object.entries((given ?? {}) as FieldFilter).flatMap(([operator, value]) =>
      toCondition(name, operator, value),
    );
  });
}

function toCondition(
  field: keyof typeof COLUMNS,
  operator: string,
  value: FieldFilter[string],
): LinkCondition[] {
  if (value == null) return [];
  if (typeof value === 'object') {
    const [low, high, ...rest] = value;
    if (low === undefined || high === undefined || rest.length > 0) {
      throw new DomainError('INVALID_INPUT', `The filter '${field}.between' takes two values.`);
    }
    return [...toCondition(field, 'ge', low), ...toCondition(field, 'le', high)];
  }
  return [
    {
      column: COLUMNS[field],
      operator: OPERATORS[operator as keyof typeof OPERATORS],
      value: field === 'createdAt' ? toTime(String(value), operator) : value,
    },
  ];
}

function toTime(text: string, operator: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time) || operator === 'beginsWith') {
    throw new DomainError('INVALID_INPUT', 'The filter createdAt compares ISO 8601 times.');
  }
  return time;
}
