import { newId } from '../new-id.ts';
import type { LineItemJson } from '../store/kinds.ts';

export interface NewLineItem {
  name: string;
  /** Cents for one. */
  unitAmount: number;
  quantity: number;
  metadata: Record<string, string>;
}

/** A line of a checkout with the one-off price and product that the provider makes up for it. */
export function buildLineItem(item: NewLineItem, now: number): LineItemJson {
  const total = item.unitAmount * item.quantity;
  return {
    id: newId('li'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: total,
    amount_tax: 0,
    amount_total: total,
    currency: 'usd',
    description: item.name,
    metadata: item.metadata,
    price: {
      id: newId('price'),
      object: 'price',
      active: false,
      billing_scheme: 'per_unit',
      created: now,
      currency: 'usd',
      custom_unit_amount: null,
      livemode: false,
      lookup_key: null,
      metadata: {},
      nickname: null,
      product: newId('prod', 14),
      recurring: null,
      tax_behavior: 'unspecified',
      tiers_mode: null,
      transform_quantity: null,
      type: 'one_time',
      unit_amount: item.unitAmount,
      unit_amount_decimal: String(item.unitAmount),
    },
    quantity: item.quantity,
  };
}
