import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  attributes,
  auth,
  createEmail,
  expectMails,
  expectRefusal,
  refusal,
} from '../../../../tests/factories/account-requests.ts';
import {
  graphql,
  PASSWORD,
  publishableKey,
  readBalance,
  readCode,
  readMail,
  seeLink,
  sellFile,
  signIn,
  signUp,
  storageUrl,
  updateLink,
  uploadFile,
  waitUntilUnlocked,
} from '../../../../tests/factories/factories.ts';
import { BUYER_EMAIL, payFor } from '../../../../tests/factories/payment.ts';
import { connectLive } from '../../../../tests/harness/live-socket.ts';
import { describeOnSqliteFirst } from '../../../../tests/harness/on-both-databases.ts';
import { createPerson, type Person, readJson } from '../../../../tests/harness/person.ts';
import { useApp } from '../../../../tests/harness/use-app.ts';
import { withDatabase } from '../../../../tests/harness/with-database.ts';

describeOnSqliteFirst('the deletion of an account', (database) => {
  const app = useApp({ database });

  const remove = (person: Person, confirmation: string, password: string | undefined = PASSWORD) =>
    auth(person, 'delete-user', { confirmation, password });

  async function buy(buyer: Person, id: string): Promise<void> {
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
  }

  test('takes its links off sale, ends its sessions and is told by mail', async () => {
    const owner = await signUp(app);
    const other = createPerson(app);
    await signIn(other, owner.email);
    const { id, owner: ownerId } = await sellFile(owner);
    const watcher = await connectLive(app, { keys: await publishableKey(app) });
    const deleted = 'subscription ($owner: String) { onDeletePaywallLink(owner: $owner) { id } }';
    await watcher.subscribe('deleted', deleted, { owner: ownerId });
    await readJson(await remove(owner, ` ${owner.email.toUpperCase()} `));
    await watcher.find(({ id, type }) => id === 'deleted' && type === 'next');
    expect(watcher.answers('deleted')).toMatchObject([{ id }]);

    for (const person of [owner, other]) expect((await attributes(person)).status).toBe(401);
    expect(owner.cookies.has('padlink.session_token')).toBe(false);
    expect(await seeLink(createPerson(app), id)).toBeNull();
    expect((await createPerson(app).fetch(`/p/${id}`)).status).toBe(404);
    const credentials = { email: owner.email, password: PASSWORD };
    await expectRefusal(
      await auth(createPerson(app), 'sign-in/email', credentials),
      401,
      'INVALID_EMAIL_OR_PASSWORD',
    );
    const { text } = await readMail(app, owner.email, /deleted/);
    expect(text).toContain('were deleted');
  });

  test('erases email address, name and credentials, and a new account is another one', async () => {
    const owner = await signUp(app, { firstName: 'Hildegard' });
    const { sub } = await readJson<{ sub: string }>(await attributes(owner));
    await readJson(await auth(owner, 'two-factor/enable', { password: PASSWORD }));
    await graphql(owner, 'mutation { createSecretKey(name: "Till") { secret } }');
    const newEmail = createEmail();
    const change = { newEmail, password: PASSWORD };
    await readJson(await auth(owner, 'email-otp/request-email-change', change));
    await readJson(await auth(owner, 'email-otp/request-password-reset', { email: owner.email }));
    await readJson(await remove(owner, owner.email));

    const kept = await withDatabase(app, async (db) => {
      const tables = ['user', 'account', 'session', 'verification', 'secret_key', 'twoFactor'];
      const rows = tables.map((table) => sql`select * from ${sql.table(table)}`.execute(db));
      return JSON.stringify((await Promise.all(rows)).map((answer) => answer.rows));
    });
    for (const trace of [owner.email, newEmail, 'Hildegard', sub])
      expect(kept).not.toContain(trace);

    const again = createPerson(app);
    const account = { email: owner.email, password: PASSWORD, firstName: 'Hildegard' };
    await readJson(await auth(again, 'sign-up/email', account));
    await expectMails(app.origin, owner.email, 5);
    const otp = await readCode(app, owner.email);
    await readJson(await auth(again, 'email-otp/verify-email', { email: owner.email, otp }));
    const fresh = await readJson<{ sub: string }>(await attributes(again));
    expect(fresh.sub).not.toBe(sub);
  });

  test('is refused without the password or the typed address', async () => {
    const owner = await signUp(app);
    await expectRefusal(await remove(owner, 'delete'), 400, 'NOT_CONFIRMED');
    await expectRefusal(await remove(owner, owner.email, 'Wrong-1'), 400, 'INVALID_PASSWORD');
    const unproven = { confirmation: owner.email };
    await expectRefusal(await auth(owner, 'delete-user', unproven), 400, 'INVALID_PASSWORD');
    const guest = createPerson(app);
    await expectRefusal(await remove(guest, owner.email), 401, 'UNAUTHORIZED');
    expect((await attributes(owner)).status).toBe(200);
  });

  test('is refused while money is owed to the creator, and says how much', async () => {
    const owner = await signUp(app);
    const { id } = await sellFile(owner, { price: 499 });
    await buy(createPerson(app), id);
    expect(await readBalance(owner)).toBe(444);
    const refused = await remove(owner, owner.email);
    expect(refused.status).toBe(409);
    expect(await refusal(refused)).toMatchObject({
      status: 409,
      code: 'ACCOUNT_NOT_SETTLED',
      message: 'Your balance is $4.44. Have it paid out before you delete your account.',
    });
    expect((await attributes(owner)).status).toBe(200);
    expect(await seeLink(createPerson(app), id)).toMatchObject({ price: 499 });
  });

  test('is refused while the creator owes money', async () => {
    const owner = await signUp(app);
    const { id } = await sellFile(owner, { price: 499 });
    await buy(createPerson(app), id);
    const { sub } = await readJson<{ sub: string }>(await attributes(owner));
    await withDatabase(app, (db) =>
      db
        .updateTable('user_balance')
        .set({ balance_cents: -250 })
        .where('owner_id', '=', sub)
        .execute(),
    );
    expect((await refusal(await remove(owner, owner.email))).message).toBe(
      'Your balance is $2.50 below zero. Settle it before you delete your account.',
    );
  });

  test('leaves its buyers what they bought, and itself what it bought', async () => {
    const owner = await signUp(app);
    const { id, bytes } = await sellFile(owner);
    const buyer = createPerson(app);
    await buy(buyer, id);
    const { key } = await uploadFile(owner, { name: 'later.pdf', bytes: new Uint8Array(9) });
    await updateLink(owner, { id, key });
    const { sub } = await readJson<{ sub: string }>(await attributes(owner));
    await withDatabase(app, (db) =>
      db
        .updateTable('user_balance')
        .set({ balance_cents: 0 })
        .where('owner_id', '=', sub)
        .execute(),
    );
    const bought = await sellFile(await signUp(app));
    await buy(owner, bought.id);
    await readJson(await remove(owner, owner.email));

    const url = await storageUrl(buyer, (await waitUntilUnlocked(buyer, id)).key ?? '');
    expect(new Uint8Array(await (await buyer.fetch(url)).arrayBuffer())).toEqual(bytes);
    const receipts = await readJson<{ to: string; text: string }[]>(
      await fetch(`${app.origin}/mailbox.json`),
    );
    const receipt = receipts.find(({ to, text }) => to === BUYER_EMAIL && text.includes(bought.id));
    const personal = /https?:\/\/\S+\/access\/\S+/.exec(receipt?.text ?? '')?.[0] ?? '';
    const elsewhere = createPerson(app);
    expect((await elsewhere.fetch(personal, { method: 'POST' })).status).toBe(303);
    expect(await seeLink(elsewhere, bought.id)).toMatchObject({ unlocked: true });
  });

  test('ends what its cookie could do', async () => {
    const owner = await signUp(app);
    const cookies = new Map(owner.cookies);
    await readJson(await remove(owner, owner.email));
    for (const [name, value] of cookies) owner.cookies.set(name, value);
    const create = `mutation { createPaywallLink(
      input: { type: "link", url: "https://example.com/", unlocked: false, price: 500 }
    ) { id } }`;
    await expect(graphql(owner, create, {}, await publishableKey(app))).rejects.toThrow(
      /Unauthorized/i,
    );
  });
});
