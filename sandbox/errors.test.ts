import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { startTestSandbox } from './testing/start-test-sandbox.ts';

async function rawCall(apiUrl: string, path: string, init: RequestInit = {}) {
  const headers = { authorization: 'Bearer sk_test_x', ...init.headers };
  const response = await fetch(apiUrl + path, { ...init, headers });
  const body = (await response.json()) as { error: { type: string; message: string } };
  return { status: response.status, headers: response.headers, error: body.error };
}

test.each([
  ['no key', {}, /You did not provide an API key/],
  ['a live key', { authorization: 'Bearer sk_live_abcdefgh' }, /provided: sk_live_\*\*\*\*efgh$/],
  ['another scheme', { authorization: 'Basic c2tfdGVzdF94Og==' }, /did not provide/],
])('%s is refused with 401', async (_name, headers, message) => {
  const { sandbox } = await startTestSandbox();
  const response = await fetch(`${sandbox.apiUrl}/v1/balance`, { headers: { ...headers } });
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({
    error: { type: 'authentication_error', message: expect.stringMatching(message) },
  });
});

test.each([
  ['an unknown route', '/v1/nonsense', {}, 404],
  ['a method that is not there', '/v1/balance', { method: 'DELETE' }, 404],
  ['an unknown route outside the API', '/', {}, 404],
  [
    'JSON',
    '/v1/refunds',
    { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } },
    415,
  ],
  [
    'a body beyond the limit',
    '/v1/refunds',
    { method: 'POST', body: new URLSearchParams({ charge: 'x'.repeat(2_000_000) }) },
    413,
  ],
  ['a broken path', '/v1/charges/%E0%A4%A', {}, 400],
])('%s is refused in the shape that the SDK knows', async (_name, path, init, status) => {
  const { sandbox } = await startTestSandbox();
  const answer = await rawCall(sandbox.apiUrl, path, init);
  expect(answer.status).toBe(status);
  expect(answer.error).toMatchObject({
    type: 'invalid_request_error',
    message: expect.any(String),
  });
});

test('it is asked by a name of this machine alone', async () => {
  const { sandbox } = await startTestSandbox();
  const { port } = new URL(sandbox.apiUrl);
  const ask = async (host: string) => {
    const headers = { host, authorization: 'Bearer sk_test_x' };
    const asking = httpRequest(`${sandbox.apiUrl}/v1/balance`, { headers }).end();
    const [response] = await once(asking, 'response');
    return [response.statusCode, await text(response)];
  };
  for (const host of [`127.0.0.1:${port}`, 'localhost', `LOCALHOST:${port}`, `[::1]:${port}`]) {
    expect(await ask(host)).toEqual([200, expect.stringContaining('available')]);
  }
  for (const host of ['evil.example.com', `localhost.evil.example.com:${port}`, 'evil-localhost']) {
    expect(await ask(host)).toEqual([403, expect.stringMatching(/answers only at 127\.0\.0\.1/)]);
  }
});

test('what is not there is missing', async () => {
  const { stripe } = await startTestSandbox();
  const error = await stripe.checkout.sessions.retrieve('cs_test_none').catch((reason) => reason);
  expect(error).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
  expect(error).toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
    param: 'session',
    message: "No such checkout.session: 'cs_test_none'",
    doc_url: 'https://docs.stripe.com/error-codes#resource-missing',
    requestId: expect.stringMatching(/^req_/),
  });
});

const item = (price_data: object, quantity = 1) => ({ line_items: [{ quantity, price_data }] });
const price = (unit_amount: unknown) => ({
  currency: 'usd',
  unit_amount,
  product_data: { name: 'Pack' },
});

