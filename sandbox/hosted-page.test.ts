import AxeBuilder from '@axe-core/playwright';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { openPage } from '../tests/harness/browser.ts';
import { startTestSandbox } from './testing/start-test-sandbox.ts';

const CARD = '4242 4242 4242 4242';

test('the page says what is bought, for how much, and that no real money moves', async () => {
  const { openSession, pageOf } = await startTestSandbox();
  const session = await openSession({
    line_items: [
      {
        quantity: 2,
        price_data: {
          currency: 'usd',
          unit_amount: 123_456,
          product_data: { name: '<b>"Étude" & more</b>', description: 'Sheet music' },
        },
      },
    ],
  });
  const response = await fetch(pageOf(session));
  const page = await response.text();
  expect(page).toContain('Sandbox: no real money');
  expect(page).toContain('&lt;b&gt;&quot;Étude&quot; &amp; more&lt;/b&gt;');
  expect(page).not.toContain('<b>"Étude"');
  expect(page).toContain('Sheet music');
  expect(page).toContain('$2,469.12');
  expect(page).toContain('2 × $1,234.56');
  expect(page).toContain('href="http://shop.test/failed"');
  expect(response.headers.get('cache-control')).toBe('no-store');
  const policy = response.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("form-action 'self' http://shop.test;");
});

test.each([
  ['cardNumber', '', 'Your card number is incomplete.'],
  ['cardNumber', '4242 42', 'Your card number is incomplete.'],
  ['cardNumber', '4242 4242 4242 4241', 'Your card number is invalid.'],
  ['cardNumber', 'not a number', 'Your card number is invalid.'],
  ['expiry', '', 'Your card&#39;s expiration date is incomplete.'],
  ['expiry', '12/3', 'Your card&#39;s expiration date is incomplete.'],
  ['expiry', '13/34', 'Your card&#39;s expiration date is invalid.'],
  ['expiry', '01/20', 'Your card&#39;s expiration date is in the past.'],
  ['cvc', '12', 'Your card&#39;s security code is incomplete.'],
  ['cvc', '12a', 'Your card&#39;s security code is invalid.'],
  ['email', '', 'Your email is incomplete.'],
  ['email', 'buyer@', 'Your email is invalid.'],
])('%s = "%s" is refused: %s', { tags: 'long' }, async (name, value, message) => {
  const { openSession, pageOf, post, stripe } = await startTestSandbox();
  const typed = { email: 'buyer@example.com', cardNumber: CARD, expiry: '12/34', cvc: '123' };
  const answer = await post(pageOf(await openSession()), { ...typed, [name]: value });
  expect(answer.status).toBe(422);
  const page = await answer.text();
  expect(page).toContain(`<p class="error" id="${name}-error">${message}</p>`);
  expect(page.match(/aria-invalid="true"/g)).toHaveLength(1);
  expect(page).toContain(`aria-invalid="true" aria-describedby="${name}-error" autofocus`);
  expect(page).not.toContain('value="123"');
  expect((await stripe.charges.list()).data).toEqual([]);
});

test.each(['12/34', '12 / 34', '12/2034', '1234', '1/34'])('expiry %s is read', async (expiry) => {
  const { openSession, pay } = await startTestSandbox();
  expect((await pay(await openSession(), CARD, { expiry })).status).toBe(303);
});

test('a card that is not a test card is declined, and nothing of it is kept', async () => {
  const { openSession, pay, stripe } = await startTestSandbox();
  const answer = await pay(await openSession(), '4539 1488 0343 6467');
  expect(answer.status).toBe(402);
  expect(await answer.text()).toContain('Only test cards work here.');
  expect((await stripe.paymentIntents.list()).data).toEqual([]);
});

test('a paid session leads on, and an unknown one says so', async () => {
  const { sandbox, sell } = await startTestSandbox();
  const { session } = await sell();
  const page = `${sandbox.apiUrl}/sandbox/checkout/${session.id}`;
  const again = await fetch(page, { redirect: 'manual' });
  expect(again.status).toBe(303);
  expect(again.headers.get('location')).toBe(`http://shop.test/success?session=${session.id}`);
  const unknown = await fetch(`${page}0`);
  expect(unknown.status).toBe(404);
  expect(await unknown.text()).toContain('This checkout does not exist');
});

test('it lives on a product that has parsers and policies of its own', async () => {
  const { openSession, sandbox } = await startTestSandbox();
  const product = Fastify();
  product.addContentTypeParser('application/x-www-form-urlencoded', (_request, _body, done) => {
    done(new Error('this parser is not for the hosted page'));
  });
  product.addHook('onSend', async (_request, reply) => {
    reply.header('content-security-policy', "default-src 'self'");
  });
  product.register(sandbox.hostedPage);
  onTestFinished(() => product.close());

  const { pathname } = new URL(String((await openSession()).url));
  const page = await product.inject(pathname);
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  const paid = await product.inject({
    method: 'POST',
    url: pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'email=a%40example.com&cardNumber=4242424242424242&expiry=12%2F34&cvc=123',
  });
  expect(paid.statusCode).toBe(303);
});

