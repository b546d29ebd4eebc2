import { z } from 'zod';
import {
  configurationOf,
  configure,
  METHODS,
} from '../../operations/payment-method-configuration.ts';
import { noSuch } from '../../stripe-error.ts';
import { type Endpoint, endpoint, listShape } from '../endpoint.ts';
import { choice } from '../param-types.ts';

const CONFIGURATIONS = '/v1/payment_method_configurations';

const preference = z
  .strictObject({
    display_preference: z.strictObject({ preference: choice(['none', 'off', 'on']) }),
  })
  .transform(({ display_preference: given }) => given.preference)
  .optional();

export const paymentMethodConfigurations: Endpoint[] = [
  endpoint('GET', CONFIGURATIONS, listShape, (scope) => ({
    object: 'list',
    data: [configurationOf(scope)],
    has_more: false,
    url: CONFIGURATIONS,
  })),
  endpoint(
    'POST',
    `${CONFIGURATIONS}/:id`,
    Object.fromEntries(METHODS.map((method) => [method, preference])),
    (scope, { expand: _, ...preferences }, { id }) => {
      if (configurationOf(scope).id !== id) throw noSuch('payment_method_configuration', id);
      return configure(scope, preferences);
    },
  ),
];
