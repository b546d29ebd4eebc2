import { StripeError } from '../stripe-error.ts';

/**
 * Accepts any secret test key as a bearer.
 * @throws StripeError 401 in the provider's words
 */
export function authenticate(authorization: string | undefined): void {
  const key = /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1];
  if (key?.startsWith('sk_test_')) return;
  throw new StripeError(401, {
    type: 'authentication_error',
    message: key
      ? `Invalid API Key provided: ${masked(key)}`
      : "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://docs.stripe.com/api#authentication for details, or we can help at https://support.stripe.com/.",
  });
}

function masked(key: string): string {
  const kind = /^[a-z]+_(?:live|test)_/.exec(key)?.[0] ?? '';
  const rest = key.slice(kind.length);
  return `${kind}${'*'.repeat(Math.max(0, rest.length - 4))}${rest.slice(-4)}`;
}
