import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createLink, graphql, signUp } from '../factories/factories.ts';
import { eventually } from '../harness/eventually.ts';
import { gatherLog } from '../harness/gather-log.ts';
import { startQuietProvider } from '../harness/quiet-provider.ts';
import { startApp } from '../harness/start-app.ts';
import { useApp } from '../harness/use-app.ts';
import { stripeOf, WEBHOOK_SECRET } from '../harness/webhook.ts';

const LIST = '{ listWaysToPay }';

type Way = 'alipay' | 'apple_pay' | 'card' | 'google_pay' | 'ideal' | 'us_bank_account';

type Provider = Awaited<ReturnType<typeof startQuietProvider>>;

describe('how buyers may pay', () => {
  let provider: Provider;

  beforeAll(async () => {
    provider = await startQuietProvider();
  });
  afterAll(() => provider?.stop());

  const turn = (ways: Partial<Record<Way, 'off' | 'on'>>, { port } = provider) =>
    stripeOf(port).paymentMethodConfigurations.update(
      'pmc_sandbox',
      Object.fromEntries(
        Object.entries(ways).map(([way, preference]) => [
          way,
          { display_preference: { preference } },
        ]),
      ),
    );

  async function sell(key: string, { overrides }: Provider = provider) {
    const { logTo, readLog } = gatherLog();
    const env = {
      STRIPE_SECRET_KEY: key,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      LOG_LEVEL: 'warn',
    };
    const app = await startApp({ env, overrides: { ...overrides, logTo, sweepEveryMs: 50 } });
    onTestFinished(() => app.stop());
    const creator = await signUp(app);
    const { id } = await createLink(creator, { type: 'link', url: 'https://example.com/' });
    const read = async (language = 'en') => {
      const page = await fetch(`${app.origin}/p/${id}`, {
        headers: { 'accept-language': language },
      });
      return page.text();
    };
    return { creator, read, log: readLog };
  }

  test('is what the account offers for US dollars, and kept pages follow it', async () => {
    const { creator, read } = await sell('sk_test_padlink');
    expect(await read()).not.toContain('where your device and country allow it');
    await eventually(async () =>
      expect(await graphql(creator, LIST)).toEqual({ listWaysToPay: ['card'] }),
    );
    await turn({ apple_pay: 'on', google_pay: 'on', ideal: 'on', us_bank_account: 'on' });
    await eventually(async () =>
      expect(await read()).toContain(
        'Pay by card, and with Apple Pay, Google Pay, and a US bank account where your device and country allow it.',
      ),
    );
    expect(await graphql(creator, LIST)).toEqual({
      listWaysToPay: ['card', 'apple_pay', 'google_pay', 'us_bank_account'],
    });
    expect(await read('de')).toContain(
      'Zahlen Sie mit Karte und, wo Gerät und Land es zulassen, mit Apple Pay, Google Pay und einem US-Bankkonto.',
    );
    await turn({ apple_pay: 'off', card: 'off', us_bank_account: 'off' });
    await eventually(async () =>
      expect(await read()).toContain('Pay with Google Pay where your device and country allow it.'),
    );
    await turn({ card: 'on', google_pay: 'off' });
    await eventually(async () => expect(await read()).not.toContain('where your device'));
  });

  test('is not told, nor missed, where the key may not read it', async () => {
    await turn({ apple_pay: 'on' });
    const { creator, read, log } = await sell('rk_test_no_payment_method_configurations');
    expect(await read()).toContain('Secure checkout by Stripe');
    expect(await read()).not.toContain('Apple Pay');
    expect(await graphql(creator, LIST)).toEqual({ listWaysToPay: [] });
    expect(log()).toBe('');
  });

  test('is what it was while the provider does not say', async () => {
    const leaving = await startQuietProvider();
    await turn({ apple_pay: 'on' }, leaving);
    const { read, log } = await sell('sk_test_padlink', leaving);
    await eventually(async () => expect(await read()).toContain('Apple Pay'));
    await leaving.stop();
    await eventually(() => expect(log()).toContain('did not say how buyers may pay'));
    expect(await read()).toContain('Apple Pay');
  });
});

describe('in the sandbox', () => {
  const app = useApp();

  test('buyers pay by test card, which needs no word', async () => {
    const creator = await signUp(app);
    const { id } = await createLink(creator, { type: 'link', url: 'https://example.com/' });
    expect(await graphql(creator, LIST)).toEqual({ listWaysToPay: [] });
    const page = await fetch(`${app.origin}/p/${id}`);
    expect(await page.text()).not.toContain('where your device and country allow it');
  });
});