test.each([
  [
    'an unknown parameter',
    { color: 'red' },
    'color',
    'parameter_unknown',
    'Received unknown parameter: color',
  ],
  [
    'payment_method_types',
    { payment_method_types: ['card'] },
    'payment_method_types',
    'parameter_unknown',
    /unknown parameter/,
  ],
  [
    'an unknown nested parameter',
    item({ ...price(100), tax: 1 }),
    'line_items[0][price_data][tax]',
    'parameter_unknown',
    /line_items\[0\]\[price_data\]\[tax\]$/,
  ],
  [
    'a missing parameter',
    { success_url: undefined },
    'success_url',
    'parameter_missing',
    'Missing required param: success_url.',
  ],
  [
    'a missing nested parameter',
    item({ currency: 'usd', unit_amount: 100 }),
    'line_items[0][price_data][product_data]',
    'parameter_missing',
    /Missing required param/,
  ],
  ['an empty parameter', { cancel_url: '' }, 'cancel_url', 'url_invalid', 'Not a valid URL'],
  [
    'an empty text',
    { client_reference_id: '' },
    'client_reference_id',
    'parameter_invalid_empty',
    /empty string for 'client_reference_id'/,
  ],
  [
    'an address of another kind',
    { success_url: 'javascript:alert(1)' },
    'success_url',
    'url_invalid',
    'Not a valid URL',
  ],
  [
    'an unknown choice',
    { mode: 'gift' },
    'mode',
    undefined,
    'Invalid mode: must be one of payment',
  ],
  [
    'an amount with decimals',
    item(price(10.5)),
    'line_items[0][price_data][unit_amount]',
    'parameter_invalid_integer',
    'Invalid integer: 10.5',
  ],
  [
    'an amount of zero',
    item(price(0)),
    'line_items[0][price_data][unit_amount]',
    'parameter_invalid_integer',
    /greater than or equal to 1/,
  ],
  [
    'an amount above the largest',
    item(price(100_000_000)),
    'line_items[0][price_data][unit_amount]',
    'parameter_invalid_integer',
    /less than or equal to 99999999/,
  ],
  [
    'a sum above the largest',
    item(price(99_999_999), 2),
    'line_items',
    'amount_too_large',
    /no more than \$999,999\.99/,
  ],
  [
    'another currency',
    item({ ...price(100), currency: 'xyz' }),
    'line_items[0][price_data][currency]',
    'invalid_currency',
    /Invalid currency: xyz/,
  ],
  [
    'no items',
    { line_items: undefined },
    'line_items',
    'parameter_missing',
    /Missing required param/,
  ],
  [
    'a faulty email address',
    { customer_email: 'nobody' },
    'customer_email',
    'email_invalid',
    'Invalid email address: nobody',
  ],
  [
    'a switch that is neither',
    { allow_promotion_codes: 'maybe' },
    'allow_promotion_codes',
    'parameter_invalid_boolean',
    'Invalid boolean: maybe',
  ],
  [
    'a long metadata key',
    { metadata: { ['k'.repeat(41)]: 'v' } },
    `metadata[${'k'.repeat(41)}]`,
    undefined,
    /^Invalid parameter: metadata\[k+\]$/,
  ],
])(
  'a session is not created from %s',
  { tags: 'long' },
  async (_name, params, param, code, message) => {
    const { openSession, stripe } = await startTestSandbox();
    await expect(openSession(params as Stripe.Checkout.SessionCreateParams)).rejects.toMatchObject({
      statusCode: 400,
      rawType: 'invalid_request_error',
      param,
      code,
      message: typeof message === 'string' ? message : expect.stringMatching(message as RegExp),
    });
    expect((await stripe.checkout.sessions.list()).data).toEqual([]);
  },
);

test('small items may add up to a payment', async () => {
  const { openSession } = await startTestSandbox();
  const session = await openSession(item(price(25), 2) as Stripe.Checkout.SessionCreateParams);
  expect(session.amount_total).toBe(50);
});

test('a property that cannot be expanded is refused', async () => {
  const { sell, stripe } = await startTestSandbox();
  const { charge } = await sell();
  await expect(stripe.charges.retrieve(charge.id, { expand: ['amount'] })).rejects.toThrow(
    'This property cannot be expanded (amount).',
  );
});

test('lists expand what they hold', async () => {
  const { sell, stripe } = await startTestSandbox();
  await sell();
  const { data } = await stripe.charges.list({ expand: ['data.payment_intent'] });
  expect(data).toMatchObject([{ payment_intent: { object: 'payment_intent', amount: 1000 } }]);
});

test('metadata without a value is not kept', async () => {
  const { openSession } = await startTestSandbox();
  expect((await openSession({ metadata: { kept: '1', dropped: '' } })).metadata).toEqual({
    kept: '1',
  });
});
