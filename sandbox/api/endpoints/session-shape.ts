import { z } from 'zod';
import {
  cents,
  choice,
  emailAddress,
  flag,
  integer,
  metadata,
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
    unit_amount: cents(),
  }),
  quantity: integer(1, 999_999).default(1),
});

const paymentIntentData = z.strictObject({
  description: text(1000).optional(),
  metadata: metadata().optional(),
  receipt_email: emailAddress().optional(),
  statement_descriptor: text(22).optional(),
  statement_descriptor_suffix: text(22).optional(),
  transfer_group: text().optional(),
});

const enabled = z.strictObject({ enabled: flag() });

/** What a checkout session is created from. */
export const sessionShape = {
  adaptive_pricing: enabled.optional(),
  allow_promotion_codes: flag().optional(),
  automatic_tax: enabled.optional(),
  billing_address_collection: choice(['auto', 'required']).optional(),
  cancel_url: webAddress().optional(),
  client_reference_id: text(200).optional(),
  customer_creation: choice(['always', 'if_required']).default('if_required'),
  customer_email: emailAddress().optional(),
  expires_at: integer().optional(),
  line_items: z.array(lineItem).min(1).max(100),
  locale: text(10).optional(),
  metadata: metadata().default({}),
  mode: choice(['payment']),
  payment_intent_data: paymentIntentData.default({}),
  submit_type: choice(['auto', 'book', 'donate', 'pay']).optional(),
  success_url: webAddress(),
  ui_mode: choice(['hosted_page']).optional(),
};