test.each([true, false])(
  'a buyer declined once pays in a browser (script: %s)',
  { tags: 'long' },
  async (javaScript) => {
    const { openSession, sandbox } = await startTestSandbox();
    const session = await openSession({
      success_url: `${sandbox.apiUrl}/sandbox/checkout/arrived`,
      cancel_url: `${sandbox.apiUrl}/sandbox/checkout/left`,
    });
    const app = { origin: sandbox.apiUrl };
    const page = await openPage(app, {
      javaScript,
      expectedErrors: /402 \/sandbox\/checkout\/cs_test_\w+|404 \/sandbox\/checkout\/arrived/,
    });
    await page.goto(new URL(String(session.url)).pathname);
    await page.getByLabel('Email').fill('buyer@example.com');
    await page.getByLabel('Card number').fill('4000000000000002');
    await page.getByLabel('Expiry').fill('1234');
    await page.getByLabel('CVC').fill('123');
    await page.getByRole('button', { name: 'Pay', exact: true }).click();

    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toBe('Your card was declined.');
    expect(await page.getByLabel('Email').inputValue()).toBe('buyer@example.com');
    expect(await page.getByLabel('Expiry').inputValue()).toBe(javaScript ? '12 / 34' : '1234');
    expect(await page.getByLabel('CVC').inputValue()).toBe('');
    expect(await page.locator(':focus').getAttribute('name')).toBe('cardNumber');

    if (javaScript) await page.getByRole('button', { name: /4242/ }).click();
    else {
      await page.getByLabel('Card number').fill(CARD);
      await page.getByLabel('CVC').fill('123');
    }
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.waitForURL('**/arrived');
  },
);

test('a creator is onboarded in a browser, not now or at once, and changes the bank account', {
  tags: 'long',
}, async () => {
  const { onboardingPage, openAccount, pageOf, sandbox, stripe } = await startTestSandbox();
  const { id } = await openAccount();
  const app = { origin: sandbox.apiUrl };
  const page = await openPage(app, { expectedErrors: /404 \/sandbox\/checkout\/done/ });
  const shop = `${app.origin}/sandbox/checkout`;
  const url = new URL(await onboardingPage(id, shop)).pathname;
  const bankAccount = async () => {
    const { external_accounts: banks } = await stripe.accounts.retrieve(id);
    return banks?.data[0]?.last4;
  };
  await page.goto(url);
  await page.getByRole('link', { name: 'Not now' }).click();
  await page.waitForURL('**/done');
  expect(await bankAccount()).toBeUndefined();
  await page.goto(url);
  await page.getByLabel('Payouts fail').check();
  await page.getByRole('button', { name: 'Finish' }).click();
  await page.waitForURL('**/done');
  expect(await bankAccount()).toBe('1116');

  await page.goto(new URL(pageOf(await stripe.accounts.createLoginLink(id))).pathname);
  expect(await page.getByLabel('Payouts fail').isChecked()).toBe(true);
  await page.getByLabel('Payouts arrive').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(bankAccount).toBe('6789');
});

test('typing keeps the digits apart and the caret in its place', { tags: 'long' }, async () => {
  const { openSession, sandbox } = await startTestSandbox();
  const page = await openPage({ origin: sandbox.apiUrl });
  await page.goto(new URL(String((await openSession()).url)).pathname);
  const number = page.getByLabel('Card number');
  await number.pressSequentially('424242424242');
  expect(await number.inputValue()).toBe('4242 4242 4242');
  for (let step = 0; step < 9; step++) await number.press('ArrowLeft');
  await number.pressSequentially('99');
  expect(await number.inputValue()).toBe('4242 9942 4242 42');
  expect(await number.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(7);

  const expiry = page.getByLabel('Expiry');
  await expiry.pressSequentially('4/30');
  expect(await expiry.inputValue()).toBe('04 / 30');
  for (let step = 0; step < 5; step++) await expiry.press('Backspace');
  expect(await expiry.inputValue()).toBe('04');
});

test('every page is free of axe violations in both themes, and fits a phone', {
  tags: 'long',
}, async () => {
  const { onboardingPage, openAccount, openSession, pageOf, pay, post, sandbox, stripe } =
    await startTestSandbox();
  const { id: paid } = await openAccount();
  await post(await onboardingPage(paid), { bankAccount: '000123456789' });
  const dashboard = pageOf(await stripe.accounts.createLoginLink(paid));
  const onboarding = await onboardingPage((await openAccount()).id);
  const open = await openSession();
  const authenticating = await openSession();
  await pay(authenticating, '4000 0025 0000 3155');
  const page = await openPage(
    { origin: sandbox.apiUrl },
    {
      viewport: { width: 375, height: 800 },
      expectedErrors: /4(04|22) \/sandbox\/checkout\/cs_test_\w+/,
    },
  );
  const check = async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    }
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  };

  for (const url of [
    `${authenticating.url}/confirm`,
    onboarding,
    dashboard,
    `${open.url}0`,
    open.url,
  ]) {
    await page.goto(new URL(String(url)).pathname);
    await check();
  }
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.getByText('Your email is incomplete.').waitFor();
  await check();
});
