import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { runSql } from '../errors/run-sql.ts';
import { copyPurchase, findOriginal } from '../factories/copy-purchase.ts';
import {
  askGraphql,
  createLink,
  graphql,
  sellFile,
  signUp,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { BUYER_EMAIL, payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { createPerson, type Person, readJson } from '../harness/person.ts';
import { readPage } from '../harness/read-page.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

type Sale = {
  id: string;
  title: string;
  gross: number;
  net: number;
  paidAt: string;
  state: string;
};
type List = { items: (Sale & { mailable: boolean })[]; nextToken: string | null };

const LIST =
  '{ listSales { items { id linkId title gross net paidAt state mailable } nextToken } }';
const RESEND = 'mutation ($id: ID!) { resendReceiptOfSale(purchaseId: $id) }';

function compareLists<Value extends string | number | boolean>(one: Value[], other: Value[]) {
  const place = one.findIndex((value, index) => value !== other[index]);
  return (one[place] ?? 0) < (other[place] ?? 0) ? -1 : 1;
}

describeOnBothDatabases('the list of sales', (database) => {
  const app = useApp({ database });
  let seller: Person;
  let sold: { id: string }[];

  beforeAll(async () => {
    seller = await signUp(app);
    sold = [];
    for (const title of ['First', 'Second']) {
      const link = await sellFile(seller, { price: 1000 });
      await updateLink(seller, { id: link.id, title });
      const buyer = createPerson(app);
      await payFor(buyer, link.id);
      await waitUntilUnlocked(buyer, link.id);
      sold.push(link);
    }
  });

  const list = async (person: Person) =>
    (await graphql<{ listSales: List }>(person, LIST)).listSales;

  const receipts = async () => {
    const mails = await readJson<{ to: string; subject: string; text: string }[]>(
      await fetch(`${app.origin}/mailbox.json`),
    );
    return mails.filter(({ subject }) => subject === 'Your purchase: Second');
  };

  test('names what was sold, newest first, and nobody who bought', async () => {
    await updateLink(seller, { id: sold[0]?.id ?? '', title: 'Renamed' });
    const { items, nextToken } = await list(seller);
    expect(items).toMatchObject([
      { title: 'Second', gross: 1000, net: 920, state: 'active', mailable: true },
      { title: 'First', gross: 1000, net: 920, state: 'active', mailable: true },
    ]);
    expect(nextToken).toBe(null);
    expect((await list(await signUp(app))).items).toEqual([]);
    const page = await seller.fetch('/dashboard/sales', { headers: { accept: 'text/html' } });
    const html = await page.text();
    expect(html).toContain('Second');
    expect(html).not.toContain(BUYER_EMAIL);
    const guest = await createPerson(app).fetch('/dashboard/sales');
    expect(guest.headers.get('location')).toBe('/login?next=%2Fdashboard%2Fsales');
  });

  test('names what had no title by what was sold, also once the link sells something else', async () => {
    const owner = await signUp(app);
    const buyer = createPerson(app);
    const url = 'https://example.com/course';
    const { id } = await createLink(owner, { type: 'link', url });
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    await updateLink(owner, { id, url: 'https://example.com/later' });
    const headers = { accept: 'text/html' };
    const page = await (await owner.fetch('/dashboard/sales', { headers })).text();
    expect(page).toContain(url);
    expect(page).not.toContain('later');
    expect(await (await buyer.fetch('/purchases', { headers })).text()).toContain(
      `Paid link ${id}`,
    );
  });

  test('comes in three orders, in pages that miss no sale and repeat none', {
    tags: 'long',
  }, async () => {
    const owner = await signUp(app);
    const { id: linkId } = await sellFile(owner);
    const buyer = createPerson(app);
    await payFor(buyer, linkId);
    await waitUntilUnlocked(buyer, linkId);
    await copySale(linkId, 119);
    const ascending = { oldest: ['paidAt'], dearest: ['gross', 'paidAt'], newest: ['paidAt'] };
    for (const [sort, keys] of Object.entries(ascending)) {
      const sales: Sale[] = [];
      let nextToken: string | null = null;
      do {
        const query = 'query ($sort: String, $after: String)';
        const list: { listSales: List } = await graphql(
          owner,
          `${query} { listSales(sort: $sort, nextToken: $after) {
            items { id gross paidAt } nextToken } }`,
          { sort, after: nextToken },
        );
        sales.push(...list.listSales.items);
        nextToken = list.listSales.nextToken;
      } while (nextToken !== null);
      expect(new Set(sales.map(({ id }) => id)).size, sort).toBe(120);
      const places = sales.map((sale) => [...keys, 'id'].map((key) => sale[key as keyof Sale]));
      const sorted = places.toSorted(compareLists);
      expect(places, sort).toEqual(sort === 'oldest' ? sorted : sorted.toReversed());
    }
    const words = await readPage(owner, '/dashboard/sales?sort=dearest');
    expect(words.indexOf('$4.00')).toBeLessThan(words.indexOf('$3.00'));
    expect(words).toContain('Show lower prices');
    for (const asked of ['sort: "cheapest"', 'sort: "dearest", nextToken: "MS5h"']) {
      const { errors } = await askGraphql(owner, `{ listSales(${asked}) { nextToken } }`);
      expect(errors?.[0]?.extensions?.code).toBe('INVALID_INPUT');
    }
  });

  /** Four prices, and times of which many are the same. */
  async function copySale(linkId: string, times: number): Promise<void> {
    await withDatabase(app, async (db) => {
      const original = await findOriginal(db, linkId);
      for (let number = 0; number < times; number += 1) {
        await copyPurchase(db, original, randomUUID(), {
          price_cents: 100 * (1 + (number % 4)),
          settled_at: 1_000_000 + Math.floor(number / 10),
        });
      }
    });
  }

  test('has the receipt of one sent again for its seller alone, twice an hour', async () => {
    const [sale] = (await list(seller)).items;
    const resend = async (person: Person) => {
      const { errors } = await askGraphql(person, RESEND, { id: sale?.id });
      return errors?.[0]?.extensions?.code ?? 'sent';
    };
    await eventually(async () => expect(await receipts()).toHaveLength(1));
    expect(await resend(await signUp(app))).toBe('NOT_FOUND');
    expect(await resend(createPerson(app))).toBe('UNAUTHORIZED');
    expect([await resend(seller), await resend(seller)]).toEqual(['sent', 'sent']);
    await eventually(async () => expect(await receipts()).toHaveLength(3));
    expect((await receipts()).map(({ to }) => to)).toEqual(Array(3).fill(BUYER_EMAIL));
    expect(await resend(seller)).toBe('RATE_LIMITED');
  });

  test('says what was disputed or returned, of which no receipt is sent', async () => {
    await runSql(
      app,
      `UPDATE access_grant SET state = 'suspended' WHERE link_id = '${sold[0]?.id}';
       UPDATE access_grant SET state = 'ended' WHERE link_id = '${sold[1]?.id}'`,
    );
    const { items } = await list(seller);
    expect(items).toMatchObject([
      { title: 'Second', state: 'ended', mailable: false },
      { title: 'First', state: 'suspended', mailable: true },
    ]);
    const { errors } = await askGraphql(seller, RESEND, { id: items[0]?.id });
    expect(errors?.[0]?.extensions?.code).toBe('NOT_FOUND');
    const words = await readPage(seller, '/dashboard/sales');
    for (const text of ['Disputed', 'Returned', 'After the fee', '$9.20']) {
      expect(words).toContain(text);
    }
  });
});
