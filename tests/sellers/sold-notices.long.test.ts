import { beforeAll, expect, test } from 'vitest';
import { MAX_TOLD_SINGLY } from '../../contract/notifications.ts';
import { deleteAccount } from '../../server/people/accounts/delete-account.ts';
import { askGraphql, createLink, graphql, readUserId, signUp } from '../factories/factories.ts';
import { payAt } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { type MailServer, startMailServer } from '../harness/mail-server.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPersonAt, postJson, readJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const CHOOSE = 'mutation ($sales: String) { setNotifications(sales: $sales) }';
const CODE = `mutation { createDiscount(input: { code: "SPRING", percent: 50 }) }`;

/** As it was written: without quoted-printable's folding and signs. */
const plain = (source: string) =>
  Buffer.from(
    source
      .replaceAll('=\r\n', '')
      .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();

describeOnSqliteFirst('the seller', (database) => {
  // Hours before the day's end. An hour ahead, because the provider's clock is the machine's, and
  // opens no checkout that ends too soon.
  const today = Math.floor((Date.now() + 5 * HOUR_MS) / DAY_MS) * DAY_MS;
  let time = Math.max(today, Date.now() + HOUR_MS);
  const app = useApp({ database, overrides: { now: () => time } });
  let server: MailServer;
  let port: number;
  let seller: Awaited<ReturnType<typeof signUp>>;
  let ids: string[];
  let addresses = 0;

  beforeAll(async () => {
    seller = await signUp(app);
    port = await findFreePort();
    server = await startMailServer({ port });
    const env = {
      SMTP_URL: server.url,
      MAIL_FROM: 'shop@example.com',
      TRUSTED_PROXIES: '127.0.0.1',
    };
    Object.assign(app.env, env);
    await app.restart();
    const titles = ['Fish & chips', 'A second thing'];
    ids = [];
    for (const title of titles) {
      const link = { type: 'link', url: 'https://example.com/secret', price: 1000, title };
      ids.push((await createLink(seller, link)).id);
    }
    await graphql(seller, CODE);
  });

  const mails = () =>
    server
      .mailsTo(seller.email)
      .map(plain)
      .filter((source) => /^Subject: Sold: /m.test(source));
  const subjects = () => mails().map((source) => /^Subject: (.*)\r$/m.exec(source)?.[1]);
  const choose = (sales: string) => graphql(seller, CHOOSE, { sales });

  async function sell(paywallId: string | undefined, code?: string): Promise<void> {
    addresses += 1;
    const buyer = createPersonAt(app, `198.51.100.${addresses}`);
    const begun = postJson(buyer, '/prod/checkout', { paywallId, code });
    const { url } = await readJson<{ url: string }>(await begun);
    const paid = await payAt(buyer, url);
    await buyer.fetch(paid.headers.get('location') ?? '');
    await eventually(() =>
      withDatabase(app, async (db) => {
        const late = db.selectFrom('job').where('run_at', '<=', time).select(['kind', 'attempts']);
        const untried = (await late.execute()).filter(({ attempts }) => attempts === 0);
        expect(untried).toEqual([]);
      }),
    );
  }

  test('is mailed each sale, then those of an hour together, then those of a day, then none', async () => {
    await sell(ids[0], 'spring');
    expect(subjects()).toEqual(['Sold: Fish & chips, $5.00']);
    const [first = ''] = mails();
    for (const said of ['You made a sale', 'SPRING', '−$0.55', '$4.45', '/dashboard/money']) {
      expect(first).toContain(said);
    }
    expect(first).not.toMatch(/visitor@example\.com|4242|198\.51/);

    // A mail server that is down loses nothing, and is told each sale once.
    await server.stop();
    await sell(ids[0]);
    server = await startMailServer({ port });
    time += 60_000;
    await eventually(() => expect(subjects()).toEqual(['Sold: Fish & chips, $10.00']));

    for (let sale = 3; sale <= MAX_TOLD_SINGLY; sale += 1) await sell(ids[0]);
    for (const id of [ids[0], ids[1], ids[0]]) await sell(id);
    expect(subjects()).toHaveLength(MAX_TOLD_SINGLY - 1);
    time += HOUR_MS;
    await eventually(() => expect(subjects()[0]).toBe('Sold: 3 more sales, $30.00'));
    const [many = ''] = mails();
    for (const said of [
      'After 10 sales in an hour',
      'Fish & chips (2 sales)',
      '$27.',
      'A second thing (1 sale)',
    ]) {
      expect(many).toContain(said);
    }
    await sell(ids[1]);
    expect(subjects()[0]).toBe('Sold: A second thing, $10.00');

    await choose('daily');
    await sell(ids[1]);
    await sell(ids[0], 'spring');
    const before = subjects().length;
    time += DAY_MS;
    await eventually(() => expect(subjects()[0]).toBe('Sold: 2 sales, $15.00'));
    expect(subjects()).toHaveLength(before + 1);
    expect(mails()[0]).toContain('Discount codes used: SPRING (1 sale).');

    // What was gathered is not mailed to who wants no emails any more.
    // The provider opens no checkout that lasts longer than a day either.
    time -= DAY_MS;
    await sell(ids[1]);
    await choose('none');
    await sell(ids[1]);
    time += DAY_MS;
    await withDatabase(app, (db) =>
      eventually(async () => {
        const jobs = db.selectFrom('job').where('kind', 'in', ['send-sale', 'send-sales']);
        expect(await jobs.selectAll().execute()).toEqual([]);
      }),
    );
    expect(subjects()).toHaveLength(before + 1);
    await withDatabase(app, async (db) => {
      expect(await db.selectFrom('gathered_sale').selectAll().execute()).toEqual([]);
    });
  });

  test('ends the emails by one press in the mail program, who is not signed in', async () => {
    const [mail = ''] = mails();
    expect(mail).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    const end = /^List-Unsubscribe:\s*<(\S+)>/m.exec(mail)?.[1] ?? '';
    const choice = () =>
      withDatabase(app, (db) =>
        db.selectFrom('notification_choice').select('sales').executeTakeFirst(),
      );
    await choose('each');
    const seen = await fetch(end);
    expect(await seen.text()).toContain('Stop these emails');
    expect(await choice()).toEqual({ sales: 'each' });
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    const ended = await fetch(end, { method: 'POST', body });
    expect(await ended.text()).toContain('You no longer get emails about your sales.');
    expect(await choice()).toEqual({ sales: 'none' });
    expect((await fetch(`${end}x`, { method: 'POST' })).status).toBe(404);
    const wrong = await askGraphql(seller, CHOOSE, { sales: 'hourly' });
    expect(wrong.errors?.[0]?.extensions?.code).toBe('INVALID_INPUT');

    // Nothing of it outlives the account, also when the address of an email is opened later.
    const userId = await readUserId(seller);
    await withDatabase(app, async (db) => {
      await db.deleteFrom('user_balance').execute();
      await deleteAccount({ db, now: () => time }, userId);
    });
    await fetch(end, { method: 'POST', body });
    expect(await choice()).toBeUndefined();
  });
});
