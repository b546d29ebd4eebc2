import { z } from 'zod';
import { formatPrice, LARGEST_CHARGE } from '../../money.ts';
import {
  buildLineItem,
  createCheckoutSession,
  type NewCheckoutSession,
} from '../../operations/create-checkout-session.ts';
import { expireSession, lineItemsOf } from '../../operations/end-session.ts';
import { invalidRequest } from '../../stripe-error.ts';
import { type Endpoint, endpoint, lists, retrieves } from '../endpoint.ts';
import {
  cents,
  choice,
  emailAddress,
  flag,
  integer,
  metadata,
  orNull,
  text,
  usd,
  webAddress,
} from '../param-types.ts';

const lineItem = z.strictObject({
  metadata: metadata().default({}),
  price_data: z.strictObject({
    currency: usd(),
    product_data: z.strictObject({
      description: text().optional(),
      metadata: metadata().optional(),
      name: text(),
    }),
    tax_behavior: choice(['exclusive', 'inclusive', 'unspecified']).optional(),
    unit_amount: cents(),
  }),
  quantity: integer(1, 999_999).default(1),
});

const paymentIntentData = z.strictObject({
  description: orNull(text(1000)),
  metadata: metadata().default({}),
  receipt_email: orNull(emailAddress()),
  statement_descriptor: orNull(text(22)),
  statement_descriptor_suffix: orNull(text(22)),
  transfer_group: orNull(text()),
});

const enabled = z.strictObject({ enabled: flag() });

/** What a checkout session is created from. */
const sessionShape = {
  adaptive_pricing: enabled.optional(),
  allow_promotion_codes: orNull(flag()),
  automatic_tax: enabled.optional(),
  billing_address_collection: orNull(choice(['auto', 'required'])),
  cancel_url: orNull(webAddress()),
  client_reference_id: orNull(text(200)),
  customer_creation: choice(['always', 'if_required']).default('if_required'),
  customer_email: orNull(emailAddress()),
  expires_at: integer().optional(),
  line_items: z.array(lineItem).min(1).max(100),
  locale: orNull(text(10)),
  metadata: metadata().default({}),
  mode: choice(['payment']),
  payment_intent_data: paymentIntentData.prefault({}),
  submit_type: orNull(choice(['auto', 'book', 'donate', 'pay'])),
  success_url: webAddress(),
  ui_mode: choice(['hosted_page']).optional(),
};

type SessionParams = z.infer<z.ZodObject<typeof sessionShape>>;

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

/**
 * Makes of the parameters what a new session consists of.
 * @throws StripeError when the total or the expiry is out of the provider's bounds
 */
function readNewSession(params: SessionParams, now: number): NewCheckoutSession {
  const { adaptive_pricing, automatic_tax, line_items, payment_intent_data, ...others } = params;
  const { mode: _mode, ui_mode: _uiMode, expires_at = now + DAY, ...shown } = others;
  const automaticTax = automatic_tax?.enabled ?? false;
  const lines = line_items.map(({ metadata, price_data, quantity }) => {
    const { product_data: product, tax_behavior: behavior, unit_amount: unitAmount } = price_data;
    // Prices in US dollars are before tax unless they say otherwise.
    const given = behavior === 'inclusive' ? behavior : ('exclusive' as const);
    const tax = automaticTax ? given : null;
    return {
      item: buildLineItem({ name: product.name, unitAmount, quantity, metadata, tax }, now),
      productDescription: product.description ?? null,
    };
  });
  refuseTotalOutOfBounds(lines.reduce((sum, { item }) => sum + item.amount_total, 0));
  refuseExpiryOutOfBounds(expires_at, now);
  return {
    adaptivePricing: adaptive_pricing?.enabled ?? false,
    automaticTax,
    lines,
    paymentIntentData: payment_intent_data,
    shown: { ...shown, expires_at },
  };
}

function refuseTotalOutOfBounds(total: number): void {
  if (total > LARGEST_CHARGE) {
    throw invalidRequest(
      `The Checkout Session's total amount due must be no more than ${formatPrice(LARGEST_CHARGE)} usd`,
      { code: 'amount_too_large', param: 'line_items' },
    );
  }
}

function refuseExpiryOutOfBounds(expiresAt: number, now: number): void {
  if (expiresAt < now + 30 * MINUTE) {
    throw invalidRequest(
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
      { param: 'expires_at' },
    );
  }
  if (expiresAt > now + DAY) {
    throw invalidRequest(
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.',
      { param: 'expires_at' },
    );
  }
}

const PATH = '/v1/checkout/sessions';

export const checkoutSessions: Endpoint[] = [
  endpoint('POST', PATH, sessionShape, (scope, params) =>
    createCheckoutSession(scope, readNewSession(params, scope.now)),
  ),
  retrieves(PATH, 'checkout.session', 'session'),
  lists(PATH, 'checkout.session', {
    payment_intent: text().optional(),
    status: choice(['complete', 'expired', 'open']).optional(),
  }),
  endpoint('POST', `${PATH}/:id/expire`, {}, (scope, _params, ids) => {
    const session = scope.objects.get('checkout.session', ids.id, 'session');
    if (session.status !== 'open') {
      throw invalidRequest(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
      );
    }
    return expireSession(scope, session);
  }),
  endpoint('GET', `${PATH}/:id/line_items`, {}, (scope, _params, ids) => {
    const { id } = scope.objects.get('checkout.session', ids.id, 'session');
    const data = lineItemsOf(scope, id);
    return { object: 'list', data, has_more: false, url: `${PATH}/${id}/line_items` };
  }),
];
