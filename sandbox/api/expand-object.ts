import { lineItemsOf } from '../operations/session-details.ts';
import type { Scope } from '../scope.ts';
import { invalidRequest } from '../stripe-error.ts';

type Json = Record<string, unknown>;

/** Fields that hold an id and can be shown as the object itself. */
const REFERENCES: Record<string, string[]> = {
  balance_transaction: ['source'],
  charge: ['balance_transaction', 'failure_balance_transaction', 'payment_intent'],
  'checkout.session': ['payment_intent'],
  dispute: ['charge', 'payment_intent'],
  payment_intent: ['latest_charge', 'payment_method'],
  payout: ['balance_transaction', 'failure_balance_transaction'],
  refund: ['balance_transaction', 'charge', 'failure_balance_transaction', 'payment_intent'],
  transfer: ['balance_transaction', 'destination'],
  transfer_reversal: ['balance_transaction', 'transfer'],
};

/** Lists that are left out unless asked for. */
const INCLUSIONS: Record<string, Record<string, (scope: Scope, id: string) => object>> = {
  charge: {
    refunds: (scope, charge) =>
      inlineList(
        scope.objects.list('refund', { limit: 100, fields: { charge } }).data,
        `/v1/charges/${charge}/refunds`,
      ),
  },
  'checkout.session': {
    line_items: (scope, id) =>
      inlineList(lineItemsOf(scope, id), `/v1/checkout/sessions/${id}/line_items`),
  },
};

const MOST_LEVELS = 4;

/**
 * Replaces the ids at the given paths (`data.latest_charge.balance_transaction`) by their objects.
 * @throws StripeError when a path leads to something that cannot be expanded
 */
export function expandObject(scope: Scope, object: object, paths: string[]): void {
  for (const path of paths) {
    const steps = path.split('.');
    if (steps.length > MOST_LEVELS) {
      throw invalidRequest('You cannot expand more than 4 levels of a property.', {
        param: 'expand',
      });
    }
    expandPath(scope, object as Json, steps, path);
  }
}

function expandPath(scope: Scope, target: Json, steps: string[], path: string): void {
  const [field, ...rest] = steps as [string, ...string[]];
  const kind = String(target.object);
  const include = INCLUSIONS[kind]?.[field];
  if (kind === 'list' && field === 'data') {
    for (const item of target.data as Json[]) {
      if (rest.length > 0) expandPath(scope, item, rest, path);
    }
    return;
  }
  if (include) target[field] ??= include(scope, String(target.id));
  else if (REFERENCES[kind]?.includes(field)) {
    if (typeof target[field] === 'string') target[field] = scope.objects.follow(target[field]);
  } else {
    throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' });
  }
  const next = target[field];
  if (rest.length > 0 && next) expandPath(scope, next as Json, rest, path);
}

function inlineList(data: object[], url: string) {
  return { object: 'list', data, has_more: false, url };
}
