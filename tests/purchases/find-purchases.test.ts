import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { runSql } from '../errors/run-sql.ts';
import { copyPurchase, findOriginal } from '../factories/copy-purchase.ts';
import {
  graphql,
  publishableKey,
  readMail,
  seeLink,
  sellFile,
  signUp,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { CARDS, checkOut, payAt } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, readJson } from '../harness/person.ts';
import { readPage } from '../harness/read-page.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

type Held = { id: string; title: string | null; seller: string | null; state: string };
type List = { items: Held[]; nextToken: string | null; here: boolean };

const HOUR_MS = 60 * 60 * 1000;
const LIST = `query ($after: String) { listPurchases(nextToken: $after) {
  items { id linkId title seller price paidAt state here } nextToken here } }`;

const newEmail = () => `Buyer.${randomBytes(6).toString('hex')}@example.com`;

describeOnSqliteFirst('purchases', (database) => {
  let ahead = 0;
  const app = useApp({ database, overrides: { now: () => Date.now() + ahead } });
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
    await graphql(seller, 'mutation { setSellerName(name: "Ada’s desk") }');
  });

  async function buy(
    buyer: Person,
    { title = 'Notes', email = newEmail(), card = CARDS.pays } = {},
  ) {
    const { id } = await sellFile(seller);
    await updateLink(seller, { id, title });
    await payAt(buyer, await checkOut(buyer, id), card, email);
    await waitUntilUnlocked(buyer, id);
    return { id, email };
  }

  const list = async (person: Person, after: string | null = null) =>
    (await graphql<{ listPurchases: List }>(person, LIST, { after }, await publishableKey(app)))
      .listPurchases;

  const post = (person: Person, path: string, form: Record<string, string> = {}) =>
    person.fetch(path, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers: { accept: 'text/html' },
    });

  const mailsTo = async (email: string) => {
    const mails = await readJson<{ to: string; subject: string }[]>(
      await fetch(`${app.origin}/mailbox.json`),
    );
    return mails.filter(({ to }) => to.toLowerCase() === email.toLowerCase());
  };

  const findLink = async (email: string) => {
    const { text } = await readMail(app, email, /^Your purchases$/);
    return /\/purchases\/open\/\S+/.exec(text)?.[0] ?? '';
  };

  test('are found by the address that paid, however it is written, in a browser that knew none', async () => {
    const email = newEmail();
    const first = await buy(createPerson(app), { email, title: 'First' });
    const second = await buy(createPerson(app), { email: email.toLowerCase(), title: 'Second' });
    const other = await buy(createPerson(app), { title: 'Of somebody else' });
    const browser = createPerson(app);
    const typed = email.toUpperCase();
    const answer = await post(browser, '/purchases', { email: ` ${typed} ` });
    expect(answer.status).toBe(200);
    // A typing error is seen, and can be mended where it was made.
    const page = await answer.text();
    expect(page).toContain(`If something was paid for with ${typed}, an email`);
    expect(page).toContain(`value="${typed}"`);
    const link = await findLink(email.toLowerCase());

    // A scanner follows the link, and changes nothing.
    const scanner = createPerson(app);
    expect((await scanner.fetch(link)).status).toBe(200);
    expect(scanner.cookies.size).toBe(0);
    expect(await readPage(browser, link)).toContain('Open your purchases');
    expect((await list(browser)).items).toEqual([]);

    const opened = await post(browser, link);
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/purchases']);
    expect((await list(browser)).items.map(({ title }) => title)).toEqual(['Second', 'First']);
    for (const { id } of [first, second]) {
      expect(await seeLink(browser, id)).toMatchObject({ unlocked: true });
    }
    expect(await seeLink(browser, other.id)).toMatchObject({ unlocked: false });
    // Again, in another browser: nothing was used up.
    expect((await post(createPerson(app), link)).status).toBe(303);
  });

  test('are looked for alike whether or not there are any, and mailed of only where there are', async () => {
    const buyer = createPerson(app);
    const { email, id } = await buy(buyer);
    const stranger = newEmail();
    const [known, unknown] = [await askFor(email), await askFor(stranger)];
    expect(unknown).toEqual(known);
    await readMail(app, email, /^Your purchases$/);
    expect(await mailsTo(stranger)).toEqual([]);
    // What was returned is no reason to write to anybody.
    await runSql(app, `UPDATE access_grant SET state = 'ended' WHERE link_id = '${id}'`);
    const before = (await mailsTo(email)).length;
    await askFor(email);
    await withDatabase(app, (db) =>
      eventually(async () => {
        const left = await db
          .selectFrom('job')
          .where('kind', '=', 'send-purchases')
          .select('id')
          .execute();
        expect(left).toEqual([]);
      }),
    );
    expect(await mailsTo(email)).toHaveLength(before);

    async function askFor(address: string) {
      const person = createPerson(app);
      const answer = await post(person, '/purchases', { email: address });
      const page = (await answer.text()).replaceAll(address, 'ADDRESS');
      return [answer.status, page, person.cookies.size];
    }
  });

  test('are asked for three times in ten minutes of one mailbox, known or not', async () => {
    const { email } = await buy(createPerson(app));
    for (const address of [email, newEmail()]) {
      const person = createPerson(app);
      for (let time = 0; time < 3; time += 1) {
        expect((await post(person, '/purchases', { email: address })).status).toBe(200);
      }
      const refused = await post(person, '/purchases', { email: address.toLowerCase() });
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refused.text()).toContain('Too many attempts.');
    }
    const wrong = await post(createPerson(app), '/purchases', { email: 'nobody' });
    expect(wrong.status).toBe(400);
    expect(await wrong.text()).toContain('Enter the email address that you paid with.');
  });

  test('are opened by their link for an hour, and by nothing else', async () => {
    const { email, id } = await buy(createPerson(app));
    await post(createPerson(app), '/purchases', { email });
    const link = await findLink(email);
    const personal = /\/access\/(\S+)/.exec((await readMail(app, email, /Notes/)).text)?.[1];
    const wrong = [link.replace(/.{4}$/, 'AAAA'), `/purchases/open/${personal}`];
    const refuse = async (path: string) => {
      const browser = createPerson(app);
      for (const method of ['GET', 'POST']) {
        const answer = await browser.fetch(path, { method, headers: { accept: 'text/html' } });
        expect(answer.status).toBe(404);
        expect(await answer.text()).toContain('Enter your address to get a new one.');
      }
      expect(browser.cookies.size).toBe(0);
    };
    for (const path of wrong) await refuse(path);
    ahead += HOUR_MS - 10 * 60_000;
    expect((await createPerson(app).fetch(link)).status).toBe(200);
    ahead += 10 * 60_000;
    await refuse(link);
    expect(await seeLink(createPerson(app), id)).toMatchObject({ unlocked: false });
  });

  test('are listed as they were bought, the newest first, and say what became of them', {
    tags: 'long',
  }, async () => {
    const buyer = createPerson(app);
    const active = await buy(buyer, { title: 'Kept' });
    const taken = await buy(buyer, { title: 'Taken down' });
    const ended = await buy(buyer, { title: 'Returned' });
    const held = await buy(buyer, { title: 'Disputed' });
    await updateLink(seller, { id: active.id, title: 'Renamed since', price: 900 });
    await runSql(
      app,
      `UPDATE link SET taken_down_at = 1 WHERE id = '${taken.id}';
       UPDATE access_grant SET state = 'ended' WHERE link_id = '${ended.id}';
       UPDATE access_grant SET state = 'suspended' WHERE link_id = '${held.id}'`,
    );
    const { items, nextToken, here } = await list(buyer);
    expect(items.map(({ title, state }) => [title, state])).toEqual([
      ['Disputed', 'suspended'],
      ['Returned', 'ended'],
      ['Taken down', 'unavailable'],
      ['Kept', 'active'],
    ]);
    expect(items[3]).toMatchObject({
      linkId: active.id,
      seller: 'Ada’s desk',
      price: 500,
      here: true,
    });
    expect([nextToken, here]).toEqual([null, true]);
    const words = await readPage(buyer, '/purchases');
    for (const text of ['Kept', 'by Ada’s desk', '$5.00', 'On hold', 'Ended', 'Not available']) {
      expect(words).toContain(text);
    }
    expect(words).toContain('Your payment was returned, so your access has ended.');
    expect(words).not.toContain('Renamed since');
    const stranger = createPerson(app);
    expect(await list(stranger)).toEqual({ items: [], nextToken: null, here: false });
    expect(await readPage(stranger, '/purchases')).not.toContain('Kept');
  });

  test('of an account are there wherever it is signed in, and not this browser’s to forget', async () => {
    const account = await signUp(app);
    await buy(account, { title: 'Of the account' });
    const claim = [...account.cookies.keys()].find((name) => name.endsWith('claim')) ?? '';
    account.cookies.delete(claim);
    expect(await list(account)).toMatchObject({
      items: [{ title: 'Of the account', here: false }],
    });
    const words = await readPage(account, '/purchases');
    expect(words).toContain('Of the account');
    expect(words).not.toContain('Forget this browser');
  });

  test('go on to a next page beyond fifty', async () => {
    const buyer = createPerson(app);
    const { id } = await buy(buyer);
    await withDatabase(app, async (db) => {
      const original = await findOriginal(db, id);
      const { claim_hash, settled_at } = original.purchase;
      for (let number = 10; number < 65; number += 1) {
        const copy = original.purchase.id.slice(0, -12) + String(number).padStart(12, '0');
        // Ten of each second.
        await copyPurchase(db, original, copy, {
          settled_at: (settled_at ?? 0) - Math.floor(number / 10) * 1000,
        });
        await db.insertInto('grant_claim').values({ grant_id: copy, claim_hash }).execute();
      }
    });
    const first = await list(buyer);
    const second = await list(buyer, first.nextToken);
    expect([first.items.length, second.items.length, second.nextToken]).toEqual([50, 6, null]);
    expect(new Set([...first.items, ...second.items].map((purchase) => purchase.id)).size).toBe(56);
    const words = await readPage(buyer, `/purchases?after=${first.nextToken}`);
    expect(words).toContain('Show the newest');
    const answer = await buyer.fetch('/purchases?after=nonsense', {
      headers: { accept: 'text/html' },
    });
    expect(answer.status).toBe(400);
  });

  test('have their receipts sent again to the address that paid, for whoever holds them alone', async () => {
    const buyer = createPerson(app);
    const { email } = await buy(buyer);
    const [{ id = '' } = {}] = (await list(buyer)).items;
    await readMail(app, email);
    const words = await (await post(createPerson(app), '/purchases/receipt', { id })).text();
    expect(words).toContain('You have no such purchase.');
    const sent = await post(buyer, '/purchases/receipt', { id });
    expect(sent.headers.get('location')).toBe(`/purchases?sent=${id}`);
    await eventually(async () => expect(await mailsTo(email)).toHaveLength(2));
    expect(await readPage(buyer, `/purchases?sent=${id}`)).toContain('The receipt is on its way.');
    for (let time = 0; time < 2; time += 1) await post(buyer, '/purchases/receipt', { id });
    expect((await post(buyer, '/purchases/receipt', { id })).status).toBe(429);
  });

  test('are forgotten by a browser that is asked twice, and stay everybody else’s', async () => {
    const account = await signUp(app);
    const ofAccount = await buy(account, { title: 'Bought while signed in' });
    const session = [...account.cookies].filter(([name]) => name.includes('session'));
    const guest = createPerson(app);
    for (const [name, value] of account.cookies) {
      if (name.endsWith('claim')) guest.cookies.set(name, value);
    }
    const ofBrowser = await buy(guest, { title: 'Bought as a guest' });
    // By the link in the receipt, somebody else holds it too.
    const receipt = await readMail(app, ofBrowser.email);
    const personal = /\/access\/\S+/.exec(receipt.text)?.[0] ?? '';
    const friend = createPerson(app);
    await post(friend, personal);
    expect(await seeLink(friend, ofBrowser.id)).toMatchObject({ unlocked: true });
    const words = await readPage(guest, '/purchases?forget=ask');
    for (const text of ['Forget this browser?', 'Send the receipts first', 'Nothing is refunded']) {
      expect(words).toContain(text);
    }
    // Asking changes nothing; sending the receipts first does what it says.
    expect((await list(guest)).items).toHaveLength(2);
    await post(guest, '/purchases/receipts');
    for (const { email } of [ofAccount, ofBrowser]) {
      await eventually(async () => expect(await mailsTo(email)).toHaveLength(2));
    }

    const forgotten = await post(account, '/purchases/forget');
    expect(forgotten.headers.get('location')).toBe('/purchases?forgotten=yes');
    expect([...account.cookies].filter(([name]) => name.includes('session'))).toEqual(session);
    expect((await list(account)).items.map(({ title }) => title)).toEqual([
      'Bought while signed in',
    ]);
    expect(await seeLink(account, ofAccount.id)).toMatchObject({ unlocked: true });
    // What was a copy of its cookie opens nothing any more.
    expect((await list(guest)).items).toEqual([]);
    expect(await seeLink(guest, ofBrowser.id)).toMatchObject({ unlocked: false });
    expect(await seeLink(friend, ofBrowser.id)).toMatchObject({ unlocked: true });
    const again = createPerson(app);
    await post(again, personal);
    expect(await seeLink(again, ofBrowser.id)).toMatchObject({ unlocked: true });
  });
});
