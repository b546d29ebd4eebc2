import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { checkLedger } from '../../server/money/payments/check-ledger.ts';
import { postForm } from '../factories/cart-steps.ts';
import {
  createLink,
  graphql,
  readMail,
  seeLink,
  sellFile,
  signUp,
  updateLink,
} from '../factories/factories.ts';
import { expectBooks, waitUntilIdle } from '../factories/money.ts';
import { useShop } from '../factories/use-shop.ts';
import { findFreePort } from '../harness/free-port.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { type Person, postJson, readJson } from '../harness/person.ts';
import { readPage } from '../harness/read-page.ts';
import { runCli } from '../harness/run-command.ts';
import { withDatabase } from '../harness/with-database.ts';

const sandboxPort = await findFreePort();
const newEmail = () => `Ben.${randomBytes(6).toString('hex')}@example.com`;
const GIVE =
  'mutation ($link: String!, $email: String!, $message: String) { giveLink(link: $link, email: $email, message: $message) }';

describeOnSqliteFirst('a link that its seller gives', (database) => {
  const { app, seller, newBuyer, checkOut } = useShop(database, sandboxPort);

  const give = (giver: Person, given: { link: string; email: string; message?: string }) =>
    graphql(giver, GIVE, given);
  const refusalOf = async (giver: Person, given: object) => {
    const answer = await postJson(giver, '/graphql', { query: GIVE, variables: given });
    const { errors } = await readJson<{ errors?: { message: string }[] }>(answer);
    return errors?.[0]?.message;
  };
  const settle = () => withDatabase(app, (db) => waitUntilIdle(db, sandboxPort));
  const subjectsTo = async (email: string) => {
    const mails = await readJson<{ to: string; subject: string }[]>(
      await fetch(`${app.origin}/mailbox.json`),
    );
    return mails.filter(({ to }) => to === email).map(({ subject }) => subject);
  };

  test('costs nothing, opens for whom it is given to, and is booked as any sale', async () => {
    const giver = await signUp(app);
    const { id, bytes } = await sellFile(giver, { price: 400 });
    await updateLink(giver, { id, title: 'Notes on optics' });
    const email = newEmail();
    const link = `${app.origin}/p/${id}?code=X`;
    expect(await give(giver, { link, email, message: 'For your review.' })).toEqual({
      giveLink: true,
    });

    const { text } = await readMail(app, email, /^A gift for you: Notes on optics$/);
    expect(text).toContain('has given you Notes on optics, and wrote:');
    expect(text).toContain('For your review.');
    const reader = newBuyer();
    const personal = /\/access\/\S+/.exec(text)?.[0] ?? '';
    await reader.fetch(personal, { method: 'POST' });
    const content = await reader.fetch(`/p/${id}/content`);
    const file = await reader.fetch(content.headers.get('location') ?? '');
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes);
    expect(await seeLink(newBuyer(), id)).toMatchObject({ unlocked: false });

    const receipt = await readMail(app, giver.email, /^Your gift: Notes on optics$/);
    expect(receipt.text).toContain(`Your gift was sent to ${email}.`);
    expect(receipt.text).not.toMatch(/\$0|[Pp]aid|purchase/);
    const page = await readPage(giver, /\/gifts\/\S+/.exec(receipt.text)?.[0] ?? '');
    expect(page).toContain('It has been opened.');
    // An account that is moved takes it along.
    await withDatabase(app, async (db) => {
      const given = db.selectFrom('purchase').where('link_id', '=', id).select('claim_hash');
      expect((await given.executeTakeFirstOrThrow()).claim_hash).toMatch(/^[0-9a-f]{64}$/);
    });

    await settle();
    // Of a sale of theirs, they would be told.
    expect(await subjectsTo(giver.email)).not.toContainEqual(expect.stringMatching(/sold|sale/i));
    await expectBooks(app, id, { creator: 0, platform_fee: 0, provider: 0 });
    expect(await withDatabase(app, checkLedger)).toEqual([]);
    const { listSales } = await graphql<{ listSales: { items: object[] } }>(
      giver,
      '{ listSales { items { linkId gross net gift refundable } } }',
    );
    expect(listSales.items).toEqual([{ linkId: id, gross: 0, net: 0, gift: true, refundable: 0 }]);
  });

  test('takes a copy, and is given as often as there are some', async () => {
    const { id } = await sellFile(seller, { price: 400 });
    await updateLink(seller, { id, copies: 2 });
    await give(seller, { link: id, email: newEmail() });
    await give(seller, { link: id, email: newEmail() });
    expect(await refusalOf(seller, { link: id, email: newEmail() })).toContain(
      'All copies are sold',
    );
    const answer = await postJson(newBuyer(), '/prod/checkout', { paywallId: id });
    expect(await answer.json()).toMatchObject({ code: 'NOT_ON_SALE' });
  });

  test('does not end what its seller buys, nor what others do', async () => {
    const { id } = await sellFile(seller, { price: 400 });
    const buyer = newBuyer();
    const url = await checkOut(buyer, id);
    await give(seller, { link: id, email: newEmail() });
    expect(await checkOut(buyer, id)).toBe(url);
  });

  test.each([
    ['of somebody else', 'You have no link'],
    ['that is free', 'Anyone can open this link for free. Send them its address instead.'],
    ['that is paused', 'paused'],
    ['that is taken down', 'does not exist'],
  ])('is refused where it is one %s', async (which, why) => {
    const other = await signUp(app);
    const { id } = await sellFile(which === 'of somebody else' ? other : seller);
    if (which === 'that is free') await updateLink(seller, { id, unlocked: true });
    if (which === 'that is paused') await updateLink(seller, { id, paused: true });
    if (which === 'that is taken down') {
      const takeDown = ['link', 'take-down', id, '--reason', 'It is not theirs to sell.'];
      expect(await runCli(app.env, ...takeDown)).toMatchObject({ status: 0 });
    }
    const email = newEmail();
    expect(await refusalOf(seller, { link: id, email })).toContain(why);
    await settle();
    expect(await subjectsTo(email)).toEqual([]);
  });

  test('goes to an address that can be reached, in words without others', async () => {
    const { id } = await createLink(seller, {
      type: 'link',
      url: 'https://example.com/course',
      price: 300,
    });
    const refused = (email: string, message?: string) =>
      refusalOf(seller, { link: id, email, message });
    expect(await refused('nobody')).toContain('Enter the email address that the gift goes to');
    expect(await refused(newEmail(), 'See www.example.com')).toContain('cannot contain web');
    expect(await refusalOf(seller, { link: '', email: newEmail() })).toContain('You have no link');
  });

  test('is sent again to the same address alone', async () => {
    const giver = await signUp(app);
    const { id } = await sellFile(giver);
    const email = newEmail();
    await give(giver, { link: ` ${id} `, email });
    const { text } = await readMail(app, giver.email, /^Your gift/);
    const path = /\/gifts\/\S+/.exec(text)?.[0] ?? '';
    const page = await readPage(giver, path);
    expect(page).toContain('It has not been opened yet.');
    expect(page).not.toContain('correct it here');
    const other = newEmail();
    const refused = await postForm(giver, path, { email: other });
    expect(await refused.text()).toContain('Give the link to the other address');
    const again = await postForm(giver, path, { email });
    expect(again.status).toBe(303);
    await settle();
    expect(await subjectsTo(other)).toEqual([]);
    expect(await subjectsTo(email)).toHaveLength(2);
  });

  test('reaches a mailbox a few times in a day, and leaves its seller by the score', async () => {
    const giver = await signUp(app);
    const { id } = await sellFile(giver);
    const email = newEmail();
    for (let given = 0; given < 5; given += 1) await give(giver, { link: id, email });
    expect(await refusalOf(giver, { link: id, email })).toBe(
      'No more gifts can be sent to this address today.',
    );
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => refusalOf(giver, { link: id, email: newEmail() })),
    );
    expect(answers.filter((refusal) => refusal === undefined)).toHaveLength(14);
  });
});
