import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { postForm, sessionOf } from '../factories/cart-steps.ts';
import {
  createLink,
  graphql,
  publishableKey,
  readMail,
  seeLink,
  sellFile,
  signIn,
  signUp,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { waitUntilIdle } from '../factories/money.ts';
import { CARDS, payAt } from '../factories/payment.ts';
import { deleteLink } from '../factories/stored-files.ts';
import { useShop } from '../factories/use-shop.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, postJson, readJson } from '../harness/person.ts';
import { readPage } from '../harness/read-page.ts';
import { stripeOf } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const sandboxPort = await findFreePort();
const stripe = stripeOf(sandboxPort);
const newEmail = () => `Ann.${randomBytes(6).toString('hex')}@example.com`;

interface Listed {
  linkId: string;
  state: string;
  gift: { email: string; url: string } | null;
}

interface Given {
  email: string;
  message?: string;
}

describeOnSqliteFirst('a gift', (database) => {
  const { app, clock, seller, newBuyer, checkOut } = useShop(database, sandboxPort);

  const begin = (buyer: Person, paywallId: string, gift: object) =>
    postJson(buyer, '/prod/checkout', { paywallId, gift });
  const refusalOf = async (answer: Promise<Response>) => {
    const { code, detail } = (await (await answer).json()) as Record<string, string>;
    return code === 'GIFT_REFUSED' ? detail : `${code}: ${detail}`;
  };
  /** Pays for it. Returns where the buyer is led then. */
  async function give(buyer: Person, id: string, gift: Given, giver = newEmail()) {
    const { url } = await readJson<{ url: string }>(await begin(buyer, id, gift));
    const paid = await payAt(buyer, url, CARDS.pays, giver);
    expect(paid.status).toBe(303);
    return paid.headers.get('location') ?? '';
  }
  const settle = () => withDatabase(app, (db) => waitUntilIdle(db, sandboxPort));
  const mailsTo = async (email: string) => {
    const mails = await readJson<{ to: string; subject: string }[]>(
      await fetch(`${app.origin}/mailbox.json`),
    );
    return mails.filter(({ to }) => to === email).map(({ subject }) => subject);
  };
  const personalLink = async (email: string) =>
    /\/access\/\S+/.exec((await readMail(app, email, /gift for you/)).text)?.[0] ?? '';
  const giftLink = async (giver: string) =>
    /\/gifts\/\S+/.exec((await readMail(app, giver, /^Your gift/)).text)?.[0] ?? '';
  const readHtml = async (person: Person, path: string) => (await person.fetch(path)).text();
  const open = (person: Person, path: string) => person.fetch(path, { method: 'POST' });
  const purchasesOf = (id: string) =>
    withDatabase(app, (db) =>
      db
        .selectFrom('purchase')
        .innerJoin('access_grant', 'access_grant.purchase_id', 'purchase.id')
        .where('purchase.link_id', '=', id)
        .orderBy('settled_at')
        .select(['gift_email', 'refunded_because', 'access_grant.state'])
        .execute(),
    );

  test('opens for whom it is given to, and for nobody else', async () => {
    const { id } = await sellFile(seller);
    await updateLink(seller, { id, title: 'Notes on optics' });
    const buyer = newBuyer();
    const [email, giver] = [newEmail(), newEmail()];
    const message = 'Happy <birthday>,\nAnn! Yours, Bob';
    const success = await give(buyer, id, { email, message }, giver);
    await settle();

    const page = await readPage(buyer, success);
    expect(page).toContain('Payment Successful');
    expect(page).toContain('Your file is now unlocked and should be downloading.');
    expect(page).toContain(`Your gift is on its way to ${email}`);
    expect(page).not.toContain('Download');
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: false, key: null });
    const receipt = await readMail(app, giver, /^Your gift: Notes on optics$/);
    expect(receipt.text).toContain(`Your gift was sent to ${email}.`);
    expect(receipt.text).toMatch(/Order number: [\w-]{36}/);
    expect(`${receipt.text}${receipt.html}`).not.toContain('/access/');

    const mail = await readMail(app, email, /^A gift for you: Notes on optics$/);
    expect(mail.text).toContain(message);
    expect(mail.html).toContain('>Happy &lt;birthday&gt;,</div>');
    expect(mail.html).toContain('>Ann! Yours, Bob</div>');
    expect(mail.text).toContain(`/p/${id}/report`);
    expect(mail.text).not.toContain(giver);
    const ann = createPerson(app);
    const path = await personalLink(email);
    expect(await readPage(ann, path)).toContain('Open your gift');
    expect((await open(ann, path)).headers.get('location')).toBe(`/p/${id}`);
    expect(await seeLink(ann, id)).toMatchObject({ unlocked: true });
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: false });
    expect(await mailsTo(email)).toHaveLength(1);
    // What it cost is between its giver and the seller.
    const held = await graphql<{ listPurchases: { items: object[] } }>(
      ann,
      '{ listPurchases { items { linkId price } } }',
      {},
      await publishableKey(app),
    );
    expect(held.listPurchases.items).toEqual([{ linkId: id, price: null }]);
    expect(await readPage(ann, '/purchases')).toContain('A gift');
    expect(await readPage(ann, `/p/${id}`)).not.toContain('Signed receipt');
    expect((await ann.fetch(`/p/${id}/receipt`)).headers.get('location')).toBe(`/p/${id}`);

    // Mailed again it goes to its recipient, and the giver finds nothing that opens.
    await postForm(buyer, '/purchases', { email });
    const found = await readMail(app, email, /^Your purchases$/);
    expect(found.text).not.toContain('/gifts/');
    await postForm(buyer, '/purchases', { email: giver.toUpperCase() });
    const given = await readMail(app, giver, /^Your purchases$/);
    expect(given.text).toContain(`You gave Notes on optics to ${email}.`);
    expect(given.text).toContain(await giftLink(giver));
    expect(`${given.text}${given.html}`).not.toMatch(/\/access\/|\/purchases\/open\//);
    await settle();
    expect(await mailsTo(giver)).toHaveLength(2);
    expect(await mailsTo(email)).toHaveLength(2);

    const { listSales } = await graphql<{ listSales: { items: object[] } }>(
      seller,
      '{ listSales { items { linkId gift } } }',
    );
    expect(listSales.items).toContainEqual({ linkId: id, gift: true });
    const own = await sellFile(seller);
    const forNobodyElse = newBuyer();
    await payAt(forNobodyElse, await checkOut(forNobodyElse, own.id));
    await waitUntilUnlocked(forNobodyElse, own.id);
    const table = await (await seller.fetch('/dashboard/sales.csv')).text();
    const giftOf = (linkId: string) =>
      table
        .split('\r\n')
        .find((row) => row.includes(linkId))
        ?.split(',')
        .at(-1);
    expect([giftOf(id), giftOf(own.id)]).toEqual(['yes', '']);
    expect(table).not.toContain(email);
    expect(await readPage(seller, '/dashboard/sales')).toContain('Gift');
  });

  test('is on the page of purchases of its giver, who gets no content, and of nobody else', async () => {
    const { id } = await sellFile(seller, { price: 1000 });
    await updateLink(seller, { id, title: 'Notes on optics' });
    const [buyer, ann] = [newBuyer(), newBuyer()];
    const account = await signUp(app);
    const [email, giver] = [newEmail(), newEmail()];
    const success = await give(buyer, id, { email }, giver);
    await settle();
    const listOf = async (person: Person) => {
      const { listPurchases } = await graphql<{ listPurchases: { items: Listed[] } }>(
        person,
        `{ listPurchases { items { linkId price state here gift { email url } } here } }`,
        {},
        await publishableKey(app),
      );
      return listPurchases.items;
    };
    const [listed, ...others] = await listOf(buyer);
    expect(others).toEqual([]);
    expect(listed).toMatchObject({ linkId: id, price: 1000, state: 'active', here: true });
    expect(listed?.gift?.email).toBe(email);
    expect(new URL(listed?.gift?.url ?? '').pathname).toMatch(/^\/gifts\//);
    const page = await readPage(buyer, '/purchases');
    for (const said of ['Notes on optics', `A gift for ${email}`, '$10.00', 'Your gift']) {
      expect(page).toContain(said);
    }
    for (const secret of ['/access/', 'Signed receipt', '/content', 'Download']) {
      expect(page).not.toContain(secret);
    }
    // Nor is it the giver's to have mailed again as if they held it.
    const html = await readHtml(buyer, '/purchases');
    expect(html).not.toContain('action="/purchases/receipt"');
    for (const stranger of [ann, seller, account]) {
      expect((await listOf(stranger)).filter(({ linkId }) => linkId === id)).toEqual([]);
    }

    expect((await open(ann, await personalLink(email))).status).toBe(303);
    expect(await listOf(ann)).toEqual([
      { linkId: id, price: null, state: 'active', here: true, gift: null },
    ]);
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: false, key: null });
    expect((await buyer.fetch(`/p/${id}/content`)).status).not.toBe(302);

    const sessionId = new URL(success).searchParams.get('session_id') ?? '';
    const session = await stripe.checkout.sessions.retrieve(sessionId);
    await stripe.refunds.create({ payment_intent: String(session.payment_intent) });
    await eventually(async () => expect(await listOf(buyer)).toMatchObject([{ state: 'ended' }]));
    expect(await readPage(buyer, '/purchases')).toContain(
      'Your payment was returned, so the gift has ended.',
    );

    // Of an account, wherever it is signed in.
    const own = await sellFile(seller);
    await give(account, own.id, { email: newEmail() });
    await settle();
    const elsewhere = createPerson(app);
    await signIn(elsewhere, account.email);
    expect(await listOf(elsewhere)).toMatchObject([{ linkId: own.id, here: false }]);
    await postForm(buyer, '/purchases/forget', {});
    expect(await listOf(buyer)).toEqual([]);
  });

  test('belongs to the account that opens it, and ends with its payment', async () => {
    const { id } = await sellFile(seller);
    const [buyer, email] = [newBuyer(), newEmail()];
    const success = await give(buyer, id, { email });
    await settle();
    const ann = await signUp(app);
    await open(ann, await personalLink(email));
    const elsewhere = createPerson(app);
    await signIn(elsewhere, ann.email);
    expect(await seeLink(elsewhere, id)).toMatchObject({ unlocked: true });

    const session = new URL(success).searchParams.get('session_id') ?? '';
    const { payment_intent } = await stripe.checkout.sessions.retrieve(session);
    await stripe.refunds.create({ payment_intent: String(payment_intent) });
    await eventually(async () => {
      for (const person of [ann, elsewhere]) {
        expect(await seeLink(person, id)).toMatchObject({ unlocked: false });
      }
    });
    expect(await readPage(buyer, success)).toContain('the gift has ended');
  });

  test('leaves in the cart of its buyer what they want for themselves', async () => {
    const { id } = await sellFile(seller);
    const buyer = newBuyer();
    await postForm(buyer, '/cart/add', { paywallId: id });
    await give(buyer, id, { email: newEmail() });
    await settle();
    expect(await readPage(buyer, '/cart')).toContain('One link to pay for.');
  });

  test('is no second payment of what its buyer has, or buys later', async () => {
    const { id } = await sellFile(seller);
    const buyer = newBuyer();
    const first = newEmail();
    await give(buyer, id, { email: first });
    // Not the checkout of the gift, which is paid.
    await payAt(buyer, await checkOut(buyer, id));
    await waitUntilUnlocked(buyer, id);
    const page = await readPage(buyer, `/p/${id}`);
    expect(page).toContain('Give as a gift');
    expect(page).not.toContain('$5.00');
    expect(await readPage(buyer, `/p/${id}?gift=`)).toContain('$5.00');
    const second = newEmail();
    await give(buyer, id, { email: second });
    await settle();
    await deleteLink(seller, id);
    for (const search of ['', '?gift=']) {
      const gone = await readHtml(buyer, `/p/${id}${search}`);
      expect(gone).toContain('Download');
      expect(gone).not.toMatch(/as a gift|giftEmail/);
    }
    expect(await purchasesOf(id)).toEqual(
      [first, null, second].map((gift_email) => ({
        gift_email,
        refunded_because: null,
        state: 'active',
      })),
    );
    const others = await withDatabase(app, (db) =>
      db.selectFrom('purchase').where('link_id', '=', id).select('state').execute(),
    );
    expect(others.every(({ state }) => state === 'settled')).toBe(true);
    // One who has it already loses nothing.
    await open(buyer, await personalLink(second));
    expect(await seeLink(buyer, id)).toMatchObject({ unlocked: true });
  });

  test('for one other person is another checkout, which ends the one before it', async () => {
    const { id } = await sellFile(seller);
    const buyer = newBuyer();
    const urlOf = async (answer: Promise<Response>) =>
      (await readJson<{ url: string }>(await answer)).url;
    const [ann, eve] = [newEmail(), newEmail()];
    const first = await urlOf(begin(buyer, id, { email: ann }));
    expect(await urlOf(begin(buyer, id, { email: ann }))).toBe(first);
    const { cancel_url } = await stripe.checkout.sessions.retrieve(sessionOf(first));
    expect(cancel_url).toBe(`${app.origin}/p/${id}?gift=`);
    // Whoever comes back need not type it again, once the provider said that nothing is paid.
    await eventually(async () => {
      expect(await readHtml(buyer, `/p/${id}?gift=`)).toContain(`value="${ann}"`);
    });
    expect(await readHtml(buyer, `/p/${id}`)).not.toContain(ann);
    expect(await readHtml(createPerson(app), `/p/${id}?gift=`)).not.toContain(ann);
    const second = await urlOf(begin(buyer, id, { email: eve }));
    expect(second).not.toBe(first);
    expect((await payAt(buyer, first)).status).not.toBe(303);
    expect(await checkOut(buyer, id)).not.toBe(second);
  });

  test('is refused before anything is paid, and what was typed is kept', async () => {
    const { id } = await sellFile(seller);
    const buyer = newBuyer();
    const email = newEmail();
    const address = 'Enter the email address that the gift goes to, such as name@example.com.';
    expect(await refusalOf(begin(buyer, id, { email: 'ann@example' }))).toBe(address);
    expect(await refusalOf(begin(buyer, id, { email: 'ann@example.com, bob@example.com' }))).toBe(
      address,
    );
    for (const message of ['See https://evil.example', 'evil.example/win', 'to bob@evil.example']) {
      expect(await refusalOf(begin(buyer, id, { email, message }))).toContain('web or email');
    }
    const long = await refusalOf(begin(buyer, id, { email, message: '👍🏽'.repeat(301) }));
    expect(long).toContain('300 characters');
    // More than a note at the provider takes.
    const whole = await begin(newBuyer(), id, { email, message: '👍🏽'.repeat(300) });
    expect(whole.status).toBe(200);
    const form = { paywallId: id, giftEmail: 'ann@', giftMessage: 'For Ann' };
    const page = await (await postForm(buyer, '/prod/checkout', form)).text();
    expect(page).toContain(address);
    expect(page).toMatch(/value="ann@"/);
    expect(page).toContain('>For Ann</textarea>');
    const cart = await postForm(buyer, '/cart/add', { ...form, giftEmail: email });
    expect(await cart.text()).toContain('A gift is bought by itself.');
    const led = await postForm(buyer, '/prod/checkout', { ...form, giftEmail: email });
    expect(led.status).toBe(303);
    // Asked for at an address of its own, with the code and the source that led to it.
    const offer = await (await buyer.fetch(`/p/${id}?code=spring&from=news.example`)).text();
    expect(offer).not.toContain('giftEmail');
    const [, query] = /href="[^"?]*\?([^"]*)"[^>]*>Give as a gift</.exec(offer) ?? [];
    expect(query).toBe('code=spring&amp;gift=&amp;from=news.example');
    const asked = await (await buyer.fetch(`/p/${id}?gift=`)).text();
    expect(asked).toContain('name="giftEmail"');
    expect(asked).toContain('Buy it for yourself');
    expect(asked).not.toContain('Add to cart');
    // For nobody, it is bought by whoever asks.
    const own = await postForm(newBuyer(), '/prod/checkout', { paywallId: id, giftEmail: '' });
    expect(own.status).toBe(303);
    const free = await createLink(seller, {
      type: 'link',
      url: 'https://example.com',
      unlocked: true,
    });
    expect((await readJson<{ url: string }>(await begin(buyer, free.id, { email }))).url).toBe(
      `${app.origin}/p/${free.id}`,
    );
  });

  test('keeps what was typed of it while a discount code is asked for and applied', async () => {
    const { id } = await sellFile(seller, { price: 1000 });
    const input = { code: 'GIFTS', percent: 20, links: [id] };
    const make = 'mutation ($input: CreateDiscountInput!) { createDiscount(input: $input) }';
    await graphql(seller, make, { input });
    const buyer = newBuyer();
    const offer = await readHtml(buyer, `/p/${id}?gift=&from=news.example`);
    const [button] = /<button[^>]*>Have a discount code\?</.exec(offer) ?? [];
    for (const said of [
      'form="unlock"',
      `formAction="/p/${id}"`,
      'formNoValidate=""',
      'name="code"',
    ]) {
      expect(button).toContain(said);
    }
    const email = newEmail();
    // Not an address yet, and none that could be sent to: nobody is refused for it here.
    for (const [code, giftEmail] of [
      ['', 'ann@'],
      ['nosuch', email],
      ['gifts', email],
    ] as const) {
      const fields = { paywallId: id, giftEmail, giftMessage: 'For <Ann>', from: 'news.example' };
      const answer = await postForm(buyer, `/p/${id}`, { ...fields, code });
      expect(answer.status).toBe(200);
      const html = await answer.text();
      expect(html).toMatch(
        new RegExp(`<input(?=[^>]* name="giftEmail")[^>]* value="${giftEmail}"`),
      );
      expect(html).toContain('>For &lt;Ann&gt;</textarea>');
      expect(html).toMatch(/<input(?=[^>]* name="from")[^>]* value="news\.example"/);
      // One field says the code, and goes with the form of the gift.
      expect(html.match(/<input[^>]* name="code"[^>]*>/g)).toEqual([
        expect.stringMatching(new RegExp(`(?=.* form="unlock").* value="${code}"`)),
      ]);
      expect(html.includes('There is no such discount code')).toBe(code === 'nosuch');
      expect(html.includes('$2.00 off the usual price of $10.00')).toBe(code === 'gifts');
    }
    expect((await postForm(buyer, '/p/00000000', { code: '', giftEmail: email })).status).toBe(404);
    expect((await postForm(buyer, `/p/${id}`, { giftEmail: email })).status).toBe(400);
    const paid = await postForm(buyer, '/prod/checkout', {
      paywallId: id,
      code: 'gifts',
      giftEmail: email,
    });
    const session = sessionOf(paid.headers.get('location') ?? '');
    expect((await stripe.checkout.sessions.retrieve(session)).amount_total).toBe(800);
  });

  test('is no way to fill a mailbox', async () => {
    const { id } = await sellFile(seller, { price: 100 });
    const email = newEmail();
    for (let unpaid = 0; unpaid < 6; unpaid += 1) await begin(newBuyer(), id, { email });
    for (let sent = 0; sent < 5; sent += 1) await give(newBuyer(), id, { email });
    await settle();
    const refusal = 'No more gifts can be sent to this address today.';
    expect(await refusalOf(begin(newBuyer(), id, { email: email.toUpperCase() }))).toBe(refusal);
    expect(await mailsTo(email)).toHaveLength(5);
    // The day after.
    await withDatabase(app, (db) =>
      db
        .updateTable('purchase')
        .set(({ eb }) => ({ settled_at: eb('settled_at', '-', 24 * 60 * 60 * 1000) }))
        .where('gift_email', '=', email)
        .execute(),
    );
    expect((await begin(newBuyer(), id, { email })).status).toBe(200);
  });

  test('goes to a corrected address until it is opened, and is sent five times again at most', async () => {
    const { id } = await sellFile(seller);
    const [wrong, right, giver] = [newEmail(), newEmail(), newEmail()];
    await give(newBuyer(), id, { email: wrong }, giver);
    await settle();
    const [old, path] = [await personalLink(wrong), await giftLink(giver)];
    const browser = createPerson(app);
    expect(await readPage(browser, path)).toContain('It has not been opened yet.');
    const send = (email: string) => {
      clock.ahead += 11 * 60_000;
      return postForm(browser, path, { email });
    };
    expect((await send('ann@')).status).toBe(409);
    expect((await send(right)).status).toBe(303);
    await settle();
    const stranger = createPerson(app);
    expect((await open(stranger, old)).status).toBe(404);
    const ann = createPerson(app);
    await open(ann, await personalLink(right));
    expect(await seeLink(ann, id)).toMatchObject({ unlocked: true });
    expect(await readPage(browser, path)).toContain('It has been opened.');
    const refused = await send(wrong);
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('so it cannot go to another address');
    for (let again = 0; again < 4; again += 1) expect((await send(right)).status).toBe(303);
    expect(await (await send(right)).text()).toContain('This gift cannot be sent again.');
    await settle();
    clock.ahead = 0;
    expect(await mailsTo(wrong)).toHaveLength(1);
    expect((await createPerson(app).fetch(`${path}x`)).status).toBe(404);
  });

  test('corrected to another address, opens nothing of that to the one before', async () => {
    const [dear, cheap] = [await sellFile(seller), await sellFile(seller)];
    const [wrong, right, giver] = [newEmail(), newEmail(), newEmail()];
    const owner = newBuyer();
    await payAt(owner, await checkOut(owner, dear.id), CARDS.pays, right);
    await waitUntilUnlocked(owner, dear.id);
    await give(newBuyer(), cheap.id, { email: wrong }, giver);
    await settle();
    await postForm(createPerson(app), '/purchases', { email: wrong });
    await settle();
    const { text } = await readMail(app, wrong, /^Your purchases$/);
    const toAll = /\/purchases\/open\/\S+/.exec(text)?.[0] ?? '';
    const giving = createPerson(app);
    expect((await postForm(giving, await giftLink(giver), { email: right })).status).toBe(303);
    const stranger = createPerson(app);
    await postForm(stranger, toAll, {});
    for (const { id } of [dear, cheap])
      expect(await seeLink(stranger, id)).toMatchObject({ unlocked: false });
    await settle();
    await postForm(stranger, '/purchases', { email: right });
    await settle();
    const all = await readMail(app, right, /^Your purchases$/);
    await postForm(owner, /\/purchases\/open\/\S+/.exec(all.text)?.[0] ?? '', {});
    for (const { id } of [dear, cheap])
      expect(await seeLink(owner, id)).toMatchObject({ unlocked: true });
  });

  test('is mended by its seller, who has its receipt sent again', async () => {
    const { id } = await sellFile(seller);
    const [email, giver] = [newEmail(), newEmail()];
    await give(newBuyer(), id, { email }, giver);
    await settle();
    const { listSales } = await graphql<{ listSales: { items: { id: string; linkId: string }[] } }>(
      seller,
      '{ listSales { items { id linkId } } }',
    );
    const sale = listSales.items.find(({ linkId }) => linkId === id)?.id;
    const again = 'mutation ($id: ID!) { resendReceiptOfSale(purchaseId: $id) }';
    await graphql(seller, again, { id: sale });
    await settle();
    expect(await mailsTo(giver)).toHaveLength(2);
    expect(await mailsTo(email)).toHaveLength(2);
  });

  test('tells its outcome to its buyer alone', async () => {
    const { id } = await sellFile(seller);
    const [buyer, email] = [newBuyer(), newEmail()];
    const success = await give(buyer, id, { email });
    await settle();
    const query = 'query ($id: ID!) { getCheckout(sessionId: $id) { mine gift { email url } } }';
    const ask = async (person: Person) =>
      graphql<{ getCheckout: object }>(
        person,
        query,
        { id: new URL(success).searchParams.get('session_id') },
        await publishableKey(app),
      );
    const url = expect.stringContaining(`${app.origin}/gifts/`);
    expect((await ask(buyer)).getCheckout).toEqual({ mine: true, gift: { email, url } });
    expect((await ask(newBuyer())).getCheckout).toEqual({ mine: false, gift: null });
    const ann = createPerson(app);
    await open(ann, await personalLink(email));
    expect((await ask(ann)).getCheckout).toEqual({ mine: true, gift: null });
  });
});
