import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { askGraphql, publishableKey, sellFile, signUp } from './factories.ts';
import { payFor } from './payment.ts';
import { createPerson, type Person } from './person.ts';
import { useApp } from './use-app.ts';

const RESEND = 'mutation ($id: ID!) { resendReceipt(sessionId: $id) }';

describe('asking for receipts', () => {
  const app = useApp();

  async function resend(person: Person, id: string): Promise<string> {
    const { errors } = await askGraphql(person, RESEND, { id }, await publishableKey(app));
    return errors ? String(errors[0]?.extensions?.code) : 'sent';
  }
  const repeat = async (times: number, ask: () => Promise<string>) => {
    const answers: string[] = [];
    for (let count = 0; count < times; count++) answers.push(await ask());
    return answers;
  };

  test('a purchase is mailed its receipt three times in ten minutes, whoever asks', async () => {
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
    expect(await repeat(4, () => resend(createPerson(app), session))).toEqual([
      'sent',
      'sent',
      'sent',
      'RATE_LIMITED',
    ]);
  });

  test('made-up checkouts are counted by the address of who asks, never by their own id', async () => {
    const stranger = createPerson(app);
    const madeUp = randomUUID();
    expect(new Set(await repeat(10, () => resend(stranger, madeUp)))).toEqual(new Set(['sent']));
    const flood = await repeat(30, () => resend(stranger, 'x'.repeat(10_000) + randomUUID()));
    expect(flood.at(-1)).toBe('RATE_LIMITED');
  });
});

describe('deleting files', () => {
  const app = useApp();

  test('takes from the writes of a minute, as changing links does', async () => {
    const creator = await signUp(app);
    const remove = () => creator.fetch(`/storage?key=${randomUUID()}`, { method: 'DELETE' });
    const answers = await Promise.all(Array.from({ length: 130 }, remove));
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited.length).toBe(10);
    expect(Number(limited[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
