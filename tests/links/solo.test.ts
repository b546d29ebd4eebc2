import { expect, test } from 'vitest';
import {
  announceUpload,
  askGraphql,
  readMail,
  sellFile,
  signUp,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { CARDS, checkOut, payAt, payFor } from '../factories/payment.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, postJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const SENTENCE = 'Only the operator of this site sells here. You can buy with your account.';
const MONEY_WORDS = /\b(fees?|payouts?|balance)\b/i;

const wordsOf = (html: string) =>
  html.replace(/<(script|style)\b.*?<\/\1>/gs, '').replace(/<[^>]*>/g, ' ');

describeOnSqliteFirst('where the operator alone sells', (database) => {
  const env = { PAYOUTS: 'solo', OPERATOR_EMAILS: 'Ada@example.com', PLATFORM_FEE_PERCENT: '10' };
  const app = useApp({ database, env });

  const readHtml = async (person: Person, path: string) => {
    const response = await person.fetch(path, { headers: { accept: 'text/html' } });
    return { status: response.status, html: await response.text() };
  };

  test('the operator sells without a fee, and everybody else can only buy', async () => {
    const seller = await signUp(app, { email: 'ada@example.com' });
    const { id } = await sellFile(seller, { price: 499 });
    const buyer = await signUp(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    const lines = await withDatabase(app, (db) =>
      db
        .selectFrom('ledger_line')
        .innerJoin('ledger_entry', 'ledger_entry.id', 'ledger_line.entry_id')
        .where('kind', '=', 'sale')
        .select(['account', 'amount_cents'])
        .orderBy('position')
        .execute(),
    );
    expect(lines).toEqual([
      { account: 'provider', amount_cents: -499 },
      { account: 'platform_fee', amount_cents: 0 },
      { account: 'creator', amount_cents: 499 },
    ]);

    const announced = await announceUpload(buyer, { name: 'a.pdf', size: 10 });
    expect(announced.status).toBe(403);
    expect(await announced.json()).toMatchObject({ code: 'NOT_A_SELLER', detail: SENTENCE });
    const { errors } = await askGraphql(
      buyer,
      `mutation { createPaywallLink(
        input: { type: "link", url: "https://example.com/", price: 500 }) { id } }`,
    );
    expect(errors?.[0]?.extensions?.code).toBe('NOT_A_SELLER');
    const upload = await readHtml(buyer, '/upload');
    expect(upload.status).toBe(403);
    for (const { html } of [upload, await readHtml(buyer, '/dashboard')]) {
      expect(html).toContain('Only the operator of this site sells here.');
    }
    expect((await readHtml(seller, '/upload')).status).toBe(200);
    expect(wordsOf((await readHtml(seller, '/dashboard')).html)).not.toMatch(MONEY_WORDS);

    const another = createPerson(app);
    await payAt(another, await checkOut(another, id), CARDS.isDisputed);
    const disputed = await readMail(app, seller.email, /disputed/);
    expect(disputed.text).toContain('is deducted from your account at the payment provider.');
    expect(disputed.text).toContain('add it to the dispute at the payment provider within a week');
    expect(disputed.text).not.toMatch(MONEY_WORDS);

    // A link of an account that sold before the operator decided to sell alone.
    await withDatabase(app, (db) =>
      db
        .updateTable('user')
        .set({ email: 'bob@example.com' })
        .where('email', '=', seller.email)
        .execute(),
    );
    const answer = await postJson(createPerson(app), '/prod/checkout', { paywallId: id });
    expect(await answer.json()).toMatchObject({ code: 'NOT_A_SELLER' });
  });

  const PAGES = [
    '/',
    '/terms',
    '/privacy',
    '/dashboard',
    '/dashboard/sales',
    '/upload',
    '/account',
  ];
  test.each([...PAGES, '/account/security'])(
    '%s speaks of no fee, payout or balance',
    async (path) => {
      const person = /^\/(dash|acc)/.test(path) ? await signUp(app) : createPerson(app);
      const { html } = await readHtml(person, path);
      expect(wordsOf(html)).not.toMatch(MONEY_WORDS);
    },
  );
});
