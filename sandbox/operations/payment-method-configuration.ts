import type Stripe from 'stripe';
import type { Scope } from '../scope.ts';

/** Ways to pay that can be turned on. The hosted page takes cards alone, whichever they are. */
export const METHODS = [
  'alipay',
  'amazon_pay',
  'apple_pay',
  'card',
  'cashapp',
  'google_pay',
  'ideal',
  'link',
  'paypal',
  'sepa_debit',
  'us_bank_account',
] as const;
type Method = (typeof METHODS)[number];
type Preference = 'none' | 'off' | 'on';

const ID = 'pmc_sandbox';

/** The account's own: there is no other. */
export function configurationOf(scope: Scope): Stripe.PaymentMethodConfiguration {
  return (
    scope.objects.find('payment_method_configuration', ID) ?? {
      id: ID,
      object: 'payment_method_configuration',
      active: true,
      application: null,
      is_default: true,
      livemode: false,
      name: 'Default',
      parent: null,
      ...Object.fromEntries(METHODS.map((method) => [method, prefer('none', method === 'card')])),
    }
  );
}

/** Turns ways to pay on or off. */
export function configure(
  scope: Scope,
  preferences: Partial<Record<Method, Preference>>,
): Stripe.PaymentMethodConfiguration {
  const changes = Object.entries(preferences).map(([method, preference]) => [
    method,
    prefer(preference, preference === 'none' ? method === 'card' : preference === 'on'),
  ]);
  const changed = { ...configurationOf(scope), ...Object.fromEntries(changes) };
  const { objects } = scope;
  const isKept = objects.find('payment_method_configuration', ID) !== undefined;
  objects[isKept ? 'update' : 'insert']('payment_method_configuration', changed);
  return changed;
}

function prefer(preference: Preference, isOn: boolean): Stripe.PaymentMethodConfiguration.ApplePay {
  const value = isOn ? 'on' : 'off';
  return { available: isOn, display_preference: { overridable: null, preference, value } };
}
