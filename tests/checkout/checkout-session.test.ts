import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { runSql } from '../errors/run-sql.ts';
import {
  readMail,
  seeLink,
  sellFile,
  signUp,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { BUYER_EMAIL, checkOut, payFor } from '../factories/payment.ts';
import { findFreePort } from '../harness/free-port.ts';
import { createPerson, type Person, postJson, readJson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { stripeOf } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

const CLAIM = 'padlink_claim';
const sandboxPort = await findFreePort();
const stripe = stripeOf(sandboxPort);

describe('a checkout', () => {
  let clock: number | undefined;
  const app = useApp({
    env: { PAYMENTS: 'sandbox', SANDBOX_PORT: String(sandboxPort) },
    overrides: { now: () => clock ?? Date.now() },
  });
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
  });

  const sessionAt = (url: string) =>
    stripe.checkout.sessions.retrieve(new URL(url).pathname.split('/').at(-1) ?? '');

  const purchaseOf = (link: string) =>
    withDatabase(app, (db) =>
      db.selectFrom('purchase').where('link_id', '=', link).selectAll().executeTakeFirstOrThrow(),
    );

  test('asks the provider for what is offered, for 35 minutes', async () => {
    const { id } = await sellFile(seller, { price: 1234 });
    await updateLink(seller, { id, title: 'Algebra in a week' });
    clock = Date.now();
    const session = await sessionAt(await checkOut(createPerson(app), id));
    const purchase = await purchaseOf(id);
    expect(session).toMatchObject({
      mode: 'payment',
      amount_total: 1234,
      currency: 'usd',
      client_reference_id: purchase.id,
      metadata: { purchase_id: purchase.id, link_id: id, fee_cents: '92' },
      adaptive_pricing: { enabled: false },
      expires_at: Math.floor((clock + 35 * 60_000) / 1000),
    });
    expect(purchase).toMatchObject({ price_cents: 1234, fee_cents: 92 });
    clock = undefined;
  });

  test('is opened without the address of an account that the provider refuses', async () => {
    const { id } = await sellFile(seller);
    const person = await signUp(app);
    const session = () => checkOut(person, id).then(sessionAt);
    expect(await session()).toMatchObject({ customer_email: person.email });
    const { id: other } = await sellFile(seller);
    await runSql(app, `update "user" set email = 'admin@intranet' where email = '${person.email}'`);
    const without = await sessionAt(await checkOut(person, other));
    expect(without).toMatchObject({ customer_email: null, status: 'open' });
  });

  test('names its session by its purchase, for a process that takes over and for parallel requests', async () => {
    const { id } = await sellFile(seller);
    const visitor = createPerson(app);
    const url = await checkOut(visitor, id);
    await runSql(
      app,
      `delete from payment where id in (select payment_id from purchase where link_id = '${id}')`,
    );
    const again = await Promise.all([1, 2, 3].map(() => checkOut(visitor, id)));
    expect(again).toEqual([url, url, url]);
  });

  test('is one for parallel requests that came from elsewhere each', async () => {
    const { id: paywallId } = await sellFile(seller);
    const visitor = createPerson(app);
    await checkOut(visitor, paywallId);
    await runSql(app, `update purchase set state = 'expired' where link_id = '${paywallId}'`);
    const begin = async (from: string) =>
      (
        await readJson<{ url: string }>(
          await postJson(visitor, '/prod/checkout', { paywallId, from }),
        )
      ).url;
    const [first, ...others] = await Promise.all(
      ['news.example', 'direct', 'blog.example', 'direct'].map(begin),
    );
    expect(first).toContain('/checkout/');
    expect(others).toEqual([first, first, first]);
  });

  describe('gives the browser a claim', () => {
    const hashOf = (claim: string) => createHash('sha256').update(claim).digest('hex');
    const plantedIn = (person: Person) => {
      const claim = randomBytes(32).toString('base64url');
      person.cookies.set(CLAIM, claim);
      return claim;
    };

    test('that is kept as its hash alone', async () => {
      const { id } = await sellFile(seller);
      const buyer = createPerson(app);
      await payFor(buyer, id);
      await waitUntilUnlocked(buyer, id);
      const claim = buyer.cookies.get(CLAIM) ?? '';
      expect(Buffer.from(claim, 'base64url')).toHaveLength(32);
      const { claim_hash } = await purchaseOf(id);
      expect(claim_hash).toBe(hashOf(claim));
      const thief = createPerson(app);
      thief.cookies.set(CLAIM, claim_hash);
      expect(await seeLink(thief, id)).toMatchObject({ unlocked: false });
    });

    test('that opens what was bought with it, and nothing else of the same seller', async () => {
      const [bought, other] = [await sellFile(seller), await sellFile(seller)];
      const buyer = createPerson(app);
      await payFor(buyer, bought.id);
      await waitUntilUnlocked(buyer, bought.id);
      expect(await seeLink(buyer, other.id)).toMatchObject({ unlocked: false, key: null });
    });

    test('in place of one that we never gave out, so that whoever planted it shares nothing', async () => {
      const { id } = await sellFile(seller);
      const [buyer, planter] = [createPerson(app), createPerson(app)];
      const planted = plantedIn(buyer);
      planter.cookies.set(CLAIM, planted);
      await payFor(buyer, id);
      await waitUntilUnlocked(buyer, id);
      expect(buyer.cookies.get(CLAIM)).not.toBe(planted);
      expect(await seeLink(planter, id)).toMatchObject({ unlocked: false });

      const { text } = await readMail(app, BUYER_EMAIL, new RegExp(id));
      const [personal = ''] = /\/access\/\S+/.exec(text) ?? [];
      const friend = createPerson(app);
      friend.cookies.set(CLAIM, planted);
      expect((await friend.fetch(personal, { method: 'POST' })).status).toBe(303);
      expect(await seeLink(friend, id)).toMatchObject({ unlocked: true });
      expect(await seeLink(planter, id)).toMatchObject({ unlocked: false });
    });
  });
});
