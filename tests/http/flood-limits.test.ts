import { beforeEach, describe, expect, test } from 'vitest';
import { askGraphql, publishableKey, sellFile, signUp } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { createPerson, postJson, readJson } from '../harness/person.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const RESEND = 'mutation ($id: ID!) { resendReceipt(sessionId: $id) }';

describe('asking for receipts', () => {
  const app = useApp();

  test('strangers have a purchase mailed its receipt once an hour, and learn nothing of it', async () => {
    const link = await sellFile(await signUp(app));
    const page = new URL(await payFor(createPerson(app), link.id), app.origin);
    const session = page.searchParams.get('session_id') ?? '';
    await expect
      .poll(async () => {
        const query = 'query ($id: ID!) { getCheckout(sessionId: $id) { state } }';
        const { data } = await askGraphql<{ getCheckout: { state: string } }>(
          createPerson(app),
          query,
          { id: session },
          await publishableKey(app),
        );
        return data?.getCheckout.state;
      })
      .toBe('settled');
    const key = await publishableKey(app);
    for (const id of [session, 'cs_none', session, session]) {
      expect(await askGraphql(createPerson(app), RESEND, { id }, key)).toEqual({
        data: { resendReceipt: true },
      });
    }
    await withDatabase(app, async (db) => {
      const jobs = db.selectFrom('job').where('kind', '=', 'send-receipt').select('id');
      await eventually(async () => expect(await jobs.execute()).toEqual([]));
      const mails = db.selectFrom('mailbox_message').where('subject', 'like', 'Your purchase%');
      // One after the payment, and one more.
      expect(await mails.select('id').execute()).toHaveLength(2);
    });
  });
});

describe('searching', () => {
  const app = useApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
  beforeEach(stopClock);
  const from = (address: string) => ({ 'x-forwarded-for': address });

  async function search(times: number, headers: Record<string, string>, by = createPerson(app)) {
    const query = 'query ($search: String) { listPaywallLinks(search: $search) { nextToken } }';
    const body = { query, variables: { search: 'harp' } };
    const answers = await Promise.all(
      Array.from({ length: times }, async () => {
        const answer = await postJson(by, '/graphql', body, headers);
        const { errors } = await readJson<{ errors?: { message: string }[] }>(answer);
        return { refusal: errors?.[0]?.message, retryAfter: answer.headers.get('retry-after') };
      }),
    );
    return answers.filter(({ refusal }) => refusal !== undefined);
  }

  test('an address searches 300 times a minute, by the data layer and on the page together', async () => {
    const key = await publishableKey(app);
    const headers = { ...key, ...from('203.0.113.1') };
    const stranger = createPerson(app);
    expect(await search(299, headers)).toEqual([]);
    const find = () => stranger.fetch('/explore?q=harp', { headers });
    expect((await find()).status).toBe(200);
    const refused = await find();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.text()).toContain(
      'Too many searches. Please wait a minute and try again.',
    );
    const [answer] = await search(1, headers);
    expect(answer?.refusal).toMatch(/^Too many searches\. Please try again in \d+ seconds\.$/);
    expect(Number(answer?.retryAfter)).toBeGreaterThan(0);
    // What is no search is not counted, and others are not held up.
    expect((await stranger.fetch('/explore', { headers })).status).toBe(200);
    expect(await search(1, { ...key, ...from('203.0.113.2') })).toEqual([]);
  });

  test('the addresses of one network count as one', async () => {
    const key = await publishableKey(app);
    const own = (n: number) => ({ ...key, ...from(`2001:db8::${n}`) });
    const answers = await Promise.all(Array.from({ length: 301 }, (_, n) => search(1, own(n + 1))));
    expect(answers.flat()).toHaveLength(1);
  });

  test('an account searches 120 times a minute, from wherever', async () => {
    const person = await signUp(app);
    expect(await search(70, from('203.0.113.3'), person)).toEqual([]);
    expect(await search(51, from('203.0.113.4'), person)).toHaveLength(1);
  });
});
