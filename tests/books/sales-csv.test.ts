import { type LogEvent, sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createLink, signUp, updateLink } from '../factories/factories.ts';
import { expectBooks, sellOnce } from '../factories/money.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { stripeOf } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const sandboxPort = await findFreePort();
const HEAD =
  'time,link_id,title,gross,fee,net,refunded,disputed,earned,currency,mode,purchase_id,signed_receipt,delivery,discount_code,gift';
const TIME = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z';
const PURCHASE =
  '([0-9a-f-]{36}),http://localhost:\\d+/dashboard/sales/\\1/receipt,(?:unopened)?,,';

describeOnSqliteFirst('the table of sales', (database) => {
  let round = 0;
  let readIn: number[] = [];
  const app = useApp({
    database,
    overrides: {
      logStatement({ query }: LogEvent) {
        if (/from "purchase" left join.+where.+order by/.test(query.sql)) readIn.push(round);
      },
    },
    env: { PAYMENTS: 'sandbox', SANDBOX_PORT: String(sandboxPort) },
  });
  let creator: Person;

  beforeAll(async () => {
    creator = await signUp(app);
  });

  async function download(person: Person) {
    const answer = await person.fetch('/dashboard/sales.csv');
    const bytes = Buffer.from(await answer.arrayBuffer());
    return { answer, bytes, lines: bytes.toString().replace('\ufeff', '').split('\r\n') };
  }

  /** With the rounds of the event loop in which pieces of the table were read. */
  async function downloadInTurns(person: Person) {
    let counts = true;
    const count = () => {
      round += 1;
      if (counts) setImmediate(count);
    };
    count();
    readIn = [];
    const { lines } = await download(person);
    counts = false;
    return { lines, turns: readIn };
  }

  test('holds each sale with what it brought and what was taken back, oldest first', async () => {
    const title = '=HYPERLINK("https://evil.example"), and more';
    const one = await sellOnce(creator, sandboxPort, { price: 1000, title });
    await stripeOf(sandboxPort).refunds.create({ payment_intent: one.payment, amount: 500 });
    const held = { provider: -441, platform_fee: 40, creator: 460, processing_cost: -59 };
    await expectBooks(app, one.id, held);
    const two = await sellOnce(creator, sandboxPort, {
      price: 2000,
      title: 'Größe 10, ein Überblick',
    });
    // What was sold is what it says, not what the link is called by now.
    await updateLink(creator, { id: two.id, title: 'Größe 12' });
    const { answer, bytes, lines } = await download(creator);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="padlink-sales-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(lines).toEqual([
      HEAD,
      expect.stringMatching(
        `^${TIME},${one.id},"'=HYPERLINK\\(""https://evil\\.example""\\), and more",10\\.00,0\\.80,9\\.20,4\\.60,0\\.00,4\\.60,usd,test,${PURCHASE}$`,
      ),
      expect.stringMatching(
        `^${TIME},${two.id},"Größe 10, ein Überblick",20\\.00,1\\.30,18\\.70,0\\.00,0\\.00,18\\.70,usd,test,${PURCHASE}$`,
      ),
      '',
    ]);
    expect(bytes.toString()).not.toContain('visitor@example.com');
  });

  test('of another creator is another one; nobody without a session has any', async () => {
    expect((await download(await signUp(app))).lines).toEqual([HEAD, '']);
    const { answer } = await download(createPerson(app));
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe('/login?next=%2Fdashboard%2Fsales.csv');
  });

  test('is written for the spreadsheets that are asked for, which the pages offer next time', async () => {
    const seller = await signUp(app);
    const content = { type: 'link', url: 'https://example.com/' };
    const { id, owner } = await createLink(seller, {
      ...content,
      id: '12e00012',
      title: 'May 2024',
    });
    await withDatabase(app, async (db) => {
      await sql`
        insert into purchase (id, payment_id, line, link_id, seller_id, claim_hash, title,
          price_cents, fee_cents, currency, mode, provider_account, state, created_at, expires_at, settled_at)
        values ('one', 'one', 1, ${id}, ${owner}, 'claim', 'May 2024', 1234, 92, 'usd', 'test', 'sandbox',
          'settled', 1, 1, ${Date.UTC(2026, 10, 28, 12, 30, 0, 250)})`.execute(db);
    });
    const fetchTable = async (query: string) => {
      const answer = await seller.fetch(`/dashboard/sales.csv${query}`);
      const [head = '', row = ''] = (await answer.text()).split('\r\n');
      return { answer, head, row };
    };
    const plain = await fetchTable('');
    expect(plain.row).toMatch(/^2026-11-28T12:30:00\.250Z,12e00012,May 2024,12\.34,0\.92,11\.42,/);
    expect((await fetchTable('?form=plain')).row).toBe(plain.row);
    const comma = await fetchTable('?form=comma');
    expect(comma.head).toBe(HEAD.replace('time', 'time (UTC)'));
    const shown = '2026-11-28 12:30:00,"=""12e00012""","=""May 2024""",12.34,0.92,11.42,';
    expect(comma.row).toContain(shown);
    const { answer, head, row } = await fetchTable('?form=semicolon');
    expect(head).toBe(HEAD.replace('time', 'time (UTC)').replaceAll(',', ';'));
    expect(row).toContain(shown.replaceAll(',', ';').replaceAll('.', ','));

    expect(plain.answer.headers.getSetCookie()).toEqual([]);
    expect(answer.headers.getSetCookie()).toEqual([
      'table_form=semicolon; Max-Age=31536000; Path=/dashboard; HttpOnly; SameSite=Lax',
    ]);
    const offers = (person: Person, headers: Record<string, string> = {}) =>
      Promise.all(
        ['sales', 'money', 'sources'].map(async (page) => {
          const shown = await person.fetch(`/dashboard/${page}`, { headers });
          const [, choice = ''] = (await shown.text()).split('name="form"');
          return /<option value="(\w+)" selected="">/.exec(choice)?.[1];
        }),
      );
    expect(await offers(seller)).toEqual(Array(3).fill('semicolon'));
    expect(await offers(creator)).toEqual(Array(3).fill('comma'));
    const german = await offers(creator, { 'accept-language': 'de-AT' });
    expect(german).toEqual(Array(3).fill('semicolon'));

    const refused = await fetchTable('?form=tabs');
    expect(refused.answer.status).toBe(400);
    expect(refused.answer.headers.getSetCookie()).toEqual([]);
  });

  test('holds every one of more sales than are read at once, each once', async () => {
    const seller = await signUp(app);
    const { id, owner } = await createLink(seller, { type: 'link', url: 'https://example.com/' });
    await withDatabase(app, async (db) => {
      // Ten in the same millisecond: the order goes on by the id.
      await sql`
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 1203)
        insert into purchase (id, payment_id, line, link_id, seller_id, claim_hash, price_cents,
          fee_cents, currency, mode, provider_account, state, created_at, expires_at, settled_at)
        select 'many-' || i, 'many-' || i, 1, ${id}, ${owner}, 'claim' || i, 100, 35, 'usd', 'test', 'sandbox',
          'settled', 1, 1, 1000 + i / 10 from n`.execute(db);
    });
    const { lines, turns } = await downloadInTurns(seller);
    const ids = lines.slice(1, -1).map((line) => line.split(',').at(-4));
    expect(ids).toHaveLength(1203);
    expect(new Set(ids).size).toBe(1203);
    // Without a title: as buyers read it.
    expect(lines.at(1)).toContain(`,${id},Paid link ${id},`);
    // Others are served between any two pieces.
    expect(turns.length).toBeGreaterThan(6);
    expect(new Set(turns).size).toBe(turns.length);
  });
});
