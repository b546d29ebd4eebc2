import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  attributes,
  auth,
  countMails,
  expectMails,
  expectRefusal,
} from '../factories/account-requests.ts';
import { postForm } from '../factories/cart-steps.ts';
import {
  graphql,
  PASSWORD,
  readCode,
  readMail,
  seeLink,
  sellFile,
  signIn,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { waitUntilIdle } from '../factories/money.ts';
import { CARDS, payAt } from '../factories/payment.ts';
import { signUpOperator } from '../factories/sign-up-operator.ts';
import { useShop } from '../factories/use-shop.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, postJson, readJson } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { withDatabase } from '../harness/with-database.ts';

const sandboxPort = await findFreePort();
const newName = () => `v${randomBytes(6).toString('hex')}`;

/** The spellings of one mailbox, the first of which mail servers and the product compare by. */
const spellingsOf = (name: string) =>
  [
    `${name}@xn--bcher-kva.example`,
    `${name}@b\u00fccher.example`,
    `${name.toUpperCase()}@BU\u0308CHER.Example`,
    `${name}@XN--BCHER-KVA.example`,
  ] as const;

describeOnSqliteFirst('one mailbox, however its address is written,', (database) => {
  const { app, clock, seller, newBuyer, checkOut } = useShop(database, sandboxPort);
  const settle = () => withDatabase(app, (db) => waitUntilIdle(db, sandboxPort));
  const account = (email: string) => ({ email, password: PASSWORD, firstName: 'Ada' });

  async function signUpAs(written: string, canonical: string): Promise<Person> {
    const person = newBuyer();
    await readJson(await auth(person, 'sign-up/email', account(written)));
    const otp = await readCode(app, canonical);
    await readJson(await auth(person, 'email-otp/verify-email', { email: canonical, otp }));
    return person;
  }

  async function buy(written: string): Promise<string> {
    const { id } = await sellFile(seller, { price: 100 });
    const buyer = newBuyer();
    await payAt(buyer, await checkOut(buyer, id), CARDS.pays, written);
    await waitUntilUnlocked(buyer, id);
    await settle();
    return id;
  }

  test('has one account, which every spelling signs in to and none signs up again', async () => {
    const [canonical, composed, decomposed, upper] = spellingsOf(newName());
    const owner = await signUpAs(decomposed, canonical);
    expect(await readJson(await attributes(owner))).toMatchObject({ email: canonical });
    // Its owner reads it in the script that it is in.
    expect(await (await owner.fetch('/account')).text()).toContain(composed);
    for (const email of [canonical, composed, decomposed, upper]) {
      await signIn(newBuyer(), email);
    }

    const before = await countMails(app.origin, canonical);
    const again = await auth(newBuyer(), 'sign-up/email', account(composed));
    expect(again.status).toBe(200);
    await expectMails(app.origin, canonical, before + 1);
    expect((await readMail(app, canonical, /already have/)).text).not.toMatch(/\b\d{6}\b/);

    // A code that was asked for by one spelling is good for the other.
    const recovering = newBuyer();
    const ask = await auth(recovering, 'email-otp/request-password-reset', { email: upper });
    expect(ask.status).toBe(200);
    await expectMails(app.origin, canonical, before + 2);
    const otp = await readCode(app, canonical);
    const reset = { email: composed, otp, password: 'Another-horse-8' };
    expect((await auth(recovering, 'email-otp/reset-password', reset)).status).toBe(200);
    await signIn(newBuyer(), decomposed, reset.password);

    const back = newBuyer();
    await signIn(back, canonical, reset.password);
    const change = { newEmail: decomposed, password: reset.password };
    await expectRefusal(
      await auth(back, 'email-otp/request-email-change', change),
      400,
      'SAME_EMAIL',
    );
    const wrong = { confirmation: 'v@example.com', password: reset.password };
    await expectRefusal(await auth(back, 'delete-user', wrong), 400, 'NOT_CONFIRMED');
    const right = { confirmation: composed, password: reset.password };
    expect((await auth(back, 'delete-user', right)).status).toBe(200);
  });

  test('is no password, in any spelling', async () => {
    const name = `${newName().toUpperCase()}-a`;
    const [, composed, decomposed] = spellingsOf(name);
    await expectRefusal(
      await auth(newBuyer(), 'sign-up/email', { ...account(composed), password: decomposed }),
      400,
      'PASSWORD_TOO_PERSONAL',
    );
  });

  test('has the tries and the codes of one', async () => {
    const [canonical, composed, decomposed, upper] = spellingsOf(newName());
    await signUpAs(canonical, canonical);
    const stranger = newBuyer();
    const guess = (email: string) =>
      auth(stranger, 'sign-in/email', { email, password: 'Guessed-horse-9' });
    for (const email of [canonical, composed, decomposed, upper, composed]) {
      expect((await guess(email)).status).toBe(401);
    }
    expect((await guess(decomposed)).status).toBe(429);

    const asker = newBuyer();
    for (const email of [canonical, composed, decomposed]) {
      expect((await postForm(asker, '/purchases', { email })).status).toBe(200);
    }
    expect((await postForm(newBuyer(), '/purchases', { email: upper })).status).toBe(429);
  });

  test('finds all that it paid for, written to as it was given', async () => {
    const name = `\u00e4${newName()}`;
    const [canonical, composed, decomposed] = spellingsOf(name);
    const first = await buy(decomposed);
    const second = await buy(composed);
    const other = await buy(spellingsOf(newName())[0]);
    const given = await readMail(app, decomposed);
    expect(given.text).toContain('/access/');

    const browser = createPerson(app);
    await postForm(browser, '/purchases', { email: canonical.normalize('NFD').toUpperCase() });
    const { text } = await readMail(app, composed, /^Your purchases$/);
    const path = /\/purchases\/open\/\S+/.exec(text)?.[0] ?? '';
    expect((await browser.fetch(path, { method: 'POST' })).status).toBe(303);
    for (const id of [first, second]) {
      expect(await seeLink(browser, id)).toMatchObject({ unlocked: true });
    }
    expect(await seeLink(browser, other)).toMatchObject({ unlocked: false });
  });

  test('is given as many gifts as one, and may be written in another way later', async () => {
    const spellings = spellingsOf(newName());
    const [canonical, composed, decomposed, upper] = spellings;
    const { id } = await sellFile(seller, { price: 100 });
    const begin = (email: string) =>
      postJson(newBuyer(), '/prod/checkout', { paywallId: id, gift: { email } });
    const givers = spellingsOf(newName());
    const give = async (email: string, giver: string) => {
      const { url } = await readJson<{ url: string }>(await begin(email));
      await payAt(newBuyer(), url, CARDS.pays, giver);
    };
    for (const email of [canonical, decomposed, upper, canonical]) await give(email, givers[1]);
    await give(composed, givers[2]);
    await settle();
    const refused = await begin(decomposed);
    expect(await refused.json()).toMatchObject({
      code: 'GIFT_REFUSED',
      detail: 'No more gifts can be sent to this address today.',
    });

    const receipt = await readMail(app, givers[2], /^Your gift/);
    const gift = /\/gifts\/\S+/.exec(receipt.text)?.[0] ?? '';
    const opened = await readMail(app, composed, /gift for you/);
    const personal = /\/access\/\S+/.exec(opened.text)?.[0] ?? '';
    await createPerson(app).fetch(personal, { method: 'POST' });
    const send = (email: string) => {
      clock.ahead += 11 * 60_000;
      return postForm(createPerson(app), gift, { email });
    };
    // It is the address that it went to: opened or not, it is sent there again.
    for (const email of [canonical, decomposed]) expect((await send(email)).status).toBe(303);
    await settle();
    clock.ahead = 0;

    const operator = await signUpOperator(app);
    const find = async (search: string) => {
      const query = 'query ($search: String!) { findPurchases(search: $search) { items { id } } }';
      type Found = { findPurchases: { items: object[] } };
      return (await graphql<Found>(operator, query, { search })).findPurchases.items.length;
    };
    for (const written of spellings) expect(await find(written)).toBe(5);
    for (const written of givers) expect(await find(written)).toBe(5);
  });

  test('is found by operators and their commands, and invited once', async () => {
    const [canonical, composed, decomposed] = spellingsOf(newName());
    const owner = await signUpAs(composed, canonical);
    const { id } = await sellFile(owner);
    const operator = await signUpOperator(app);
    const links = `query ($search: String!) { findLinks(search: $search) { items { id } } }`;
    expect(await graphql(operator, links, { search: decomposed })).toMatchObject({
      findLinks: { items: [{ id }] },
    });
    const accounts = `query ($written: String!) {
      listAccounts(emailPrefix: $written) { items { email } }
    }`;
    expect(await graphql(operator, accounts, { written: decomposed })).toEqual({
      listAccounts: { items: [{ email: canonical }] },
    });
    const listed = await runCli(app.env, 'user', 'list', composed, '--json');
    expect(listed.stdout).toContain(canonical);
    const reason = ['--reason', 'A reason.'];
    expect((await runCli(app.env, 'user', 'suspend', decomposed, ...reason)).status).toBe(0);

    const [, newcomer, newcomerToo] = spellingsOf(newName());
    const invite = `mutation ($email: String!) { inviteAccount(email: $email, role: "seller") { id } }`;
    const first = await graphql(operator, invite, { email: newcomer });
    expect(await graphql(operator, invite, { email: newcomerToo })).toEqual(first);
  });

  test.each([
    ['v', 'Enter a valid email address.'],
    ['v@b\u00fccher', 'Enter a valid email address.'],
    ['v@b\u00fc%41cher.example', 'Enter a valid email address.'],
    ['v@b\u00fc cher.example', 'Enter a valid email address.'],
    ['m\u00fcller@example.com', expect.stringContaining('letters other than a to z before the @')],
    [
      'v@\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444',
      expect.stringContaining('after the last dot'),
    ],
  ])('of an account is an address that it can have: %s', async (email, message) => {
    const answer = await auth(newBuyer(), 'sign-up/email', account(email));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ message });
  });
});
